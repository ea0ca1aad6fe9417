//! A language server that does what a test tells it, installed under the name of a real one. Not a `mod.rs`: a test file
//! takes it in with `#[path = "../common/language_servers.rs"] mod language_servers;`.
#![allow(dead_code)]

use crate::repo::{Repo, write_program};
use std::path::Path;

/// Puts a server for Python first on the PATH: see `language_server.py` for what it can be told.
pub fn install(repo: &mut Repo, told: &[&str]) {
    install_as(repo, "pyright-langserver", told);
}

pub fn install_as(repo: &mut Repo, program: &str, told: &[&str]) {
    let folder = repo.place("servers");
    place(&folder, program, &repo.place("log"), told);
    let path = &repo.variables["PATH"];
    if !path.starts_with(folder.to_str().unwrap()) {
        let path = format!("{}:{path}", folder.display());
        repo.set("PATH", path);
    }
}

/// Puts such a server into a folder, with its log elsewhere.
pub fn place(folder: &Path, program: &str, log: &Path, told: &[&str]) {
    // What holds a server in a run lets it see what lies beside it.
    let script = folder.join("language_server.py");
    std::fs::create_dir_all(folder).unwrap();
    if !script.exists() {
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/language_server.py"), &script).unwrap();
    }
    let told: String = told.iter().map(|word| format!(" '{word}'")).collect();
    let run = format!("#!/bin/sh\nexec python3 '{}' '{}'{told}\n", script.display(), log.display());
    write_program(&folder.join(program), &run);
}

/// Is one running that was started for this repository, in whatever namespace?
pub fn any_runs(repo: &Repo) -> bool {
    let script = repo.place("servers/language_server.py");
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let mut lines = entries.map(|entry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default());
    lines.any(|line| line.split(|byte| *byte == 0).any(|word| word == script.as_os_str().as_encoded_bytes()))
}

/// What the server has noted, where nothing holds it: that it was started, and what it was asked about.
pub fn log(repo: &Repo) -> Vec<String> {
    let text = std::fs::read_to_string(repo.place("log")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The files that it was asked about, in order.
pub fn judged(repo: &Repo) -> Vec<String> {
    log(repo).into_iter().filter(|line| line.ends_with(".py") && !line.starts_with("event ")).collect()
}

/// The process of this name in the log, `started` or `child`.
pub fn processes(repo: &Repo, name: &str) -> Vec<String> {
    log(repo).iter().filter_map(|line| Some(line.strip_prefix(name)?.trim().to_owned())).collect()
}
