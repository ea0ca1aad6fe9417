//! Implementation specs: a table under "Files to Implement", with an Order column.

use super::{Dialect, Document, ParsedList, section};

pub(super) const DIALECT: Dialect = Dialect {
    name: "spec",
    looks_for: "a table under a heading 'Files to Implement' (Order, File, Change Type)",
    read,
};

fn read(document: &Document) -> Option<ParsedList> {
    let heading = document.find(|title| title == "files to implement")?;
    let called_so = is_called_so(document);
    // A low-level design may quote a spec after its own list.
    if !called_so && document.find(|title| title == "files changed").is_some_and(|list| list.at < heading.at) {
        return None;
    }
    Some(section(document, heading, true))
}

/// Is the document a specification by its title? One without its list is not whole, whatever its sentences say.
pub(super) fn is_called_so(document: &Document) -> bool {
    document.title().is_some_and(|title| title.normal.contains("implementation spec"))
}
