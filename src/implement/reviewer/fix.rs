//! The one fix that a review can ask for: each file with the remarks about it goes back once, and what comes back is kept
//! only if all of it still passes.

use super::super::ImplementError;
use super::super::look::Look;
use super::super::make::Finished;
use super::super::mend::{Mended, mend, not_mended};
use super::super::run::Run;
use crate::check::{Accepted, Mask};
use crate::event::Event;
use crate::finding::Finding;
use crate::git::Scratch;
use crate::prompt::Found;
use crate::reviewer::{BY, Remark};
use std::collections::HashSet;

/// Has mended what the remarks are about. Says whether anything of it is kept.
pub(super) fn fix<'a>(
    run: &mut Run,
    scratch: &mut Scratch,
    finished: &mut [Finished<'a>],
    look: Option<&mut Look<'a>>,
    remarks: &[Remark],
) -> Result<bool, ImplementError> {
    let mut former: Vec<(usize, Accepted, Option<String>)> = Vec::new();
    for at in last_of_each(finished) {
        let Some(file) = finished.get_mut(at) else { continue };
        let path = file.step.path.to_string();
        let about: Vec<&Remark> = remarks.iter().filter(|remark| remark.path == path).collect();
        if about.is_empty() || !file.is_written() {
            continue;
        }
        run.say(Event::GivenBack { path: path.clone(), found: about.len(), by: vec![BY.to_owned()] });
        let said: String = about.iter().map(|it| format!("line {}: {}\n> {}\n", it.line, it.said, it.quote)).collect();
        let said = Mask::of([said.as_str()]).apply(&said).into_owned();
        match mend(run, file, Found { said: &said, by_reviewer: true, fresh: false })? {
            Mended::Made(made) if file.text.as_ref().is_some_and(|text| text.text() == made.accepted.text()) => {
                run.say(Event::Finding(not_mended(&path)));
            }
            Mended::Made(made) => {
                if let Some(text) = file.replace(run, made.accepted) {
                    former.push((at, text, made.key));
                }
            }
            Mended::Disagree(sentence) => {
                let message = format!("the review of '{path}' is not followed: {sentence}");
                run.say(Event::Finding(Finding::note("review-not-followed", message).path(path)));
            }
            // The next file would only wait as long.
            Mended::Unanswered => break,
            Mended::Nothing => {}
        }
    }
    let passes = match look {
        Some(look) if !former.is_empty() => look.still_passes(run, scratch, finished)?,
        _ => true,
    };
    let mended = !former.is_empty();
    for (at, text, key) in former {
        let Some(file) = finished.get_mut(at) else { continue };
        if !passes {
            drop(file.replace(run, text));
        }
        let path = file.step.path.to_string();
        run.say(Event::Mended { path, kept: passes, stat: file.stat, key, result: file.blob() });
    }
    Ok(mended && passes)
}

/// The places of the steps that had the last word on their files.
fn last_of_each(finished: &[Finished]) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mut last: Vec<usize> = (0..finished.len())
        .rev()
        .filter(|at| finished.get(*at).is_some_and(|file| seen.insert(&file.step.path)))
        .collect();
    last.reverse();
    last
}
