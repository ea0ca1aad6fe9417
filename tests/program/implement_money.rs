//! What a run costs: what is foreseen, what is agreed to and what is sent are the same, and all that is used counts.

use crate::repo::{Ran, Repo};
use crate::wire::{Wire, chat as reply, no_window, status, stream};
use serde_json::Value;

const DESIGN: &str = "# 3 - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n| `src/b.py` | Add | Uses it |\n\n\
                      Run `tests/test_a.py` afterwards.\n";

fn repo() -> Repo {
    let big = "# nothing but words, and many of them\n".repeat(2_000);
    let files = [
        ("src/a.py", "A = 1\n"),
        ("docs/3.md", DESIGN),
        ("docs/big.md", big.as_str()),
        ("tests/test_a.py", "def test_a():\n    assert True\n"),
    ];
    let repo = Repo::of(&files);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.answer("src/b.py", "```python\nfrom a import A\n\nprint(A)\n```\n");
    repo
}

fn plan(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"))
}

fn sum(events: &[Value], kind: &str, field: &str) -> u64 {
    let of_kind = events.iter().filter(|event| event["event"] == kind);
    of_kind.map(|event| event.pointer(field).and_then(Value::as_u64).unwrap_or_default()).sum()
}

#[test]
fn what_a_command_finds_can_send_every_file_back_once_more() {
    let mut repo = repo();
    let repairs = |repo: &Repo| {
        let plan = plan(&repo.run(&["plan", "--json", "docs/3.md"]));
        plan["estimate"]["repairs"]["input"].as_u64().unwrap()
    };
    let once = repairs(&repo);
    repo.configure("implement.verify", "true");
    assert_eq!(repairs(&repo), once * 2);
    repo.configure("implement.repair", "2");
    assert_eq!(repairs(&repo), once * 4);
}

#[test]
fn the_plan_has_the_very_prompt_of_the_run_with_all_that_is_shown_in_it() {
    let repo = repo();
    let args = ["docs/3.md", "--context", "docs/big.md"];
    let one = ["--", "src/a.py"];
    let ran = repo.run(&[&["plan", "--json"], &args[..], &one].concat());
    ran.changed_nothing();
    let plan = plan(&ran);
    let shown: Vec<(&str, &str)> = (plan["context"].as_array().unwrap().iter())
        .map(|shown| (shown["path"].as_str().unwrap(), shown["reason"].as_str().unwrap()))
        .collect();
    let expected = [("docs/big.md", "named by --context"), ("tests/test_a.py", "a test that the design names")];
    assert_eq!(shown, expected);
    let tokens = plan["context"][0]["tokens"].as_u64().unwrap();
    assert!(tokens > 20_000, "{plan}");
    let ran = repo.implement(&[&["--json"], &args[..], &one].concat());
    ran.published("implement/3");
    let sent = sum(&ran.events(), "asked", "/prompt_tokens");
    assert_eq!(plan["estimate"]["input"].as_u64(), Some(sent));
    assert!(sent > tokens && plan["estimate"]["cost"].is_null(), "{plan}");
    let repairs = &plan["estimate"]["repairs"];
    assert!(repairs["input"].as_u64() > Some(sent) && repairs["output"] == plan["estimate"]["output"], "{plan}");
    // The same number is what one agrees to.
    assert!(
        ran.err.contains("sends docs/3.md, docs/big.md, tests/test_a.py, src/a.py")
            || ran.err.contains("sends 4 files"),
        "{ran}"
    );
    assert!(ran.err.contains(&format!("estimated {:.1}k tokens in", sent as f64 / 1e3)), "{ran}");
    let kept: Value =
        serde_json::from_slice(&repo.blob(&ran.refs.keys().last().unwrap().clone(), "plan.json")).unwrap();
    assert_eq!((&kept["context"], &kept["estimate"]["input"]), (&plan["context"], &plan["estimate"]["input"]));
}

