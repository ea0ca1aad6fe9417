//! What the plan is judged against: the base's tree, the ignore rules, and where the user's work differs.

use crate::git_world::*;
use git_implement::plan::{Blob, EntryKind, Snapshot};
use std::os::unix::fs::symlink;

fn snapshot(world: &World, directory: &str, planned: &[&str], must_exist: &[&str]) -> Snapshot {
    let repository = world.discover(directory).unwrap();
    let base = base(&repository);
    let paths = |names: &[&str]| names.iter().map(|name| path(name)).collect::<Vec<_>>();
    let before = world.fingerprint(directory);
    let snapshot = repository.snapshot(&base, &paths(planned), &paths(must_exist)).unwrap();
    assert_eq!(world.fingerprint(directory), before);
    snapshot
}

fn names<'a>(paths: impl IntoIterator<Item = &'a git_implement::path::RepoPath>) -> Vec<&'a str> {
    paths.into_iter().map(|path| path.as_str()).collect()
}

#[test]
fn it_has_the_planned_files_and_the_directories_on_the_way_and_nothing_else() {
    let world = World::new();
    let snapshot = snapshot(&world, "repo", &["src/pkg/b.py", "run.sh", "new/deep/x.py", "src/a.py/x"], &["run.sh"]);
    assert_eq!(snapshot.directories.keys().collect::<Vec<_>>(), ["", "src", "src/pkg"]);
    assert_eq!(snapshot.directories["src"].get("pkg"), Some(&EntryKind::Directory));
    assert_eq!(snapshot.directories["src"].get("a.py"), Some(&EntryKind::File));
    assert_eq!(names(snapshot.files.keys()), ["run.sh", "src/pkg/b.py"]);
    let script = Blob { executable: true, bytes: b"#!/bin/sh\necho 1\n".to_vec() };
    assert_eq!(snapshot.files[&path("run.sh")], script);
    assert!(snapshot.names.is_empty() && snapshot.dirty.is_empty() && snapshot.ignored.is_empty());
}

#[test]
fn all_names_are_listed_only_when_a_path_that_must_exist_does_not() {
    let world = World::new();
    let listed = snapshot(&world, "repo", &["src/c.py"], &["src/c.py"]).names;
    assert_eq!(listed, ["README.md", "docs/lld.md", "run.sh", "src/a.py", "src/pkg/b.py"]);
}

#[test]
fn dirty_is_whatever_the_users_index_or_files_have_otherwise_at_a_planned_path() {
    let world = World::new();
    let planned = ["README.md", "docs/lld.md", "run.sh", "src/a.py", "src/pkg/b.py", "new.py", "there.py", "clean.py"];
    assert!(snapshot(&world, "repo", &planned, &[]).dirty.is_empty());
    world.write("repo/README.md", "changed\n");
    world.git("repo", &["rm", "--quiet", "--cached", "docs/lld.md"]);
    std::fs::remove_file(world.path("repo/run.sh")).unwrap();
    // Staged, then put back on disk.
    world.write("repo/src/a.py", "staged\n");
    world.git("repo", &["add", "src/a.py"]);
    world.git("repo", &["show", "HEAD:src/a.py"]);
    world.write("repo/src/a.py", "import os\n\n\ndef a():\n    return os.sep\n");
    world.write("repo/new.py", "n\n");
    world.git("repo", &["add", "--intent-to-add", "new.py"]);
    world.write("repo/there.py", "untracked\n");
    let dirty = snapshot(&world, "repo", &planned, &[]).dirty;
    assert_eq!(names(&dirty), ["README.md", "docs/lld.md", "new.py", "run.sh", "src/a.py", "there.py"]);
}

#[test]
fn files_that_git_does_not_look_at_are_not_dirty() {
    let world = World::new();
    // Other line ends on disk.
    world.git("repo", &["config", "core.autocrlf", "true"]);
    std::fs::remove_file(world.path("repo/src/a.py")).unwrap();
    world.git("repo", &["checkout", "--quiet", "--", "src/a.py"]);
    assert!(std::fs::read_to_string(world.path("repo/src/a.py")).unwrap().contains("\r\n"));
    world.write("repo/README.md", "local\n");
    world.git("repo", &["update-index", "--assume-unchanged", "README.md"]);
    assert!(snapshot(&world, "repo", &["src/a.py", "README.md"], &[]).dirty.is_empty());
    // Not checked out.
    let world = World::new();
    world.git("repo", &["sparse-checkout", "set", "--cone", "--sparse-index", "docs"]);
    assert!(!world.path("repo/src/a.py").exists());
    assert!(snapshot(&world, "repo", &["src/a.py", "src/pkg/new.py"], &[]).dirty.is_empty());
}

