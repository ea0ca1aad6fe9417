//! Implementation specs: a table under "Files to Implement", with an Order column.

use super::{Dialect, Document, ParsedList, section};

pub(super) const DIALECT: Dialect = Dialect {
    name: "spec",
    looks_for: "a table under a heading 'Files to Implement' (Order, File, Change Type)",
    read,
};

fn read(document: &Document) -> Option<ParsedList> {
    let heading = document.find(|title| title == "files to implement")?;
    let called_so = document.title().is_some_and(|title| title.normal.contains("implementation spec"));
    // A low-level design may quote a spec after its own list.
    if !called_so && document.find(|title| title == "files changed").is_some_and(|list| list.at < heading.at) {
        return None;
    }
    Some(section(document, heading, true))
}
