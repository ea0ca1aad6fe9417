//! The checkout that a run leaves for the next: taken by one, never believed, and in nobody's way.

use crate::repo::Repo;
use std::fs;
use std::path::PathBuf;

/// With a hook and as many files as make a checkout worth keeping. `d0/f0.txt` stands for those that nobody changes.
fn repo() -> Repo {
    let repo = Repo::unborn();
    for n in 0..1_000 {
        repo.write(&format!("d{}/f{n}.txt", n / 100), format!("{n}\n"));
    }
    for n in [1, 2, 3] {
        let design = format!(
            "# {n} - One file\n\n## Files\n\n| File | Change | Description |\n|---|---|---|\n| `src/m{n}.py` | Add | Says it |\n"
        );
        repo.write(&format!("docs/{n}.md"), design);
        repo.answer(&format!("src/m{n}.py"), "```python\nA = 2\n```\n");
    }
    repo.commit("base");
    let log = repo.place("seen");
    repo.hook(
        "pre-commit",
        &format!(
            "{{ stat -c '%i %Z' d0/f0.txt; git status --short --ignored; cat d1/f100.txt; }} >'{}'",
            log.display()
        ),
    );
    repo
}

/// The inode of a file that nobody changes, and all else that the hook saw.
fn seen(repo: &Repo) -> (String, String) {
    let text = fs::read_to_string(repo.place("seen")).unwrap();
    let (file, rest) = text.split_once('\n').unwrap();
    (file.to_owned(), rest.to_owned())
}

fn spare(repo: &Repo) -> PathBuf {
    repo.dir.join(".git/implement/spare")
}

fn run(repo: &Repo, n: u32) -> (String, String) {
    repo.implement(&[&format!("docs/{n}.md")]).published(&format!("implement/{n}"));
    seen(repo)
}

#[test]
fn the_next_run_writes_no_file_that_is_there_already() {
    let repo = repo();
    let (file, rest) = run(&repo, 1);
    assert_eq!(rest, "A  src/m1.py\n100\n");
    assert!(spare(&repo).join("worktree/d0/f0.txt").is_file());
    assert!(!spare(&repo).join("worktree/.git").exists());
    // git knows of nothing, and takes nothing away.
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    repo.git(&["worktree", "prune"]);
    repo.git(&["gc", "--quiet", "--prune=now"]);
    // Another base: what was changed there is there.
    repo.write("d1/f100.txt", "another\n");
    repo.commit("more");
    assert_eq!(run(&repo, 2), (file.clone(), "A  src/m2.py\nanother\n".to_owned()));
    assert_eq!(run(&repo, 3), (file, "A  src/m3.py\nanother\n".to_owned()));
    repo.sound();
}

#[test]
fn nothing_of_one_run_is_there_for_the_next() {
    let repo = repo();
    let (file, _) = run(&repo, 1);
    let left = spare(&repo).join("worktree");
    let make = |path: &str, text: &str| crate::repo::write(&left.join(path), text);
    make("d0/left.txt", "left");
    make("cache/deep/left.txt", "left");
    make("nested/.git/HEAD", "ref: refs/heads/main\n");
    make("d3/.git/HEAD", "ref: refs/heads/main\n");
    make("d1/f100.txt", "999\n");
    fs::remove_file(left.join("d2/f200.txt")).unwrap();
    fs::remove_dir_all(left.join("d4")).unwrap();
    let away = repo.place("away");
    crate::repo::write(&away.join("f500.txt"), "somebody's\n");
    fs::remove_dir_all(left.join("d5")).unwrap();
    std::os::unix::fs::symlink(&away, left.join("d5")).unwrap();
    std::os::unix::fs::symlink(&away, left.join("d6/link")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(left.join("d0/pipe")).status().unwrap().success());
    repo.hook(
        "pre-commit",
        &format!(
            "{{ stat -c '%i %Z' d0/f0.txt; git diff --name-only; git ls-files --others; cat d1/f100.txt d2/f200.txt d5/f500.txt
                find . -name .git -prune -o ! -type f ! -type d -print; find . -name '*left*' -o -name nested -o -path './*/.git'
             }} >'{}'",
            repo.place("seen").display()
        ),
    );
    assert_eq!(run(&repo, 2), (file, "100\n200\n500\n".to_owned()));
    assert_eq!(fs::read_to_string(away.join("f500.txt")).unwrap(), "somebody's\n");
}

