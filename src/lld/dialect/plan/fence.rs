//! Steps in a fence: `CREATE src/a.py:` and `MODIFY src/b.py`, a verb in capitals and a path, line by line.

use super::statement::{self, Statement};
use crate::lld::Change;
use crate::lld::lines::Line;
use crate::lld::sentence::{Looks, looks};
use crate::lld::vocabulary::asked;

/// The lines that say what is done with a path.
pub(super) fn steps(lines: &[Line]) -> Vec<(usize, Statement)> {
    lines.iter().filter_map(|line| Some((line.number, step(line.text)?))).collect()
}

/// The file that a fence holds, by the remark that it begins with: `# src/a.py`, `// File: src/a.ts`.
pub(super) fn headed(line: &Line) -> Option<(usize, String)> {
    let text = line.text.trim();
    let remark = ["//", "#", "--", "/*", "<!--", ";"].iter().find_map(|mark| text.strip_prefix(mark))?;
    let remark = remark.trim().trim_end_matches("*/").trim_end_matches("-->").trim();
    let (named, path) = match remark
        .split_once(": ")
        .filter(|(word, _)| matches!(*word, "File" | "file" | "Filename" | "Path" | "path"))
    {
        Some((_, path)) => (true, path.trim()),
        None => (false, remark),
    };
    let word = path.split(' ').next().unwrap_or_default();
    let Some(Looks::Files(files)) = looks(word, true) else { return None };
    let alone =
        path.len() == word.len() || path.get(word.len()..).is_some_and(|rest| rest.trim_start().starts_with('('));
    let [file] = files.as_slice() else { return None };
    (alone && (named || file.contains('/'))).then(|| (line.number, file.clone()))
}

fn step(text: &str) -> Option<Statement> {
    let text = text.trim().trim_start_matches("- ");
    let (verb, path) = text.split_once(' ')?;
    let verb = verb.trim_end_matches(':');
    let loud = verb.len() >= 3 && verb.chars().all(|c| c.is_ascii_uppercase());
    let change = asked(&verb.to_lowercase()).filter(|_| loud)?;
    let path = path.trim();
    let end = path.find([' ', ':']).unwrap_or(path.len());
    let (path, rest) = path.split_at_checked(end)?;
    let colon = rest.starts_with(':');
    let path = path.trim_matches(['`', '"', '\'', ',']);
    let rest = rest.trim();
    // `DELETE FROM users` is no step, and neither is a row of a statement that goes on.
    let moves = change == Change::Rename;
    if !path.contains(['/', '.']) || !(moves || colon || rest.is_empty() || rest.starts_with(['#', '(', '-', '—'])) {
        return None;
    }
    let rest = if moves { rest.replace('`', "") } else { String::new() };
    let read = statement::read(&format!("{}: `{path}` {rest}", verb.to_lowercase()))?;
    (!read.targets.is_empty()).then_some(read)
}
