//! The tests of RSpec, Minitest and test-unit.
//!
//! Blocks are told by how they are indented, as everybody writes them: their ends are not counted.

use super::{File, Test};

/// Assertions that cannot fail, as whole statements.
pub(super) const HOLLOW: &[&str] = &[
    "assert true",
    "assert(true)",
    "expect(true).to be true",
    "expect(true).to be(true)",
    "expect(true).to eq(true)",
    "expect(true).to be_truthy",
    "assert_equal 1, 1",
];

/// What stands for a test, and what for a suite.
const TESTS: &[&str] = &["it", "specify", "example", "scenario", "test", "should"];
const SUITES: &[&str] = &["describe", "context", "feature"];

pub(super) fn find(file: &File) -> Vec<Test> {
    let mut tests = Vec::new();
    for (place, (at, line)) in file.lines.iter().copied().enumerate() {
        let Some((name, kind)) = declared(file, at, line) else { continue };
        let depth = |line: &str| line.len() - line.trim_start().len();
        let is_after = |line: &str| !line.trim().is_empty() && depth(line) <= depth_of(file, place);
        let is_block = line.trim_end().ends_with("do") || line.contains(" do |") || kind == BlockKind::Method;
        let end = match is_block {
            true => file
                .lines
                .iter()
                .skip(place + 1)
                .find(|(_, line)| is_after(line))
                .map_or(file.code.len(), |(at, _)| *at),
            false => at + line.len(),
        };
        let (first, statement) = file.statement(at + line.len());
        // `skip if …` depends.
        let word = statement.split([' ', '(']).next().unwrap_or_default();
        let skips = matches!(word, "skip" | "pending" | "omit")
            && ![" if ", " unless ", " do", " {"].iter().any(|it| format!("{statement} ").contains(it));
        let skip = (kind == BlockKind::Skipped)
            .then_some(at)
            .or((skips && first < end && kind != BlockKind::Suite).then_some(first));
        let test = file.test(&name, at, (at, end), skip);
        let only = kind == BlockKind::Focused || line.contains(", :focus") || line.contains("focus: true");
        tests.push(Test { only, is_suite: kind == BlockKind::Suite || is_suite(line), ..test });
    }
    tests
}

fn depth_of(file: &File, place: usize) -> usize {
    file.lines.get(place).map_or(0, |(_, line)| line.len() - line.trim_start().len())
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum BlockKind {
    Test,
    Suite,
    Skipped,
    Focused,
    Method,
}

fn word(line: &str) -> &str {
    let start = line.trim_start();
    let start = start.strip_prefix("RSpec.").unwrap_or(start);
    start.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn is_suite(line: &str) -> bool {
    SUITES.contains(&word(line).trim_start_matches(['x', 'f']))
}

/// The name of the test that the line begins.
fn declared(file: &File, at: usize, line: &str) -> Option<(String, BlockKind)> {
    let start = line.trim_start();
    if let Some(name) = start.strip_prefix("def ").filter(|name| name.starts_with("test_")) {
        let name = name.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '?' | '!')).next()?;
        return Some((name.to_owned(), BlockKind::Method));
    }
    let word = word(line);
    let kind = match word {
        _ if TESTS.contains(&word) => BlockKind::Test,
        _ if SUITES.contains(&word) => BlockKind::Suite,
        "xit" | "xspecify" | "xexample" | "xscenario" | "xdescribe" | "xcontext" => BlockKind::Skipped,
        "skip" | "pending" if line.trim_end().ends_with(" do") => BlockKind::Skipped,
        "fit" | "fspecify" | "fexample" | "fscenario" | "fdescribe" | "fcontext" => BlockKind::Focused,
        _ => return None,
    };
    let rest = start.strip_prefix("RSpec.").unwrap_or(start).strip_prefix(word)?;
    let opens = rest.trim_start().trim_start_matches('(');
    let is_call =
        opens.starts_with(['"', '\'', '{']) || rest.trim() == "do" || kind == BlockKind::Suite && rest.starts_with(' ');
    if !is_call || !(rest.contains(" do") || rest.contains('{') || rest.trim_end().ends_with(',')) {
        return None;
    }
    // `skip: windows?` depends.
    let skipped =
        [":skip do", ":skip,", "skip: true", "skip: \"", "skip: '", "skip => true", "skip => \"", "skip => '"];
    let skipped = skipped.iter().any(|mark| rest.contains(mark));
    let kind = if skipped && kind == BlockKind::Test { BlockKind::Skipped } else { kind };
    // Quoted as it is written; `it { … }` is all of its line.
    let written = file.text.get(at..at + line.len())?.trim();
    let name = match opens.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        Some(quote) => written.split_once(quote)?.1.split(quote).next()?.to_owned(),
        None => written.to_owned(),
    };
    Some((name, kind))
}

/// `text` with remarks and what stands in quotes blanked, and without what is no code: line by line, since nearly all
/// strings end on theirs.
pub(super) fn mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // The word that ends what is being passed over.
    let mut until: Option<String> = None;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let blank = |out: &mut String| {
            out.extend(std::iter::repeat_n(' ', content.len()));
            out.push_str(&line[content.len()..]);
        };
        if let Some(end) = &until {
            if content.trim() == end || (end == "=end" && content.starts_with("=end")) {
                until = None;
            }
            blank(&mut out);
            continue;
        }
        if content.starts_with("=begin") || content == "__END__" {
            until = Some(if content == "__END__" { "\u{0}".to_owned() } else { "=end".to_owned() });
            blank(&mut out);
            continue;
        }
        let code = mask_line(content);
        until = heredoc(&code, content);
        out.push_str(&code);
        out.push_str(&line[content.len()..]);
    }
    out
}

/// As many bytes as there are in the line.
fn mask_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let (mut quote, mut escaped, mut before) = (None, false, ' ');
    for (at, c) in line.char_indices() {
        match quote {
            Some(end) => {
                let ends = c == end && !escaped;
                escaped = c == '\\' && !escaped;
                quote = quote.filter(|_| !ends);
                if ends { out.push(c) } else { out.extend(std::iter::repeat_n('_', c.len_utf8())) }
            }
            None if matches!(c, '"' | '\'' | '`') => {
                quote = Some(c);
                out.push(c);
            }
            None if c == '#' && (before == ' ' || at == 0) => {
                out.extend(std::iter::repeat_n(' ', line.len() - at));
                return out;
            }
            None => out.push(c),
        }
        before = c;
    }
    out
}

/// The word that ends the text that begins on this line: `<<~END`, `<<-"END"`.
fn heredoc(code: &str, line: &str) -> Option<String> {
    let at = code
        .find("<<~")
        .or_else(|| code.find("<<-"))
        .or_else(|| code.find("<<").filter(|at| code[at + 2..].starts_with(|c: char| c.is_ascii_uppercase())))?;
    let rest = line.get(at + 2..)?.trim_start_matches(['~', '-']).trim_start_matches(['"', '\'', '`']);
    let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(word).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
