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
    assert_eq!(find(BASE, rest, &[BeforeAfter { path: "src/b.py", base: None, text: Some(went) }]), lost, "no test");
    assert_eq!(find(BASE, rest, &[BeforeAfter { path: "test_b.py", base: Some(went), text: None }]), lost);
    let two = format!("{BASE}\n\ndef test_d():\n    assert d\n");
    assert_eq!(find(&two, rest, &[other(None, went)]), ["'test_a.py' has 1 test less: 'test_d'"]);
    // One came, two went.
    let twice = format!("{BASE}\n\nclass TestE:\n    def test_c(self):\n        assert c\n");
    assert_eq!(find(&twice, rest, &[other(None, went)]).len(), 1);
    let anew = "def test_see():\n    assert see(c)\n";
    assert_eq!(find(BASE, rest, &[other(None, anew)]), [""; 0], "it may be the same, written anew");
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
    let moved = format!("def test_c():\n    assert c\n\n\n{}", BASE.split("\n\ndef test_c").next().unwrap_or_default());
    let more = format!("{BASE}\n\n@pytest.mark.skip\ndef test_new():\n    assert d\n");
    let conditional = BASE.replace("def test_c", "@pytest.mark.skipif(WINDOWS, reason='x')\ndef test_c");
    for text in [&renamed, &moved, &more, &conditional] {
        assert_eq!(found("test_a.py", BASE, text), [], "{text}");
    }
    assert_eq!(found("src/a.py", BASE, ""), []);
    assert_eq!(found("test_a.json", BASE, ""), []);
}

/// The one thing that is said of a change to a test, without the names.
fn said(path: &str, base: &str, from: &str, to: &str) -> String {
    assert!(base.contains(from), "{from}");
    let found = found(path, base, &base.replacen(from, to, 1));
    assert!(found.len() < 2, "{found:?}");
    found.into_iter().next().map(|(_, message)| message).unwrap_or_default()
}

const PY: &str = "import pytest\n\n\nclass TestA(T):\n    def test_a(self):\n        \"\"\"Doc\n        of it.\n        \"\"\"\n        r = f(1)\n        assert r == 2\n\n\ndef test_b():\n    with pytest.raises(ValueError):\n        f(0)\n    assert f(3) == pytest.approx(0.3, abs=1e-6)\n";
const JS: &str = "describe('a', () => {\n  it('b', async () => {\n    const r = f(1);\n    expect(r).toBe(2);\n  });\n  it('c', function () {\n    expect(() => f()).toThrow(TypeError);\n  });\n});\n";
const GO: &str = "package a\n\nfunc TestA(t *testing.T) {\n\tgot := f(1)\n\tif got != 2 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n\nfunc TestB(t *testing.T) {\n\trequire.Equal(t, 2, f(1))\n}\n";
const JAVA: &str = "class ATest {\n    @Test\n    void first() {\n        assertEquals(2, f(1));\n    }\n\n    @Test\n    void second() {\n        assertThrows(IllegalStateException.class, () -> f(0));\n    }\n}\n";
const RUBY: &str = "RSpec.describe F do\n  it 'adds' do\n    r = f(1)\n    expect(r).to eq(2)\n  end\n\n  it 'fails' do\n    expect { f(0) }.to raise_error(ArgumentError)\n  end\nend\n";
const RUST: &str = "pub fn f(a: u8) -> u8 {\n    a\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(f(1), 2);\n    }\n\n    #[test]\n    fn other() {\n        assert!(f(3) > 2);\n    }\n}\n";

