//! Where a run starts from, which design it reads, and what its branch is called.

use crate::repo::Repo;

fn design(head: &str) -> String {
    format!(
        "{head}\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
         | `src/a.py` | Modify | Another value |\n| `src/b.py` | Add | Uses it |\n"
    )
}

fn python(text: &str) -> String {
    format!("```python\n{text}```\n")
}

/// A repository with a design of two files, and good answers for both.
fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", &design("# 3 - Two files"))]);
    repo.answer("src/a.py", python("A = 2\n"));
    repo.answer("src/b.py", python("from a import A\n\nprint(A)\n"));
    repo
}

#[test]
fn the_branch_is_named_after_the_issue_then_the_titles_number_then_the_file() {
    let repo = repo();
    for (path, head, branch) in [
        ("docs/x.md", "# 1272 - Bug\n\n* **Issue:** #272", "implement/272"),
        ("docs/LLD-324.md", "# 324 - Bug", "implement/324"),
        ("docs/LLD-325.md", "# 9 - Bug", "implement/LLD-325"),
        ("docs/the plan (final).txt", "# Some plan", "implement/the-plan-final"),
        ("docs/größe.md", "# Größe", "implement/größe"),
    ] {
        repo.write(path, design(head));
        repo.implement(&[path]).published(branch);
    }
}

#[test]
fn a_name_of_ones_own_is_taken_as_it_is_or_refused() {
    let repo = repo();
    repo.implement(&["docs/3.md", "-b", "topic/mine"]).published("topic/mine");
    for name in ["a..b", "-x", "HEAD", "a b", ""] {
        let option = format!("--branch={name}");
        repo.implement(&["docs/3.md", &option]).refused_at_once(128).says("is not a valid branch name");
    }
    repo.implement(&["docs/3.md", "-b", "topic"]).refused_at_once(128).says("branch 'topic/mine' is in the way");
    repo.git(&["branch", "implement"]);
    repo.implement(&["docs/3.md"]).refused_at_once(128).says("branch 'implement' is in the way");
}

#[test]
fn what_is_to_be_copied_is_quoted_for_the_shell() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md", "-b", "it's;new$(x)"]);
    ran.published("it's;new$(x)");
    let commands: Vec<&str> = ran.out.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert_eq!(commands.len(), 4, "{ran}");
    for command in commands {
        let output = repo.command("sh").args(["-c", command]).output().unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
    }
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Add src/b.py", "it was merged");
    assert_eq!(repo.git(&["branch", "--format=%(refname:short)"]), "main", "and dropped");
}

#[test]
fn appending_builds_on_the_branch_and_moves_it_from_its_tip() {
    let repo = repo();
    repo.git(&["branch", "work"]);
    let side = repo.git(&["commit-tree", "-m", "side", "-p", "main", "main^{tree}"]);
    repo.git(&["update-ref", "refs/heads/work", &side]);
    repo.implement(&["docs/3.md", "-b", "work", "--base", "work"]).published("work");
    assert_eq!(repo.tip("work~2"), side);
    assert_eq!(repo.subjects("work"), ["side", "Modify src/a.py", "Add src/b.py"]);
}

#[test]
fn force_replaces_the_branch_and_tells_what_it_was() {
    let repo = repo();
    repo.git(&["branch", "implement/3"]);
    let old = repo.git(&["commit-tree", "-m", "old", "-p", "main", "main^{tree}"]);
    repo.git(&["update-ref", "refs/heads/implement/3", &old]);
    let ran = repo.implement(&["docs/3.md", "--force"]);
    ran.published("implement/3");
    assert!(ran.out.contains(&old), "{ran}");
    assert_eq!(repo.tip("implement/3~2"), repo.tip("main"));
    assert_eq!(repo.tip("implement/3@{1}"), old, "the reflog has it, too");
}

#[test]
fn a_branch_that_is_checked_out_anywhere_is_never_moved() {
    let repo = repo();
    repo.git(&["branch", "implement/3"]);
    let linked = repo.place("linked");
    repo.git(&["worktree", "add", "--quiet", linked.to_str().unwrap(), "implement/3"]);
    for options in [&["--force"][..], &["-b", "implement/3", "--base", "implement/3"], &[]] {
        let ran = repo.implement(&[&["docs/3.md"], options].concat());
        ran.refused_at_once(128).says(&format!("branch 'implement/3' is checked out in '{}'", linked.display()));
    }
    let ran = repo.implement(&["docs/3.md", "-b", "main", "--base", "main"]);
    ran.refused_at_once(128).says(&format!("branch 'main' is checked out in '{}'", repo.dir.display()));
    assert!(repo.asked().is_empty());
}

