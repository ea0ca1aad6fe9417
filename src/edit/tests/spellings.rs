//! Edits that are not spelled as the instructions ask, and are understood.

use super::*;

const BASE: &str = "red\ngreen\nblue\n";
const WANT: &str = "red\nteal\nblue\n";

fn understood(format: Format, reply: &str) {
    assert_eq!(edited(format, BASE, reply).as_deref(), Ok(WANT), "{reply}");
    assert_eq!(apply(None, "src/a.py", Some(BASE), reply).map(|new| new.text).as_deref(), Ok(WANT), "auto: {reply}");
}

#[test]
fn the_marks_of_a_block_may_be_more_or_fewer_and_their_words_small() {
    for (open, divider, close) in [
        ("<<< SEARCH", "===", ">>> REPLACE"),
        ("<<<< ORIGINAL", "====", ">>>> UPDATED"),
        ("<<<<<<<<<<<< search", "============", ">>>>>>>>>>>> replace"),
        ("------------ SEARCH", "=========", "+++++ REPLACE"),
        ("<<<<<<< SEARCH src/a.py", "=======  ", ">>>>>>> REPLACE"),
    ] {
        understood(Format::SearchReplace, &format!("{open}\ngreen\n{divider}\nteal\n{close}\n"));
    }
}

#[test]
fn rules_with_words_on_them_are_no_markers() {
    let block = render(Format::SearchReplace, &[("green", "teal")]);
    for rule in ["----- Notes", "-------- Search for green", "+++++ More", "--- SEARCH", "+++ REPLACE", "<< SEARCH"] {
        understood(Format::SearchReplace, &format!("{rule}\n\n{block}\n{rule}\n"));
    }
}

#[test]
fn of_several_rules_in_a_block_those_as_long_as_its_first_line_part_it() {
    let base = "Colours\n=====\ngreen\n";
    let reply = "<<<<<<< SEARCH\nColours\n=====\ngreen\n=======\nColours\n=====\nteal\n>>>>>>> REPLACE\n";
    assert_eq!(edited(Format::SearchReplace, base, reply).as_deref(), Ok("Colours\n=====\nteal\n"));
}

#[test]
fn find_may_be_called_search_and_have_a_note() {
    for (find, replace) in [
        ("SEARCH:", "REPLACE:"),
        ("**Find:**", "**Replace with:**"),
        ("FIND (line 2):", "REPLACE BY:"),
        ("Find", "Replacement"),
    ] {
        understood(Format::FindReplace, &format!("{find}\n```\ngreen\n```\n{replace}\n```\nteal\n```\n"));
    }
}

#[test]
fn words_that_begin_like_a_marker_or_a_heading_are_words() {
    let good = render(Format::FindReplace, &[("green", "teal")]);
    for words in [
        "Run the tests:\n\n```sh\nmake\n```\n",
        "Find the output here\n\n```\nteal\n```\n",
        "Replace whatever else has the old colour in the other files of the project as well, in this way:\n\n```\nteal\n```\n",
        "# CHANGE LOG\n\n```\nteal\n```\n",
        "CHANGE 2 is for another file.\n",
        "## Some 2 words\n",
        "Replace with:\n\nnothing more\n",
        "Find it so:\nin the list.\n",
    ] {
        understood(Format::FindReplace, &format!("{words}\n{good}"));
        understood(Format::FindReplace, &format!("{good}\n{words}"));
    }
}

#[test]
fn a_heading_inside_a_longer_fence_is_text() {
    let inner = "```\nx\n```\n\n### CHANGE 2: y\nFIND:\n```\nz\n```";
    let reply = format!("FIND:\n````\ngreen\n````\nREPLACE WITH:\n````\n{inner}\n````\n");
    assert_eq!(edited(Format::FindReplace, BASE, &reply), Ok(format!("red\n{inner}\nblue\n")));
}

#[test]
fn a_diff_may_lack_every_header_if_its_fence_or_its_file_names_say_what_it_is() {
    for reply in [
        "```diff\n red\n-green\n+teal\n```\n",
        "```diff\n--- a/src/a.py\n+++ b/src/a.py\n-green\n+teal\n```\n",
        "--- src/a.py\n+++ src/a.py\n red\n-green\n+teal\n",
        "@@ -2 +2 @@\n-green\n+teal\n",
        "@@ -2 +2\n-green\n+teal\n",
        "Here:\n\n```\n@@ ... @@\n-green\n+teal\n```\n",
        "```diff\n--- a/src/a.py\n@@\n-green\n+teal\n```\n",
        "```diff\n+++ b/src/a.py\n@@ in the list\n-green\n+teal\n```\n",
        "--- src/a.py\t2020-02-02 02:02:02\n+++ src/a.py\t2020-02-02 02:02:03\n@@ -2 +2\n-green\n+teal\n",
    ] {
        understood(Format::Unified, reply);
    }
}

#[test]
fn a_diff_may_be_wrapped_in_the_marks_of_the_other_patch_format() {
    for (begin, end) in [
        ("*** Begin Patch\n", "*** End Patch\n"),
        ("*** Begin Patch\n*** Update File: src/a.py\n", "***END PATCH]\n"),
        ("", "*** End of File\n*** End Patch\n"),
    ] {
        let diff = format!("```diff\n--- a/src/a.py\n+++ b/src/a.py\n{begin}@@ -2 +2 @@\n-green\n+teal\n{end}```\n");
        assert_eq!(edited(Format::Unified, BASE, &diff).as_deref(), Ok(WANT), "{diff}");
    }
}

