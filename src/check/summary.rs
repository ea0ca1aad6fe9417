//! A report where code should be: the model tells what it did instead of doing it, bare or behind the marks of remarks.
//!
//! The same words are at home in comments, strings, documents and commit messages; so bare they count only at the very
//! start of a file in a formal language, or in a text that is sentences and nothing else. Remarks count where the file has
//! not one line of code: of a model's file that says all; of anybody's they must read like a report, too.

use super::{Author, Base, Change, Check, Design, Settings, Verdict, Weight, kind, lines, permit};
use crate::finding::Finding;
use crate::syntax;

pub const CHECK: Check = Check {
    id: "summary",
    allowable: true,
    design: Design::InWords(&["empty", "blank", "placeholder", "stub", "commented", "comments", "comment", "remarks"]),
    weight: Weight::MODEL,
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

fn run(candidate: &Change, settings: &Settings) -> Verdict {
    if !kind::is_formal(candidate.path) {
        return Verdict::Pass;
    }
    if let Some(line) = told(candidate.text, &settings.summary_phrases)
        && settings.author == Author::Model
        && candidate.base.is_none_or(|base| told(base, &settings.summary_phrases).is_none())
    {
        let text = candidate.text.lines().nth(line.saturating_sub(1)).map(lines::quote).unwrap_or_default();
        let message = format!("'{}' holds a summary in place of code: '{text}'", candidate.path);
        return Verdict::Fail(vec![Finding::error(CHECK.id, message).line(line).hint(MUST_BE_CODE)]);
    }
    match remarks_alone(candidate, settings) {
        Some(finding) => Verdict::Fail(vec![finding]),
        None => Verdict::Pass,
    }
}

const MUST_BE_CODE: &str = "the reply must be the file itself, and nothing about it";

/// What there is to say of a file without a line of code, where its base has some or is not there.
fn remarks_alone(candidate: &Change, settings: &Settings) -> Option<Finding> {
    if kind::is_marker(candidate.path) || begins_with_code(candidate.path, candidate.text) {
        return None;
    }
    if has_code(candidate.text, candidate.now().code()?) {
        return None;
    }
    let replaced = match candidate.before() {
        Some(old) => {
            let lines = old.text.lines().count();
            if !has_code(old.text, old.code()?) {
                return None;
            }
            Some(lines)
        }
        None => None,
    };
    let said: Vec<(usize, &str)> = remarks(candidate.text).collect();
    let (line, first) = *said.first()?;
    if is_licence(&said) {
        return None;
    }
    // People switch off what they may want again, and leave a word where a file will be.
    if settings.author == Author::Anyone && !(reads_like_a_report(&said, &settings.summary_phrases)) {
        return None;
    }
    let what = match replaced {
        Some(lines) => format!("remarks in place of its {lines} lines"),
        None => "remarks and no code".to_owned(),
    };
    let message = format!("'{}' holds {what}: '{}'", candidate.path, lines::quote(first));
    let hint = match settings.author {
        Author::Model => MUST_BE_CODE.to_owned(),
        Author::Anyone => permit::how(CHECK.id, candidate, settings),
    };
    Some(Finding::error(CHECK.id, message).line(line).hint(hint))
}

/// Is there code at the start of a longer text, as nearly always? To mask all of it would take as long as to parse it.
fn begins_with_code(path: &str, text: &str) -> bool {
    [1 << 10, 4 << 10].into_iter().any(|bytes| {
        let start = text.as_bytes().get(..bytes).and_then(|start| text.get(..=memchr::memrchr(b'\n', start)?));
        start.is_some_and(|start| syntax::mask(path, start).is_some_and(|code| has_code(start, &code)))
    })
}

/// Is there anything but remarks, strings that stand alone, and what every file of the language begins with?
fn has_code(text: &str, code: &str) -> bool {
    const NOTHING: &[&str] = &["<?php", "?>", "---", "...", "{", "}", "pass", ";"];
    text.lines().zip(code.lines()).any(|(line, code)| {
        let code = code.trim();
        let in_string = code.bytes().all(|byte| matches!(byte, b'_' | b'"' | b'\'' | b'`' | b' ' | b'\t'));
        // A name that is all underscores is code.
        let is_string = in_string && (code.contains(['"', '\'', '`']) || line.trim() != code);
        !code.is_empty() && !is_string && !NOTHING.contains(&code) && !line.starts_with("#!")
    })
}

/// What the lines say behind the marks of remarks and strings, with their numbers.
fn remarks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines::filled(text).filter_map(|(at, line)| {
        let said = line.trim().trim_start_matches(|c: char| "/#*-<!>;%\"'`{}|= \t".contains(c));
        let said = said.trim_end_matches(|c: char| "*/->\"'`{}| \t".contains(c)).trim();
        (!said.is_empty() && said != "?php").then_some((at, said))
    })
}

