//! Replies that must not become commits: each is refused by name, and leaves nothing but its record.

use crate::repo::{Ran, Repo};

/// A design of two files, of which the first one's reply is what a test is about.
fn design(row: &str) -> String {
    format!(
        "# 9 - Refused\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n{row}\n\
         | `src/other.py` | Add | Never reached |\n"
    )
}

const MODIFY: &str = "| `src/a.py` | Modify | More of it |";

/// 120 lines: `v1 = 1` to `v116 = 116`, with four that are alike.
fn base() -> String {
    let lines =
        (1..=116).map(|n| if n % 29 == 0 { format!("v{n} = {n}\nsame = 1\n") } else { format!("v{n} = {n}\n") });
    lines.collect()
}

/// Lines of [`base`] that read `same = 1`.
const SAME: &str = "30, 60, 90 and 120";

fn repo() -> Repo {
    Repo::of(&[("src/a.py", &base()), ("docs/9.md", &design(MODIFY))])
}

/// Runs the design with this reply; it must be refused with status 1, these gates and these words, and leave nothing.
#[track_caller]
fn refused(reply: &str, arguments: &[&str], gates: &str, words: &[&str]) -> (Repo, Ran) {
    let repo = repo();
    repo.answer("src/a.py", reply);
    let ran = repo.implement(&[&["docs/9.md", "--repair", "0"], arguments].concat());
    judge(&repo, &ran, reply, arguments, gates, words);
    (repo, ran)
}

#[track_caller]
fn judge(repo: &Repo, ran: &Ran, reply: &str, arguments: &[&str], gates: &str, words: &[&str]) {
    ran.refused(1);
    assert_eq!(ran.out, "", "{ran}");
    ran.says(&format!("error: the reply for 'src/a.py' is refused: {gates}\n"));
    for text in words {
        ran.says(text);
    }
    assert_eq!(
        repo.asked().len(),
        1,
        "without repairs a complete reply is final at once, and no other file is asked for\n{ran}"
    );
    let [run] = &ran.failed[..] else { panic!("{ran}") };
    let record = repo.failed(run);
    ran.says(&format!("kept for --replay in '{}'\n", record.display()));
    // The first 500 characters, each line marked.
    let (_, shown) = ran.err.split_once("the reply begins:\n").unwrap_or_else(|| panic!("{ran}"));
    let shown: String =
        shown.lines().map_while(|line| line.strip_prefix("    | ")).map(|line| format!("{line}\n")).collect();
    let begins: String = reply.chars().take(500).collect();
    let begins = if begins.is_empty() { "(empty)" } else { begins.as_str() };
    assert_eq!(shown.trim_end_matches('\n'), begins.trim_end_matches('\n'), "{ran}");
    // What was paid for can be used again, to the same end.
    let again = repo.run(&[&["docs/9.md", "--replay", record.to_str().unwrap()], arguments].concat());
    again.refused(1).says(&format!("error: the reply for 'src/a.py' is refused: {gates}\n"));
    assert_eq!(repo.asked().len(), 1, "nobody was asked again");
}

fn fenced(text: &str) -> String {
    format!("```python\n{text}```\n")
}

#[test]
fn a_file_that_is_cut_in_its_middle_does_not_parse() {
    let reply = fenced(&format!("{}def f(\n", base()));
    refused(&reply, &[], "syntax-python", &["error: src/a.py:122: 'src/a.py' does not parse: "]);
}

#[test]
fn an_agents_report_is_no_file() {
    let reply = "I have written src/a.py with the new values. The file was saved and all tests pass.\n";
    refused(reply, &[], "reply-report", &["error: the reply for 'src/a.py' reports work instead of giving the file\n"]);
}

#[test]
fn a_report_in_a_fence_is_no_file_either() {
    let reply = fenced("The file has been updated with the new values.\nAll tests pass now.\n");
    let (_, ran) = refused(&reply, &["--allow", "size"], "summary", &[]);
    ran.says("error: src/a.py:1: 'src/a.py' holds a summary in place of code: 'The file has been updated");
}

