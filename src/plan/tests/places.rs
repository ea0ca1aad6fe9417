//! Where files may lie, and what they may be called.

use super::*;

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
    entry(&mut tree, "link", EntryKind::Symlink);
    entry(&mut tree, "vendor/lib", EntryKind::Submodule);
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
    entry(&mut tree, "link", EntryKind::Symlink);
    entry(&mut tree, "vendor/lib", EntryKind::Submodule);
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
    steps(vec![modify("net/xt_mark.h"), modify("net/xt_MARK.h")], &tree);
}

#[test]
fn files_that_git_or_an_agent_obeys_are_for_the_command_line_to_allow_and_not_for_the_design() {
    let tree = tree(&[(".gitattributes", "* text\n"), (".gitignore", "x\n")]);
    for rows in [
        vec![modify(".gitattributes")],
        vec![delete(".gitattributes")],
        vec![rename(".gitattributes", "old.txt")],
        vec![add(".gitmodules")],
        vec![add("sub/.GitModules")],
        vec![add(".github/workflows/ci.yml")],
        vec![add("CLAUDE.md")],
        vec![allowing("protected", modify(".gitattributes"))],
    ] {
        assert_eq!(error(rows, &tree).0, "protected");
    }
    let options = Options { allow: vec!["protected:.gitattributes".into()], ..Options::default() };
    assert!(plan(&design(vec![modify(".gitattributes")]), &tree, &options).0.is_some());
    assert!(plan(&design(vec![add(".gitmodules")]), &tree, &options).0.is_none());
    steps(vec![modify(".gitignore"), add("docs/.gitkeep")], &tree);
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
    assert_eq!(error(vec![allowing("ignored", add("build/out.py"))], &tree).0, "ignored", "no design permits it");
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
