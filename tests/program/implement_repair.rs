//! A refused reply goes back once with what was found: replies that are first wrong, then right, in three languages.

use crate::repo::{Ran, Repo};
use std::fs;

const DESIGN: &str = "# 4 - Change it\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `PATH` | Modify | The second value |\n";

/// A file in which one line occurs twice.
fn python() -> (&'static str, String) {
    let functions: String =
        (0..40).map(|n| format!("def value_{n}():\n    \"\"\"One value.\"\"\"\n    return {n}\n\n\n")).collect();
    ("src/values.py", format!("{functions}FIRST = value_1()\nRETRIES = 3\nLAST = value_2()\nRETRIES = 3\n"))
}

fn typescript() -> (&'static str, String) {
    let functions: String =
        (0..40).map(|n| format!("export function value{n}(): number {{\n  return {n};\n}}\n\n")).collect();
    ("src/values.ts", format!("{functions}let retries = 1;\nretries += 3;\nlet last = value2();\nretries += 3;\n"))
}

fn rust() -> (&'static str, String) {
    let functions: String = (0..40).map(|n| format!("pub fn value_{n}() -> u32 {{\n    {n}\n}}\n\n")).collect();
    (
        "src/values.rs",
        format!(
            "{functions}pub fn all() -> u32 {{\n    let mut all = 1;\n    all += 3;\n    all += value_2();\n    all += 3;\n    all\n}}\n"
        ),
    )
}

/// A repository with this file and a design that modifies it.
fn repo((path, base): &(&str, String)) -> Repo {
    Repo::of(&[("docs/4.md", &DESIGN.replace("PATH", path)), (path, base)])
}

fn change(old: &str, new: &str) -> String {
    format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n")
}

/// The whole file, in a fence.
fn whole(text: &str) -> String {
    format!("```\n{text}```\n")
}

/// What the model was given back, behind its own reply.
#[track_caller]
fn given_back(repo: &Repo, path: &str) -> String {
    let asked = fs::read_to_string(repo.place("asked").join(format!("{path}.2"))).unwrap();
    assert!(asked.starts_with(&repo.prompt(path)), "the conversation goes on behind the first prompt");
    asked.split_once("--- The answer to it: ---").unwrap().1.to_owned()
}

