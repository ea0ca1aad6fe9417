//! The folder that a confined command has for itself: its HOME and its temporary files.

use crate::process::strays;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Dropped, it is gone, and with it every process that was started with its path in the variables.
#[derive(Debug)]
pub(in crate::process) struct Private {
    folder: TempDir,
}

impl Private {
    pub(super) fn new() -> io::Result<Private> {
        let folder = tempfile::Builder::new().prefix("git-implement-").tempdir()?;
        let private = Private { folder };
        fs::create_dir(private.home())?;
        fs::create_dir(private.temporary())?;
        Ok(private)
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    pub(super) fn temporary(&self) -> PathBuf {
        self.path().join("tmp")
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        strays::kill(self.folder.path());
    }
}
