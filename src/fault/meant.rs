//! Which file a fault is about.

use super::Fault;
use crate::check;

/// A file of the plan that can be mended, as far as it matters here.
#[derive(Debug, Clone, Copy)]
pub struct Planned<'a> {
    pub path: &'a str,
    pub text: &'a str,
}

/// Words of failures that are a test's own, wherever the code is right.
const OF_THE_TEST_ITSELF: &[&str] = &[
    "IndentationError",
    "NameError",
    "ReferenceError",
    "SyntaxError",
    "cannot find name",
    "fixture '",
    "is not defined",
    "undefined:",
];

/// The file that is to be mended for a fault; `files` in the order in which they were changed, the last one last: of several
/// that are named, the one that changed last. Tests stand while there is code that a failure can be about. `None`: no file of
/// the plan is meant.
pub fn meant<'f>(fault: &Fault, files: &[Planned<'f>]) -> Option<&'f str> {
    if let ([path], false) = (&fault.paths[..], fault.is_of_command()) {
        return files.iter().find(|file| file.path == path).map(|file| file.path);
    }
    let is_named = |file: &&Planned| fault.paths.iter().any(|path| path == file.path);
    let code = |file: &&Planned| !check::is_test(file.path);
    let named: Vec<&Planned> = files.iter().rev().filter(is_named).collect();
    if let Some(file) = named.iter().find(|file| code(file)) {
        return Some(file.path);
    }
    let test = named.first();
    if test.is_some() && OF_THE_TEST_ITSELF.iter().any(|words| fault.text.contains(words)) {
        return test.map(|test| test.path);
    }
    // The test names what it tests.
    let of_test = |file: &&Planned| named.iter().any(|test| is_about(test, file.path));
    if let Some(file) = files.iter().rev().filter(code).find(of_test) {
        return Some(file.path);
    }
    // Without any name there is no choice only where there is none.
    let mut all = files.iter().filter(code);
    match (test, all.next(), all.next()) {
        (Some(test), ..) => Some(test.path),
        (None, Some(only), None) => Some(only.path),
        _ => None,
    }
}

/// Is the test about the file at this path? It names it, or is called after it.
pub fn is_about(test: &Planned, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let stem = match stem {
        "__init__" | "index" | "mod" | "lib" => path.rsplit('/').nth(1).unwrap_or(stem),
        stem => stem,
    };
    check::subject(test.path) == check::subject(path) || crate::syntax::words(test.text).any(|(_, word)| word == stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [Planned; 3] = [
        Planned { path: "src/store.py", text: "def put(): ...\n" },
        Planned { path: "src/tally.py", text: "def add(): ...\n" },
        Planned { path: "tests/test_tally.py", text: "from tally import add\n" },
    ];

    fn fault(paths: &[&str], text: &str) -> Fault {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        Fault { by: "pytest".into(), paths, line: None, text: text.into(), before: false }
    }

    fn first(paths: &[&str], text: &str) -> Option<&'static str> {
        meant(&fault(paths, text), &FILES)
    }

    #[test]
    fn of_several_files_the_one_that_changed_last_and_code_before_tests() {
        assert_eq!(first(&["src/store.py", "src/tally.py", "tests/test_tally.py"], "E"), Some("src/tally.py"));
        assert_eq!(first(&["tests/test_tally.py", "src/store.py"], "E"), Some("src/store.py"));
    }

    #[test]
    fn a_test_stands_unless_the_failure_is_its_own() {
        assert_eq!(first(&["tests/test_tally.py"], "assert 3 == 4"), Some("src/tally.py"));
        assert_eq!(first(&["tests/test_tally.py"], "NameError: name 'x'"), Some("tests/test_tally.py"));
    }

    #[test]
    fn where_nothing_is_named_nothing_is_guessed() {
        assert_eq!(first(&[], "1 failed"), None);
        assert_eq!(meant(&fault(&[], "1 failed"), &FILES[1..2]), Some("src/tally.py"));
    }
}
