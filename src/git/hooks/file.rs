//! One hook file, and the hook that was there before it: kept beside it under another name, and put back, as it was,
//! when ours goes. At every moment there is one of the two at the hook's place.

use super::seal::{self, Seal};
use crate::git::GitError;
use crate::git::hook::is_executable;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The place of one hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookFile {
    pub path: PathBuf,
    /// Where the hook is kept that was there before.
    pub kept: PathBuf,
    pub state: HookState,
}

/// What is at a hook's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookState {
    Absent,
    /// A hook of somebody else's, with what can be read of it.
    Theirs {
        text: String,
    },
    /// Ours as it was written; `keeps` identifies the hook that was there before.
    Ours {
        script: String,
        keeps: Option<String>,
    },
    /// Ours, edited since.
    Edited,
}

/// Why a hook is neither written nor taken away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conflict {
    /// Our hook has been edited.
    Edited { hook: PathBuf, kept: Option<PathBuf> },
    /// A hook is kept beside a place where none of ours is.
    Leftover { kept: PathBuf, hook: PathBuf },
    /// The hook that was there before has been edited.
    KeptEdited { kept: PathBuf, hook: PathBuf },
    /// The hook that was there before is gone.
    KeptGone { kept: PathBuf, hook: PathBuf },
    /// A folder, or something stranger, is in the hook's place.
    NotAFile { hook: PathBuf },
}

impl HookFile {
    /// Looks at the hook for `event` in `folder`, which need not exist.
    pub fn look(folder: &Path, event: &str) -> Result<HookFile, GitError> {
        let path = folder.join(event);
        // Beside the hook, so that links and includes relative to it still hold. A script finds it by this name, too.
        let kept = folder.join(format!("{event}.before-git-implement"));
        let state = match path.symlink_metadata() {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => HookState::Absent,
            Err(error) => return Err(GitError::io("look at", &path, &error)),
            // A link is never ours, whatever it leads to.
            Ok(data) if data.is_symlink() => HookState::Theirs { text: text(&path).unwrap_or_default() },
            Ok(data) if data.is_file() => {
                let text = text(&path).map_err(|error| GitError::io("read", &path, &error))?;
                match seal::read(&text) {
                    Seal::None => HookState::Theirs { text },
                    Seal::Broken => HookState::Edited,
                    Seal::Whole { script, keeps } => HookState::Ours { script, keeps },
                }
            }
            Ok(_) => HookState::Theirs { text: String::new() },
        };
        Ok(HookFile { path, kept, state })
    }

    pub fn is_ours(&self) -> bool {
        matches!(self.state, HookState::Ours { .. } | HookState::Edited)
    }

    /// Does git run what is at the hook's place?
    pub fn is_executable(&self) -> bool {
        is_executable(&self.path)
    }

    /// The hook that runs before ours, if there is one.
    pub fn chained(&self) -> Option<&Path> {
        (self.is_ours() && exists(&self.kept)).then_some(&self.kept)
    }

    /// What speaks against writing our hook.
    pub fn conflict_with_writing(&self) -> Option<Conflict> {
        let (hook, kept) = (self.path.clone(), self.kept.clone());
        match &self.state {
            HookState::Edited => Some(Conflict::Edited { hook, kept: self.chained().map(Path::to_owned) }),
            HookState::Theirs { .. } if self.path.symlink_metadata().is_ok_and(|data| data.is_dir()) => {
                Some(Conflict::NotAFile { hook })
            }
            HookState::Absent | HookState::Theirs { .. } => {
                (exists(&kept) && !same(&kept, &hook)).then_some(Conflict::Leftover { kept, hook })
            }
            HookState::Ours { .. } => None,
        }
    }

    /// What speaks against taking our hook away and putting back what was there before.
    pub fn conflict_with_removal(&self) -> Option<Conflict> {
        let (hook, kept) = (self.path.clone(), self.kept.clone());
        match &self.state {
            HookState::Edited => Some(Conflict::Edited { hook, kept: self.chained().map(Path::to_owned) }),
            HookState::Absent | HookState::Theirs { .. } | HookState::Ours { keeps: None, .. } => {
                exists(&kept).then_some(Conflict::Leftover { kept, hook })
            }
            HookState::Ours { keeps: Some(_), .. } if !exists(&kept) => Some(Conflict::KeptGone { kept, hook }),
            HookState::Ours { keeps: Some(sum), .. } => match seal::fingerprint(&kept) {
                Ok(now) if now == *sum => None,
                _ => Some(Conflict::KeptEdited { kept, hook }),
            },
        }
    }

