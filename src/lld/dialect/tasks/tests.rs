//! Whole task lists, one of each tool, as other stages see them.

use crate::finding::Severity;
use crate::lld::{Change, Lld, Task, parse};

fn shown(task: &Task) -> String {
    let paths = |files: &[crate::path::RepoPath]| files.iter().map(|file| file.as_str()).collect::<Vec<_>>().join(" ");
    let mut line = format!("{} {}-{}", task.id, task.line, task.end);
    for (name, said) in [
        ("phase", task.phase.clone().unwrap_or_default()),
        ("of", task.phase_title.clone().unwrap_or_default()),
        ("story", task.story.clone().unwrap_or_default()),
        ("after", task.depends.join(" ")),
        ("in", task.parent.clone().unwrap_or_default()),
        ("for", task.requirements.join(" ")),
        ("writes", paths(&task.files)),
        ("deletes", paths(&task.deletes)),
        ("mentions", task.mentions.join(" ")),
        ("is", task.withdrawn.unwrap_or_default().to_owned()),
    ] {
        if !said.is_empty() {
            line.push_str(&format!(" {name}: {said}"));
        }
    }
    if task.done { line + " done" } else { line }
}

fn tasks(lld: &Lld) -> Vec<String> {
    lld.tasks.iter().map(shown).collect()
}

fn findings(lld: &Lld, severity: Severity) -> Vec<String> {
    let found = lld.findings.iter().filter(|finding| finding.severity == severity);
    found.map(|finding| format!("{} {}", finding.line.unwrap_or(0), finding.id)).collect()
}

const SPEC_KIT: &str = "\
# Tasks: Tide alerts

## Format: `[ID] [P?] [Story] Description`

- [ ] [P] = may run in parallel

## Phase 1: Setup

- [x] T001 Create the folders tides/ and web/
- [x] T002 [P] Add requests to pyproject.toml

## Phase 2: User Story 1 - Hear of high water (Priority: P1)

### Tests

- [ ] T003 [P] [US1] Contract test for POST /alerts in tests/contract/test_alerts.py

### Implementation

- [ ] T004 [US1] Create tides/alert.py and `mail.py` per data-model.md
  (depends on T001-T002)
- [ ] T005 [US1] Load the limits from tides/limits.toml in tides/cli.py
- [ ] T006 [US1] Rename tides/old.py to tides/new.py
- [ ] T007 Remove `tides/bell.py` (after T004)

## Phase N: Polish

