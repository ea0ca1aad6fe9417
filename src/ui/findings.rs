//! Findings and errors in git's form: `error: …` and `hint: …` lines on stderr.

use super::plain::neutralise;
use crate::finding::{Finding, Severity};

const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const CYAN: &str = "\x1b[36m";

/// One finding, with its hint on lines of its own.
pub fn show(finding: &Finding, colour: bool) {
    let (word, paint) = match finding.severity {
        Severity::Error => ("error", RED),
        Severity::Warning => ("warning", YELLOW),
        Severity::Note => ("note", CYAN),
    };
    let place = match (&finding.path, finding.line) {
        // A message that names its subject needs no place in front unless there is a line to go to.
        (Some(path), Some(line)) => format!("{}:{line}: ", neutralise(path)),
        (Some(path), None) if !finding.message.contains(path.as_str()) => format!("{}: ", neutralise(path)),
        _ => String::new(),
    };
    let text = format!("{place}{} [{}]", neutralise(&finding.message), finding.id);
    line(word, paint, &text, colour);
    if let Some(text) = &finding.hint {
        hint(text, colour);
    }
}

pub fn error(message: &str, colour: bool) {
    line("error", RED, &neutralise(message), colour);
}

pub fn warning(message: &str, colour: bool) {
    line("warning", YELLOW, &neutralise(message), colour);
}

pub fn hint(message: &str, colour: bool) {
    for text in message.lines() {
        line("hint", YELLOW, &neutralise(text), colour);
    }
}

/// Something shown as it came, such as the beginning of a reply: each line marked, so that it cannot be taken for ours.
pub fn quote(text: &str) {
    for text in text.lines() {
        eprintln!("    | {}", neutralise(text));
    }
}

fn line(word: &str, paint: &str, text: &str, colour: bool) {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if colour {
        eprintln!("{paint}{word}:\x1b[0m {first}");
    } else {
        eprintln!("{word}: {first}");
    }
    for text in lines {
        eprintln!("    {text}");
    }
}
