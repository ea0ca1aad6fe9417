//! What is said about a row that names no file: one place for ids, messages and hints.
//!
//! Knows nothing of how the row was read.

use super::shape::Shape;

/// Why a cell names no file. The words are for the person who wrote the design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub id: &'static str,
    pub message: String,
    pub hint: String,
}

impl Problem {
    fn new(id: &'static str, message: String, hint: impl Into<String>) -> Problem {
        Problem { id, message, hint: hint.into() }
    }
    pub fn prose(text: &str) -> Problem {
        Problem::new(
            "lld-path-prose",
            format!("'{}' is not a path", shown(text)),
            "name one file a row, relative to the root of the repository",
        )
    }
    pub fn alternatives(text: &str) -> Problem {
        Problem::new(
            "lld-path-alternatives",
            format!("'{}' leaves open which file is meant", shown(text)),
            "decide for one path, or give each a row of its own",
        )
    }

    pub fn too_many(count: usize) -> Problem {
        Problem::new(
            "lld-path-too-many",
            format!("{count} files are named in one row"),
            "give each file a row of its own",
        )
    }

    /// What is wrong with `part`, which has the looks of `shape`.
    pub fn of_shape(shape: &Shape, part: &str) -> Problem {
        let part = shown(part);
        let (id, what, hint) = match shape {
            Shape::Path { .. } | Shape::Prose => return Problem::prose(&part),
            Shape::Placeholder => (
                "lld-path-placeholder",
                "is a placeholder of a template, not a path",
                "write the path that is meant".into(),
            ),
            Shape::Glob => (
                "lld-path-glob",
                "is a pattern, not the path of one file",
                "list the files that it stands for, one a row".to_owned(),
            ),
            Shape::Home => (
                "lld-path-home",
                "lies outside the repository, in a home directory",
                "only files of the repository can be written; drop the row or describe it elsewhere".to_owned(),
            ),
            Shape::Drive => (
                "lld-path-drive",
                "is an absolute Windows path",
                "write the path relative to the root of the repository, with '/'".to_owned(),
            ),
            Shape::Backslash => {
                ("lld-path-backslash", "has backslashes", format!("write '{}'", part.replace('\\', "/")))
            }
            Shape::Absolute => (
                "lld-path-absolute",
                "is an absolute path",
                format!("paths are relative to the root of the repository: '{}'?", part.trim_start_matches('/')),
            ),
            Shape::Url => ("lld-path-url", "is an address, not a path", "name the file in the repository".to_owned()),
        };
        Problem::new(id, format!("'{part}' {what}"), hint)
    }
}

/// A subject as messages quote it: one line, not too long.
pub(crate) fn shown(text: &str) -> String {
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = line.char_indices().nth(120) {
        line.truncate(at);
        line.push('…');
    }
    line
}
