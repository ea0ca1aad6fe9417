//! The paths of a list by what they end in: which longer path a short one stands for.

use crate::lld::names::is_dotfile;
use crate::lld::vocabulary::has;
use std::collections::{HashMap, HashSet};

/// The paths of a list by what they end in, where only one path ends so.
#[derive(Debug, Default)]
pub(in crate::lld) struct Ends {
    full_paths: HashMap<String, Option<String>>,
    /// First components of paths most of which the list writes in no longer form: they begin at the root.
    roots: HashSet<String>,
}

/// The most components of an end.
const MAX_END: usize = 6;

impl Ends {
    pub fn of<'w>(paths: impl Iterator<Item = &'w str>) -> Ends {
        let mut ends: HashMap<String, Option<String>> = HashMap::new();
        let paths: Vec<&str> = paths.collect();
        for path in &paths {
            let path = *path;
            for (at, _) in path.rmatch_indices('/').take(MAX_END) {
                let end = path.get(at + 1..).unwrap_or_default();
                match ends.get_mut(end) {
                    Some(one) if one.as_deref() != Some(path) => *one = None,
                    Some(_) => {}
                    None => {
                        ends.insert(end.to_owned(), Some(path.to_owned()));
                    }
                }
            }
        }
        let first = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let mut balance: HashMap<String, i64> = HashMap::new();
        let distinct: HashSet<&str> = paths.into_iter().collect();
        for path in distinct {
            *balance.entry(first(path)).or_default() += if ends.contains_key(path) { 1 } else { -1 };
        }
        let roots = balance.into_iter().filter(|(_, balance)| *balance < 0).map(|(first, _)| first).collect();
        Ends { full_paths: ends, roots }
    }

    /// Do several paths end in `name`?
    pub fn is_ambiguous(&self, name: &str) -> bool {
        self.full_paths.get(name).is_some_and(Option::is_none) && !is_at_the_root(name)
    }

    /// The one longer path that ends in `path`.
    pub fn full_path(&self, path: &str) -> Option<&str> {
        if is_at_the_root(path) {
            return None;
        }
        let root = path.split_once('/').is_some_and(|(first, _)| self.roots.contains(first));
        self.full_paths.get(path).filter(|_| !root)?.as_deref()
    }
}

/// Names that mean the file at the root, whatever has the same name elsewhere.
pub(in crate::lld) fn is_at_the_root(path: &str) -> bool {
    let shouted = path
        .strip_suffix(".md")
        .is_some_and(|stem| stem.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
    shouted
        || matches!(path, ".gitignore" | "LICENSE" | "docker-compose.yml" | "docker-compose.yaml" | ".gitattributes")
}

/// Is the name one that many directories of a project have, its root first of all?
pub(in crate::lld) fn is_everywhere(name: &str) -> bool {
    is_dotfile(name) || has("manifest", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_path_is_the_one_longer_path_that_ends_so() {
        let ends = Ends::of(["a/b/c.ts", "a/b/c.ts", "x/d.ts", "y/d.ts", "docs/README.md"].into_iter());
        assert_eq!(ends.full_path("c.ts"), Some("a/b/c.ts"));
        assert_eq!(ends.full_path("b/c.ts"), Some("a/b/c.ts"));
        assert_eq!((ends.full_path("d.ts"), ends.full_path("README.md")), (None, None));
    }
}
