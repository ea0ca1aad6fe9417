//! A document without tasks and without files, such as an issue's text: for whoever proposes files it is one task, and what
//! they propose is its list.

use super::ProposedFile;
use crate::finding::Finding;
use crate::lld::{Change, Lld, Task, parse};
use crate::taskmaster::is_json;

/// The name of the one task that such a document is.
pub const WHOLE: &str = "design";

/// What is said to have read the list of a document whose files are all proposed.
pub const PROPOSED: &str = "proposal";

/// Makes one task of a document that has neither files nor tasks.
pub fn as_one_task(lld: &mut Lld, text: &str) {
    if !is_bare(lld) {
        return;
    }
    let first = || text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned();
    lld.tasks.push(Task {
        id: WHOLE.to_owned(),
        line: 1,
        end: text.lines().count().max(1),
        title: lld.title.clone().unwrap_or_else(first),
        text: text.to_owned(),
        ..Task::default()
    });
}

/// Makes a document of its one task again: what is proposed for that are the files of the design.
pub fn as_document(lld: &mut Lld) {
    if !matches!(lld.tasks.as_slice(), [task] if task.id == WHOLE) {
        return;
    }
    lld.tasks.clear();
    for spec in &mut lld.files {
        spec.tasks.clear();
        spec.description.clear();
        lld.dialect = Some(PROPOSED);
    }
}

fn is_bare(lld: &Lld) -> bool {
    lld.files.is_empty() && lld.tasks.is_empty() && lld.findings.iter().any(|it| it.id == "lld-no-file-list")
}

/// The text with the files in a table: the one that waits for them, else one at the end.
///
/// # Errors
/// A finding if the text would not be read as having exactly these files.
pub(super) fn write(name: &str, text: &str, files: &[ProposedFile]) -> Result<String, Vec<Finding>> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let row = |file: &ProposedFile| {
        let change = match file.change {
            Change::Add => "Add",
            Change::Delete => "Delete",
            _ => "Modify",
        };
        format!("| `{}` | {change} | |{end}", file.path)
    };
    let rows: String = files.iter().map(row).collect();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let out = match empty_table(&lines) {
        Some(at) => {
            let (before, after) = lines.split_at_checked(at).unwrap_or((&lines, &[]));
            let before = before.concat();
            let open = if before.ends_with('\n') { "" } else { end };
            format!("{before}{open}{rows}{}", after.concat())
        }
        None => {
            let open = if text.is_empty() || text.ends_with('\n') { "" } else { end };
            let head = "| File | Change Type | Description |";
            let rule = "|------|-------------|-------------|";
            format!("{text}{open}{end}## Files Changed{end}{end}{head}{end}{rule}{end}{rows}")
        }
    };
    let read = parse(name, &out);
    let same = |file: &ProposedFile| read.files.iter().any(|it| it.path == file.path && it.change == file.change);
    match read.files.len() == files.len() && files.iter().all(same) && read.tasks.is_empty() {
        true => Ok(out),
        false => {
            let message = "the document would not be read as it is meant with the proposed files in it";
            let hint = "--yes without --write keeps the proposals beside the repository instead";
            Err(vec![Finding::error("proposal-unreadable", message).path(name).hint(hint)])
        }
    }
}

/// The line after the head of the first table of files that has no rows.
fn empty_table(lines: &[&str]) -> Option<usize> {
    let is_row = |at: usize| lines.get(at).is_some_and(|line| line.trim_start().starts_with('|'));
    let is_rule = |line: &str| line.contains("--") && line.trim().chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let is_head = |at: usize| {
        let first = lines.get(at).and_then(|line| line.trim().trim_start_matches('|').split('|').next());
        first.is_some_and(|cell| cell.trim().eq_ignore_ascii_case("file"))
    };
    (1..lines.len())
        .find(|&at| is_row(at) && lines.get(at).is_some_and(|line| is_rule(line)) && is_head(at - 1) && !is_row(at + 1))
        .map(|at| at + 1)
}

/// Is it such a document as it stands in the text?
pub(super) fn is_one(name: &str, text: &str) -> bool {
    !is_json(name, text) && is_bare(&parse(name, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;

    fn files() -> Vec<ProposedFile> {
        let file = |path: &str, change| ProposedFile { path: RepoPath::new(path).unwrap(), change };
        vec![file("src/a.py", Change::Add), file("src/b.py", Change::Modify), file("old.py", Change::Delete)]
    }

    #[test]
    fn proposed_files_stand_in_the_table_that_waits_for_them() {
        let text = "# T\r\n\r\n### 2.1 Files Changed\r\n\r\n| File | Change Type | Description |\r\n|--|--|--|\r\n\r\n## 3. Rest\r\n";
        let out = write("d.md", text, &files()).unwrap();
        let rows = "| `src/a.py` | Add | |\r\n| `src/b.py` | Modify | |\r\n| `old.py` | Delete | |\r\n";
        assert_eq!(out, text.replace("|--|--|--|\r\n", &format!("|--|--|--|\r\n{rows}")));
    }

    #[test]
    fn free_text_gets_a_list_at_its_end() {
        let out = write("d.md", "It is slow.", &files()).unwrap();
        assert!(out.starts_with("It is slow.\n\n## Files Changed\n\n| File |"), "{out}");
        let lld = parse("d.md", &out);
        assert_eq!(lld.files.len(), 3);
    }

    #[test]
    fn a_document_is_one_task_only_where_it_has_neither_files_nor_tasks() {
        let mut lld = parse("d.md", "# Slow start\n\nIt is slow.\n");
        as_one_task(&mut lld, "# Slow start\n\nIt is slow.\n");
        let task = &lld.tasks[0];
        assert_eq!((task.id.as_str(), task.title.as_str(), task.line, task.end), (WHOLE, "Slow start", 1, 3));
        as_document(&mut lld);
        assert!(lld.tasks.is_empty() && lld.dialect.is_none());
        let mut listed = parse("d.md", "- Create: `a.py`\n");
        as_one_task(&mut listed, "- Create: `a.py`\n");
        assert!(listed.tasks.is_empty());
    }
}
