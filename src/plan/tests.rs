//! The plan as its callers see it: a design and a tree in, a plan or findings out.

use super::*;
use crate::finding::Severity;
use crate::lld::FileSpec;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn row(change: Change, text: &str) -> FileSpec {
    FileSpec {
        path: path(text),
        change,
        from: None,
        directory: false,
        description: String::new(),
        line: 10,
        allow: vec![],
        tasks: vec![],
        selected: true,
    }
}

fn add(text: &str) -> FileSpec {
    row(Change::Add, text)
}

fn modify(text: &str) -> FileSpec {
    row(Change::Modify, text)
}

fn delete(text: &str) -> FileSpec {
    row(Change::Delete, text)
}

fn rename(from: &str, to: &str) -> FileSpec {
    FileSpec { from: Some(path(from)), ..row(Change::Rename, to) }
}

fn directory(change: Change, text: &str) -> FileSpec {
    FileSpec { directory: true, ..row(change, text) }
}

fn allowing(id: &str, spec: FileSpec) -> FileSpec {
    FileSpec { allow: vec![id.into()], ..spec }
}

/// A design of these rows, on lines 10, 11, …
fn design(rows: Vec<FileSpec>) -> Lld {
    let files = rows.into_iter().enumerate().map(|(at, spec)| FileSpec { line: 10 + at, ..spec }).collect();
    Lld { dialect: Some("lld"), files, ..Lld::default() }
}

/// A tree of regular files with these contents, whole as git would list it.
fn tree(files: &[(&str, &str)]) -> Snapshot {
    let mut snapshot = Snapshot::default();
    snapshot.directories.entry(String::new()).or_default();
    for (name, text) in files {
        entry(&mut snapshot, name, Kind::File);
        snapshot.files.insert(path(name), Blob { executable: false, bytes: text.as_bytes().to_vec() });
        snapshot.names.push((*name).to_owned());
    }
    snapshot
}

fn entry(snapshot: &mut Snapshot, name: &str, kind: Kind) {
    let (mut child, mut kind) = (name, kind);
    loop {
        let (parent, last) = child.rsplit_once('/').unwrap_or(("", child));
        snapshot.directories.entry(parent.to_owned()).or_default().insert(last.to_owned(), kind);
        if parent.is_empty() {
            return;
        }
        (child, kind) = (parent, Kind::Directory);
    }
}

fn judged(rows: Vec<FileSpec>, snapshot: &Snapshot) -> (Option<Plan>, Vec<Finding>) {
    plan(&design(rows), snapshot, &Options::default())
}

/// The steps of a design that must be fine.
#[track_caller]
fn steps(rows: Vec<FileSpec>, snapshot: &Snapshot) -> Vec<Step> {
    let (plan, findings) = judged(rows, snapshot);
    plan.unwrap_or_else(|| panic!("{findings:#?}")).steps().to_vec()
}

/// The one error of a design that must be refused: id, line, message, hint.
#[track_caller]
fn error(rows: Vec<FileSpec>, snapshot: &Snapshot) -> (String, Option<usize>, String, String) {
    let (plan, findings) = judged(rows, snapshot);
    assert!(plan.is_none(), "there is a plan: {findings:#?}");
    let mut errors: Vec<Finding> = findings.into_iter().filter(Finding::is_error).collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let error = errors.remove(0);
    (error.id.into_owned(), error.line, error.message, error.hint.unwrap_or_default())
}

/// Ids of what is no error.
fn remarks(rows: Vec<FileSpec>, snapshot: &Snapshot) -> Vec<(Severity, String)> {
    let (plan, findings) = judged(rows, snapshot);
    assert!(plan.is_some(), "{findings:#?}");
    findings.into_iter().map(|f| (f.severity, f.id.into_owned())).collect()
}

fn warning(id: &str) -> (Severity, String) {
    (Severity::Warning, id.to_owned())
}

fn note(id: &str) -> (Severity, String) {
    (Severity::Note, id.to_owned())
}

