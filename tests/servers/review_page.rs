//! The page of `git implement review` in a real browser: what it shows, by keyboard, and that it asks nobody for anything.

use crate::installed::folder;
use crate::repo::Repo;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const DESIGN: &str = "# 8 - A shop\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/shop.py` | Add | `Shop` |\n| `src/till.py` | Add | `Till` |\n| `tests/test_till.py` | Add | of `Till` |\n";
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
    let repo = Repo::of(&[("docs/8.md", DESIGN)]);
    let many: String = (0..2_500).map(|n| format!("    def sells_{n}(self):\n        return {n}\n")).collect();
    repo.answer("src/shop.py", format!("```python\n{HOSTILE}class Shop:\n{many}```\n"));
    repo.answer("src/till.py", "```python\nclass Till:\n    total = 0\n```\n");
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
    assert_eq!(said["title"], "Review: 8 - A shop");
    assert_eq!(said["files"], Value::from(["src/shop.py", "src/till.py", "tests/test_till.py"].to_vec()));
    assert_eq!((&said["first"], &said["viewed"]), (&"src/shop.py".into(), &"1".into()), "{said}");
    assert_eq!((&said["open"], &said["row"], &said["help"]), (&"src/till.py".into(), &"#d0-8".into(), &true.into()));
    assert_eq!(said["risky"][0], "src/shop.py", "no test came with it");
    assert_eq!(said["kept"], serde_json::json!(["1", true]));
    assert_eq!(said["news"], serde_json::json!(["0", 1]));
}
