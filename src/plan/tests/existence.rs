//! Add, Modify, Delete and Rename against what is there.

use super::*;

#[test]
fn a_file_that_exists_cannot_be_added() {
    let (id, line, message, hint) = error(vec![add("x.py"), add("a.py")], &tree(&[("a.py", "one\n")]));
    assert_eq!((id.as_str(), line), ("overwrite", Some(11)));
    assert_eq!(message, "cannot add 'a.py': it exists");
    assert!(hint.contains("Modify") && hint.contains("--allow overwrite"), "{hint}");
}

#[test]
fn a_file_that_exists_is_written_anew_when_the_row_or_the_command_line_says_so() {
    let tree = tree(&[("a.py", &"line\n".repeat(900))]);
    let rows = || vec![add("a.py")];
    let by_row = steps(vec![allowing("overwrite", add("a.py"))], &tree);
    let options = |allow: &str| Options { allow: vec![allow.into()], ..Options::default() };
    let (by_person, findings) = plan(&design(rows()), &tree, &options("overwrite:a.py"));
    let step = by_person.unwrap().steps()[0].clone();
    assert_eq!((step.change, step.strategy), (Change::Modify, Strategy::Whole));
    assert!(step.base.is_some());
    assert_eq!(step, by_row[0]);
    assert_eq!(step.allow, ["overwrite"]);
    assert!(findings.iter().any(|f| f.id == "overwrite" && f.severity == Severity::Warning));
    assert!(plan(&design(rows()), &tree, &options("overwrite:b.py")).0.is_none());
}

#[test]
fn what_is_changed_or_deleted_must_exist() {
    let tree = tree(&[("README.md", "x\n")]);
    let (id, _, message, hint) = error(vec![modify("gone.py")], &tree);
    assert_eq!((id.as_str(), message.as_str()), ("missing", "cannot modify 'gone.py': the base has no such file"));
    assert!(hint.contains("Add"), "{hint}");
    let (id, _, message, _) = error(vec![delete("gone.py")], &tree);
    assert_eq!((id.as_str(), message.as_str()), ("missing", "cannot delete 'gone.py': the base has no such file"));
    let (id, _, message, _) = error(vec![rename("gone.py", "b.py")], &tree);
    assert_eq!(id, "missing");
    assert_eq!(message, "cannot rename 'gone.py' to 'b.py': the base has no such file");
}

#[test]
fn a_missing_file_is_answered_with_up_to_three_paths_that_may_be_meant() {
    let tree = tree(&[("web/src/user.py", ""), ("old/user.py", ""), ("api/user.py", ""), ("x/user.py", "")]);
    let (.., hint) = error(vec![modify("src/user.py")], &tree);
    assert!(hint.starts_with("did you mean 'web/src/user.py', "), "{hint}");
    assert_eq!(hint.matches('\'').count(), 6, "{hint}");
    let (.., hint) = error(vec![delete("web/src/usre.py")], &tree);
    assert!(hint.starts_with("did you mean 'web/src/user.py'"), "{hint}");
}

#[test]
fn an_undecided_row_is_decided_by_existence() {
    let tree = tree(&[("a.py", "one\n")]);
    let rows = vec![row(Change::AddOrModify, "a.py"), row(Change::AddOrModify, "b.py")];
    let found = steps(rows, &tree);
    assert_eq!((found[0].change, found[1].change), (Change::Modify, Change::Add));
    assert!(found[0].base.is_some() && found[1].base.is_none());
}

#[test]
fn a_rename_needs_a_source_and_a_free_target() {
    let tree = tree(&[("a.py", "one\n"), ("b.py", "two\n")]);
    assert_eq!(error(vec![row(Change::Rename, "c.py")], &tree).0, "rename-source");
    assert_eq!(error(vec![rename("a.py", "a.py")], &tree).0, "rename-source");
    let (id, _, message, _) = error(vec![rename("a.py", "b.py")], &tree);
    assert_eq!((id.as_str(), message.as_str()), ("rename-target", "cannot rename 'a.py' to 'b.py': 'b.py' exists"));
}

#[test]
fn a_path_may_be_used_again_after_the_row_that_takes_its_file_away() {
    let tree = tree(&[("a.py", "one\n"), ("b.py", "two\n")]);
    let found = steps(vec![rename("a.py", "c.py"), add("a.py")], &tree);
    assert_eq!((found[1].change, found[1].base.as_ref()), (Change::Add, None));
    steps(vec![rename("b.py", "x.py"), rename("a.py", "b.py")], &tree);
    assert_eq!(error(vec![add("a.py"), rename("a.py", "c.py")], &tree).0, "overwrite");
}

#[test]
fn a_file_that_one_row_takes_away_cannot_be_changed_by_another() {
    let tree = tree(&[("a.py", "one\n")]);
    let (id, line, message, _) = error(vec![rename("a.py", "b.py"), modify("a.py")], &tree);
    assert_eq!((id.as_str(), line), ("conflict", Some(11)));
    assert_eq!(message, "'a.py' is renamed by line 10 and needed by another row");
    let (_, findings) = judged(vec![rename("a.py", "b.py"), rename("a.py", "c.py")], &tree);
    assert!(findings.iter().any(|f| f.id == "conflict"), "{findings:?}");
}

#[test]
fn one_path_is_one_row() {
    let (id, _, message, _) = error(vec![add("a.py"), add("b.py"), add("a.py")], &tree(&[]));
    assert_eq!((id.as_str(), message.as_str()), ("conflict", "'a.py' is planned twice: lines 10 and 12"));
}

#[test]
fn what_is_modified_deleted_or_renamed_must_be_there() {
    let unselected = FileSpec { selected: false, ..modify("f.py") };
    let rows = vec![modify("a.py"), add("b.py"), row(Change::AddOrModify, "c.py"), rename("d.py", "e.py"), unselected];
    let lld = design([rows, vec![delete("g.py")]].concat());
    let paths: Vec<_> = must_exist(&lld).map(|p| p.as_str()).collect();
    assert_eq!(paths, ["a.py", "d.py", "g.py"]);
}

#[test]
fn a_snapshot_is_taken_of_files_and_of_what_renames_start_from() {
    let lld = design(vec![add("a.py"), rename("b.py", "c.py"), directory(Change::Add, "d"), row(Change::None, "e.py")]);
    let paths: Vec<_> = planned_paths(&lld).map(|p| p.as_str()).collect();
    assert_eq!(paths, ["a.py", "b.py", "c.py"]);
}
