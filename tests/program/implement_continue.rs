//! `--continue`, `--abort`, `--status`: a run that stopped goes on, and asks nothing twice that was accepted.

use crate::repo::{Ran, Repo, Signal, wait_for};
use serde_json::Value;
use std::fs;

const DESIGN: &str = "# 5 - Three\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/one.py` | Add | First |\n| `src/two.py` | Add | Second |\n| `src/three.py` | Add | Third |\n";

const REPORT: &str = "I have created the file, and all tests pass.\n";

fn file(n: usize) -> String {
    format!("```python\nVALUE = {n}\n\n\ndef value():\n    return VALUE\n```\n")
}

/// Whose model answers well.
fn repo() -> Repo {
    let repo = Repo::of(&[("docs/5.md", DESIGN), ("src/__init__.py", "")]);
    for (n, name) in ["one", "two", "three"].into_iter().enumerate() {
        repo.answer(&format!("src/{name}.py"), file(n));
    }
    repo
}

/// The tree of a run that nothing disturbs, or a part of it.
fn undisturbed(part: &str) -> String {
    let repo = repo();
    repo.implement(&["docs/5.md"]).published("implement/5");
    repo.git(&["rev-parse", &format!("implement/5{part}")])
}

/// Goes on, which must end in the tree of an undisturbed run and take the old record away.
#[track_caller]
fn goes_on(repo: &Repo, options: &[&str]) -> Ran {
    let provider = repo.provider();
    let ran = repo.run(&[&["--continue", "--command", &provider], options].concat());
    ran.published("implement/5");
    assert_eq!(repo.git(&["rev-parse", "implement/5^{tree}"]), undisturbed("^{tree}"), "{ran}");
    assert_eq!(repo.git(&["log", "--format=%s", "main..implement/5"]).lines().count(), 3);
    assert_eq!(fs::read_dir(repo.failed("")).map_or(0, |records| records.count()), 0, "{ran}");
    repo.run(&["--continue"]).changed_nothing().says("nothing to do");
    ran
}

/// How often each of the three files was asked for.
fn asked(repo: &Repo) -> [usize; 3] {
    let of = |name: &str| repo.asked().iter().filter(|line| line.starts_with(&format!("src/{name}.py "))).count();
    [of("one"), of("two"), of("three")]
}

#[test]
fn after_a_refusal_the_refused_file_is_asked_for_again_with_what_was_found() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    let ran = repo.implement(&["docs/5.md"]);
    ran.refused(1).says(&format!("git implement --continue {}: go on", ran.failed[0]));
    assert_eq!(asked(&repo), [1, 2, 0]);
    repo.answer("src/two.py", file(1));
    goes_on(&repo, &[]);
    assert_eq!(asked(&repo), [1, 3, 1], "the first file is not asked for again, the second once, with the findings");
    assert_eq!(repo.asked()[3..], ["src/two.py whole 2", "src/three.py whole 1"]);
}

#[test]
fn one_shot_goes_on_with_one_shot() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    repo.implement(&["docs/5.md", "--repair", "0"]).refused(1);
    repo.answer("src/two.py", file(1));
    goes_on(&repo, &[]);
    assert_eq!(asked(&repo), [1, 2, 1]);
}

#[test]
fn after_a_kill_in_each_file_nothing_that_was_answered_is_asked_again() {
    for (name, before) in [("one", [1, 0, 0]), ("two", [1, 1, 0]), ("three", [1, 1, 1])] {
        let repo = repo();
        repo.before(&format!("src/{name}.py"), "kill -KILL $PPID; sleep 1000");
        let provider = repo.provider();
        let ended = repo.process(&["--command", &provider, "docs/5.md"]).output().unwrap();
        assert_eq!(ended.status.code(), None);
        assert_eq!(asked(&repo), before);
        let listed = String::from_utf8(repo.process(&["--status"]).output().unwrap().stdout).unwrap();
        assert!(listed.contains(" docs/5.md on implement/5: killed, "), "{listed}");
        repo.before(&format!("src/{name}.py"), "");
        // Clears away what the kill left, which would count as the user's, or as the next run's.
        fs::remove_dir_all(repo.place("tmp")).and_then(|()| fs::create_dir(repo.place("tmp"))).unwrap();
        assert_eq!(repo.process(&["--abort", "nobody"]).output().unwrap().status.code(), Some(128));
        goes_on(&repo, &[]);
        let once_more = |n: usize, which: &str| before[n].max(1) + usize::from(which == name);
        assert_eq!(asked(&repo), [once_more(0, "one"), once_more(1, "two"), once_more(2, "three")]);
    }
}

