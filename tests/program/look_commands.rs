//! Commands that must pass before anything is published: what they find goes back, what they change is judged, and what
//! fails in the end is not published.

use crate::repo::{Ended, Repo, wait_for, without_programs};
use std::fs;

const TALLY: &str = "def add(values):\n    \"\"\"The sum.\"\"\"\n    return sum(values)\n";
const TEST: &str = "import unittest\n\nfrom tally import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add([1, 2]), 3)\n";
const DESIGN: &str = "# 8 - Mean\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `mean.py` | Add | `mean(values)`: the mean, 0 of nothing |\n| `test_mean.py` | Add | tests of `mean` |\n";
const WRONG: &str = "def mean(values):\n    \"\"\"The mean.\"\"\"\n    return sum(values) / len(values)\n";
const RIGHT: &str =
    "def mean(values):\n    \"\"\"The mean.\"\"\"\n    return sum(values) / len(values) if values else 0\n";
const TEST_MEAN: &str = "import unittest\n\nfrom mean import mean\n\n\nclass MeanTest(unittest.TestCase):\n    def test_mean(self):\n        self.assertEqual(mean([1, 2]), 1.5)\n\n    def test_nothing(self):\n        self.assertEqual(mean([]), 0)\n";
const VERIFY: &[&str] = &["docs/8.md", "--verify", "python3 -m unittest -q"];

fn whole(text: &str) -> String {
    format!("```python\n{text}```\n")
}

fn edit(old: &str, new: &str) -> String {
    format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n")
}

/// A project with passing tests, and a design whose first file comes wrong.
fn project() -> Repo {
    let repo = Repo::of(&[("tally.py", TALLY), ("test_tally.py", TEST), ("docs/8.md", DESIGN)]);
    repo.answer_at("mean.py", 1, whole(WRONG));
    repo.answer("test_mean.py", whole(TEST_MEAN));
    repo
}

const MENDS: (&str, &str) =
    ("    return sum(values) / len(values)", "    return sum(values) / len(values) if values else 0");

/// The design with its tests before what they test, behind `rows`.
fn tests_first(rows: &str) -> String {
    let (head, files) = DESIGN.split_once("|---|---|---|\n").unwrap();
    let files: Vec<&str> = files.lines().rev().collect();
    format!("{head}|---|---|---|\n{rows}{}\n", files.join("\n"))
}

/// The events of the only run that was published.
fn events(repo: &Repo) -> String {
    let record = repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement/runs"]);
    repo.git(&["show", &format!("{record}:events.jsonl")])
}

#[test]
fn what_a_test_finds_goes_back_and_the_file_has_one_commit() {
    let repo = project();
    repo.answer_at("mean.py", 2, edit(MENDS.0, MENDS.1));
    let ran = repo.implement(VERIFY);
    ran.published("implement/8");
    assert_eq!(repo.git(&["show", "implement/8:mean.py"]), RIGHT.trim_end());
    let subjects = repo.git(&["log", "--reverse", "--format=%s", "main..implement/8"]);
    assert_eq!(subjects, "Add mean.py\nAdd test_mean.py");
    let given = fs::read_to_string(repo.place("asked").join("mean.py.2")).unwrap();
    assert!(given.contains("ZeroDivisionError") && given.contains("test_nothing"), "{given}");
    assert!(given.contains(WRONG.trim_end()) && given.contains("# Finished: `test_mean.py`"), "{given}");
    assert!(!given.contains(repo.place("tmp").to_str().unwrap()), "no place of this machine is told: {given}");
    let events = events(&repo);
    let told: Vec<&str> =
        ["\"ran\"", "\"given-back\"", "\"mended\""].into_iter().filter(|it| events.contains(it)).collect();
    assert_eq!(told.len(), 3, "{events}");
}

