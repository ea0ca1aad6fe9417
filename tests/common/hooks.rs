//! `git implement hook` as tests call it, and what they look at afterwards. Not a `mod.rs`: a test file takes it in with
//! `#[path = "common/hooks.rs"] mod hooks;`, beside `repo`.
#![allow(dead_code)]

use crate::repo::Repo;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Both streams together, in that order, and the status.
#[derive(Debug)]
pub struct Said {
    pub status: Option<i32>,
    pub text: String,
}

impl Said {
    #[track_caller]
    pub fn of(command: &mut Command) -> Said {
        let output = command.output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        Said { status: output.status.code(), text }
    }

    #[track_caller]
    pub fn is(&self, status: i32, words: &[&str]) -> &Said {
        assert_eq!(self.status, Some(status), "{}", self.text);
        for word in words {
            assert!(self.text.contains(word), "no '{word}' in\n{}", self.text);
        }
        self
    }
}

pub fn hook(repo: &Repo, arguments: &[&str]) -> Said {
    Said::of(&mut repo.process(&[&["hook"], arguments].concat()))
}

/// Into files, whatever the git that runs here could do.
pub fn install(repo: &Repo) -> Said {
    hook(repo, &["install", "--no-config"])
}

pub fn repo() -> Repo {
    let repo = Repo::of(&[("a.py", "A = 1\n"), ("b.py", "B = 1\n")]);
    // git's examples make long differences.
    fs::remove_dir_all(repo.dir.join(".git/hooks")).unwrap();
    fs::create_dir(repo.dir.join(".git/hooks")).unwrap();
    repo
}

/// Everything below a folder: bytes, modes, targets of links. But not git's objects, which it tidies up by itself.
pub fn all(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for entry in entries.filter(|entry| !entry.ends_with("objects")) {
        let data = entry.symlink_metadata().unwrap();
        let content = if data.is_symlink() {
            format!("{:?}", fs::read_link(&entry).unwrap())
        } else if data.is_dir() {
            found.extend(all(&entry));
            String::new()
        } else {
            fs::read(&entry).unwrap().escape_ascii().to_string()
        };
        found.insert(entry, format!("{:o} {content}", data.permissions().mode()));
    }
    found
}

/// A copy of the program at a place of its own, with a blank in it.
pub fn copy_of_the_program(repo: &Repo) -> PathBuf {
    let copy = repo.place("bin of mine/git-implement");
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&copy);
    let program = env!("CARGO_BIN_EXE_git-implement");
    fs::hard_link(program, &copy).or_else(|_| fs::copy(program, &copy).map(drop)).unwrap();
    copy
}

/// Installs by a copy of the program in `folder`, and puts a script in the place of that copy.
pub fn installed_in(repo: &Repo, folder: &Path, stand_in: &str) {
    let program = copy_of_the_program(repo);
    let words = ["hook", "install", "--no-config"];
    Said::of(repo.command(&program).args(words).current_dir(folder)).is(0, &["installed"]);
    fs::remove_file(&program).unwrap();
    repo.program(&program, &format!("#!/bin/sh\n{stand_in}\n"));
}

pub fn installed_with(repo: &Repo, stand_in: &str) {
    installed_in(repo, &repo.dir, stand_in);
}

pub fn log(repo: &Repo) -> String {
    fs::read_to_string(repo.place("log")).unwrap_or_default()
}

pub fn commit(repo: &Repo, arguments: &[&str]) -> Said {
    Said::of(repo.command("git").args(["commit", "--allow-empty", "--message=x"]).args(arguments))
}

/// What is in one folder of these.
pub fn all_of(all: &BTreeMap<PathBuf, String>, folder: &Path) -> BTreeMap<PathBuf, String> {
    all.iter().filter(|(path, _)| path.starts_with(folder)).map(|(path, text)| (path.clone(), text.clone())).collect()
}
