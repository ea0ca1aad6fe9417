use super::*;
use crate::lld::parse;

fn proposal(task: &str, files: &[(&str, Change)]) -> Proposal {
    let file = |(path, change): &(&str, Change)| ProposedFile { path: RepoPath::new(path).unwrap(), change: *change };
    Proposal { task: task.to_owned(), files: files.iter().map(file).collect() }
}

fn files(lld: &Lld) -> Vec<String> {
    let row = |spec: &crate::lld::FileSpec| {
        format!("{} {:?} {} {:?} {}", spec.line, spec.change, spec.path, spec.tasks, spec.selected)
    };
    lld.files.iter().map(row).collect()
}

/// Tasks, and files with what is to be done to them.
type Proposals = &'static [(&'static str, &'static [(&'static str, Change)])];

/// A list of each tool, with proposals for its open tasks and what comes of them.
const LISTS: [(&str, Proposals, &str); 3] = [
    (
        // spec-kit
        "# Tasks: Clocks\n\n## Phase 1: Setup\n\n- [x] T001 Create the project\n- [ ] T002 [P] Install the linter\n\n\
         ## Phase 2: Foundation\n\n- [ ] T003 [US1] Create the model in src/clock.ts\n- [ ] T004 [US1] Wire it up\n",
        &[
            ("T004", &[("src/main.ts", Change::Modify), ("src/old.ts", Change::Delete)]),
            ("T002", &[("eslint.config.js", Change::Add)]),
        ],
        "# Tasks: Clocks\n\n## Phase 1: Setup\n\n- [x] T001 Create the project\n- [ ] T002 [P] Install the linter\n  - Files: `eslint.config.js`\n\n\
         ## Phase 2: Foundation\n\n- [ ] T003 [US1] Create the model in src/clock.ts\n- [ ] T004 [US1] Wire it up\n  - Files: `src/main.ts`\n  - Delete `src/old.ts`\n",
    ),
    (
        // Kiro
        "# Implementation Plan\r\n\r\n- [ ] 1. Read clocks\r\n  - [ ] 1.1 Read minutes\r\n    - Only whole ones\r\n    - _Requirements: 1.1_\r\n\r\n  - [ ]* 1.2 Write tests\r\n\
         \r\n- [ ] 2. Show them\r\n  - As `hh:mm`\r\n  - _Requirements: 2.1_",
        &[
            ("1.1", &[("src/read.ts", Change::Add), ("Makefile", Change::Modify)]),
            ("1.2", &[("tests/read.test.ts", Change::Add)]),
            ("2", &[("src/app/[id]/page.tsx", Change::Modify)]),
        ],
        "# Implementation Plan\r\n\r\n- [ ] 1. Read clocks\r\n  - [ ] 1.1 Read minutes\r\n    - Only whole ones\r\n    - _Requirements: 1.1_\r\n    - Files: `src/read.ts`, `Makefile`\r\n\r\n  - [ ]* 1.2 Write tests\r\n    - Files: `tests/read.test.ts`\r\n\
         \r\n- [ ] 2. Show them\r\n  - As `hh:mm`\r\n  - _Requirements: 2.1_\r\n  - Files: `src/app/[id]/page.tsx`",
    ),
    (
        // OpenSpec
        "## 1. Reading\n\n- [ ] 1.1 Add the reader\n- [x] 1.2 Decide on a form\n\n## 2. Showing\n\n- [ ] 2.1 Show the clock on the page,\n  in its corner\n- [ ] 2.2 Remove the old one\n- [ ] 2.3 Run the tests\n",
        &[
            ("1.1", &[("lib/reader.rb", Change::Add)]),
            ("2.1", &[("app/views/page.html.erb", Change::Modify)]),
            ("2.2", &[("app/old clock.rb", Change::Delete), ("LICENSE", Change::Delete)]),
            ("2.3", &[]),
        ],
        "## 1. Reading\n\n- [ ] 1.1 Add the reader\n  - Files: `lib/reader.rb`\n- [x] 1.2 Decide on a form\n\n## 2. Showing\n\n- [ ] 2.1 Show the clock on the page,\n  in its corner\n  - Files: `app/views/page.html.erb`\n- [ ] 2.2 Remove the old one\n  - Delete `app/old clock.rb`, `LICENSE`\n- [ ] 2.3 Run the tests\n",
    ),
];

fn of(proposals: &[(&str, &[(&str, Change)])]) -> Vec<Proposal> {
    proposals.iter().map(|(task, files)| proposal(task, files)).collect()
}

#[test]
fn files_are_written_under_their_tasks_in_the_lists_own_form_and_read_again() {
    for (text, proposals, expected) in LISTS {
        let written = write("specs/x/tasks.md", text, &of(proposals)).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        assert_eq!(written, expected);
    }
}

