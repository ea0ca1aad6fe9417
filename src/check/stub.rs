//! A function that is not written: its whole body says "later". Only new ones count, and a function that was written
//! before and now is a stub is new.
//!
//! What a stub is in each language is known to [`syntax::stubs`]; remarks and strings that speak of work to do are none. Where
//! the base has a body, any one that does nothing now is asked about ([`hollow`]).

use super::change::Side;
use super::{Author, Base, Change, Check, Design, Settings, Verdict, Weight, kind, lines, permit};
use crate::finding::Finding;
use crate::syntax::{self, Stub};
use std::collections::HashMap;

mod hollow;

pub const CHECK: Check =
    Check { id: "stub", allowable: true, design: Design::ById, weight: Weight::MODEL, base: Base::Excuses, run };

fn run(candidate: &Change, settings: &Settings) -> Verdict {
    if kind::is_declarations(candidate.path) {
        return Verdict::Pass;
    }
    let stubs_of = |side: &Side| syntax::stubs(candidate.path, side.text, || side.code());
    let mut stubs = stubs_of(candidate.now());
    // Doubles implement what the test needs of them; a test that tests nothing is another matter.
    let is_double = kind::is_for_tests(candidate.path) || is_double(candidate.path);
    if is_double {
        stubs.retain(|stub| stub.name.starts_with("test_"));
    }
    // People have more reasons for an empty body than can be seen.
    stubs.retain(|stub| stub.sure || settings.author == Author::Model);
    if !stubs.is_empty() {
        let mut had: HashMap<String, usize> = HashMap::new();
        for stub in candidate.before().map(stubs_of).unwrap_or_default() {
            *had.entry(stub.name).or_default() += 1;
        }
        stubs.retain(|stub| match had.get_mut(&stub.name).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                false
            }
            None => true,
        });
    }
    if settings.author == Author::Model && !is_double {
        for it in hollow::hollow(candidate) {
            match stubs.iter_mut().find(|stub| stub.name == it.name) {
                Some(stub) => stub.sure |= it.said,
                None => stubs.push(Stub { name: it.name, line: it.line, body: it.body, sure: it.said }),
            }
        }
    }
    let finding = |stub: &Stub| {
        let message = format!("'{}' in '{}' is not written: '{}'", stub.name, candidate.path, lines::quote(&stub.body));
        let finding = if stub.sure { Finding::error(CHECK.id, message) } else { Finding::warning(CHECK.id, message) };
        finding.line(stub.line).hint(format!("write its body; {}", permit::how(CHECK.id, candidate, settings)))
    };
    if stubs.is_empty() { Verdict::Pass } else { Verdict::Fail(stubs.iter().map(finding).collect()) }
}

/// Does the path say that it stands in for something?
fn is_double(path: &str) -> bool {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric());
    words.into_iter().any(|word| {
        ["mock", "mocks", "fake", "fakes", "stub", "stubs", "double", "doubles"]
            .contains(&word.to_ascii_lowercase().as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Candidate;

    fn found(candidate: Candidate, author: Author) -> Vec<(usize, bool)> {
        match run(&Change::of(&candidate), &Settings { author, ..Settings::default() }) {
            Verdict::Fail(found) => found.iter().map(|it| (it.line.unwrap_or(0), it.is_error())).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn new_stubs_are_found_and_those_of_the_base_are_not() {
        let base = "fn a() {\n    todo!()\n}\n\nfn b() -> u8 {\n    1\n}\n";
        let text = "fn b() -> u8 {\n    todo!()\n}\n\nfn a() {\n    todo!()\n}\n";
        let candidate = Candidate { path: "src/a.rs", base: Some(base), text, ..Candidate::default() };
        assert_eq!(found(candidate, Author::Model), [(2, true)]);
        assert_eq!(found(Candidate { base: None, ..candidate }, Author::Anyone), [(2, true), (6, true)]);
        assert_eq!(found(Candidate { path: "tests/a.rs", ..candidate }, Author::Model), []);
        assert_eq!(found(Candidate { path: "src/client_mock.rs", ..candidate }, Author::Model), []);
    }

    #[test]
    fn of_people_only_sure_stubs_are_asked_about() {
        let candidate = Candidate { path: "a.py", text: "def load():\n    pass\n", ..Candidate::default() };
        assert_eq!(found(candidate, Author::Model), [(2, false)]);
        assert_eq!(found(candidate, Author::Anyone), []);
    }

    #[test]
    fn a_test_that_tests_nothing_is_a_stub() {
        let candidate =
            Candidate { path: "tests/test_a.py", text: "def test_a():\n    pass\n", ..Candidate::default() };
        assert_eq!(found(candidate, Author::Model), [(2, true)]);
    }
}
