//! What is said about a row that names no file: one place for ids, messages and hints.
//!
//! Knows nothing of how the row was read.

use crate::finding::Finding;
use crate::shape::Shape;

/// A text where a path should stand, which is none.
pub(super) fn prose(text: &str) -> Finding {
    let message = format!("'{}' is not a path", shown(text));
    Finding::error("lld-path-prose", message).hint("name one file a row, relative to the root of the repository")
}

/// Several paths, of which one is meant.
pub(super) fn alternatives(text: &str) -> Finding {
    let message = format!("'{}' leaves open which file is meant", shown(text));
    Finding::error("lld-path-alternatives", message).hint("decide for one path, or give each a row of its own")
}

/// More paths than one row may have.
pub(super) fn too_many(count: usize) -> Finding {
    let message = format!("{count} files are named in one row");
    Finding::error("lld-path-too-many", message).hint("give each file a row of its own")
}

/// What is wrong with `part`, which has the looks of `shape`.
pub(crate) fn of_shape(shape: &Shape, part: &str) -> Finding {
    let part = shown(part);
    let (id, what) = match shape {
        Shape::Path { .. } | Shape::Prose => return prose(&part),
        Shape::Placeholder => ("lld-path-placeholder", "is a placeholder of a template, not a path"),
        Shape::Glob => ("lld-path-glob", "is a pattern, not the path of one file"),
        Shape::Home => ("lld-path-home", "lies outside the repository, in a home directory"),
        Shape::Drive => ("lld-path-drive", "is an absolute Windows path"),
        Shape::Backslash => ("lld-path-backslash", "has backslashes"),
        Shape::Absolute => ("lld-path-absolute", "is an absolute path"),
        Shape::Url => ("lld-path-url", "is an address, not a path"),
    };
    let hint = match shape {
        Shape::Placeholder => "write the path that is meant".to_owned(),
        Shape::Glob => "list the files that it stands for, one a row".to_owned(),
        Shape::Home => "only files of the repository can be written; drop the row or describe it elsewhere".to_owned(),
        Shape::Drive => "write the path relative to the root of the repository, with '/'".to_owned(),
        Shape::Backslash => format!("write '{}'", part.replace('\\', "/")),
        Shape::Absolute => {
            format!("paths are relative to the root of the repository: '{}'?", part.trim_start_matches('/'))
        }
        _ => "name the file in the repository".to_owned(),
    };
    Finding::error(id, format!("'{part}' {what}")).hint(hint)
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
