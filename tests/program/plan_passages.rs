//! What a plan says beside its list of files: it stands where each file is asked for, orders tests, groups commits and names
//! them; its commands are shown, and never run.

use crate::lists::{commits, fenced, module, text};
use crate::repo::Repo;
use serde_json::Value;

const PLAN: &str = "docs/plans/bell.md";
const BRANCH: &str = "implement/bell";

const TEXT: &str = r#"# The bell

What everybody must know.

### Task 1: Ring

**Files:**
- Create: `src/bell.py`
- Modify: `src/app.py:1-2`
- Test: `tests/test_bell.py`

- [ ] **Step 1: Write the failing test**

Run: `touch ran`
Expected: FAIL

- [ ] **Step 2: Ring it**

It rings with a deep tone.

```bash
git commit -m "feat: ring the bell"
```

### Task 2: Pull

**Files:**
- Create: `src/rope.py`
- Create: `src/knot.py`

It is pulled with a rope.
"#;

fn repo() -> Repo {
    let repo = Repo::of(&[("src/app.py", "def app():\n    return None\n"), (PLAN, TEXT)]);
    for path in ["src/bell.py", "src/app.py", "src/rope.py", "src/knot.py"] {
        let name = path.rsplit('/').next().unwrap().trim_end_matches(".py");
        repo.answer(path, fenced(&module(name)));
    }
    repo.answer(
        "tests/test_bell.py",
        fenced("from src.bell import bell\n\n\ndef test_bell():\n    assert bell() == \"bell\"\n"),
    );
    repo
}

#[test]
fn each_file_is_asked_for_with_its_own_part_of_the_plan() {
    let repo = repo();
    repo.implement(&[PLAN]).published(BRANCH);
    let own = |path: &str| {
        let prompt = repo.prompt(path);
        let at = prompt.rfind("# Your task: ").unwrap();
        prompt[at..].to_owned()
    };
    let (app, rope) = (own("src/app.py"), own("src/rope.py"));
    assert!(app.contains("It rings with a deep tone.") && !app.contains("pulled with a rope"), "{app}");
    assert!(app.contains("The design names these lines of it: 1-2."), "{app}");
    assert!(rope.contains("It is pulled with a rope.") && !rope.contains("deep tone"), "{rope}");
}

#[test]
fn tests_are_made_first_where_the_plan_wants_them_to_fail() {
    let repo = repo();
    repo.implement(&[PLAN]).published(BRANCH);
    assert_eq!(
        repo.subjects(BRANCH),
        ["Add tests/test_bell.py", "Add src/bell.py", "Modify src/app.py", "Add src/rope.py", "Add src/knot.py"]
    );
}

#[test]
fn a_commit_per_task_has_the_message_that_the_plan_gives_or_the_title_of_the_task() {
    let repo = repo();
    repo.implement(&["--commit", "per-task", PLAN]).published(BRANCH);
    assert_eq!(repo.subjects(BRANCH), ["feat: ring the bell", "Task 2: Pull"]);
    assert_eq!(
        commits(&repo, &format!("main..{BRANCH}")),
        [": src/app.py src/bell.py tests/test_bell.py", ": src/knot.py src/rope.py"]
    );
}

#[test]
fn commands_of_a_plan_are_shown_and_never_run() {
    let repo = repo();
    let shown = repo.run(&["plan", PLAN]);
    shown.changed_nothing();
    assert!(shown.out.ends_with("for you to run (line 14): touch ran\n"), "{shown}");
    let json: Value = serde_json::from_str(&repo.run(&["plan", "--json", PLAN]).out).unwrap();
    assert_eq!(json["commands"], serde_json::json!([{"command": "touch ran", "line": 14}]));
    repo.implement(&[PLAN]).published(BRANCH);
    assert!(!repo.files(BRANCH).contains_key("ran") && !repo.dir.join("ran").exists());
}

#[test]
fn commands_that_fit_the_plan_are_shown_to_copy_until_the_person_has_said_one() {
    let design = "# 3 - Two\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                  | `src/a.py` | Add | A |\n| `tests/test_a.py` | Add | Its test |\n";
    let mut repo = Repo::of(&[("docs/3.md", design), ("pyproject.toml", "[tool.pytest.ini_options]\n")]);
    let shown = repo.run(&["plan", "docs/3.md"]);
    shown.changed_nothing();
    let line = "to have it tried before it is published: --verify 'pytest tests/test_a.py'\n";
    assert!(shown.out.ends_with(line), "{shown}");
    let json: Value = serde_json::from_str(&repo.run(&["plan", "--json", "docs/3.md"]).out).unwrap();
    assert_eq!(json["verify"], serde_json::json!(["pytest tests/test_a.py"]));
    repo.set("GIT_IMPLEMENT_VERIFY", "make test");
    let shown = repo.run(&["plan", "docs/3.md"]);
    assert!(!shown.out.contains("--verify"), "{shown}");
}

#[test]
fn a_task_of_a_list_gives_the_message_of_its_commit_too() {
    let list = "- [ ] T001 Create src/bell.py\n  - it rings with a deep tone\n  - then `git commit -m 'Add a bell'`\n- [ ] T002 Create src/rope.py\n";
    let repo = repo();
    repo.write("specs/1-bell/tasks.md", list);
    repo.commit("list");
    repo.implement(&["--commit", "per-task", "specs/1-bell"]).published("implement/1-bell");
    assert_eq!(repo.subjects("implement/1-bell"), ["Add a bell", "T002: Create src/rope.py"]);
    assert!(repo.prompt("src/bell.py").contains("deep tone"));
    assert_eq!(text(&repo, "implement/1-bell", "src/bell.py"), module("bell"));
}
