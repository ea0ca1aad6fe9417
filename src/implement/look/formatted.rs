//! Commands that change files: what they make of planned files is judged by the gates, as a reply is, and committed. One that
//! fails all the same has found something, as any other command.

use super::super::ImplementError;
use super::super::hooked::{judge_reworked, reworked};
use super::super::make::Finished;
use super::super::run::Run;
use super::Look;
use crate::config::Verify;
use crate::event::{Event, On};
use crate::fault::Fault;
use crate::finding::Finding;
use crate::git::{Oid, Scratch};
use crate::path::RepoPath;

/// What a formatter has to say of a tree to which it has nothing to add.
pub(super) struct Formatted {
    tree: Oid,
    fault: Option<Fault>,
}

impl Look<'_> {
    /// Lets `formatters` work on what is on disk, which is `tree`. Returns the tree that comes of it, which is on disk then.
    pub(super) fn format(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished],
        (tree, formatters): (Oid, &[&Verify]),
    ) -> Result<Oid, ImplementError> {
        let mut tree = tree;
        for verify in formatters {
            if self.formatted.get(&verify.text).is_some_and(|known| known.tree == tree) {
                continue;
            }
            let fault;
            (tree, fault) = self.format_by(run, scratch, finished, (tree, verify))?;
            self.formatted.insert(verify.text.clone(), Formatted { tree, fault });
        }
        // One that has seen what the next one changed is not asked about that.
        for verify in formatters {
            self.formatted.entry(verify.text.clone()).and_modify(|known| known.tree = tree);
        }
        Ok(tree)
    }

    /// What those of `commands` that format, and fail, have said of what is on disk.
    pub(super) fn unformatted(&self, commands: &[&Verify]) -> Vec<Fault> {
        let known = commands.iter().filter_map(|verify| self.formatted.get(&verify.text));
        known.filter_map(|known| known.fault.clone()).collect()
    }

    fn format_by(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished],
        (tree, verify): (Oid, &Verify),
    ) -> Result<(Oid, Option<Fault>), ImplementError> {
        let (mut tree, mut again) = (tree, false);
        loop {
            let ran = self.heard(run, scratch, verify, On::Files)?;
            let written = finished.iter().filter(|file| file.is_written()).map(|file| &file.step.path);
            let planned: Vec<&RepoPath> = written.collect();
            let (files, others) = scratch.reworked(tree, &planned, run.interrupt)?;
            let elsewhere = format!("what '{}' changed elsewhere is put back: {}", verify.text, others.join(", "));
            if !others.is_empty() && self.told_elsewhere.insert(elsewhere.clone()) {
                run.say(Event::Finding(Finding::note("verify-elsewhere", elsewhere)));
            }
            let before = tree;
            for file in &files {
                let Some(made) = finished.iter_mut().rev().find(|made| made.step.path == file.path) else { continue };
                let before = made.text.as_ref().map(|text| text.text().to_owned());
                let accepted = judge_reworked(run, made.step, made.base.as_deref(), file, &verify.text)?;
                made.replace(run, accepted.clone());
                reworked(run, &accepted, &verify.text, before.as_deref());
            }
            finished.iter().try_for_each(|file| file.stage(scratch))?;
            tree = scratch.show_staged(run.interrupt)?;
            self.on_disk = Some(tree);
            self.place.install();
            if ran.passed {
                return Ok((tree, None));
            }
            // Some call it a failure that there was something to change, and pass when it is changed.
            if again || tree == before {
                return Ok((tree, Some(self.fault_of(verify, &ran, finished))));
            }
            again = true;
        }
    }
}
