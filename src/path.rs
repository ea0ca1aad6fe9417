//! [`RepoPath`]: a path inside a repository, checked once, then trusted.

use serde::Serialize;

/// A path relative to the root of the repository, with `/` between components: no `.`, `..`, empty or `.git`
/// component in any spelling that some file system takes for it, no control bytes, nothing that Windows or macOS
/// would read as another path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct RepoPath(String);

/// Why a text is not a path inside a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathError {
    Empty,
    Absolute,
}

impl RepoPath {
    pub fn new(path: &str) -> Result<RepoPath, PathError> {
        if path.is_empty() {
            return Err(PathError::Empty);
        }
        if path.starts_with('/') {
            return Err(PathError::Absolute);
        }
        Ok(RepoPath(path.to_owned()))
    }
    pub fn as_str(&self) -> &str {
        &self.0
    }
    /// The last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
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

impl std::fmt::Display for RepoPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for RepoPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