#[test]
fn each_way_to_skip_a_test_is_seen() {
    for (path, base, from, to) in [
        ("test_a.py", PY, "class TestA", "@unittest.skip('x')\nclass TestA"),
        ("test_a.py", PY, "class TestA", "pytestmark = pytest.mark.skip(reason='x')\n\n\nclass TestA"),
        ("test_a.py", PY, "def test_b", "@pytest.mark.xfail\ndef test_b"),
        ("test_a.py", PY, "def test_b", "@pytest.mark.skipif(True, reason='x')\ndef test_b"),
        ("test_a.py", PY, "    with", "    g()\n    pytest.skip('later')\n    with"),
        ("test_a.py", PY, "        r =", "        raise unittest.SkipTest('x')\n        r ="),
        ("a.test.js", JS, "it('b'", "it.failing('b'"),
        ("a.test.js", JS, "it('b'", "it.skipIf(true)('b'"),
        ("a.test.js", JS, "'b', async", "'b', { skip: true }, async"),
        ("a.test.js", JS, "    expect(() =>", "    this.skip();\n    expect(() =>"),
        ("a.test.js", JS, "it('b', async () => {\n    const r = f(1);\n    expect(r).toBe(2);\n  });", "it('b');"),
        ("a.test.js", JS, "it('b', async () => {\n    const r = f(1);\n    expect(r).toBe(2);\n  });", "it.todo('b');"),
        ("a_test.go", GO, "\tif got", "\tt.Skip(\"later\")\n\tif got"),
        ("a_test.go", GO, "package a", "//go:build ignore\n\npackage a"),
        ("ATest.java", JAVA, "class ATest", "@Disabled\nclass ATest"),
        ("ATest.java", JAVA, "        assertEquals", "        Assumptions.assumeTrue(false);\n        assertEquals"),
        ("a_spec.rb", RUBY, "it 'adds' do", "it 'adds', pending: 'x' do"),
        ("a_spec.rb", RUBY, "    r =", "    skip 'later'\n    r ="),
        ("a_spec.rb", RUBY, "it 'adds' do\n    r = f(1)\n    expect(r).to eq(2)\n  end\n", "it 'adds'\n"),
        ("src/a.rs", RUST, "#[test]", "#[test]\n    #[ignore]"),
        ("src/a.rs", RUST, "#[cfg(test)]", "#[cfg(any())]"),
        ("src/a.rs", RUST, "#[test]", "#[cfg(any())]\n    #[test]"),
    ] {
        let said = said(path, base, from, to);
        assert!(said.contains("skipped: '"), "{path}: {to}: {said}");
    }
    assert_eq!(said("src/a.rs", RUST, "#[test]\n", "\n"), "'adds' in 'src/a.rs' was a test, and is run no more");
    let only = said("a_spec.rb", RUBY, "it 'adds' do", "it 'adds', :focus do");
    assert_eq!(only, "test 'adds' in 'a_spec.rb' is the only one to run");
}

#[test]
fn each_way_not_to_reach_an_assertion_is_seen() {
    for (path, base, from, to) in [
        ("test_a.py", PY, "        r =", "        return\n        r ="),
        ("test_a.py", PY, "        assert r == 2", "        if False:\n            assert r == 2"),
        (
            "test_a.py",
            PY,
            "        assert r == 2",
            "        try:\n            assert r == 2\n        except Exception:\n            pass",
        ),
        ("test_a.py", PY, "        assert r == 2", "        with suppress(AssertionError):\n            assert r == 2"),
        ("a.test.js", JS, "    const r", "    return;\n    const r"),
        ("a.test.js", JS, "    expect(r)", "    if (false) expect(r)"),
        ("a.test.js", JS, "    expect(r).toBe(2);", "    try { expect(r).toBe(2); } catch (e) {}"),
        ("a_test.go", GO, "\tif got", "\treturn\n\tif got"),
        (
            "ATest.java",
            JAVA,
            "        assertEquals(2, f(1));",
            "        try { assertEquals(2, f(1)); } catch (Throwable t) { }",
        ),
        ("a_spec.rb", RUBY, "expect(r).to eq(2)", "expect(r).to eq(2) if false"),
        ("src/a.rs", RUST, "        assert_eq!", "        return;\n        assert_eq!"),
    ] {
        let said = said(path, base, from, to);
        assert!(said.contains("asserts what is never reached"), "{path}: {to}: {said}");
    }
}

