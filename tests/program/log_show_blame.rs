//! `log`, `show`, `blame` and `gc`: what records answer, for people and for programs.

use crate::records::{self, forge};
use crate::repo::{Ran, Repo};
use crate::typed::on_terminal;
use serde_json::Value;
use std::fs;

const DESIGN: &str = "# 4 - Some files\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Other values |\n| `src/b.py` | Add | Uses them |\n";

const A: &str = "FIRST = 1\n\n\ndef value():\n    return FIRST\n\n\nLAST = 3\n";
const B: &str =
    "from a import value\n\n\ndef twice_the_value():\n    doubled_value = value() * 2\n    return doubled_value\n";

fn change(old: &str, new: &str) -> String {
    format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n")
}

/// A repository in which two commits were generated on the branch that is checked out; the run's id.
fn generated() -> (Repo, String) {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A), ("README.md", "# R\n")]);
    repo.answer_at("src/a.py", 1, change("FIRST = 1", "FIRST = 10") + &change("MISSING = 1", "MISSING = 2"));
    repo.answer_at("src/a.py", 2, change("LAST = 3", "LAST = 30"));
    repo.answer("src/b.py", format!("```python\n{B}```\n"));
    let run = repo.implement(&["docs/4.md", "--format", "find-replace", "--allow", "size"]).published("implement/4");
    repo.git(&["switch", "--quiet", "implement/4"]);
    (repo, run)
}

#[track_caller]
fn json(ran: &Ran) -> Value {
    let value: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    assert_eq!(value["schema"], 1);
    value
}

#[test]
fn log_says_of_each_run_what_it_made_and_what_became_of_it() {
    let (repo, run) = generated();
    let ran = repo.run(&["log"]);
    let lines: Vec<&str> = ran.changed_nothing().out.lines().collect();
    assert_eq!(lines.len(), 2, "{ran}");
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!((words[0], words[1], words[2]), (run.as_str(), "published", "2"), "{ran}");
    assert!(lines[1].ends_with("sh     implement/4  docs/4.md"), "{ran}");
    // One that is refused, and one whose branch is gone.
    repo.answer("src/b.py", "no code");
    repo.git(&["switch", "--quiet", "main"]);
    let refused = repo.implement(&["docs/4.md", "-b", "other", "--repair", "0", "--", "src/b.py"]);
    refused.refused(1);
    repo.git(&["branch", "--quiet", "-D", "implement/4"]);
    let runs = json(&repo.run(&["log", "--json"]))["runs"].as_array().unwrap().clone();
    // Both may be of one second, and then in either order.
    let of = |run: &str| runs.iter().find(|it| it["run"] == run).unwrap_or_else(|| panic!("{runs:#?}"));
    let (refused, published) = (of(&refused.failed[0]), of(&run));
    assert_eq!((runs.len(), &refused["became"], &published["became"]), (2, &"refused".into(), &"branch-gone".into()));
    assert!(refused["error"].as_str().unwrap_or_default().contains("src/b.py"), "{runs:#?}");
    // As in a clone, which has it as a remote's.
    let tip = published["commits"].as_array().unwrap().last().unwrap().as_str().unwrap();
    repo.git(&["update-ref", "refs/remotes/origin/implement/4", tip]);
    assert!(repo.run(&["log"]).out.contains(" published "), "{}", repo.run(&["log"]));
    assert_eq!(published["files"], serde_json::json!(["src/a.py", "src/b.py"]));
    assert_eq!(published["commits"].as_array().unwrap().len(), 2);
    assert_eq!(repo.run(&["log", "-n", "1"]).out.lines().filter(|line| line.contains("docs/4.md")).count(), 1);
}

#[test]
fn log_names_what_is_no_record() {
    let (repo, _) = generated();
    repo.git(&[
        "update-ref",
        "refs/implement/runs/20260101T000000Z-abcdef",
        &repo.git(&["hash-object", "-w", "README.md"]),
    ]);
    let ran = repo.run(&["log"]);
    assert!(ran.changed_nothing().out.contains("20260101T000000Z-abcdef: it has no 'run.json'"), "{ran}");
}

