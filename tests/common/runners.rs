//! The programs that run hooks for a team, as they come from PyPI and npm: installed on first use, once for all tests.
//! Not a `mod.rs`: a test file takes it in with `#[path = "common/runners.rs"] mod runners;`.
#![allow(dead_code)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folders with the programs: in `$GIT_IMPLEMENT_TEST_RUNNERS`, else in `target/runners`.
pub fn folders() -> [PathBuf; 2] {
    let installed = installed();
    [installed.join("venv/bin"), installed.join("npm/node_modules/.bin")]
}

fn installed() -> &'static Path {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
        let dir = std::env::var_os("GIT_IMPLEMENT_TEST_RUNNERS").map_or(target.join("runners"), PathBuf::from);
        fs::create_dir_all(&dir).expect("a folder for the programs");
        // Test programs may run at the same time.
        let lock = File::create(dir.join("lock")).expect("a lock file");
        lock.lock().expect("the lock");
        let setup = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/runners");
        let output = Command::new("sh").arg(setup).arg(&dir).output().expect("sh");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        dir
    })
}
