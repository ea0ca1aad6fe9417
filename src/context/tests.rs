use super::*;
use crate::plan::Strategy;
use std::collections::BTreeMap;

pub(super) fn step(path: &str, base: Option<&str>) -> Step {
    Step::of(path, Strategy::Whole, base)
}

/// What is chosen for a plan of `planned` in a tree of `files`.
fn chosen(files: &[(&str, &str)], planned: &[&str], design: &str, budget: u64) -> Context {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let steps: Vec<Step> = planned.iter().map(|path| step(path, files.get(path).copied())).collect();
    let one = |path: &str| files.get(path).map(|text| text.to_string());
    let many = |paths: &[&str], look: &mut Look| {
        let mut texts = paths.iter().map(|path| files.get(path).copied().unwrap_or_default()).enumerate();
        texts.all(|(at, text)| look(at, text));
    };
    let tree = Tree::new(files.keys().copied().collect(), Reading { one: &one, many: &many });
    context(&Asked { steps: &steps, listed: planned, documents: &[design], shown: &[], budget }, &tree)
}

/// Path, lines and reason of each excerpt.
fn listed(context: &Context) -> Vec<String> {
    context.excerpts.iter().map(|it| format!("{} {} {}", it.path, it.places(), it.reason)).collect()
}

const STORE: &str = "import os\nfrom pkg.types import Row\nfrom pkg.other import unused\n\n\ndef helper():\n    return os\n\n\n\
                     def load_rows(path) -> list[Row]:\n    \"\"\"All rows.\"\"\"\n    return [Row(path)]\n";

#[test]
fn what_the_design_names_is_shown_with_its_body_and_the_imports_that_it_uses() {
    let files =
        [("pkg/store.py", STORE), ("pkg/types.py", "class Row:\n    pass\n"), ("pkg/new_name.py", "load_rows = 1\n")];
    let found = chosen(&files, &["pkg/main.py"], "Call `load_rows` there.\n", 1_000);
    let want = [
        "pkg/store.py 2, 10-12 declares `load_rows`, which the design names",
        "pkg/types.py 1-2 in the signature of `load_rows`",
    ];
    assert_eq!(listed(&found), want);
    assert!(found.findings.is_empty());
}

#[test]
fn a_definition_that_is_to_change_and_is_not_planned_is_a_warning_with_its_line() {
    let files = [("pkg/store.py", STORE), ("pkg/main.py", "def main():\n    pass\n")];
    let found = chosen(&files, &["pkg/main.py"], "# 1\n\nExtend `load_rows` so, and change `main`.\n", 1_000);
    let [finding] = found.findings.as_slice() else { panic!("{found:?}") };
    let said = "the design changes 'load_rows', which is defined in 'pkg/store.py': not planned";
    assert_eq!((finding.message.as_str(), finding.line), (said, Some(3)));
}

#[test]
fn imports_of_planned_files_are_shown_where_they_are_declared_through_faces_that_hand_them_on() {
    let files = [
        ("pkg/__init__.py", "from .store import load_rows as load\nfrom .deep import deep\n"),
        ("pkg/store.py", STORE),
        ("pkg/deep.py", "def deep():\n    return 1\n"),
        ("app/main.py", "from pkg import load, deep\nimport pkg.types as types\n\nload(types.Row)\n"),
        ("pkg/types.py", "class Row:\n    pass\n\n\nclass Other:\n    pass\n"),
    ];
    let found = chosen(&files, &["app/main.py"], "Change it.\n", 1_000);
    let reason = "imported by `app/main.py`";
    let want = [
        format!("pkg/store.py 10-12 {reason}"),
        format!("pkg/deep.py 1-2 {reason}"),
        format!("pkg/types.py 1-2 {reason}"),
    ];
    assert_eq!(listed(&found), want);
}

#[test]
fn the_face_of_a_package_says_which_of_its_names_hide_modules() {
    let files = [
        ("pkg/__init__.py", "from .store import store\nfrom .types import Row\n"),
        ("pkg/store.py", "def store():\n    pass\n"),
        ("pkg/types.py", "class Row:\n    pass\n"),
    ];
    let found = chosen(&files, &["pkg/new.py"], "Add it.\n", 1_000);
    let [face] = found.excerpts.as_slice() else { panic!("{found:?}") };
    assert_eq!(face.reason, "the face of a package that the change is in");
    assert_eq!(face.notes, ["`pkg.store` is what `store.py` declares by that name, not the module."]);
}

#[test]
fn a_planned_test_is_shown_the_one_that_uses_most_of_the_names_and_callers_come_last() {
    let test = |body: &str| format!("from pkg.store import load_rows\n\n\ndef test_it():\n    {body}\n");
    let (one, two) = (test("pass"), test("assert load_rows(1) == helper_two()"));
    let files = [
        ("pkg/store.py", STORE),
        ("pkg/two.py", "def helper_two():\n    pass\n"),
        (
            "pkg/use.py",
            "from pkg.store import load_rows\n\n\ndef use():\n    a = 1\n    b = 2\n    return load_rows(a)\n",
        ),
        ("tests/test_one.py", &one),
        ("tests/test_two.py", &two),
    ];
    let planned = ["pkg/main.py", "tests/test_main.py"];
    let found = chosen(&files, &planned, "Use `load_rows` and `helper_two`.\n", 2_000);
    let paths: Vec<&str> = found.excerpts.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["pkg/store.py", "pkg/two.py", "tests/test_two.py", "pkg/use.py"]);
    assert_eq!(found.excerpts[2].reason, "a test that uses `load_rows`, `helper_two`");
    assert_eq!(listed(&found)[3], "pkg/use.py 4, 6-7 calls `load_rows`");
    let without = chosen(&files, &planned, "Nothing that exists is named by `some_name`.\n", 2_000);
    assert!(without.excerpts.is_empty(), "{without:?}");
}

#[test]
fn planned_files_and_those_that_only_have_a_field_of_a_name_are_not_shown() {
    let files = [
        ("pkg/main.py", "def load_rows():\n    return 1\n"),
        ("pkg/field.py", "class A:\n    row_count = 1\n\n    def f(self):\n        row_count = 2\n"),
    ];
    let found = chosen(&files, &["pkg/main.py"], "`load_rows` and `row_count`\n", 1_000);
    assert_eq!(listed(&found), [""; 0]);
}

#[test]
fn nothing_is_shown_beyond_the_budget() {
    let files = [("pkg/store.py", STORE)];
    assert!(chosen(&files, &["pkg/main.py"], "Call `load_rows`.\n", 20).excerpts.is_empty());
}
