//! `git implement plan --propose`: what is asked and shown, what counts from when on, what is written into the list.

use crate::repo::{Ran, Repo, tree};
use crate::wire::{Wire, chat, no_window, status, stream};
use serde_json::{Value, json};
use std::fs;

const LIST: &str = "# Tasks: Clock\n\n## Phase 1: Setup\n\n- [x] T001 Start the project\n- [ ] T002 Write down how to run it\n\n\
                    ## Phase 2: Story\n\n- [ ] T003 [US1] Read minutes\n- [ ] T004 [US1] Show them in src/show.py\n- [ ] T005 Run the tests\n";
const PATH: &str = "specs/clock/tasks.md";

/// For the tasks of [`LIST`] that name no file.
const ANSWER: &str = "```json\n{\"T002\": [{\"path\": \"README.md\", \"change\": \"modify\"}],\n\
                      \"T003\": [{\"path\": \"src/read.py\", \"change\": \"add\"}, {\"path\": \"src/show.py\", \"change\": \"modify\"}],\n\
                      \"T005\": []}\n```\n";

fn repo() -> Repo {
    let repo = Repo::of(&[
        (PATH, LIST),
        ("specs/clock/plan.md", "# The plan\n\nMinutes are read in one module.\n"),
        ("src/show.py", "import sys\n\n\ndef show(minutes):\n    print(minutes, file=sys.stdout)\n"),
        ("README.md", "# Clock\n\nIt shows minutes.\n"),
        ("icons/logo.svg", "<svg></svg>\n"),
    ]);
    repo.answer(PATH, ANSWER);
    repo
}

/// `plan --propose` with the provider that answers from the folder.
#[track_caller]
fn propose(repo: &Repo, arguments: &[&str]) -> Ran {
    repo.run(&with_provider(repo, arguments).iter().map(String::as_str).collect::<Vec<_>>())
}

fn with_provider(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let provider = repo.provider();
    let first = ["plan", "--propose", "--provider", "command", "--command", &provider];
    first.iter().chain(arguments).map(|word| (*word).to_owned()).collect()
}