#[test]
fn each_row_becomes_one_step_in_the_order_of_the_design() {
    let tree = tree(&[("a.py", "one\n"), ("b.py", "two\n"), ("c.py", "three\n")]);
    let rows = vec![add("new.py"), modify("a.py"), delete("b.py"), rename("c.py", "d.py")];
    let found = steps(rows, &tree);
    let seen: Vec<_> = found.iter().map(|s| (s.path.as_str(), s.change, s.strategy, s.line)).collect();
    assert_eq!(
        seen,
        [
            ("new.py", Change::Add, Strategy::Whole, 10),
            ("a.py", Change::Modify, Strategy::Whole, 11),
            ("b.py", Change::Delete, Strategy::None, 12),
            ("d.py", Change::Rename, Strategy::None, 13),
        ]
    );
    let bases: Vec<_> = found.iter().map(|s| s.base.as_ref().map(|b| b.bytes.as_slice())).collect();
    assert_eq!(bases, [None, Some(b"one\n".as_slice()), Some(b"two\n"), Some(b"three\n")]);
    assert_eq!(found[3].from, Some(path("c.py")));
}

#[test]
fn the_plan_covers_its_paths_and_the_sources_of_its_renames_and_nothing_else() {
    let tree = tree(&[("a.py", "one\n"), ("c.py", "three\n")]);
    let (plan, _) = judged(vec![modify("a.py"), rename("c.py", "d.py")], &tree);
    let plan = plan.unwrap();
    assert!(plan.covers("a.py") && plan.covers("c.py") && plan.covers("d.py"));
    assert!(!plan.covers("b.py") && !plan.covers("a.py/x") && !plan.covers(""));
}

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
fn a_path_is_not_a_file_and_a_directory_at_once() {
    let (id, _, message, _) = error(vec![add("pkg"), add("pkg/sub/a.py")], &tree(&[]));
    assert_eq!(
        (id.as_str(), message.as_str()),
        ("conflict", "'pkg' is planned as a file and as the directory of 'pkg/sub/a.py'")
    );
    assert_eq!(error(vec![directory(Change::Add, "pkg"), add("pkg")], &tree(&[])).0, "conflict");
    steps(vec![add("pkg.py"), add("pkg/a.py")], &tree(&[]));
}

#[test]
fn a_file_cannot_lie_under_a_file_a_symlink_or_a_submodule() {
    let mut tree = tree(&[("a.py", "one\n")]);
    entry(&mut tree, "link", Kind::Symlink);
    entry(&mut tree, "vendor/lib", Kind::Submodule);
    for (rows, message) in [
        (vec![add("a.py/b.py")], "cannot add 'a.py/b.py': 'a.py' is a file"),
        (vec![add("link/deep/b.py")], "cannot add 'link/deep/b.py': 'link' is a symbolic link"),
        (vec![modify("link/b.py")], "cannot modify 'link/b.py': 'link' is a symbolic link"),
        (vec![delete("vendor/lib/x.c")], "cannot delete 'vendor/lib/x.c': 'vendor/lib' is a submodule"),
        (vec![rename("vendor/lib/x.c", "x.c")], "cannot rename to 'x.c': 'vendor/lib' is a submodule"),
    ] {
        let (id, _, found, _) = error(rows, &tree);
        assert_eq!((id.as_str(), found.as_str()), ("parent", message));
    }
}

#[test]
fn only_regular_files_are_changed() {
    let mut tree = tree(&[("dir/a.py", "one\n")]);
    entry(&mut tree, "link", Kind::Symlink);
    entry(&mut tree, "vendor/lib", Kind::Submodule);
    for change in [Change::Add, Change::Modify, Change::Delete, Change::AddOrModify] {
        assert_eq!(error(vec![row(change, "link")], &tree).0, "symlink");
        assert_eq!(error(vec![row(change, "vendor/lib")], &tree).0, "submodule");
        assert_eq!(error(vec![row(change, "dir")], &tree).0, "directory");
        assert_eq!(error(vec![allowing("overwrite", row(change, "link"))], &tree).0, "symlink");
    }
    assert_eq!(error(vec![rename("link", "new")], &tree).0, "symlink");
    assert_eq!(error(vec![rename("dir", "new")], &tree).0, "directory");
}

#[test]
fn a_new_directory_is_noted_once_unless_the_design_lists_it() {
    let tree = tree(&[("README.md", "x\n")]);
    let rows = || vec![add("pkg/sub/a.py"), add("pkg/sub/b.py"), add("pkg/c.py")];
    assert_eq!(remarks(rows(), &tree), [note("new-directory")]);
    let listed = [vec![directory(Change::Add, "pkg/sub")], rows()].concat();
    assert_eq!(remarks(listed, &tree), []);
}

