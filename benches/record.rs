//! What reading records costs, in a repository with a thousand of them, each of a run of 20 files: from process start to the
//! last line.
//!
//! ```text
//! cargo bench --bench record
//! ```
//! Targets on two cores: `log` under 100 ms, `show` under 50 ms, `verify` of one run under 1 s.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 1000;
const PLANNED: usize = 20;
const TIMES: usize = 9;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let (root, answers) = (folder.path().join("repo"), folder.path().join("answers"));
    repository(&root, &answers);
    let answer = format!("sh -c 'cat >/dev/null; cat \"{}/$GIT_IMPLEMENT_PATH\"'", answers.display());
    implement(&root, &["--quiet", "--yes", "--command", &answer, "docs/1.md"]);
    let run = copies(&root);
    println!("{RUNS} records of {PLANNED} files each");
    for packed in [false, true] {
        if packed {
            git(&root, &["gc", "--quiet"]);
        }
        let how = if packed { "packed" } else { "loose" };
        measure(&root, how, &["log"]);
        measure(&root, how, &["show", &run]);
        measure(&root, how, &["show", "implement/1"]);
        measure(&root, how, &["verify", "main..implement/1"]);
        measure(&root, how, &["blame", "implement/1", &file(1)]);
    }
}

fn measure(root: &Path, how: &str, arguments: &[&str]) {
    let mut millis: Vec<f64> = (0..TIMES)
        .map(|_| {
            let start = Instant::now();
            implement(root, arguments);
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    millis.sort_by(f64::total_cmp);
    let (median, least, most) = (millis[TIMES / 2], millis[0], millis[TIMES - 1]);
    println!("{how:<6} {:<40} median {median:>4.0} ms, fastest {least:.0}, slowest {most:.0}", arguments.join(" "));
}

fn implement(root: &Path, arguments: &[&str]) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_git-implement"));
    let output = clean(program.args(arguments).current_dir(root)).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository of one commit with a design, and an answer for each of its files.
fn repository(root: &Path, answers: &Path) {
    fs::create_dir_all(root.join("docs")).unwrap();
    git(root, &["init", "--quiet", "--initial-branch=main"]);
    git(root, &["config", "user.name", "A Bench"]);
    git(root, &["config", "user.email", "bench@example.invalid"]);
    let mut design = String::from("# 1 - Many\n\n* **Issue:** #1\n\n### 2.1 Files Changed\n\n");
    design.push_str("| File | Change Type | Description |\n|---|---|---|\n");
    for n in 0..PLANNED {
        let path = file(n);
        design.push_str(&format!("| `{path}` | Modify | Number {n} |\n"));
        fs::create_dir_all(root.join(&path).parent().unwrap()).unwrap();
        fs::write(root.join(&path), format!("def f{n}(x):\n    return x + {n}\n")).unwrap();
        let text: String = (0..200).map(|k| format!("def g{k}(x):\n    return x * {k} + {n}\n\n\n")).collect();
        fs::create_dir_all(answers.join(&path).parent().unwrap()).unwrap();
        fs::write(answers.join(&path), format!("```python\n{text}```\n")).unwrap();
    }
    fs::write(root.join("docs/1.md"), design).unwrap();
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "--message", "base"]);
}

fn file(n: usize) -> String {
    format!("src/part{n:02}/module.py")
}

/// As many records as wanted of the one that there is, each under a name of its own. Returns the name of the first.
fn copies(root: &Path) -> String {
    let repository = git2::Repository::open(root).unwrap();
    let first = repository.references_glob("refs/implement/runs/*").unwrap().next().unwrap().unwrap();
    let run = first.name().unwrap().rsplit('/').next().unwrap().to_owned();
    let tree = repository.find_tree(first.target().unwrap()).unwrap();
    for n in 1..RUNS {
        let name = format!("2025{:02}{:02}T{:02}0000Z-{n:06x}", n % 12 + 1, n % 28 + 1, n % 24);
        let mut builder = repository.treebuilder(Some(&tree)).unwrap();
        for file in ["run.json", "summary.json", "events.jsonl"] {
            let blob = repository.find_blob(tree.get_name(file).unwrap().id()).unwrap();
            let text = String::from_utf8(blob.content().to_vec()).unwrap().replace(&run, &name);
            builder.insert(file, repository.blob(text.as_bytes()).unwrap(), 0o100644).unwrap();
        }
        let copy = builder.write().unwrap();
        repository.reference(&format!("refs/implement/runs/{name}"), copy, false, "copy").unwrap();
    }
    run
}

fn git(root: &Path, arguments: &[&str]) {
    let mut git = Command::new("git");
    let output = clean(git.args(arguments).current_dir(root)).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn clean(command: &mut Command) -> &mut Command {
    for (name, value) in
        [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null"), ("GIT_IMPLEMENT_LSP", "off")]
    {
        command.env(name, value);
    }
    command.stdin(Stdio::null())
}