#[test]
fn an_elided_file_is_refused_with_the_line_that_stands_for_the_rest() {
    let reply = fenced("v1 = 2\n# ... existing code unchanged ...\nv116 = 116\n");
    let words = ["error: src/a.py:2: 'src/a.py' leaves something out: '# ... existing code unchanged ...'\n"];
    refused(&reply, &[], "omission", &words);
}

#[test]
fn two_blocks_are_no_answer() {
    let reply = format!("{}\nWait, that is better:\n\n{}", fenced("x = 1\n"), fenced("x = 2\n"));
    refused(&reply, &[], "reply-two-blocks", &["error: the reply for 'src/a.py' has more than one code block\n"]);
}

#[test]
fn a_fence_that_is_never_closed_is_a_cut_reply() {
    let reply = format!("```python\n{}", base());
    refused(
        &reply,
        &[],
        "reply-unclosed",
        &["has an open code fence that is never closed\nhint: the reply may have been cut off\n"],
    );
}

#[test]
fn words_without_a_block_are_no_answer() {
    refused(
        "Could you tell me more about it?\n",
        &[],
        "reply-no-fence",
        &["the reply for 'src/a.py' has no code block\n"],
    );
}

#[test]
fn an_empty_reply_is_no_answer() {
    let (_, ran) = refused("", &[], "reply-empty", &["error: the reply for 'src/a.py' is empty\n"]);
    ran.says("the reply begins:\n    | (empty)\n");
}

#[test]
fn an_emptied_file_is_refused() {
    refused("```python\n```\n", &[], "empty", &["error: 'src/a.py' is empty\n", "--allow empty"]);
}

#[test]
fn a_patch_of_another_file_is_refused() {
    let reply = "```diff\n--- a/src/b.py\n+++ b/src/b.py\n@@ ... @@\n-v1 = 1\n+v1 = 2\n v2 = 2\n```\n";
    refused(reply, &["--format", "unified"], "reply-other-file", &["the reply for 'src/a.py' is for another file"]);
}

#[test]
fn conflict_markers_are_refused_with_their_line() {
    let reply = fenced(&format!("{}<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n", base()));
    let words = ["error: src/a.py:121: 'src/a.py' has conflict markers\nhint: keep one of the two sides"];
    let (_, ran) = refused(&reply, &[], "conflict", &words);
    assert!(!ran.err.contains("does not parse"), "that is said by the markers: {ran}");
}

#[test]
fn a_fence_inside_the_fence_is_refused_with_its_lines() {
    let reply = format!("````python\n{}````\n", fenced(&base()));
    let words = ["error: src/a.py:1: 'src/a.py' begins and ends with a Markdown fence\n"];
    refused(&reply, &[], "fence", &words);
}

#[test]
fn a_file_that_shrinks_to_less_than_half_is_refused() {
    let reply = fenced("v1 = 1\nv2 = 2\n");
    refused(
        &reply,
        &[],
        "size",
        &["error: 'src/a.py' shrinks from 120 lines to 2\nhint: if that is meant, write 'allow: size'"],
    );
}

#[test]
fn a_file_may_shrink_if_the_row_or_the_person_permits_it() {
    let repo = Repo::of(&[
        ("src/a.py", &base()),
        ("docs/9.md", &design("| `src/a.py` | Modify | Most of it goes, allow: size |")),
        ("docs/10.md", &design(MODIFY).replace("# 9", "# 10")),
    ]);
    repo.answer("src/a.py", fenced("v1 = 1\nv2 = 2\n"));
    repo.answer("src/other.py", fenced("import os\n\nprint(os.sep)\n"));
    repo.implement(&["docs/9.md"]).published("implement/9");
    assert_eq!(repo.blob("implement/9", "src/a.py"), b"v1 = 1\nv2 = 2\n");
    repo.implement(&["docs/10.md"]).refused(1).says("is refused: size\n");
    repo.implement(&["docs/10.md", "--allow", "size:src/other.py"]).refused(1);
    repo.implement(&["docs/10.md", "--allow", "size:src/a.py"]).published("implement/10");
}

