//! A review: one page that needs nothing else, or texts for the pager, a commit after the other.

mod chart;
mod code;
mod points;
mod page;
mod text;
mod told;

pub use page::{MARK, page};
pub use text::text;

use super::numbers::plural;
use super::plain::neutralise;
use crate::evidence::{Evidence, File, Unshown};
use crate::finding::{Finding, Severity};
use crate::record::verify::{Judged, Verification};

/// What of a reply or a prompt is shown at most, in bytes.
const MOST: usize = 60_000;

/// `src/old.py → src/new.py`, or the path alone.
fn place(file: &File) -> String {
    match &file.from {
        Some(from) => format!("{} → {}", neutralise(from), neutralise(&file.path)),
        None => neutralise(&file.path).into_owned(),
    }
}

/// What is to be said of a file beside its lines: its mode, and why none of them is shown.
fn beside(file: &File) -> Vec<String> {
    let mode = file.modes.map(|(before, after)| format!("mode {before} → {after}"));
    let bytes = |size: Option<usize>| size.map_or("none".to_owned(), |size| plural(size, "byte"));
    let why = file.unshown.map(|why| match why {
        Unshown::Binary { before, after } => format!("binary, {} → {}", bytes(before), bytes(after)),
        Unshown::Long => "too long to be shown".to_owned(),
        Unshown::Submodule => "a commit of another repository".to_owned(),
        Unshown::Missing => "what it holds is not here".to_owned(),
    });
    let is_same = file.from.is_some() && file.hunks.is_empty() && file.unshown.is_none();
    let same = is_same.then(|| "no line differs".to_owned());
    mode.into_iter().chain(why).chain(same).collect()
}

/// The first heading of the design, or its path.
fn title(review: &Evidence) -> String {
    let design = review.runs.first().map(|run| &run.design);
    let heading = design.and_then(|design| {
        let lines = design.text.as_deref()?.lines();
        lines.map(str::trim).find_map(|line| Some(line.strip_prefix("# ")?.trim().to_owned()))
    });
    heading.or_else(|| design.map(|design| design.path.clone())).unwrap_or_else(|| review.name.clone())
}

/// `12 lines added, 3 removed`, of the hunks.
fn counts(files: &[&File]) -> (usize, usize) {
    let hunks = files.iter().flat_map(|file| &file.hunks);
    hunks.map(|hunk| hunk.counts()).fold((0, 0), |(a, r), (added, removed)| (a + added, r + removed))
}

/// What `verify` says of a commit, for people.
fn verification(judged: &Judged) -> String {
    match judged.verification {
        Verification::Exact => "exactly what its record makes".to_owned(),
        Verification::NotGenerated => "of no run that is recorded here".to_owned(),
        Verification::Edited => {
            let paths: Vec<String> = judged.mismatches.iter().map(|it| neutralise(&it.path).into_owned()).collect();
            format!("changed by a person since: {}", paths.join(", "))
        }
        Verification::TooOld => "its record is too old to make it again".to_owned(),
        Verification::Missing => "the record of its run is not here".to_owned(),
        Verification::Altered => format!("its record was altered: {}", judged.reasons.join("; ")),
    }
}

/// `warning: … [id]`, with its line.
fn said(finding: &Finding) -> String {
    let line = finding.line.map_or(String::new(), |line| format!("line {line}: "));
    format!("{line}{} [{}]", neutralise(&finding.message), neutralise(&finding.id))
}

fn severity(finding: &Finding) -> &'static str {
    match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// `src/a.py, 2 warnings, no test came with it`.
fn risky(file: &File) -> String {
    let reasons: Vec<&str> = file.risk.reasons.iter().map(|reason| reason.words.as_str()).collect();
    reasons.join(", ")
}

/// `3 commits, 5 files, 120 lines added, 4 removed`.
fn size(review: &Evidence) -> String {
    let files: Vec<&File> = review.commits.iter().flat_map(|commit| &commit.files).collect();
    let (added, removed) = counts(&files);
    let names: std::collections::BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let (commits, files) = (plural(review.commits.len(), "commit"), plural(names.len(), "file"));
    format!("{commits}, {files}, {} added, {removed} removed", plural(added, "line"))
}
