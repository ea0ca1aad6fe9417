//! `git implement check` in real repositories: what is staged, commits, files. That a check changes nothing is
//! compared by every run here.

use crate::repo::{Ran, Repo};
use serde_json::{Value, json};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::Stdio;

const GOOD: &str = "def f():\n    return 1\n";
const BROKEN: &str = "def f()\n    return 1\n";

fn repo() -> Repo {
    Repo::of(&[("src/a.py", GOOD), ("old/bad.py", BROKEN), ("b.json", "{}\n"), ("README.md", "# Read me\n")])
}

/// The findings of `check --json` as `<severity> <id> <path>:<line>`.
#[track_caller]
fn found(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    findings(&repo.run(&[&["check", "--json"], arguments].concat()))
}

#[track_caller]
fn findings(ran: &Ran) -> Vec<String> {
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    let found: Vec<String> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}:{}", text("severity"), text("id"), text("path"), finding["line"])
        })
        .collect();
    let errors = found.iter().any(|finding| finding.starts_with("error"));
    assert_eq!(ran.status, Some(i32::from(errors)), "{ran}");
    found
}

const NOTHING: [&str; 0] = [];

#[test]
fn what_is_staged_is_judged_and_not_what_lies_in_the_working_tree() {
    let repo = repo();
    repo.run(&["check"]).changed_nothing();
    repo.write("src/a.py", BROKEN);
    assert_eq!(found(&repo, &[]), NOTHING, "not staged");
    repo.git(&["add", "src/a.py"]);
    repo.write("src/a.py", GOOD);
    assert_eq!(found(&repo, &["--cached"]), ["error syntax-python src/a.py:1"]);
    let ran = repo.run(&["check"]);
    assert_eq!(
        ran.out,
        "src/a.py:1: error: 'src/a.py' does not parse: expected `:`, found newline [syntax-python]\n      1 | def f()\n\
         hint: 'git-implement: allow syntax-python' in a comment on the line permits it\n"
    );
    assert_eq!(ran.err, "1 error in 1 file\n");
    assert_eq!(repo.run(&["check", "--quiet"]).err, "");
}

#[test]
fn only_what_is_new_is_an_error() {
    let repo = repo();
    repo.write("old/bad.py", format!("{BROKEN}\n# changed\n"));
    repo.git(&["mv", "old/bad.py", "old/moved.py"]);
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), ["warning syntax-python old/moved.py:1"]);
}

#[test]
fn paths_limit_what_is_staged() {
    let repo = repo();
    repo.write("src/a.py", BROKEN);
    repo.write("b.json", "{,}\n");
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &["--cached", "b.json"]), ["error syntax-json b.json:1"]);
    assert_eq!(found(&repo, &["--cached", "--", "src"]), ["error syntax-python src/a.py:1"]);
    let inside = repo.run_in(&repo.dir.join("src"), &["check", "--json", "--cached", "../b.json"]);
    assert_eq!(findings(&inside), ["error syntax-json b.json:1"]);
    assert_eq!(found(&repo, &["--cached", "*.json"]), NOTHING, "paths are literal");
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let repo = Repo::unborn();
    repo.write("a.py", BROKEN);
    assert_eq!(found(&repo, &[]), NOTHING);
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), ["error syntax-python a.py:1"]);
    repo.commit("broken from the start");
    assert_eq!(found(&repo, &["HEAD"]), ["error syntax-python a.py:1"]);
}