#[test]
fn a_new_source_file_of_words_only_is_too_short() {
    let row = "| `src/a.py` | Add | New |";
    let repo = Repo::of(&[("docs/9.md", &design(row))]);
    let reply = fenced("print\n");
    repo.answer("src/a.py", &reply);
    let ran = repo.implement(&["docs/9.md", "--repair", "0"]);
    judge(&repo, &ran, &reply, &[], "too-short", &["'src/a.py' has 1 line, and no import, export or definition\n"]);
}

fn change(find: &str, replace: &str) -> String {
    format!("### CHANGE 1: it\nFIND:\n```python\n{find}```\nREPLACE WITH:\n```python\n{replace}```\n")
}

#[test]
fn an_edit_whose_text_is_not_there_is_refused() {
    let reply = change("w5 = 5\nw6 = 6\n", "w5 = 6\n");
    let words = ["cannot apply change 1 to 'src/a.py': FIND is not in the file"];
    refused(&reply, &["--format", "find-replace"], "edit-not-found", &words);
}

#[test]
fn an_edit_that_fits_several_places_is_refused_with_all_their_lines() {
    let reply = change("same = 1\n", "same = 2\n");
    let words = [&*format!("error: src/a.py:30: cannot apply change 1 to 'src/a.py': FIND matches lines {SAME}\n")];
    refused(&reply, &["--format", "find-replace"], "edit-ambiguous", &words);
}

#[test]
fn one_edit_that_does_not_fit_keeps_the_others_out_too() {
    let good = change("v5 = 5\n", "v5 = 50\n");
    let bad = change("w6 = 6\n", "w6 = 60\n").replace("CHANGE 1", "CHANGE 2");
    let words = ["cannot apply change 2 to 'src/a.py'"];
    refused(&format!("{good}\n{bad}"), &["--format", "find-replace"], "edit-not-found", &words);
}

#[test]
fn terminal_escapes_of_a_reply_and_of_a_design_are_shown_never_sent() {
    let reply =
        format!("\x1b[2J\x1b]0;title\x07I wrote the file, and all tests pass.\u{202e}\n{}\n", "long ".repeat(200));
    let repo = Repo::of(&[
        ("src/a.py", &base()),
        ("docs/9.md", &design("| `src/a.py` | Modify | \x1b[31mred\x1b[0m \u{202e}turned |")),
    ]);
    repo.answer("src/a.py", &reply);
    repo.before("src/a.py", "printf '\\033[35mpurple\\n' >&2");
    let ran = repo.implement(&["docs/9.md", "-v"]);
    ran.refused(1).says("    | \\u{1b}[2J\\u{1b}]0;title\\u{7}I wrote the file, and all tests pass.\\u{202e}\n");
    let foreign = |text: &str| text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}');
    assert!(!foreign(&ran.err) && !foreign(&ran.out), "{:?}", ran.err);
    let (_, shown) = ran.err.split_once("    | ").unwrap();
    assert!(shown.matches("long").count() > 80 && shown.matches("long").count() < 100, "500 characters: {shown}");
}

#[test]
fn a_program_that_fails_is_named_with_its_status_and_last_words() {
    let repo = repo();
    repo.before("src/other.py", "echo 'quota exceeded' >&2; exit 7");
    repo.answer("src/a.py", fenced(&base().replace("v5 = 5", "v5 = 6")));
    let ran = repo.implement(&["docs/9.md"]);
    ran.refused(2).says("error: cannot get 'src/other.py': provider command 'sh' failed with status 7\n");
    ran.says("hint: it said: quota exceeded\n");
    // What was answered before is in the record, and used as far as it goes.
    let record = repo.failed(&ran.failed[0]);
    ran.says(&format!("kept for --replay in '{}'\n", record.display()));
    let again = repo.run(&["docs/9.md", "--replay", record.to_str().unwrap()]);
    again.refused(2).says("[1/2] src/a.py: modified, +1 -1").says("no recorded reply for 'src/other.py'");
    assert_eq!(repo.asked(), ["src/a.py whole 1", "src/other.py whole 1"]);
}

