//! The main job from a design to commits: exact bytes, exact messages, the record, and nothing else.

use crate::repo::{Repo, fixture, tree};
use std::collections::BTreeMap;

/// Every file of a commit with its bytes.
fn contents(repo: &Repo, revision: &str) -> BTreeMap<String, Vec<u8>> {
    let paths = repo.files(revision).into_keys();
    paths.map(|path| (path.clone(), repo.blob(revision, &path))).collect()
}

/// What the base becomes by the `expected/` folder of a fixture and these deletions.
fn expected(repo: &Repo, name: &str, deleted: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut files = contents(repo, "main");
    files.extend(tree(&fixture(name).join("expected")));
    files.retain(|path, _| !deleted.contains(&path.as_str()));
    files
}

/// The trailers of a commit, as git reads them.
fn trailers(repo: &Repo, revision: &str) -> Vec<String> {
    let log = repo.git(&["log", "-1", "--format=%(trailers:only,unfold)", revision]);
    log.lines().map(str::to_owned).collect()
}

/// The paths that a commit changes.
fn touched(repo: &Repo, commit: &str) -> String {
    repo.git(&["diff-tree", "-r", "--no-commit-id", "--name-status", "--no-renames", commit])
}

#[test]
fn a_rust_project_is_built_file_by_file_with_a_deletion_and_an_empty_file() {
    let repo = Repo::fixture("e2e/rust-cli");
    let ran = repo.implement(&["docs/lld/3.md"]);
    let run = ran.published("implement/3");
    repo.sound();
    assert_eq!(contents(&repo, "implement/3"), expected(&repo, "e2e/rust-cli", &["src/upper.rs"]));
    assert_eq!(
        repo.subjects("implement/3"),
        ["Add src/words.rs", "Modify src/lib.rs", "Delete src/upper.rs", "Add corpus/.gitkeep"]
    );
    let blob = repo.git(&["rev-parse", "main:docs/lld/3.md"]);
    let commits = repo.git(&["rev-list", "--reverse", "main..implement/3"]);
    let changes = ["A\tsrc/words.rs", "M\tsrc/lib.rs", "D\tsrc/upper.rs", "A\tcorpus/.gitkeep"];
    for (commit, change) in commits.lines().zip(changes) {
        assert_eq!(touched(&repo, commit), change);
        assert_eq!(
            trailers(&repo, commit),
            [
                format!("Implements: docs/lld/3.md@{blob}"),
                format!("Implement-Run: {run}"),
                "Assisted-by: git-implement".to_owned()
            ]
        );
        let who = repo.git(&["log", "-1", "--format=%an <%ae> %ad | %cn <%ce> %cd", "--date=raw", commit]);
        let one = "A U Thor <author@example.com> 1700000000 +0100";
        assert_eq!(who, format!("{one} | {one}"));
    }
    let body = repo.git(&["log", "-1", "--format=%b", "implement/3~3"]);
    assert!(body.starts_with("Cuts a text into folded words\n\nImplements: "), "{body}");
    let reflog = repo.git(&["log", "-1", "-g", "--format=%gs", "implement/3"]);
    assert_eq!(reflog, format!("implement: docs/lld/3.md ({run})"));
    // Deletions are not asked for.
    assert_eq!(repo.asked(), ["src/words.rs whole 1", "src/lib.rs whole 1", "corpus/.gitkeep whole 1"]);
}

#[test]
fn line_endings_a_missing_final_newline_and_fences_in_markdown_come_through_exactly() {
    let repo = Repo::fixture("e2e/web");
    repo.implement(&["docs/lld/12.md"]).published("implement/12");
    repo.sound();
    let made = contents(&repo, "implement/12");
    assert_eq!(made, expected(&repo, "e2e/web", &[]));
    let ago = String::from_utf8(made["src/ago.ts"].clone()).unwrap();
    assert!(ago.lines().count() > 10 && ago.matches('\n').count() == ago.matches("\r\n").count());
    assert!(made["package.json"].ends_with(b"}"));
    assert_eq!(
        repo.subjects("implement/12"),
        ["Modify src/ago.ts", "Modify package.json", "Modify config/release.yaml", "Add docs/usage.md"]
    );
}

