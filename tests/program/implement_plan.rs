//! `git implement plan`: the fixed form of its JSON, with and without a repository, and its exit statuses.

use crate::repo::{Ran, Repo, fixture};
use serde_json::{Value, json};

/// The one object on stdout.
#[track_caller]
fn object(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"))
}

/// Path, change and strategy of each row.
fn rows(plan: &Value) -> Vec<String> {
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or("?").to_owned();
    let rows = plan["files"].as_array().unwrap().iter();
    rows.map(|row| [word(row, "path"), word(row, "change"), word(row, "strategy")].join(" ")).collect()
}

#[test]
fn the_plan_of_a_design_in_its_repository_says_how_each_file_is_made() {
    let cases: [(&str, &str, &[&str]); 3] = [
        (
            "demo",
            "docs/lld/7.md",
            &[
                "ledger/journal.py modify edits",
                "ledger/budget.py add whole",
                "ledger/cli.py modify whole",
                "tests/test_budget.py add whole",
            ],
        ),
        (
            "e2e/rust-cli",
            "docs/lld/3.md",
            &[
                "src/words.rs add whole",
                "src/lib.rs modify whole",
                "src/upper.rs delete none",
                "corpus add none",
                "corpus/.gitkeep add whole",
            ],
        ),
        (
            "e2e/web",
            "docs/lld/12.md",
            &[
                "src/ago.ts modify whole",
                "package.json modify whole",
                "config/release.yaml modify whole",
                "docs/usage.md add whole",
            ],
        ),
    ];
    for (name, design, expected) in cases {
        let repo = Repo::fixture(name);
        let ran = repo.run(&["plan", "--json", design]);
        ran.changed_nothing();
        assert_eq!(ran.err, "", "{ran}");
        let plan = object(&ran);
        assert_eq!(rows(&plan), expected, "{name}");
        assert_eq!(plan["findings"], json!([]), "{name}");
        assert_eq!((&plan["lld"], &plan["dialect"]), (&design.into(), &"lld".into()));
        // The same, and nothing more, for people.
        let ran = repo.run(&["plan", design]);
        ran.changed_nothing();
        for row in expected {
            let path = row.split(' ').next().unwrap();
            assert!(ran.out.contains(path), "{path}\n{ran}");
        }
    }
}

#[test]
fn the_document_alone_is_read_outside_any_repository_and_existence_is_not_judged() {
    let cases: [(&str, &str, &[&str]); 3] = [
        (
            "demo/repo/docs/lld/7.md",
            "7",
            &[
                "ledger/journal.py modify unknown",
                "ledger/budget.py add whole",
                "ledger/cli.py modify unknown",
                "tests/test_budget.py add whole",
            ],
        ),
        (
            "e2e/rust-cli/repo/docs/lld/3.md",
            "3",
            &[
                "src/words.rs add whole",
                "src/lib.rs modify unknown",
                "src/upper.rs delete none",
                "corpus add none",
                "corpus/.gitkeep add whole",
            ],
        ),
        (
            "e2e/web/repo/docs/lld/12.md",
            "12",
            &[
                "src/ago.ts modify unknown",
                "package.json modify unknown",
                "config/release.yaml modify unknown",
                "docs/usage.md add whole",
            ],
        ),
    ];
    let repo = Repo::of(&[]);
    for (path, issue, expected) in cases {
        let design = fixture(path);
        let ran = repo.run_in(&repo.place("home"), &["plan", "--json", "--no-repo", design.to_str().unwrap()]);
        ran.changed_nothing();
        let plan = object(&ran);
        assert_eq!(rows(&plan), expected);
        assert_eq!((&plan["issue"], &plan["status"]), (&issue.into(), &"Approved".into()));
    }
}

#[test]
fn the_form_has_every_field_of_a_row_and_of_a_finding() {
    let design = "# 5 - All kinds\n\n* **Issue:** #5\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                  | `src/a.py` | Modify | Shorter, allow: size |\n| `~/other.py` | Add | Not here |\n";
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/5.md", design)]);
    let ran = repo.run(&["plan", "--json", "docs/5.md"]);
    ran.refused(1);
    let plan = object(&ran);
    let keys = |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&plan), ["lld", "issue", "title", "dialect", "status", "files", "findings", "context", "estimate"]);
    let row = json!({
        "path": "src/a.py", "change": "modify", "from": null, "directory": false, "description": "Shorter, allow: size",
        "line": 9, "strategy": "whole", "allow": ["size"], "tasks": [], "selected": true,
    });
    assert_eq!(plan["files"][0], row);
    let finding = &plan["findings"][0];
    assert_eq!(keys(finding), ["id", "severity", "path", "line", "message", "hint"]);
    assert_eq!((&finding["severity"], &finding["line"]), (&"error".into(), &10.into()));
    assert!(finding["message"].as_str().unwrap().contains("~/other.py"), "{finding}");
}

