//! The demo: what a newcomer sees first runs on recorded replies, which go stale with every change of a prompt.

use crate::language_servers;
use assert_cmd::Command;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// What the demo does: its folder of fixtures, its own option, what it carries out, the branch, how often it asks.
struct Scenario {
    folder: &'static str,
    option: &'static [&'static str],
    arguments: &'static [&'static str],
    branch: &'static str,
    /// How many replies are recorded, with what a language server leads to.
    recorded: usize,
}

const DESIGN: Scenario =
    Scenario { folder: "demo", option: &[], arguments: &["docs/lld/7.md"], branch: "implement/7", recorded: 8 };

const SPEC_KIT: Scenario = Scenario {
    folder: "demo-spec-kit",
    option: &["--spec-kit"],
    arguments: &["specs/002-shared-load", "--commit", "per-task"],
    branch: "implement/002-shared-load",
    recorded: 7,
};

impl Scenario {
    fn fixtures(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(self.folder)
    }

    /// Runs the demo in `root`, where there is a language server for Python that finds lines with `wrong` in them wrong.
    fn run(&self, root: &Path, wrong: &[&str]) -> Output {
        let mut program = program();
        program.env("PATH", path(&root.with_extension("servers"), wrong));
        program.arg("demo").args(self.option).arg(root).output().unwrap()
    }
}

/// The program, with nothing of the person's who runs the tests.
fn program() -> Command {
    let mut command = Command::cargo_bin("git-implement").unwrap();
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", "/nonexistent");
    command
}

/// The PATH with that server in `folder` before all others.
fn path(folder: &Path, wrong: &[&str]) -> OsString {
    let told: Vec<String> = wrong.iter().map(|text| format!("wrong:{text}")).collect();
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    language_servers::place(folder, "pyright-langserver", &folder.join("log"), &told);
    let mut path = OsString::from(folder);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    path
}

/// What is wrong in the module that the demo adds, and how it is to be.
const WRONG: &str = "    def over(self) -> Amount:";
const RIGHT: &str = "    def over(self) -> bool:";
/// The recorded answer to whatever is said of it.
const REPAIR: &str = "type-error";

