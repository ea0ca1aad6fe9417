//! A design in JSON: its list of tasks, written out and read as every other list, with the lines of the JSON.

use super::{Lld, parse};
use crate::folder::TASK_LIST;
use crate::taskmaster::written;

/// Reads the design `text`, called `name`.
pub(super) fn read(name: &str, text: &str) -> Lld {
    let list = match written(text) {
        Ok(list) => list,
        Err(finding) => return Lld { findings: vec![finding.path(name)], ..Lld::default() },
    };
    let mut lld = parse(TASK_LIST, &list.text);
    lld.dialect = Some("taskmaster");
    // What a text says in words may make no task, but never one more.
    if lld.tasks.len() == list.depends.len() {
        for (task, depends) in lld.tasks.iter_mut().zip(list.depends) {
            for on in depends {
                if !task.depends.contains(&on) {
                    task.depends.push(on);
                }
            }
        }
    }
    lld.move_lines(|line| line.checked_sub(1).and_then(|at| list.lines.get(at)).copied().unwrap_or(1));
    lld.findings.iter_mut().for_each(|finding| finding.path = Some(name.to_owned()));
    lld.findings.extend(list.note.map(|note| note.path(name)));
    lld
}
