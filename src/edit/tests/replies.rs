//! What is particular to one edit format.

use super::*;

const MARKDOWN: &str = "# T\n\n```sh\nmake\n```\n\nEnd\n";

#[test]
fn a_fence_inside_find_and_replace_does_not_end_the_block() {
    let base = MARKDOWN;
    let longer = "### CHANGE 1: x\nFIND:\n````\nmake\n```\n````\nREPLACE WITH:\n````\nmake all\n```\n````\n";
    let same = longer.replace("````", "```");
    for reply in [longer, &same] {
        assert_eq!(edited(Format::FindReplace, base, reply).as_deref(), Ok("# T\n\n```sh\nmake all\n```\n\nEnd\n"));
    }
}

#[test]
fn a_replace_block_whose_end_is_unclear_is_refused() {
    let reply = "FIND:\n```\nEnd\n```\nREPLACE WITH:\n```\nEnd\n```\n\nor\n\n```\nx\n```\n\nor\n\n```\ny\n```\n";
    let applied = edited(Format::FindReplace, "Start\nEnd\n", reply);
    // Read as a block and words after it, nothing changes; no other reading may be taken.
    assert!(applied.as_deref() == Ok("Start\nEnd\n") || applied.is_err());
}

#[test]
fn blocks_after_a_replace_block_are_words_but_for_a_file_that_may_hold_them() {
    let change = |new: &str| format!("FIND:\n```\nEnd\n```\nREPLACE WITH:\n```\n{new}\n```\n");
    let as_file = |target: &str, reply: &str| {
        let base = "Start\nEnd\n";
        apply(Some(Format::FindReplace), target, Some(base), reply).map(|new| new.text).map_err(|refusal| refusal.id)
    };
    let shown = "\nRun it:\n\n```sh\nmake\n```\n";
    let next = "### CHANGE 2: y\nFIND:\n```\nStart\n```\nREPLACE WITH:\n```\nBegin\n```\n";
    for target in ["a.py", "a.tar.gz", "x/a.MDY"] {
        for after in ["", "That is all.\n", shown] {
            assert_eq!(as_file(target, &(change("Stop") + after)).as_deref(), Ok("Start\nStop\n"), "{after}");
            assert_eq!(as_file(target, &(change("Stop") + after + next)).as_deref(), Ok("Begin\nStop\n"), "{after}");
        }
    }
    for target in ["a.md", "A.MD", "README", "x.rst"] {
        for after in [shown.to_owned(), format!("{shown}{next}"), format!("{shown}\n{next}")] {
            assert_eq!(as_file(target, &(change("Stop") + &after)), Err("reply-malformed"), "{target} {after}");
        }
        for between in ["", "\nAnd then:\n\n"] {
            let reply = change("Stop") + between + next;
            assert_eq!(as_file(target, &reply).as_deref(), Ok("Begin\nStop\n"), "{target} {between}");
        }
        assert_eq!(as_file(target, &(change("Stop") + "That is all.\n")).as_deref(), Ok("Start\nStop\n"), "{target}");
    }
    // What ends where only one reading leaves every fence closed is sure.
    for new in ["```sh\nmake\n```", "```sh\nmake\n```\n\nStop", "Stop\n\n```sh\nmake\n```"] {
        for target in ["a.py", "a.md"] {
            for after in ["", "\nThat is all.\n"] {
                let want = Ok(format!("Start\n{new}\n"));
                assert_eq!(as_file(target, &(change(new) + after)), want, "{target} {after}");
            }
            assert_eq!(as_file(target, &(change(new) + next)), Ok(format!("Begin\n{new}\n")), "{target}");
        }
    }
    // A longer fence was chosen for what it holds.
    let longer = (change("Stop") + shown).replace("```", "````");
    assert_eq!(as_file("a.md", &longer).as_deref(), Ok("Start\nStop\n"));
}

