//! A repository that a group shares: whatever a run leaves there, colleagues can go on with.

use crate::repo::Repo;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const DESIGN: &str = "# 3 - Two\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/deep/a.py` | Modify | Another value |\n| `src/b.py` | Add | Another |\n";

/// Everything below a folder with its mode.
fn modes(folder: &Path, found: &mut Vec<(PathBuf, bool, u32)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let data = entry.metadata().unwrap();
        found.push((entry.path(), data.is_dir(), data.permissions().mode() & 0o7777));
        if data.is_dir() {
            modes(&entry.path(), found);
        }
    }
}

/// The program, for somebody who lets nobody else read what they make.
fn private(repo: &Repo, arguments: &[&str]) {
    let mut shell = repo.command("sh");
    let program = env!("CARGO_BIN_EXE_git-implement");
    shell.args(["-c", "umask 077; exec \"$0\" \"$@\"", program]).args(arguments);
    let output = shell.output().unwrap();
    assert!(output.status.code() != Some(128), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_a_run_writes_belongs_to_the_group_as_what_git_writes() {
    for (shared, file, folder) in [("group", 0o440, 0o2770), ("0640", 0o440, 0o2750), ("everybody", 0o444, 0o2775)] {
        let repo = Repo::of(&[("src/deep/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
        repo.answer("src/deep/a.py", "```python\nA = 2\n```\n");
        repo.answer("src/b.py", "```python\nB = 2\n```\n");
        repo.git(&["config", "core.sharedRepository", shared]);
        let objects = repo.dir.join(".git/objects");
        let mut before = Vec::new();
        modes(&objects, &mut before);
        let provider = repo.provider();
        private(&repo, &["--provider", "command", "--command", &provider, "docs/3.md"]);
        repo.git(&["rev-parse", "--verify", "refs/heads/implement/3"]);
        // A refused one, and what apply writes into the index.
        repo.answer("src/b.py", "no file");
        private(&repo, &["--provider", "command", "--command", &provider, "-b", "other", "docs/3.md"]);
        repo.write("reply.md", "src/deep/a.py:\n```python\nA = 3\n```\n");
        private(&repo, &["apply", "--cached", "reply.md"]);
        let mut after = Vec::new();
        modes(&objects, &mut after);
        let new: Vec<_> = after.iter().filter(|it| !before.iter().any(|old| old.0 == it.0)).collect();
        assert!(new.iter().filter(|(_, is_folder, _)| !is_folder).count() > 10, "{shared}: {new:?}");
        for (path, is_folder, mode) in new {
            assert_eq!(*mode, if *is_folder { folder } else { file }, "{shared}: {}", path.display());
        }
        let runs = repo.dir.join(".git/implement");
        for place in [runs.clone(), runs.join("failed")] {
            let mode = fs::metadata(&place).unwrap().permissions().mode() & 0o7777;
            assert_eq!(mode, folder, "{shared}: {}", place.display());
        }
    }
}
