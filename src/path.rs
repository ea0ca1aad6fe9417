//! [`RepoPath`]: a path inside a repository, checked once, then trusted.
//!
//! The rules are those of every system a repository may be checked out on, wherever this program runs: a branch is
//! made to be shared. It knows names only: whether something is there, or is a symlink, is the plan's business.

use serde::{Deserialize, Serialize};
use std::fmt;
use unicode_normalization::UnicodeNormalization;

mod instructs;
mod pattern;
mod rules;
mod secretive;

pub use pattern::{Excluded, Pattern};

/// The longest component, in bytes: what ext4, APFS and NTFS take at most.
pub const MAX_COMPONENT: usize = 255;
/// The longest path, in bytes.
pub const MAX_PATH: usize = 4096;

/// A path relative to the root of the repository, with `/` between components: no `.`, `..`, empty or `.git`
/// component in any spelling that some file system takes for it, no control bytes, nothing that Windows or macOS
/// would read as another path. No `/` at the end: that a row means a directory is said beside the path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct RepoPath(String);

/// Why a text is not a path inside a repository. The words are the reason alone: write
/// `invalid path '<path>': <reason>`. Components are kept as they were written and may hold control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathError {
    Empty,
    /// It begins with `/` or `\`.
    Absolute,
    /// It begins with a drive letter: `C:`.
    Drive(char),
    /// It begins with the home directory: `~/`.
    Home,
    /// More than [`MAX_PATH`] bytes.
    TooLong {
        bytes: usize,
    },
    /// Windows takes it for a separator.
    Backslash,
    /// Two `/` in a row, or one at the end.
    EmptyComponent,
    Dot,
    DotDot,
    /// More than [`MAX_COMPONENT`] bytes.
    ComponentTooLong {
        component: String,
        bytes: usize,
    },
    Control(char),
    /// A character that is not seen, that changes the order of reading, or that macOS ignores.
    Invisible(char),
    /// Windows takes what follows for a stream of the file before it.
    Colon(String),
    /// Windows drops dots and blanks at the end of a name.
    TrailingDotOrSpace(String),
    /// A spelling of `.git`.
    DotGit(String),
    /// The 8.3 name that Windows gives to `.gitmodules`, `.gitattributes` or `.gitignore`.
    ShortName {
        component: String,
        means: &'static str,
    },
    /// `NUL`, `con.txt`, …: devices to Windows in every directory.
    Device {
        component: String,
        device: String,
    },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use PathError::*;
        match self {
            Empty => write!(f, "it is empty"),
            Absolute => write!(f, "it is absolute, not relative to the root of the repository"),
            Drive(letter) => write!(f, "it begins with the drive letter '{letter}:'"),
            Home => write!(f, "'~' is a home directory, outside the repository"),
            TooLong { bytes } => write!(f, "it has {bytes} bytes, more than {MAX_PATH}"),
            Backslash => write!(f, "it has a backslash, which separates directories on Windows: use '/'"),
            EmptyComponent => write!(f, "it has an empty component"),
            Dot => write!(f, "it has the component '.'"),
            DotDot => write!(f, "it has the component '..', which leads out of its directory"),
            ComponentTooLong { bytes, .. } => {
                write!(f, "it has a component of {bytes} bytes, more than {MAX_COMPONENT}")
            }
            Control(c) => write!(f, "it has the control character {}", c.escape_unicode()),
            Invisible(c) => write!(f, "it has the invisible character {}", c.escape_unicode()),
            Colon(component) => {
                write!(f, "'{}' has a colon, which names a stream on Windows", component.escape_debug())
            }
            TrailingDotOrSpace(component) => {
                write!(f, "'{}' ends in a dot or blank, which Windows drops", component.escape_debug())
            }
            DotGit(component) => write!(f, "'{}' is a spelling of '.git'", component.escape_debug()),
            ShortName { component, means } => {
                write!(f, "'{}' is a short name of '{means}' on Windows", component.escape_debug())
            }
            Device { component, device } => {
                write!(f, "'{}' is the device '{device}' on Windows", component.escape_debug())
            }
        }
    }
}

impl std::error::Error for PathError {}

impl RepoPath {
    /// Checks `path`. A `/` at the end is an empty component: whoever allows it for directories takes it off first.
    pub fn new(path: &str) -> Result<RepoPath, PathError> {
        rules::check(path)?;
        Ok(RepoPath(path.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names between the slashes, from the root down; at least one.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// The directories that the path lies in, from the root down, less the root itself: `a`, `a/b` for `a/b/c`.
    pub fn directories(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(at, _)| &self.0[..at])
    }

    /// Is the path `directory`, or under it? `""` is the root. By components: `src/ab` is not under `src/a`.
    pub fn starts_with(&self, directory: &str) -> bool {
        directory.is_empty()
            || self.0.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The file name less its extension and the dot before it.
    pub fn file_stem(&self) -> &str {
        match self.extension() {
            Some(extension) => &self.file_name()[..self.file_name().len() - extension.len() - 1],
            None => self.file_name(),
        }
    }

    /// What follows the last dot of the file name, unless the name begins with that dot.
    pub fn extension(&self) -> Option<&str> {
        match self.file_name().rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => Some(extension),
            _ => None,
        }
    }

    /// The directory that the path lies in; `""` for the root.
    pub fn parent(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(parent, _)| parent)
    }
}

/// What a path is called where case and the composition of accents do not count: two paths with different folded forms
/// are two files wherever a repository is checked out, and with one they are a single file somewhere.
///
/// That is Unicode's full folding of case, as macOS has it: `ß` is `ss`, the long `ſ` is `s`, the Kelvin sign is `k`. Small
/// letters, then capital, then small ones again: neither step alone finds all of them.
pub fn folded(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    let folded = path.nfd().flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    // A letter that came apart may have brought accents that are to be put in order again.
    folded.collect::<String>().nfd().nfc().collect()
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for RepoPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// So that maps keyed by paths can be asked with a `&str`. Order, equality and hash are those of the text.
impl std::borrow::Borrow<str> for RepoPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RepoPath {
    type Error = PathError;
    fn try_from(path: String) -> Result<Self, PathError> {
        rules::check(&path)?;
        Ok(RepoPath(path))
    }
}

impl TryFrom<&str> for RepoPath {
    type Error = PathError;
    fn try_from(path: &str) -> Result<Self, PathError> {
        RepoPath::new(path)
    }
}

impl std::str::FromStr for RepoPath {
    type Err = PathError;
    fn from_str(path: &str) -> Result<Self, PathError> {
        RepoPath::new(path)
    }
}

#[cfg(test)]
mod tests;