#[test]
fn after_an_interruption_a_provider_that_failed_and_a_budget_it_goes_on() {
    let repo = repo();
    repo.before("src/two.py", &format!("echo $$ >'{}'; sleep 1000", repo.place("sign").display()));
    repo.interrupted(Signal::INT, "sign", &["docs/5.md"]).refused(130);
    let listed = repo.run(&["--status"]).out;
    assert!(
        listed.contains(": interrupted, 1 of 3 files accepted, ") && listed.contains(", 1 request unanswered"),
        "{listed}"
    );
    repo.before("src/two.py", "exit 1");
    let provider = repo.provider();
    let failed = repo.run(&["--continue", "--command", &provider]);
    failed.refused(2);
    assert_eq!(failed.failed.len(), 1);
    assert_eq!(fs::read_dir(repo.failed("")).unwrap().count(), 1, "the first record is part of the second");
    repo.before("src/two.py", "");
    let over = repo.run(&["--continue", "--command", &provider, "--max-tokens", "2500"]);
    over.refused(4);
    let listed: Value = serde_json::from_str(&repo.run(&["--status", "--json"]).out).unwrap();
    let [run] = &listed.as_array().unwrap()[..] else { panic!("{listed}") };
    assert_eq!(
        (&run["design"], &run["branch"], &run["state"]),
        (&"docs/5.md".into(), &"implement/5".into(), &"over-budget".into())
    );
    assert!(run["spent"]["input"].as_u64() > Some(1000) && run["run"].is_string(), "{listed}");
    let shown = repo.run(&["show", run["run"].as_str().unwrap()]);
    assert!(shown.out.contains("by the runs that it goes on from\n"), "{shown}");
    goes_on(&repo, &["--max-tokens", "100000"]);
    assert_eq!(asked(&repo)[0], 1);
}

#[test]
fn a_continued_run_that_is_refused_again_keeps_the_replies_of_both() {
    let repo = repo();
    repo.answer("src/three.py", REPORT);
    repo.implement(&["docs/5.md"]).refused(1);
    let provider = repo.provider();
    let again = repo.run(&["--continue", "--command", &provider]);
    again.refused(1).says("is refused: reply-report");
    assert_eq!(fs::read_dir(repo.failed("")).unwrap().count(), 1);
    repo.answer("src/three.py", file(2));
    goes_on(&repo, &[]);
    assert_eq!(asked(&repo)[..2], [1, 1]);
}

#[test]
fn options_are_those_of_the_record_and_those_given_now_win() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    let options = ["docs/5.md", "-b", "topic", "--commit", "single", "--repair", "0", "--", "src/one.py", "src/two.py"];
    repo.implement(&options).refused(1);
    // What HEAD is now is not what the run builds on.
    let base = repo.tip("HEAD");
    repo.write("more.txt", "more\n");
    repo.commit("more");
    repo.answer("src/two.py", file(1));
    let provider = repo.provider();
    let ran = repo.run(&["--continue", "--command", &provider, "--signoff"]);
    ran.published("topic");
    assert_eq!(repo.git(&["rev-parse", "topic^"]), base, "one commit on the base of the first run");
    assert_eq!(repo.git(&["diff", "--name-only", &base, "topic"]), "src/one.py\nsrc/two.py");
    assert!(repo.git(&["log", "-1", "--format=%B", "topic"]).contains("Signed-off-by: "));
}

#[test]
fn a_design_that_changed_is_noticed_file_by_file_and_what_was_accepted_can_be_kept() {
    for keeps in [false, true] {
        let repo = repo();
        repo.answer("src/three.py", REPORT);
        repo.implement(&["docs/5.md"]).refused(1);
        repo.answer("src/three.py", file(2));
        repo.write("docs/5.md", DESIGN.replace("Third", "The third of three"));
        let provider = repo.provider();
        let option: &[&str] = if keeps { &["--keep-accepted"] } else { &[] };
        let ran = repo.run(&[&["--continue", "--command", &provider], option].concat());
        ran.published("implement/5");
        for name in ["one", "two"] {
            match keeps {
                true => ran.says(&format!("note: 'src/{name}.py' is taken as it was accepted, though")),
                false => ran.says(&format!("note: 'src/{name}.py' was accepted, and is asked for again")),
            };
        }
        assert_eq!(asked(&repo)[..2], if keeps { [1, 1] } else { [2, 2] });
        assert_eq!(repo.git(&["rev-parse", "implement/5:src"]), undisturbed(":src"));
    }
}

