//! All files of the base, for whoever is to find their way about it: paths, and on demand texts.

use super::objects::kind;
use super::snapshot::split;
use super::{Answer, Base, Blobs, GitError, Oid, Repository};
use crate::plan::Kind;

/// A file of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub path: String,
    id: Oid,
}

/// Larger files are not read.
const MOST_BYTES: u64 = 400_000;

impl Repository {
    /// Every regular file of the base whose path is text, in the order of the tree.
    pub fn all_files(&self, base: &Base) -> Result<Vec<Listed>, GitError> {
        let listing = self.git().args(["ls-tree", "-r", "-z", "--full-tree", &base.tree.to_string()]).run()?;
        let file = |line: &[u8]| {
            let (facts, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
            let mut facts = facts.split(' ');
            let mode = u32::from_str_radix(facts.next()?, 8).ok()?;
            let id = Oid::from_str(facts.nth(1)?).ok()?;
            let plain = matches!(kind(mode), Kind::File | Kind::Executable) && !path.contains(char::is_control);
            plain.then(|| Listed { path: path.to_owned(), id })
        };
        Ok(split(&listing).filter_map(file).collect())
    }

    /// The texts of some of them; `None` for what is no text, a large one, or not here.
    pub fn texts(&self, files: &[&Listed]) -> Result<Vec<Option<String>>, GitError> {
        let mut blobs = self.blobs();
        let mut texts = Vec::with_capacity(files.len());
        for files in files.chunks(Blobs::MOST) {
            blobs.ask(files.iter().map(|file| file.id))?;
            for file in files {
                let text = match blobs.next(file.id, &file.path, MOST_BYTES)? {
                    Answer::Bytes(bytes) => String::from_utf8(bytes).ok(),
                    Answer::TooLarge | Answer::Missing => None,
                };
                texts.push(text.filter(|text| !text.contains('\0')));
            }
        }
        Ok(texts)
    }
}
