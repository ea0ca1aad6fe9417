//! The checks that need all files of a run, made when the last file is: is everything that the design promises somewhere
//! in the tree, does everything that the files import exist, and did a test that left one file arrive in another?

use super::run::Run;
use super::{ImplementError, Job, Prepared};
use crate::check::{self, BeforeAfter, Ground, Search};
use crate::event::Event;
use crate::finding::Finding;
use crate::git::Repository;
use crate::path::RepoPath;
use crate::plan::Step;
use std::collections::BTreeSet;

/// Tells what is missing: of what the design promises and of what files import, unless the run makes only a part of the
/// design.
///
/// # Errors
/// If the project makes it one.
pub(super) fn judge(
    run: &mut Run,
    repository: &Repository,
    prepared: &Prepared,
    job: &Job,
) -> Result<(), ImplementError> {
    for finding in lost_tests(run, prepared) {
        run.say(Event::Finding(finding));
    }
    if prepared.examined.rows.iter().any(|row| !row.selected) {
        return Ok(());
    }
    let mut findings = promised(run, repository, prepared, job)?;
    findings.extend(imported(run, repository, prepared, job)?);
    if findings.iter().any(Finding::is_error) {
        return Err(ImplementError::Plan { lld: job.lld.clone(), findings });
    }
    findings.into_iter().for_each(|finding| run.say(Event::Finding(finding)));
    Ok(())
}

/// Of the tests that are gone from a file, those that no other file of the run has got.
fn lost_tests(run: &mut Run, prepared: &Prepared) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for finding in std::mem::take(&mut run.lost_tests) {
        // Of a file that was made more than once, what is said last counts.
        findings.retain(|said| said.path != finding.path);
        findings.push(finding);
    }
    let steps = prepared.examined.steps();
    let bases: Vec<_> =
        steps.iter().map(|step| step.base.as_ref().map(|blob| String::from_utf8_lossy(&blob.bytes))).collect();
    let made = |path: &str| run.completed.iter().rev().find(|file| file.path == path);
    let changes: Vec<BeforeAfter> = (steps.iter().zip(&bases))
        .map(|(step, base)| BeforeAfter {
            path: step.path.as_str(),
            base: base.as_deref(),
            text: made(step.path.as_str()).and_then(|file| file.text.as_deref()),
        })
        .collect();
    check::moved(findings, &changes)
}

fn promised(
    run: &Run,
    repository: &Repository,
    prepared: &Prepared,
    job: &Job,
) -> Result<Vec<Finding>, ImplementError> {
    let texts: Vec<&str> = run.completed.iter().filter_map(|file| file.text.as_deref()).collect();
    let made: Vec<&str> = run.completed.iter().map(|file| file.path.as_str()).collect();
    // Documents speak of what is to come.
    let wanted = |path: &str| !path.ends_with(".md") && !made.contains(&path);
    let elsewhere = |search: &mut Search| {
        let searched = repository.search(&prepared.base, wanted, run.interrupt, |text| search.look(text));
        searched.map_err(|error| error.to_string())
    };
    let design = (&prepared.lld, prepared.design.text.as_str());
    let findings = check::promised(design, &texts, elsewhere, &job.settings);
    if run.interrupt.is_set() {
        return Err(ImplementError::Interrupted);
    }
    Ok(findings.into_iter().map(|finding| finding.path(prepared.design.path.as_str())).collect())
}

fn imported(
    run: &Run,
    repository: &Repository,
    prepared: &Prepared,
    job: &Job,
) -> Result<Vec<Finding>, ImplementError> {
    let made = |path: &str| run.completed.iter().rev().find(|file| file.path == path);
    let of = |step: &Step| step.base.as_ref().map(|blob| String::from_utf8_lossy(&blob.bytes).into_owned());
    let text = |step: &Step| made(step.path.as_str())?.text.as_deref();
    let mut importing = Vec::new();
    for step in prepared.examined.steps() {
        let (path, base) = (step.path.as_str(), of(step));
        if let Some(text) = text(step).filter(|text| check::wants_ground(path, (base.as_deref(), text), &job.settings))
        {
            importing.push((path, base, text));
        }
    }
    if importing.is_empty() {
        return Ok(Vec::new());
    }
    // All names of the tree as it will be.
    let mut names: BTreeSet<String> = repository.names(&prepared.base)?.into_iter().collect();
    for file in &run.completed {
        match file.text {
            Some(_) => names.insert(file.path.clone()),
            None => names.remove(&file.path),
        };
    }
    // What cannot be read says nothing, and nobody is to blame.
    let read = |path: &str| match made(path) {
        Some(file) => file.text.clone(),
        None => {
            let blob = repository.blob(&prepared.base, &RepoPath::new(path).ok()?).ok()??;
            Some(String::from_utf8_lossy(&blob.bytes).into_owned())
        }
    };
    let ground = Ground::new(&names, &read);
    let judged = importing
        .iter()
        .map(|(path, base, text)| check::imported(path, (base.as_deref(), text), &ground, &job.settings).findings);
    Ok(judged.flatten().collect())
}