#[test]
fn what_fails_in_the_end_is_not_published_and_nothing_is_left_but_the_record() {
    let repo = project();
    // Another mistake of as much weight.
    repo.answer_at("mean.py", 2, edit(MENDS.0, "    return sum(values) / len(values) if values else 1"));
    let ran = repo.implement(VERIFY);
    ran.refused(1);
    ran.says("error: 'python3 -m unittest -q' fails\n");
    ran.says("error: what was made does not pass: verify\n");
    assert_eq!(repo.git(&["branch", "--list", "implement/8"]), "");
    assert_eq!(repo.asked().len(), 3);
    // One shot asks for nothing more, and a person may permit it.
    let repo = project();
    let ran = repo.implement(&[VERIFY, &["--repair", "0", "--allow", "verify"]].concat());
    ran.published("implement/8");
    assert_eq!(repo.asked().len(), 2);
    ran.says("warning: 'python3 -m unittest -q' fails\n");
}

#[test]
fn what_fails_on_the_base_is_named_and_not_given_to_the_model() {
    let repo = project();
    repo.answer_at("mean.py", 1, whole(RIGHT));
    repo.write("test_tally.py", TEST.replace(", 3)", ", 4)"));
    repo.commit("a test that fails");
    let ran = repo.implement(VERIFY);
    ran.refused(1);
    ran.says("warning: 'python3 -m unittest -q' fails on the base already\n");
    ran.says("error: 'python3 -m unittest -q' fails, as it did on the base\n");
    ran.says("hint: it fails without the change, too: mend that first, or permit it (--allow verify)\n");
    assert!(!ran.err.contains("--repair"), "{ran}");
    assert_eq!(repo.asked().len(), 2);
}

#[test]
fn a_repair_that_makes_things_worse_is_dropped() {
    let repo = project();
    repo.answer_at("mean.py", 2, edit(MENDS.0, "    return None"));
    let ran = repo.implement(&[VERIFY, &["--allow", "verify"]].concat());
    ran.published("implement/8");
    ran.says("mean.py: what came back makes it worse, and is not taken\n");
    assert_eq!(repo.git(&["show", "implement/8:mean.py"]), WRONG.trim_end());
}

#[test]
fn a_model_that_says_that_design_and_test_disagree_ends_the_run_with_its_sentence() {
    let repo = project();
    repo.answer_at("mean.py", 2, "DISAGREE: the test wants 0 of nothing, the design an error.\n");
    let ran = repo.implement(VERIFY);
    ran.refused(1);
    let said = "error: the design and a test disagree, says the model of 'mean.py': the test wants 0 of nothing, the design an error.\n";
    ran.says(said);
}

#[test]
fn the_third_time_a_file_is_written_anew() {
    let repo = project();
    for (attempt, wrong) in [(2, "1"), (3, "2")] {
        let before = if attempt == 2 { MENDS.0.to_owned() } else { format!("{} if values else 1", MENDS.0) };
        repo.answer_at("mean.py", attempt, edit(&before, &format!("{} if values else {wrong}", MENDS.0)));
    }
    repo.answer_at("mean.py", 4, whole(RIGHT));
    let ran = repo.implement(&[VERIFY, &["--repair", "3"]].concat());
    ran.published("implement/8");
    let fresh = fs::read_to_string(repo.place("asked").join("mean.py.4")).unwrap();
    assert!(fresh.contains("The file `mean.py` is new. Write it.") && fresh.contains("Write it anew"), "{fresh}");
    assert_eq!(repo.git(&["show", "implement/8:mean.py"]), RIGHT.trim_end());
}

#[test]
fn what_a_formatter_makes_is_judged_committed_with_its_file_and_recorded() {
    let mut repo = project();
    repo.answer_at("mean.py", 1, whole(RIGHT));
    let formatter = repo.place("formatter.py");
    let script = "import pathlib\nfor name in ('mean.py', 'tally.py'):\n    path = pathlib.Path(name)\n    if path.exists():\n        path.write_text(path.read_text().replace('\"\"\"The mean.\"\"\"', '\"\"\"The mean.\"\"\"  # formatted').replace('sum', 'sum'))\n";
    fs::write(&formatter, script).unwrap();
    repo.configure("implement.verify.format.command", &format!("python3 '{}'", formatter.display()));
    repo.configure("implement.verify.format.fixes", "true");
    let ran = repo.implement(VERIFY);
    ran.published("implement/8");
    assert!(repo.git(&["show", "implement/8:mean.py"]).contains("# formatted"), "{ran}");
    let subjects = repo.git(&["log", "--reverse", "--format=%s", "main..implement/8"]);
    assert_eq!(subjects, "Add mean.py\nAdd test_mean.py");
    let events = events(&repo);
    let changed = events.lines().find(|line| line.contains("\"hook-changed\"")).unwrap();
    assert!(changed.contains("formatter.py") && changed.contains("mean.py"), "{changed}");
}

