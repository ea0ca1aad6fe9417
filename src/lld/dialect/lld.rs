//! The template of low-level designs: a table under "Files Changed".

use super::{Dialect, Document, ParsedList, section, title};
use title::Rank;

pub(super) const DIALECT: Dialect = Dialect {
    name: "lld",
    looks_for: "a table under a heading 'Files Changed' (File, Change Type, Description)",
    read,
};

fn read(document: &Document) -> Option<ParsedList> {
    let announced = |title: &str| title::file_list(title).is_some_and(|list| list.rank == Rank::Template);
    let mut sections = document.headings.iter().filter(|heading| announced(heading.title));
    // Later ones are embedded issues and fixtures: the first is the design's own, even where it is empty.
    let heading = sections.next()?;
    Some(section(document, heading, true))
}
