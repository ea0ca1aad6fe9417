//! What becomes of an exchange of files that did not come to its end, in this process or in one that was killed: it is taken
//! back, by looking at what is there. And what is cleared up behind one that did.

use super::exchange::{Now, Plan, Planned};
use super::system::same_file;
use std::fs;
use std::path::Path;

/// Takes back whatever has happened of `plan`, the last first, and may be called again if it did not come to its end.
/// Returns which changes stay as they are, since somebody else has changed something there meanwhile.
pub(super) fn take_back(plan: &Plan) -> Vec<usize> {
    let mut stay = Vec::new();
    let numbered = || plan.changes.iter().enumerate().rev();
    for (n, change) in numbered().filter(|(_, change)| change.becomes.is_some()) {
        let back = if change.was.is_some() { put_back(plan, change) } else { take_away(plan, change) };
        stay.extend((!back).then_some(n));
    }
    for directory in plan.made.iter().rev() {
        let _ = fs::remove_dir(directory);
    }
    for directory in plan.cleared.iter().rev() {
        let _ = fs::create_dir_all(directory);
    }
    for (n, change) in numbered().filter(|(_, change)| change.becomes.is_none()) {
        let place = plan.place(&change.path);
        let back = !is_there(&change.aside)
            || matches!(plan.now(change), Now::Nothing)
                && place.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok())
                && fs::rename(&change.aside, &place).is_ok();
        stay.extend((!back).then_some(n));
    }
    stay
}

/// The old file again in the place of the new one.
fn put_back(plan: &Plan, change: &Planned) -> bool {
    let place = plan.place(&change.path);
    // Nothing happens before it is put aside; with the same file under both names, nothing has happened after that.
    if !is_there(&change.aside) || same_file(&place, &change.aside) {
        return true;
    }
    match plan.now(change) {
        Now::File(now) if change.becomes.as_ref() == Some(&now) => fs::rename(&change.aside, &place).is_ok(),
        Now::File(now) => change.was.as_ref() == Some(&now),
        Now::Nothing | Now::Other => false,
    }
}

/// Nothing again where a new file has been made.
fn take_away(plan: &Plan, change: &Planned) -> bool {
    let place = plan.place(&change.path);
    match plan.now(change) {
        Now::Nothing => true,
        // Somebody else's: ours would be under both names, or no longer under the first.
        _ if is_there(&change.staged) && !same_file(&place, &change.staged) => true,
        Now::File(now) => change.becomes.as_ref() == Some(&now) && fs::remove_file(&place).is_ok(),
        Now::Other => false,
    }
}

fn is_there(place: &Path) -> bool {
    place.symlink_metadata().is_ok()
}

/// Clears up behind changes that are to stay: directories that are empty now go, never `here`.
pub(super) fn finish(plan: &Plan, here: &Path) {
    for directory in &plan.emptied {
        let up = directory.ancestors().take_while(|up| *up != plan.root && *up != here);
        up.take_while(|up| fs::remove_dir(up).is_ok()).for_each(drop);
    }
}
