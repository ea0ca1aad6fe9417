//! A review: one page that needs nothing else, or texts for the pager, a commit after the other.
//!
//! What is said here of both is as it came: whoever shows it makes it safe, each in its way.

mod chart;
mod code;
mod foreign;
mod page;
mod points;
mod text;
mod told;

pub use page::{MARK, page};
pub use text::text;

use super::numbers::plural;
use crate::evidence::{Effect, Evidence, File, Unshown};
use crate::finding::{Finding, Severity};
use crate::record::verify::{Judged, Verification};
use std::borrow::Cow;

/// What of a reply or a prompt is shown at most, in bytes.
const MOST: usize = 60_000;

/// `src/old.py → src/new.py`, or the path alone.
fn place(file: &File) -> String {
    match &file.from {
        Some(from) => format!("{} → {}", named(from), named(&file.path)),
        None => named(&file.path).into_owned(),
    }
}

/// A path, in quotes if it looks like two.
fn named(path: &str) -> Cow<'_, str> {
    if path.contains(" → ") { Cow::Owned(format!("'{path}'")) } else { Cow::Borrowed(path) }
}

/// What is to be said of a file beside its lines: its mode, and why none of them is shown.
fn beside(file: &File) -> Vec<String> {
    let kind = match file.mode {
        Some("100755") => Some("executable"),
        Some("120000") => Some("symbolic link"),
        _ => None,
    };
    let mode = file.modes.map(|(before, after)| format!("mode {before} → {after}"));
    let mode = mode.or(kind.map(str::to_owned));
    let bytes = |size: Option<usize>| size.map_or("none".to_owned(), |size| plural(size, "byte"));
    let why = file.unshown.map(|why| match why {
        Unshown::Binary { before, after } => format!("binary, {} → {}", bytes(before), bytes(after)),
        Unshown::Long => "too long to be shown".to_owned(),
        Unshown::Submodule => "a commit of another repository".to_owned(),
        Unshown::Missing => "what it holds is not here".to_owned(),
    });
    let none = match file.change {
        Effect::Renamed => Some("no line differs"),
        Effect::Added | Effect::Deleted => Some("empty"),
        Effect::Modified | Effect::Mode => None,
    };
    let none = none.filter(|_| file.hunks.is_empty() && file.unshown.is_none()).map(str::to_owned);
    mode.into_iter().chain(why).chain(none).collect()
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
            let paths: Vec<&str> = judged.mismatches.iter().map(|it| it.path.as_str()).collect();
            format!("changed by a person since: {}", paths.join(", "))
        }
        Verification::TooOld => "its record is too old to make it again".to_owned(),
        Verification::TooNew => "its record is of a newer program".to_owned(),
        Verification::Missing => "the record of its run is not here".to_owned(),
        Verification::Altered => format!("its record was altered: {}", judged.reasons.join("; ")),
    }
}

/// What of a message is not its subject.
fn body(message: &str) -> Option<&str> {
    let (_, body) = message.split_once('\n')?;
    Some(body.trim_matches('\n')).filter(|body| !body.is_empty())
}

/// `warning: … [id]`, with its line.
fn said(finding: &Finding) -> String {
    let line = finding.line.map_or(String::new(), |line| format!("line {line}: "));
    format!("{line}{} [{}]", finding.message, finding.id)
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

/// What git says below a line with which a text ends otherwise than lines do.
const UNENDED: &str = "\\ No newline at end of file";

/// `3 commits, 5 files, 120 lines added, 4 removed in all commits`: a line that comes and goes counts twice.
fn size(review: &Evidence) -> String {
    let files: Vec<&File> = review.commits.iter().flat_map(|commit| &commit.files).collect();
    let (added, removed) = counts(&files);
    let names: std::collections::BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let all = if review.commits.len() > 1 { " in all commits" } else { "" };
    let is_missing = |file: &&File| file.unshown == Some(Unshown::Missing);
    let known = if files.iter().any(is_missing) { ", without what is not here" } else { "" };
    let (commits, names) = (plural(review.commits.len(), "commit"), plural(names.len(), "file"));
    format!("{commits}, {names}, {} added, {removed} removed{all}{known}", plural(added, "line"))
}