#[test]
fn a_large_module_is_modified_by_edits_and_its_tests_pass_on_the_branch() {
    let repo = Repo::fixture("demo");
    let ran = repo.implement(&["docs/lld/7.md"]);
    ran.published("implement/7");
    repo.sound();
    assert_eq!(
        repo.asked(),
        [
            "ledger/journal.py find-replace 1",
            "ledger/budget.py whole 1",
            "ledger/cli.py whole 1",
            "tests/test_budget.py whole 1"
        ]
    );
    // Each commit is whole in itself: the tests that there are pass after every one.
    for commit in repo.git(&["rev-list", "--reverse", "main..implement/7"]).lines() {
        let checkout = repo.place("checkout");
        let place = checkout.to_str().unwrap();
        repo.git(&["worktree", "add", "--quiet", "--detach", place, commit]);
        let tests =
            repo.command("python3").args(["-m", "unittest", "--quiet"]).current_dir(&checkout).output().unwrap();
        assert!(tests.status.success(), "{commit}: {}", String::from_utf8_lossy(&tests.stderr));
        repo.git(&["worktree", "remove", "--force", place]);
    }
    let answer = |path: &str| std::fs::read_to_string(fixture("demo/answers").join(format!("{path}.md"))).unwrap();
    let mut journal = String::from_utf8(repo.blob("main", "ledger/journal.py")).unwrap();
    for change in answer("ledger/journal.py").split("FIND:\n```python\n").skip(1) {
        let (find, rest) = change.split_once("```\n").unwrap();
        let (_, replace) = rest.split_once("```python\n").unwrap();
        journal = journal.replacen(find, replace.split_once("```").unwrap().0, 1);
    }
    assert_eq!(String::from_utf8(repo.blob("implement/7", "ledger/journal.py")).unwrap(), journal);
    for path in ["ledger/budget.py", "ledger/cli.py", "tests/test_budget.py"] {
        let made = String::from_utf8(repo.blob("implement/7", path)).unwrap();
        assert_eq!(format!("```python\n{made}```\n"), answer(path), "{path}");
    }
}

