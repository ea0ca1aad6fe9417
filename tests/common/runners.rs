//! The programs that run hooks for a team, as they come from PyPI and npm. Not a `mod.rs`: a test file takes it in with
//! `#[path = "common/runners.rs"] mod runners;`.
#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::OnceLock;

/// The folders with the programs: in `$GIT_IMPLEMENT_TEST_RUNNERS`, else in `target/runners`.
pub fn folders() -> [PathBuf; 2] {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    let install = || crate::installed::folder("runners", "GIT_IMPLEMENT_TEST_RUNNERS", "runners");
    let installed = INSTALLED.get_or_init(install);
    [installed.join("venv/bin"), installed.join("npm/node_modules/.bin")]
}