    /// Puts our hook there. What was there is kept; for the rest, see [`HookFile::conflict_with_writing`].
    pub fn write(&self, script: &str) -> Result<(), GitError> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|error| GitError::io("make", folder, &error))?;
        let keeps = match &self.state {
            HookState::Absent | HookState::Edited => None,
            HookState::Ours { keeps, .. } => keeps.clone(),
            HookState::Theirs { .. } => {
                let sum = seal::fingerprint(&self.path).map_err(|error| GitError::io("read", &self.path, &error))?;
                keep(&self.path, &self.kept).map_err(|error| GitError::io("keep the hook as", &self.kept, &error))?;
                Some(sum)
            }
        };
        replace(&self.path, &seal::seal(script, keeps.as_deref())).map_err(|error| {
            if matches!(self.state, HookState::Theirs { .. }) {
                // It is at its place still, or is now again.
                let _ = fs::rename(&self.kept, &self.path);
                let _ = fs::remove_file(&self.kept);
            }
            GitError::io("write", &self.path, &error)
        })
    }

    /// Takes our hook away and puts back what was there before; see [`HookFile::conflict_with_removal`].
    pub fn remove(&self) -> Result<(), GitError> {
        let done = match &self.state {
            HookState::Ours { keeps: Some(_), .. } => fs::rename(&self.kept, &self.path),
            HookState::Ours { keeps: None, .. } => fs::remove_file(&self.path),
            _ => Ok(()),
        };
        done.map_err(|error| GitError::io("take away", &self.path, &error))
    }
}

impl Conflict {
    /// What to do about it.
    pub fn hints(&self) -> Vec<String> {
        let put_back = |kept: &Path, hook: &Path| format!("mv '{}' '{}'", kept.display(), hook.display());
        match self {
            Conflict::Edited { hook, kept } => {
                let away = match kept {
                    Some(kept) => put_back(kept, hook),
                    None => format!("rm '{}'", hook.display()),
                };
                vec!["save your lines elsewhere, then take the hook away yourself:".into(), format!("  {away}")]
            }
            Conflict::Leftover { kept, hook } => vec![
                "look whether it is still of use; it was the hook before git implement's:".into(),
                format!("  {}", put_back(kept, hook)),
            ],
            Conflict::KeptEdited { kept, hook } => {
                vec!["if it is right as it is now, put it back yourself:".into(), format!("  {}", put_back(kept, hook))]
            }
            Conflict::KeptGone { hook, .. } => {
                vec!["if it is not needed, take the hook away yourself:".into(), format!("  rm '{}'", hook.display())]
            }
            Conflict::NotAFile { .. } => Vec::new(),
        }
    }
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Conflict::Edited { hook, .. } => write!(f, "'{}' was edited after it was installed", hook.display()),
            Conflict::Leftover { kept, .. } => write!(f, "'{}' is in the way", kept.display()),
            Conflict::KeptEdited { kept, .. } => {
                write!(f, "'{}' is not the hook any more that was there before", kept.display())
            }
            Conflict::KeptGone { kept, .. } => {
                write!(f, "'{}', the hook that was there before, is gone", kept.display())
            }
            Conflict::NotAFile { hook } => write!(f, "'{}' is not a file", hook.display()),
        }
    }
}

/// Is there anything, even a link that leads nowhere?
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn text(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// Is one the other, as an installation leaves it that was killed half-way?
fn same(kept: &Path, hook: &Path) -> bool {
    seal::fingerprint(kept).is_ok_and(|sum| seal::fingerprint(hook).is_ok_and(|hook| hook == sum))
}

/// A second name for the hook, where there can be one, so that it stays at its place until ours replaces it.
fn keep(hook: &Path, kept: &Path) -> io::Result<()> {
    match fs::hard_link(hook, kept) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && same(kept, hook) => Ok(()),
        Err(error) if error.kind() != ErrorKind::AlreadyExists => fs::rename(hook, kept),
        done => done,
    }
}

/// Writes an executable file, whole or not at all.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
    file.persist(path)?;
    Ok(())
}
