//! Task lists of spec-kit, Kiro and OpenSpec: a feature's folder becomes a branch. What of it is made, and in which order;
//! `task_commits.rs` has what is committed.

use crate::lists::*;
use crate::repo::Repo;
use serde_json::{Value, json};

#[test]
fn a_feature_of_spec_kit_becomes_a_branch() {
    let repo = spec_kit();
    let ran = repo.implement(&[FOLDER]);
    ran.published(BRANCH);
    leaves(&ran, &["T002", "T007"]);
    assert_eq!(
        commits(&repo, &format!("main..{BRANCH}")),
        ["T003: src/albums/model.py", "T004,T006: src/cli.py", "T005: specs/001-albums/tasks.md src/albums/orders.py",]
    );
    assert_eq!(text(&repo, BRANCH, "src/albums/model.py"), module("model"));
    assert_eq!(text(&repo, BRANCH, "src/cli.py"), CLI_WHOLE);
    assert_eq!(text(&repo, BRANCH, LIST), ticked(TASKS, &["T003", "T004", "T005", "T006"]));
    repo.sound();
}

#[test]
fn a_feature_of_kiro_becomes_a_branch() {
    let repo = kiro();
    let ran = repo.implement(&[".kiro/specs/alerts/"]);
    ran.published("implement/alerts");
    leaves(&ran, &["2.2", "3"]);
    assert_eq!(
        commits(&repo, "main..implement/alerts"),
        ["1.1: src/alert.py", "1.2: src/store.py", "2.1: .kiro/specs/alerts/tasks.md src/main.py"]
    );
    // A task with parts is done when all of them are; one of 2's is not.
    let list = ticked(KIRO, &["1.", "1.1", "1.2", "2.1"]);
    assert_eq!(text(&repo, "implement/alerts", ".kiro/specs/alerts/tasks.md"), list);
    let prompt = repo.prompt("src/alert.py");
    assert!(prompt.contains("alerts are sent once") && prompt.contains("an alert has a text"), "{prompt}");
}

#[test]
fn a_change_of_openspec_becomes_a_branch() {
    let repo = openspec();
    let ran = repo.implement(&["openspec/changes/add-totals"]);
    ran.published("implement/add-totals");
    leaves(&ran, &["2.1"]);
    assert_eq!(
        commits(&repo, "main..implement/add-totals"),
        ["1.1: src/totals.py", "1.2: openspec/changes/add-totals/tasks.md src/report.py"]
    );
    let list = ticked(OPENSPEC, &["1.1", "1.2"]);
    assert_eq!(text(&repo, "implement/add-totals", "openspec/changes/add-totals/tasks.md"), list);
    let prompt = repo.prompt("src/totals.py");
    let at = |text: &str| prompt.find(text).unwrap_or_else(|| panic!("{text}\n{prompt}"));
    assert!(
        at("people want totals") < at("totals are sums") && at("totals are sums") < at("a report ends with a total")
    );
}

#[test]
fn the_plan_has_the_files_of_all_tasks_and_says_which_are_made() {
    let repo = spec_kit();
    let whole = plan(&repo, &[FOLDER]);
    assert_eq!((&whole["dialect"], &whole["lld"]), (&json!("tasks"), &json!(LIST)));
    let row = |row: &Value| (row["path"].clone(), row["change"].clone(), row["tasks"].clone(), row["selected"].clone());
    let rows: Vec<_> = whole["files"].as_array().unwrap().iter().map(row).collect();
    let of =
        |path: &str, change: &str, tasks: Value, selected: bool| (path.into(), change.into(), tasks, selected.into());
    let all = json!(["T003", "T004", "T005", "T006"]);
    assert_eq!(
        rows,
        [
            of("src/albums/__init__.py", "modify", json!(["T001"]), false),
            of("src/albums/model.py", "add", json!(["T003"]), true),
            of("src/cli.py", "modify", json!(["T004", "T006"]), true),
            of("src/albums/orders.py", "add", json!(["T005"]), true),
            of(LIST, "modify", all, true),
        ]
    );
    let left: Vec<u64> = whole["findings"].as_array().unwrap().iter().filter_map(|it| it["line"].as_u64()).collect();
    assert_eq!(left, [8, 22], "the tasks that name no file");
    // For people, tasks stand beside files.
    let ran = repo.run(&["plan", FOLDER]);
    ran.changed_nothing();
    let line = ran.out.lines().find(|line| line.starts_with("src/cli.py")).unwrap_or_else(|| panic!("{ran}"));
    assert!(line.ends_with("T004, T006"), "{line}");
    let done = ran.out.lines().find(|line| line.starts_with("src/albums/__init__.py")).unwrap();
    assert!(done.contains("not made"), "{done}");
    leaves(&ran, &["T002", "T007"]);
}

