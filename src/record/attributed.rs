//! Of one commit the lines that runs have made, in ranges: what notes and traces for other tools are written from.

use super::blame::{Archive, From, Origin};
use crate::git::{GitError, Past, Repository};
use crate::patch;
use std::rc::Rc;

/// Longer files are not looked through.
const MOST: u64 = 16 << 20;

/// A file of the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributedFile {
    pub path: String,
    /// In the order of their first lines.
    pub parts: Vec<Part>,
}

/// Lines that come from one reply, or whatever else made them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub origin: Rc<Origin>,
    pub ranges: Vec<Range>,
}

/// Lines that follow each other, counted from 1, with their text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    pub from: usize,
    pub to: usize,
    pub text: String,
}

/// What of each commit runs have made; nothing of a merge, of what stands where a shallow clone ends, and where nothing shows that it is of a run.
pub fn attributed(repository: &Repository, past: &[Past]) -> Result<Vec<Vec<AttributedFile>>, GitError> {
    let mut archive = Archive::of(repository)?;
    past.iter().map(|past| of_commit(repository, &mut archive, past)).collect()
}

fn of_commit(repository: &Repository, archive: &mut Archive, past: &Past) -> Result<Vec<AttributedFile>, GitError> {
    let mut files = Vec::new();
    if past.parents.len() > 1 || past.is_cut() {
        return Ok(files);
    }
    for difference in repository.differences(past.parent_tree, past.tree)? {
        let text = |at: Option<crate::git::At>| -> Result<Option<String>, GitError> {
            at.map_or(Ok(None), |at| repository.text_of(at.id, MOST))
        };
        let Some(after) = text(difference.after)? else { continue };
        let before = text(difference.before)?.unwrap_or_default();
        let lines: Vec<&str> = after.lines().collect();
        let numbers = patch::changed_lines(&before, &after).into_iter().flat_map(|(from, to)| from.max(1)..=to);
        let line = |number: usize| Some((number, (*lines.get(number.checked_sub(1)?)?).to_owned()));
        let changed: Vec<(usize, String)> = numbers.filter_map(line).collect();
        let from = archive.from(past, &difference.path, &changed)?;
        let mut parts: Vec<Part> = Vec::new();
        for (number, text) in &changed {
            let Some(From::Run(origin)) = from.get(number) else { continue };
            let at = parts.iter().position(|part| part.origin == *origin).unwrap_or_else(|| {
                parts.push(Part { origin: origin.clone(), ranges: Vec::new() });
                parts.len() - 1
            });
            if let Some(part) = parts.get_mut(at) {
                part.add(*number, text);
            }
        }
        if !parts.is_empty() {
            files.push(AttributedFile { path: difference.path, parts });
        }
    }
    Ok(files)
}

impl Part {
    fn add(&mut self, number: usize, text: &str) {
        match self.ranges.last_mut().filter(|range| range.to + 1 == number) {
            Some(range) => {
                range.to = number;
                range.text.push_str(text);
                range.text.push('\n');
            }
            None => self.ranges.push(Range { from: number, to: number, text: format!("{text}\n") }),
        }
    }
}
