//! What the rules look at: the design as it was read, and its lines by section.

use super::{Candidate, DesignKind, Tree};
use crate::lld::{Lld, Section};

pub(super) struct Ground<'a> {
    pub text: &'a str,
    pub lld: &'a Lld,
    pub tree: Option<&'a Tree>,
    pub kind: DesignKind,
    lines: Vec<&'a str>,
}

impl<'a> Ground<'a> {
    pub fn new(candidate: &Candidate<'a>) -> Self {
        let Candidate { text, lld, tree, .. } = *candidate;
        // Cut as the reader of designs cuts, so that the numbers agree.
        Ground { text, lld, tree, kind: DesignKind::of(lld), lines: text.split('\n').collect() }
    }

    /// The lines under a heading, those of deeper headings included, each with its number from 1.
    pub fn under(&self, section: &Section) -> impl Iterator<Item = (usize, &'a str)> + use<'a, '_> {
        let first = section.line;
        let lines = self.lines.get(first..section.end.min(self.lines.len())).unwrap_or_default();
        lines.iter().enumerate().map(move |(at, line)| (first + at + 1, line.trim_end_matches('\r')))
    }

    pub fn done(&self) -> Option<&'a Section> {
        self.lld.section(|title| matches!(title, "definition of done" | "done"))
    }

    /// The lines that are about tests, wherever they stand, each once.
    pub fn about_tests(&self) -> impl Iterator<Item = (usize, &'a str)> + '_ {
        let done = self.done();
        let in_done = move |section: &Section| done.is_some_and(|done| (done.line..=done.end).contains(&section.line));
        let mut last = 0;
        let sections = self.lld.sections.iter().filter(move |section| section.level > 1 && !in_done(section));
        sections.filter(|section| is_about_tests(&section.title)).flat_map(move |section| {
            let from = last.max(section.line);
            last = last.max(section.end);
            self.under(section).filter(move |(line, _)| *line > from)
        })
    }
}

fn is_about_tests(title: &str) -> bool {
    title.split(|c: char| !c.is_alphanumeric()).any(|word| {
        matches!(
            word,
            "test" | "tests" | "testing" | "scenarios" | "verification" | "validation" | "coverage" | "traceability"
        )
    })
}
