//! A bullet that stands for a row of a file list: its change type, the text that names the file, the words about it.

use super::Change;
use super::inline::masked;
use super::target::{self, Cell};
use super::wording;

/// A bullet's parts.
pub(super) struct Parts<'a> {
    /// The change type where the bullet names it.
    pub kind: Option<&'a str>,
    /// The text that names the file.
    pub cell: &'a str,
    /// The words about it.
    pub text: &'a str,
}

impl Parts<'_> {
    /// Does the bullet name a file, in however unusable a way?
    pub fn names_file(&self) -> bool {
        match target::read(self.cell) {
            Cell::Paths { .. } => true,
            Cell::Bad(problem) => problem.id != "lld-path-prose",
            Cell::Nothing => false,
        }
    }
}

/// Reads `` `path` (Modify) - what``, `**Modify:** `path` - what`, `Create path: what` and the like.
pub(super) fn parts(text: &str) -> Parts<'_> {
    let (lead, rest) = match leading_type(text) {
        Some((kind, rest)) => (Some(kind), rest),
        None => (None, text),
    };
    let (cell, words) = cut(rest);
    match trailing_type(words) {
        Some((kind, words)) => Parts { kind: lead.or(Some(kind)), cell, text: words },
        None => Parts { kind: lead, cell, text: words },
    }
}

/// `**Modify:** …`, `[NEW] …`, ``Add `a.py` ``, `Update a.py`: the type before the path, and what follows it.
fn leading_type(text: &str) -> Option<(&str, &str)> {
    let open = |text: &'_ str| text.trim_start_matches(['*', '[', '(', '_', ' ']).len();
    let text = text.get(text.len() - open(text)..)?;
    let ends = [text.find([':', '`', ']', ')', '*']), text.find(' ')];
    ends.into_iter().flatten().find_map(|end| {
        let (lead, rest) = text.split_at_checked(end)?;
        let kind = lead.trim();
        let typed = kind.len() < 30 && wording::read(kind).exact;
        typed.then(|| (kind, rest.trim_start_matches([':', ']', ')', '*', ' ', '_', '-', '–', '—'])))
    })
}

/// The type in a line such as `MODIFY: add a call` under a bullet.
pub(super) fn type_line(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches(['-', '*', '+', ' ']);
    let (kind, _) = line.split_once(':')?;
    let kind = kind.trim_matches(['*', ' ']);
    let wording = wording::read(kind);
    (kind.len() < 20 && wording.exact && wording.change != Some(Change::None)).then_some(kind)
}

/// `(Modify)` or `[NEW]` after the path, and what follows it.
fn trailing_type(words: &str) -> Option<(&str, &str)> {
    let close = match words.chars().next()? {
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    let (inside, rest) = words.get(1..)?.split_once(close)?;
    wording::read(inside).exact.then(|| (inside, rest.trim_start_matches([':', '*', ' ', '-', '–', '—']).trim()))
}

/// Cuts a bullet after the text that names the file.
fn cut(text: &str) -> (&str, &str) {
    let outside = masked(text);
    let marks = [" - ", " – ", " — ", ": ", " (", " [", "**:", ":**"];
    let mut at = marks.iter().filter_map(|mark| outside.find(mark)).min().unwrap_or(text.len());
    // Code first and then plain words: `path` does this and that.
    if outside.starts_with('x') && text.starts_with('`') {
        let code = outside.bytes().take_while(|&byte| byte == b'x').count();
        let after = text.get(code..at).unwrap_or_default().trim();
        let listed = after.starts_with([',', '/', '&', '+', '→', '-', '=', '`'])
            || after.starts_with("and ")
            || after.starts_with("or ");
        if !after.is_empty() && !listed {
            at = code;
        }
    }
    let (cell, words) = text.split_at_checked(at).unwrap_or((text, ""));
    (cell.trim().trim_end_matches(':'), words.trim_start_matches([':', '*', ' ', '-', '–', '—']).trim())
}
