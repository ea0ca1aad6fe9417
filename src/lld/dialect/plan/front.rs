//! Lists of files outside of prose: in front matter (`files_modified:`), and between tags (`<files>a, b</files>`).

use crate::lld::lines::{Line, LineKind};
use crate::lld::title::{Scope, scope};
use crate::lld::vocabulary::has;
use std::collections::HashMap;

/// The paths of the front matter's lists of files, each with its line.
pub(super) fn listed(lines: &[Line]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open = false;
    for line in lines.iter().take_while(|line| line.kind == LineKind::Front) {
        let text = line.text.trim_end();
        if let Some(item) = text.trim_start().strip_prefix("- ").filter(|_| open) {
            found.push((line.number, unquoted(item)));
        } else if let Some((key, value)) = text.split_once(':').filter(|_| !text.starts_with([' ', '-', '\t'])) {
            open = matches!(scope(&key.replace(['_', '-'], " ")), Some(Scope::Files(_)));
            let inline = value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|_| open);
            let items = inline.unwrap_or_default().split(',').map(unquoted).filter(|item| !item.is_empty());
            found.extend(items.map(|item| (line.number, item)));
        }
    }
    found
}

fn unquoted(item: &str) -> String {
    let item = item.split(" #").next().unwrap_or_default();
    item.trim().trim_matches(['"', '\'', '`']).to_owned()
}

/// A tag at the beginning of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tag<'a> {
    /// `<files>`: its name, and what stands after it on the line.
    Open(&'a str, &'a str),
    Close(&'a str),
}

/// `<files>a, b</files>`, `<task type="auto">`, `</task>`. Names of elements of HTML are none.
pub(super) fn tag(text: &str) -> Option<Tag<'_>> {
    let rest = text.trim().strip_prefix('<')?;
    let (inside, after) = rest.split_once('>')?;
    let close = inside.strip_prefix('/');
    let name = close.unwrap_or(inside).split_whitespace().next()?;
    let plain = name.len() < 40 && name.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '-'));
    if !plain || has("html", name) || inside.ends_with('/') {
        return None;
    }
    Some(match close {
        Some(_) => Tag::Close(name),
        None => Tag::Open(name, after),
    })
}

/// The last line that closes a tag of each name.
pub(super) fn ends<'a>(lines: &[Line<'a>]) -> HashMap<&'a str, usize> {
    let text = lines.iter().filter(|line| line.kind == LineKind::Text);
    text.filter_map(|line| match tag(line.text)? {
        Tag::Close(name) => Some((name, line.number)),
        Tag::Open(..) => None,
    })
    .collect()
}

/// What a tag says of the paths between it and its end.
pub(super) fn of_tag(name: &str) -> Option<Scope> {
    match name {
        _ if has("tag-steps", name) => Some(Scope::Steps),
        _ if has("tag-reference", name) => Some(Scope::Reference),
        _ => scope(&name.replace(['_', '-'], " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_html_and_text() {
        assert_eq!(tag("  <files>a.py</files>"), Some(Tag::Open("files", "a.py</files>")));
        assert_eq!(tag("<task type=\"auto\">"), Some(Tag::Open("task", "")));
        assert_eq!(tag("</task>"), Some(Tag::Close("task")));
        for text in ["<details>", "<T> is a type", "a < b > c", "<br/>", "<!-- x -->"] {
            assert_eq!(tag(text), None, "{text}");
        }
        assert_eq!((of_tag("files"), of_tag("read_first")), (Some(Scope::Files(None)), Some(Scope::Reference)));
    }
}