#[test]
fn files_that_only_pass_together_are_one_commit_and_others_have_their_own() {
    let design = tests_first("| `extra.py` | Add | a constant |\n");
    let repo = Repo::of(&[("tally.py", TALLY), ("test_tally.py", TEST), ("docs/8.md", &design)]);
    repo.answer("extra.py", whole("EXTRA = 1\n"));
    repo.answer("mean.py", whole(RIGHT));
    repo.answer("test_mean.py", whole(TEST_MEAN));
    let ran = repo.implement(&[VERIFY, &["--bisectable"]].concat());
    ran.published("implement/8");
    let subjects = repo.git(&["log", "--reverse", "--format=%s", "main..implement/8"]);
    assert_eq!(subjects, "Add extra.py\nAdd test_mean.py and 1 more", "{ran}");
    let body = repo.git(&["log", "-1", "--format=%b", "implement/8"]);
    assert!(body.contains("mean.py: `mean(values)`"), "{body}");
}

#[test]
fn a_command_for_each_commit_refuses_one_that_fails_alone() {
    let mut repo = project();
    repo.answer_at("mean.py", 1, whole(RIGHT));
    repo.write("docs/8.md", tests_first(""));
    repo.commit("tests first");
    repo.configure("implement.verify.unit.command", "python3 -m unittest -q");
    repo.configure("implement.verify.unit.when", "commit");
    let ran = repo.implement(&["docs/8.md"]);
    ran.refused(1);
    ran.says("hint: --bisectable puts files into one commit that only pass together\n");
}

#[test]
fn what_a_hook_makes_of_it_must_pass_again() {
    let repo = project();
    repo.answer_at("mean.py", 1, whole(RIGHT));
    repo.hook(
        "pre-commit",
        "if test -f mean.py; then sed -i 's/ if values else 0/ if values else 7/' mean.py; git add mean.py; fi",
    );
    let ran = repo.implement(VERIFY);
    ran.refused(1);
    ran.says("error: what was made does not pass: verify\n");
    ran.says("hint: a hook has changed what had passed: --no-verify runs none\n");
    assert!(!ran.err.contains("--repair"), "{ran}");
    assert_eq!(repo.git(&["branch", "--list", "implement/8"]), "");
}

#[test]
fn where_every_commit_must_pass_it_is_what_the_hook_has_made_of_it_that_passes() {
    let design = DESIGN.replace("| `mean.py`", "| `extra.py` | Add | a constant |\n| `mean.py`");
    let repo = Repo::of(&[
        ("docs/8.md", &design),
        (
            "look.py",
            "import os, sys\nextra = os.path.exists('extra.py') and open('extra.py').read()\nsys.exit(bool(extra and 'formatted' in extra and not os.path.exists('mean.py')))\n",
        ),
    ]);
    repo.answer("extra.py", whole("EXTRA = 1\n"));
    repo.answer("mean.py", whole(RIGHT));
    repo.answer("test_mean.py", whole(TEST_MEAN));
    repo.hook("pre-commit", "grep -q formatted extra.py || echo '# formatted' >>extra.py; git add extra.py");
    let ran = repo.implement(&["docs/8.md", "--verify", "python3 look.py", "--bisectable"]);
    ran.published("implement/8");
    let commits = repo.git(&["rev-list", "--reverse", "main..implement/8"]);
    assert_eq!(commits.lines().count(), 2, "{ran}");
    for commit in commits.lines() {
        let files = repo.git(&["ls-tree", "--name-only", commit]);
        assert!(files.contains("extra.py") && files.contains("mean.py"), "{commit} does not pass: {files}");
    }
    assert!(repo.git(&["show", "implement/8:extra.py"]).ends_with("# formatted"), "{ran}");
}

