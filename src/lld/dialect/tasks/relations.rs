//! What tasks say about other tasks: "depends on T012, T013", "(after T004)".
//!
//! Only what names tasks is read: that a phase comes after another is the order of the list. Whether the order can be
//! kept is the plan's business.

use super::items::Item;
use crate::lld::document::Document;
use crate::lld::lines::LineKind;
use crate::lld::vocabulary::list;
use std::collections::{HashMap, HashSet};

/// The tasks of a list by their ids, in its order.
pub(super) struct Ids<'a> {
    at: HashMap<&'a str, usize>,
    ids: Vec<&'a str>,
}

/// The most tasks that a range stands for.
const MAX_RANGE: usize = 500;

impl<'a> Ids<'a> {
    pub fn of(items: &[Item<'a>]) -> Ids<'a> {
        let ids: Vec<&str> = items.iter().map(|item| item.id.unwrap_or_default()).collect();
        let at = ids.iter().enumerate().rev().filter(|(_, id)| !id.is_empty()).map(|(at, id)| (*id, at)).collect();
        Ids { at, ids }
    }

    /// The index of the first task of this id.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.at.get(id).copied()
    }

    pub fn is_known(&self, id: &str) -> bool {
        self.at.contains_key(id)
    }

    /// The ids that `text` says must come first.
    pub fn depends(&self, text: &str) -> Vec<String> {
        let text = &text.replace("**", "");
        let lower = text.to_lowercase();
        // Lengths may differ in lower case; then nothing is cut out of the wrong place.
        let text = if lower.len() == text.len() { text } else { lower.as_str() };
        let mut found: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for phrase in list("task-before") {
            for (at, _) in lower.match_indices(phrase) {
                let before = lower.get(..at).and_then(|before| before.chars().next_back());
                let rest = text.get(at + phrase.len()..).unwrap_or_default();
                if before.is_none_or(|c| !c.is_alphanumeric()) {
                    for id in self.list(rest).0 {
                        if seen.insert(id.clone()) {
                            found.push(id);
                        }
                    }
                }
            }
        }
        found
    }

    /// The ids at the beginning of `text`, ranges expanded, and what follows them.
    fn list<'t>(&self, text: &'t str) -> (Vec<String>, &'t str) {
        let mut found = Vec::new();
        let mut rest = text;
        let mut range = false;
        loop {
            rest = rest.trim_start_matches([' ', ':', '：', ',', '、', '&', '*', '`', '(', '[', '+']);
            for word in ["and ", "tasks ", "task ", "on ", "completion of ", "et ", "y ", "und "] {
                rest = rest.strip_prefix(word).unwrap_or(rest);
            }
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).unwrap_or(rest.len());
            let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let word = word.trim_end_matches(['.', '-']);
            match self.at.get(word).copied() {
                Some(at) => self.add(at, range, &mut found),
                // `T012-T014` in one word.
                None => match word.split_once('-').and_then(|(a, b)| Some((*self.at.get(a)?, *self.at.get(b)?))) {
                    Some((first, last)) => {
                        self.add(first, false, &mut found);
                        self.add(last, true, &mut found);
                    }
                    None => return (found, rest),
                },
            }
            let next = after.trim_start_matches(['*', '`', ']']).trim_start();
            let marks = ["–", "—", "-", "to ", "through ", "..", "~", "〜"];
            let through = marks.iter().find_map(|mark| next.strip_prefix(mark));
            range = through.is_some();
            rest = through.unwrap_or(after);
        }
    }

    /// Adds the task at `at`; with `range` all from the last one on.
    fn add(&self, at: usize, range: bool, found: &mut Vec<String>) {
        let last = found.last().and_then(|id| self.at.get(id.as_str())).copied();
        let first = match last.filter(|&last| range && last < at && at - last <= MAX_RANGE) {
            Some(last) => last + 1,
            None => at,
        };
        let ids = self.ids.get(first..=at).unwrap_or_default();
        found.extend(ids.iter().filter(|id| !id.is_empty()).map(|id| (*id).to_owned()));
    }

    /// Lines such as "T014 depends on T012" outside of the tasks: the tasks, and what each depends on.
    pub fn stated(&self, document: &Document, items: &[Item]) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        let mut item = 0;
        for line in document.lines.iter().filter(|line| line.kind == LineKind::Text) {
            while items.get(item).is_some_and(|item| item.end < line.number) {
                item += 1;
            }
            if items.get(item).is_some_and(|item| item.line <= line.number) {
                continue;
            }
            let text = line.text.trim_start_matches([' ', '\t', '-', '*', '+', '•', '>']);
            let (tasks, rest) = self.list(text);
            let rest = rest.trim_start_matches([' ', '*', '`', ':', ')']);
            let says = ["depends on", "depend on", "requires", "require", "blocked by", "must come after", "after"];
            let on = says.iter().find_map(|phrase| rest.strip_prefix(phrase)).filter(|_| !tasks.is_empty());
            let on = on.map(|on| self.list(on).0).unwrap_or_default();
            if !on.is_empty() {
                found.extend(tasks.into_iter().map(|task| (task, on.clone())));
            }
        }
        found
    }
}

/// Does a line only name requirements: `_Requirements: 1.1, 1.2_`, `Requirements: FR-001`?
pub(super) fn is_requirements(line: &str) -> bool {
    let text = line.trim_start_matches(['-', '*', '_', ' ', '`', '(']).replace("**", "");
    ["Requirements:", "Requirement:", "Validates: Requirement", "要件:", "需求:"]
        .iter()
        .any(|label| text.starts_with(label))
}
