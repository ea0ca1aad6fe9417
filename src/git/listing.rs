//! The listing of a whole tree, made once: on a thread of its own where somebody is sure to ask for it, since git needs
//! longer for a large tree than all else that comes before the first request.

use super::objects::kind;
use super::snapshot::split;
use super::{Base, GitError, Oid, Repository};
use crate::plan::EntryKind;
use std::sync::Arc;
use std::thread::JoinHandle;

/// A regular file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub path: String,
    pub(super) id: Oid,
}

impl Listed {
    /// `<mode> … <id>\t<path>`, with the id so many words after the mode.
    pub(super) fn read(line: &[u8], after: usize) -> Option<Listed> {
        let text = |bytes| std::str::from_utf8(bytes).ok();
        let tab = memchr::memchr(b'\t', line)?;
        let (facts, path) = (text(line.get(..tab)?)?, text(line.get(tab + 1..)?)?);
        let mut facts = facts.split(' ');
        let mode = u32::from_str_radix(facts.next()?, 8).ok()?;
        let id = Oid::from_str(facts.nth(after)?).ok()?;
        let plain = matches!(kind(mode), EntryKind::File | EntryKind::Executable) && !path.contains(char::is_control);
        plain.then(|| Listed { path: path.to_owned(), id })
    }
}

/// All that a tree has.
#[derive(Debug)]
pub(super) struct Listing {
    /// The regular files whose path is text, in the order of the tree.
    pub files: Arc<[Listed]>,
    /// The paths of everything else: links, submodules, names that are no text.
    pub others: Vec<String>,
}

impl Listing {
    fn read(listing: &[u8]) -> Listing {
        let many = memchr::memchr_iter(0, listing).count();
        let (mut files, mut others) = (Vec::with_capacity(many), Vec::new());
        for line in split(listing) {
            match Listed::read(line, 1) {
                Some(file) => files.push(file),
                None => {
                    let path = line.splitn(2, |byte| *byte == b'\t').nth(1).unwrap_or_default();
                    others.push(String::from_utf8_lossy(path).into_owned());
                }
            }
        }
        Listing { files: files.into(), others }
    }
}

/// The last tree that was listed, or is being listed.
pub(super) enum Ahead {
    Begun(JoinHandle<Result<Listing, GitError>>),
    Made(Arc<Listing>),
}

impl Repository {
    /// Begins to list the base, for whoever will ask for its files.
    pub fn list_ahead(&self, base: &Base) {
        let mut listed = self.listed.borrow_mut();
        if listed.as_ref().is_none_or(|(tree, _)| *tree != base.tree) {
            let list = self.lister(base.tree);
            // Without a thread it is listed when somebody asks.
            let thread = std::thread::Builder::new().name("listing".into()).spawn(list);
            *listed = thread.ok().map(|thread| (base.tree, Ahead::Begun(thread)));
        }
    }

    /// What lists a tree. The person can interrupt it.
    fn lister(&self, tree: Oid) -> impl FnOnce() -> Result<Listing, GitError> + Send + 'static {
        let git = self.git().args(["ls-tree", "-r", "-z", "--full-tree", &tree.to_string()]);
        let interrupt = self.interrupt.clone();
        move || Ok(Listing::read(&git.run_until(&interrupt)?))
    }

    /// All that the base has, listed once.
    pub(super) fn listing(&self, base: &Base) -> Result<Arc<Listing>, GitError> {
        let known = self.listed.borrow_mut().take().filter(|(tree, _)| *tree == base.tree);
        let made = match known {
            Some((_, Ahead::Made(listing))) => listing,
            // A thread that panicked has said so; the listing is made anew.
            Some((_, Ahead::Begun(thread))) => match thread.join() {
                Ok(listing) => Arc::new(listing?),
                Err(_) => Arc::new(self.lister(base.tree)()?),
            },
            None => Arc::new(self.lister(base.tree)()?),
        };
        *self.listed.borrow_mut() = Some((base.tree, Ahead::Made(Arc::clone(&made))));
        Ok(made)
    }

    /// Every regular file of the base whose path is text, in the order of the tree.
    pub fn all_files(&self, base: &Base) -> Result<Arc<[Listed]>, GitError> {
        Ok(Arc::clone(&self.listing(base)?.files))
    }

    /// All paths of the base, sorted.
    pub fn names(&self, base: &Base) -> Result<Vec<String>, GitError> {
        let listing = self.listing(base)?;
        let mut names: Vec<String> = listing.files.iter().map(|file| file.path.clone()).collect();
        if !listing.others.is_empty() {
            names.extend(listing.others.iter().cloned());
            names.sort_unstable();
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_whose_path_is_text_are_apart_from_all_else_that_has_a_name() {
        let id = "0123456789012345678901234567890123456789";
        let lines: [(&str, &[u8]); 6] = [
            ("100644 blob", b"a b/c.py"),
            ("100755 blob", b"run\tme"),
            ("100755 blob", b"run.sh"),
            ("120000 blob", b"link"),
            ("160000 commit", b"module"),
            ("100644 blob", b"\xff.py"),
        ];
        let line = |(facts, path): &(&str, &[u8])| [facts.as_bytes(), b" ", id.as_bytes(), b"\t", path, b"\0"].concat();
        let listing = Listing::read(&lines.iter().flat_map(line).collect::<Vec<u8>>());
        let files: Vec<&str> = listing.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(files, ["a b/c.py", "run.sh"]);
        assert_eq!(listing.others, ["run\tme", "link", "module", "\u{fffd}.py"]);
        assert_eq!(listing.files.first().map(|file| file.id.to_string()).as_deref(), Some(id));
    }
}