#[test]
fn it_is_not_used_where_a_new_checkout_would_have_other_files() {
    let changes: [&dyn Fn(&Repo); 4] = [
        &|repo| repo.write(".git/info/attributes", "*.txt eol=crlf\n"),
        &|repo| drop(repo.git(&["config", "core.autocrlf", "true"])),
        &|repo| {
            repo.write(".gitattributes", "*.txt eol=crlf\n");
            repo.commit("attributes");
        },
        &|repo| fs::write(spare(repo).join("index"), "none").unwrap(),
    ];
    for change in changes {
        let repo = repo();
        let (file, _) = run(&repo, 1);
        change(&repo);
        let (other, rest) = run(&repo, 2);
        assert_ne!(other, file);
        let converts = fs::read(repo.dir.join(".git/config")).unwrap().windows(8).any(|part| part == b"autocrlf")
            || repo.dir.join(".gitattributes").exists()
            || repo.dir.join(".git/info/attributes").exists();
        assert_eq!(rest, format!("A  src/m2.py\n100{}\n", if converts { "\r" } else { "" }));
    }
}

#[test]
fn it_is_not_kept_where_a_program_makes_the_files_or_commands_have_run() {
    let repo = repo();
    repo.write(".gitattributes", "*.bin filter=some\n");
    repo.commit("attributes");
    run(&repo, 1);
    assert!(!spare(&repo).exists());
    let repo = self::repo();
    repo.implement(&["docs/1.md", "--verify", "true"]).published("implement/1");
    assert!(!spare(&repo).exists());
}

#[test]
fn small_checkouts_are_not_kept_and_old_ones_go() {
    let small = Repo::of(&[("docs/1.md", "# 1 - One\n\n## Files\n\n| File | Change |\n|---|---|\n| `a.py` | Add |\n")]);
    small.answer("a.py", "```python\nA = 2\n```\n");
    small.hook("pre-commit", "test -f a.py");
    small.implement(&["docs/1.md"]).published("implement/1");
    assert!(!spare(&small).exists());
    let repo = repo();
    let (file, _) = run(&repo, 1);
    let touched = repo.command("touch").args(["-d", "15 days ago"]).arg(spare(&repo)).status().unwrap();
    assert!(touched.success());
    fs::remove_file(repo.dir.join(".git/hooks/pre-commit")).unwrap();
    repo.implement(&["docs/2.md"]).published("implement/2");
    assert!(!spare(&repo).exists(), "{file}");
}

#[test]
fn what_a_killed_run_had_goes_with_it_and_the_next_begins_anew() {
    let repo = repo();
    let (file, _) = run(&repo, 1);
    let hook = fs::read_to_string(repo.dir.join(".git/hooks/pre-commit")).unwrap();
    // The hook's git is the program's child.
    repo.hook("pre-commit", "kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat)");
    let provider = repo.provider();
    let killed = repo.process(&["--provider", "command", "--command", &provider, "docs/2.md"]).output().unwrap();
    assert_eq!(killed.status.code(), None, "{killed:?}");
    assert!(!spare(&repo).exists());
    repo.program(".git/hooks/pre-commit", &hook);
    let next = repo.process(&["--provider", "command", "--command", &provider, "docs/3.md"]).output().unwrap();
    assert!(next.status.success(), "{next:?}");
    let (other, rest) = seen(&repo);
    assert_eq!(rest, "A  src/m3.py\n100\n");
    assert_ne!(other, file);
    let ours = fs::read_dir(repo.dir.join(".git/implement")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut ours: Vec<String> = ours.map(|name| name.to_string_lossy().into_owned()).collect();
    ours.sort();
    assert!(ours == ["failed", "spare"] || ours == ["spare"], "{ours:?}");
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
}
