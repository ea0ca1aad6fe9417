//! Task lists: what is committed, what is ticked, and how the next run goes on.

use crate::lists::*;

const MADE: [&str; 4] = ["T003", "T004", "T005", "T006"];

#[test]
fn each_task_has_a_commit_of_its_own_with_its_files_alone() {
    let repo = spec_kit();
    let ran = repo.implement(&["--commit", "per-task", FOLDER]);
    ran.published(BRANCH);
    assert_eq!(
        repo.subjects(BRANCH),
        [
            "T003: Create the model in src/albums/model.py",
            "T004: Add the command `album` to src/cli.py (depends on T003)",
            "T005: Create the orders in src/albums/orders.py",
            "T006: Add the option `--sort` to src/cli.py",
        ]
    );
    assert_eq!(
        commits(&repo, &format!("main..{BRANCH}")),
        [
            "T003: src/albums/model.py",
            "T004: src/cli.py",
            "T005: src/albums/orders.py",
            "T006: specs/001-albums/tasks.md src/cli.py",
        ]
    );
    assert_eq!(text(&repo, &format!("{BRANCH}~2"), "src/cli.py"), CLI_WHOLE);
    assert_eq!(text(&repo, BRANCH, "src/cli.py"), CLI_EDITED);
    assert_eq!(text(&repo, BRANCH, LIST), ticked(TASKS, &MADE));
    // A later task of a file is asked for as edits of what the earlier one made, and each for itself.
    assert_eq!(
        repo.asked(),
        [
            "src/albums/model.py whole 1",
            "src/cli.py whole 1",
            "src/albums/orders.py whole 1",
            "src/cli.py find-replace 1"
        ]
    );
    let (first, second) = (asked_as(&repo, "src/cli.py", "whole"), asked_as(&repo, "src/cli.py", "find-replace"));
    assert!(first.contains("> T004: ") && !first.contains("> T006: "), "{first}");
    assert!(second.contains("> T006: ") && !second.contains("> T004: "), "{second}");
    let task = second.split("# Your task").last().unwrap();
    assert!(task.contains("print(\"album\", sys.argv)"), "it starts from what T004 made\n{task}");
    repo.sound();
}

#[test]
fn a_task_of_several_files_is_one_commit_and_a_long_title_is_whole_in_its_body() {
    let list = "# Tasks\n\n- [ ] T001 Create the model and the orders of an album, with everything that they need, in\n  \
                src/albums/model.py and src/albums/orders.py\n- [ ] T002 Add the command to src/cli.py\n";
    let repo = with_list(list);
    repo.implement(&["--commit", "per-task", FOLDER]).published(BRANCH);
    assert_eq!(
        commits(&repo, &format!("main..{BRANCH}")),
        ["T001: src/albums/model.py src/albums/orders.py", "T002: specs/001-albums/tasks.md src/cli.py"]
    );
    let body = repo.git(&["log", "-1", "--format=%B", &format!("{BRANCH}~1")]);
    let (subject, rest) = body.split_once('\n').unwrap();
    assert!(subject.starts_with("T001: Create the model and the orders") && subject.ends_with('…'), "{body}");
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(rest.contains("everything that they need, in src/albums/model.py and src/albums/orders.py"), "{body}");
    assert!(rest.contains("Add src/albums/model.py Add src/albums/orders.py"), "{body}");
}

#[test]
fn one_commit_for_all_has_the_trailers_of_all() {
    let repo = spec_kit();
    repo.implement(&["--commit", "single", FOLDER]).published(BRANCH);
    assert_eq!(
        commits(&repo, &format!("main..{BRANCH}")),
        ["T003,T004,T006,T005: specs/001-albums/tasks.md src/albums/model.py src/albums/orders.py src/cli.py"]
    );
}

#[test]
fn ticking_changes_boxes_and_not_a_byte_besides() {
    let crlf = TASKS.replace('\n', "\r\n");
    let marked = format!("\u{feff}{}", TASKS.trim_end());
    let starred =
        TASKS.replace("- [ ]", "*  [ ]").replace("# Tasks: Albums\n", "# Tasks: Albums \t\n\n\n<!-- - [ ] T003-->\n");
    for list in [crlf, marked, starred] {
        let repo = with_list(&list);
        repo.implement(&[FOLDER]).published(BRANCH);
        assert_eq!(text(&repo, BRANCH, LIST), ticked(&list, &MADE));
        assert_eq!(repo.git(&["diff", "--numstat", "main", BRANCH, "--", LIST]), format!("4\t4\t{LIST}"));
    }
}

