//! What lies beside a planned path in the base's tree. Of each directory that is asked for it is found once: a design may
//! list a hundred thousand files for one that holds as many.

use super::{EntryKind, Snapshot};
use crate::path::folded;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The directories of a tree that were asked for so far.
pub(super) struct Neighbours<'s> {
    snapshot: &'s Snapshot,
    known: RefCell<HashMap<String, Rc<Directory<'s>>>>,
}

/// The names in a directory by what they have in common with others, each in the order of the tree.
#[derive(Default)]
pub(super) struct Directory<'s> {
    /// Everything, by its folded form.
    pub folded: HashMap<String, Vec<&'s str>>,
    /// Files, by their name without the differences that people make by mistake.
    pub names: HashMap<String, Vec<&'s str>>,
    /// The same, by what stands before the extension.
    pub stems: HashMap<String, Vec<&'s str>>,
    /// Of the files with an extension how many are programs, and how many there are.
    pub programs: HashMap<Option<&'s str>, (usize, usize)>,
}

impl<'s> Neighbours<'s> {
    pub fn new(snapshot: &'s Snapshot) -> Neighbours<'s> {
        Neighbours { snapshot, known: RefCell::default() }
    }

    /// What is in a directory; nothing, if the tree has none of that name.
    pub fn of(&self, directory: &str) -> Rc<Directory<'s>> {
        if let Some(known) = self.known.borrow().get(directory) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.snapshot.directories.get(directory).map(Directory::new).unwrap_or_default());
        self.known.borrow_mut().insert(directory.to_owned(), Rc::clone(&found));
        found
    }
}

impl<'s> Directory<'s> {
    fn new(entries: &'s BTreeMap<String, EntryKind>) -> Directory<'s> {
        let mut directory = Directory::default();
        for (name, kind) in entries {
            directory.folded.entry(folded(name)).or_default().push(name);
            if !matches!(kind, EntryKind::File | EntryKind::Executable) {
                continue;
            }
            directory.names.entry(loose(name)).or_default().push(name);
            directory.stems.entry(loose(stem(name))).or_default().push(name);
            let (programs, files) = directory.programs.entry(extension(name)).or_default();
            *programs += usize::from(*kind == EntryKind::Executable);
            *files += 1;
        }
        directory
    }
}

/// A name without the differences that people make by mistake.
pub(super) fn loose(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

/// What follows the last dot.
pub(super) fn extension(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, extension)| extension)
}

/// What stands before it, unless the name begins with it.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map(|(stem, _)| stem).filter(|stem| !stem.is_empty()).unwrap_or(name)
}
