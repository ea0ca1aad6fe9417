//! Files by name, as they are on disk. They have no base: whoever names a file wants to know all that is wrong with it.

use super::text::MOST_BYTES;
use super::{Found, Report, in_parallel, judge_text, unread};
use crate::check::Settings;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Judges files on disk. Findings have the names that are given here.
///
/// # Errors
/// The first name of which there is no file that can be read, and why.
pub fn files(names: &[String], settings: &Settings) -> Result<Report, (String, io::Error)> {
    let found = in_parallel(
        names.len(),
        || Ok(()),
        |(), range| {
            let mut found = Found::new();
            for place in range {
                let Some(name) = names.get(place) else { continue };
                let reported = match read(Path::new(name)).map_err(|error| (name.clone(), error))? {
                    Some(bytes) => judge_text(name, &bytes, None, settings),
                    None => unread(name, settings),
                };
                found.push((place, reported));
            }
            Ok(found)
        },
    )?;
    Ok(Report { checked: names.len(), found: found.into_iter().flat_map(|(_, found)| found).collect() })
}

/// `None` if there is too much of it.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= MOST_BYTES))
}