#[test]
fn a_list_with_proposals_is_what_the_list_with_the_files_written_into_it_would_be() {
    for (text, proposals, expected) in LISTS {
        let (mut proposed, written) = (parse("specs/x/tasks.md", text), parse("specs/x/tasks.md", expected));
        add(&mut proposed, "specs/x/tasks.md", &of(proposals));
        let rows = |lld: &Lld| -> Vec<_> {
            let rows = lld.files.iter().map(|spec| {
                (spec.path.to_string(), spec.change, spec.tasks.clone(), spec.description.clone(), spec.selected)
            });
            rows.collect()
        };
        assert_eq!(rows(&proposed), rows(&written));
        let tasks = |lld: &Lld| -> Vec<_> {
            lld.tasks.iter().map(|task| (task.id.clone(), task.files.clone(), task.deletes.clone())).collect()
        };
        assert_eq!(tasks(&proposed), tasks(&written));
        let ids = |lld: &Lld| -> Vec<_> { lld.findings.iter().map(|finding| finding.message.clone()).collect() };
        assert_eq!(ids(&proposed), ids(&written));
        let lines = |number: usize| text.lines().nth(number - 1).unwrap_or_default().contains("[ ]");
        assert!(proposed.files.iter().all(|spec| lines(spec.line)), "{:?}", files(&proposed));
    }
}

#[test]
fn a_file_of_several_tasks_stands_where_the_first_of_them_does_and_has_them_in_order() {
    let text = "- [ ] T001 First\n- [x] T002 Create src/a.ts\n- [ ] T003 Create src/b.ts\n- [ ] T004 Last\n";
    let mut lld = parse("tasks.md", text);
    let both: &[(&str, Change)] = &[("src/a.ts", Change::Modify), ("src/b.ts", Change::Add)];
    add(&mut lld, "tasks.md", &of(&[("T004", both), ("T001", both)]));
    assert_eq!(
        files(&lld),
        ["1 Add src/a.ts [\"T001\", \"T002\", \"T004\"] true", "1 Add src/b.ts [\"T001\", \"T003\", \"T004\"] true"]
    );
    assert_eq!(lld.files[1].description, "T001: First\nT003: Create src/b.ts\nT004: Last");
}

#[test]
fn what_is_done_withdrawn_or_named_by_the_list_takes_no_proposal() {
    let text = "- [x] T001 Done\n- [ ] T002 Create src/b.ts\n- [ ] T003 SKIPPED: not now\n";
    let mut lld = parse("tasks.md", text);
    let before = files(&lld);
    let file: &[(&str, Change)] = &[("src/a.ts", Change::Add)];
    add(&mut lld, "tasks.md", &of(&[("T001", file), ("T002", file), ("T003", file), ("T999", file)]));
    assert_eq!(files(&lld), before);
}

#[test]
fn what_would_not_be_read_as_it_is_meant_is_not_written() {
    // A root that the list states would stand before the path.
    let rooted =
        "All paths are relative to `backend/`.\n\n- [ ] T001 First\n- [ ] T002 Create src/b.ts\n- [ ] T003 Third\n";
    let wrong = write("tasks.md", rooted, &of(&[("T001", &[("frontend/a.ts", Change::Add)])])).unwrap_err();
    assert_eq!((wrong[0].line, wrong.len()), (Some(3), 1), "{wrong:?}");
    let inside = write("tasks.md", rooted, &of(&[("T001", &[("backend/a.ts", Change::Add)])])).unwrap();
    assert!(inside.contains("- [ ] T001 First\n  - Files: `backend/a.ts`\n- [ ] T002"), "{inside}");
}

#[test]
fn tabs_and_numbers_are_kept_to() {
    let text = "1. [ ] Read it\n2. [ ] Show it\n\t- [ ] Deeper\n";
    let written =
        write("tasks.md", text, &of(&[("L1", &[("src/a.ts", Change::Add)]), ("L3", &[("src/b.ts", Change::Add)])]));
    assert_eq!(
        written.unwrap(),
        "1. [ ] Read it\n   - Files: `src/a.ts`\n2. [ ] Show it\n\t- [ ] Deeper\n\t\t- Files: `src/b.ts`\n"
    );
}

#[test]
fn a_list_is_the_same_whichever_of_its_boxes_are_ticked() {
    let open = "- [ ] T001 Do [x] it\n  - [ ]* 1.1 b\nText [x]\n";
    for ticked in
        [open.replacen("[ ]", "[x]", 1), open.replace("[ ]", "[X]"), open.replace('\n', "\r\n"), open.to_owned()]
    {
        assert_eq!(untouched(&ticked), open);
    }
    assert_ne!(untouched("- [ ] a\n"), untouched("- [ ] b\n"));
}
