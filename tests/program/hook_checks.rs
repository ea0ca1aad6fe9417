//! The installed hook and the real gates under git itself: every way of committing, linked worktrees, pushes.

use crate::commits::{BROKEN, SOUND, git, passes, refused};
use crate::repo::Repo;
use std::fs;
use std::path::{Path, PathBuf};

/// With the hook as this git has it best.
fn repo() -> Repo {
    let repo = crate::commits::repo();
    install(&repo, &repo.dir);
    repo
}

#[track_caller]
fn install(repo: &Repo, folder: &Path) {
    let output = repo.process(&["hook", "install"]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn commits_of_everything_and_of_parts_are_judged_as_what_will_be_committed() {
    crate::commits::commits(&repo());
}

#[test]
fn a_commit_of_some_hunks_is_judged_without_the_others() {
    let repo = repo();
    let (top, end) = ("# the first line\n", "\n\ndef g(:\n    pass\n");
    let text = fs::read_to_string(repo.dir.join("a.py")).unwrap();
    repo.write("a.py", format!("{top}{text}{end}"));
    let answers = |answers: &str| {
        fs::write(repo.place("answers.txt"), answers).unwrap();
        let mut command = git(&repo, &["commit", "--quiet", "--patch", "--message=x"]);
        command.stdin(fs::File::open(repo.place("answers.txt")).unwrap());
        command
    };
    let before = crate::commits::State::of(&repo);
    let output = answers("n\ny\n").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("error: 'a.py' does not parse"), "{output:?}");
    assert_eq!(crate::commits::State::of(&repo), before);
    passes(&repo, &mut answers("y\nn\n"));
    assert_eq!(repo.blob("HEAD", "a.py"), format!("{top}{text}").into_bytes());
    assert_eq!(fs::read_to_string(repo.dir.join("a.py")).unwrap(), format!("{top}{text}{end}"));
}

#[test]
fn merges_and_rebases_are_judged_by_what_is_new_in_them() {
    let repo = repo();
    crate::commits::merges(&repo);
    crate::commits::rebases(&repo);
}

#[test]
fn a_first_commit_is_judged() {
    let repo = Repo::unborn();
    install(&repo, &repo.dir);
    repo.write("a.py", BROKEN);
    repo.git(&["add", "a.py"]);
    let output = git(&repo, &["commit", "--message=x"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("a.py:1: error: 'a.py' does not parse"), "{output:?}");
    repo.write("a.py", SOUND);
    repo.git(&["add", "a.py"]);
    repo.git(&["commit", "--quiet", "--message=x"]);
}

#[test]
fn from_a_folder_below_the_root_the_same_is_judged() {
    let repo = repo();
    repo.write("pkg/c.py", BROKEN);
    repo.git(&["add", "pkg"]);
    refused(&repo, git(&repo, &["commit", "--message=x"]).current_dir(repo.dir.join("pkg")), "pkg/c.py");
}

const DESIGN: &str = "# 3 - One file\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `b.py` | Modify | Another value |\n";

/// The main job by a command that is no git: it writes its environment beside the repository.
fn job(repo: &Repo, design: &str) -> String {
    repo.answer("b.py", "```python\nB = 2\n```\n");
    format!("'{}' --provider command --command \"{}\" {design}", env!("CARGO_BIN_EXE_git-implement"), repo.provider())
}

/// The names of the variables that git has for itself in a hook, and of those that a program of ours got.
fn variables(repo: &Repo) -> (Vec<String>, Vec<String>) {
    let names = |path: PathBuf| -> Vec<String> {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name.to_owned()).collect()
    };
    // This one is not in git's list.
    let local = repo.git(&["rev-parse", "--local-env-vars"]) + "\nGIT_QUARANTINE_PATH";
    let of_the_hook = names(repo.place("hook.env")).into_iter().filter(|name| local.lines().any(|l| l == name));
    (of_the_hook.collect(), names(repo.place("asked/environment")))
}

#[track_caller]
fn assert_clean(local: &[String], ours: &[String], expected: &[&str]) {
    for name in expected {
        assert!(local.iter().any(|local| local == name), "the hook has no {name}: {local:?}");
    }
    let leaked: Vec<&String> = ours.iter().filter(|name| local.contains(name)).collect();
    assert!(leaked.is_empty(), "{leaked:?}");
    assert!(ours.iter().any(|name| name == "PATH"), "{ours:?}");
}

/// In a linked worktree git names all of GIT_DIR, GIT_INDEX_FILE and GIT_PREFIX to its hooks; with `commit --all` the index
/// is a temporary one. Our git children must use it, and all the others must not see it.
#[test]
fn in_a_linked_worktree_gits_variables_reach_git_alone() {
    let repo = repo();
    repo.write("3.md", DESIGN);
    repo.commit("design");
    repo.git(&["worktree", "add", "--quiet", "-b", "other", "../linked"]);
    let linked = repo.place("linked");
    // The main job inside the hook of a commit: its provider is no git, its scratch worktree is another. It runs this hook
    // for its own commit in turn, but that one runs no job.
    let job = job(&repo, "3.md");
    let hook_env = repo.place("hook.env");
    let chained = format!("#!/bin/sh\n[ -n \"$RUN\" ] || exit 0\nenv >'{}'\nRUN= {job} >&2\n", hook_env.display());
    let theirs = repo.dir.join(".git/hooks/pre-commit");
    let ours = fs::rename(&theirs, repo.place("ours")).is_ok();
    repo.program(&theirs, &chained);
    if ours {
        fs::remove_file(repo.dir.join(".git/hooks/pre-merge-commit")).unwrap();
        install(&repo, &linked);
    }

    fs::write(linked.join("b.py"), BROKEN).unwrap();
    let commit = || {
        let mut command = git(&repo, &["commit", "--all", "--message=x"]);
        command.current_dir(&linked);
        command
    };
    let status = || repo.git(&["-C", linked.to_str().unwrap(), "status", "--porcelain=v2", "--branch"]);
    let before = (status(), repo.git(&["status", "--porcelain=v2", "--branch"]));
    let output = commit().output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("b.py:1: error: 'b.py' does not parse"), "{said}");
    assert_eq!((status(), repo.git(&["status", "--porcelain=v2", "--branch"])), before);

    fs::write(linked.join("b.py"), "B = 3\n").unwrap();
    let output = commit().env("RUN", "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let (local, ours) = variables(&repo);
    assert_clean(&local, &ours, &["GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"]);
    // Both did what they were asked to, each where it should.
    assert_eq!(repo.blob("other", "b.py"), b"B = 3\n");
    assert_eq!(repo.blob("implement/3", "b.py"), b"B = 2\n");
    assert_eq!(repo.git(&["-C", linked.to_str().unwrap(), "status", "--porcelain"]), "");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.sound();
}

#[test]
fn a_run_of_the_main_job_passes_the_hook_with_what_passed_its_gates() {
    let repo = repo();
    repo.write("3.md", DESIGN);
    repo.commit("design");
    repo.answer("b.py", "```python\nB = 2\n```\n");
    repo.implement(&["3.md"]).published("implement/3");
}

/// A clone with the hook, as the remote `origin`.
fn bare(repo: &Repo) -> PathBuf {
    let bare = repo.place("bare.git");
    repo.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    install(repo, &bare);
    repo.git(&["remote", "add", "origin", bare.to_str().unwrap()]);
    bare
}

#[test]
fn a_push_of_a_broken_commit_is_rejected_and_leaves_nothing() {
    let repo = crate::commits::repo();
    let bare = bare(&repo);
    let there = |arguments: &[&str]| {
        let output = git(&repo, &[&["--git-dir", bare.to_str().unwrap()], arguments].concat()).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let refs = there(&["for-each-ref"]);
    // Broken in the middle: what is broken in between is in the history for good.
    repo.write("c.py", BROKEN);
    let broken = repo.commit("broken");
    repo.write("c.py", SOUND);
    repo.commit("mended");
    for to in ["main", "main:refs/heads/new", "main:refs/tags/v1"] {
        let output = git(&repo, &["push", "origin", to]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{to}: {said}");
        assert!(said.contains("error: 'c.py' does not parse"), "{to}: {said}");
        assert!(said.contains("pre-receive hook declined"), "{to}: {said}");
        assert_eq!(there(&["for-each-ref"]), refs);
        // It was read from the quarantine.
        assert!(!there(&["cat-file", "-e", &broken]).0);
    }

    // Sound, on a branch of its own, and then with history that the repository has already.
    repo.git(&["reset", "--quiet", "--hard", "HEAD~2"]);
    repo.write("c.py", SOUND);
    repo.commit("sound");
    repo.git(&["push", "--quiet", "origin", "main", "main:refs/heads/new"]);
    repo.git(&["push", "--quiet", "origin", "main~1:refs/heads/older", ":new"]);
    assert_eq!(there(&["rev-parse", "main"]).1, repo.tip("main"));
}

#[test]
fn what_is_broken_in_the_repository_already_can_be_pushed_on() {
    let repo = crate::commits::repo();
    repo.write("c.py", BROKEN);
    repo.commit("broken before there was a hook");
    bare(&repo);
    repo.write("b.py", "B = 2\n");
    repo.commit("sound");
    repo.git(&["push", "--quiet", "origin", "main", "main:refs/heads/new"]);
}

#[test]
fn in_a_quarantine_gits_variables_reach_git_alone() {
    let repo = crate::commits::repo();
    let bare = bare(&repo);
    repo.write("3.md", DESIGN);
    let tip = repo.commit("design");
    // A design that is in the quarantine alone is read. git forbids a worktree and refs from there, so that nobody is asked;
    // but the command that prints the key has been run.
    repo.program(
        repo.place("key"),
        &format!("#!/bin/sh\nenv >'{}'\necho key\n", repo.place("asked/environment").display()),
    );
    let program = env!("CARGO_BIN_EXE_git-implement");
    let key = repo.place("key").display().to_string();
    let job = format!(
        "GIT_IMPLEMENT_KEY_COMMAND=\"'{key}'\" '{program}' --provider openai --base-url http://127.0.0.1:9/v1 --model x \
         --base {tip} {tip}:3.md"
    );
    for (key, value) in [("user.name", "A U Thor"), ("user.email", "author@example.com")] {
        repo.git(&["--git-dir", bare.to_str().unwrap(), "config", key, value]);
    }
    let chained = format!("#!/bin/sh\nenv >'{}'\n{job} >&2\nexit 0\n", repo.place("hook.env").display());
    fs::remove_file(bare.join("hooks/pre-receive")).unwrap();
    repo.program(bare.join("hooks/pre-receive"), &chained);
    install(&repo, &bare);
    let output = git(&repo, &["push", "origin", "main"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(repo.place("asked/environment").is_file(), "{said}");
    let (local, ours) = variables(&repo);
    let quarantine = ["GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"];
    assert_clean(&local, &ours, &quarantine);
}

/// git is told where the index is on purpose: a stand-in for it writes down what it got.
#[test]
fn our_git_children_get_the_index_of_the_commit_on_purpose() {
    let mut repo = repo();
    let real = repo.git(&["--exec-path"]);
    repo.git(&["worktree", "add", "--quiet", "-b", "other", "../linked"]);
    let linked = repo.place("linked");
    fs::create_dir(repo.place("spy")).unwrap();
    // Hooks find the programs of git's exec-path before those of the PATH.
    repo.set("GIT_EXEC_PATH", repo.place("spy").to_str().unwrap());
    let script = format!(
        "#!/bin/sh\necho \"${{GIT_INDEX_FILE-none}} ${{GIT_DIR-none}} $*\" >>'{}'\nGIT_EXEC_PATH='{real}' exec '{real}/git' \"$@\"\n",
        repo.place("spied").display()
    );
    repo.program(repo.place("spy/git"), &script);
    fs::write(linked.join("b.py"), BROKEN).unwrap();
    let mut commit = git(&repo, &["commit", "--all", "--message=x"]);
    let output = commit.current_dir(&linked).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("'b.py' does not parse"), "{output:?}");
    let spied = fs::read_to_string(repo.place("spied")).unwrap();
    let diff = spied.lines().find(|line| line.contains(" diff-index ")).unwrap_or_else(|| panic!("{spied}"));
    let git_dir = repo.dir.join(".git/worktrees/linked");
    assert!(diff.starts_with(&format!("{0}/index.lock {0} ", git_dir.display())), "{diff}");
}