#[test]
fn a_mark_inside_a_replace_block_is_text_where_no_change_begins_with_it() {
    let shown = "### CHANGE 2: x\nSee:\n```sh\nmake\n```";
    for text in
        ["Search:", "REPLACE WITH:", "### CHANGE 2: x", "FIND: x", "Find this:", "So:\nFIND:\n```\nx\n```", shown]
    {
        let sides = [format!("teal\n{text}\ngreen"), format!("green\n{text}\n\nteal"), format!("green\n{text}")];
        for (old, new) in sides.map(|new| ("green", new)) {
            for tail in [String::new(), render(Format::FindReplace, &[("red", "pink")])] {
                let base = "red\ngreen\n";
                let reply = render(Format::FindReplace, &[(old, &new)]) + &tail;
                let want = base.replace("green", &new).replace("red", if tail.is_empty() { "red" } else { "pink" });
                assert_eq!(edited(Format::FindReplace, base, &reply), Ok(want), "{reply}");
            }
        }
    }
}

#[test]
fn the_same_fences_on_both_sides_of_several_changes_are_text() {
    let base = "```sh\nmake\n```\n\n```py\nrun\n```\n";
    let change = |old: &str, new: &str| format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```text\n{new}\n```\n");
    let one = change("```sh\nmake\n```", "```sh\nmake all\n```");
    let two = change("```py\nrun\n```", "```py\nrun()\n```");
    let want = base.replace("make", "make all").replace("run", "run()");
    // From inside one block to inside the next.
    let across = change("make\n```\n\n```py\nrun", "make all\n```\n\n```py\nrun()");
    let between = change("make\n```\n\n```py", "make all\n```\n\n```py") + &two.replace("```py\n", "");
    for reply in [
        across,
        between,
        format!("{one}{two}"),
        format!("{two}\n{one}"),
        format!("{one}\n### CHANGE 2: x\n{two}\nThat is all.\n"),
    ] {
        for target in ["a.md", "a.py"] {
            let applied = apply(Some(Format::FindReplace), target, Some(base), &reply).map(|new| new.text);
            assert_eq!(applied.as_deref(), Ok(want.as_str()), "{target} {reply}");
        }
    }
}

#[test]
fn a_find_without_a_replace_is_said_to_be_one_by_its_number() {
    let whole = |old: &str| render(Format::FindReplace, &[(old, "x")]);
    let bare = "### CHANGE 1: x\nFIND:\n```\na\n```\n";
    let why = |format: Option<Format>, reply: &str| {
        let refusal = apply(format, "src/a.py", Some("a\nb\nc\n"), reply).unwrap_err();
        assert_eq!(refusal.id, "reply-malformed", "{reply}");
        refusal.message.rsplit_once(": ").unwrap().1.to_owned()
    };
    for format in [None, Some(Format::FindReplace)] {
        for reply in
            [bare.to_owned(), bare.to_owned() + &whole("b"), bare.replace("### CHANGE 1: x\n", "") + &whole("b")]
        {
            assert_eq!(why(format, &reply), "change 1 has no REPLACE WITH block", "{reply}");
        }
        assert_eq!(why(format, &(whole("b") + bare)), "change 2 has no REPLACE WITH block");
        assert_eq!(why(format, &(whole("b") + bare + &whole("c"))), "change 2 has no REPLACE WITH block");
        assert_eq!(why(format, "REPLACE WITH:\n```\na\n```\n"), "change 1 has no FIND block");
    }
}

