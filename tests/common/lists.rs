//! A feature of each of the three tools, in repositories with answers for every file. Not a `mod.rs`: a test file takes it
//! in with `#[path = "common/lists.rs"] mod lists;`, beside `repo`.
#![allow(dead_code)]

use crate::repo::{self, Ran, Repo};
use serde_json::Value;
use std::fs;

pub const FOLDER: &str = "specs/001-albums";
pub const LIST: &str = "specs/001-albums/tasks.md";
pub const BRANCH: &str = "implement/001-albums";

/// spec-kit: two stories; `src/cli.py` is a file of two tasks; T002 and T007 name none.
pub const TASKS: &str = "\
# Tasks: Albums

**Format**: `[ID] [P?] [Story] Description`

## Phase 1: Setup

- [x] T001 Create the package in src/albums/__init__.py
- [ ] T002 Install the image library

## Phase 2: User Story 1 - Make an album (P1)

- [ ] T003 [P] [US1] Create the model in src/albums/model.py
- [ ] T004 [US1] Add the command `album` to src/cli.py (depends on T003)

## Phase 3: User Story 2 - Sort an album (P2)

- [ ] T005 [P] [US2] Create the orders in src/albums/orders.py
- [ ] T006 [US2] Add the option `--sort` to src/cli.py

## Phase 4: Polish

- [ ] T007 Run all tests
";

pub const KIRO: &str = "\
# Implementation Plan

- [ ] 1. Alerts
  - [ ] 1.1 Write the model
    - Create `src/alert.py` with the fields of design.md
    - _Requirements: 1.1_
  - [ ] 1.2 Write the store
    - Create `src/store.py`
    - _Requirements: 1.2_
- [ ] 2. Notice them
  - [ ] 2.1 Print alerts in `src/main.py`
    - _Requirements: 2.1_
  - [ ]* 2.2 Write property tests for the store
- [ ] 3. Checkpoint: all tests pass
";

pub const OPENSPEC: &str = "\
## 1. Totals
- [ ] 1.1 Create `src/totals.py`
- [ ] 1.2 Modify `src/report.py` to print them

## 2. Verification
- [ ] 2.1 Run the whole suite
";

/// A small module of this name.
pub fn module(name: &str) -> String {
    format!("NAME = \"{name}\"\n\n\ndef {name}():\n    return NAME\n")
}

pub fn fenced(text: &str) -> String {
    format!("```python\n{text}```\n")
}

/// `src/cli.py` as the base has it.
pub const CLI: &str = "import sys\n\n\ndef main():\n    print(sys.argv)\n";
/// … after T004, or after both of its tasks at once.
pub const CLI_WHOLE: &str = "import sys\n\n\ndef main():\n    print(\"album\", sys.argv)\n";
/// The edits of T006 to that.
const CLI_EDITS: &str = "### CHANGE 1: the option\nFIND:\n```python\n    print(\"album\", sys.argv)\n```\n\n\
                         REPLACE WITH:\n```python\n    print(\"album\", \"--sort\", sys.argv)\n```\n";
pub const CLI_EDITED: &str = "import sys\n\n\ndef main():\n    print(\"album\", \"--sort\", sys.argv)\n";

/// The documents beside the list of spec-kit, each with a word of its own, in the order in which they are shown.
pub const DOCUMENTS: [(&str, &str); 6] = [
    ("spec.md", "people make albums"),
    ("plan.md", "python and nothing else"),
    ("data-model.md", "an album has a name"),
    ("contracts/cli.txt", "album <name>"),
    ("research.md", "others have folders"),
    ("quickstart.md", "type album"),
];

/// A repository with the feature of spec-kit, of which `list` is the text of the tasks, and answers for its files.
pub fn with_list(list: impl AsRef<[u8]>) -> Repo {
    let repo = Repo::unborn();
    repo.write("src/cli.py", CLI);
    repo.write("src/albums/__init__.py", "");
    repo.write(LIST, list);
    for (name, text) in DOCUMENTS {
        repo.write(&format!("{FOLDER}/{name}"), format!("{text}\n"));
    }
    repo.write("specs/001-albums/checklists/requirements.md", "- [ ] is it testable\n");
    repo.commit("base");
    for name in ["model", "orders"] {
        repo.answer(&format!("src/albums/{name}.py"), fenced(&module(name)));
    }
    repo.answer("src/cli.py", fenced(CLI_WHOLE));
    // A file of two tasks is asked for as edits the second time.
    repo::write(&repo.place("answers/src/cli.py.edits"), CLI_EDITS);
    repo.before(
        "src/cli.py",
        "cp \"$ASKED/$GIT_IMPLEMENT_PATH.1\" \"$ASKED/$GIT_IMPLEMENT_PATH.$GIT_IMPLEMENT_FORMAT\"\n\
         [ \"$GIT_IMPLEMENT_FORMAT\" = whole ] || exec cat \"$ANSWERS/$GIT_IMPLEMENT_PATH.edits\"",
    );
    repo
}

