//! The scratch on disk: what is there while a run lives, what is left of one that was killed, what is kept of one that
//! was refused; and that only what was staged can be committed.

use crate::git_world::*;
use git_implement::environment::Environment;
use git_implement::git::{GitError, Mode, RecordFile, Repository, Scratch};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn while_it_lives_it_is_a_locked_worktree_and_afterwards_nothing() {
    let world = World::new();
    let before = world.fingerprint("repo");
    let repository = world.discover("repo").unwrap();
    let base = base(&repository);
    let scratch = Scratch::create(&repository, RUN, &base).unwrap();
    let listed = world.git("repo", &["worktree", "list", "--porcelain"]);
    assert!(listed.contains(&format!("worktree {}\n", scratch.worktree().display())), "{listed}");
    assert!(
        listed.contains(&format!("HEAD {}\ndetached\nlocked git implement {RUN} is running", base.commit)),
        "{listed}"
    );
    assert!(scratch.journal_dir().is_dir());
    // Nothing is checked out.
    assert_eq!(fs::read_dir(scratch.worktree()).unwrap().count(), 1);
    assert_eq!(world.git("repo", &["status", "--porcelain"]), "");
    drop(scratch);
    assert_eq!(world.fingerprint("repo"), before);
    assert!(!world.path("repo/.git/implement").exists() && !world.path("repo/.git/worktrees").exists());
}

#[test]
fn commits_survive_a_gc_that_keeps_nothing_unreferenced() {
    let world = World::new();
    let gc = || drop(world.git("repo", &["gc", "--quiet", "--prune=now"]));
    publishes_with(&world, "repo", &[Do::Write("src/new.py", TEXT)], &How::default());
    let repository = world.discover("repo").unwrap();
    let base = base(&repository);
    let identity = repository.identity().unwrap();
    let mut scratch = Scratch::create(&repository, "other", &base).unwrap();
    scratch.stage(&accepted("src/kept.py", TEXT), Mode::Regular).unwrap();
    let tree = scratch.write_tree().unwrap();
    let verified = scratch.verify(tree).unwrap();
    let options = git_implement::git::CommitOptions {
        identity: &identity,
        signing: &Default::default(),
        no_verify: false,
        interrupt: &Default::default(),
    };
    let passed = hooked(&mut scratch, verified, &[], &options).unwrap();
    let commit = scratch.commit(passed, "Subject\n", &options).unwrap().commit();
    gc();
    assert_eq!(world.git("repo", &["cat-file", "-t", &commit.to_string()]), "commit");
    drop(scratch);
    world.sound("repo");
}

#[test]
fn a_tree_that_changes_nothing_says_so() {
    let world = World::new();
    let repository = world.discover("repo").unwrap();
    let mut scratch = Scratch::create(&repository, RUN, &base(&repository)).unwrap();
    let same = "import os\n\n\ndef a():\n    return os.sep\n";
    scratch.stage(&accepted("src/a.py", same), Mode::Regular).unwrap();
    let tree = scratch.write_tree().unwrap();
    assert!(tree.is_unchanged(&scratch));
    // A tree is for the commit that it was written over, and for no other.
    scratch.stage(&accepted("src/a.py", TEXT), Mode::Regular).unwrap();
    let first = scratch.write_tree().unwrap();
    scratch.stage(&accepted("src/b.py", TEXT), Mode::Regular).unwrap();
    let second = scratch.write_tree().unwrap();
    let (first, second) = (scratch.verify(first).unwrap(), scratch.verify(second).unwrap());
    let identity = repository.identity().unwrap();
    let options = git_implement::git::CommitOptions {
        identity: &identity,
        signing: &Default::default(),
        no_verify: false,
        interrupt: &Default::default(),
    };
    let first = hooked(&mut scratch, first, &[], &options).unwrap();
    let second = hooked(&mut scratch, second, &[], &options).unwrap();
    scratch.commit(first, "one\n", &options).unwrap();
    assert!(scratch.commit(second, "two\n", &options).is_err());
}

