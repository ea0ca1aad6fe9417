//! `git implement review`: which commits it is of, and what it knows of them beyond their lines.

use crate::records;
use crate::repo::{Ended, Ran, Repo};

const DESIGN: &str = "# 6 - Count\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/tally.py` | Add | `add` |\n| `src/shop.py` | Add | `Shop` |\n";

/// On the branch `main`, with the branch `implement/6` of two commits; the run's id.
fn made() -> (Repo, String) {
    let repo = Repo::of(&[("docs/6.md", DESIGN)]);
    repo.answer("src/tally.py", "```python\ndef add(a):\n    return a + 1\n```\n");
    repo.answer("src/shop.py", "```python\nclass Shop:\n    name = 'a shop'\n```\n");
    let run = repo.implement(&["docs/6.md"]).published("implement/6");
    (repo, run)
}

#[track_caller]
fn reviewed(repo: &Repo, arguments: &[&str]) -> Ran {
    let ran = repo.run(&[&["review"], arguments].concat());
    ran.changed_nothing();
    ran
}

/// The subjects of the commits that a text shows: the first line of each that is indented.
fn subjects(out: &str) -> Vec<&str> {
    let mut lines = out.lines();
    let mut subjects = Vec::new();
    while lines.any(|line| line.starts_with("commit ")) {
        subjects.extend(lines.find_map(|line| line.strip_prefix("    ")));
    }
    subjects
}

const OWN: [&str; 2] = ["Add src/tally.py", "Add src/shop.py"];

#[test]
fn what_a_branch_goes_into_has_gone_on_and_is_no_part_of_it() {
    let (repo, run) = made();
    repo.write("notes.txt", "main goes on\n");
    repo.commit("main goes on");
    repo.git(&["rebase", "-q", "main", "implement/6"]);
    for name in ["implement/6", run.as_str()] {
        assert_eq!(subjects(&reviewed(&repo, &[name]).out), OWN, "{name}");
    }
    assert_eq!(subjects(&reviewed(&repo, &[]).out), OWN, "it is checked out");
    repo.git(&["switch", "-q", "main"]);
    assert_eq!(subjects(&reviewed(&repo, &["implement/6"]).out), OWN);
    repo.implement(&["docs/6.md", "-b", "implement/6", "--force"]);
    assert_eq!(subjects(&reviewed(&repo, &["implement/6"]).out), OWN, "after another run");
}

#[test]
fn a_branch_that_came_without_its_records_is_shown_when_it_is_checked_out() {
    let (repo, _) = made();
    let clone = repo.place("clone");
    repo.git(&["clone", "-q", ".", clone.to_str().unwrap()]);
    let git = |arguments: &[&str]| repo.git(&[&["-C", clone.to_str().unwrap()], arguments].concat());
    git(&["switch", "-q", "-c", "mine", "origin/implement/6"]);
    for arguments in [&["review"][..], &["review", "mine"], &["review", "HEAD"]] {
        let ended = Ended::of(repo.process(arguments).current_dir(&clone));
        assert_eq!((ended.status, subjects(&ended.out)), (Some(0), OWN.to_vec()), "{ended}");
    }
}

#[test]
fn of_a_merge_only_what_it_has_of_itself_is_shown() {
    let (repo, _) = made();
    repo.git(&["switch", "-q", "implement/6"]);
    repo.git(&["branch", "-q", "side", "main"]);
    repo.git(&["switch", "-q", "side"]);
    repo.write("side.txt", "one\n");
    repo.write("src/shop.py", "class Shop:\n    pass\n");
    repo.commit("aside");
    repo.git(&["switch", "-q", "implement/6"]);
    let merge = repo.command("git").args(["merge", "-q", "--no-edit", "side"]).output().unwrap();
    assert!(!merge.status.success(), "both have a shop");
    repo.write("src/shop.py", "class Shop:\n    name = 'both'\n");
    repo.commit("Merge them");
    let out = reviewed(&repo, &[]).out;
    let merged = out.split("    Merge them\n").nth(1).unwrap();
    assert!(
        merged.contains("\n    it is a merge: shown are only files that differ from all of its parents\n"),
        "{out}"
    );
    assert!(merged.contains("src/shop.py: modified") && !merged.contains("side.txt"), "{out}");
}