#[test]
fn a_longer_fence_closes_a_block_that_nothing_else_closes() {
    let base = "a\nb\nc\n";
    for (format, reply, want) in [
        (Format::Unified, "```diff\n@@ -2 +2 @@\n-b\n+x\n````\n", "a\nx\nc\n"),
        (Format::Whole, "```python\nx\n````\n", "x\n"),
        (Format::FindReplace, "FIND:\n```\nb\n````\nREPLACE WITH:\n```\nx\n````\n", "a\nx\nc\n"),
        (Format::FindReplace, "FIND:\n```\nb\n````\nREPLACE WITH:\n```\nx\n```\n", "a\nx\nc\n"),
    ] {
        assert_eq!(edited(format, base, reply).as_deref(), Ok(want), "{reply}");
        let shorter = reply.replace("````", "``");
        assert!(edited(format, base, &shorter).is_err(), "{shorter}");
    }
    // A fence that is longer from the beginning is closed by none that is shorter.
    assert_eq!(refused(Format::Whole, base, "````\nx\n```\n"), "reply-unclosed");
}

#[test]
fn a_find_without_a_replace_refuses_the_whole_reply() {
    let good = render(Format::FindReplace, &[("a", "b")]);
    for bad in [
        "### CHANGE 2: y\nFIND:\n```\nx\n```\n",
        "### CHANGE 2: y\n\n### CHANGE 3: z\n",
        "REPLACE WITH:\n```\nx\n```\n",
        "FIND:\nx\n",
    ] {
        assert_eq!(refused(Format::FindReplace, "a\nx\n", &format!("{good}{bad}")), "reply-malformed", "{bad}");
    }
}

#[test]
fn search_and_replace_may_be_spelled_as_other_tools_do() {
    for (open, close) in [
        ("<<<<<<< SEARCH", ">>>>>>> REPLACE"),
        ("<<<<<<< SEARCH src/a.py", ">>>>>>> REPLACE"),
        ("------- SEARCH", "+++++++ REPLACE"),
        ("<<<<<<< ORIGINAL", ">>>>>>> UPDATED"),
        ("<<<<<<< SEARCH\n:start_line:7\n-------", ">>>>>>> REPLACE"),
        ("<<<<<<< SEARCH\n:start_line:7\n:end_line:9\n-------", ">>>>>>> REPLACE"),
        ("<<<<<<< SEARCH\n:start_line:7", ">>>>>>> REPLACE"),
    ] {
        let reply = format!("{open}\nb\n=======\nx\n{close}\n");
        assert_eq!(edited(Format::SearchReplace, "a\nb\n", &reply).as_deref(), Ok("a\nx\n"), "{open}");
    }
}

#[test]
fn a_side_may_begin_or_end_a_fence_of_the_text() {
    for (old, new) in [
        ("make\n```", "make all\n```"),
        ("End", "```sh\nend\n```"),
        ("```sh\nmake", "```sh\nall\n```\n\n```"),
        ("```\n\nEnd", "```\n\nMore"),
    ] {
        let reply = format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
        assert_eq!(edited(Format::SearchReplace, MARKDOWN, &reply), Ok(MARKDOWN.replace(old, new)), "{old}");
    }
}

#[test]
fn a_divider_inside_the_searched_text_is_settled_by_the_file() {
    let base = "Title\n=======\ntext\n";
    let reply = "<<<<<<< SEARCH\nTitle\n=======\ntext\n=======\nTitle\n=======\nmore\n>>>>>>> REPLACE\n";
    assert_eq!(edited(Format::SearchReplace, base, reply).as_deref(), Ok("Title\n=======\nmore\n"));
}

#[test]
fn a_reply_that_can_be_read_in_too_many_ways_is_refused() {
    let rules = |count: usize| format!("<<<<<<< SEARCH\na\n{}>>>>>>> REPLACE\n", "=======\nb\n".repeat(count));
    assert_eq!(refused(Format::SearchReplace, "a\n", &rules(21)), "reply-malformed");
    assert_eq!(refused(Format::SearchReplace, "c\n", &rules(20)), "edit-not-found");
    assert_eq!(refused(Format::SearchReplace, "c\n", &rules(20).repeat(20_000)), "reply-malformed");
    let lost: String = (0..100_000).map(|n| format!("{}{n}\n", [" ", ""][n % 2])).collect();
    for format in [Format::Unified, Format::V4a] {
        let hunk = format!("@@\n{lost}-x\n\n\n");
        let patch = if format == Format::V4a { format!("*** Update File: src/a.py\n{hunk}") } else { hunk };
        assert_eq!(refused(format, "x\n", &patch), "reply-malformed");
    }
}

