//! "The rest stays as it is": a placeholder that stands for code which the file then lacks. Only new ones count.
//!
//! The words alone are common in good code. A placeholder stands on a line of its own, as a comment or bare, and says
//! of *code* that it is left out, with an ellipsis, with brackets, or in nothing but such words.

use super::{Base, Candidate, Check, Design, Lines, Settings, Verdict, Weight, kind, lines};
use crate::finding::Finding;
use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::OnceLock;

pub const CHECK: Check =
    Check { id: "omission", allowable: true, design: Design::Never, weight: Weight::MODEL, base: Base::Excuses, run };

fn run(candidate: &Candidate, _: &Settings) -> Verdict {
    // Elsewhere than in code, placeholders are shown as examples, and ellipses are style.
    let test = if kind::is_formal(candidate.path) { is_placeholder } else { is_bracketed };
    let finding = |(at, line): (usize, &str)| {
        Finding::error(CHECK.id, format!("'{}' leaves something out: '{}'", candidate.path, lines::quote(line)))
            .line(at)
            .hint("the file must hold all of its text")
    };
    let new = lines::new_lines(candidate.base, candidate.text, Some(marks()), test);
    if new.is_empty() {
        return Verdict::Pass;
    }
    let all = Lines::of(candidate.text);
    let goes_on = |at: usize, line: &str| {
        let before = all.get(at - 1).unwrap_or("");
        let (content, commented) = strip_comment(line);
        commented && !starts_dotted(content) && strip_comment(before).1
    };
    let found: Vec<Finding> = new
        .into_iter()
        // The end of a longer remark, whose words happen to be these.
        .filter(|(at, line)| !goes_on(*at, line) || is_bracketed(line))
        .map(finding)
        .collect();
    if found.is_empty() { Verdict::Pass } else { Verdict::Fail(found) }
}

/// Without one of these no line is a placeholder; few lines have one. Each in the spellings that people use: to search
/// for any mixture of letters takes four times as long.
fn marks() -> &'static AhoCorasick {
    static MARKS: OnceLock<AhoCorasick> = OnceLock::new();
    const MARKS_OF: &[&str] = &[
        "...",
        "\u{2026}",
        "unchanged",
        "Unchanged",
        "UNCHANGED",
        "omitted",
        "Omitted",
        "OMITTED",
        "unmodified",
        "Unmodified",
        "UNMODIFIED",
        "rest of",
        "Rest of",
        "Rest Of",
        "REST OF",
        "existing code",
        "Existing code",
        "Existing Code",
        "EXISTING CODE",
    ];
    // Leftmost matches are those that vectors can find. So few words fit into any automaton.
    MARKS
        .get_or_init(|| AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(MARKS_OF).expect("few words"))
}

/// What is left out.
const NOUNS: &[&str] = &[
    "body",
    "class",
    "classes",
    "code",
    "component",
    "components",
    "config",
    "configuration",
    "content",
    "contents",
    "definitions",
    "document",
    "entries",
    "fields",
    "file",
    "function",
    "functions",
    "handlers",
    "helpers",
    "implementation",
    "implementations",
    "imports",
    "lines",
    "logic",
    "method",
    "methods",
    "module",
    "properties",
    "routes",
    "script",
    "section",
    "sections",
    "setup",
    "tests",
    "types",
];
/// What is said of it.
const STATES: &[&str] = &[
    "existing",
    "omitted",
    "other",
    "original",
    "previous",
    "remainder",
    "remaining",
    "rest",
    "same",
    "unchanged",
    "unmodified",
];
/// What may stand between, and says nothing.
const FILLERS: &[&str] = &[
    "above",
    "all",
    "and",
    "are",
    "as",
    "before",
    "below",
    "brevity",
    "continues",
    "exactly",
    "for",
    "from",
    "goes",
    "here",
    "identical",
    "in",
    "intact",
    "is",
    "it",
    "its",
    "keep",
    "kept",
    "no",
    "not",
    "of",
    "remain",
    "remains",
    "shown",
    "stay",
    "stays",
    "the",
    "this",
    "to",
    "untouched",
    "with",
    "your",
    "changes",
    "changed",
    "truncated",
    "stuff",
    "like",
    "your",
    "my",
    "our",
];

