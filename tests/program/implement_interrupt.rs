//! The person's Ctrl-C, wherever it comes: it ends what has not begun to be published, at once, with status 130.

use crate::repo::Repo;

fn design(number: u32) -> String {
    format!(
        "# {number} - A file\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
         | `src/a.py` | Modify | Another value |\n"
    )
}

fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", &design(3)), ("docs/4.md", &design(4))]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo
}

/// Interrupts the program whose child's child this shell is: git stands between.
const INTERRUPT: &str = "kill -INT $(ps -o ppid= -p $PPID)";

#[test]
fn what_has_begun_to_be_published_is_finished_and_the_other_designs_are_not_made() {
    let repo = repo();
    // Whether the refs could be moved is tried before anything is asked, but only now they are.
    let script = format!("[ \"$1\" = committed ] && grep -q refs/heads/implement/3 && {INTERRUPT}; exit 0");
    repo.hook("reference-transaction", &script);
    let ran = repo.implement(&["docs/3.md", "docs/4.md"]);
    assert_eq!(ran.status, Some(130), "{ran}");
    let mut heads = ran.refs.keys().filter(|name| name.starts_with("refs/heads/"));
    assert_eq!((heads.next().map(String::as_str), heads.next()), (Some("refs/heads/implement/3"), None), "{ran}");
    assert!(ran.failed.is_empty(), "{ran}");
    ran.says("error: interrupted\n");
    // Alone, or as the last one, it is all there was to do.
    repo.hook("reference-transaction", &script.replace("implement/3", "implement/x"));
    repo.implement(&["docs/3.md", "-b", "implement/x"]).published("implement/x");
}

#[test]
fn what_is_interrupted_before_that_leaves_nothing_and_no_other_design_is_begun() {
    let repo = repo();
    repo.hook("pre-commit", INTERRUPT);
    let ran = repo.implement(&["docs/3.md", "docs/4.md"]);
    ran.refused(130).says("error: interrupted\n");
    assert_eq!(ran.failed.len(), 1, "{ran}");
}

#[test]
fn a_signal_that_git_passes_on_is_not_a_second_one() {
    let repo = repo();
    // As on a terminal, whose Ctrl-C reaches git and this program, and this program once more through git.
    repo.before("src/a.py", "trap '' TERM\nfor _ in 1 2 3 4 5; do kill -INT $PPID; done\nexit 1");
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused(130).says("error: interrupted\n");
    assert_eq!(ran.failed.len(), 1, "{ran}");
}

#[test]
fn a_git_that_it_ends_is_an_interruption_and_no_broken_repository() {
    let mut repo = repo();
    let found = repo.command("sh").args(["-c", "command -v git"]).output().unwrap();
    let git = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    let path = repo.variables["PATH"].clone();
    // While the base is read, and while git is asked who makes the commits.
    for verb in ["cat-file", "var"] {
        let ends = format!("case \" $* \" in *' {verb} '*) kill -INT $$;; esac");
        repo.program(format!("../{verb}/git"), &format!("#!/bin/sh\n{ends}\nexec '{git}' \"$@\"\n"));
        repo.set("PATH", format!("{}:{path}", repo.place(verb).display()));
        let output = repo.process(&["--command", "true", "docs/3.md"]).output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{verb}: {output:?}");
        assert!(output.stderr.ends_with(b"error: interrupted\n"), "{verb}: {output:?}");
    }
}

#[test]
fn a_key_command_is_ended_and_the_status_is_130() {
    let mut repo = repo();
    repo.program("../key", "#!/bin/sh\nkill -INT $PPID\nexec sleep 600\n");
    repo.set("GIT_IMPLEMENT_KEY_COMMAND", format!("'{}'", repo.place("key").display()));
    let provider = ["--provider", "openai", "--model", "m", "--base-url", "http://127.0.0.1:9"];
    let ran = repo.run(&[&provider, &["docs/3.md"][..]].concat());
    ran.refused_at_once(130).says("interrupted\n");
}

/// Runs a program on a terminal of its own, presses Ctrl-C when it asks, and prints what it ended with.
const ON_A_TERMINAL: &str = r#"
import os, pty, signal, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
signal.alarm(100)
said = b""
while b"[y/N] " not in said:
    said += os.read(terminal, 1000)
os.write(terminal, b"\x03")
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status))
"#;

#[test]
fn a_question_on_the_terminal_ends_at_once() {
    let mut repo = repo();
    repo.set("OPENAI_API_KEY", "a-key");
    let program = env!("CARGO_BIN_EXE_git-implement");
    let arguments = ["docs/3.md", "--provider", "openai", "--model", "m", "--base-url", "http://192.0.2.1:9"];
    let output = repo.command("python3").args(["-c", ON_A_TERMINAL, program]).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&output.stdout), "130\n", "{}", text(&output.stderr));
}
