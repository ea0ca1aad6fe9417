//! The other sections of a design that gates and prompts use: requirements, tests, signatures, commands, risks.
//!
//! Found by their titles; whether what they say is good is judged elsewhere.

use super::document::{Document, Heading, ListItem, fences, items};
use super::inline::{Bullet, plain};
use super::lines::Line;
use super::table::tables;
use super::vocabulary::has;
use super::{Item, Lld, Section};

/// Fills the sections of `lld`.
pub(super) fn read(document: &Document, lld: &mut Lld) {
    let under = |name: &str| document.find(|title| has(name, title));
    lld.sections = document.headings.iter().map(|heading| outlined(document, heading)).collect();
    if let Some(heading) = under("section-requirements") {
        lld.requirements = listed(document.whole(heading), requirement);
    }
    if let Some(heading) = document.find(|title| title == "test plan" || title.starts_with("test plan ")) {
        lld.test_plan = tabled(document.own(heading));
    }
    if let Some(heading) = under("section-scenarios") {
        lld.test_scenarios = tabled(document.own(heading));
    }
    if let Some(heading) = under("section-signatures") {
        lld.signatures = fences(document.whole(heading)).into_iter().flat_map(declarations).collect();
    }
    if let Some(heading) = under("section-commands") {
        lld.commands = fences(document.whole(heading)).iter().flat_map(|fence| commands(fence)).collect();
    }
    if let Some(heading) = under("section-risks") {
        lld.risks = tabled(document.whole(heading));
    }
}

fn outlined(document: &Document, heading: &Heading) -> Section {
    let number = |at: usize| document.lines.get(at).map_or(at + 1, |line| line.number);
    let Heading { at, level, normal, end, .. } = heading;
    Section { title: normal.clone(), level: *level, line: number(*at), end: number(end.saturating_sub(1)) }
}

/// The rows of tables; where there are none, the items of lists.
fn tabled(lines: &[Line]) -> Vec<Item> {
    let found = rows(lines);
    if found.is_empty() { bullets(lines, labelled) } else { found }
}

/// Rows of tables and items of lists, in the order of the document.
fn listed(lines: &[Line], id: fn(&Bullet) -> Option<String>) -> Vec<Item> {
    let mut found = rows(lines);
    found.extend(bullets(lines, id));
    found.sort_by_key(|item| item.line);
    found
}

/// Titles of the column with a row's own id, the surest first: a table of tests may name requirements too.
const ID_COLUMNS: &[&[&str]] = &[
    &["id", "test id", "tid", "scenario id", "case id", "test case id", "req id", "requirement id"],
    &["#", "no", "no."],
    &["test", "test case", "scenario"],
    &["req", "requirement"],
];

fn rows(lines: &[Line]) -> Vec<Item> {
    let mut found: Vec<Item> = Vec::new();
    for table in tables(lines) {
        let columns = table.header.len();
        let columns_of = |titles: &[&str]| table.header.iter().position(|title| titles.contains(&title.as_str()));
        let id_column = ID_COLUMNS.iter().find_map(|titles| columns_of(titles));
        for row in &table.rows {
            let cells = row.cells(columns, columns.saturating_sub(1));
            let id = id_column.and_then(|column| cells.get(column)).map(|cell| plain(cell)).filter(|id| is_id(id));
            let text = cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" | ");
            let cells = table.header.iter().cloned().zip(cells).collect();
            found.push(Item { id, text, line: row.line, cells });
        }
    }
    found
}

fn bullets(lines: &[Line], id: fn(&Bullet) -> Option<String>) -> Vec<Item> {
    let item = |item: ListItem| {
        let under = item.under.iter().map(|line| line.trim());
        let text = std::iter::once(item.bullet.text).chain(under).collect::<Vec<_>>().join("\n");
        Item { id: id(&item.bullet), text, line: item.line, cells: Vec::new() }
    };
    items(lines).into_iter().map(item).collect()
}

fn is_id(text: &str) -> bool {
    text.len() <= 20 && text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_whitespace)
}