#[test]
fn a_list_in_a_checkout_with_other_line_ends_is_the_one_that_was_committed() {
    let repo = spec_kit();
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write(LIST, TASKS.replace('\n', "\r\n"));
    repo.implement(&[FOLDER]).published(BRANCH);
    assert_eq!(text(&repo, BRANCH, LIST), ticked(TASKS, &MADE));
}

#[test]
fn a_list_that_the_base_does_not_have_as_it_was_read_is_not_ticked() {
    let repo = spec_kit();
    repo.write(LIST, TASKS.replace("Run all tests", "Run all tests twice"));
    let ran = repo.implement(&["-b", "differs", FOLDER]);
    ran.published("differs");
    ran.says("warning: the tasks of 'specs/001-albums/tasks.md' are not ticked: the base has another text of it\n");
    assert_eq!(text(&repo, "differs", LIST), TASKS);

    repo.write("specs/002-new/tasks.md", TASKS);
    let ran = repo.implement(&["specs/002-new"]);
    ran.published("implement/002-new");
    ran.says("are not ticked: it is not in the base\n").says("hint: commit it first; or give --no-tick");
    assert!(!repo.files("implement/002-new").contains_key("specs/002-new/tasks.md"));

    let ran = repo.implement(&["--no-tick", "-b", "unticked", FOLDER]);
    ran.published("unticked");
    assert!(!ran.err.contains("not ticked"), "{ran}");
}

#[test]
fn without_ticking_no_commit_touches_the_list() {
    let repo = spec_kit();
    repo.implement(&["--no-tick", FOLDER]).published(BRANCH);
    assert_eq!(repo.git(&["diff", "--name-only", "main", BRANCH, "--", "specs"]), "");
    assert_eq!(repo.subjects(BRANCH).len(), 3);
}

#[test]
fn a_task_whose_files_are_not_all_made_stays_open() {
    let repo = spec_kit();
    // T004 and T006 are for a file that is not among these.
    repo.implement(&[FOLDER, "--", "src/albums"]).published(BRANCH);
    assert_eq!(text(&repo, BRANCH, LIST), ticked(TASKS, &["T003", "T005"]));
}

#[test]
fn a_part_of_a_kiro_list_ticks_the_task_that_is_done_with_it() {
    let repo = kiro();
    let list = ".kiro/specs/alerts/tasks.md";
    repo.implement(&["--tasks", "1.1", ".kiro/specs/alerts"]).published("implement/alerts");
    assert_eq!(text(&repo, "implement/alerts", list), ticked(KIRO, &["1.1"]));
    let on = ["-b", "implement/alerts", "--base", "implement/alerts"];
    repo.implement(&[&on[..], &["--tasks", "1", ".kiro/specs/alerts"]].concat()).published("implement/alerts");
    assert_eq!(text(&repo, "implement/alerts", list), ticked(KIRO, &["1.", "1.1", "1.2"]));
    assert_eq!(repo.asked(), ["src/alert.py whole 1", "src/store.py whole 1"]);
}

#[test]
fn a_second_run_on_the_branch_does_the_rest_and_nothing_twice() {
    for commit in ["per-file", "per-task"] {
        let repo = spec_kit();
        repo.implement(&["--commit", commit, "--story", "US1", FOLDER]).published(BRANCH);
        let first = repo.tip(BRANCH);
        // A branch that exists is not taken by accident.
        repo.implement(&["--commit", commit, FOLDER]).refused_at_once(128).says("already exists");
        // The working tree has the list without a tick; what the branch has counts.
        let on = ["-b", BRANCH, "--base", BRANCH];
        repo.answer("src/cli.py", fenced(CLI_EDITED));
        repo.implement(&[&on[..], &["--commit", commit, FOLDER]].concat()).published(BRANCH);
        assert_eq!(
            commits(&repo, &format!("{first}..{BRANCH}")),
            ["T005: src/albums/orders.py", "T006: specs/001-albums/tasks.md src/cli.py"],
            "{commit}"
        );
        assert_eq!(text(&repo, BRANCH, LIST), ticked(TASKS, &MADE));
        assert_eq!(text(&repo, BRANCH, "src/cli.py"), CLI_EDITED);
        let asked = repo.asked().len();
        // All that is left is for a person.
        let ran = repo.implement(&[&on[..], &["--commit", commit, FOLDER]].concat());
        ran.changed_nothing();
        assert_eq!(repo.asked().len(), asked, "{ran}");
        repo.sound();
    }
}

