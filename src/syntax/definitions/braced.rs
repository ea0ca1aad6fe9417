//! Bodies in braces. One pass over the brackets: the head of a body is what stands between the statement or the bracket
//! before and its brace.

use super::{Definition, DefinitionKind, line_start, name_at};

/// No head is longer.
const HEAD: usize = 2000;

/// Words that begin a type, if a name follows.
const TYPES: &[&str] = &[
    "class",
    "contract",
    "enum",
    "extension",
    "impl",
    "interface",
    "library",
    "mixin",
    "module",
    "namespace",
    "object",
    "protocol",
    "record",
    "struct",
    "trait",
    "union",
];
/// Words that begin a function, if a name follows.
const FUNCTIONS: &[&str] = &["def", "fn", "fun", "func", "function", "macro_rules!", "modifier", "proc", "sub"];
/// Words with parameters and braces that are no functions.
const STATEMENTS: &[&str] = &[
    "catch",
    "case",
    "do",
    "else",
    "elif",
    "for",
    "foreach",
    "if",
    "lock",
    "loop",
    "match",
    "new",
    "return",
    "select",
    "switch",
    "synchronized",
    "try",
    "unless",
    "until",
    "using",
    "when",
    "while",
    "with",
    "await",
    "throw",
    "yield",
    "guard",
    "repeat",
    "super",
    "fixed",
    "defer",
    "go",
    "in",
    "of",
    "typeof",
    "sizeof",
    "assert",
];

pub(super) fn definitions(code: &str, keyword: bool) -> Vec<Definition> {
    let bytes = code.as_bytes();
    let mut found: Vec<Definition> = Vec::new();
    // Open brackets, each with where the statement before it began and which definition it is the body of.
    let mut open: Vec<(u8, usize, Option<usize>)> = Vec::new();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' => open.push((*byte, start, None)),
            b'{' => {
                let from = start.max(at.saturating_sub(HEAD));
                let head = code.get(ceil(code, from)..at).unwrap_or_default();
                let of = head_of(head, keyword).map(|(name, kind)| {
                    let offset = at - head.len() + (head.len() - head.trim_start().len());
                    let range = line_start(code, offset.min(at))..at;
                    found.push(Definition { name: name.to_owned(), kind, range, body: at + 1..at + 1 });
                    found.len() - 1
                });
                open.push((b'{', start, of));
                start = at + 1;
            }
            b')' | b']' | b'}' => {
                let opening = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                // What does not fit is a mistake of the text or of the mask; a brace goes before the others.
                if !open.iter().rev().take(64).any(|(it, ..)| *it == opening) {
                    continue;
                }
                while let Some((it, before, of)) = open.pop() {
                    if let Some(definition) = of.and_then(|of| found.get_mut(of)) {
                        definition.range.end = at + 1;
                        definition.body.end = at;
                    }
                    if it == opening {
                        start = if it == b'{' { at + 1 } else { before };
                        break;
                    }
                }
            }
            b';' if !matches!(open.last(), Some((b'(', ..))) => start = at + 1,
            _ => {}
        }
    }
    // What is not closed has no end.
    found.retain(|it| it.body.end > it.body.start || code.as_bytes().get(it.body.start) == Some(&b'}'));
    found
}

