//! Each kind of weakening, and what is none.

use super::*;
use crate::check::Candidate;

fn found(path: &str, base: &str, text: &str) -> Vec<(bool, String)> {
    let candidate = Candidate { path, base: Some(base), text, ..Candidate::default() };
    match run(&Change::of(&candidate), &Settings::default()) {
        Verdict::Fail(found) => found.into_iter().map(|it| (it.is_error(), it.message)).collect(),
        _ => Vec::new(),
    }
}

const BASE: &str = "def test_a():\n    assert a == 1\n    assert b == 2\n\n\ndef test_c():\n    assert c\n";

#[test]
fn skips_and_hollow_assertions_are_errors() {
    let skipped = BASE.replace("def test_c", "@pytest.mark.skip\ndef test_c");
    assert_eq!(
        found("test_a.py", BASE, &skipped),
        [(true, "test 'test_c' in 'test_a.py' is skipped: '@pytest.mark.skip'".into())]
    );
    let hollow = BASE.replace("assert c\n", "assert True\n");
    assert_eq!(
        found("test_a.py", BASE, &hollow),
        [(true, "test 'test_c' in 'test_a.py' asserts what cannot fail".into())]
    );
    let js = "describe('a', () => {\n  it('b', () => { expect(c).toBe(1) });\n});\n";
    let only = js.replace("it(", "it.only(");
    assert_eq!(found("a.test.js", js, &only), [(true, "test 'b' in 'a.test.js' is the only one to run".into())]);
}

#[test]
fn lost_tests_and_assertions_are_asked_about() {
    let lost = BASE.split("\n\ndef test_c").next().unwrap_or_default();
    assert_eq!(found("test_a.py", BASE, lost), [(false, "'test_a.py' has 1 test less: 'test_c'".into())]);
    let fewer = BASE.replace("    assert b == 2\n", "");
    assert_eq!(
        found("test_a.py", BASE, &fewer),
        [(false, "test 'test_a' in 'test_a.py' has 1 assertion, and had 2".into())]
    );
    let none = BASE.replace("assert c", "c()");
    assert_eq!(
        found("test_a.py", BASE, &none),
        [(false, "test 'test_c' in 'test_a.py' has 0 assertions, and had 1".into())]
    );
}

#[test]
fn tests_that_another_file_of_the_change_got_are_not_lost() {
    let rest = BASE.split("\n\ndef test_c").next().unwrap_or_default();
    let went = "def test_c():\n    assert c\n";
    let find = |base: &str, text: &str, others: &[BeforeAfter]| {
        let candidate = Candidate { path: "test_a.py", base: Some(base), text, ..Candidate::default() };
        let found = crate::check::judge(&candidate, &Settings::default());
        let own = BeforeAfter { path: "test_a.py", base: Some(base), text: Some(text) };
        let changes: Vec<BeforeAfter> = others.iter().copied().chain([own]).collect();
        moved(found, &changes).into_iter().map(|it| it.message).collect::<Vec<_>>()
    };
    let other = |base, text| BeforeAfter { path: "tests/test_b.py", base, text: Some(text) };
    let lost = ["'test_a.py' has 1 test less: 'test_c'"];
    assert_eq!(find(BASE, rest, &[other(None, went)]), [""; 0]);
    assert_eq!(find(BASE, rest, &[other(Some("import a\n"), went)]), [""; 0]);
    assert_eq!(find(BASE, rest, &[other(Some(went), went)]), lost, "it was there before");
    assert_eq!(
        find(BASE, rest, &[BeforeAfter { path: "src/b.py", base: None, text: Some(went) }]),
        lost,
        "no test"
    );
    assert_eq!(find(BASE, rest, &[BeforeAfter { path: "test_b.py", base: Some(went), text: None }]), lost);
    let two = format!("{BASE}\n\ndef test_d():\n    assert d\n");
    assert_eq!(find(&two, rest, &[other(None, went)]), ["'test_a.py' has 1 test less: 'test_d'"]);
    // One came, two went.
    let twice = format!("{BASE}\n\nclass TestE:\n    def test_c(self):\n        assert c\n");
    assert_eq!(find(&twice, rest, &[other(None, went)]).len(), 1);
    let hollow = find(BASE, &BASE.replace("assert c\n", "assert True\n"), &[other(None, went)]);
    assert_eq!(hollow, ["test 'test_c' in 'test_a.py' asserts what cannot fail"], "others stay");
}

#[test]
fn subtests_that_become_lines_of_a_table_are_not_lost() {
    let base = "func TestA(t *testing.T) {\n\tt.Run(\"b\", func(t *testing.T) {\n\t\trequire.True(t, b)\n\t})\n}\n";
    let table = "func TestA(t *testing.T) {\n\tfor _, tt := range all {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\trequire.True(t, b)\n\t\t})\n\t}\n}\n";
    let none = "func TestA(t *testing.T) {\n\trequire.True(t, b)\n}\n";
    assert_eq!(found("a_test.go", base, table), []);
    assert_eq!(found("a_test.go", base, none), [(false, "'a_test.go' has 1 test less: 'TestA/b'".into())]);
}

#[test]
fn renamed_moved_and_added_tests_and_what_was_so_before_are_left_alone() {
    let renamed = BASE.replace("test_c", "test_cc");
    let moved =
        format!("def test_c():\n    assert c\n\n\n{}", BASE.split("\n\ndef test_c").next().unwrap_or_default());
    let more = format!("{BASE}\n\n@pytest.mark.skip\ndef test_new():\n    assert d\n");
    let conditional = BASE.replace("def test_c", "@pytest.mark.skipif(WINDOWS, reason='x')\ndef test_c");
    for text in [&renamed, &moved, &more, &conditional] {
        assert_eq!(found("test_a.py", BASE, text), [], "{text}");
    }
    assert_eq!(found("src/a.py", BASE, ""), []);
    assert_eq!(found("test_a.json", BASE, ""), []);
}
