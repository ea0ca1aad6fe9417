//! `git implement check` that is told to be quiet: by comments, by globs of the configuration, by a baseline; and what it
//! mends by itself.

use crate::repo::{Ran, Repo};
use serde_json::Value;

const STUB: &str = "def load(path):\n    raise NotImplementedError\n";

fn allowed(id: &str) -> String {
    STUB.replace("    raise", &format!("    # git-implement: allow {id} -- a later commit\n    raise"))
}

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"))
}

/// The ids of what is shown, with their lines, and how many more were found.
#[track_caller]
fn found(repo: &Repo, arguments: &[&str]) -> (Vec<String>, u64) {
    let report = report(&repo.run(&[&["check", "--json"], arguments].concat()));
    let shown = report["findings"].as_array().unwrap().iter();
    let shown = shown.map(|it| format!("{} {}:{}", it["id"].as_str().unwrap(), it["path"].as_str().unwrap(), it["line"]));
    (shown.collect(), report["silenced"].as_u64().unwrap())
}

#[track_caller]
fn shows(ran: &Ran, text: &str) {
    assert!(ran.out.contains(text), "no '{text}' in\n{ran}");
}

fn none() -> Vec<String> {
    Vec::new()
}

/// Put together here, so that no scanner takes this file for one that has lost a secret.
fn token() -> String {
    ["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
}

#[test]
fn a_comment_permits_what_is_found_on_its_line_and_the_last_line_counts_it() {
    let repo = Repo::of(&[("README.md", "# Read me\n")]);
    repo.write("src/a.py", STUB);
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (vec!["stub src/a.py:2".into()], 0));
    shows(&repo.run(&["check"]), "'git-implement: allow stub' in a comment on the line permits it");
    repo.write("src/a.py", allowed("stub"));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (none(), 1));
    let ran = repo.run(&["check"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{ran}");
    assert_eq!(ran.err, "nothing found in 1 file (1 silenced by comments)\n");
    assert_eq!(repo.run(&["check", "--quiet"]).err, "");
    repo.commit("allowed");
    assert_eq!(found(&repo, &["HEAD"]), (none(), 1));
    assert_eq!(found(&repo, &["src/a.py"]), (none(), 1));
}

#[test]
fn a_comment_that_silences_nothing_is_a_warning_once() {
    let repo = Repo::of(&[("README.md", "# Read me\n")]);
    let idle = "# git-implement: allow stub, stubs, size\ndef load(path):\n    return open(path)\n";
    repo.write("src/a.py", idle);
    repo.git(&["add", "."]);
    let said = vec!["unused-allow src/a.py:1".to_owned(); 2];
    assert_eq!(found(&repo, &[]), (said.clone(), 0), "of a gate that only compares nothing is known");
    shows(&repo.run(&["check"]), "permits 'stub' in a comment, but there is nothing to permit");
    shows(&repo.run(&["check"]), "permits 'stubs' in a comment, but there is no such gate");
    repo.git(&["config", "implement.gates", "stub=off"]);
    assert_eq!(found(&repo, &[]).0.len(), 1, "the gate does not run");
    repo.git(&["config", "--unset", "implement.gates"]);
    repo.commit("idle");
    repo.write("src/a.py", format!("{idle}\n\ndef more():\n    return 2\n"));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (none(), 0), "it was as idle before");
    assert_eq!(found(&repo, &["src/a.py"]).0, said, "who names a file wants to know all");
}

#[test]
fn a_comment_is_in_use_where_the_base_excuses_what_it_permits() {
    let repo = Repo::of(&[("src/a.py", &allowed("stub"))]);
    repo.write("src/a.py", format!("{}\n\ndef more():\n    return 2\n", allowed("stub")));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (none(), 0));
    let written = allowed("stub").replace("raise NotImplementedError", "return path");
    repo.write("src/a.py", written);
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]).0, ["unused-allow src/a.py:2"], "this change has made it idle");
}

#[test]
fn what_is_pushed_does_not_permit_its_own_secrets() {
    let repo = Repo::of(&[("README.md", "# Read me\n")]);
    repo.write("src/a.py", format!("KEY = '{}'  # git-implement: allow secret\n", token()));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (none(), 1));
    let pushed = repo.commit("a secret");
    let mut command = repo.process(&["check", "--json", "--stdin"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{pushed}\n").as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    let ids: Vec<&str> = report["findings"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!((ids, &report["silenced"]), (vec!["secret", "unused-allow"], &Value::from(0)));
    assert_eq!(out.status.code(), Some(1));
    repo.write("src/a.py", format!("# git-implement: allow-file secret\nKEY = '{}'\n", token()));
    assert_eq!(found(&repo, &["src/a.py"]), (vec!["secret src/a.py:2".into(), "unused-allow src/a.py:1".into()], 0));
}

#[test]
fn a_model_does_not_silence_what_is_said_of_its_own_text() {
    let base = "def load(path): raise NotImplementedError  # git-implement: allow stub\n";
    let repo = Repo::of(&[("src/a.py", "def one():\n    return 1\n"), ("src/b.py", base)]);
    let judge = |target: &str, text: &str| {
        repo.write("reply", format!("```python\n{text}```\n"));
        repo.run(&["apply", "--check", "--json", "--target", target, "reply"])
    };
    let ran = judge("src/a.py", &allowed("stub"));
    assert_eq!(ran.status, Some(1), "{ran}");
    shows(&ran, "permits 'stub' in a comment, but a model may not permit what it wrote");
    let ran = judge("src/b.py", &format!("{}\n\ndef more():\n    return 1\n", base.replace("path", "name")));
    assert_eq!(report(&ran)["findings"].as_array().unwrap().len(), 0, "{ran}");
}