#[test]
fn a_commit_is_judged_alone_and_a_range_one_by_one() {
    let repo = repo();
    repo.write("src/a.py", BROKEN);
    let broken = repo.commit("broken");
    repo.write("src/a.py", GOOD);
    repo.commit("mended");
    assert_eq!(found(&repo, &["HEAD"]), NOTHING);
    assert_eq!(found(&repo, &["HEAD~1"]), ["error syntax-python src/a.py:1"]);
    assert_eq!(found(&repo, &["HEAD~2..HEAD"]), ["error syntax-python src/a.py:1"]);
    assert_eq!(found(&repo, &["^HEAD~1", "HEAD"]), NOTHING);
    assert_eq!(found(&repo, &["HEAD~2..HEAD", "--", "b.json"]), NOTHING);
    assert_eq!(found(&repo, &["HEAD~2..HEAD", "b.json"]), NOTHING);
    let ran = repo.run(&["check", "HEAD~2..HEAD"]);
    assert!(ran.out.starts_with(&format!("{}:src/a.py:1: error: ", &broken[..10])), "{ran}");
    let report: Value = serde_json::from_str(&repo.run(&["check", "--json", &broken]).out).unwrap();
    assert_eq!((&report["checked"], &report["findings"][0]["commit"]), (&json!(1), &json!(broken)));
}

#[test]
fn a_merge_is_judged_where_it_differs_from_all_its_parents() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    repo.write("side.py", BROKEN);
    repo.write("b.json", "{\"side\": 1}\n");
    repo.commit("side");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("b.json", "{\"main\": 1}\n");
    repo.commit("main");
    let merged = repo.command("git").args(["merge", "--quiet", "side"]).output().unwrap();
    assert!(!merged.status.success(), "a conflict");
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), ["error conflict b.json:1"], "the broken file of the side is not this commit's");
    repo.write("b.json", "{\"both\": 1,}\n");
    let merge = repo.commit("merge");
    assert_eq!(found(&repo, &[&merge]), ["error syntax-json b.json:1"]);
}

#[test]
fn commits_come_from_standard_input_and_are_found_in_a_bare_repository() {
    let repo = repo();
    repo.write("src/a.py", BROKEN);
    let broken = repo.commit("broken");
    repo.git(&["clone", "--quiet", "--bare", ".", repo.place("bare.git").to_str().unwrap()]);
    let mut check = repo.process(&["check", "--json", "--stdin"]);
    let mut child = check.current_dir(repo.place("bare.git")).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{broken}\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["findings"][0]["path"]), (Some(1), &json!("src/a.py")));
    let mut check = repo.process(&["check", "--stdin"]);
    let mut child = check.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"--all\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(128), "names of commits, and nothing else");
}

#[test]
fn files_are_judged_as_they_are_anywhere() {
    let repo = repo();
    repo.write("old/.hidden/c.py", BROKEN);
    repo.write(".gitignore", "*.log\n");
    repo.write("old/bad.log", "text");
    assert_eq!(found(&repo, &["old/bad.py"]), ["error syntax-python old/bad.py:1"], "it has no base");
    assert_eq!(found(&repo, &["."]), ["error syntax-python old/.hidden/c.py:1", "error syntax-python old/bad.py:1"],);
    let inside = repo.run_in(&repo.dir.join("src"), &["check", "--json", "../old", "a.py"]);
    assert_eq!(findings(&inside), ["error syntax-python ../old/.hidden/c.py:1", "error syntax-python ../old/bad.py:1"]);
    std::fs::write(repo.place("outside.py"), BROKEN).unwrap();
    let outside = repo.run_in(&repo.place(""), &["check", "--json", "outside.py"]);
    assert_eq!(findings(&outside), ["error syntax-python outside.py:1"]);
    repo.run_in(&repo.place(""), &["check"]).refused(128).says("not a git repository");
    repo.run_in(&repo.place(""), &["check", "no.py"])
        .refused(128)
        .says("cannot read 'no.py': No such file or directory");
}

