//! The tests in a text: their names, whether they are skipped, and how much they assert.
//!
//! For comparing two versions of one file. It reads masked code by the conventions of the common frameworks (pytest and
//! unittest, Jest and its kin, Rust's and Go's own), and does not know what a test calls: a helper that asserts is not
//! seen, so that a low count says little alone.

use super::{extension, mask};

/// One test, or in JavaScript also one suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    pub name: String,
    /// Counted from 1.
    pub line: usize,
    /// The line that skips it always (rather than on some platform), as it is written.
    pub skip: Option<(usize, String)>,
    /// Only it and its like are to run (`it.only`).
    pub only: bool,
    /// A suite holds tests and is none.
    pub is_suite: bool,
    pub asserts: usize,
    /// The line of an assertion that cannot fail.
    pub hollow: Option<usize>,
}

/// The tests of `text`, in order; `None` for a language in which they are not known.
pub fn tests(path: &str, text: &str) -> Option<Vec<Test>> {
    let (find, hollow): (fn(&File) -> Vec<Test>, _) = match extension(path).as_str() {
        "py" => (python, HOLLOW_PYTHON),
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => (javascript, HOLLOW_JAVASCRIPT),
        "rs" => (rust, HOLLOW_RUST),
        "go" => (go, &[][..]),
        _ => return None,
    };
    let code = mask(path, text)?;
    Some(find(&File::new(text, &code, hollow)))
}

/// Assertions that cannot fail, as whole statements.
const HOLLOW_PYTHON: &[&str] = &[
    "assert True",
    "assert 1",
    "assert not False",
    "assert 1 == 1",
    "assert True is True",
    "assert True == True",
    "self.assertTrue(True)",
    "self.assertFalse(False)",
];
const HOLLOW_JAVASCRIPT: &[&str] = &[
    "expect(true).toBe(true)",
    "expect(true).toBeTruthy()",
    "expect(true).toEqual(true)",
    "expect(true).to.be.true",
    "expect(1).toBe(1)",
    "assert(true)",
    "assert.ok(true)",
];
const HOLLOW_RUST: &[&str] = &["assert!(true)", "assert_eq!(1, 1)", "assert_eq!(true, true)"];

/// Bytes between the name of a function and its body.
const HEAD: usize = 4000;
/// Lines of decorators.
const DECORATORS: usize = 60;

/// A text, and what is asked of it over and over, found once: tests may nest as deep as they like.
struct File<'t> {
    text: &'t str,
    code: &'t str,
    /// Each line with the offset at which it begins.
    lines: Vec<(usize, &'t str)>,
    /// Offsets of words that assert.
    asserts: Vec<usize>,
    /// Offsets of lines with an assertion that cannot fail.
    hollow: Vec<usize>,
    /// Offsets of opening brackets with those of what closes them, in order.
    brackets: Vec<(usize, usize)>,
}

impl<'t> File<'t> {
    fn new(text: &'t str, code: &'t str, hollow: &[&str]) -> File<'t> {
        let mut at = 0;
        let lines: Vec<(usize, &str)> = code
            .split('\n')
            .map(|line| {
                let start = at;
                at += line.len() + 1;
                (start, line)
            })
            .collect();
        let is_hollow = |line: &str| hollow.contains(&line.trim().trim_end_matches(';'));
        let hollow = lines.iter().filter(|(_, line)| is_hollow(line)).map(|(at, _)| *at).collect();
        let asserts = words(code).filter(|(_, word)| asserts(word)).map(|(at, _)| at).collect();
        File { text, code, lines, asserts, hollow, brackets: brackets(code) }
    }

    /// Counted from 1.
    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|(start, _)| *start <= at)
    }

    /// The line at an offset, as it is written.
    fn skip(&self, at: usize) -> (usize, String) {
        let line = self.line(at);
        let start = self.lines.get(line.saturating_sub(1)).map_or(0, |(start, _)| *start);
        let written = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        (line, written.trim().to_owned())
    }

    /// The end of what the bracket at `open` opens; of the text, if nothing closes it.
    fn closing(&self, open: usize) -> usize {
        let found = self.brackets.binary_search_by_key(&open, |(open, _)| *open).ok();
        found.and_then(|at| self.brackets.get(at)).map_or(self.code.len(), |(_, close)| *close)
    }

    /// The `{` of the function whose head begins at `at`.
    fn body(&self, at: usize) -> Option<usize> {
        let head = self.code.as_bytes().get(at..self.code.len().min(at + HEAD))?;
        memchr::memchr(b'{', head).map(|open| at + open)
    }

    fn asserts(&self, start: usize, end: usize) -> usize {
        let before = |offset: usize| self.asserts.partition_point(|at| *at < offset);
        before(end).saturating_sub(before(start))
    }

    /// The line of the first assertion in the range that cannot fail.
    fn hollow(&self, start: usize, end: usize) -> Option<usize> {
        let first = self.hollow.get(self.hollow.partition_point(|at| *at < start))?;
        (*first < end).then(|| self.line(*first))
    }
}

