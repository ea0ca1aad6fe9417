//! [`Finding`]: the one currency of every judge, from the design's parser to the last gate.

use crate::path::Pattern;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// Something that a judge has to say about a place. The wording follows git: lower case, no full stop, what is
/// wrong first, the subject quoted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The judge's stable name (`syntax-python`, `path-exists`): what `--allow` and configuration refer to.
    pub id: Cow<'static, str>,
    pub severity: Severity,
    /// The file that is meant, relative to the root of the repository (or as named on the command line).
    pub path: Option<String>,
    /// Counted from 1.
    pub line: Option<usize>,
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl Finding {
    fn new(severity: Severity, id: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Finding { id: id.into(), severity, path: None, line: None, message: message.into(), hint: None }
    }
    pub fn error(id: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, id, message)
    }
    pub fn warning(id: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, id, message)
    }
    pub fn note(id: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, id, message)
    }
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }
    pub fn line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// What foreign text may not carry to where it is read: C0, DEL and C1; line and paragraph separators; what steers the
/// direction of writing; what has no width.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Does `allowed` (`size`, or `size:src/a.py` for one file) permit the finding `id` at `path`? An id also allows
/// the ids that begin with it and `-`.
pub fn allows(allowed: &str, id: &str, path: Option<&str>) -> bool {
    let (want, place) = match allowed.split_once(':') {
        Some((want, place)) => (want, Some(place)),
        None => (allowed, None),
    };
    let same = id == want || id.strip_prefix(want).is_some_and(|rest| rest.starts_with('-'));
    same && place.is_none_or(|place| path == Some(place))
}

/// What somebody permits: `<id>`, `<id>:<path>` for one file, or `<id>:<glob>` for several; and who says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permission {
    pub what: String,
    /// Where it was said: `--allow`, an environment variable, git's configuration, a line of the repository's file.
    pub by: String,
    /// The path as a glob, if it is one.
    #[serde(skip)]
    pattern: Option<Pattern>,
}

impl Permission {
    /// `<id>`, `<id>:<path>` or `<id>:<glob>`.
    pub fn new(what: impl Into<String>, by: impl Into<String>) -> Permission {
        let what = what.into();
        let pattern = what.split_once(':').and_then(|(_, path)| Pattern::of(path));
        Permission { pattern, ..Permission::literal(what, by) }
    }

    /// The path of it is one path, whatever characters it has.
    pub fn literal(what: impl Into<String>, by: impl Into<String>) -> Permission {
        Permission { what: what.into(), by: by.into(), pattern: None }
    }

    /// Does it permit the finding `id` at `path`?
    pub fn covers(&self, id: &str, path: Option<&str>) -> bool {
        let id_of = || self.what.split_once(':').map_or(&*self.what, |(id, _)| id);
        let fits = |pattern: &Pattern| path.is_some_and(|path| pattern.has(path));
        allows(&self.what, id, path) || allows(id_of(), id, None) && self.pattern.as_ref().is_some_and(fits)
    }

    /// Was it said for this one time, on the command line or when asked?
    pub fn is_of_the_moment(&self) -> bool {
        self.by.starts_with("--")
    }
}

/// As the option of the command line says it.
impl<T: Into<String>> From<T> for Permission {
    fn from(what: T) -> Permission {
        Permission::new(what, "--allow")
    }
}

/// To follow "allowed by ".
impl std::fmt::Display for Permission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.by.starts_with("--") {
            true => write!(f, "'{} {}'", self.by, self.what),
            false => write!(f, "'{}' from {}", self.what, self.by),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::allows;

    #[test]
    fn an_id_allows_itself_and_the_ids_under_it_everywhere_or_at_one_path() {
        assert!(allows("syntax", "syntax", None));
        assert!(allows("syntax", "syntax-python", Some("a.py")));
        assert!(!allows("syn", "syntax", None));
        assert!(!allows("syntax-python", "syntax", None));
        assert!(allows("size:a.py", "size", Some("a.py")));
        assert!(!allows("size:a.py", "size", Some("b.py")));
        assert!(!allows("size:a.py", "size", None));
    }
}
