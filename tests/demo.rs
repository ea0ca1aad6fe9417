//! The demo: what a newcomer sees first runs on recorded replies, which go stale with every change of a prompt.
#![cfg(feature = "cli")]

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const PLANNED: [&str; 4] = ["ledger/journal.py", "ledger/budget.py", "ledger/cli.py", "tests/test_budget.py"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo")
}

/// The program, with nothing of the person's who runs the tests.
fn program() -> Command {
    let mut command = Command::cargo_bin("git-implement").unwrap();
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", "/nonexistent");
    command
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    let Output { status, stdout, stderr } = git.args(arguments).current_dir(root).output().unwrap();
    assert!(status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

#[test]
fn the_demo_makes_a_branch_of_checked_commits_from_its_recorded_replies() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("demo");
    let run = program().arg("demo").arg(&root).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(
        run.status.code(),
        Some(0),
        "if the recorded replies are stale, record them again:\n\
         cargo test --test demo -- --ignored\n{said}"
    );
    let subjects = git(&root, &["log", "--reverse", "--format=%s", "main..implement/7"]);
    assert_eq!(
        subjects.lines().collect::<Vec<_>>(),
        ["Modify ledger/journal.py", "Add ledger/budget.py", "Modify ledger/cli.py", "Add tests/test_budget.py"]
    );
    assert!(git(&root, &["show", "implement/7:ledger/budget.py"]).contains("def "));
    assert_eq!(git(&root, &["status", "--porcelain"]), "");
    let shown = String::from_utf8(run.stdout).unwrap();
    assert!(shown.contains("git log -p --reverse"), "it says how to look at the branch: {shown}");
}

#[test]
fn the_demos_module_is_large_enough_to_be_modified_by_edits() {
    let module = fs::read_to_string(fixtures().join("repo/ledger/journal.py")).unwrap();
    assert!(module.lines().count() > 800 && module.len() > 15_000);
}

#[test]
fn a_folder_that_is_not_empty_is_not_made_a_demo_of() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine"), "x").unwrap();
    let run = program().arg("demo").arg(folder.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(128));
    assert!(String::from_utf8_lossy(&run.stderr).contains("is not empty"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Not a test of the program: run it by name, with `--ignored`, after a change of a prompt, of the demo's repository
/// or of its answers.
#[test]
#[ignore = "records the demo's replies again"]
fn record_the_demos_replies_again() {
    let fixtures = fixtures();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("demo");
    // Stale replies fail, but the repository is made before that.
    program().arg("demo").arg(&root).output().unwrap();
    let branches = git(&root, &["branch", "--list", "implement/7"]);
    if !branches.is_empty() {
        git(&root, &["branch", "-D", "implement/7"]);
    }
    let answer =
        format!("sh -c 'cat >/dev/null; cat \"{}/$GIT_IMPLEMENT_PATH.md\"'", fixtures.join("answers").display());
    let replies = fixtures.join("replies");
    let _ = fs::remove_dir_all(&replies);
    let run = program()
        .args(["--command", &answer, "--yes", "--record"])
        .arg(&replies)
        .arg("docs/lld/7.md")
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(fs::read_dir(&replies).unwrap().count(), PLANNED.len());
}
