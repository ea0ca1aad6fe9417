//! The tests of Jest and its kin: Vitest, Mocha, Jasmine, Playwright, Node's own.

use super::file::{HEAD, words};
use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, skips: SKIPS, ..Family::PLAIN };

/// Statements that skip a test.
const SKIPS: &[&str] = &[
    "this.skip(",
    "return this.skip(",
    "pending(",
    "ctx.skip(",
    "t.skip(",
    "context.skip(",
    "test.skip()",
    "test.skip(true",
    "test.fixme()",
    "test.fixme(true",
    "test.fail()",
];

/// What a word before a name says of the test.
struct Call {
    is_suite: bool,
    skips: bool,
    is_only: bool,
    is_table: bool,
    /// The bracket before the name.
    open: usize,
}

fn find(file: &File) -> Vec<Test> {
    let bytes = file.code.as_bytes();
    let mut tests = Vec::new();
    for (at, word) in words(file.code) {
        let Some(call) = call(file, at, word) else { continue };
        let inside = call.open + 1 + blanks(file, call.open + 1);
        let end = file.closing(call.open);
        let quote = bytes.get(inside).copied().filter(|quote| matches!(quote, b'\'' | b'"' | b'`'));
        let close = match quote {
            Some(quote) => file
                .code
                .get(inside + 1..)
                .and_then(|rest| rest.find(char::from(quote)))
                .map_or(inside + 1, |end| inside + 1 + end),
            None => inside,
        };
        let callback = callback(file, close, end);
        let name = match quote {
            Some(_) => file.text.get(inside + 1..close).unwrap_or_default(),
            // `test.skip(browserName === …)` is conditional, `it(name, …)` has a name that is not known here.
            None if callback.is_none() => continue,
            None => file.code.get(inside..end).and_then(|rest| rest.split([',', '\n']).next()).unwrap_or_default(),
        };
        let after = file.code.get((close + 1).min(end)..end).unwrap_or_default();
        let is_made = quote.is_none() || name.contains("${") || after.trim_start().starts_with('+');
        // `it('is to be written')`
        let is_pending = quote.is_some()
            && !call.is_suite
            && after.trim_matches([' ', '\n', '\t', ',']).is_empty()
            && end < file.code.len();
        let skips = call.skips || is_pending || options_skip(file, close, callback, end);
        let body = callback.unwrap_or((call.open, end));
        let test = file.test(name, at, body, skips.then_some(at));
        let is_quoted = quote.is_some();
        tests.push(Test {
            is_quoted,
            only: call.is_only,
            is_suite: call.is_suite,
            is_table: call.is_table || is_made,
            ..test
        });
    }
    tests
}

/// What the word at `at` begins, if it is a test or a suite: `.skip`, `.only`, `.each(…)` and the like follow, up to the
/// bracket before the name.
fn call(file: &File, at: usize, word: &str) -> Option<Call> {
    let (is_suite, skips, is_only) = match word {
        "it" | "test" | "specify" => (false, false, false),
        "describe" | "suite" | "context" => (true, false, false),
        "xit" | "xtest" | "xspecify" => (false, true, false),
        "xdescribe" | "xcontext" => (true, true, false),
        "fit" => (false, false, true),
        "fdescribe" => (true, false, true),
        _ => return None,
    };
    if at.checked_sub(1).and_then(|at| file.code.as_bytes().get(at)) == Some(&b'.') {
        return None;
    }
    let mut call = Call { is_suite, skips, is_only, is_table: false, open: 0 };
    let mut after = at + word.len();
    loop {
        let rest = file.code.get(after..)?;
        let Some(rest) = rest.strip_prefix('.') else {
            if !rest.starts_with('(') {
                return None;
            }
            call.open = after;
            return Some(call);
        };
        let part = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        after += 1 + part.len();
        let arguments = file.code.get(after..).is_some_and(|rest| rest.starts_with('(')).then_some(after);
        match part {
            "skip" | "fixme" | "todo" | "failing" | "fails" | "fail" => call.skips = true,
            "only" => call.is_only = true,
            "each" | "for" => {
                call.is_table = true;
                // A table in a template.
                if file.code.get(after..).is_some_and(|rest| rest.starts_with('`')) {
                    after += 1 + file.code.get(after + 1..)?.find('`')? + 1;
                    continue;
                }
                after = file.closing(arguments?) + 1;
            }
            "skipIf" | "runIf" | "failsIf" => {
                let close = file.closing(arguments?);
                let condition = file.code.get(after + 1..close)?.trim();
                call.skips |=
                    matches!((part, condition), ("skipIf" | "failsIf", "true" | "1") | ("runIf", "false" | "0"));
                after = close + 1;
            }
            "concurrent" | "sequential" | "serial" | "parallel" | "shuffle" => {}
            "describe" => call.is_suite = true,
            // `test.use(…)`, `describe.configure(…)`.
            _ => return None,
        }
    }
}

fn blanks(file: &File, at: usize) -> usize {
    file.code.get(at..).map_or(0, |rest| rest.len() - rest.trim_start().len())
}

/// Bytes of a call's options that are looked at.
const OPTIONS: usize = 300;

/// What stands in the braces of the function among the arguments between these offsets, or is its value.
fn callback(file: &File, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = file.code.as_bytes();
    let mut at = start;
    for _ in 0..HEAD {
        if at >= end {
            return None;
        }
        let rest = file.code.get(at..end).unwrap_or_default();
        if rest.starts_with("=>") {
            let start = at + 2 + blanks(file, at + 2);
            return Some(match bytes.get(start) {
                Some(b'{') => (start + 1, file.closing(start).min(end)),
                _ => (start.min(end), end),
            });
        }
        if rest.starts_with("function") {
            let open = at + rest.find('(')?;
            let body = file.closing(open) + 1;
            let body = body + file.code.get(body..end)?.find('{')?;
            return Some((body + 1, file.closing(body).min(end)));
        }
        at = match bytes.get(at) {
            Some(b'(' | b'[' | b'{') => file.closing(at).max(at) + 1,
            Some(byte) if byte.is_ascii() => at + 1,
            _ => at + rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    None
}

/// `{ skip: true }` before the function or after it.
fn options_skip(file: &File, start: usize, callback: Option<(usize, usize)>, end: usize) -> bool {
    let (body, after) = callback.unwrap_or((end, end));
    let outside = [file.code.get(start..body), file.code.get((after + 1).min(end)..end)];
    outside.into_iter().flatten().any(|options| {
        let squeezed: String = options.chars().take(OPTIONS).filter(|c| !c.is_whitespace()).collect();
        ["skip:", "todo:"].iter().any(|option| {
            let value = squeezed.split_once(option).map(|(_, value)| value);
            value.is_some_and(|value| value.starts_with("true") || value.starts_with(['\'', '"']))
        })
    })
}
