//! What a run's branch is called when nobody says.

use crate::git::{STANDARD_INPUT, TASK};
use crate::lld::Lld;
use crate::path::RepoPath;

/// The text that the branch is named after: the design's issue, else the number in its title if the file's name has
/// the same one, else the file's stem; for a task list, its folder; for a `folder` that was named, that; from standard input,
/// the title. Making it a valid name is git's business.
pub fn branch_text<'a>(lld: &'a Lld, path: &'a str, folder: Option<&'a RepoPath>) -> &'a str {
    if let Some(folder) = folder {
        return folder.file_name();
    }
    let issue = lld.issue.as_deref().filter(|issue| !issue.trim().is_empty());
    if path == STANDARD_INPUT || path == TASK {
        return issue.or(lld.title.as_deref()).unwrap_or(path);
    }
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    // Taskmaster keeps its list in a folder of that name.
    let folder = folder.strip_suffix("/tasks").filter(|_| file == "tasks.json").unwrap_or(folder);
    if matches!(lld.dialect, Some("tasks" | "taskmaster")) || file == "tasks.md" {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        return if name.is_empty() { stem } else { name };
    }
    if let Some(issue) = issue {
        return issue;
    }
    let number = lld.title.as_deref().and_then(|title| numbers(title).next());
    number.filter(|number| numbers(stem).any(|other| other == *number)).unwrap_or(stem)
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(title: &str, issue: Option<&str>, dialect: &'static str, path: &str) -> String {
        let lld = Lld {
            title: Some(title.into()),
            issue: issue.map(str::to_owned),
            dialect: Some(dialect),
            ..Lld::default()
        };
        branch_text(&lld, path, None).to_owned()
    }

    #[test]
    fn the_issue_names_the_branch_then_a_number_that_title_and_file_share_then_the_file() {
        assert_eq!(named("1272 - Bug", Some("272"), "lld", "docs/x.md"), "272");
        assert_eq!(named("324 - Bug", None, "lld", "docs/LLD-324.md"), "324");
        assert_eq!(named("1272 - Bug", None, "lld", "docs/LLD-272.md"), "LLD-272");
        assert_eq!(named("Patch generation", None, "plan", "docs/milestone three.md"), "milestone three");
        assert_eq!(named("Dark mode", None, "plan", STANDARD_INPUT), "Dark mode");
        assert_eq!(named("Dark mode", Some("7"), "tasks", STANDARD_INPUT), "7");
    }

    #[test]
    fn a_task_list_is_named_after_its_folder() {
        assert_eq!(named("Tasks", None, "tasks", "specs/001-albums/tasks.md"), "001-albums");
        assert_eq!(named("Tasks", None, "tasks", "tasks.md"), "tasks");
        assert_eq!(named("A", None, "plan", "docs/dark-mode/plan.md"), "plan");
        let folder = RepoPath::new("docs/dark-mode").unwrap();
        assert_eq!(branch_text(&Lld::default(), "docs/dark-mode/plan.md", Some(&folder)), "dark-mode");
        assert_eq!(named("Tasks", None, "taskmaster", ".taskmaster/tasks/tasks.json"), ".taskmaster");
    }
}
