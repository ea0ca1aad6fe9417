//! How the commits of a run stand to each other in the history: in its order, each once, and none left out between two.

use super::Judged;
use crate::git::Past;
use crate::transcript::Recipe;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Tells of each commit what of the run's order it does not keep.
pub(super) fn tell(past: &[Past], judged: &mut [Judged], recipes: &HashMap<&str, &Recipe>) {
    // Of each run: the highest number so far, and all that were there.
    let mut seen: BTreeMap<String, (usize, BTreeSet<usize>)> = BTreeMap::new();
    for (one, past) in judged.iter_mut().zip(past) {
        let (Some(run), [first, ..]) = (&one.run, one.of_run.as_slice()) else { continue };
        let Some(recipe) = recipes.get(run.as_str()).filter(|_| past.parents.len() < 2) else { continue };
        let all = one.of_run.iter().copied();
        let mut notes = Vec::new();
        match seen.get_mut(run) {
            None => _ = seen.insert(run.clone(), (all.clone().max().unwrap_or(*first), all.collect())),
            Some((highest, numbers)) => {
                if one.of_run.iter().any(|number| numbers.contains(number)) {
                    notes.push("it is here a second time".to_owned());
                } else if first < highest {
                    notes.push("it stands in another order than in the run".to_owned());
                } else {
                    let subject = |number: usize| recipe.commits.get(number - 1).map(|commit| commit.subject.clone());
                    let between = (*highest + 1..*first).filter(|number| !numbers.contains(number));
                    let left_out: Vec<String> = between.filter_map(subject).collect();
                    notes.extend(left_out.iter().map(|subject| format!("'{subject}' of the run is not before it")));
                }
                *highest = (*highest).max(all.clone().max().unwrap_or(*first));
                numbers.extend(all);
            }
        }
        one.notes.extend(notes);
    }
}