/// Words with their offsets.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut at = 0;
    code.split(move |c: char| !is_word(c)).filter_map(move |word| {
        // What parts words in code is nearly always one byte; the rest is found again.
        let start = code.get(at..)?.find(word).map(|skipped| at + skipped)?;
        at = start + word.len();
        (!word.is_empty()).then_some((start, word))
    })
}

fn asserts(word: &str) -> bool {
    const BEGIN: &[&str] =
        &["assert", "Assert", "expect", "Expect", "require", "should", "verify", "check", "raises", "warns"];
    const WHOLE: &[&str] =
        &["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "fail", "panic", "unwrap_err", "insta", "matches"];
    BEGIN.iter().any(|begin| word.starts_with(begin)) || WHOLE.contains(&word)
}

fn brackets(code: &str) -> Vec<(usize, usize)> {
    let (mut pairs, mut open) = (Vec::new(), Vec::new());
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => pairs.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    pairs.sort_unstable();
    pairs
}

fn python(file: &File) -> Vec<Test> {
    let lines = &file.lines;
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut tests = Vec::new();
    for (place, (at, line)) in lines.iter().enumerate() {
        let start = line.trim_start();
        let head = start.strip_prefix("async ").unwrap_or(start);
        let Some(name) = head.strip_prefix("def ").filter(|name| name.starts_with("test")) else { continue };
        let name = name.split('(').next().unwrap_or_default().trim();
        let indent = depth(line);
        let rest = lines.iter().skip(place + 1);
        // A head of several lines closes on the indentation of its own `def`.
        let end = rest
            .clone()
            .find(|(_, line)| !line.trim().is_empty() && depth(line) <= indent && !line.trim_start().starts_with(')'));
        let end = end.map_or(file.code.len(), |(at, _)| *at);
        let decorators = lines.iter().take(place).rev().take(DECORATORS).take_while(|(_, line)| {
            depth(line) >= indent && !line.trim().is_empty() && !line.trim_start().starts_with("def ")
        });
        let mut skip = None;
        for (at, line) in decorators {
            if depth(line) > indent || !line.trim_start().starts_with(['@', ')', ']', '}']) {
                if depth(line) == indent {
                    break;
                }
                continue;
            }
            let name = line.trim().trim_start_matches('@').split('(').next().unwrap_or_default();
            if matches!(name, "pytest.mark.skip" | "mark.skip" | "unittest.skip" | "skip") {
                skip = Some(file.skip(*at));
            }
        }
        let body = lines.iter().skip(place + 1).take_while(|(at, _)| *at < end);
        let first = body.clone().find(|(_, line)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with(['"', '\'', '_', ')']) && !line.ends_with(',')
        });
        if let Some((at, _)) = first
            .filter(|(_, line)| line.trim().starts_with("pytest.skip(") || line.trim().starts_with("self.skipTest("))
        {
            skip = Some(file.skip(*at));
        }
        tests.push(Test {
            name: name.to_owned(),
            line: place + 1,
            skip,
            only: false,
            is_suite: false,
            asserts: file.asserts(*at, end),
            hollow: file.hollow(*at, end),
        });
    }
    tests
}

fn javascript(file: &File) -> Vec<Test> {
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
        });
    }
    tests
}

fn rust(file: &File) -> Vec<Test> {
    let mut tests = Vec::new();
    // Attributes since the last item, with their offsets.
    let mut attributes: Vec<(usize, &str)> = Vec::new();
    for (at, line) in file.lines.iter().copied() {
        let start = line.trim_start();
        if start.starts_with("#[") {
            attributes.push((at, start));
            // `#[test] fn a() {` on one line goes on.
            if !start.contains(" fn ") {
                continue;
            }
        }
        if start.is_empty() {
            continue;
        }
        let Some(name) = start.split_once("fn ").map(|(_, name)| name) else {
            if !attributes.is_empty() && !start.starts_with([')', ']']) && start.ends_with([';', '{', '}']) {
                attributes.clear();
            }
            continue;
        };
        let attribute = |(_, attribute): &&(usize, &str)| {
            attribute.trim_start_matches("#[").split(['(', ']', ' ', '=']).next().unwrap_or_default().to_owned()
        };
        let is_test = attributes.iter().any(|it| {
            let name = attribute(&it);
            name == "test" || name.ends_with("::test") || matches!(name.as_str(), "rstest" | "test_case" | "test_log")
        });
        let ignored = attributes.iter().find(|it| attribute(it) == "ignore").map(|(at, _)| *at);
        attributes.clear();
        let Some(open) = file.body(at).filter(|_| is_test) else {
            continue;
        };
        let end = file.closing(open);
        tests.push(Test {
            name: name.split(['(', '<']).next().unwrap_or_default().trim().to_owned(),
            line: file.line(at),
            skip: ignored.map(|at| file.skip(at)),
            only: false,
            is_suite: false,
            asserts: file.asserts(open, end),
            hollow: file.hollow(open, end),
        });
    }
    tests
}

