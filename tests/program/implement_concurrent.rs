//! Runs beside each other, runs that were killed, and what becomes of what they had.

use crate::repo::{Repo, Signal, is_alive, wait_for};

fn design(number: u32) -> String {
    format!(
        "# {number} - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
         | `src/a.py` | Modify | Another value |\n| `src/b.py` | Add | Uses it |\n"
    )
}

fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", &design(3)), ("docs/4.md", &design(4))]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.answer("src/b.py", "```python\nfrom a import A\n\nprint(A)\n```\n");
    repo
}

#[test]
fn two_runs_at_once_do_not_disturb_each_other() {
    let repo = repo();
    // Each waits until the other has begun, too.
    let here = repo.place("");
    let meet = format!(
        "echo >'{0}/began.'$$; while [ $(ls '{0}' | grep -c began) -lt 2 ]; do sleep 0.02; done",
        here.display()
    );
    repo.before("src/b.py", &meet);
    let provider = repo.provider();
    let start = |lld: &str| repo.process(&["--provider", "command", "--command", &provider, lld]).spawn().unwrap();
    let runs = [start("docs/3.md"), start("docs/4.md")];
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for branch in ["implement/3", "implement/4"] {
        assert_eq!(repo.subjects(branch), ["Modify src/a.py", "Add src/b.py"]);
    }
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    assert!(!repo.git_dir().join("implement").exists());
    repo.sound();
}

#[test]
fn two_runs_for_one_branch_end_in_one_branch_and_one_status_3() {
    let repo = repo();
    let here = repo.place("");
    let meet = format!(
        "echo >'{0}/began.'$$; while [ $(ls '{0}' | grep -c began) -lt 2 ]; do sleep 0.02; done",
        here.display()
    );
    repo.before("src/b.py", &meet);
    let provider = repo.provider();
    let arguments = ["--provider", "command", "--command", &provider, "docs/3.md"];
    let runs = [(); 2].map(|()| repo.process(&arguments).spawn().unwrap());
    let mut statuses = runs.map(|run| run.wait_with_output().unwrap().status.code());
    statuses.sort();
    assert_eq!(statuses, [Some(0), Some(3)]);
    assert_eq!(repo.subjects("implement/3").len(), 2);
    assert_eq!(repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement/runs"]).lines().count(), 1);
}

#[test]
fn what_a_killed_run_left_behind_is_swept_by_the_next_and_its_journal_is_kept() {
    let repo = repo();
    repo.before(
        "src/b.py",
        &format!(
            "echo $$ >'{}'; while [ ! -e '{}' ]; do sleep 0.02; done; exit 1",
            repo.place("pid").display(),
            repo.place("end").display()
        ),
    );
    let provider = repo.provider();
    let mut run = repo.process(&["--provider", "command", "--command", &provider, "docs/3.md"]).spawn().unwrap();
    wait_for("the provider to be asked", || {
        std::fs::read_to_string(repo.place("pid")).is_ok_and(|id| id.ends_with('\n'))
    });
    run.kill().unwrap();
    run.wait().unwrap();
    let id = std::fs::read_to_string(repo.place("pid")).unwrap();
    // Nobody is left to stop the program: it is told to end, by nothing but a file.
    std::fs::write(repo.place("end"), "").unwrap();
    wait_for("the program to end", || !is_alive(&id));
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 2, "the killed run's is still registered");
    for name in std::fs::read_dir(repo.place("tmp")).unwrap() {
        std::fs::remove_dir_all(name.unwrap().path()).unwrap();
    }
    // git spares what it had, so that the run could be looked into.
    repo.git(&["gc", "--quiet", "--prune=now"]);

    std::fs::remove_file(repo.place("answers/src/b.py.sh")).unwrap();
    let again = repo.process(&["--provider", "command", "--command", &provider, "docs/3.md"]).output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    let left: Vec<String> = std::fs::read_dir(repo.git_dir().join("implement"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["failed"]);
    let kept = std::fs::read_dir(repo.failed("")).unwrap().next().unwrap().unwrap().path();
    assert!(
        kept.join("run.json").is_file() || kept.join("journal/run.json").is_file(),
        "{:?}",
        crate::repo::tree(&kept).keys()
    );
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    let told = "note: an earlier run was killed: what it was answered is kept in '";
    assert!(
        said.contains(told)
            && said.contains(&format!("hint: git implement --continue {}: go on", kept.file_name().unwrap().display())),
        "{said}"
    );
    repo.sound();
}

#[test]
fn an_interrupt_ends_a_hook_that_hangs_and_leaves_nothing() {
    let repo = repo();
    repo.hook("pre-commit", &format!("echo $$ >'{}'; sleep 1000", repo.place("pid").display()));
    let ran = repo.interrupted(Signal::INT, "pid", &["docs/3.md"]);
    ran.refused(130).says("interrupted\n");
    let id = std::fs::read_to_string(repo.place("pid")).unwrap();
    wait_for("the hook to be gone", || !is_alive(&id));
}

#[test]
fn a_second_run_after_a_refused_one_starts_from_nothing() {
    let repo = repo();
    repo.answer_at("src/b.py", 1, "No.\n");
    repo.implement(&["docs/3.md", "--repair", "0"]).refused(1);
    repo.answer_at("src/b.py", 1, "```python\nimport os\n\nprint(os.sep)\n```\n");
    repo.implement(&["docs/3.md"]).published("implement/3");
    assert_eq!(repo.blob("implement/3", "src/b.py"), b"import os\n\nprint(os.sep)\n");
}

/// A provider that does what no run may do, to see that the comparison of every test here finds it.
fn harm(script: &str) {
    let repo = repo();
    repo.before("src/a.py", &format!("cd '{}'; {script}", repo.dir.display()));
    repo.implement(&["docs/3.md"]);
}

#[test]
#[should_panic(expected = "the run changed what is the user's")]
fn the_comparison_sees_a_changed_file() {
    harm("echo 'A = 9' >src/a.py");
}

#[test]
#[should_panic(expected = "the run changed what is the user's")]
fn the_comparison_sees_a_changed_mode() {
    harm("chmod +x src/a.py");
}

#[test]
#[should_panic(expected = "the run changed what is the user's")]
fn the_comparison_sees_a_changed_index() {
    harm("git rm --quiet --cached src/a.py");
}

#[test]
#[should_panic(expected = "the run changed what is the user's")]
fn the_comparison_sees_a_moved_head() {
    harm("git checkout --quiet --detach");
}

#[test]
#[should_panic(expected = "the run changed what is the user's")]
fn the_comparison_sees_a_registered_worktree() {
    harm("git worktree add --quiet --detach ../elsewhere");
}

#[test]
#[should_panic(expected = "left behind in .git/implement")]
fn the_comparison_sees_a_leftover() {
    harm("mkdir -p .git/implement/leftover");
}