#[test]
fn what_the_base_contradicts_is_an_error_at_the_rows_line() {
    let design = "# 5 - Wrong\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                  | `src/a.py` | Add | It exists |\n| `src/helper.py` | Modify | Misspelt |\n| `src/gone.py` | Delete | Never was |\n";
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("src/helpers.py", "B = 1\n"), ("docs/5.md", design)]);
    let ran = repo.run(&["plan", "--json", "docs/5.md"]);
    ran.refused(1);
    let plan = object(&ran);
    let errors: Vec<&Value> =
        plan["findings"].as_array().unwrap().iter().filter(|finding| finding["severity"] == "error").collect();
    let lines: Vec<u64> = errors.iter().map(|finding| finding["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [7, 8, 9], "{errors:?}");
    assert!(errors[1]["hint"].as_str().unwrap().contains("src/helpers.py"), "{errors:?}");
    // Outside a repository nobody can know.
    let outside = repo.run(&["plan", "--json", "--no-repo", "docs/5.md"]);
    outside.changed_nothing();
    // What is meant may be permitted, for one path.
    let ran = repo.run(&["plan", "--json", "--allow", "overwrite:src/a.py", "docs/5.md", "--", "src/a.py"]);
    ran.changed_nothing();
}

#[test]
fn a_document_without_a_list_of_files_is_an_error_in_json() {
    let repo = Repo::of(&[("docs/5.md", "# 5 - Words\n\nAnd more words.\n"), ("docs/6.md", "")]);
    for design in ["docs/5.md", "docs/6.md"] {
        for mode in [&[][..], &["--no-repo"]] {
            let ran = repo.run(&[&["plan", "--json", design], mode].concat());
            ran.refused(1);
            let plan = object(&ran);
            assert_eq!(plan["files"], json!([]));
            assert!(plan["findings"].as_array().unwrap().iter().any(|finding| finding["severity"] == "error"), "{ran}");
        }
    }
}

#[test]
fn the_statuses_are_those_of_the_main_job() {
    let repo = Repo::fixture("e2e/web");
    repo.run(&["plan", "docs/lld/12.md"]).refused(0);
    repo.run(&["plan", "docs/lld/12.md", "--max-files", "2"]).refused(1);
    repo.run(&["plan", "docs/lld/13.md"]).refused_at_once(128).says("cannot find the design 'docs/lld/13.md'");
    repo.run(&["plan", "docs/lld/12.md", "--base", "nothing"]).refused_at_once(128);
    repo.run(&["plan"]).refused_at_once(129);
    repo.run(&["plan", "--frobnicate", "docs/lld/12.md"]).refused_at_once(129);
    repo.run_in(&repo.place("home"), &["plan", "x.md"]).refused_at_once(128).says("fatal: not a git repository");
    let missing = repo.run_in(&repo.place("home"), &["plan", "--no-repo", "x.md"]);
    missing.refused_at_once(128).says("fatal: cannot read 'x.md'");
    let unborn = Repo::unborn();
    unborn.write("x.md", "# 1 - X\n");
    unborn.run(&["plan", "x.md"]).refused_at_once(128).says("does not have any commits yet");
}

#[test]
fn a_design_called_like_a_verb_is_named_by_its_path() {
    let design = "# 5 - Plan\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                  | `a.py` | Add | New |\n";
    let repo = Repo::of(&[("plan", design), ("check", design)]);
    repo.answer("a.py", "```python\nimport os\n\nprint(os.sep)\n```\n");
    repo.implement(&["./plan"]).published("implement/plan");
    repo.implement(&["./check"]).published("implement/check");
    repo.run(&["plan", "plan"]).changed_nothing();
}

#[test]
fn a_plan_asks_nobody_and_reads_no_key() {
    let mut repo = Repo::fixture("e2e/web");
    repo.set("ANTHROPIC_API_KEY", "sk-unmistakable");
    repo.set("ANTHROPIC_BASE_URL", "https://nobody.invalid");
    let ran = repo.run(&["plan", "docs/lld/12.md"]);
    ran.changed_nothing();
    assert!(ran.out.contains('$'), "prices are known without asking\n{ran}");
    assert!(!ran.out.contains("unmistakable") && !ran.err.contains("unmistakable"));
}
