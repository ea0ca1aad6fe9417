//! "The rest stays as it is": a remark that stands for code which the file then lacks. Only new ones count.
//!
//! The words alone are common in good code. What tells most is the place: where the base had code, the file has this
//! remark and nothing else. There an ellipsis, brackets, or a word of the kind will do, in any language that people write
//! remarks in ([`words`] has them as data). Elsewhere a placeholder stands on a line of its own and says of *code* that it is left out, with an
//! ellipsis, with brackets, or in nothing but such words.

use super::words::Words;
use super::{Author, Base, Change, Check, Design, Lines, Settings, Verdict, Weight, kind, lines};
use crate::finding::Finding;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::LazyLock;

mod place;
mod words;

pub const CHECK: Check =
    Check { id: "omission", allowable: true, design: Design::Never, weight: Weight::MODEL, base: Base::Excuses, run };

/// Lines of code that a remark must stand in place of for its place to say anything.
const FEW: usize = 2;

fn run(candidate: &Change, settings: &Settings) -> Verdict {
    // Elsewhere than in code, placeholders are shown as examples, and ellipses are style.
    let test = if kind::is_formal(candidate.path) { may_be_placeholder } else { is_bracketed };
    let (marks, of_others) = marks();
    let marks = if candidate.text.is_ascii() { &[marks][..] } else { &[marks, of_others] };
    let new = lines::new_lines(candidate.base, candidate.text, marks, test);
    let mut found: Vec<(usize, &str)> = Vec::new();
    if !new.is_empty() {
        let all = Lines::of(candidate.text);
        let goes_on = |at: usize, line: &str| {
            let before = all.get(at - 1).unwrap_or("");
            let (content, commented) = strip_comment(line);
            commented && !starts_dotted(content) && strip_comment(before).1
        };
        // What a base shows will be asked again with it.
        let sure =
            |line: &str| if candidate.base_later { test(line) } else { is_placeholder(line) || is_bracketed(line) };
        // The end of a longer remark, whose words happen to be these, is none.
        found.extend(new.into_iter().filter(|(at, line)| sure(line) && (is_bracketed(line) || !goes_on(*at, line))));
    }
    let names = LazyCell::new(|| candidate.base.map(names).unwrap_or_default());
    for remark in place::remarks_for_code(candidate) {
        let says = match settings.author {
            Author::Model => stands_for_something(remark.line) || stands_for_names(remark.line, &names),
            Author::Anyone => may_be_placeholder(remark.line),
        };
        if remark.lost >= FEW && says && found.iter().all(|(at, _)| *at != remark.number) {
            found.push((remark.number, remark.line));
        }
    }
    found.sort_unstable();
    let finding = |(at, line): (usize, &str)| {
        Finding::error(CHECK.id, format!("'{}' leaves something out: '{}'", candidate.path, lines::quote(line)))
            .line(at)
            .hint("the file must hold all of its text")
    };
    let found: Vec<Finding> = found.into_iter().map(finding).collect();
    if found.is_empty() { Verdict::Pass } else { Verdict::Fail(found) }
}

