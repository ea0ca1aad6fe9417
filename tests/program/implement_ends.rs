//! `--json`: whatever ends a run, and be it before there is one, the last line says so.

use crate::repo::{Ran, Repo};

const DESIGN: &str = "# 3 - One file\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo
}

/// The last event and no other says how it ended, with this status and words that hold `error`.
#[track_caller]
fn ends(ran: &Ran, status: i32, error: &str) {
    assert_eq!(ran.status, Some(status), "{ran}");
    let events = ran.events();
    let ends: Vec<_> = events.iter().filter(|event| event["event"] == "run-finished").collect();
    let [end] = ends[..] else { panic!("{} ends\n{ran}", ends.len()) };
    assert_eq!(Some(end), events.last(), "{ran}");
    assert_eq!((&end["schema"], &end["status"]), (&1.into(), &status.into()), "{ran}");
    let said = end["error"].as_str().unwrap_or_default();
    assert!(said.contains(error) && said.is_empty() == (status == 0), "{ran}");
}

#[test]
fn every_way_to_end_is_told_as_the_last_event() {
    let mut repo = repo();
    repo.write("docs/4.md", DESIGN.replace("src/a.py", "src/gone.py"));
    let run = |arguments: &[&str]| repo.run(&[&["--json"], arguments].concat());
    ends(&run(&["--frobnicate", "docs/3.md"]), 129, "unexpected argument '--frobnicate'");
    ends(&run(&[]), 129, "required arguments were not provided");
    ends(&run(&["-b", "x", "docs/3.md", "docs/4.md"]), 129, "-b names one branch");
    ends(&run(&["--max-files", "docs/3.md"]), 129, "--max-files");
    ends(&run(&["docs/5.md"]), 128, "cannot find the design 'docs/5.md'");
    ends(&run(&["docs/3.md", "--base", "nowhere"]), 128, "nowhere");
    ends(&run(&["docs/3.md", "--provider", "command"]), 128, "cannot ask a model");
    ends(&repo.run_in(&repo.place("home"), &["--json", "docs/3.md"]), 128, "not a git repository");
    ends(&repo.implement(&["--json", "docs/3.md", "--context", "src/gone.py"]), 1, "cannot implement");
    let plan = repo.implement(&["--json", "docs/4.md"]);
    ends(&plan, 1, "1 error");
    assert!(plan.events().iter().any(|event| event["event"] == "finding" && event["severity"] == "error"), "{plan}");
    ends(&repo.implement(&["--json", "docs/3.md", "--max-tokens", "10"]), 4, "--max-tokens 10");
    ends(&repo.implement(&["--json", "docs/3.md"]), 0, "");
    ends(&repo.implement(&["--json", "docs/3.md"]), 128, "already exists");
    repo.set("ANTHROPIC_API_KEY", "not-a-key");
    repo.set("ANTHROPIC_BASE_URL", "https://nobody.invalid");
    ends(&repo.run(&["--json", "docs/3.md", "-b", "other"]), 128, "nobody has agreed");
    repo.write(".git-implement.toml", "modle = \"x\"\n");
    let wrong = repo.run(&["--json", "docs/3.md", "-b", "other"]);
    ends(&wrong, 128, "settings");
    assert!(wrong.events()[0]["message"].as_str().unwrap().contains("unknown key 'modle'"), "{wrong}");
}

#[test]
fn a_run_that_nobody_answered_does_not_say_that_replies_are_kept() {
    let repo = repo();
    repo.before("src/a.py", "exit 1");
    let ran = repo.implement(&["docs/3.md"]);
    ran.says("hint: nothing was answered and nothing committed; the record is '");
    assert!(!ran.err.contains("--replay"), "{ran}");
    let repo = repo_with_a_refusal();
    repo.implement(&["docs/3.md"]).says("hint: nothing was committed; what was answered is kept for --replay in '");
}

fn repo_with_a_refusal() -> Repo {
    let repo = repo();
    repo.answer("src/a.py", "```python\nA = (\n```\n");
    repo
}

#[test]
fn each_of_several_designs_has_an_end_of_its_own() {
    let repo = repo();
    repo.write("docs/4.md", DESIGN.replace("src/a.py", "src/gone.py"));
    let ran = repo.implement(&["--json", "docs/4.md", "docs/3.md"]);
    assert_eq!(ran.status, Some(1), "{ran}");
    let events = ran.events();
    let ends: Vec<_> =
        events.iter().filter(|event| event["event"] == "run-finished").map(|end| &end["status"]).collect();
    assert_eq!(ends, [&serde_json::json!(1), &serde_json::json!(0)], "{ran}");
}
