//! Finding, giving back, finding again: until nothing is left, or nothing is gained any more.

use super::super::ImplementError;
use super::super::make::Finished;
use super::super::mend::{Mended, mend, not_mended};
use super::super::run::Run;
use super::Look;
use super::told::Unpaid;
use crate::attempt::{self, Mend, Policy, Trend};
use crate::check::{Accepted, Mask};
use crate::event::Event;
use crate::fault::{self, Fault, Planned};
use crate::git::{self, Scratch};
use crate::patch;
use crate::prompt::{Completed, Found};
use std::collections::HashMap;

/// Whoever looks for faults in all that is finished.
pub(super) type Find<'a, 'f> =
    &'f mut dyn FnMut(&mut Look<'a>, &mut Run, &mut Scratch, &mut [Finished<'a>]) -> Result<Vec<Fault>, ImplementError>;

/// What has been tried for a file.
#[derive(Debug, Clone, Copy)]
struct Tried {
    times: u32,
    fresh: bool,
    trend: Trend,
    /// There is nothing more to be had.
    over: bool,
}

const NOTHING_YET: Tried = Tried { times: 0, fresh: false, trend: Trend::First, over: false };

/// Gives what is found back to the model, a file at a time, and looks again. Returns what is left.
pub(super) fn settle<'a>(
    look: &mut Look<'a>,
    run: &mut Run,
    scratch: &mut Scratch,
    finished: &mut [Finished<'a>],
    find: Find<'a, '_>,
) -> Result<Vec<Fault>, ImplementError> {
    let mut faults = find(look, run, scratch, finished)?;
    let mut tried: HashMap<String, Tried> = HashMap::new();
    while let Some((at, fresh, found)) = given_back(&faults, finished, &tried, run.policy) {
        let Some(file) = finished.get_mut(at) else { break };
        let path = file.step.path.to_string();
        let of_file = tried.entry(path.clone()).or_insert(NOTHING_YET);
        (of_file.times, of_file.fresh) = (of_file.times + 1, of_file.fresh || fresh);
        let by: Vec<String> = found.iter().map(|fault| fault.by.clone()).collect();
        run.say(Event::GivenBack { path: path.clone(), found: found.len(), by: fault::named_once(&by) });
        let said = fault::for_model(&found, file.text.as_ref().map_or("", Accepted::text));
        // A program may have printed what no model may see.
        let said = Mask::of([said.as_str()]).apply(&said).into_owned();
        let made = match mend(run, file, Found { said: &said, by_reviewer: false, fresh })? {
            Mended::Made(made) => made,
            Mended::Disagree(sentence) => return Err(ImplementError::Disagree { path, sentence }),
            Mended::Nothing | Mended::Unanswered => {
                of_file.over = true;
                if let Some(over) = run.short.take() {
                    look.unpaid.push(Unpaid { path, over, found });
                }
                continue;
            }
        };
        if file.text.as_ref().is_some_and(|text| text.text() == made.accepted.text()) {
            run.say(Event::Finding(not_mended(&path)));
            of_file.trend = Trend::Same;
            continue;
        }
        let former = file.replace(run, made.accepted);
        let again = find(look, run, scratch, finished)?;
        let trend = fault::compare(&faults, &again);
        of_file.trend = trend;
        let Some(file) = finished.get_mut(at) else { break };
        let kept = trend != Trend::Worse;
        match former {
            Some(former) if !kept => drop(file.replace(run, former)),
            _ => faults = again,
        }
        run.say(Event::Mended { path, kept, stat: file.stat, key: made.key, result: file.blob() });
    }
    Ok(faults)
}

/// What helps against these faults, if anything of the run's own does.
pub(super) fn helps(faults: &[&Fault], finished: &[Finished]) -> Option<&'static str> {
    let texts = texts(finished);
    let files: Vec<Planned> = texts.iter().map(|(path, text)| Planned { path, text }).collect();
    let is_meant = |fault: &&&Fault| !fault.before && fault::meant(fault, &files).is_some();
    match faults.iter().any(|fault| is_meant(&fault)) {
        true => Some("--repair <n> gives it back to the model more often"),
        false if !faults.is_empty() && faults.iter().all(|fault| fault.before) => {
            Some("it fails without the change, too: mend that first, or permit it (--allow verify)")
        }
        false => None,
    }
}

/// The files that are written with their texts, the one that was changed last at the end.
fn texts(finished: &[Finished]) -> Vec<(String, String)> {
    let mut order: Vec<&Finished> = finished.iter().filter(|file| file.is_written()).collect();
    order.sort_by_key(|file| file.changed);
    let planned = |file: &&Finished<'_>| -> Option<(String, String)> {
        Some((file.step.path.to_string(), file.text.as_ref()?.text().to_owned()))
    };
    order.iter().filter_map(planned).collect()
}

/// The file that is given back next, whether to be written anew, and all that was found in it.
fn given_back(
    faults: &[Fault],
    finished: &[Finished],
    tried: &HashMap<String, Tried>,
    policy: Policy,
) -> Option<(usize, bool, Vec<Fault>)> {
    let texts = texts(finished);
    let files: Vec<Planned> = texts.iter().map(|(path, text)| Planned { path, text }).collect();
    let meant: Vec<(&Fault, &str)> = (faults.iter().filter(|fault| !fault.before))
        .filter_map(|fault| Some((fault, fault::meant(fault, &files)?)))
        .collect();
    for (_, path) in &meant {
        let tried = tried.get(*path).copied().unwrap_or(NOTHING_YET);
        let fresh = match attempt::mend(policy, tried.trend, tried.times, tried.fresh) {
            _ if tried.over => continue,
            Mend::GiveUp => continue,
            Mend::Edits => false,
            Mend::Fresh => true,
        };
        let at = finished.iter().rposition(|file| file.step.path.as_str() == *path)?;
        let found = meant.iter().filter(|(_, of)| of == path).map(|(fault, _)| (*fault).clone()).collect();
        return Some((at, fresh, found));
    }
    None
}

impl Finished<'_> {
    /// Puts another text in the place of its own, which is returned. It is to be committed so, and shown so to the model.
    pub(in super::super) fn replace(&mut self, run: &mut Run, text: Accepted) -> Option<Accepted> {
        let path = self.step.path.as_str();
        let former = self.text.as_ref().map(|text| text.text().to_owned());
        run.patch(|| patch::unified(path, former.as_deref(), Some(text.text())));
        let place = run.take_completed_at(path).map(|(at, _)| at).unwrap_or(run.completed.len());
        run.put_back(Some((place, Completed::new(path, Some(text.text().to_owned())))));
        self.changed = run.turn();
        self.takes(text)
    }

    /// The id of its blob.
    pub(in super::super) fn blob(&self) -> Option<String> {
        self.text.as_ref().map(|text| git::blob_id(text.text().as_bytes()))
    }
}