pub fn spec_kit() -> Repo {
    with_list(TASKS)
}

pub fn kiro() -> Repo {
    let folder = ".kiro/specs/alerts";
    let repo = Repo::of(&[
        ("src/main.py", "def main():\n    return None\n"),
        (&format!("{folder}/tasks.md"), KIRO),
        (&format!("{folder}/requirements.md"), "alerts are sent once\n"),
        (&format!("{folder}/design.md"), "an alert has a text\n"),
    ]);
    for name in ["alert", "store", "main"] {
        repo.answer(&format!("src/{name}.py"), fenced(&module(name)));
    }
    repo
}

pub fn openspec() -> Repo {
    let folder = "openspec/changes/add-totals";
    let repo = Repo::of(&[
        ("src/report.py", "def report():\n    return None\n"),
        (&format!("{folder}/tasks.md"), OPENSPEC),
        (&format!("{folder}/proposal.md"), "people want totals\n"),
        (&format!("{folder}/design.md"), "totals are sums\n"),
        (&format!("{folder}/specs/report/spec.md"), "a report ends with a total\n"),
    ]);
    for name in ["totals", "report"] {
        repo.answer(&format!("src/{name}.py"), fenced(&module(name)));
    }
    repo
}

/// The prompt for a file at the first attempt, by the format that was asked for.
pub fn asked_as(repo: &Repo, path: &str, format: &str) -> String {
    fs::read_to_string(repo.place("asked").join(format!("{path}.{format}"))).unwrap()
}

/// A text of the branch.
#[track_caller]
pub fn text(repo: &Repo, revision: &str, path: &str) -> String {
    String::from_utf8(repo.blob(revision, path)).unwrap()
}

/// For each commit of `<range>`, oldest first, the values of its `Task:` trailers, then the files that it changes.
#[track_caller]
pub fn commits(repo: &Repo, range: &str) -> Vec<String> {
    let ids = repo.git(&["rev-list", "--reverse", range]);
    let of = |id: &str| {
        let tasks = repo.git(&["log", "-1", "--format=%(trailers:key=Task,valueonly,separator=%x2C)", id]);
        let files = repo.git(&["diff-tree", "--no-commit-id", "--name-only", "-r", id]);
        format!("{tasks}: {}", files.replace('\n', " "))
    };
    ids.lines().map(of).collect()
}

/// `list` with the boxes of these tasks ticked.
pub fn ticked(list: &str, ids: &[&str]) -> String {
    ids.iter().fold(list.to_owned(), |list, id| {
        let open = [format!("[ ] {id} "), format!("[ ]* {id} ")];
        assert!(open.iter().any(|open| list.contains(open)), "{id}");
        open.iter().fold(list, |list, open| list.replace(open, &open.replace("[ ]", "[x]")))
    })
}

/// What `plan --json` printed.
#[track_caller]
pub fn plan(repo: &Repo, arguments: &[&str]) -> Value {
    let ran = repo.run(&[&["plan", "--json"], arguments].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"))
}

/// The rows that are made, each with its tasks.
pub fn selected(plan: &Value) -> Vec<String> {
    let rows = plan["files"].as_array().unwrap().iter().filter(|row| row["selected"] == true);
    rows.map(|row| {
        let tasks: Vec<&str> = row["tasks"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        format!("{} {}", row["path"].as_str().unwrap(), tasks.join(","))
    })
    .collect()
}

/// It said that nobody but a person does these tasks.
#[track_caller]
pub fn leaves(ran: &Ran, ids: &[&str]) {
    for id in ids {
        ran.says(&format!("task {id} names no file to write"));
    }
}
