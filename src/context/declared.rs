//! What a text declares: functions and types with their bodies, and values at its outermost level, each with the lines
//! that belong to it: decorators, attributes and the remarks right above.

use super::source::{Source, words};
use super::words::DECLARES;
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
        let Some((name, kind)) = value(source.code_line(line)).filter(|_| lines.binary_search(&line).is_err()) else {
            continue;
        };
        let statement = source.statement(line);
        let lines = above(source, line)..statement.end;
        found.push(Declaration { name: name.to_owned(), kind, lines, line, body: line + 1, within: None });
    }
    found.sort_by_key(|declared| (declared.line, std::cmp::Reverse(declared.lines.end)));
    found
}

fn definitions(source: &Source) -> Vec<Declaration> {
    let language = syntax::language_of(&source.path, &source.text);
    let Some((name, bodies)) = language.and_then(|language| Some((language.name, language.bodies?))) else {
        return Vec::new();
    };
    if name == "go" {
        return functions_of_go(source);
    }
    let mut found: Vec<Declaration> = if matches!(name, "c" | "cpp") { prototypes(source) } else { Vec::new() };
    // Those that the next one may stand in: where they end, and on which line they begin.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for definition in syntax::definitions(bodies, &source.text, &source.code) {
        while open.last().is_some_and(|(end, _)| *end <= definition.range.start) {
            open.pop();
        }
        let head = source.code.get(definition.range.start..definition.body.start).unwrap_or_default();
        let line = source.line_of(definition.range.start + place(head, &definition.name));
        let end = source.line_of(definition.range.end.saturating_sub(1).max(definition.range.start)) + 1;
        let before = definition.body.start.saturating_sub(1).max(definition.range.start);
        let body = (source.line_of(before) + 1).clamp(line + 1, end.max(line + 1));
        let kind = match definition.kind {
            DefinitionKind::Function => Kind::Function,
            DefinitionKind::Type => Kind::Type,
        };
        // The head may begin on a line before its name: with what it returns, with `export`.
        let first = source.line_of(definition.range.start);
        let first = if line - first.min(line) <= 2 { first.min(line) } else { line };
        let within = open.last().map(|(_, line)| *line);
        open.push((definition.range.end, line));
        found.push(Declaration { name: definition.name, kind, lines: above(source, first)..end, line, body, within });
    }
    found
}

/// The functions that a header of C or C++ declares outside of types.
fn prototypes(source: &Source) -> Vec<Declaration> {
    let mut found = Vec::new();
    // Of each open brace, whether functions are declared in it.
    let mut open: Vec<bool> = Vec::new();
    let (mut first, mut statement) = (0, String::new());
    for line in 0..source.count() {
        let code = source.code_line(line);
        if code.trim_start().starts_with('#') {
            continue;
        }
        if statement.trim().is_empty() {
            (first, statement) = (line, String::new());
        }
        for c in code.chars() {
            match c {
                '{' => open.push(statement.contains("namespace") || statement.trim_start().starts_with("extern")),
                '}' => drop(open.pop()),
                ';' if open.iter().all(|names| *names) => found.extend(prototype(source, &statement, first..line + 1)),
                ';' => {}
                c => {
                    // No declaration is so long.
                    if statement.len() < 2_000 {
                        statement.push(c);
                    }
                    continue;
                }
            }
            (first, statement) = (line, String::new());
        }
        statement.push('\n');
    }
    found
}

/// What a statement in these lines declares, if it is a function.
fn prototype(source: &Source, statement: &str, lines: Range<usize>) -> Option<Declaration> {
    let (before, _) = statement.split_once('(')?;
    let (at, name) = words(before).last()?;
    let is_type_before = before.get(..at).is_some_and(|before| words(before).next().is_some());
    let is_other = words(before).any(|(_, word)| matches!(word, "typedef" | "using" | "return" | "friend"));
    if is_other || !is_type_before || before.contains('=') || before.trim_end().len() != at + name.len() {
        return None;
    }
    let (line, end) = (lines.start + before.matches('\n').count(), lines.end);
    let lines = above(source, lines.start)..end;
    Some(Declaration { name: name.to_owned(), kind: Kind::Function, lines, line, body: end, within: None })
}

/// Where in a head the name of what it defines is. Where statements end with their lines a head begins too early, and may
/// have the name in it more than once.
fn place(head: &str, name: &str) -> usize {
    let (mut first, mut called, mut told, mut before) = (None, None, None, "");
    for (at, word) in words(head) {
        if word == name {
            first = first.or(Some(at));
            let is_called = head.get(at + word.len()..).is_some_and(|rest| rest.starts_with('('));
            called = if is_called { Some(at) } else { called };
            told = if DECLARES.contains(&before) { Some(at) } else { told };
        }
        before = word;
    }
    told.or(called).or(first).unwrap_or_default()
}

