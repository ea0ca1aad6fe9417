//! What tests need and the system does not have: installed on first use by a script, once for all tests. Not a `mod.rs`: a
//! test file takes it in with `#[path = "../common/installed.rs"] mod installed;`.
#![allow(dead_code)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder into which `tests/servers/<script>` installs: what the variable says, else `target/<name>`.
pub fn folder(script: &str, variable: &str, name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let dir = std::env::var_os(variable).map_or(target.join(name), PathBuf::from);
    fs::create_dir_all(&dir).expect("a folder for the programs");
    // Test programs may run at the same time.
    let lock = File::create(dir.join("lock")).expect("a lock file");
    lock.lock().expect("the lock");
    let setup = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers").join(script);
    let output = Command::new("sh").arg(setup).arg(&dir).output().expect("sh");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    dir
}