#[test]
fn what_a_command_changes_on_the_base_is_put_back_before_the_next() {
    let repo = project();
    repo.answer_at("mean.py", 1, whole(RIGHT));
    // The second would find what the first has made of the base, and be excused by it in the end.
    let breaks = "sh -c 'echo broken >tally.py; echo left >left.py'";
    let whole = "sh -c 'test ! -e left.py && grep -q sum tally.py'";
    let ran = repo.implement(&["docs/8.md", "--verify", breaks, "--verify", whole]);
    ran.published("implement/8");
    assert!(!ran.err.contains("fails on the base"), "{ran}");
}

#[test]
fn a_repair_that_no_money_is_left_for_ends_with_the_status_of_the_budget() {
    let repo = project();
    let ran = repo.implement(&[VERIFY, &["--max-tokens", "3500"]].concat());
    ran.refused(4).says("error: 'python3 -m unittest -q' fails\n");
    ran.says("error: 'mean.py' is not mended (verify): asking for it once more would bring what is used to ");
    ran.says("hint: raise it with --max-tokens\n");
    assert_eq!(repo.asked().len(), 2, "{ran}");
    repo.answer_at("mean.py", 2, edit(MENDS.0, MENDS.1));
    let provider = repo.provider();
    let more =
        ["--continue", "--provider", "command", "--command", &provider, "--verify", VERIFY[2], "--max-tokens", "9000"];
    repo.run(&more).published("implement/8");
    assert_eq!(repo.asked().len(), 3);
}

#[test]
fn a_repair_that_changes_nothing_is_not_told_as_one() {
    let repo = project();
    repo.answer_at("mean.py", 2, edit(MENDS.0, MENDS.0));
    let ran = repo.implement(&VERIFY.iter().chain(&["--format", "find-replace"]).copied().collect::<Vec<_>>());
    ran.refused(1);
    assert!(!ran.err.contains("mean.py: mended"), "{ran}");
}

#[test]
fn a_command_sees_what_is_installed_and_changes_nothing_of_the_persons() {
    let repo = project();
    repo.answer_at("mean.py", 1, whole(RIGHT));
    repo.write(".gitignore", "node_modules/\n.venv/\n");
    repo.commit("ignores");
    repo.write("node_modules/left/index.js", "installed\n");
    let script = "import pathlib\nassert pathlib.Path('node_modules/left/index.js').read_text() == 'installed\\n'\npathlib.Path('tally.py').write_text('')\n";
    fs::write(repo.place("look.py"), script).unwrap();
    let look = format!("python3 '{}'", repo.place("look.py").display());
    let ran = repo.implement(&["docs/8.md", "--verify", &look, "--verify", "python3 -m unittest -q"]);
    // What the first command has broken is put back before the second looks.
    ran.published("implement/8");
    assert_eq!(fs::read_to_string(repo.dir.join("tally.py")).unwrap(), TALLY);
    assert_eq!(repo.git(&["diff", "main", "implement/8", "--name-only"]), "mean.py\ntest_mean.py");
}

#[test]
fn a_command_that_says_nothing_for_too_long_is_ended_and_named() {
    let mut repo = project();
    repo.answer_at("mean.py", 1, whole(RIGHT));
    repo.configure("implement.verify.slow.command", "sleep 600");
    repo.configure("implement.verify.slow.silence", "1");
    let ran = repo.implement(&["docs/8.md", "--repair", "0"]);
    ran.refused(1);
    ran.says("it was ended: it had said nothing for 1 s");
}

#[test]
fn with_no_exec_no_command_runs() {
    let repo = project();
    let ran = repo.implement(&[VERIFY, &["--no-exec", "--bisectable"]].concat());
    ran.published("implement/8");
    ran.says("warning: 'python3 -m unittest -q' does not run, by --no-exec\n");
    ran.says("warning: nothing says whether each commit passes: no command runs, by --no-exec\n");
    assert!(!events(&repo).contains("\"ran\""));
    let nothing = project().implement(&["docs/8.md", "--bisectable"]);
    nothing.refused_at_once(129).says("fatal: --bisectable goes with a command\n");
}

