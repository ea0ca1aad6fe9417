//! A line of a task as words: paths, marks, and the words between them that say what is done with the paths.
//!
//! Languages that put no blanks between words are cut at the change of script. Does not judge what a path is for.

use super::looks::{Looks, looks};
use crate::lld::inline::{Piece, links_as_code, pieces};

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::lld) enum Word {
    /// A word in lower case.
    Plain(String),
    /// What separates: `,`, `;`, `.`, `:`, `(`, `)`, `→`, `—`, `+`, `/`, `·`.
    Mark(char),
    /// A path, a pattern, a directory.
    Seen(Seen),
    /// A code span that is no path: an identifier, a command.
    Code,
}

/// Something that has the looks of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::lld) struct Seen {
    pub looks: Looks,
    /// As it is written.
    pub written: String,
}

/// Reads one line. Linear in it.
pub(in crate::lld) fn words(line: &str) -> Vec<Word> {
    let line = unmarked(line);
    let mut words = Vec::new();
    for piece in pieces(&line) {
        match piece {
            Piece::Code(code) => span(code, &mut words),
            Piece::Text(text) => text.split_whitespace().for_each(|chunk| self::chunk(chunk, &mut words)),
        }
    }
    words
}

/// Without bold marks and what is struck out; links as the path that they show or lead to.
fn unmarked(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("~~") {
        text.push_str(before);
        rest = after.split_once("~~").map_or(after, |(_, after)| after);
    }
    text.push_str(rest);
    let out = links_as_code(&text);
    // `**` is bold, but not in `src/**/x.ts`.
    let parts: Vec<&str> = out.split("**").collect();
    let mut bare = String::with_capacity(out.len());
    for (at, part) in parts.iter().enumerate() {
        if at > 0 && (bare.ends_with('/') || part.starts_with('/')) {
            bare.push_str("**");
        }
        bare.push_str(part);
    }
    bare
}

/// A code span: one path, a list of paths, or code.
fn span(code: &str, words: &mut Vec<Word>) {
    let inside: Vec<&str> = code.split_whitespace().collect();
    if let [] | [_] = inside.as_slice() {
        return words.push(seen(code, true).unwrap_or(Word::Code));
    }
    // `src/{a, b}.ts`
    let joined = inside.concat();
    if joined.contains('{')
        && !code.contains(" {")
        && let Some(Word::Seen(seen)) = seen(&joined, true)
        && matches!(&seen.looks, Looks::Files(files) if files.len() > 1)
    {
        return words.push(Word::Seen(seen));
    }
    let file = |word: &str| matches!(looks(word.trim_end_matches(','), true), Some(Looks::Files(_)));
    if inside.iter().all(|word| file(word)) {
        for (at, word) in inside.iter().enumerate() {
            words.extend((at > 0).then_some(Word::Mark(',')));
            words.extend(seen(word.trim_end_matches(','), true));
        }
        return;
    }
    // `docs/My Page.md`
    let (first, last) = (inside.first().copied().unwrap_or_default(), inside.last().copied().unwrap_or_default());
    // Or `My App/Sources/Item.swift`: commands begin small.
    let rest = inside.get(..inside.len().saturating_sub(1)).unwrap_or_default();
    let named = code.contains('/') && rest.iter().all(|word| word.starts_with(char::is_uppercase));
    let blank = (first.contains('/') || named)
        && !first.contains('.')
        && file(last)
        && inside.len() <= 4
        && inside.iter().all(|word| !word.starts_with('-') && !word.contains(['=', '$', '(']));
    match blank {
        true => words.push(Word::Seen(Seen { looks: Looks::Files(vec![code.to_owned()]), written: code.to_owned() })),
        false => words.push(Word::Code),
    }
}

fn seen(word: &str, code: bool) -> Option<Word> {
    Some(Word::Seen(Seen { looks: looks(word, code)?, written: word.to_owned() }))
}

/// A piece of running text without blanks: words and the marks between them.
fn chunk(chunk: &str, words: &mut Vec<Word>) {
    if let Some(mark) = lone(chunk) {
        return words.push(Word::Mark(mark));
    }
    let mut start = 0;
    let mut braces = 0usize;
    let mut group = false;
    let mut ideographs = false;
    for (at, letter) in chunk.char_indices() {
        let rest = chunk.get(at..).unwrap_or_default();
        let before = chunk.get(start..at).unwrap_or_default();
        let other = is_ideograph(letter) != ideographs && letter.is_alphanumeric() && !before.is_empty();
        if other || before.is_empty() {
            if other {
                word(before, false, words);
                start = at;
            }
            ideographs = is_ideograph(letter);
        }
        let mark = match letter {
            '{' => {
                braces += 1;
                None
            }
            '}' => {
                braces = braces.saturating_sub(1);
                None
            }
            ',' if braces > 0 => None,
            // `app/(shop)/page.tsx`, `src/<name>.ts`
            '(' if (before.ends_with('/') || before.is_empty()) && is_group(rest) => {
                group = true;
                None
            }
            ')' if group => {
                group = false;
                None
            }
            '<' if near_end(before, '/') && rest.chars().take(NEAR).any(|c| c == '>') => None,
            '>' if near_end(before, '<') => None,
            ',' | ';' | '(' | ')' | '·' => Some(letter),
            '、' | '，' => Some(','),
            '。' | '；' => Some('.'),
            '：' => Some(':'),
            '（' | '「' | '『' | '【' => Some('('),
            '）' | '」' | '』' | '】' => Some(')'),
            '→' | '⇒' | '➜' => Some('→'),
            '—' | '–' => Some('—'),
            '"' | '“' | '”' => Some('"'),
            '<' | '>' | '|' | '※' => Some(';'),
            '\'' if before.is_empty() || rest.len() == 1 => Some('"'),
            _ => None,
        };
        if let Some(mark) = mark {
            word(before, letter == '(', words);
            words.extend((letter != '\'').then_some(Word::Mark(mark)));
            start = at + letter.len_utf8();
            ideographs = false;
        }
    }
    word(chunk.get(start..).unwrap_or_default(), false, words);
}

