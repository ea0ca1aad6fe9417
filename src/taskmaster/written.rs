//! A list of tasks in JSON, written out in Markdown: what its texts hold makes no task, no title and no comment of its own.

use super::list::{Entry, List};
use jsonc_parser::common::Ranged;

/// What tasks say of themselves, in this order.
const TEXTS: [&str; 3] = ["description", "details", "testStrategy"];

/// What stands in the box of a task.
pub(super) fn mark(entry: &Entry) -> &'static str {
    match entry.object.get_string("status").map(|status| status.value.to_lowercase()).as_deref() {
        // What is looked over is made.
        Some("done" | "completed" | "complete" | "review") => "x",
        _ => " ",
    }
}

/// The list in Markdown, and for each of its lines the line of the JSON that it comes from.
pub(super) fn written_out(list: &List, text: &str) -> (String, Vec<usize>) {
    let lines = Lines::of(text);
    let mut out = "# Tasks\n\n".to_owned();
    let mut places = vec![1, 1];
    for entry in &list.entries {
        let indent = "  ".repeat(entry.depth);
        let title = entry.object.get_string("title");
        let words = title.map(|title| one_line(&title.value)).unwrap_or_default();
        let status = entry.object.get_string("status").map(|status| status.value.to_lowercase());
        let withdrawn = match status.as_deref() {
            Some("deferred") => " (deferred)",
            Some("cancelled" | "canceled") => " (cancelled)",
            _ => "",
        };
        // A plain number is an id with a full stop alone.
        let stop = if entry.id.contains('.') { "" } else { "." };
        out.push_str(&format!("{indent}- [{}] {}{stop} {words}{withdrawn}\n", mark(entry), entry.id));
        places.push(lines.at(title.map_or(entry.start, |title| title.range().start)));
        for said in TEXTS.into_iter().filter_map(|key| entry.object.get_string(key)) {
            let place = lines.at(said.range().start);
            for line in plain(&said.value) {
                out.push_str(&format!("{indent}  - {line}\n"));
                places.push(place);
            }
        }
    }
    (out, places)
}

/// The lines of a text that are no code, without what would make more of them than a line under a task.
fn plain(text: &str) -> impl Iterator<Item = String> {
    let mut fenced = false;
    text.lines()
        .map(one_line)
        .filter(move |line| {
            let fence = line.starts_with("```") || line.starts_with("~~~");
            fenced ^= fence;
            !fence && !fenced
        })
        .map(|line| {
            let marks = |c: char| matches!(c, '#' | '-' | '*' | '+' | '•' | '>' | '=' | '_' | ' ');
            let start = if line.starts_with("**") { line.as_str() } else { line.trim_start_matches(marks) };
            let number = start.trim_start_matches(|c: char| c.is_ascii_digit());
            let start =
                number.strip_prefix(['.', ')']).filter(|_| number.len() < start.len()).unwrap_or(start).trim_start();
            let boxes = ["[ ]", "[x]", "[X]", "[]", "[-]", "[~]"];
            let start = boxes.iter().find_map(|open| start.strip_prefix(open)).unwrap_or(start);
            start.trim().to_owned()
        })
        .filter(|line| !line.is_empty())
}

/// A text as it may stand in a line.
fn one_line(text: &str) -> String {
    let plain = text.split(char::is_control).collect::<Vec<_>>().join(" ");
    plain.replace("<!--", "<!- -").trim().to_owned()
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        Lines(memchr::memchr_iter(b'\n', text.as_bytes()).collect())
    }

    /// The line of a byte, from 1.
    fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|&end| end < byte) + 1
    }
}
