//! Which documents of a folder are a design, and which stand beside it.
//!
//! By their names alone. A list of tasks is one: spec-kit has `spec.md`, `plan.md`, `data-model.md`, `contracts/`,
//! `research.md` and `quickstart.md` beside it; Kiro `requirements.md` and `design.md`; OpenSpec `proposal.md`, `design.md`
//! and `specs/`. So is a document that is called a plan, and so are several that are numbered, one after the other: GSD has a
//! folder for each phase, and in it `01-02-PLAN.md` with `01-02-SUMMARY.md` once that is carried out.

use std::collections::HashSet;

/// The name of a task list, by which a folder is known to be a feature's.
pub const TASK_LIST: &str = "tasks.md";

/// Where Taskmaster keeps its tasks, from its own folder and from the one in it.
const TASKMASTER: [&str; 2] = ["tasks.json", "tasks/tasks.json"];

/// Names of documents that are the plan of their folder, in lower case.
const PLANS: [&str; 3] = ["plan.md", "implementation_plan.md", "implementation-plan.md"];

/// Words that numbered documents and folders begin with.
const NUMBERED: [&str; 10] =
    ["phase", "step", "part", "stage", "milestone", "sprint", "iteration", "chapter", "plan", "task"];

/// The longest number behind such a word.
const DIGITS: usize = 3;

/// The documents of a folder, by their paths from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Documents {
    /// The design, in the order in which it is carried out.
    pub plans: Vec<String>,
    /// Plans that were carried out before.
    pub done: Vec<String>,
    /// What stands beside the design, the most important first.
    pub beside: Vec<String>,
}

/// Reads the names of all files in a folder, by their paths from it. `None`: it is no design.
pub fn documents(mut names: Vec<String>) -> Option<Documents> {
    names.sort();
    let of = |wanted: &str| names.iter().find(|name| name.eq_ignore_ascii_case(wanted)).cloned();
    let single = names.iter().find(|name| *name == TASK_LIST).cloned();
    let single = single.or_else(|| TASKMASTER.into_iter().chain(PLANS).find_map(of));
    let (plans, done) = match single {
        Some(plan) => (vec![plan], Vec::new()),
        None => several(&names)?,
    };
    let chosen: HashSet<&String> = plans.iter().chain(&done).collect();
    let mut ranked: Vec<(usize, String)> = Vec::new();
    for name in names.iter().filter(|name| !chosen.contains(name)) {
        ranked.extend(rank(name).map(|rank| (rank, name.clone())));
    }
    ranked.sort();
    let beside = ranked.into_iter().map(|(_, name)| name).collect();
    Some(Documents { plans, done, beside })
}

/// Several plans in order, and those of them that are done: `*-PLAN.md`, else what is numbered.
fn several(names: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    // Each of these features has a list of its own.
    if names.iter().any(|name| name.ends_with(&format!("/{TASK_LIST}"))) {
        return None;
    }
    let called =
        |name: &&String| stem(name).is_some_and(|stem| stem == "plan" || is_numbered(&stem) && stem.ends_with("-plan"));
    let is_numbered = |name: &&String| stem(name).is_some_and(|stem| is_numbered(&stem) && !is_report(&stem));
    let mut plans: Vec<&String> = names.iter().filter(in_order).filter(called).collect();
    let by_name = !plans.is_empty();
    if !by_name {
        plans = names.iter().filter(in_order).filter(is_numbered).collect();
    }
    plans.sort_by_cached_key(|name| natural(name));
    if !by_name && plans.first().is_none_or(|first| !first.contains('/') && !begins(first)) {
        return None;
    }
    let known: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    // GSD writes the summary when a plan is carried out.
    let is_done = |name: &str| {
        let summary = name.to_lowercase().strip_suffix("plan.md").map(|start| format!("{start}summary.md"));
        summary.is_some_and(|summary| known.contains(&summary))
    };
    let (done, plans) = plans.into_iter().cloned().partition(|name| is_done(name));
    Some((plans, done))
}

/// Does it lie in the folder itself, or in one that is numbered?
fn in_order(name: &&String) -> bool {
    match name.rsplit_once('/') {
        Some((folder, _)) => !folder.contains('/') && is_numbered(&folder.to_lowercase()),
        None => true,
    }
}

/// The name of a Markdown document without folder and extension, in lower case.
fn stem(name: &str) -> Option<String> {
    let lower = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    lower.strip_suffix(".md").map(str::to_owned)
}

/// `01-setup`, `phase-2`, `step3_api`. Not `324-budgets`, which is an issue's, and no date.
fn is_numbered(stem: &str) -> bool {
    let called = NUMBERED.iter().find_map(|word| stem.strip_prefix(word));
    let rest = called.unwrap_or(stem).trim_start_matches(['-', '_', ' ', '.']);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = rest.get(digits..).unwrap_or_default();
    match called {
        Some(_) => (1..=DIGITS).contains(&digits) && !after.starts_with(char::is_alphabetic),
        None => digits == 2 && after.starts_with(['-', '_', ' ', '.']),
    }
}

