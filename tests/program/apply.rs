//! `git implement apply`: the program as other programs call it.

use crate::repo::{Ran, Repo};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

const CHANGE: &str = "### CHANGE 1: it\nFIND:\n```python\nA = 1\n```\nREPLACE WITH:\n```python\nA = 2\n```\n";

/// A folder that is no repository, with a target and replies.
fn folder() -> (Repo, std::path::PathBuf) {
    let repo = Repo::unborn();
    let folder = repo.place("tmp").parent().unwrap().join("outside");
    crate::repo::write(&folder.join("a.py"), "A = 1\r\nB = 1\r\n");
    crate::repo::write(&folder.join("change.md"), CHANGE);
    crate::repo::write(&folder.join("whole.md"), "```python\nA = 3\nB = 1\n```\n");
    crate::repo::write(&folder.join("same.md"), "```python\nA = 1\nB = 1\n```\n");
    crate::repo::write(&folder.join("words.md"), "I have written the file.\n");
    crate::repo::write(&folder.join("wrong.md"), "```python\ndef (\n```\n");
    (repo, folder)
}

#[track_caller]
fn apply(arguments: &[&str]) -> Ran {
    let (repo, folder) = folder();
    let before = crate::repo::tree(&folder);
    let ran = repo.run_in(&folder, &[&["apply"], arguments].concat());
    assert_eq!(crate::repo::tree(&folder), before, "nothing is written");
    ran
}

#[test]
fn the_new_text_is_on_stdout_with_the_bases_line_endings() {
    let ran = apply(&["--target", "a.py", "change.md"]);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "A = 2\r\nB = 1\r\n", ""));
    let ran = apply(&["--target", "a.py", "--format", "whole", "whole.md"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "A = 3\r\nB = 1\r\n"));
}

#[test]
fn a_base_may_be_given_or_denied() {
    let ran = apply(&["--target", "b.py", "--base", "a.py", "change.md"]);
    assert_eq!(ran.out, "A = 2\r\nB = 1\r\n");
    let ran = apply(&["--target", "a.py", "--no-base", "whole.md"]);
    assert_eq!(ran.out, "A = 3\nB = 1\n");
    let (repo, folder) = folder();
    let absolute = folder.join("a.py");
    let ran = repo.run_in(
        &repo.place("home"),
        &["apply", "--target", absolute.to_str().unwrap(), folder.join("change.md").to_str().unwrap()],
    );
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "A = 2\r\nB = 1\r\n"));
}

#[test]
fn a_refused_reply_leaves_stdout_empty_and_says_why() {
    let ran = apply(&["--target", "a.py", "words.md"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    ran.says("error: ").says("'a.py'");
    let ran = apply(&["--target", "a.py", "--format", "find-replace", "whole.md"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{ran}");
    let ran = apply(&["--target", ".", "whole.md"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    ran.says("cannot write to '.': it is a directory");
}

#[test]
fn gates_judge_only_when_they_are_asked_to() {
    assert_eq!(apply(&["--target", "c.py", "wrong.md"]).out, "def (\n");
    let ran = apply(&["--target", "c.py", "--check", "wrong.md"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    ran.says("error: c.py:1: 'c.py' does not parse");
    let ran = apply(&["--target", "c.py", "--check", "--allow", "syntax", "wrong.md"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "def (\n"), "{ran}");
}

#[test]
fn json_has_the_outcome_whatever_it_is() {
    let object =
        |ran: &Ran| -> Value { serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}")) };
    let applied = apply(&["--target", "a.py", "--json", "change.md"]);
    let edits = json!([{"line": 1, "lines": 1, "tier": "exact"}]);
    let expected = json!({"outcome": "applied", "format": "find-replace", "text": "A = 2\r\nB = 1\r\n", "edits": edits, "findings": []});
    assert_eq!((applied.status, object(&applied)), (Some(0), expected));
    let unchanged = apply(&["--target", "a.py", "--json", "same.md"]);
    let found = object(&unchanged);
    assert_eq!(
        (unchanged.status, &found["outcome"], &found["text"]),
        (Some(0), &"unchanged".into(), &"A = 1\r\nB = 1\r\n".into())
    );
    let refused = apply(&["--target", "a.py", "--json", "words.md"]);
    let found = object(&refused);
    assert_eq!((refused.status, &found["outcome"], &found["text"]), (Some(1), &"refused".into(), &Value::Null));
    assert_eq!(found["findings"][0]["severity"], "error");
}

/// The program with this on its standard input.
fn fed(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let (repo, folder) = folder();
    let mut process = repo.process(&[&["apply"], arguments].concat());
    let mut child = process.current_dir(folder).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_reply_may_come_on_stdin() {
    assert_eq!(fed(&["--target", "a.py", "-"], CHANGE), (Some(0), "A = 2\r\nB = 1\r\n".to_owned()));
}

#[test]
fn a_coprocess_answers_line_by_line_and_survives_what_it_cannot_read() {
    let request = |id: u32, base: Value, reply: &str| {
        json!({"id": id, "target": "a.py", "base": base, "reply": reply, "format": "auto"}).to_string()
    };
    let input = [
        request(1, "A = 1\n".into(), CHANGE),
        request(2, Value::Null, "```python\nx = 1\n```\n"),
        request(3, "A = 1\n".into(), "No.\n"),
        "this is not JSON".to_owned(),
        request(5, "A = 2\n".into(), "```python\nA = 2\n```\n"),
    ];
    let (status, out) = fed(&["--jsonl"], &(input.join("\n") + "\n"));
    assert_eq!(status, Some(0), "{out}");
    let results: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let outcomes: Vec<(&Value, &Value, &Value)> =
        results.iter().map(|result| (&result["id"], &result["outcome"], &result["text"])).collect();
    assert_eq!(outcomes.len(), 5, "{out}");
    assert_eq!(outcomes[0], (&1.into(), &"applied".into(), &"A = 2\n".into()));
    assert_eq!(outcomes[1], (&2.into(), &"applied".into(), &"x = 1\n".into()));
    assert_eq!(outcomes[2], (&3.into(), &"refused".into(), &Value::Null));
    assert_eq!(outcomes[3].1, "refused");
    assert_eq!(outcomes[4], (&5.into(), &"unchanged".into(), &"A = 2\n".into()));
    assert!(results.iter().filter(|result| !result["id"].is_null()).all(|result| result["nanos"].is_u64()), "{out}");
}

#[test]
fn what_cannot_be_read_is_fatal_and_what_is_no_command_line_is_usage() {
    assert_eq!(apply(&["--target", "a.py", "none.md"]).refused_at_once(128).out, "");
    apply(&["--target", "a.py", "--base", "none.py", "change.md"]).refused_at_once(128);
    apply(&["change.md"]).refused_at_once(129);
    apply(&["--target", "a.py", "--format", "prose", "change.md"]).refused_at_once(129);
    apply(&["--target", "a.py", "--base", "a.py", "--no-base", "change.md"]).refused_at_once(129);
}
