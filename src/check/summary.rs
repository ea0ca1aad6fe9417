//! Prose where code should be: the model tells what it did instead of doing it.
//!
//! The same words are at home in comments, strings, documents and commit messages; so they count only at the very
//! start of a file in a formal language, or in a text that is sentences and nothing else.

use super::{Base, Candidate, Check, Design, Settings, Verdict, Weight, kind, lines};
use crate::finding::Finding;

pub const CHECK: Check = Check {
    id: "summary",
    allowable: true,
    design: Design::Never,
    weight: Weight::MODEL_ONLY,
    base: Base::Excuses,
    run,
};

/// The defaults; in lower case, with straight apostrophes.
pub const PHRASES: &[&str] = &[
    "here is a summary",
    "here is the",
    "here's a summary",
    "here's the",
    "here are the",
    "i've added",
    "i've created",
    "i've implemented",
    "i've made",
    "i've updated",
    "i've written",
    "i have added",
    "i have created",
    "i have implemented",
    "i have made",
    "i have updated",
    "i have written",
    "i will now",
    "i'll create",
    "i'll now",
    "i need permission",
    "let me create",
    "let me write",
    "below is the",
    "certainly!",
    "sure, here",
    "sure! here",
    "summary of changes",
    "the file has been",
    "the file is written",
    "the file was",
    "the following changes",
    "the implementation is complete",
    "this file has been",
    "all tests pass",
    "file written",
];

fn run(candidate: &Candidate, settings: &Settings) -> Verdict {
    if !kind::is_formal(candidate.path) {
        return Verdict::Pass;
    }
    let Some(line) = told(candidate.text, &settings.summary_phrases) else { return Verdict::Pass };
    if candidate.base.is_some_and(|base| told(base, &settings.summary_phrases).is_some()) {
        return Verdict::Pass;
    }
    let text = candidate.text.lines().nth(line.saturating_sub(1)).map(lines::quote).unwrap_or_default();
    let finding = Finding::error(CHECK.id, format!("'{}' holds a summary in place of code: '{text}'", candidate.path))
        .line(line)
        .hint("the reply must be the file itself, and nothing about it");
    Verdict::Fail(vec![finding])
}

/// The line that tells about the file rather than being of it.
fn told(text: &str, phrases: &[String]) -> Option<usize> {
    let mut filled = lines::filled(text);
    let (at, first) = filled.clone().next()?;
    if phrases.iter().any(|phrase| begins(first, phrase)) && !looks_like_code(first) {
        return Some(at);
    }
    if filled.clone().all(|(_, line)| is_prose(line)) {
        return filled.find(|(_, line)| phrases.iter().any(|phrase| begins(line, phrase))).map(|(at, _)| at);
    }
    None
}

/// Does `line`, less the marks of a list or of emphasis, begin with `phrase` as whole words?
fn begins(line: &str, phrase: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '-' | '>' | '✅'));
    let line = line.replace('\u{2019}', "'").to_lowercase();
    let phrase = phrase.to_lowercase();
    !phrase.is_empty()
        && line
            .strip_prefix(&phrase)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) || phrase.ends_with(' '))
}

/// A key, a call, a statement: what no sentence ends with or has after its first words.
fn looks_like_code(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with([';', '{', '}', '(', ',', '[', '\\']) || line.contains(" = ") || line.contains("</")
}

/// A sentence, a heading or an item of a list: words, and nothing that only code has.
fn is_prose(line: &str) -> bool {
    let line = line.trim();
    let words = line.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
    let is_heading = line.starts_with('#') || line.ends_with(':');
    (words >= 3 || is_heading || line.starts_with(['-', '*', '✅']))
        && !looks_like_code(line)
        && !line.starts_with(['"', '\'', '/', '<', '{', '[', '@'])
}
