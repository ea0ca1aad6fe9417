//! Designs as files that people commit: what of their prose a program can hold against itself, one small file a rule.
//!
//! Whether the file list can be read is [`crate::lld`]'s business, whether it fits the tree [`crate::plan`]'s. Nothing
//! here judges whether a design is any good, and no rule guesses what a sentence means: ids, paths, names and a few
//! phrases are compared, so that all but an empty design are warnings.

mod anew;
mod dependency;
mod ground;
mod kind;
mod mention;
mod rules;
#[cfg(test)]
mod tests;
mod words;

pub use anew::{existence_ids, new_findings};
pub use dependency::{Dependency, Ecosystem, dependencies};
pub use kind::{DesignKind, is_design, is_kept_as_design};
pub use rules::RULES;

use crate::finding::Finding;
use crate::lld::Lld;
use ground::Ground;
use std::collections::BTreeMap;

/// A design, before anybody has judged it.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Where it lies; findings name it.
    pub path: &'a str,
    pub text: &'a str,
    /// `lld::parse(path, text)`.
    pub lld: &'a Lld,
    /// What the repository has. Rules that need it are silent without it.
    pub tree: Option<&'a Tree>,
}

/// What the rules may know of a repository: data, taken from the commit that the design is judged against.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// The text of each manifest (see [`is_manifest`]) by its path.
    pub manifests: BTreeMap<String, String>,
}

/// Is this a file that names a project's dependencies? Lock files are not, they name everybody's.
pub fn is_manifest(path: &str) -> bool {
    Ecosystem::of_manifest(path).is_some()
}

/// One rule.
pub struct Rule {
    /// The id of its findings.
    pub id: &'static str,
    run: fn(&Ground, &mut Vec<Finding>),
}

/// What the rules say of a design, in the order of its lines. What its file list is worth is not in it: that is
/// `lld.findings`, and [`crate::plan::examine`] in a repository.
pub fn judge(candidate: &Candidate) -> Vec<Finding> {
    let ground = Ground::new(candidate);
    let mut findings = Vec::new();
    for rule in RULES {
        (rule.run)(&ground, &mut findings);
    }
    findings.sort_by_key(|finding| finding.line);
    findings.into_iter().map(|finding| finding.path(candidate.path)).collect()
}