#[test]
fn a_search_block_that_is_cut_off_refuses_the_whole_reply() {
    let good = render(Format::SearchReplace, &[("a", "b")]);
    for bad in ["<<<<<<< SEARCH\nx\n=======\ny\n", "<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n", ">>>>>>> REPLACE\n"] {
        assert_eq!(refused(Format::SearchReplace, "a\nx\n", &format!("{good}{bad}")), "reply-malformed", "{bad}");
    }
}

/// Five places that look the same, each in lines of its own; the change is in the last line of each.
fn alike() -> String {
    (1..=5).map(|n| format!("def test_{n}():\n    x = make({n})\n\n    run()\n    check()\n    end()\n\n")).collect()
}

/// A hunk of the lines `run()` to `end()` of these places, with the header `@@ <numbers> @@`.
fn hunk_of(numbers: &str, new: &str) -> String {
    format!("@@ {numbers} @@\n     run()\n-    check()\n+    check({new})\n     end()\n")
}

/// A hunk of the one line of `test_n`.
fn hunk_at(numbers: &str, n: usize) -> String {
    format!("@@ {numbers} @@\n-    x = make({n})\n+    x = made({n})\n")
}

/// Which of the five places were changed, or the refusal.
fn changed(hunks: &[String]) -> Result<Vec<usize>, &'static str> {
    let reply = format!("```diff\n--- a/src/a.py\n+++ b/src/a.py\n{}```\n", hunks.concat());
    let text = edited(Format::Unified, &alike(), &reply).map_err(|refusal| refusal.id)?;
    let blocks = text.split("def test_").skip(1).enumerate();
    Ok(blocks.filter(|(_, block)| !block.contains("check()")).map(|(n, _)| n + 1).collect())
}

#[test]
fn the_order_of_the_hunks_of_a_diff_may_leave_one_place() {
    let bare = |new: &str| hunk_of("...", new);
    let all: Vec<String> = (1..=5).map(|n| bare(&n.to_string())).collect();
    assert_eq!(changed(&all), Ok(vec![1, 2, 3, 4, 5]));
    let between = [hunk_at("...", 3), bare("x"), hunk_at("...", 4)];
    assert_eq!(changed(&between), Ok(vec![3]));
    assert_eq!(changed(&[bare("x"), hunk_at("...", 2)]), Ok(vec![1]));
    assert_eq!(changed(&[hunk_at("...", 5), bare("x")]), Ok(vec![5]));
    // Order leaves more than one, or there is none.
    assert_eq!(changed(&all[..4]), Err("edit-ambiguous"));
    assert_eq!(changed(&all[..1]), Err("edit-ambiguous"));
    assert_eq!(changed(&[hunk_at("...", 4), bare("x")]), Err("edit-ambiguous"));
    assert_eq!(changed(&[hunk_at("...", 5), hunk_at("...", 4), bare("x")]), Err("edit-ambiguous"));
    // The number says otherwise.
    assert_eq!(
        changed(&[hunk_at("-2 +2", 1), hunk_of("-30,3 +30,3", "x"), hunk_at("-16 +16", 3)]),
        Err("edit-ambiguous")
    );
    assert_eq!(
        changed(&[hunk_at("-16 +16", 3), hunk_of("-25,3 +25,3", "x"), hunk_at("-23 +23", 4)]),
        Err("edit-ambiguous")
    );
    // An edit that is in no format of diffs may come anywhere.
    let blocks = render(Format::SearchReplace, &[("    x = make(5)", "    x = made(5)"), ("    check()", "    x()")]);
    assert_eq!(edited(Format::SearchReplace, &alike(), &blocks).unwrap_err().id, "edit-ambiguous");
}

