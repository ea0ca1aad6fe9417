//! Functions that have become hollow: the base had a body, and now nothing is done in it, or it gives a constant back.

use crate::check::Change;
use crate::check::change::Side;
use crate::syntax::{Definition, DefinitionKind};
use std::collections::HashMap;

/// Lines of code that a body must have had for an empty one to say anything by itself.
const FEW: usize = 2;

/// A function without what its name promises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hollow {
    pub name: String,
    /// Of its head; counted from 1.
    pub line: usize,
    /// The body on one line.
    pub body: String,
    /// A remark or a message says that the work is still to be done.
    pub said: bool,
}

/// The functions that the change has made hollow, and new ones of which a remark says so.
pub(super) fn hollow(change: &Change) -> Vec<Hollow> {
    let new = change.now();
    let Some(code) = new.code() else { return Vec::new() };
    let functions = |side: &Side| -> Vec<Definition> {
        side.definitions().iter().filter(|it| it.kind == DefinitionKind::Function).cloned().collect()
    };
    let now = functions(new);
    if now.is_empty() {
        return Vec::new();
    }
    // How many lines of code the bodies of each name had, the first one last; hollow ones had none.
    let mut had: HashMap<String, Vec<usize>> = HashMap::new();
    if let Some((old, old_code)) = change.before().and_then(|old| Some((old, old.code()?))) {
        for it in functions(old).into_iter().rev() {
            let body = old_code.get(it.body).unwrap_or_default();
            had.entry(it.name).or_default().push(if is_hollow(body) { 0 } else { statements(body).len() });
        }
    }
    let lines = crate::check::Lines::of(new.text);
    let mut found = Vec::new();
    for it in now {
        let before = had.get_mut(&it.name).and_then(Vec::pop);
        let (Some(text), Some(code)) = (new.text.get(it.body.clone()), code.get(it.body.clone())) else { continue };
        if !is_hollow(code) {
            continue;
        }
        let said = match before {
            Some(_) => says_to_do(text, code, TO_DO),
            // Why a new one does nothing may have other reasons; what ends in an error is judged by its kind.
            None => !statements(code).first().is_some_and(|first| raises(first)) && says_to_do(text, code, FOR_SURE),
        };
        if before.is_some_and(|lines| lines >= FEW) || said && before != Some(0) {
            let body: Vec<&str> = text.split_whitespace().collect();
            let body = body.join(" ");
            found.push(Hollow { name: it.name, line: lines.number(it.range.start), body, said });
        }
    }
    found
}

/// The lines of code of a body: neither brackets alone, nor strings alone.
fn statements(code: &str) -> Vec<&str> {
    let lines = code.lines().map(|line| line.trim().trim_end_matches(';').trim());
    lines.filter(|line| line.chars().any(char::is_alphanumeric) || *line == "...").collect()
}

/// Nothing, one statement that ends in an error, or one that gives a constant back.
fn is_hollow(code: &str) -> bool {
    match statements(code)[..] {
        [] => true,
        [one] => matches!(one, "pass" | "..." | "return" | "continue") || raises(one) || gives_constant(one),
        // The message of an error may take some lines.
        [first, .., last] => {
            raises(first)
                && !first.contains(')')
                && code.trim_end().ends_with([')', ';'])
                && !last.starts_with("return")
        }
    }
}

fn raises(statement: &str) -> bool {
    const ENDS: &[&str] = &[
        "throw ",
        "raise ",
        "raise",
        "panic(",
        "panic!",
        "unreachable!",
        "todo!",
        "unimplemented!",
        "fatalError(",
        "abort(",
        "die(",
        "TODO(",
        "error(",
        "NotImplemented",
        "return NotImplemented",
        "throw new ",
        "assert(false",
        "assert False",
    ];
    ENDS.iter().any(|begin| statement.starts_with(begin))
}

/// `return null`, `0`, `return {} as any`, `Ok(())`.
fn gives_constant(statement: &str) -> bool {
    const CONSTANTS: &[&str] = &[
        "return",
        "null",
        "None",
        "nil",
        "undefined",
        "true",
        "false",
        "True",
        "False",
        "NULL",
        "nullptr",
        "NaN",
        "Ok",
        "Some",
        "Default",
        "default",
        "Vec",
        "vec",
        "new",
        "String",
        "string",
        "std",
        "Optional",
        "empty",
        "Promise",
        "resolve",
        "as",
        "any",
        "unknown",
        "List",
        "of",
        "Collections",
        "emptyList",
        "Err",
        "Map",
        "array",
        "list",
        "dict",
        "set",
        "tuple",
        "str",
        "int",
        "float",
        "await",
        "NotImplemented",
        "b",
        "f",
        "r",
        "u",
    ];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = statement.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
    let is_known = |word: &str| CONSTANTS.contains(&word) || word.chars().all(|c| c.is_ascii_digit() || c == '_');
    let plain = statement.chars().all(|c| is_word(c) || " \t.:()[]{}<>,-\"'`!&;?".contains(c));
    plain && !statement.contains("->") && words.into_iter().all(is_known)
}

/// Words that say of a body that it is none yet.
const TO_DO: &[&str] = &[
    "todo",
    "fixme",
    "placeholder",
    "stub",
    "stubbed",
    "unimplemented",
    "implement",
    "implemented",
    "implementation",
    "simplified",
    "dummy",
    "hardcoded",
];

/// Those that say so of anything.
const FOR_SURE: &[&str] = &["todo", "fixme", "placeholder", "stub", "stubbed", "unimplemented"];

/// Does a remark in the body, or the message of its error, say that the work is still to be done?
fn says_to_do(text: &str, code: &str, known: &[&str]) -> bool {
    let raises = statements(code).first().is_some_and(|first| raises(first));
    let says = |words: &str| {
        let lower = words.to_lowercase();
        lower.split(|c: char| !c.is_alphanumeric()).any(|word| known.contains(&word))
            || lower.contains("for now")
            || lower.contains("notimplemented")
            || lower.contains("real implementation")
    };
    if raises {
        return says(text) || statements(code).first().is_some_and(|first| says(first));
    }
    text.lines().zip(code.lines()).any(|(line, code)| {
        // What the mask left out of a line, or all of a line that is no code.
        let kept = code.trim_end().len();
        says(line.get(kept..).unwrap_or(line))
    })
}
