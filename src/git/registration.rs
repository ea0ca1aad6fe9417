//! The scratch worktree as git knows it: an entry of `<common dir>/worktrees/`, locked, so that gc and prune spare it.
//!
//! Not by `git worktree add`, which makes the entry first and its files afterwards: another git that looks at all
//! worktrees in between gives up with "failed to read commondir". Here the entry is written aside and comes into its place,
//! and leaves it, whole, by one rename.

use super::{GitError, Oid, Repository};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Where the entry lies, in the run's directory, before it is registered and after.
const ASIDE: &str = "registration";

/// Registers `<directory>/worktree`, which is made, with `head` checked out and no file. Returns the entry.
pub(super) fn add(repository: &Repository, run: &str, directory: &Path, head: Oid) -> Result<PathBuf, GitError> {
    let (aside, worktree) = (directory.join(ASIDE), directory.join("worktree"));
    let entries = repository.common_dir().join("worktrees");
    let entry = entries.join(format!("implement-{run}"));
    let link = worktree.join(".git");
    for directory in [&aside, &worktree] {
        fs::create_dir(directory).map_err(|error| GitError::io("create", directory, &error))?;
    }
    let write = |path: PathBuf, before: &str, name: &Path| {
        let text = [before.as_bytes(), name.as_os_str().as_encoded_bytes(), b"\n"].concat();
        fs::write(&path, text).map_err(|error| GitError::io("write", &path, &error))
    };
    write(link.clone(), "gitdir: ", &entry)?;
    write(aside.join("gitdir"), "", &link)?;
    write(aside.join("commondir"), "../..", Path::new(""))?;
    write(aside.join("HEAD"), &head.to_string(), Path::new(""))?;
    write(aside.join("locked"), &format!("git implement {run} is running"), Path::new(""))?;
    configure(repository, &aside)?;
    loop {
        fs::create_dir_all(&entries).map_err(|error| GitError::io("create", &entries, &error))?;
        repository.share(&entries)?;
        match fs::rename(&aside, &entry) {
            Ok(()) => return Ok(entry),
            // Whoever took the last worktree away has removed the directory of all.
            Err(error) if error.kind() == ErrorKind::NotFound && aside.exists() => {}
            Err(error) => return Err(GitError::io("create", &entry, &error)),
        }
    }
}

/// Where worktrees have settings of their own, a new one begins with those of the one it is made from, less what says
/// where that is.
fn configure(repository: &Repository, aside: &Path) -> Result<(), GitError> {
    let theirs = repository.git_dir().join("config.worktree");
    if repository.config_bool("extensions.worktreeConfig")? != Some(true) || !theirs.exists() {
        return Ok(());
    }
    let ours = aside.join("config.worktree");
    fs::copy(&theirs, &ours).map_err(|error| GitError::io("write", &ours, &error))?;
    for key in ["core.worktree", "core.bare"] {
        // Status 5 says that it was not there.
        let _ = repository.git().args(["config", "--file"]).args([&ours]).args(["--unset-all", key]).output()?;
    }
    Ok(())
}

/// Takes the entry out of git's sight, and then away. Says whether nothing of it is left.
pub(super) fn remove(repository: &Repository, entry: &Path, directory: &Path) -> bool {
    let aside = directory.join(ASIDE);
    if !gone(fs::remove_dir_all(&aside)) || !gone(fs::rename(entry, &aside)) || !gone(fs::remove_dir_all(&aside)) {
        return false;
    }
    // git removes the parent with the last worktree; it stays if there are others.
    remove_folder(repository);
    true
}

/// Removes the folder of all registrations, if there is none.
pub(super) fn remove_folder(repository: &Repository) {
    let _ = fs::remove_dir(repository.common_dir().join("worktrees"));
}

/// It worked, or there was nothing.
pub(super) fn gone(removed: std::io::Result<()>) -> bool {
    removed.map_or_else(|error| error.kind() == ErrorKind::NotFound, |()| true)
}

/// The entry whose worktree is `worktree`, and nobody else's: its link back says so.
pub(super) fn of(repository: &Repository, worktree: &Path) -> Option<PathBuf> {
    let link = worktree.join(".git");
    all(repository).into_iter().find(|(_, back)| same_place(back, &link)).map(|(entry, _)| entry)
}

/// Entries that belong to a run's directory which is not there any more.
pub(super) fn orphans(repository: &Repository) -> Vec<PathBuf> {
    let runs = repository.common_dir().join("implement");
    let is_orphan = |back: &Path| {
        let directory = back.parent().and_then(Path::parent);
        directory.is_some_and(|directory| {
            directory.parent().is_some_and(|parent| same_place(parent, &runs)) && !directory.exists()
        })
    };
    all(repository).into_iter().filter(|(_, back)| is_orphan(back)).map(|(entry, _)| entry).collect()
}

/// Every registered worktree: its entry, and the `.git` file that the entry names.
fn all(repository: &Repository) -> Vec<(PathBuf, PathBuf)> {
    let entries = fs::read_dir(repository.common_dir().join("worktrees")).into_iter().flatten().flatten();
    let read = |entry: PathBuf| {
        let text = fs::read_to_string(entry.join("gitdir")).ok()?;
        let back = entry.join(text.trim_end_matches(['\n', '\r']));
        Some((entry, back))
    };
    entries.filter_map(|entry| read(entry.path())).collect()
}

/// The same but for links and `..` on the way; the files need not be there any more.
fn same_place(a: &Path, b: &Path) -> bool {
    let plain = |path: &Path| {
        let mut parts = Vec::new();
        for part in path.components() {
            match part {
                std::path::Component::ParentDir => drop(parts.pop()),
                std::path::Component::CurDir => {}
                part => parts.push(part),
            }
        }
        parts.iter().collect::<PathBuf>()
    };
    a == b || plain(a) == plain(b) || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
