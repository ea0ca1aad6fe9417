//! What of a test's body never runs, or cannot fail it: what follows a `return` come what may, what stands behind a
//! condition that is never true, and what is tried with every failure caught and forgotten.

use super::File;
use super::file::words;
use crate::syntax::definitions::Bodies;
use std::ops::Range;

/// Statements that end a test as passed.
const ENDS: &[&str] =
    &["return", "return None", "return nil", "return true", "return Ok(())", "next", "return@runTest"];

/// Conditions that are never true.
const NEVER: &[&str] = &["False", "false", "0", "None", "nil"];

/// The ranges of a body that never run or cannot fail, in order of their beginnings. `file` is the body alone.
pub(super) fn find(file: &File) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let whole = 0..file.code.len();
    if let Some((at, _)) = file.statements(whole).find(|(_, it)| ENDS.contains(it)) {
        found.push(at..file.code.len());
    }
    for (at, word) in words(file.code) {
        match word {
            "if" | "while" | "elif" => found.extend(never(file, at, word)),
            "try" | "suppress" => found.extend(match file.bodies {
                Bodies::Indentation => forgotten_in_python(file, at),
                Bodies::Braces { .. } => forgotten_in_braces(file, at),
                Bodies::End => None,
            }),
            "begin" if file.bodies == Bodies::End => found.extend(forgotten_in_ruby(file, at)),
            _ => {}
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

/// What hangs from the condition at `at`, if that is never true.
fn never(file: &File, at: usize, word: &str) -> Option<Range<usize>> {
    let after = file.code.get(at + word.len()..)?;
    let rest = after.trim_start();
    let open = at + word.len() + (after.len() - rest.len());
    let (condition, end) = match rest.strip_prefix('(') {
        Some(_) => (file.code.get(open + 1..file.closing(open))?.trim(), file.closing(open) + 1),
        None => {
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            (rest.get(..length)?, open + length)
        }
    };
    if !NEVER.contains(&condition) {
        return None;
    }
    let then = file.code.get(end..)?;
    match file.bodies {
        Bodies::Indentation => then.trim_start().starts_with(':').then(|| block(file, at)),
        Bodies::End => {
            let line = line_of(file, at)?;
            let before = file.code.get(line.0..at)?.trim();
            let is_end = then.lines().next().unwrap_or_default().trim().is_empty();
            match (before.is_empty(), is_end) {
                (true, true) => Some(block(file, at)),
                // `expect(a).to eq(1) if false`.
                (false, true) => Some(line.0..at),
                _ => None,
            }
        }
        Bodies::Braces { .. } => {
            let start = end + (then.len() - then.trim_start().len());
            let first = file.code.as_bytes().get(start)?;
            let stop = match first {
                b'{' => file.closing(start),
                // A value compared, or a name that only begins so.
                byte if !byte.is_ascii_alphabetic() || rest.as_bytes().first() != Some(&b'(') => return None,
                _ => start + file.code.get(start..)?.find([';', '\n'])?,
            };
            Some(start..stop)
        }
    }
}

/// The line at `at`: where it begins, and what is on it.
fn line_of<'t>(file: &File<'t>, at: usize) -> Option<(usize, &'t str)> {
    file.lines.get(file.line(at).checked_sub(1)?).copied()
}

/// From `at` to before the next line that is indented no more than the line of `at`.
fn block(file: &File, at: usize) -> Range<usize> {
    let line = file.line(at);
    let own = file.lines.get(line.saturating_sub(1)).map_or(0, |line| file.depth(*line));
    let mut rest = file.lines.iter().skip(line);
    let end = rest.find(|(at, line)| !line.trim().is_empty() && file.depth((*at, line)) <= own);
    at..end.map_or(file.code.len(), |(at, _)| *at)
}

/// Errors that a failed assertion is one of.
fn is_every_failure(head: &str) -> bool {
    head.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| matches!(word, "Exception" | "BaseException" | "AssertionError"))
}

/// `try: … except Exception: pass`, `with suppress(AssertionError):`.
fn forgotten_in_python(file: &File, at: usize) -> Option<Range<usize>> {
    let (_, line) = line_of(file, at)?;
    let tried = block(file, at);
    if line.contains("suppress(") {
        return (line.trim_start().starts_with("with ") && is_every_failure(line)).then_some(tried);
    }
    let (handler, head) = line_of(file, tried.end)?;
    let head = head.trim();
    let rest = head.strip_prefix("except").filter(|rest| rest.starts_with([':', ' ']))?;
    let caught = rest.split(':').next()?;
    if !caught.trim().is_empty() && !is_every_failure(caught) {
        return None;
    }
    let handled = file.code.get(block(file, handler)).unwrap_or_default();
    let does = handled.split_once(':')?.1.trim();
    matches!(does, "pass" | "..." | "return" | "continue").then_some(tried)
}

/// `try { … } catch (e) {}`.
fn forgotten_in_braces(file: &File, at: usize) -> Option<Range<usize>> {
    let rest = file.code.get(at + 3..)?;
    let open = at + 3 + (rest.len() - rest.trim_start().len());
    if file.code.as_bytes().get(open) != Some(&b'{') {
        return None;
    }
    let close = file.closing(open);
    let clause = file.code.get(close + 1..)?.trim_start().strip_prefix("catch")?;
    let start = file.code.len() - clause.len();
    let body = file.body(start)?;
    let caught: Vec<&str> = file
        .code
        .get(start..body)?
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    // Of these languages the one in which a caught error has no type catches all of them.
    let is_all = caught.len() < 2
        || caught.iter().any(|word| matches!(*word, "Throwable" | "AssertionError" | "Error" | "unknown" | "any"));
    let does = file.code.get(body + 1..file.closing(body))?.trim();
    (is_all && matches!(does, "" | "return;" | "return")).then_some(open..close)
}

/// `begin … rescue Exception … end`, with nothing done about it.
fn forgotten_in_ruby(file: &File, at: usize) -> Option<Range<usize>> {
    let tried = block(file, at);
    let (handler, head) = line_of(file, tried.end)?;
    let caught = head.trim().strip_prefix("rescue ")?;
    if !["Exception", "Minitest::Assertion", "RSpec::Expectations::ExpectationNotMetError"]
        .iter()
        .any(|it| caught.starts_with(it))
    {
        return None;
    }
    let handled = file.code.get(block(file, handler))?;
    let does = handled.lines().skip(1).collect::<String>();
    matches!(does.trim(), "" | "nil").then_some(tried)
}
