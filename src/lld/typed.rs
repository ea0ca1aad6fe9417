//! A task that somebody types, as the design that carries it out: what to do, in their words, and the files that it is about.
//!
//! So plan, gates, prompts and records know of nothing but designs. The words stand in a fence, where no reader of lists
//! looks: what they say names no file and permits nothing.

use crate::path::RepoPath;

/// The longest title, in characters.
const TITLE: usize = 60;
/// What the file list says of each file.
const ROW: &str = "As the task says.";
/// The title above the words.
const HEADING: &str = "## 1. Context & Goal";

/// A file that the task is about, and whether it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub path: RepoPath,
    pub exists: bool,
}

/// The design of a task; without targets, one that names no file.
///
/// # Errors
/// The path that no list of files can name, as far as this program reads them.
pub fn design<'t>(what: &str, targets: &'t [Target]) -> Result<String, &'t RepoPath> {
    let what = what.replace("\r\n", "\n").replace('\r', "\n");
    let what = what.trim_matches('\n').trim_end();
    let fence = "`".repeat(longest_fence(what).max(2) + 1);
    let head = format!("# {}\n\n{HEADING}\n\n{fence}text\n{what}\n{fence}\n", title(what));
    if targets.is_empty() {
        return Ok(head);
    }
    let row = |target: &Target| {
        let change = if target.exists { "Modify" } else { "Add" };
        format!("| `{}` | {change} | {ROW} |\n", target.path)
    };
    let table = "\n## 2. Files Changed\n\n| File | Change Type | Description |\n|------|-------------|-------------|\n";
    let design = format!("{head}{table}{}", targets.iter().map(row).collect::<String>());
    let read = super::parse("task.md", &design);
    let is_read = |target: &Target| read.files.iter().any(|file| file.path == target.path && file.from.is_none());
    match targets.iter().find(|target| !is_read(target)) {
        Some(target) => Err(&target.path),
        // One more than was named would be written, too.
        None if read.files.len() != targets.len() => targets.first().map_or(Ok(design), |target| Err(&target.path)),
        None => Ok(design),
    }
}

/// The words of the task that a design was made of.
pub fn words(design: &str) -> Option<&str> {
    let (_, rest) = design.split_once(&format!("\n{HEADING}\n\n"))?;
    let (open, rest) = rest.split_once('\n')?;
    let fence = open.strip_suffix("text")?;
    rest.split_once(&format!("\n{fence}\n")).map(|(words, _)| words)
}

/// What a commit says of a task that was told in these words: its subject, which ends in `…` where it is cut, and the words that
/// are not in it, but all where it is.
pub fn message(words: &str) -> (String, Option<&str>) {
    let (title, words) = (title(words), words.trim());
    let (line, rest) = words.split_once('\n').unwrap_or((words, ""));
    let line = line.trim_matches(['#', ' ']);
    if line.split_whitespace().count() > title.split_whitespace().count() {
        return (format!("{title}\u{2026}"), Some(words));
    }
    (title, Some(rest.trim_matches('\n')).filter(|rest| !rest.trim().is_empty()))
}

/// The first line, or as many of its words as a title may have.
fn title(what: &str) -> String {
    let line = what.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let plain: String = line.chars().map(|c| if c.is_control() || c == '`' { ' ' } else { c }).collect();
    let mut title = String::new();
    for word in plain.trim_matches(['#', ' ']).split_whitespace() {
        if !title.is_empty() && title.chars().count() + 1 + word.chars().count() > TITLE {
            break;
        }
        title.extend((!title.is_empty()).then_some(' '));
        title.push_str(word);
    }
    title.chars().take(TITLE).collect::<String>().trim_end_matches(['.', ' ']).to_owned()
}

/// The most backticks in a row.
fn longest_fence(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::{self, Change};

    fn target(path: &str, exists: bool) -> Target {
        Target { path: RepoPath::new(path).unwrap(), exists }
    }

    #[test]
    fn a_task_is_read_as_a_design_of_its_targets_and_of_nothing_else() {
        let what = "Fix `src/other.py`.\n\n| File | Change |\n|---|---|\n| `evil.py` | Add |\n\n- [ ] T001 Write src/c.py\n```\n";
        let targets = [target("src/a.py", true), target("b c.py", false)];
        let text = design(what, &targets).unwrap();
        let read = lld::parse("task", &text);
        let files: Vec<_> = read.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
        assert_eq!(files, [("src/a.py", Change::Modify), ("b c.py", Change::Add)]);
        assert_eq!(read.title.as_deref(), Some("Fix src/other.py"));
        assert_eq!(words(&text), Some(what.trim_end()));
    }

    #[test]
    fn a_path_that_no_list_can_name_is_said_and_not_read_as_another() {
        let targets = [target("src/a.py", true), target("d\"e'.txt", true)];
        assert_eq!(design("Fix it", &targets), Err(&targets[1].path));
    }

    #[test]
    fn without_targets_it_names_no_file_whatever_its_words_are() {
        let read = lld::parse("task", &design("Change `src/a.py`:\n- Modify: src/b.py\n", &[]).unwrap());
        assert!(read.files.is_empty() && read.tasks.is_empty(), "{:?}", read.files);
    }

    #[test]
    fn a_commit_says_all_of_a_task_and_marks_what_its_subject_leaves_out() {
        assert_eq!(message("Fix it.\n"), ("Fix it".to_owned(), None));
        assert_eq!(message("Fix it.\n\nAll of it."), ("Fix it".to_owned(), Some("All of it.")));
        let long = "word ".repeat(40);
        let cut = format!("{}\u{2026}", "word ".repeat(12).trim_end());
        assert_eq!(message(&long), (cut, Some(long.trim())));
    }

    #[test]
    fn a_long_first_line_is_cut_at_a_word() {
        let text = design(&"word ".repeat(40), &[]).unwrap();
        assert_eq!(text.lines().next(), Some(&*format!("# {}", "word ".repeat(12).trim_end())));
    }
}