#[test]
fn the_record_says_what_was_asked_what_was_answered_and_what_became_of_it() {
    let repo = Repo::fixture("e2e/rust-cli");
    let ran = repo.implement(&["docs/lld/3.md", "--allow", "size"]);
    let run = ran.published("implement/3");
    let record = format!("refs/implement/runs/{run}");
    assert_eq!(repo.git(&["cat-file", "-t", &record]), "tree");
    let all = repo.git(&["log", "--all", "--format=%s"]);
    assert!(all.lines().count() == 5 && !all.contains("record"), "it is in nobody's history: {all}");
    // It goes to others and comes back.
    let other = repo.place("other.git");
    repo.git(&["init", "--quiet", "--bare", other.to_str().unwrap()]);
    repo.git(&["push", "--quiet", other.to_str().unwrap(), &record, "implement/3"]);
    let clone = repo.place("clone");
    repo.git(&["clone", "--quiet", "--branch", "implement/3", other.to_str().unwrap(), clone.to_str().unwrap()]);
    let there = |arguments: &[&str]| repo.git(&[&["-C", clone.to_str().unwrap()], arguments].concat());
    there(&["fetch", "--quiet", "origin", "refs/implement/*:refs/implement/*"]);
    assert_eq!(there(&["rev-parse", &record]), repo.git(&["rev-parse", &record]));
    assert_eq!(there(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    let files = contents(&repo, &record);
    let json = |name: &str| -> serde_json::Value { serde_json::from_slice(&files[name]).unwrap() };
    let about = json("run.json");
    let told = |key: &str| about[key].as_str().unwrap_or_default();
    assert_eq!(about["schema"], 3);
    assert_eq!((told("run"), told("lld"), told("branch")), (run.as_str(), "docs/lld/3.md", "implement/3"));
    assert_eq!((told("base"), told("provider"), told("model")), (repo.tip("main").as_str(), "command", "sh"));
    assert_eq!(told("blob"), repo.git(&["rev-parse", "main:docs/lld/3.md"]));
    assert_eq!(
        (&about["no_verify"], &about["allow"]),
        (&false.into(), &serde_json::json!([{"what": "size", "by": "--allow"}]))
    );
    assert_eq!(files["design.md"], repo.blob("main", "docs/lld/3.md"));
    assert_eq!(json("plan.json")["files"].as_array().unwrap().len(), 5);
    let events: Vec<serde_json::Value> = files["events.jsonl"]
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!((&events[0]["event"], &events[0]["schema"]), (&"run-started".into(), &1.into()));
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["status"], &last["commits"]), (&"run-finished".into(), &0.into(), &4.into()));
    let published = events.iter().find(|event| event["event"] == "published").unwrap();
    assert_eq!(published["commit"], repo.tip("implement/3"));
    // Each request with its reply, and the prompt's text in blocks that are named by their hash.
    let (mut keys, mut replies) = (Vec::new(), Vec::new());
    for number in 1..=3 {
        let request = json(&format!("requests/000{number}.json"));
        let names = |value: &serde_json::Value| value.as_array().unwrap().clone();
        let blocks = names(&request["messages"][0]["content"]);
        let text: String = blocks
            .iter()
            .map(|name| String::from_utf8(files[&format!("blocks/{}", name.as_str().unwrap())].clone()).unwrap())
            .collect();
        let prompt = repo.prompt(request["path"].as_str().unwrap());
        assert!(prompt.ends_with(&text), "the prompt is in the record");
        let key = request["key"].as_str().unwrap().to_owned();
        let reply = json(&format!("replies/{key}.json"));
        let said: String =
            names(&reply["replies"][0]["text"]).iter().map(|line| line.as_str().unwrap().to_owned()).collect();
        replies.push(said);
        keys.push(key);
    }
    assert!(!files.contains_key("requests/0004.json"));
    let answer = |path: &str| std::fs::read_to_string(fixture("e2e/rust-cli/answers").join(path)).unwrap();
    assert_eq!(replies, ["src/words.rs.md", "src/lib.rs.md", "corpus/.gitkeep.md"].map(answer));
}

#[test]
fn a_record_answers_the_same_run_again_to_the_same_tree() {
    let repo = Repo::fixture("e2e/web");
    let kept = repo.place("kept");
    let kept = kept.to_str().unwrap();
    repo.implement(&["docs/lld/12.md", "--record", kept]).published("implement/12");
    let again = repo.run(&["docs/lld/12.md", "-b", "again", "--replay", kept]);
    again.published("again");
    assert_eq!(repo.git(&["rev-parse", "again^{tree}"]), repo.git(&["rev-parse", "implement/12^{tree}"]));
    assert_eq!(repo.asked().len(), 4, "nobody was asked the second time");
    // What the provider is offered is nothing but the prompt.
    let folder = std::fs::read_to_string(repo.place("asked/folder")).unwrap();
    assert_eq!(folder.lines().count(), 1, "it runs in an empty folder: {folder}");
}

/// A base of a size that calls for edits, and the one change that every format below says in its way.
const LARGE_DESIGN: &str = "# 5 - Louder\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                            | `big.py` | Modify | Value 300 is doubled |\n";

fn large() -> String {
    (1..=600).map(|n| format!("value_{n} = {n}\n")).collect()
}

