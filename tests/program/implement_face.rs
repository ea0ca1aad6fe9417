//! What a run says, to programs and to people: `--json`, `-q`, `-v`, and nothing that only terminals understand.

use crate::repo::{Ran, Repo};
use serde_json::Value;

const DESIGN: &str = "# 3 - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n| `src/b.py` | Add | Uses it |\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.answer("src/b.py", "```python\nfrom a import A\n\nprint(A)\n```\n");
    repo
}

/// The names of the events in order.
fn names(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().expect("an event has its name")).collect()
}

#[test]
fn json_is_one_event_a_line_from_start_to_finish() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md", "--json"]);
    let run = ran.published("implement/3");
    let events = ran.events();
    let file = ["file-started", "asked", "replied", "file-finished", "committed"];
    let expected = [&["run-started"], &file[..], &file[..], &["published", "run-finished"]].concat();
    assert_eq!(names(&events), expected);
    let first = &events[0];
    assert_eq!((&first["schema"], &first["run"], &first["files"]), (&1.into(), &run.clone().into(), &2.into()));
    assert_eq!((&first["branch"], &first["base"]), (&"implement/3".into(), &repo.tip("main").into()));
    let published = &events[events.len() - 2];
    assert_eq!(published["commit"], repo.tip("implement/3"));
    assert_eq!(published["record"], format!("refs/implement/runs/{run}"));
    let last = events.last().unwrap();
    assert_eq!((&last["status"], &last["commits"], &last["unchanged"]), (&0.into(), &2.into(), &0.into()));
    assert_eq!(last["stat"], serde_json::json!({"added": 4, "removed": 1}));
    let commits: Vec<&str> = events
        .iter()
        .filter(|event| event["event"] == "committed")
        .map(|event| event["commit"].as_str().unwrap())
        .collect();
    assert_eq!(commits.join("\n"), repo.git(&["rev-list", "--reverse", "main..implement/3"]));
    // The record has the same events, each in an entry of its own.
    let record = String::from_utf8(repo.blob(&format!("refs/implement/runs/{run}"), "events.jsonl")).unwrap();
    let entries: Vec<serde_json::Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len(), events.len());
    for (entry, event) in entries.iter().zip(&events) {
        assert!(event.as_object().unwrap().iter().all(|(key, value)| entry[key] == *value), "{event} {entry}");
    }
}

#[test]
fn json_tells_why_a_run_failed_and_where_its_record_is() {
    let repo = repo();
    repo.answer("src/b.py", "```python\ndef (\n```\n");
    let ran = repo.implement(&["docs/3.md", "--json"]);
    ran.refused(1);
    let events = ran.events();
    let finding = events.iter().find(|event| event["event"] == "finding").unwrap();
    assert_eq!(
        (&finding["id"], &finding["path"], &finding["line"]),
        (&"syntax-python".into(), &"src/b.py".into(), &1.into())
    );
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["status"]), (&"run-finished".into(), &1.into()));
    assert_eq!(last["error"], "the reply for 'src/b.py' is refused: syntax-python");
    assert_eq!(last["record"], repo.failed(&ran.failed[0]).to_str().unwrap());
    ran.says("error: src/b.py:1: 'src/b.py' does not parse");
}

#[test]
fn json_says_that_a_file_is_unchanged() {
    let repo = repo();
    repo.answer("src/a.py", "```python\nA = 1\n```\n");
    let ran = repo.implement(&["docs/3.md", "--json", "--", "src/a.py"]);
    let run = ran.recorded_only();
    let events = ran.events();
    assert_eq!(names(&events), ["run-started", "file-started", "asked", "replied", "file-finished", "run-finished"]);
    assert_eq!(events[5]["record"], format!("refs/implement/runs/{run}"));
    assert_eq!(events[4]["outcome"], "unchanged");
    assert_eq!(events[5]["unchanged"], 1);
}