#[test]
fn what_ends_a_test_or_catches_an_error_for_a_reason_hides_no_assertion() {
    for (path, base, from, to) in [
        ("test_a.py", PY, "        r =", "        if WINDOWS:\n            return\n        r ="),
        (
            "test_a.py",
            PY,
            "        assert r == 2",
            "        try:\n            assert r == 2\n        except OSError:\n            pass",
        ),
        ("a.test.js", JS, "    const r", "    if (windows)\n      return;\n    const r"),
        ("a_test.go", GO, "\tif got", "\tif testing.Short() {\n\t\treturn\n\t}\n\tif got"),
        (
            "ATest.java",
            JAVA,
            "        assertEquals(2, f(1));",
            "        try { assertEquals(2, f(1)); } catch (IOException e) { }",
        ),
        (
            "src/a.rs",
            RUST,
            "        assert_eq!",
            "        if !cfg!(unix) {\n            return;\n        }\n        assert_eq!",
        ),
    ] {
        assert_eq!(said(path, base, from, to), "", "{path}: {to}");
    }
}

#[test]
fn assertions_that_cannot_fail_are_seen_in_each_framework() {
    for (path, base, from, to) in [
        ("test_a.py", PY, "assert r == 2", "assert r == 2 or True"),
        ("test_a.py", PY, "assert r == 2", "assert r == r"),
        ("test_a.py", PY, "assert r == 2", "assert (r == 2, 'no')"),
        ("test_a.py", PY, "assert r == 2", "self.assertEqual(r, r)"),
        ("a.test.js", JS, "expect(r).toBe(2)", "expect(1).toBe(1)"),
        ("a.test.js", JS, "expect(r).toBe(2)", "expect(true).toBeTruthy()"),
        ("a_test.go", GO, "require.Equal(t, 2, f(1))", "require.True(t, true)"),
        ("ATest.java", JAVA, "assertEquals(2, f(1))", "assertEquals(a, a)"),
        ("a_spec.rb", RUBY, "expect(r).to eq(2)", "expect(r).to eq(r)"),
        ("src/a.rs", RUST, "assert_eq!(f(1), 2)", "assert!(true)"),
    ] {
        let said = said(path, base, from, to);
        assert!(said.ends_with("asserts what cannot fail"), "{path}: {to}: {said}");
    }
}

#[test]
fn assertions_that_say_less_of_the_same_are_asked_about() {
    for (path, base, from, to) in [
        ("test_a.py", PY, "assert r == 2", "assert r is not None"),
        ("test_a.py", PY, "assert r == 2", "assert r"),
        ("test_a.py", PY, "assert r == 2", "assert r in (2, 3)"),
        ("test_a.py", PY, "assert r == 2", "assert r >= 2"),
        ("test_a.py", PY, "assert r == 2", "assert isinstance(r, int)"),
        ("test_a.py", PY, "ValueError", "Exception"),
        ("test_a.py", PY, "abs=1e-6", "abs=1e-1"),
        ("a.test.js", JS, "expect(r).toBe(2)", "expect(r).toBeDefined()"),
        ("a.test.js", JS, "expect(r).toBe(2)", "expect(r).not.toBeNull()"),
        ("a.test.js", JS, "expect(r).toBe(2)", "expect(r).to.exist"),
        ("a.test.js", JS, "expect(r).toBe(2)", "expect(r).toEqual(expect.anything())"),
        ("a.test.js", JS, "toThrow(TypeError)", "toThrow()"),
        ("a_test.go", GO, "got != 2", "got < 2"),
        ("a_test.go", GO, "require.Equal(t, 2, f(1))", "require.NotNil(t, f(1))"),
        ("ATest.java", JAVA, "assertEquals(2, f(1))", "assertNotNull(f(1))"),
        ("ATest.java", JAVA, "IllegalStateException", "Exception"),
        ("a_spec.rb", RUBY, "to eq(2)", "to be_truthy"),
        ("a_spec.rb", RUBY, "to eq(2)", "not_to be_nil"),
        ("a_spec.rb", RUBY, "raise_error(ArgumentError)", "raise_error"),
        ("src/a.rs", RUST, "assert_eq!(f(1), 2)", "assert!(f(1) > 0)"),
    ] {
        let said = said(path, base, from, to);
        assert!(said.contains("asserts less: '"), "{path}: {to}: {said}");
    }
}

