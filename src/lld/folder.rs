//! The documents of a feature's folder: beside its task list stand those that say what the tasks are to come to.
//!
//! By their names alone: spec-kit has `spec.md`, `plan.md`, `data-model.md`, `contracts/`, `research.md` and
//! `quickstart.md`; Kiro `requirements.md` and `design.md`; OpenSpec `proposal.md`, `design.md` and `specs/`.

/// The name of a task list, by which a folder is known to be a feature's.
pub const TASK_LIST: &str = "tasks.md";

/// Where a document stands among the others, given by its path from the folder: what is wanted comes before how it is to
/// be done, and what one can do without comes last. `None`: it is no part of the design.
pub fn rank(path: &str) -> Option<usize> {
    let (folder, name) = path.split_once('/').unwrap_or(("", path));
    let is_markdown = name.ends_with(".md");
    Some(match (folder, name) {
        ("", TASK_LIST) => return None,
        ("", "spec.md" | "requirements.md" | "bugfix.md" | "proposal.md") => 0,
        ("", "plan.md" | "design.md") => 1,
        ("specs", _) if is_markdown => 2,
        ("", "data-model.md") => 3,
        // Interfaces in whatever language they are written.
        ("contracts", _) => 4,
        ("", "research.md") => 5,
        ("", "quickstart.md") => 6,
        // What people have added. Checklists are about the documents.
        ("", _) if is_markdown && !name.contains("checklist") => 7,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn what_is_wanted_comes_first_and_what_is_no_design_not_at_all() {
        let mut names = [
            "tasks.md",
            "quickstart.md",
            "notes.md",
            "contracts/api.yaml",
            "checklists/requirements.md",
            "plan.md",
            "spec.md",
            "logo.png",
            "specs/auth/spec.md",
        ];
        names.sort_by_key(|name| rank(name));
        let ranked: Vec<&str> = names.into_iter().filter(|name| rank(name).is_some()).collect();
        assert_eq!(
            ranked,
            ["spec.md", "plan.md", "specs/auth/spec.md", "contracts/api.yaml", "quickstart.md", "notes.md"]
        );
    }
}
