//! Languages of which a body stands in braces.

use super::{Mark, Means, Stub, is_missing, is_to_do, line_of, shown};

/// Braces of a type before one of its methods.
const BRACES: usize = 20_000;
/// No head of a function is longer.
const HEAD: usize = 2000;

pub(super) fn stub(text: &str, code: &str, at: usize, mark: &Mark) -> Option<Stub> {
    let word = code.get(at..at + mark.word.len())?;
    let bytes = code.as_bytes();
    if word != mark.word || at.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(|byte| is_word(*byte)) {
        return None;
    }
    let after = at + word.len();
    // `NotImplementedException`, `\RuntimeException`: the rest of a name.
    let open = after + code.get(after..)?.find(['(', '{', '[', ';', '\n'])?;
    if !code.get(after..open)?.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\\')) {
        return None;
    }
    let end = closing(bytes, open)? + 1;
    let rest = code.get(end..)?.trim_start_matches([';', ' ', '\t']);
    let before = code.get(..at)?.trim_end();
    let is_body = before.ends_with('{') && rest.trim_start().starts_with('}');
    let is_expression = (before.ends_with("=>") || before.ends_with('='))
        && (rest.starts_with(['\n', '\r', '}']) || rest.is_empty())
        && mark.means == Means::Unwritten;
    if !is_body && !is_expression {
        return None;
    }
    let message = text.get(open + 1..end - 1)?;
    // Asked before what it stands in, for which all that is before it may have to be read.
    if mark.means == Means::AsItsMessage && !is_missing(message) {
        return None;
    }
    let head_end = if is_body { before.len() - 1 } else { before.trim_end_matches(['=', '>']).len() };
    let head_start = head(bytes, head_end)?;
    let (name, within) = function(code, head_start, head_end, is_expression, mark.keyword)?;
    let said = is_to_do(message);
    let sure = match mark.means {
        Means::Unwritten => true,
        // A message that says anything else gives a reason.
        Means::Missing => said || (within == Within::Nothing && (message.trim().is_empty() || is_missing(message))),
        Means::AsItsMessage => said || within == Within::Nothing,
    };
    Some(Stub { name, line: line_of(text, at), body: shown(text.get(at..end)?), sure })
}

/// The bracket that closes the one at `open`.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().skip(open).take(HEAD) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Where the head begins that ends before `end`: after the last statement or block.
fn head(bytes: &[u8], end: usize) -> Option<usize> {
    let mut depth = 0usize;
    let least = end.saturating_sub(HEAD);
    for at in (least..end).rev() {
        match bytes.get(at)? {
            b')' | b']' => depth += 1,
            b'(' | b'[' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                // An argument of a call.
                None => return Some(at + 1),
            },
            b';' | b'{' | b'}' if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    (least == 0).then_some(0)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    Nothing,
    /// A class, a trait, an implementation of one.
    Type,
}

/// The name of the function that the head is of, if it is of one, and what it stands in.
fn function(code: &str, start: usize, end: usize, is_expression: bool, keyword: &str) -> Option<(String, Within)> {
    // Attributes and decorators stand before it, and a head that follows nothing may hold them.
    let head = code.get(start..end)?.trim();
    // Kotlin ends the function before with its line, Go what it imports.
    let head = match keyword {
        "fun" | "func" => head.get(head.rfind(&format!("{keyword} "))?..)?,
        _ => head,
    };
    let words: Vec<&str> = head
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')))
        .filter(|word| !word.is_empty())
        .collect();
    const STATEMENTS: &[&str] = &[
        "if", "else", "for", "while", "switch", "catch", "try", "do", "with", "match", "loop", "case", "default",
        "return", "finally", "when", "unless", "new",
    ];
    if words.iter().take(2).any(|word| STATEMENTS.contains(word)) {
        return None;
    }
    // An arrow counts where it has a name of its own; elsewhere it is a default that is passed around.
    let is_arrow = head.ends_with("=>");
    if is_arrow && !is_expression && !(head.starts_with("const ") || head.starts_with("export const ")) {
        return None;
    }
    let by_keyword = words.iter().position(|word| *word == keyword || *word == "function");
    // Only where methods need none may it be missing.
    if by_keyword.is_none() && !keyword.is_empty() {
        return None;
    }
    let name = match by_keyword {
        Some(_) if head.contains("func (") => head.split(')').nth(1)?.trim().split('(').next()?.trim().to_owned(),
        Some(at) => (*words.get(at + 1)?).to_owned(),
        None if is_arrow => (*words.iter().find(|word| !matches!(**word, "const" | "export"))?).to_owned(),
        None => before_parameters(head)?.to_owned(),
    };
    // `fun <T> A<T>.name(…)`.
    let name = if head.contains("fun <") { before_parameters(head)?.to_owned() } else { name };
    if name.is_empty() || !(head.contains('(') || is_arrow) {
        return None;
    }
    // In an object it is a method as well.
    let within = if by_keyword.is_none() && !is_arrow { Within::Type } else { within(code, start, head) };
    Some((name, within))
}

/// A method of the C family: the word before its parameters, and before what types they take.
fn before_parameters(head: &str) -> Option<&str> {
    let mut head = head.trim_start();
    while let Some(rest) = head.strip_prefix('@') {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))?;
        head = rest.get(end..)?.trim_start();
        if head.starts_with('(') {
            head = head.get(closing(head.as_bytes(), 0)? + 1..)?.trim_start();
        }
    }
    let mut before = head.split_once('(')?.0.trim_end();
    if before.ends_with('>') {
        before = before.get(..before.rfind('<')?)?;
    }
    before.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '#'))).next()
}

fn within(code: &str, start: usize, head: &str) -> Within {
    if head.starts_with("func (") {
        return Within::Type;
    }
    let bytes = code.as_bytes();
    let (mut depth, mut at) = (0usize, start);
    for _ in 0..BRACES {
        let Some(next) = memchr::memrchr2(b'{', b'}', bytes.get(..at).unwrap_or_default()) else { break };
        at = next;
        if bytes.get(at) == Some(&b'}') {
            depth += 1;
        } else if depth > 0 {
            depth -= 1;
        } else {
            let from = self::head(bytes, at).unwrap_or(at);
            let outer = code.get(from..at).unwrap_or_default();
            let mut words = outer.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let mut has = |wanted: &[&str]| words.any(|word| wanted.contains(&word));
            let rust = outer.trim_start().starts_with("impl");
            let is_type = if rust {
                has(&["for"])
            } else {
                has(&[
                    "class",
                    "interface",
                    "trait",
                    "object",
                    "struct",
                    "protocol",
                    "extension",
                    "enum",
                    "record",
                    "mixin",
                ])
            };
            return if is_type { Within::Type } else { Within::Nothing };
        }
    }
    Within::Nothing
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}