/// The same where the user's list may change. Status and stderr.
fn write(repo: &Repo, arguments: &[&str]) -> (Option<i32>, String) {
    let arguments = with_provider(repo, &[arguments, &["--write"]].concat());
    let output = repo.process(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[track_caller]
fn plan(repo: &Repo) -> Value {
    object(&repo.run(&["plan", "--json", "specs/clock"]))
}

#[track_caller]
fn object(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"))
}

/// Path, change, tasks and whether it is proposed, of each file but the list.
fn rows(plan: &Value) -> Vec<String> {
    let row = |row: &Value| {
        let proposed = if row.get("proposed").is_some() { " proposed" } else { "" };
        let tasks: Vec<&str> = row["tasks"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        format!("{} {} {}{proposed}", row["path"].as_str().unwrap(), row["change"].as_str().unwrap(), tasks.join(","))
    };
    // The list itself is ticked.
    let files = plan["files"].as_array().unwrap().iter().filter(|row| row["path"] != PATH);
    files.map(row).collect()
}

const WITHOUT: [&str; 1] = ["src/show.py modify T004"];
const WITH: [&str; 3] =
    ["README.md modify T002 proposed", "src/read.py add T003 proposed", "src/show.py modify T003,T004 proposed"];

#[test]
fn the_model_is_shown_the_design_and_the_repository_and_asked_about_open_tasks_without_a_file() {
    let repo = repo();
    let ran = propose(&repo, &["specs/clock"]);
    ran.changed_nothing();
    assert_eq!(repo.asked(), [format!("{PATH} proposal 1")]);
    let prompt = repo.prompt(PATH);
    for part in [
        "Minutes are read in one module.",
        "- [ ] T003 [US1] Read minutes",
        "(root): README.md 3\n",
        "src/: show.py 5\n",
        "def show(minutes):",
        "- `T002` (line 6 of the list): Write down how to run it\n",
        "- `T003` (line 10 of the list)",
        "- `T005` (line 12 of the list)",
    ] {
        assert!(prompt.contains(part), "no '{part}' in\n{prompt}");
    }
    assert!(!prompt.contains("- `T001` (") && !prompt.contains("- `T004` ("), "{prompt}");
    assert!(!prompt.contains("print(minutes"), "bodies are no part of an outline\n{prompt}");
}

#[test]
fn proposals_are_shown_task_by_task_and_count_only_when_the_person_agrees() {
    let repo = repo();
    let ran = propose(&repo, &["specs/clock"]);
    ran.changed_nothing();
    assert_eq!(
        ran.out,
        "T002 Write down how to run it\n    modify README.md\nT003 Read minutes\n    add    src/read.py\n    modify src/show.py\n\
         T005 Run the tests\n    no file\n"
    );
    ran.says("run it again with --yes, or with --write");
    assert_eq!(rows(&plan(&repo)), WITHOUT);
    // What was seen is what is agreed to, whatever a model would say now.
    repo.answer(PATH, "{}");
    let agreed = propose(&repo, &["specs/clock", "--yes"]);
    agreed.changed_nothing();
    assert!(!agreed.err.contains("sends"), "{agreed}");
    assert_eq!((repo.asked().len(), &agreed.out), (1, &ran.out));
    assert_eq!(rows(&plan(&repo)), WITH);
    repo.write("open.md", LIST.replace("[x]", "[ ]"));
    let kept = format!("{}.json", repo.git(&["hash-object", "open.md"]));
    let folder = tree(&repo.git_dir().join("implement/proposed"));
    assert_eq!(folder.keys().collect::<Vec<_>>(), [&kept], "the replies are forgotten");
    let counted = plan(&repo);
    let note = counted["findings"].as_array().unwrap().iter().find(|finding| finding["id"] == "proposal").unwrap();
    assert_eq!(note["message"], "the files of tasks T002, T003 are proposals that were agreed to");
}

#[test]
fn without_yes_the_model_is_asked_anew() {
    let repo = repo();
    propose(&repo, &[PATH]).changed_nothing();
    repo.answer(PATH, "{\"T002\": [], \"T003\": [], \"T005\": [{\"path\": \"run.sh\", \"change\": \"add\"}]}");
    propose(&repo, &[PATH]).changed_nothing();
    propose(&repo, &[PATH, "-y"]).changed_nothing();
    assert_eq!(repo.asked().len(), 2);
    assert_eq!(rows(&plan(&repo)), ["src/show.py modify T004", "run.sh add T005 proposed"]);
}

#[test]
fn the_json_has_the_files_as_if_the_list_had_them_and_says_of_which_it_has_not() {
    let repo = repo();
    let ran = propose(&repo, &["specs/clock", "--json"]);
    ran.changed_nothing();
    let listing = object(&ran);
    assert_eq!(rows(&listing), WITH);
    let read = &listing["files"][1];
    assert_eq!(
        read,
        &json!({
            "path": "src/read.py", "change": "add", "from": null, "directory": false, "description": "T003: Read minutes",
            "line": 10, "strategy": "whole", "allow": [], "tasks": ["T003"], "selected": true, "proposed": true,
        })
    );
    assert_eq!(listing["lld"], PATH);
    assert_eq!(rows(&plan(&repo)), WITHOUT, "shown is not agreed to");
}

#[test]
fn what_is_agreed_to_is_made_and_ticked_and_goes_on_to_count_on_the_branch() {
    let repo = repo();
    propose(&repo, &["specs/clock", "--yes"]).changed_nothing();
    repo.answer("README.md", "```markdown\n# Clock\n\nIt shows minutes.\n\nRun it with python.\n```\n");
    repo.answer("src/read.py", "```python\ndef read(text):\n    return int(text)\n```\n");
    let shown =
        "import sys\n\nfrom read import read\n\n\ndef show(minutes):\n    print(read(minutes), file=sys.stdout)\n";
    repo.answer("src/show.py", format!("```python\n{shown}```\n"));
    repo.implement(&["specs/clock", "--tasks", "T002"]).published("implement/clock");
    assert_eq!(repo.subjects("implement/clock"), ["Modify README.md"]);
    // The list on the branch is another text by its boxes alone.
    let again = ["specs/clock", "-b", "implement/clock", "--base", "implement/clock"];
    repo.implement(&again).published("implement/clock");
    let expected = ["Modify README.md", "Add src/read.py", "Modify src/show.py"];
    assert_eq!(repo.subjects("implement/clock"), expected);
    let ticked = LIST.replace("[ ] T002", "[x] T002").replace("[ ] T003", "[x] T003").replace("[ ] T004", "[x] T004");
    assert_eq!(String::from_utf8(repo.blob("implement/clock", PATH)).unwrap(), ticked);
}

#[test]
fn a_list_of_another_text_has_no_proposals_and_one_with_more_ticks_has_them() {
    let repo = repo();
    propose(&repo, &["specs/clock", "--yes"]).changed_nothing();
    repo.write(PATH, LIST.replace("[ ] T002", "[x] T002"));
    assert_eq!(rows(&plan(&repo)), WITH[1..]);
    repo.write(PATH, LIST.replace("Read minutes", "Read hours"));
    assert_eq!(rows(&plan(&repo)), WITHOUT);
    repo.write(PATH, LIST);
    assert_eq!(rows(&plan(&repo)), WITH);
}

#[test]
fn tasks_may_be_proposed_for_in_parts() {
    let repo = repo();
    repo.answer(PATH, "{\"T002\": [{\"path\": \"README.md\", \"change\": \"modify\"}]}");
    propose(&repo, &["specs/clock", "--yes", "--phase", "1"]).changed_nothing();
    assert!(!repo.prompt(PATH).contains("- `T003` ("));
    repo.answer(PATH, "{\"T003\": [{\"path\": \"src/read.py\", \"change\": \"add\"}]}");
    propose(&repo, &["specs/clock", "--yes", "--story", "US1"]).changed_nothing();
    assert_eq!(rows(&plan(&repo)), [WITH[0], WITH[1], "src/show.py modify T004"]);
}

#[test]
fn the_files_are_written_into_the_list_of_each_tool_and_nothing_else_of_it_changes() {
    let cases = [
        (LIST.to_owned(), "- [ ] T002 Write down how to run it\n  - Files: `README.md`\n", "- [ ] T003 [US1] Read minutes\n  - Files: `src/read.py`, `src/show.py`\n"),
        (
            // Kiro, with the line ends of Windows.
            "# Implementation Plan\n\n- [ ] 1. Clock\n  - [ ] T002 Write it down\n    - Briefly\n    - _Requirements: 1.1_\n- [ ] T003 Read minutes\n  - T of them\n- [ ] T005 Test".replace('\n', "\r\n"),
            "    - _Requirements: 1.1_\r\n    - Files: `README.md`\r\n",
            "  - T of them\r\n  - Files: `src/read.py`, `src/show.py`\r\n",
        ),
        (
            "## 1. Clock\n\n- [x] T001 Begin\n- [ ] T002 Write it down\n\n## 2. More\n\n- [ ] T005 Test\n- [ ] T003 Read minutes".to_owned(),
            "- [ ] T002 Write it down\n  - Files: `README.md`\n",
            "- [ ] T003 Read minutes\n  - Files: `src/read.py`, `src/show.py`",
        ),
    ];
    for (list, first, second) in cases {
        let repo = repo();
        repo.write(PATH, &list);
        let before = tree(&repo.dir);
        let (status, err) = write(&repo, &["specs/clock"]);
        assert_eq!(status, Some(0), "{err}");
        let mut after = tree(&repo.dir);
        after.retain(|path, bytes| before.get(path) != Some(bytes) && !path.starts_with(".git/"));
        assert_eq!(after.keys().collect::<Vec<_>>(), [PATH], "{err}");
        let text = String::from_utf8(after.remove(PATH).unwrap()).unwrap();
        assert!(text.contains(first) && text.contains(second), "{text}");
        let sub_bullets = |line: &&str| line.trim_start().starts_with("- Files: `");
        let left: String = text.split_inclusive('\n').filter(|line| !sub_bullets(line)).collect();
        assert_eq!(left.trim_end(), list.trim_end());
        assert_eq!(text.ends_with('\n'), list.ends_with('\n'));
        let rows = rows(&plan(&repo));
        assert!(rows.iter().any(|row| row.starts_with("src/read.py add T003")), "{rows:?}");
        assert!(rows.iter().all(|row| !row.ends_with("proposed")), "{rows:?}");
    }
}

#[test]
fn a_list_that_is_no_file_on_disk_or_changes_meanwhile_is_not_written() {
    let repo = repo();
    let (status, err) = write(&repo, &[&format!("HEAD:{PATH}")]);
    assert_eq!(status, Some(128));
    assert!(err.contains("is no file of the working tree") && repo.asked().is_empty(), "{err}");
    repo.before(PATH, &format!("echo '- [ ] T006 One more' >>'{}'", repo.dir.join(PATH).display()));
    let (status, err) = write(&repo, &["specs/clock"]);
    assert_eq!(status, Some(1), "{err}");
    assert!(err.contains("cannot write into 'specs/clock/tasks.md': it is not what was read"), "{err}");
    assert_eq!(fs::read_to_string(repo.dir.join(PATH)).unwrap(), format!("{LIST}- [ ] T006 One more\n"));
    // Beside the repository there is room for what is proposed for a revision's list.
    let repo = self::repo();
    propose(&repo, &[&format!("HEAD:{PATH}"), "--yes"]).changed_nothing();
    assert_eq!(rows(&plan(&repo)), WITH);
}

#[test]
fn what_cannot_be_planned_is_left_for_a_person_and_the_rest_counts() {
    let repo = repo();
    repo.answer(
        PATH,
        "{\"T002\": [{\"path\": \"README.md\", \"change\": \"add\"}], \"T003\": [{\"path\": \"src/read.py\", \"change\": \"add\"}],\n\
         \"T005\": [{\"path\": \".github/workflows/ci.yml\", \"change\": \"add\"}], \"T009\": []}",
    );
    let ran = propose(&repo, &[PATH, "--yes"]);
    ran.changed_nothing();
    assert!(ran.out.contains("T002 Write down how to run it\n    left for a person\n"), "{ran}");
    ran.says(
        "warning: specs/clock/tasks.md:6: what is proposed for task T002 is refused: cannot add 'README.md': it exists",
    );
    ran.says("warning: specs/clock/tasks.md:12: what is proposed for task T005 is refused: cannot add '.github/workflows/ci.yml'");
    ran.says("the answer speaks of a task 'T009', which was not asked about");
    assert_eq!(rows(&plan(&repo)), [WITH[1], WITHOUT[0]]);
}

#[test]
fn an_answer_that_is_none_is_refused_and_kept() {
    let repo = repo();
    repo.answer(PATH, "I would change the README.\n");
    let ran = propose(&repo, &[PATH, "--yes"]);
    ran.refused(1).says("is refused: reply-no-fence").says("    | I would change the README.");
    let [name] = ran.failed.as_slice() else { panic!("{ran}") };
    let kept = repo.failed(name);
    let files: Vec<Vec<u8>> = tree(&kept).into_values().collect();
    assert!(files.iter().any(|bytes| String::from_utf8_lossy(bytes).contains("I would change the README.")));
    // It is kept for --replay, and no answer to the next question.
    let replayed = repo.run(&["plan", "--propose", "--yes", "--replay", kept.to_str().unwrap(), PATH]);
    replayed.refused(1).says("reply-no-fence");
    repo.answer(PATH, ANSWER);
    propose(&repo, &[PATH, "--yes"]).changed_nothing();
    assert_eq!(rows(&plan(&repo)), WITH);
}

#[test]
fn an_answer_that_breaks_off_or_is_cut_off_is_asked_for_as_a_file_is_and_no_two_tries_are_the_same() {
    let repo = repo();
    let (cut, whole) = (stream("", &chat("```json\n{\"T0", "length")), stream("", &chat(ANSWER, "stop")));
    let broken = stream("", &chat("```json\n", ""));
    let wire = Wire::serve(vec![no_window(), status("503 Busy", "", "{}"), broken, cut, whole]);
    let (url, replies) = (format!("{}/v1", wire.url), repo.place("replies"));
    let whom = ["plan", "--propose", "--provider", "openai", "--base-url", &url, "--model", "m"];
    let record = replies.to_str().unwrap();
    let ran = repo.run(&[&whom[..], &["--record", record, PATH]].concat());
    ran.changed_nothing().says("trying again in").says("the reply was cut off by a limit\n");
    let asked: Vec<String> =
        wire.seen().iter().filter(|seen| seen.target.starts_with("POST")).map(|seen| seen.body.to_string()).collect();
    assert_eq!(asked.len(), 4, "{ran}");
    assert!(asked[1] == asked[0] && !asked[2].contains("too long"), "{}", asked[2]);
    assert!(asked[3].contains("An earlier reply was too long"), "{}", asked[3]);
    assert_eq!(fs::read_dir(&replies).unwrap().count(), 2, "each under its own key");
    repo.run(&["plan", "--propose", "--replay", record, "--yes", PATH]).changed_nothing();
    assert_eq!(rows(&plan(&repo)), WITH);
    // It is given up as often as a file is.
    let wire = Wire::serve(vec![no_window(), stream("", &chat("```json\n{", "length"))]);
    let url = format!("{}/v1", wire.url);
    let ran = repo.run(&["plan", "--propose", "--provider", "openai", "--base-url", &url, "--model", "m", PATH]);
    ran.refused(2).says("was cut off by a limit in each of 4 tries").says("ask about fewer tasks at once");
    // And not when there is no money for it.
    let repo = self::repo();
    let wire = Wire::serve(vec![no_window(), stream("", &chat(&"word ".repeat(6_000), ""))]);
    let url = format!("{}/v1", wire.url);
    let whom = ["plan", "--propose", "--provider", "openai", "--base-url", &url, "--model", "m"];
    let ran = repo.run(&[&whom[..], &["--max-tokens", "7000", PATH]].concat());
    ran.refused(4).says("over --max-tokens 7000");
    assert_eq!(wire.seen().iter().filter(|seen| seen.target.starts_with("POST")).count(), 1, "{ran}");
}

#[test]
fn answers_are_recorded_and_replayed() {
    let repo = repo();
    let replies = repo.place("replies");
    let replies = replies.to_str().unwrap();
    propose(&repo, &[PATH, "--record", replies]).changed_nothing();
    let ran = repo.run(&["plan", "--propose", "--replay", replies, "--yes", PATH]);
    ran.changed_nothing();
    assert_eq!(repo.asked().len(), 1);
    assert_eq!(rows(&plan(&repo)), WITH);
    // Another repository is another question.
    repo.write("src/more.py", "MORE = 1\n");
    repo.commit("more");
    repo.run(&["plan", "--propose", "--replay", replies, PATH]).refused(2);
}

#[test]
fn the_statuses_are_those_of_the_main_job() {
    let repo = repo();
    for usage in [
        &["--yes", PATH][..],
        &["--write", PATH],
        &["--record", "x", PATH],
        &["--no-repo", "--propose", PATH],
        &["--command", "x", PATH],
    ] {
        repo.run(&[&["plan"], usage].concat()).refused_at_once(129);
    }
    repo.run(&["plan", "--propose", "--provider", "anthropic", PATH]).refused_at_once(128);
    repo.run(&["plan", "--propose", "--replay", "nowhere", PATH]).refused_at_once(128);
    let failed = repo.run(&["plan", "--propose", "--provider", "command", "--command", "false", PATH]);
    failed.refused_at_once(2).says("'false' failed with status 1");
    propose(&repo, &["specs/other"]).refused_at_once(128);
    let dear = repo.git(&["config", "implement.maxTokens", "100"]);
    propose(&repo, &[PATH]).refused_at_once(4).says("over --max-tokens 100");
    assert_eq!((dear.as_str(), repo.asked().len()), ("", 0));
}

#[test]
fn nothing_is_asked_where_every_open_task_has_its_files_or_there_are_no_tasks() {
    let repo = repo();
    repo.write(PATH, "- [x] T001 Do it\n- [ ] T002 Create src/a.py\n- [ ] T003 DEFERRED: wait\n");
    repo.write("docs/1.md", "# 1 - X\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `a.py` | Add | New |\n");
    for list in [PATH, "docs/1.md"] {
        let ran = propose(&repo, &[list, "--yes"]);
        ran.changed_nothing().says("nothing to propose");
        assert!(ran.out.contains("a.py"), "{ran}");
    }
    assert!(repo.asked().is_empty());
}

#[test]
fn what_would_be_sent_holds_no_secret() {
    let repo = repo();
    let key = ["AKIA", "Q7RT4LMN2XWZPK3V"].concat();
    repo.write("specs/clock/research.md", format!("The key is {key} for now.\n"));
    let ran = propose(&repo, &[PATH, "--yes"]);
    ran.refused_at_once(1).says("specs/clock/research.md");
    assert!(repo.asked().is_empty());
    propose(&repo, &[PATH, "--yes", "--allow", "secret:specs/clock/research.md"]).changed_nothing();
}
