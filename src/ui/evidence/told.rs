//! What is told on the page beside lines: of runs, of rows and of files.

use super::MOST;
use super::foreign::{foreign, foreign_lines};
use super::points::points;
use crate::evidence::{Evidence, File, Hunk, Run};
use maud::{Markup, html};

/// What reviewers said last.
pub(super) fn verdicts(review: &Evidence) -> Markup {
    html! {
        @for reviewed in review.runs.iter().filter_map(|run| run.story.reviewed) { p class="facts" { "Review: " (reviewed.words()) } }
    }
}

/// Items of the list of what to look at first.
pub(super) fn first(review: &Evidence) -> Markup {
    html! {
        @for point in points(review) {
            li {
                @match &point.href { Some(href) => a href=(href) { (foreign(&point.place)) }, None => (foreign(&point.place)) }
                ": " (foreign(&point.words))
            }
        }
    }
}

/// Why rows on this line of the design were not carried out.
pub(super) fn not_done(run: &Run, line: usize) -> Markup {
    let rows = run.design.rows.iter().filter(|row| row.line == line);
    html! {
        @for why in rows.filter_map(|row| row.not_done.as_deref()) { span class="none" { "(" (foreign(why)) ")" } " " }
    }
}

/// What a person has changed since, also where no hunk shows it: lines that are gone are in none.
pub(super) fn since(file: &File) -> Markup {
    let Some(patch) = &file.since else { return html! {} };
    let cut = patch.floor_char_boundary(MOST.min(patch.len()));
    html! {
        @if patch.is_empty() { p class="person" { "A person has changed this since." } }
        @else {
            p class="person" { "A person has changed this since:" }
            details class="try" {
                summary { "What is not as it was made" }
                pre tabindex="0" { (foreign_lines(&patch[..cut])) @if cut < patch.len() { "\n… and " (patch.len() - cut) " more bytes" } }
            }
        }
    }
}

/// Whose lines of a hunk are that the model has not written.
pub(super) fn reworked(file: &File, hunk: &Hunk) -> Markup {
    html! {
        @if let Some(by) = file.reworked(hunk) { p class="loose" { "Changed by " (foreign(&by)) " after the model." } }
    }
}
