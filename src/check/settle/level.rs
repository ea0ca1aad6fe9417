//! How much a gate's findings weigh: what they come with, for whose text, and what a project says instead.

use super::Terms;
use crate::check::{self, Settings};
use crate::finding::{Finding, Severity, allows};

/// Whose text is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Author {
    /// A model's, in a run: nobody has looked at it yet.
    #[default]
    Model,
    /// Anybody's, committed or about to be.
    Anyone,
}

/// The most that a gate's findings may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The gate does not run.
    Off,
    Warning,
    Error,
}

impl Level {
    pub const WORDS: [(&'static str, Level); 3] =
        [("off", Level::Off), ("warning", Level::Warning), ("error", Level::Error)];
}

/// A gate's level for each author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    pub model: Level,
    pub anyone: Level,
}

impl Weight {
    /// An error for everybody.
    pub const ALWAYS: Weight = Weight { model: Level::Error, anyone: Level::Error };
    /// An error in what a model wrote, a hint to a person.
    pub const MODEL: Weight = Weight { model: Level::Error, anyone: Level::Warning };
    /// Asked of models only.
    pub const MODEL_ONLY: Weight = Weight { model: Level::Error, anyone: Level::Off };
    /// Not sure enough to refuse anything.
    pub const WARNING: Weight = Weight { model: Level::Warning, anyone: Level::Warning };

    pub(in crate::check) fn of(self, author: Author) -> Level {
        match author {
            Author::Model => self.model,
            Author::Anyone => self.anyone,
        }
    }
}

/// What a project says of a gate instead: `stub=off`, `omission=error`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// An id, which is also that of the ids that begin with it and `-`.
    pub id: String,
    pub level: Level,
}

impl Override {
    /// Reads `<id>=off|warning|error`.
    ///
    /// # Errors
    /// Why it is none, in words that follow "bad gate '…': ".
    pub fn parse(text: &str) -> Result<Override, String> {
        let (id, word) = text.split_once('=').ok_or("it is not '<id>=off|warning|error'")?;
        let (id, word) = (id.trim(), word.trim());
        let level = Level::WORDS.iter().find(|(known, _)| *known == word).map(|(_, level)| *level);
        let level = level.ok_or_else(|| format!("'{word}' is none of off, warning, error"))?;
        if !check::gates().any(|gate| allows(gate, id, None)) {
            let near = check::gates().map(|gate| (strsim::damerau_levenshtein(gate, id), gate)).min();
            let near = near.filter(|(distance, _)| *distance <= 2);
            let hint = near.map(|(_, gate)| format!("; did you mean '{gate}'?")).unwrap_or_default();
            return Err(format!("there is no gate '{id}'{hint}"));
        }
        Ok(Override { id: id.to_owned(), level })
    }
}

/// As it is written.
impl std::fmt::Display for Override {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = Level::WORDS.iter().find(|(_, level)| *level == self.level).map_or("", |(word, _)| word);
        write!(f, "{}={word}", self.id)
    }
}

/// The level of the findings called `id`, of which `default` is the gate's own. What is said last counts.
pub(in crate::check) fn level(id: &str, default: Level, settings: &Settings) -> Level {
    let said = settings.levels.iter().rev().find(|said| allows(&said.id, id, None));
    said.map_or(default, |said| said.level)
}

/// `finding` as its level has it; `None`: its gate is off. What a gate says under the id of another judge weighs as what
/// it says under its own: designs are also judged by the plan.
pub(super) fn apply(terms: &Terms, finding: Finding, settings: &Settings) -> Option<Finding> {
    let id = if finding.id.starts_with(terms.id) { &finding.id } else { terms.id };
    let most = match level(id, terms.weight.of(settings.author), settings) {
        Level::Off => return None,
        Level::Warning => Severity::Warning,
        Level::Error => Severity::Error,
    };
    Some(Finding { severity: finding.severity.min(most), ..finding })
}
