//! A whole run from repositories in all kinds of states: it publishes, git finds the result sound, and HEAD, index and
//! working tree are as before.

use crate::git_world::*;
use std::fs;

fn show(world: &World, directory: &str, what: &str) -> String {
    world.git(directory, &["show", what])
}

#[test]
fn a_run_makes_a_commit_a_file_on_a_new_branch_and_touches_nothing_else() {
    let world = World::new();
    publishes(&world, "repo");
    world.sound("repo");
    let log = world
        .git("repo", &["log", "--format=%an <%ae> %ad|%cn|%s", "--date=raw", "--name-status", "main..implement/7"]);
    let entry = "A U Thor <author@example.com> 1700000000 +0100|A U Thor|Subject";
    assert_eq!(log, format!("{entry}\n\nA\tsrc/new.py\n{entry}\n\nM\tsrc/a.py"));
    assert_eq!(show(&world, "repo", "implement/7:src/new.py"), TEXT.trim_end());
    let reflog = world.git("repo", &["reflog", "show", "--format=%gs", "implement/7"]);
    assert_eq!(reflog, "implement: docs/lld.md (20260102-030405-abcd)");
    let record = format!("refs/implement/runs/{RUN}");
    assert_eq!(world.git("repo", &["ls-tree", "-r", "--name-only", &record]), "design/lld.md");
    assert_eq!(world.git("repo", &["cat-file", "-t", &record]), "tree");
}

#[test]
fn it_runs_from_a_subdirectory_and_with_head_detached() {
    let world = World::new();
    world.git("repo", &["checkout", "--quiet", "--detach"]);
    let before = world.fingerprint("repo");
    run(&world, "repo/src/pkg", CHANGES, &How::default()).unwrap();
    assert_eq!(world.fingerprint("repo"), before);
    assert_eq!(world.git("repo", &["diff", "--name-only", "HEAD", "implement/7"]), "src/a.py\nsrc/new.py");
}

#[test]
fn it_runs_in_a_linked_worktree_on_that_worktrees_head() {
    let world = World::new();
    world.git("repo", &["worktree", "add", "--quiet", "-b", "feature", "../linked"]);
    world.write("linked/more.txt", "more\n");
    world.git("linked", &["add", "more.txt"]);
    world.git("linked", &["commit", "--quiet", "--message=more"]);
    let main = world.fingerprint("repo");
    publishes(&world, "linked");
    assert_eq!(world.fingerprint("repo"), main);
    assert_eq!(
        world.git("repo", &["merge-base", "feature", "implement/7"]),
        world.git("linked", &["rev-parse", "HEAD"])
    );
}

#[test]
fn a_worktree_whose_folder_is_gone_is_neither_in_the_way_nor_pruned() {
    let world = World::new();
    world.git("repo", &["worktree", "add", "--quiet", "-b", "feature", "../linked"]);
    fs::remove_dir_all(world.path("linked")).unwrap();
    publishes(&world, "repo");
    assert!(world.path("repo/.git/worktrees/linked").exists());
}

#[test]
fn it_runs_in_a_bare_repository() {
    let world = World::new();
    world.git("", &["clone", "--quiet", "--bare", "repo", "bare.git"]);
    publishes(&world, "bare.git");
    world.sound("bare.git");
    assert_eq!(show(&world, "bare.git", "implement/7:src/a.py"), TEXT.trim_end());
}

#[test]
fn changes_of_the_users_at_the_planned_paths_stay_as_they_are_and_out_of_the_commits() {
    let world = World::new();
    world.write("repo/src/a.py", "staged\n");
    world.git("repo", &["add", "src/a.py"]);
    world.write("repo/src/a.py", "unstaged\n");
    world.write("repo/src/new.py", "untracked\n");
    publishes_with(&world, "repo", &[Do::Write("src/new.py", TEXT)], &How::default());
    assert_eq!(world.git("repo", &["diff", "--name-only", "main", "implement/7"]), "src/new.py");
}

#[test]
fn a_merge_in_progress_stays_in_progress() {
    let world = World::new();
    for (branch, text) in [("other", "9\n"), ("main", "8\n")] {
        world.git("repo", &["checkout", "--quiet", "-B", branch]);
        world.write("repo/src/a.py", text);
        world.git("repo", &["commit", "--quiet", "--all", "--message=x"]);
        if branch == "other" {
            world.git("repo", &["checkout", "--quiet", "-B", "main", "HEAD~1"]);
        }
    }
    world.fails("repo", &["merge", "other"]);
    assert!(world.path("repo/.git/MERGE_HEAD").exists());
    publishes(&world, "repo");
}

