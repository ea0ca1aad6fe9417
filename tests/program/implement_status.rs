//! The exit statuses: one test for each way in which a run can end.

use crate::repo::{Repo, Signal, is_alive};

const DESIGN: &str = "# 3 - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n| `src/b.py` | Add | Uses it |\n";

/// A repository with a design of two files, and good answers for both.
fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.answer("src/b.py", "```python\nfrom a import A\n\nprint(A)\n```\n");
    repo
}

#[test]
fn status_0_when_all_is_committed() {
    let ran = repo().implement(&["docs/3.md"]);
    ran.published("implement/3");
    assert!(ran.out.starts_with("implement/3: 2 commits, 4 insertions(+), 1 deletion(-)"), "{ran}");
    assert!(ran.out.contains("git log -p --reverse ") && ran.out.contains("git merge implement/3"), "{ran}");
}

#[test]
fn status_0_for_a_dry_run_that_asks_nobody() {
    let repo = repo();
    for option in ["-n", "--dry-run"] {
        let ran = repo.implement(&[option, "docs/3.md"]);
        ran.changed_nothing();
        assert!(ran.out.contains("src/a.py") && ran.out.contains("src/b.py"), "{ran}");
    }
    assert!(repo.asked().is_empty());
}

#[test]
fn status_1_for_a_design_with_errors() {
    let repo = repo();
    repo.write("docs/4.md", DESIGN.replace("# 3", "# 4").replace("src/a.py", "src/no.py"));
    let ran = repo.implement(&["docs/4.md"]);
    ran.refused_at_once(1).says("error: docs/4.md:7: cannot modify 'src/no.py'");
    ran.says("error: cannot implement 'docs/4.md': 1 error\n");
    repo.write("docs/5.md", "# 5 - Nothing in it\n\nJust words.\n");
    repo.implement(&["docs/5.md"]).refused_at_once(1);
    assert!(repo.asked().is_empty());
}

#[test]
fn status_1_for_a_refused_reply() {
    let repo = repo();
    repo.answer("src/b.py", "```python\ndef (\n```\n");
    repo.implement(&["docs/3.md"]).refused(1);
}

#[test]
fn status_2_when_the_provider_fails() {
    let repo = repo();
    repo.before("src/b.py", "exit 3");
    repo.implement(&["docs/3.md"]).refused(2).says("provider command 'sh' failed with status 3");
}

#[test]
fn status_2_when_the_provider_is_silent_for_too_long() {
    let mut repo = repo();
    repo.set("GIT_IMPLEMENT_COMMAND_IDLE_TIMEOUT", "1s");
    repo.before("src/a.py", "sleep 1000");
    repo.implement(&["docs/3.md"]).refused(2).says("provider command 'sh' said nothing for 1 s");
}

#[test]
fn status_3_when_the_branch_appears_during_the_run() {
    let repo = repo();
    repo.before("src/b.py", &format!("git -C '{}' branch implement/3 main", repo.dir.display()));
    let ran = repo.implement(&["docs/3.md"]);
    assert_eq!(ran.status, Some(3), "{ran}");
    ran.says("error: branch 'implement/3' moved during the run: expected none, found ");
    // It is where somebody else put it.
    assert_eq!(ran.refs.into_iter().collect::<Vec<_>>(), [("refs/heads/implement/3".to_owned(), repo.tip("main"))]);
    assert_eq!(ran.failed.len(), 1);
    let events = std::fs::read_to_string(repo.failed(&ran.failed[0]).join("events.jsonl")).unwrap();
    assert!(!events.contains("\"published\"") && events.matches("run-finished").count() == 1, "{events}");
}

#[test]
fn status_3_when_the_branch_moves_during_the_run() {
    let repo = repo();
    repo.git(&["branch", "work", "main"]);
    let other = repo.git(&["commit-tree", "-m", "other", "-p", "main", "main^{tree}"]);
    repo.before("src/b.py", &format!("git -C '{}' update-ref refs/heads/work {other}", repo.dir.display()));
    let ran = repo.implement(&["docs/3.md", "-b", "work", "--base", "work"]);
    assert_eq!(ran.status, Some(3), "{ran}");
    assert_eq!(ran.refs.into_iter().collect::<Vec<_>>(), [("refs/heads/work".to_owned(), other)]);
}

#[test]
fn status_4_when_the_next_file_would_pass_the_limit_of_tokens() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md", "--max-tokens", "100"]);
    ran.refused(4).says("asking for 'src/a.py' would bring what is used to about ").says("over --max-tokens 100\n");
    assert!(repo.asked().is_empty());
}

#[test]
fn a_limit_in_dollars_that_cannot_be_held_is_said_before_anything_is_sent() {
    let repo = repo();
    let ran = repo.implement(&["docs/3.md", "--max-cost", "1"]);
    ran.published("implement/3");
    ran.says("warning: what 'command' costs is not known: --max-cost cannot be held\nhint: --max-tokens can\n");
}

#[test]
fn status_4_when_the_next_file_would_pass_the_limit_of_money() {
    let mut repo = repo();
    repo.set("ANTHROPIC_API_KEY", "not-a-key");
    // Nobody is at that address, and nobody is asked.
    let options = ["--provider", "anthropic", "--base-url", "https://nobody.invalid", "-y", "--max-cost", "0.000001"];
    let ran = repo.run(&[&["docs/3.md"], &options[..]].concat());
    ran.refused(4).says("over --max-cost $0.000001\n").says("hint: raise it with --max-cost\n");
}

