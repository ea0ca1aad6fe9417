//! The rows of a design's plan, and what of the branch carries each of them out.

use super::{Design, Evidence, File};
use crate::record::Story;
use serde_json::Value;

/// A row of the plan: a file, or one of several tasks that write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// From 1.
    pub line: usize,
    pub path: String,
    pub description: String,
    /// The tasks of a list that it is; none: the design is no list of tasks.
    pub tasks: Vec<String>,
    /// Why nothing of the branch carries it out, if nothing does though it asks for something.
    pub not_done: Option<String>,
}

impl Row {
    /// Is it about these tasks? Of what names none nobody can tell.
    fn is_of(&self, tasks: &[String]) -> bool {
        self.tasks.is_empty() || tasks.is_empty() || self.tasks.iter().any(|task| tasks.contains(task))
    }

    fn is_about(&self, file: &File) -> bool {
        self.path == file.path || file.from.as_ref() == Some(&self.path)
    }
}

/// The rows of a plan as `plan --json` gives it. Where several tasks write a file, each is a row of its own, at its line in the
/// design.
pub(super) fn rows(plan: &Value, lld: &str, text: Option<&str>, story: &Story) -> Vec<Row> {
    let mut rows = Vec::new();
    for file in plan["files"].as_array().into_iter().flatten() {
        let (Some(line), Some(path)) = (file["line"].as_u64(), file["path"].as_str()) else { continue };
        let Ok(line) = usize::try_from(line) else { continue };
        let said = file["description"].as_str().unwrap_or_default();
        let tasks: Vec<String> = serde_json::from_value(file["tasks"].clone()).unwrap_or_default();
        let asks = file["change"] != "none" && file["directory"] != true;
        let not_done = asks.then(|| not_done(file, path, story).to_owned());
        let row = |line: usize, description: &str, tasks: Vec<String>| Row {
            line,
            path: path.to_owned(),
            description: description.to_owned(),
            tasks,
            not_done: not_done.clone(),
        };
        // The list's own row ticks them all.
        let elsewhere = |task: &String| line_of(text?, task).filter(|at| *at != line && path != lld);
        let (others, own): (Vec<String>, Vec<String>) = tasks.into_iter().partition(|it| elsewhere(it).is_some());
        // The last one of a path counts where no task tells.
        for task in &others {
            let at = elsewhere(task).unwrap_or(line);
            rows.push(row(at, said_of(said, task).unwrap_or(said), vec![task.clone()]));
        }
        let said = own.first().filter(|_| !others.is_empty()).and_then(|task| said_of(said, task)).unwrap_or(said);
        rows.push(row(line, said, own));
    }
    rows
}

/// Why a row was perhaps not carried out.
fn not_done(file: &Value, path: &str, story: &Story) -> &'static str {
    let is_unchanged = |path: &str| {
        let story = story.files.iter().find(|file| file.path == path);
        story.is_some_and(|file| file.outcome.as_deref() == Some("unchanged"))
    };
    match file["selected"] == false {
        true => "left out of this run",
        false if is_unchanged(path) => "unchanged: the reply is what the file held",
        false => "no commit of it here",
    }
}

/// What the description of several tasks says of this one.
fn said_of<'d>(description: &'d str, task: &str) -> Option<&'d str> {
    let is_its = |line: &&str| line.strip_prefix(task).is_some_and(|rest| rest.starts_with(':'));
    description.lines().find(is_its)
}

/// The line on which a list defines a task: an item or a heading that begins with its id.
fn line_of(text: &str, task: &str) -> Option<usize> {
    let defines = |line: &str| {
        let line = line.trim_start();
        let item = line.strip_prefix(['-', '*', '+']).or_else(|| line.starts_with('#').then_some(line))?;
        let item = item.trim_start_matches('#').trim_start();
        let boxed = ["[ ]", "[x]", "[X]", "[-]"].iter().find_map(|it| item.strip_prefix(it)).unwrap_or(item);
        let first = boxed.split_whitespace().next()?;
        (first.trim_matches(['*', '_', '`', ':', '.', '[', ']']) == task).then_some(())
    };
    text.lines().position(|line| defines(line).is_some()).map(|at| at + 1)
}

/// The tasks that a message names.
pub(super) fn tasks_of(message: &str) -> Vec<String> {
    let task = |line: &str| {
        let (name, value) = line.trim().split_once(':')?;
        name.eq_ignore_ascii_case("Task").then(|| value.trim().to_owned())
    };
    message.lines().filter_map(task).collect()
}

impl Design {
    /// The row that accounts for a file of a commit of these tasks, by its place: of several the last.
    pub(super) fn row_of(&self, file: &File, tasks: &[String]) -> Option<usize> {
        let place = |path: &str| {
            let of_path = |row: &Row| row.path == path;
            let of_task = self.rows.iter().rposition(|row| of_path(row) && row.is_of(tasks));
            of_task.or_else(|| self.rows.iter().rposition(of_path))
        };
        place(&file.path).or_else(|| file.from.as_deref().and_then(place))
    }
}

impl Evidence {
    /// What carries out a row of a run's design: files, each by the places of its commit and of itself in it.
    pub fn carries_out(&self, run: usize, row: &Row) -> Vec<(usize, usize)> {
        let of_run = self.commits.iter().enumerate().filter(|(_, commit)| commit.run == Some(run));
        let of_tasks = of_run.filter(|(_, commit)| row.is_of(&tasks_of(&commit.message)));
        let files = of_tasks.flat_map(|(at, commit)| commit.files.iter().enumerate().map(move |(f, it)| (at, f, it)));
        files.filter(|(_, _, file)| row.is_about(file)).map(|(commit, file, _)| (commit, file)).collect()
    }

    /// Takes back what is said of rows as not carried out where a run of the design has done so.
    pub(super) fn mark_done(&mut self) {
        let runs = |path: &str| -> Vec<usize> {
            (0..self.runs.len()).filter(|run| self.runs[*run].design.path == path).collect()
        };
        let mut done = Vec::new();
        for (at, run) in self.runs.iter().enumerate() {
            let of_design = runs(&run.design.path);
            for (row, it) in run.design.rows.iter().enumerate() {
                if of_design.iter().any(|run| !self.carries_out(*run, it).is_empty()) {
                    done.push((at, row));
                }
            }
        }
        for (run, row) in done {
            self.runs[run].design.rows[row].not_done = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_defined_where_an_item_or_a_heading_begins_with_its_id() {
        let text = "# Tasks\n\nT002 comes after T001.\n\n- [x] T001 [P] One\n* [ ] **T002**: Two after T001\n### T003: Three\n\
                    - [ ] 1.2. Four\n";
        let lines: Vec<Option<usize>> =
            ["T001", "T002", "T003", "1.2", "T004"].iter().map(|task| line_of(text, task)).collect();
        assert_eq!(lines, [Some(5), Some(6), Some(7), Some(8), None]);
        assert_eq!(tasks_of("T1: x\n\nTask: T1\ntask:  T2 \n"), ["T1", "T2"]);
    }
}