#[test]
fn the_base_may_be_any_commit_and_head_stays_where_it_is() {
    let repo = repo();
    let first = repo.tip("main");
    repo.write("src/a.py", "A = 100\n");
    repo.commit("later");
    let ran = repo.implement(&["docs/3.md", "--base", "HEAD~1"]);
    ran.published("implement/3");
    assert_eq!(repo.tip("implement/3~2"), first);
    assert!(repo.prompt("src/a.py").contains("A = 1\n") && !repo.prompt("src/a.py").contains("A = 100"));
    repo.implement(&["docs/3.md", "-b", "x", "--base", "nothing"])
        .refused_at_once(128)
        .says("'nothing' is not a commit");
}

#[test]
fn a_detached_head_is_a_base_like_any_other() {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "--detach"]);
    repo.implement(&["docs/3.md"]).published("implement/3");
    assert_eq!(repo.tip("implement/3~2"), repo.tip("HEAD"));
}

#[test]
fn in_a_subdirectory_the_design_is_relative_and_planned_paths_are_not() {
    let repo = repo();
    let provider = repo.provider();
    let command = ["--provider", "command", "--command", &provider];
    let docs = repo.dir.join("docs");
    repo.run_in(&docs, &[&command[..], &["3.md"]].concat()).published("implement/3");
    assert_eq!(repo.blob("implement/3", "src/a.py"), b"A = 2\n");
    repo.run_in(&repo.dir.join("src"), &[&command[..], &["../docs/3.md", "-b", "up"]].concat()).published("up");
    repo.run_in(&docs, &[&command[..], &["docs/3.md", "-b", "no"]].concat()).refused_at_once(128);
}

#[test]
fn paths_choose_among_the_planned_files() {
    let repo = repo();
    repo.implement(&["docs/3.md", "--", "src/b.py"]).published("implement/3");
    assert_eq!(repo.subjects("implement/3"), ["Add src/b.py"]);
    let ran = repo.implement(&["docs/3.md", "-b", "none", "--", "src/c.py"]);
    ran.refused_at_once(1).says("src/c.py");
    repo.implement(&["docs/3.md", "-b", "one", "--", "src/a.py", "src/c.py"]).refused_at_once(1).says("src/c.py");
    assert_eq!(repo.asked(), ["src/b.py whole 1"]);
}

#[test]
fn a_design_of_a_revision_is_read_from_there() {
    let repo = repo();
    let old = repo.tip("main");
    repo.git(&["rm", "--quiet", "docs/3.md"]);
    repo.commit("without the design");
    let name = format!("{old}:docs/3.md");
    repo.implement(&[&name]).published("implement/3");
    let blob = repo.git(&["rev-parse", &name]);
    let trailers = repo.git(&["log", "-1", "--format=%(trailers:key=Implements,valueonly)", "implement/3"]);
    assert_eq!(trailers.trim_end(), format!("docs/3.md@{blob}"));
    repo.implement(&["main:docs/none.md"]).refused_at_once(128).says("cannot find the design 'main:docs/none.md'");
}

#[test]
fn a_bare_repository_is_served() {
    let mut repo = repo();
    let bare = repo.place("bare.git");
    repo.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    repo.dir = bare;
    repo.git(&["config", "user.name", "A U Thor"]);
    repo.git(&["config", "user.email", "author@example.com"]);
    repo.implement(&["docs/3.md"]).published("implement/3");
    assert_eq!(repo.blob("implement/3", "src/a.py"), b"A = 2\n");
    repo.implement(&["main:docs/3.md", "-b", "again"]).published("again");
    repo.sound();
}

#[test]
fn a_linked_worktree_is_served_and_stays_as_it_is() {
    let repo = repo();
    let linked = repo.place("linked");
    repo.git(&["worktree", "add", "--quiet", "-b", "side", linked.to_str().unwrap()]);
    let provider = repo.provider();
    let arguments = ["--provider", "command", "--command", &provider, "docs/3.md"];
    repo.run_in(&linked, &arguments).published("implement/3");
    assert_eq!(repo.tip("implement/3~2"), repo.tip("side"));
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 2);
    // Whoever calls from a hook has git's variables set.
    let mut repo = repo;
    repo.set("GIT_DIR", repo.git_dir().join("worktrees/linked").to_str().unwrap().to_owned());
    repo.set("GIT_WORK_TREE", linked.to_str().unwrap().to_owned());
    repo.run_in(&linked, &[&arguments[..], &["-b", "hooked"]].concat()).published("hooked");
    let environment = std::fs::read_to_string(repo.place("asked/environment")).unwrap();
    assert!(!environment.contains("GIT_DIR=") && !environment.contains("GIT_WORK_TREE="), "{environment}");
}