#[test]
fn each_format_of_edits_leads_to_the_same_bytes() {
    let replies = [
        (
            "find-replace",
            "### CHANGE 1: double it\nFIND:\n```python\nvalue_300 = 300\n```\n\nREPLACE WITH:\n```python\nvalue_300 = 600\n```\n",
        ),
        (
            "search-replace",
            "big.py\n```python\n<<<<<<< SEARCH\nvalue_300 = 300\n=======\nvalue_300 = 600\n>>>>>>> REPLACE\n```\n",
        ),
        (
            "unified",
            "```diff\n--- a/big.py\n+++ b/big.py\n@@ ... @@\n value_299 = 299\n-value_300 = 300\n+value_300 = 600\n value_301 = 301\n```\n",
        ),
        (
            "v4a",
            "*** Begin Patch\n*** Update File: big.py\n@@\n value_299 = 299\n-value_300 = 300\n+value_300 = 600\n value_301 = 301\n*** End Patch\n",
        ),
    ];
    let repo = Repo::of(&[("big.py", &large()), ("docs/5.md", LARGE_DESIGN)]);
    let wanted = large().replace("value_300 = 300", "value_300 = 600");
    for (format, reply) in replies {
        repo.answer("big.py", reply);
        repo.implement(&["docs/5.md", "--format", format, "-b", format]).published(format);
        assert_eq!(String::from_utf8(repo.blob(format, "big.py")).unwrap(), wanted, "{format}");
        assert_eq!(repo.asked().last().unwrap(), &format!("big.py {format} 1"));
        let prompt = repo.prompt("big.py");
        assert!(prompt.contains("value_600 = 600"), "{format}: the model sees the file");
    }
    repo.answer("big.py", format!("```python\n{wanted}```\n"));
    repo.implement(&["docs/5.md", "--format", "whole", "-b", "whole"]).published("whole");
    assert_eq!(String::from_utf8(repo.blob("whole", "big.py")).unwrap(), wanted);
    assert_eq!(repo.asked().last().unwrap(), "big.py whole 1");
}

#[test]
fn the_demo_takes_its_edits_in_every_format() {
    let repo = Repo::fixture("demo");
    repo.implement(&["docs/lld/7.md", "-b", "edits"]).published("edits");
    let base = String::from_utf8(repo.blob("main", "ledger/journal.py")).unwrap();
    let diff = repo.git(&["diff", "--no-color", "-U3", "main", "edits", "--", "ledger/journal.py"]);
    let hunks = || diff.lines().skip_while(|line| !line.starts_with("@@"));
    let unified: String = hunks()
        .map(|line| if line.starts_with("@@") { "@@ ... @@\n".to_owned() } else { format!("{line}\n") })
        .collect();
    let body = hunks().map(|line| if line.starts_with("@@") { "@@\n".to_owned() } else { format!("{line}\n") });
    let v4a =
        format!("*** Begin Patch\n*** Update File: ledger/journal.py\n{}*** End Patch\n", body.collect::<String>());
    let mut search = String::new();
    for hunk in diff.split("\n@@").skip(1) {
        let lines = || hunk.lines().skip(1);
        let side = |other: char| -> String {
            lines()
                .filter(|line| !line.starts_with(other))
                .map(|line| format!("{}\n", line.get(1..).unwrap_or("")))
                .collect()
        };
        assert_eq!(base.matches(&side('+')).count(), 1, "git's context of three lines names one place");
        search += &format!(
            "ledger/journal.py\n```python\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n```\n\n",
            side('+'),
            side('-')
        );
    }
    let unified = format!("```diff\n--- a/ledger/journal.py\n+++ b/ledger/journal.py\n{unified}```\n");
    let wanted = repo.git(&["rev-parse", "edits:ledger/journal.py"]);
    for (format, reply) in [("unified", unified), ("v4a", v4a), ("search-replace", search)] {
        repo.answer("ledger/journal.py", reply);
        let only = ["docs/lld/7.md", "-b", format, "--format", format, "--", "ledger/journal.py"];
        repo.implement(&only).published(format);
        assert_eq!(repo.git(&["rev-parse", &format!("{format}:ledger/journal.py")]), wanted, "{format}");
    }
}

#[test]
fn a_single_commit_has_the_designs_title_and_every_file() {
    let repo = Repo::fixture("e2e/rust-cli");
    let run = repo.implement(&["docs/lld/3.md", "--commit", "single"]).published("implement/3");
    assert_eq!(repo.subjects("implement/3"), ["3 - Bug: Punctuation Counts as Part of Words"]);
    assert_eq!(contents(&repo, "implement/3"), expected(&repo, "e2e/rust-cli", &["src/upper.rs"]));
    assert!(trailers(&repo, "implement/3").contains(&format!("Implement-Run: {run}")));
    let body = repo.git(&["log", "-1", "--format=%b", "implement/3"]);
    assert!(body.contains("src/words.rs: Cuts a text into folded words"), "{body}");
}

