//! `git implement apply --worktree | --cached | --index`: replies that name their files, on real repositories, with
//! `git apply` as the oracle.

use crate::repo::Repo;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

const MODES: [&str; 3] = ["--worktree", "--cached", "--index"];

const FILES: &[(&str, &str)] = &[
    ("src/a.py", "import os\n\n\ndef a():\n    return os.sep\n"),
    ("src/b.py", "import a\n\n\ndef b():\n    return a.a()\n"),
    ("docs/only.md", "# Only\n\ntext\n"),
    ("run.sh", "#!/bin/sh\necho 1\n"),
    ("README.md", "# Demo\n\n```sh\nmake\n```\n\nEnd"),
];

/// A V4A patch with these lines.
fn patch(lines: &str) -> String {
    format!("*** Begin Patch\n{lines}*** End Patch\n")
}

const EDIT_A: &str = "*** Update File: src/a.py\n@@\n-    return os.sep\n+    return os.altsep\n";
const EDIT_B: &str = "*** Update File: src/b.py\n@@\n-    return a.a()\n+    return a.a() or 1\n";
const ADD: &str = "*** Add File: src/new/c.py\n+c = 1\n";

struct Done {
    status: Option<i32>,
    out: String,
    err: String,
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "status {:?}\n--- stdout\n{}\n--- stderr\n{}", self.status, self.out, self.err)
    }
}

/// The program in `folder`, with `reply` as a file. It leaves no temporary file and no lock, whatever it says.
#[track_caller]
fn apply_in(repo: &Repo, folder: &Path, arguments: &[&str], reply: &str) -> Done {
    let file = repo.place("reply");
    crate::repo::write(&file, reply);
    let mut process = repo.process(&[&["apply"], arguments, &[file.to_str().unwrap()]].concat());
    let output = process.current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let done = Done { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    for name in names(&repo.place("")) {
        assert!(!name.contains(".git-implement-") && !name.ends_with(".lock"), "left behind: {name}\n{done}");
    }
    assert!(crate::repo::tree(&repo.place("tmp")).is_empty(), "{done}");
    done
}

#[track_caller]
fn apply(repo: &Repo, arguments: &[&str], reply: &str) -> Done {
    apply_in(repo, &repo.dir, arguments, reply)
}

#[track_caller]
fn applied(repo: &Repo, arguments: &[&str], reply: &str) {
    let done = apply(repo, arguments, reply);
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""), "{done}");
    let told = |line: &str| {
        ["new file:   ", "modified:   ", "deleted:    ", "renamed:    ", "unchanged:  "]
            .iter()
            .any(|word| line.starts_with(word))
    };
    assert!(!done.out.is_empty() && done.out.lines().all(told), "{done}");
}

/// It refuses with this status, says this, and nothing at all has changed: bytes, modes, times, index.
#[track_caller]
fn refused(repo: &Repo, arguments: &[&str], reply: &str, status: i32, says: &str) {
    let before = everything(repo);
    let done = apply(repo, arguments, reply);
    assert_eq!((done.status, done.out.as_str()), (Some(status), ""), "{done}");
    assert!(done.err.contains(says), "no '{says}' in\n{done}");
    assert_same(&everything(repo), &before, &done);
}

/// Shows what differs, and not all the rest.
#[track_caller]
fn assert_same(after: &BTreeMap<String, String>, before: &BTreeMap<String, String>, what: impl std::fmt::Display) {
    let names: std::collections::BTreeSet<_> = after.keys().chain(before.keys()).collect();
    let differ = names.into_iter().filter(|name| after.get(*name) != before.get(*name));
    let differ: Vec<_> = differ.map(|name| (name, before.get(name), after.get(name))).collect();
    assert!(differ.is_empty(), "{differ:#?}\n{what}");
}

/// Every file and directory below `folder`, `.git` included.
fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            names.push(entry.path().display().to_string());
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    names.sort();
    names
}

