//! The tokens of one assertion, and what is asked of them.

use super::vocabulary::{FALSEHOODS, TRUTHS};
use crate::syntax::Assertion;

/// Tokens of one assertion that are looked at.
const MOST: usize = 120;

/// Where two sides are compared, outside all brackets, and how.
pub(super) fn comparison(tokens: &[String]) -> Option<(usize, &str)> {
    const OPERATORS: &[&str] = &["==", "===", "!=", "!==", ">=", "<=", ">", "<", "in", "is", "=~"];
    let place =
        flat(tokens).into_iter().find(|place| tokens.get(*place).is_some_and(|it| OPERATORS.contains(&it.as_str())))?;
    // `a not in b`
    tokens.get(place).map(|token| (place, token.as_str()))
}

/// Is it written out, and so the same whatever the code does?
pub(super) fn is_constant(operand: &str) -> bool {
    TRUTHS.contains(&operand)
        || FALSEHOODS.contains(&operand)
        || operand.starts_with(|c: char| c.is_ascii_digit())
        || (operand.starts_with(['"', '\'']) && operand.ends_with(['"', '\'']) && operand.len() > 1)
}

/// The places of the tokens that are in no brackets.
pub(super) fn flat(tokens: &[String]) -> Vec<usize> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ if depth == 0 => found.push(place),
            _ => {}
        }
    }
    found
}

/// Arguments, parted by the commas between them.
pub(super) fn split(tokens: &[String]) -> Vec<&[String]> {
    let flat = flat(tokens);
    let mut parts = Vec::new();
    let mut start = 0;
    for place in flat.into_iter().filter(|place| tokens.get(*place).is_some_and(|token| token == ",")) {
        parts.extend(tokens.get(start..place));
        start = place + 1;
    }
    parts.extend(tokens.get(start..).filter(|rest| !rest.is_empty()));
    parts
}

pub(super) fn closing(tokens: &[String], open: usize) -> usize {
    let mut depth = 0usize;
    for (place, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return place;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// May arguments follow such a word without brackets?
pub(super) fn is_bare(word: &str) -> bool {
    word.starts_with("assert") || word == "refute"
}

pub(super) fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

/// Without case and `_`, which is where frameworks differ.
pub(super) fn key(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Words, numbers, strings as they are written, operators.
pub(super) fn tokens(assertion: &Assertion) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let (text, code) = (assertion.text, assertion.code);
    let mut at = 0;
    while let Some(c) = code.get(at..).and_then(|rest| rest.chars().next()).filter(|_| tokens.len() < MOST) {
        let rest = code.get(at..).unwrap_or_default();
        let length = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if matches!(c, '"' | '\'' | '`') {
            rest.get(1..).and_then(|inner| inner.find(c)).map_or(rest.len(), |end| end + 2)
        } else if c.is_alphanumeric() || matches!(c, '_' | '$') {
            let is_number = c.is_ascii_digit();
            let mut exponent = false;
            let ends = |c: char| {
                let goes_on = c.is_alphanumeric()
                    || matches!(c, '_' | '$')
                    || is_number && (c == '.' || exponent && matches!(c, '-' | '+'));
                exponent = matches!(c, 'e' | 'E');
                !goes_on
            };
            rest.find(ends).unwrap_or(rest.len())
        } else {
            const LONG: &[&str] = &["===", "!==", "==", "!=", ">=", "<=", "=>", "->", "&&", "||", "::", "=~", ":="];
            LONG.iter().find(|it| rest.starts_with(**it)).map_or(c.len_utf8(), |it| it.len())
        };
        tokens.extend(text.get(at..at + length).or_else(|| code.get(at..at + length)).map(str::to_owned));
        at += length.max(1);
    }
    tokens
}
