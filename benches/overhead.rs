//! What the program itself costs: a design of 20 files in a repository of 50,000, with recorded replies in place of a
//! model, from process start to published branch.
//!
//! ```text
//! cargo bench --bench overhead
//! ```
//! Target on two cores: under 0.25 s wall and under 64 MiB at the peak.
//!
//! And with a hook, for which all files are checked out: at most 1.2 times what `git worktree add` takes beside what the run
//! takes without one, less for the runs after it.

use nix::sys::resource::{UsageWho, getrusage};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const FILES: usize = 50_000;
const PLANNED: usize = 20;
const RUNS: usize = 9;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let (root, answers, replies) =
        (folder.path().join("repo"), folder.path().join("answers"), folder.path().join("replies"));
    repository(&root, &answers);
    let answer = format!("sh -c 'cat >/dev/null; cat \"{}/$GIT_IMPLEMENT_PATH\"'", answers.display());
    implement(&root, &["--command", &answer, "--record", replies.to_str().unwrap()]);
    let before = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    let run = || {
        git(&root, &["branch", "--quiet", "-D", "implement/1"]);
        timed(|| implement(&root, &["--replay", replies.to_str().unwrap()]))
    };
    let seconds = sorted(run);
    // The largest child so far; git's own fast-import, which made the repository, may be larger than any run.
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    let bound = if peak > before { "" } else { "at most " };
    println!(
        "{PLANNED} files of {FILES}: median {:.0} ms, fastest {:.0} ms, slowest {:.0} ms, peak {bound}{} MiB",
        seconds[RUNS / 2] * 1e3,
        seconds[0] * 1e3,
        seconds[RUNS - 1] * 1e3,
        peak / 1024
    );
    let hook = root.join(".git/hooks/pre-commit");
    fs::write(&hook, "#!/bin/sh\nexit 0\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let place = folder.path().join("worktree");
    let place = place.to_str().unwrap();
    let added = sorted(|| {
        let seconds = timed(|| git(&root, &["worktree", "add", "--quiet", "--detach", place]));
        git(&root, &["worktree", "remove", "--force", place]);
        seconds
    });
    let first = sorted(|| {
        let _ = fs::remove_dir_all(root.join(".git/implement/spare"));
        run()
    });
    let next = sorted(run);
    let [added, first, next] = [added, first, next].map(|seconds| seconds[RUNS / 2] * 1e3);
    println!("with a hook: median {first:.0} ms, the next {next:.0} ms; git worktree add {added:.0} ms");
}

fn timed(what: impl FnOnce()) -> f64 {
    let start = Instant::now();
    what();
    start.elapsed().as_secs_f64()
}

fn sorted(seconds: impl Fn() -> f64) -> Vec<f64> {
    let mut seconds: Vec<f64> = (0..RUNS).map(|_| seconds()).collect();
    seconds.sort_by(f64::total_cmp);
    seconds
}

fn implement(root: &Path, arguments: &[&str]) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_git-implement"));
    program.args(["--quiet", "--yes"]).args(arguments).arg("docs/1.md").current_dir(root);
    let output = clean(&mut program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A repository of one commit, and an answer for each file that its design plans: added and modified in turn.
fn repository(root: &Path, answers: &Path) {
    fs::create_dir_all(root).unwrap();
    git(root, &["init", "--quiet", "--initial-branch=main"]);
    git(root, &["config", "user.name", "A Bench"]);
    git(root, &["config", "user.email", "bench@example.invalid"]);
    let mut import =
        String::from("commit refs/heads/main\ncommitter A Bench <bench@example.invalid> 0 +0000\ndata 4\nbase\n");
    let mut blob = |path: &str, text: &str| {
        import.push_str(&format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len()));
    };
    for n in 0..FILES - 1 {
        blob(&file(n), &format!("def f{n}(x):\n    return x + {n}\n"));
    }
    let mut design = String::from("# 1 - Many\n\n* **Issue:** #1\n\n### 2.1 Files Changed\n\n");
    design.push_str("| File | Change Type | Description |\n|---|---|---|\n");
    for n in 0..PLANNED {
        let (path, change) = match n % 2 {
            0 => (file(n * FILES / PLANNED), "Modify"),
            _ => (file(n * FILES / PLANNED).replace(".py", "_new.py"), "Add"),
        };
        design.push_str(&format!("| `{path}` | {change} | Number {n} |\n"));
        let text: String = (0..60).map(|k| format!("def g{k}(x):\n    return x * {k}\n\n\n")).collect();
        let answer = answers.join(&path);
        fs::create_dir_all(answer.parent().unwrap()).unwrap();
        fs::write(answer, format!("```python\n{text}```\n")).unwrap();
    }
    blob("docs/1.md", &design);
    let mut child = clean(Command::new("git").args(["fast-import", "--quiet"]).current_dir(root))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(import.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    git(root, &["read-tree", "main"]);
    fs::create_dir_all(root.join("docs")).unwrap();
    git(root, &["checkout", "--quiet", "main", "--", "docs"]);
}

fn file(n: usize) -> String {
    format!("src/d{}/m{}/f{n}.py", n / 2500, n / 100)
}

fn git(root: &Path, arguments: &[&str]) {
    let output = clean(Command::new("git").args(arguments).current_dir(root)).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Without any setting of the person's.
fn clean(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null")
}
