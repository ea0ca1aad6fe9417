//! What is in the base, and how the new content is asked for.

use super::*;

#[test]
fn a_rename_whose_prose_asks_for_changes_is_asked_for_by_the_size_of_its_source() {
    let tree = tree(&[("small.py", "x\n"), ("large.py", &"line\n".repeat(501))]);
    let with = |words: &str, spec| FileSpec { description: words.into(), ..spec };
    let found = steps(
        vec![
            with("Moved, and updated for the new API", rename("small.py", "pkg/small.py")),
            with("Moved, and updated for the new API", rename("large.py", "pkg/large.py")),
        ],
        &tree,
    );
    assert_eq!((found[0].change, found[0].strategy), (Change::Rename, Strategy::Whole));
    assert_eq!((found[1].change, found[1].strategy), (Change::Rename, Strategy::Edits));
}

#[test]
fn lock_files_are_left_to_package_managers_unless_allowed() {
    let tree = tree(&[("Cargo.lock", "x\n"), ("web/yarn.lock", "x\n")]);
    for rows in [vec![modify("Cargo.lock")], vec![modify("web/yarn.lock")], vec![add("go.sum")], vec![add("x/UV.lock")]]
    {
        assert_eq!(error(rows, &tree).0, "lock");
    }
    steps(vec![allowing("lock", modify("Cargo.lock"))], &tree);
    steps(vec![delete("Cargo.lock")], &tree);
    steps(vec![add("src/lock.rs")], &tree);
}

#[test]
fn binary_files_and_files_that_are_not_utf8_are_not_asked_for() {
    let mut tree = tree(&[("a.png", "x"), ("late.txt", "x"), ("latin.txt", "x")]);
    let mut fill = |name: &str, bytes: Vec<u8>| tree.files.insert(path(name), Blob { executable: false, bytes });
    fill("a.png", b"\x89PNG\0".to_vec());
    fill("late.txt", [vec![b'a'; 8000], vec![0]].concat());
    fill("latin.txt", b"one\ntwo\ncaf\xe9\n".to_vec());
    assert_eq!(error(vec![modify("a.png")], &tree).0, "binary");
    assert_eq!(error(vec![add("logo.PNG")], &tree).0, "binary");
    let (id, _, message, _) = error(vec![modify("latin.txt")], &tree);
    assert_eq!(
        (id.as_str(), message.as_str()),
        ("encoding", "cannot modify 'latin.txt': it is not UTF-8 in the base (line 3)")
    );
    steps(vec![modify("late.txt"), delete("a.png"), rename("latin.txt", "old.txt"), add("icon.svg")], &tree);
}

#[test]
fn a_base_that_cannot_be_read_is_refused_before_a_token_is_spent() {
    let mut tree = tree(&[]);
    entry(&mut tree, "far.py", EntryKind::File);
    assert_eq!(error(vec![modify("far.py")], &tree).0, "base");
}

#[test]
fn uncommitted_changes_at_planned_paths_are_told() {
    let mut tree = tree(&[("a.py", "x\n"), ("b.py", "x\n")]);
    tree.dirty.extend([path("a.py"), path("new.py"), path("b.py")]);
    let (plan, findings) = judged(vec![modify("a.py"), add("new.py")], &tree);
    assert!(plan.is_some());
    let said: Vec<_> = findings.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "'a.py' has uncommitted changes: the base's version is used",
            "'new.py' is not committed: the base does not have it",
        ]
    );
}

#[test]
fn large_files_are_asked_for_as_edits_and_small_ones_whole() {
    let wide = "x".repeat(15_000);
    let tree = tree(&[
        ("lines500", &"a\n".repeat(500)),
        ("lines501", &"a\n".repeat(501)),
        ("open501", &format!("{}a", "a\n".repeat(500))),
        ("bytes15000", &wide),
        ("bytes15001", &format!("{wide}x")),
        ("empty", ""),
    ]);
    let of = |name: &str, options: &Options| {
        plan(&design(vec![modify(name)]), &tree, options).0.map(|p| p.steps()[0].strategy)
    };
    let usual = Options::default();
    assert_eq!(of("lines500", &usual), Some(Strategy::Whole));
    assert_eq!(of("lines501", &usual), Some(Strategy::Edits));
    assert_eq!(of("open501", &usual), Some(Strategy::Edits));
    assert_eq!(of("bytes15000", &usual), Some(Strategy::Whole));
    assert_eq!(of("bytes15001", &usual), Some(Strategy::Edits));
    let edits = Options { force: Some(Strategy::Edits), ..Options::default() };
    assert_eq!(of("lines500", &edits), Some(Strategy::Edits));
    assert_eq!(of("empty", &edits), Some(Strategy::Whole), "edits have nothing to stand on");
    let whole = Options { force: Some(Strategy::Whole), ..Options::default() };
    assert_eq!(of("lines501", &whole), Some(Strategy::Whole));
    let low = Options { edit_lines: 10, ..Options::default() };
    assert_eq!(of("lines500", &low), Some(Strategy::Edits));
    let (added, _) = plan(&design(vec![add("new")]), &tree, &edits);
    assert_eq!(added.unwrap().steps()[0].strategy, Strategy::Whole);
}

#[test]
fn a_changed_file_keeps_its_mode_and_a_new_one_does_as_its_neighbours() {
    let mut tree = tree(&[("run.sh", "x\n"), ("tools/a.sh", "x\n"), ("tools/b.sh", "x\n")]);
    tree.files.insert(path("run.sh"), Blob { executable: true, bytes: b"x\n".to_vec() });
    entry(&mut tree, "bin/go", EntryKind::Executable);
    entry(&mut tree, "bin/x.py", EntryKind::Executable);
    let rows = ["tools/c.sh", "bin/stop", "bin/y.py", "scripts/new.sh", "hooks/pre-commit", "hooks/lib.py", "new.py"];
    let found = steps([vec![modify("run.sh"), rename("tools/a.sh", "d.sh")], rows.map(add).to_vec()].concat(), &tree);
    let seen: Vec<_> = found.iter().map(|s| (s.path.as_str(), s.executable)).collect();
    assert_eq!(
        seen,
        [
            ("run.sh", true),
            ("d.sh", false),
            ("tools/c.sh", false),
            ("bin/stop", true),
            ("bin/y.py", true),
            ("scripts/new.sh", true),
            ("hooks/pre-commit", true),
            ("hooks/lib.py", false),
            ("new.py", false),
        ]
    );
}
