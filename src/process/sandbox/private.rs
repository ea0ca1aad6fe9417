//! The folder that a confined command has for itself: its HOME and its temporary files.

use crate::process::strays;
use crate::process::temporary::{Temporary, make};
use std::io;
use std::path::{Path, PathBuf};

/// Dropped, it is gone, and with it every process that was started with its path in the variables.
#[derive(Debug)]
pub(in crate::process) struct Private(Temporary);

impl Private {
    pub(super) fn new() -> io::Result<Private> {
        let private = Private(Temporary::new()?);
        make(&private.home())?;
        make(&private.temporary())?;
        Ok(private)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
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
        strays::kill(self.path());
    }
}