/// How far marks that belong together are looked for, in characters.
const NEAR: usize = 80;

fn near_end(text: &str, mark: char) -> bool {
    text.chars().rev().take(NEAR).any(|c| c == mark)
}

/// `(shop)/`, the group of a web framework's route.
fn is_group(rest: &str) -> bool {
    let end = rest.char_indices().nth(NEAR).map_or(rest.len(), |(at, _)| at);
    rest.get(..end)
        .and_then(|rest| rest.split_once(')'))
        .is_some_and(|(inside, after)| after.starts_with('/') && !inside.contains(['/', ',', '.']))
}

/// A mark that stands alone.
fn lone(chunk: &str) -> Option<char> {
    Some(match chunk {
        "->" | "=>" | "-->" | "→" | "⇒" => '→',
        "—" | "–" | "-" | "--" => '—',
        "+" | "&" => '+',
        "/" => '/',
        _ => return None,
    })
}

/// One word, less the marks at its ends. `called`: a parenthesis follows without a blank.
fn word(text: &str, called: bool, words: &mut Vec<Word>) {
    let text = text.trim_start_matches(['*', '!', '?', ']', '=', '`']);
    // `_posts/a.md` is a path, `_see a.md_` is emphasis.
    let named = text.starts_with("__") || text.contains('/') && !text.trim_end_matches(['.', ',', ':']).ends_with('_');
    let text = if named { text } else { text.trim_start_matches('_') };
    let open = text.starts_with('[') && !text.contains(']');
    let text = if open { &text[1..] } else { text };
    let bare = text.trim_end_matches(['.', ':', '!', '?', '`']);
    let bare = if bare.contains('[') { bare } else { bare.trim_end_matches(']') };
    let bare = if bare.ends_with("/*") || bare.ends_with("**") { bare } else { bare.trim_end_matches('*') };
    if bare.is_empty() {
        words.extend(text.ends_with([':', '.']).then(|| Word::Mark(text.chars().next_back().unwrap_or('.'))));
        return;
    }
    // `context.go()` is a call.
    let word = (called && !bare.contains('/')) || bare.starts_with(is_ideograph);
    let seen = if word { None } else { seen(bare, false) };
    words.push(seen.unwrap_or_else(|| Word::Plain(bare.to_lowercase())));
    match text.get(bare.len()..).unwrap_or_default() {
        after if after.contains(':') => words.push(Word::Mark(':')),
        after if after.contains(['.', '!', '?']) => words.push(Word::Mark('.')),
        _ => {}
    }
}

/// Letters of languages that put no blanks between words.
pub(in crate::lld) fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{ff66}'..='\u{ff9f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<String> {
        let shown = words(line).into_iter().map(|word| match word {
            Word::Plain(word) => word,
            Word::Mark(mark) => mark.to_string(),
            Word::Seen(seen) => format!("[{}]", seen.written),
            Word::Code => "`".to_owned(),
        });
        shown.collect()
    }

    #[test]
    fn paths_are_told_from_words_marks_and_code() {
        assert_eq!(
            shown("Create `src/a.ts`, b.ts (new)."),
            ["create", "[src/a.ts]", ",", "[b.ts]", "(", "new", ")", "."]
        );
        assert_eq!(shown("**File**: src/a.py:12"), ["file", ":", "[src/a.py:12]"]);
        assert_eq!(shown("Run `npm test src/a.ts` → done"), ["run", "`", "→", "done"]);
        assert_eq!(
            shown("use context.go() in app/(shop)/page.tsx"),
            ["use", "context.go", "(", ")", "in", "[app/(shop)/page.tsx]"]
        );
        assert_eq!(shown("see [the page](../docs/a.md)."), ["see", "[docs/a.md]", "."]);
        assert_eq!(
            shown("`src/{a, b}.ts` and `docs/My Page.md`"),
            ["[src/{a, b}.ts]", "and", "[docs/My Page.md]"].map(|word| word.replace("{a, b}", "{a,b}"))
        );
    }

    #[test]
    fn scripts_without_blanks_are_cut_from_paths() {
        assert_eq!(shown("lib/main.dartに追加、確認"), ["[lib/main.dart]", "に追加", ",", "確認"]);
        assert_eq!(shown("在src/a.ts中创建"), ["在", "[src/a.ts]", "中创建"]);
    }

    #[test]
    fn what_is_struck_out_is_not_there() {
        assert_eq!(shown("Write ~~`a.py`~~ b.py"), ["write", "[b.py]"]);
    }
}
