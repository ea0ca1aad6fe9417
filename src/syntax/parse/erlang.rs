//! Erlang, by tree-sitter. Macros may stand for anything, and its grammar knows them in some places only: what it refuses is
//! looked at once more, with something ordinary in place of what may stand there.

use super::{Parsed, Parser, tree};
use std::collections::HashMap;

pub(in crate::syntax) const PARSER: Parser = tree::parser(parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse_or(tree_sitter_erlang::LANGUAGE, text, |text| {
        (text.contains(['?', '$']) || text.contains("-define(")).then(|| Plain::of(text))
    })
}

/// Words that `end` closes.
const BLOCKS: &[&str] = &["begin", "case", "if", "maybe", "receive", "try"];
/// What closes them, as a bracket would.
const END: u8 = b'e';

/// A bracket or a word that is open.
struct Open {
    /// How it ends.
    close: u8,
    is_macro: bool,
    /// Of the fields of a map or a record: what parts a name from its value.
    fields: Option<&'static str>,
}

/// The text that is being written.
struct Plain<'t> {
    text: &'t str,
    at: usize,
    out: String,
    open: Vec<Open>,
    /// For each bracket that opens, how many bytes there are to the one that closes it, both included.
    spans: HashMap<usize, usize>,
}

impl<'t> Plain<'t> {
    fn of(text: &'t str) -> String {
        let mut plain =
            Plain { text, at: 0, out: String::with_capacity(text.len() + 64), open: Vec::new(), spans: spans(text) };
        while plain.at < text.len() {
            plain.step();
        }
        plain.out
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The next `bytes` as they are.
    fn copy(&mut self, bytes: usize) {
        let end = self.text.ceil_char_boundary(self.at + bytes.max(1));
        self.out.push_str(&self.text[self.at..end]);
        self.at = end;
    }

    fn step(&mut self) {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        match bytes[0] {
            b'%' => self.copy(rest.find('\n').unwrap_or(rest.len())),
            b'"' | b'\'' => self.copy(quoted(bytes)),
            b'$' if rest.starts_with("$\\x{") => {
                self.at += rest.find('}').map_or(rest.len(), |at| at + 1);
                self.out.push_str("$a");
            }
            b'$' => self.copy(if bytes.get(1) == Some(&b'\\') { 3 } else { 2 }),
            b'-' if rest.starts_with("-define(") && (self.at == 0 || self.out.ends_with('\n')) => self.define(),
            b'?' if name(rest.trim_start_matches('?')) > 0 => self.macro_use(rest),
            b'#' => {
                let end = 1 + name(&rest[1..]);
                let fields = bytes.get(end) == Some(&b'{');
                self.copy(end);
                if fields {
                    self.copy(1);
                    self.open.push(Open {
                        close: b'}',
                        is_macro: false,
                        fields: Some(if end > 1 { " = 1" } else { " => 1" }),
                    });
                }
            }
            open @ (b'(' | b'[' | b'{') => {
                self.open.push(Open { close: closing(open), is_macro: false, fields: None });
                self.copy(1);
            }
            b')' | b']' | b'}' => {
                // A type of functions looks like a function that nothing ends.
                while self.open.pop_if(|open| open.close == END).is_some() {}
                let closed = self.open.pop_if(|open| open.close == bytes[0]);
                self.copy(1);
                // The macro stands for the head of a clause.
                if closed.is_some_and(|open| open.is_macro) && begins_clause(self.rest()) {
                    self.out.push_str(" ->");
                }
            }
            // A condition of several in a macro's argument: parted like the arguments.
            b';' if self.open.last().is_some_and(|open| open.is_macro) => {
                self.at += 1;
                self.out.push(',');
            }
            _ if name(rest) > 0 => {
                let (word, after) = rest.split_at(name(rest));
                if BLOCKS.contains(&word) || word == "fun" && after.trim_start().starts_with('(') {
                    self.open.push(Open { close: END, is_macro: false, fields: None });
                } else if word == "end" {
                    self.open.pop_if(|open| open.close == END);
                }
                self.copy(word.len());
            }
            _ => self.copy(1),
        }
    }

    /// What a macro stands for may be a part of something: a field, the head of a clause, the name of a record.
    fn define(&mut self) {
        match self.spans.get(&(self.at + "-define".len())) {
            Some(length) if self.is_part(self.at + "-define(".len(), length - 2) => {
                self.at += "-define".len() + length;
                self.out.push_str("-define(a, 1)");
            }
            _ => self.copy(1),
        }
    }

    /// Do these bytes define no whole expression?
    fn is_part(&self, from: usize, bytes: usize) -> bool {
        let definition = &self.text[from..from + bytes];
        // What it is called may have arguments.
        let name = name(definition);
        let named = self.spans.get(&(from + name)).map_or(name, |arguments| name + arguments);
        let body = definition[named..].trim_start_matches(',').trim();
        let is_field = || {
            let (mut at, end) = (from + named, from + bytes);
            while at < end {
                if self.text[at..end].starts_with(":=") || self.text[at..end].starts_with("=>") {
                    return true;
                }
                at += self.spans.get(&at).copied().unwrap_or(1);
                at = self.text.ceil_char_boundary(at);
            }
            false
        };
        body.ends_with("->")
            || body.ends_with(',')
            || (body.starts_with('#') && body.len() < 200 && !body.contains('{'))
            || is_field()
    }

    fn macro_use(&mut self, rest: &str) {
        let marks = rest.len() - rest.trim_start_matches('?').len();
        let end = marks + name(&rest[marks..]);
        match rest.as_bytes().get(end) {
            // It stands for the name of a record.
            Some(next @ (b'{' | b'.')) if *next == b'{' || self.out.ends_with(|c: char| c.is_alphanumeric()) => {
                self.at += end;
                self.out.push_str(if self.out.ends_with('#') { "a" } else { "#a" });
            }
            Some(b'(') => {
                let Some(&length) = self.spans.get(&(self.at + end)) else { return self.copy(end) };
                match self.is_field(&rest[end + length..]) {
                    Some(parted) => self.instead(end + length, parted),
                    None => {
                        self.copy(end + 1);
                        self.open.push(Open { close: b')', is_macro: true, fields: None });
                    }
                }
            }
            _ => match self.is_field(&rest[end..]) {
                Some(parted) => self.instead(end, parted),
                None => self.copy(end),
            },
        }
    }

    /// A field in place of the next `bytes`.
    fn instead(&mut self, bytes: usize, parted: &str) {
        self.at += bytes;
        self.out.push('a');
        self.out.push_str(parted);
    }

    /// Is a macro that is followed by `after` a whole field, name and value?
    fn is_field(&self, after: &str) -> Option<&'static str> {
        let parted = self.open.last()?.fields?;
        let first = self.out.trim_end().ends_with(['{', ',']);
        (first && after.trim_start().starts_with([',', '}'])).then_some(parted)
    }
}

