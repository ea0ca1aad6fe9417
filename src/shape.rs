//! What a single word or code span looks like: a path, a pattern, a placeholder, a place outside the repository, prose.
//!
//! Knows no document and no repository.

/// The looks of a text that stands where a path should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A relative path, less `./`, a closing slash, and a place in the file (`:12`, `#L3`, `::name`).
    Path {
        path: String,
        directory: bool,
    },
    Glob,
    Placeholder,
    Home,
    Drive,
    Backslash,
    Absolute,
    Url,
    Prose,
}

pub(crate) fn shape(text: &str) -> Shape {
    let text = text.trim().trim_matches(['"', '\'', '“', '”', '`']);
    let text = text.trim_end_matches([',', ';']);
    let lower = text.to_ascii_lowercase();
    if text.is_empty() {
        return Shape::Prose;
    }
    if lower.contains("://") || lower.starts_with("mailto:") || lower.starts_with("www.") {
        return Shape::Url;
    }
    if is_placeholder(text, &lower) {
        return Shape::Placeholder;
    }
    if text.starts_with('~') || lower.starts_with("$home") || lower.starts_with("%appdata%") || text.starts_with('%') {
        return Shape::Home;
    }
    let mut letters = text.chars();
    if letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && letters.next().is_none_or(|c| matches!(c, '\\' | '/'))
        || text.starts_with("\\\\")
    {
        return Shape::Drive;
    }
    let (path, directory) = trimmed(text);
    if path.contains(['*', '?']) {
        return Shape::Glob;
    }
    if is_prose(path) {
        return Shape::Prose;
    }
    if path.contains('\\') {
        return Shape::Backslash;
    }
    if path.starts_with('/') {
        return Shape::Absolute;
    }
    if path.is_empty() {
        return Shape::Prose;
    }
    Shape::Path { path: path.to_owned(), directory }
}

/// The path itself, without `./` and a place in the file; and whether it ends as a directory does.
fn trimmed(text: &str) -> (&str, bool) {
    let text = text.strip_prefix("./").unwrap_or(text);
    // `a.py::test_b` and `a.py#L10`, but not `C#/a.cs`.
    let text = text.split_once("::").map_or(text, |(path, _)| path);
    let text = match text.rsplit_once('#') {
        Some((path, place)) if !place.contains('/') && path.contains('.') => path,
        _ => text,
    };
    // `a.py:12`, `a.py:12-40`, `a.py:12:3`.
    let mut path = text;
    while let Some((before, place)) = path.rsplit_once(':') {
        let numbers = |c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | ',' | 'L' | '~' | '+');
        if before.is_empty() || !(place.chars().all(numbers) || is_member(before, place)) {
            break;
        }
        path = before;
    }
    (path.trim_end_matches('/'), path.ends_with('/'))
}

/// Is `place` the name of a definition in the file at `path`: `a.py:Reader.read()`?
fn is_member(path: &str, place: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let file = name.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && (1..=5).contains(&end.len()));
    let place = place.strip_suffix("()").unwrap_or(place);
    file && place.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && place.chars().all(|c| c.is_alphanumeric() || "_.".contains(c))
}

/// Template words that nobody replaced.
fn is_placeholder(text: &str, lower: &str) -> bool {
    let braces = |open: char, close: char| {
        let inside = text.split_once(open).and_then(|(_, rest)| rest.split_once(close)).map(|(inside, _)| inside);
        inside.is_some_and(|inside| !inside.contains(',') && !inside.is_empty())
    };
    lower.starts_with("path/to/")
        || lower.starts_with("/path/to/")
        || lower.starts_with("your/path")
        || lower.starts_with("path/of/")
        || text.contains("...") && !text.contains("[...")
        || text.contains('…')
        || braces('{', '}')
        || braces('<', '>')
        || matches!(
            lower,
            "[path]" | "[file]" | "[filename]" | "[file path]" | "path/file" | "tbd" | "todo" | "etc" | "etc."
        )
        || lower.starts_with("[path/") && lower.ends_with(']')
}

/// Words and code, not a path.
fn is_prose(text: &str) -> bool {
    if text.contains(['(', ')', '=', '<', '>', '|', '"', '!', '$', '\n']) {
        // Route groups of web frameworks: `app/(shop)/page.tsx`.
        let grouped = text.split('/').any(|part| part.starts_with('(') && part.ends_with(')') && part.len() > 2);
        if !grouped || text.contains(['=', '<', '>', '|', '"', '!', '\n', ' ']) {
            return true;
        }
    }
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.take(8).collect();
    if rest.is_empty() {
        return !text.contains(|c: char| c.is_alphanumeric()) || text.ends_with(':') || text.contains(':');
    }
    // A path with blanks: the last word ends it, no word is an option, and the first is part of a directory or short.
    let commands =
        ["git", "npm", "npx", "cargo", "python", "python3", "pip", "poetry", "pytest", "make", "go", "run", "node"];
    let last = rest.last().copied().unwrap_or_default();
    let ends = last.rsplit('/').next().unwrap_or(last);
    let extension = ends.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && (1..=5).contains(&end.len()));
    !extension
        || rest.len() > 6
        || rest.iter().any(|word| word.starts_with('-') && word.len() > 1)
        || commands.contains(&first)
        || text.contains(':')
        || rest
            .iter()
            .any(|word| matches!(*word, "or" | "and" | "to" | "the" | "in" | "of" | "from" | "for" | "importing"))
}

/// The most paths that braces may stand for.
const MAX_EXPANSION: usize = 64;

/// `src/{a,b}.ts` as `src/a.ts` and `src/b.ts`. A text without braces, or with too many, is itself.
pub(super) fn expand(path: &str) -> Vec<String> {
    let mut paths = vec![path.to_owned()];
    while let Some((open, close)) = paths.iter().find_map(|path| brace(path)) {
        let mut next = Vec::new();
        for path in &paths {
            let parts = (path.get(..open), path.get(open + 1..close), path.get(close + 1..));
            let (Some(before), Some(inside), Some(after)) = parts else { return vec![path.clone()] };
            next.extend(inside.split(',').map(|choice| format!("{before}{}{after}", choice.trim())));
        }
        if next.len() > MAX_EXPANSION {
            return vec![path.to_owned()];
        }
        paths = next;
    }
    paths
}

/// The last pair of braces with a comma in it, so that what is before it has the same place in every expansion.
fn brace(path: &str) -> Option<(usize, usize)> {
    let open = path.rfind('{')?;
    let close = open + path.get(open..)?.find('}')?;
    path.get(open..close)?.contains(',').then_some((open, close))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_with_commas_are_a_list_of_paths() {
        assert_eq!(expand("src/{a,b}.{ts,css}"), ["src/a.ts", "src/b.ts", "src/a.css", "src/b.css"]);
        assert_eq!(expand("src/a.ts"), ["src/a.ts"]);
        let many = "{a,b,c,d,e}".repeat(9);
        assert_eq!(expand(&many).concat(), many);
    }
}
