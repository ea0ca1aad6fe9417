//! `git implement new`: a design from a title and free text, and what a model proposes for it.

use crate::lists::{fenced, module};
use crate::repo::{Repo, write};
use std::fs;

const ISSUE: &str = "# 12: Ring the bell\r\n\r\nNobody hears the tower.\r\n\r\n## Wanted\r\n\r\n- a bell\r\n";
const PATH: &str = "docs/lld/12-ring-the-bell.md";
const ANSWER: &str = "```json\n{\"design\": [{\"path\": \"src/bell.py\", \"change\": \"add\"},\n\
                      {\"path\": \"src/app.py\", \"change\": \"modify\"}]}\n```\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("src/app.py", "def app():\n    return None\n"), ("issue.md", ISSUE)]);
    for name in ["bell", "app"] {
        repo.answer(&format!("src/{name}.py"), fenced(&module(name)));
    }
    for path in [PATH, "issue.md", "standard-input"] {
        repo.answer(path, ANSWER);
    }
    repo
}

#[test]
fn a_design_is_made_from_an_issue_and_its_next_steps_are_said() {
    let repo = repo();
    let made = repo.change(&["new", "--from", "issue.md"]);
    assert_eq!((made.status, made.out.as_str()), (Some(0), format!("{PATH}\n").as_str()), "{made}");
    assert!(made.err.contains(&format!("git implement plan {PATH}")), "{made}");
    assert!(made.err.contains(&format!("git implement plan --propose --write {PATH}")), "{made}");
    let text = fs::read_to_string(repo.dir.join(PATH)).unwrap();
    assert!(text.starts_with("# 12: Ring the bell\n\n* **Issue:** #12\n* **Status:** Draft\n"), "{text}");
    assert!(
        text.contains("## 1. Context & Goal\n\nNobody hears the tower.\n\n#### Wanted\n\n- a bell\n\n## 2."),
        "{text}"
    );
    assert_eq!(repo.git(&["status", "--porcelain", "-uall"]), format!("?? {PATH}"));
    repo.run(&["plan", PATH]).refused(1).says("no file is listed under the heading '2.1 Files Changed'");
}

#[test]
fn nothing_that_is_there_is_written_over_or_gone_round() {
    let repo = repo();
    let title = ["new", "Ring: the Bell!"];
    assert_eq!(repo.change(&title).out, "docs/lld/ring-the-bell.md\n");
    write(&repo.dir.join("docs/lld/ring-the-bell.md"), "mine\n");
    let again = repo.run(&title);
    again.refused_at_once(128).says("'docs/lld/ring-the-bell.md' is there already");
    assert_eq!(repo.change(&["new", "../../\u{1b}[31mEscape"]).out, "docs/lld/31mescape.md\n");
    // A link leads elsewhere.
    fs::remove_dir_all(repo.dir.join("docs")).unwrap();
    std::os::unix::fs::symlink(repo.place("home"), repo.dir.join("docs")).unwrap();
    repo.run(&title).refused_at_once(128).says("cannot make 'docs/lld/ring-the-bell.md'");
}

#[test]
fn a_title_is_needed_that_names_a_file() {
    let repo = repo();
    repo.run(&["new"]).refused_at_once(129);
    repo.run(&["new", "?!"]).refused_at_once(128).says("no title that could name its file");
    repo.run(&["new", "x", "--from", "nowhere"]).refused_at_once(128).says("cannot read 'nowhere'");
    repo.run_on("no title\n", &["new", "--from", "-"]).refused_at_once(128).says("no title that could name its file");
    repo.run(&["new", "x", "--provider", "ollama"]).refused_at_once(129);
}

#[test]
fn proposed_files_stand_in_the_new_design_and_become_a_branch() {
    let repo = repo();
    let provider = repo.provider();
    let ask = ["--propose", "--write", "--provider", "command", "--command", &provider];
    let made = repo.change(&[&["new", "--from", "issue.md"], &ask[..]].concat());
    assert_eq!(made.status, Some(0), "{made}");
    let text = fs::read_to_string(repo.dir.join(PATH)).unwrap();
    assert!(
        text.contains("|-------------|\n| `src/bell.py` | Add | |\n| `src/app.py` | Modify | |\n\n## 3."),
        "{text}"
    );
    repo.implement(&[PATH]).published("implement/12");
    assert_eq!(repo.subjects("implement/12"), ["Add src/bell.py", "Modify src/app.py"]);
}

#[test]
fn free_text_is_a_design_as_soon_as_files_are_agreed_to() {
    let repo = repo();
    let refused = repo.run(&["plan", "issue.md"]);
    refused.refused(1).says("git implement plan --propose <design>").says("'git implement new'");
    let provider = repo.provider();
    let propose = ["plan", "--propose", "--yes", "--provider", "command", "--command", &provider, "issue.md"];
    let proposed = repo.run(&propose);
    proposed.changed_nothing().says("from now on these files count for 'issue.md'");
    assert!(
        proposed.out.contains("design 12: Ring the bell\n    add    src/bell.py\n    modify src/app.py\n"),
        "{proposed}"
    );
    assert!(repo.prompt("issue.md").contains("may have up to 50 files"));
    let ran = repo.implement(&["issue.md"]);
    ran.published("implement/issue");
    ran.says("the files of the design are proposals that were agreed to");
    assert_eq!(repo.subjects("implement/issue"), ["Add src/bell.py", "Modify src/app.py"]);
    assert_eq!(repo.git(&["log", "--format=%(trailers:key=Task)", "main..implement/issue"]).trim(), "");
}