#[test]
fn each_of_the_tasks_that_write_one_file_has_its_commit() {
    let tasks = "# Tasks: count\n\n## Phase 1\n\n- [ ] T001 Add `add` to src/tally.py\n\n## Phase 2\n\n\
                 - [ ] T002 Add `twice` to src/tally.py (depends on T001)\n";
    let repo = Repo::of(&[("specs/1-count/tasks.md", tasks), ("specs/1-count/spec.md", "# Count\n")]);
    repo.answer("src/tally.py", "```python\ndef add(a):\n    return a + 1\n```\n");
    let second = "FIND:\n```\n    return a + 1\n```\nREPLACE WITH:\n```\n    return a + 1\n\n\ndef twice(a):\n    return add(add(a))\n```\n";
    repo.answer("second", second);
    repo.before("src/tally.py", "[ $GIT_IMPLEMENT_FORMAT = whole ] || exec cat \"$ANSWERS/second.md\"");
    let ran = repo.implement(&["specs/1-count", "--commit", "per-task"]);
    ran.published("implement/1-count");
    let out = reviewed(&repo, &["implement/1-count"]).out;
    assert!(
        out.contains("specs/1-count/tasks.md:5: T001: Add `add`")
            && out.contains("specs/1-count/tasks.md:9: T002: Add `twice`"),
        "{out}"
    );
    assert!(!out.contains("no commit of it here"), "{out}");
    let page = reviewed(&repo, &["implement/1-count", "--html", "-"]).out;
    let line =
        |number: usize| page.split(&format!("<li id=\"d0-{number}\"")).nth(1).unwrap().split("</li>").next().unwrap();
    let link = |place: &str| format!("<a class=\"to\" href=\"#{place}\" data-row>→ tally.py</a>");
    assert!(line(5).contains(&link("f0-0")) && line(5).matches("→ tally.py").count() == 1, "{page}");
    assert!(line(9).contains(&link("f1-1")) && line(9).matches("→").count() == 1, "{page}");
    // Of the first commit alone.
    let out = reviewed(&repo, &["main..implement/1-count~1"]).out;
    assert!(out.contains("look first at specs/1-count/tasks.md:9: src/tally.py: no commit of it here\n"), "{out}");
}

#[test]
fn rows_that_nothing_carries_out_say_why() {
    let repo = Repo::of(&[
        ("docs/6.md", &DESIGN.replace("`src/tally.py` | Add", "`src/tally.py` | Modify")),
        ("src/tally.py", "A = 1\n"),
    ]);
    repo.write(
        "docs/6.md",
        format!("{}| `src/other.py` | Add | `Other` |\n", std::fs::read_to_string(repo.dir.join("docs/6.md")).unwrap()),
    );
    repo.commit("another row");
    repo.answer("src/tally.py", "```python\nA = 1\n```\n");
    repo.answer("src/shop.py", "```python\nclass Shop:\n    name = 'a shop'\n```\n");
    repo.implement(&["docs/6.md", "--format", "whole", "--", "src/tally.py", "src/shop.py"]).published("implement/6");
    let out = reviewed(&repo, &["implement/6"]).out;
    assert!(
        out.contains("look first at docs/6.md:7: src/tally.py: unchanged: the reply is what the file held\n"),
        "{out}"
    );
    assert!(
        out.contains("look first at docs/6.md:9: src/other.py: left out of this run\n")
            && !out.contains("docs/6.md:8: src/shop.py"),
        "{out}"
    );
    let page = reviewed(&repo, &["implement/6", "--html", "-"]).out;
    assert!(
        page.contains("<li id=\"d0-9\" class=\"row\"><span class=\"none\">(left out of this run)</span>"),
        "{page}"
    );
    assert!(
        page.contains(
            "<li><a href=\"#d0-7\">docs/6.md:7</a>: src/tally.py: unchanged: the reply is what the file held</li>"
        ),
        "{page}"
    );
    // What another run of the design makes is made.
    repo.answer("src/other.py", "```python\nclass Other:\n    name = 'other'\n```\n");
    let more = ["docs/6.md", "-b", "implement/6", "--base", "implement/6", "--", "src/other.py"];
    assert_eq!(repo.implement(&more).status, Some(0));
    let out = reviewed(&repo, &["implement/6"]).out;
    assert!(!out.contains("docs/6.md:9: src/other.py: left out"), "{out}");
    assert_eq!(out.matches("look first at docs/6.md:7: src/tally.py: ").count(), 1, "once for both runs: {out}");
}

#[test]
fn what_a_hook_changed_after_the_model_is_the_hooks() {
    let repo = Repo::of(&[("docs/6.md", DESIGN)]);
    repo.hook(
        "pre-commit",
        "grep -q formatted src/tally.py || { echo '# formatted' >>src/tally.py; git add src/tally.py; }",
    );
    repo.answer("src/tally.py", "```python\ndef add(a):\n    return a + 1\n```\n");
    repo.answer("src/shop.py", "```python\nclass Shop:\n    name = 'a shop'\n```\n");
    let run = repo.implement(&["docs/6.md"]).published("implement/6");
    let out = reviewed(&repo, &["implement/6"]).out;
    assert!(out.contains("    exactly what its record makes\n"), "{out}");
    assert!(
        out.contains("look first at src/tally.py: changed by pre-commit after the model, no test came with it\n"),
        "{out}"
    );
    assert_eq!(out.matches("(changed by 'pre-commit' after the model)\n@@").count(), 1, "{out}");
    let page = reviewed(&repo, &["implement/6", "--html", "-"]).out;
    assert!(page.contains("Made by the model, changed by 'pre-commit' after."), "{page}");
    assert!(page.contains("Made by the model.") && page.contains("Changed by 'pre-commit' after the model."), "{page}");
    let shown = repo.run(&["show", &run]);
    assert!(shown.out.contains("  made by  the model, changed by 'pre-commit' after\n"), "{shown}");
}