#[test]
fn assertions_that_say_the_same_in_other_words_or_more_are_left_alone() {
    for (path, base, from, to) in [
        ("test_a.py", PY, "assert r == 2", "assert r == 3"),
        ("test_a.py", PY, "assert r == 2", "self.assertEqual(r, 2)"),
        ("test_a.py", PY, "assert r == 2", "assert r is not None\n        assert r.value == 2\n        assert r == 2"),
        ("test_a.py", PY, "        assert r == 2", "        check_result(r)"),
        ("test_a.py", PY, "abs=1e-6", "abs=1e-9"),
        ("a.test.js", JS, "expect(r).toBe(2)", "expect(r).toStrictEqual(2)"),
        ("ATest.java", JAVA, "assertEquals(2, f(1))", "assertThat(f(1)).isNotNull().isEqualTo(2)"),
        ("a_spec.rb", RUBY, "to eq(2)", "to be == 2"),
        ("src/a.rs", RUST, "assert!(f(3) > 2)", "assert_eq!(f(3), 3)"),
    ] {
        assert_eq!(said(path, base, from, to), "", "{path}: {to}");
    }
    let (hollow, other) =
        ("it('a', () => { (true).should.equal(true); });\n", "it('a', () => { expect(true).toBe(true); });\n");
    assert_eq!(found("a.test.js", hollow, other), [], "it could not fail before");
    let (same, other) = (hollow.replace("(true).should.equal(true)", "a.should.equal(a)"), other.replace("true", "a"));
    assert_eq!(found("a.test.js", &same, &other), []);
    let (none, some) = ("def test_a():\n    assert f() is None\n", "def test_a():\n    assert f() is not None\n");
    assert_eq!(found("test_a.py", none, some), [], "it is another claim");
    // An assertion that has gone to a test of its own.
    let base = "def test_a():\n    assert a\n    assert b\n    assert c\n";
    assert_eq!(
        found("test_a.py", base, "def test_a():\n    assert a\n\n\ndef test_b():\n    assert b\n    assert c\n"),
        []
    );
}

#[test]
fn people_are_asked_about_assertions_that_are_gone_with_nothing_in_their_place() {
    let settings = Settings { author: crate::check::Author::Anyone, ..Settings::default() };
    let count = |base: &str, text: &str| {
        let candidate = Candidate { path: "test_a.py", base: Some(base), text, ..Candidate::default() };
        match run(&Change::of(&candidate), &settings) {
            Verdict::Fail(found) => found.len(),
            _ => 0,
        }
    };
    let base = "def test_a():\n    r = f()\n    assert r == 1\n    assert r.b\n    assert r.c\n";
    assert_eq!(count(base, "def test_a():\n    r = f()\n"), 1);
    assert_eq!(count(base, "def test_a():\n    r = f()\n    # assert r == 1\n    assert r.b\n"), 1);
    assert_eq!(count(base, "def test_a():\n    r = f()\n    assert r.b\n    assert r.c\n"), 0, "one of three");
    assert_eq!(count(base, "def test_a():\n    r = f()\n    holds(r)\n"), 0, "what it calls may assert");
    let table = "@pytest.mark.parametrize('r', [1, 2, 3])\ndef test_a(r):\n    assert r.b\n";
    assert_eq!(count(base, table), 0, "the rows take their place");
}

#[test]
fn tests_whose_names_stay_in_the_file_or_that_a_loop_makes_are_not_lost() {
    let js = "it('one', () => { expect(a).toBe(1) });\nit('two', () => { expect(b).toBe(1) });\n";
    let looped = "for (const [name, x] of [['one', a], ['two', b]]) {\n  it(name, () => { expect(x).toBe(1) });\n}\n";
    let made = "for (const n of names) {\n  it(`does ${n}`, () => { expect(n).toBe(1) });\n}\n";
    for text in [looped, made] {
        assert_eq!(found("a.test.js", js, text), [], "{text}");
    }
    let macros = "cases! {\n    adds => f(1),\n    other => f(3),\n}\n";
    assert_eq!(found("src/a.rs", RUST, macros), []);
    let gone = found("src/a.rs", RUST, "pub fn f(a: u8) -> u8 {\n    a\n}\n// adds, other\n");
    assert_eq!(gone, [(false, "'src/a.rs' has 2 tests less: 'adds', 'other'".into())]);
}