#[test]
fn every_kind_of_index_is_left_alone_even_a_broken_one() {
    type Prepare = fn(&World);
    let kinds: [(&str, Prepare); 5] = [
        ("split", |world| drop(world.git("repo", &["update-index", "--split-index"]))),
        ("sparse", |world| drop(world.git("repo", &["sparse-checkout", "set", "--cone", "--sparse-index", "docs"]))),
        ("version 4", |world| drop(world.git("repo", &["update-index", "--index-version", "4"]))),
        ("locked", |world| world.write("repo/.git/index.lock", "")),
        ("none", |world| fs::remove_file(world.path("repo/.git/index")).unwrap()),
    ];
    for (kind, prepare) in kinds {
        let world = World::new();
        prepare(&world);
        publishes(&world, "repo");
        assert_eq!(show(&world, "repo", "implement/7:src/a.py"), TEXT.trim_end(), "{kind}");
    }
    let world = World::new();
    world.write("repo/.git/index", "garbage");
    run(&world, "repo", CHANGES, &How::default()).unwrap();
    assert_eq!(fs::read(world.path("repo/.git/index")).unwrap(), b"garbage");
}

#[test]
fn a_submodule_keeps_its_commit() {
    let world = World::new();
    world.init("other", &[]);
    world.git("repo", &["submodule", "--quiet", "add", "../other", "libs/other"]);
    world.git("repo", &["commit", "--quiet", "--message=submodule"]);
    publishes(&world, "repo");
    let entry = |tree: &str| world.git("repo", &["ls-tree", tree, "libs/other"]);
    assert_eq!(entry("main"), entry("implement/7"));
    assert!(entry("main").starts_with("160000"));
}

#[test]
fn modes_are_kept_and_a_new_script_is_executable() {
    let world = World::new();
    world.git("repo", &["config", "core.fileMode", "false"]);
    let script = "#!/bin/sh\nset -eu\necho one\necho two\necho three\nexport X=1\n";
    let changes =
        [Do::Write("run.sh", script), Do::Write("tools/check.sh", script), Do::Rename("run.sh", "bin/run.sh")];
    publishes_with(&world, "repo", &changes, &How::default());
    let tree = world.git("repo", &["ls-tree", "-r", "--format=%(objectmode) %(path)", "implement/7"]);
    assert!(tree.contains("100755 tools/check.sh\n") || tree.ends_with("100755 tools/check.sh"), "{tree}");
    assert!(tree.contains("100755 bin/run.sh\n"), "{tree}");
    assert!(!tree.contains(" run.sh"), "{tree}");
    assert_eq!(show(&world, "repo", "implement/7:bin/run.sh"), script.trim_end());
}

#[test]
fn deleting_the_last_file_of_a_directory_deletes_the_directory_and_a_file_may_become_one() {
    let world = World::new();
    publishes_with(
        &world,
        "repo",
        &[Do::Delete("src/pkg/b.py"), Do::Rename("src/a.py", "src/a.py/a.py")],
        &How::default(),
    );
    world.sound("repo");
    let tree = world.git("repo", &["ls-tree", "-r", "-t", "--name-only", "implement/7", "src"]);
    assert_eq!(tree, "src\nsrc/a.py\nsrc/a.py/a.py");
}

#[test]
fn a_base_with_an_empty_tree_takes_files() {
    let world = World::empty();
    fs::create_dir(world.path("repo")).unwrap();
    world.git("repo", &["init", "--quiet", "--initial-branch=main"]);
    world.git("repo", &["commit", "--quiet", "--allow-empty", "--message=empty"]);
    publishes_with(&world, "repo", &[Do::Write("src/new.py", TEXT)], &How::default());
    world.sound("repo");
    assert_eq!(world.git("repo", &["ls-tree", "-r", "--name-only", "implement/7"]), "src/new.py");
}

#[test]
fn parents_are_real_commits_where_history_is_shallow_or_replaced() {
    let world = World::new();
    world.write("repo/README.md", "# Two\n");
    world.git("repo", &["commit", "--quiet", "--all", "--message=two"]);
    let url = format!("file://{}", world.path("repo").display());
    world.git("", &["clone", "--quiet", "--depth=1", &url, "shallow"]);
    publishes(&world, "shallow");
    world.sound("shallow");
    let head = world.git("repo", &["rev-parse", "HEAD"]);
    world.git("repo", &["replace", "HEAD", "HEAD~1"]);
    publishes(&world, "repo");
    let parent = world.git("repo", &["--no-replace-objects", "rev-parse", "implement/7~2"]);
    assert_eq!(parent, head);
}

