//! A design from standard input: it becomes a branch, the record keeps its text, and a run goes on from there.

use crate::lists::{fenced, module};
use crate::repo::Repo;
use serde_json::{Value, json};

const DESIGN: &str = "# Ring the bell\n\n**Files:**\n- Create: `src/bell.py`\n- Create: `src/rope.py`\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("src/app.py", "def app():\n    return None\n")]);
    for name in ["bell", "rope"] {
        repo.answer(&format!("src/{name}.py"), fenced(&module(name)));
    }
    repo
}

#[test]
fn a_design_from_standard_input_becomes_a_branch_and_stays_in_the_record() {
    let repo = repo();
    let ran = repo.implement_on(DESIGN, &["-"]);
    let run = ran.published("implement/Ring-the-bell");
    ran.says("the design from standard input is kept in the run's record");
    let kept = format!("refs/implement/runs/{run}:design.md");
    assert_eq!(repo.git_bytes(&["cat-file", "blob", &kept]), DESIGN.as_bytes());
    let blob = repo.git(&["rev-parse", &kept]);
    let trailer = repo.git(&["log", "-1", "--format=%(trailers:key=Implements,valueonly)", "implement/Ring-the-bell"]);
    assert_eq!(trailer.trim(), format!("standard-input@{blob}"));
    repo.sound();
}

#[test]
fn the_issue_names_the_branch_and_the_plan_reads_standard_input_too() {
    let repo = repo();
    let plan = repo.run_on(DESIGN, &["plan", "--json", "-"]);
    let plan: Value = serde_json::from_str(&plan.out).unwrap();
    assert_eq!(
        (&plan["lld"], &plan["title"], &plan["files"][1]["path"]),
        (&json!("-"), &json!("Ring the bell"), &json!("src/rope.py"))
    );
    let alone = repo.run_on(DESIGN, &["plan", "--no-repo", "--json", "-"]);
    let alone: Value = serde_json::from_str(&alone.out).unwrap();
    assert_eq!(alone["files"][0]["path"], "src/bell.py");
    let issue = DESIGN.replacen("\n\n", "\n\nIssue: #12\n\n", 1);
    repo.implement_on(&issue, &["-"]).published("implement/12");
}

#[test]
fn a_run_goes_on_with_the_text_of_its_record() {
    let repo = repo();
    repo.answer("src/rope.py", "I have written the file.\n");
    let ran = repo.implement_on(DESIGN, &["-"]);
    ran.refused(1);
    let run = ran.failed[0].clone();
    repo.answer("src/rope.py", fenced(&module("rope")));
    // Nothing is on standard input now.
    let ran = repo.implement(&["--continue", &run]);
    ran.published("implement/Ring-the-bell");
    assert_eq!(repo.asked().iter().filter(|line| line.starts_with("src/bell.py")).count(), 1);
    assert_eq!(repo.subjects("implement/Ring-the-bell"), ["Add src/bell.py", "Add src/rope.py"]);
}

#[test]
fn standard_input_holds_one_design_which_is_text() {
    let repo = repo();
    repo.implement_on(DESIGN, &["-", "-"]).refused_at_once(129).says("standard input holds one design");
    repo.implement_on(b"# a \xff\n", &["-"]).refused_at_once(128).says("'-' is not UTF-8");
    repo.implement_on("", &["-"]).refused_at_once(1).says("the design has no list of files");
    let write =
        repo.run_on(DESIGN, &["plan", "--propose", "--write", "--provider", "command", "--command", "cat", "-"]);
    write.refused_at_once(128).says("cannot write into '-'");
}
