//! What hooks and formatters made of the texts that models, or designs, had made: which lines of what was committed are theirs.

use super::remake::Remake;
use super::sound::maker;
use crate::patch;
use crate::transcript::recipe::By;

/// A committed text, and who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Its blob.
    pub blob: String,
    /// In words.
    pub by: String,
    /// The commands that changed it after whoever made it, the first first.
    pub reworked: Vec<String>,
    /// The lines that they changed, from and to, counted from 1; none if the text before them cannot be made again.
    pub lines: Vec<(usize, usize)>,
}

/// The texts that the run committed at this path, the last one last.
pub(super) fn made(remake: &Remake, path: &str) -> Vec<Made> {
    let files = remake.recipe.commits.iter().flat_map(|commit| &commit.files).filter(|file| file.path == path);
    files.filter_map(|file| one(remake, path, file.blob.as_deref()?)).collect()
}

fn one(remake: &Remake, path: &str, blob: &str) -> Option<Made> {
    let number = remake.number(path, blob)?;
    let mut reworked = Vec::new();
    let mut first = number;
    while let By::Command { command } = &remake.recipe.texts.get(first)?.by {
        reworked.insert(0, command.clone());
        let Some(before) = remake.changed_by_command(first) else { break };
        first = before;
    }
    let origin = &remake.recipe.texts.get(first)?.by;
    let blob = blob.to_owned();
    if reworked.is_empty() || matches!(origin, By::Command { .. }) {
        return Some(Made { blob, by: maker(origin), reworked, lines: Vec::new() });
    }
    let texts = remake.text(first).ok().zip(remake.text(number).ok());
    let lines = texts.map(|(before, after)| patch::changed_lines(&before, &after)).unwrap_or_default();
    Some(Made { blob, by: format!("{}, changed by {} after", maker(origin), names(&reworked)), reworked, lines })
}

/// `'black' and 'pre-commit'`
fn names(commands: &[String]) -> String {
    let mut names: Vec<String> = commands.iter().map(|command| format!("'{command}'")).collect();
    names.dedup();
    names.join(" and ")
}

impl Made {
    /// The commands that changed it, in words.
    pub fn commands(&self) -> String {
        names(&self.reworked)
    }
}