#[test]
fn the_repository_of_the_environment_is_used_and_not_the_one_around() {
    let mut world = World::new();
    world.init("other", &[]);
    world.set("GIT_DIR", world.path("other/.git"));
    world.set("GIT_WORK_TREE", world.path("other"));
    run(&world, "repo", CHANGES, &How::default()).unwrap();
    world.unset("GIT_DIR");
    world.unset("GIT_WORK_TREE");
    assert_eq!(
        world.git("other", &["for-each-ref", "--format=%(refname)", "refs/heads/implement"]),
        "refs/heads/implement/7"
    );
    assert_eq!(world.git("repo", &["for-each-ref", "refs/heads/implement"]), "");
}

#[test]
fn variables_that_change_how_git_reads_paths_or_prints_do_no_harm() {
    let mut world = World::new();
    world.set("GIT_GLOB_PATHSPECS", "1");
    world.set("GIT_NAMESPACE", "space");
    world.set("GIT_TRACE", "1");
    publishes(&world, "repo");
}

#[test]
fn programs_that_a_repository_configures_do_not_run() {
    let world = World::new();
    for key in ["core.fsmonitor", "diff.external", "filter.evil.clean", "filter.evil.smudge", "core.sshCommand"] {
        world.git("repo", &["config", key, "touch ../pwned; cat"]);
    }
    world.write("repo/.gitattributes", "*.txt filter=evil\n");
    world.git("repo", &["-c", "core.fsmonitor=false", "add", ".gitattributes"]);
    world.git("repo", &["-c", "core.fsmonitor=false", "commit", "--quiet", "--message=attributes"]);
    let _ = fs::remove_file(world.path("pwned"));
    run(&world, "repo", CHANGES, &How::default()).unwrap();
    assert!(!world.path("pwned").exists());
}

#[test]
fn a_quarantine_of_objects_takes_the_new_ones() {
    // libgit2 takes these variables from the process, so this test is its own child.
    const CHILD: &str = "GIT_IMPLEMENT_TEST_QUARANTINE";
    if let Some(root) = std::env::var_os(CHILD) {
        let root = std::path::PathBuf::from(root);
        let environment: git_implement::environment::Environment = std::env::vars_os().collect();
        let repository = git_implement::git::Repository::discover(&root.join("repo"), &environment).unwrap();
        let base = base(&repository);
        let mut scratch = git_implement::git::Scratch::create(&repository, RUN, &base).unwrap();
        scratch.stage(&accepted("src/new.py", TEXT), git_implement::git::Mode::Regular).unwrap();
        let tree = scratch.write_tree().unwrap();
        scratch.verify(tree).unwrap();
        return;
    }
    let world = World::new();
    fs::create_dir(world.path("quarantine")).unwrap();
    let count = || world.git("repo", &["count-objects"]);
    let before = count();
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "git_states::a_quarantine_of_objects_takes_the_new_ones"])
        .env_clear()
        .envs(world.variables())
        .env(CHILD, world.path(""))
        .env("GIT_OBJECT_DIRECTORY", world.path("quarantine"))
        .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", world.path("repo/.git/objects"))
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
    assert_eq!(count(), before);
    assert!(fs::read_dir(world.path("quarantine")).unwrap().count() > 0);
}

#[test]
fn objects_that_a_partial_clone_lacks_are_fetched_by_git_or_named() {
    let world = World::new();
    world.git("repo", &["config", "uploadpack.allowFilter", "true"]);
    world.git("repo", &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", world.path("repo").display());
    for filter in ["blob:none", "tree:0"] {
        let name = filter.replace(':', "-");
        world.git("", &["clone", "--quiet", "--no-checkout", &format!("--filter={filter}"), &url, &name]);
        run(&world, &name, CHANGES, &How::default()).unwrap_or_else(|error| panic!("{filter}: {error}"));
        assert_eq!(world.git(&name, &["diff", "--name-only", "main", "implement/7"]), "src/a.py\nsrc/new.py");
    }
    world.git("", &["clone", "--quiet", "--no-checkout", "--filter=blob:none", &url, "gone"]);
    fs::rename(world.path("repo"), world.path("moved")).unwrap();
    let error = run(&world, "gone", CHANGES, &How::default()).unwrap_err();
    assert!(matches!(&error, git_implement::git::GitError::BadObject { path, .. } if path == "src/a.py"), "{error}");
}