#[test]
fn status_4_when_the_prompt_does_not_fit_the_window() {
    let mut repo = repo();
    repo.set("GIT_IMPLEMENT_CONTEXT_WINDOW", "300");
    repo.implement(&["docs/3.md"])
        .refused(4)
        .says("and the model's window has room for ")
        .says("implement.contextWindow");
    assert!(repo.asked().is_empty());
}

#[test]
fn status_128_without_an_identity() {
    let repo = repo();
    repo.git(&["config", "--unset", "user.name"]);
    repo.git(&["config", "--unset", "user.email"]);
    repo.git(&["config", "user.useConfigOnly", "true"]);
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused_at_once(128).says("fatal: git does not know who makes the commits").says("hint: git config user.email");
    assert!(repo.asked().is_empty());
}

#[test]
fn status_128_on_a_branch_without_commits() {
    let repo = Repo::unborn();
    repo.write("docs/3.md", DESIGN);
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused_at_once(128).says("fatal: your current branch 'main' does not have any commits yet\nhint: ");
}

#[test]
fn status_128_when_the_branch_is_there_already() {
    let repo = repo();
    repo.git(&["branch", "implement/3"]);
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused_at_once(128).says("fatal: a branch named 'implement/3' already exists, at ");
    ran.says("hint: choose another name with -b <name>\n").says("or replace it with --force\n");
    assert!(repo.asked().is_empty());
}

#[test]
fn status_128_when_there_is_nobody_to_ask() {
    let mut repo = repo();
    repo.set("OLLAMA_HOST", "127.0.0.1:9");
    let ran = repo.run(&["docs/3.md", "--provider", "anthropic"]);
    ran.refused_at_once(128).says("ANTHROPIC_API_KEY");
    let ran = repo.run(&["docs/3.md", "--provider", "command"]);
    ran.refused_at_once(128).says("--command '<program> <arguments>'");
    let ran = repo.run(&["docs/3.md", "--replay", "nowhere"]);
    ran.refused_at_once(128).says("fatal: no folder of recorded replies at 'nowhere'");
}

#[test]
fn status_128_outside_a_repository() {
    let repo = repo();
    let ran = repo.run_in(&repo.place("home"), &["design.md"]);
    ran.refused_at_once(128).says("fatal: not a git repository").says("hint: run it inside a repository");
}

#[test]
fn status_129_for_what_is_no_command_line() {
    let repo = repo();
    for arguments in [
        &["--no-such-option", "docs/3.md"][..],
        &[],
        &["docs/3.md", "docs/3.md", "-b", "one"],
        &["docs/3.md", "--format", "prose"],
        &["docs/3.md", "--provider", "somebody"],
        &["docs/3.md", "--max-cost", "much"],
        &["verify"],
    ] {
        let ran = repo.run(arguments);
        ran.refused_at_once(129);
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn status_0_for_help_and_version_that_were_asked_for() {
    let repo = repo();
    for option in ["-h", "--version"] {
        let ran = repo.run(&[option]);
        ran.changed_nothing();
        assert!(!ran.out.is_empty() && ran.err.is_empty(), "{ran}");
    }
}

/// The program hangs; the signal ends it, the program, and everything of the run.
fn interrupted_by(signal: Signal) {
    let repo = repo();
    let (pid, child) = (repo.place("pid"), repo.place("child"));
    repo.before(
        "src/b.py",
        &format!("sleep 1000 & echo $! >'{}'; echo $$ >'{}'; wait", child.display(), pid.display()),
    );
    let ran = repo.interrupted(signal, "pid", &["docs/3.md"]);
    ran.refused(130).says("error: ").says("interrupted\n");
    for file in [pid, child] {
        let id = std::fs::read_to_string(file).unwrap();
        crate::repo::wait_for("the provider's processes to be gone", || !is_alive(&id));
    }
    assert_eq!(repo.asked(), ["src/a.py whole 1", "src/b.py whole 1"]);
    assert_eq!(ran.failed.len(), 1, "the reply that came is kept\n{ran}");
}

#[test]
fn status_130_after_an_interrupt() {
    interrupted_by(Signal::INT);
}

#[test]
fn status_130_after_a_termination() {
    interrupted_by(Signal::TERM);
}

#[test]
fn status_141_when_nobody_reads_the_result_any_more() {
    let repo = repo();
    let provider = repo.provider();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut process = repo.process(&["--provider", "command", "--command", &provider, "docs/3.md"]);
    assert_eq!(process.stdout(writer).status().unwrap().code(), Some(141));
    assert_eq!(repo.subjects("implement/3"), ["Modify src/a.py", "Add src/b.py"], "the run goes on to its end");
}

#[test]
fn with_several_designs_the_status_is_the_highest() {
    let repo = repo();
    repo.write("docs/4.md", DESIGN.replace("# 3", "# 4").replace("src/a.py", "src/no.py"));
    let ran = repo.implement(&["docs/4.md", "docs/3.md"]);
    assert_eq!(ran.status, Some(1), "{ran}");
    let names: Vec<&String> = ran.refs.keys().collect();
    assert!(names.len() == 2 && names[0] == "refs/heads/implement/3", "the other design is carried out\n{ran}");
    repo.write("docs/5.md", DESIGN.replace("# 3", "# 5"));
    let both = repo.implement(&["docs/5.md", "docs/3.md"]);
    assert_eq!(both.status, Some(128), "implement/3 is there already\n{both}");
    assert!(both.refs.contains_key("refs/heads/implement/5"), "{both}");
}
