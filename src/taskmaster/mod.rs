//! Taskmaster's `tasks.json`: written out as the list of tasks that it is in Markdown, so that it is read as every other list;
//! and its tasks ticked. Does not read what the tasks say.

mod list;
#[cfg(test)]
mod tests;
mod written;

use crate::finding::Finding;
use list::{Entry, List, checked, scalar, with_list};
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use written::{mark, written_out};

/// Is it JSON, by its name or by what it is?
pub fn is_json(name: &str, text: &str) -> bool {
    name.to_lowercase().ends_with(".json") || text.trim_start().starts_with(['{', '[']) && checked(text).is_ok()
}

/// The list in a design in JSON, written out in Markdown.
pub struct Written {
    pub text: String,
    /// For each of its lines the line of the JSON that it comes from, counted from 1.
    pub lines: Vec<usize>,
    /// For each task the ids of those that it depends on.
    pub depends: Vec<Vec<String>>,
    /// What is to be said of the lists that are not read.
    pub note: Option<Finding>,
}

/// Writes the list of a design in JSON out; a finding where it has none.
pub fn written(text: &str) -> Result<Written, Finding> {
    if let Err(error) = checked(text) {
        let finding = Finding::error("lld-json", format!("the design is no JSON: {error}"));
        return Err(finding.line(error.line().max(1)));
    }
    let written = with_list(text, |list| {
        let (written, lines) = written_out(list, text);
        let others = list
            .tag
            .filter(|_| !list.others.is_empty())
            .map(|tag| format!("the tasks of '{tag}' are read; those of '{}' are not", list.others.join("', '")));
        Written {
            text: written,
            lines,
            depends: depends(list),
            note: others.map(|said| Finding::note("lld-json", said)),
        }
    });
    written.ok_or_else(|| {
        let hint = "looked for {\"tasks\": [...]}, {\"master\": {\"tasks\": [...]}} and [...], each task with a title";
        Finding::error("lld-json", "the JSON has no list of tasks").hint(hint)
    })
}

/// The text with the status of these tasks set to `done`, and not a byte else changed.
pub fn tick_json(text: &str, ids: &BTreeSet<&str>) -> String {
    with_status(text, |entry| ids.contains(entry.id.as_str()).then_some("done"))
}

/// The ids of the tasks that [`tick_json`] can tick.
pub fn open_in_json(text: &str) -> BTreeSet<String> {
    let open = |list: &List| {
        let alone = alone(list);
        let can = |it: &&Entry| alone.contains(it.id.as_str()) && it.object.get_string("status").is_some();
        list.entries.iter().filter(can).filter(|it| mark(it) != "x").map(|it| it.id.clone()).collect()
    };
    with_list(text, open).unwrap_or_default()
}

/// The ids that one task alone has.
fn alone<'l>(list: &'l List) -> HashSet<&'l str> {
    let mut seen = HashSet::new();
    let ids = || list.entries.iter().map(|entry| entry.id.as_str());
    let twice: HashSet<&str> = ids().filter(|id| !seen.insert(*id)).collect();
    ids().filter(|id| !twice.contains(id)).collect()
}

/// The text with every task open.
pub fn untouched(text: &str) -> String {
    with_status(text, |_| Some("pending"))
}

/// The ids of the tasks whose status is done.
pub fn done(text: &str) -> BTreeSet<String> {
    let done = |list: &List| list.entries.iter().filter(|it| mark(it) == "x").map(|it| it.id.clone()).collect();
    with_list(text, done).unwrap_or_default()
}

/// The text with another status where `to` says so. Of an id that several tasks have nobody can say which is meant.
fn with_status(text: &str, to: impl Fn(&Entry) -> Option<&'static str>) -> String {
    let spans = |list: &List| -> Vec<(Range<usize>, &'static str)> {
        let alone = alone(list);
        let entries = list.entries.iter().filter(|entry| alone.contains(entry.id.as_str()));
        let span = |entry: &Entry| Some((entry.object.get_string("status")?.range, to(entry)?));
        entries.filter_map(span).map(|(range, status)| (range.start..range.end, status)).collect()
    };
    let mut spans = with_list(text, spans).unwrap_or_default();
    spans.sort_by_key(|(range, _)| range.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (range, status) in spans {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&format!("\"{status}\""));
        at = range.end;
    }
    out + text.get(at..).unwrap_or_default()
}

/// What each task depends on: of parts the others of the same task are meant by plain numbers.
fn depends(list: &List) -> Vec<Vec<String>> {
    let known: HashSet<&str> = list.entries.iter().map(|entry| entry.id.as_str()).collect();
    let of = |entry: &Entry| {
        let named = entry.object.get_array("dependencies").map(|on| on.elements.as_slice()).unwrap_or_default();
        let beside = |on: &String| entry.id.rsplit_once('.').map(|(parent, _)| format!("{parent}.{on}"));
        let whole = |on: String| beside(&on).filter(|on| known.contains(on.as_str())).unwrap_or(on);
        let depends = named.iter().filter_map(scalar).map(whole);
        depends.filter(|on| *on != entry.id && known.contains(on.as_str())).collect()
    };
    list.entries.iter().map(of).collect()
}