#[test]
fn what_cannot_be_a_file_is_an_error_and_the_scratch_goes() {
    let world = World::new();
    let before = world.fingerprint("repo");
    for name in ["src/pkg", "src/a.py/x.py"] {
        let error = run(&world, "repo", &[Do::Write(name, TEXT)], &How::default()).unwrap_err();
        assert!(matches!(error, GitError::Libgit2 { .. }), "{error:?}");
        assert_eq!(world.fingerprint("repo"), before);
    }
    let error = run(&world, "repo", &[Do::Rename("src", "lib")], &How::default()).unwrap_err();
    assert_eq!(error.to_string(), "cannot rename 'src': it is not a regular file");
    assert_eq!(world.fingerprint("repo"), before);
}

#[test]
fn a_link_or_a_submodule_does_not_become_a_file() {
    let world = World::new();
    world.init("other", &[]);
    world.git("repo", &["submodule", "--quiet", "add", "../other", "sub"]);
    std::os::unix::fs::symlink("a.py", world.path("repo/src/link.py")).unwrap();
    world.git("repo", &["add", "src/link.py"]);
    world.git("repo", &["commit", "--quiet", "--message=odd"]);
    for name in ["src/link.py", "sub"] {
        let error = run(&world, "repo", &[Do::Write(name, TEXT)], &How::default()).unwrap_err();
        let odd = matches!(&error, GitError::NotAFile { path } if path == name);
        assert!(odd || matches!(error, GitError::Libgit2 { .. }), "{error:?}");
        assert_eq!(world.git("repo", &["for-each-ref", "refs/heads/implement"]), "");
    }
}

#[test]
fn names_of_runs_cannot_lead_elsewhere() {
    let world = World::new();
    let repository = world.discover("repo").unwrap();
    for name in ["", "..", "a/b", "failed", ".x", "a b"] {
        assert!(Scratch::create(&repository, name, &base(&repository)).is_err(), "{name:?}");
    }
}

const CHILD: &str = "GIT_IMPLEMENT_TEST_CHILD";

/// In a child process: makes a scratch, says so, and waits to be killed.
fn hold(root: &Path) {
    let repository = Repository::discover(&root.join("repo"), &std::env::vars_os().collect::<Environment>()).unwrap();
    let base = base(&repository);
    let scratch = Scratch::create(&repository, "killed", &base).unwrap();
    fs::write(scratch.journal_dir().join("reply"), "paid for").unwrap();
    fs::write(root.join("ready"), "").unwrap();
    std::thread::sleep(std::time::Duration::from_secs(60));
}

#[test]
fn what_a_killed_run_left_is_swept_by_the_next_and_a_living_run_is_not_touched() {
    if let Some(root) = std::env::var_os(CHILD) {
        return hold(Path::new(&root));
    }
    let world = World::new();
    let before = world.fingerprint("repo");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "git_scratch::what_a_killed_run_left_is_swept_by_the_next_and_a_living_run_is_not_touched"])
        .env_clear()
        .envs(world.variables())
        .env(CHILD, world.path(""))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !world.path("ready").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "the child failed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let place = world.path("repo/.git/implement/killed");
    let repository = world.discover("repo").unwrap();
    Scratch::sweep(&repository);
    assert!(place.join("worktree/.git").exists() && world.path("repo/.git/worktrees").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(place.exists());
    // Not ours: somebody's directory without a lock, and somebody's worktree.
    world.write("repo/.git/implement/notes/todo", "mine");
    world.git("repo", &["worktree", "add", "--quiet", "--lock", "-b", "feature", "../linked"]);
    drop(Scratch::create(&repository, RUN, &base(&repository)).unwrap());
    assert!(!place.exists());
    assert_eq!(fs::read_to_string(world.path("repo/.git/implement/failed/killed/reply")).unwrap(), "paid for");
    assert_eq!(fs::read_to_string(world.path("repo/.git/implement/notes/todo")).unwrap(), "mine");
    world.git("repo", &["worktree", "remove", "--force", "--force", "../linked"]);
    world.git("repo", &["branch", "--delete", "feature"]);
    fs::remove_dir_all(world.path("repo/.git/implement/notes")).unwrap();
    assert_eq!(world.fingerprint("repo"), before);
}