fn git(root: &Path, arguments: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    let Output { status, stdout, stderr } = git.args(arguments).current_dir(root).output().unwrap();
    assert!(status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// Runs a scenario, which must end well. What it says for people to do next.
#[track_caller]
fn done(scenario: &Scenario, root: &Path) -> String {
    done_with(scenario, root, &[])
}

/// The same where a server finds these lines wrong.
#[track_caller]
fn done_with(scenario: &Scenario, root: &Path, wrong: &[&str]) -> String {
    let run = scenario.run(root, wrong);
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(
        run.status.code(),
        Some(0),
        "if the recorded replies are stale, record them again:\n\
         cargo test --test program demo -- --ignored\n{said}"
    );
    assert!(said.contains(&format!("\ngit implement {}\n", scenario.arguments.join(" "))), "{said}");
    assert_eq!(git(root, &["status", "--porcelain"]), "");
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn the_demo_makes_a_branch_of_checked_commits_from_its_recorded_replies() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("demo");
    let shown = done(&DESIGN, &root);
    let subjects = git(&root, &["log", "--reverse", "--format=%s", "main..implement/7"]);
    assert_eq!(
        subjects.lines().collect::<Vec<_>>(),
        ["Modify ledger/journal.py", "Add ledger/budget.py", "Modify ledger/cli.py", "Add tests/test_budget.py"]
    );
    assert!(git(&root, &["show", "implement/7:ledger/budget.py"]).contains(WRONG));
    assert!(shown.contains("git log -p --reverse"), "it says how to look at the branch: {shown}");
    does_as_proposed(&root, &shown);
}

#[test]
fn the_demo_mends_a_type_error_that_a_server_finds() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("demo");
    // What nobody has recorded an answer to is left as it is.
    done_with(&DESIGN, &root, &[WRONG, "class Budget:"]);
    let module = git(&root, &["show", "implement/7:ledger/budget.py"]);
    assert!(module.contains(RIGHT) && !module.contains(WRONG), "{module}");
    assert_eq!(git(&root, &["rev-list", "--count", "main..implement/7"]).trim(), "4");
    // Whoever reviews hears of it.
    let run = git(&root, &["for-each-ref", "--format=%(refname:lstrip=3)", "refs/implement/runs"]);
    let said = |arguments: &[&str]| {
        let output = program().current_dir(&root).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for shown in [["show", run.trim()].as_slice(), &["review"], &["review", "--html", "-"]] {
        let text = said(shown);
        assert!(text.contains("Went back with 1 finding of pyright; what came back was kept"), "{shown:?}: {text}");
        assert!(text.contains("pyright finds no new error"), "{shown:?}: {text}");
    }
}

/// Wherever prompts, prices or replies change, the first screen of the README does.
#[test]
fn what_the_readme_says_that_the_demo_costs_is_what_the_program_says() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("demo");
    let shown = done(&DESIGN, &root);
    let record = git(&root, &["for-each-ref", "--format=%(refname)", "refs/implement/runs"]);
    let events = git(&root, &["show", &format!("{}:events.jsonl", record.trim())]);
    let events = events.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let prompts: u64 = events.filter_map(|event| event["prompt_tokens"].as_u64()).sum();
    let replies = git(&root, &["ls-tree", "-r", "--name-only", &format!("{}:replies", record.trim())]);
    let replies = replies.lines().map(|name| {
        let reply = git(&root, &["show", &format!("{}:replies/{name}", record.trim())]);
        let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
        let parts = reply["replies"][0]["text"].as_array().unwrap().iter();
        parts.map(|part| part.as_str().unwrap().len()).sum::<usize>()
    });
    let replies: usize = replies.sum();
    let plan = ["plan", "--provider", "anthropic", "--model", "claude-sonnet-5", "docs/lld/7.md"];
    let plan = String::from_utf8(program().current_dir(&root).args(plan).output().unwrap().stdout).unwrap();
    let foot = plan.lines().find(|line| line.trim_start().starts_with("4 files")).unwrap_or_default();
    let cost = foot.split_whitespace().last().unwrap_or_default();
    let readme = include_str!("../../README.md").split("## Try it").next().unwrap().replace('\n', " ");
    for said in [
        format!("about {},000 tokens of prompts", (prompts + 500) / 1000),
        format!("replies of {} kB, some {},000 tokens", (replies + 500) / 1000, (replies / 4 + 500) / 1000),
        format!("says {cost} for it"),
    ] {
        assert!(readme.contains(&said), "the README does not say '{said}'");
    }
    assert!(shown.contains(" 572 insertions(+)") && readme.contains("572 new lines in four files"), "{shown}");
}

#[test]
fn the_demo_of_spec_kit_makes_a_commit_for_each_task_and_ticks_them() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("demo");
    let shown = done(&SPEC_KIT, &root);
    let branch = SPEC_KIT.branch;
    let commits = git(
        &root,
        &["log", "--reverse", "--format=%(trailers:key=Task,valueonly,separator=%x2C)", &format!("main..{branch}")],
    );
    assert_eq!(commits.lines().collect::<Vec<_>>(), ["T001", "T002", "T003", "T004", "T005", "T006", "T007"]);
    let list = git(&root, &["diff", "-U0", "main", branch, "--", "specs"]);
    let added: Vec<&str> = list.lines().filter(|line| line.starts_with("+-")).map(|line| &line[..11]).collect();
    assert_eq!(
        added,
        ["+- [x] T001", "+- [x] T002", "+- [x] T003", "+- [x] T004", "+- [x] T005", "+- [x] T006", "+- [x] T007"]
    );
    assert!(git(&root, &["show", &format!("{branch}:specs/002-shared-load/tasks.md")]).contains("- [ ] T008"));
    // Two tasks touch the command line, one after the other.
    let twice = git(&root, &["log", "--format=%s", &format!("main..{branch}"), "--", "src/cli.ts"]);
    assert_eq!(twice.lines().map(|subject| &subject[..4]).collect::<Vec<_>>(), ["T006", "T004"]);
    does_as_proposed(&root, &shown);
}