/// Go's functions and methods: from the line of their head to the brace at the beginning of a line, as `gofmt` has it.
fn functions_of_go(source: &Source) -> Vec<Declaration> {
    let mut found: Vec<Declaration> = Vec::new();
    let mut line = 0;
    while line < source.count() {
        let head = line;
        line += 1;
        let Some(rest) = source.code_line(head).strip_prefix("func ") else { continue };
        let rest = rest.trim_start();
        let rest = match rest.strip_prefix('(') {
            Some(receiver) => receiver.split_once(')').map_or("", |(_, rest)| rest).trim_start(),
            None => rest,
        };
        let Some(name) = words(rest).next().filter(|(at, _)| *at == 0).map(|(_, name)| name) else { continue };
        let is_short = source.code_line(head).trim_end().ends_with('}');
        while !is_short && line < source.count() && !source.code_line(line - 1).starts_with('}') {
            line += 1;
        }
        let opens = |at: &usize| source.code_line(*at).trim_end().ends_with('{');
        let body = (head..line).find(opens).unwrap_or(head) + 1;
        let lines = above(source, head)..line;
        found.push(Declaration { name: name.to_owned(), kind: Kind::Function, lines, line: head, body, within: None });
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

/// Words before the name of a value, beside those of [`TELLING`].
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "declare", "def", "default", "export", "extern", "final", "inline", "internal", "private", "protected", "pub", "public",
    "readonly", "using",
];
/// One of these, and what follows is a value or an alias, whatever comes next.
const TELLING: &[&str] = &["const", "constexpr", "let", "static", "type", "typealias", "val", "var"];

/// What a line at the outermost level gives a name to: `LIMIT = 3`, `export const x = …`, `type A = …`.
fn value(code: &str) -> Option<(&str, Kind)> {
    if let Some(rest) = code.strip_prefix("#define ") {
        return words(rest).next().map(|(_, word)| (word, Kind::Value));
    }
    if !code.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let (mut is_told, mut kind) = (false, Kind::Value);
    let mut rest = code;
    loop {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if !BEFORE.contains(&word) && !TELLING.contains(&word) {
            let after = after.trim_start();
            let is_given = (after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>"))
                || (after.starts_with(':') && !after.starts_with("::") && after.contains('='));
            return (!word.is_empty() && (is_given || is_told)).then_some((word, kind));
        }
        is_told |= TELLING.contains(&word);
        kind = if matches!(word, "type" | "typealias") { Kind::Type } else { kind };
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
    fn functions_of_go_are_known_by_their_own_names_whatever_they_return() {
        let text = "package a\n\nimport \"b\"\n\n// Why.\nfunc F(c int) func(b.H) b.H {\n\treturn func(h b.H) b.H {\n\t\treturn h\n\t}\n}\n\nfunc (s *S) G() int { return 1 }\nfunc main() {\n}\n";
        assert_eq!(found("a.go", text), ["F 4-10 None", "G 11-12 None", "main 12-14 None"]);
    }

    #[test]
    fn functions_that_a_header_declares_are_found_outside_of_types() {
        let text = "#pragma once\n#include <a>\n\nnamespace B::C\n{\n    // Why.\n    bool d(const E &f,\n           int g = 1);\n    template <typename T>\n    T h(T x);\n    struct K { int l(int); };\n    extern int m;\n    inline int n() { o(1); return 2; }\n}\nvoid p();\nint q = r(1);\n";
        let of = |path| {
            found(path, text).into_iter().filter(|it| !it.starts_with(['B', 'C', 'K', 'n', 'q'])).collect::<Vec<_>>()
        };
        assert_eq!(of("a.hpp"), ["d 5-8 None", "h 8-10 None", "p 14-15 None"]);
    }

    #[test]
    fn where_no_semicolon_ends_a_statement_a_declaration_begins_with_its_own_line() {
        let text = "import { load } from './load'\nimport b from 'b'\n\nconst c = load()\n\nexport function load2() {\n  return b\n}\n";
        assert_eq!(found("a.ts", text), ["c 3-4 None", "load2 5-8 None"]);
    }

    #[test]
    fn a_field_or_a_comparison_is_no_value() {
        assert_eq!(found("a.py", "class A:\n    x = 1\n\nx == 2\nf(x=3)\nif x: y = 2\n"), ["A 0-2 None"]);
    }
}
