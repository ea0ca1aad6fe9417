//! Language servers in a run: what they find in a file goes back to the model, what is left is told, and refuses if it is to.

use crate::language_servers::{any_runs, install, install_as};
use crate::repo::{Ran, Repo};
use serde_json::Value;
use std::fs;

const BASE: &str = "a = 1\nb = \"ERROR of old\"\n";
const DESIGN: &str = "# 9 - Change it\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `src/a.py` | Modify | the first value, by `later_name` |\n| `src/b.py` | Add | `later_name` |\n";
const EDIT: &str = "FIND:\n```\na = 1\n```\nREPLACE WITH:\n```\na = ERROR\n```\n";
const MENDS: &str = "FIND:\n```\na = ERROR\n```\nREPLACE WITH:\n```\na = 2\n```\n";
const NEW: &str = "```python\nlater_name = 3\n```\n";

/// A repository with a design, and a server that is told this.
fn repo(told: &[&str]) -> Repo {
    let mut repo = Repo::of(&[("src/a.py", BASE), ("src/other.py", "ERROR of another file\n"), ("docs/9.md", DESIGN)]);
    install(&mut repo, told);
    repo.set("GIT_IMPLEMENT_LSP", "report");
    repo.answer_at("src/a.py", 1, EDIT);
    repo.answer("src/b.py", NEW);
    repo
}

const RUN: &[&str] = &["docs/9.md", "--format", "find-replace"];

/// Whatever came of it: no server goes on, and nothing lies about.
#[track_caller]
fn ran(repo: &Repo, options: &[&str]) -> Ran {
    let ran = repo.implement(&[RUN, options].concat());
    assert!(!any_runs(repo), "{ran}");
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1, "{ran}");
    ran
}