/// A notice of rights stands in files of its own.
fn is_licence(said: &[(usize, &str)]) -> bool {
    said.iter().take(5).any(|(_, line)| {
        let line = line.to_lowercase();
        ["copyright", "license", "licence", "spdx-", "all rights reserved"].iter().any(|word| line.contains(word))
    })
}

/// Words with which people and models tell that something was done, or speak to whoever reads.
const TOLD: &[&str] = &[
    "i",
    "i've",
    "i'll",
    "i'm",
    "we've",
    "let",
    "you",
    "your",
    "done",
    "added",
    "adapted",
    "adjusted",
    "changed",
    "completed",
    "complete",
    "covered",
    "created",
    "fixed",
    "finished",
    "generated",
    "implemented",
    "implementation",
    "improved",
    "included",
    "introduced",
    "made",
    "moved",
    "necessary",
    "pass",
    "passed",
    "passing",
    "ready",
    "refactored",
    "removed",
    "renamed",
    "replaced",
    "requested",
    "rewritten",
    "rewrote",
    "successfully",
    "summary",
    "updated",
    "verified",
    "wrote",
    "written",
];

/// Sentences, of which enough tell what was done.
fn reads_like_a_report(said: &[(usize, &str)], phrases: &[String]) -> bool {
    let prose = said.iter().filter(|(_, line)| !is_switched_off(line)).count();
    if prose * 4 < said.len() * 3 || said.len() < 2 {
        return false;
    }
    if said.iter().take(2).any(|(_, line)| begins(line, phrases)) {
        return true;
    }
    let tells = |line: &str| {
        let mut words = line.split(|c: char| !c.is_alphabetic() && c != '\'').filter(|word| !word.is_empty());
        words.any(|word| TOLD.contains(&word.to_lowercase().as_str()))
    };
    let telling = said.iter().filter(|(_, line)| tells(line)).count();
    telling >= 2 && telling * 4 >= said.len()
}

/// Code behind the marks of a remark.
fn is_switched_off(line: &str) -> bool {
    looks_like_code(line)
        || line.ends_with([')', ']', ':'])
            && !line.contains(' ')
            && line.contains(['=', '.', '_', '('])
            && !line.ends_with("()")
        || line.contains(": ") && line.split(": ").next().is_some_and(|key| !key.contains(' '))
        || line.contains('=')
}

/// The line that tells about the file rather than being of it.
fn told(text: &str, phrases: &[String]) -> Option<usize> {
    let mut filled = lines::filled(text);
    let (at, first) = filled.clone().next()?;
    if begins(first, phrases) && !looks_like_code(first) {
        return Some(at);
    }
    if filled.clone().all(|(_, line)| is_prose(line)) {
        return filled.find(|(_, line)| begins(line, phrases)).map(|(at, _)| at);
    }
    None
}

/// Does `line`, less the marks of a list or of emphasis, begin with one of the `phrases` as whole words?
fn begins(line: &str, phrases: &[String]) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '-' | '>' | '✅'));
    let line = line.replace('\u{2019}', "'").to_lowercase();
    // Nearly all differ in the first letter.
    let first = line.chars().next();
    let alike = phrases.iter().filter(|phrase| phrase.chars().flat_map(char::to_lowercase).next() == first);
    alike.map(|phrase| phrase.to_lowercase()).any(|phrase| {
        let rest = line.strip_prefix(&phrase).filter(|_| !phrase.is_empty());
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) || phrase.ends_with(' '))
    })
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
