//! [`Scratch`]: a run's place on disk, `<common dir>/implement/<run>/`, from the first staged file to the last ref.
//!
//! ```text
//! lock       held (flock) while the run lives, so that the left-overs of a killed run are known without guessing at
//!            process ids; says who holds it, for people
//! journal/   the run's, to write what it likes; kept under `failed/` when the run is killed
//! worktree/  registered with git and locked there, so that gc and prune spare it; empty until a command needs files
//! ```
//! Everything goes when the value is dropped. A linked worktree's HEAD keeps what has been committed from `git gc`.

use super::stage::Staged;
use super::{Base, GitError, Oid, Repository};
use crate::path::RepoPath;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

pub struct Scratch<'r> {
    pub(super) repository: &'r Repository,
    run: String,
    directory: PathBuf,
    /// `<common dir>/worktrees/<name>`
    admin: PathBuf,
    /// What the next commit goes on, and its tree.
    pub(super) tip: Oid,
    pub(super) tip_tree: Oid,
    pub(super) staged: BTreeMap<RepoPath, Staged>,
    /// What the worktree's index was last filled with, and whether files are on disk.
    pub(super) index: Option<(Oid, bool)>,
    /// Held until the end.
    _lock: File,
}

impl<'r> Scratch<'r> {
    /// Makes the place for `run` (letters, digits, `-`, `_` and `.`), after sweeping what killed runs left behind.
    pub fn create(repository: &'r Repository, run: &str, base: &Base) -> Result<Scratch<'r>, GitError> {
        let ours = repository.place("")?;
        // Where the record goes if the run fails: by then it would be too late to find out.
        repository.place("failed")?;
        Scratch::sweep(repository);
        let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if run.is_empty() || run.starts_with('.') || run == "failed" || !run.bytes().all(safe) {
            let doing = format!("use '{}' as the name of a run", run.escape_debug());
            return Err(GitError::Libgit2 { doing, message: "it has other characters than names of runs".to_owned() });
        }
        let directory = ours.join(run);
        let lock = claim(&directory)?;
        let worktree = directory.join("worktree");
        let mut scratch = Scratch {
            repository,
            run: run.to_owned(),
            directory,
            admin: PathBuf::new(),
            tip: base.commit,
            tip_tree: base.tree,
            staged: BTreeMap::new(),
            index: None,
            _lock: lock,
        };
        // From here on, whatever fails, dropping `scratch` cleans up.
        let journal = scratch.journal_dir();
        fs::create_dir(&journal).map_err(|error| GitError::io("create", &journal, &error))?;
        let reason = format!("git implement {run} is running");
        repository
            .git()
            .args(["worktree", "add", "--quiet", "--no-checkout", "--detach", "--lock", "--reason", &reason])
            .args([worktree.as_os_str(), base.commit.to_string().as_ref()])
            .run()?;
        scratch.admin = admin_of(repository, &worktree).ok_or_else(|| GitError::Git {
            verb: "worktree".to_owned(),
            message: format!("cannot find what git registered for '{}'", worktree.display()),
        })?;
        Ok(scratch)
    }

    pub fn run(&self) -> &str {
        &self.run
    }
    /// For the run's journal; exists.
    pub fn journal_dir(&self) -> PathBuf {
        self.directory.join("journal")
    }
    /// The root of the scratch worktree. Files are there only after [`Scratch::checkout`].
    pub fn worktree(&self) -> PathBuf {
        self.directory.join("worktree")
    }
    pub(super) fn admin_dir(&self) -> &Path {
        &self.admin
    }
    /// The last commit made here, or the base.
    pub fn tip(&self) -> Oid {
        self.tip
    }

    /// Moves the tip, and the worktree's HEAD with it.
    pub(super) fn advance(&mut self, commit: Oid, tree: Oid) -> Result<(), GitError> {
        // In place: as many bytes as before, so that a reader sees one or the other, and no rename for each commit.
        let head = self.admin.join("HEAD");
        let written = fs::OpenOptions::new().write(true).open(&head);
        written
            .and_then(|mut file| file.write_all(format!("{commit}\n").as_bytes()))
            .map_err(|error| GitError::io("write", &head, &error))?;
        (self.tip, self.tip_tree) = (commit, tree);
        Ok(())
    }

    /// A git child in the scratch worktree, without any variable of the user's.
    pub(super) fn git(&self) -> super::child::Git {
        super::child::Git::within(self.repository.environment(), &self.worktree())
    }

    /// Fills the scratch worktree's index with `tree` and, with `files`, its directory too (with git's own checkout,
    /// filters included). Repeated calls cost what changed.
    pub fn checkout(&mut self, tree: Oid, files: bool) -> Result<(), GitError> {
        if self.index.is_some_and(|(filled, on_disk)| filled == tree && (on_disk || !files)) {
            return Ok(());
        }
        let tree_name = tree.to_string();
        let mut arguments = vec!["read-tree", "--reset"];
        if files {
            arguments.push("-u");
        }
        // A sparse checkout of the user's is not one of ours: a command must see every file.
        let git = self.git().option("core.sparseCheckout=false").option("core.fsmonitor=false");
        git.env("LC_ALL", "C").args(arguments).args([&tree_name]).run()?;
        self.index = Some((tree, files));
        Ok(())
    }

    /// Removes what runs whose process is gone left behind: their directories and their worktrees' registration.
    /// Journals are kept under `failed/`. Best effort: what cannot be removed stays for the next time.
    pub fn sweep(repository: &Repository) {
        let Ok(Ok(entries)) = repository.place("").map(fs::read_dir) else { return };
        // A link leads to what is not ours.
        let directories = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        for directory in directories.map(|entry| entry.path()) {
            if directory.file_name().is_none_or(|name| name == "failed") {
                continue;
            }
            let Ok(lock) = File::open(directory.join("lock")) else {
                // Another process is between making it and locking it, and will make it again; or it is not ours, and
                // then not empty.
                let _ = fs::remove_dir(&directory);
                continue;
            };
            if lock.try_lock().is_ok() {
                let journal = directory.join("journal");
                if fs::read_dir(&journal).is_ok_and(|mut files| files.next().is_some()) {
                    super::record::keep_journal(repository, &directory, &journal);
                }
                let admin = admin_of(repository, &directory.join("worktree"));
                remove(repository, &directory, admin.as_deref());
            }
        }
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        let admin = if self.admin.as_os_str().is_empty() {
            admin_of(self.repository, &self.worktree())
        } else {
            Some(self.admin.clone())
        };
        remove(self.repository, &self.directory, admin.as_deref());
    }
}

/// Registration first: a directory without one is swept, a registration without a directory would stay locked.
fn remove(repository: &Repository, directory: &Path, admin: Option<&Path>) {
    if let Some(admin) = admin {
        let _ = fs::remove_dir_all(admin);
        // git removes the parent with the last worktree; it stays if there are others.
        let _ = fs::remove_dir(repository.common_dir().join("worktrees"));
    }
    let _ = fs::remove_dir_all(directory.join("worktree"));
    let _ = fs::remove_dir_all(directory);
    let _ = fs::remove_dir(repository.common_dir().join("implement"));
}

/// Makes `directory` and takes its lock.
fn claim(directory: &Path) -> Result<File, GitError> {
    let parent = directory.parent().unwrap_or(directory);
    let path = directory.join("lock");
    for _ in 0..100 {
        fs::create_dir_all(parent).map_err(|error| GitError::io("create", parent, &error))?;
        if let Err(error) = fs::create_dir(directory) {
            if error.kind() == std::io::ErrorKind::NotFound {
                continue;
            }
            return Err(GitError::io("create", directory, &error));
        }
        // A sweep of another process may take the empty directory, or the lock for a moment; then it is made again.
        let Ok(mut lock) = File::create_new(&path) else { continue };
        match lock.try_lock() {
            Ok(()) if path.exists() => {
                let text = format!("git implement, process {}\n", std::process::id());
                lock.write_all(text.as_bytes()).map_err(|error| GitError::io("write", &path, &error))?;
                return Ok(lock);
            }
            Ok(()) | Err(TryLockError::WouldBlock) => {
                std::thread::sleep(std::time::Duration::from_millis(10));
                let _ = fs::remove_dir_all(directory);
            }
            Err(TryLockError::Error(error)) => {
                let _ = fs::remove_dir_all(directory);
                return Err(GitError::io("lock", &path, &error));
            }
        }
    }
    Err(GitError::Io { doing: "lock".to_owned(), path, message: "another process keeps removing it".to_owned() })
}

/// The registration whose worktree is `worktree`, and nobody else's: its back link says so.
fn admin_of(repository: &Repository, worktree: &Path) -> Option<PathBuf> {
    let root = repository.common_dir().join("worktrees");
    let link = worktree.join(".git");
    fs::read_dir(root).ok()?.flatten().map(|entry| entry.path()).find(|admin| {
        let Ok(text) = fs::read_to_string(admin.join("gitdir")) else { return false };
        let back = admin.join(text.trim_end_matches(['\n', '\r']));
        same_place(&back, &link)
    })
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
