//! `check --fix`: mends what can be mended without knowing what was meant, and shows how.

use super::check::Args;
use crate::check::{Settings, is_mendable, mended};
use crate::config::read_environment;
use crate::finding::Finding;
use crate::git::{AtPath, FileUpdate, Files, GitError, Location, Repository};
use crate::patch;
use crate::path::RepoPath;
use crate::process::Interrupt;
use crate::ui;
use crate::validate::Report;
use std::collections::BTreeMap;
use std::path::Path;

/// Mends the files of the working tree that the report speaks of, and with `--cached` the index with them. What is staged is
/// mended only where the file is as it is staged: nobody knows which of two texts was meant. True: something was written.
pub fn fix(
    args: &Args,
    report: &Report,
    is_staged: bool,
    (repository, cwd): (Option<&Repository>, &Path),
    settings: &Settings,
) -> Result<bool, GitError> {
    let mut found: BTreeMap<RepoPath, Vec<Finding>> = BTreeMap::new();
    for finding in report.found.iter().map(|reported| &reported.finding).filter(|finding| is_mendable(finding)) {
        let Some(name) = &finding.path else { continue };
        let path = repository.map_or(name.clone(), |repository| repository.from_root(name, cwd));
        if let Ok(path) = RepoPath::new(&path) {
            found.entry(path).or_default().push(finding.clone());
        }
    }
    if found.is_empty() {
        return Ok(false);
    }
    let environment = &read_environment();
    // From here on a signal waits until nothing is half done.
    let interrupt = Interrupt::on_signals();
    let paths: Vec<RepoPath> = found.keys().cloned().collect();
    let place = if is_staged { Location::Index } else { Location::Worktree };
    let mut files = Files::open(cwd, environment, place)?;
    let mut steps = Vec::new();
    for (path, at) in files.look(&paths)? {
        let blob = match at {
            AtPath::File(blob) => blob,
            AtPath::Unfit(why) => {
                let finding = Finding::warning("fix", format!("cannot mend '{path}': {why}")).path(path.as_str());
                ui::failure::findings(&[finding], None, false);
                continue;
            }
            AtPath::Nothing | AtPath::Untracked => continue,
        };
        let Ok(text) = String::from_utf8(blob.bytes) else { continue };
        let Some(new) = found.get(&path).and_then(|found| mended(path.as_str(), &text, found, settings)) else {
            continue;
        };
        ui::report::patch(&patch::unified(path.as_str(), Some(&text), Some(&new)));
        steps.push(FileUpdate { path, becomes: Some((new.into_bytes(), blob.executable)) });
    }
    if steps.is_empty() || args.dry_run {
        return Ok(false);
    }
    if interrupt.is_set() {
        return Err(GitError::Interrupted);
    }
    if is_staged && !args.cached {
        drop(files);
        files = Files::open(cwd, environment, Location::Worktree)?;
        files.look(&steps.iter().map(|step| step.path.clone()).collect::<Vec<_>>())?;
    }
    files.write(&steps)?;
    Ok(true)
}
