//! Files by name, as they are on disk. They have no base: whoever names a file wants to know all that is wrong with it.

use super::text::{Content, MOST_BYTES};
use super::{Given, Judged, Report, in_parallel, read_and_judge};
use crate::check::Settings;
use crate::git::{GitError, Repository};
use rustix::fs::OFlags;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Judges files on disk. Findings have the names that are given here. `place`: the repository round the current
/// directory, and that directory.
pub fn files(names: &[String], place: Option<(&Repository, &Path)>, settings: &Settings) -> Result<Report, GitError> {
    // Configurations and baselines know files from the root.
    let from_root = |name: &String| {
        let (repository, cwd) = place.filter(|_| settings.knows_paths())?;
        Some(repository.from_root(name, cwd)).filter(|path| path != name)
    };
    let named: Vec<(&String, Option<String>)> = names.iter().map(|name| (name, from_root(name))).collect();
    let found = in_parallel(
        named.len(),
        || (),
        |(), range| {
            let mut found = Vec::with_capacity(range.len());
            let share = named.get(range.clone()).unwrap_or_default();
            read_and_judge(share, settings, given, |_, given| {
                let (found_in, design) = (given.judge(None, false, settings), given.design(settings));
                found.push(Judged { found: found_in, design, importing: None });
            })?;
            Ok(range.zip(found).collect())
        },
    )?;
    let mut report = Report { checked: names.len(), ..Report::default() };
    for (at, judged) in found {
        report.extend(judged.found);
        if let (Some(design), Some(name)) = (judged.design, names.get(at)) {
            report.extend(design.judge_file(name, place, settings)?);
        }
    }
    Ok(report)
}

fn given<'n>((name, from_root): &'n (&String, Option<String>)) -> Result<Given<'n>, GitError> {
    Ok(Given { from_root: from_root.clone(), ..Given::new(name, read(Path::new(name))?) })
}

/// A link is not followed, for it may lead anywhere: git has of it where it leads, and nothing else is judged. Whatever
/// else is no file is not waited for.
fn read(path: &Path) -> Result<Content, GitError> {
    let failed = |error: std::io::Error| GitError::io("read", path, &error);
    if let Ok(target) = fs::read_link(path) {
        return Ok(Content::Link(target.to_string_lossy().into_owned()));
    }
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path).map_err(failed)?;
    let kind = file.metadata().map_err(failed)?;
    if !kind.is_file() {
        let why = if kind.is_dir() { ErrorKind::IsADirectory } else { ErrorKind::InvalidInput };
        let why = std::io::Error::new(why, if kind.is_dir() { "Is a directory" } else { "Not a regular file" });
        return Err(failed(why));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok(if bytes.len() as u64 > MOST_BYTES { Content::TooLarge } else { Content::of(&path.to_string_lossy(), bytes) })
}
