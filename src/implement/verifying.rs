//! The manifests of a repository, for the commands that they say could judge the result.

use super::Prepared;
use crate::git::{GitError, Repository};
use crate::plan::{commands_to_verify, says_how_to_verify};

/// As many manifests are read.
const MOST: usize = 100;

/// Command lines that could judge what `prepared` makes: for a person to copy.
pub fn verifying(repository: &Repository, prepared: &Prepared) -> Result<Vec<String>, GitError> {
    let rows = &prepared.examined.rows;
    let files = repository.all_files(&prepared.base)?;
    let found: Vec<_> = files.iter().filter(|file| says_how_to_verify(&file.path, rows)).take(MOST).collect();
    let texts = repository.texts(&found)?;
    let read = found.iter().zip(texts).filter_map(|(file, text)| Some((file.path.clone(), text?)));
    Ok(commands_to_verify(&prepared.lld, rows, &read.collect::<Vec<_>>()))
}
