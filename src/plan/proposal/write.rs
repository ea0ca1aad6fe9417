//! Proposed files, written into the list: a sub-bullet under each task, and not a byte else.

use super::{Proposal, ProposedFile, names, whole};
use crate::finding::Finding;
use crate::lld::{Change, Lld, Task, bullet, parse};
use std::collections::HashMap;

/// The text with the files of each proposal in a sub-bullet under its task, in the list's own indentation and line ends.
/// Read again, it gives these tasks exactly these files.
///
/// # Errors
/// A finding for each task for which it would not: then nothing is to be written.
pub fn write(name: &str, text: &str, proposals: &[Proposal]) -> Result<String, Vec<Finding>> {
    if whole::is_one(name, text) {
        let files: Vec<ProposedFile> = proposals.iter().flat_map(|proposal| proposal.files.clone()).collect();
        return whole::write(name, text, &files);
    }
    let before = parse(name, text);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let by_name: HashMap<&str, &Proposal> =
        proposals.iter().map(|proposal| (proposal.task.as_str(), proposal)).collect();
    let names = names(&before);
    let mut wanted: Vec<(&Task, &Proposal)> = Vec::new();
    for (task, name) in before.tasks.iter().zip(&names) {
        let proposal = by_name.get(name.as_str()).filter(|proposal| !proposal.files.is_empty());
        wanted.extend(proposal.map(|proposal| (task, *proposal)));
    }
    let form = Form::of(&before, &lines);
    let mut after: HashMap<usize, String> = HashMap::new();
    for (task, proposal) in &wanted {
        after.insert(task.end, form.bullets(task, &lines, proposal));
    }
    let mut out = String::with_capacity(text.len() + 80 * after.len());
    for (at, line) in lines.iter().enumerate() {
        out.push_str(line);
        let Some(bullets) = after.get(&(at + 1)) else { continue };
        if line.ends_with('\n') {
            out.push_str(bullets);
        } else {
            // The last line has no end, and the new last line gets none.
            out.push_str(end(&lines, at));
            out.push_str(bullets.trim_end_matches(['\r', '\n']));
        }
    }
    let wrong = misread(name, &before, &parse(name, &out), &names, &by_name);
    if wrong.is_empty() { Ok(out) } else { Err(wrong) }
}

/// A finding for each task that would have other files than it should.
fn misread(
    name: &str,
    before: &Lld,
    after: &Lld,
    names: &[String],
    proposals: &HashMap<&str, &Proposal>,
) -> Vec<Finding> {
    let wrong = |task: &Task, words: String| {
        let hint = "--yes without --write keeps the proposals beside the repository instead";
        Finding::error("proposal-unreadable", words).path(name).line(task.line).hint(hint)
    };
    let mut findings = Vec::new();
    for (at, (task, name)) in before.tasks.iter().zip(names).enumerate() {
        let proposed = proposals.get(name.as_str()).map(|proposal| proposal.files.as_slice()).unwrap_or_default();
        // A task without an id goes by its line, and lines have moved.
        let by_line = |task: &Task| task.id == format!("L{}", task.line);
        let is_same = |now: &&Task| now.done == task.done && (now.id == task.id || by_line(now) && by_line(task));
        let now = after.tasks.get(at).filter(is_same);
        let is_right = now.is_some_and(|now| match proposed {
            // Another task's `b.ts` may have become `src/b.ts`, now that the list has that.
            [] => {
                now.files.len() == task.files.len()
                    && now.files.iter().zip(&task.files).all(|(now, was)| now.as_str().ends_with(was.as_str()))
            }
            files => {
                let goes = files.iter().filter(|file| file.change == Change::Delete).map(|file| &file.path);
                let is_one = |file: &_| files.iter().any(|proposed| proposed.path == *file);
                now.files.len() == files.len() && now.files.iter().all(is_one) && now.deletes.iter().eq(goes)
            }
        });
        if !is_right {
            let words = match proposed.is_empty() {
                true => format!("task {name} would be read otherwise with the proposed files in the list"),
                false => format!("the files proposed for task {name} cannot be written so that they are read as such"),
            };
            findings.push(wrong(task, words));
        }
    }
    if findings.is_empty() && after.tasks.len() != before.tasks.len() {
        let words = "the list would have other tasks with the proposed files in it";
        findings.push(Finding::error("proposal-unreadable", words).path(name));
    }
    findings
}

/// How the list indents what stands under a task, and with what mark: as the first task that has something there.
struct Form {
    indent: Option<(String, char)>,
}

impl Form {
    fn of(lld: &Lld, lines: &[&str]) -> Form {
        let relative = |task: &Task| {
            let (indent, mark) = under(task, lines)?;
            Some((indent.strip_prefix(blank(line(lines, task.line)))?.to_owned(), mark))
        };
        Form { indent: lld.tasks.iter().find_map(relative) }
    }

    fn bullets(&self, task: &Task, lines: &[&str], proposal: &Proposal) -> String {
        let own = line(lines, task.line);
        let (indent, mark) = under(task, lines).unwrap_or_else(|| match &self.indent {
            Some((indent, mark)) => (format!("{}{indent}", blank(own)), *mark),
            None => default(own),
        });
        let paths = |deleted: bool| {
            let files = proposal.files.iter().filter(|file| (file.change == Change::Delete) == deleted);
            files.map(|file| format!("`{}`", file.path)).collect::<Vec<_>>().join(", ")
        };
        let end = end(lines, task.line.saturating_sub(1));
        let bullet = |label: &str, paths: String| match paths.is_empty() {
            true => String::new(),
            false => format!("{indent}{mark} {label} {paths}{end}"),
        };
        bullet("Files:", paths(false)) + &bullet("Delete", paths(true))
    }
}

/// Under a task whose list shows no other way: by the width of its mark, or one tab.
fn default(own: &str) -> (String, char) {
    let (blank, rest) = (blank(own), own.trim_start());
    if rest.starts_with('#') {
        return (String::new(), '-');
    }
    let mark = rest.chars().next().filter(|mark| matches!(mark, '-' | '*' | '+'));
    let width = mark.map_or_else(|| rest.find(['.', ')']).map_or(3, |at| at + 2), |_| 2);
    let step = if blank.contains('\t') { "\t".to_owned() } else { " ".repeat(width) };
    (format!("{blank}{step}"), mark.unwrap_or('-'))
}

/// Indentation and mark of the first bullet under the task that is no task.
fn under(task: &Task, lines: &[&str]) -> Option<(String, char)> {
    (task.line + 1..=task.end).find_map(|number| {
        let line = line(lines, number);
        let found = bullet(line).filter(|found| found.ticked.is_none())?;
        let mark = if found.number.is_some() { '-' } else { line.trim_start().chars().next()? };
        Some((blank(line).to_owned(), mark))
    })
}

/// The line of this number, from 1; empty if there is none.
fn line<'a>(lines: &[&'a str], number: usize) -> &'a str {
    number.checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default()
}

/// What the line is indented by.
fn blank(line: &str) -> &str {
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}

/// How the line at `at` ends; if it does not, as the one before.
fn end(lines: &[&str], at: usize) -> &'static str {
    let ended = lines.iter().take(at + 1).rev().find(|line| line.ends_with('\n'));
    if ended.is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" }
}