#[test]
fn drafts_and_registrations_without_a_run_go_at_the_next_start() {
    let world = World::new();
    let before = world.fingerprint("repo");
    // What other versions left, or a person who removed `.git/implement`: a locked entry that points to nowhere.
    let entry = world.path("repo/.git/worktrees/worktree");
    let back = world.path("repo/.git/implement/gone/worktree/.git");
    world.write("repo/.git/worktrees/worktree/gitdir", format!("{}\n", back.display()));
    world.write("repo/.git/worktrees/worktree/commondir", "../..\n");
    world.write("repo/.git/worktrees/worktree/HEAD", "ref: refs/heads/main\n");
    world.write("repo/.git/worktrees/worktree/locked", "git implement gone is running\n");
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for (draft, old) in [("failed/.draft-old", true), ("failed/.draft-new", false), ("proposed/.draft-old", true)] {
        let place = format!("repo/.git/implement/{draft}");
        world.write(&place, "half");
        if old {
            fs::File::open(world.path(&place)).unwrap().set_modified(hour_ago).unwrap();
        }
    }
    let repository = world.discover("repo").unwrap();
    drop(Scratch::create(&repository, RUN, &base(&repository)).unwrap());
    assert!(!entry.exists());
    assert!(!world.path("repo/.git/implement/failed/.draft-old").exists());
    assert!(!world.path("repo/.git/implement/proposed/.draft-old").exists());
    assert!(world.path("repo/.git/implement/failed/.draft-new").exists(), "somebody may be writing it");
    fs::remove_dir_all(world.path("repo/.git/implement")).unwrap();
    assert_eq!(world.fingerprint("repo"), before);
}

#[test]
fn a_worktree_with_settings_of_its_own_gives_them_to_the_scratch() {
    let world = World::new();
    world.git("repo", &["config", "extensions.worktreeConfig", "true"]);
    world.git("repo", &["config", "--worktree", "core.worktree", world.path("repo").to_str().unwrap()]);
    world.git("repo", &["config", "--worktree", "demo.key", "value"]);
    let repository = world.discover("repo").unwrap();
    let scratch = Scratch::create(&repository, RUN, &base(&repository)).unwrap();
    let place = "repo/.git/implement/".to_owned() + RUN + "/worktree";
    assert_eq!(world.git(&place, &["config", "demo.key"]), "value");
    assert_eq!(world.git(&place, &["rev-parse", "--show-toplevel"]), scratch.worktree().to_str().unwrap());
    drop(scratch);
    publishes(&world, "repo");
}

#[test]
fn a_run_of_the_same_name_is_not_joined() {
    let world = World::new();
    let repository = world.discover("repo").unwrap();
    let base = base(&repository);
    let first = Scratch::create(&repository, RUN, &base).unwrap();
    assert!(matches!(Scratch::create(&repository, RUN, &base), Err(GitError::Io { .. })));
    assert!(first.worktree().join(".git").exists());
}

#[test]
fn records_of_refused_runs_are_kept_and_none_is_ever_removed() {
    let world = World::new();
    let repository = world.discover("repo").unwrap();
    let file = |name: &str| RecordFile { name: name.to_owned(), bytes: name.as_bytes().to_vec() };
    for number in 0..30 {
        let place =
            repository.keep_failed(&format!("run-{number:02}"), &[file("plan.json"), file("replies/1/a")]).unwrap();
        assert_eq!(fs::read_to_string(place.join("replies/1/a")).unwrap(), "replies/1/a");
    }
    drop(Scratch::create(&repository, RUN, &base(&repository)).unwrap());
    assert_eq!(repository.failed_count(), 30);
    for name in ["../x", "/x", "a/../../x", ""] {
        assert!(repository.keep_failed("bad", &[file(name)]).is_err(), "{name:?}");
    }
    assert!(!world.path("repo/.git/implement/failed/bad").exists());
}
