//! Texts as git keeps them and as it checks them out: line ends and filters are its business.

use super::FileUpdate;
use crate::git::snapshot::{joined, split};
use crate::git::{GitError, Mode, Oid, Repository};
use crate::path::RepoPath;
use std::collections::BTreeMap;
use std::path::Path;

/// A step's new text as a blob.
pub(super) fn stored(repository: &Repository, step: &FileUpdate) -> Result<Option<(Oid, Mode)>, GitError> {
    let Some((bytes, executable)) = &step.becomes else { return Ok(None) };
    let id = repository.libgit2()?.blob(bytes).map_err(GitError::libgit2(format!("store '{}'", step.path)))?;
    repository.settled()?.settle(repository.store(), id)?;
    Ok(Some((id, if *executable { Mode::Executable } else { Mode::Regular })))
}

/// Which of `paths` have other text on disk than edits are for, with words for how.
pub(super) fn converted(repository: &Repository, paths: &[RepoPath]) -> Result<BTreeMap<String, String>, GitError> {
    let git = repository.git().args(["check-attr", "-z", "--stdin", "filter", "working-tree-encoding"]);
    let listing = git.stdin(joined(paths)).run()?;
    let mut fields = split(&listing).map(String::from_utf8_lossy);
    let mut converted = BTreeMap::new();
    while let (Some(path), Some(attribute), Some(value)) = (fields.next(), fields.next(), fields.next()) {
        let utf8 = ["utf-8", "utf8"].iter().any(|name| value.eq_ignore_ascii_case(name));
        match (attribute.as_ref(), value.as_ref()) {
            (_, "unspecified" | "unset") => {}
            ("filter", value) => {
                converted.insert(path.into_owned(), format!("it goes through the filter '{value}'"));
            }
            (_, value) if !utf8 => {
                converted.insert(path.into_owned(), format!("it is kept as {value} in the working tree"));
            }
            _ => {}
        }
    }
    Ok(converted)
}

/// The new texts of the files for which `wanted` says yes as git checks them out. `ids`: their blobs, if they are stored;
/// else they are stored for the moment only.
pub(super) fn as_on_disk(
    repository: &Repository,
    steps: &[FileUpdate],
    ids: &[Option<(Oid, Mode)>],
    wanted: impl Fn(&RepoPath) -> bool,
) -> Result<BTreeMap<String, Vec<u8>>, GitError> {
    let mut texts = BTreeMap::new();
    let wanted: Vec<(usize, &FileUpdate, &[u8])> = steps
        .iter()
        .enumerate()
        .filter(|(_, step)| wanted(&step.path))
        .filter_map(|(n, step)| Some((n, step, step.becomes.as_ref()?.0.as_slice())))
        .collect();
    if wanted.is_empty() {
        return Ok(texts);
    }
    let store =
        tempfile::tempdir().map_err(|error| GitError::io("make a temporary directory", Path::new(""), &error))?;
    let git = || match ids.is_empty() {
        true => repository.git().env("GIT_OBJECT_DIRECTORY", store.path()),
        false => repository.git(),
    };
    for (n, step, bytes) in wanted {
        let id = match ids.get(n) {
            Some(Some((id, _))) => id.to_string(),
            _ => {
                let id = git().args(["hash-object", "-w", "--stdin"]).stdin(bytes.to_vec()).run()?;
                String::from_utf8_lossy(&id).trim().to_owned()
            }
        };
        let filters = ["cat-file".to_owned(), "--filters".to_owned(), format!("--path={}", step.path), id];
        texts.insert(step.path.to_string(), git().args(filters).run()?);
    }
    Ok(texts)
}