#[test]
fn show_tells_of_a_run_who_permitted_what_how_edits_matched_and_why_a_reply_was_refused() {
    let (repo, run) = generated();
    let ran = repo.run(&["show", &run]);
    let out = &ran.changed_nothing().out;
    for line in [
        format!("run        {run}, published").as_str(),
        "model      sh, by command",
        "permitted  '--allow size'",
        "file       src/a.py: modified",
        "  row      line 7: Other values",
        "  made by  the model, in 2 replies",
        "  matched  line 1 exactly, line 8 exactly",
        "file       src/b.py: added",
    ] {
        assert!(out.lines().any(|it| it == line), "no '{line}' in {ran}");
    }
    assert!(out.contains("  refused  cannot apply change 2 to 'src/a.py'"), "{ran}");
    assert!(!out.contains("--- reply"), "{ran}");
    let full = repo.run(&["show", "--full", &run]).out;
    assert!(full.contains("  --- reply ---\n  | ```python\n  | from a import value\n"), "{full}");
    assert!(full.contains("  | # 4 - Some files\n"), "the design, which every prompt shows: {full}");
    // Its beginning names it as well.
    assert_eq!(repo.run(&["show", &run[..run.len() - 2]]).out, *out);
}

#[test]
fn show_tells_of_a_commit_and_of_a_line_what_they_were_made_of() {
    let (repo, run) = generated();
    let ran = repo.run(&["show", "HEAD"]);
    let out = &ran.changed_nothing().out;
    assert!(out.contains("verified   exact\n") && out.contains("file       src/b.py: added\n"), "{ran}");
    assert!(!out.contains("src/a.py: modified") && out.contains("  --- reply ---\n"), "{ran}");
    assert!(out.contains("  --- prompt, the last of ") && out.contains("# Your task: `src/b.py`"), "{ran}");
    let line = json(&repo.run(&["show", "--json", "src/a.py:8"]));
    assert_eq!((&line["run"]["run"], &line["line"]["text"]), (&run.clone().into(), &"LAST = 30".into()));
    assert_eq!(line["files"][0]["edits"][0]["tier"], "exact");
    assert_eq!(line["files"][0]["requests"][1]["reply"], change("LAST = 3", "LAST = 30"));
    repo.run(&["show", "main"]).refused_at_once(128).says("is of no run");
    repo.run(&["show", "README.md:1"]).refused_at_once(128).says("is a line of no run");
    repo.run(&["show", "nothing"]).refused_at_once(128).says("'nothing' is no run, no commit and no <path>:<line>");
    repo.run(&["show", "src/a.py:99"]).refused_at_once(128);
}

#[test]
fn show_tells_of_a_run_that_failed_what_was_announced_and_never_came() {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A)]);
    repo.answer("src/a.py", change("LAST = 3", "LAST = 30"));
    repo.before("src/b.py", "exit 7");
    let ran = repo.implement(&["docs/4.md", "--format", "find-replace"]);
    ran.refused(2);
    let events = fs::read_to_string(repo.failed(&ran.failed[0]).join("events.jsonl")).unwrap();
    let aborted: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "aborted")
        .collect();
    let instead: Vec<&str> = aborted.iter().map(|event| event["instead_of"].as_str().unwrap()).collect();
    assert_eq!(instead, ["replied", "file-finished"], "{events}");
    assert!(
        aborted
            .iter()
            .all(|event| event["path"] == "src/b.py" && event["reason"].as_str().unwrap().contains("status 7"))
    );
    let shown = repo.run(&["show", &ran.failed[0]]);
    assert!(shown.out.contains("no-answer") || shown.out.contains("no answer"), "{shown}");
    assert!(shown.out.contains("file       src/b.py: not made\n"), "{shown}");
    assert!(shown.out.contains("nothing came of it: "), "{shown}");
}

/// The state and the run of each line of a file.
#[track_caller]
fn blamed(repo: &Repo, path: &str) -> Vec<(String, String)> {
    let said = json(&repo.run(&["blame", "--json", path]));
    let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    said["lines"].as_array().unwrap().iter().map(|line| (text(line, "state"), text(line, "how"))).collect()
}

