//! A change of every shape as a patch: git and GNU patch make the very tree of it that it was made of.

use crate::repo::Repo;
use git_implement::environment::Environment;
use git_implement::git::{Repository, Scratch};
use git_implement::process::Interrupt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A file: path, bytes, whether it may be run.
type File = (&'static str, &'static str, bool);

/// What there is before and after.
type Shape = (&'static str, &'static [File], &'static [File]);

const LONG: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const LONG_CHANGED: &str = "one\ntwo\nthree\n4\nfive\nsix\nseven\neight\nnine\nten\n";

const SHAPES: &[Shape] = &[
    ("a line in the middle", &[("a.txt", LONG, false)], &[("a.txt", LONG_CHANGED, false)]),
    ("a line at the start", &[("a.txt", "b\nc\n", false)], &[("a.txt", "a\nb\nc\n", false)]),
    ("a line at the end", &[("a.txt", "a\nb\n", false)], &[("a.txt", "a\nb\nc\n", false)]),
    ("a line gone", &[("a.txt", "a\nb\nc\n", false)], &[("a.txt", "a\nc\n", false)]),
    (
        "two places far apart",
        &[("a.txt", LONG, false)],
        &[("a.txt", "1\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n10\n", false)],
    ),
    ("a new file", &[], &[("a.txt", "new\n", false)]),
    ("a new file in new folders", &[], &[("x/y/a.txt", "new\n", false)]),
    ("a new file that may be run", &[], &[("run.sh", "#!/bin/sh\n", true)]),
    ("a file deleted", &[("a.txt", "old\n", false)], &[]),
    ("the last file of a folder deleted", &[("x/y/a.txt", "old\n", false)], &[]),
    ("a file renamed", &[("a.txt", LONG, false)], &[("b.txt", LONG, false)]),
    ("a file renamed and changed", &[("a.txt", LONG, false)], &[("b.txt", LONG_CHANGED, false)]),
    ("a file moved into a folder", &[("a.txt", LONG, false)], &[("x/a.txt", LONG, false)]),
    ("a mode set", &[("a.sh", "echo\n", false)], &[("a.sh", "echo\n", true)]),
    ("a mode taken away, and a change", &[("a.sh", "echo 1\n", true)], &[("a.sh", "echo 2\n", false)]),
    ("CRLF changed", &[("a.txt", "a\r\nb\r\nc\r\n", false)], &[("a.txt", "a\r\n2\r\nc\r\n", false)]),
    ("CRLF in a new file", &[], &[("a.txt", "a\r\nb\r\n", false)]),
    ("CRLF taken away", &[("a.txt", "a\r\nb\r\n", false)], &[("a.txt", "a\nb\n", false)]),
    ("mixed line ends", &[("a.txt", "a\r\nb\nc\r\n", false)], &[("a.txt", "a\r\nb\n3\r\n", false)]),
    ("a carriage return in a line", &[("a.txt", "a\rb\n", false)], &[("a.txt", "a\rc\n", false)]),
    ("no final newline", &[("a.txt", "a\nb", false)], &[("a.txt", "a\nc", false)]),
    ("a final newline more", &[("a.txt", "a\nb", false)], &[("a.txt", "a\nb\n", false)]),
    ("a final newline less", &[("a.txt", "a\nb\n", false)], &[("a.txt", "a\nb", false)]),
    ("a new file without a final newline", &[], &[("a.txt", "a", false)]),
    ("a name with blanks", &[("a b.txt", "a\n", false)], &[("a b.txt", "b\n", false)]),
    ("a new name with blanks", &[], &[("x y/a b.txt", "b\n", false)]),
    ("a name with blanks deleted", &[("a b.txt", "a\n", false)], &[]),
    ("a name with blanks renamed", &[("a b.txt", LONG, false)], &[("c d.txt", LONG_CHANGED, false)]),
    ("a name with quotes", &[("a\"b'c.txt", "a\n", false)], &[("a\"b'c.txt", "b\n", false)]),
    ("a name with a backslash and a tab", &[("a\\b\tc.txt", "a\n", false)], &[("a\\b\tc.txt", "b\n", false)]),
    ("a name in another script", &[("ä/日本.txt", "a\n", false)], &[("ä/日本.txt", "b\n", false)]),
    ("a name that begins with a dash", &[("-a.txt", "a\n", false)], &[("-a.txt", "b\n", false)]),
    (
        "text that looks like a patch",
        &[("a.txt", "-- a\n++ b\n", false)],
        &[("a.txt", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- \n", false)],
    ),
    ("white space at the ends of lines", &[("a.txt", "a\n", false)], &[("a.txt", "a  \n\t\n", false)]),
    ("a byte order mark", &[("a.txt", "\u{feff}a\n", false)], &[("a.txt", "\u{feff}b\n", false)]),
    ("a file filled", &[("a.txt", "", false)], &[("a.txt", "a\n", false)]),
    ("a new empty file", &[], &[("a.txt", "", false)]),
    (
        "several at once",
        &[("a.txt", "a\n", false), ("b.txt", LONG, false), ("c.txt", "c\n", false)],
        &[("a.txt", "b\n", false), ("d.txt", LONG, false), ("new/e.txt", "e\n", true)],
    ),
];

fn put(folder: &Path, files: &[File]) {
    for (path, text, runs) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(if *runs { 0o755 } else { 0o644 })).unwrap();
    }
}

/// Commits exactly these files, and one that stays.
fn commit(repo: &Repo, files: &[File]) -> String {
    repo.git(&["rm", "-rq", "--ignore-unmatch", "."]);
    repo.write("stays.txt", "as it is\n");
    put(&repo.dir, files);
    repo.commit("state")
}

#[test]
fn git_apply_git_am_and_gnu_patch_make_the_same_tree_of_every_shape() {
    let repo = Repo::unborn();
    // What a person has configured does not change what a patch is.
    for (key, value) in [
        ("core.autocrlf", "false"),
        ("diff.noprefix", "true"),
        ("diff.renames", "false"),
        ("apply.whitespace", "fix"),
        ("core.quotePath", "false"),
        ("format.attach", "true"),
    ] {
        repo.git(&["config", key, value]);
    }
    let mut wrong = Vec::new();
    for (name, before, after) in SHAPES {
        let (base, tip) = (commit(&repo, before), commit(&repo, after));
        let environment: Environment =
            repo.variables.clone().into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let repository = Repository::discover(&repo.dir, &environment).unwrap();
        let found = repository.base(Some(&base)).unwrap();
        let tip_id = repository.base(Some(&tip)).unwrap().commit;
        let identity = repository.identity().unwrap();
        let scratch = Scratch::create(&repository, "20260102-030405-abcd", &found).unwrap();
        let message = "Fix: it [all]\n\nWhy.\n\ndiff --git a/x b/x\n--- a/x\n\nImplement-Run: 1\n";
        let patch = scratch.patch(found.commit, tip_id, &identity, message, &Interrupt::never()).unwrap();
        drop(scratch);
        let file = repo.place("change.patch");
        fs::write(&file, &patch).unwrap();
        let file = file.to_str().unwrap();
        let wanted = repo.git(&["rev-parse", &format!("{tip}^{{tree}}")]);
        for program in ["git apply", "git am", "patch"] {
            repo.git(&["checkout", "-q", "--detach", &base]);
            let command: &[&str] = match program {
                "git apply" => &["git", "-c", "apply.whitespace=nowarn", "apply", file],
                "git am" => &["git", "-c", "apply.whitespace=nowarn", "am", "-q", "--keep-cr", file],
                _ => &["patch", "-s", "-p1", "--no-backup-if-mismatch", "-i", file],
            };
            let output = Command::new(command[0])
                .args(&command[1..])
                .current_dir(&repo.dir)
                .env_clear()
                .envs(&repo.variables)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            repo.git(&["add", "--all"]);
            let made = repo.git(&["write-tree"]);
            if !output.status.success() || made != wanted {
                let status = repo.git(&["diff", "--cached", "--stat", &tip]);
                wrong.push(format!("{program}, {name}: {said}\n{status}\n{}", String::from_utf8_lossy(&patch)));
            }
            if program == "git am" && output.status.success() {
                assert_eq!(
                    repo.git(&["log", "-1", "--format=%s|%an|%at"]),
                    "Fix: it [all]|A U Thor|1700000000",
                    "{name}"
                );
            }
            let _ = repo.command("git").args(["am", "--abort"]).output();
            repo.git(&["checkout", "-q", "--force", "--detach", &tip]);
            repo.git(&["clean", "-qfdx"]);
        }
    }
    assert!(SHAPES.len() >= 30 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
