//! The cell or bullet that says which file is meant: one path, several, a rename, or something that is no path.
//!
//! Judges the words of the design only. Whether a path may stand in a repository is `RepoPath`'s business, whether it
//! exists the plan's.

use super::inline::{Piece, bare, links_as_code, pieces, unescape};
use super::names::is_known_name;
use super::problem::{self, alternatives, prose};
use super::vocabulary::has;
use crate::finding::Finding;
use crate::shape::{Shape, expand, shape};

/// One path that a cell names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Target {
    pub path: String,
    /// It ends in a slash, or the words beside it say so.
    pub directory: bool,
    /// The path before the arrow: `old` in `` `old` -> `new` ``.
    pub from: Option<String>,
}

/// What a cell says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    /// Paths, and the words beside them (`(new)`, `(lines 40 to 60)`); `withdrawn`: struck through.
    Paths { targets: Vec<Target>, note: String, withdrawn: bool },
    /// Nothing is asked: "N/A", "none", a line of totals.
    Nothing,
    /// Something that cannot be carried out.
    Bad(Finding),
}

/// Reads the cell of a file list.
pub(super) fn read(cell: &str) -> Cell {
    let cell = cell.trim().replace(['\u{feff}', '\u{200b}', '\u{2060}'], "");
    let (text, withdrawn) = match bare(&cell).strip_prefix("~~").and_then(|rest| rest.split_once("~~")) {
        Some((inside, after)) => (format!("{inside}{after}"), true),
        None => (bare(&cell).to_owned(), false),
    };
    let text = text.replace("<br/>", ", ").replace("<br />", ", ").replace("<br>", ", ");
    let text = text.replace("<code>", "`").replace("</code>", "`");
    if says_nothing(&text) {
        return Cell::Nothing;
    }
    match targets(&text) {
        Ok((targets, note)) => Cell::Paths { targets, note, withdrawn },
        Err(_) if withdrawn => Cell::Nothing,
        Err(problem) => Cell::Bad(problem),
    }
}

/// Cells that ask for nothing.
fn says_nothing(text: &str) -> bool {
    if text.contains("..") || text.contains('…') {
        return false;
    }
    let text = bare(text).trim_matches(['`', '*', '_', ':', '.', '(', ')']).trim().to_lowercase();
    let total = |word: &str| matches!(word, "total" | "totals" | "sum" | "subtotal" | "grand");
    text.is_empty()
        || has("no-path", &text)
        || text.split_whitespace().next().is_some_and(|first| total(first.trim_end_matches([':', ',', '*'])))
}

/// Words between two paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    And,
    Or,
    Arrow,
    Words,
}

fn gap(text: &str) -> Gap {
    let text = text.trim().to_lowercase();
    match text.trim_matches([',', ' ']) {
        "" | "and" | "&" | "+" | ";" | "und" | "as well as" | "," | "with" => Gap::And,
        "or" | "/" | "|" | "oder" | "and/or" | "or maybe" | "or else" | "alternatively" | "vs" => Gap::Or,
        "->" | "→" | "=>" | "⇒" | "to" | "⟶" | "➜" | "-->" => Gap::Arrow,
        _ => Gap::Words,
    }
}

/// The most files that one row may name.
const MAX_TARGETS: usize = 64;

/// The paths of a cell that says something, and what stands beside them.
fn targets(text: &str) -> Result<(Vec<Target>, String), Finding> {
    let text = &links_as_code(text);
    let (parts, gaps, note) = match spans(text)? {
        Some(found) => found,
        None => unmarked(text)?,
    };
    if gaps.contains(&Gap::Or) {
        return Err(alternatives(text));
    }
    let mut targets: Vec<Target> = Vec::new();
    let mut arrow = false;
    for (index, part) in parts.iter().enumerate() {
        for mut target in one(part, text)? {
            if arrow {
                target.from = targets.pop().map(|before: Target| before.path);
                arrow = false;
            }
            targets.push(target);
        }
        arrow = gaps.get(index) == Some(&Gap::Arrow);
    }
    match targets.first() {
        Some(_) if targets.len() > MAX_TARGETS => Err(problem::too_many(targets.len())),
        Some(_) => Ok((targets, note)),
        None => Err(prose(text)),
    }
}