#[test]
fn of_a_directory_that_is_in_no_repository_all_files_are_judged() {
    let repo = repo();
    let write = |path: &str, text: &str| {
        let path = repo.place(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("plain/z.py", GOOD);
    write("plain/deep/.hidden/b.py", BROKEN);
    write("plain/a.py", BROKEN);
    write("plain/.git/c.py", BROKEN);
    symlink("..", repo.place("plain/up")).unwrap();
    let expected = ["error syntax-python a.py:1", "error syntax-python deep/.hidden/b.py:1"];
    let ran = repo.run_in(&repo.place("plain"), &["check", "--json", "."]);
    assert_eq!(findings(&ran), expected);
    assert!(ran.out.contains("\"checked\":3"), "{ran}");
    let expected = expected.map(|finding| finding.replace("python ", "python ../plain/"));
    assert_eq!(findings(&repo.run_in(&repo.dir, &["check", "--json", "../plain"])), expected, "beside the repository");
    repo.git(&["clone", "--quiet", "--bare", ".", repo.place("bare.git").to_str().unwrap()]);
    assert_eq!(findings(&repo.run_in(&repo.place("bare.git"), &["check", "--json", "--", "../plain"])), expected);
}

#[test]
fn a_bare_repository_has_nothing_staged_and_says_what_to_name() {
    let repo = repo();
    let bare = repo.place("bare.git");
    repo.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let ran = repo.run_in(&bare, &["check"]);
    let said = "fatal: nothing is staged in a bare repository\nhint: name the commits to judge: git implement check <rev-range>\n";
    assert_eq!((ran.status, ran.err.as_str()), (Some(128), said), "{ran}");
}

#[test]
fn in_a_bare_repository_a_name_is_a_revision_though_a_file_is_called_so() {
    let repo = repo();
    repo.write("src/a.py", BROKEN);
    repo.commit("broken");
    repo.git(&["clone", "--quiet", "--bare", ".", repo.place("bare.git").to_str().unwrap()]);
    for place in [repo.place("bare.git"), repo.dir.join(".git")] {
        let ran = repo.run_in(&place, &["check", "--json", "HEAD"]);
        assert_eq!(findings(&ran), ["error syntax-python src/a.py:1"], "{}", place.display());
    }
}

#[test]
fn a_link_that_is_named_is_not_followed_and_what_is_no_file_is_not_waited_for() {
    let repo = repo();
    std::fs::write(repo.place("private.json"), "{,}\n").unwrap();
    symlink(repo.place("private.json"), repo.dir.join("link.json")).unwrap();
    symlink("..", repo.dir.join("up")).unwrap();
    for names in [&["link.json"][..], &["link.json", "up"], &["."]] {
        assert_eq!(found(&repo, names), ["error syntax-python old/bad.py:1"].repeat(usize::from(names == ["."])));
    }
    assert!(repo.command("mkfifo").arg("../pipe.json").status().unwrap().success());
    repo.run(&["check", "../pipe.json"]).refused(128).says("cannot read '../pipe.json': Not a regular file");
    assert_eq!(found(&repo, &["src"]), NOTHING);
}

#[test]
fn what_is_neither_a_file_nor_a_commit_is_said() {
    let repo = repo();
    repo.run(&["check", "nothing.py"])
        .refused_at_once(128)
        .says("fatal: ambiguous argument 'nothing.py': unknown revision or path not in the working tree")
        .says("hint: '--' separates paths from revisions");
    repo.run(&["check", "--", "nothing.py"]).refused_at_once(128).says("cannot read 'nothing.py': No such file");
    repo.run(&["check", "main..nothing"]).refused_at_once(128).says("main..nothing");
    repo.run(&["check", "--cached", "--stdin"]).refused_at_once(129);
    repo.run(&["check", "--json", "--sarif"]).refused_at_once(129);
}

#[test]
fn what_is_staged_is_compared_with_what_is_packed() {
    let repo = Repo::of(&[("test_a.py", "def test_a():\n    assert f()\n")]);
    repo.git(&["gc", "--quiet"]);
    repo.write("test_a.py", "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert f()\n");
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), ["warning weakened-test test_a.py:4"]);
    let ran = repo.run(&["check"]);
    let hint = "hint: keep what it tests; if it is meant to be so, 'git-implement: allow weakened-test' in a comment on the line permits it";
    assert!(ran.out.contains(hint), "there is no design whose row could say so\n{ran}");
    // And one file after the other, loose and packed in turn.
    repo.commit("skipped");
    assert_eq!(found(&repo, &["HEAD"]), ["warning weakened-test test_a.py:4"]);
    repo.git(&["gc", "--quiet"]);
    assert_eq!(found(&repo, &["HEAD"]), ["warning weakened-test test_a.py:4"]);
}