fn states(repo: &Repo, path: &str) -> Vec<String> {
    blamed(repo, path).into_iter().map(|(state, _)| state).collect()
}

#[test]
fn blame_leads_from_a_line_to_its_commit_its_row_and_its_reply() {
    let (repo, run) = generated();
    let said = json(&repo.run(&["blame", "--json", "src/a.py"]));
    let lines = said["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 8);
    assert_eq!((&lines[0]["state"], &lines[3]["state"]), (&"generated".into(), &"not-generated".into()));
    assert_eq!((&lines[7]["run"], &lines[7]["how"]), (&run.clone().into(), &"blob".into()));
    assert_eq!(lines[7]["row"], serde_json::json!({"line": 7, "description": "Other values"}));
    let key = lines[7]["reply"]["key"].as_str().unwrap();
    let reply = String::from_utf8(records::files(&repo, &run)[&format!("replies/{key}.json")].clone()).unwrap();
    assert!(reply.contains("LAST = 30"), "{reply}");
    let ran = repo.run(&["blame", "src/b.py"]);
    assert!(ran.changed_nothing().out.lines().all(|line| line.contains(&format!("{run} 4.md:8 "))), "{ran}");
    let one = repo.run(&["blame", "-L", "8", "src/a.py"]).out;
    assert!(one.ends_with(" 8) LAST = 30\n") && one.lines().count() == 1, "{one}");
    let some = |lines: &str| repo.run(&["blame", "-L", lines, "src/a.py"]).out;
    assert!(some("7,8").lines().count() == 2 && some("7,+2") == some("7,8") && some("7,8").ends_with(&one));
    repo.run(&["blame", "-L", "99", "src/a.py"]).refused_at_once(128).says("has only 8 lines");
    repo.run(&["blame", "-L", "0,x", "src/a.py"]).refused_at_once(129).says("<first>,<last>");
    let before = json(&repo.run(&["blame", "--json", "main", "src/a.py"]));
    assert!(before["lines"].as_array().unwrap().iter().all(|line| line["state"] == "not-generated"));
    repo.run(&["blame", "nowhere.py"]).refused_at_once(128);
}

#[test]
fn blame_finds_lines_again_after_a_rebase_and_a_squash_by_what_they_say() {
    let (repo, _) = generated();
    repo.git(&["switch", "--quiet", "main"]);
    repo.write("src/a.py", A.replace("return FIRST", "return int(FIRST)"));
    repo.commit("A person's");
    repo.git(&["rebase", "--quiet", "main", "implement/4"]);
    repo.git(&["reset", "--quiet", "--soft", "main"]);
    // Nobody says which run it was, and a person has added lines of their own.
    repo.write("src/b.py", format!("{B}\n\ndef by_a_person():\n    return twice_the_value() + 1\n"));
    repo.git(&["add", "--all"]);
    repo.git(&["commit", "--quiet", "--message", "All in one"]);
    let lines = blamed(&repo, "src/b.py");
    let generated = ("generated".to_owned(), "content".to_owned());
    assert!(lines[..6].iter().all(|line| *line == generated), "{lines:?}");
    assert!(lines[6..].iter().all(|(state, _)| state == "unknown"), "{lines:?}");
    // A line of two short words is not enough to be known by.
    assert_eq!(states(&repo, "src/a.py")[7], "not-generated");
}

/// Who each line of a file is from.
#[track_caller]
fn whose(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let said = json(&repo.run(&[&["blame", "--json"], arguments].concat()));
    let of = |line: &Value| match &line["state"] {
        state if state == "generated" => line["by"].as_str().unwrap().to_owned(),
        state => state.as_str().unwrap().to_owned(),
    };
    said["lines"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_line_is_who_has_added_it_also_where_a_hook_or_a_whole_file_has_passed_it_on() {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A)]);
    repo.hook(
        "pre-commit",
        "#!/bin/sh\ngrep -q hooked src/a.py || { echo '# what a hook has hooked on' >>src/a.py; git add src/a.py; }\n",
    );
    repo.answer("src/a.py", format!("```python\n{}```\n", A.replace("return FIRST", "return int(FIRST) + 100 * LAST")));
    repo.implement(&["docs/4.md", "--", "src/a.py"]).published("implement/4");
    let lines = whose(&repo, &["implement/4", "src/a.py"]);
    assert_eq!(lines[4], "the model", "{lines:?}");
    assert_eq!(lines[8], "'pre-commit'", "{lines:?}");
    let of_others: Vec<&String> = [0, 1, 2, 3, 5, 6, 7].iter().map(|at| &lines[*at]).collect();
    assert!(of_others.iter().all(|whose| *whose == "not-generated"), "{lines:?}");
    assert!(whose(&repo, &["main", "src/a.py"]).iter().all(|whose| whose == "not-generated"));
    // Where history ends, every line is that commit's: those of the base are still nobody's we know.
    repo.git(&["switch", "--quiet", "implement/4"]);
    let tip = repo.tip("implement/4");
    repo.write(".git/shallow", format!("{tip}\n"));
    let lines = whose(&repo, &["src/a.py"]);
    assert_eq!((&*lines[0], &*lines[4], &*lines[8]), ("unknown", "the model", "'pre-commit'"), "{lines:?}");
}

