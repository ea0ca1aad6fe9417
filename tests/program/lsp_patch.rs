//! `apply --lsp` after a patch of several files: which operations are asked about, and that nothing else is.

use crate::language_servers::{install, judged, log};
use crate::repo::{Ended, Repo};
use git_implement::diagnostic::{Operation, written};

fn repo(told: &[&str]) -> Repo {
    let files = [("a.py", "a = 1\nERROR old\n"), ("b.py", "b = 1\n"), ("c.py", "c = 1\n"), ("d.py", "d = 1\n")];
    let mut repo = Repo::of(&files);
    install(&mut repo, told);
    repo
}

const MODIFY_B: &str = "*** Update File: b.py\n@@\n-b = 1\n+b = ERROR\n";
const MODIFY_C: &str = "*** Update File: c.py\n@@\n-c = 1\n+c = ERROR\n";
const DELETE_D: &str = "*** Delete File: d.py\n";
const RENAME_A: &str = "diff --git a/a.py b/new.py\nsimilarity index 100%\nrename from a.py\nrename to new.py\n";
const RENAME_B_WITH_EDITS: &str = "diff --git a/b.py b/new.py\nsimilarity index 50%\nrename from b.py\nrename to new.py\n\
                                   --- a/b.py\n+++ b/new.py\n@@ -1 +1 @@\n-b = 1\n+b = ERROR\n";
const DIFF_C: &str = "diff --git a/c.py b/c.py\n--- a/c.py\n+++ b/c.py\n@@ -1 +1 @@\n-c = 1\n+c = ERROR\n";
const DIFF_DELETE_D: &str =
    "diff --git a/d.py b/d.py\ndeleted file mode 100644\n--- a/d.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-d = 1\n";

fn patch(parts: &[&str]) -> String {
    format!("*** Begin Patch\n{}*** End Patch\n", parts.concat())
}

fn diff(parts: &[&str]) -> String {
    format!("```diff\n{}```\n", parts.concat())
}

#[track_caller]
fn apply(repo: &Repo, options: &[&str], reply: &str) -> Ended {
    crate::repo::write(&repo.place("reply"), reply);
    let reply = repo.place("reply");
    let ended = Ended::of(&mut repo.process(&[&["apply"], options, &[reply.to_str().unwrap()]].concat()));
    assert_eq!((ended.status, ended.err.as_str()), (Some(0), ""), "{ended}");
    ended
}

/// It is applied, and this is printed.
#[track_caller]
fn applied(repo: &Repo, reply: &str, printed: &str) {
    let ended = apply(repo, &["--worktree", "--lsp"], reply);
    assert_eq!(ended.out, printed, "{ended}");
}

fn block(path: &str, lines: &str) -> String {
    format!("\nLSP errors detected in this file, please fix:\n<diagnostics file=\"{path}\">\n{lines}</diagnostics>\n")
}

#[test]
fn patch_01_a_patch_of_one_file_shows_its_errors() {
    let want = format!("modified:   b.py\n{}", block("b.py", "ERROR [1:5] b = ERROR\n"));
    applied(&repo(&[]), &patch(&[MODIFY_B]), &want);
}

#[test]
fn patch_02_a_patch_of_two_files_shows_the_errors_of_each_in_their_order() {
    let blocks = [block("c.py", "ERROR [1:5] c = ERROR\n"), block("b.py", "ERROR [1:5] b = ERROR\n")].concat();
    applied(&repo(&[]), &patch(&[MODIFY_C, MODIFY_B]), &format!("modified:   c.py\nmodified:   b.py\n{blocks}"));
}

#[test]
fn patch_03_a_patch_that_only_renames_starts_no_server() {
    let repo = repo(&[]);
    applied(&repo, &diff(&[RENAME_A]), "renamed:    a.py -> new.py\n");
    assert!(log(&repo).is_empty());
}

#[test]
fn patch_04_a_patch_that_only_deletes_starts_no_server() {
    let repo = repo(&[]);
    applied(&repo, &patch(&[DELETE_D]), "deleted:    d.py\n");
    assert!(log(&repo).is_empty());
}

#[test]
fn patch_05_of_a_patch_that_renames_and_modifies_only_the_modified_file_is_asked_about() {
    let repo = repo(&[]);
    let blocks = block("c.py", "ERROR [1:5] c = ERROR\n");
    applied(&repo, &diff(&[RENAME_A, DIFF_C]), &format!("renamed:    a.py -> new.py\nmodified:   c.py\n{blocks}"));
    assert!(judged(&repo).iter().all(|path| path == "c.py"), "{:?}", log(&repo));
}

#[test]
fn patch_06_a_rename_with_edits_is_asked_about_at_its_new_path() {
    let repo = repo(&[]);
    let blocks = block("new.py", "ERROR [1:5] b = ERROR\n");
    applied(&repo, &diff(&[RENAME_B_WITH_EDITS]), &format!("renamed:    b.py -> new.py\n{blocks}"));
    assert_eq!(judged(&repo), ["new.py", "b.py"], "and what it was, where it was");
}

