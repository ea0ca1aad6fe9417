//! What a task begins with: its id and labels; and what takes it out of the list.

use crate::lld::verbs::has_word;
use crate::lld::vocabulary::list;

/// The id that a task begins with (`T012`, `1.1`, `**T001**`, `Task 1.2:`), its labels (`P`, `US1`), and the text after.
pub(super) fn identify(whole: &str) -> (Option<&str>, Vec<&str>, &str) {
    let marks = ['*', '`', ' ', '~', ':', '–', '—', '✅'];
    let text = whole.trim_start_matches(marks);
    let text = ["Task ", "TASK ", "task "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let id = word.trim_end_matches(['.', '-']);
    let closed = id.len() < word.len() || rest.starts_with([':', ')', '*', '`', '~']) || text.len() < whole.len();
    if !is_id(id, closed) {
        return (None, Vec::new(), whole);
    }
    let mut labels = Vec::new();
    // A mark that opened before the id closes after it; any other belongs to the text.
    let before = whole.get(..whole.len() - text.len()).unwrap_or_default();
    let closes = |c: char| marks.contains(&c) && (!matches!(c, '`' | '*' | '~') || before.contains(c));
    let mut rest = rest.trim_start_matches(closes).trim_start_matches([')', '.', '-']).trim_start();
    while let Some((label, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        if label.len() > 16 || after.starts_with('(') || after.starts_with(['/', '.']) {
            break;
        }
        labels.push(label);
        rest = after.trim_start();
    }
    (Some(id), labels, rest)
}

/// `T012`, `T002a`, `1.1`, `ttd-3`, `T027-FIX`; a plain number only if it is `closed` by a mark. `US1` is a story.
fn is_id(id: &str, closed: bool) -> bool {
    let letters = id.len() - id.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    let (prefix, number) = id.split_at_checked(letters).unwrap_or((id, ""));
    let number = number.trim_start_matches('-');
    let (number, suffix) = match number.split_once('-') {
        Some((number, suffix)) => (number, suffix),
        None => (number, ""),
    };
    let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let upper = |text: &str| text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let numbered = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        && number.len() - digits.len() <= 1;
    let plain = prefix.is_empty() && !digits.contains('.');
    numbered
        && prefix.len() <= 6
        && prefix != "US"
        && (upper(prefix) || (closed && id.contains('-')))
        && upper(suffix)
        && (!plain || (closed && digits.len() <= 3))
}

/// `- [ ] [ID] [P?] Description` and `- [ ] [P] = may run in parallel`: how tasks are written, not a task.
pub(super) fn is_legend(text: &str) -> bool {
    let text = text.trim_start_matches(['`', '*']);
    let Some((label, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) else { return false };
    let template = matches!(label, "ID" | "TaskID" | "Task ID" | "P?" | "Story" | "Story?" | "TXXX" | "T###");
    let means = rest.trim_start_matches(['`', '*', ' ']);
    template || (label.len() <= 4 && means.starts_with(['=', ':', '–', '—', '→', '-']))
}

/// What takes a task out of the list: struck through, or a word in capitals or in parentheses.
pub(super) fn withdrawn(text: &str) -> Option<&'static str> {
    let start = text.trim_start_matches(['*', ' ']);
    if start.starts_with("~~") {
        return Some("struck out");
    }
    let noted = |small: &str| {
        let opens = |before: &str| before.trim_end_matches(['*', '_', ' ']).ends_with(['(', '[']);
        has_word(text, small) && text.match_indices(small).any(|(at, _)| text.get(..at).is_some_and(opens))
    };
    let mut words = list("task-withdrawn").iter().copied();
    words.find(|small| has_word(text, &small.to_uppercase()) || noted(small))
}