#[test]
fn a_run_that_is_killed_while_it_looks_is_cleared_away_by_the_next() {
    let repo = project();
    repo.answer_at("mean.py", 1, whole(RIGHT));
    let provider = repo.provider();
    // A number that no other `sleep` of this machine has.
    let (verify, shown) =
        (format!("sleep 20.{}", std::process::id()), format!("sleep\0{}.{}\0", 20, std::process::id()));
    let arguments = ["--provider", "command", "--command", &provider, "docs/8.md", "--verify", &verify];
    let mut child = repo.process(&arguments).spawn().unwrap();
    let sleeping = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        processes
            .into_iter()
            .any(|it| fs::read(it.path().join("cmdline")).is_ok_and(|line| line.ends_with(shown.as_bytes())))
    };
    wait_for("the command to run", sleeping);
    // The worktree, and what the sandbox has for the command.
    let outside = || fs::read_dir(repo.place("tmp")).unwrap().count();
    // The provider has one for each answer, and is done with them.
    wait_for("nobody else to have a folder", || repo.asked().len() == 2 && outside() == 2);
    child.kill().unwrap();
    child.wait().unwrap();
    fs::create_dir(repo.place("tmp/git-implement-mine")).unwrap();
    // It also takes the other's worktree out of git's sight.
    let next = [&["--provider", "command", "--command", &provider], VERIFY].concat();
    let ended = Ended::of(&mut repo.process(&next));
    assert_eq!((ended.status, outside()), (Some(0), 1), "what is not ours stays: {ended}");
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1, "{ended}");
}

#[test]
fn a_secret_that_a_command_prints_reaches_neither_the_model_nor_the_record() {
    let repo = project();
    repo.answer_at("mean.py", 2, edit(MENDS.0, MENDS.1));
    let secret = concat!("ghp_", "zQ8mWv4KpX2nRt7LbYc9HsDf3JgAe6", "2DYjTQ");
    let test =
        format!("{TEST_MEAN}\n    def setUp(self):\n        print('token', '{}' + '{}')\n", &secret[..9], &secret[9..]);
    repo.answer("test_mean.py", whole(&test));
    let ran = repo.implement(VERIFY);
    ran.published("implement/8");
    let given = fs::read_to_string(repo.place("asked").join("mean.py.2")).unwrap();
    assert!(given.contains("token") && !given.contains(secret), "{given}");
    assert!(!events(&repo).contains(secret) && !ran.err.contains(secret), "{ran}");
}

#[test]
fn a_command_that_is_not_there_is_found_before_anything_is_asked() {
    let repo = project();
    let ran = repo.implement(&["docs/8.md", "--verify", "no-such-program -q"]);
    let said = "error: cannot run 'no-such-program -q', from --verify: there is no 'no-such-program' on the PATH\n";
    ran.refused_at_once(128).says(said);
    ran.says("fatal: nothing was asked: what is to judge the result cannot: verify-missing\n");
    let shell = repo.implement(&["docs/8.md", "--verify", "test -f mean.py && python3 -m unittest"]);
    shell.refused_at_once(128).says("no shell reads it, and '&&' would be an argument of 'test'\n");
    shell.says("hint: give it to a shell: sh -c 'test -f mean.py && python3 -m unittest'\n");
    let variable = repo.implement(&["docs/8.md", "--verify", "CI=1 python3 -m unittest"]);
    variable.refused_at_once(128).says("hint: a variable is set by a program: env CI=1 python3 -m unittest\n");
    let gone = repo.implement(&["docs/8.md", "--verify", "tools/check.sh"]);
    gone.refused_at_once(128).says("from --verify: there is no 'tools/check.sh'\n");
    assert!(repo.asked().is_empty());
}

