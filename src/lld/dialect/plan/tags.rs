//! Files between tags: `<files>a.py, b.py</files>`, and what other tags say of what stands in them.

use super::claim::Place;
use super::front::{self, Tag};
use super::statement::{self, unnumbered};
use super::walk::Walk;
use crate::lld::lines::Line;
use crate::lld::sentence::said_by_title;
use crate::lld::title::Scope;

/// How deep tags lie in each other.
const MAX_TAGS: usize = 8;

impl<'a> Walk<'a> {
    pub(super) fn tag(&mut self, tag: Tag<'a>, line: &Line<'a>) {
        match tag {
            Tag::Close(name) => {
                if let Some(at) = self.tags.iter().rposition(|(open, _)| *open == name) {
                    self.tags.truncate(at);
                }
            }
            Tag::Open(name, rest) => {
                let scope = front::of_tag(name);
                let (inside, closed) = match rest.split_once("</") {
                    Some((inside, _)) => (inside, true),
                    None => (rest, false),
                };
                let ends = closed || self.ends.get(name).is_some_and(|&end| end > line.number);
                if !ends || self.tags.len() >= MAX_TAGS {
                    return;
                }
                if name == "name" {
                    self.task = said_by_title(unnumbered(inside));
                }
                self.tags.push((name, scope));
                match scope {
                    Some(Scope::Files(_)) => self.tagged(inside, line.number),
                    _ => self.take(statement::read(inside), line.number, Place::Line, inside),
                }
                if closed {
                    self.tags.pop();
                }
                (self.label, self.begun) = (None, false);
                self.items.clear();
            }
        }
    }

    /// The paths between `<files>` and `</files>`, one a line or with commas.
    pub(super) fn tagged(&mut self, text: &str, line: usize) {
        for part in text.split("</").next().unwrap_or_default().split(',') {
            let part = part.trim().trim_start_matches("- ").trim();
            let whole = statement::read(&format!("`{}`", part.trim_matches('`')));
            let path = part.split([' ', '(']).next().unwrap_or_default().trim_matches('`');
            if whole.as_ref().is_some_and(|whole| !whole.targets.is_empty()) {
                self.take(whole, line, Place::Bullet, "");
            } else if !path.is_empty() {
                let note = part.get(path.len()..).unwrap_or_default();
                self.take(
                    statement::read(&format!("`{path}` {}", note.trim_start_matches('`'))),
                    line,
                    Place::Bullet,
                    "",
                );
            }
        }
    }
}
