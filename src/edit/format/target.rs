//! Does a path in a reply name the file that was asked for?

use crate::edit::Refusal;

/// A path as models write one: without quotes, `a/` and `b/`, `./`, a time stamp after a tab.
fn clean(path: &str) -> &str {
    let path = path.split('\t').next().unwrap_or(path).trim();
    let path = path.trim_matches(|c| matches!(c, '`' | '"' | '\'' | '*' | '<' | '>'));
    path.strip_prefix("./").unwrap_or(path)
}

/// `src//a.py` as `src/a.py`, which is the same to every file system.
pub(in crate::edit) fn single_slashes(path: &str) -> String {
    let mut plain = path.to_owned();
    while plain.contains("//") {
        plain = plain.replace("//", "/");
    }
    plain
}

fn ends_with(long: &str, short: &str) -> bool {
    long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'))
}

/// Is `named` the file `target`? A target may be absolute, and a model may leave out the directories of a file.
pub(super) fn names(named: &str, target: &str) -> bool {
    let named = clean(named);
    let bare = named.strip_prefix("a/").or_else(|| named.strip_prefix("b/")).unwrap_or(named);
    if named == target || bare == target {
        return true;
    }
    let named = single_slashes(&named.replace('\\', "/"));
    let target = target.replace('\\', "/");
    let target = target.strip_prefix("./").unwrap_or(&target);
    let same = |named: &str| {
        named == target
            || target.starts_with('/') && ends_with(target, named.trim_start_matches('/'))
            || named.starts_with('/') && ends_with(named, target)
            || !named.contains('/') && ends_with(target, named)
    };
    same(&named) || named.strip_prefix("a/").or_else(|| named.strip_prefix("b/")).is_some_and(same)
}

/// A word that could be a path: it has a directory or a file extension, no blanks, and nothing that only code has.
pub(super) fn looks_like_path(word: &str) -> bool {
    let word = clean(word);
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@' | '\\' | '[' | ']' | '~');
    let named = word.contains('/') || {
        let extension = word.rsplit_once('.').map_or("", |(_, extension)| extension);
        (1..=10).contains(&extension.len()) && extension.chars().all(char::is_alphanumeric)
    };
    // A comment begins with two slashes, and the host of an address stands after two, which a colon goes before.
    word.chars().all(plain) && named && word.chars().any(char::is_alphabetic) && !word.starts_with("//")
}

/// The path on a line that holds nothing else but marks round it: `### src/a.py`, `**File: src/a.py**`, `` `src/a.py`: ``.
pub(super) fn label(line: &str) -> Option<&str> {
    let mut word = line.trim().trim_start_matches('#').trim();
    word = word.trim_matches(|c| matches!(c, '*' | ':' | '`' | ' '));
    for prefix in ["File:", "file:", "Path:", "path:", "Filename:", "FILE:"] {
        word = word.strip_prefix(prefix).unwrap_or(word);
    }
    word = word.trim_matches(|c| matches!(c, '*' | ':' | '`' | ' '));
    looks_like_path(word).then_some(word)
}

/// For a reply that says that it is for a file which was not asked for.
pub(super) fn other_file(named: &str, target: &str) -> Refusal {
    // As diffs name it.
    let bare = named.strip_prefix("a/").or_else(|| named.strip_prefix("b/")).unwrap_or(named);
    let named: String = bare.chars().take(200).collect();
    Refusal::new("reply-other-file", format!("the reply for '{target}' is for another file: '{named}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_be_prefixed_quoted_or_shortened_to_the_file_name() {
        for named in [
            "src/a.py",
            "a/src/a.py",
            "b/src/a.py",
            "./src/a.py",
            "`src/a.py`",
            "a.py",
            "/repo/src/a.py",
            "src\\a.py",
            "b\\src\\a.py",
            "src//a.py",
            "a//src///a.py",
        ] {
            assert!(names(named, "src/a.py"), "{named}");
        }
        assert!(names("src/a.py", "/tmp/x/src/a.py") && names("src/a.py", "./src/a.py"));
    }

    #[test]
    fn another_file_is_another_file() {
        for named in ["src/b.py", "a/b.py", "lib/src/a.py", "rc/a.py", "tests/a.py", "pyproject.toml"] {
            assert!(!names(named, "src/a.py"), "{named}");
        }
        assert!(!names("src/a.py", "lib/src/a.py"));
    }

    #[test]
    fn a_path_has_a_directory_or_an_extension_and_no_code() {
        for word in
            ["src/a", "a.py", "[id]/page.tsx", "@scope/x", "a+b.c", "~/x", "x.7z", "`a.py`", "a.0123456789", "a//b"]
        {
            assert!(looks_like_path(word), "{word}");
        }
        for word in [
            "",
            "a",
            "Done.",
            "1/2",
            "3.14",
            "//a/b",
            "f(x)/y",
            "a b.py",
            "x.y()",
            "a.01234567890",
            "a.-",
            "http://x.y",
        ] {
            assert!(!looks_like_path(word), "{word}");
        }
    }

    #[test]
    fn a_label_is_a_path_and_nothing_else() {
        assert_eq!(label("### `src/a.py`:"), Some("src/a.py"));
        assert_eq!(label("**File: src/a.py**"), Some("src/a.py"));
        assert_eq!(label("Here is src/a.py"), None);
        assert_eq!(label("Done."), None);
    }
}