- [ ] T008 [P] Update styles in web/*.css
- [ ] T009 Send a mail from tides/post.py (DEFERRED)
- [ ] T010 Run quickstart.md

## Dependencies

- T006 depends on T005
- Phase 2 depends on Phase 1
";

#[test]
fn a_list_of_spec_kit_has_phases_stories_and_dependencies() {
    let lld = parse("specs/1/tasks.md", SPEC_KIT);
    assert_eq!(
        tasks(&lld),
        [
            "T001 9-9 phase: 1 of: Setup mentions: tides/ web/ done",
            "T002 10-10 phase: 1 of: Setup writes: pyproject.toml done",
            "T003 16-16 phase: 2 of: User Story 1 - Hear of high water (Priority: P1) story: US1 \
             writes: tests/contract/test_alerts.py",
            "T004 20-21 phase: 2 of: User Story 1 - Hear of high water (Priority: P1) story: US1 after: T001 T002 \
             writes: tides/alert.py tides/mail.py mentions: data-model.md",
            "T005 22-22 phase: 2 of: User Story 1 - Hear of high water (Priority: P1) story: US1 writes: tides/cli.py \
             mentions: tides/limits.toml",
            "T006 23-23 phase: 2 of: User Story 1 - Hear of high water (Priority: P1) story: US1 after: T005 \
             writes: tides/new.py",
            "T007 24-24 phase: 2 of: User Story 1 - Hear of high water (Priority: P1) story: US1 after: T004 \
             writes: tides/bell.py deletes: tides/bell.py",
            "T008 28-28 phase: N of: Polish mentions: web/*.css",
            "T009 29-29 phase: N of: Polish mentions: tides/post.py is: deferred",
            "T010 30-30 phase: N of: Polish mentions: quickstart.md",
        ]
    );
    let renamed = lld.files.iter().find(|file| file.change == Change::Rename).expect("the rename");
    assert_eq!(renamed.from.as_ref().map(|from| from.as_str()), Some("tides/old.py"));
    let alert = lld.files.iter().find(|file| file.path.as_str() == "tides/alert.py").expect("the file");
    assert_eq!((alert.tasks.as_slice(), alert.selected), (["T004".to_owned()].as_slice(), true));
    assert!(alert.description.starts_with("T004: Create tides/alert.py"), "{}", alert.description);
    assert_eq!(findings(&lld, Severity::Error), [""; 0]);
    assert_eq!(findings(&lld, Severity::Warning), ["28 lld-path-glob"]);
}

const KIRO: &str = "\
# Implementation Plan

- [x] 1. Set up the module
  - Create directory `src/alerts/`
  - _Requirements: 1.1_

- [ ] 2. Alerts
  - [ ] 2.1 Write the model
    - Create `src/alerts/model.ts` with the fields of design.md
    - Writes its state to `state.json` at run time
    - _Requirements: 1.2, 2.1_
  - [ ]* 2.2 Write property tests for the model
    - **Property 1: an alert is sent once**
    - **Validates: Requirements 2.1**
- [ ] 3. Checkpoint: all tests pass
";

#[test]
fn a_list_of_kiro_has_parts_and_requirements() {
    let lld = parse(".kiro/specs/alerts/tasks.md", KIRO);
    assert_eq!(
        tasks(&lld),
        [
            "1 3-5 phase: 1 of: Set up the module for: 1.1 mentions: src/alerts/ done",
            "2 7-7 phase: 2 of: Alerts",
            "2.1 8-11 phase: 2 of: Alerts in: 2 for: 1.2 2.1 writes: src/alerts/model.ts \
             mentions: design.md state.json",
            "2.2 12-14 phase: 2 of: Alerts in: 2 for: 2.1",
            "3 15-15 phase: 3 of: Checkpoint: all tests pass",
        ]
    );
    assert_eq!(findings(&lld, Severity::Error), [""; 0]);
}

const OPENSPEC: &str = "\
## 1. Backend

- [x] 1.1 Add the route in `src/routes/alerts.$id.ts` and register it in `src/app.ts`
- [ ] 1.2 `src/limits.ts`: read the limits
- [ ] 1.3 Fix what `npm run lint src/app.ts` finds in Node.js

## 2. Messages

- [ ] 2.1 Add en.json and ur.json in messages/
- [ ] 2.2 Add it to `messages/de.json` or `messages/nl.json`
";

#[test]
fn a_list_of_openspec_has_groups() {
    let lld = parse("openspec/changes/alerts/tasks.md", OPENSPEC);
    assert_eq!(
        tasks(&lld),
        [
            "1.1 3-3 phase: 1 of: Backend writes: src/routes/alerts.$id.ts src/app.ts done",
            "1.2 4-4 phase: 1 of: Backend writes: src/limits.ts",
            "1.3 5-5 phase: 1 of: Backend",
            "2.1 9-9 phase: 2 of: Messages writes: messages/en.json messages/ur.json mentions: messages/",
            "2.2 10-10 phase: 2 of: Messages mentions: messages/de.json messages/nl.json",
        ]
    );
    let selected: Vec<_> = lld.files.iter().map(|file| (file.path.as_str(), file.selected)).collect();
    assert_eq!(selected[..2], [("src/routes/alerts.$id.ts", false), ("src/app.ts", false)]);
    assert!(findings(&lld, Severity::Note).contains(&"10 lld-path-unsure".to_owned()));
}

#[test]
fn a_list_of_headings_has_a_label_for_its_files() {
    let text = "# Plan\n\n## Phase 2: Work\n\n### Task 2.1: The parser ✅\n\n- **File**: src/parser.rs\n- Reads `a.toml`\n\
                - [x] it reads\n\n### Task 2.2: The printer\n\n**Files**: `src/printer.rs`, `src/lib.rs`\n";
    let lld = parse("tasks.md", text);
    assert_eq!(
        tasks(&lld),
        [
            "2.1 5-9 phase: 2 of: Work writes: src/parser.rs mentions: a.toml done",
            "2.2 11-13 phase: 2 of: Work writes: src/printer.rs src/lib.rs",
        ]
    );
}

#[test]
fn a_root_that_the_list_states_is_put_before_its_paths() {
    let text =
        "All paths are relative to `app/`.\n\n- [ ] T001 Create lib/a.dart\n- [ ] T002 Update app/pubspec.yaml\n";
    let lld = parse("tasks.md", text);
    let paths: Vec<_> = lld.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["app/lib/a.dart", "app/pubspec.yaml"]);
}

#[test]
fn a_list_that_names_no_file_is_a_list_all_the_same() {
    let lld = parse("tasks.md", "- [ ] 1. Think\n- [ ] 2. Act\n");
    assert_eq!((lld.dialect, lld.tasks.len(), lld.files.len()), (Some("tasks"), 2, 0));
    assert_eq!(findings(&lld, Severity::Error), [""; 0]);
    assert_eq!(findings(&lld, Severity::Warning), ["0 lld-no-file-list"]);
    assert_eq!(findings(&lld, Severity::Note), ["1 lld-row-informational", "2 lld-row-informational"]);
}

#[test]
fn the_last_of_two_tasks_decides_whether_a_file_is_there_in_the_end() {
    let lld = parse("tasks.md", "- [ ] T001 Update src/a.py\n- [ ] T002 Delete src/a.py\n");
    assert_eq!(lld.files.iter().map(|file| file.change).collect::<Vec<_>>(), [Change::Delete]);
    assert_eq!(findings(&lld, Severity::Error), [""; 0]);
}

#[test]
fn conditions_under_criteria_are_no_tasks_and_a_repeated_id_is_said() {
    let text = "- [ ] T001 Create a/b.py\n- [ ] T001 Create a/c.py\n- [ ] T002 Create a/d.py\n\n\
                ## Acceptance criteria\n\n- [ ] a/b.py is read\n";
    let lld = parse("tasks.md", text);
    assert_eq!(lld.tasks.len(), 3);
    assert_eq!(findings(&lld, Severity::Note), ["2 lld-task-repeated", "7 lld-row-informational"]);
}