#[test]
fn of_several_runs_one_is_named_and_what_is_finished_or_unknown_is_said() {
    let repo = repo();
    repo.run(&["--continue"]).changed_nothing().says("nothing to do");
    repo.run(&["--abort"]).changed_nothing().says("nothing to do");
    assert_eq!(repo.run(&["--status"]).out, "no run has stopped\n");
    assert_eq!(repo.run(&["--status", "--json"]).out, "[]\n");
    repo.answer("src/one.py", REPORT);
    let first = repo.implement(&["docs/5.md", "-b", "first"]).failed[0].clone();
    let second = repo.implement(&["docs/5.md", "-b", "second"]).failed[0].clone();
    let provider = repo.provider();
    let several = repo.run(&["--continue", "--command", &provider]);
    several.refused_at_once(129).says("several runs have stopped: name one");
    several.says(&format!("hint: {first} docs/5.md on first: refused, 0 of 3 files accepted"));
    repo.answer("src/one.py", file(0));
    let done = repo.run(&["--continue", &second, "--command", &provider]).published("second");
    repo.run(&["--continue", &done]).changed_nothing().says("nothing to do");
    repo.run(&["--continue", "nobody"]).refused_at_once(128).says("there is no run 'nobody'");
    repo.run(&["--continue", "../../x"]).refused_at_once(128).says("there is no run '../../x'");
    repo.run(&["--abort", &first]).says(&format!("took away {first} docs/5.md on first"));
    repo.run(&["--continue"]).changed_nothing().says("nothing to do");
    repo.run(&["--continue", "--abort"]).refused_at_once(129);
    repo.run(&["docs/5.md", "--keep-accepted"]).refused_at_once(129);
}

#[test]
fn what_runs_a_program_or_permits_something_is_never_taken_from_a_record() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    let run = repo.implement(&["docs/5.md", "--allow", "size"]).failed[0].clone();
    let header = fs::read_to_string(repo.failed(&run).join("run.json")).unwrap();
    assert!(!header.contains("provider'") && !header.contains("sh '"), "no command line: {header}");
    let ran = repo.run(&["--continue"]);
    ran.refused_at_once(128).says("the run was started with --command and --allow, which are in no record");
    let provider = repo.provider();
    let ran = repo.run(&["--continue", "--command", &provider]);
    ran.refused_at_once(128).says("the run was started with --allow, which is in no record");
    // Somebody wrote it into the record.
    let planted = repo.place("planted");
    for option in [
        format!("--command=touch '{}'", planted.display()),
        format!("--verify=touch '{}'", planted.display()),
        "--allow=secret".into(),
        "--base-url=http://x".into(),
        "-y".into(),
    ] {
        let mut value: Value = serde_json::from_str(&header).unwrap();
        value["options"]["kept"].as_array_mut().unwrap().push(option.into());
        fs::write(repo.failed(&run).join("run.json"), value.to_string()).unwrap();
        let ran = repo.run(&["--continue", "--allow", "size", "--command", &provider]);
        ran.refused_at_once(128).says("has what no record has");
        assert!(!planted.exists());
    }
    fs::write(repo.failed(&run).join("run.json"), &header).unwrap();
    repo.answer("src/two.py", file(1));
    goes_on(&repo, &["--allow", "size"]);
}

#[test]
fn a_command_that_verifies_is_given_again_or_none_may_run() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    let run = repo.implement(&["docs/5.md", "--verify", "true unmistakable", "--lsp", "off", "--bisectable"]).failed[0]
        .clone();
    let header = fs::read_to_string(repo.failed(&run).join("run.json")).unwrap();
    assert!(!header.contains("unmistakable"), "{header}");
    let value: Value = serde_json::from_str(&header).unwrap();
    assert_eq!(value["options"]["kept"], serde_json::json!(["--lsp=off", "--bisectable"]));
    let provider = repo.provider();
    let ran = repo.run(&["--continue", "--command", &provider]);
    ran.refused_at_once(128).says("the run was started with --verify, which is in no record");
    repo.answer("src/two.py", file(1));
    goes_on(&repo, &["--no-exec"]);
}

#[test]
fn a_dry_run_takes_nothing_away_and_a_reply_that_cannot_be_read_is_asked_for_again() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    let run = repo.implement(&["docs/5.md"]).failed[0].clone();
    let provider = repo.provider();
    repo.run(&["--continue", "-n", "--command", &provider]).changed_nothing();
    assert!(repo.failed(&run).is_dir());
    for reply in fs::read_dir(repo.failed(&run).join("replies")).unwrap() {
        fs::write(reply.unwrap().path(), "garbage").unwrap();
    }
    repo.answer("src/two.py", file(1));
    goes_on(&repo, &[]);
    assert_eq!(asked(&repo), [2, 3, 1]);
}

