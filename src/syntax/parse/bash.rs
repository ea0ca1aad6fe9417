//! Shell scripts for bash and the POSIX shells, by brush. Of some constructs (quotes within quotes, patterns in
//! brackets) it refuses what runs: where it stumbles there, tree-sitter's grammar has to agree.

use super::{Parsed, Trust, broken, guard, tree};
use crate::syntax::language::bash::LANGUAGE;
use brush_parser::{ParseError, Parser, ParserOptions, SourceInfo, Token};
use std::collections::{HashMap, VecDeque};

pub(in crate::syntax) const PARSER: super::Parser =
    super::Parser { trust: Trust::Error, parse, stack_per_token: 6_000, links: Some(links) };

fn parse(_path: &str, text: &str) -> Parsed {
    if crate::syntax::program(text).is_some_and(|program| !LANGUAGE.programs.contains(&program)) {
        return Parsed::NotApplicable("it is for another shell");
    }
    // A program that the shell only starts, written so that both can read it.
    if text.lines().take(20).any(|line| line.trim_start().starts_with("exec wish ") || line.contains("-*- tcl -*-")) {
        return Parsed::NotApplicable("it is Tcl");
    }
    match judge(text) {
        Parsed::Broken(errors) => match plain(text).map(|text| judge(&text)) {
            Some(Parsed::Clean) => Parsed::Clean,
            _ => Parsed::Broken(errors),
        },
        parsed => parsed,
    }
}

fn judge(text: &str) -> Parsed {
    let Some(error) = first_error(text) else { return Parsed::Clean };
    let refused = broken(line(&error, text), &error.to_string());
    if is_sure(&error) {
        return refused;
    }
    match tree::parse(tree_sitter_bash::LANGUAGE, text) {
        Parsed::Broken(_) => refused,
        parsed => parsed,
    }
}

/// The script ends too early, or there is an operator or the end of a line where there should be a command: brush is
/// right about that. Of `case` within `$(…)` it takes the bracket of a pattern for the end.
fn is_sure(error: &ParseError) -> bool {
    match error {
        ParseError::ParsingAtEndOfInput => true,
        ParseError::ParsingNearToken(Token::Operator(operator, _)) => !operator.starts_with(['(', ')', ';']),
        _ => false,
    }
}

/// The script without what both parsers stumble over: texts that are given to a command (within `$(…)`, above all), and both
/// outputs sent to one. `None` if there is nothing of that.
fn plain(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    // Texts that begin on the last line, in order: what ends each, and may tabs stand before that?
    let mut ends: VecDeque<(&str, bool)> = VecDeque::new();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        last.insert(line.trim_end().trim_start_matches('\t'), at);
    }
    for (at, line) in lines.iter().enumerate() {
        if let Some((end, tabs)) = ends.front() {
            let ended = line.trim_end_matches(['\n', '\r']);
            if (if *tabs { ended.trim_start_matches('\t') } else { ended }) == *end {
                ends.pop_front();
            }
            out.push('\n');
            continue;
        }
        let mut from = 0;
        for (start, length, end, tabs) in heredocs(line) {
            if last.get(end).is_some_and(|last| *last > at) {
                out.push_str(line.get(from..start).unwrap_or(""));
                out.push_str("</dev/null");
                from = start + length;
                ends.push_back((end, tabs));
            }
        }
        out.push_str(line.get(from..).unwrap_or(""));
    }
    let out = out.replace("&> >(", " >  $(").replace("&>\t>(", " > $(").replace("&>", " >");
    // Nor do they know where the output of a condition goes.
    let out = out.replace("]]  >", "]] && a >").replace("]] >", "]] && a >").replace("]] 2>", "]] && a 2>");
    (out != text).then_some(out)
}

/// Where texts for commands are named on a line: offset, length, the name, may tabs stand before it?
fn heredocs(line: &str) -> Vec<(usize, usize, &str, bool)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = line.get(from..).and_then(|rest| rest.find("<<")).map(|at| from + at) {
        let rest = &line[at + 2..];
        from = at + 2;
        if rest.starts_with('<') {
            from += 1;
            continue;
        }
        let (rest, tabs) = rest.strip_prefix('-').map_or((rest, false), |rest| (rest, true));
        let rest = rest.trim_start_matches([' ', '\t']);
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"' | '\\'));
        let name = rest.trim_start_matches(['\'', '"', '\\']);
        let length = name.find(|c: char| !(c.is_alphanumeric() || "_-.!".contains(c))).unwrap_or(name.len());
        if length == 0 {
            continue;
        }
        let closed = matches!(quote, Some('\'' | '"'));
        let end = line.len() - name.len() + length + usize::from(closed);
        found.push((at, end - at, &name[..length], tabs));
        from = end.min(line.len());
    }
    found
}

/// Words that open a command within a command.
const OPENERS: &[&str] = &["if", "elif", "else", "then", "case", "for", "while", "until", "select", "do", "function"];

/// Only brackets, quotes and compound commands nest. What chains (`a && b`, `a; b`) takes a tenth of the stack.
fn links(text: &str) -> Option<usize> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| OPENERS.contains(word)).count();
    Some(words + text.bytes().filter(|byte| b"([{`!".contains(byte)).count() + guard::tokens(text) / 10)
}

fn first_error(text: &str) -> Option<ParseError> {
    Parser::new(text.as_bytes(), &ParserOptions::default(), &SourceInfo::default()).parse_program().err()
}

fn line(error: &ParseError, text: &str) -> usize {
    match error {
        ParseError::ParsingNearToken(token) => token.location().start.line,
        ParseError::Tokenizing { position: Some(position), .. } => position.line,
        _ => text.lines().count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_for_commands_and_both_outputs_are_no_stumbling_block() {
        for text in [
            "a \"$(\n  cat <<EOF\nit's (\nEOF\n)\"\n",
            "if [[ a == b ]] &>/dev/null; then c; fi\n",
            "exec &> >(tee -a \"$a\" >(b))\n{ c; } &> >(d)\n",
            "if ! a=$(\n  b 2>&1 <<'PY'\nc = d(\nPY\n); then e; fi\n",
        ] {
            assert_eq!(parse("a.sh", text), Parsed::Clean, "{text}\n{:?}", plain(text));
        }
        for text in [
            "a \"$(\n  cat <<EOF\nit's (\nEOF\n\"\n",
            "exec &> >(tee -a \"$a\"\n",
            "if ! a=$(\n  b <<'PY'\nc\nPY\n); then e;\n",
        ] {
            assert!(matches!(parse("a.sh", text), Parsed::Broken(_)), "{text}");
        }
    }
}
