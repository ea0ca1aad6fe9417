//! Trees of files in a fence: `├── parser.py  # new`; and fences that hold one path a line.

use crate::lld::Change;
use crate::lld::lines::Line;
use crate::lld::rows::Row;
use crate::lld::vocabulary::has;
use crate::lld::wording;
use crate::shape::{Shape, shape};

/// The files of a fence, each with whether its comment says what happens to it. `listed`: a fence that is no tree may be
/// a list.
pub(super) fn files(lines: &[Line], listed: bool, implied: Option<Change>) -> Vec<(Row, bool)> {
    let entries = tree(lines).or_else(|| listed.then(|| paths(lines)).flatten()).unwrap_or_default();
    let entries = without_project(entries);
    let marked = |entry: &Entry| entry.kind.is_some();
    entries
        .into_iter()
        .filter_map(|entry| Some((marked(&entry), entry.row(implied)?)))
        .map(|(marked, row)| (row, marked))
        .collect()
}

/// A tree that begins with the folder of the project, without that folder.
fn without_project(mut entries: Vec<Entry>) -> Vec<Entry> {
    let Some(root) =
        entries.first().filter(|root| root.directory && !root.path.contains('/')).map(|root| format!("{}/", root.path))
    else {
        return entries;
    };
    let mut inside = entries.iter().skip(1).map(|entry| entry.path.strip_prefix(root.as_str()));
    let all = inside.clone().all(|path| path.is_some());
    let project = all
        && !has("folder-part", root.trim_end_matches('/'))
        && inside.any(|path| path.is_some_and(|path| has("in-project", path)));
    if project {
        entries.remove(0);
        for entry in &mut entries {
            entry.path = entry.path.strip_prefix(root.as_str()).unwrap_or(&entry.path).to_owned();
        }
    }
    entries
}

/// An entry of a tree.
struct Entry {
    line: usize,
    path: String,
    directory: bool,
    /// The change type in its comment.
    kind: Option<String>,
    comment: String,
}

impl Entry {
    /// Directories are only the way to their files.
    fn row(self, implied: Option<Change>) -> Option<Row> {
        let Entry { line, path, directory, kind, comment } = self;
        (!directory).then(|| Row {
            line,
            // A tree begins at the root of the repository, however it is written.
            cell: format!("`{}`", path.trim_start_matches('/')),
            kind,
            description: comment,
            implied,
            ..Row::default()
        })
    }
}

/// Reads a tree by the column in which each name begins. Nothing is a tree without branches or indentation.
fn tree(lines: &[Line]) -> Option<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    // The directories that the next name may lie in: column and index of the entry.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut branches = false;
    for line in lines {
        let is_branch = |c: char| c.is_whitespace() || "│├└─┌┬┴┼╰╭┃┣┗━|`+\\".contains(c);
        let Some(start) = line.text.char_indices().find(|&(at, c)| {
            !(is_branch(c) || c == '-' && line.text.get(at + 1..).is_some_and(|rest| rest.starts_with(['-', ' '])))
        }) else {
            continue;
        };
        let (lead, rest) = line.text.split_at_checked(start.0).unwrap_or(("", line.text));
        let column = lead.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum::<usize>();
        branches |= lead.contains(['├', '└', '|', '`', '+', '╰', '┣', '┗']);
        let (name, comment) = name_and_comment(rest);
        if name.is_empty() || name.len() > 255 {
            continue;
        }
        while open.last().is_some_and(|&(parent, _)| parent >= column) {
            open.pop();
        }
        let parent = open.last().map(|&(_, index)| index);
        let mut path = String::new();
        if let Some(parent) = parent.and_then(|index| entries.get_mut(index)) {
            parent.directory = true;
            path.push_str(&parent.path);
            path.push('/');
        }
        // Paths grow with depth: a tree deeper than any real one is not followed.
        if path.len() > 1024 {
            continue;
        }
        path.push_str(name.trim_start_matches("./").trim_end_matches('/'));
        let kind = kind_in(comment);
        open.push((column, entries.len()));
        let directory = name.ends_with('/');
        entries.push(Entry { line: line.number, path, directory, kind, comment: comment.to_owned() });
    }
    let root = entries.iter().position(|entry| entry.path == "." || entry.path.is_empty());
    if let Some(root) = root {
        entries.remove(root);
        for entry in &mut entries {
            entry.path = entry.path.trim_start_matches("./").trim_start_matches('/').to_owned();
        }
    }
    // Code is indented, too.
    let named = |entry: &Entry| matches!(shape(&entry.path), Shape::Path { path, .. } if !path.contains([' ', '"', ':', ';', '{', '}', ',']));
    (branches || entries.iter().any(|entry| entry.directory) && entries.iter().all(named)).then_some(entries)
}

/// Reads one path a line; nothing unless every line is one.
fn paths(lines: &[Line]) -> Option<Vec<Entry>> {
    let lines = lines.iter().filter(|line| !line.text.trim().is_empty());
    lines
        .map(|line| {
            let (name, comment) = name_and_comment(line.text.trim());
            let Shape::Path { path, directory } = shape(name) else { return None };
            let entry =
                Entry { line: line.number, path, directory, kind: kind_in(comment), comment: comment.to_owned() };
            (name.contains(['/', '.']) && !name.contains(' ')).then_some(entry)
        })
        .collect()
}

/// Cuts the comment off: after two blanks, or after a sign that begins one.
fn name_and_comment(text: &str) -> (&str, &str) {
    let marks = ["  ", " #", " //", " ←", " <-", " —", " – ", " - ", " (", " [", "\t", " *", " ✨", " ->"];
    let at = marks.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    let (name, comment) = text.split_at_checked(at).unwrap_or((text, ""));
    (name.trim(), comment.trim().trim_start_matches(['#', '/', '←', '<', '-', '—', '–', '*', ' ']).trim())
}

/// `NEW`, `(modified)`, `new: the parser`.
fn kind_in(comment: &str) -> Option<String> {
    let inner = comment.trim_start_matches(['(', '[', '*', '✨']);
    let end = inner.find([')', ']', ':', ',', '-', '—', '*', ';', '.']).unwrap_or(inner.len());
    let kind = inner.get(..end)?.trim();
    (kind.len() < 24 && wording::read(kind).exact).then(|| kind.to_owned())
}
