//! Designs of a template: their files stand in one section, under the title that the template gives it. Each is a row of
//! titles in the vocabulary.

use super::{Dialect, Document, section};
use crate::lld::vocabulary::has;

pub(super) const SPEC: Dialect = Dialect {
    name: "spec",
    looks_for: "a table under a heading 'Files to Implement' (Order, File, Change Type)",
    read: |document| {
        let list = document.find(|title| has("title-spec", title))?;
        // A low-level design may quote a spec after its own list.
        let quoted = || document.find(|title| has("title-lld", title)).is_some_and(|own| own.at < list.at);
        (is_spec(document) || !quoted()).then(|| section(document, list))
    },
};

pub(super) const LLD: Dialect = Dialect {
    name: "lld",
    looks_for: "a table under a heading 'Files Changed' (File, Change Type, Description)",
    // Later ones are embedded issues and fixtures: the first is the design's own, even where it is empty.
    read: |document| document.find(|title| has("title-lld", title)).map(|list| section(document, list)),
};

/// Is the document a specification by its title? One without its list is not whole, whatever its sentences say.
pub(super) fn is_spec(document: &Document) -> bool {
    document.title().is_some_and(|title| title.normal.contains("implementation spec"))
}