#[test]
fn what_was_there_before_a_run_is_not_the_runs_also_if_it_has_made_the_same_again() {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A)]);
    repo.write("src/a.py", A.replace("def value():\n    return FIRST", "def value(by):\n    return FIRST * by + LAST"));
    repo.commit("Another way");
    repo.answer("src/a.py", format!("```python\n{A}```\n"));
    repo.implement(&["docs/4.md", "--", "src/a.py"]).published("implement/4");
    assert!(whose(&repo, &["main~1", "src/a.py"]).iter().all(|whose| whose == "not-generated"));
    assert!(whose(&repo, &["implement/4", "src/a.py"]).contains(&"the model".to_owned()));
}

#[test]
fn blame_believes_the_trees_of_a_commit_as_verify_does() {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A)]);
    repo.answer("src/a.py", change("LAST = 3", "LAST = 30"));
    repo.implement(&["docs/4.md", "--format", "find-replace", "--", "src/a.py"]).published("implement/4");
    repo.git(&["merge", "--quiet", "--squash", "implement/4"]);
    repo.git(&["commit", "--quiet", "-m", "all of it"]);
    // Two short words say little by themselves.
    assert_eq!(states(&repo, "src/a.py")[7], "generated");
    assert_eq!(states(&repo, "src/a.py")[3], "not-generated");
}

#[test]
fn what_stands_in_every_file_proves_nothing() {
    let (repo, _) = generated();
    repo.write("src/other.py", "def other():\n    return 1\n\n\nLAST = 30\n");
    repo.write("src/b.py", format!("{B}\n\nLAST = 30\n"));
    repo.commit("A person's");
    assert_eq!(states(&repo, "src/other.py"), ["not-generated"; 5]);
    let lines = states(&repo, "src/b.py");
    assert_eq!((lines[5].as_str(), lines[8].as_str()), ("generated", "not-generated"));
}

#[test]
fn gc_says_what_it_would_take_and_takes_what_is_old_and_not_needed() {
    let (repo, run) = generated();
    let old = |name: &str| {
        let record = repo.git(&["rev-parse", &records::name(&run)]);
        repo.git(&["update-ref", &records::name(name), &record]);
    };
    (1..=3).for_each(|n| old(&format!("2020010{n}T000000Z-00000{n}")));
    let ran = repo.run(&["gc", "--keep", "0"]);
    let lines: Vec<&str> = ran.changed_nothing().out.lines().collect();
    assert_eq!(lines.len(), 4, "{ran}");
    assert!(lines[0].starts_with("20200103T000000Z-000003 ") && lines[3] == "3 of 4 records may go", "{ran}");
    ran.says("hint: git implement gc --older-than 90 --keep 0 --yes: ");
    let ran = repo.run(&["gc", "--keep", "3", "--json"]);
    assert_eq!(json(&ran)["runs"].as_array().unwrap().len(), 1);
    assert_eq!(json(&ran)["taken"], false);
    let ran = repo.run(&["gc", "--keep", "2", "--yes"]);
    assert_eq!(ran.status, Some(0), "{ran}");
    let gone: Vec<&str> = ran.refs.keys().map(String::as_str).collect();
    assert_eq!(gone, ["refs/implement/runs/20200101T000000Z-000001", "refs/implement/runs/20200102T000000Z-000002"]);
    // A record that a commit names stays, unless all may go.
    assert!(repo.run(&["gc", "--keep", "0", "--older-than", "0"]).out.contains("1 of 2 records may go"));
    assert!(repo.run(&["gc", "--keep", "0", "--older-than", "0", "--all"]).out.contains("2 of 2 records may go"));
}