/// The texts of a cell's paths, what stands between them, and the note that follows.
type TargetParts = (Vec<String>, Vec<Gap>, String);

/// Paths in code spans. Words before the first one make the cell prose, words after the last one are a note.
fn spans(text: &str) -> Result<Option<TargetParts>, Finding> {
    let pieces = pieces(text);
    if !pieces.iter().any(|piece| matches!(piece, Piece::Code(_))) {
        return Ok(None);
    }
    let mut parts: Vec<String> = Vec::new();
    let mut gaps = Vec::new();
    let mut note = String::new();
    for piece in pieces {
        match piece {
            Piece::Code(code) if note.is_empty() => parts.push(code.to_owned()),
            Piece::Code(code) => {
                note.push('`');
                note.push_str(code);
                note.push('`');
            }
            Piece::Text(words) if !note.is_empty() => note.push_str(words),
            Piece::Text(words) if parts.is_empty() => {
                let lead = words.trim().trim_matches(['*', ':', '.', ')', '(', '-', '#', '_']).to_lowercase();
                let label = super::wording::read(&lead).exact || matches!(lead.as_str(), "file" | "path");
                if lead.contains(char::is_alphabetic) && !label {
                    return Err(prose(text));
                }
            }
            Piece::Text(words) => match gap(words) {
                Gap::Words => note.push_str(words.trim_start()),
                gap => gaps.push(gap),
            },
        }
    }
    Ok(Some((parts, gaps, note.trim().to_owned())))
}

/// A cell without marks: a path, then perhaps a note; or a list of paths.
fn unmarked(text: &str) -> Result<TargetParts, Finding> {
    let cut = [" (", " — ", " – ", " - ", ": ", " #"].iter().filter_map(|mark| text.find(mark)).min();
    let (main, note) = text.split_at(cut.unwrap_or(text.len()));
    let words: Vec<&str> = main.split_whitespace().flat_map(|word| word.split_inclusive(comma(word))).collect();
    let (mut parts, mut gaps) = (Vec::new(), Vec::new());
    let mut between = String::new();
    for word in words {
        let name = word.trim_end_matches([',', ';']);
        if !name.is_empty() && looks_like_path(name) {
            if !parts.is_empty() {
                gaps.push(gap(&between));
            }
            between.clear();
            parts.push(unescape(name));
        } else if parts.is_empty() {
            return Err(prose(text));
        } else {
            between.push_str(word);
            between.push(' ');
        }
    }
    let mut note = note.trim().to_owned();
    if gaps.contains(&Gap::Words) {
        return Err(prose(text));
    }
    if !between.trim().is_empty() {
        if gap(&between) == Gap::Or {
            return Err(alternatives(text));
        }
        note = format!("{} {note}", between.trim()).trim().to_owned();
    }
    Ok((parts, gaps, note))
}

/// What separates paths within a word: a comma, but not those of `{a,b}`.
fn comma(word: &str) -> fn(char) -> bool {
    if word.contains('{') { |_| false } else { |letter| letter == ',' }
}

/// Without code marks only what cannot be a word of a sentence is a path.
fn looks_like_path(word: &str) -> bool {
    matches!(shape(word), Shape::Path { .. }) && (word.contains(['/', '.']) || is_known_name(word))
        || !matches!(shape(word), Shape::Path { .. } | Shape::Prose)
}

/// One piece of a cell: usually one path, more if it has braces.
fn one(part: &str, cell: &str) -> Result<Vec<Target>, Finding> {
    match shape(part) {
        Shape::Path { path, directory } => {
            let paths = expand(&path);
            if paths.iter().any(|path| path.contains('{')) {
                return Err(problem::of_shape(&Shape::Glob, part));
            }
            Ok(paths.into_iter().map(|path| Target { path, directory, from: None }).collect())
        }
        Shape::Prose => Err(prose(cell)),
        shape => Err(problem::of_shape(&shape, part)),
    }
}
