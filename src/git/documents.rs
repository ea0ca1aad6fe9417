//! A folder that is a design: its documents, on disk or in a tree.

use super::design::{MOST_DESIGN, checked, unreadable};
use super::objects::Entry;
use super::{Base, Design, GitError, Oid, Part, Repository, input};
use crate::folder::{self, Documents};
use crate::path::RepoPath;
use crate::plan::EntryKind;
use std::path::Path;

/// More documents of a folder, or larger ones beside its design, are not read.
const MOST: usize = 200;
const MOST_BYTES: u64 = 1 << 20;

/// Where documents are read.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// Below the root of the working tree.
    Disk(&'a Path),
    Tree(Oid),
}

impl Repository {
    /// The design that the documents of `folder` are; `None` if they are none.
    pub(super) fn design_of_folder(
        &self,
        argument: &str,
        place: Place,
        folder: &RepoPath,
        base: &Base,
    ) -> Result<Option<Design>, GitError> {
        let names = self.names_below(place, folder.as_str())?;
        let Some(Documents { plans, done, beside }) = folder::documents(names) else { return Ok(None) };
        let path = |name: &String| checked(argument, &format!("{folder}/{name}"));
        let mut designs = Vec::new();
        let mut left = MOST_DESIGN;
        for path in plans.iter().take(MOST).map(path) {
            let path = path?;
            let bytes = self.bytes_at(place, &path, left)?;
            let bytes = bytes.ok_or_else(|| unreadable(argument, &input::too_large(MOST_DESIGN)))?;
            left = left.saturating_sub(bytes.len() as u64);
            designs.push(self.designed(argument, path, bytes, base)?);
        }
        let beside = self.documents(place, folder.as_str(), beside)?;
        let design = match (designs.pop(), done.is_empty() && designs.is_empty()) {
            (Some(only), true) => only,
            (last, _) => {
                designs.extend(last);
                let done = done.iter().map(path).collect::<Result<_, _>>()?;
                Design::joined(folder.clone(), designs, done)?
            }
        };
        Ok(Some(Design { beside, folder: Some(folder.clone()), ..design }))
    }

    /// The documents beside the task list in `folder`.
    pub(super) fn beside_list(&self, place: Place, folder: &str) -> Result<Vec<(RepoPath, String)>, GitError> {
        let found = folder::documents(self.names_below(place, folder)?);
        self.documents(place, folder, found.map(|found| found.beside).unwrap_or_default())
    }

    /// The texts of these files of a folder. What cannot be read is not part of it.
    fn documents(&self, place: Place, folder: &str, names: Vec<String>) -> Result<Vec<(RepoPath, String)>, GitError> {
        let mut documents = Vec::new();
        for name in names.into_iter().take(MOST) {
            let Ok(path) = RepoPath::new(&format!("{folder}/{name}")) else { continue };
            if let Some(bytes) = self.bytes_at(place, &path, MOST_BYTES)?
                && let Ok(text) = String::from_utf8(bytes)
            {
                documents.push((path, text));
            }
        }
        Ok(documents)
    }

    /// The bytes of a regular file, if there are not more than `most`.
    fn bytes_at(&self, place: Place, path: &RepoPath, most: u64) -> Result<Option<Vec<u8>>, GitError> {
        match place {
            Place::Disk(root) => Ok(input::read(&root.join(path.as_str()), most).ok()),
            Place::Tree(tree) => match self.entry(tree, path)? {
                Some(Entry { id, kind: EntryKind::File | EntryKind::Executable }) => {
                    self.read_within(id, path.as_str(), most)
                }
                _ => Ok(None),
            },
        }
    }

    /// The names of the files below `folder`, from it.
    fn names_below(&self, place: Place, folder: &str) -> Result<Vec<String>, GitError> {
        let names = match place {
            Place::Disk(root) => on_disk(root, folder),
            Place::Tree(tree) => {
                let listing = self
                    .git()
                    .args(["ls-tree", "-r", "-z", "--name-only", "--full-tree"])
                    .args([&tree.to_string(), "--", &format!("{folder}/")])
                    .run()?;
                let names = listing.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
                names.map(str::to_owned).collect()
            }
        };
        let from_folder = |name: String| Some(name.strip_prefix(folder)?.strip_prefix('/')?.to_owned());
        Ok(names.into_iter().filter_map(from_folder).collect())
    }
}

/// The documents of a folder that need be in no repository.
pub fn documents_on_disk(folder: &Path) -> Option<Documents> {
    let names = on_disk(folder, ".").into_iter().filter_map(|name| Some(name.strip_prefix("./")?.to_owned()));
    folder::documents(names.collect())
}

/// The paths of the files below a folder, from the root. What cannot be read is not part of it, and links lead elsewhere.
fn on_disk(root: &Path, folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop().filter(|_| names.len() < MOST) {
        for entry in std::fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
            let path = format!("{folder}/{name}");
            if kind.is_dir() && folders.len() < MOST {
                folders.push(path);
            } else if kind.is_file() {
                names.push(path);
            }
        }
    }
    names
}

impl Design {
    /// Several documents as one design, under the name of their folder.
    fn joined(folder: RepoPath, designs: Vec<Design>, done: Vec<RepoPath>) -> Result<Design, GitError> {
        let mut text = String::new();
        let mut parts = Vec::new();
        let committed = designs.iter().all(|design| design.committed);
        let differs_from_base = designs.iter().any(|design| design.differs_from_base);
        for mut design in designs {
            if !design.text.ends_with('\n') {
                design.text.push('\n');
            }
            text.push_str(&design.text);
            parts.push(Part { path: design.path, lines: design.text.lines().count() });
        }
        let blob = Oid::hash_object(git2::ObjectType::Blob, text.as_bytes());
        let blob = blob.map_err(GitError::libgit2("hash the design"))?;
        Ok(Design { committed, differs_from_base, parts, done, ..Design::of(folder, text, blob) })
    }

    /// Its documents, each with its text: of a folder with several plans all of these.
    pub fn documents(&self) -> Vec<(&str, &str)> {
        let mut rest = self.text.as_str();
        let mut documents = Vec::new();
        for Part { path, lines } in &self.parts {
            let end = rest.match_indices('\n').nth(lines.saturating_sub(1)).map_or(rest.len(), |(at, _)| at + 1);
            let (text, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            documents.push((path.as_str(), text));
            rest = after;
        }
        if documents.is_empty() && self.done.is_empty() {
            documents.push((self.path.as_str(), self.text.as_str()));
        }
        documents
    }

    /// The document and its line that a line of the whole text is.
    pub fn place(&self, line: usize) -> Option<(&RepoPath, usize)> {
        let mut before = 0;
        self.parts.iter().find_map(|Part { path, lines }| {
            let place = (path, line.saturating_sub(before));
            before += lines;
            (line <= before).then_some(place)
        })
    }
}
