//! What a design says about itself: title, issue, status.

use super::approval::Approval;
use super::document::Document;
use super::inline::plain;
use super::lines::LineKind;
use super::problem::shown;
use crate::finding::Finding;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub title: Option<String>,
    pub issue: Option<String>,
    pub status: Option<String>,
    /// The line of the status, counted from 1.
    pub status_line: Option<usize>,
    pub final_status: Option<String>,
}

impl Head {
    /// A note if the design calls itself a draft and nobody has approved it since: reviews are appended, and the status
    /// at the top is often left as it was.
    pub fn still_draft(&self) -> Option<Finding> {
        let status = self.status.as_deref().filter(|status| status.to_lowercase().contains("draft"))?;
        let last = self.final_status.as_deref().and_then(Approval::of);
        let open = Approval::of(status) == Some(Approval::Open) && last != Some(Approval::Approved);
        let message = format!("the design's status is still '{}'", shown(status));
        open.then(|| Finding { line: self.status_line, ..Finding::note("lld-status", message) })
    }
}

pub(super) fn read(document: &Document) -> Head {
    let title = document.title().map(|heading| (heading.at, plain(heading.title)));
    let start = title.as_ref().map_or(0, |(at, _)| *at);
    // The fields stand before the design proper: in front matter, under the title, in the first section. Later ones
    // belong to issues and fixtures that the design quotes.
    let sections = document.headings.iter().filter(|heading| heading.at > start && heading.level <= 2);
    let end = sections.skip(2).map(|heading| heading.at).next().unwrap_or(document.lines.len());
    let mut head = Head { title: title.map(|(_, title)| title).filter(|title| !title.is_empty()), ..Head::default() };
    for (at, line) in document.lines.iter().enumerate() {
        let early = (start..end).contains(&at) || line.kind == LineKind::Front;
        let Some((name, value)) = (match line.kind {
            LineKind::Text if line.text.trim_start().starts_with('|') => {
                // A row of a table, unless it is the header.
                let rule = document.lines.get(at + 1).is_some_and(|next| next.text.contains("--"));
                if rule { None } else { cells(line.text) }
            }
            LineKind::Text => field(line.text),
            // What is indented belongs to something else: `status: done` of a single todo.
            LineKind::Front if !line.text.starts_with([' ', '\t', '-']) => field(line.text),
            _ => None,
        }) else {
            continue;
        };
        match name.as_str() {
            "issue" | "issues" | "ticket" if early && head.issue.is_none() => head.issue = issue(&value),
            "status" if early && head.status.is_none() => {
                (head.status, head.status_line) = (Some(value), Some(line.number));
            }
            "title" | "name" if line.kind == LineKind::Front && head.title.is_none() => head.title = Some(value),
            // The last one counts: reviews are appended.
            "final status" => head.final_status = Some(value),
            _ => {}
        }
    }
    head
}

/// `* **Issue:** #324`, `**Status**: Draft`, `Status: Draft`: the name in lower case and the value, which is not empty.
fn field(line: &str) -> Option<(String, String)> {
    let line = line.trim().trim_start_matches(['*', '-', '+', '>', ' ', '_']);
    let (name, value) = line.split_once(':')?;
    let name = name.trim_matches(['*', '_', ' ']);
    if name.len() > 20 || name.is_empty() {
        return None;
    }
    let value = plain(value.trim_start_matches(['*', '_', ' ']));
    let value = value.trim_matches(['"', '\'']).trim();
    (!value.is_empty()).then(|| (name.to_lowercase(), value.to_owned()))
}

/// `| Issue | #324 |`
fn cells(row: &str) -> Option<(String, String)> {
    let (name, value) = row.trim().trim_matches('|').split_once('|')?;
    let (name, value) = (plain(name), plain(value));
    (!value.is_empty() && name.len() <= 20 && !value.contains('|')).then(|| (name.to_lowercase(), value))
}

/// `#324`, `[#324](…)`, `PROJ-12 (to be split)`, an address that ends in the number. A placeholder is none.
fn issue(value: &str) -> Option<String> {
    let word = value.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')')).next()?;
    let word = word.trim_end_matches('/').rsplit('/').next()?;
    let word = word.trim_start_matches('#').trim_end_matches(['.', ':']);
    let sane = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '#' | '.'));
    (sane && word.contains(|c: char| c.is_ascii_digit())).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::lines::Fences;
    use super::*;

    fn head(text: &str) -> Head {
        read(&Document::new("d.md", text, Fences::First))
    }

    #[test]
    fn a_draft_that_nobody_has_approved_is_a_note_at_its_line() {
        for rest in ["", "**Final Status:** PENDING\n", "**Final Status:** BLOCKED\n"] {
            let note = head(&format!("# 1 - T\n\n* **Status:** Draft (round 2)\n\n{rest}")).still_draft().unwrap();
            assert_eq!(note.message, "the design's status is still 'Draft (round 2)'");
            assert_eq!((note.line, note.is_error()), (Some(3), false));
        }
        for status in ["Approved", "Draft | Approved", "In review", "Planned"] {
            assert_eq!(head(&format!("# 1 - T\n\n* **Status:** {status}\n")).still_draft(), None, "{status}");
        }
    }
}
