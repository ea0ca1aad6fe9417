//! The page of `git implement review` in a real browser: what it shows, by keyboard, and that it asks nobody for anything.

use crate::installed::folder;
use crate::repo::Repo;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const DESIGN: &str = "# 8 - A shop.of_which_the_name_is_wider_than_a_telephone_and_has_no_place_to_break_it\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/shop.py` | Add | `Shop` |\n| `src/till.py` | Modify | `Till` |\n| `tests/test_till.py` | Add | of `Till` |\n";
/// What would run, if anything of a model did.
const HOSTILE: &str = "# </td></table><script>alert(1)</script><img src=http://127.0.0.1:9/x onerror=alert(2)>\n";

/// What `page.mjs` says of the page of a branch.
fn opened(repo: &Repo) -> Value {
    let ran = repo.run(&["review", "--html", "../page.html"]);
    assert_eq!(ran.status, Some(0), "{ran}");
    let browser = folder("browser", "GIT_IMPLEMENT_TEST_BROWSER", "browser");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/page.mjs");
    let mut node = Command::new("timeout");
    let said = node.args(["300", "node"]).arg(script).arg(browser).arg(repo.place("page.html")).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

#[test]
fn the_page_is_read_by_keyboard_asks_nobody_and_nothing_serious_is_found_in_it() {
    let repo = Repo::of(&[("docs/8.md", DESIGN), ("src/till.py", "class Till:\n    total = 1\n")]);
    let many: String = (0..2_500).map(|n| format!("    def sells_{n}(self):\n        return {n}\n")).collect();
    repo.answer("src/shop.py", format!("```python\n{HOSTILE}class Shop:\n{many}```\n"));
    let edit = "FIND:\n```\n    total = 1\n```\nREPLACE WITH:\n```\n    total = 0\n```\n";
    repo.answer("src/till.py", edit);
    repo.answer(
        "tests/test_till.py",
        "```python\nfrom till import Till\n\n\ndef test_till():\n    assert Till.total == 0\n```\n",
    );
    repo.implement(&["docs/8.md"]).published("implement/8");
    let said = opened(&repo);
    assert_eq!(said["errors"], Value::from(Vec::<String>::new()), "{said}");
    assert_eq!(said["requests"], Value::from(Vec::<String>::new()), "{said}");
    assert_eq!(said["serious"], Value::from(Vec::<String>::new()), "{said}");
    assert_eq!(said["wide"], Value::from(Vec::<String>::new()), "it is as wide as the window");
    assert!(said["rules"].as_u64() > Some(40), "{said}");
    assert_eq!(said["title"].as_str().map(|title| &title[..20]), Some("Review: 8 - A shop.o"));
    assert_eq!(said["files"], Value::from(["src/shop.py", "src/till.py", "tests/test_till.py"].to_vec()));
    assert_eq!((&said["first"], &said["viewed"]), (&"src/shop.py".into(), &"1".into()), "{said}");
    assert_eq!((&said["open"], &said["row"], &said["help"]), (&"src/till.py".into(), &"#d0-8".into(), &true.into()));
    // A look at the design and another order leave the reader where they were.
    assert_eq!(
        (&said["after"], &said["stays"]),
        (&"tests/test_till.py".into(), &serde_json::json!(["src/till.py", true]))
    );
    assert_eq!(said["risky"][0], "src/shop.py", "no test came with it");
    assert_eq!(said["kept"], serde_json::json!(["1", true]));
    assert_eq!(said["news"], serde_json::json!(["0", 1]));
    assert_eq!(said["of"], serde_json::json!([0, 3, 0]), "which commit a file is of, where it does not stand below it");
    assert_eq!(said["folded"], serde_json::json!([[false, "1"], [true, "1"]]), "what is viewed can be looked at");
    assert_eq!(said["printed"], true, "what is viewed, too");
    assert_eq!(said["tabs"], serde_json::json!(["2", ["src/shop.py", "src/till.py"], true]));
    assert_eq!(said["none"], "All files are viewed.");
    assert_eq!(said["dead"], serde_json::json!([0, false]), "nothing is there without a script that needs one");
    assert_eq!(said["phone"], serde_json::json!([["2", "    total = 1"], ["2", "    total = 0"]]));
    assert!(said["chart"].as_f64() > Some(12.0) && said["keys"] == 1, "{said}");
}
