//! `apply --lsp` after an edit of one file, with a server that does what it is told: what it finds is shown after the
//! success, and whatever becomes of it, the edit is as it would be without it.

use crate::language_servers::{install, install_as, judged, log, processes};
use crate::repo::{Ended, Repo, is_alive, wait_for};
use std::io::{BufRead, BufReader};

const BASE: &str = "a = 1\nb = 2\n";
const DONE: &str = "modified:   src/a.py\n";

/// With a server that is told this.
fn repo(told: &[&str]) -> Repo {
    let mut repo = Repo::of(&[("src/a.py", BASE), ("src/b.py", "ERROR of another file\n")]);
    install(&mut repo, told);
    repo
}

/// An edit that puts `line` in the place of the second one.
fn edit(line: &str) -> String {
    format!("src/a.py\n<<<<<<< SEARCH\nb = 2\n=======\n{line}\n>>>>>>> REPLACE\n")
}

#[track_caller]
fn apply(repo: &Repo, options: &[&str], reply: &str) -> Ended {
    crate::repo::write(&repo.place("reply"), reply);
    let reply = repo.place("reply");
    let ended = Ended::of(&mut repo.process(&[&["apply"], options, &[reply.to_str().unwrap()]].concat()));
    assert!(crate::repo::tree(&repo.place("tmp")).is_empty(), "left behind\n{ended}");
    processes(repo, "started").iter().for_each(|id| assert!(!is_alive(id), "a server runs\n{ended}"));
    ended
}

/// It is applied, and this is printed.
#[track_caller]
fn applied(repo: &Repo, line: &str, printed: &str) {
    let ended = apply(repo, &["--worktree", "--lsp"], &edit(line));
    assert_eq!((ended.status, ended.out.as_str(), ended.err.as_str()), (Some(0), printed, ""), "{ended}");
    let text = std::fs::read_to_string(repo.dir.join("src/a.py")).unwrap();
    assert_eq!(text, format!("a = 1\n{line}\n"));
}

fn block(lines: &str) -> String {
    format!(
        "{DONE}\nLSP errors detected in this file, please fix:\n<diagnostics file=\"src/a.py\">\n{lines}</diagnostics>\n"
    )
}

#[test]
fn edit_01_an_edit_without_language_servers_asks_none() {
    let repo = repo(&[]);
    let ended = apply(&repo, &["--worktree"], &edit("b = ERROR"));
    assert_eq!((ended.status, ended.out.as_str(), ended.err.as_str()), (Some(0), DONE, ""), "{ended}");
    assert!(log(&repo).is_empty());
}

#[test]
fn edit_02_an_edit_with_a_dead_server_succeeds_without_diagnostics() {
    let repo = repo(&["die-start"]);
    applied(&repo, "b = ERROR", DONE);
    assert_eq!(processes(&repo, "started").len(), 2, "it is tried once more, and then given up");
}

#[test]
fn edit_03_errors_in_the_file_are_shown_in_a_block() {
    applied(&repo(&[]), "b = ERROR:E42 here", &block("ERROR [2:5] b = ERROR:E42 here (E42)\n"));
    applied(&repo(&["push"]), "b = ERROR", &block("ERROR [2:5] b = ERROR\n"));
}

#[test]
fn edit_04_a_file_without_errors_has_no_block() {
    let repo = repo(&[]);
    applied(&repo, "b = 3", DONE);
    assert_eq!(judged(&repo), ["src/a.py"], "once: the base does not matter then");
}

#[test]
fn edit_05_warnings_alone_make_no_block() {
    applied(&repo(&[]), "b = WARNING", DONE);
}

#[test]
fn edit_06_no_more_than_twenty_errors_are_shown() {
    let ended = apply(&repo(&[]), &["--worktree", "--lsp"], &edit(&"ERROR\n".repeat(50)));
    assert_eq!(ended.out.matches("ERROR [").count(), 20, "{ended}");
}

#[test]
fn edit_07_how_many_more_there_are_is_said() {
    let ended = apply(&repo(&[]), &["--worktree", "--lsp"], &edit("ERROR\n".repeat(23).trim_end()));
    assert!(ended.out.ends_with("ERROR [21:1] ERROR\n... and 3 more\n</diagnostics>\n"), "{ended}");
}

#[test]
fn edit_08_only_the_edited_file_is_asked_about() {
    let repo = repo(&[]);
    applied(&repo, "b = ERROR", &block("ERROR [2:5] b = ERROR\n"));
    assert_eq!(judged(&repo), ["src/a.py", "src/a.py"], "now, and as it was");
}