/// All that is the user's, with the times of what is in it, and the index byte for byte.
fn everything(repo: &Repo) -> BTreeMap<String, String> {
    let objects = repo.git_dir().join("objects").display().to_string();
    let inside = names(&repo.dir).into_iter().filter(|name| !name.starts_with(&objects));
    inside
        .map(|name| {
            let data = fs::symlink_metadata(&name).unwrap();
            // Temporary files that come and go leave the directory with another time.
            let time = if data.is_dir() { 0 } else { data.mtime_nsec() };
            let text = if data.is_file() { fs::read(&name).unwrap().escape_ascii().to_string() } else { String::new() };
            (name, format!("{:o} {time} {} {text}", data.mode(), data.ino()))
        })
        .collect()
}

/// The working tree by paths, modes and bytes, and empty directories.
fn worktree(repo: &Repo) -> BTreeMap<String, String> {
    let root = repo.dir.display().to_string();
    let inside = names(&repo.dir).into_iter().filter(|name| !name.starts_with(&format!("{root}/.git/")));
    inside
        .map(|name| {
            let data = fs::symlink_metadata(&name).unwrap();
            let text = if data.is_file() { fs::read(&name).unwrap().escape_ascii().to_string() } else { String::new() };
            (name[root.len()..].to_owned(), format!("{:o} {text}", data.mode()))
        })
        .collect()
}

fn index(repo: &Repo) -> String {
    repo.git(&["ls-files", "--stage"])
}

fn text(repo: &Repo, path: &str) -> String {
    fs::read_to_string(repo.dir.join(path)).unwrap()
}

/// A repository with the files in its commit, and one of them executable.
fn world() -> Repo {
    let repo = Repo::unborn();
    fs::remove_dir_all(repo.dir.join(".git/hooks")).unwrap();
    for (path, text) in FILES {
        repo.write(path, text);
    }
    repo.program("run.sh", FILES[3].1);
    repo.commit("base");
    repo
}

#[test]
fn each_mode_writes_what_it_says_and_nothing_else() {
    for mode in MODES {
        let repo = world();
        applied(&repo, &[mode], &patch(&format!("{EDIT_A}{ADD}*** Delete File: docs/only.md\n")));
        let (in_tree, in_index) = match mode {
            "--worktree" => (true, false),
            "--cached" => (false, true),
            _ => (true, true),
        };
        assert_eq!(text(&repo, "src/a.py").contains("altsep"), in_tree, "{mode}");
        assert_eq!(repo.dir.join("src/new/c.py").exists(), in_tree, "{mode}");
        assert_eq!(repo.dir.join("docs").exists(), !in_tree, "{mode}");
        let staged = repo.git(&["diff", "--cached", "--name-status", "HEAD"]);
        let expected = "D\tdocs/only.md\nM\tsrc/a.py\nA\tsrc/new/c.py";
        assert_eq!(staged, if in_index { expected } else { "" }, "{mode}");
        let unstaged = repo.git(&["diff", "--name-only"]);
        assert_eq!(unstaged.is_empty(), mode == "--index", "{mode}: {unstaged}");
    }
}

#[test]
fn the_index_knows_how_the_files_are_on_disk_afterwards() {
    let repo = world();
    applied(&repo, &["--index"], &patch(&format!("{EDIT_A}{ADD}")));
    assert_eq!(repo.git(&["diff-files", "--name-only"]), "");
}

type Disturbance = fn(&Repo);

