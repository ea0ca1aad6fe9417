//! What the person's pre-commit hook makes of a commit before it is one. A formatter's work is taken: judged by the gates
//! as if the model had written it, shown to the hook once more, and committed.

use super::ImplementError;
use super::commit::Committing;
use super::run::Run;
use crate::check::{self, Accepted, Candidate};
use crate::event::Event;
use crate::finding::Finding;
use crate::git::{GitError, Passed, PreCommit, Reworked, Scratch, Verified, blob_id};
use crate::lld::Change;
use crate::patch::{self, Stat};
use crate::path::RepoPath;
use crate::plan::{Step, Strategy};
use crate::transcript::recipe::By;

/// The hook's name.
pub(super) const PRE_COMMIT: &str = "pre-commit";

/// The tree that is to be committed, with what the hook made of planned files, which `stat` then counts; none if the hook
/// has taken everything back.
pub(super) fn ask_hook(
    run: &mut Run,
    scratch: &mut Scratch,
    tree: Verified,
    committing: &Committing,
    stat: &mut Stat,
) -> Result<Option<Passed>, ImplementError> {
    let made = committing.steps.iter().filter(|step| step.change != Change::Delete).map(|step| &step.path);
    let planned: Vec<&RepoPath> = made.chain(committing.ticking.map(|ticking| &ticking.path)).collect();
    let files = match scratch.pre_commit(tree, &planned, &committing.options)? {
        PreCommit::Passed(tree) => return Ok(Some(tree)),
        PreCommit::Reworked(files) => files,
    };
    for file in files {
        let (before, after) = take(run, scratch, file, committing)?;
        stat.replace(before, after);
    }
    let tree = scratch.write_tree()?;
    if tree.is_unchanged(scratch) {
        return Ok(None);
    }
    let tree = scratch.verify(tree)?;
    match scratch.pre_commit(tree, &planned, &committing.options)? {
        PreCommit::Passed(tree) => Ok(Some(tree)),
        PreCommit::Reworked(files) => {
            let paths = files.into_iter().map(|file| file.path.to_string()).collect();
            Err(GitError::HookUnsettled { name: "pre-commit".to_owned(), paths }.into())
        }
    }
}

/// Judges and stages one file. Returns what the model's text and the hook's add and remove.
fn take(
    run: &mut Run,
    scratch: &mut Scratch,
    file: Reworked,
    committing: &Committing,
) -> Result<(Stat, Stat), ImplementError> {
    let path = file.path.as_str();
    let step = committing.steps.iter().rev().find(|step| step.path == file.path);
    let ticking = committing.ticking.filter(|ticking| step.is_none() && ticking.path == file.path);
    let base = step.and_then(|step| step.base.as_ref()).or(ticking.map(|ticking| &ticking.base));
    let base = base.map(|blob| String::from_utf8_lossy(&blob.bytes).into_owned());
    let accepted = match step {
        Some(step) => judge_reworked(run, step, base.as_deref(), &file, PRE_COMMIT)?,
        None => {
            let candidate = Candidate { path, base: base.as_deref(), text: &file.text, ..Candidate::default() };
            accept(run, &file, candidate, PRE_COMMIT)?
        }
    };
    scratch.stage(&accepted, file.mode)?;
    let completed = run.completed.iter_mut().rev().find(|completed| completed.path == path);
    let before = match completed {
        Some(completed) => completed.text.replace(file.text.clone()),
        None => ticking.map(|ticking| ticking.text.clone()),
    };
    run.patch(|| patch::unified(path, before.as_deref(), Some(&file.text)));
    reworked(run, &accepted, PRE_COMMIT, before.as_deref());
    let against = |text: Option<&str>| patch::stat(base.as_deref(), text);
    Ok((against(before.as_deref()), against(Some(&file.text))))
}

/// Notes and tells what a program of the person's has made of a text that was `before`.
pub(super) fn reworked(run: &mut Run, text: &Accepted, command: &str, before: Option<&str>) {
    run.making.accepted(text, None, By::Command { command: command.to_owned() }, false);
    run.say(Event::Reworked {
        path: text.path().to_string(),
        hook: command.to_owned().into(),
        blob: blob_id(text.text().as_bytes()),
        stat: patch::stat(before, Some(text.text())),
    });
}

/// Judges what a program of the person's, a hook or a command line, has made of a planned file, as if the model had written
/// it.
pub(super) fn judge_reworked(
    run: &Run,
    step: &Step,
    base: Option<&str>,
    file: &Reworked,
    by: &str,
) -> Result<Accepted, ImplementError> {
    let candidate = Candidate {
        path: file.path.as_str(),
        base,
        text: &file.text,
        whole: step.strategy == Strategy::Whole,
        description: &step.description,
        row_allow: &step.allow,
        dependencies_named: Some(&run.dependencies),
        ..Candidate::default()
    };
    accept(run, file, candidate, by)
}

/// No program writes a larger file for people to read, and to judge it would take minutes.
const MOST: usize = 8 << 20;

fn accept(run: &Run, file: &Reworked, candidate: Candidate, by: &str) -> Result<Accepted, ImplementError> {
    if file.text.len() > MOST {
        let message = format!(
            "'{}' has {} MB then, and no more than {} are judged",
            file.path,
            file.text.len() >> 20,
            MOST >> 20
        );
        let finding = Finding::error("too-large", message).path(file.path.as_str());
        return Err(ImplementError::Reworked {
            path: file.path.to_string(),
            by: by.to_owned(),
            findings: vec![finding],
            text: String::new(),
        });
    }
    // Notes were said of the model's text.
    let accepted = check::accept(&file.path, &candidate, &run.settings).map(|(accepted, _)| accepted);
    let (path, by, text) = (file.path.to_string(), by.to_owned(), file.text.clone());
    accepted.map_err(|findings| ImplementError::Reworked { path, by, findings, text })
}
