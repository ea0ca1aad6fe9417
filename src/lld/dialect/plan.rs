//! Plan documents: tables under "Files to Create/Modify" and the like, often with front matter and an Action column.

use super::{Dialect, Document, Heading, ParsedList, columns, section, table_rows, tables, title};

pub(super) const DIALECT: Dialect = Dialect {
    name: "plan",
    looks_for: "a table under a heading such as 'Files to Create/Modify' (File, Action)",
    read,
};

fn read(document: &Document) -> Option<ParsedList> {
    join(document, false).or_else(|| only_table(document))
}

/// The one table of the document that says for each file what happens to it, whatever its heading is called.
fn only_table(document: &Document) -> Option<ParsedList> {
    let all = tables(&document.lines);
    let mut typed = all.iter().filter_map(|table| {
        let columns = columns::find(table)?;
        let named = |column: usize, names: &[&str]| {
            table.header.get(column).is_some_and(|title| names.contains(&title.as_str()))
        };
        let sure = named(columns.path, &["file", "files", "path", "file path"])
            && columns.kind.is_some_and(|kind| named(kind, &["action", "change type", "change", "operation"]));
        sure.then_some((table, columns))
    });
    let (table, columns) = typed.next()?;
    if typed.next().is_some() {
        return None;
    }
    Some(ParsedList { line: table.line, rows: table_rows(table, &columns, None), ..ParsedList::default() })
}

/// The file list of the first heading that announces one, with those of its siblings: "Files to Modify" and "Files to
/// Create" are one list in two parts.
pub(super) fn join(document: &Document, bullets: bool) -> Option<ParsedList> {
    let mut found: Option<(ParsedList, &Heading)> = None;
    // The title of the whole document announces no list.
    let title_at = document.title().map(|title| title.at);
    for heading in document.headings.iter().filter(|heading| Some(heading.at) != title_at) {
        let Some(list) = title::file_list(heading.title) else { continue };
        let inner = found.as_ref().is_some_and(|(_, first)| heading.at < first.end);
        if inner {
            continue;
        }
        let part = section(document, heading, bullets);
        match &mut found {
            None if part.rows.is_empty() => {}
            None => found = Some((part, heading)),
            Some((whole, first)) => {
                let first_change = title::file_list(first.title).and_then(|list| list.change);
                if first.parent == heading.parent
                    && first.level == heading.level
                    && list.change.is_some()
                    && first_change.is_some()
                {
                    whole.rows.extend(part.rows);
                    whole.notes.extend(part.notes);
                    whole.ignored.extend(part.ignored);
                    whole.findings.extend(part.findings);
                }
            }
        }
    }
    found.map(|(whole, _)| whole)
}
