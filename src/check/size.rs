//! A whole-file reply that is much shorter than the file it replaces: most often half of it was forgotten.
//!
//! Unless it was moved: a file whose definitions now come in by imports has shrunk for a good reason, and that is
//! worth a warning.

use super::{Candidate, Check, Design, Settings, Verdict};
use crate::finding::Finding;
use std::collections::BTreeSet;

pub const CHECK: Check = Check { id: "size", allowable: true, design: Design::ById, run };

/// Shorter files shrink for good reasons.
const MIN_BASE_LINES: usize = 100;

fn run(candidate: &Candidate, _: &Settings) -> Verdict {
    let (Some(base), true) = (candidate.base, candidate.whole) else { return Verdict::Pass };
    let (before, after) = (base.lines().count(), candidate.text.lines().count());
    if before < MIN_BASE_LINES || after * 2 >= before {
        return Verdict::Pass;
    }
    let message = format!("'{}' shrinks from {before} lines to {after}", candidate.path);
    let finding = if was_moved(base, candidate.text) {
        Finding::warning(CHECK.id, message).hint("most of what is gone comes in by imports now")
    } else {
        let hint = "if that is meant, write 'allow: size' in the design's row, or use '--allow size'";
        Finding::error(CHECK.id, message).hint(hint)
    };
    Verdict::Fail(vec![finding])
}

/// Does `text` import, by statements that `base` does not have, at least a third of what `base` defines and it does
/// not? Not all of it: what only the moved parts used goes along with them, and is never named here again.
fn was_moved(base: &str, text: &str) -> bool {
    let (had, has) = (definitions(base), definitions(text));
    let gone: Vec<&&str> = had.difference(&has).collect();
    let had_imports = imported(base);
    let imports: BTreeSet<&str> = imported(text).difference(&had_imports).copied().collect();
    let moved = gone.iter().filter(|name| imports.contains(**name)).count();
    moved > 0 && moved * 3 >= gone.len()
}

/// Names of what is defined in the first column.
fn definitions(text: &str) -> BTreeSet<&str> {
    const WORDS: &[&str] = &[
        "class",
        "const",
        "def",
        "enum",
        "fn",
        "func",
        "function",
        "interface",
        "let",
        "static",
        "struct",
        "trait",
        "type",
        "var",
    ];
    const MODIFIERS: &[&str] =
        &["abstract", "async", "default", "declare", "export", "final", "pub", "public", "unsafe"];
    let name = |line: &'_ str| -> Option<(usize, usize)> {
        let mut at = 0;
        let mut defines = false;
        for word in line.split(|c: char| !is_word(c)) {
            if defines {
                return (!word.is_empty()).then_some((at, at + word.len()));
            }
            match WORDS.contains(&word) {
                true => defines = true,
                false if MODIFIERS.contains(&word) => {}
                false => return None,
            }
            at += word.len() + 1;
        }
        None
    };
    text.lines().filter_map(|line| name(line).and_then(|(from, to)| line.get(from..to))).collect()
}

/// Words of the import statements that begin in the first column, over as many lines as their brackets take.
fn imported(text: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    let mut open = 0i32;
    for line in text.lines() {
        let begins =
            ["import ", "from ", "use ", "pub use ", "export {", "export * "].iter().any(|word| line.starts_with(word))
                || line.contains("= require(");
        if open <= 0 && !begins {
            continue;
        }
        open = open.max(0) + line.matches(['(', '{']).count() as i32 - line.matches([')', '}']).count() as i32;
        words.extend(line.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()));
    }
    words
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
