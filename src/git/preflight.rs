//! What would make a run fail at its end, found before anything is paid for: each is tried, not guessed at.

use super::publish::{Update, remove_parents};
use super::{CommitOptions, GitError, Oid, Scratch};
use rustix::fs::{Access, access, statvfs};
use std::fs;
use std::io;
use std::path::Path;

/// Bytes that a run of any size may need: its journal, its objects, git's own temporary files.
const ROOM: u64 = 16 << 20;

impl Scratch<'_> {
    /// Can what comes of the run be written, signed and published on `branch`, if it is to be on one, with what that is? `bytes`: what the run
    /// is estimated to write.
    ///
    /// # Errors
    /// What stands in the way, in git's words where git says it.
    pub fn preflight(
        &mut self,
        branch: Option<(&str, Option<Oid>)>,
        bytes: u64,
        options: &CommitOptions,
    ) -> Result<(), GitError> {
        self.room(bytes)?;
        self.objects_are_writable()?;
        self.refs_can_move(branch)?;
        if !options.no_verify && self.repository.has_hook("pre-commit")? {
            // The hook will want the files. What is checked out now need not be checked out then.
            self.checkout(self.tip_tree, true, options.interrupt).map_err(|error| match error {
                GitError::Git { message, .. } => GitError::Checkout { message },
                error => error,
            })?;
        }
        self.try_signature(options)
    }

    /// Is there room on the disk for what the run may write?
    fn room(&self, bytes: u64) -> Result<(), GitError> {
        for place in [self.directory(), self.repository.store()] {
            // A file system that does not say has room.
            let Ok(found) = statvfs(place) else { continue };
            let (free, needed) = (found.f_bavail.saturating_mul(found.f_frsize), ROOM.saturating_add(bytes));
            if found.f_blocks > 0 && free < needed {
                return Err(GitError::NoRoom { place: place.to_owned(), needed, free });
            }
        }
        Ok(())
    }

    /// May objects be written, also into the directories that there are?
    fn objects_are_writable(&self) -> Result<(), GitError> {
        let store = self.repository.store();
        let writable = |place: &Path| {
            let allowed = access(place, Access::WRITE_OK | Access::EXEC_OK);
            allowed.map_err(|error| GitError::io("write objects into", place, &io::Error::from(error)))
        };
        writable(store)?;
        let fan_out = (0..=u8::MAX).map(|byte| store.join(format!("{byte:02x}")));
        fan_out.filter(|place| place.exists()).try_for_each(|place| writable(&place))
    }

    /// Would git move the refs? It prepares to, as it will at the end, and then does not.
    fn refs_can_move(&self, branch: Option<(&str, Option<Oid>)>) -> Result<(), GitError> {
        let record = (format!("refs/implement/runs/{}", self.run()), None);
        let branch = branch.map(|(name, expected)| (format!("refs/heads/{name}"), expected));
        let updates = std::iter::once(record).chain(branch);
        let updates: Vec<Update> = updates.map(|(name, old)| Update { name, new: self.tip, old }).collect();
        let tried = self.transaction(&updates, "implement: preflight", "abort");
        for update in updates {
            remove_parents(self.repository, &self.repository.common_dir().join(update.name));
        }
        tried
    }

    /// If commits are to be signed: signs one, which goes nowhere.
    fn try_signature(&self, options: &CommitOptions) -> Result<(), GitError> {
        let Some(key) = self.key(options.signing)? else { return Ok(()) };
        let objects = self.directory().join("trial");
        let borrowed = objects.join("info/alternates");
        let store = [self.repository.store().as_os_str().as_encoded_bytes(), b"\n"].concat();
        fs::create_dir_all(objects.join("info"))
            .and_then(|()| fs::write(&borrowed, store))
            .map_err(|error| GitError::io("write", &borrowed, &error))?;
        let git = || self.repository.git().env("GIT_OBJECT_DIRECTORY", &objects);
        let message = "Try the signature\n";
        self.signed_by(git, self.tip_tree, message, options.identity, &key, options.interrupt)?;
        Ok(())
    }
}