/// Packs all objects but these.
fn pack_without(repo: &Repo, missing: &[String]) {
    let all = repo.git(&["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"]);
    let kept: String =
        all.lines().filter(|id| !missing.contains(&(*id).to_owned())).map(|id| format!("{id}\n")).collect();
    let mut pack = repo.command("git");
    pack.args(["pack-objects", "--quiet", ".git/objects/pack/pack"]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = pack.spawn().unwrap();
    child.stdin.take().unwrap().write_all(kept.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    repo.git(&["prune-packed"]);
    for id in missing {
        std::fs::remove_file(repo.dir.join(".git/objects").join(&id[..2]).join(&id[2..])).unwrap();
    }
}

#[test]
fn a_blob_that_is_missing_is_named_and_the_others_are_judged() {
    let repo = Repo::unborn();
    let path = |number: usize| format!("f{number:03}.py");
    // More than goes into a pipe, so that git has still to write when somebody stops reading.
    (0..400).for_each(|number| repo.write(&path(number), format!("NUMBER = {number}\n").repeat(200)));
    repo.write("f399.py", BROKEN);
    repo.write("gone.txt", "text\n");
    repo.commit("many");
    let gone = [repo.git(&["rev-parse", "HEAD:f000.py"]), repo.git(&["rev-parse", "HEAD:gone.txt"])];
    pack_without(&repo, &gone);
    let expected =
        ["warning syntax-python f000.py:null", "error syntax-python f399.py:1", "warning secret gone.txt:null"];
    assert_eq!(found(&repo, &["HEAD"]), expected);
    let text = format!("f000.py: warning: cannot judge 'f000.py': object {} is missing", gone[0]);
    let ran = repo.run(&["check", "HEAD"]);
    assert!(ran.out.contains(&text), "{ran}");
    let strict = found(&repo, &["--strict", "HEAD"]);
    assert!(strict.iter().all(|finding| finding.starts_with("error")) && strict.len() == 3, "{strict:?}");
    // Where only what was there before is missing, nothing can be told from what is new.
    repo.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("100644,{},f000.py", repo.git(&["rev-parse", "HEAD:f399.py"])),
    ]);
    let broken = ["warning syntax-python f000.py:1", "warning syntax-python f000.py:null"];
    assert_eq!(found(&repo, &[]), broken);
}

#[test]
fn a_broken_object_ends_a_check_of_many_files() {
    let repo = Repo::unborn();
    (0..400).for_each(|number| repo.write(&format!("f{number:03}.py"), format!("NUMBER = {number}\n").repeat(200)));
    repo.commit("many");
    let other = repo.git(&["rev-parse", "HEAD:f000.py"]);
    repo.git(&["gc", "--quiet"]);
    // Cut short, and before those that git has still to write out of its pack.
    let place = repo.dir.join(".git/objects").join(&other[..2]);
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join(&other[2..]), b"x").unwrap();
    let ran = repo.run(&["check", "HEAD"]);
    ran.refused(128).says(&format!("cannot read object {other} of 'f000.py'"));
}

