//! Where a program is that is started by its name.

use crate::environment::Environment;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The program of this name in the absolute folders of `PATH`: what lies in a folder that a model writes is none.
pub fn find_program(environment: &Environment, name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let folders = std::env::split_paths(environment.get("PATH")?).filter(|folder| folder.is_absolute());
    let runs = |file: &PathBuf| file.is_file() && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok();
    folders.map(|folder| folder.join(name.as_ref())).find(runs)
}