#[test]
fn edit_09_no_failure_of_a_server_fails_the_edit() {
    for told in [["die"], ["refuse"], ["endless"], ["flood"], ["deaf"], ["hang-start"], ["hang"], ["garbage"], ["lie"]]
    {
        let repo = repo(&told);
        let ended = apply(&repo, &["--worktree", "--lsp", "--lsp-timeout", "1"], &edit("b = ERROR"));
        assert_eq!((ended.status, ended.out.as_str()), (Some(0), DONE), "{told:?}\n{ended}");
    }
}

#[test]
fn edit_10_nothing_is_said_of_the_failure_of_a_server() {
    for told in [["die"], ["refuse"], ["endless"], ["die-start"]] {
        let ended = apply(&repo(&told), &["--worktree", "--lsp"], &edit("b = ERROR"));
        assert_eq!((ended.out.as_str(), ended.err.as_str()), (DONE, ""), "{told:?}\n{ended}");
    }
}

#[test]
fn edit_11_the_success_is_said_before_a_server_is_waited_for() {
    let repo = repo(&["hang"]);
    crate::repo::write(&repo.place("reply"), edit("b = ERROR"));
    let reply = repo.place("reply");
    let options = ["apply", "--worktree", "--lsp", "--lsp-timeout", "30", reply.to_str().unwrap()];
    let mut child = repo.process(&options).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, DONE);
    assert_eq!(std::fs::read_to_string(repo.dir.join("src/a.py")).unwrap(), "a = 1\nb = ERROR\n");
    assert!(child.try_wait().unwrap().is_none(), "it waits for the server");
    // An interruption ends the wait, and the server.
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), crate::repo::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    processes(&repo, "started").iter().for_each(|id| wait_for("the server to end", || !is_alive(id)));
}

#[test]
fn edit_12_binary_content_is_nobodys_business() {
    let repo = repo(&[]);
    let ended = apply(&repo, &["--worktree", "--lsp"], "src/c.py\n```\nERROR\0\n```\n");
    assert_eq!((ended.status, ended.out.as_str()), (Some(0), "new file:   src/c.py\n"), "{ended}");
    assert!(log(&repo).is_empty());
}

#[test]
fn errors_that_were_there_before_are_not_the_edits() {
    let mut repo = Repo::of(&[("src/a.py", "ERROR one\nERROR two\nb = 2\n")]);
    install(&mut repo, &[]);
    let ended = apply(&repo, &["--worktree", "--lsp"], &edit("\nb = 2\nERROR two"));
    assert_eq!(ended.out, block("ERROR [5:1] ERROR two\n"), "{ended}");
}

#[test]
fn a_server_that_must_be_talked_to_is() {
    for told in [["noise"], ["ask"], ["register"], ["cancel"], ["late"], ["push"], ["die-once"]] {
        let ended = apply(&repo(&told), &["--worktree", "--lsp"], &edit("b = ERROR"));
        assert_eq!((ended.out, ended.err), (block("ERROR [2:5] b = ERROR\n"), String::new()), "{told:?}");
    }
}

#[test]
fn columns_are_characters_however_a_server_counts() {
    for told in [&[][..], &["utf8"]] {
        applied(&repo(told), "b = 'ä🧪' ERROR", &block("ERROR [2:10] b = 'ä🧪' ERROR\n"));
    }
}

#[test]
fn a_publish_without_the_version_that_was_sent_says_nothing() {
    for told in [["unversioned"], ["lie"]] {
        let ended = apply(&repo(&told), &["--worktree", "--lsp", "--lsp-timeout", "1"], &edit("b = ERROR"));
        assert_eq!((ended.out.as_str(), ended.err.as_str()), (DONE, ""), "{told:?}\n{ended}");
    }
}

#[test]
fn a_server_that_will_not_end_is_ended_with_what_it_started() {
    let repo = repo(&["stay"]);
    applied(&repo, "b = ERROR", &block("ERROR [2:5] b = ERROR\n"));
    let left = processes(&repo, "child");
    assert_eq!(left.len(), 1);
    wait_for("its child to end", || !is_alive(&left[0]));
}

#[test]
fn the_index_and_the_working_tree_are_asked_about_as_one_and_the_index_alone_is_not() {
    let ended = apply(&repo(&[]), &["--index", "--lsp"], &edit("b = ERROR"));
    assert_eq!(ended.out, block("ERROR [2:5] b = ERROR\n"), "{ended}");
    let repo = repo(&[]);
    let ended = apply(&repo, &["--cached", "--lsp"], &edit("b = ERROR"));
    assert_eq!((ended.status, ended.out.as_str()), (Some(0), DONE), "{ended}");
    assert!(ended.err.starts_with("note: --lsp finds nothing with --cached"), "{ended}");
    assert!(log(&repo).is_empty());
}