#[test]
fn json_tells_of_edits_with_their_lines() {
    let repo = repo();
    let change = "### CHANGE 1: it\nFIND:\n```python\nA = 1\n```\nREPLACE WITH:\n```python\nA = 2\nB = 3\n```\n";
    repo.answer("src/a.py", change);
    let ran = repo.implement(&["docs/3.md", "--json", "--format", "find-replace", "--", "src/a.py"]);
    ran.published("implement/3");
    let events = ran.events();
    let finished = events.iter().find(|event| event["event"] == "file-finished").unwrap();
    assert_eq!((&finished["outcome"], &finished["edits"][0]["line"]), (&"modified".into(), &1.into()));
    assert_eq!(finished["edits"][0]["tier"], "exact");
}

#[test]
fn a_reply_in_another_complete_form_than_asked_for_is_taken_and_the_event_says_which() {
    let repo = repo();
    let text: String = (1..=600).map(|n| format!("v{n} = {n}\n")).collect();
    repo.write("src/a.py", &text);
    repo.commit("longer");
    let want = text.replace("v3 = 3\n", "v3 = 33\n");
    let diff = "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@ -2,3 +2,3 @@\n v2 = 2\n-v3 = 3\n+v3 = 33\n v4 = 4\n```\n";
    let block = "src/a.py\n```python\n<<<<<<< SEARCH\nv3 = 3\n=======\nv3 = 33\n>>>>>>> REPLACE\n```\n";
    for (reply, format) in [(diff, "unified"), (block, "search-replace"), (&format!("```python\n{want}```\n"), "whole")]
    {
        repo.answer("src/a.py", reply);
        let ran = repo.implement(&["docs/3.md", "--json", "--force", "-b", format, "--", "src/a.py"]);
        ran.published(format);
        let events = ran.events();
        let said = |event: &str| events.iter().find(|other| other["event"] == event).unwrap();
        assert_eq!(
            (&said("asked")["format"], &said("file-finished")["format"]),
            (&"find-replace".into(), &format.into())
        );
        assert_eq!(repo.blob(format, "src/a.py"), want.as_bytes());
    }
    // A part of the file is not the file.
    repo.answer("src/a.py", "```python\nv3 = 33\nv4 = 4\n```\n");
    repo.implement(&["docs/3.md", "-b", "part", "--", "src/a.py"]).refused(1).says("has no FIND block");
}

#[test]
fn a_patch_of_a_file_with_carriage_returns_tabs_and_blanks_in_its_name_applies_as_it_is_shown() {
    let path = "src/with blank.py";
    let design = DESIGN.replace("src/a.py", path);
    let base = "if A:\r\n\tB = 1\r\n";
    let repo = Repo::of(&[(path, base), ("docs/3.md", &design)]);
    repo.answer(path, "```python\nif A:\n\tB = 2\n```\n");
    let ran = repo.implement(&["docs/3.md", "-v", "--", path]);
    ran.published("implement/3");
    let start = ran.err.find("diff --git").unwrap_or_else(|| panic!("{ran}"));
    let is_patch = |line: &&str| line.starts_with(['d', '-', '+', '@', ' ']);
    let patch: String = ran.err[start..].split_inclusive('\n').take_while(is_patch).collect();
    let file = repo.place("shown");
    crate::repo::write(&file, &patch);
    for program in [&["git", "apply"][..], &["patch", "--binary", "-s", "-p1", "-i"]] {
        repo.write(path, base);
        let status = repo.command(program[0]).args(&program[1..]).arg(&file).status().unwrap();
        assert!(status.success(), "{program:?}\n{patch}");
        assert_eq!(std::fs::read(repo.dir.join(path)).unwrap(), repo.blob("implement/3", path), "{program:?}\n{patch}");
    }
}

#[test]
fn quiet_says_nothing_but_what_goes_wrong() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md", "-q"]);
    ran.published("implement/3");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    let ran = repo.implement(&["docs/3.md", "-q"]);
    ran.refused(128).says("fatal: a branch named 'implement/3' already exists");
    repo.answer("src/a.py", "No.\n");
    let ran = repo.implement(&["docs/3.md", "-q", "--force"]);
    ran.refused(1).says("is refused: reply-no-fence\n").says("kept for --replay in '");
}

