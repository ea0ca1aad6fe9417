//! `git implement apply` killed at each of its system calls that change something: whoever comes next finds everything as
//! it was, or everything done. `strace` does the killing, so that nothing in the program is there for the test.

use crate::repo::{self, Repo};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

/// The calls at which a process may be killed to some effect. One that opens a file is followed by one that writes it.
const CALLS: &[&str] = &[
    "mkdir",
    "rmdir",
    "unlink",
    "unlinkat",
    "rename",
    "renameat2",
    "link",
    "linkat",
    "write",
    "fchmod",
    "ftruncate",
    "copy_file_range",
    "sendfile",
    "fsync",
];

const REPLY: &str = "*** Begin Patch
*** Update File: src/a.py
@@
-a = 1
+a = 2
*** Delete File: docs/only.md
*** Add File: src/new/deep/c.py
+c = 1
*** Update File: run.sh
*** Move to: bin/go
@@
-echo 1
+echo 2
*** End Patch
";

/// A reply that finds everything as it wants it.
const NOTHING: &str = "*** Begin Patch\n*** Update File: README\n@@\n end\n*** End Patch\n";

pub fn world() -> Repo {
    let repo = Repo::unborn();
    for (path, text) in [("src/a.py", "a = 1\nb = 1\n"), ("docs/only.md", "text\n"), ("README", "end\n")] {
        repo.write(path, text);
    }
    repo.program("run.sh", "#!/bin/sh\necho 1\n");
    // Nothing that git makes of a template is looked at here.
    fs::remove_dir_all(repo.dir.join(".git/hooks")).unwrap();
    repo.commit("base");
    // Journals are to be on the disk before they count.
    repo.git(&["config", "core.fsync", "all"]);
    repo::write(&repo.place("reply"), REPLY);
    repo::write(&repo.place("nothing"), NOTHING);
    repo
}

/// Every file below the repository but objects, with its mode; of `.git` the names alone. And what the index has.
pub fn state(repo: &Repo) -> (BTreeMap<String, String>, String) {
    let mut files = BTreeMap::new();
    let mut folders = vec![repo.dir.clone()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let data = path.symlink_metadata().unwrap();
            let name = path.strip_prefix(&repo.dir).unwrap().display().to_string();
            let inside = name.starts_with(".git/");
            if data.is_dir() && name != ".git/objects" {
                folders.push(path);
                files.insert(name, "directory".to_owned());
            } else if data.is_file() {
                let text = if inside { String::new() } else { fs::read_to_string(&path).unwrap() };
                files.insert(name, format!("{:o} {text}", if inside { 0 } else { data.permissions().mode() }));
            }
        }
    }
    (files, repo.git(&["ls-files", "--stage"]))
}

pub fn apply(repo: &Repo, mode: &str, reply: &str) -> repo::Ended {
    repo::Ended::of(&mut repo.process(&["apply", mode, repo.place(reply).to_str().unwrap()]))
}

/// Is the process killed before its `n`th call of this kind?
fn killed(repo: &Repo, mode: &str, call: &str, n: usize) -> bool {
    let mut strace = repo.command("strace");
    strace.args(["--quiet=all", "--output=/dev/null"]);
    strace.arg(format!("--trace={call}")).arg(format!("--inject={call}:signal=SIGKILL:when={n}"));
    strace.arg(env!("CARGO_BIN_EXE_git-implement")).args(["apply", mode]).arg(repo.place("reply"));
    let output = strace.output().expect("strace");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match (output.status.code(), output.status.signal()) {
        (Some(0), _) => false,
        (_, Some(9)) => true,
        other => panic!("{mode} {call} {n}: {other:?}\n{said}"),
    }
}

/// The repository again as it was when it was made.
fn restore(repo: &Repo) {
    fs::remove_dir_all(&repo.dir).unwrap();
    let copied = std::process::Command::new("cp").arg("-a").arg(repo.place("pristine")).arg(&repo.dir).status();
    assert!(copied.unwrap().success());
}

#[test]
fn a_kill_at_any_call_leaves_nothing_half_done_for_the_next_one() {
    let repo = world();
    fs::rename(&repo.dir, repo.place("pristine")).unwrap();
    fs::create_dir(&repo.dir).unwrap();
    for mode in ["--index", "--worktree", "--cached"] {
        restore(&repo);
        let before = state(&repo);
        assert!(!killed(&repo, mode, "rename", 60_000));
        let after = state(&repo);
        assert_ne!(before, after);
        let mut kills = 0;
        let mut taken_back = 0;
        for call in CALLS {
            for n in 1.. {
                restore(&repo);
                if !killed(&repo, mode, call, n) {
                    break;
                }
                kills += 1;
                let case = format!("{mode}, {call} {n}");
                no_file_of_ours_is_added(&repo, &case);
                // Whatever the next one is for, and in whichever mode.
                let next = apply(&repo, if n % 2 == 0 { "--worktree" } else { "--index" }, "nothing");
                assert_eq!(next.status, Some(0), "{case}\n{next}");
                let now = state(&repo);
                assert!(now == before || now == after, "{case}\n{next}\n{now:#?}");
                assert!(next.err.is_empty() || next.err.lines().count() == 1, "{case}\n{next}");
                taken_back += usize::from(next.err.contains("is taken back"));
                if now == before {
                    let again = apply(&repo, mode, "reply");
                    assert_eq!((again.status, again.err.as_str()), (Some(0), ""), "{case}\n{again}");
                }
                assert_eq!(state(&repo), after, "{case}");
            }
        }
        assert!(kills >= if mode == "--cached" { 5 } else { 30 }, "{mode}: {kills}");
        assert_eq!(taken_back > 5, mode != "--cached", "{mode}: {taken_back}");
    }
}

