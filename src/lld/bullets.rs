//! What a line says in words of the file that it names.

use super::Change;
use super::inline::masked;
use super::wording;

/// The words after the first path of a line, less a change type in parentheses: the description of `` `path` (Modify): what``
/// and `**Modify:** path - what`.
pub(super) fn said(text: &str) -> &str {
    let rest = text.get(end_of_path(text)..).unwrap_or_default();
    let open = rest.trim_start_matches(['*', ' ']);
    let noted = open.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let noted = noted.or_else(|| open.strip_prefix('[').and_then(|rest| rest.split_once(']')));
    let rest = noted.filter(|(inside, _)| wording::read(inside).exact).map_or(rest, |(_, rest)| rest);
    rest.trim_start_matches([':', '*', ' ', '-', '–', '—', ',', '/']).trim()
}

/// Where the first path of a line ends: a code span, or a word that has a slash or a dot inside.
fn end_of_path(text: &str) -> usize {
    let outside = masked(text);
    let code = text.find('`').filter(|&at| outside.as_bytes().get(at) == Some(&b'x'));
    let mut at = 0;
    for word in text.split_inclusive([' ', '\n']) {
        if let Some(code) = code.filter(|code| *code < at + word.len()) {
            return code + outside.bytes().skip(code).take_while(|&byte| byte == b'x').count();
        }
        if word.trim_end_matches([' ', '\n', ':', '.']).contains(['/', '.']) {
            return at + word.trim_end().len();
        }
        at += word.len();
    }
    text.len()
}

/// The type in a line such as `MODIFY: add a call` under a bullet.
pub(super) fn type_line(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches(['-', '*', '+', ' ']);
    let (kind, _) = line.split_once(':')?;
    let kind = kind.trim_matches(['*', ' ']);
    let wording = wording::read(kind);
    (kind.len() < 20 && wording.exact && wording.change != Some(Change::None)).then_some(kind)
}
