//! `--use-plan-code`: what of a plan's own code becomes a file without anybody being asked, and what does not.

use crate::lists::{fenced, text};
use crate::repo::Repo;

const BELL: &str = "def ring():\n    \"\"\"Rings.\"\"\"\n    return \"ding\"\n";
const APP: &str = "from src.bell import ring\n\nprint(ring())\n";
const PLAN: &str = "docs/plan.md";
const BRANCH: &str = "implement/plan";

fn plan(bell: &str) -> String {
    format!(
        "# Ring\n\n### Task 1: The bell\n\n**Files:**\n- Create: `src/bell.py`\n- Modify: `src/app.py`\n\n`src/bell.py`:\n\n\
         ```python\n{bell}```\n\n`src/app.py`:\n\n```python\nprint('not this')\n```\n"
    )
}

fn repo(bell: &str) -> Repo {
    let repo = Repo::of(&[("src/app.py", "print(1)\n"), (PLAN, &plan(bell))]);
    repo.answer("src/bell.py", fenced("def ring():\n    return \"asked\"\n"));
    repo.answer("src/app.py", fenced(APP));
    repo
}

#[test]
fn a_new_file_that_the_plan_has_written_out_is_taken_from_there_and_recorded_so() {
    let repo = repo(BELL);
    let ran = repo.implement(&["--use-plan-code", "--json", PLAN]);
    let run = ran.published(BRANCH);
    assert_eq!((text(&repo, BRANCH, "src/bell.py").as_str(), text(&repo, BRANCH, "src/app.py").as_str()), (BELL, APP));
    assert_eq!(repo.asked(), ["src/app.py whole 1"], "what is there is never taken from the plan");
    let events = ran.events();
    let said = events.iter().find(|event| event["id"] == "plan-code").unwrap();
    assert_eq!(said["message"], "'src/bell.py' is the design's own code in line 11: nobody is asked for it");
    let finished = |path: &str| events.iter().find(|it| it["event"] == "file-finished" && it["path"] == path).unwrap();
    assert!(finished("src/bell.py")["key"].is_null() && finished("src/app.py")["key"].is_string());
    let recorded = repo.git(&["cat-file", "blob", &format!("refs/implement/runs/{run}:events.jsonl")]);
    assert!(
        recorded.contains("nobody is asked for it") && !recorded.contains("\"path\":\"src/bell.py\",\"attempt\""),
        "{recorded}"
    );
}

#[test]
fn the_plan_says_that_there_is_such_code() {
    let shown = repo(BELL).run(&["plan", PLAN]);
    shown.says("note: the design has written 'src/bell.py' out\nhint: git implement --use-plan-code <design>");
    let listed = Repo::of(&[(PLAN, "# Ring\n\n- Create: `src/bell.py`\n")]).run(&["plan", PLAN]);
    assert!(!listed.err.contains("--use-plan-code"), "{listed}");
}

#[test]
fn without_the_option_the_plans_code_is_only_shown() {
    let repo = repo(BELL);
    repo.implement(&[PLAN]).published(BRANCH);
    assert_eq!(text(&repo, BRANCH, "src/bell.py"), "def ring():\n    return \"asked\"\n");
    assert!(repo.prompt("src/bell.py").contains("The part of the design that is about it:"));
}

#[test]
fn code_that_a_gate_refuses_is_asked_for() {
    for bell in ["def ring(:\n    return\n", "def ring():\n    # ... rest of the code unchanged ...\n    return 1\n"] {
        let repo = repo(bell);
        let ran = repo.implement(&["--use-plan-code", PLAN]);
        ran.published(BRANCH);
        ran.says("the design's own code for 'src/bell.py' in line 11 is not taken, and is asked for: ");
        assert_eq!(repo.asked(), ["src/bell.py whole 1", "src/app.py whole 1"]);
    }
}

#[test]
fn a_run_that_goes_on_takes_it_again() {
    let repo = repo(BELL);
    repo.answer("src/app.py", "Done.\n");
    let ran = repo.implement(&["--use-plan-code", PLAN]);
    ran.refused(1);
    repo.answer("src/app.py", fenced(APP));
    repo.implement(&["--continue"]).published(BRANCH);
    assert_eq!(text(&repo, BRANCH, "src/bell.py"), BELL);
}