fn ceil(code: &str, mut at: usize) -> usize {
    while !code.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// What the head before a brace defines.
fn head_of(head: &str, keyword: bool) -> Option<(&str, DefinitionKind)> {
    let head = head.trim_end();
    // A value, an argument, an operand.
    if head.is_empty() || head.ends_with(|c: char| "(,=:[{;!&|?+*/%^~-.\\@".contains(c)) {
        return None;
    }
    // An argument or a value within what is not closed: what follows the last of it.
    let head = head.get(unclosed(head)..)?;
    let flat = flat(head);
    let word =
        |wanted: &[&str]| flat.iter().rev().find_map(|&(at, word)| wanted.contains(&word).then_some(at + word.len()));
    // A statement after it: the word was a name of an earlier line.
    let goes_on =
        |end: usize, but: &str| flat.iter().any(|&(at, word)| at >= end && word != but && STATEMENTS.contains(&word));
    if let Some(end) = word(FUNCTIONS).filter(|end| !goes_on(*end, "")) {
        let rest = head.get(end..)?.trim_start_matches([' ', '\t', '*']);
        // The receiver of Go, the type parameters of Kotlin.
        let rest = match rest.as_bytes().first() {
            Some(b'(') => rest.split_once(')').map_or("", |(_, rest)| rest).trim_start(),
            Some(b'<') => rest.split_once('>').map_or("", |(_, rest)| rest).trim_start(),
            _ => rest,
        };
        let before = rest.split('(').next().unwrap_or(rest).trim_end();
        let name = match before.contains('<') {
            true => generic_name(rest),
            false => before.rsplit(['.', ' ']).next().and_then(name_at).or_else(|| name_at(rest)),
        };
        return name.or_else(|| assigned(head)).map(|name| (name, DefinitionKind::Function));
    }
    if head.ends_with("=>") {
        return assigned(head).map(|name| (name, DefinitionKind::Function));
    }
    // `impl A for B`.
    if let Some(end) = word(TYPES).filter(|end| !goes_on(*end, "for")) {
        let rest = head.get(end..)?;
        let name = match rest.trim_start().strip_prefix('<') {
            Some(generic) => generic.split_once('>').and_then(|(_, rest)| name_at(rest.trim_start())),
            None => name_at(rest.trim_start()),
        };
        return name.map(|name| (name, DefinitionKind::Type));
    }
    if keyword {
        return None;
    }
    // A method: the word before its parameters.
    let parameters = flat_parameters(head)?;
    let before = head.get(..parameters)?.trim_end();
    let before = match before.ends_with('>') {
        true => before.get(..before.rfind('<')?)?,
        false => before,
    };
    let at = before
        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '~')))
        .map_or(0, |at| at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    let name = name_at(before.get(at..)?.trim_start_matches(['#', '~']))?;
    let previous = before.get(..at)?.trim_end();
    let last = previous.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let is_call = STATEMENTS.contains(&name)
        || matches!(last, "new" | "return" | "throw" | "await" | "else" | "in")
        || previous.ends_with(['=', '.', '(', '!', '?', '|']);
    (!is_call).then_some((name, DefinitionKind::Function))
}

/// The name of what has type parameters: `name<P: A<B>>(`, `A<T>.name(`.
fn generic_name(head: &str) -> Option<&str> {
    let mut rest = head;
    loop {
        let name = name_at(rest)?;
        let after = past_types(rest.get(name.len()..)?.trim_start());
        match after.strip_prefix("?.").or_else(|| after.strip_prefix('.')) {
            Some(next) => rest = next,
            None => return Some(name),
        }
    }
}

/// What follows the type parameters that the text begins with.
fn past_types(text: &str) -> &str {
    let (mut depth, mut before) = (0usize, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // The arrow of what a function returns.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
        if depth == 0 {
            return text.get(at..).unwrap_or_default().trim_start_matches('>');
        }
    }
    ""
}

/// Where what follows the last bracket begins that the head does not close, or 0.
fn unclosed(head: &str) -> usize {
    let mut depth = 0usize;
    for (at, byte) in head.bytes().enumerate().rev() {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return at + 1,
            },
            _ => {}
        }
    }
    0
}

/// The words of the head that are in no brackets, with their offsets.
fn flat(head: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let (mut depth, mut from) = (0usize, None);
    for (at, c) in head.char_indices() {
        let is_word = c.is_alphanumeric() || matches!(c, '_' | '$' | '!');
        if is_word && depth == 0 {
            from.get_or_insert(at);
            continue;
        }
        if let Some(start) = from.take() {
            words.extend(head.get(start..at).map(|word| (start, word)));
        }
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if let Some(start) = from {
        words.extend(head.get(start..).map(|word| (start, word)));
    }
    words
}

/// Where the parameters begin: the last round brackets, after which stands nothing but what a head ends with.
fn flat_parameters(head: &str) -> Option<usize> {
    let close = head.rfind(')')?;
    let after = head.get(close + 1..)?;
    // `const`, `noexcept`, `throws A, B`, `-> T`, `: T`, `async`; `: a(b)` of a constructor has its own parameters.
    let lists = after.contains(',') && !after.contains("throws");
    if lists || after.contains(['=', '"', '\'']) && !after.contains("=>") {
        return None;
    }
    let mut depth = 0usize;
    for (at, byte) in head.bytes().enumerate().take(close + 1).collect::<Vec<_>>().into_iter().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    // Initialisers of a constructor: `A() : b(1), c(2)`.
                    let before = head.get(..at)?;
                    return match before.rfind(") :").or_else(|| before.rfind("):")) {
                        Some(end) if !before.get(end..)?.contains("::") => flat_parameters(head.get(..=end)?),
                        _ => Some(at),
                    };
                }
            }
            _ => {}
        }
    }
    None
}

/// `const name = (…) =>`, `name = function`, `name: async () =>`.
fn assigned(head: &str) -> Option<&str> {
    let line = head.rsplit('\n').find(|line| line.contains(['=', ':'])).unwrap_or(head);
    let at = line.find(['=', ':']).filter(|at| line.get(*at..).is_some_and(|rest| !rest.starts_with("=>")))?;
    let name = line.get(..at)?.trim_end().rsplit([' ', '.']).next()?;
    name_at(name).filter(|found| *found == name)
}
