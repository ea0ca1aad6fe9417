//! Who may permit what a check found: the person with `--allow`, the design with `allow: <id>` in a file's row, and,
//! for data and fixture files that are added, the row's own words. What is permitted becomes a note that says by whom.

use super::Terms;
use crate::check::{Author, Candidate, Settings, is_mendable, kind};
use crate::finding::{Finding, Permission, Severity, allows};

/// What a design may permit of a check's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// Nothing: no design wants this in a file.
    Never,
    /// `allow: <id>` in the file's row.
    ById,
    /// That, and one of these words in the row of an added data or fixture file: it is meant to be so.
    InWords(&'static [&'static str]),
}

/// Gates that only the person loosens, at the command line or in a configuration that nobody else can write: they keep
/// secrets in, hidden text out, and a model away from what git, hooks and agents take orders from.
pub const ONLY_THE_PERSON: &[&str] = &["bidi", "ignored", "protected", "secret"];

/// Is what is said under this id, or an id that it permits, for the person alone to permit?
pub fn is_guarded(id: &str) -> bool {
    ONLY_THE_PERSON.iter().any(|gate| allows(id, gate, None) || allows(gate, id, None))
}

/// `finding` as it is, or demoted to a note where it is permitted.
pub(super) fn apply(terms: &Terms, finding: Finding, candidate: &Candidate, settings: &Settings) -> Finding {
    if finding.severity == Severity::Note {
        return finding;
    }
    match by_whom(terms, &finding, candidate, settings) {
        None => finding,
        Some(by) => Finding {
            severity: Severity::Note,
            message: format!("{} (allowed by {by})", finding.message),
            hint: None,
            ..finding
        },
    }
}

/// How to permit what a check finds on a line, for its hint. Behind anybody's text there is no design that could say so.
pub(in crate::check) fn how(id: &str, candidate: &Candidate, settings: &Settings) -> String {
    match settings.author {
        Author::Model => format!("if the design wants it so, say 'allow: {id}' in the file's row"),
        Author::Anyone => format!("if it is meant to be so, {}", way(id, candidate, Some(1))),
    }
}

/// By a comment where the language has any, else by an option.
fn way(id: &str, candidate: &Candidate, line: Option<usize>) -> String {
    let lexis = crate::syntax::language_of(candidate.path, candidate.text).and_then(|language| language.lexis);
    let has_comments = lexis.is_some_and(|lexis| lexis.has_comments()) && !candidate.text.is_empty();
    match line {
        Some(_) if has_comments => format!("'git-implement: allow {id}' in a comment on the line permits it"),
        None if has_comments && !is_guarded(id) => {
            format!("'git-implement: allow-file {id}' in a comment at the top permits it")
        }
        _ => format!("'--allow {id}:{}' permits it", candidate.path),
    }
}

/// A finding about anybody's text, with the way to be quiet about it as its hint's last words. What a model wrote is for
/// its design to excuse.
pub(super) fn hinted(terms: &Terms, mut finding: Finding, candidate: &Candidate, settings: &Settings) -> Finding {
    if settings.author == Author::Anyone && is_mendable(&finding) {
        let said = finding.hint.take().map(|said| said + "; ").unwrap_or_default();
        finding.hint = Some(said + "'git implement check --fix' may mend it");
    }
    let said = finding.hint.as_deref().unwrap_or_default();
    let believed = terms.allowable && !(settings.pushed && is_guarded(&finding.id));
    let is_file = !candidate.path.is_empty() && settings.author == Author::Anyone;
    if finding.severity == Severity::Note || !believed || !is_file || said.contains("allow") {
        return finding;
    }
    let way = way(&finding.id, candidate, finding.line);
    let hint = if said.is_empty() { way } else { format!("{said}; {way}") };
    Finding { hint: Some(hint), ..finding }
}

/// Does a configuration permit it in anybody's text? That is not told each time: whoever wrote it knows.
pub(super) fn is_configured(terms: &Terms, finding: &Finding, candidate: &Candidate, settings: &Settings) -> bool {
    let by = by_person(terms, finding, candidate, settings);
    settings.author == Author::Anyone && by.is_some_and(|by| !by.is_of_the_moment())
}

fn by_person<'s>(
    terms: &Terms,
    finding: &Finding,
    candidate: &Candidate,
    settings: &'s Settings,
) -> Option<&'s Permission> {
    // As it is named, and as configurations name it, from the root.
    let covers = |it: &&Permission| {
        it.covers(&finding.id, finding.path.as_deref())
            || candidate.from_root.is_some() && it.covers(&finding.id, candidate.from_root)
    };
    settings.allow.iter().find(covers).filter(|_| terms.allowable)
}

/// The person goes first: what both permit, the person is answerable for.
fn by_whom(terms: &Terms, finding: &Finding, candidate: &Candidate, settings: &Settings) -> Option<String> {
    if let Some(permission) = by_person(terms, finding, candidate, settings) {
        return Some(permission.to_string());
    }
    if terms.design == Design::Never {
        return None;
    }
    if let Some(id) = candidate.row_allow.iter().find(|id| allows(id, &finding.id, finding.path.as_deref())) {
        return Some(format!("'allow: {id}' in the design"));
    }
    let Design::InWords(words) = terms.design else { return None };
    if candidate.base.is_some() || !kind::is_data_or_fixture(candidate.path) {
        return None;
    }
    said(candidate.description, words).map(|word| format!("the design's row, which says '{word}'"))
}

/// The first of `words` that `description` says as a whole word and does not deny.
fn said<'a>(description: &str, words: &[&'a str]) -> Option<&'a str> {
    let spoken: Vec<String> = description
        .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'')
        .map(|word| word.trim_matches(['-', '\'']).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let denied = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| spoken.get(at)).map_or("", String::as_str);
        matches!(before, "not" | "no" | "non" | "never" | "isn't" | "without")
    };
    spoken.iter().enumerate().find_map(|(at, spoken)| words.iter().copied().find(|word| word == spoken && !denied(at)))
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn a_row_says_a_word_only_as_a_whole_word_that_it_does_not_deny() {
        let words = &["malformed", "invalid"];
        assert_eq!(said("Malformed JSON, for the parser's tests", words), Some("malformed"));
        assert_eq!(said("deliberately `invalid`", words), Some("invalid"));
        assert_eq!(said("an invalidated cache", words), None);
        assert_eq!(said("valid JSON, not malformed", words), None);
        assert_eq!(said("", words), None);
    }
}