#[test]
fn what_is_no_text_of_anybodys_is_left_alone() {
    let repo = repo();
    repo.write("a.dat", b"\0binary");
    let digest = "0123456789abcdef".repeat(4);
    repo.write("lfs.json", format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 9\n"));
    symlink("nowhere", repo.dir.join("link.json")).unwrap();
    repo.write("empty.py", "");
    repo.write("run.sh", "echo\n");
    repo.git(&["add", "--all"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},module.py", repo.tip("HEAD"))]);
    repo.git(&["rm", "--quiet", "--cached", "b.json"]);
    assert_eq!(found(&repo, &[]), NOTHING);
    // UTF-16 and Latin-1 are text.
    repo.write("wide.json", "\u{feff}{,}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    repo.write("latin.json", b"{\n\"\xe9\",}");
    repo.git(&["add", "--all"]);
    let latin = ["error syntax-json latin.json:2", "warning syntax-json latin.json:null"];
    assert_eq!(found(&repo, &[]), [latin[0], latin[1], "error syntax-json wide.json:1"]);
}

#[test]
fn a_project_says_what_gates_weigh() {
    let repo = repo();
    repo.write("src/a.py", BROKEN);
    repo.write("c.py", "def g():\n    # ... rest of the function stays the same ...\n");
    repo.git(&["add", "--all"]);
    let both = ["warning omission c.py:2", "error syntax-python c.py:1", "error syntax-python src/a.py:1"];
    assert_eq!(found(&repo, &[]), both);
    repo.write(".git-implement.toml", "gates = [\"syntax=warning\", \"omission=error\"]\n");
    let turned = ["error omission c.py:2", "warning syntax-python c.py:1", "warning syntax-python src/a.py:1"];
    assert_eq!(found(&repo, &[]), turned);
    repo.git(&["config", "implement.gates", "omission=off"]);
    assert_eq!(found(&repo, &[])[0], turned[0], "the file beats git's configuration");
    std::fs::remove_file(repo.dir.join(".git-implement.toml")).unwrap();
    assert_eq!(found(&repo, &[]), both[1..]);
    assert_eq!(
        found(&repo, &["--allow", "syntax:src/a.py", "--allow", "syntax-python:c.py"]),
        ["note syntax-python c.py:1", "note syntax-python src/a.py:1"]
    );
    repo.git(&["config", "implement.gates", "sintax=off"]);
    let wrong = repo.run(&["check"]);
    wrong
        .refused_at_once(128)
        .says("bad gate 'sintax=off' (git config (local)): there is no gate 'sintax'; did you mean 'syntax'?");
}

#[test]
fn a_gate_that_could_not_run_is_a_warning_unless_strictness_is_asked_for() {
    let repo = repo();
    let deep = "[".repeat(3_000_000);
    repo.write("deep.json", &deep);
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), ["error syntax-json deep.json:1"], "JSON bounds its own depth");
    repo.write("deep.json", "1\n");
    repo.write("deep.js", &deep);
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), ["warning syntax-javascript deep.js:null"]);
    assert_eq!(found(&repo, &["--strict"]), ["error syntax-javascript deep.js:null"]);
}

/// A design of the usual form with these rows, and these lines in section 10.1.
fn design(rows: &str, scenarios: &str) -> String {
    format!(
        "# 3 - Another value\n\n* **Issue:** #3\n* **Status:** Approved\n\n## 1. Context & Goal\n\nSay more.\n\n\
         ## 2. Proposed Changes\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n{rows}\n\
         ## 3. Requirements\n\n1. It says more.\n\n## 10. Verification & Testing\n\n### 10.1 Test Scenarios\n\n\
         | ID | Scenario | Type | Input | Expected Output | Pass Criteria |\n|---|---|---|---|---|---|\n{scenarios}\n\
         ## 12. Definition of Done\n\n- [ ] `src/a.py` says more\n"
    )
}