#[test]
fn what_a_person_took_out_or_put_beside_is_to_be_looked_at() {
    let (repo, _) = made();
    repo.git(&["switch", "-q", "implement/6"]);
    // All that the model wrote after the first line is gone: no line of the commit is a person's.
    repo.write("src/shop.py", "class Shop:\n    pass\n");
    repo.write("src/shop.py", "class Shop:\n");
    repo.git(&["commit", "-q", "-a", "--amend", "--no-edit"]);
    let out = reviewed(&repo, &[]).out;
    assert!(out.contains("look first at src/shop.py: changed by a person since, no test came with it\n"), "{out}");
    assert!(out.contains("(a person has changed this since)\n@@"), "{out}");
    let page = reviewed(&repo, &["--html", "-"]).out;
    assert!(
        page.contains("A person has changed this since:</p><details") && page.contains("-    name = &#39;a shop&#39;")
            || page.contains("-    name = 'a shop'"),
        "{page}"
    );
    repo.write("by_hand.py", "A = 1\n");
    repo.program("run.sh", "#!/bin/sh\n");
    std::os::unix::fs::symlink("/etc/passwd", repo.dir.join("link")).unwrap();
    repo.commit("by hand");
    let out = reviewed(&repo, &[]).out;
    for said in [
        "    of no run that is recorded here\n",
        "look first at by_hand.py: of no run: no gate of a run has seen it\n",
        "look first at run.sh: an executable of no run: no gate of a run has seen it\n",
        "look first at link: a symbolic link of no run: no gate of a run has seen it\n",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
}

#[test]
fn what_was_permitted_or_left_out_is_to_be_looked_at() {
    let repo = Repo::of(&[("docs/6.md", DESIGN)]);
    repo.answer("src/tally.py", "```python\ndef add(a):\n    raise NotImplementedError\n```\n");
    repo.answer("src/shop.py", "```python\nclass Shop:\n    name = 'a shop'\n```\n");
    let run = repo.implement(&["docs/6.md", "--allow", "stub", "--no-verify"]).published("implement/6");
    let out = reviewed(&repo, &["implement/6"]).out;
    for said in [
        format!("look first at run {run}: permitted: '--allow stub'\n"),
        format!("look first at run {run}: hooks were skipped\n"),
        "look first at src/tally.py: permitted: stub, no test came with it\n".to_owned(),
    ] {
        assert!(out.contains(&said), "{said}: {out}");
    }
    let page = reviewed(&repo, &["implement/6", "--html", "-"]).out;
    assert!(page.contains(&format!("<li>run {run}: hooks were skipped</li>")), "{page}");
}

#[test]
fn a_line_that_was_indented_otherwise_was_not_moved() {
    let before = "def a(x):\n    if x:\n        first = 1\n        second = 2\n        third = 3\n";
    let repo = Repo::of(&[("a.py", before)]);
    repo.write("a.py", "def a(x):\n    first = 1\n    second = 2\n    third = 3\n");
    repo.commit("dedent");
    let page = reviewed(&repo, &["HEAD~1..HEAD", "--html", "-"]).out;
    assert!(!page.contains("moved from"), "{page}");
}

#[test]
fn a_merge_that_leaves_out_what_the_other_side_did_is_to_be_looked_at() {
    let (repo, _) = made();
    repo.git(&["switch", "-q", "main"]);
    repo.write("src/fixed.py", "A = 2\n");
    repo.commit("a fix");
    repo.git(&["switch", "-q", "implement/6"]);
    repo.git(&["merge", "-q", "-s", "ours", "--no-edit", "main"]);
    let merge = repo.tip("HEAD");
    let words =
        format!("look first at src/fixed.py: merge {:.10} leaves out what one of its parents has made of it\n", merge);
    let out = reviewed(&repo, &[]).out;
    assert!(out.contains(&words), "{out}");
    assert!(
        reviewed(&repo, &["--html", "-"]).out.contains("leaves out what one of its parents"),
        "the page says so, too"
    );
    // One that takes both leaves nothing out.
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repo.git(&["merge", "-q", "--no-edit", "main"]);
    assert!(!reviewed(&repo, &[]).out.contains("leaves out"), "nothing is left out");
}

#[test]
fn a_record_that_does_not_hold_accuses_no_person() {
    let (repo, run) = made();
    records::forge(&repo, &run, |files| files.retain(|name, _| !name.starts_with("replies/")));
    let out = reviewed(&repo, &["implement/6"]).out;
    assert!(out.contains("its record was altered: ") && !out.contains("by a person since"), "{out}");
    assert!(!out.contains("a person has changed this"), "{out}");
}
