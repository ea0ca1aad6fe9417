//! An added source file of a few lines that neither imports, exports nor defines anything: a stub, or a remark.

use super::{Base, Change, Check, Design, Settings, Verdict, Weight, kind, lines};
use crate::finding::Finding;

pub const CHECK: Check = Check {
    id: "too-short",
    allowable: true,
    design: Design::InWords(&["empty", "blank", "minimal", "placeholder", "short", "tiny", "truncated", "one-line"]),
    weight: Weight::MODEL_ONLY,
    base: Base::Excuses,
    run,
};

/// Files with fewer lines that hold anything are looked at.
const MIN_LINES: usize = 5;
/// Unless they are this long: minified code is not short.
const MAX_BYTES: usize = 1000;

/// Words with which imports, exports and definitions of any of the languages begin, after modifiers or not.
const WORDS: &[&str] = &[
    "#define",
    "#!",
    "#ifndef",
    "#include",
    "#pragma",
    "abstract",
    "alias",
    "async",
    "class",
    "const",
    "data",
    "declare",
    "def",
    "defmodule",
    "enum",
    "export",
    "exports",
    "extern",
    "final",
    "fn",
    "from",
    "fun",
    "func",
    "function",
    "global",
    "impl",
    "import",
    "include",
    "inline",
    "interface",
    "internal",
    "let",
    "local",
    "library",
    "macro_rules!",
    "mod",
    "module",
    "namespace",
    "object",
    "open",
    "package",
    "part",
    "private",
    "protected",
    "protocol",
    "pub",
    "public",
    "record",
    "require",
    "require_once",
    "require_relative",
    "return",
    "sealed",
    "static",
    "struct",
    "sub",
    "trait",
    "type",
    "typealias",
    "typedef",
    "union",
    "unsafe",
    "use",
    "using",
    "val",
    "var",
    "void",
];

fn run(candidate: &Change, _: &Settings) -> Verdict {
    if candidate.base.is_some() || !kind::is_source(candidate.path) || kind::is_marker(candidate.path) {
        return Verdict::Pass;
    }
    let filled = lines::filled(candidate.text);
    let count = filled.clone().take(MIN_LINES).count();
    // Nothing at all is the business of `empty`.
    if count == 0
        || count >= MIN_LINES
        || candidate.text.len() > MAX_BYTES
        || filled.clone().any(|(_, line)| says_something(line))
    {
        return Verdict::Pass;
    }
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("'{}' has {count} line{plural}, and no import, export or definition", candidate.path);
    let hint = "if that is all of it, say so with '--allow too-short'";
    Verdict::Fail(vec![Finding::error(CHECK.id, message).hint(hint)])
}

fn says_something(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("<?php").unwrap_or(line).trim_start();
    let word = line
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | '{' | '"' | '\'' | '<' | '/' | '.'))
        .next()
        .unwrap_or("");
    WORDS.contains(&word)
        || line.starts_with("#!")
        || line.starts_with("@import")
        || line.contains("require(")
        || line.contains("exports")
        || line.contains("<?=")
        || is_declared(line)
        || is_assignment(line)
}

/// `name: Type` and nothing else, as in stubs.
fn is_declared(line: &str) -> bool {
    let is_word = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'))
    };
    line.split_once(": ").is_some_and(|(name, kind)| is_word(name) && is_word(kind.trim_end()))
}

/// `name = …`, `name: Type = …`, `a.b = …`, but neither a comparison nor a remark with `=` in it.
fn is_assignment(line: &str) -> bool {
    let Some((name, value)) = line.split_once('=') else { return false };
    let name = name.split(':').next().unwrap_or("").trim();
    !value.starts_with('=')
        && name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@'))
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '.' | '[' | ']' | ','))
}
