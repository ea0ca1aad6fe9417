//! Who may permit what a check found: the person with `--allow`, the design with `allow: <id>` in a file's row, and,
//! for data and fixture files that are added, the row's own words. What is permitted becomes a note that says by whom.

use super::Terms;
use crate::check::{Author, Candidate, Settings, kind};
use crate::finding::{Finding, Severity, allows};

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

/// How to permit what a check finds, for its hint. Behind anybody's text there is no design that could say so.
pub(in crate::check) fn how(id: &str, candidate: &Candidate, settings: &Settings) -> String {
    match settings.author {
        Author::Model => format!("if the design wants it so, say 'allow: {id}' in the file's row"),
        Author::Anyone => format!("if it is meant to be so, '--allow {id}:{}' permits it", candidate.path),
    }
}

/// The person goes first: what both permit, the person is answerable for.
fn by_whom(terms: &Terms, finding: &Finding, candidate: &Candidate, settings: &Settings) -> Option<String> {
    let path = finding.path.as_deref();
    let permitting = settings.allow.iter().find(|permission| permission.covers(&finding.id, path));
    if let Some(permission) = permitting.filter(|_| terms.allowable) {
        return Some(permission.to_string());
    }
    if terms.design == Design::Never {
        return None;
    }
    if let Some(id) = candidate.row_allow.iter().find(|id| allows(id, &finding.id, path)) {
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
