//! What holds of every list of tasks, however it is written: properties, on lists that are made up at random.
//! `PROPTEST_CASES=10000 cargo test --test library task_properties` tries more of them.
//!
//! A failure is shrunk to the least list that shows it, and becomes a test beside the reading of lists: nothing is kept
//! here.

use git_implement::lld::{self, FileSpec, Lld, Task};
use git_implement::plan::{self, Options, Snapshot};
use proptest::prelude::*;
use std::collections::BTreeSet;

const NAMES: &[&str] = &["specs/001-x/tasks.md", ".kiro/specs/x/tasks.md", "docs/plan.md"];

const IDS: &[&str] =
    &["", "T001 ", "T002 ", "T003 ", "T004 ", "1. ", "1.1 ", "1.2 ", "2. ", "2.1 ", "**T005** ", "Task 3: "];

const LABELS: &[&str] = &["", "", "[P] ", "[US1] ", "[P] [US2] "];

const WORDS: &[&str] = &[
    "Create the model in src/model.py",
    "Create `src/a.ts`, `src/b.ts` and src/{c,d}.ts",
    "Delete src/old.py",
    "Rename src/old.py to src/new.py",
    "Modify src/model.py (depends on T001)",
    "Use it in src/main.py after T002, T003",
    "Depends on T001-T004",
    "Run `npm test`",
    "SKIPPED: create src/never.py",
    "在 src/模型.py 中新增字段",
    "Update src/*.css and src/pages/[id]/",
    "Verify src/model.py against data-model.md",
    "Add ../../etc/passwd and /etc/passwd",
    "Write en.json and nl.json in messages/",
    "[ ] not a box",
    "",
];

const OTHERS: &[&str] = &[
    "",
    "# Tasks: X",
    "## Phase 2: User Story 1 - Make it (P1)",
    "## 1. Setup",
    "### Task 1.1: Write it",
    "### [ ] Task 1.2: Write it, too",
    "- **File**: src/titled.py",
    "### Acceptance criteria",
    "```",
    "~~~~ts",
    "wrapped, into src/wrapped.py",
    "  - Create `src/sub.ts`",
    "    - _Requirements: 1.1, 1.2_",
    "> - [ ] T009 Create src/quoted.py",
    "<!--",
    "-->",
    "---",
    "| T001 | src/table.py |",
    "**Paths are relative to backend/**",
    "T003 depends on T001",
];

const BOXES: &[&str] = &[
    "- [ ] ", "- [x] ", "- [X] ", "* [ ] ", "+ [ ] ", "- [ ]* ", "1. [ ] ", "2) [ ] ", "- [-] ", "- [~] ", "• [ ] ",
    "-  [ ]  ", "- [] ", "-\t[ ] ",
];

fn line() -> impl Strategy<Value = String> {
    let indent = prop_oneof![5 => Just(""), 2 => Just("  "), 1 => Just("    "), 1 => Just("\t")];
    let task = (indent, 0..BOXES.len(), 0..IDS.len(), 0..LABELS.len(), 0..WORDS.len()).prop_map(
        |(indent, tick, id, label, words)| {
            format!("{indent}{}{}{}{}", BOXES[tick], IDS[id], LABELS[label], WORDS[words])
        },
    );
    prop_oneof![3 => task, 2 => (0..OTHERS.len()).prop_map(|at| OTHERS[at].to_owned())]
}

/// A list, its line ends mixed at times, with or without the last one and a byte order mark.
fn list() -> impl Strategy<Value = String> {
    let lines = proptest::collection::vec((line(), prop_oneof![9 => Just("\n"), 1 => Just("\r\n")]), 0..24);
    (lines, any::<bool>(), prop::bool::weighted(0.1), prop::bool::weighted(0.1)).prop_map(
        |(lines, ends, mark, fence)| {
            let text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).collect();
            let text = if fence { format!("````markdown\n{text}````\n") } else { text };
            let text = if ends { text } else { text.trim_end_matches(['\r', '\n']).to_owned() };
            if mark { format!("\u{feff}{text}") } else { text }
        },
    )
}

fn touches(task: &Task, spec: &FileSpec) -> bool {
    task.files.contains(&spec.path) || spec.from.as_ref().is_some_and(|from| task.files.contains(from))
}