fn go(file: &File) -> Vec<Test> {
    let mut tests = Vec::new();
    for (at, line) in file.lines.iter().copied() {
        let Some(name) = line.strip_prefix("func ").filter(|name| name.starts_with("Test")) else { continue };
        let Some(open) = file.body(at) else { continue };
        let end = file.closing(open);
        let body = file.code.get(open + 1..end).unwrap_or_default();
        let start = open + 1 + (body.len() - body.trim_start().len());
        let skipped = ["t.Skip(", "t.SkipNow(", "t.Skipf("].iter().any(|call| body.trim_start().starts_with(call));
        tests.push(Test {
            name: name.split('(').next().unwrap_or_default().to_owned(),
            line: file.line(at),
            skip: skipped.then(|| file.skip(start)),
            only: false,
            is_suite: false,
            asserts: file.asserts(open, end),
            hollow: None,
        });
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::{Test, tests};

    fn named(path: &str, text: &str) -> Vec<(String, usize, bool, usize, bool)> {
        let what = |test: Test| (test.name, test.line, test.skip.is_some(), test.asserts, test.hollow.is_some());
        tests(path, text).unwrap_or_default().into_iter().map(what).collect()
    }

    #[test]
    fn tests_of_python_are_found_with_what_skips_and_what_they_assert() {
        let text = "import pytest\n\n@pytest.mark.skip(reason=\"x\")\ndef test_a():\n    assert a\n\n\n@pytest.mark.skipif(WIN, reason='')\ndef test_b(\n    x,\n):\n    \"\"\"Doc.\"\"\"\n    with pytest.raises(E):\n        b()\n    assert b == 1  # assert\n\nclass TestC(T):\n    def test_c(self):\n        self.skipTest('x')\n\n    async def test_d(self):\n        self.assertTrue(True)\n\ndef other():\n    assert 1\n";
        assert_eq!(
            named("test_a.py", text),
            [
                ("test_a".into(), 4, true, 1, false),
                ("test_b".into(), 9, false, 2, false),
                ("test_c".into(), 18, true, 0, false),
                ("test_d".into(), 21, false, 1, true)
            ]
        );
    }

    #[test]
    fn tests_of_javascript_are_found_with_what_skips_and_what_they_assert() {
        let text = "describe('a', () => {\n  it(\"b\", async () => {\n    expect(c).toBe(1);\n  });\n  it.skip('d', () => {});\n  xit('e', () => {});\n  test.each([1, 2])('f %s', (g) => { expect(g); expect(true).toBe(true) });\n});\ntest.skip(isCI, 'slow');\nsubmit('x');\n/it/.test('y');\n";
        let found = named("a.test.ts", text);
        let found: Vec<(&str, bool, usize)> =
            found.iter().map(|(name, _, skip, asserts, _)| (name.as_str(), *skip, *asserts)).collect();
        assert_eq!(found, [("a", false, 3), ("b", false, 1), ("d", true, 0), ("e", true, 0), ("f %s", false, 2)]);
        assert!(tests("a.js", "describe.only('a', () => {})").is_some_and(|tests| tests[0].only && tests[0].is_suite));
    }

    #[test]
    fn tests_of_rust_and_go_are_found_with_what_skips_and_what_they_assert() {
        let text = "#[test]\nfn a() {\n    assert_eq!(b, 1);\n}\n\n#[tokio::test(flavor = \"x\")]\n#[ignore = \"slow\"]\nasync fn c() {\n    assert!(true);\n}\n\n#[derive(Debug)]\nstruct D {}\n\nfn helper() {\n    assert!(e);\n}\n";
        assert_eq!(named("a.rs", text), [("a".into(), 2, false, 1, false), ("c".into(), 8, true, 1, true)]);
        let text = "func TestA(t *testing.T) {\n\tt.Skip(\"later\")\n\tif x {\n\t\tt.Fatal(\"y\")\n\t}\n}\n\nfunc TestB(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\trequire.NoError(t, err)\n}\n";
        assert_eq!(
            named("a_test.go", text),
            [("TestA".into(), 1, true, 1, false), ("TestB".into(), 8, false, 1, false)]
        );
    }

    #[test]
    fn any_text_is_survived() {
        for path in ["a.py", "a.ts", "a.rs", "a.go"] {
            for text in
                ["", "def test", "it(", "it('", "#[test]\nfn ", "func Test", "describe.each(", "#[test", "é it('é"]
            {
                assert!(tests(path, text).is_some());
            }
        }
    }
}
