//! The plan for people: what the design is, a table of its files, and what they may cost.

use super::plain::{neutralise, neutralise_line};
use super::table::{Column, render};
use crate::lld::Change;
use crate::plan::{Estimate, Listing, Row, Strategy};
use std::io::{self, Write};

/// Writes the plan. `estimates` has one entry a row, or none where nothing would be sent, `said` is what talk and review add;
/// `width` is that of the terminal in columns, `usize::MAX` where there is none.
pub fn write(
    out: &mut dyn Write,
    listing: &Listing,
    (estimates, said): (&[Estimate], &Estimate),
    width: usize,
) -> io::Result<()> {
    writeln!(out, "{}", headline(listing))?;
    if listing.files.is_empty() {
        return Ok(());
    }
    let mut total = Estimate::default();
    estimates.iter().chain([said]).for_each(|estimate| total += *estimate);
    let priced = total.cost.is_some();
    let mut columns = vec![
        Column::Shrinking("path"),
        Column::Left("change"),
        Column::Left("strategy"),
        Column::Right("size"),
        Column::Right("tokens (est.)"),
    ];
    columns.extend(priced.then_some(Column::Right("cost")));
    let tasked = listing.files.iter().any(|row| !row.tasks.is_empty());
    columns.extend(tasked.then_some(Column::Left("tasks")));
    let none = Estimate::default();
    let mut rows: Vec<Vec<String>> = listing
        .files
        .iter()
        .zip(estimates.iter().chain(std::iter::repeat(&none)))
        .map(|(row, estimate)| {
            let size = row.size.map_or("-".into(), |size| format!("{}, {}", lines(size.lines), bytes(size.bytes)));
            let mut cells = vec![path(row), change(row).into(), strategy(row).into(), size, tokens(estimate)];
            cells.extend(priced.then(|| estimate.cost.map_or("-".into(), money)));
            cells.extend(tasked.then(|| tasks(&row.tasks)));
            cells
        })
        .collect();
    if said.prompt > 0 {
        let mut cells = vec!["(reviewer's rounds)".to_owned(), "-".into(), "-".into(), "-".into(), tokens(said)];
        cells.extend(priced.then(|| said.cost.map_or("-".into(), money)));
        cells.extend(tasked.then(String::new));
        rows.push(cells);
    }
    // A list that is only ticked is none of the files of its tasks.
    let is_ticked = |row: &Row| row.change == Change::Modify && row.strategy == Strategy::None;
    let is_made = |row: &&Row| row.selected && !row.directory && row.change != Change::None && !is_ticked(row);
    let made = listing.files.iter().filter(is_made).count();
    let files = if made == 1 { "1 file".into() } else { format!("{made} files") };
    let mut foot = vec![files, String::new(), String::new(), String::new(), tokens(&total)];
    foot.extend(total.cost.map(money));
    foot.extend(tasked.then(String::new));
    write!(out, "{}", render(&columns, &rows, Some(&foot), width))?;
    if let Some(repairs) = listing.estimate.map(|total| total.repairs).filter(|repairs| repairs.input > 0) {
        let cost = repairs.cost.map_or(String::new(), |cost| format!(", {}", money(cost)));
        let tokens = grouped(repairs.input + repairs.output);
        writeln!(out, "repairs can add {tokens} tokens{cost}, if every reply is refused")?;
    }
    listing.context.iter().try_for_each(|shown| {
        let (path, reason) = (neutralise(&shown.path), neutralise(&shown.reason));
        let lines = shown.lines.as_ref().map_or(String::new(), |lines| format!(" ({})", few(lines)));
        writeln!(out, "with {path}{lines}: {reason}, {} tokens", grouped(shown.tokens))
    })?;
    for started in &listing.runs {
        let when = match started.when {
            "file" => "after each file",
            "commit" => "for each commit",
            _ => "before anything is published",
        };
        let fixes = if started.fixes { ", and may change planned files" } else { "" };
        writeln!(out, "runs {} {when}{fixes} (from {})", neutralise(started.command), neutralise(&started.by))?;
    }
    if !listing.verify.is_empty() {
        let options: Vec<String> =
            listing.verify.iter().map(|line| format!("--verify '{}'", neutralise(line))).collect();
        writeln!(out, "to have it tried before it is published: {}", options.join(" "))?;
    }
    // Nothing of a design is ever run.
    listing.commands.iter().try_for_each(|suggested| {
        writeln!(out, "for you to run (line {}): {}", suggested.line, neutralise(suggested.command))
    })
}

/// `lines 1-4, 9`; of many places the first and their number.
fn few(places: &str) -> String {
    const SHOWN: usize = 4;
    match places.split(", ").count() {
        1 if !places.contains('-') => format!("line {places}"),
        count if count > SHOWN => format!(
            "lines {} and {} more places",
            places.split(", ").take(SHOWN).collect::<Vec<_>>().join(", "),
            count - SHOWN
        ),
        _ => format!("lines {places}"),
    }
}

/// `docs/lld/324.md: Diff-based edits (issue 324, status Draft)`.
fn headline(listing: &Listing) -> String {
    let title = listing.title.map_or(String::new(), |title| format!(": {}", neutralise(title.trim())));
    let facts = [("issue ", listing.issue), ("status ", listing.status), ("read as ", listing.dialect)];
    let facts: Vec<String> =
        facts.iter().filter_map(|(word, fact)| Some(format!("{word}{}", neutralise((*fact)?.trim())))).collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    format!("{}{title}{facts}", neutralise_line(listing.lld))
}