/// 'git add --all' takes the planned files and nothing else, whenever the process was killed.
#[track_caller]
pub fn no_file_of_ours_is_added(repo: &Repo, case: &str) {
    let status = repo.git(&["status", "--porcelain", "--untracked-files=all"]);
    let strange = |line: &&str| {
        let path = line[3..].rsplit(" -> ").next().unwrap_or_default();
        !["src/a.py", "docs/only.md", "src/new/deep/c.py", "run.sh", "bin/go"].contains(&path)
    };
    assert_eq!(status.lines().filter(strange).collect::<Vec<_>>(), Vec::<&str>::new(), "{case}");
}

#[test]
fn a_kill_outside_every_repository_is_put_right_as_well() {
    let repo = world();
    let folder = repo.place("plain");
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::create_dir(folder.join("docs")).unwrap();
    let files = ["src/a.py", "docs/only.md", "README", "run.sh"];
    let copy = || files.map(|path| fs::copy(repo.dir.join(path), folder.join(path)).unwrap());
    copy();
    let before = repo::tree(&folder);
    let mut taken_back = 0;
    for n in 1.. {
        let mut strace = repo.command("strace");
        strace.args(["--quiet=all", "--output=/dev/null", "--trace=link,linkat,rename"]).current_dir(&folder);
        strace.arg(format!("--inject=linkat,link,rename:signal=SIGKILL:when={n}"));
        strace.arg(env!("CARGO_BIN_EXE_git-implement")).args(["apply", "--worktree", "../reply"]);
        if strace.status().unwrap().success() {
            break;
        }
        let mut next = repo.process(&["apply", "--worktree", "../nothing"]);
        let next = repo::Ended::of(next.current_dir(&folder));
        assert_eq!(next.status, Some(0), "{n}\n{next}");
        assert_eq!(repo::tree(&folder), before, "{n}\n{next}");
        assert!(!folder.join(".git-implement").exists());
        taken_back += usize::from(next.err.contains("is taken back"));
    }
    assert!(taken_back > 2, "{taken_back}");
}

#[test]
fn what_somebody_has_changed_since_the_kill_stays_and_the_old_text_is_kept() {
    // Killed when the first file has been renamed and the second is about to be.
    let repo = (1..)
        .map(|n| {
            let repo = world();
            assert!(killed(&repo, "--worktree", "rename", n), "never in the middle");
            repo
        })
        .find(|repo| fs::read_to_string(repo.dir.join("src/a.py")).unwrap().contains("a = 2"))
        .unwrap();
    repo.write("src/a.py", "mine\n");
    let next = apply(&repo, "--worktree", "nothing");
    assert_eq!(next.status, Some(0), "{next}");
    assert!(next.err.contains("is taken back, but not in 'src/a.py', which somebody has changed since"), "{next}");
    assert_eq!(fs::read_to_string(repo.dir.join("src/a.py")).unwrap(), "mine\n");
    assert_eq!(fs::read_to_string(repo.dir.join("docs/only.md")).unwrap(), "text\n");
    let kept = repo::tree(&repo.dir.join(".git/implement"));
    assert_eq!(kept.values().map(|text| String::from_utf8_lossy(text)).collect::<Vec<_>>(), ["a = 1\nb = 1\n"]);
    assert!(next.err.contains(".git/implement/apply-kept-1"), "{next}");
    // It is said once.
    let after = apply(&repo, "--worktree", "nothing");
    assert_eq!((after.status, after.err.as_str()), (Some(0), ""), "{after}");
}

#[test]
fn a_lock_of_git_itself_is_not_taken_for_ours() {
    let repo = world();
    repo.write(".git/index.lock", "");
    let refused = apply(&repo, "--index", "reply");
    assert_eq!(refused.status, Some(128), "{refused}");
    assert!(refused.err.contains("index.lock': it exists"), "{refused}");
    assert!(repo.dir.join(".git/index.lock").exists());
    assert!(!repo.dir.join(".git/implement").exists());
}

#[test]
fn a_link_in_the_place_of_the_journal_is_refused_and_nothing_behind_it_is_touched() {
    let repo = world();
    let victim = repo.place("victim");
    repo::write(&victim.join("apply/journal"), "precious");
    std::os::unix::fs::symlink(&victim, repo.dir.join(".git/implement")).unwrap();
    for mode in ["--index", "--worktree", "--cached"] {
        let refused = apply(&repo, mode, "reply");
        assert_eq!(refused.status, Some(128), "{refused}");
        assert!(refused.err.contains("is a symbolic link"), "{refused}");
    }
    assert_eq!(fs::read_to_string(Path::new(&victim).join("apply/journal")).unwrap(), "precious");
    assert!(!repo.dir.join(".git/index.lock").exists());
}
