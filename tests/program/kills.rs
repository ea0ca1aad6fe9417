//! A run, `--continue` and `apply --index`, killed wherever they change something, and so the command after each: nothing is half done,
//! nothing is left, and no reply is lost.

use crate::apply_killed;
use crate::kill::{Trial, Victim, everywhere, left_over, traced};
use crate::repo::{Repo, tree};
use std::sync::atomic::{AtomicUsize, Ordering};

const DESIGN: &str = "# 7 - Two modules\n\n## Files\n\n| File | Change | Description |\n|---|---|---|\n\
    | src/one.py | Add | Says it |\n| src/two.py | Add | Says it again |\n";
const MODULE: &str = "import sys\n\n\ndef say():\n    return sys.argv\n";

fn world() -> Repo {
    let repo = Repo::of(&[("docs/lld/7.md", DESIGN), ("README.md", "# Demo\n"), ("src/a.py", MODULE)]);
    std::fs::write(repo.place("answer"), format!("```python\n{MODULE}```\n")).unwrap();
    repo
}

/// A run on this branch. The provider changes nothing on disk, so that every call that is counted is ours or git's.
fn arguments(repo: &Repo, branch: &str) -> Vec<String> {
    let command = format!("cat '{}'", repo.place("answer").display());
    ["docs/lld/7.md", "-b", branch, "--json", "--provider", "command", "--command", &command].map(str::to_owned).into()
}

/// The next command: it must succeed, whatever was left, and leave nothing of it.
fn next(repo: &Repo, branch: &str) {
    let output = repo.process(&[]).args(arguments(repo, branch)).output().unwrap();
    assert!(output.status.success(), "the next run failed: {}", String::from_utf8_lossy(&output.stderr));
}

/// Everything of the user's but what is in `.git`.
fn files(repo: &Repo) -> Vec<(String, Vec<u8>)> {
    tree(&repo.dir).into_iter().filter(|(path, _)| !path.starts_with(".git/")).collect()
}