#[test]
fn a_design_is_held_against_the_tree_that_it_is_committed_on() {
    let repo = repo();
    let rows = "| `src/a.py` | Modify | x |\n| `src/gone.py` | Modify | y |\n| `b.json` | Add | z |\n";
    repo.write("docs/lld/3.md", design(rows, "| 010 | Says it | Auto | One | Two | It works correctly |\n"));
    repo.git(&["add", "--all"]);
    let on_the_tree = ["warning missing docs/lld/3.md:17", "warning overwrite docs/lld/3.md:18"];
    let all: Vec<String> = found(&repo, &[]);
    assert_eq!(all[..2], on_the_tree, "{all:?}");
    assert!(all[2..].iter().any(|finding| finding == "warning design-vague docs/lld/3.md:30"), "{all:?}");
    assert_eq!(found(&repo, &["docs/lld/3.md"])[..2], on_the_tree, "named, as well");
    let allowed = found(&repo, &["--allow", "missing", "--allow", "overwrite"]);
    assert!(!allowed.iter().any(|finding| finding.starts_with("error")), "{allowed:?}");
    // What is made in the same commit is as the design wants it.
    repo.write("src/gone.py", GOOD);
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[])[0], "warning overwrite docs/lld/3.md:18");
    // Once it is committed, and carried out, nobody has to answer for it who mends a comma.
    let committed = repo.commit("design");
    assert_eq!(found(&repo, &[&committed])[0], "warning overwrite docs/lld/3.md:18");
    let text =
        design(rows, "| 010 | Says it | Auto | One | Two | It works correctly |\n").replace("Say more.", "Say it.");
    repo.write("docs/lld/3.md", text);
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), NOTHING);
}

#[test]
fn packages_that_are_neither_in_the_tree_nor_in_a_manifest_are_asked_about() {
    let repo = repo();
    repo.write("pyproject.toml", "[project]\nname = \"a\"\ndependencies = [\"requests\"]\n");
    repo.git(&["add", "--all"]);
    let committed = repo.commit("manifest");
    assert_eq!(found(&repo, &[&committed]), NOTHING);
    repo.write("src/a.py", "import os\nimport requests\nimport nosuchpkg\nfrom . import b\n");
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), ["warning import src/a.py:3"]);
    let head = repo.commit("import");
    assert_eq!(found(&repo, &[&head]), ["warning import src/a.py:3"]);
    repo.write("src/a.py", "import nosuchpkg\nimport os\nimport requests\n");
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), NOTHING, "it was imported before");
    let reply = repo.place("reply");
    std::fs::write(&reply, "```python\nimport neverheardof\nimport requests\n```\n").unwrap();
    let target = ["apply", "--check", "--format", "whole", "--target", "src/c.py", reply.to_str().unwrap()];
    repo.run(&target).says("imports 'neverheardof'");
}

#[test]
fn a_document_with_a_table_of_files_is_no_design() {
    let repo = repo();
    let text = "# Changes\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `x/y.py` | Modify | it works |\n";
    repo.write("CHANGES.md", text);
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), NOTHING);
}

#[test]
fn on_a_generated_branch_what_is_beside_its_plan_is_a_warning() {
    let design = "# 3 - Two\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                  | `src/a.py` | Modify | Another value |\n";
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", design), ("README.md", "# Read me\n")]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.implement(&["docs/3.md"]).published("implement/3");
    repo.write("src/a.py", "A = 3\n");
    repo.write("README.md", "# Read it\n");
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), NOTHING, "another branch");
    repo.git(&["stash", "--quiet"]);
    repo.git(&["checkout", "--quiet", "implement/3"]);
    repo.write("src/a.py", "A = 3\n");
    repo.write("README.md", "# Read it\n");
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]), ["warning scope README.md:null"]);
    let ran = repo.run(&["check"]);
    assert!(
        ran.out.contains("README.md: warning: 'README.md' is not in the plan that made 'implement/3' [scope]"),
        "{ran}"
    );
    assert_eq!(found(&repo, &["--allow", "scope:README.md"]), ["note scope README.md:null"]);
    repo.git(&["config", "implement.gates", "scope=error"]);
    assert_eq!(found(&repo, &[]), ["error scope README.md:null"]);
    repo.git(&["config", "--unset", "implement.gates"]);
    // Records of the first form are commits of such a tree.
    let record = repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement"]);
    let commit = repo.git(&["commit-tree", "-m", "implement: record of a run", &record]);
    repo.git(&["update-ref", &record, &commit]);
    assert_eq!(found(&repo, &[]), ["warning scope README.md:null"]);
    repo.git(&["pack-refs", "--all"]);
    repo.commit("my own");
    repo.git(&["rm", "--quiet", "README.md"]);
    assert_eq!(found(&repo, &[]), ["warning scope README.md:null"]);
    // When it is merged, the other branch is no generated one.
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.git(&["merge", "--quiet", "--ff-only", "implement/3"]);
    repo.git(&["rm", "--quiet", "README.md"]);
    assert_eq!(found(&repo, &[]), NOTHING);
}