#[test]
fn a_planned_file_with_uncommitted_changes_is_warned_of_and_the_bases_version_is_used() {
    let repo = repo();
    repo.write("src/a.py", "A = 50\n");
    repo.write("src/c.py", "unplanned = 1\n");
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says("warning: ").says("'src/a.py'");
    assert!(!ran.err.contains("src/c.py"), "{ran}");
    assert!(repo.prompt("src/a.py").contains("A = 1\n") && !repo.prompt("src/a.py").contains("A = 50"));
    assert_eq!(std::fs::read(repo.dir.join("src/a.py")).unwrap(), b"A = 50\n");
}

#[test]
fn what_is_uncommitted_is_so_beside_head_whatever_the_run_starts_from() {
    let repo = repo();
    repo.write("src/a.py", "A = 50\n");
    repo.git(&["commit", "--quiet", "-am", "Later"]);
    let ran = repo.implement(&["docs/3.md", "--base", "HEAD~1"]);
    ran.published("implement/3");
    assert!(!ran.err.contains("uncommitted"), "{ran}");
    repo.write("src/a.py", "A = 1\n");
    repo.implement(&["docs/3.md", "--base", "HEAD~1", "-b", "again"]).says("'src/a.py' has uncommitted changes");
}

#[test]
fn a_design_that_is_not_committed_is_noted_and_kept_in_the_record() {
    let repo = repo();
    let text = design("# 8 - Not committed");
    repo.write("docs/8.md", &text);
    let ran = repo.implement(&["docs/8.md"]);
    let run = ran.published("implement/8");
    ran.says("note: 'docs/8.md' is not in the base; it is kept in the run's record\n");
    assert_eq!(repo.blob(&format!("refs/implement/runs/{run}"), "design.md"), text.as_bytes());
    let named = repo.git(&["log", "-1", "--format=%(trailers:key=Implements,valueonly)", "implement/8"]);
    let blob = named.trim_end().strip_prefix("docs/8.md@").unwrap();
    assert_eq!(repo.git(&["cat-file", "blob", blob]), text.trim_end(), "the trailer's blob is in the repository");

    let text = text.replace("Not committed", "Changed");
    repo.write("docs/3.md", &text);
    let ran = repo.implement(&["docs/3.md", "-b", "changed"]);
    let run = ran.published("changed");
    ran.says("note: 'docs/3.md' differs from the base's; this version is used");
    assert_eq!(repo.blob(&format!("refs/implement/runs/{run}"), "design.md"), text.as_bytes());
}

#[test]
fn one_branch_for_several_designs_is_a_usage_error() {
    let repo = repo();
    repo.write("docs/4.md", design("# 4 - Other"));
    repo.implement(&["docs/3.md", "docs/4.md", "-b", "x"]).refused_at_once(129).says("-b names one branch");
    let ran = repo.implement(&["docs/3.md", "docs/4.md"]);
    assert_eq!(ran.status, Some(0), "{ran}");
    let branches: Vec<&String> = ran.refs.keys().filter(|name| name.starts_with("refs/heads/")).collect();
    assert_eq!(branches, ["refs/heads/implement/3", "refs/heads/implement/4"]);
}

#[test]
fn a_design_outside_the_repository_is_refused() {
    let repo = repo();
    let outside = repo.place("design.md");
    std::fs::write(&outside, design("# 3 - Outside")).unwrap();
    for name in [outside.to_str().unwrap(), "../design.md"] {
        repo.implement(&[name]).refused_at_once(128).says("is outside the repository at");
    }
    std::os::unix::fs::symlink(&outside, repo.dir.join("docs/link.md")).unwrap();
    repo.implement(&["docs/link.md"]).refused_at_once(128).says("is a symbolic link");
    repo.implement(&["docs"]).refused_at_once(128).says("is a directory");
    repo.implement(&["docs/none.md"]).refused_at_once(128).says("cannot find the design 'docs/none.md'");
}
