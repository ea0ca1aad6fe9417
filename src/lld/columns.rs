//! Which column of a table holds the path, which the change type, which the prose.
//!
//! By the header's words first, by what stands in the cells where the words are unusual.

use super::inline::{link, linked_path};
use super::shape::{Shape, shape};
use super::table::Table;
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

/// Titles of the column of paths.
const PATHS: &[&str] = &[
    "file path",
    "filepath",
    "path",
    "file",
    "files",
    "file name",
    "filename",
    "file s",
    "target file",
    "source file",
    "file to modify",
    "file to create",
    "target",
    "target path",
    "file(s)",
    "location",
    "ファイル",
    "対象ファイル",
    "文件",
    "檔案",
    "文件路径",
    "파일",
    "datei",
    "archivo",
    "fichier",
    "arquivo",
    "файл",
];
/// Titles of the column of change types, whatever is in it.
const CHANGES: &[&str] = &[
    "change type",
    "action",
    "operation",
    "change kind",
    "add/modify/delete",
    "change",
    "操作",
    "変更",
    "变更",
    "변경",
    "aktion",
    "acción",
    "ação",
    "действие",
];
/// Titles of that column if change types are in it.
const MAYBE_CHANGES: &[&str] = &["type", "kind", "status", "changes", "mode", "what"];
/// Titles of the column that describes.
const PROSE: &[&str] = &[
    "description",
    "purpose",
    "details",
    "summary",
    "what changes",
    "notes",
    "reason",
    "rationale",
    "why",
    "comment",
    "comments",
];

/// The columns of a file list; `None` if the table is about something else.
pub(super) fn find(table: &Table) -> Option<Columns> {
    let header: Vec<String> = table.header.iter().map(|title| super::title::normal(title)).collect();
    let path = PATHS
        .iter()
        .find_map(|name| {
            header.iter().position(|title| title == name || title.replace(['/', '(', ')'], " ").trim() == *name)
        })
        .or_else(|| (0..header.len().min(8)).find(|&column| most(table, column, is_path)))?;
    let named = |names: &[&str]| names.iter().find_map(|name| header.iter().position(|title| title == name));
    let typed = |cell: &str| wording::read(cell).exact;
    let kind = named(CHANGES)
        .or_else(|| named(MAYBE_CHANGES).filter(|&at| most(table, at, typed)))
        .or_else(|| (0..header.len().min(8)).find(|&column| column != path && most(table, column, typed)))
        .filter(|&column| column != path);
    let described = named(PROSE);
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
    table.header.get(column).is_some_and(|title| PATHS.contains(&super::title::normal(title).as_str()))
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
        let known = [PATHS, CHANGES, PROSE].iter().any(|names| names.contains(&normal.as_str()));
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
                |at: usize| CHANGES.contains(&normal(at).as_str()) && most(table, at, |cell| wording::read(cell).exact);
            let is_list = (0..table.header.len()).any(typed);
            let at = all.next().filter(|_| is_list)?;
            Some((title(at)?, "File"))
        }
        _ => None,
    }
}

/// Columns of numbers.
fn is_counter(title: &str) -> bool {
    matches!(
        title,
        "" | "order" | "no" | "nr" | "lines" | "loc" | "size" | "estimated lines" | "est lines" | "priority"
    )
}

fn is_path(cell: &str) -> bool {
    let first = |c: char| !c.is_alphanumeric() && c != '.' && c != '/';
    let linked = link(cell)
        .filter(|(before, ..)| before.chars().all(first))
        .map(|(_, label, target, _)| linked_path(label, target));
    let marked = cell.contains('`');
    let mut parts = cell.split('`');
    let before = if marked { parts.next().unwrap_or_default() } else { "" };
    let word = if before.chars().all(first) || before.trim_end().ends_with(':') {
        parts.next().unwrap_or_default()
    } else {
        ""
    };
    // A number of a section is none.
    let named = |path: &str| (path.contains('/') || path.contains('.')) && path.contains(char::is_alphabetic);
    matches!(shape(linked.as_deref().unwrap_or(word)), Shape::Path { path, .. } if named(&path))
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