/// Runs with replies that are first `wrong`, then `right`; the file must become `expected`. What was given back.
#[track_caller]
fn mended(file: &(&str, String), options: &[&str], wrong: &str, right: &str, expected: &str) -> (Repo, Ran, String) {
    let repo = repo(file);
    repo.answer_at(file.0, 1, wrong);
    repo.answer_at(file.0, 2, right);
    let ran = repo.implement(&[&["docs/4.md"], options].concat());
    ran.published("implement/4");
    assert_eq!(repo.git(&["show", &format!("implement/4:{}", file.0)]), expected.trim_end_matches('\n'), "{ran}");
    assert_eq!(repo.asked().len(), 2);
    let given = given_back(&repo, file.0);
    // The record has both, and answers again for nothing.
    let record = repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement/runs"]);
    let events = repo.git(&["show", &format!("{record}:events.jsonl")]);
    assert_eq!(events.matches(r#""event":"refused""#).count(), 1, "{events}");
    (repo, ran, given)
}

const EDITS: &[&str] = &["--format", "find-replace"];

#[test]
fn of_edits_what_has_its_place_stands_and_an_ambiguous_one_is_asked_for_alone() {
    let cases = [
        (
            python(),
            "return 7",
            "return 70",
            "RETRIES = 3",
            "LAST = value_2()\nRETRIES = 3",
            "LAST = value_2()\nRETRIES = 5",
        ),
        (
            typescript(),
            "return 7;",
            "return 70;",
            "retries += 3;",
            "last = value2();\nretries += 3;",
            "last = value2();\nretries += 5;",
        ),
        (
            rust(),
            "    7\n}",
            "    70\n}",
            "    all += 3;",
            "all += value_2();\n    all += 3;",
            "all += value_2();\n    all += 5;",
        ),
    ];
    for (file, old, new, twice, once, then) in cases {
        let path = file.0;
        let wrong = change(old, new) + &change(twice, &twice.replace('3', "5"));
        let expected = file.1.replace(old, new).replace(once, then);
        let (_, ran, given) = mended(&file, EDITS, &wrong, &change(once, then), &expected);
        assert!(given.contains(&format!("cannot apply change 2 to '{path}': FIND matches lines ")), "{given}");
        assert!(given.contains("are made (change 1). Reply with change 2 alone"), "{given}");
        ran.says(&format!("{path}: the reply is refused and goes back: cannot apply change 2 to '{path}'"));
        assert!(ran.out.contains(&format!("look first at what a first reply was refused for: {path}")), "{ran}");
    }
}

#[test]
fn all_edits_may_be_said_again() {
    let file = python();
    let good = change("return 7", "return 70");
    let twice = change("RETRIES = 3\n", "RETRIES = 4\n");
    let right = good.clone() + &change("FIRST = value_1()\nRETRIES = 3", "FIRST = value_1()\nRETRIES = 4");
    let expected = file.1.replace("return 7\n", "return 70\n").replacen("RETRIES = 3", "RETRIES = 4", 1);
    mended(&file, EDITS, &(good + &twice), &right, &expected);
}

#[test]
fn a_reply_that_ends_in_its_middle_is_asked_for_again() {
    for file in [python(), typescript(), rust()] {
        let right = file.1.replace('7', "8");
        let (_, _, given) = mended(&file, &["--format", "whole"], &format!("```\n{right}"), &whole(&right), &right);
        assert!(given.contains("open code fence that is never closed"), "{given}");
        assert!(given.contains("Nothing of it is kept."), "{given}");
    }
}

#[test]
fn a_report_is_told_that_it_is_one() {
    for file in [python(), typescript(), rust()] {
        let right = file.1.replace('7', "8");
        let wrong = format!("I have updated {} as the design says. All tests pass.\n", file.0);
        let (_, _, given) = mended(&file, &["--format", "whole"], &wrong, &whole(&right), &right);
        assert!(given.contains("reports work instead of giving the file"), "{given}");
    }
}

#[test]
fn what_was_left_out_is_shown_with_its_line() {
    for (file, mark) in [(python(), "#"), (typescript(), "//"), (rust(), "//")] {
        let right = file.1.replace('7', "8");
        let half: String = right.lines().take(120).map(|line| format!("{line}\n")).collect();
        let wrong = format!("{half}{mark} ... rest of the file unchanged ...\n");
        let (_, _, given) = mended(&file, &["--format", "whole"], &whole(&wrong), &whole(&right), &right);
        assert!(given.contains("line 121: ") && given.contains("leaves something out"), "{given}");
        assert!(given.contains(&format!("  121 | {mark} ... rest of the file unchanged ...\n")), "{given}");
        assert!(!given.contains("--allow"), "a model is not told how it might be permitted: {given}");
    }
}

#[test]
fn edits_that_made_a_file_that_does_not_parse_stand_and_are_mended_by_further_ones() {
    let cases = [
        (python(), "return 7", "return (7"),
        (typescript(), "return 7;", "return (7;"),
        (rust(), "    7\n}", "    (7\n}"),
    ];
    for (file, old, broken) in cases {
        let fixed = broken.replacen('7', "7)", 1);
        let expected = file.1.replacen(old, &fixed, 1);
        let (_, _, given) = mended(&file, EDITS, &change(old, broken), &change(broken, &fixed), &expected);
        assert!(given.contains("does not parse") && given.contains("(7"), "{given}");
        assert!(given.contains("Its changes are made"), "{given}");
    }
}

#[test]
fn a_secret_is_taken_out_of_what_is_recorded_and_sent_back_and_its_reply_is_never_replayed() {
    const TOKEN: &str = concat!("ghp_", "zQ8mWv4KpX2nRt7LbYc9HsDf3JgAe6", "2DYjTQ");
    for (file, line) in [
        (python(), format!("TOKEN = \"{TOKEN}\"\n")),
        (typescript(), format!("const token = \"{TOKEN}\";\n")),
        (rust(), format!("pub const TOKEN: &str = \"{TOKEN}\";\n")),
    ] {
        let right = file.1.replace('7', "8");
        let (wrong, options) = (whole(&(right.clone() + &line)), &["--format", "whole"]);
        let (repo, ran, given) = mended(&file, options, &wrong, &whole(&right), &right);
        let asked = fs::read_to_string(repo.place("asked").join(format!("{}.2", file.0))).unwrap();
        assert!(!asked.contains(&TOKEN[4..20]) && asked.contains("[secret]"), "{given}");
        assert!(!ran.err.contains(TOKEN) && !ran.out.contains(TOKEN), "{ran}");
        let record = repo.git(&["for-each-ref", "--format=%(refname)", "refs/implement/runs"]);
        let files = repo.git(&["ls-tree", "-r", "--name-only", &record]);
        for name in files.lines() {
            assert!(!repo.git(&["show", &format!("{record}:{name}")]).contains(&TOKEN[4..20]), "{name}");
        }
        // From the record alone the first reply is no answer.
        let place = repo.place("recorded");
        for name in files.lines().filter(|name| name.starts_with("replies/")) {
            let bytes = repo.git_bytes(&["show", &format!("{record}:{name}")]);
            fs::create_dir_all(place.join("replies")).unwrap();
            fs::write(place.join(name), bytes).unwrap();
        }
        let replay = ["docs/4.md", "-b", "again", "--replay", place.to_str().unwrap()];
        repo.run(&[&replay[..], options].concat()).refused(2).says("is no answer: secrets were taken out of it");
    }
}

#[test]
fn what_cannot_be_mended_ends_with_what_was_found_first_and_everything_is_kept() {
    let file = python();
    let repo = repo(&file);
    repo.answer(file.0, "I have updated the file, and all tests pass.\n");
    let ran = repo.implement(&["docs/4.md"]);
    ran.refused(1).says("is refused: reply-report");
    assert_eq!(repo.asked(), ["src/values.py whole 1", "src/values.py whole 2"]);
    let record = repo.failed(&ran.failed[0]);
    assert_eq!(fs::read_dir(record.join("replies")).unwrap().count(), 2);
    let again = repo.run(&["docs/4.md", "--replay", record.to_str().unwrap()]);
    again.refused(1).says("is refused: reply-report");
    assert_eq!(repo.asked().len(), 2, "all of it is replayed for nothing");
}

#[test]
fn a_repair_that_makes_it_worse_is_dropped() {
    let file = python();
    let repo = repo(&file);
    let broken = file.1.replace("return 7\n", "return (7\n");
    let worse =
        format!("{broken}<<<<<<< ours\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n# ... rest of the file unchanged ...\n");
    repo.answer_at(file.0, 1, whole(&broken));
    repo.answer_at(file.0, 2, whole(&worse));
    let ran = repo.implement(&["docs/4.md", "--format", "whole", "--repair", "3"]);
    ran.refused(1).says("is refused: syntax-python\n");
    assert_eq!(repo.asked().len(), 2, "{ran}");
}

#[test]
fn without_repair_a_refused_reply_is_the_end_and_with_two_there_are_two() {
    let file = python();
    let right = file.1.replace('7', "8");
    let repo = repo(&file);
    repo.answer_at(file.0, 1, "I have updated the file, and all tests pass.\n");
    repo.answer_at(file.0, 2, whole(&right.replace("return 8\n", "return (8\n")));
    repo.answer_at(file.0, 3, whole(&right));
    let options = ["docs/4.md", "--format", "whole"];
    repo.implement(&[&options[..], &["--repair", "0"]].concat()).refused(1).says("is refused: reply-report");
    assert_eq!(repo.asked().len(), 1);
    repo.implement(&options).refused(1).says("is refused: syntax-python");
    assert_eq!(repo.asked().len(), 3);
    repo.implement(&[&options[..], &["--repair", "2"]].concat()).published("implement/4");
    assert_eq!(repo.asked().len(), 6);
}

#[test]
fn a_repair_that_could_go_over_the_budget_is_not_asked_for() {
    let file = python();
    let repo = repo(&file);
    repo.answer(file.0, "I have updated the file, and all tests pass.\n");
    let ran = repo.implement(&["docs/4.md", "--max-tokens", "2500"]);
    ran.refused(4).says("error: 'src/values.py' is not mended (reply-report): asking for it once more would bring ");
    ran.says("hint: raise it with --max-tokens\n");
    assert_eq!(repo.asked().len(), 1, "{ran}");
    // What was paid for is judged again, and given back.
    repo.answer_at(file.0, 2, whole(&file.1.replace('7', "8")));
    let provider = repo.provider();
    let ended = repo.run(&["--continue", "--provider", "command", "--command", &provider]);
    ended.published("implement/4");
    assert_eq!(repo.asked().len(), 2, "{ended}");
}