#[test]
fn the_price_of_a_plan_grows_with_what_is_shown_beside_the_design() {
    let mut repo = repo();
    repo.set("ANTHROPIC_API_KEY", "not-a-key");
    let cost = |more: &[&str]| {
        let ran = repo.run(&[&["plan", "--json", "docs/3.md"], more].concat());
        ran.changed_nothing();
        plan(&ran)["estimate"]["cost"].as_f64().unwrap()
    };
    let (without, with) = (cost(&[]), cost(&["--context", "docs/big.md"]));
    // Written to the cache once, and read from it once.
    assert!(with - without > 20_000.0 * (3.75 + 0.3) / 1e6, "{without} {with}");
    repo.write(".git-implement.toml", "context = [\"docs/big.md\"]\n");
    assert_eq!(cost(&[]), with);
}

#[test]
fn a_prompt_that_no_model_takes_is_an_error_of_the_plan_and_of_the_run_before_anything_is_sent() {
    let repo =
        Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN), ("huge.txt", &"words and words\n".repeat(430_000))]);
    let ran = repo.run(&["plan", "--json", "docs/3.md", "--context", "huge.txt"]);
    ran.refused(1);
    let findings = plan(&ran)["findings"].clone();
    let found = findings
        .as_array()
        .unwrap()
        .iter()
        .any(|finding| finding["id"] == "prompt-too-long" && finding["severity"] == "error");
    assert!(found, "{findings}");
    repo.implement(&["docs/3.md", "--context", "huge.txt"]).refused_at_once(4).says("the model's window has room for");
    assert!(repo.asked().is_empty());
}

#[test]
fn what_a_command_uses_is_estimated_and_held_to_the_limit() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md", "--json"]);
    ran.published("implement/3");
    let events = ran.events();
    let sent = sum(&events, "asked", "/prompt_tokens");
    let used = sum(&events, "run-finished", "/usage/input");
    assert!(used.abs_diff(sent) < 20 && sum(&events, "run-finished", "/usage/output") > 10, "{sent} {used}");
    // Enough for the first file, and not for both.
    let most = (sent / 2 + 2_000).to_string();
    let ran = repo.implement(&["docs/3.md", "-b", "two", "--max-tokens", &most]);
    ran.refused(4).says("over --max-tokens").says("asking for 'src/b.py'");
}

#[test]
fn all_designs_of_a_command_draw_on_one_limit() {
    let repo = repo();
    repo.write("docs/4.md", DESIGN.replace("# 3", "# 4").replace("src/b.py", "src/c.py"));
    repo.answer("src/c.py", "```python\nC = 1\n```\n");
    let ran = repo.implement(&["docs/3.md", "-b", "one", "--json"]);
    let (sent, used) =
        (sum(&ran.events(), "asked", "/prompt_tokens"), |field| sum(&ran.events(), "run-finished", field));
    let all = used("/usage/input") + used("/usage/output");
    // Enough for one design whatever its last reply turns out to be, and not for the two.
    let most = (all + 2_000).min(2 * sent).to_string();
    let both = repo.implement(&["docs/3.md", "docs/4.md", "--max-tokens", &most]);
    assert!(both.status == Some(4) && both.refs.contains_key("refs/heads/implement/3"), "{both}");
    assert!(!both.refs.contains_key("refs/heads/implement/4"), "{both}");
    both.says(&format!("over --max-tokens {most}\n"));
    let each = repo.implement(&["docs/4.md", "--max-tokens", &most]);
    each.published("implement/4");
}

fn ask(repo: &Repo, wire: &Wire, more: &[&str]) -> Ran {
    let url = format!("{}/v1", wire.url);
    let whom = ["--provider", "openai", "--base-url", &url, "--model", "m", "--json", "docs/3.md"];
    repo.run(&[&whom[..], more].concat())
}

