//! Where records of runs are and are not, and how they go away.

use crate::repo::Repo;
use std::fs;

const DESIGN: &str = "# 3 - Two\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo
}

#[test]
fn a_record_goes_nowhere_with_a_push_of_the_branch_or_a_clone() {
    let repo = repo();
    repo.implement(&["docs/3.md"]).published("implement/3");
    let bare = repo.place("bare.git");
    let bare = bare.to_str().unwrap();
    repo.git(&["init", "--quiet", "--bare", bare]);
    repo.git(&["push", "--quiet", bare, "implement/3"]);
    repo.git(&["push", "--quiet", "--all", bare]);
    let clone = repo.place("clone");
    let from = format!("file://{}", repo.dir.display());
    repo.git(&["clone", "--quiet", &from, clone.to_str().unwrap()]);
    for place in [bare, clone.to_str().unwrap()] {
        let refs = repo.git(&["-C", place, "for-each-ref", "--format=%(refname)"]);
        assert!(refs.contains("implement/3") && !refs.contains("refs/implement/"), "{refs}");
    }
}

/// The commands are those of `doc/SECURITY.md`.
#[test]
fn records_are_gone_after_the_commands_that_the_page_names_and_the_branch_stays() {
    let repo = repo();
    let run = repo.implement(&["docs/3.md"]).published("implement/3");
    repo.answer("src/a.py", "No.\n");
    let refused = repo.implement(&["docs/3.md", "-b", "other"]);
    let [failed] = &refused.refused(1).failed[..] else { panic!("{refused}") };
    let name = format!("refs/implement/runs/{run}");
    let prompt = repo.git(&["ls-tree", "-r", "--format=%(objectname)", &name]);
    let page = include_str!("../../doc/SECURITY.md");
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    assert!(commands.len() >= 3, "{commands:?}");
    for command in commands {
        let command = command.replace("refs/implement/runs/<id>", &name).replace("<id>", failed);
        let output = repo.command("sh").args(["-c", &command]).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(!repo.failed(failed).exists());
    // What the record shares with the branch, the design say, is the branch's as well.
    let kept = repo.git(&["rev-list", "--objects", "--all"]);
    for id in prompt.lines().filter(|id| !kept.contains(id)) {
        let there = repo.command("git").args(["cat-file", "-e", id]).status().unwrap();
        assert!(!there.success(), "{id} is still there");
    }
    assert!(prompt.lines().any(|id| !kept.contains(id)));
    assert_eq!(repo.blob("implement/3", "src/a.py"), b"A = 2\n");
    repo.sound();
    let implement = repo.git_dir().join("implement");
    let left: Vec<_> = fs::read_dir(implement.join("failed")).into_iter().flatten().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}