fn path(row: &Row) -> String {
    match &row.from {
        Some(from) => format!("{from} => {}", row.path),
        None if row.directory => format!("{}/", row.path),
        None => row.path.clone(),
    }
}

/// The ids of a file's tasks; of many the first few.
fn tasks(ids: &[String]) -> String {
    const SHOWN: usize = 4;
    let shown = ids.iter().take(SHOWN).map(|id| neutralise(id)).collect::<Vec<_>>().join(", ");
    match ids.len().checked_sub(SHOWN) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}

fn change(row: &Row) -> &'static str {
    match row.change {
        _ if row.directory => "(directory)",
        Change::Add => "add",
        Change::Modify => "modify",
        Change::Delete => "delete",
        Change::Rename => "rename",
        Change::AddOrModify => "add or modify",
        Change::None => "-",
    }
}

fn strategy(row: &Row) -> &'static str {
    match row.strategy {
        _ if !row.selected => "not made",
        Strategy::None => "-",
        strategy => strategy.name(),
    }
}

fn lines(count: usize) -> String {
    if count == 1 { "1 line".into() } else { format!("{} lines", grouped(count as u64)) }
}

fn bytes(count: usize) -> String {
    match count {
        0..1000 => format!("{count} B"),
        1000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

fn tokens(estimate: &Estimate) -> String {
    match estimate.prompt + estimate.reply {
        0 => "-".into(),
        count => grouped(count),
    }
}

fn money(dollars: f64) -> String {
    if dollars > 0.0 && dollars < 0.01 { "<$0.01".into() } else { format!("${dollars:.2}") }
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = (digits.len() - 1) % 3 + 1;
    digits.chars().enumerate().fold(String::new(), |mut text, (at, digit)| {
        if at >= first && (at - first).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::{FileSpec, Lld};
    use crate::path::RepoPath;
    use crate::plan::{Blob, EntryKind, Options, Shown, Snapshot, examine};

    fn spec(change: Change, path: &str) -> FileSpec {
        FileSpec {
            path: RepoPath::new(path).unwrap(),
            change,
            inferred: false,
            from: None,
            directory: false,
            description: String::new(),
            line: 3,
            allow: vec![],
            tasks: vec![],
            selected: true,
        }
    }

    fn shown(cost: Option<f64>, width: usize) -> String {
        let mut snapshot = Snapshot::default();
        let root = snapshot.directories.entry(String::new()).or_default();
        root.insert("big.py".into(), EntryKind::File);
        root.insert("old.py".into(), EntryKind::File);
        let blob = |text: String| Blob { executable: false, bytes: text.into_bytes() };
        snapshot.files.insert(RepoPath::new("big.py").unwrap(), blob("x = 1\n".repeat(1200)));
        snapshot.files.insert(RepoPath::new("old.py").unwrap(), blob("y\n".into()));
        let lld = Lld {
            title: Some("324 - \u{1b}[31mEdits".into()),
            issue: Some("324".into()),
            dialect: Some("lld"),
            files: vec![
                spec(Change::AddOrModify, "big.py"),
                spec(Change::Add, "tests/unit/of/a/long/directory/test_big.py"),
                spec(Change::Delete, "old.py"),
                FileSpec { directory: true, ..spec(Change::Add, "tests") },
                FileSpec { selected: false, ..spec(Change::Add, "done.py") },
            ],
            ..Lld::default()
        };
        let examined = examine(&lld, &snapshot, &Options::default());
        let estimate = |prompt, reply| Estimate { prompt, cached: 0, reply, cost };
        let estimates = [estimate(11_800, 900), estimate(12_600, 1_500), Estimate::default()];
        let with = [Shown { path: "src/a.py".into(), reason: "named by --context".into(), lines: None, tokens: 1_234 }];
        let mut out = Vec::new();
        let listing = Listing::new("docs/324.md", &lld, &examined.rows, &examined.findings).sending(&with, None);
        write(&mut out, &listing, (&estimates, &Estimate::default()), width).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_plan_is_a_table_with_sizes_tokens_and_a_total() {
        assert_eq!(
            shown(None, 120),
            "\
docs/324.md: 324 - \\u{1b}[31mEdits (issue 324, read as lld)
path                                        change       strategy                 size  tokens (est.)
big.py                                      modify       edits     1,200 lines, 7.2 kB         12,700
tests/unit/of/a/long/directory/test_big.py  add          whole                       -         14,100
old.py                                      delete       -                           -              -
tests/                                      (directory)  -                           -              -
done.py                                     add          not made                    -              -
3 files                                                                                        26,800
with src/a.py: named by --context, 1,234 tokens
"
        );
    }

    #[test]
    fn cost_is_a_column_when_prices_are_known() {
        let text = shown(Some(0.04), 120);
        let last = text.lines().rev().nth(1).unwrap_or_default();
        assert!(text.lines().nth(1).is_some_and(|line| line.ends_with("cost")), "{text}");
        assert!(last.starts_with("3 files") && last.ends_with("$0.08"), "{text}");
    }

    #[test]
    fn the_table_fits_a_narrow_terminal_by_its_paths() {
        let text = shown(None, 80);
        assert!(
            text.lines().skip(1).filter(|line| !line.starts_with("with ")).all(|line| line.chars().count() <= 80),
            "{text}"
        );
        assert!(text.contains("…/directory/test_big.py") || text.contains("/test_big.py"), "{text}");
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567")]
        {
            assert_eq!(grouped(number), text);
        }
        assert_eq!((money(0.0), money(0.004), money(1.239)), ("$0.00".into(), "<$0.01".into(), "$1.24".into()));
    }
}