#[test]
fn numbers_that_are_right_for_every_other_hunk_of_a_diff_may_choose() {
    // Each place is seven lines long, and its hunk begins in the fourth.
    let header = |n: usize| format!("-{0},3 +{0},3", 7 * n - 3);
    let at = |n: usize| hunk_of(&header(n), "x");
    let sure = |n: usize| hunk_at(&format!("-{0} +{0}", 7 * n - 5), n);
    assert_eq!(changed(&[sure(1), at(3)]), Ok(vec![3]));
    assert_eq!(changed(&[sure(1), at(2), at(4), sure(5)]), Ok(vec![2, 4]));
    assert_eq!(changed(&[at(2), at(4)]), Ok(vec![2, 4]));
    // One alone, one that is wrong, one that has none, one that is near.
    assert_eq!(changed(&[at(3)]), Err("edit-ambiguous"));
    assert_eq!(changed(&[hunk_at("-3 +3", 1), at(3)]), Err("edit-ambiguous"));
    assert_eq!(changed(&[hunk_at("...", 1), at(3)]), Err("edit-ambiguous"));
    for off in ["-17,3 +17,3", "-19,3 +19,3"] {
        assert_eq!(changed(&[sure(1), hunk_of(off, "x")]), Err("edit-ambiguous"), "{off}");
    }
    // Guessed numbers do not add up.
    let grown = "@@ -11,3 +11,4 @@\n     run()\n+    more()\n-    check()\n+    check(x)\n     end()\n".to_owned();
    assert_eq!(changed(&[grown.clone(), at(4)]), Err("edit-ambiguous"));
    assert_eq!(changed(&[grown, hunk_of("-25,3 +26,3", "x")]), Ok(vec![2, 4]));
}

#[test]
fn line_numbers_of_a_diff_are_not_used() {
    let base = "a\nb\nc\nb\nd\n";
    let diff = |header: &str, body: &str| format!("--- a/src/a.py\n+++ b/src/a.py\n{header}\n{body}");
    for header in ["@@ -77,3 +90,12 @@", "@@ ... @@", "@@", "@@ @@ def f():"] {
        assert_eq!(
            edited(Format::Unified, base, &diff(header, " a\n-b\n+x\n")).as_deref(),
            Ok("a\nx\nc\nb\nd\n"),
            "{header}"
        );
    }
    assert_eq!(refused(Format::Unified, base, &diff("@@ -4,1 +4,1 @@", "-b\n+x\n")), "edit-ambiguous");
}

#[test]
fn lost_marks_of_blank_and_context_lines_are_seen_through() {
    let base = "a\n\n    b\n    c\n\nd\n";
    let diff = "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\n a\n\n-    b\n+    x\n     c\n\n d\n```\n";
    assert_eq!(edited(Format::Unified, base, diff).as_deref(), Ok("a\n\n    x\n    c\n\nd\n"));
    let diff = "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\na\n\n-    b\n+    x\n    c\n```\n";
    assert_eq!(edited(Format::Unified, base, diff).as_deref(), Ok("a\n\n    x\n    c\n\nd\n"));
}

#[test]
fn only_a_diff_that_says_so_changes_the_final_newline() {
    let diff = |body: &str| format!("--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n{body}");
    let marker = "\\ No newline at end of file\n";
    assert_eq!(edited(Format::Unified, "a\nb", &diff(&format!(" a\n-b\n{marker}+c\n"))).as_deref(), Ok("a\nc\n"));
    assert_eq!(edited(Format::Unified, "a\nb\n", &diff(&format!(" a\n-b\n+c\n{marker}"))).as_deref(), Ok("a\nc"));
    assert_eq!(edited(Format::Unified, "a\nb", &diff(&format!(" a\n-b\n{marker}+c\n{marker}"))).as_deref(), Ok("a\nc"));
    assert_eq!(edited(Format::Unified, "a\nb", &diff(" a\n-b\n+c\n")).as_deref(), Ok("a\nc"));
}

