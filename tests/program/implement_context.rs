//! What a run shows of files that are not planned: the same in plan and prompts, and nothing that nobody wants to be shown.

use crate::repo::{Ran, Repo};
use serde_json::Value;

const DESIGN: &str = "# 3 - Totals\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `app/main.py` | Modify | Print the total |\n| `app/total.py` | Add | The sum |\n\n\
                      Read the rows with `load_rows`, and extend `row_total` for it.\n";

/// Made up.
const TOKEN: &str = concat!("ghp_", "zQ8mWv4KpX2nRt7LbYc9HsDf3JgAe6", "2DYjTQ");

fn repo() -> Repo {
    let repo = Repo::of(&[
        ("docs/3.md", DESIGN),
        ("app/__init__.py", "from .store import load_rows\n"),
        ("app/main.py", "from app.store import DEFAULT_PLACE\n\nprint(DEFAULT_PLACE)\n"),
        (
            "app/store.py",
            "import csv\n\nDEFAULT_PLACE = \"rows.csv\"\n\n\ndef other():\n    return 7\n\n\ndef load_rows(place):\n    return list(csv.reader(place))\n",
        ),
        ("app/rows.py", "def row_total(row):\n    return sum(row)\n"),
    ]);
    repo.answer("app/main.py", "```python\nfrom app.total import total\n\nprint(total())\n```\n");
    repo.answer(
        "app/total.py",
        "```python\nfrom app.store import load_rows\n\n\ndef total():\n    return len(load_rows([]))\n```\n",
    );
    repo
}

/// Path and lines of what the plan says is shown.
fn shown(ran: &Ran) -> Vec<String> {
    let plan: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    let of =
        |shown: &Value| format!("{} {}", shown["path"].as_str().unwrap(), shown["lines"].as_str().unwrap_or("all"));
    plan["context"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn what_the_plan_lists_is_in_every_prompt_of_the_run_and_an_unplanned_change_is_a_warning() {
    let repo = repo();
    let ran = repo.run(&["plan", "--json", "docs/3.md"]);
    ran.changed_nothing();
    let all = ["app/store.py 1-3, 10-11", "app/rows.py all", "app/__init__.py all"];
    assert_eq!(shown(&ran), all);
    let said = "the design changes 'row_total', which is defined in 'app/rows.py': not planned";
    assert!(ran.out.contains(said), "{ran}");
    let text = repo.run(&["plan", "docs/3.md"]);
    assert!(text.out.contains("with app/store.py (lines 1-3, 10-11): declares `load_rows`, which the design names; imported by `app/main.py`, "), "{text}");
    text.says(said);
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says(said);
    let prompts = [repo.prompt("app/main.py"), repo.prompt("app/total.py")];
    for prompt in &prompts {
        assert!(prompt.contains("\ndef load_rows(place):\n    return list(csv.reader(place))\n"), "{prompt}");
        assert!(prompt.contains("import csv\n") && !prompt.contains("def other"), "{prompt}");
    }
    // The second one begins as the first one did, up to its task.
    let until_task = prompts[0].split("# Your task").next().unwrap();
    assert!(until_task.contains("print(DEFAULT_PLACE)") && prompts[1].starts_with(until_task), "{}", prompts[1]);
}

#[test]
fn options_and_settings_say_how_much_is_shown_and_of_which_files() {
    let repo = repo();
    let plan = |more: &[&str]| shown(&repo.run(&[&["plan", "--json", "docs/3.md"], more].concat()));
    assert_eq!(plan(&["--no-context"]), [""; 0]);
    assert_eq!(plan(&["--context-tokens", "0"]), [""; 0]);
    assert_eq!(plan(&["--context-tokens", "36"]), ["app/rows.py all"]);
    assert_eq!(plan(&["--no-context", "--context", "app/rows.py"]), ["app/rows.py all"]);
    repo.write(".git-implement.toml", "context-exclude = [\"app/r*.py\", \"__init__.py\"]\n");
    assert_eq!(plan(&[]), ["app/store.py 1-3, 10-11"]);
    assert_eq!(plan(&["--no-context", "--context-tokens", "20000"]), plan(&[]), "the last one counts");
}

#[test]
fn nothing_that_keeps_a_secret_or_is_ignored_is_shown_unless_the_person_names_it() {
    let repo = repo();
    let secret = format!("KEY = \"{TOKEN}\"\n\n\ndef row_total(row):\n    return KEY\n");
    repo.write("app/rows.py", secret);
    repo.write(".gitignore", "app/store.py\n");
    repo.git(&["add", "--force", "--all"]);
    repo.commit("secret");
    let design = DESIGN.replace("`row_total`", "`row_total`, which uses `KEY`,");
    repo.write("docs/3.md", design);
    assert_eq!(shown(&repo.run(&["plan", "--json", "docs/3.md"])), ["app/rows.py 4-5", "app/__init__.py all"]);
    repo.write("app/main.py", "from app.rows import KEY\n\nprint(KEY)\n");
    repo.commit("uses the secret");
    assert_eq!(shown(&repo.run(&["plan", "--json", "docs/3.md"])), ["app/__init__.py all"]);
    let named = ["plan", "--json", "docs/3.md", "--context", "app/store.py"];
    assert_eq!(shown(&repo.run(&named)), ["app/store.py all", "app/__init__.py all"]);
}
