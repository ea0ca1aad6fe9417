//! The texts of many files, for whoever is to find their way about a tree.

use super::snapshot::split;
use super::{Answer, Base, Blobs, GitError, Listed, Oid, Repository};
use crate::process::Interrupt;

/// Larger files are not read.
const MOST_BYTES: u64 = 400_000;
/// The same where something is looked for in all of them.
const MOST_SEARCHED: u64 = 64 << 20;

impl Repository {
    /// Every regular file of a commit whose path is text, in the order of the tree.
    pub fn files_of(&self, commit: Oid) -> Result<Vec<Listed>, GitError> {
        let listing = self.git().args(["ls-tree", "-r", "-z", "--full-tree", &commit.to_string()]).run()?;
        Ok(split(&listing).filter_map(|line| Listed::read(line, 1)).collect())
    }

    /// The same of the index.
    pub fn staged_files(&self) -> Result<Vec<Listed>, GitError> {
        let listing = self.git().args(["ls-files", "-s", "-z", "--full-name"]).run()?;
        Ok(split(&listing).filter_map(|line| Listed::read(line, 0)).collect())
    }

    /// Shows the bytes of all files of the base for which `wanted` says yes of the path, one after another, until `enough`
    /// says so of one. Files that are no text, or as large as no source is, are passed over.
    ///
    /// # Errors
    /// If not all could be read, so that nobody knows what is in the others; or if the person interrupts it.
    pub fn search(
        &self,
        base: &Base,
        wanted: impl Fn(&str) -> bool,
        interrupt: &Interrupt,
        mut enough: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), GitError> {
        let listing = self.listing(base)?;
        let files: Vec<&Listed> = listing.files.iter().filter(|file| wanted(&file.path)).collect();
        let mut blobs = self.blobs();
        for files in files.chunks(Blobs::MOST) {
            if interrupt.is_set() {
                return Err(GitError::Interrupted);
            }
            blobs.ask(files.iter().map(|file| file.id))?;
            for file in files {
                match blobs.next(file.id, &file.path, MOST_SEARCHED)? {
                    Answer::Bytes(bytes) if !bytes.contains(&0) && enough(&bytes) => return Ok(()),
                    Answer::Bytes(_) | Answer::TooLarge => {}
                    Answer::Missing => {
                        let (id, message) = (file.id.to_string(), "it is missing".to_owned());
                        return Err(GitError::BadObject { id, path: file.path.clone(), message });
                    }
                }
            }
        }
        Ok(())
    }

    /// The text of one of them; `None` for what is no text, a large one, or not here.
    pub fn text(&self, file: &Listed) -> Result<Option<String>, GitError> {
        let bytes = self.read_within(file.id, &file.path, MOST_BYTES)?;
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|text| !text.contains('\0')))
    }

    /// The texts of some of them; `None` for what is no text, a large one, or not here.
    pub fn texts(&self, files: &[&Listed]) -> Result<Vec<Option<String>>, GitError> {
        let mut texts = vec![None; files.len()];
        self.each_text(files, &Interrupt::never(), |at, text| {
            if let Some(slot) = texts.get_mut(at) {
                *slot = Some(text);
            }
            true
        })?;
        Ok(texts)
    }

    /// Shows these texts one after another, by the places of their files, as long as `look` says yes; not what is no text, a
    /// large one, or not here.
    ///
    /// # Errors
    /// If they cannot be read, or if the person interrupts it.
    pub fn each_text(
        &self,
        files: &[&Listed],
        interrupt: &Interrupt,
        mut look: impl FnMut(usize, String) -> bool,
    ) -> Result<(), GitError> {
        let mut blobs = self.blobs();
        for (chunk, files) in files.chunks(Blobs::MOST).enumerate() {
            if interrupt.is_set() {
                return Err(GitError::Interrupted);
            }
            blobs.ask(files.iter().map(|file| file.id))?;
            for (at, file) in files.iter().enumerate() {
                let text = match blobs.next(file.id, &file.path, MOST_BYTES)? {
                    Answer::Bytes(bytes) => String::from_utf8(bytes).ok(),
                    Answer::TooLarge | Answer::Missing => None,
                };
                let text = text.filter(|text| !text.contains('\0'));
                if text.is_some_and(|text| !look(chunk * Blobs::MOST + at, text)) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