/// Without one of these no line is a placeholder, and few lines have one: what is written in ASCII, in the spellings that
/// people use, and the rest.
fn marks() -> (&'static Words<()>, &'static Words<()>) {
    static MARKS: LazyLock<(Words<()>, Words<()>)> = LazyLock::new(|| {
        let words = |words: &[&'static str]| Words::new(&words.iter().map(|word| (*word, ())).collect::<Vec<_>>());
        (words(ASCII), words(OTHERS))
    });
    (&MARKS.0, &MARKS.1)
}

const ASCII: &[&str] = &[
    "...",
    "nchang",
    "UNCHANGED",
    "mitted",
    "OMITTED",
    "nmodified",
    "UNMODIFIED",
    "rest of",
    "Rest of",
    "Rest Of",
    "REST OF",
    "emaining",
    "revious ",
    "xisting ",
    "as is",
    "same",
    "snip",
    "runcated",
    "est des ",
    "leibt",
    "este d",
    "xistant",
    "esto d",
    "xistente",
    "estante",
    "gual",
    "nvariat",
    "eszta ",
    "ez zmian",
];

const OTHERS: &[&str] = &[
    "\u{2026}",
    "nverändert",
    // Chinese, Japanese, Korean, Russian.
    "代码",
    "程式碼",
    "其余",
    "其餘",
    "不变",
    "省略",
    "现有",
    "コード",
    "既存",
    "残り",
    "코드",
    "나머지",
    "기존",
    "생략",
    "код",
    "Код",
    "стальн",
    "без изм",
    "ропущ",
];

/// A line that stands for left-out code if code stood there.
fn may_be_placeholder(line: &str) -> bool {
    if !begins_like_one(line) {
        return false;
    }
    let (content, commented) = strip_comment(line);
    is_bracketed(line) || (commented || starts_dotted(content) && ends_dotted(content)) && stands_for_something(line)
}

/// May the line be a placeholder by its first letter?
fn begins_like_one(line: &str) -> bool {
    line.trim_start().starts_with(['{', '<', '/', '#', '-', ';', '%', '*', '(', '[', '.', '\u{2026}'])
}

/// In place of code: an ellipsis alone, or a word about what is not there and little else.
fn stands_for_something(line: &str) -> bool {
    let (content, _) = strip_comment(line);
    let bare = bare(content);
    if content.is_empty() || content.len() > 120 {
        return false;
    }
    let dotted = starts_dotted(content) || ends_dotted(content) || is_enclosed(content);
    let said = words::said(bare);
    let most = said.words > said.strangers * 2;
    bare.is_empty()
        || dotted && (said.said || said.what || said.alone || said.strangers <= 2)
        || (said.said || said.alone) && most
}

/// `x4 to x79 unchanged`: beside names of the base it says that something is left as it was.
fn stands_for_names(line: &str, names: &HashSet<String>) -> bool {
    let (content, commented) = strip_comment(line);
    let named = |word: &&str| is_name(word) && names.contains(&word.to_lowercase());
    let words: Vec<&str> = content.split_inclusive(|c: char| !is_of_a_name(c)).collect();
    let others: String =
        words.iter().filter(|word| !named(&word.trim_end_matches(|c: char| !is_of_a_name(c)))).copied().collect();
    commented
        && others.len() < content.len()
        && words::said(&others).said
        && stands_for_something(&format!("# {others}"))
}

/// The words of a text that are names and no words of a language, in small letters: a remark may spell them otherwise.
fn names(text: &str) -> HashSet<String> {
    text.split(|c: char| !is_of_a_name(c)).filter(|word| is_name(word)).map(str::to_lowercase).collect()
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_name(word: &str) -> bool {
    let mut rest = word.chars();
    rest.next().is_some_and(|first| !first.is_ascii_digit())
        && rest.any(|c| c == '_' || c.is_ascii_digit() || c.is_uppercase())
}

/// Without what encloses it, and without ellipses.
fn bare(content: &str) -> &str {
    content.trim_matches(|c: char| ".\u{2026}[]()<>{}*-_ \t:。、,;!".contains(c))
}

fn is_enclosed(content: &str) -> bool {
    [('[', ']'), ('<', '>'), ('(', ')')]
        .iter()
        .any(|(open, close)| content.starts_with(*open) && content.ends_with(*close))
}

/// A line that stands for left-out code wherever it is.
fn is_placeholder(line: &str) -> bool {
    if !begins_like_one(line) {
        return false;
    }
    let (content, commented) = strip_comment(line);
    if content.is_empty() || content.len() > 120 {
        return false;
    }
    if is_bracketed(content) {
        return true;
    }
    let dotted = starts_dotted(content);
    // A sentence tells of something, and so does whoever speaks of somebody else's code.
    let tells = content.ends_with('.') && !ends_dotted(content) && !dotted || says_yours(content);
    !tells && (commented || (dotted && ends_dotted(content))) && says_omitted(bare(content), dotted)
}

/// `[UNCHANGED]`, `[... rest of the file ...]`, `<existing code>`: nobody writes these but for something.
fn is_bracketed(line: &str) -> bool {
    if !begins_like_one(line) {
        return false;
    }
    let (content, _) = strip_comment(line);
    if !is_enclosed(content) {
        return false;
    }
    let inner = content.get(1..content.len() - 1).unwrap_or("");
    (content.starts_with('[') && bare(inner) == "UNCHANGED")
        || (starts_dotted(inner.trim()) && says_omitted(bare(inner), true))
}

fn says_yours(content: &str) -> bool {
    content.split(|c: char| !c.is_alphabetic()).any(|word| word.eq_ignore_ascii_case("your"))
}

fn starts_dotted(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('…')
}

fn ends_dotted(text: &str) -> bool {
    text.ends_with("...") || text.ends_with('…')
}

/// Only words of an omission, among them one that says so; without an ellipsis also what is left out.
fn says_omitted(text: &str, dotted: bool) -> bool {
    let said = words::said(text);
    if dotted && said.what {
        // One or two words of the file's own may name the part ("rest of the UserService methods").
        return said.said && said.strangers <= 2;
    }
    if dotted {
        // "… and the rest" goes on with a sentence; this does not.
        return said.strangers == 0 && said.alone;
    }
    // Without an ellipsis these are words that comments have too: all of them must be of the kind, and say both.
    let lower = text.to_lowercase();
    let gone = said.alone
        || lower
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| matches!(word, "unchanged" | "omitted" | "unmodified"))
        || lower.starts_with("rest of")
        || lower.starts_with("existing code")
        || !text.is_ascii();
    said.said && said.what && gone && said.strangers == 0 && said.words >= 3
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
