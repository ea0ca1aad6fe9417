//! What goes on beside a run: `git gc`, other runs, a full disk; and what would stop it at its end, which it finds before
//! anybody is asked.

use crate::repo::{Ran, Repo};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

const MODULE: &str = "import sys\n\n\ndef say():\n    return sys.argv\n";

/// A repository with a design of this many new files, all with one answer.
fn repo(files: usize) -> Repo {
    let rows: String = (1..=files).map(|number| format!("| src/{number}.py | Add | Number {number} |\n")).collect();
    let design = format!("# 7 - Modules\n\n## Files\n\n| File | Change | Description |\n|---|---|---|\n{rows}");
    let repo = Repo::of(&[("docs/lld/7.md", &design), ("README.md", "# Demo\n"), ("src/a.py", MODULE)]);
    for number in 1..=files {
        repo.answer(&format!("src/{number}.py"), format!("```python\n{MODULE}N = {number}\n```\n"));
    }
    repo
}

const GC: &str = "git -C \"$REPO\" gc --quiet --prune=now";

#[test]
fn what_is_staged_and_in_no_commit_yet_survives_gc() {
    let mut repo = repo(4);
    let place = repo.dir.to_str().unwrap().to_owned();
    repo.set("REPO", place);
    for number in 1..=4 {
        repo.before(&format!("src/{number}.py"), GC);
    }
    // Not by `implement`, which compares what is the user's: gc writes there.
    let provider = repo.provider();
    let arguments = ["--provider", "command", "--command", &provider, "docs/lld/7.md", "--commit", "single"];
    let output = repo.process(&arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    repo.sound();
    repo.git(&["gc", "--quiet", "--prune=now"]);
    assert_eq!(repo.files("implement/7").len(), 7);
}

#[test]
fn runs_beside_a_gc_that_never_rests_are_published_whole() {
    let repo = repo(6);
    // Without the summary that every gc prints, and until it is told to stop.
    let script = "until [ -e \"$1\" ]; do git gc --quiet --prune=now; done";
    let stop = repo.place("stop");
    let mut gc = repo.command("sh");
    gc.args(["-c", script, "gc"]).arg(&stop).stdout(Stdio::null()).stderr(Stdio::null());
    let mut gc = gc.spawn().unwrap();
    let runs: Vec<_> = (0..12)
        .map(|number| {
            let provider = repo.provider();
            let branch = format!("made/{number}");
            let arguments =
                ["--provider", "command", "--command", &provider, "docs/lld/7.md", "--commit", "single", "-b", &branch];
            repo.process(&arguments).output().unwrap()
        })
        .collect();
    fs::write(&stop, "").unwrap();
    gc.wait().unwrap();
    for run in runs {
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
    repo.sound();
    for number in 0..12 {
        assert_eq!(repo.files(&format!("made/{number}")).len(), 9);
    }
}

#[test]
fn many_runs_that_start_at_once_are_all_published() {
    let repo = repo(1);
    for round in 0..3 {
        let start = |number: usize| {
            let (provider, branch) = (repo.provider(), format!("made/{round}-{number}"));
            let arguments = ["--provider", "command", "--command", &provider, "docs/lld/7.md", "-b", &branch];
            repo.process(&arguments).spawn().unwrap()
        };
        let runs: Vec<_> = (0..10).map(start).collect();
        for run in runs {
            let output = run.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
    assert_eq!(repo.git(&["for-each-ref", "refs/heads/made"]).lines().count(), 30);
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    assert!(!repo.git_dir().join("implement").exists() && !repo.git_dir().join("worktrees").exists());
}

#[test]
fn a_record_that_cannot_be_moved_stays_where_it_was_written() {
    let repo = repo(2);
    repo.answer("src/2.py", "No.\n");
    // Where records of failed runs are kept there is a file: nothing can be moved there.
    let failed = repo.failed("");
    let blocked = failed.to_str().unwrap().trim_end_matches('/').to_owned();
    repo.before("src/2.py", &format!("echo full >'{blocked}'"));
    let provider = repo.provider();
    let output = repo.process(&["--command", &provider, "docs/lld/7.md", "--repair", "0"]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("the record stays where it was written"), "{err}");
    let place = err.split("kept for --replay in '").nth(1).and_then(|rest| rest.split('\'').next()).expect(&err);
    let replies = || fs::read_dir(std::path::Path::new(place).join("replies")).unwrap().count();
    assert_eq!(replies(), 2);
    assert!(!repo.git_dir().join("worktrees").exists());
    // The next run cannot move it either, and leaves it; the one after that can.
    repo.answer("src/2.py", format!("```python\n{MODULE}```\n"));
    repo.before("src/2.py", ":");
    let again = |branch: &str| {
        let arguments = ["--provider", "command", "--command", &provider, "docs/lld/7.md", "-b", branch];
        assert!(repo.process(&arguments).output().unwrap().status.success());
    };
    again("one");
    assert_eq!(replies(), 2);
    fs::remove_file(&blocked).unwrap();
    again("two");
    assert!(!std::path::Path::new(place).exists());
    let kept = fs::read_dir(repo.failed("")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs::read_dir(kept.join("replies")).unwrap().count(), 2);
}

/// Ends with this, and nobody was asked.
#[track_caller]
fn found_before_anybody_is_asked<'a>(repo: &Repo, ran: &'a Ran, status: i32) -> &'a Ran {
    ran.refused(status);
    assert!(ran.failed.is_empty(), "{ran}");
    assert_eq!(repo.asked(), Vec::<String>::new(), "{ran}");
    ran
}

#[test]
fn a_lock_on_a_ref_is_found_before_anybody_is_asked() {
    let repo = repo(1);
    let lock = repo.git_dir().join("refs/heads/implement/7.lock");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    fs::write(&lock, "").unwrap();
    let ran = repo.implement(&["docs/lld/7.md"]);
    found_before_anybody_is_asked(&repo, &ran, 128).says("7.lock").says("hint: if no other git is at work");
    fs::remove_file(&lock).unwrap();
    repo.implement(&["docs/lld/7.md"]).published("implement/7");
}

#[test]
fn a_ref_in_the_way_of_records_is_found_before_anybody_is_asked() {
    let repo = repo(1);
    repo.git(&["update-ref", "refs/implement", "HEAD"]);
    let ran = repo.implement(&["docs/lld/7.md"]);
    found_before_anybody_is_asked(&repo, &ran, 128).says("'refs/implement' exists").says("hint: rename or delete");
}

#[test]
fn a_hook_that_will_abort_the_transaction_is_found_before_anybody_is_asked() {
    let repo = repo(1);
    repo.hook("reference-transaction", "[ \"$1\" != prepared ]");
    let ran = repo.implement(&["docs/lld/7.md"]);
    found_before_anybody_is_asked(&repo, &ran, 1).says("reference-transaction");
}

#[test]
fn a_signature_that_cannot_be_made_is_found_before_anybody_is_asked() {
    let repo = repo(1);
    repo.program("../signer", "#!/bin/sh\necho 'no secret key' >&2\nexit 1\n");
    repo.git(&["config", "gpg.program", repo.place("signer").to_str().unwrap()]);
    repo.git(&["config", "commit.gpgSign", "true"]);
    let objects = repo.git(&["count-objects"]);
    let ran = repo.implement(&["docs/lld/7.md"]);
    found_before_anybody_is_asked(&repo, &ran, 128).says("cannot sign the commit");
    assert_eq!(repo.git(&["count-objects"]), objects, "the trial leaves no object");
    repo.implement(&["docs/lld/7.md", "--no-gpg-sign"]).published("implement/7");
}

#[test]
fn a_filter_that_fails_is_found_before_anybody_is_asked_where_a_hook_wants_the_files() {
    let repo = repo(1);
    repo.write(".gitattributes", "*.bin filter=large\n");
    repo.write("model.bin", "pointer\n");
    repo.commit("a large file");
    repo.git(&["config", "filter.large.smudge", "false"]);
    repo.git(&["config", "filter.large.required", "true"]);
    repo.hook("pre-commit", "exit 0");
    let ran = repo.implement(&["docs/lld/7.md"]);
    found_before_anybody_is_asked(&repo, &ran, 128).says("cannot check out the files for your pre-commit hook");
    // Without a hook nobody wants the files.
    repo.implement(&["docs/lld/7.md", "--no-verify"]).published("implement/7");
}

#[test]
fn a_place_for_recorded_replies_that_cannot_be_made_is_found_before_anybody_is_asked() {
    let repo = repo(1);
    fs::write(repo.place("file"), "").unwrap();
    let place = repo.place("file/replies");
    let ran = repo.implement(&["docs/lld/7.md", "--record", place.to_str().unwrap()]);
    found_before_anybody_is_asked(&repo, &ran, 128).says("cannot record replies in");
}

#[test]
fn objects_that_cannot_be_written_are_found_before_anybody_is_asked() {
    let repo = repo(1);
    let objects = repo.git_dir().join("objects");
    let fan_out = fs::read_dir(&objects).unwrap().flatten().map(|entry| entry.path());
    let fan_out = fan_out.into_iter().find(|path| path.file_name().unwrap().len() == 2).unwrap();
    // Who is root may write everywhere, and then a file in the place of a directory must do.
    fs::set_permissions(&fan_out, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(fan_out.join("probe"), "").is_ok() {
        fs::remove_file(fan_out.join("probe")).unwrap();
        fs::set_permissions(&fan_out, fs::Permissions::from_mode(0o755)).unwrap();
        let free = (0..=255).map(|byte| objects.join(format!("{byte:02x}"))).find(|path| !path.exists()).unwrap();
        fs::write(&free, "").unwrap();
    }
    let ran = repo.implement(&["docs/lld/7.md"]);
    found_before_anybody_is_asked(&repo, &ran, 128).says("cannot write objects into");
    fs::set_permissions(&fan_out, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_disk_without_room_is_found_before_anybody_is_asked() {
    let repo = repo(1);
    let (provider, log) = (repo.provider(), repo.place("calls"));
    // As if nothing were free: of the kernel's answer, f_bavail, after the magic number, the block size and two counts.
    let answer = format!("statfs:poke_exit=@arg2={}", poked());
    let mut command = repo.command("strace");
    command.args(["-f", "-qq", "-o"]).arg(log).args(["-e", "trace=statfs", "-e", &format!("inject={answer}")]);
    command.arg(env!("CARGO_BIN_EXE_git-implement"));
    command.args(["--provider", "command", "--command", &provider, "docs/lld/7.md"]);
    let output = command.output().expect("strace is installed");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(128), "{err}");
    assert!(err.contains("fatal: no room in '") && err.contains("and 0 MB are free"), "{err}");
    assert_eq!(repo.asked(), Vec::<String>::new());
}

/// A `struct statfs` of ext4 with a million blocks of 4 KiB, none free.
fn poked() -> String {
    let words: [u64; 11] = [0xef53, 4096, 1 << 20, 0, 0, 1 << 20, 1 << 20, 0, 255, 4096, 0];
    words.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_lock_that_a_killed_run_left_on_its_branch_is_removed_by_the_next() {
    let repo = repo(1);
    // What a run leaves that dies as git moves the refs: its lock free, its intent written down, its branch locked.
    let directory = repo.git_dir().join("implement/20260102T030405Z-abcdef");
    fs::create_dir_all(directory.join("journal/replies")).unwrap();
    fs::write(directory.join("journal/replies/1.json"), "{}").unwrap();
    fs::write(directory.join("lock"), "").unwrap();
    let (tip, none) = (repo.tip("HEAD"), "0".repeat(40));
    fs::write(
        directory.join("publishing"),
        format!("refs/implement/runs/20260102T030405Z-abcdef {tip} {none}\nrefs/heads/implement/7 {tip} {none}\n"),
    )
    .unwrap();
    let heads = repo.git_dir().join("refs/heads/implement");
    fs::create_dir_all(&heads).unwrap();
    fs::write(heads.join("7.lock"), format!("{tip}\n")).unwrap();
    let ran = repo.implement(&["docs/lld/7.md"]);
    assert_eq!(ran.failed, ["20260102T030405Z-abcdef"], "the journal is kept");
    assert_eq!(ran.status, Some(0), "{ran}");
    assert!(!heads.join("7.lock").exists());
}

#[test]
fn where_runs_lie_a_link_is_not_followed() {
    let repo = repo(1);
    let elsewhere = repo.place("elsewhere");
    fs::create_dir_all(elsewhere.join("failed/mine/x")).unwrap();
    fs::write(elsewhere.join("failed/mine/x/file"), "mine").unwrap();
    fs::create_dir_all(elsewhere.join(".draft-mine")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, repo.git_dir().join("implement")).unwrap();
    let provider = repo.provider();
    let run = || {
        let arguments = ["--provider", "command", "--command", &provider, "docs/lld/7.md"];
        let output = repo.process(&arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, err) = run();
    assert_eq!(status, Some(128), "{err}");
    assert!(err.contains("it is a symbolic link") && repo.asked().is_empty(), "{err}");
    assert!(elsewhere.join("failed/mine/x/file").exists() && elsewhere.join(".draft-mine").exists());
    // The same one floor down, where the record of a failed run would be moved: nobody is paid for what cannot be kept.
    fs::remove_file(repo.git_dir().join("implement")).unwrap();
    fs::create_dir(repo.git_dir().join("implement")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, repo.git_dir().join("implement/failed")).unwrap();
    repo.answer("src/1.py", "No.\n");
    let (status, err) = run();
    assert_eq!(status, Some(128), "{err}");
    assert!(err.contains("it is a symbolic link") && repo.asked().is_empty(), "{err}");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 2, "nothing came or went");
}