/// The files about which a server was asked, as the record of the only run has them.
fn diagnosed(repo: &Repo) -> Vec<String> {
    let record = repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement/runs"]);
    let events = repo.git(&["show", &format!("{record}:events.jsonl")]);
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let diagnosed = events.filter(|event| event["event"] == "diagnosed");
    diagnosed.map(|event| event["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_error_goes_back_and_what_comes_back_is_committed_once() {
    let repo = repo(&[]);
    repo.answer_at("src/a.py", 2, MENDS);
    let ran = ran(&repo, &[]);
    ran.published("implement/9");
    assert_eq!(repo.git(&["show", "implement/9:src/a.py"]), "a = 2\nb = \"ERROR of old\"");
    assert_eq!(repo.git(&["rev-list", "--count", "main..implement/9"]), "2");
    let given = fs::read_to_string(repo.place("asked/src/a.py.2")).unwrap();
    assert!(given.contains("pyright: line 1: a = ERROR\n    1 | a = ERROR\n"), "{given}");
    assert!(!given.contains("pyright: line 2"), "what the base has is not told: {given}");
    ran.says("src/a.py: pyright finds 1 new error\n");
    // Each file as it is made, then all of them.
    assert_eq!(diagnosed(&repo), ["src/a.py", "src/a.py", "src/b.py", "src/a.py", "src/b.py"]);
}

#[test]
fn a_server_hears_of_what_is_written_on_disk() {
    let repo = repo(&["events"]);
    repo.answer_at("src/a.py", 1, EDIT.replace("a = ERROR", "a = 1 # NEEDS b.py"));
    let ran = ran(&repo, &["--repair", "0", "--lsp", "gate"]);
    ran.published("implement/9");
    ran.says("src/a.py: pyright finds 1 new error\n");
}

#[test]
fn what_is_left_is_told_and_refuses_only_where_it_is_to() {
    let repo = repo(&[]);
    let told = ran(&repo, &["--repair", "0"]);
    told.published("implement/9");
    told.says("warning: src/a.py:1: a = ERROR\n");
    let refused = ran(&repo, &["--repair", "0", "--lsp", "gate", "--force"]);
    refused.refused(1).says("error: what was made does not pass: lsp-pyright\n");
    let permitted = ran(&repo, &["--repair", "0", "--lsp", "gate", "--force", "--allow", "lsp-pyright:src/a.py"]);
    permitted.published("implement/9");
}

#[test]
fn an_error_about_what_a_later_file_brings_waits_for_it() {
    let repo = repo(&[]);
    repo.answer_at("src/a.py", 1, EDIT.replace("a = ERROR", "a = later_name # ERROR"));
    repo.answer_at("src/a.py", 2, MENDS.replace("a = ERROR", "a = later_name # ERROR"));
    let ran = ran(&repo, &[]);
    ran.published("implement/9");
    let asked: Vec<String> = repo.asked().iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(asked, ["src/a.py", "src/b.py", "src/a.py"], "it is asked about when all files are there");
}

#[test]
fn a_server_that_does_not_answer_is_no_word_on_the_code_and_every_file_of_it_is_named() {
    for told in ["die-start", "die", "refuse"] {
        let repo = repo(&[told]);
        let ran = ran(&repo, &[]);
        ran.published("implement/9");
        ran.says("note: 'src/a.py' and 'src/b.py' were not checked by pyright: ");
        assert_eq!(ran.err.matches("not checked by").count(), 1, "{ran}");
        assert_eq!(repo.asked().len(), 2);
    }
}

#[test]
fn a_server_that_is_to_refuse_refuses_what_it_has_not_checked() {
    for told in ["die-start", "die", "endless"] {
        let repo = repo(&[told]);
        let refused = ran(&repo, &["--lsp", "gate"]);
        refused.refused(1).says("error: 'src/a.py' and 'src/b.py' were not checked by pyright: ");
        refused.says("hint: --lsp report publishes what no server has checked, and --allow lsp permits it\n");
        refused.says("error: what was made does not pass: lsp-not-checked\n");
        assert!(!refused.err.contains("--repair"), "{refused}");
        assert_eq!(repo.asked().len(), 2, "it is no error of the code: {refused}");
        let half = ran(&repo, &["--lsp", "gate", "--allow", "lsp:src/a.py"]);
        half.refused(1).says("error: 'src/b.py' was not checked by pyright: ").says("note: 'src/a.py' was not checked");
        ran(&repo, &["--lsp", "gate", "--allow", "lsp"]).published("implement/9");
    }
}

#[test]
fn a_server_that_is_to_refuse_sees_what_a_hook_makes_of_a_file() {
    let repo = repo(&[]);
    repo.answer_at("src/a.py", 2, MENDS);
    repo.hook("pre-commit", "if test -f src/b.py; then sed -i s/later_name/ERROR_name/ src/b.py; git add src/b.py; fi");
    let options = ["--lsp", "gate"];
    let refused = ran(&repo, &options);
    refused.refused(1).says("error: src/b.py:1: ERROR_name = 3\n");
    refused.says("hint: a hook has changed what had passed: --no-verify runs none\n");
}

#[test]
fn a_server_that_is_named_and_not_there_refuses_before_anything_is_asked_and_another_is_only_missed() {
    let mut repo = Repo::of(&[("docs/9.md", &DESIGN.replace("src/b.py", "src/b.rs").replace("Modify", "Add"))]);
    install(&mut repo, &[]);
    let path = format!("{}:/usr/bin:/bin", repo.place("servers").display());
    repo.set("PATH", path);
    repo.answer("src/a.py", NEW);
    repo.answer("src/b.rs", "```rust\npub fn later_name() {}\n```\n");
    let none = ran(&repo, &["--lsp", "gate"]);
    none.published("implement/9");
    none.says("note: no language server checks 'src/b.rs'\n");
    repo.configure("implement.lspServer", "rust-analyzer");
    let asked = repo.asked().len();
    let refused = ran(&repo, &["--lsp", "gate", "--force"]);
    let why = "'src/b.rs' is not checked by rust-analyzer: there is no 'rust-analyzer' on the PATH\n";
    refused.refused_at_once(1).says(&format!("error: {why}"));
    assert_eq!(repo.asked().len(), asked, "{refused}");
    let told = ran(&repo, &["--lsp", "report", "--force"]);
    told.published("implement/9");
    told.says(&format!("note: {why}"));
}

#[test]
fn a_server_that_is_installed_and_cannot_be_started_is_said_to_have_checked_nothing() {
    let mut repo = Repo::of(&[("docs/9.md", &DESIGN.replace(".py", ".ts").replace("Modify", "Add"))]);
    install_as(&mut repo, "typescript-language-server", &[]);
    let path = format!("{}:/usr/bin:/bin", repo.place("servers").display());
    repo.set("PATH", path);
    repo.answer("src/a.ts", "```ts\nexport const a = 1;\n```\n");
    repo.answer("src/b.ts", "```ts\nexport const later_name = 1;\n```\n");
    let ran = ran(&repo, &["--lsp", "report"]);
    ran.published("implement/9");
    let why = "no TypeScript is installed beside it ('npm install -g typescript')";
    ran.says(&format!("note: 'src/a.ts' and 'src/b.ts' are not checked by typescript-language-server: {why}\n"));
}

#[test]
fn what_a_server_leaves_that_runs_code_of_the_repository_is_gone_before_a_hook_runs() {
    let mut repo = Repo::of(&[("src/a.py", BASE), ("docs/9.md", DESIGN)]);
    install_as(&mut repo, "basedpyright-langserver", &["litter"]);
    let path = format!("{}:/usr/bin:/bin", repo.place("servers").display());
    repo.set("PATH", path);
    repo.configure("implement.lspServer", "basedpyright");
    repo.answer_at("src/a.py", 1, EDIT.replace("ERROR", "2"));
    repo.answer("src/b.py", NEW);
    repo.hook("pre-commit", "test -z \"$(find . -name '*.left')\"");
    let ran = ran(&repo, &["--lsp", "report"]);
    ran.published("implement/9");
    assert!(diagnosed(&repo).len() >= 4, "{ran}");
}

#[test]
fn what_a_server_says_in_several_lines_is_told_in_one() {
    let repo = repo(&["lines"]);
    let ran = ran(&repo, &["--repair", "0"]);
    ran.published("implement/9");
    ran.says("warning: src/a.py:1: a = ERROR it is not what it should be\n");
}

#[test]
fn no_server_is_started_where_nothing_new_is_written_or_nobody_wants_it() {
    let repo = repo(&[]);
    ran(&repo, &["--lsp", "off", "--force"]).published("implement/9");
    ran(&repo, &["--no-exec", "--force"]).published("implement/9");
    repo.write("docs/9.md", DESIGN.replace("| Modify |", "| Delete |").replace("src/b.py", "notes.txt"));
    repo.answer("notes.txt", "```\nnothing\n```\n");
    ran(&repo, &["--force"]).published("implement/9");
    let records = repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement/runs"]);
    for record in records.lines() {
        assert!(!repo.git(&["show", &format!("{record}:events.jsonl")]).contains("\"diagnosed\""), "{record}");
    }
}