#[test]
fn a_try_that_broke_off_counts_as_used_and_a_refused_one_does_not() {
    let repo = repo();
    let half = "word ".repeat(400);
    let whole = reply("```python\nA = 2\n```\n", "stop");
    let answers = vec![no_window(), status("503 Busy", "", "{}"), stream("", &reply(&half, "")), stream("", &whole)];
    let ran = ask(&repo, &Wire::serve(answers), &["--", "src/a.py"]);
    ran.published("implement/3");
    let events = ran.events();
    let retries: Vec<&Value> = events.iter().filter(|event| event["event"] == "retrying").collect();
    assert_eq!((retries.len(), &retries[0]["usage"]["input"]), (2, &0.into()), "{retries:?}");
    let prompt = sum(&events, "asked", "/prompt_tokens");
    let broken = &retries[1]["usage"];
    assert!(broken["input"].as_u64().unwrap() >= prompt && broken["output"].as_u64().unwrap() > 500, "{broken}");
    // Two prompts were read, and both answers paid for.
    assert!(sum(&events, "run-finished", "/usage/input") >= 2 * prompt);
    assert!(sum(&events, "run-finished", "/usage/output") > 505);
}

#[test]
fn a_limit_ends_the_tries_at_one_request_too_and_the_failed_run_says_what_it_spent() {
    let repo = repo();
    let wire = Wire::serve(vec![no_window(), stream("", &reply(&"word ".repeat(4_000), ""))]);
    let ran = ask(&repo, &wire, &["--max-tokens", "7000", "--", "src/a.py"]);
    ran.refused(4).says("over --max-tokens 7000");
    assert_eq!(wire.seen().iter().filter(|seen| seen.target.starts_with("POST")).count(), 1, "{ran}");
    let last = ran.events().pop().unwrap();
    assert!(last["usage"]["output"].as_u64().unwrap() > 5_000, "{last}");
    let url = format!("{}/v1", wire.url);
    let ran =
        repo.run(&["--provider", "openai", "--base-url", &url, "--model", "m", "--max-tokens", "7000", "docs/3.md"]);
    ran.refused(4).says("spent ").says(" tokens in, ");
}

#[test]
fn a_whole_file_that_was_cut_off_is_asked_for_as_edits_and_no_two_tries_are_the_same() {
    let repo = repo();
    let edits = reply(
        "### CHANGE 1: another value\nFIND:\n```python\nA = 1\n```\n\nREPLACE WITH:\n```python\nA = 2\n```\n",
        "stop",
    );
    let cut = reply("```python\nA = ", "length");
    let replies = repo.place("replies");
    let wire = Wire::serve(vec![no_window(), stream("", &cut), stream("", &cut), stream("", &edits)]);
    let record = replies.to_str().unwrap();
    let ran = ask(&repo, &wire, &["--format", "auto", "--record", record, "--", "src/a.py"]);
    let events = ran.events();
    let asked: Vec<&Value> = events.iter().filter(|event| event["event"] == "asked").collect();
    let formats: Vec<&str> = asked.iter().map(|event| event["format"].as_str().unwrap()).collect();
    assert_eq!(formats, ["whole", "find-replace", "find-replace"], "{ran}");
    let mut keys: Vec<&str> = asked.iter().map(|event| event["key"].as_str().unwrap()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 3, "{ran}");
    ran.published("implement/3");
    // What was recorded answers again, each try under its own key.
    repo.run(&["docs/3.md", "-b", "again", "--replay", record, "--", "src/a.py"]).published("again");
    let said = wire.seen()[3].body.to_string();
    assert!(said.contains("2 earlier replies were too long"), "{said}");
}

#[test]
fn what_is_said_of_a_reply_that_stays_too_long_helps_in_that_very_case() {
    let repo = repo();
    let cut = || Wire::serve(vec![stream("", &reply("```python\nA = ", "length"))]);
    let new = ask(&repo, &cut(), &["--", "src/b.py"]);
    new.refused(2).says("let the design split the file in two");
    assert!(!new.err.contains("find-replace"), "{new}");
    let edited = ask(&repo, &cut(), &["--", "src/a.py"]);
    edited.refused(2).says("let the design change less of the file at once");
    assert!(!edited.err.contains("find-replace"), "{edited}");
    ask(&repo, &cut(), &["--format", "whole", "--", "src/a.py"]).refused(2).says("--format find-replace");
}
