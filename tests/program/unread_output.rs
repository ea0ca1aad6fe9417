//! Readers that went away and disks that are full: nothing panics, nothing that was paid for is lost, and every verb
//! ends alike.

use crate::repo::Repo;
use std::fs::{File, OpenOptions};
use std::process::{Output, Stdio};

const DESIGN: &str = "# 3 - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n| `src/b.py` | Add | Uses it |\n";

const EDIT: &str = "<<<<<<< SEARCH\nA = 1\n=======\nA = 2\n>>>>>>> REPLACE\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.answer("src/b.py", "```python\nfrom a import A\n\nprint(A)\n```\n");
    std::fs::write(repo.place("reply"), EDIT).unwrap();
    std::fs::write(repo.place("request"), "{\"target\": \"a.py\", \"base\": null, \"reply\": \"\"}\n").unwrap();
    repo
}

/// A pipe from which nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// A disk on which there is no room.
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

/// The program with these as its standard output and error, and a request for `apply --jsonl` on its standard input.
fn ran(repo: &Repo, arguments: &[&str], out: Stdio, err: Stdio) -> Output {
    let mut process = repo.process(arguments);
    process.stdin(File::open(repo.place("request")).unwrap()).stdout(out).stderr(err);
    process.spawn().unwrap().wait_with_output().unwrap()
}

#[track_caller]
fn implemented(repo: &Repo, branch: &str) {
    assert_eq!(repo.subjects(branch), ["Modify src/a.py", "Add src/b.py"]);
    assert_eq!(repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement/runs"]).lines().count(), 1);
}

#[test]
fn a_run_goes_on_to_its_end_when_nobody_reads_what_it_says() {
    for (name, err) in [("closed", closed as fn() -> Stdio), ("full", full)] {
        for options in [&[][..], &["-v"], &["-q"], &["--progress"], &["--json"]] {
            let repo = repo();
            let provider = repo.provider();
            let arguments = [&["--provider", "command", "--command", &provider, "docs/3.md"], options].concat();
            let output = ran(&repo, &arguments, Stdio::piped(), err());
            assert_eq!(output.status.code(), Some(0), "{name} {options:?}");
            implemented(&repo, "implement/3");
        }
    }
}

#[test]
fn a_refused_run_keeps_its_replies_when_nobody_reads_why() {
    for err in [closed(), full()] {
        let repo = repo();
        repo.answer("src/b.py", "```python\ndef (\n```\n");
        let provider = repo.provider();
        let output = ran(&repo, &["--command", &provider, "docs/3.md", "--repair", "0"], Stdio::piped(), err);
        assert_eq!(output.status.code(), Some(1));
        let kept = std::fs::read_dir(repo.git_dir().join("implement/failed")).unwrap().flatten().next().unwrap();
        assert_eq!(std::fs::read_dir(kept.path().join("replies")).unwrap().count(), 2);
    }
}

#[test]
fn a_run_whose_result_nobody_reads_is_done_all_the_same() {
    for (out, err, status) in [
        (closed as fn() -> Stdio, Stdio::piped as fn() -> Stdio, 141),
        (closed, closed, 141),
        (full, Stdio::piped, 128),
        (full, full, 128),
    ] {
        for options in [&[][..], &["--json"]] {
            let repo = repo();
            let provider = repo.provider();
            let arguments = [&["--provider", "command", "--command", &provider, "docs/3.md"], options].concat();
            let output = ran(&repo, &arguments, out(), err());
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(status), "{options:?} {said}");
            implemented(&repo, "implement/3");
        }
    }
}

/// Every verb that prints, and `-h`: the arguments, and the status when all is read.
fn verbs(repo: &Repo) -> Vec<(Vec<String>, i32)> {
    let reply = repo.place("reply").display().to_string();
    [
        (&["-n", "docs/3.md"][..], 0),
        (&["-n", "--json", "docs/3.md"], 0),
        (&["plan", "docs/3.md"], 0),
        (&["plan", "--json", "docs/3.md"], 0),
        (&["plan", "--no-repo", "docs/3.md"], 0),
        (&["check", "--json"], 0),
        (&["check", "--sarif"], 0),
        (&["check", "broken.py"], 1),
        (&["apply", "--target", "src/a.py", &reply], 0),
        (&["apply", "--json", "--target", "src/a.py", &reply], 0),
        (&["apply", "--json", "--target", "docs/3.md", &reply], 1),
        (&["apply", "--jsonl"], 0),
        (&["hook", "status"], 1),
        (&["completions", "bash"], 0),
        (&["man"], 0),
        (&["-h"], 0),
        (&["plan", "--help"], 0),
        (&["--version"], 0),
        (&["demo"], 0),
    ]
    .map(|(arguments, status)| (arguments.iter().map(|&word| word.to_owned()).collect(), status))
    .into()
}

#[test]
fn every_verb_ends_with_141_in_silence_when_its_reader_went_away() {
    let repo = repo();
    repo.write("broken.py", "def (\n");
    for (arguments, status) in verbs(&repo) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let read = ran(&repo, &arguments, Stdio::piped(), Stdio::piped());
        assert_eq!(read.status.code(), Some(status), "{arguments:?} {}", String::from_utf8_lossy(&read.stderr));
        let unread = ran(&repo, &arguments, closed(), Stdio::piped());
        let said = String::from_utf8_lossy(&unread.stderr).into_owned();
        assert_eq!(unread.status.code(), Some(141), "{arguments:?} {said}");
        assert!(!said.contains("Broken pipe") && !said.contains("fatal") && !said.contains("panicked"), "{said}");
        assert_eq!(ran(&repo, &arguments, closed(), closed()).status.code(), Some(141), "{arguments:?}");
    }
}

#[test]
fn every_verb_says_so_when_there_is_no_room_for_its_result() {
    let repo = repo();
    repo.write("broken.py", "def (\n");
    for (arguments, _) in verbs(&repo) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = ran(&repo, &arguments, full(), Stdio::piped());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(128), "{arguments:?} {said}");
        let last = said.lines().last().unwrap_or_default();
        assert_eq!(last, "fatal: cannot write to standard output: No space left on device", "{arguments:?} {said}");
    }
}

#[test]
fn nothing_ends_otherwise_for_want_of_a_reader_of_its_messages() {
    let repo = repo();
    repo.write("broken.py", "def (\n");
    let wrong = [(vec!["no-such.md".to_owned()], 128), (vec!["--no-such-option".to_owned()], 129)];
    for (arguments, status) in verbs(&repo).into_iter().chain(wrong) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        for err in [closed(), full()] {
            assert_eq!(ran(&repo, &arguments, Stdio::piped(), err).status.code(), Some(status), "{arguments:?}");
        }
    }
}

#[test]
fn what_is_installed_is_installed_whole_though_nobody_reads_of_it() {
    let repo = repo();
    for (verb, status) in [("install", 0), ("uninstall", 1)] {
        let output = ran(&repo, &["hook", verb], closed(), closed());
        assert_eq!(output.status.code(), Some(141), "{verb}");
        assert_eq!(repo.process(&["hook", "status"]).output().unwrap().status.code(), Some(status), "{verb}");
    }
}
