//! Which rows are made, and who may permit what.

use super::*;

#[test]
fn more_files_than_the_cap_is_an_error_and_never_a_cut() {
    let rows = |n: usize| (0..n).map(|i| add(&format!("f{i}.py"))).collect::<Vec<_>>();
    assert_eq!(steps(rows(50), &tree(&[])).len(), 50);
    let (id, _, message, _) = error(rows(51), &tree(&[]));
    assert_eq!((id.as_str(), message.as_str()), ("too-many-files", "the design lists 51 files, more than 50"));
    let mut mostly_done = rows(80);
    mostly_done.iter_mut().skip(40).for_each(|row| row.selected = false);
    mostly_done.push(directory(Change::Add, "d"));
    assert_eq!(steps(mostly_done, &tree(&[])).len(), 40);
}

#[test]
fn only_the_files_named_on_the_command_line_are_made() {
    let tree = tree(&[("src/a.py", "x\n"), ("src/b.py", "x\n")]);
    let rows = || vec![modify("src/a.py"), modify("src/b.py"), add("srcs/c.py"), modify("gone.py")];
    let with = |only: &[&str]| {
        let options = Options { only: only.iter().map(|p| (*p).to_owned()).collect(), ..Options::default() };
        plan(&design(rows()), &tree, &options)
    };
    let paths = |plan: Option<Plan>| plan.unwrap().steps().iter().map(|s| s.path.to_string()).collect::<Vec<_>>();
    assert_eq!(paths(with(&["src/b.py"]).0), ["src/b.py"], "a row that is not made is not judged");
    assert_eq!(paths(with(&["src/"]).0), ["src/a.py", "src/b.py"]);
    assert_eq!(paths(with(&["./src/a.py", "srcs"]).0), ["src/a.py", "srcs/c.py"]);
    let (none, findings) = with(&["src/a.py", "src/x.py"]);
    assert!(none.is_none());
    assert!(findings.iter().any(|f| f.message == "pathspec 'src/x.py' did not match any planned file"), "{findings:?}");
    for nowhere in ["", "/", "/src", "../src", "sr"] {
        assert!(with(&[nowhere]).0.is_none(), "'{nowhere}' named something");
    }
    assert!(with(&["."]).0.is_none(), "the whole design is refused for the missing file");
}

#[test]
fn a_file_whose_tasks_are_done_is_not_made_even_when_named() {
    let done = FileSpec { selected: false, ..modify("gone.py") };
    assert_eq!(steps(vec![done.clone(), add("a.py")], &tree(&[])).len(), 1);
    let options = Options { only: vec!["gone.py".into()], ..Options::default() };
    let (plan, findings) = plan(&design(vec![done]), &tree(&[]), &options);
    assert_eq!(plan.unwrap().steps().len(), 0);
    assert_eq!(findings[0].message, "'gone.py' is planned, but its tasks are done or not chosen");
}

#[test]
fn informational_rows_are_listed_and_make_no_step() {
    let rows = vec![row(Change::None, "verified.py"), directory(Change::Add, "pkg"), directory(Change::None, "docs")];
    let examined = examine(&design(rows), &tree(&[]), &Options::default());
    assert_eq!(examined.plan.unwrap().steps().len(), 0);
    assert_eq!(examined.findings, []);
    assert!(examined.rows.iter().all(|r| r.strategy == Strategy::None && r.selected && !r.is_asked()));
    assert_eq!(examined.rows.len(), 3);
}

#[test]
fn a_directory_goes_with_its_files_and_not_by_its_own_row() {
    let tree = tree(&[("old/a.py", "x\n")]);
    let (id, line, message, _) = error(vec![directory(Change::Delete, "old")], &tree);
    assert_eq!(
        (id.as_str(), line, message.as_str()),
        ("directory", Some(10), "cannot delete 'old': it is a directory")
    );
    assert_eq!(steps(vec![directory(Change::Delete, "old"), delete("old/a.py")], &tree).len(), 1);
}

#[test]
fn a_design_permits_what_it_may_and_never_what_guards_against_it() {
    let rows = || {
        vec![FileSpec { allow: vec!["size".into(), "stubs".into(), "fence".into(), "secrets".into()], ..add("a.py") }]
    };
    let found = steps(rows(), &tree(&[]));
    assert_eq!(found[0].allow, ["size", "stubs"]);
    assert_eq!(remarks(rows(), &tree(&[])), [note("allow"), note("allow"), warning("allow"), warning("allow")]);
    let options =
        Options { allow: vec!["fence:a.py".into(), "omission:b.py".into(), "size".into()], ..Options::default() };
    let (plan, _) = plan(&design(rows()), &tree(&[]), &options);
    assert_eq!(plan.unwrap().steps()[0].allow, ["size", "stubs", "fence"], "the person decides about the rest");
}

#[test]
fn errors_of_the_design_itself_leave_no_plan() {
    let broken = Lld { findings: vec![Finding::error("row", "a row is no path").line(7)], ..design(vec![add("a.py")]) };
    let (none, findings) = plan(&broken, &tree(&[]), &Options::default());
    assert!(none.is_none());
    assert_eq!(findings[0].id, "row");
    let (_, findings) = plan(&Lld::default(), &tree(&[]), &Options::default());
    assert_eq!(findings[0].id, "no-file-list");
}

#[test]
fn every_mistake_is_told_at_once_and_each_once() {
    let tree = tree(&[("a.py", "x\n")]);
    let (_, findings) = judged(vec![add("a.py"), modify("src/gone.py"), add("go.sum"), add("ok.py")], &tree);
    let errors: Vec<_> = findings.iter().filter(|f| f.is_error()).map(|f| (f.id.as_ref(), f.line)).collect();
    assert_eq!(errors, [("overwrite", Some(10)), ("missing", Some(11)), ("lock", Some(12))]);
}