#[test]
fn tasks_are_chosen_by_id_range_phase_and_story() {
    let repo = spec_kit();
    let (model, cli, orders) = ("src/albums/model.py T003", "src/cli.py T004,T006", "src/albums/orders.py T005");
    let tick = |ids: &str| format!("{LIST} {ids}");
    for (choice, expected) in [
        (&["--story", "US1"][..], vec![model.into(), cli.into(), tick("T003,T004")]),
        (&["--story", "2"], vec![cli.into(), orders.into(), tick("T005,T006")]),
        (&["--phase", "3"], vec![cli.into(), orders.into(), tick("T005,T006")]),
        (&["--tasks", "T003"], vec![model.into(), tick("T003")]),
        (&["--tasks", "T003-T005"], vec![model.into(), cli.into(), orders.into(), tick("T003,T004,T005")]),
        (&["--tasks", "t003,T005"], vec![model.into(), orders.into(), tick("T003,T005")]),
        (&["--tasks", "T003-T005", "--story", "US2"], vec![orders.into(), tick("T005")]),
        (&["--tasks", "T007"], vec![]),
    ] {
        assert_eq!(selected(&plan(&repo, &[choice, &[FOLDER]].concat())), expected, "{choice:?}");
    }
    for (choice, message) in [
        (["--tasks", "T009"], "error: the list has no task 'T009'\n"),
        (["--phase", "9"], "error: the list has no phase '9'\n"),
        (["--story", "US9"], "error: the list has no story 'US9'\n"),
    ] {
        repo.run(&[&choice[..], &["-n", FOLDER]].concat()).refused(1).says("the list has no").says(&message[7..]);
        repo.implement(&[&choice[..], &[FOLDER]].concat()).refused_at_once(1);
    }
    // Whoever names a task names its parts.
    assert_eq!(
        selected(&plan(&kiro(), &["--tasks", "1", ".kiro/specs/alerts"])),
        ["src/alert.py 1.1", "src/store.py 1.2", ".kiro/specs/alerts/tasks.md 1,1.1,1.2"]
    );
    assert_eq!(
        selected(&plan(&openspec(), &["--tasks", "1.2", "openspec/changes/add-totals"])),
        ["src/report.py 1.2", "openspec/changes/add-totals/tasks.md 1.2"]
    );
}

#[test]
fn of_a_file_only_the_chosen_tasks_are_asked_for() {
    let repo = spec_kit();
    let ran = repo.implement(&["--story", "US1", FOLDER]);
    ran.published(BRANCH);
    assert_eq!(
        commits(&repo, &format!("main..{BRANCH}")),
        ["T003: src/albums/model.py", "T004: specs/001-albums/tasks.md src/cli.py"]
    );
    assert_eq!(text(&repo, BRANCH, LIST), ticked(TASKS, &["T003", "T004"]));
    let prompt = repo.prompt("src/cli.py");
    assert!(prompt.contains("> T004: Add the command `album`") && !prompt.contains("> T006: "), "{prompt}");
    assert!(prompt.contains("Now it is for task T004 of the list alone."), "{prompt}");
}