#[test]
fn an_edit_that_is_refused_asks_nobody() {
    let repo = repo(&[]);
    let ended =
        apply(&repo, &["--worktree", "--lsp"], "src/a.py\n<<<<<<< SEARCH\nzz\n=======\nERROR\n>>>>>>> REPLACE\n");
    assert_eq!((ended.status, ended.out.as_str()), (Some(1), ""), "{ended}");
    assert!(log(&repo).is_empty());
}

#[test]
fn a_program_in_the_repository_is_never_the_server() {
    let mut repo = Repo::of(&[("src/a.py", BASE)]);
    repo.program("tools/pyright-langserver", "#!/bin/sh\necho ran >\"$(dirname \"$0\")/ran\"\n");
    std::os::unix::fs::symlink(repo.dir.join("tools"), repo.place("linked-tools")).unwrap();
    for folder in [repo.dir.join("tools"), repo.place("linked-tools"), "tools".into()] {
        let path = format!("{}:/usr/bin:/bin", folder.display());
        repo.set("PATH", path);
        let ended = apply(&repo, &["--worktree", "--lsp"], &edit("b = ERROR"));
        assert_eq!((ended.status, ended.out.as_str()), (Some(0), DONE), "{ended}");
        assert!(!repo.dir.join("tools/ran").exists(), "{}", folder.display());
        repo.write("src/a.py", BASE);
    }
}

#[test]
fn a_target_alone_has_its_block_on_standard_error_and_in_json() {
    let repo = repo(&[]);
    let reply = edit("b = ERROR");
    let ended = apply(&repo, &["--target", "src/a.py", "--lsp"], &reply);
    assert_eq!((ended.status, ended.out.as_str()), (Some(0), "a = 1\nb = ERROR\n"), "{ended}");
    let want = block("ERROR [2:5] b = ERROR\n");
    let want = want.strip_prefix(DONE).unwrap().trim_start();
    assert_eq!(ended.err, want, "{ended}");
    let ended = apply(&repo, &["--target", "src/a.py", "--lsp", "--json"], &reply);
    let object: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((object["lsp"].as_str(), ended.err.as_str()), (Some(want.trim_end()), ""));
    let clean = apply(&repo, &["--target", "src/a.py", "--lsp", "--json"], &edit("b = 3"));
    assert!(!clean.out.contains("\"lsp\""), "{clean}");
}

#[test]
fn a_coprocess_keeps_its_server_and_tells_it_what_was_written_meanwhile() {
    use std::io::Write;
    let repo = repo(&[]);
    let mut child = repo.process(&["apply", "--jsonl", "--lsp"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let (mut requests, mut results) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut ask = |line: &str| -> serde_json::Value {
        let request = serde_json::json!({"id": 1, "target": "src/a.py", "base": BASE, "reply": edit(line)});
        writeln!(requests, "{request}").unwrap();
        let mut result = String::new();
        results.read_line(&mut result).unwrap();
        serde_json::from_str(&result).unwrap()
    };
    assert!(ask("b = ERROR")["lsp"].as_str().unwrap().contains("ERROR [2:5] b = ERROR\n</diagnostics>"));
    repo.write("src/a.py", "longer than it was before\n");
    assert_eq!(ask("b = 3").get("lsp"), None);
    assert!(ask("ERROR")["lsp"].as_str().unwrap().contains("ERROR [2:1]"));
    drop(requests);
    wait_for("the coprocess to end", || child.try_wait().unwrap().is_some());
    assert_eq!(processes(&repo, "started").len(), 1);
    assert!(log(&repo).contains(&"event 2 a.py".to_owned()), "{:?}", log(&repo));
}

#[test]
fn a_server_that_runs_code_of_the_workspace_is_asked_when_a_person_names_it_and_it_misses_nothing() {
    let mut repo = Repo::of(&[("src/a.rs", "a = 1\nb = 2\n")]);
    let edit = edit("b = ERROR").replace("a.py", "a.rs");
    let said = |repo: &Repo| {
        repo.git(&["checkout", "-q", "--", "src"]);
        apply(repo, &["--worktree", "--lsp"], &edit).out
    };
    install_as(&mut repo, "rust-analyzer", &["ready"]);
    assert_eq!(said(&repo), "modified:   src/a.rs\n");
    assert!(log(&repo).is_empty());
    repo.configure("implement.lspServer", "rust-analyzer");
    assert!(said(&repo).contains("ERROR [2:5] b = ERROR\n"));
    install_as(&mut repo, "rust-analyzer", &["unwell"]);
    assert_eq!(said(&repo), "modified:   src/a.rs\n");
}
