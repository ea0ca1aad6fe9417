//! Which documents are designs, and of which kind. Most Markdown is none, and must hear nothing of this.

use crate::check::kind as file_kind;
use crate::lld::Lld;
use crate::syntax::{extension, file_name};

/// What a design is written after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesignKind {
    /// The template of low-level designs.
    Design,
    /// An implementation specification, which goes with a design.
    Spec,
    /// Anything else with a file list: nothing is expected of its sections.
    Free,
}

/// Titles of sections that the templates have and other documents seldom do.
const OF_DESIGNS: &[&str] = &[
    "alternatives considered",
    "context & goal",
    "context and goal",
    "data & fixtures",
    "definition of done",
    "files changed",
    "function signatures",
    "function specifications",
    "legal & compliance",
    "logic flow",
    "proposed changes",
    "risks & mitigations",
    "risks and mitigations",
    "technical approach",
    "test scenarios",
    "verification & testing",
    "verification and testing",
];
const OF_SPECS: &[&str] = &[
    "change instructions",
    "current state",
    "files to implement",
    "function specifications",
    "implementation notes",
    "pattern references",
    "test mapping",
];

impl DesignKind {
    pub(super) fn of(lld: &Lld) -> DesignKind {
        let title = lld.title.as_deref().unwrap_or_default().to_lowercase();
        if count(lld, OF_SPECS) >= 3 || title.starts_with("implementation spec") {
            DesignKind::Spec
        } else if count(lld, OF_DESIGNS) >= LEAST {
            DesignKind::Design
        } else {
            DesignKind::Free
        }
    }
}

/// So many of its sections make a document a design wherever it lies.
const LEAST: usize = 4;

fn count(lld: &Lld, titles: &[&str]) -> usize {
    titles.iter().filter(|wanted| lld.section(|title| title == **wanted).is_some()).count()
}

/// Is this Markdown file a design that is meant to be implemented? By its sections wherever it lies; in a directory for
/// designs (`lld/`) it may also be short, free in form, or empty. Templates and fixtures are none, task lists neither.
pub fn is_design(path: &str, text: &str, lld: &Lld) -> bool {
    if !matches!(extension(path).as_str(), "md" | "markdown") || is_about_designs(path) {
        return false;
    }
    let title = lld.title.as_deref().unwrap_or_default().to_lowercase();
    // A template says so in the title, or by what is to be filled in there.
    if title.contains('{') || title.starts_with("template") || title.ends_with("template") {
        return false;
    }
    if DesignKind::of(lld) != DesignKind::Free {
        return true;
    }
    let listed = matches!(lld.dialect, Some("lld" | "spec" | "plan"));
    let called_so = ["lld:", "lld ", "lld-", "low-level design"].iter().any(|word| title.starts_with(word));
    (called_so && listed)
        || lies_with_designs(path) && (listed || count(lld, OF_DESIGNS) >= 2 || text.trim().is_empty())
}

/// Is it where designs are kept that are still to be implemented? Elsewhere, and among what is put away, a document that
/// reads like a design is a draft, a record or a prompt that quotes one.
pub fn is_kept_as_design(path: &str) -> bool {
    const FOLDERS: &[&str] =
        &["design", "designs", "low-level-design", "low-level-designs", "plan", "plans", "spec", "specs"];
    const PUT_AWAY: &[&str] = &[
        "archive",
        "archived",
        "archives",
        "attic",
        "closed",
        "completed",
        "deprecated",
        "done",
        "draft",
        "drafts",
        "finished",
        "history",
        "implemented",
        "legacy",
        "lineage",
        "obsolete",
        "old",
        "rejected",
        "superseded",
        "prompts",
        "reports",
        "audit",
        "transcripts",
    ];
    let lower = path.to_lowercase();
    let words = |part: &str| part.split(['-', '_', '.']).any(|word| PUT_AWAY.contains(&word));
    let folders = || lower.split('/').rev().skip(1);
    let stem = file_name(&lower);
    let is_put_away =
        folders().any(words) || stem.split('.').rev().skip(1).any(|part| matches!(part, "draft" | "old" | "bak"));
    !is_put_away && (lies_with_designs(path) || folders().any(|folder| FOLDERS.contains(&folder)))
}