#[test]
fn what_a_task_depends_on_comes_first_and_a_cycle_is_an_error() {
    let late = TASKS.replace("(depends on T003)", "(depends on T005)");
    let repo = with_list(&late);
    repo.implement(&[FOLDER]).published(BRANCH);
    let order: Vec<String> = repo.asked().iter().filter_map(|line| line.split(' ').next().map(str::to_owned)).collect();
    assert_eq!(order, ["src/albums/model.py", "src/albums/orders.py", "src/cli.py"]);

    let cycle = TASKS.replace("src/albums/model.py\n", "src/albums/model.py (depends on T004)\n");
    let repo = with_list(&cycle);
    let ran = repo.implement(&[FOLDER]);
    ran.refused_at_once(1).says("tasks depend on each other: T003 -> T004 -> T003\n").says("hint: take one of these");
    assert!(repo.asked().is_empty());
    // Who chooses around it gets what is chosen, and is told.
    let ran = repo.implement(&["--tasks", "T003", FOLDER]);
    ran.published(BRANCH);
    ran.says("warning: specs/001-albums/tasks.md:12: task T003 depends on T004, which is neither done nor chosen\n");
}

#[test]
fn over_the_cap_the_parts_are_proposed_and_each_of_them_can_be_made() {
    let mut repo = spec_kit();
    repo.set("GIT_IMPLEMENT_MAX_FILES", "2");
    let ran = repo.implement(&[FOLDER]);
    ran.refused_at_once(1).says("the design lists 3 files, more than 2\n");
    ran.says("hint: make it in parts: --story US1 (2 files), --story US2 (2 files), --phase 2 (2 files), --phase 3 (2 files)");
    repo.implement(&["--story", "US2", FOLDER]).published(BRANCH);
}

#[test]
fn the_documents_are_shown_in_their_order_and_what_has_no_room_is_left_out_and_said() {
    let mut repo = spec_kit();
    let ran = repo.implement(&["--tasks", "T003", "-b", "whole", FOLDER]);
    ran.published("whole");
    let prompt = repo.prompt("src/albums/model.py");
    let design = prompt.split("</design>").next().unwrap();
    let places: Vec<usize> =
        DOCUMENTS.iter().map(|(name, _)| design.find(&format!("`{FOLDER}/{name}`:")).expect(name)).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(DOCUMENTS.iter().all(|(_, text)| design.contains(text)));
    assert!(design.find(&format!("The list of tasks, `{LIST}`")).unwrap() > *places.last().unwrap());
    assert!(!design.contains("is it testable"), "checklists are about the documents");
    assert!(!ran.err.contains("is not shown"), "{ran}");

    repo.write("specs/001-albums/research.md", "others have folders ".repeat(4000));
    repo.commit("Look further");
    repo.set("GIT_IMPLEMENT_CONTEXT_WINDOW", "30000");
    let ran = repo.implement(&["--tasks", "T003", FOLDER]);
    ran.published(BRANCH);
    ran.says("'specs/001-albums/research.md' is not shown to the model: the design is too long for it\n");
    let prompt = repo.prompt("src/albums/model.py");
    assert!(!prompt.contains("others have folders") && prompt.contains("type album"), "the next one fits");
}

#[test]
fn folder_list_and_revision_name_the_same_design() {
    let mut repo = spec_kit();
    let tip = repo.tip("main");
    for (branch, argument) in [
        ("folder", FOLDER),
        ("slash", "specs/001-albums/"),
        ("list", LIST),
        ("rev", "main:specs/001-albums"),
        ("revlist", "main:specs/001-albums/tasks.md"),
        ("id", &format!("{tip}:specs/001-albums/")),
    ] {
        repo.implement(&["--tasks", "T003", "-b", branch, argument]).published(branch);
        assert_eq!(commits(&repo, &format!("main..{branch}")), ["T003: specs/001-albums/tasks.md src/albums/model.py"]);
        assert!(repo.prompt("src/albums/model.py").contains("people make albums"), "{argument}");
    }
    // From a folder below the root.
    let provider = repo.provider();
    let ran = repo.run_in(&repo.dir.join("specs"), &["--provider", "command", "--command", &provider, "001-albums"]);
    ran.published(BRANCH);

    let bare = repo.place("bare.git");
    repo.git(&["clone", "--quiet", "--bare", "--single-branch", "--branch=main", ".", bare.to_str().unwrap()]);
    repo.dir = bare;
    repo.git(&["config", "user.name", "A U Thor"]);
    repo.git(&["config", "user.email", "author@example.com"]);
    let ran = repo.implement(&[FOLDER]);
    ran.published(BRANCH);
    assert_eq!(text(&repo, BRANCH, LIST), ticked(TASKS, &["T003", "T004", "T005", "T006"]));
    repo.sound();
}

