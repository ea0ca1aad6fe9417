//! Which column of a table holds the path, which the change type, which the prose.
//!
//! By the header's words first, by what stands in the cells where the words are unusual.

use super::table::Table;
use super::target::{self, Cell};
use super::vocabulary::{has, list};
use super::wording;

/// The columns of a file list, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    pub path: usize,
    pub kind: Option<usize>,
    /// What becomes the description, in order.
    pub prose: Vec<usize>,
    /// The column that unescaped bars belong to.
    pub wide: usize,
}

/// The most columns that become part of a description.
const MAX_PROSE: usize = 8;

/// How many rows are looked at to judge a column.
const SAMPLE: usize = 50;

/// The columns of a file list; `None` if the table is about something else.
pub(super) fn find(table: &Table) -> Option<Columns> {
    let header: Vec<String> = table.header.iter().map(|title| super::title::normal(title)).collect();
    let path = list("column-path")
        .iter()
        .find_map(|name| {
            header.iter().position(|title| title == name || title.replace(['/', '(', ')'], " ").trim() == *name)
        })
        .or_else(|| (0..header.len().min(8)).find(|&column| most(table, column, is_path)))?;
    let named = |name: &str| list(name).iter().find_map(|name| header.iter().position(|title| title == name));
    let typed = |cell: &str| wording::read(cell).exact;
    let kind = named("column-change")
        .or_else(|| named("column-maybe-change").filter(|&at| most(table, at, typed)))
        .or_else(|| (0..header.len().min(8)).find(|&column| column != path && most(table, column, typed)))
        .filter(|&column| column != path);
    let described = named("column-prose");
    let prose: Vec<usize> = match described {
        Some(column) => vec![column],
        None => (0..header.len())
            .filter(|&column| column != path && Some(column) != kind)
            .filter(|&column| !is_counter(header.get(column).map_or("", String::as_str)))
            .take(MAX_PROSE)
            .collect(),
    };
    let wide = described.or(prose.last().copied()).or(kind).unwrap_or(header.len().saturating_sub(1));
    Some(Columns { path, kind, prose, wide })
}

/// Does the title of a column say that files stand in it?
pub(super) fn names_files(table: &Table, column: usize) -> bool {
    table.header.get(column).is_some_and(|title| has("column-path", &super::title::normal(title)))
}

/// A column that would be read as a file's path or as its change type, if its title were one that is known: the title, and
/// the one to give it. `columns`: what is known of the table; `implied`: words above it say what happens to its files.
pub(super) fn unknown<'t>(
    table: &'t Table,
    columns: Option<&Columns>,
    implied: bool,
) -> Option<(&'t str, &'static str)> {
    let title = |at: usize| Some(table.titles.get(at)?.as_str()).filter(|title| !title.trim().is_empty());
    let normal = |at: usize| table.header.get(at).map(|title| super::title::normal(title)).unwrap_or_default();
    let strange = |&at: &usize| {
        let normal = normal(at);
        let known = ["column-path", "column-change", "column-prose"].iter().any(|name| has(name, &normal));
        !known && !is_counter(&normal)
    };
    let mut all = (0..table.header.len().min(MAX_PROSE)).filter(strange);
    match columns {
        Some(columns) if columns.kind.is_none() && !implied => {
            // What stands in it looks like a change type: a word or two in each row.
            let is_word = |cell: &str| cell.contains(char::is_alphabetic) && cell.split_whitespace().count() <= 2;
            let at = all.find(|&at| at != columns.path && most(table, at, |cell| is_word(cell) && !is_path(cell)))?;
            Some((title(at)?, "Change"))
        }
        None => {
            let typed =
                |at: usize| has("column-change", &normal(at)) && most(table, at, |cell| wording::read(cell).exact);
            let is_list = (0..table.header.len()).any(typed);
            let at = all.next().filter(|_| is_list)?;
            Some((title(at)?, "File"))
        }
        _ => None,
    }
}

/// Columns of numbers.
fn is_counter(title: &str) -> bool {
    title.is_empty() || has("column-counter", title)
}

/// Does the cell name a file first? A number of a section is none, and a sentence about a file neither.
fn is_path(cell: &str) -> bool {
    let lead = cell.find(['`', '[']).and_then(|marks| cell.get(..marks)).unwrap_or_default();
    let named = |path: &str| path.contains(['/', '.']) && path.contains(char::is_alphabetic);
    (!lead.contains(char::is_alphanumeric) || lead.trim_end().ends_with(':'))
        && matches!(target::read(cell), Cell::Paths { targets, .. } if targets.first().is_some_and(|first| named(&first.path)))
}

/// Do at least half of the rows, and one at least, have such a cell?
fn most(table: &Table, column: usize, is: impl Fn(&str) -> bool) -> bool {
    let columns = table.header.len();
    let rows = table.rows.iter().take(SAMPLE);
    let (mut hits, mut all) = (0, 0);
    for row in rows {
        all += 1;
        hits += usize::from(row.cells(columns, columns.saturating_sub(1)).get(column).is_some_and(|cell| is(cell)));
    }
    hits > 0 && hits * 2 >= all
}