#[test]
fn removed_and_added_lines_that_look_like_file_names_are_lines() {
    for (old, new) in [
        ("-- old comment\n", "++ new comment\n"),
        ("-- a/src/a.py\n", "++ b/src/a.py\n"),
        ("-- x.py\n", ""),
        ("c\n", "++ x.py\n"),
    ] {
        let line = |mark: char, text: &str| if text.is_empty() { String::new() } else { format!("{mark}{text}") };
        let hunk = format!(" a\n{}{} b\n", line('-', old), line('+', new));
        let diff = format!("--- a/src/a.py\n+++ b/src/a.py\n@@\n{hunk}");
        let (base, want) = (format!("a\n{old}b\n"), format!("a\n{new}b\n"));
        assert_eq!(edited(Format::Unified, &base, &diff).as_deref(), Ok(want.as_str()), "{diff}");
        assert_eq!(apply(None, "src/a.py", Some(&base), &diff).map(|new| new.text), Ok(want), "{diff}");
    }
}

#[test]
fn a_removed_and_an_added_line_that_look_like_file_names_before_a_hunk_are_not_lost() {
    let base = "a\n-- b\nc\nd\ne\nf\ng\nh\n";
    let want = "a\n++ B\nc\nd\ne\nf\ng\nH\n";
    let next = "@@ -7,2 +7,2 @@\n g\n-h\n+H\n";
    // Right numbers, wrong ones, none; alone, after a line that stays, and in a hunk without a header.
    for hunk in [
        "@@ -2,1 +2,1 @@\n--- b\n+++ B\n",
        "@@ -2 +2 @@\n--- b\n+++ B\n",
        "@@ -2,5 +2,7 @@\n--- b\n+++ B\n",
        "@@ ... @@\n--- b\n+++ B\n",
        "@@\n a\n--- b\n+++ B\n",
        "@@ -1,1 +1,1 @@\n a\n--- b\n+++ B\n",
    ] {
        let diff = format!("--- a/src/a.py\n+++ b/src/a.py\n{hunk}{next}");
        assert_eq!(edited(Format::Unified, base, &diff).as_deref(), Ok(want), "{diff}");
        let fenced = format!("```diff\n{diff}```\n");
        assert_eq!(edited(Format::Unified, base, &fenced).as_deref(), Ok(want), "{fenced}");
        let wrapped = format!("*** Begin Patch\n*** Update File: src/a.py\n{hunk}{next}*** End Patch\n");
        assert_eq!(edited(Format::V4a, base, &wrapped).as_deref(), Ok(want), "{wrapped}");
        assert_eq!(apply(None, "src/a.py", Some(base), &wrapped).map(|new| new.text).as_deref(), Ok(want), "{wrapped}");
    }
    for headless in ["--- b\n+++ B\n c\n", "-a\n+A\n@@\n--- b\n+++ B\n", "--- b\n"] {
        let diff = format!("```diff\n{headless}{next}```\n");
        match edited(Format::Unified, base, &diff) {
            // Not both as names and as lines: the file has them.
            Ok(text) => assert!(!text.contains("-- b") && text.contains('H'), "{diff}\n{text}"),
            Err(refusal) => assert_eq!(refusal.id, "edit-two-readings", "{diff}"),
        }
    }
}