#[test]
fn a_refused_reply_leaves_nothing_ticked_and_the_replies_can_be_used_again() {
    let repo = spec_kit();
    repo.answer("src/albums/orders.py", "I have created the file.\n");
    let ran = repo.implement(&["--commit", "per-task", FOLDER]);
    ran.refused(1);
    assert_eq!(ran.failed.len(), 1);
    let kept = repo.failed(&ran.failed[0]);
    let replies = kept.join("replies");
    assert!(replies.is_dir(), "{:?}", crate::repo::tree(&kept).keys());
    let replay = ["--replay", replies.to_str().unwrap(), "--commit", "per-task"];
    repo.run(&[&replay[..], &["--tasks", "T003-T004", FOLDER]].concat()).published(BRANCH);
    assert_eq!(text(&repo, BRANCH, LIST), ticked(TASKS, &["T003", "T004"]));
}

#[test]
fn recorded_replies_make_the_same_branch_again() {
    let repo = spec_kit();
    let replies = repo.place("replies");
    let arguments = ["--commit", "per-task", FOLDER];
    let record = ["--record", replies.to_str().unwrap(), "-b", "first"];
    repo.implement(&[&record[..], &arguments].concat()).published("first");
    let asked = repo.asked().len();
    repo.run(&[&["--replay", replies.to_str().unwrap()][..], &arguments].concat()).published(BRANCH);
    assert_eq!(repo.git(&["rev-parse", "first^{tree}"]), repo.git(&["rev-parse", &format!("{BRANCH}^{{tree}}")]));
    assert_eq!(repo.asked().len(), asked);
}

#[test]
fn a_task_that_is_begun_is_ticked_and_one_without_a_box_is_said_to_have_none() {
    let list = "# Tasks\n\n- [-] 1. Create src/albums/model.py\n- [ ] 2. Create src/albums/orders.py\n";
    let repo = with_list(list);
    repo.implement(&[FOLDER]).published(BRANCH);
    assert_eq!(text(&repo, BRANCH, LIST), list.replace("[-]", "[x]").replace("[ ]", "[x]"));

    let list = "# Tasks\n\n### Task 1.1: The model\n\n- **File**: src/albums/model.py\n\n\
                ### [ ] Task 1.2: The orders\n\n- **File**: src/albums/orders.py\n";
    let repo = with_list(list);
    let ran = repo.implement(&[FOLDER]);
    ran.published(BRANCH);
    ran.says("warning: 'specs/001-albums/tasks.md' has no box to tick for 1.1: the next run would make them again\n");
    assert_eq!(text(&repo, BRANCH, LIST), list.replace("[ ]", "[x]"));
}

#[test]
fn a_file_that_one_task_moves_and_another_changes_is_moved_first_and_asked_for_once() {
    let list = "# Tasks\n\n- [ ] T001 Move src/cli.py to src/app/main.py\n- [ ] T002 Delete src/albums/__init__.py\n\
                - [ ] T003 Extend src/app/main.py with a greeting\n";
    let repo = with_list(list);
    repo.answer("src/app/main.py", "### CHANGE 1: greet\nFIND:\n```python\n    print(sys.argv)\n```\n\nREPLACE WITH:\n```python\n    print(\"hello\", sys.argv)\n```\n");
    repo.implement(&["--commit", "per-task", FOLDER]).published(BRANCH);
    assert_eq!(repo.asked(), ["src/app/main.py find-replace 1"]);
    assert_eq!(
        commits(&repo, &format!("main..{BRANCH}")),
        [
            "T001: src/app/main.py src/cli.py",
            "T002: src/albums/__init__.py",
            "T003: specs/001-albums/tasks.md src/app/main.py",
        ]
    );
    assert_eq!(text(&repo, &format!("{BRANCH}~1"), "src/app/main.py"), CLI);
    assert_eq!(text(&repo, BRANCH, LIST), ticked(list, &["T001", "T002", "T003"]));
}

#[test]
fn what_the_branch_has_ticked_is_not_made_again_though_the_list_has_grown() {
    let repo = spec_kit();
    repo.implement(&["--story", "US1", FOLDER]).published(BRANCH);
    let grown =
        format!("{}- [ ] T008 Create the export in src/albums/export.py\n", TASKS.replace("Run all", "Run all the"));
    repo.write(LIST, grown);
    repo.commit("Plan further");
    repo.answer("src/albums/export.py", fenced(&module("export")));
    repo.answer("src/cli.py", fenced(CLI_EDITED));
    let first = repo.tip(BRANCH);
    let ran = repo.implement(&["-b", BRANCH, "--base", BRANCH, FOLDER]);
    ran.published(BRANCH);
    ran.says("note: the base's list has T003, T004 ticked: not made again\n");
    ran.says("are not ticked: the base has another text of it\n");
    assert_eq!(
        commits(&repo, &format!("{first}..{BRANCH}")),
        ["T005: src/albums/orders.py", "T006: src/cli.py", "T008: src/albums/export.py"]
    );
}
