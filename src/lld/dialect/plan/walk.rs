//! Goes through a plan line by line, with the titles, labels and tags that each line stands under, and keeps what the lines
//! say of paths.

use super::claim::{Claim, Place};
use super::{front, statement};
use crate::finding::Finding;
use crate::lld::Change;
use crate::lld::dialect::{Document, Heading};
use crate::lld::lines::LineKind;
use crate::lld::table::{Table, tables};
use crate::lld::title::{Scope, file_list};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What was found on the way.
#[derive(Default)]
pub(super) struct Walked {
    pub claims: Vec<Claim>,
    pub findings: Vec<Finding>,
    /// The names of types that steps create: "Create the ParserConfig class".
    pub made: HashSet<String>,
}

/// What all lines of a document say.
pub(super) fn walk(document: &Document) -> Walked {
    let title_at = document.title().map(|title| title.at);
    let mut walk = Walk { title_at, ends: front::ends(&document.lines), ..Walk::default() };
    walk.open.push(Open::files(""));
    for (line, path) in front::listed(&document.lines) {
        walk.take(statement::read(&format!("`{path}`")), line, Place::Bullet, "");
    }
    walk.open.clear();
    walk.lines(document, 0, document.lines.len());
    walk.walked
}

/// What the lines of a section say that is the list of the design, as far as the line at `end`.
pub(super) fn section(document: &Document, heading: &Heading, end: usize) -> Walked {
    let mut walk = Walk { is_list: true, ..Walk::default() };
    walk.open.push(Open::files(heading.title));
    walk.lines(document, heading.at + 1, end);
    walk.walked
}

/// A heading that is open.
pub(super) struct Open<'a> {
    pub(super) level: usize,
    pub(super) title: &'a str,
    pub(super) scope: Option<Scope>,
    /// What its verb suggests of a file that a label under it names.
    pub(super) hint: Option<Change>,
    /// The directory that the title names.
    pub(super) directory: Option<String>,
}

impl<'a> Open<'a> {
    /// One that announces files, above all others.
    fn files(title: &'a str) -> Open<'a> {
        Open { level: 0, title, scope: Some(Scope::Files(file_list(title).flatten())), hint: None, directory: None }
    }
}

/// What a label says of what stands under it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lead {
    pub(super) scope: Option<Scope>,
    /// The verb with which it begins.
    pub(super) verb: Option<Change>,
}

/// A list item that is open.
pub(super) struct Item {
    pub(super) indent: usize,
    /// What it says of the items under it, if it is a label.
    pub(super) lead: Lead,
    /// It names paths itself: what stands under it says more about them.
    pub(super) named: bool,
    pub(super) directory: Option<String>,
    /// The claims that it makes.
    pub(super) claims: Range<usize>,
    /// It has a box: a step.
    pub(super) boxed: bool,
}

#[derive(Default)]
pub(super) struct Walk<'a> {
    pub(super) walked: Walked,
    pub(super) title_at: Option<usize>,
    pub(super) open: Vec<Open<'a>>,
    pub(super) tags: Vec<(&'a str, Option<Scope>)>,
    /// What the name of the task suggests of its files.
    pub(super) task: Option<Change>,
    /// The last line that closes a tag of each name.
    pub(super) ends: HashMap<&'a str, usize>,
    pub(super) label: Option<Lead>,
    /// A line such as `**File**: src/a.py` came before in this section: verbs after it are about what is in the file.
    pub(super) in_file: bool,
    pub(super) items: Vec<Item>,
    /// The claims since the last label that names files begin here.
    pub(super) recent: usize,
    /// Has the label's list begun?
    pub(super) begun: bool,
    /// In a table of steps each cell counts as one.
    pub(super) in_table: bool,
    /// The files of pictures of what is there.
    pub(super) today: HashSet<String>,
    /// The line that is read has a box.
    pub(super) boxed: bool,
    pub(super) blank: bool,
    /// All lines are those of the design's list: an item that names nothing is a row, and other lines are remarks.
    pub(super) is_list: bool,
}

impl<'a> Walk<'a> {
    /// Goes through the lines from the one at `at` to the one at `end`.
    fn lines(&mut self, document: &Document<'a>, mut at: usize, end: usize) {
        let lines = document.lines.get(..end).unwrap_or(&document.lines);
        let tables = tables(lines.get(at..).unwrap_or_default());
        let tables: HashMap<usize, Table> = tables.into_iter().map(|table| (table.line, table)).collect();
        while let Some(line) = lines.get(at) {
            at += 1;
            match line.kind {
                LineKind::Heading(level, title) => self.heading(document, at - 1, level, title),
                LineKind::Open => {
                    let start = at;
                    while lines.get(at).is_some_and(|line| line.kind == LineKind::Code) {
                        at += 1;
                    }
                    self.fence(lines.get(start..at).unwrap_or_default());
                }
                LineKind::Text => match tables.get(&line.number) {
                    Some(table) => {
                        self.table(table);
                        at += lines.get(at..).unwrap_or_default().partition_point(|line| line.number <= table.last);
                    }
                    None => self.text(line),
                },
                LineKind::Blank => self.blank = true,
                LineKind::Front | LineKind::Comment | LineKind::Close | LineKind::Code => {}
            }
        }
    }

    /// What holds for the next line.
    pub(super) fn scope(&self) -> Option<Scope> {
        let titles = self.open.iter().map(|open| open.scope).chain(self.tags.iter().map(|(_, scope)| *scope));
        let leads = self.label.into_iter().chain(self.items.iter().map(|item| item.lead));
        titles.chain(leads.map(|lead| lead.scope)).fold(None, |outer, scope| match scope {
            _ if matches!(outer, Some(Scope::Aside | Scope::Forbidden)) => outer,
            Some(Scope::Steps) => outer.or(scope),
            scope => scope.or(outer),
        })
    }

    pub(super) fn implied(&self) -> Option<Change> {
        match self.scope() {
            Some(Scope::Files(change)) => change,
            _ => None,
        }
    }
}