#[test]
fn names_that_are_words_may_stand_before_each_hunk() {
    let names = "--- original\n+++ modified\n";
    let diff = format!("```diff\n{names}@@\n-a\n+A\n{names}@@\n b\n-c\n+C\n{names}@@\n d\n-e\n```\n");
    assert_eq!(edited(Format::Unified, "a\nb\nc\nd\ne\n", &diff).as_deref(), Ok("A\nb\nC\nd\n"));
    let counted = diff.replacen("@@", "@@ -1 +1 @@", 1).replacen("\n@@\n b", "\n@@ -2,2 +2,2 @@\n b", 1);
    assert_eq!(edited(Format::Unified, "a\nb\nc\nd\ne\n", &counted).as_deref(), Ok("A\nb\nC\nd\n"));
    let named = "--- a/src/a.py\n+++ b/src/a.py\n";
    let miscounted = format!("{named}@@ -1,2 +1,2 @@\n-a\n+A\n{named}@@ -3 +3 @@\n-c\n+C\n");
    assert_eq!(edited(Format::Unified, "a\nb\nc\n", &miscounted).as_deref(), Ok("A\nb\nC\n"));
}

#[test]
fn a_diff_that_deletes_renames_or_reaches_another_file_is_refused() {
    let base = "a\n";
    for (diff, id) in [
        ("--- a/src/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "reply-unsupported"),
        ("rename from src/a.py\nrename to src/b.py\n--- a/src/a.py\n+++ b/src/a.py\n@@\n-a\n+b\n", "reply-unsupported"),
        ("--- a/src/a.py\n+++ b/src/a.py\n@@\n-a\n+b\n--- a/x.py\n+++ b/x.py\n@@\n-a\n+b\n", "reply-other-file"),
        ("```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\n-a\n+b\n```\n@@\n-c\n+d\n", "reply-malformed"),
    ] {
        assert_eq!(refused(Format::Unified, base, diff), id, "{diff}");
    }
}

#[test]
fn a_scope_line_chooses_between_equal_places_if_it_names_one_block() {
    let base = "def f():\n    x = 1\n    return x\n\n\ndef g():\n    x = 1\n    return x\n";
    let patch = |scope: &str| {
        format!("*** Begin Patch\n*** Update File: src/a.py\n@@ {scope}\n-    x = 1\n+    x = 2\n*** End Patch\n")
    };
    assert_eq!(
        edited(Format::V4a, base, &patch("def g():")).as_deref(),
        Ok("def f():\n    x = 1\n    return x\n\n\ndef g():\n    x = 2\n    return x\n")
    );
    assert_eq!(refused(Format::V4a, base, &patch("def")), "edit-ambiguous");
    assert_eq!(refused(Format::V4a, base, &patch("def h():")), "edit-ambiguous");
}

#[test]
fn a_patch_may_lack_its_first_or_last_line_or_be_fenced() {
    let hunk = "*** Update File: src/a.py\n@@\n-b\n+x\n";
    for reply in [
        hunk.to_owned(),
        format!("*** Begin Patch\n{hunk}"),
        format!("{hunk}*** End Patch\n"),
        format!("```\n*** Begin Patch\n{hunk}*** End Patch\n```\n"),
        format!("```diff\n{hunk}```\nDone.\n"),
    ] {
        assert_eq!(edited(Format::V4a, "a\nb\n", &reply).as_deref(), Ok("a\nx\n"), "{reply}");
    }
}

#[test]
fn a_patch_may_add_the_file_if_it_is_new_and_never_deletes_or_moves() {
    let add = "*** Begin Patch\n*** Add File: src/a.py\n+a\n+\n+b\n*** End Patch\n";
    assert_eq!(apply(Some(Format::V4a), "src/a.py", None, add).map(|new| new.text).as_deref(), Ok("a\n\nb\n"));
    assert_eq!(refused(Format::V4a, "a\n", add), "reply-add-exists");
    assert_eq!(
        refused(Format::V4a, "a\n", "*** Begin Patch\n*** Delete File: src/a.py\n*** End Patch\n"),
        "reply-unsupported"
    );
    let moved = "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: src/b.py\n@@\n-a\n+b\n*** End Patch\n";
    assert_eq!(refused(Format::V4a, "a\n", moved), "reply-unsupported");
}
