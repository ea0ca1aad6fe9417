//! Two programs that talk: each answers by the role, the round and the form that it is asked for.
#![allow(dead_code)]

use crate::repo::{Ran, Repo};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Answers with the first of `<role>.<round>.<form>`, `<role>.<form>`, `<path>.<attempt>` and `<path>.md` in `$ANSWERS`, with
/// the mark of the run in the place of `MARK`. What it was asked is kept in `$ASKED`.
const SPEAKER: &str = r#"#!/bin/sh
set -eu
role=$GIT_IMPLEMENT_ROLE round=$GIT_IMPLEMENT_ROUND form=$GIT_IMPLEMENT_FORMAT
asked="$ASKED/$role.$round.$form.$GIT_IMPLEMENT_ATTEMPT"
cat >"$asked"
echo "${1:-one} $role $round $form $GIT_IMPLEMENT_PATH" >>"$ASKED/log"
mark=$(grep -o 'verdict-[0-9a-f]\{16\}' "$asked" | tail -n 1 || true)
for answer in "$role.$round.$form" "$role.$form" "$GIT_IMPLEMENT_PATH.$GIT_IMPLEMENT_ATTEMPT" "$GIT_IMPLEMENT_PATH.md"; do
    if [ -f "$ANSWERS/$answer" ]; then
        exec sed "s/MARK/$mark/" "$ANSWERS/$answer"
    fi
done
echo "nothing to say as $role in round $round to $form" >&2
exit 1
"#;

pub fn answer(repo: &Repo, name: &str, text: &str) {
    let file = repo.place("answers").join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// The command line of the program that calls itself `name`.
pub fn speaker(repo: &Repo, name: &str) -> String {
    let file = repo.place("speaker");
    if !file.exists() {
        fs::write(&file, SPEAKER).unwrap();
    }
    format!("sh '{}' {name}", file.display())
}

/// `<verb> <arguments>` with two providers.
#[track_caller]
pub fn run(repo: &Repo, verb: &[&str], arguments: &[&str]) -> Ran {
    let (writer, reviewer) = (speaker(repo, "writer"), format!("command:{}", speaker(repo, "critic")));
    let who = ["--provider", "command", "--command", &writer, "--reviewer", &reviewer];
    repo.run(&[verb, &who, arguments].concat())
}

/// `git implement task` with two providers, and what it leaves.
#[track_caller]
pub fn task(repo: &Repo, what: &str, arguments: &[&str]) -> Ran {
    run(repo, &["task", what], arguments)
}

/// What was asked: program, role, round, form, path.
pub fn asked(repo: &Repo) -> Vec<String> {
    fs::read_to_string(repo.place("asked/log")).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The prompt of one request.
pub fn prompt(repo: &Repo, name: &str) -> String {
    fs::read_to_string(repo.place("asked").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The folder in which the only task has left its files.
pub fn left(repo: &Repo) -> PathBuf {
    let entries: Vec<PathBuf> =
        fs::read_dir(repo.git_dir().join("implement/tasks")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries[0].clone()
}

pub fn transcript(repo: &Repo) -> Value {
    serde_json::from_slice(&fs::read(left(repo).join("transcript.json")).unwrap()).unwrap()
}

/// `src/mean.py`, which divides by what may be nothing.
pub const MEAN: &str = "def mean(values):\n    return sum(values) / len(values)\n";
pub const MENDED: &str =
    "def mean(values):\n    if not values:\n        return 0.0\n    return sum(values) / len(values)\n";

/// A file, fenced as the seed has it.
pub fn block(path: &str, text: &str) -> String {
    format!("```{path}\n{text}```\n")
}

pub fn change(old: &str, new: &str) -> String {
    format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n")
}

/// A repository with `src/mean.py` and a caller of it.
pub fn repo() -> Repo {
    let base = "def mean(values):\n    return sum(values)\n";
    Repo::of(&[
        ("src/mean.py", base),
        ("src/report.py", "from mean import mean\n\n\ndef report(rows):\n    return mean(rows)\n"),
    ])
}
