//! Taskmaster's JSON as a design: which tasks are made, in which order, and what becomes of their status.

use crate::lists::{commits, fenced, leaves, module, plan, selected, text};
use crate::repo::Repo;

const FOLDER: &str = ".taskmaster";
const LIST: &str = ".taskmaster/tasks/tasks.json";
const BRANCH: &str = "implement/taskmaster";

const JSON: &str = r#"{
  "master": {
    "tasks": [
      { "id": 1, "title": "Create src/tower.py", "status": "done" },
      { "id": 2, "title": "The rope", "details": "Create `src/rope.py`.\n\nIt hangs on the bell.", "dependencies": [3], "status": "pending" },
      { "id": 3, "title": "The bell", "details": "Create src/bell.py", "status":"in-progress" , "priority": "high" },
      { "id": 4, "title": "Ring it by hand", "status": "pending" }
    ]
  }
}
"#;

fn repo() -> Repo {
    let repo = Repo::of(&[("src/tower.py", "TOWER = 1\n"), (LIST, JSON)]);
    for name in ["bell", "rope"] {
        repo.answer(&format!("src/{name}.py"), fenced(&module(name)));
    }
    repo
}

#[test]
fn its_tasks_become_commits_in_the_order_of_what_they_depend_on() {
    let repo = repo();
    let ran = repo.implement(&[FOLDER, "--commit", "per-task"]);
    ran.published(BRANCH);
    leaves(&ran, &["4"]);
    assert_eq!(commits(&repo, &format!("main..{BRANCH}")), ["3: src/bell.py", &format!("2: {LIST} src/rope.py")]);
    let ticked = JSON.replace("\"status\":\"in-progress\"", "\"status\":\"done\"");
    let ticked =
        ticked.replace("\"dependencies\": [3], \"status\": \"pending\"", "\"dependencies\": [3], \"status\": \"done\"");
    assert_eq!(text(&repo, BRANCH, LIST), ticked);
    // What the branch has done is done.
    repo.implement(&[FOLDER, "-b", BRANCH, "--base", BRANCH]).changed_nothing();
    repo.sound();
}

#[test]
fn its_plan_has_the_lines_of_the_json_and_its_tasks_can_be_chosen() {
    let repo = repo();
    let whole = plan(&repo, &[LIST]);
    assert_eq!((&whole["dialect"], &whole["files"][1]["line"]), (&"taskmaster".into(), &5.into()));
    let one = plan(&repo, &[LIST, "--tasks", "3"]);
    assert_eq!(selected(&one), ["src/bell.py 3".to_owned(), format!("{LIST} 3")]);
    repo.run(&["plan", "--no-repo", LIST]).changed_nothing().says(&format!("{LIST}:7: task 4 names no file to write"));
}

#[test]
fn tasks_without_a_file_get_one_by_a_proposal_which_is_not_written_into_the_json() {
    let repo = repo();
    repo.answer(LIST, "```json\n{\"4\": [{\"path\": \"src/hand.py\", \"change\": \"add\"}]}\n```\n");
    let provider = repo.provider();
    let propose = ["plan", "--propose", "--provider", "command", "--command", &provider, "--yes", LIST];
    repo.run(&propose).changed_nothing();
    assert!(selected(&plan(&repo, &[LIST])).contains(&"src/hand.py 4".to_owned()));
    // They count for the list as long as only its states change.
    repo.write(LIST, JSON.replace("in-progress", "done"));
    assert!(selected(&plan(&repo, &[LIST])).contains(&"src/hand.py 4".to_owned()));
    repo.write(LIST, JSON);
    let write = ["plan", "--propose", "--provider", "command", "--command", &provider, "--write", LIST];
    repo.run(&write).refused_at_once(1).says("it is JSON");
}

#[test]
fn json_that_is_no_list_of_tasks_is_refused_with_the_forms_that_are_read() {
    let repo = Repo::of(&[("package.json", "{\"name\": \"x\"}\n"), ("tasks.json", "{\"tasks\": [}\n")]);
    repo.run(&["plan", "package.json"]).refused(1).says("the JSON has no list of tasks").says("{\"tasks\": [...]}");
    repo.run(&["plan", "tasks.json"]).refused(1).says("error: tasks.json:1: the design is no JSON");
}
