//! Which tests of a branch are about which files: those that name one by its module, or are called after it.

use super::Commit;
use crate::check::is_test;
use crate::fault::{self, Planned};
use std::collections::BTreeMap;

/// Sets the tests of each file. `texts`: what the tests are in the end.
pub(super) fn tell(commits: &mut [Commit], texts: &BTreeMap<String, String>) {
    let tests: Vec<(&String, &String)> = texts.iter().filter(|(path, _)| is_test(path)).collect();
    for file in commits.iter_mut().flat_map(|commit| &mut commit.files).filter(|file| !is_test(&file.path)) {
        let is_about = |path: &str, text: &str| fault::is_about(&Planned { path, text }, &file.path);
        let about = tests.iter().filter(|(path, text)| is_about(path, text));
        file.tests = about.map(|(path, _)| (*path).clone()).collect();
    }
}