#[test]
fn beside_a_provider_a_record_answers_what_was_accepted_and_the_rest_is_asked() {
    let repo = repo();
    let good = fenced(&base().replace("v5 = 5", "v5 = 6"));
    repo.answer("src/a.py", &good);
    repo.answer("src/other.py", "I have changed the file, and all tests pass.\n");
    let beside = repo.place("replies");
    let ran = repo.implement(&["docs/9.md", "--record", beside.to_str().unwrap()]);
    ran.refused(1).says("go on, without asking again for what was accepted\n");
    let record = repo.failed(&ran.failed[0]);
    let replay = ["--replay", record.to_str().unwrap()];
    // Alone it is the same refusal, for nothing.
    repo.run(&[&["docs/9.md"], &replay[..]].concat()).refused(1);
    repo.answer("src/other.py", fenced("value = 1\n"));
    let again = repo.implement(&[&["docs/9.md"], &replay[..]].concat());
    again.published("implement/9");
    again.says(&format!("for what is not recorded in '{}'", record.join("replies").display()));
    // The first reply to the second file is free as well; asked anew is the repair of it, which was refused.
    assert_eq!(repo.asked()[1..], ["src/other.py whole 1", "src/other.py whole 2", "src/other.py whole 2"]);
    // What --record wrote does as well.
    repo.implement(&["docs/9.md", "-b", "recorded", "--replay", beside.to_str().unwrap()]).published("recorded");
    assert_eq!(repo.asked().len(), 5);
    repo.implement(&["docs/9.md", "-b", "beside"]).published("beside");
    assert_eq!(repo.git(&["rev-parse", "beside^{tree}"]), repo.git(&["rev-parse", "implement/9^{tree}"]));
}

#[test]
fn a_program_that_is_not_there_is_a_failed_command() {
    let ran = repo().run(&["docs/9.md", "--provider", "command", "--command", "no-such-program-anywhere"]);
    ran.refused(2).says("provider command 'no-such-program-anywhere' cannot be started");
}

#[test]
fn a_failed_record_holds_the_finding_and_the_end_of_the_run() {
    let (repo, ran) = refused(&change("same = 1\n", ""), &["--format", "find-replace"], "edit-ambiguous", &[]);
    let read = |name: &str| std::fs::read_to_string(repo.failed(&ran.failed[0]).join(name)).unwrap();
    let events: Vec<serde_json::Value> =
        read("events.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let finding = events.iter().find(|event| event["event"] == "finding").unwrap();
    assert_eq!(
        (&finding["id"], &finding["line"], &finding["severity"]),
        (&"edit-ambiguous".into(), &30.into(), &"error".into())
    );
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["status"]), (&"run-finished".into(), &1.into()));
    assert_eq!(read("design.md"), design(MODIFY));
    assert!(read("run.json").contains("\"schema\": 3"));
}

#[test]
fn no_record_of_a_failed_run_is_ever_removed_and_above_twenty_there_is_a_word() {
    let repo = repo();
    repo.answer("src/a.py", "No.\n");
    for number in 1..=20 {
        std::fs::create_dir_all(repo.failed(&format!("earlier-{number}"))).unwrap();
    }
    let ran = repo.implement(&["docs/9.md"]);
    ran.refused(1).says("note: the records of 21 failed runs are kept in '").says("hint: git implement gc: ");
    assert_eq!(std::fs::read_dir(repo.failed("")).unwrap().count(), 21);
}