/// Does a list of numbered documents begin at its beginning? What begins later is a list of something else.
fn begins(name: &str) -> bool {
    let stem = stem(name).unwrap_or_default();
    stem.starts_with(char::is_alphabetic) || stem.starts_with("00") || stem.starts_with("01")
}

/// What is written about a plan before or after it.
fn is_report(stem: &str) -> bool {
    const WORDS: [&str; 10] = [
        "summary",
        "verification",
        "validation",
        "research",
        "context",
        "uat",
        "review",
        "report",
        "walkthrough",
        "retrospective",
    ];
    stem.rsplit(['-', '_', ' ']).next().is_some_and(|last| WORDS.contains(&last))
}

/// A name so that `phase-10` comes after `phase-2`.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(text).unwrap_or((rest, ""));
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at_checked(digits).unwrap_or((after, ""));
        parts.push((word.to_owned(), number.parse().unwrap_or(u64::MAX)));
        rest = after;
    }
    parts
}

/// Where a document stands among the others, given by its path from the folder: what is wanted comes before how it is to
/// be done, and what one can do without comes last. `None`: it is no part of the design.
fn rank(path: &str) -> Option<usize> {
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
        // A phase has notes of its own.
        (folder, name) if is_markdown && is_numbered(&folder.to_lowercase()) && !name.contains('/') => 8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Option<Documents> {
        documents(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn what_is_wanted_comes_first_and_what_is_no_design_not_at_all() {
        let found = of(&[
            "tasks.md",
            "quickstart.md",
            "notes.md",
            "contracts/api.yaml",
            "checklists/requirements.md",
            "plan.md",
            "spec.md",
            "logo.png",
            "specs/auth/spec.md",
        ])
        .unwrap();
        assert_eq!((found.plans, found.done), (vec!["tasks.md".to_owned()], vec![]));
        assert_eq!(
            found.beside,
            ["spec.md", "plan.md", "specs/auth/spec.md", "contracts/api.yaml", "quickstart.md", "notes.md"]
        );
    }

    #[test]
    fn a_folder_without_a_list_of_tasks_is_its_plan() {
        let found = of(&["spec.md", "PLAN.md", "01-setup.md"]).unwrap();
        assert_eq!((found.plans[0].as_str(), found.plans.len()), ("PLAN.md", 1));
        assert_eq!(found.beside, ["spec.md", "01-setup.md"]);
        assert_eq!(of(&["task.md", "implementation_plan.md"]).unwrap().plans, ["implementation_plan.md"]);
        assert_eq!(of(&["tasks/tasks.json", "docs/prd.txt"]).unwrap().plans, ["tasks/tasks.json"]);
    }

    #[test]
    fn numbered_plans_are_carried_out_in_the_order_of_their_numbers() {
        let found = of(&["phase-10-end.md", "phase-2-api.md", "README.md", "phase-1-setup.md"]).unwrap();
        assert_eq!(found.plans, ["phase-1-setup.md", "phase-2-api.md", "phase-10-end.md"]);
        assert_eq!(found.beside, ["README.md"]);
        assert_eq!(of(&["02_b.md", "01_a.md", "03_a_summary.md"]).unwrap().plans, ["01_a.md", "02_b.md"]);
    }

    #[test]
    fn plans_of_phases_that_have_a_summary_are_done() {
        let found = of(&[
            "01-base/01-01-PLAN.md",
            "01-base/01-01-SUMMARY.md",
            "01-base/01-CONTEXT.md",
            "02-api/02-02-PLAN.md",
            "02-api/02-01-PLAN.md",
            "archive/03-01-PLAN.md",
        ])
        .unwrap();
        assert_eq!(found.plans, ["02-api/02-01-PLAN.md", "02-api/02-02-PLAN.md"]);
        assert_eq!(found.done, ["01-base/01-01-PLAN.md"]);
        assert_eq!(found.beside, ["01-base/01-01-SUMMARY.md", "01-base/01-CONTEXT.md"]);
    }

    #[test]
    fn dates_and_other_documents_are_no_plans() {
        assert_eq!(of(&["001-albums/plan.md", "001-albums/tasks.md"]), None);
        assert_eq!(of(&["test-plan.md", "release-plan.md"]), None);
        assert_eq!(of(&["2024-05-01-notes.md", "README.md", "a.py", "src/01-x.md", "3d-view.md"]), None);
        assert_eq!(of(&["324.md", "7.md", "12-budgets.md", "13-ledger.md", "0001-adr.md"]), None);
    }
}