#[test]
fn gc_keeps_a_record_by_which_a_commit_is_known_that_names_no_run() {
    let (repo, run) = generated();
    repo.git(&["switch", "--quiet", "main"]);
    repo.git(&["merge", "--quiet", "--squash", "implement/4"]);
    repo.git(&["commit", "--quiet", "-m", "all of it"]);
    let everything = ["gc", "--keep", "0", "--older-than", "0"];
    repo.git(&["branch", "--quiet", "-D", "implement/4"]);
    assert!(repo.run(&everything).out.contains("0 of 1 record may go"));
    let judged = json(&repo.run(&["verify", "--json", "HEAD~1..HEAD"]))["commits"][0].clone();
    assert_eq!((&judged["verdict"], &judged["run"]), (&"exact".into(), &run.into()), "{judged}");
    // Nothing in the history is of it any more.
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    assert!(repo.run(&everything).out.contains("1 of 1 record may go"));
}

#[test]
fn gc_takes_records_of_failed_runs_too() {
    let repo = Repo::of(&[("docs/4.md", DESIGN), ("src/a.py", A)]);
    repo.answer("src/a.py", "no code");
    let failed = repo.implement(&["docs/4.md", "--repair", "0"]).failed[0].clone();
    fs::rename(repo.failed(&failed), repo.failed("20200101T000000Z-abcdef")).unwrap();
    let ran = repo.run(&["gc", "--keep", "0", "--yes"]);
    ran.says("took 1 record away");
    assert!(!repo.failed("20200101T000000Z-abcdef").exists());
}

#[test]
fn prompts_and_replies_are_left_out_of_a_record_where_the_person_wants_that() {
    let (repo, _) = generated();
    repo.git(&["switch", "--quiet", "main"]);
    let record = |what: &str| {
        repo.git(&["config", "implement.record", what]);
        let branch = format!("with-{what}");
        fs::remove_dir_all(repo.place("asked")).unwrap();
        let run = repo.implement(&["docs/4.md", "--format", "find-replace", "-b", &branch]).published(&branch);
        let files = records::files(&repo, &run);
        let ran = repo.run(&["verify", &format!("main..{branch}")]);
        (files, ran)
    };
    let (files, ran) = record("replies");
    assert!(files.keys().all(|name| !name.starts_with("blocks/")));
    assert!(
        !files
            .iter()
            .any(|(name, text)| name.starts_with("requests/") && String::from_utf8_lossy(text).contains("role"))
    );
    assert!(ran.changed_nothing().out.contains("exact"), "{ran}");
    assert!(ran.out.contains("cannot be shown: what was asked: the record leaves prompts out"), "{ran}");
    let (files, ran) = record("none");
    let folders = ["blocks/", "requests/", "replies/", "design.md"];
    assert!(files.keys().all(|name| !folders.iter().any(|folder| name.starts_with(folder))), "{:?}", files.keys());
    assert_eq!(ran.status, Some(1), "{ran}");
    assert!(ran.out.contains("record-missing") && ran.out.contains("implement.record was 'none'"), "{ran}");
}