#[test]
fn a_patch_made_for_mail_is_read_to_its_signature() {
    let mail = "From 0a1 Mon Sep 17\nSubject: Teal\n---\n src/a.py | 2 +-\n\ndiff --git a/src/a.py b/src/a.py\nindex 0a..1b 100644\n\
                --- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,3 @@\n red\n-green\n+teal\n blue\n-- \n2.47.3\n\n";
    understood(Format::Unified, mail);
}

#[test]
fn a_fence_in_a_diff_that_has_none_round_it_is_text() {
    let base = "```sh\nmake\n```\n\nred\n";
    let diff = "--- a/src/a.py\n+++ b/src/a.py\n@@\n ```sh\n-make\n+make all\n@@\n ```\n \n-red\n+teal\n";
    assert_eq!(edited(Format::Unified, base, diff).as_deref(), Ok("```sh\nmake all\n```\n\nteal\n"));
}

#[test]
fn a_fence_in_a_patch_that_has_one_round_it_is_text() {
    let (base, want) = ("```sh\nmake\n```\nred\n", "```sh\nmake all\n```\nteal\n");
    let patch = "*** Update File: src/a.py\n@@\n```sh\n-make\n+make all\n ```\n-red\n+teal\n";
    for reply in [format!("```\n{patch}```\n"), format!("```\n{patch}*** End Patch\n```\n")] {
        assert_eq!(edited(Format::V4a, base, &reply).as_deref(), Ok(want), "{reply}");
        let files = files(None, &reply).unwrap();
        assert_eq!(files[0].apply(Some(base)).unwrap().text, want, "{reply}");
    }
}

#[test]
fn the_lines_of_a_patch_may_be_padded_squeezed_or_small() {
    for head in ["  *** Update File: src/a.py", "***Update File: src/a.py", "*** update file: src/a.py"] {
        understood(Format::V4a, &format!("*** Begin Patch\n{head}\n@@\n-green\n+teal\n*** End Patch\n"));
    }
    for head in ["", "\n", "Here it is:\n\n"] {
        understood(Format::V4a, &format!("***Begin Patch\n{head}@@\n-green\n+teal\n***End Patch\n"));
    }
}

#[test]
fn blank_lines_and_numbers_between_scope_lines_are_nothing() {
    let base = "class A:\n    def f():\n        x\n\nclass B:\n    def f():\n        x\n";
    let want = "class A:\n    def f():\n        x\n\nclass B:\n    def f():\n        y\n";
    for between in ["", "\n", "@@ -7,1 +7,1 @@\n", "@@\n"] {
        let patch = format!("*** Update File: src/a.py\n@@ class B:\n{between}@@ def f():\n-        x\n+        y\n");
        assert_eq!(edited(Format::V4a, base, &patch).as_deref(), Ok(want), "{patch}");
    }
}

#[test]
fn a_hunk_that_only_shows_the_file_changes_nothing() {
    for (format, head) in
        [(Format::Unified, "--- a/src/a.py\n+++ b/src/a.py\n"), (Format::V4a, "*** Update File: src/a.py\n")]
    {
        assert_eq!(edited(format, BASE, &format!("{head}@@\n red\n green\n")).as_deref(), Ok(BASE));
        assert_eq!(edited(format, BASE, &format!("{head}@@\n blue\n@@\n-green\n+teal\n")).as_deref(), Ok(WANT));
        assert_eq!(refused(format, BASE, &format!("{head}@@\n pink\n")), "edit-not-found");
    }
}

#[test]
fn an_end_of_an_elided_middle_stands_once_or_once_in_the_block_that_the_line_above_begins() {
    let block = |name: &str, last: &str| format!("def {name}():\n    open()\n    {name}_work()\n    {last}\n\n");
    let base = format!("{}{}{}", block("one", "close()"), block("two", "finish()"), block("three", "close()"));
    let reply = |head: &str, last: &str| {
        format!("```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\n {head}\n     ...\n-    {last}\n+    leave()\n```\n")
    };
    let edit = |head: &str, last: &str| edited(Format::Unified, &base, &reply(head, last));
    assert_eq!(edit("def two():", "finish()"), Ok(base.replace("finish()", "leave()")));
    assert_eq!(edit("def one():", "close()"), Ok(base.replacen("close()", "leave()", 1)));
    let twice = base.replace("one_work()", "close()");
    assert_eq!(refused(Format::Unified, &twice, &reply("def one():", "close()")), "edit-ambiguous");
    assert_eq!(edit("    open()", "finish()").unwrap_err().id, "edit-ambiguous");
    let next = block("two", "finish()").replace("    open()\n", "") + &block("three", "two_work()");
    assert_eq!(refused(Format::Unified, &next, &reply("def two():", "two_work()")), "edit-ambiguous");
    // It is in another block than the one that the edit speaks of.
    assert_eq!(edit("def one():", "finish()").unwrap_err().id, "edit-not-found");
}