/// Changes whose diffs git makes, applies, and is compared with.
const CHANGES: &[(&str, Disturbance)] = &[
    ("modify, add, delete and rename", |repo| {
        repo.write("src/a.py", FILES[0].1.replace("sep", "altsep"));
        repo.write("README.md", "# Demo\n\n```sh\nmake all\n```\n\nEnd");
        repo.write("new dir/deep/ä \"q\".py", "x = 1\n");
        repo.write("empty.py", "");
        repo.write("unended.py", "x = 1");
        repo.program("bin/new", "#!/bin/sh\n");
        fs::remove_file(repo.dir.join("src/b.py")).unwrap();
        fs::create_dir(repo.dir.join("lib")).unwrap();
        fs::rename(repo.dir.join("docs/only.md"), repo.dir.join("lib/other.md")).unwrap();
        fs::rename(repo.dir.join("run.sh"), repo.dir.join("go.sh")).unwrap();
    }),
    ("final newlines, modes, a rename with an edit", |repo| {
        repo.write("README.md", format!("{}\n", FILES[4].1));
        repo.write("docs/only.md", FILES[2].1.trim_end());
        fs::set_permissions(repo.dir.join("run.sh"), fs::Permissions::from_mode(0o644)).unwrap();
        repo.program("src/a.py", &FILES[0].1.replace("sep", "altsep"));
        fs::remove_file(repo.dir.join("src/b.py")).unwrap();
        repo.program("src/c.py", &FILES[1].1.replace("a.a()", "a.c()"));
    }),
    ("a file becomes a directory, and a directory a file", |repo| {
        fs::remove_file(repo.dir.join("run.sh")).unwrap();
        repo.write("run.sh/deep/x.py", "x = 1\n");
        fs::remove_dir_all(repo.dir.join("src")).unwrap();
        repo.write("src", "x = 1\n");
    }),
];

#[test]
fn what_git_diffs_is_applied_as_git_applies_it() {
    for (name, change) in CHANGES {
        let origin = world();
        change(&origin);
        origin.git(&["add", "--all"]);
        let how: [(&[&str], &str); 5] = [
            (&["-M"], "--worktree"),
            (&["-M"], "--cached"),
            (&["-M"], "--index"),
            (&["-M", "--no-prefix"], "--index"),
            (&["--no-renames", "--full-index"], "--worktree"),
        ];
        for (options, mode) in how {
            let diff = origin.git_bytes(&[&["diff", "--cached"], options, &["HEAD"]].concat());
            let diff = String::from_utf8(diff).unwrap();
            let (ours, gits) = (world(), world());
            applied(&ours, &[mode], &diff);
            let reply = ours.place("reply").display().to_string();
            let strip = if options.contains(&"--no-prefix") { "-p0" } else { "-p1" };
            let how: &[&str] = if mode == "--worktree" { &[strip, &reply] } else { &[strip, mode, &reply] };
            gits.git(&[&["apply"], how].concat());
            let case = format!("{name}, {options:?}, {mode}\n{diff}");
            assert_same(&worktree(&ours), &worktree(&gits), &case);
            assert_eq!(index(&ours), index(&gits), "{case}");
        }
    }
}

#[test]
fn the_same_edit_comes_out_the_same_in_every_format_that_names_files() {
    let replies = [
        patch(&format!("{EDIT_A}{ADD}")),
        "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@ ... @@\n def a():\n-    return os.sep\n+    return os.altsep\n\
         --- /dev/null\n+++ b/src/new/c.py\n@@ -0,0 +1 @@\n+c = 1\n```\n"
            .to_owned(),
        "src/a.py\n```python\n<<<<<<< SEARCH\n    return os.sep\n=======\n    return os.altsep\n>>>>>>> REPLACE\n```\n\n\
         src/new/c.py\n```python\n<<<<<<< SEARCH\n=======\nc = 1\n>>>>>>> REPLACE\n```\n"
            .to_owned(),
        format!(
            "**`src/a.py`**\n```python\n{}```\n\n```python src/new/c.py\nc = 1\n```\n",
            FILES[0].1.replace("sep", "altsep")
        ),
    ];
    let wanted = world();
    wanted.write("src/a.py", FILES[0].1.replace("sep", "altsep"));
    wanted.write("src/new/c.py", "c = 1\n");
    for reply in replies {
        let repo = world();
        applied(&repo, &["--worktree"], &reply);
        assert_eq!(worktree(&repo), worktree(&wanted), "{reply}");
    }
}

