//! What a text declares: functions and types with their bodies, and values at its outermost level, each with the lines
//! that belong to it: decorators, attributes and the remarks right above.

use super::source::Source;
use crate::syntax::{self, DefinitionKind};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Function,
    Type,
    /// A constant, a variable, an alias.
    Value,
}

#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub name: String,
    pub kind: Kind,
    /// From what belongs to it above to its last line, counted from 0.
    pub lines: Range<usize>,
    /// The line of its name.
    pub line: usize,
    /// The first line behind its head.
    pub body: usize,
    /// The line of the definition that it stands in.
    pub within: Option<usize>,
}

/// As many lines above a declaration are taken for its own.
const MOST_ABOVE: usize = 40;

pub(super) fn declarations(source: &Source) -> Vec<Declaration> {
    let mut found = definitions(source);
    let mut lines: Vec<usize> = found.iter().map(|declared| declared.line).collect();
    lines.sort_unstable();
    for line in 0..source.count() {
        let Some(name) = value_name(source.code_line(line)).filter(|_| lines.binary_search(&line).is_err()) else {
            continue;
        };
        let statement = source.statement(line);
        let lines = above(source, line)..statement.end;
        found.push(Declaration {
            name: name.to_owned(),
            kind: Kind::Value,
            lines,
            line,
            body: statement.end,
            within: None,
        });
    }
    found.sort_by_key(|declared| (declared.line, std::cmp::Reverse(declared.lines.end)));
    found
}

fn definitions(source: &Source) -> Vec<Declaration> {
    let language = syntax::language_of(&source.path, &source.text);
    let Some(bodies) = language.and_then(|language| language.bodies) else { return Vec::new() };
    let mut found: Vec<Declaration> = Vec::new();
    // Those that the next one may stand in: where they end, and on which line they begin.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for definition in syntax::definitions(bodies, &source.text, &source.code) {
        while open.last().is_some_and(|(end, _)| *end <= definition.range.start) {
            open.pop();
        }
        let head = source.code.get(definition.range.clone()).unwrap_or_default();
        // The head may have attributes on lines of their own, and its name on a later one.
        let head = head.get(..definition.body.start.saturating_sub(definition.range.start)).unwrap_or(head);
        let at = super::source::words(head).find(|(_, word)| *word == definition.name).map_or(0, |(at, _)| at);
        let line = source.line_of(definition.range.start + at);
        let first = source.line_of(definition.range.start);
        let end = source.line_of(definition.range.end.saturating_sub(1).max(definition.range.start)) + 1;
        let before = definition.body.start.saturating_sub(1).max(definition.range.start);
        let body = (source.line_of(before) + 1).clamp(line + 1, end.max(line + 1));
        let kind = match definition.kind {
            DefinitionKind::Function => Kind::Function,
            DefinitionKind::Type => Kind::Type,
        };
        let within = open.last().map(|(_, line)| *line);
        open.push((definition.range.end, line));
        found.push(Declaration { name: definition.name, kind, lines: above(source, first)..end, line, body, within });
    }
    found
}

/// Where what belongs to the declaration on `line` begins: decorators, attributes, remarks without a gap.
fn above(source: &Source, line: usize) -> usize {
    let mut first = line;
    while let Some(before) = first.checked_sub(1).filter(|before| line - before <= MOST_ABOVE) {
        let text = source.line(before).trim_start();
        let is_remark = !text.is_empty() && source.code_line(before).trim().is_empty();
        let is_mark = text.starts_with('@') || text.starts_with("#[");
        if !is_remark && !is_mark {
            break;
        }
        first = before;
    }
    first
}

/// Words before the name of a value.
const BEFORE: &[&str] = &[
    "const",
    "constexpr",
    "declare",
    "def",
    "default",
    "export",
    "extern",
    "final",
    "inline",
    "internal",
    "let",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "static",
    "type",
    "typealias",
    "using",
    "val",
    "var",
];
/// One of these, and what follows is a value or an alias, whatever comes next.
const TELLING: &[&str] = &["const", "constexpr", "let", "static", "type", "typealias", "val", "var"];

/// The name of the value that a line at the outermost level gives: `LIMIT = 3`, `export const x = …`, `type A = …`.
fn value_name(code: &str) -> Option<&str> {
    if let Some(rest) = code.strip_prefix("#define ") {
        return super::source::words(rest).next().map(|(_, word)| word);
    }
    if !code.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let mut is_told = false;
    let mut rest = code;
    loop {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if !BEFORE.contains(&word) {
            let after = after.trim_start();
            let is_given = (after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>"))
                || (after.starts_with(':') && !after.starts_with("::") && after.contains('='));
            return (!word.is_empty() && (is_given || is_told)).then_some(word);
        }
        is_told |= TELLING.contains(&word);
        // `pub(crate) const`, `static mut`.
        let after = after.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(after, |(_, rest)| rest);
        rest = after.trim_start();
        rest = rest.strip_prefix("mut ").unwrap_or(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let source = Source::new(path, text.to_owned());
        let line = |it: &Declaration| format!("{} {}-{} {:?}", it.name, it.lines.start, it.lines.end, it.within);
        source.declared().iter().map(line).collect()
    }

    #[test]
    fn functions_types_and_values_are_found_with_what_stands_right_above() {
        let python = "import os\nLIMIT = [\n    3,\n]\n\n# Why.\n@cached\ndef load(\n    path,\n):\n    x = 1\n    return x\n\nclass A:\n    def b(self):\n        pass\n";
        assert_eq!(found("a.py", python), ["LIMIT 1-4 None", "load 5-12 None", "A 13-16 None", "b 14-16 Some(13)"]);
        let script = "/** Why. */\nexport const load = async (path: string) => {\n  return 1;\n};\nexport type A = {\n  b: string;\n};\nexport const LIMIT = 3;\ninterface C {\n  d: string;\n}\n";
        assert_eq!(found("a.ts", script), ["load 0-4 None", "A 4-7 None", "LIMIT 7-8 None", "C 8-11 None"]);
        let rust = "/// Why.\n#[derive(Debug)]\npub struct A {\n    b: u8,\n}\n\npub(crate) const C: u8 = 1;\nimpl A {\n    fn d(&self) {}\n}\n";
        assert_eq!(found("a.rs", rust), ["A 0-5 None", "C 6-7 None", "A 7-10 None", "d 8-9 Some(7)"]);
        assert_eq!(
            found("a.go", "package a\n\ntype T struct {\n\tx int\n}\n\nvar E = 1\n"),
            ["T 2-5 None", "E 6-7 None"]
        );
    }

    #[test]
    fn a_field_or_a_comparison_is_no_value() {
        assert_eq!(found("a.py", "class A:\n    x = 1\n\nx == 2\nf(x=3)\nif x: y = 2\n"), ["A 0-2 None"]);
    }
}
