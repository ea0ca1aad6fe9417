//! Commands that a plan wants to be run to see whether it is carried out: for people to look at, and never run.

use crate::lld::{Fences, Item, LineKind, Lld, Task, scan};
use std::collections::HashSet;

/// As many are told of.
const MOST: usize = 20;

/// The longest command, in bytes.
const LONG: usize = 400;

/// Words before a command in backticks, in lower case.
const LABELS: [&str; 4] = ["run:", "run", "verify:", "command:"];

/// Tags between which a command stands.
const TAGS: [&str; 2] = ["automated", "verify"];

/// Adds the commands of the design `text`, which was read as `lld`, to those that its own section has.
pub fn add_commands(lld: &mut Lld, text: &str) {
    let mut known: HashSet<String> = lld.commands.iter().map(|item| item.text.clone()).collect();
    for (number, line) in lines(lld, text) {
        let Some(command) = labelled(&line).or_else(|| tagged(&line)) else { continue };
        let is_one = !command.is_empty() && !is_file(command) && command.len() <= LONG && lld.commands.len() < MOST;
        if is_one && known.insert(command.to_owned()) {
            let text = command.to_owned();
            lld.commands.push(Item { id: None, text, line: number, cells: Vec::new() });
        }
    }
}

/// The lines that are no code, with their numbers; of JSON those of the tasks.
fn lines(lld: &Lld, text: &str) -> Vec<(usize, String)> {
    if lld.dialect == Some("taskmaster") {
        let of_task = |task: &Task| task.text.lines().map(|line| (task.line, line.to_owned())).collect::<Vec<_>>();
        return lld.tasks.iter().flat_map(of_task).collect();
    }
    let lines = scan(text, Fences::First).into_iter().filter(|line| line.kind == LineKind::Text);
    lines.map(|line| (line.number, line.text.to_owned())).collect()
}

/// A file that is to be looked at: ``Verify: `src/a.py` ``. One that is to be started begins with a point: `./check.sh`.
fn is_file(command: &str) -> bool {
    let name = command.rsplit('/').next().unwrap_or(command);
    !command.contains(char::is_whitespace) && !command.starts_with("./") && name.contains('.')
}

/// ``Run: `pytest tests/test_a.py` ``
fn labelled(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(['-', '*', '+', ' ', '\t', '[', ']', 'x']);
    let (label, rest) = text.split_once('`')?;
    let label = label.replace('*', "").trim().to_lowercase();
    LABELS.contains(&label.as_str()).then(|| rest.split('`').next().unwrap_or_default().trim())
}

/// `<automated>npm test</automated>`, `<verify>npm test</verify>`; a sentence in between is none.
fn tagged(line: &str) -> Option<&str> {
    TAGS.iter().find_map(|tag| {
        let (_, rest) = line.split_once(&format!("<{tag}>"))?;
        let (inside, _) = rest.split_once(&format!("</{tag}>"))?;
        let inside = inside.trim();
        let command = inside.split('`').nth(1).unwrap_or(inside);
        let starts = command.starts_with(|c: char| c.is_ascii_lowercase() || matches!(c, '.' | '/'));
        (starts && !command.starts_with('<') && !command.ends_with('.')).then_some(command)
    })
}

#[cfg(test)]
mod tests {
    use crate::lld::parse;

    #[test]
    fn commands_stand_behind_labels_and_between_tags_once_each() {
        let plan = "- Create: `a.py`\n\nRun: `pytest tests/a.py -v`\n- [ ] **Run:** `make`\nRun: `make`\n\
                    <verify>npm test -- a</verify>\n  <automated>cargo test</automated>\n<verify>It works.</verify>\n\
                    Verify: `src/a.py`\nRun: `./check.sh`\n\
                    ```sh\nRun: `rm`\n```\nRun `x` and then rest\n";
        let mut lld = parse("docs/plan.md", plan);
        super::add_commands(&mut lld, plan);
        let found: Vec<_> = lld.commands.iter().map(|item| (item.text.as_str(), item.line)).collect();
        assert_eq!(
            found,
            [
                ("pytest tests/a.py -v", 3),
                ("make", 4),
                ("npm test -- a", 6),
                ("cargo test", 7),
                ("./check.sh", 10),
                ("x", 14)
            ]
        );
    }
}
