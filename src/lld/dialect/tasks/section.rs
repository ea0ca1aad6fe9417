//! Where a task stands: phase or group, and user story, by the headings above it.

use super::items::is_about_criteria;
use crate::lld::inline::plain;

/// What the headings above a task say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TaskHeadings<'a> {
    /// `3` of "Phase 3: …" and "3. …".
    pub phase: Option<String>,
    /// The title after the number.
    pub title: Option<&'a str>,
    /// `US1` of "User Story 1 - …".
    pub story: Option<String>,
}

/// The headings that are open at a line, the outermost first.
#[derive(Debug, Default)]
pub(super) struct Sections<'a> {
    open: Vec<Open<'a>>,
}

#[derive(Debug)]
struct Open<'a> {
    level: usize,
    place: TaskHeadings<'a>,
    criteria: bool,
}

impl<'a> Sections<'a> {
    pub fn enter(&mut self, level: usize, title: &'a str) {
        while self.open.last().is_some_and(|open| open.level >= level) {
            self.open.pop();
        }
        let (phase, rest) = numbered(title, level);
        let place = TaskHeadings { phase, title: Some(rest).filter(|_| level > 1), story: story(title) };
        self.open.push(Open { level, place, criteria: is_about_criteria(title) });
    }

    /// The outermost numbered heading is the phase, else the outermost heading below the title; the innermost story
    /// counts.
    pub fn place(&self) -> TaskHeadings<'a> {
        let places = || self.open.iter().map(|open| &open.place);
        let phase = places().find(|place| place.phase.is_some());
        let phase = phase.or_else(|| places().find(|place| place.title.is_some()));
        let story = places().rev().find_map(|place| place.story.clone());
        TaskHeadings {
            phase: phase.and_then(|place| place.phase.clone()),
            title: phase.and_then(|place| place.title),
            story,
        }
    }

    pub fn is_about_criteria(&self) -> bool {
        self.open.last().is_some_and(|open| open.criteria)
    }
}

/// Words that stand before the number of a phase.
const PHASES: [&str; 24] = [
    "phase",
    "stage",
    "milestone",
    "step",
    "group",
    "task group",
    "section",
    "part",
    "sprint",
    "week",
    "epic",
    "wave",
    "batch",
    "iteration",
    "track",
    "fase",
    "étape",
    "etapa",
    "フェーズ",
    "阶段",
    "階段",
    "단계",
    "第",
    "módulo",
];

/// The number of a phase (`3`, `3.1`, `N`, `A`), and the title after it.
fn numbered(title: &str, level: usize) -> (Option<String>, &str) {
    let text = title.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = PHASES.iter().find_map(|word| {
        let (head, rest) = text.split_at_checked(word.len())?;
        (head.to_lowercase() == *word).then(|| rest.trim_start())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_known_by_their_numbers_in_all_the_ways_they_are_written() {
        for (title, phase, rest) in [
            ("Phase 3: User Story 1 - Sign in", "3", "User Story 1 - Sign in"),
            ("2. Backend", "2", "Backend"),
            ("✅ Phase 4 — Polish", "4", "Polish"),
            ("Phase N: Polish", "N", "Polish"),
            ("3.1 Setup", "3.1", "Setup"),
            ("Stage 2", "2", ""),
            ("フェーズ1: 準備", "1", "準備"),
        ] {
            assert_eq!(numbered(title, 2), (Some(phase.to_owned()), rest), "{title}");
        }
        for title in ["Final Phase: Polish", "Setup", "2024 Roadmap", "Phases"] {
            assert_eq!(numbered(title, 2), (None, title), "{title}");
        }
    }

    #[test]
    fn stories_are_found_in_headings() {
        assert_eq!(story("Phase 3: User Story 1 - Sign in (Priority: P1)").as_deref(), Some("US1"));
        assert_eq!(story("Tests for US12").as_deref(), Some("US12"));
        assert_eq!(story("Status 3"), None);
        assert_eq!(story("History 3"), None);
    }

    #[test]
    fn a_deeper_heading_does_not_leave_the_phase() {
        let mut sections = Sections::default();
        sections.enter(1, "Tasks");
        sections.enter(2, "Phase 2: User Story 1 - In");
        sections.enter(3, "2.2 Tests");
        assert_eq!(sections.place().phase.as_deref(), Some("2"));
        sections.enter(2, "Dependencies");
        let place = sections.place();
        assert_eq!((place.phase, place.title, place.story), (None, Some("Dependencies"), None));
    }
}
