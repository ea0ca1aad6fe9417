//! A design as sections: which lines stand under which heading, with or without those of deeper headings.

use super::inline::bullet;
use super::lines::{Fences, Line, LineKind, scan};
use super::title;

/// The lines of a document, under its name.
pub(super) struct Document<'a> {
    /// The path that the document was read from, for the dialects that go by it.
    pub name: &'a str,
    pub lines: Vec<Line<'a>>,
    pub headings: Vec<Heading<'a>>,
}

#[derive(Debug, Clone)]
pub(super) struct Heading<'a> {
    /// The index of its line.
    pub at: usize,
    pub level: usize,
    pub title: &'a str,
    /// The title by its words (see [`title::normal`]).
    pub normal: String,
    /// The index after the last line of the section, deeper headings included.
    pub end: usize,
    /// The index of the next heading of any level.
    pub own_end: usize,
    /// The index of the heading that it stands under.
    pub parent: Option<usize>,
}

impl<'a> Document<'a> {
    pub fn new(name: &'a str, text: &'a str, fences: Fences) -> Document<'a> {
        let lines = scan(text, fences);
        let mut headings: Vec<Heading<'a>> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            if let LineKind::Heading(level, title) = line.kind {
                let normal = title::normal(title);
                headings.push(Heading {
                    at,
                    level,
                    title,
                    normal,
                    end: lines.len(),
                    own_end: lines.len(),
                    parent: None,
                });
            }
        }
        let mut open: [Option<usize>; 8] = [None; 8];
        for index in 0..headings.len() {
            let Some((at, level)) = headings.get(index).map(|heading| (heading.at, heading.level)) else { continue };
            if let Some(before) = index.checked_sub(1).and_then(|before| headings.get_mut(before)) {
                before.own_end = at;
            }
            for slot in open.iter_mut().skip(level) {
                if let Some(heading) = slot.take().and_then(|slot: usize| headings.get_mut(slot)) {
                    heading.end = at;
                }
            }
            let parent = open.iter().take(level).rev().find_map(|slot| *slot);
            let parent = parent.and_then(|parent| headings.get(parent)).map(|parent| parent.at);
            if let Some(heading) = headings.get_mut(index) {
                heading.parent = parent;
            }
            if let Some(slot) = open.get_mut(level) {
                *slot = Some(index);
            }
        }
        Document { name, lines, headings }
    }

    /// The lines under a heading, up to the next heading of any level.
    pub fn own(&self, heading: &Heading) -> &[Line<'a>] {
        self.lines.get(heading.at + 1..heading.own_end).unwrap_or_default()
    }

    /// The lines under a heading, those of deeper headings included.
    pub fn whole(&self, heading: &Heading) -> &[Line<'a>] {
        self.lines.get(heading.at + 1..heading.end).unwrap_or_default()
    }

    /// The headings inside the section of `heading`.
    pub fn inside(&self, heading: &Heading) -> impl Iterator<Item = &Heading<'a>> {
        let first = self.headings.partition_point(|other| other.at <= heading.at);
        let end = heading.end;
        self.headings.iter().skip(first).take_while(move |other| other.at < end)
    }

    /// The heading of the line at `at`.
    pub fn heading_at(&self, at: usize) -> Option<&Heading<'a>> {
        self.headings.binary_search_by_key(&at, |heading| heading.at).ok().and_then(|index| self.headings.get(index))
    }

    /// The first heading whose words satisfy `is`.
    pub fn find(&self, is: impl Fn(&str) -> bool) -> Option<&Heading<'a>> {
        self.headings.iter().find(|heading| is(&heading.normal))
    }

    /// The title of the document: its first heading of level 1 that is not a wrapper's.
    pub fn title(&self) -> Option<&Heading<'a>> {
        let first = |heading: &&Heading| heading.level == 1;
        self.headings.iter().filter(first).find(|heading| heading.normal != "lld finalized")
    }
}

/// What is in each of the fences among `lines`.
pub(super) fn fences<'a, 'd>(lines: &'d [Line<'a>]) -> Vec<&'d [Line<'a>]> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if line.kind == LineKind::Open {
            let start = at;
            while lines.get(at).is_some_and(|line| line.kind == LineKind::Code) {
                at += 1;
            }
            found.push(lines.get(start..at).unwrap_or_default());
        }
    }
    found
}

/// A list item with the lines that belong to it.
pub(super) struct ListItem<'a> {
    pub line: usize,
    pub bullet: super::inline::Bullet<'a>,
    /// Deeper items and continuation lines, as they are written.
    pub under: Vec<&'a str>,
}

/// The items of the outermost level of every list among `lines`.
pub(super) fn items<'a>(lines: &[Line<'a>]) -> Vec<ListItem<'a>> {
    let mut items: Vec<ListItem<'a>> = Vec::new();
    let mut open = false;
    let mut blank = false;
    for line in lines {
        match line.kind {
            LineKind::Blank => blank = true,
            LineKind::Text => {
                let outer = items.last().filter(|_| open).map(|item| item.bullet.indent);
                match bullet(line.text) {
                    Some(found) if outer.is_none_or(|outer| found.indent <= outer + 1) => {
                        items.push(ListItem { line: line.number, bullet: found, under: Vec::new() });
                        open = true;
                    }
                    Some(_) => items.last_mut().into_iter().for_each(|item| item.under.push(line.text)),
                    // Text after a blank line at the margin ends the list.
                    None if blank && !line.text.starts_with([' ', '\t']) => open = false,
                    None if open => items.last_mut().into_iter().for_each(|item| item.under.push(line.text)),
                    None => {}
                }
                blank = false;
            }
            LineKind::Code | LineKind::Open | LineKind::Close if open => {
                items.last_mut().into_iter().for_each(|item| item.under.push(line.text));
                blank = false;
            }
            _ => open = false,
        }
    }
    items
}

/// The words of a line that announces what follows: `**New files:**`, `Files to modify:`.
pub(super) fn caption(text: &str) -> Option<&str> {
    let text = text.trim();
    let plain = text.strip_suffix(':').filter(|text| title::file_list(text).is_some());
    if plain.is_some() && bullet(text).is_none() {
        return plain;
    }
    let text = text.trim_end_matches(':').trim_end();
    let inside = text.strip_prefix("**")?.strip_suffix("**")?;
    (!inside.contains("**") && inside.len() < 80).then(|| inside.trim_end_matches(':').trim())
}