/// Nothing is half done, and nothing is left of who was killed. `printed`: by a run on the branch `killed`.
fn whole(repo: &Repo, printed: &str) {
    let git = repo.git_dir();
    assert_eq!(left_over(&git), Vec::<String>::new());
    assert!(!git.join("worktrees").exists(), "a worktree is registered");
    let mut running = Vec::new();
    for entry in std::fs::read_dir(git.join("implement")).into_iter().flatten().flatten() {
        running.push(entry.file_name());
    }
    running.retain(|name| name != "failed");
    assert!(running.is_empty(), "left in .git/implement: {running:?}");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.sound();
    // Every branch has its record, and every record its branch.
    let branches = repo.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]);
    let records = repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement"]);
    let branches: Vec<&str> = branches.lines().filter(|name| *name != "refs/heads/main").collect();
    let records: Vec<&str> = records.lines().collect();
    assert_eq!(records.len(), branches.len(), "{records:?} {branches:?}");
    for record in &records {
        let header: serde_json::Value = serde_json::from_slice(&repo.blob(record, "run.json")).unwrap();
        let branch = format!("refs/heads/{}", header["branch"].as_str().unwrap());
        assert!(branches.contains(&branch.as_str()), "{record} has no {branch}");
        assert_eq!(repo.subjects(&branch), ["Add src/one.py", "Add src/two.py"]);
    }
    for (log, _) in tree(&git.join("logs/refs/heads")) {
        assert!(log == "main" || branches.contains(&format!("refs/heads/{log}").as_str()), "a log of no branch: {log}");
    }
    // What was paid for is there: published, or kept whole.
    let kept = tree(&git.join("implement/failed"));
    for (name, bytes) in &kept {
        assert!(!name.contains("/."), "{name}");
        if name.ends_with(".json") {
            serde_json::from_slice::<serde_json::Value>(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
    for run in kept.keys().filter_map(|name| name.split('/').next()) {
        for part in ["run.json", "plan.json", "design.md", "events.jsonl"] {
            assert!(kept.contains_key(&format!("{run}/{part}")), "{run} has no {part}");
        }
    }
    let replied = printed.lines().filter(|line| line.contains("\"event\":\"replied\"")).count();
    let replies = kept.keys().filter(|name| name.contains("/replies/")).count();
    let published = branches.contains(&"refs/heads/killed");
    assert!(published || replies >= replied, "{replied} replies came, {replies} are kept");
}

/// With a pre-commit hook, for which files are checked out.
fn world_with_a_hook() -> Repo {
    let repo = world();
    repo.hook("pre-commit", "git diff --cached --quiet HEAD && exit 1; cat src/a.py >/dev/null");
    repo
}

/// A run is killed.
fn run(victim: Victim, points: usize) -> (usize, Vec<String>) {
    run_in(&world, victim, points)
}

/// A run is killed in a repository that has a hook.
fn run_with_a_hook(victim: Victim, points: usize) -> (usize, Vec<String>) {
    run_in(&world_with_a_hook, victim, points)
}

fn run_in(world: &(dyn Fn() -> Repo + Sync), victim: Victim, points: usize) -> (usize, Vec<String>) {
    let before = files(&world());
    let afterwards = |repo: &Repo, printed: &str| {
        assert_eq!(files(repo), before, "the user's files");
        next(repo, "next");
        whole(repo, printed);
        assert_eq!(files(repo), before, "the user's files");
    };
    let trial =
        Trial { name: "a run", world: &world, arguments: &|repo| arguments(repo, "killed"), afterwards: &afterwards };
    everywhere(&trial, victim, points)
}

/// A run is killed as the second of its refs is about to move, and the run after it is killed, too.
fn run_after(victim: Victim, points: usize) -> (usize, Vec<String>) {
    let (calls, _) = traced(&world(), &arguments(&world(), "killed"), None);
    let refs = |repo: &Repo, below: &str| repo.git(&["for-each-ref", "--format=%(refname)", below]);
    // The record is there and the branch is not. It is near the end; exactly where differs by a few calls from run to run,
    // so that the search begins where it was found last.
    let last = AtomicUsize::new(calls);
    let killed = || {
        let first = last.load(Ordering::Relaxed);
        for call in (0..=2 * calls)
            .map(|step| if step % 2 == 0 { first + step / 2 } else { first.saturating_sub(step / 2 + 1) })
        {
            if call == 0 || call > calls {
                continue;
            }
            let repo = world();
            let _ = traced(&repo, &arguments(&repo, "killed"), Some((call, Victim::Everything)));
            if refs(&repo, "refs/heads/killed").is_empty() && !refs(&repo, "refs/implement").is_empty() {
                last.store(call, Ordering::Relaxed);
                return repo;
            }
        }
        panic!("there is no moment between the two refs");
    };
    let afterwards = |repo: &Repo, _: &str| {
        next(repo, "last");
        whole(repo, "");
        let kept = tree(&repo.git_dir().join("implement/failed"));
        assert!(kept.keys().any(|name| name.contains("/replies/")), "the replies of the first are lost");
    };
    let trial = Trial {
        name: "the run after a killed one",
        world: &killed,
        arguments: &|repo| arguments(repo, "second"),
        afterwards: &afterwards,
    };
    everywhere(&trial, victim, points)
}

/// A run of which the second file was refused.
fn world_of_a_refused_run() -> Repo {
    let repo = world();
    std::fs::create_dir_all(repo.place("answers/src")).unwrap();
    std::fs::write(repo.place("answers/src/one.py"), format!("```python\n{MODULE}```\n")).unwrap();
    std::fs::write(repo.place("answers/src/two.py"), "I have written the file.\n").unwrap();
    let mut first: Vec<String> = ["docs/lld/7.md", "-b", "killed", "--repair", "0"].map(str::to_owned).into();
    first.extend(by_path(&repo));
    let refused = repo.process(&[]).args(first).output().unwrap();
    assert_eq!(refused.status.code(), Some(1), "{}", String::from_utf8_lossy(&refused.stderr));
    std::fs::write(repo.place("answers/src/two.py"), format!("```python\n{MODULE}```\n")).unwrap();
    repo
}

/// A provider that has an answer for each path, and writes down what it was asked for.
fn by_path(repo: &Repo) -> [String; 4] {
    let (answers, asked) = (repo.place("answers"), repo.place("requests"));
    let command = format!(
        "sh -c 'cat >/dev/null; echo $GIT_IMPLEMENT_PATH >>\"{}\"; cat \"{}/$GIT_IMPLEMENT_PATH\"'",
        asked.display(),
        answers.display()
    );
    ["--json".to_owned(), "--provider".to_owned(), "command".to_owned(), format!("--command={command}")]
}

/// `--continue` is killed: the next one ends as the run would have, and what was accepted before is asked for by neither.
fn going_on(victim: Victim, points: usize) -> (usize, Vec<String>) {
    let go_on = |repo: &Repo| [&["--continue".to_owned()], &by_path(repo)[..]].concat();
    let before = files(&world());
    let afterwards = |repo: &Repo, printed: &str| {
        assert_eq!(files(repo), before, "the user's files");
        let next = repo.process(&[]).args(go_on(repo)).output().unwrap();
        assert!(next.status.success(), "going on again failed: {}", String::from_utf8_lossy(&next.stderr));
        let asked = std::fs::read_to_string(repo.place("requests")).unwrap();
        let asked = |path: &str| asked.lines().filter(|line| *line == path).count();
        assert_eq!(asked("src/one.py"), 1, "what was accepted is asked for again");
        // Once by the first run, once by the killed one or the next; twice only if the reply was cut off by the kill.
        let is_finished = |line: &str| line.contains("\"event\":\"file-finished\"") && line.contains("two.py");
        let most = if printed.lines().any(is_finished) { 2 } else { 3 };
        assert!((2..=most).contains(&asked("src/two.py")), "asked for {} times", asked("src/two.py"));
        assert_eq!(repo.subjects("killed"), ["Add src/one.py", "Add src/two.py"]);
        let failed = repo.git_dir().join("implement/failed");
        assert_eq!(std::fs::read_dir(failed).map_or(0, |runs| runs.count()), 0, "records of runs that are made");
        whole(repo, printed);
    };
    let trial =
        Trial { name: "--continue", world: &world_of_a_refused_run, arguments: &go_on, afterwards: &afterwards };
    everywhere(&trial, victim, points)
}

/// `apply --index` is killed: the next one finds everything as it was, or everything done.
fn apply(victim: Victim, points: usize) -> (usize, Vec<String>) {
    let (before, after) = applied();
    let afterwards = |repo: &Repo, _: &str| {
        apply_killed::no_file_of_ours_is_added(repo, "killed");
        let next = apply_killed::apply(repo, "--index", "nothing");
        assert_eq!(next.status, Some(0), "{next}");
        let now = apply_killed::state(repo);
        assert!(now == before || now == after, "{now:#?}");
    };
    let arguments = |repo: &Repo| apply_arguments(repo, "reply");
    let trial =
        Trial { name: "apply --index", world: &apply_killed::world, arguments: &arguments, afterwards: &afterwards };
    everywhere(&trial, victim, points)
}

/// `apply --index` is killed in the middle, and so is the one after it.
fn apply_after(victim: Victim, points: usize) -> (usize, Vec<String>) {
    let (before, after) = applied();
    let killed_at = |call: usize| {
        let repo = apply_killed::world();
        let _ = traced(&repo, &apply_arguments(&repo, "reply"), Some((call, Victim::Everything)));
        repo
    };
    let changed = |repo: &Repo| std::fs::read_to_string(repo.dir.join("src/a.py")).unwrap().contains("a = 2");
    let middle = (1..500).find(|call| changed(&killed_at(*call))).expect("a call after which a file is changed");
    let afterwards = |repo: &Repo, _: &str| {
        let next = apply_killed::apply(repo, "--index", "nothing");
        assert_eq!(next.status, Some(0), "{next}");
        let now = apply_killed::state(repo);
        assert!(now == before || now == after, "{now:#?}");
    };
    let trial = Trial {
        name: "the apply after a killed one",
        world: &|| killed_at(middle),
        arguments: &|repo| apply_arguments(repo, "nothing"),
        afterwards: &afterwards,
    };
    everywhere(&trial, victim, points)
}

fn apply_arguments(repo: &Repo, reply: &str) -> Vec<String> {
    ["apply", "--index", repo.place(reply).to_str().unwrap()].map(str::to_owned).into()
}

type State = (std::collections::BTreeMap<String, String>, String);

/// What there is before `apply --index` and after it.
fn applied() -> (State, State) {
    let repo = apply_killed::world();
    let before = apply_killed::state(&repo);
    let done = apply_killed::apply(&repo, "--index", "reply");
    assert_eq!(done.status, Some(0), "{done}");
    (before, apply_killed::state(&repo))
}

#[track_caller]
fn nothing_wrong((calls, wrong): (usize, Vec<String>)) {
    assert!(wrong.is_empty(), "{} of some points, {calls} calls in all:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn a_run_that_dies_with_all_it_started_leaves_nothing_half_done() {
    nothing_wrong(run(Victim::Everything, 40));
}

#[test]
fn a_run_that_dies_alone_leaves_nothing_half_done() {
    nothing_wrong(run(Victim::Program, 40));
}

#[test]
fn a_run_that_dies_with_files_checked_out_for_a_hook_leaves_nothing_half_done() {
    nothing_wrong(run_with_a_hook(Victim::Everything, 40));
}

#[test]
fn the_run_after_a_killed_one_may_be_killed_too() {
    nothing_wrong(run_after(Victim::Everything, 40));
}

#[test]
fn going_on_may_be_killed_too_and_gone_on_from() {
    nothing_wrong(going_on(Victim::Everything, 40));
}

#[test]
fn an_apply_that_dies_with_all_it_started_is_put_right_by_the_next() {
    nothing_wrong(apply(Victim::Everything, 40));
}

#[test]
fn the_apply_after_a_killed_one_may_be_killed_too() {
    nothing_wrong(apply_after(Victim::Everything, 40));
}

/// The same at up to 500 points each, and a line of a table: `cargo test --test program five_hundred -- --ignored --nocapture`
fn five_hundred(name: &str, tried: fn(Victim, usize) -> (usize, Vec<String>), victim: Victim) {
    let (calls, wrong) = tried(victim, 500);
    let kills = calls.min(500);
    println!("{name}, {victim:?} killed: {calls} calls, {kills} kills, {} wrong", wrong.len());
    nothing_wrong((calls, wrong));
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_kills_of_a_run() {
    five_hundred("a run", run, Victim::Everything);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_kills_of_a_run_alone() {
    five_hundred("a run", run, Victim::Program);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_kills_of_a_run_with_a_hook() {
    five_hundred("a run with a hook", run_with_a_hook, Victim::Everything);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_kills_of_the_run_after_a_killed_one() {
    five_hundred("the run after a killed one", run_after, Victim::Everything);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_kills_of_going_on() {
    five_hundred("--continue", going_on, Victim::Everything);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_kills_of_going_on_alone() {
    five_hundred("--continue", going_on, Victim::Program);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_kills_of_an_apply() {
    five_hundred("apply --index", apply, Victim::Everything);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_kills_of_the_apply_after_a_killed_one() {
    five_hundred("the apply after a killed one", apply_after, Victim::Everything);
}
