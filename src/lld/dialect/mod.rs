//! The ways in which designs list their files, each a row of [`DIALECTS`].

mod plan;
mod tasks;
mod template;

use super::document::{Document, Heading, caption};
use super::lines::{Line, LineKind};
use super::problem::shown;
use super::rows::Row;
use super::table::{Table, tables};
use super::vocabulary::{words, writes};
use super::{Change, Task, columns, title, wording};
use crate::finding::Finding;

/// One way to list files.
pub(super) struct Dialect {
    pub name: &'static str,
    /// What it looks for, in words, for the person whose design has no file list.
    pub looks_for: &'static str,
    /// The file list, if the document has one in this dialect.
    pub read: fn(&Document) -> Option<ParsedList>,
}

pub(super) use plan::nearest;

/// In the order in which they are asked. The surest come first.
pub(super) const DIALECTS: &[Dialect] = &[template::SPEC, template::LLD, tasks::DIALECT, plan::LISTED, plan::PROSE];

/// A file list as it stands in the document.
#[derive(Debug, Clone, Default)]
pub(super) struct ParsedList {
    /// The line of its heading, counted from 1.
    pub line: usize,
    /// The heading's words; empty if there is none.
    pub title: String,
    pub rows: Vec<Row>,
    /// Paragraphs that follow the list and may change what it means, with their lines.
    pub notes: Vec<(usize, String)>,
    /// Lines that were passed over, with the reason.
    pub ignored: Vec<(usize, String)>,
    /// The tasks, for task lists.
    pub tasks: Vec<Task>,
    /// What else is to be said about lines.
    pub findings: Vec<Finding>,
}

/// The file list under `heading`: the tables, or else the list items, of the section itself, else those under its deeper
/// headings, or these themselves. Rows are empty if there is nothing.
fn section(document: &Document, heading: &Heading) -> ParsedList {
    let line = document.lines.get(heading.at).map_or(0, |line| line.number);
    let mut found = ParsedList { line, title: heading.title.to_owned(), ..ParsedList::default() };
    let implied = title::file_list(heading.title).flatten();
    tabled(document.own(heading), implied, &mut found);
    if found.rows.is_empty() {
        plan::section(document, heading, heading.own_end, &mut found);
    }
    if found.rows.is_empty() {
        for inner in document.inside(heading).filter(|inner| !inner.normal.contains("validation")) {
            tabled(document.own(inner), title::implied(inner.title).or(implied), &mut found);
        }
    }
    if found.rows.is_empty() {
        plan::section(document, heading, heading.end, &mut found);
    }
    found
}

/// Takes the rows of the tables among `lines`, which hold no heading.
fn tabled(lines: &[Line], implied: Option<Change>, found: &mut ParsedList) {
    let before = found.rows.len();
    let mut last = 0;
    let captions = Captions::new(lines);
    let mut first: Option<Vec<String>> = None;
    for table in tables(lines) {
        let said = captions.above(table.line, last);
        let columns = columns::find(&table);
        // After the list itself only tables that are clearly more of it: call sites and the like name files too.
        let more = |columns: &columns::Columns| columns.kind.is_some() || said.is_some();
        let unknown = columns::unknown(&table, columns.as_ref(), said.or(implied).is_some()).map(|(title, known)| {
            let title = shown(title);
            let message = format!("the table's column '{title}' is not known; it is read if it is called {known}");
            Finding::note("lld-column", message).line(table.line)
        });
        match columns
            .as_ref()
            .filter(|columns| first.as_ref().is_none_or(|header| *header == table.header || more(columns)))
        {
            Some(columns) => {
                last = table.last;
                found.findings.extend(unknown);
                let mut rows = table_rows(&table, columns, said.or(implied));
                for row in rows.iter_mut().filter(|row| row.implied.is_none() && says_what_changes(row)) {
                    (row.implied, row.inferred) = (Some(Change::Modify), true);
                }
                found.rows.extend(rows);
                first.get_or_insert(table.header);
            }
            None => {
                found.ignored.push((table.line, "a table beside the file list is not part of it".to_owned()));
                found.findings.extend(unknown.filter(|_| columns.is_none() && first.is_none()));
            }
        }
    }
    if found.rows.len() > before {
        found.notes.extend(notes(lines, last));
    }
}

/// Does the column for the change type say in a sentence what is to change: "Remove the import"?
fn says_what_changes(row: &Row) -> bool {
    let kind = row.kind.as_deref().unwrap_or_default().to_lowercase();
    let said = wording::read(&kind);
    said.change.is_none() && !said.torn && kind.contains(' ') && words(&kind).first().is_some_and(|word| writes(word))
}

/// The rows of a table of files.
fn table_rows(table: &Table, columns: &columns::Columns, implied: Option<Change>) -> Vec<Row> {
    let rows = table.rows.iter().map(|row| {
        let cells = row.cells(table.header.len(), columns.wide);
        let cell = |column: usize| cells.get(column).map(String::as_str).unwrap_or_default();
        let prose: Vec<&str> =
            columns.prose.iter().map(|&column| cell(column)).filter(|text| !text.is_empty()).collect();
        Row {
            line: row.line,
            cell: cell(columns.path).to_owned(),
            kind: columns.kind.map(|column| cell(column).to_owned()),
            description: prose.join(" — "),
            implied,
            ..Row::default()
        }
    });
    rows.filter(|row| !(row.cell.is_empty() && row.description.is_empty())).collect()
}

/// The captions among some lines, and what each says about the rows under it.
struct Captions(Vec<(usize, Option<Change>)>);

impl Captions {
    fn new(lines: &[Line]) -> Captions {
        let texts = lines.iter().filter(|line| line.kind == LineKind::Text);
        Captions(texts.filter_map(|line| Some((line.number, title::implied(caption(line.text)?)))).collect())
    }
    /// What the last caption before line `number` says, if it stands after line `from`.
    fn above(&self, number: usize, from: usize) -> Option<Change> {
        let before = self.0.partition_point(|&(line, _)| line < number);
        let &(line, change) = self.0.get(before.checked_sub(1)?)?;
        change.filter(|_| line > from)
    }
}

/// The paragraphs after line `last`.
fn notes(lines: &[Line], last: usize) -> Vec<(usize, String)> {
    let mut notes: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for line in lines.iter().filter(|line| line.number > last) {
        let text = line.text.trim().trim_start_matches('>').trim();
        if line.kind != LineKind::Text
            || caption(text).is_some()
            || text.is_empty()
            || text.chars().all(|c| "-*_ ".contains(c))
            || text.starts_with('|')
        {
            open = false;
        } else if let Some((_, note)) = notes.last_mut().filter(|_| open) {
            note.push(' ');
            note.push_str(text);
        } else {
            notes.push((line.number, text.to_owned()));
            open = true;
        }
    }
    notes
}
