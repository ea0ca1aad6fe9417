//! Files by name, as they are on disk. They have no base: whoever names a file wants to know all that is wrong with it.

use super::text::{Content, MOST_BYTES};
use super::{Given, Judged, Report, in_parallel, read_and_judge};
use crate::check::Settings;
use crate::git::{GitError, Repository};
use std::fs;
use std::io::Read;
use std::path::Path;

/// Judges files on disk. Findings have the names that are given here. `place`: the repository round the current
/// directory, and that directory.
pub fn files(names: &[String], place: Option<(&Repository, &Path)>, settings: &Settings) -> Result<Report, GitError> {
    let found = in_parallel(
        names.len(),
        || (),
        |(), range| {
            let mut found = Vec::with_capacity(range.len());
            let share = names.get(range.clone()).unwrap_or_default();
            read_and_judge(share, settings, given, |_, given| {
                found.push(Judged { found: given.judge(None, settings), design: given.design() });
            })?;
            Ok(range.zip(found).collect())
        },
    )?;
    let mut report = Report { checked: names.len(), found: Vec::new() };
    for (at, judged) in found {
        report.found.extend(judged.found);
        if let (Some(design), Some(name)) = (judged.design, names.get(at)) {
            report.found.extend(design.judge_file(name, place, settings)?);
        }
    }
    Ok(report)
}

fn given(name: &String) -> Result<Given<'_>, GitError> {
    Ok(Given::new(name, read(Path::new(name))?))
}

fn read(path: &Path) -> Result<Content, GitError> {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| GitError::io("read", path, &error))?;
    Ok(if bytes.len() as u64 > MOST_BYTES { Content::TooLarge } else { Content::of(&path.to_string_lossy(), bytes) })
}