#[test]
fn a_folder_without_a_list_is_no_design() {
    let repo = Repo::of(&[("specs/002-x/spec.md", "words\n")]);
    repo.implement(&["specs/002-x"]).refused_at_once(128).says("tasks.md");
}

#[test]
fn a_list_for_one_part_of_the_repository_is_read_from_there() {
    let list = "# Tasks\n\n- [ ] T001 Create the model in src/albums/model.py\n\
                - [ ] T002 Add the command to src/cli.py\n- [ ] T003 Note it in docs/notes.md\n";
    let repo = Repo::of(&[
        ("app/src/cli.py", CLI),
        ("app/src/albums/__init__.py", ""),
        ("docs/readme.md", "words\n"),
        ("specs/001-albums/tasks.md", list),
    ]);
    repo.answer("app/src/albums/model.py", fenced(&module("model")));
    repo.answer("app/src/cli.py", fenced(CLI_WHOLE));
    repo.answer("docs/notes.md", "````markdown\n# Notes\n\nAlbums have names.\n````\n");
    let ran = repo.implement(&[FOLDER]);
    ran.published(BRANCH);
    assert_eq!(repo.subjects(BRANCH), ["Add app/src/albums/model.py", "Modify app/src/cli.py", "Add docs/notes.md"]);
    ran.says("'src/cli.py' is taken to be 'app/src/cli.py', which is where the tree has its like\n");
    ran.says("'src/albums/model.py' is taken to be 'app/src/albums/model.py'");
    assert_eq!(text(&repo, BRANCH, LIST), ticked(list, &["T001", "T002", "T003"]));
}

/// The words of a plan, less numbers: estimates change with every word of a prompt.
fn words(plan: &str) -> Vec<&str> {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('.');
    plan.split_whitespace().filter(|word| !is_number(word) && !["line,", "lines,", "B", "kB"].contains(word)).collect()
}

#[test]
fn the_pages_for_users_of_the_tools_show_what_the_program_prints() {
    let page = |name: &str| std::fs::read_to_string(crate::repo::fixture("../doc").join(name)).unwrap();
    let block = |page: &str, open: &str| -> String {
        let start = page.find(open).expect("a fence") + open.len();
        page[start..].split("```").next().unwrap().to_owned()
    };
    let loans = [("src/loans.ts", "export interface Loan {}\n"), ("src/desk.ts", "export const DESK = 1;\n")];
    let with = |list: &str, text: &str| {
        let repo = Repo::of(&loans);
        repo.write(list, text);
        repo.commit("Plan");
        repo
    };
    for (name, folder, opens) in [
        ("SPEC-KIT.md", "specs/002-shared-load", ["", "```\nspecs/"]),
        ("KIRO.md", ".kiro/specs/late-fees", ["```markdown\n", "```\n.kiro/"]),
        ("OPENSPEC.md", "openspec/changes/add-late-fees", ["```markdown\n", "```\nopenspec/"]),
    ] {
        let text = page(name);
        let repo = match opens[0] {
            "" => Repo::fixture("demo-spec-kit"),
            open => with(&format!("{folder}/tasks.md"), &block(&text, open)),
        };
        let ran = repo.run(&["plan", folder]);
        ran.changed_nothing();
        let said: String =
            ran.err.lines().filter(|line| !line.ends_with("is new")).map(|line| format!("{line}\n")).collect();
        let shown = format!("{}{}", opens[1].trim_start_matches("```\n"), block(&text, opens[1]));
        assert_eq!(words(&format!("{}{said}", ran.out)), words(&shown), "{name}");
    }
}