#[test]
fn a_refused_reply_with_a_secret_is_kept_without_it_and_marked() {
    let (repo, _) = generated();
    repo.git(&["switch", "--quiet", "main"]);
    let secret = ["ghp_", "zQ8mWv4KpX2nRt7LbYc9HsDf3JgAe6", "2DYjTQ"].concat();
    // Refused because it does not apply, and not for what it holds.
    fs::remove_file(repo.place("answers/src/a.py.1")).unwrap();
    repo.answer_at("src/a.py", 1, change("MISSING = 1", &format!("TOKEN = \"{secret}\"")));
    let ran = repo.implement(&["docs/4.md", "--format", "find-replace", "-b", "second"]);
    let run = ran.published("second");
    let files = records::files(&repo, &run);
    let holding: Vec<&String> = files
        .iter()
        .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains(&secret))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(holding, Vec::<&String>::new());
    assert!(
        String::from_utf8_lossy(&files[&records::with(&files, "replies/", "[secret]")]).contains("\"masked\": true")
    );
    assert!(repo.run(&["verify", "main..second"]).changed_nothing().out.ends_with("2 exact\n"));
}

#[test]
fn a_reply_of_which_the_secret_was_cut_out_cannot_pose_as_one_that_was_accepted() {
    let (repo, run) = generated();
    forge(&repo, &run, |files| {
        let reply = records::with(files, "replies/", "doubled_value");
        records::replace(files, &reply, "\"stop\"", "\"masked\": true,\n      \"stop\"");
    });
    let ran = repo.run(&["verify", "main.."]);
    assert_eq!(ran.status, Some(1), "{ran}");
    assert!(ran.out.contains("a secret was cut out of the reply"), "{ran}");
}

#[test]
fn what_records_say_cannot_steer_the_terminal() {
    let (repo, run) = generated();
    forge(&repo, &run, |files| {
        records::replace(files, "summary.json", "docs/4.md", "docs/\\u001b[31m\\u202e4.md");
        records::replace(files, "run.json", "docs/4.md", "docs/\\u001b[31m4.md");
        let reply = records::with(files, "replies/", "doubled_value");
        records::replace(files, &reply, "doubled_value = ", "doubled_value = \\u001b]0;title\\u0007");
    });
    for arguments in [vec!["log"], vec!["show", "--full", &run], vec!["blame", "src/b.py"], vec!["verify", "main.."]] {
        let ran = repo.run(&arguments);
        assert!(!ran.out.chars().any(|c| c == '\u{1b}' || c == '\u{202e}' || c == '\u{7}'), "{arguments:?}: {ran}");
    }
}

#[test]
fn results_are_paged_on_a_terminal_by_the_persons_pager_and_never_by_the_repositorys() {
    let (mut repo, run) = generated();
    repo.git(&["config", "core.pager", "sed s/^/theirs:/"]);
    repo.set("PAGER", "sed s/^/mine:/");
    let (status, seen) = on_terminal(repo.process(&["log"]));
    assert_eq!(status, Some(0), "{seen}");
    assert!(seen.lines().all(|line| line.starts_with("mine:")) && seen.contains(&run), "{seen}");
    repo.set("GIT_PAGER", "cat");
    let (_, seen) = on_terminal(repo.process(&["log"]));
    assert!(seen.lines().any(|line| line.starts_with(&run)), "{seen}");
    // Where nobody looks, nothing is paged.
    assert!(!repo.run(&["log"]).out.contains("mine:"));
}

#[test]
fn a_revert_is_a_persons_commit_though_its_tree_is_one_of_the_run() {
    let (repo, _) = generated();
    repo.git(&["revert", "--no-edit", "HEAD"]);
    let ran = repo.run(&["verify", "main.."]);
    assert!(ran.changed_nothing().out.ends_with("2 exact, 1 not generated\n"), "{ran}");
}

#[test]
fn the_beginning_of_a_runs_name_is_enough_also_its_date_alone() {
    let (repo, run) = generated();
    for beginning in [&run[..8], &run[..11], &run[..16], &run[..18]] {
        let ran = repo.run(&["show", beginning]);
        assert!(ran.status == Some(0) && ran.out.contains(&format!("run        {run}")), "{ran}");
    }
}
