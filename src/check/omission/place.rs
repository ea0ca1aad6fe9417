//! Remarks that stand where code was: a hunk of the change that takes code away and brings nothing but them.

use crate::check::Change;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::HashMap;

/// Lines of remarks that stand for code; a longer one explains something.
const MOST_REMARKS: usize = 3;
/// Lines of both texts together: of more nobody waits for the difference.
const MOST_LINES: usize = 50_000;

/// A remark in place of code.
pub(super) struct Remark<'t> {
    /// Counted from 1.
    pub number: usize,
    pub line: &'t str,
    /// Lines of code that stood there, and stand nowhere in the file now.
    pub lost: usize,
}

/// The remarks of the change that stand where code was.
pub(super) fn remarks_for_code<'t>(change: &Change<'t>) -> Vec<Remark<'t>> {
    let Some((old, new)) = change.before().map(|old| (old, change.now())) else { return Vec::new() };
    let texts = (old.text, new.text);
    if texts.0 == texts.1 {
        return Vec::new();
    }
    let (Some(old_code), Some(new_code)) = (old.code(), new.code()) else { return Vec::new() };
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) = (texts.0.lines().collect(), texts.1.lines().collect());
    if old_lines.len() + new_lines.len() > MOST_LINES {
        return Vec::new();
    }
    let (old_code, new_code): (Vec<&str>, Vec<&str>) = (old_code.lines().collect(), new_code.lines().collect());
    let is_remark = |at: usize| {
        new_code.get(at).is_some_and(|code| code.trim().is_empty())
            && new_lines.get(at).is_some_and(|line| !line.trim().is_empty())
    };
    // Without a new remark nothing stands for anything.
    let mut had: HashMap<&str, usize> = HashMap::new();
    old_lines.iter().for_each(|line| *had.entry(line.trim()).or_default() += 1);
    if !(0..new_lines.len()).any(|at| is_remark(at) && !had.contains_key(new_lines[at].trim())) {
        return Vec::new();
    }
    let mut has: HashMap<&str, usize> = HashMap::new();
    new_lines.iter().for_each(|line| *has.entry(line.trim()).or_default() += 1);
    let mut found = Vec::new();
    for op in hunks(capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines)) {
        let ((old_start, old_end), (new_start, new_end)) = op;
        let came: Vec<usize> =
            (new_start..new_end).filter(|at| new_lines.get(*at).is_some_and(|line| !line.trim().is_empty())).collect();
        if came.is_empty() || came.len() > MOST_REMARKS || !came.iter().all(|at| is_remark(*at)) {
            continue;
        }
        let is_lost = |at: &usize| {
            let (line, code) =
                (old_lines.get(*at).map_or("", |line| line.trim()), old_code.get(*at).map_or("", |code| code.trim()));
            // A bracket alone is everywhere.
            code.chars().any(char::is_alphanumeric) && !has.contains_key(line)
        };
        let lost = (old_start..old_end).filter(is_lost).count();
        found.extend(came.iter().filter(|at| !had.contains_key(new_lines[**at].trim())).map(|at| Remark {
            number: at + 1,
            line: new_lines[*at],
            lost,
        }));
    }
    found
}

type Range = (usize, usize);

/// What went and what came, with changes that touch each other taken together.
fn hunks(ops: Vec<DiffOp>) -> Vec<(Range, Range)> {
    let mut hunks: Vec<(Range, Range)> = Vec::new();
    for op in ops {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (old, new) = (op.old_range(), op.new_range());
        match hunks.last_mut() {
            Some(last) if last.0.1 == old.start && last.1.1 == new.start => {
                last.0.1 = old.end;
                last.1.1 = new.end;
            }
            _ => hunks.push(((old.start, old.end), (new.start, new.end))),
        }
    }
    hunks
}
