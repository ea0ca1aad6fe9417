//! Commits as the commands see them: each alone, where that is wanted, and the last one once more if a hook has changed it.

use super::super::ImplementError;
use super::super::make::Finished;
use super::super::run::Run;
use super::Look;
use crate::config::{LspMode, VerifyWhen};
use crate::event::On;
use crate::fault::Fault;
use crate::git::{Oid, Scratch, blob_id};
use std::collections::BTreeMap;

impl<'a> Look<'a> {
    /// May a commit be refused?
    pub fn judges_commits(&self) -> bool {
        self.job.bisectable || self.commands.iter().any(|verify| verify.when == VerifyWhen::Commit)
    }

    /// Does the commit with this tree pass? Where each must, one that does not is an error, unless files may be put together
    /// until they pass. The last was looked at, and is looked at again if a hook changes it.
    pub fn at_commit(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        tree: Oid,
        is_last: bool,
    ) -> Result<bool, ImplementError> {
        if is_last || self.passed == Some(tree) {
            return Ok(true);
        }
        self.on_disk = Some(tree);
        let bisectable = self.job.bisectable;
        for verify in self.judging(|verify| bisectable || verify.when == VerifyWhen::Commit) {
            let Some(fault) = self.run_one(run, scratch, &[], verify, On::Commit)? else { continue };
            if bisectable {
                return Ok(false);
            }
            let finding = self.finding(&fault).hint("--bisectable puts files into one commit that only pass together");
            if !self.is_allowed(&finding) {
                return Err(ImplementError::Unverified { findings: vec![finding], hint: None });
            }
        }
        Ok(true)
    }

    /// Looks once more if what was committed is not what has passed: a hook has changed it.
    pub fn at_last(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &[Finished<'a>],
    ) -> Result<(), ImplementError> {
        self.place.uninstall();
        let tree = scratch.tip_tree();
        let changed = changed(run, finished);
        let (mut faults, mut unchecked) = (Vec::new(), Vec::new());
        if self.job.lsp == LspMode::Gate && !changed.is_empty() {
            scratch.checkout(tree, true, run.interrupt)?;
            self.place.install();
            let paths: Vec<String> = changed.iter().map(|(path, _)| path.clone()).collect();
            faults = self.servers.faults(run, finished, &paths, &self.ground);
            faults.retain(|fault| !self.left.iter().any(|left| left.is_same(fault)));
            unchecked = self.servers.unchecked(changed.iter().cloned());
        }
        if self.passed.is_some_and(|passed| passed != tree) {
            self.on_disk = Some(tree);
            let commands = self.judging(|_| true);
            faults.extend(self.run_all(run, scratch, &[], &commands)?);
        }
        let by_hook = |faults: &[&Fault]| {
            let is_hooks = !changed.is_empty() && !faults.is_empty();
            is_hooks.then_some("a hook has changed what had passed: --no-verify runs none")
        };
        self.tell(run, &faults, &unchecked, by_hook)
    }
}

/// Files that have other texts in the commits than were looked at, with their blobs.
fn changed(run: &Run, finished: &[Finished]) -> Vec<(String, String)> {
    let mut last: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for file in finished.iter().filter(|file| file.is_written()) {
        last.insert(file.step.path.as_str(), file.blob());
    }
    let blob = |path: &str| {
        let text = run.completed.iter().rfind(|completed| completed.path == path)?.text.as_ref()?;
        Some(blob_id(text.as_bytes()))
    };
    let now = last.into_iter().filter_map(|(path, was)| Some((path, was, blob(path)?)));
    now.filter(|(_, was, is)| was.as_ref() != Some(is)).map(|(path, _, is)| (path.to_owned(), is)).collect()
}