#[test]
fn a_reply_that_changes_nothing_is_told_and_makes_no_commit() {
    let repo = Repo::fixture("e2e/web");
    let as_it_is = String::from_utf8(repo.blob("main", "package.json")).unwrap();
    repo.answer("package.json", format!("```json\n{as_it_is}\n```\n"));
    let ran = repo.implement(&["docs/lld/12.md"]);
    ran.published("implement/12");
    ran.says("[2/4] package.json: unchanged");
    assert_eq!(repo.subjects("implement/12"), ["Modify src/ago.ts", "Modify config/release.yaml", "Add docs/usage.md"]);
    assert_eq!(repo.blob("implement/12", "package.json"), repo.blob("main", "package.json"));
}

#[test]
fn a_run_that_changes_nothing_makes_no_branch_keeps_its_record_and_is_no_failure() {
    let repo = Repo::of(&[("big.py", &large()), ("docs/5.md", LARGE_DESIGN)]);
    repo.answer("big.py", format!("```python\n{}```\n", large()));
    for extra in [&[][..], &["--commit", "single"]] {
        let ran = repo.implement(&[&["docs/5.md", "--format", "whole"], extra].concat());
        let record = format!("refs/implement/runs/{}", ran.recorded_only());
        assert_eq!(repo.files(&record).keys().filter(|name| name.starts_with("replies/")).count(), 1);
        repo.sound();
        assert!(ran.out.starts_with("nothing to commit: 1 file unchanged"), "{ran}");
    }
}

#[test]
fn modes_stay_and_a_new_program_may_be_run() {
    let design = "# 4 - Scripts\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                  | `run.sh` | Modify | Say more |\n| `bin/new.sh` | Add | Says something |\n| `plain.sh` | Modify | Say more |\n";
    let repo = Repo::of(&[("plain.sh", "echo 1\n"), ("docs/4.md", design)]);
    repo.program("run.sh", "#!/bin/sh\necho 1\n");
    repo.commit("a program");
    repo.answer("run.sh", "```sh\n#!/bin/sh\necho 1\necho 2\n```\n");
    repo.answer("plain.sh", "```sh\necho 1\necho 2\n```\n");
    repo.answer("bin/new.sh", "```sh\n#!/bin/sh\nset -eu\necho 3\n```\n");
    repo.implement(&["docs/4.md"]).published("implement/4");
    let modes = repo.files("implement/4");
    assert_eq!(["run.sh", "bin/new.sh", "plain.sh"].map(|path| modes[path].as_str()), ["100755", "100755", "100644"]);
}

#[test]
fn later_files_are_asked_for_with_the_earlier_ones_as_they_became() {
    let repo = Repo::fixture("e2e/rust-cli");
    repo.implement(&["docs/lld/3.md", "--context", "src/main.rs"]).published("implement/3");
    let words = String::from_utf8(repo.blob("implement/3", "src/words.rs")).unwrap();
    assert!(!repo.prompt("src/words.rs").contains(&words));
    assert!(repo.prompt("src/lib.rs").contains(&words));
    let main = String::from_utf8(repo.blob("main", "src/main.rs")).unwrap();
    for path in ["src/words.rs", "src/lib.rs", "corpus/.gitkeep"] {
        let prompt = repo.prompt(path);
        assert!(prompt.contains(&main) && prompt.contains("# 3 - Bug: Punctuation Counts"), "{path}");
    }
}

#[test]
fn a_file_may_move_and_change_at_once() {
    let design = "# 6 - Move\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                  | `src/old.py` → `lib/new.py` | Rename | And doubled |\n";
    let repo = Repo::of(&[("src/old.py", "A = 1\nB = 2\nC = 3\n"), ("docs/6.md", design)]);
    repo.answer("lib/new.py", "```python\nA = 2\nB = 4\nC = 3\n```\n");
    repo.implement(&["docs/6.md"]).published("implement/6");
    assert_eq!(repo.subjects("implement/6"), ["Rename lib/new.py"]);
    let body = repo.git(&["log", "-1", "--format=%b", "implement/6"]);
    assert!(body.contains("src/old.py"), "{body}");
    let files = repo.files("implement/6");
    assert!(!files.contains_key("src/old.py") && files.contains_key("lib/new.py"), "{files:?}");
}
