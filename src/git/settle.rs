//! What git does with a new object beyond writing it, and libgit2 does not: the group may use it (`core.sharedRepository`),
//! and it is on the disk before anything refers to it (`core.fsync`). Where nothing is configured, nothing is done.

use super::config::GitConfig;
use super::{GitError, Oid, Repository, loose};
use std::fs::{self, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What the configuration wants of new objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Settled {
    share: Share,
    /// Loose objects are written through to the disk.
    fsync: bool,
}

/// Who may use what is in the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Share {
    /// Whom the umask lets.
    AsIs,
    /// At least these, beside them.
    AtLeast(u32),
    /// These and nobody else.
    Exactly(u32),
}

impl Repository {
    /// How new objects are to be here.
    pub(super) fn settled(&self) -> Result<Settled, GitError> {
        Settled::of(self.config()?)
    }

    /// Lets whoever shares the repository use a directory of it, too, that was made here.
    pub(super) fn share(&self, directory: &Path) -> Result<(), GitError> {
        adjust(directory, self.settled()?.share)
    }
}

impl Settled {
    fn of(config: &GitConfig) -> Result<Settled, GitError> {
        let fsync = match config.get("core.fsync") {
            Some(components) => syncs_loose_objects(components),
            None => config.get_bool("core.fsyncObjectFiles")?.unwrap_or(false),
        };
        Ok(Settled { share: share(config)?, fsync })
    }

    /// Has what libgit2 has just written into `store` as this object the mode and the permanence that git would have
    /// given it.
    pub fn settle(self, store: &Path, id: Oid) -> Result<(), GitError> {
        let path = loose::path(store, id);
        // One that is in a pack was there before.
        if (self.share, self.fsync) == (Share::AsIs, false) || !path.is_file() {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            adjust(folder, self.share)?;
        }
        adjust(&path, self.share)?;
        if self.fsync {
            File::open(&path).and_then(|file| file.sync_all()).map_err(|error| GitError::io("sync", &path, &error))?;
        }
        Ok(())
    }
}

fn share(config: &GitConfig) -> Result<Share, GitError> {
    const GROUP: u32 = 0o660;
    const EVERYBODY: u32 = 0o664;
    let key = "core.sharedRepository";
    let Some(value) = config.get(key) else { return Ok(Share::AsIs) };
    Ok(match (value, u32::from_str_radix(value, 8)) {
        ("umask", _) | (_, Ok(0)) => Share::AsIs,
        ("group", _) | (_, Ok(1)) => Share::AtLeast(GROUP),
        ("all" | "world" | "everybody", _) | (_, Ok(2)) => Share::AtLeast(EVERYBODY),
        // git refuses a mode with which the owner could not work.
        (_, Ok(mode)) if mode & 0o600 == 0o600 => Share::Exactly(mode & 0o666),
        (_, Ok(_)) => Share::AsIs,
        _ if config.get_bool(key)? == Some(true) => Share::AtLeast(GROUP),
        _ => Share::AsIs,
    })
}

/// Does this list of components name loose objects? Each may be taken out by `-`, but what is named goes before that.
fn syncs_loose_objects(components: &str) -> bool {
    let named = components.split(',').map(str::trim).take_while(|word| *word != "default");
    named.into_iter().any(|word| ["loose-object", "objects", "committed", "added", "all"].contains(&word))
}

/// As git's `adjust_shared_perm`.
fn adjust(path: &Path, share: Share) -> Result<(), GitError> {
    if share == Share::AsIs {
        return Ok(());
    }
    let failed = |error: std::io::Error| GitError::io("share", path, &error);
    let data = fs::metadata(path).map_err(failed)?;
    let old = data.permissions().mode() & 0o7777;
    let new = shared(old, data.is_dir(), share);
    match fs::set_permissions(path, Permissions::from_mode(new)) {
        _ if new == old => Ok(()),
        // Somebody else's: they have seen to it, or nobody here can.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        done => done.map_err(failed),
    }
}

fn shared(old: u32, is_directory: bool, share: Share) -> u32 {
    let (mut more, kept) = match share {
        Share::AsIs => return old,
        Share::AtLeast(mode) => (mode, old),
        Share::Exactly(mode) => (mode, old & !0o777),
    };
    if old & 0o200 == 0 {
        more &= !0o222;
    }
    if old & 0o100 != 0 {
        more |= (more & 0o444) >> 2;
    }
    let mut new = kept | more;
    if is_directory {
        new |= (new & 0o444) >> 2;
        // What is made in it later belongs to the group as well.
        if (old ^ new) & 0o060 != 0 {
            new |= 0o2000;
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_says_whether_objects_are_synced() {
        for yes in ["all", "loose-object", "none,objects", "-pack, loose-object", "committed", "-loose-object,added"] {
            assert!(syncs_loose_objects(yes), "{yes}");
        }
        for no in ["", "none", "default", "reference", "-loose-object", "default,all", "pack,index"] {
            assert!(!syncs_loose_objects(no), "{no}");
        }
        let fsync = |text: &[u8]| Settled::of(&GitConfig::parse(text)).unwrap().fsync;
        assert!(fsync(b"core.fsyncobjectfiles\ntrue\0"));
        assert!(!fsync(b"core.fsyncobjectfiles\ntrue\0core.fsync\nnone\0"));
    }

    #[test]
    fn modes_are_those_that_git_gives() {
        let share =
            |value: &str| share(&GitConfig::parse(format!("core.sharedrepository\n{value}\0").as_bytes())).unwrap();
        for value in ["umask", "false", "0", "0400"] {
            assert_eq!(share(value), Share::AsIs, "{value}");
        }
        for (value, file, directory) in [
            ("group", 0o440, 0o2770),
            ("true", 0o440, 0o2770),
            ("1", 0o440, 0o2770),
            ("all", 0o444, 0o2775),
            ("2", 0o444, 0o2775),
            ("0640", 0o440, 0o2750),
        ] {
            assert_eq!(shared(0o400, false, share(value)), file, "{value}");
            assert_eq!(shared(0o700, true, share(value)), directory, "{value}");
        }
        assert_eq!(shared(0o444, false, share("0600")), 0o400);
    }
}