/// Words that may follow an expression.
const OPERATORS: &[&str] = &[
    "when", "of", "end", "after", "catch", "andalso", "orelse", "and", "or", "xor", "div", "rem", "band", "bor",
    "bxor", "bsl", "bsr", "else",
];

/// Does what stands here begin an expression, so that what stands before it was the head of a clause?
fn begins_clause(after: &str) -> bool {
    let mut after = after.trim_start();
    while after.starts_with('%') {
        after = after.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let word = &after[..name(after)];
    after.starts_with(['{', '[', '?']) || !word.is_empty() && !OPERATORS.contains(&word)
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

/// How many bytes the name is long with which `text` begins.
fn name(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@')).unwrap_or(text.len())
}

/// How many bytes the string or the quoted atom is long with which `text` begins.
fn quoted(text: &[u8]) -> usize {
    let quote = text[0];
    if text.starts_with(b"\"\"\"") {
        return memchr::memmem::find(&text[3..], b"\"\"\"").map_or(text.len(), |end| end + 6);
    }
    let mut escaped = false;
    let end = text.iter().skip(1).position(|&byte| {
        let ends = byte == quote && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// The brackets that match.
fn spans(text: &str) -> HashMap<usize, usize> {
    let bytes = text.as_bytes();
    let mut spans = HashMap::new();
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'%' => at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(text.len() - at),
            b'"' | b'\'' => at += quoted(&bytes[at..]),
            b'$' => at += if bytes.get(at + 1) == Some(&b'\\') { 3 } else { 2 },
            b'(' | b'[' | b'{' => {
                open.push((at, closing(byte)));
                at += 1;
            }
            b')' | b']' | b'}' => {
                if let Some((start, _)) = open.pop_if(|(_, close)| *close == byte) {
                    spans.insert(start, at + 1 - start);
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_may_stand_for_more_than_the_grammar_knows() {
        for text in [
            "-define(a, b := true).\n-define(c(D, E), D:E ->).\nf() -> $\\x{10348}.\n",
            "f(X) -> #{a => b, ?set(X, 1)}, #r{?up}.\n",
            "f() -> g(?REQ{a = 1}).\n-define(REQ, #req).\n",
            "f(S) -> S?REQ.a.\n",
            "f() -> try g() catch ?WITH(A, B) % why\n  h(A), ?LOG(\"~p\", [B]) end.\n",
            "f() -> ?match(A when A == 1; A == 2, case A of 1 -> b; _ -> #?REQ{} end).\n",
        ] {
            assert_eq!(parse("a.erl", text), Parsed::Clean, "{text}\n{}", Plain::of(text));
        }
    }

    #[test]
    fn slips_beside_macros_are_seen() {
        for text in [
            "-define(a, b := true.\nf() -> ok.\n",
            "-define(a, [b c]).\nf() -> ?a.\n",
            "f(X) -> #{a => b ?set(X, 1)}.\n",
            "f() -> g(?REQ{a = 1).\n",
            "f() -> ?LOG(a) g().\n",
            "f() -> ?LOG(a), foo bar.\n",
            "f() -> ?match(A when A == 1; A == 2, g(.\n",
        ] {
            assert!(matches!(parse("a.erl", text), Parsed::Broken(_)), "{text}");
        }
    }
}
