//! Tables as people write them: blank lines between the rows, no bars at the ends, bars inside cells, wrapped rows.
//!
//! Knows columns and rows, not what they mean.

use super::inline::{bars, plain};
use super::lines::{Line, LineKind};

#[derive(Debug, Clone)]
pub(super) struct Table<'a> {
    /// The line of the header, counted from 1.
    pub line: usize,
    /// The line of the last row (of the header, if there is none).
    pub last: usize,
    /// Column titles as a reader sees them, in lower case.
    pub header: Vec<String>,
    /// The same as they are written.
    pub titles: Vec<String>,
    pub rows: Vec<Row<'a>>,
}

#[derive(Debug, Clone)]
pub(super) struct Row<'a> {
    pub line: usize,
    text: &'a str,
    /// The rest of a row that goes on in the next line.
    more: Option<&'a str>,
}

impl Row<'_> {
    /// The row's cells, at most `columns` of them. A row with more bars than the header has unescaped ones in it:
    /// the surplus belongs to the column `prose`.
    pub fn cells(&self, columns: usize, prose: usize) -> Vec<String> {
        let joined;
        let text = match self.more {
            Some(more) => {
                joined = format!("{} {}", self.text.trim_end(), more.trim_start());
                joined.as_str()
            }
            None => self.text,
        };
        let mut cells = split(text, true);
        if cells.len() != columns {
            let naive = split(text, false);
            if naive.len() == columns {
                cells = naive;
            }
        }
        let surplus = cells.len().saturating_sub(columns);
        let prose = prose.min(columns.saturating_sub(1));
        let mut out = Vec::with_capacity(columns.min(cells.len()));
        let mut rest = cells.into_iter();
        out.extend(rest.by_ref().take(prose).map(str::to_owned));
        let wide: Vec<&str> = rest.by_ref().take(surplus + 1).collect();
        if !wide.is_empty() {
            out.push(wide.join(" | "));
        }
        out.extend(rest.map(str::to_owned));
        out
    }
}

/// Cuts a row at its bars; `spans`: bars in code spans do not count.
fn split(text: &str, spans: bool) -> Vec<&str> {
    let text = text.trim();
    let bars = bars(text, spans);
    let mut cells = Vec::with_capacity(bars.len() + 1);
    let mut at = 0;
    for bar in bars.iter().copied() {
        if bar > 0 {
            cells.push(text.get(at..bar).unwrap_or_default().trim());
        }
        at = bar + 1;
    }
    let rest = text.get(at..).unwrap_or_default().trim();
    if !rest.is_empty() || bars.is_empty() {
        cells.push(rest);
    }
    cells
}

/// `|---|:-:|`
fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.contains('-')
        && text.contains('|')
        && text.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t' | b'+'))
}

fn begins_with_bar(text: &str) -> bool {
    text.trim_start().starts_with('|')
}

/// All tables among `lines`, in order. A table needs a rule under its header, or bars at the beginning of every row.
pub(super) fn tables<'a>(lines: &[Line<'a>]) -> Vec<Table<'a>> {
    // Blank lines are gone, so that the next line is always one step away.
    let solid: Vec<&Line<'a>> = lines.iter().filter(|line| line.kind != LineKind::Blank).collect();
    let text = |at: usize| solid.get(at).filter(|line| line.kind == LineKind::Text).map(|line| line.text);
    let touching = |at: usize| match (solid.get(at), solid.get(at + 1)) {
        (Some(this), Some(next)) => next.number == this.number + 1,
        _ => false,
    };
    let mut tables = Vec::new();
    let mut at = 0;
    while let Some(head) = solid.get(at) {
        let Some(title) = text(at).filter(|text| text.contains('|') && !is_rule(text)) else {
            at += 1;
            continue;
        };
        let barred = begins_with_bar(title);
        let ruled = text(at + 1).is_some_and(is_rule) && (barred || touching(at));
        if !ruled && !barred {
            at += 1;
            continue;
        }
        let titles: Vec<String> = split(title, true).into_iter().map(plain).collect();
        let header = titles.iter().map(|title| title.to_lowercase()).collect();
        let mut table = Table { line: head.number, last: head.number, header, titles, rows: Vec::new() };
        let closed = title.trim_end().ends_with('|');
        at += if ruled { 2 } else { 1 };
        while let Some(row) = text(at) {
            let wrapped = !begins_with_bar(row) && barred && row.trim_end().ends_with('|') && touching(at - 1);
            if let Some(open) = table
                .rows
                .last_mut()
                .filter(|open| wrapped && closed && open.more.is_none() && !open.text.trim_end().ends_with('|'))
            {
                open.more = Some(row);
            } else if is_rule(row) {
                // A rule between rows says nothing.
            } else if (barred && begins_with_bar(row) && !text(at + 1).is_some_and(is_rule))
                || (!barred && row.contains('|') && touching(at - 1))
            {
                let line = solid.get(at).map_or(0, |line| line.number);
                table.rows.push(Row { line, text: row, more: None });
            } else {
                break;
            }
            table.last = solid.get(at).map_or(table.last, |line| line.number);
            at += 1;
        }
        tables.push(table);
    }
    tables
}
