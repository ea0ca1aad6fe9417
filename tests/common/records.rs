//! Records of runs, read and rewritten as somebody might who wants them to say something else.
#![allow(dead_code)]

use crate::repo::Repo;
use std::collections::BTreeMap;
use std::process::Stdio;

/// The files of a record, by their names in it.
pub type Files = BTreeMap<String, Vec<u8>>;

pub fn name(run: &str) -> String {
    format!("refs/implement/runs/{run}")
}

#[track_caller]
pub fn files(repo: &Repo, run: &str) -> Files {
    let names = repo.git(&["ls-tree", "-r", "--name-only", &name(run)]);
    names.lines().map(|file| (file.to_owned(), repo.blob(&name(run), file))).collect()
}

/// Puts another record in the place of the run's, and leaves its manifest as it was.
#[track_caller]
pub fn rewrite(repo: &Repo, run: &str, change: impl FnOnce(&mut Files)) {
    let mut files = files(repo, run);
    change(&mut files);
    write(repo, run, &files);
}

/// The same, with a manifest of what is there then, as somebody would write it who knows of it.
#[track_caller]
pub fn forge(repo: &Repo, run: &str, change: impl FnOnce(&mut Files)) {
    let mut files = files(repo, run);
    change(&mut files);
    files.remove("manifest");
    let line = |(name, bytes): (&String, &Vec<u8>)| format!("{} {name}\n", blob(repo, bytes));
    let manifest: String = files.iter().map(line).collect();
    files.insert("manifest".to_owned(), manifest.into_bytes());
    write(repo, run, &files);
}

/// Replaces text in a file of a record.
#[track_caller]
pub fn replace(files: &mut Files, file: &str, old: &str, new: &str) {
    let text = String::from_utf8(files[file].clone()).unwrap();
    assert!(text.contains(old), "no '{old}' in {text}");
    files.insert(file.to_owned(), text.replace(old, new).into_bytes());
}

/// The name of the one file below `folder` that holds `text`.
#[track_caller]
pub fn with(files: &Files, folder: &str, text: &str) -> String {
    let has = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(text);
    let found: Vec<&String> =
        files.iter().filter(|(name, bytes)| name.starts_with(folder) && has(bytes)).map(|(name, _)| name).collect();
    let [only] = found[..] else { panic!("'{text}' is in {found:?}") };
    only.clone()
}

#[track_caller]
pub fn write(repo: &Repo, run: &str, files: &Files) {
    let index = repo.place("tampered-index");
    let _ = std::fs::remove_file(&index);
    let mut listing = String::new();
    for (name, bytes) in files {
        listing.push_str(&format!("100644 {}\t{name}\n", blob(repo, bytes)));
    }
    let with = |arguments: &[&str], input: &str| {
        let mut git = repo.command("git");
        let file = repo.place("tampered-input");
        std::fs::write(&file, input).unwrap();
        git.args(arguments).env("GIT_INDEX_FILE", &index).stdin(std::fs::File::open(&file).unwrap());
        let output = git.stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    with(&["update-index", "--add", "--index-info"], &listing);
    let tree = with(&["write-tree"], "");
    repo.git(&["update-ref", &name(run), &tree]);
}

#[track_caller]
pub fn blob(repo: &Repo, bytes: &[u8]) -> String {
    let file = repo.place("tampered-blob");
    std::fs::write(&file, bytes).unwrap();
    repo.git(&["hash-object", "-w", "--no-filters", file.to_str().unwrap()])
}
