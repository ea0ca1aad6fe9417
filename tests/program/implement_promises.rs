//! What the design promises and nothing keeps, looked for in the whole tree: once, whatever is promised.

use crate::repo::Repo;
use std::fs;

/// A design that promises so many functions beside the one that it gets.
fn design(promised: usize) -> String {
    let functions: String = (0..promised).map(|number| format!("def promised_{number}():\n    ...\n\n")).collect();
    format!(
        "# 3 - A file\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
         | `src/a.py` | Modify | Another value |\n\n### 2.4 Function Signatures\n\n```python\ndef made():\n    ...\n\n\
         def there():\n    ...\n\n{functions}```\n"
    )
}

fn repo(promised: usize) -> Repo {
    let repo = Repo::of(&[
        ("src/a.py", "A = 1\n"),
        ("src/b.py", "def there():\n    return 2\n\n\ndef promised_0_and_more():\n    return 1\n"),
        ("README.md", "There will be promised_0.\n"),
        ("docs/3.md", &design(promised)),
    ]);
    repo.answer("src/a.py", "```python\ndef made():\n    return 1\n```\n");
    repo
}

/// Puts a `git` before the real one that writes its arguments to a file, and then does this.
fn watch_git(repo: &mut Repo, script: &str) {
    let path = repo.variables["PATH"].clone();
    let real = std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap();
    let log = repo.place("git.log");
    let text = format!("#!/bin/sh\necho \"$*\" >>'{}'\n{script}\nexec '{}' \"$@\"\n", log.display(), real.display());
    repo.program("../bin/git", &text);
    repo.set("PATH", format!("{}:{path}", repo.place("bin").display()));
}

#[test]
fn a_name_that_is_nowhere_is_told_and_one_in_another_file_is_not() {
    let ran = repo(1).implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says("warning: docs/3.md:18: 'promised_0' is nowhere in the tree that the design leaves");
    assert!(!ran.err.contains("'there'") && !ran.err.contains("'made'"), "{ran}");
}

#[test]
fn many_promises_take_as_many_children_as_one() {
    let children = [1, 30].map(|promised| {
        let mut repo = repo(promised);
        watch_git(&mut repo, "");
        let ran = repo.implement(&["docs/3.md"]);
        ran.published("implement/3");
        assert_eq!(ran.err.matches("is nowhere in the tree").count(), promised, "{ran}");
        fs::read_to_string(repo.place("git.log")).unwrap().lines().count()
    });
    assert_eq!(children[0], children[1]);
}

#[test]
fn a_tree_that_cannot_be_read_says_nothing_of_what_is_missing() {
    let repo = repo(1);
    let blob = repo.git(&["rev-parse", "HEAD:src/b.py"]);
    fs::remove_file(repo.git_dir().join("objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says("warning: docs/3.md: cannot tell whether what the design promises is in the tree: ").says(&blob);
    assert!(!ran.err.contains("is nowhere in the tree"), "{ran}");
}

#[test]
fn an_interruption_ends_the_listing_of_the_base() {
    let mut repo = repo(1);
    let hang = "case \"$*\" in *'ls-tree -r -z --full-tree'*) kill -INT $PPID; exec sleep 600 ;; esac";
    watch_git(&mut repo, hang);
    repo.implement(&["docs/3.md"]).refused(130).says("interrupted\n");
    assert!(repo.asked().is_empty(), "it was looking for what to show");
    // The base is listed beside everything else: the first file may have been asked for.
    repo.implement(&["docs/3.md", "--no-context"]).refused(130).says("interrupted\n");
    assert!(repo.asked().len() <= 1, "{:?}", repo.asked());
}

#[test]
fn an_interruption_as_all_files_are_searched_ends_the_run() {
    let mut repo = repo(1);
    // What is packed is read by a child, which is started for the search.
    repo.git(&["gc", "--quiet"]);
    let asked = repo.place("asked/log");
    let script = "case \"$*\" in *'cat-file --batch'*) [ -f 'ASKED' ] && kill -INT $PPID ;; esac";
    watch_git(&mut repo, &script.replace("ASKED", asked.to_str().unwrap()));
    let ran = repo.implement(&["docs/3.md", "--no-context"]);
    ran.refused(130).says("interrupted\n");
    assert!(!ran.err.contains("is nowhere in the tree"), "{ran}");
    assert_eq!(repo.asked(), ["src/a.py whole 1"]);
}
