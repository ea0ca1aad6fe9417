//! What reading never does: fetch, or run anything that a repository's configuration names. And whose repository it reads:
//! the one that git itself would, and only if git would.

use crate::repo::{Ran, Repo};
use serde_json::Value;
use std::path::PathBuf;

const DESIGN: &str = "# 3 - Two\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n";

/// Everything that reads, in a repository with a design `docs/3.md` and a reply `reply.md` for `src/a.py`.
const READING: &[&[&str]] = &[
    &["check"],
    &["check", "HEAD"],
    &["check", "HEAD~1.."],
    &["check", "."],
    &["plan", "docs/3.md"],
    &["-n", "docs/3.md"],
    &["apply", "--target", "src/a.py", "reply.md"],
    &["apply", "--target", "src/a.py", "--check", "--json", "reply.md"],
];

/// A repository in which every configured program leaves a file beside it when it runs.
fn hostile() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN), ("src/old.py", "B = 1\nC = 1\nD = 1\n")]);
    repo.write("src/a.py", "A = 2\n");
    repo.git(&["mv", "src/old.py", "src/new.py"]);
    repo.write("src/new.py", "B = 1\nC = 1\nD = 2\n");
    repo.commit("two\n\nImplement-Run: 20260102-030405-abcd");
    // What is signed, some would verify.
    let unsigned = repo.git(&["cat-file", "commit", "HEAD"]);
    let signature = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n";
    std::fs::write(repo.place("commit"), unsigned.replacen("\n\n", signature, 1) + "\n").unwrap();
    let signed = repo.git(&["hash-object", "-t", "commit", "-w", repo.place("commit").to_str().unwrap()]);
    repo.git(&["reset", "--quiet", "--hard", &signed]);
    repo.git(&["update-ref", "refs/implement/runs/x", "HEAD"]);
    repo.write("reply.md", "src/a.py:\n```python\nA = 3\n```\n");
    let touch = format!("touch '{}'; false", ran(&repo).display());
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.askPass",
        "core.pager",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "gpg.program",
        "gpg.ssh.defaultKeyCommand",
        "remote.origin.uploadpack",
        "trailer.implement-run.command",
        "pager.grep",
        "pager.log",
    ] {
        repo.git(&["config", key, &touch]);
    }
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("log.showSignature", "true"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "."),
        ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ] {
        repo.git(&["config", key, value]);
    }
    std::fs::write(repo.dir.join(".git/info/attributes"), "* diff=evil\n").unwrap();
    repo
}

fn ran(repo: &Repo) -> PathBuf {
    repo.place("it ran")
}

/// Takes a loose object away, as a partial clone never had it.
fn lose(repo: &Repo, spec: &str) -> String {
    let id = repo.git(&["-c", "core.fsmonitor=false", "rev-parse", spec]);
    std::fs::remove_file(repo.dir.join(".git/objects").join(&id[..2]).join(&id[2..])).unwrap();
    id
}

/// Runs everything that reads; none of it may have run anything.
fn read_all(repo: &Repo) -> Vec<Ran> {
    let read = |arguments: &&[&str]| {
        let ran_here = repo.run(arguments);
        assert!(!ran(repo).exists(), "{arguments:?} ran a program\n{ran_here}");
        ran_here
    };
    READING.iter().map(read).collect()
}

#[test]
fn reading_runs_nothing_that_a_repository_configures() {
    let repo = hostile();
    for ran in read_all(&repo) {
        assert_eq!(ran.status, Some(0), "{ran}");
    }
}

#[test]
fn reading_fetches_nothing_and_names_what_is_missing() {
    let repo = hostile();
    let lost = [lose(&repo, "HEAD:src/a.py"), lose(&repo, "HEAD~1:src/old.py")];
    let all = read_all(&repo);
    for ran in &all[..3] {
        assert_eq!(ran.status, Some(0), "{ran}");
    }
    assert!(all[1].out.contains(&format!("cannot judge 'src/a.py': object {} is missing", lost[0])), "{}", all[1]);
    for ran in &all[4..6] {
        ran.refused(128).says(&format!("cannot read object {} of 'src/a.py': it is missing", lost[0]));
        ran.says("in a partial clone");
    }
    // The same where git is too old to be told not to.
    let mut repo = repo;
    let path = repo.variables["PATH"].clone();
    let git = std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap();
    let old = repo.place("old/git");
    repo.program(&old, &format!("#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '{}' \"$@\"\n", git.display()));
    repo.set("PATH", format!("{}:{path}", old.parent().unwrap().display()));
    for arguments in READING {
        let _ = repo.process(arguments).output().unwrap();
        assert!(!ran(&repo).exists(), "{arguments:?} ran a program");
    }
}

