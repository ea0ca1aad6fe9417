//! Names that only case or the composition of accents tells apart are one file on Windows and macOS.

use super::{about, verb};
use crate::finding::Finding;
use crate::path::folded;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    if !case.stays() {
        return;
    }
    let path = case.path();
    for prefix in case.spec.path.directories().chain([path]) {
        // Twins that the tree has already are its own business.
        let twins = |other: &str| ground.snapshot.kind(prefix).is_some() && ground.snapshot.kind(other).is_some();
        let planned = ground.spellings.get(&folded(prefix)).copied();
        let planned = planned.filter(|other| *other != prefix && !twins(other));
        if let Some(other) = in_tree(prefix, ground).or_else(|| planned.map(str::to_owned)) {
            let message =
                format!("cannot {} '{path}': '{prefix}' and '{other}' differ only in case or accents", verb(case));
            let hint = "on Windows and macOS they are one file: use one spelling";
            return findings.push(about(case, Finding::error("case-collision", message).hint(hint)));
        }
    }
}

/// An entry of the tree that stays and that `prefix`, new there, would collide with.
fn in_tree(prefix: &str, ground: &Ground) -> Option<String> {
    let (parent, name) = prefix.rsplit_once('/').unwrap_or(("", prefix));
    let entries = ground.snapshot.directories.get(parent)?;
    if entries.contains_key(name) {
        return None;
    }
    let full = |other: &str| if parent.is_empty() { other.to_owned() } else { format!("{parent}/{other}") };
    let beside = ground.neighbours.of(parent);
    let mut others = beside.folded.get(&folded(name))?.iter().map(|other| full(other));
    others.find(|other| !ground.vacated.contains_key(other.as_str()))
}