/// Does what the demo proposes at its end: every command of it works, and the last one makes the page.
#[track_caller]
fn does_as_proposed(root: &Path, shown: &str) {
    for command in shown.lines().filter_map(|line| line.trim().strip_prefix("git ")) {
        let command: Vec<&str> = command.split("  #").next().unwrap_or_default().split_whitespace().collect();
        match command.split_first() {
            Some((&"implement", rest)) => drop(program().args(rest).current_dir(root).assert().success()),
            Some((&("log" | "diff"), _)) => assert_ne!(git(root, &command), "", "{command:?}"),
            _ => {}
        }
    }
    assert!(fs::read_to_string(root.join("review.html")).unwrap().starts_with("<!DOCTYPE html>"), "{shown}");
}

#[test]
fn the_demos_module_is_large_enough_to_be_modified_by_edits() {
    let module = fs::read_to_string(DESIGN.fixtures().join("repo/ledger/journal.py")).unwrap();
    assert!(module.lines().count() > 800 && module.len() > 15_000);
}

#[test]
fn a_folder_that_is_not_empty_is_not_made_a_demo_of() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine"), "x").unwrap();
    let run = program().arg("demo").arg(folder.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(128));
    assert!(String::from_utf8_lossy(&run.stderr).contains("is not empty"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Not a test of the program: run it by name, with `--ignored`, after a change of a prompt, of a demo's repository or of
/// its answers.
#[test]
#[ignore = "records the demos' replies again"]
fn record_the_demos_replies_again() {
    for scenario in [DESIGN, SPEC_KIT] {
        record(&scenario);
    }
}

/// Records what `answers/<path>.md` says, or `answers/<path>.<format>.md` for a file that is asked for in another form the
/// second time, or `answers/<path>.<attempt>.md` for one whose first reply is refused; then the same where a server finds what
/// is wrong.
fn record(scenario: &Scenario) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("demo");
    // Stale replies fail, but the repository is made before that.
    scenario.run(&root, &[]);
    let answers = scenario.fixtures().join("answers");
    let answer = format!(
        "sh -c 'cat >/dev/null; cd \"{}\"; cat \"$GIT_IMPLEMENT_PATH.$GIT_IMPLEMENT_ATTEMPT.md\" 2>/dev/null || \
         cat \"$GIT_IMPLEMENT_PATH.$GIT_IMPLEMENT_FORMAT.md\" 2>/dev/null || cat \"$GIT_IMPLEMENT_PATH.md\"'",
        answers.display()
    );
    let replies = scenario.fixtures().join("replies");
    let _ = fs::remove_dir_all(&replies);
    for wrong in [&[][..], &[WRONG]] {
        if !git(&root, &["branch", "--list", scenario.branch]).is_empty() {
            git(&root, &["branch", "-D", scenario.branch]);
        }
        let command = program()
            .env("PATH", path(&root.with_extension("servers"), wrong))
            .args(["--command", &answer, "--yes", "--record"])
            .arg(&replies)
            .args(scenario.arguments)
            .current_dir(&root)
            .output()
            .unwrap();
        assert!(command.status.success(), "{}", String::from_utf8_lossy(&command.stderr));
    }
    let paths = fs::read_dir(&replies).unwrap().map(|entry| entry.unwrap().path());
    let paths: Vec<PathBuf> = paths.collect();
    assert_eq!(paths.len(), scenario.recorded);
    for path in paths {
        let mut reply: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        if reply["replies"][0]["text"].to_string().contains(RIGHT) {
            reply["key"] = REPAIR.into();
            fs::write(replies.join(format!("{REPAIR}.json")), serde_json::to_string_pretty(&reply).unwrap() + "\n")
                .unwrap();
            fs::remove_file(path).unwrap();
        }
    }
}