/// `REQ-3: …`, `**T010** …`: an id in capitals and digits.
fn labelled(bullet: &Bullet) -> Option<String> {
    let text = bullet.text.trim_start_matches(['*', '`', '[']);
    let end = text.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '_')))?;
    let id = text.get(..end)?.trim_end_matches('.');
    (is_id(id) && id.starts_with(|c: char| c.is_ascii_uppercase())).then(|| id.to_owned())
}

/// A requirement's own id, else its number.
fn requirement(bullet: &Bullet) -> Option<String> {
    labelled(bullet).or_else(|| bullet.number.map(str::to_owned))
}

/// The lines that a person would type: no comments, lines joined that end in a backslash. Data, never run.
fn commands(lines: &[Line]) -> Vec<Item> {
    let mut found: Vec<Item> = Vec::new();
    let mut open = false;
    for line in lines {
        let text = line.text.trim();
        let (text, goes_on) = match text.strip_suffix('\\') {
            Some(text) => (text.trim_end(), true),
            None => (text, false),
        };
        match found.last_mut().filter(|_| open) {
            Some(item) => {
                item.text.push(' ');
                item.text.push_str(text);
            }
            None if text.is_empty() || text.starts_with('#') => continue,
            None => {
                let text = text.strip_prefix("$ ").unwrap_or(text).to_owned();
                found.push(Item { id: None, text, line: line.number, cells: Vec::new() });
            }
        }
        open = goes_on;
    }
    found
}

/// What the lines of code declare, whatever the language.
fn declarations(lines: &[Line]) -> Vec<Item> {
    let declared = |line: &Line| {
        let (id, text) = (Some(declared(line.text)?.to_owned()), line.text.trim().to_owned());
        Some(Item { id, text, line: line.number, cells: Vec::new() })
    };
    lines.iter().filter_map(declared).collect()
}

/// The name that a line declares: `def f(`, `pub async fn f`, `export function f`, `class C`, `func (r *T) F(`.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let keyword = words.by_ref().take(6).find(|word| !has("modifier", word))?;
    if !has("declares", keyword) {
        return None;
    }
    let rest = line.split_once(keyword).map(|(_, rest)| rest.trim_start())?;
    // Go's receiver.
    let rest = match rest.strip_prefix('(') {
        Some(receiver) => receiver.split_once(')')?.1.trim_start(),
        None => rest,
    };
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    rest.get(..end).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::lines::Fences;
    use super::*;

    fn sections(text: &str) -> Lld {
        let document = Document::new("d.md", text, Fences::First);
        let mut lld = Lld::default();
        read(&document, &mut lld);
        lld
    }

    fn ids(items: &[Item]) -> Vec<&str> {
        items.iter().map(|item| item.id.as_deref().unwrap_or("")).collect()
    }

    #[test]
    fn a_row_s_own_id_comes_before_the_ids_that_it_names() {
        let table = |head: &str| format!("## Test Cases\n| {head} |\n|--|--|--|\n| REQ-1 | T010 | a |\n");
        assert_eq!(ids(&sections(&table("Req | Test ID | What")).test_scenarios), ["T010"]);
        assert_eq!(ids(&sections(&table("Requirement | Scenario | What")).test_scenarios), ["T010"]);
        assert_eq!(ids(&sections(&table("Req | Where | What")).test_scenarios), ["REQ-1"]);
    }

    #[test]
    fn every_heading_is_a_section_that_reaches_to_the_next_of_its_level() {
        let lld = sections("# 7 - T\n\n## 1. A (b)\ntext\n### 1.1 **C**\n```\n# no\n```\n## 2. D\nend");
        let found: Vec<_> = lld.sections.iter().map(|s| (s.title.as_str(), s.level, s.line, s.end)).collect();
        assert_eq!(found, [("t", 1, 1, 10), ("a", 2, 3, 8), ("c", 3, 5, 8), ("d", 2, 9, 10)]);
        assert_eq!(lld.section(|title| title == "c").map(|section| section.line), Some(5));
    }
}