/// Names and directories of documents that speak of designs, or show one.
fn is_about_designs(path: &str) -> bool {
    let name = file_name(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let shown = |folder: &str| {
        matches!(folder, "template" | "templates" | "_templates" | "node_modules" | "vendor" | "third_party")
    };
    matches!(stem, "readme" | "changelog" | "contributing" | "license" | "index" | "tasks" | "security" | "history")
        || stem.split(['-', '_', '.']).any(|word| word == "template")
        || path.split('/').any(|folder| shown(folder.to_lowercase().as_str()))
        || file_kind::is_data_or_fixture(path)
}

fn lies_with_designs(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1).map(str::to_lowercase);
    let name = file_name(path).to_lowercase();
    folders.any(|folder| matches!(folder.as_str(), "lld" | "llds" | "low-level-design" | "low-level-designs"))
        || name.starts_with("lld-")
        || name.starts_with("lld_")
        || name.ends_with("-lld.md")
        || name.ends_with("_lld.md")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::parse;

    const DESIGN: &str = "# 7 - Feature: X\n## 1. Context & Goal\n## 2. Proposed Changes\n### 2.1 Files Changed\n\
        | File | Change Type | Description |\n|--|--|--|\n| `src/a.py` | Add | a |\n## 3. Requirements\n\
        ## 10. Verification & Testing\n## 12. Definition of Done\n";

    fn design(path: &str, text: &str) -> bool {
        is_design(path, text, &parse(path, text))
    }

    #[test]
    fn a_document_with_the_sections_of_the_template_is_a_design_wherever_it_lies() {
        assert!(design("docs/lld/7.md", DESIGN) && design("notes/seven.md", DESIGN) && design("7.markdown", DESIGN));
        assert!(!design("src/seven.py", DESIGN));
    }

    #[test]
    fn among_designs_a_short_one_and_an_empty_file_are_designs_too_and_notes_are_not() {
        let short = "# X\n## Files Changed\n| File | Change Type |\n|--|--|\n| `src/a.py` | Add |\n";
        assert!(design("docs/lld/7.md", short) && design("docs/LLD-7.md", short));
        assert!(design("docs/reports/7/x.md", &short.replace("# X", "# LLD: X")), "it is called one");
        assert!(!design("docs/7.md", short), "a summary of what was done has such a table");
        assert!(design("docs/lld/7.md", " \n") && !design("docs/7.md", ""));
        assert!(!design("docs/lld/minutes.md", "# Minutes\nWe met.\n"));
    }

    #[test]
    fn what_is_put_away_or_kept_elsewhere_is_not_held_against_a_tree() {
        for path in ["docs/lld/7.md", "docs/lld/active/LLD-7.md", "design/seven.md", "notes/LLD-7.md"] {
            assert!(is_kept_as_design(path), "{path}");
        }
        for path in [
            "notes/seven.md",
            "docs/lld/done/7.md",
            "docs/lld/archived-2024/7.md",
            "prompts/lld/7.md",
            "docs/lld/7.draft.md",
        ] {
            assert!(!is_kept_as_design(path), "{path}");
        }
    }

    #[test]
    fn readmes_templates_fixtures_and_task_lists_are_no_designs() {
        for path in [
            "docs/lld/README.md",
            "docs/templates/0102.md",
            "docs/lld-template.md",
            "tests/fixtures/7.md",
            "specs/001/tasks.md",
        ] {
            assert!(!design(path, DESIGN), "{path}");
        }
        let titled = |title| design("docs/lld/7.md", &DESIGN.replace("# 7 - Feature: X", title));
        assert!(!titled("# {IssueID} - Feature: {Title}") && !titled("# LLD Template"));
        assert!(titled("# 7 - Feature: Template improvement"), "a design may be about templates");
    }

    #[test]
    fn kinds_go_by_sections() {
        let kind = |text: &str| DesignKind::of(&parse("a.md", text));
        assert_eq!(kind(DESIGN), DesignKind::Design);
        let spec = "# Implementation Spec: X\n## 2. Files to Implement\n## 3. Current State\n## 9. Test Mapping\n";
        assert_eq!(kind(spec), DesignKind::Spec);
        assert_eq!(kind("# Notes\n## Files Changed\n"), DesignKind::Free);
    }
}
