//! Files by name, as they are on disk. They have no base: whoever names a file wants to know all that is wrong with it.

use super::design::Design;
use super::text::MOST_BYTES;
use super::{Found, Judged, Report, in_parallel, judge_text, unread};
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
            let mut found = Found::new();
            for place in range {
                let Some(name) = names.get(place) else { continue };
                let judged = match read(Path::new(name))? {
                    Some(bytes) => {
                        Judged { found: judge_text(name, &bytes, None, settings), design: Design::read(name, &bytes) }
                    }
                    None => Judged { found: unread(name, settings), design: None },
                };
                found.push((place, judged));
            }
            Ok(found)
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

/// `None` if there is too much of it.
fn read(path: &Path) -> Result<Option<Vec<u8>>, GitError> {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| GitError::io("read", path, &error))?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= MOST_BYTES))
}