#[test]
fn names_that_differ_only_in_case_or_accents_collide_with_the_tree() {
    let tree = tree(&[("src/Main.py", "x\n"), ("caf\u{e9}.md", "x\n")]);
    let (id, _, message, _) = error(vec![add("src/main.py")], &tree);
    assert_eq!(id, "case-collision");
    assert_eq!(message, "cannot add 'src/main.py': 'src/main.py' and 'src/Main.py' differ only in case or accents");
    let (id, _, message, _) = error(vec![add("Src/new.py")], &tree);
    assert_eq!(id, "case-collision");
    assert_eq!(message, "cannot add 'Src/new.py': 'Src' and 'src' differ only in case or accents");
    assert_eq!(error(vec![add("cafe\u{301}.md")], &tree).0, "case-collision");
}

#[test]
fn names_that_differ_only_in_case_collide_among_planned_files() {
    let (_, findings) = judged(vec![add("pkg/A.py"), add("pkg/a.py")], &tree(&[]));
    assert!(findings.iter().any(|f| f.id == "case-collision" && f.line == Some(11)), "{findings:?}");
    let (_, findings) = judged(vec![add("pkg/a.py"), add("Pkg/b.py")], &tree(&[]));
    assert!(findings.iter().any(|f| f.id == "case-collision"), "{findings:?}");
}

#[test]
fn a_rename_may_change_case_only_and_twins_of_the_tree_may_be_changed() {
    let tree = tree(&[("readme.md", "x\n"), ("net/xt_MARK.h", "a\n"), ("net/xt_mark.h", "b\n")]);
    steps(vec![rename("readme.md", "README.md")], &tree);
    steps(vec![modify("net/xt_mark.h")], &tree);
}