#[test]
fn patch_07_of_a_rename_a_modification_and_a_deletion_the_modification_is_asked_about() {
    let repo = repo(&[]);
    let blocks = block("c.py", "ERROR [1:5] c = ERROR\n");
    let done = "renamed:    a.py -> new.py\nmodified:   c.py\ndeleted:    d.py\n";
    applied(&repo, &diff(&[RENAME_A, DIFF_C, DIFF_DELETE_D]), &format!("{done}{blocks}"));
    assert!(judged(&repo).iter().all(|path| path == "c.py"), "{:?}", log(&repo));
}

#[test]
fn patch_08_of_a_rename_with_edits_and_a_deletion_the_renamed_file_is_asked_about() {
    let repo = repo(&[]);
    let blocks = block("new.py", "ERROR [1:5] b = ERROR\n");
    let done = "renamed:    b.py -> new.py\ndeleted:    d.py\n";
    applied(&repo, &diff(&[RENAME_B_WITH_EDITS, DIFF_DELETE_D]), &format!("{done}{blocks}"));
    assert!(!judged(&repo).contains(&"d.py".to_owned()), "{:?}", log(&repo));
}

#[test]
fn patch_09_a_patch_without_language_servers_asks_none() {
    let repo = repo(&[]);
    assert_eq!(apply(&repo, &["--worktree"], &patch(&[MODIFY_B])).out, "modified:   b.py\n");
    assert!(log(&repo).is_empty());
}

#[test]
fn patch_10_a_patch_with_a_dead_server_succeeds_without_diagnostics() {
    applied(&repo(&["die-start"]), &patch(&[MODIFY_B, MODIFY_C]), "modified:   b.py\nmodified:   c.py\n");
}

#[test]
fn patch_11_no_failure_of_a_server_fails_the_patch() {
    for told in [["die"], ["refuse"], ["endless"]] {
        applied(&repo(&told), &patch(&[MODIFY_B, MODIFY_C]), "modified:   b.py\nmodified:   c.py\n");
    }
}

#[test]
fn patch_12_nothing_is_said_of_a_server_that_is_late() {
    let options = ["--worktree", "--lsp", "--lsp-timeout", "1"];
    let repo = repo(&["hang"]);
    let ended = apply(&repo, &options, &patch(&[MODIFY_B, MODIFY_C]));
    assert_eq!(ended.out, "modified:   b.py\nmodified:   c.py\n", "{ended}");
}

#[test]
fn patch_13_errors_of_a_patch_are_limited_and_laid_out_as_those_of_an_edit() {
    let lines: String = (0..22).map(|n| format!("+ERROR:E{n}\n")).collect();
    let ended = apply(&repo(&[]), &["--worktree", "--lsp"], &patch(&[&format!("*** Add File: n.py\n{lines}")]));
    assert_eq!(ended.out.matches("ERROR [").count(), 20, "{ended}");
    assert!(ended.out.starts_with("new file:   n.py\n\nLSP errors detected"), "{ended}");
    assert!(ended.out.contains("ERROR [3:1] ERROR:E2 (E2)\n"), "{ended}");
    assert!(ended.out.ends_with("... and 2 more\n</diagnostics>\n"), "{ended}");
}

#[test]
fn patch_14_which_operations_wrote_content_is_a_pure_function_of_them() {
    let one = Operation { path: "x", from: None, was: Some(b"1"), becomes: Some(b"2") };
    let operations = [
        Operation { path: "created", was: None, ..one },
        Operation { path: "modified", ..one },
        Operation { path: "deleted", becomes: None, ..one },
        Operation { path: "moved", from: Some("old"), becomes: Some(b"1"), ..one },
        Operation { path: "moved-and-edited", from: Some("older"), ..one },
    ];
    let paths: Vec<_> = written(operations).into_iter().map(|written| written.path).collect();
    assert_eq!(paths, ["created", "modified", "moved-and-edited"]);
}

#[test]
fn json_has_the_formatted_text_of_each_file_that_has_errors_and_nothing_else_of_it() {
    let ended = apply(&repo(&[]), &["--worktree", "--lsp", "--json"], &patch(&[MODIFY_B, DELETE_D]));
    let object: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let text = block("b.py", "ERROR [1:5] b = ERROR\n");
    assert_eq!(object["files"][0]["lsp"].as_str(), Some(text.trim()), "{ended}");
    assert!(object["files"][1].get("lsp").is_none() && !ended.out.contains("\"range\""), "{ended}");
}

#[test]
fn a_server_that_died_twice_is_not_started_for_the_rest_of_the_patch() {
    let repo = repo(&["die"]);
    applied(&repo, &patch(&[MODIFY_B, MODIFY_C]), "modified:   b.py\nmodified:   c.py\n");
    assert_eq!(log(&repo).iter().filter(|line| line.starts_with("started")).count(), 2);
}