/// May the line be a placeholder at all? Asked of every line of every file.
fn may_stand_for_code(line: &str) -> bool {
    let line = line.trim_start();
    let begins =
        line.as_bytes().first().is_some_and(|byte| b"{</#-;%*([.".contains(byte)) || line.starts_with('\u{2026}');
    begins && says_state(line.as_bytes())
}

/// Is one of [`STATES`] among the words? They are ASCII, and so is what matters of the rest.
fn says_state(line: &[u8]) -> bool {
    let mut in_word = false;
    line.iter().enumerate().any(|(at, byte)| {
        let begins = !in_word && byte.is_ascii_alphabetic();
        in_word = byte.is_ascii_alphanumeric();
        begins
            && matches!(byte.to_ascii_lowercase(), b'e' | b'o' | b'p' | b'r' | b's' | b'u')
            && STATES.iter().any(|state| {
                line.get(at..at + state.len()).is_some_and(|word| word.eq_ignore_ascii_case(state.as_bytes()))
            })
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

/// A line that stands for left-out code.
fn is_placeholder(line: &str) -> bool {
    if !may_stand_for_code(line) {
        return false;
    }
    let (content, commented) = strip_comment(line);
    if content.is_empty() || content.len() > 120 {
        return false;
    }
    if is_bracketed(content) {
        return true;
    }
    let bare = content.trim_matches(|c: char| c == '.' || c == '…' || c.is_whitespace());
    let dotted = starts_dotted(content);
    (commented || (dotted && ends_dotted(content))) && says_omitted(bare, dotted)
}

/// `[UNCHANGED]`, `[... rest of the file ...]`, `<existing code>`: nobody writes these but for something.
fn is_bracketed(line: &str) -> bool {
    if !may_stand_for_code(line) {
        return false;
    }
    let (content, _) = strip_comment(line);
    let inner = [('[', ']'), ('<', '>'), ('(', ')')]
        .iter()
        .find_map(|(open, close)| content.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close)));
    let Some(inner) = inner else { return false };
    let dotted = starts_dotted(inner.trim());
    let bare = inner.trim_matches(|c: char| c == '.' || c == '…' || c.is_whitespace());
    (content.starts_with('[') && bare == "UNCHANGED") || (dotted && says_omitted(bare, true))
}

fn starts_dotted(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('…')
}

fn ends_dotted(text: &str) -> bool {
    text.ends_with("...") || text.ends_with('…')
}

/// Only words of an omission, among them one that says so; without an ellipsis also what is left out.
fn says_omitted(text: &str, dotted: bool) -> bool {
    let words: Vec<String> = words(text).map(str::to_lowercase).collect();
    let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let known =
        words.iter().filter(|word| [NOUNS, STATES, FILLERS].iter().any(|list| list.contains(&word.as_str()))).count();
    // One or two words of the file's own may name the part ("rest of the UserService methods").
    let strangers = words.len() - known;
    let state = any(STATES);
    let noun = any(NOUNS);
    if dotted && noun {
        return state && strangers <= 2;
    }
    if dotted {
        // "… and the rest" goes on with a sentence; this does not.
        return strangers == 0 && any(&["unchanged", "omitted", "unmodified", "existing"]);
    }
    // Without an ellipsis these are words that comments have too: all of them must be of the kind, and say both.
    let gone = words.iter().any(|word| matches!(word.as_str(), "unchanged" | "omitted" | "unmodified"))
        || text.to_lowercase().starts_with("rest of")
        || text.to_lowercase().starts_with("existing code");
    state && noun && gone && strangers == 0 && words.len() >= 3
}

/// The content of a line that is one comment, and whether it is one.
fn strip_comment(line: &str) -> (&str, bool) {
    let line = line.trim();
    const LEADERS: &[&str] =
        &["{/*", "<!--", "///", "//!", "//", "/**", "/*", "##", "#", "--", ";;", ";", "%", "*", "(*"];
    const TRAILERS: &[&str] = &["*/}", "-->", "*/", "*)"];
    let Some(leader) = LEADERS.iter().find(|leader| line.starts_with(**leader)) else { return (line, false) };
    let content = line.get(leader.len()..).unwrap_or("");
    let content = TRAILERS.iter().find_map(|trailer| content.strip_suffix(trailer)).unwrap_or(content);
    (content.trim(), true)
}