#[test]
fn files_that_git_obeys_are_for_the_command_line_to_allow_and_not_for_the_design() {
    let tree = tree(&[(".gitattributes", "* text\n"), (".gitignore", "x\n")]);
    for rows in [
        vec![modify(".gitattributes")],
        vec![delete(".gitattributes")],
        vec![rename(".gitattributes", "old.txt")],
        vec![add(".gitmodules")],
        vec![add("sub/.GitModules")],
        vec![allowing("protected", modify(".gitattributes"))],
    ] {
        assert_eq!(error(rows, &tree).0, "protected");
    }
    let options = Options { allow: vec!["protected:.gitattributes".into()], ..Options::default() };
    assert!(plan(&design(vec![modify(".gitattributes")]), &tree, &options).0.is_some());
    assert!(plan(&design(vec![add(".gitmodules")]), &tree, &options).0.is_none());
    steps(vec![modify(".gitignore"), add("docs/.gitkeep"), add(".github/workflows/ci.yml")], &tree);
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
fn ignored_paths_are_not_added_unless_allowed() {
    let mut tree = tree(&[("a.py", "x\n")]);
    tree.ignored.insert(path("build/out.py"));
    let (id, _, message, hint) = error(vec![add("build/out.py")], &tree);
    assert_eq!(
        (id.as_str(), message.as_str()),
        ("ignored", "cannot add 'build/out.py': the repository's ignore rules cover it")
    );
    assert!(hint.contains("git check-ignore -v"), "{hint}");
    steps(vec![allowing("ignored", add("build/out.py"))], &tree);
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
    entry(&mut tree, "far.py", Kind::File);
    assert_eq!(error(vec![modify("far.py")], &tree).0, "base");
}

#[test]
fn a_new_file_beside_one_of_the_same_stem_is_asked_about() {
    let tree = tree(&[("src/user-service.ts", ""), ("src/shape.js", ""), ("src/page.css", ""), ("src/index.ts", "")]);
    for name in ["src/user_service.ts", "src/shape.ts", "src/deep/shape.js"] {
        assert_eq!(
            remarks(vec![directory(Change::Add, "src/deep"), add(name)], &tree),
            [warning("same-stem")],
            "{name}"
        );
    }
    for name in ["src/page.tsx", "src/deep/index.ts", "src/shape.test.ts", "other.ts", "src/user.ts"] {
        assert_eq!(remarks(vec![directory(Change::Add, "src/deep"), add(name)], &tree), [], "{name}");
    }
    assert_eq!(remarks(vec![rename("src/shape.js", "src/shape.ts")], &tree), []);
    assert_eq!(remarks(vec![delete("src/shape.js"), add("src/shape.ts")], &tree), []);
}

#[test]
fn a_placeholder_directory_that_the_project_does_not_have_is_a_warning_told_once() {
    let tree = tree(&[("pkg/a.py", "x\n"), ("lib/b.py", "x\n")]);
    let found = remarks(vec![add("src/x.py"), add("src/y.py"), add("lib/c.py"), add("other/d.py")], &tree);
    assert_eq!(found.iter().filter(|f| **f == warning("placeholder")).count(), 1, "{found:?}");
    assert_eq!(remarks(vec![directory(Change::Add, "app"), add("app/x.py")], &tree), []);
    assert_eq!(error(vec![modify("src/x.py")], &tree).0, "missing");
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
    entry(&mut tree, "bin/go", Kind::Executable);
    entry(&mut tree, "bin/x.py", Kind::Executable);
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
    assert!(with(&["."]).0.is_none(), "the whole design is refused for the missing file");
}

#[test]
fn a_file_whose_tasks_are_done_is_not_made_even_when_named() {
    let done = FileSpec { selected: false, ..modify("gone.py") };
    assert_eq!(steps(vec![done.clone(), add("a.py")], &tree(&[])).len(), 1);
    let options = Options { only: vec!["gone.py".into()], ..Options::default() };
    let (plan, findings) = plan(&design(vec![done]), &tree(&[]), &options);
    assert_eq!(plan.unwrap().steps().len(), 0);
    assert_eq!(findings[0].message, "'gone.py' is planned, but all of its tasks are done");
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

#[test]
fn rows_are_listed_with_what_was_decided_even_when_the_plan_is_refused() {
    let tree = tree(&[("a.py", "one\ntwo\n")]);
    let examined =
        examine(&design(vec![row(Change::AddOrModify, "a.py"), modify("gone.py")]), &tree, &Options::default());
    assert!(examined.plan.is_none());
    assert_eq!((examined.rows[0].change, examined.rows[0].strategy), (Change::Modify, Strategy::Whole));
    assert_eq!(examined.rows[0].size.map(|s| (s.lines, s.bytes)), Some((2, 8)));
    assert_eq!((examined.rows[1].change, examined.rows[1].strategy), (Change::Modify, Strategy::Unknown));
}

#[test]
fn outside_a_repository_existence_is_not_judged_and_strategies_are_those_of_the_rows() {
    let lld = design(vec![
        add("a.py"),
        modify("b.py"),
        delete("Cargo.lock"),
        rename("x.py", "y.py"),
        row(Change::AddOrModify, ".gitattributes"),
        row(Change::None, "v.py"),
        directory(Change::Add, "pkg"),
    ]);
    let (rows, findings) = plan_no_repo(&lld, 50);
    assert_eq!(findings, []);
    let seen: Vec<_> = rows.iter().map(|r| r.strategy.name()).collect();
    assert_eq!(seen, ["whole", "unknown", "none", "unknown", "unknown", "none", "none"]);
    assert_eq!(plan_no_repo(&lld, 4).1[0].id, "too-many-files");
    assert_eq!(plan_no_repo(&Lld::default(), 50).1[0].id, "no-file-list");
}

#[test]
fn the_json_form_is_fixed() {
    let lld = Lld {
        title: Some("324 - \u{1b}[1mBold".into()),
        issue: Some("324".into()),
        ..design(vec![FileSpec { tasks: vec!["T1".into()], description: "a | b".into(), ..rename("x.py", "y.py") }])
    };
    let (rows, _) = plan_no_repo(&lld, 50);
    let findings = [Finding::warning("w", "odd").line(3)];
    let json = serde_json::to_value(Listing::new("docs/324.md", &lld, &rows, &findings)).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "lld": "docs/324.md", "issue": "324", "title": "324 - \u{1b}[1mBold", "dialect": "lld", "status": null,
            "files": [{
                "path": "y.py", "change": "rename", "from": "x.py", "directory": false, "description": "a | b",
                "line": 10, "strategy": "unknown", "allow": [], "tasks": ["T1"], "selected": true,
            }],
            "findings": [{
                "id": "w", "severity": "warning", "path": null, "line": 3, "message": "odd", "hint": null,
            }],
        })
    );
}