#[test]
fn the_plan_names_the_commands_that_a_run_starts_and_who_has_said_so() {
    let mut repo = project();
    repo.configure("implement.verify.unit.command", "python3 -m unittest -q");
    repo.configure("implement.verify.unit.when", "file");
    repo.configure("implement.verify.web.command", "npm test");
    repo.configure("implement.verify.web.paths", "*.ts");
    repo.configure("implement.verify", "no-such-program");
    let plan = repo.run(&["plan", "docs/8.md"]);
    let runs: Vec<&str> = plan.out.lines().filter(|line| line.starts_with("runs ")).collect();
    let by = "(from git config (command line))";
    let (unit, other) = (
        format!("runs python3 -m unittest -q after each file {by}"),
        format!("runs no-such-program before anything is published {by}"),
    );
    assert!(runs.len() == 2 && runs.contains(&&*unit) && runs.contains(&&*other), "{plan}");
    plan.says("warning: cannot run 'no-such-program', from git config (command line): there is no 'no-such-program' on the PATH\n");
    let json: serde_json::Value = serde_json::from_str(&repo.run(&["plan", "docs/8.md", "--json"]).out).unwrap();
    assert_eq!(json["runs"].as_array().unwrap().len(), 2, "{json}");
    assert!(repo.run(&["-n", "docs/8.md", "--no-exec"]).out.lines().all(|line| !line.starts_with("runs ")));
}

/// What a command does that the model has written: this, once its file is there.
fn project_that(does: &str) -> Repo {
    let repo = project();
    let script = format!("import os, subprocess\nif os.path.exists('mean.py'):\n{does}");
    repo.write("probe.py", script);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "a probe"]);
    repo.answer_at("mean.py", 1, whole(RIGHT));
    repo
}

#[test]
fn a_repository_that_a_command_puts_in_the_place_of_the_worktrees_own_runs_nothing() {
    let mut repo = project_that(
        "    git = os.path.dirname(os.path.dirname(open('.git').read().split()[1]))\n    \
             try: os.unlink('.git')\n    except OSError: exit(0)\n    subprocess.run(['git', 'init', '-q', '.'])\n    \
             open('.git/objects/info/alternates', 'w').write(git + '/objects\\n')\n    \
             open('.git/info/attributes', 'w').write('* filter=x\\n')\n    \
             open('.git/config', 'a').write('[filter \"x\"] smudge = \"cd && touch ran; cat\"\\n')\n    \
             open('probe.py', 'a').write('# to be put back, through that filter\\n')\n",
    );
    // Where nothing is mounted, the link can be replaced.
    let without = repo.place("without");
    without_programs(&without, &["bwrap", "unshare"]);
    // The filter would run in the person's home.
    let ran_there = repo.place("home/ran");
    for (number, path) in [std::env::var("PATH").unwrap(), without.display().to_string()].into_iter().enumerate() {
        repo.set("PATH", path);
        let branch = format!("b{number}");
        let ran = repo.implement(&[
            "docs/8.md",
            "--repair",
            "0",
            "--verify",
            "python3 probe.py",
            "-b",
            &branch,
            "--",
            "mean.py",
        ]);
        ran.published(&branch);
        let leaks = "warning: the commands run what the model has written, and Landlock and seccomp cannot keep them from changing the mode (chmod)";
        assert_eq!(ran.err.contains(leaks), number == 1, "{ran}");
        assert!(!ran_there.exists(), "{ran}");
        assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1, "{ran}");
    }
}

#[test]
fn a_link_called_as_what_is_installed_opens_nothing() {
    let repo = project_that("    print(open('vendor/key').read())\n    exit(1)\n");
    fs::create_dir_all(repo.place("home/.ssh")).unwrap();
    fs::write(repo.place("home/.ssh/key"), "not for everybody").unwrap();
    std::os::unix::fs::symlink("../home/.ssh", repo.dir.join("vendor")).unwrap();
    let ran = repo.implement(&["docs/8.md", "--repair", "0", "--verify", "python3 probe.py", "--", "mean.py"]);
    ran.refused(1).says("No such file or directory: 'vendor/key'");
    assert!(!ran.err.contains("not for everybody"), "{ran}");
}

#[test]
fn what_a_command_leaves_is_gone_before_a_hook_or_another_command_runs() {
    let repo =
        project_that("    open('left.py', 'w').write('left')\n    open('.gitignore', 'a').write('left.py\\n')\n");
    repo.hook("pre-commit", "test ! -e left.py && ! grep -q left .gitignore 2>/dev/null");
    let stale = "sh -c 'test ! -e stale && : >stale'";
    let ran = repo.implement(&["docs/8.md", "--verify", stale, "--verify", "python3 probe.py", "--", "mean.py"]);
    ran.published("implement/8");
}
