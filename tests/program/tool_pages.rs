//! The plans that the pages of four tools show, carried out in repositories of their own.

use crate::lists::{commits, text};
use crate::repo::Repo;
use std::fs;

/// A page, the folder of its fixture, and the plan that it shows.
const PAGES: [(&str, &str, &str); 4] = [
    (include_str!("../../doc/SUPERPOWERS.md"), "superpowers", "docs/superpowers/plans/2026-03-02-low-water.md"),
    (include_str!("../../doc/ANTIGRAVITY.md"), "antigravity", "docs/night/implementation_plan.md"),
    (include_str!("../../doc/GSD.md"), "gsd", ".planning/phases/01-log/01-02-PLAN.md"),
    (include_str!("../../doc/AGENT-PLANS.md"), "agent-plans", "thoughts/shared/plans/berths.md"),
];

fn fixture(name: &str) -> Repo {
    Repo::fixture(&format!("plans/{name}"))
}

#[test]
fn each_page_shows_the_plan_that_is_carried_out_here() {
    for (page, name, plan) in PAGES {
        let shown = page.split_once("~~~markdown\n").and_then(|(_, rest)| rest.split_once("~~~\n")).unwrap().0;
        assert_eq!(shown, fs::read_to_string(fixture(name).dir.join(plan)).unwrap(), "{name}");
    }
}

#[test]
fn a_plan_of_superpowers_becomes_a_commit_for_each_task_with_its_message() {
    let repo = fixture("superpowers");
    let plan = PAGES[0].2;
    let ran = repo.implement(&[plan, "--commit", "per-task"]);
    let branch = "implement/2026-03-02-low-water";
    ran.published(branch);
    assert_eq!(repo.subjects(branch), ["feat: find low water", "feat: print low water"]);
    assert_eq!(commits(&repo, &format!("main..{branch}")), [": tests/test_low.py tides/low.py", ": tides/show.py"]);
    assert_eq!(repo.asked()[0], "tests/test_low.py whole 1");
    assert!(repo.prompt("tides/show.py").contains("The design names these lines of it: 1-6."));
    let shown = repo.run(&["plan", plan]);
    assert!(shown.out.ends_with("for you to run (line 27): pytest tests/test_low.py -v\n"), "{shown}");
    // The test stands in the plan, and need not be asked for.
    repo.implement(&[plan, "--use-plan-code", "-b", "again"]).published("again");
    assert!(!text(&repo, "again", "tests/test_low.py").contains("no_readings"));
    assert!(text(&repo, branch, "tests/test_low.py").contains("no_readings"));
    repo.sound();
}

#[test]
fn a_plan_of_antigravity_is_its_folder() {
    let repo = fixture("antigravity");
    repo.implement(&["docs/night"]).published("implement/night");
    assert_eq!(repo.subjects("implement/night"), ["Modify src/board.ts", "Add src/night.ts", "Delete src/flash.ts"]);
    let prompt = repo.prompt("src/night.ts");
    assert!(prompt.contains("- [ ] Night colours"), "what stands beside the plan is shown\n{prompt}");
    let own = &prompt[prompt.rfind("# Your task: ").unwrap()..];
    assert!(own.contains("Dark colours, and `isNight(hour)`.") && !own.contains("after sunset"), "{own}");
    repo.sound();
}

#[test]
fn the_plans_of_a_phase_of_gsd_are_one_branch() {
    let repo = fixture("gsd");
    repo.implement(&[".planning/phases/01-log", "--commit", "per-task"]).published("implement/01-log");
    assert_eq!(commits(&repo, "main..implement/01-log"), [": src/entry.ts", ": src/log.ts", ": src/main.ts"]);
    assert_eq!(repo.subjects("implement/01-log"), ["Task 1: The entry", "Task 1: The log", "Task 2: Print it"]);
    let prompt = repo.prompt("src/log.ts");
    assert!(prompt.contains("The harbour master writes by hand today."), "{prompt}");
    let own = &prompt[prompt.rfind("# Your task: ").unwrap()..];
    assert!(own.contains("gives a line for each entry") && !own.contains("Print the lines."), "{own}");
    repo.sound();
}

#[test]
fn a_plan_of_an_agent_becomes_a_branch() {
    let repo = fixture("agent-plans");
    repo.implement(&[PAGES[3].2]).published("implement/berths");
    assert_eq!(repo.subjects("implement/berths"), ["Add harbour/berths.py", "Modify harbour/desk.py"]);
    assert!(repo.prompt("harbour/desk.py").contains("The design names these lines of it: 1-3."));
    repo.sound();
}