#[test]
fn one_file_that_is_refused_leaves_every_file_as_it_was() {
    let repo = world();
    for mode in MODES {
        for (bad, says) in [
            ("*** Update File: src/b.py\n@@\n-nothing like it\n+x\n", "its old text is not in the file"),
            ("*** Update File: src/none.py\n@@\n-a\n+x\n", "error: src/none.py: "),
            ("*** Add File: src/b.py\n+x\n", "error: src/b.py: already exists in "),
            ("*** Delete File: none.py\n", "error: none.py: "),
            ("*** Update File: src/b.py\n*** Move to: run.sh\n", "error: run.sh: already exists in "),
            ("*** Add File: ../out.py\n+x\n", "invalid path '../out.py'"),
            ("*** Add File: /tmp/out.py\n+x\n", "invalid path '/tmp/out.py'"),
            ("*** Add File: .git/hooks/post-checkout\n+x\n", "is a spelling of '.git'"),
            ("*** Add File: src/.GIT/config\n+x\n", "is a spelling of '.git'"),
            ("*** Add File: .gitattributes\n+* text\n", "it instructs git"),
            ("*** Add File: src/b.py/x.py\n+x\n", "'src/b.py' is not a directory"),
            ("*** Add File: docs\n+x\n", "it is a directory"),
        ] {
            refused(&repo, &[mode], &patch(&format!("{EDIT_A}{bad}")), 1, says);
        }
        refused(&repo, &[mode], "I have updated the files.\n", 1, "reports work");
        refused(&repo, &[mode], "FIND:\n```\na\n```\nREPLACE WITH:\n```\nb\n```\n", 1, "--target");
    }
}

#[test]
fn what_git_takes_instructions_from_is_written_only_if_the_person_allows_it() {
    let repo = world();
    applied(
        &repo,
        &["--index", "--allow", "protected:.gitattributes"],
        &patch("*** Add File: .gitattributes\n+* text\n"),
    );
    assert_eq!(text(&repo, ".gitattributes"), "* text\n");
}

#[test]
fn a_reply_that_changes_nothing_touches_nothing() {
    for mode in MODES {
        let repo = world();
        let before = everything(&repo);
        applied(&repo, &[mode], &format!("src/a.py\n```python\n{}```\n", FILES[0].1));
        assert_same(&everything(&repo), &before, mode);
    }
}

#[test]
fn paths_are_relative_to_the_root_in_a_subdirectory_too() {
    let repo = world();
    let done = apply_in(&repo, &repo.dir.join("docs"), &["--index"], &patch(EDIT_A));
    assert_eq!(done.status, Some(0), "{done}");
    assert!(text(&repo, "src/a.py").contains("altsep"));
    // Nor is the directory removed in which somebody is.
    let done = apply_in(&repo, &repo.dir.join("docs"), &["--index"], &patch("*** Delete File: docs/only.md\n"));
    assert_eq!(done.status, Some(0), "{done}");
    assert!(repo.dir.join("docs").is_dir());
}

#[test]
fn outside_a_repository_the_working_tree_is_the_current_directory() {
    let repo = world();
    let folder = repo.place("outside");
    crate::repo::write(&folder.join("src/a.py"), FILES[0].1);
    let reply = patch(&format!("{EDIT_A}{ADD}"));
    let done = apply_in(&repo, &folder, &["--worktree"], &reply);
    assert_eq!(done.status, Some(0), "{done}");
    assert_eq!(fs::read_to_string(folder.join("src/new/c.py")).unwrap(), "c = 1\n");
    for mode in ["--cached", "--index"] {
        let done = apply_in(&repo, &folder, &[mode], &reply);
        assert_eq!(done.status, Some(128), "{done}");
        assert!(done.err.starts_with("fatal: not a git repository"), "{done}");
    }
}

