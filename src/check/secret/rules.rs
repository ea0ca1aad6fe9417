//! What secrets look like: formats that a provider gives its tokens, so that nothing else has them. One table for each
//! kind of provider.
//!
//! Most of the patterns are those of gitleaks (<https://github.com/gitleaks/gitleaks>, MIT licence, copyright (c)
//! 2019 Zachary Rice: `LICENSE-gitleaks` beside this file), less the ends and beginnings that all of them have in common.
//! What has no format of its own is told by its name: see [`super::assigned`].

mod cloud;
mod code;
mod keys;
mod messaging;
mod models;
mod services;

/// One format.
#[derive(Debug)]
pub struct Rule {
    /// What the finding calls it, after "what looks like".
    pub name: &'static str,
    /// Every match holds one of these, in this very case. At least two bytes.
    pub keywords: &'static [&'static str],
    /// Of bytes; `\w` and `\b` are those of ASCII. The first group, if there is one, is the secret itself.
    pub pattern: &'static str,
    pub place: Place,
    /// Bits a character that a real one has at least.
    pub entropy: f64,
    pub certainty: Certainty,
    /// The last six characters are a checksum of the thirty before them.
    pub checksum: bool,
}

/// Where a rule's keywords are looked for, and where its matches may begin and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Near a long word. The match begins with the keyword where a word begins, and ends where one ends.
    WordStart,
    /// The same, with the keyword anywhere in the match.
    Word,
    /// In the whole text, and as the pattern says. Every keyword of this kind is looked for in every text.
    Anywhere,
}

/// How much a finding says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It has the shape of a secret, as examples have: no question where examples are at home, which is in tests and
    /// documents.
    Likely,
    /// It is one, and may be meant to be public.
    Question,
    /// Sure enough to refuse a text for.
    Sure,
}

const fn token(name: &'static str, keywords: &'static [&'static str], pattern: &'static str, entropy: f64) -> Rule {
    let (place, certainty) = (Place::WordStart, Certainty::Sure);
    Rule { name, keywords, pattern, place, entropy, certainty, checksum: false }
}

impl Rule {
    const fn at(self, place: Place) -> Rule {
        Rule { place, ..self }
    }
    const fn is(self, certainty: Certainty) -> Rule {
        Rule { certainty, ..self }
    }
    const fn with_checksum(self) -> Rule {
        Rule { checksum: true, ..self }
    }
}

pub const PRIVATE_KEY: &str = "a private key";

const TABLES: &[&[Rule]] = &[keys::RULES, cloud::RULES, code::RULES, models::RULES, messaging::RULES, services::RULES];

pub fn rules() -> impl Iterator<Item = &'static Rule> {
    TABLES.iter().copied().flatten()
}