#[test]
fn a_design_of_a_commit_is_read_from_there_again() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    repo.implement(&["HEAD:docs/5.md"]).refused(1);
    repo.write("docs/5.md", DESIGN.replace("| `src/three.py` | Add | Third |\n", ""));
    repo.answer("src/two.py", file(1));
    goes_on(&repo, &[]);
    assert_eq!(asked(&repo)[0], 1);
}

#[test]
fn of_two_processes_that_go_on_from_one_run_the_second_asks_nobody_and_takes_nothing_away() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    let run = repo.implement(&["docs/5.md"]).failed[0].clone();
    let (sign, go) = (repo.place("sign"), repo.place("go"));
    let wait = format!(": >'{}'; while [ ! -f '{}' ]; do sleep 0.05; done", sign.display(), go.display());
    repo.before("src/two.py", &wait);
    repo.answer("src/two.py", file(1));
    let provider = repo.provider();
    let arguments = ["--continue", run.as_str(), "--command", &provider];
    let first = repo.process(&arguments).spawn().unwrap();
    wait_for("the provider to be asked", || sign.is_file());
    let before = repo.asked().len();
    for second in [&arguments[..], &["--abort", &run]] {
        let second = repo.process(second).output().unwrap();
        let said = String::from_utf8_lossy(&second.stderr).into_owned();
        assert_eq!(second.status.code(), Some(128), "{said}");
        assert!(said.contains(&format!("the run '{run}' goes on in another process")), "{said}");
    }
    assert_eq!(repo.asked().len(), before);
    fs::write(go, "").unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(repo.git(&["rev-parse", "implement/5^{tree}"]), undisturbed("^{tree}"));
}

#[test]
fn every_entry_says_its_run_its_number_and_its_time_and_each_file_what_it_came_from() {
    let repo = repo();
    repo.write("seen.py", "SEEN = 1\n");
    repo.commit("seen");
    let run = repo.implement(&["docs/5.md", "--context", "seen.py"]).published("implement/5");
    let show = |name: &str| repo.git(&["show", &format!("refs/implement/runs/{run}:{name}")]);
    let events: Vec<Value> = show("events.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (n, event) in events.iter().enumerate() {
        assert_eq!((&event["run"], &event["seq"]), (&run.as_str().into(), &(n + 1).into()), "{event}");
        assert!(event["at"].as_str().unwrap().ends_with('Z'), "{event}");
    }
    assert_eq!(events.last().unwrap()["event"], "run-finished");
    for file in events.iter().filter(|event| event["event"] == "file-finished") {
        let path = file["path"].as_str().unwrap();
        assert_eq!(file["result"], repo.git(&["rev-parse", &format!("implement/5:{path}")]).as_str());
        assert_eq!(file["format"], "whole");
        show(&format!("replies/{}.json", file["key"].as_str().unwrap()));
    }
    let header: Value = serde_json::from_str(&show("run.json")).unwrap();
    assert_eq!(header["options"]["kept"], serde_json::json!(["--context=seen.py"]));
    let shown = &header["documents"][0];
    assert_eq!(
        (&shown["path"], show(&format!("blocks/{}", shown["block"].as_str().unwrap())).as_str()),
        (&"seen.py".into(), "SEEN = 1")
    );
}

#[test]
fn of_a_damaged_record_the_file_and_the_line_are_named_and_a_pipe_is_never_opened() {
    let repo = repo();
    repo.answer("src/two.py", REPORT);
    let run = repo.implement(&["docs/5.md"]).failed[0].clone();
    let events = repo.failed(&run).join("events.jsonl");
    let whole = fs::read_to_string(&events).unwrap();
    let go_on = || repo.run(&["--continue", "--command", &repo.provider()]);
    fs::write(&events, whole.replacen("\"event\":\"file-started\"", "\"event\":\"nonsense\"", 1)).unwrap();
    go_on()
        .refused_at_once(128)
        .says(&format!("cannot go on from the record of '{run}': 'events.jsonl' is damaged in line "));
    fs::remove_file(&events).unwrap();
    go_on().refused_at_once(128).says("cannot read 'events.jsonl': ");
    fs::write(&events, whole).unwrap();
    let header = repo.failed(&run).join("run.json");
    fs::remove_file(&header).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&header).status().unwrap().success());
    go_on().refused_at_once(128).says("'run.json' is no file");
}
