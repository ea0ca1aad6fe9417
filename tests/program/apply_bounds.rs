//! What is read has bounds: a reply, a file or a design may be anything. Through the program, with little memory and little
//! time.

use crate::repo::{self, Ended, Repo};
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::process::Command;

const CHANGE: &str = "FIND:\n```\na = 1\n```\nREPLACE WITH:\n```\na = 2\n```\n";

/// More than may be read, and more than there is memory for. It takes no room on the disk.
const HUGE: u64 = 1100 << 20;

fn world() -> Repo {
    let repo = Repo::of(&[("a.py", "a = 1\n")]);
    repo::write(&repo.place("reply"), CHANGE);
    huge(&repo.place("huge"));
    repo
}

fn huge(place: &Path) {
    File::create(place).unwrap().set_len(HUGE).unwrap();
}

/// The program with a gigabyte and a half of addresses, of which its allocator takes one at the start, and a minute.
fn bounded(repo: &Repo) -> Command {
    let mut command = repo.command("sh");
    command.args(["-c", "ulimit -v 1500000; exec timeout 60 \"$0\" \"$@\"", env!("CARGO_BIN_EXE_git-implement")]);
    command
}

#[track_caller]
fn says(command: &mut Command, status: i32, words: &str) -> Ended {
    let ended = Ended::of(command);
    assert_eq!(ended.status, Some(status), "{ended}");
    assert!(ended.err.contains(words), "no '{words}' in\n{ended}");
    ended
}

#[test]
fn a_reply_or_a_file_that_is_too_large_is_refused_before_it_is_in_memory() {
    let repo = world();
    let (reply, huge) = (repo.place("reply"), repo.place("huge"));
    let too_large = |name: &Path| format!("cannot read '{}': it is larger than 64 MiB", name.display());
    says(bounded(&repo).args(["apply", "--target", "a.py"]).arg(&huge), 128, &too_large(&huge));
    says(bounded(&repo).args(["apply", "--index"]).arg(&huge), 128, &too_large(&huge));
    says(bounded(&repo).args(["apply", "--target"]).arg(&huge).arg(&reply), 128, &too_large(&huge));
    says(bounded(&repo).args(["apply", "--target", "a.py", "--base"]).arg(&huge).arg(&reply), 128, &too_large(&huge));
    let from_stdin = "cannot read 'standard input': it is larger than 64 MiB";
    says(bounded(&repo).args(["apply", "--target", "a.py", "-"]).stdin(File::open(&huge).unwrap()), 128, from_stdin);
    // A file that a reply names.
    self::huge(&repo.dir.join("big.py"));
    repo::write(&reply, "*** Begin Patch\n*** Update File: big.py\n@@\n-a\n+b\n*** End Patch\n");
    let words = "cannot apply to 'big.py': it is larger than 64 MiB";
    says(bounded(&repo).args(["apply", "--worktree"]).arg(&reply), 1, words);
}

#[test]
fn a_request_that_is_too_long_a_line_gets_its_answer_and_so_does_the_next() {
    let repo = world();
    let requests = repo.place("huge");
    let line = serde_json::json!({"id": 2, "target": "a.py", "base": "a = 1\n", "reply": CHANGE}).to_string();
    use std::io::{Seek, Write};
    let mut file = File::options().write(true).open(&requests).unwrap();
    file.seek(std::io::SeekFrom::End(0)).unwrap();
    writeln!(file, "\n{line}").unwrap();
    let ended = says(bounded(&repo).args(["apply", "--jsonl"]).stdin(File::open(&requests).unwrap()), 0, "");
    let answers: Vec<Value> = ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let message = "cannot read the request: it is larger than 128 MiB";
    assert_eq!(answers.len(), 2, "{ended}");
    assert_eq!((&answers[0]["findings"][0]["message"], &answers[0]["id"]), (&message.into(), &Value::Null));
    assert_eq!((&answers[1]["text"], &answers[1]["id"]), (&"a = 2\n".into(), &2.into()));
}

#[test]
fn a_design_that_is_too_large_is_refused_on_disk_in_a_commit_and_without_a_repository() {
    let repo = world();
    huge(&repo.dir.join("huge.md"));
    let words = "cannot read the design 'huge.md': it is larger than 16 MiB";
    says(bounded(&repo).args(["plan", "huge.md"]), 128, words);
    let bare = says(bounded(&repo).args(["plan", "--no-repo", "huge.md"]), 128, "it is larger than 16 MiB");
    assert!(bare.err.contains("huge.md"), "{bare}");
    std::fs::remove_file(repo.dir.join("huge.md")).unwrap();
    repo.write("large.md", vec![b'\n'; (16 << 20) + 1]);
    repo.commit("large");
    let words = "cannot read the design 'HEAD:large.md': it is larger than 16 MiB";
    says(bounded(&repo).args(["plan", "HEAD:large.md"]), 128, words);
}

#[test]
fn a_pipe_or_a_device_in_the_place_of_a_file_is_not_waited_for() {
    let repo = world();
    let pipe = repo.dir.join("pipe.md");
    assert!(repo.command("mkfifo").arg(&pipe).status().unwrap().success());
    let no_file = "it is not a regular file";
    for place in [pipe.to_str().unwrap(), "/dev/zero", "/dev/tty"] {
        says(bounded(&repo).args(["apply", "--target", "a.py", place]), 128, no_file);
        says(bounded(&repo).args(["apply", "--target", place, "../reply"]), 128, no_file);
        says(bounded(&repo).args(["plan", "--no-repo", place]), 128, no_file);
    }
    says(bounded(&repo).args(["plan", "pipe.md"]), 128, no_file);
    // What the shell has opened is read.
    let mut bash = repo.command("bash");
    bash.args(["-c", "\"$0\" apply --target a.py <(cat ../reply)", env!("CARGO_BIN_EXE_git-implement")]);
    assert_eq!(says(&mut bash, 0, "").out, "a = 2\n");
}
