//! [`Pattern`]: paths below the root, as a glob names them.

use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

/// A glob over whole paths: `*` and `?` stop at a `/`, `**` does not.
#[derive(Debug, Clone)]
pub struct Pattern(GlobMatcher);

impl Pattern {
    /// `None` for a text that is no glob, or that has no more than one path.
    pub fn of(text: &str) -> Option<Pattern> {
        let glob = || GlobBuilder::new(text).literal_separator(true).build().ok();
        text.contains(['*', '?', '[', '{']).then(glob)?.map(|glob| Pattern(glob.compile_matcher()))
    }

    pub fn has(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.0.glob() == other.0.glob()
    }
}

impl Eq for Pattern {}

/// Files and folders that are left out: a glob is about all that is below what it names, and one without a `/` about
/// every folder.
#[derive(Debug, Clone, Default)]
pub struct Excluded(GlobSet);

impl Excluded {
    /// # Errors
    /// Why `text`, the first that is none, is no glob.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Excluded, (String, String)> {
        let mut set = GlobSetBuilder::new();
        for text in texts {
            let name = text.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
            let anywhere = if text.trim_end_matches('/').contains('/') { "" } else { "**/" };
            for glob in [format!("{anywhere}{name}"), format!("{anywhere}{name}/**")] {
                let glob = GlobBuilder::new(&glob).literal_separator(true).build();
                set.add(glob.map_err(|error| (text.to_owned(), error.kind().to_string()))?);
            }
        }
        let set = set.build().map_err(|error| (String::new(), error.to_string()))?;
        Ok(Excluded(set))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, path: &str) -> bool {
        !self.0.is_empty() && self.0.is_match(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_is_about_whole_paths_and_an_exclusion_about_all_below_it() {
        let has = |glob: &str, path: &str| Pattern::of(glob).is_some_and(|glob| glob.has(path));
        assert!(has("tests/**", "tests/a/b.py") && has("*.py", "a.py") && has("a/{b,c}.py", "a/c.py"));
        assert!(!has("*.py", "a/b.py") && !has("a.py", "a.py") && !has("a/[", "a/["));
        for (glob, path, expected) in [
            ("vendor/**", "vendor/a/b.py", true),
            ("vendor/", "lib/vendor/b.py", true),
            ("/vendor", "lib/vendor/b.py", false),
            ("*.min.js", "a/b.min.js", true),
            ("src/gen", "src/gen/a.py", true),
            ("src/gen", "src/general.py", false),
        ] {
            assert_eq!(Excluded::of([glob]).unwrap().has(path), expected, "{glob}");
        }
        assert_eq!(Excluded::of(["a[", "b"]).unwrap_err().0, "a[");
    }
}
