//! [`Tree`]: the base's files as this room sees them: all their paths, and the texts of those that are asked for.

use super::source::Source;
use crate::syntax::file_name;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// How files of the base are read, by their paths. Neither gives what is no text, or must not be shown to anybody.
pub struct Reading<'a> {
    /// One of them.
    pub one: &'a dyn Fn(&str) -> Option<String>,
    /// Shows many, one after another, as long as whoever looks wants more.
    pub many: &'a dyn Fn(&[&str], &mut Look<'_>),
}

/// Takes a text, by the place of its path, and says whether it wants more.
pub type Look<'l> = dyn FnMut(usize, &str) -> bool + 'l;

/// The base's files. Every one is read once, and only if somebody asks for it.
pub struct Tree<'a> {
    /// Sorted.
    paths: Vec<&'a str>,
    reading: Reading<'a>,
    sources: RefCell<HashMap<String, Option<Rc<Source>>>>,
    named: OnceCell<Named<'a>>,
}

impl<'a> Tree<'a> {
    pub fn new(mut paths: Vec<&'a str>, reading: Reading<'a>) -> Tree<'a> {
        if !paths.is_sorted() {
            paths.sort_unstable();
        }
        Tree { paths, reading, sources: RefCell::default(), named: OnceCell::new() }
    }

    pub(super) fn paths(&self) -> &[&'a str] {
        &self.paths
    }

    /// The tree's own spelling of a path that it has.
    pub(super) fn find(&self, path: &str) -> Option<&'a str> {
        self.paths.binary_search(&path).ok().and_then(|at| self.paths.get(at)).copied()
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// The files right in a directory (`""` is the root), not those in the directories in it.
    pub(super) fn files_in<'t>(&'t self, directory: &str) -> impl Iterator<Item = &'a str> + 't {
        let folder = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let start = self.paths.partition_point(|path| *path < folder.as_str());
        let below = self.paths.get(start..).unwrap_or_default().iter().copied();
        let length = folder.len();
        below
            .take_while(move |path| path.starts_with(&folder))
            .filter(move |path| !path.get(length..).unwrap_or_default().contains('/'))
    }

    /// The files of this name, wherever they are, in the order of the tree.
    pub(super) fn named<'t>(&'t self, name: &str) -> impl Iterator<Item = &'a str> + 't {
        let named = self.named.get_or_init(|| Named::of(&self.paths));
        let mut at = named.first.get(name).copied();
        std::iter::from_fn(move || {
            let here = at?;
            at = named.next.get(here).copied().flatten();
            self.paths.get(here).copied()
        })
    }

    /// The one file whose path is `end`, or ends with it at a slash. Of several the one that has most in common with
    /// `from`; `None` if two have.
    pub(super) fn ending(&self, end: &str, from: &str) -> Option<&'a str> {
        if let Some(whole) = self.find(end) {
            return Some(whole);
        }
        let fits = |path: &&str| path.strip_suffix(end).is_some_and(|before| before.ends_with('/'));
        let mut best: Option<(usize, &str)> = None;
        let mut tied = false;
        let fitting = self.named(file_name(end)).filter(fits);
        for path in fitting.take(MOST_OF_A_NAME) {
            let common = nearness(path, from);
            tied =
                best.is_some_and(|(most, _)| most == common) || (tied && best.is_some_and(|(most, _)| most > common));
            if best.is_none_or(|(most, _)| common > most) {
                best = Some((common, path));
            }
        }
        best.filter(|_| !tied).map(|(_, path)| path)
    }

    /// A file of the tree, read.
    pub(super) fn source(&self, path: &str) -> Option<Rc<Source>> {
        if let Some(known) = self.sources.borrow().get(path) {
            return known.clone();
        }
        let text = self.find(path).and_then(self.reading.one);
        let source = text.map(|text| Rc::new(Source::new(path, text)));
        self.sources.borrow_mut().insert(path.to_owned(), source.clone());
        source
    }

    /// Shows the texts of these files one after another, as long as `look` says yes; none of them is kept.
    pub(super) fn look_at(&self, paths: &[&'a str], mut look: impl FnMut(&'a str, &str) -> bool) {
        (self.reading.many)(paths, &mut |at, text| paths.get(at).is_some_and(|path| look(path, text)));
    }
}

/// Paths by the names of their files: the place of the first of each name, and after each the next of its name. A list
/// for each name would be as many allocations as there are files.
struct Named<'a> {
    first: HashMap<&'a str, usize>,
    next: Vec<Option<usize>>,
}

impl<'a> Named<'a> {
    fn of(paths: &[&'a str]) -> Named<'a> {
        let mut first = HashMap::with_capacity(paths.len());
        let mut next = vec![None; paths.len()];
        for (at, path) in paths.iter().enumerate().rev() {
            if let Some(slot) = next.get_mut(at) {
                *slot = first.insert(file_name(path), at);
            }
        }
        Named { first, next }
    }
}

/// As many files of one name are looked at: `index.ts` may be in a thousand directories.
const MOST_OF_A_NAME: usize = 200;

/// How many directories two paths have in common, from the root down.
pub(super) fn nearness(one: &str, other: &str) -> usize {
    let (one, other) = (folder(one), folder(other));
    one.split('/').zip(other.split('/')).take_while(|(one, other)| !one.is_empty() && one == other).count()
}

/// The directory that a path lies in; empty for the root.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `name` in `directory`, without `.` and `..`; `None` if that leads out of the tree.
pub(super) fn joined(directory: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_files_of_a_name_the_nearest_is_meant_and_of_two_that_are_as_near_none() {
        let reading = Reading { one: &|_| None, many: &|_, _| {} };
        let tree = Tree::new(vec!["a/x/util.py", "b/util.py", "c/util.py", "only/one.py"], reading);
        assert_eq!(tree.ending("util.py", "a/x/main.py"), Some("a/x/util.py"));
        assert_eq!(tree.ending("util.py", "d/main.py"), None);
        assert_eq!(tree.ending("one.py", "d/main.py"), Some("only/one.py"));
        assert_eq!(tree.ending("ne.py", "d/main.py"), None);
        assert_eq!(tree.files_in("a").collect::<Vec<_>>(), [""; 0]);
        assert_eq!(tree.files_in("a/x").collect::<Vec<_>>(), ["a/x/util.py"]);
    }

    #[test]
    fn a_name_that_leads_out_of_the_tree_is_no_path() {
        assert_eq!(joined("a/b", "../c").as_deref(), Some("a/c"));
        assert_eq!(joined("a", "../../c"), None);
    }
}