#[test]
fn a_test_that_went_to_another_file_of_the_same_commit_is_not_lost() {
    let (a, b) = ("def test_a():\n    assert a\n", "def test_b():\n    assert b\n");
    let both = format!("{a}\n\n{b}");
    let repo = Repo::of(&[("tests/test_a.py", &both), ("tests/test_x.py", &both)]);
    repo.write("tests/test_a.py", a);
    repo.git(&["add", "."]);
    let lost = ["warning weakened-test-lost tests/test_a.py:null"];
    assert_eq!(found(&repo, &[]), lost);
    repo.write("tests/test_b.py", b);
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), NOTHING);
    // By commits each is on its own.
    repo.git(&["reset", "--quiet", "tests/test_b.py"]);
    repo.git(&["commit", "--quiet", "-m", "one"]);
    repo.git(&["add", "."]);
    repo.git(&["commit", "--quiet", "-m", "two"]);
    assert_eq!(found(&repo, &["HEAD~2.."]), lost);
    // One more went than came.
    repo.write("tests/test_x.py", "");
    repo.write("tests/test_y.py", b);
    repo.git(&["add", "."]);
    let ran = repo.run(&["check"]);
    assert!(ran.out.contains("has 1 test less: 'test_a'"), "{ran}");
}

#[test]
fn a_file_of_tests_that_is_deleted_is_asked_about_unless_its_tests_or_what_they_test_go_along() {
    let (a, b) = ("def test_a():\n    assert a\n", "def test_b():\n    assert b\n");
    let repo =
        Repo::of(&[("tests/test_a.py", a), ("tests/test_b.py", b), ("src/b.py", "b = 1\n"), ("src/c.py", "c = 1\n")]);
    repo.git(&["rm", "--quiet", "tests/test_a.py"]);
    assert_eq!(found(&repo, &[]), ["warning weakened-test-lost tests/test_a.py:null"]);
    let ran = repo.run(&["check"]);
    assert!(ran.out.contains("'tests/test_a.py' is deleted with 1 test: 'test_a'"), "{ran}");
    assert_eq!(found(&repo, &["--allow", "weakened-test"]), ["note weakened-test-lost tests/test_a.py:null"]);
    // Its tests are elsewhere.
    repo.write("tests/test_c.py", "class TestAll:\n    def test_a(self):\n        assert a\n");
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), NOTHING);
    repo.commit("moved");
    assert_eq!(found(&repo, &["HEAD"]), NOTHING);
    // What it tests goes along.
    repo.git(&["rm", "--quiet", "tests/test_b.py"]);
    assert_eq!(found(&repo, &[]), ["warning weakened-test-lost tests/test_b.py:null"]);
    repo.git(&["rm", "--quiet", "src/b.py"]);
    assert_eq!(found(&repo, &[]), NOTHING);
}

#[test]
fn tests_beside_the_code_of_rust_are_tests() {
    let base = "pub fn f() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {\n        assert_eq!(super::f(), 1);\n    }\n}\n";
    let repo = Repo::of(&[("src/a.rs", base)]);
    repo.write("src/a.rs", &base.replace("assert_eq!(super::f(), 1)", "super::f()"));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), ["warning weakened-test src/a.rs:8"]);
    repo.write("src/a.rs", &base.replace("pub fn f() -> u8 {\n    1", "pub fn f() -> u8 {\n    let one = 1;\n    one"));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), NOTHING);
}