/// What reading a list twice must agree on when boxes are ticked in between.
fn shape(lld: &Lld) -> Vec<(String, usize, usize, Vec<String>)> {
    let files = |task: &Task| task.files.iter().map(ToString::to_string).collect();
    lld.tasks.iter().map(|task| (task.id.clone(), task.line, task.end, files(task))).collect()
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn tasks_stand_in_their_lines_and_files_and_tasks_agree(name in 0..NAMES.len(), text in list()) {
        let lld = lld::parse(NAMES[name], &text);
        let lines = text.lines().count();
        let ids: BTreeSet<&str> = lld.tasks.iter().map(|task| task.id.as_str()).collect();
        for task in &lld.tasks {
            prop_assert!(1 <= task.line && task.line <= task.end && task.end <= lines, "{task:?} of {lines}");
            prop_assert!(task.deletes.iter().all(|path| task.files.contains(path)), "{task:?}");
            prop_assert!(task.depends.iter().all(|id| ids.contains(id.as_str()) && *id != task.id), "{task:?}");
            prop_assert!(task.parent.iter().all(|id| ids.contains(id.as_str()) && *id != task.id), "{task:?}");
            for path in &task.files {
                let of_task = |spec: &&FileSpec| spec.path == *path && spec.tasks.contains(&task.id);
                prop_assert!(lld.files.iter().any(|spec| of_task(&spec)), "{path} of {task:?}\n{:?}", lld.files);
            }
        }
        prop_assert!(lld.tasks.windows(2).all(|pair| pair[0].line < pair[1].line));
        for spec in &lld.files {
            prop_assert!(1 <= spec.line && spec.line <= lines, "{spec:?}");
            for id in &spec.tasks {
                let has = lld.tasks.iter().any(|task| task.id == *id && touches(task, spec));
                prop_assert!(has, "{spec:?} has a task {id} that does not touch it\n{:?}", lld.tasks);
            }
        }
        for finding in &lld.findings {
            prop_assert!(finding.line.is_none_or(|line| 1 <= line && line <= lines.max(1)), "{finding:?}");
        }
    }

    #[test]
    fn ticking_changes_boxes_alone_and_what_is_ticked_is_done(text in list(), chosen in any::<u32>()) {
        let lld = lld::parse(NAMES[0], &text);
        let mark = |(at, task): (usize, &Task)| (chosen >> (at % 32) & 1 == 1).then_some(task.line);
        let lines: BTreeSet<usize> = lld.tasks.iter().enumerate().filter_map(mark).collect();
        let ticked = plan::tick(&text, &lines);
        prop_assert!(plan::goes_on(&text, &ticked));
        for (before, after) in text.split_inclusive('\n').zip(ticked.split_inclusive('\n')) {
            let boxed = || ["[ ]", "[]", "[-]", "[~]"].iter().any(|open| before.replacen(open, "[x]", 1) == after);
            prop_assert!(before == after || boxed(), "{before:?} became {after:?}");
        }
        let again = lld::parse(NAMES[0], &ticked);
        prop_assert_eq!(shape(&again), shape(&lld));
        for (before, after) in lld.tasks.iter().zip(&again.tasks) {
            let line = text.lines().nth(before.line - 1).unwrap_or_default().trim_start_matches('\u{feff}');
            let boxed = !line.starts_with('#') || line.contains("[ ]");
            let expected = before.done || boxed && lines.contains(&before.line);
            prop_assert_eq!(after.done, expected, "{:?} in {:?}", after, ticked);
        }
        prop_assert_eq!(plan::tick(&ticked, &lines), ticked);
    }

    #[test]
    fn each_open_task_is_carried_out_after_what_it_depends_on_and_once(text in list(), per_task in any::<bool>()) {
        let lld = lld::parse(NAMES[0], &text);
        let options = Options { per_task, max_files: 1000, ..Options::default() };
        let plan::Examined { plan: Some(made), .. } = plan::examine(&lld, &Snapshot::default(), &options) else {
            return Ok(());
        };
        let steps: Vec<(&str, &[String])> = made.steps().iter().map(|step| (step.path.as_str(), &step.tasks[..])).collect();
        for (at, (path, tasks)) in steps.iter().enumerate() {
            let twice = steps[..at].iter().any(|(other, ids)| other == path && (!per_task || ids == tasks));
            // Careless lists have an id twice.
            let careless = tasks.iter().any(|id| lld.tasks.iter().filter(|task| task.id == *id).count() > 1);
            prop_assert!(!twice || careless, "{path} is asked for twice: {steps:?}");
            for id in tasks.iter() {
                let open = lld.tasks.iter().any(|task| task.id == *id && !task.done && task.withdrawn.is_none());
                prop_assert!(open, "{path} is made for {id}");
            }
        }
        for task in plan::finished(&lld, &made) {
            prop_assert!(!task.done && task.withdrawn.is_none(), "{task:?}");
            let all = task.files.iter().all(|path| made.covers(path.as_str()));
            prop_assert!(all, "{task:?} is not finished");
        }
    }
}
