//! Where a task stands: phase or group, and user story, by the headings above it.

use super::items::is_about_criteria;
use crate::lld::document::{Document, Heading};
use crate::lld::inline::plain;
use crate::lld::vocabulary::list;

/// What the headings above a task say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TaskHeadings<'a> {
    /// `3` of "Phase 3: …" and "3. …".
    pub phase: Option<String>,
    /// The title after the number.
    pub title: Option<&'a str>,
    /// `US1` of "User Story 1 - …".
    pub story: Option<String>,
    /// The innermost is about conditions, not about steps.
    pub criteria: bool,
}

/// What the headings say that are open in the section of `heading`, less those that are tasks themselves. The outermost
/// numbered one is the phase, else the outermost below the title; the innermost story counts.
pub(super) fn place<'a>(document: &Document<'a>, heading: &Heading<'a>, tasks: &[usize]) -> TaskHeadings<'a> {
    let above = std::iter::successors(Some(heading), |heading| document.heading_at(heading.parent?));
    let mut open: Vec<&Heading> = above.filter(|heading| tasks.binary_search(&heading.at).is_err()).collect();
    open.reverse();
    let numbers = || open.iter().map(|heading| (heading.level, numbered(heading.title, heading.level)));
    let phase = numbers().find(|(_, (phase, _))| phase.is_some()).or_else(|| numbers().find(|(level, _)| *level > 1));
    TaskHeadings {
        title: phase.as_ref().filter(|(level, _)| *level > 1).map(|(_, (_, title))| *title),
        phase: phase.and_then(|(_, (phase, _))| phase),
        story: open.iter().rev().find_map(|heading| story(heading.title)),
        criteria: open.last().is_some_and(|heading| is_about_criteria(heading.title)),
    }
}

/// The number of a phase (`3`, `3.1`, `N`, `A`), and the title after it.
fn numbered(title: &str, level: usize) -> (Option<String>, &str) {
    let text = title.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = list("task-phase").iter().find_map(|word| {
        let (head, rest) = text.split_at_checked(word.len())?;
        (head.to_lowercase() == **word).then(|| rest.trim_start())
    });
    let from = word.unwrap_or(text);
    let end = from.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(from.len());
    let (number, rest) = from.split_at_checked(end).unwrap_or((from, ""));
    let trimmed = number.trim_end_matches('.');
    let digits = trimmed.starts_with(|c: char| c.is_ascii_digit())
        && trimmed.chars().all(|c| c.is_ascii_digit() || c == '.')
        && trimmed.len() <= 8;
    let letter = word.is_some() && trimmed.len() == 1 && trimmed.chars().all(|c| c.is_ascii_uppercase());
    // "# 2024 Roadmap" and "## 3 ways" have a number and are no phase.
    let marked = number.len() > trimmed.len() || trimmed.contains('.') || rest.starts_with([':', ')', '、', '：']);
    if !(letter || digits && (word.is_some() || marked || level > 1 && trimmed.len() <= 2)) {
        return (None, title);
    }
    (Some(trimmed.to_owned()), rest.trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '`')))
}

/// `US1` of "User Story 1", "(US1)" and "Story 2".
fn story(title: &str) -> Option<String> {
    let text = plain(title).to_lowercase();
    let after = |mark: &str| {
        text.match_indices(mark).find_map(|(at, _)| {
            let rest = text.get(at + mark.len()..)?.trim_start_matches([' ', '#']);
            let digits: String = rest.chars().take_while(char::is_ascii_digit).take(4).collect();
            let start = text.get(..at).and_then(|before| before.chars().next_back());
            (!digits.is_empty() && start.is_none_or(|c| !c.is_alphanumeric())).then_some(digits)
        })
    };
    let number = ["user story", "story", "us", "用户故事", "ユーザーストーリー"].iter().find_map(|mark| after(mark))?;
    Some(format!("US{number}"))
}
