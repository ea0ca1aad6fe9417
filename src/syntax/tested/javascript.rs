//! The tests of Jest and its kin: Vitest, Mocha, Jasmine, Playwright.

use super::{Family, File, Test, words};

pub const FAMILY: Family = Family { find, hollow: HOLLOW, names: None };

/// Assertions that cannot fail, as whole statements.
const HOLLOW: &[&str] = &[
    "expect(true).toBe(true)",
    "expect(true).toBeTruthy()",
    "expect(true).toEqual(true)",
    "expect(true).to.be.true",
    "expect(1).toBe(1)",
    "assert(true)",
    "assert.ok(true)",
];
fn find(file: &File) -> Vec<Test> {
    let bytes = file.code.as_bytes();
    let mut tests = Vec::new();
    for (at, word) in words(file.code) {
        let (kind, skipped, focused) = match word {
            "it" | "test" | "describe" | "suite" => (word, false, false),
            "xit" | "xtest" => ("it", true, false),
            "xdescribe" => ("describe", true, false),
            "fit" => ("it", false, true),
            "fdescribe" => ("describe", false, true),
            _ => continue,
        };
        if at.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'.') {
            continue;
        }
        // `.skip`, `.only`, `.each(…)` and the like, up to the call that has the name.
        let mut after = at + word.len();
        let (mut skip, mut only) = (skipped, focused);
        let open = loop {
            let rest = file.code.get(after..).unwrap_or_default();
            if let Some(rest) = rest.strip_prefix('.') {
                let part = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                skip |= matches!(part, "skip" | "fixme");
                only |= part == "only";
                after += 1 + part.len();
                match part {
                    "each" if file.code.get(after..).is_some_and(|rest| rest.starts_with('(')) => {
                        after = file.closing(after) + 1
                    }
                    "skip" | "only" | "fixme" | "each" | "concurrent" | "sequential" | "failing" | "fails" | "todo"
                    | "serial" | "parallel" | "describe" => {}
                    // `test.use(…)`, `describe.configure(…)`.
                    _ => break None,
                }
                continue;
            }
            break rest.starts_with('(').then_some(after);
        };
        let Some(open) = open else { continue };
        let inside = open + 1 + file.code.get(open + 1..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        let Some(quote) = bytes.get(inside).copied().filter(|quote| matches!(quote, b'\'' | b'"' | b'`')) else {
            // `test.skip(browserName === …)` is conditional, `it(name, …)` has a name that is not known here.
            continue;
        };
        let close = file
            .code
            .get(inside + 1..)
            .and_then(|rest| rest.find(char::from(quote)))
            .map_or(inside + 1, |end| inside + 1 + end);
        let end = file.closing(open);
        tests.push(Test {
            name: file.text.get(inside + 1..close).unwrap_or_default().to_owned(),
            line: file.line(at),
            skip: skip.then(|| file.skip(at)),
            only,
            is_suite: matches!(kind, "describe" | "suite")
                || file.code.get(at..open).is_some_and(|call| call.contains("describe")),
            asserts: file.asserts(open, end),
            hollow: file.hollow(open, end),
            is_table: false,
        });
    }
    tests
}
