//! Comments that permit what nobody finds: they would hide the next thing that goes wrong there.

use super::comments::{self, Allowance, Comments, Standing};
use super::{MOST_FINDINGS, Terms, capped, permit, weighed};
use crate::check::{Base, Candidate, Change, Check, Settings, gates, run, running};
use crate::finding::{Finding, allows};
use std::collections::HashSet;

pub(in crate::check) const TERMS: Terms = Terms { most: MOST_FINDINGS, ..Terms::warning("unused-allow") };

/// A word for each comment that `comments`, once all gates have spoken, has not been asked for. Of gates that are off, that
/// only compare, or that judge more than one file, nothing is known here. What was as idle in the base is nobody's doing.
pub(in crate::check) fn unused(comments: &Comments, change: &Change, settings: &Settings) -> Vec<Finding> {
    let mut idle = told(comments, settings);
    if let Some(base) = change.base.filter(|_| !idle.is_empty()) {
        // What the base excuses was not asked about.
        let ids = comments::ids(&idle);
        ask(comments, &Candidate { base: None, ..**change }, &ids, settings);
        idle.retain(|it| !it.is_used.get());
        if !idle.is_empty() {
            let candidate = Candidate { text: base, base: None, parsed: None, ..**change };
            let before = Change::of(&candidate);
            let said = Comments::of(&before, settings);
            ask(&said, &candidate, &ids, settings);
            idle = comments::without_old(idle, &told(&said, settings));
        }
    }
    let found = idle.into_iter().filter_map(|it| weighed(&TERMS, finding(change.path, it), change, settings));
    capped(&TERMS, found.map(|finding| permit::apply(&TERMS, finding, change, settings)).collect(), change.path)
}

/// Those without use of which something can be said.
fn told<'a, 't>(comments: &'a Comments<'t>, settings: &Settings) -> Vec<&'a Allowance<'t>> {
    let mut unused = comments.unused();
    unused.retain(|it| match gate(it.id) {
        Some(check) => matches!(check.base, Base::Excuses) && running(settings).any(|running| running.id == check.id),
        None => !gates().any(|gate| allows(gate, it.id, None) || allows(it.id, gate, None)),
    });
    unused
}

/// The gate on single files that `id` is about.
fn gate(id: &str) -> Option<&'static Check> {
    crate::check::CHECKS.iter().find(|check| allows(check.id, id, None) || allows(id, check.id, None))
}

/// Lets the gates of these ids look at a text without a base, so that each comment is used that has a use.
fn ask(comments: &Comments, candidate: &Candidate, ids: &HashSet<&str>, settings: &Settings) {
    let change = Change::of(candidate);
    let wanted: HashSet<&str> = ids.iter().filter_map(|id| gate(id)).map(|check| check.id).collect();
    for check in running(settings).filter(|check| wanted.contains(check.id)) {
        for finding in run(check, &change, settings) {
            // It notes what it permits by.
            comments.permit(&finding);
        }
    }
}

fn finding(path: &str, it: &Allowance) -> Finding {
    let (why, hint) = match it.standing {
        _ if gate(it.id).is_none() => ("there is no such gate", "'git implement man' lists the gates"),
        Standing::Counts => ("there is nothing to permit", "take the comment out"),
        Standing::OfModel => ("a model may not permit what it wrote", "whoever answers for the file may write it"),
        Standing::Pushed => {
            ("that is not believed of what is pushed", "only the person who receives it may permit that")
        }
        Standing::Guarded => ("no file may permit that as a whole", "say it on the line, or with --allow"),
        Standing::TooLate => ("that must stand before the first line of code", "move the comment to the top"),
    };
    Finding::warning(TERMS.id, format!("'{path}' permits '{}' in a comment, but {why}", it.id)).line(it.line).hint(hint)
}
