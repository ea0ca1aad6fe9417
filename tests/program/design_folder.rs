//! A folder as a design: its plan, or several plans one after the other, with what stands beside them.

use crate::lists::{fenced, module, plan, selected};
use crate::repo::Repo;

const FIRST: &str = "# Phase 1: The bell\n\n**Files:**\n- Create: `src/bell.py`\n";
const SECOND: &str = "# Phase 2: The rope\n\n**Files:**\n- Create: `src/rope.py`\n- Modify: `src/bell.py`\n";

fn with(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::of(files);
    for name in ["bell", "rope"] {
        repo.answer(&format!("src/{name}.py"), fenced(&module(name)));
    }
    repo
}

fn phases() -> Repo {
    with(&[
        ("docs/phases/02-rope.md", SECOND),
        ("docs/phases/01-bell.md", FIRST),
        ("docs/phases/README.md", "A tower wants to be heard.\n"),
    ])
}

#[test]
fn numbered_plans_are_one_design_in_their_order() {
    let repo = phases();
    let ran = repo.implement(&["docs/phases/"]);
    let run = ran.published("implement/phases");
    assert_eq!(repo.subjects("implement/phases"), ["Add src/bell.py", "Add src/rope.py"]);
    let kept = format!("refs/implement/runs/{run}:design.md");
    assert_eq!(repo.git(&["cat-file", "blob", &kept]), format!("{FIRST}{SECOND}").trim_end());
    let trailer = repo.git(&["log", "-1", "--format=%(trailers:key=Implements,valueonly)", "implement/phases"]);
    assert_eq!(trailer.trim(), format!("docs/phases@{}", repo.git(&["rev-parse", &kept])));
    let prompt = repo.prompt("src/rope.py");
    assert!(prompt.contains("A tower wants to be heard.") && prompt.contains("# Phase 1: The bell"), "{prompt}");
    repo.sound();
}

#[test]
fn a_run_of_a_folder_goes_on_with_all_of_it() {
    let single = with(&[
        ("docs/bell/plan.md", "# Ring\n\n**Files:**\n- Create: `src/bell.py`\n- Create: `src/rope.py`\n"),
        ("docs/bell/spec.md", "People hear it.\n"),
    ]);
    for (repo, folder, branch) in
        [(single, "docs/bell", "implement/bell"), (phases(), "docs/phases", "implement/phases")]
    {
        repo.answer("src/rope.py", "Done.\n");
        repo.implement(&[folder]).refused(1);
        repo.answer("src/rope.py", fenced(&module("rope")));
        repo.implement(&["--continue"]).published(branch);
        let asked = repo.asked();
        assert_eq!(asked.iter().filter(|line| line.starts_with("src/bell.py")).count(), 1, "{asked:?}");
    }
}

#[test]
fn what_is_wrong_with_several_plans_is_said_with_the_document_and_its_line() {
    let repo = phases();
    repo.write("src/rope.py", "x = 1\n");
    repo.commit("a rope");
    repo.run(&["plan", "docs/phases"]).refused(1).says("error: docs/phases/02-rope.md:4: ");
    // The tree of a commit is read in the same way.
    let of_commit = plan(&repo, &["HEAD~1:docs/phases", "--base", "HEAD~1"]);
    assert_eq!(selected(&of_commit), ["src/bell.py ", "src/rope.py "]);
    assert_eq!(of_commit["files"][1]["line"], 8);
    let alone = plan(&repo, &["--no-repo", "docs/phases"]);
    assert_eq!((&alone["files"], &alone["lld"]), (&of_commit["files"], &"docs/phases".into()));
    let write = ["plan", "--propose", "--write", "--provider", "command", "--command", "cat", "docs/phases"];
    repo.write("docs/phases/03-end.md", "- [ ] T001 Think\n- [ ] T002 Rest\n- [ ] T003 Go\n");
    repo.run(&write).refused_at_once(1).says("it is several documents");
}

#[test]
fn a_folder_with_a_plan_is_that_plan_with_what_stands_beside_it() {
    let repo = with(&[
        ("docs/bell/implementation_plan.md", "# Ring\n\n#### [NEW] [bell.py](file:///home/ann/tower/src/bell.py)\n"),
        ("docs/bell/spec.md", "People hear it.\n"),
    ]);
    repo.implement(&["docs/bell"]).published("implement/bell");
    let prompt = repo.prompt("src/bell.py");
    let at = |text: &str| prompt.find(text).unwrap_or_else(|| panic!("{text}\n{prompt}"));
    assert!(at("People hear it.") < at("What is to be carried out, `docs/bell/implementation_plan.md`"));
}

#[test]
fn plans_of_phases_that_have_a_summary_are_not_made_again() {
    let folder = ".planning/phases";
    let repo = with(&[
        (
            &format!("{folder}/01-bell/01-01-PLAN.md"),
            "---\nfiles_modified: [src/bell.py]\n---\n\n<task><files>src/bell.py</files></task>\n",
        ),
        (&format!("{folder}/01-bell/01-01-SUMMARY.md"), "It rings.\n"),
        (
            &format!("{folder}/02-rope/02-01-PLAN.md"),
            "---\nfiles_modified: [src/rope.py]\n---\n\n<task><files>src/rope.py</files></task>\n",
        ),
    ]);
    let ran = repo.implement(&[folder]);
    ran.published("implement/phases");
    ran.says("'.planning/phases/01-bell/01-01-PLAN.md' is done: its summary is beside it");
    assert_eq!(repo.subjects("implement/phases"), ["Add src/rope.py"]);
    let done = repo.implement(&[&format!("{folder}/01-bell")]);
    done.changed_nothing().says("is done");
}

#[test]
fn a_folder_that_is_no_design_is_refused_as_before() {
    let repo = with(&[
        ("docs/notes/a.md", FIRST),
        ("specs/001-x/tasks.md", "- [ ] T001 Create src/bell.py\n"),
        ("docs/lld/7.md", FIRST),
        ("docs/lld/12.md", SECOND),
    ]);
    // Designs that have the numbers of issues are each a run of its own.
    for folder in ["docs/notes", "docs/lld", "specs", "."] {
        repo.implement(&[folder]).refused_at_once(128).says("is a directory, not a design");
    }
}
