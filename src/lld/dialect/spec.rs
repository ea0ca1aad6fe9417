//! Implementation specs: a table under "Files to Implement", with an Order column.

use super::{Dialect, Document, Found, section};

pub(super) const DIALECT: Dialect = Dialect {
    name: "spec",
    looks_for: "a table under a heading 'Files to Implement' (Order, File, Change Type)",
    read,
};

fn read(document: &Document) -> Option<Found> {
    let heading = document.find(|title| title == "files to implement")?;
    Some(section(document, heading, true))
}
