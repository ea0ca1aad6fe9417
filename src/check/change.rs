//! [`Change`]: a candidate beside its base, and what several gates want to know of the two, each found once.

use super::Candidate;
use crate::syntax::{self, Definition};
use std::cell::OnceCell;
use std::ops::Deref;

/// A candidate that is being judged.
pub struct Change<'a> {
    candidate: &'a Candidate<'a>,
    new: Side<'a>,
    old: Option<Side<'a>>,
}

/// One of the two texts.
pub(super) struct Side<'a> {
    path: &'a str,
    pub text: &'a str,
    code: OnceCell<Option<String>>,
    definitions: OnceCell<Vec<Definition>>,
}

impl<'a> Change<'a> {
    pub fn of(candidate: &'a Candidate<'a>) -> Change<'a> {
        let side = |text| Side { path: candidate.path, text, code: OnceCell::new(), definitions: OnceCell::new() };
        Change { candidate, new: side(candidate.text), old: candidate.base.map(side) }
    }

    pub(super) fn now(&self) -> &Side<'a> {
        &self.new
    }
    /// What the base has.
    pub(super) fn before(&self) -> Option<&Side<'a>> {
        self.old.as_ref()
    }
}

impl<'a> Deref for Change<'a> {
    type Target = Candidate<'a>;

    fn deref(&self) -> &Candidate<'a> {
        self.candidate
    }
}

impl Side<'_> {
    /// The text with spaces for remarks and `_` for what stands in strings; `None` where that is not known.
    pub fn code(&self) -> Option<&str> {
        self.code.get_or_init(|| syntax::mask(self.path, self.text)).as_deref()
    }

    /// In order, outer ones first; none where they are not known.
    pub fn definitions(&self) -> &[Definition] {
        self.definitions.get_or_init(|| {
            let bodies = syntax::language_of(self.path, self.text).and_then(|language| language.bodies);
            let (Some(bodies), Some(code)) = (bodies, self.code()) else { return Vec::new() };
            syntax::definitions(bodies, self.text, code)
        })
    }
}