#[test]
fn making_commits_fetches_what_a_partial_clone_lacks() {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    let place = repo.place("clone");
    let url = format!("file://{}", repo.dir.display());
    repo.git(&["clone", "--quiet", "--no-checkout", "--filter=blob:none", &url, place.to_str().unwrap()]);
    let provider = repo.provider();
    let make = ["--provider", "command", "--command", &provider, "HEAD:docs/3.md"];
    let dry = repo.process(&[&make[..], &["-n"]].concat()).current_dir(&place).output().unwrap();
    assert_eq!(dry.status.code(), Some(128), "{}", String::from_utf8_lossy(&dry.stderr));
    let mut made = repo.process(&make);
    made.env("GIT_COMMITTER_NAME", "C").env("GIT_COMMITTER_EMAIL", "c@example.com");
    made.env("GIT_AUTHOR_NAME", "A").env("GIT_AUTHOR_EMAIL", "a@example.com");
    let made = made.current_dir(&place).output().unwrap();
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
}

/// `safe.*` counts only from outside the repository.
fn configure_person(repo: &mut Repo, text: &str) {
    std::fs::write(repo.place("gitconfig"), text).unwrap();
    repo.set("GIT_CONFIG_GLOBAL", repo.place("gitconfig").to_str().unwrap());
}

#[test]
fn a_bare_repository_inside_a_clone_is_used_only_if_git_would() {
    let mut repo = Repo::of(&[("a.py", "A = 1\n")]);
    let inner = repo.dir.join("tests/data/inner");
    repo.git(&["clone", "--quiet", "--bare", ".", inner.to_str().unwrap()]);
    repo.run_in(&inner, &["check", "HEAD"]).changed_nothing();
    configure_person(&mut repo, "[safe]\n\tbareRepository = explicit\n");
    for arguments in [&["check", "HEAD"][..], &["check"], &["plan", "HEAD:a.py"]] {
        repo.run_in(&inner, arguments).refused_at_once(128).says("cannot use bare repository");
    }
    repo.set("GIT_DIR", inner.to_str().unwrap());
    let named = repo.process(&["check", "HEAD"]).output().unwrap();
    assert_eq!(named.status.code(), Some(0), "{}", String::from_utf8_lossy(&named.stderr));
}

#[test]
fn whose_repository_may_be_used_is_what_git_says_however_it_is_told() {
    let mut repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    // libgit2 looks at the owner itself, git also at this variable. Only root can give a folder away.
    let _ = std::os::unix::fs::chown(&repo.dir, Some(65534), None);
    let _ = std::os::unix::fs::chown(repo.dir.join(".git"), Some(65534), None);
    repo.set("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let plan = ["plan", "--json", "docs/3.md"];
    repo.process(&plan).output().map(|output| assert_eq!(output.status.code(), Some(128))).unwrap();
    let alias = |repo: &Repo, arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_git-implement");
        let mut git = repo.command("git");
        git.args(["-c", "safe.directory=*", "-c", &format!("alias.made=!'{program}'"), "made"]).args(arguments);
        git.output().unwrap()
    };
    let provider = repo.provider();
    let make = ["--provider", "command", "--command", &provider, "docs/3.md"];
    for arguments in [&plan[..], &["check"], &["check", "HEAD"], &make] {
        let output = alias(&repo, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
    }
    for (name, value) in [("COUNT", "1"), ("KEY_0", "safe.directory"), ("VALUE_0", "*")] {
        repo.set(&format!("GIT_CONFIG_{name}"), value);
    }
    let ran = repo.run(&plan);
    ran.changed_nothing();
    let plan: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(plan["files"][0]["strategy"], "whole");
    repo.git(&["update-ref", "-d", "refs/heads/implement/3"]);
    repo.run(&make).published("implement/3");
}
