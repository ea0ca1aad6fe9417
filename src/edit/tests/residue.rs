//! What could be an edit and cannot be read refuses the whole reply: else a part of the work would be lost in silence.

use super::*;

const BASE: &str = "red\ngreen\nblue\n";

/// Neither the format by name nor `auto` takes a part of the reply.
fn all_refused(format: Format, replies: &[String]) {
    for reply in replies {
        let named = edited(format, BASE, reply);
        assert!(named.is_err(), "{named:?}: {reply}");
        let auto = apply(None, "src/a.py", Some(BASE), reply).map(|new| new.text);
        assert!(auto.is_err(), "auto: {auto:?}: {reply}");
    }
}

#[test]
fn a_search_block_whose_first_line_is_no_marker_is_refused() {
    let good = render(Format::SearchReplace, &[("red", "pink")]);
    let rest = "\ngreen\n=======\nteal\n>>>>>>> REPLACE\n";
    let bad = [
        "  <<<<<<< SEARCH",
        "<<<<<<<SEARCH",
        "<<<<<<<",
        "<<<<<<< HEAD",
        "**<<<<<<< SEARCH**",
        "> <<<<<<< SEARCH",
        "-------SEARCH",
    ];
    all_refused(Format::SearchReplace, &bad.map(|open| format!("{good}{open}{rest}")));
    all_refused(Format::SearchReplace, &bad.map(|open| format!("{open}{rest}{good}")));
}

#[test]
fn a_search_block_that_is_parted_twice_quoted_or_ends_in_the_fence_round_it_is_refused() {
    let good = render(Format::SearchReplace, &[("red", "pink")]);
    all_refused(
        Format::SearchReplace,
        &[
            format!("{good}-------SEARCH\ngreen\n=======\nteal\n+++++++REPLACE\n"),
            format!("{good}-------SEARCH\ngreen\n=======\nteal\n"),
            format!("{good}green\n=======\nteal\n+++++++REPLACE\n"),
            format!("{good}> <<<<<<< SEARCH\n> green\n> =======\n> teal\n> >>>>>>> REPLACE\n"),
            "<<<<<<< SEARCH\ngreen\n=======\n=======\nteal\n>>>>>>> REPLACE\n".into(),
            "<<<<<<< SEARCH\n:start_line:2\n>>>>>>> REPLACE\n".into(),
            "```python\n<<<<<<< SEARCH\ngreen\n=======\nteal\n```\n>>>>>>> REPLACE\n".into(),
        ],
    );
}

#[test]
fn a_change_whose_markers_are_other_words_is_refused() {
    let good = render(Format::FindReplace, &[("red", "pink")]);
    let block = |text: &str| format!("```\n{text}\n```\n");
    let (green, teal) = (block("green"), block("teal"));
    all_refused(
        Format::FindReplace,
        &[
            format!("{good}Find this colour:\n{green}Replace that with:\n{teal}"),
            format!("{good}1. FIND:\n{green}REPLACE WITH:\n{teal}"),
            format!("{good}### CHANGE 2: more\nADD AFTER:\n{teal}"),
            format!("{good}### CHANGE 2: less\n{green}"),
            format!("1. FIND:\n{green}   REPLACE WITH:\n{teal}"),
            format!("### CHANGE 1: nothing\n\n{good}"),
            format!("FIND:\n{green}DELETE\n"),
            format!("FIND:\n{green}Put there:\n{teal}"),
            format!("### CHANGE 1: x\nLook for:\n{green}Put there:\n{teal}"),
            format!("{good}FIND: `green`\nREPLACE WITH: `teal`\n"),
            format!("FIND: `green`\nREPLACE WITH:\n{teal}\n{good}"),
        ],
    );
}

#[test]
fn a_replace_block_with_a_fence_too_many_is_refused() {
    let reply = |block: &str| format!("FIND:\n```\ngreen\n```\nREPLACE WITH:\n{block}");
    all_refused(
        Format::FindReplace,
        &[reply("```\n```python\nteal\n```\n"), reply("```\nteal\n```\n```\n"), reply("```python\nteal\n```\n```\n")],
    );
}

#[test]
fn lines_of_a_diff_outside_its_hunks_are_refused() {
    let head = "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\n-green\n+teal\n";
    all_refused(
        Format::Unified,
        &[
            format!("{head}*** End Patch\n-blue\n+navy\n```\n"),
            format!("{head}*** End Patch\n-blue\n```\n"),
            format!(
                "diff --git a/src/a.py b/src/a.py\n{}*** End Patch\n-blue\n",
                head.strip_prefix("```diff\n").unwrap()
            ),
            // What could be words has changes after it.
            format!("{}\nno such line\n-blue\n+navy\n", head.strip_prefix("```diff\n").unwrap()),
            format!("{head}```\n+navy\n"),
            format!("{head}```\n@@\n-blue\n"),
            format!("{head}@@@ -1 -1 +1 @@@\n--blue\n++navy\n```\n"),
            format!("{head}*** Delete File: src/b.py\n```\n"),
            format!("{head}*** Modify File: src/b.py\n@@\n-blue\n+navy\n```\n"),
            head.into(),
        ],
    );
}

#[test]
fn after_the_end_of_a_patch_prose_is_passed_over_and_what_could_be_a_line_of_it_is_not() {
    let diff = "*** Begin Patch\n*** Update File: src/a.py\n@@ -1 +1 @@\n-a\n+b\n*** End Patch\n";
    assert_eq!(edited(Format::Unified, "a\n", &format!("{diff}That is all.\n")).as_deref(), Ok("b\n"));
    assert_eq!(refused(Format::Unified, "a\n", &format!("{diff}+c\n")), "reply-malformed");
}

#[test]
fn hunks_of_a_patch_outside_its_files_are_refused() {
    let update = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-green\n+teal\n";
    all_refused(
        Format::V4a,
        &[
            format!("@@\n-blue\n+navy\n{update}*** End Patch\n"),
            format!("{update}*** End Patch\n+navy\n"),
            format!("{update}*** End Patch\n@@\n-blue\n+navy\n"),
            "*** Begin Patch\n*** Modify File: src/b.py\n@@\n-green\n+teal\n*** End Patch\n".into(),
            format!("```\n{update}"),
        ],
    );
}

#[test]
fn a_divider_that_the_file_has_too_is_text_and_no_reading_without_it_is_taken() {
    let base = "Title\n=======\nfirst words\n";
    let reply = |last: &str| {
        format!("<<<<<<< SEARCH\nTitle\n=======\n{last}\n=======\nTitle\n=======\n{last}\nmore\n>>>>>>> REPLACE\n")
    };
    let edit = |base: &str, last: &str| edited(Format::SearchReplace, base, &reply(last)).map_err(|refusal| refusal.id);
    assert_eq!(edit(base, "first words"), Ok("Title\n=======\nfirst words\nmore\n".to_owned()));
    assert_eq!(edit(base, "other words"), Err("edit-not-found"));
    // The rule goes, or the words before a new one come? Both are a line off the file.
    let gone = "<<<<<<< SEARCH\nTitle\n=======\nother words\n=======\nTitle\n>>>>>>> REPLACE\n";
    assert_eq!(refused(Format::SearchReplace, base, gone), "edit-two-readings");
    assert_eq!(refused(Format::SearchReplace, &base.replace("=======", "of it\n======="), gone), "edit-two-readings");
    assert_eq!(edit(&base.replace("Title", "Head"), "first words"), Err("edit-not-found"));
}