#[test]
fn a_bare_repository_has_an_index_alone() {
    let mut repo = world();
    repo.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    repo.dir = repo.place("bare.git");
    for mode in ["--worktree", "--index"] {
        refused(&repo, &[mode], &patch(EDIT_A), 128, "must be run in a work tree");
    }
    repo.git(&["read-tree", "HEAD"]);
    applied(&repo, &["--cached"], &patch(EDIT_A));
    assert!(repo.git(&["show", ":src/a.py"]).contains("altsep"));
}

#[test]
fn an_unborn_branch_has_an_index_to_add_to() {
    for mode in MODES {
        let repo = Repo::unborn();
        applied(&repo, &[mode], &patch(ADD));
        let expected = if mode == "--worktree" { "?? src/new/c.py" } else { "A" };
        let status = repo.git(&["status", "--porcelain", "--untracked-files=all"]);
        assert!(status.starts_with(expected), "{mode}: {status}");
    }
}

#[test]
fn another_index_that_git_is_told_of_is_the_one() {
    let mut repo = world();
    let other = repo.place("other index").display().to_string();
    fs::copy(repo.dir.join(".git/index"), &other).unwrap();
    let before = fs::read(repo.dir.join(".git/index")).unwrap();
    repo.set("GIT_INDEX_FILE", &other);
    applied(&repo, &["--cached"], &patch(EDIT_A));
    assert!(repo.git(&["show", ":src/a.py"]).contains("altsep"));
    assert_eq!(fs::read(repo.dir.join(".git/index")).unwrap(), before);
}

