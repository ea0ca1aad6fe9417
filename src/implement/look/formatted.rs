//! Commands that change files: what they make of planned files is judged by the gates, as a reply is, and committed.

use super::super::ImplementError;
use super::super::hooked::{judge_reworked, reworked};
use super::super::make::Finished;
use super::super::run::Run;
use super::Look;
use crate::event::{Event, On};
use crate::finding::Finding;
use crate::git::{Oid, Scratch};
use crate::path::RepoPath;

impl Look<'_> {
    /// Lets formatters work on what is on disk, which is `tree`. Returns the tree that comes of it, which is on disk then.
    pub(super) fn format(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished],
        tree: Oid,
    ) -> Result<Oid, ImplementError> {
        let mut tree = tree;
        for verify in self.commands.clone().into_iter().filter(|verify| verify.fixes) {
            if self.formatted == Some(tree) {
                break;
            }
            let ran = self.heard(run, scratch, verify, On::Files)?;
            let written = finished.iter().filter(|file| file.is_written()).map(|file| &file.step.path);
            let planned: Vec<&RepoPath> = written.collect();
            let (files, others) = scratch.reworked(tree, &planned, run.interrupt)?;
            if !others.is_empty() {
                let message = format!("what '{}' changed elsewhere is put back: {}", verify.text, others.join(", "));
                run.say(Event::Finding(Finding::note("verify-elsewhere", message)));
            }
            if !ran.passed && files.is_empty() {
                let message = format!("'{}' fails, and has changed nothing", verify.text);
                run.say(Event::Finding(Finding::warning("verify-format", message)));
            }
            for file in &files {
                let Some(made) = finished.iter_mut().rev().find(|made| made.step.path == file.path) else { continue };
                let before = made.text.as_ref().map(|text| text.text().to_owned());
                let accepted = judge_reworked(run, made.step, made.base.as_deref(), file)?;
                made.replace(run, accepted.clone());
                reworked(run, &accepted, &verify.text, before.as_deref());
            }
            finished.iter().try_for_each(|file| file.stage(scratch))?;
            tree = scratch.show_staged(run.interrupt)?;
            self.on_disk = Some(tree);
            self.place.install();
        }
        self.formatted = Some(tree);
        Ok(tree)
    }
}