#[test]
fn ignored_is_what_the_rules_cover_and_the_tree_does_not_have() {
    let world = World::new();
    world.write("repo/.gitignore", "build/\n*.log\n!keep.log\nrun.sh\n(x).py\n");
    world.write("repo/.git/info/exclude", "*.mine\n");
    let planned = ["build/x.py", "a.log", "keep.log", "deep/b.mine", "run.sh", "src/new.py", "(x).py"];
    assert_eq!(
        names(&snapshot(&world, "repo", &planned, &[]).ignored),
        ["(x).py", "a.log", "build/x.py", "deep/b.mine"]
    );
}

#[test]
fn links_on_the_way_are_named_in_the_tree_and_never_followed_on_disk() {
    let world = World::new();
    world.write("outside/evil.py", "outside\n");
    symlink(world.path("outside"), world.path("repo/tracked")).unwrap();
    world.git("repo", &["add", "tracked"]);
    world.git("repo", &["commit", "--quiet", "--message=link"]);
    symlink(world.path("outside"), world.path("repo/untracked")).unwrap();
    world.write("repo/.gitignore", "*.log\n");
    let planned = ["tracked/evil.py", "untracked/evil.py", "src/x.log"];
    let snapshot = snapshot(&world, "repo", &planned, &[]);
    assert_eq!(snapshot.directories[""].get("tracked"), Some(&EntryKind::Symlink));
    assert!(snapshot.files.is_empty() && snapshot.dirty.is_empty(), "{:?}", snapshot.dirty);
    // One path that git refuses to judge does not hide the others.
    assert_eq!(names(&snapshot.ignored), ["src/x.log"]);
}

#[test]
fn repositories_inside_are_told_apart_from_submodules() {
    let world = World::new();
    world.init("other", &[]);
    world.git("repo", &["submodule", "--quiet", "add", "../other", "libs/other"]);
    world.git("repo", &["commit", "--quiet", "--message=submodule"]);
    std::fs::create_dir_all(world.path("repo/vendor/lib")).unwrap();
    world.git("repo/vendor/lib", &["init", "--quiet"]);
    world.write("repo/.gitignore", "*.log\n");
    let planned = ["libs/other/src/a.py", "libs/other", "vendor/lib/f.py", "vendor/new.py", "src/x.log"];
    let snapshot = snapshot(&world, "repo", &planned, &[]);
    assert_eq!(snapshot.directories["libs"].get("other"), Some(&EntryKind::Submodule));
    assert_eq!(snapshot.embedded.iter().collect::<Vec<_>>(), ["vendor/lib"]);
    assert_eq!(names(&snapshot.ignored), ["src/x.log"]);
}

#[test]
fn odd_names_are_literal_and_bytes_that_are_no_text_do_no_harm() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new();
    for name in ["a b.py", "gl[x].py", "glx.py", "-rf.py"] {
        world.write(&format!("repo/{name}"), "x\n");
    }
    let latin = world.path("repo").join(std::ffi::OsStr::from_bytes(b"caf\xe9.py"));
    std::fs::write(latin, "x\n").unwrap();
    world.git("repo", &["add", "--all"]);
    world.git("repo", &["commit", "--quiet", "--message=odd"]);
    world.write("repo/glx.py", "changed\n");
    let planned = ["a b.py", "gl[x].py", "-rf.py"];
    let snapshot = snapshot(&world, "repo", &planned, &["nothing.py"]);
    assert_eq!(snapshot.files.len(), 3);
    assert!(snapshot.dirty.is_empty());
    assert_eq!(snapshot.names.len(), 10);
}

#[test]
fn a_bare_repository_has_nothing_dirty_or_ignored() {
    let world = World::new();
    world.git("", &["clone", "--quiet", "--bare", "repo", "bare.git"]);
    let snapshot = snapshot(&world, "bare.git", &["src/a.py", "new.py"], &[]);
    assert_eq!(names(snapshot.files.keys()), ["src/a.py"]);
    assert!(snapshot.dirty.is_empty() && snapshot.ignored.is_empty());
}