#[test]
fn verbose_shows_each_files_patch() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md", "-v"]);
    ran.published("implement/3");
    ran.says("--- a/src/a.py\n+++ b/src/a.py\n@@")
        .says("\n-A = 1\n+A = 2\n")
        .says("+++ b/src/b.py\n")
        .says("\n+print(A)\n");
}

/// No escape, no carriage return, no bell: nothing that a file would not want.
#[track_caller]
fn is_plain(ran: &Ran) {
    let control = |text: &str| text.chars().any(|c| c.is_control() && c != '\n' && c != '\t');
    assert!(!control(&ran.out) && !control(&ran.err), "{:?} {:?}", ran.out, ran.err);
}

#[test]
fn without_a_terminal_there_is_no_escape_and_no_progress() {
    let mut repo = repo();
    is_plain(&repo.implement(&["docs/3.md", "-v"]));
    is_plain(&repo.implement(&["docs/3.md"]));
    repo.answer("src/a.py", "No.\n");
    is_plain(&repo.implement(&["docs/3.md", "-b", "refused"]));
    repo.set("NO_COLOR", "1");
    is_plain(&repo.implement(&["docs/3.md", "-b", "refused"]));
    is_plain(&repo.run(&["-h"]));
    is_plain(&repo.run(&["plan", "docs/3.md"]));
}

#[test]
fn colour_is_shown_where_it_is_asked_for() {
    let repo = repo();
    repo.answer("src/a.py", "No.\n");
    let ran = repo.implement(&["docs/3.md", "--color", "always"]);
    ran.refused(1).says("\x1b[31merror:\x1b[0m the reply for 'src/a.py'");
    is_plain(&repo.implement(&["docs/3.md", "--color", "never"]));
}

#[test]
fn what_leaves_the_machine_and_to_whom_is_said_before_it_does() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md"]);
    let (announced, rest) = ran.err.split_once("[1/2]").unwrap();
    assert!(announced.contains("asks command at sh") && announced.contains("chosen by --provider"), "{ran}");
    assert!(announced.contains("sends 2 files: docs/3.md, src/a.py"), "{ran}");
    assert!(announced.contains("at a price that is not known"), "nobody knows what a program costs\n{ran}");
    assert!(rest.contains("[2/2] src/b.py: added, 3 lines"), "{ran}");
}

/// `Repo::run` holds every hint of every test to the options of its verb; here are those that several verbs give.
#[test]
fn what_a_hint_names_can_be_given_to_the_verb_that_gives_it() {
    let mut repo = repo();
    let rows: String = (0..51).map(|n| format!("| `src/n{n}.py` | Add | One |\n")).collect();
    repo.write(
        "docs/4.md",
        format!("# 4 - Many\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n{rows}"),
    );
    for verb in [&["plan"][..], &["-n"], &[]] {
        let ran = repo.run(&[verb, &["docs/4.md"]].concat());
        ran.refused(1).says("or raise the limit with --max-files\n");
        let ran = repo.run(&[verb, &["docs/4.md", "--max-files", "60", "--provider", "command", "--no-yes"]].concat());
        assert!(!ran.err.contains("--max-files"), "{ran}");
    }
    repo.write("specs/1/tasks.md", "# Tasks: One\n\n- [ ] T001 Write src/one.py\n- [ ] T002 Think about it\n");
    repo.run(&["plan", "specs/1"]).says("hint: commit it first; or give --no-tick\n");
    assert!(!repo.run(&["plan", "specs/1", "--no-tick"]).err.contains("--no-tick"));
    let provider = repo.provider();
    let asking = ["plan", "specs/1", "--propose", "--provider", "command", "--command", &provider, "--no-yes"];
    repo.set("GIT_IMPLEMENT_MAX_TOKENS", "1");
    repo.run(&asking).refused(4).says("hint: raise it with --max-tokens\n");
    repo.write(
        "docs/5.md",
        "# 5 - One\n\n### 2.1 Files Changed\n\n| File | Change Type |\n|---|---|\n| `src/a.py` | Add |\n",
    );
    repo.run(&["plan", "docs/5.md"]).refused(1).says("--allow overwrite");
}