#[test]
fn a_linked_worktree_has_its_own_files_and_its_own_index() {
    let mut repo = world();
    repo.git(&["worktree", "add", "--quiet", "../linked"]);
    let main = (text(&repo, "src/a.py"), index(&repo));
    let linked = repo.place("linked");
    let root = std::mem::replace(&mut repo.dir, linked);
    applied(&repo, &["--index"], &patch(EDIT_A));
    assert_eq!(repo.git(&["status", "--porcelain"]), "M  src/a.py");
    repo.dir = root;
    assert_eq!((text(&repo, "src/a.py"), index(&repo)), main);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn the_index_and_the_working_tree_must_agree_where_both_are_written() {
    let repo = world();
    repo.write("src/a.py", format!("{}# dirty\n", FILES[0].1));
    refused(&repo, &["--index"], &patch(&format!("{EDIT_B}{EDIT_A}")), 1, "it does not match the index");
    applied(&repo, &["--worktree"], &patch(EDIT_A));
    assert!(text(&repo, "src/a.py").ends_with("# dirty\n"));
    let repo = world();
    repo.write("src/new/c.py", "mine\n");
    refused(&repo, &["--index"], &patch(&format!("{EDIT_A}{ADD}")), 1, "already exists in working directory");
    refused(&repo, &["--index"], &patch("*** Delete File: src/new/c.py\n"), 1, "does not exist in index");
    // As git does: what is in the index and not on disk is checked out.
    let repo = world();
    fs::remove_file(repo.dir.join("src/a.py")).unwrap();
    applied(&repo, &["--index"], &patch(EDIT_A));
    assert_eq!(repo.git(&["status", "--porcelain"]), "M  src/a.py");
}

#[test]
fn entries_that_are_no_plain_files_are_refused() {
    let repo = world();
    symlink("src/a.py", repo.dir.join("link.py")).unwrap();
    symlink("src", repo.dir.join("way")).unwrap();
    repo.git(&["add", "--all"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", "1".repeat(40))]);
    for mode in MODES {
        let edit = |path: &str| patch(&EDIT_A.replace("src/a.py", path));
        refused(&repo, &[mode], &edit("link.py"), 1, "it is a symbolic link");
        refused(&repo, &[mode], &edit("way/a.py"), 1, "it is beyond the symbolic link");
        refused(&repo, &[mode], &patch("*** Add File: way/new.py\n+x\n"), 1, "it is beyond the symbolic link");
    }
    refused(&repo, &["--cached"], &patch("*** Delete File: sub\n"), 1, "it is a submodule");
    refused(&repo, &["--cached"], &patch("*** Add File: sub/x.py\n+x\n"), 1, "submodule 'sub'");
}

#[test]
fn a_link_on_disk_alone_leads_nowhere_either() {
    let repo = world();
    let outside = repo.place("outside");
    fs::create_dir(&outside).unwrap();
    fs::remove_dir_all(repo.dir.join("docs")).unwrap();
    symlink(&outside, repo.dir.join("docs")).unwrap();
    symlink(outside.join("target"), repo.dir.join("dangling")).unwrap();
    for mode in ["--worktree", "--index"] {
        refused(&repo, &[mode], &patch("*** Add File: docs/x.py\n+x\n"), 1, "beyond the symbolic link 'docs'");
        refused(&repo, &[mode], &patch("*** Add File: dangling\n+x\n"), 1, "it is a symbolic link");
    }
    assert!(names(&outside).is_empty());
}

#[test]
fn another_repository_inside_is_not_written_to() {
    let repo = world();
    repo.git(&["init", "--quiet", "src/inner"]);
    refused(
        &repo,
        &["--worktree"],
        &patch("*** Add File: src/inner/x.py\n+x\n"),
        1,
        "in another repository, 'src/inner'",
    );
}

#[test]
fn an_announced_entry_is_not_there_yet() {
    let repo = world();
    repo.write("src/new/c.py", "mine\n");
    repo.git(&["add", "--intent-to-add", "src/new/c.py"]);
    refused(&repo, &["--index"], &patch(ADD), 1, "it does not match the index");
    applied(&repo, &["--cached"], &patch(ADD));
    assert_eq!(repo.git(&["show", ":src/new/c.py"]), "c = 1");
    assert_eq!(text(&repo, "src/new/c.py"), "mine\n");
}

#[test]
fn an_entry_in_conflict_is_refused() {
    let repo = world();
    repo.git(&["checkout", "--quiet", "-b", "other"]);
    repo.write("src/a.py", "theirs\n");
    repo.commit("theirs");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("src/a.py", "ours\n");
    repo.commit("ours");
    let merge = repo.command("git").args(["merge", "--quiet", "other"]).output().unwrap();
    assert!(!merge.status.success());
    for mode in ["--cached", "--index"] {
        refused(&repo, &[mode], &patch("*** Delete File: src/a.py\n"), 1, "it is unmerged");
    }
}

#[test]
fn entries_that_git_does_not_watch_are_left_alone() {
    let repo = world();
    repo.git(&["update-index", "--skip-worktree", "src/a.py"]);
    refused(&repo, &["--index"], &patch(EDIT_A), 1, "skip-worktree");
    applied(&repo, &["--cached"], &patch(EDIT_A));
}

#[test]
fn files_keep_their_line_ends_and_new_ones_get_those_that_git_gives_them() {
    for mode in MODES {
        let repo = world();
        repo.git(&["config", "core.autocrlf", "true"]);
        let crlf = FILES[0].1.replace('\n', "\r\n");
        repo.write("src/a.py", &crlf);
        assert_eq!(repo.git(&["diff", "--name-only"]), "", "{mode}");
        applied(&repo, &[mode], &patch(&format!("{EDIT_A}{ADD}")));
        if mode != "--cached" {
            assert_eq!(text(&repo, "src/a.py"), crlf.replace("sep", "altsep"), "{mode}");
            assert_eq!(text(&repo, "src/new/c.py"), "c = 1\r\n", "{mode}");
        }
        if mode != "--worktree" {
            assert_eq!(repo.git_bytes(&["show", ":src/a.py"]), FILES[0].1.replace("sep", "altsep").as_bytes());
            assert_eq!(repo.git_bytes(&["show", ":src/new/c.py"]), b"c = 1\n");
        }
    }
    // Without a word to git about line ends, they are bytes of the file.
    let repo = world();
    repo.write("src/a.py", FILES[0].1.replacen('\n', "\r\n", 3));
    repo.commit("mixed");
    applied(&repo, &["--index"], &patch(EDIT_A));
    assert_eq!(text(&repo, "src/a.py"), FILES[0].1.replacen('\n', "\r\n", 3).replace("sep", "altsep"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "M  src/a.py");
}

#[test]
fn a_filter_is_run_where_git_runs_it_and_refused_where_it_hides_the_text() {
    let repo = world();
    repo.write(".gitattributes", "*.py filter=caps\n");
    repo.git(&["config", "filter.caps.smudge", "tr a-z A-Z"]);
    repo.git(&["config", "filter.caps.clean", "tr A-Z a-z"]);
    repo.git(&["add", "--all"]);
    repo.git(&["commit", "--quiet", "--message", "filter"]);
    fs::remove_dir_all(repo.dir.join("src")).unwrap();
    repo.git(&["checkout", "--quiet", "--", "src"]);
    refused(&repo, &["--worktree"], &patch(EDIT_A), 1, "it goes through the filter 'caps'");
    applied(&repo, &["--index"], &patch(&format!("{EDIT_A}{ADD}")));
    assert!(text(&repo, "src/a.py").ends_with("RETURN OS.ALTSEP\n"));
    assert_eq!(text(&repo, "src/new/c.py"), "C = 1\n");
    assert!(repo.git(&["show", ":src/a.py"]).ends_with("return os.altsep"));
    applied(&repo, &["--worktree"], &patch("*** Add File: src/d.py\n+d = 1\n"));
    assert_eq!(text(&repo, "src/d.py"), "D = 1\n");
}

#[test]
fn a_locked_index_is_waited_for_by_nobody() {
    let repo = world();
    fs::write(repo.dir.join(".git/index.lock"), "").unwrap();
    let before = everything(&repo);
    for mode in ["--cached", "--index"] {
        crate::repo::write(&repo.place("reply"), patch(EDIT_A));
        let mut process = repo.process(&["apply", mode, "../reply"]);
        let output = process.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(128), "{err}");
        assert!(err.contains("index.lock': it exists\nhint: "), "{err}");
    }
    assert_same(&everything(&repo), &before, "");
}

#[test]
fn a_disk_that_fills_up_leaves_everything_as_it_was() {
    let repo = world();
    let big = format!("*** Add File: big.txt\n{}", format!("+{}\n", "x".repeat(99)).repeat(2000));
    crate::repo::write(&repo.place("reply"), patch(&format!("{EDIT_A}*** Delete File: run.sh\n{big}")));
    for mode in ["--worktree", "--index"] {
        let before = everything(&repo);
        // No file may grow past 64 kB, and the attempt is an error rather than a signal.
        let mut shell = repo.command("sh");
        let script = "trap '' XFSZ; ulimit -f 128; exec \"$0\" apply \"$1\" ../reply";
        let output = shell.args(["-c", script, env!("CARGO_BIN_EXE_git-implement"), mode]).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(128), "{err}");
        assert!(err.starts_with("fatal: "), "{err}");
        assert_same(&everything(&repo), &before, format!("{mode}\n{err}"));
    }
}

#[test]
fn permissions_stay_but_for_what_the_reply_says_of_them() {
    let repo = world();
    fs::set_permissions(repo.dir.join("src/a.py"), fs::Permissions::from_mode(0o600)).unwrap();
    let mode = || fs::metadata(repo.dir.join("src/a.py")).unwrap().mode() & 0o7777;
    applied(&repo, &["--worktree"], &patch(EDIT_A));
    assert_eq!(mode(), 0o600);
    applied(&repo, &["--worktree"], "diff --git a/src/a.py b/src/a.py\nold mode 100644\nnew mode 100755\n");
    assert_eq!(mode(), 0o700);
    assert!(text(&repo, "src/a.py").contains("altsep"));
}

#[test]
fn gates_judge_every_file_when_they_are_asked_to() {
    let repo = world();
    let reply = patch(&format!("{EDIT_B}*** Add File: bad.py\n+def (\n"));
    refused(&repo, &["--worktree", "--check"], &reply, 1, "'bad.py' does not parse");
    applied(&world(), &["--worktree"], &reply);
    let done = apply(&repo, &["--worktree", "--check", "--allow", "syntax:bad.py"], &reply);
    assert_eq!(done.status, Some(0), "{done}");
    assert_eq!(text(&repo, "bad.py"), "def (\n");
}

#[test]
fn json_says_what_became_of_each_file() {
    let read = |done: &Done| -> Value { serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}\n{done}")) };
    let repo = world();
    let reply = patch(&format!("{EDIT_A}*** Update File: run.sh\n*** Move to: go.sh\n{ADD}"));
    let done = apply(&repo, &["--worktree", "--json"], &reply);
    let edits = json!([{"line": 5, "lines": 1, "tier": "exact"}]);
    let expected = json!({
        "outcome": "applied",
        "files": [
            {"path": "src/a.py", "change": "modify", "format": "v4a", "edits": edits, "outcome": "applied"},
            {"path": "go.sh", "change": "rename", "from": "run.sh", "format": "v4a", "edits": [], "outcome": "applied"},
            {"path": "src/new/c.py", "change": "add", "format": "v4a",
             "edits": read(&done)["files"][2]["edits"].clone(), "outcome": "applied"},
        ],
        "findings": [],
    });
    assert_eq!((done.status, read(&done)), (Some(0), expected));
    let same = format!("src/b.py\n```python\n{}```\n", FILES[1].1);
    let done = apply(&repo, &["--worktree", "--json"], &same);
    assert_eq!((done.status, &read(&done)["outcome"]), (Some(0), &json!("unchanged")), "{done}");
    let done = apply(&repo, &["--worktree", "--json"], &patch(&format!("{EDIT_B}{ADD}")));
    let found = read(&done);
    let outcomes = [&found["files"][0]["outcome"], &found["files"][1]["outcome"], &found["outcome"]];
    assert_eq!((done.status, outcomes), (Some(1), [&json!("withheld"), &json!("refused"), &json!("refused")]));
    assert_eq!(
        (&found["findings"][0]["id"], &found["findings"][0]["path"]),
        (&json!("path-exists"), &json!("src/new/c.py"))
    );
    let done = apply(&repo, &["--worktree", "--json"], "No.\n");
    assert_eq!((done.status, &read(&done)["files"]), (Some(1), &json!([])), "{done}");
}

#[test]
fn an_escape_in_a_path_never_reaches_the_terminal() {
    for mode in MODES {
        let repo = world();
        let done =
            apply(&repo, &[mode], &patch("*** Add File: src/\u{1b}]0;x\u{7}.py\n+x\n*** Delete File: \u{1b}[2J\n"));
        assert_eq!(done.status, Some(1), "{done}");
        assert!(!done.err.contains('\u{1b}') && !done.err.contains('\u{7}'), "{:?}", done.err);
    }
}

#[test]
fn the_modes_exclude_each_other_and_what_names_one_file() {
    let repo = world();
    for bad in [
        &["--worktree", "--cached"][..],
        &["--index", "--target", "a.py"],
        &["--worktree", "--base", "a.py"],
        &["--cached", "--no-base"],
        &["--cached", "--jsonl"],
        &["--index", "--lsp-timeout", "5"],
    ] {
        refused(&repo, bad, &patch(EDIT_A), 129, "");
    }
}
