//! Every way of committing, under whatever hook is installed: what is broken is refused, with our words and without a
//! trace, what is sound passes. Not a `mod.rs`: a test file takes it in with `#[path = "common/commits.rs"] mod commits;`,
//! beside `repo`.
#![allow(dead_code)]

use crate::repo::{self, Repo};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// What no parser of Python takes.
pub const BROKEN: &str = "def f(:\n    return 1\n";
pub const SOUND: &str = "def f():\n    return 1\n";

/// Two files that are far apart enough that a change of one end merges with a change of the other.
pub fn repo() -> Repo {
    let mut repo = Repo::of(&[("a.py", LONG), ("b.py", "B = 1\n")]);
    // Where `git implement` is found.
    let program = Path::new(env!("CARGO_BIN_EXE_git-implement")).parent().unwrap();
    repo.set("PATH", format!("{}:{}", program.display(), repo.variables["PATH"]));
    repo
}

const LONG: &str = "def f():\n    one = 1\n    # 1\n    # 2\n    # 3\n    # 4\n    # 5\n    two = 2\n";

/// All that a refused commit must leave as it was: HEAD, the index, the files.
#[derive(Debug, PartialEq)]
pub struct State(String, String, String, BTreeMap<String, Vec<u8>>);

impl State {
    #[track_caller]
    pub fn of(repo: &Repo) -> State {
        let mut files = repo::tree(&repo.dir);
        files.retain(|path, _| !path.starts_with(".git/"));
        let head = repo.git(&["rev-parse", "HEAD"]);
        State(head, repo.git(&["ls-files", "--stage"]), repo.git(&["status", "--porcelain=v2"]), files)
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

pub fn git(repo: &Repo, arguments: &[&str]) -> Command {
    let mut command = repo.command("git");
    command.args(arguments);
    command
}

/// The command is refused by us, because of `file`, and changes nothing.
#[track_caller]
pub fn refused(repo: &Repo, command: &mut Command, file: &str) {
    let before = State::of(repo);
    let output = command.output().unwrap();
    let said = text(&output);
    assert!(!output.status.success(), "{command:?} succeeded:\n{said}");
    assert!(said.contains(&format!("{file}:1: error: '{file}' does not parse")), "{command:?}:\n{said}");
    assert_eq!(State::of(repo), before, "{command:?}");
}

/// The command makes a commit.
#[track_caller]
pub fn passes(repo: &Repo, command: &mut Command) {
    let before = repo.tip("HEAD");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}:\n{}", text(&output));
    assert_ne!(repo.tip("HEAD"), before, "{command:?} made no commit");
}

/// Commits of all of the index, of parts of it, and of what is not in it yet.
#[track_caller]
pub fn commits(repo: &Repo) {
    let commit = |more: &[&str]| git(repo, &[&["commit", "--quiet", "--message=x"], more].concat());

    // What is staged, whatever the files are.
    repo.write("c.py", BROKEN);
    repo.git(&["add", "c.py"]);
    refused(repo, &mut commit(&[]), "c.py");
    repo.write("c.py", SOUND);
    refused(repo, &mut commit(&[]), "c.py");
    repo.git(&["add", "c.py"]);
    repo.write("c.py", BROKEN);
    passes(repo, &mut commit(&[]));
    assert_eq!(repo.blob("HEAD", "c.py"), SOUND.as_bytes());
    assert_eq!(std::fs::read(repo.dir.join("c.py")).unwrap(), BROKEN.as_bytes());

    // A temporary index: all that is changed, a part of it.
    refused(repo, &mut commit(&["--all"]), "c.py");
    repo.write("b.py", "B = 2\n");
    refused(repo, &mut commit(&["--", "c.py"]), "c.py");
    repo.write("d.py", BROKEN);
    repo.git(&["add", "d.py"]);
    passes(repo, &mut commit(&["--", "b.py"]));
    assert_eq!(repo.git(&["status", "--porcelain"]), " M c.py\nA  d.py");
    repo.git(&["rm", "--quiet", "--force", "d.py"]);
    repo.write("c.py", "def f():\n    return 2\n");
    passes(repo, &mut commit(&["--all"]));

    // Amending.
    repo.write("b.py", BROKEN);
    refused(repo, &mut commit(&["--all", "--amend"]), "b.py");
    repo.git(&["checkout", "--quiet", "b.py"]);
    passes(repo, &mut commit(&["--amend", "--reset-author", "--date=2001-02-03T04:05:06", "--message=y"]));
}

/// Merges: of two sound sides that are broken together, of a side that was broken before, and others.
#[track_caller]
pub fn merges(repo: &Repo) {
    let side = |name: &str, gone: &str| {
        repo.git(&["checkout", "--quiet", "-B", name, "start"]);
        repo.write("a.py", LONG.replace(gone, ""));
        repo.git(&["commit", "--quiet", "--all", "--message", name]);
    };
    repo.git(&["branch", "start"]);
    side("first", "    one = 1\n");
    side("second", "    two = 2\n");
    let output = git(repo, &["merge", "--no-edit", "first"]).output().unwrap();
    assert!(!output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("error: 'a.py' does not parse"), "{}", text(&output));
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "second");
    repo.git(&["reset", "--quiet", "--hard"]);

    repo.git(&["checkout", "--quiet", "-b", "third", "start"]);
    repo.write("e.py", BROKEN);
    repo.git(&["add", "e.py"]);
    repo.git(&["commit", "--quiet", "--no-verify", "--message=broken"]);
    repo.git(&["checkout", "--quiet", "second"]);
    passes(repo, &mut git(repo, &["merge", "--quiet", "--no-edit", "third"]));
}

/// A rebase, which takes commits as they are, and in which one is stopped at and changed.
#[track_caller]
pub fn rebases(repo: &Repo) {
    repo.git(&["checkout", "--quiet", "-B", "onto", "start"]);
    repo.write("b.py", "B = 3\n");
    repo.git(&["commit", "--quiet", "--all", "--message=onto"]);
    repo.git(&["checkout", "--quiet", "-b", "moved", "first"]);
    repo.write("g.py", BROKEN);
    repo.git(&["add", "g.py"]);
    repo.git(&["commit", "--quiet", "--no-verify", "--message=broken"]);
    passes(repo, &mut git(repo, &["rebase", "--quiet", "onto"]));
    let edit = "sed -i.bak s/^pick/edit/";
    passes(repo, git(repo, &["rebase", "--quiet", "--interactive", "HEAD~2"]).env("GIT_SEQUENCE_EDITOR", edit));
    repo.write("b.py", BROKEN);
    refused(repo, &mut git(repo, &["commit", "--quiet", "--all", "--amend", "--no-edit"]), "b.py");
    repo.git(&["checkout", "--quiet", "b.py"]);
    for _ in 0..2 {
        let output = git(repo, &["rebase", "--continue"]).env("GIT_EDITOR", ":").output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
    }
    assert_eq!(repo.git(&["log", "--format=%s", "-3"]), "broken\nfirst\nonto");
}
