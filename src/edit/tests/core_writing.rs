//! Several edits of one reply, and what is written of them.

use super::*;

fn text(format: Format, base: &str, edits: &[(&str, &str)]) -> Result<String, &'static str> {
    edited(format, base, &render(format, edits)).map_err(|refusal| refusal.id)
}

#[test]
fn an_edit_builds_on_those_before_it_and_on_none_after_it() {
    let base = "logger(x)\nend()\n";
    for format in EDITS {
        let built = [("end()", "enter()\nlog(x)\nend()"), ("log(x)", "log(x, y)")];
        assert_eq!(text(format, base, &built).as_deref(), Ok("logger(x)\nenter()\nlog(x, y)\nend()\n"));
        let (first, second) = (built[1], built[0]);
        assert_eq!(text(format, base, &[first, second]), Err("edit-not-found"), "{}", format.name());
        let other = ("logger(x)", "logger(z)");
        assert_eq!(text(format, base, &[other, first, second]), Err("edit-not-found"), "{}", format.name());
    }
}

#[test]
fn an_edit_that_builds_on_another_is_kept_apart_from_what_later_ones_write() {
    for format in EDITS {
        let first = ("a", "x\ny");
        // Lines that later edits added or removed round the place move it and are no part of it.
        let later = [first, ("x\ny", "x\nz"), ("first", ""), ("b", "b\nc\nd")];
        assert_eq!(text(format, "first\na\nb\n", &later).as_deref(), Ok("x\nz\nb\nc\nd\n"));
        let last = [first, ("x\ny", "x\nz"), ("b", "b\nnew"), ("z", "2"), ("new", "3")];
        assert_eq!(text(format, "a\nb\n", &last).as_deref(), Ok("x\n2\nb\n3\n"), "{}", format.name());
        let swapped = [first, ("x\ny", "x\nz\nz2\nz3"), ("new", "3"), ("b", "b\nnew")];
        assert_eq!(text(format, "a\nb\n", &swapped), Err("edit-not-found"));
        let moved = [first, ("x\ny", "x\n1\n2\n3\n4\n5"), ("4", "6"), ("b", "b\nnew")];
        assert_eq!(text(format, "a\nb\n", &moved).as_deref(), Ok("x\n1\n2\n3\n6\n5\nb\nnew\n"));
        // Only a later edit brings these two together.
        let joined = [first, ("y\nb", "3"), ("gone", "")];
        assert_eq!(text(format, "a\ngone\nb\n", &joined), Err("edit-not-found"));
    }
}

#[test]
fn edits_that_conflict_are_named_with_the_line_of_the_file() {
    let refusal = |edits: &[(&str, &str)]| {
        edited(Format::FindReplace, "a\nb\nc\nd\n", &render(Format::FindReplace, edits)).unwrap_err()
    };
    let conflict = refusal(&[("a", "x"), ("b\nc", "y"), ("d", "z"), ("c\nd", "y")]);
    assert_eq!(conflict.message, "cannot apply changes 2 and 4 to 'src/a.py': both change line 3");
    assert_eq!((conflict.id, conflict.line), ("edit-conflict", Some(3)));
    // Two that add at one place do not say which comes first; the same is added once.
    let conflict = refusal(&[("a", "a\nx"), ("b", "y\nb")]);
    assert_eq!(conflict.message, "cannot apply changes 1 and 2 to 'src/a.py': both change line 2");
    assert_eq!(refusal(&[("a\nb", "a\nx\nb"), ("b", "y")]).id, "edit-conflict");
    assert_eq!(text(Format::FindReplace, "a\nb\n", &[("a", "a\nx"), ("b", "y")]).as_deref(), Ok("a\nx\ny\n"));
    assert_eq!(text(Format::FindReplace, "a\nb\n", &[("a", "a\nx"), ("b", "x\nb")]).as_deref(), Ok("a\nx\nb\n"));
}

#[test]
fn lines_added_beside_what_another_edit_changes_need_a_clear_order() {
    let both = |one: (&str, &str), other: (&str, &str)| {
        let orders = [[one, other], [other, one]].map(|edits| text(Format::SearchReplace, "a\nb\nc\n", &edits));
        assert_eq!(orders[0], orders[1]);
        orders.into_iter().next().unwrap()
    };
    // Each has seen the other's lines.
    assert_eq!(both(("b", "y"), ("b\nc", "b\nx\nc")), Err("edit-conflict"));
    assert_eq!(both(("b", "y"), ("a\nb", "a\nx\nb")), Err("edit-conflict"));
    assert_eq!(both(("a\nb", "a\ny"), ("b\nc", "b\nx\nc")), Err("edit-conflict"));
    // They stand side by side.
    assert_eq!(both(("b", "y"), ("c", "x\nc")).as_deref(), Ok("a\ny\nx\nc\n"));
    assert_eq!(both(("b", "y"), ("a", "a\nx")).as_deref(), Ok("a\nx\ny\nc\n"));
    assert_eq!(both(("a\nb", "a\ny"), ("c", "c\nx")).as_deref(), Ok("a\ny\nc\nx\n"));
    // Neither adds.
    assert_eq!(both(("a\nb\nc", "a\ny\nc"), ("c", "z")).as_deref(), Ok("a\ny\nz\n"));
    let elided = "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\n a\n+x\n ...\n-b\n c\n```\n";
    assert_eq!(edited(Format::Unified, "a\nb\nc\n", elided).as_deref(), Ok("a\nx\nc\n"));
}

#[test]
fn each_edit_says_which_lines_of_the_file_it_matched() {
    let lines = |base: &str, edits: &[(&str, &str)]| -> Vec<(usize, usize)> {
        let applied = apply(Some(Format::SearchReplace), "src/a.py", Some(base), &render(Format::SearchReplace, edits));
        applied.unwrap().edits.iter().map(|edit| (edit.line, edit.lines)).collect()
    };
    assert_eq!(lines("a\nb\nc\n", &[("b\nc", "x"), ("a", "y")]), [(2, 2), (1, 1)]);
    assert_eq!(lines("a\nb\nc", &[("b\nc", "x"), ("a", "y")]), [(2, 2), (1, 1)]);
    assert_eq!(lines("a\nbe(1)\nc", &[("(1)", "(2)"), ("c", "y")]), [(2, 1), (3, 1)]);
}

#[test]
fn new_text_that_has_dots_in_the_stead_of_lines_that_go_is_refused() {
    let base = "def f():\n    a()\n    b()\n\nend()\n";
    for format in [Format::FindReplace, Format::SearchReplace] {
        let change = |old: &str, new: &str| text(format, base, &[(old, new)]);
        assert_eq!(change("    a()\n    b()", "    # ... existing code ...\n    c()"), Err("edit-elision"));
        for dots in ["# ...", "// ...", "/* ... */", "<!-- \u{2026} -->", "-- ...", "; ..."] {
            let new = format!("    {dots}\n    c()");
            assert_eq!(change("    a()\n    b()", &new), Err("edit-elision"), "{dots}");
        }
        // Nothing goes but a blank line.
        let want = base.replace("()\n\nend", "()\n# ... existing code ...\nend");
        assert_eq!(change("    b()\n\nend()", "    b()\n# ... existing code ...\nend()"), Ok(want));
        let want = base.replace("end()", "# ... existing code ...\nend()");
        assert_eq!(change("end()", "# ... existing code ...\nend()"), Ok(want));
        // Dots alone may be code, and a comment of the file may say so.
        assert_eq!(change("    a()\n    b()", "    ..."), Ok(base.replace("    a()\n    b()", "    ...")));
        let base = base.replace("a()", "# ... existing code ...");
        let change = [("    # ... existing code ...\n    b()", "    b()\n    # ... unchanged ...")];
        assert!(text(format, &base, &change).is_ok());
    }
}

#[test]
fn a_reply_that_reads_as_two_formats_must_come_to_one_text() {
    let both = |find: (&str, &str), search: (&str, &str)| {
        let reply = render(Format::FindReplace, &[find]) + &render(Format::SearchReplace, &[search]);
        apply(None, "src/a.py", Some("a\nb\n"), &reply).map(|applied| applied.text).map_err(|refusal| refusal.id)
    };
    assert_eq!(both(("a", "x"), ("b", "y")), Err("reply-two-formats"));
    assert_eq!(both(("a", "x"), ("a", "x")).as_deref(), Ok("x\nb\n"));
    // One that is cut off may not be passed over for the other.
    let cut = "<<<<<<< SEARCH\nb\n=======\ny\n".to_owned() + &render(Format::FindReplace, &[("a", "x")]);
    assert_eq!(apply(None, "src/a.py", Some("a\nb\n"), &cut).unwrap_err().id, "reply-malformed");
}

#[test]
fn of_two_readings_a_looser_one_that_cannot_be_carried_out_is_no_matter_and_an_equal_one_is() {
    let diff = "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\nx = 1\n y = 2\n-z = 3\n+if z:\n+    z = 4\n```\n";
    let read = |base: &str| edited(Format::Unified, base, diff).map_err(|refusal| refusal.id);
    assert_eq!(read("x = 1\ny = 2\nz = 3\n").as_deref(), Ok("x = 1\ny = 2\nif z:\n    z = 4\n"));
    assert_eq!(read("x=1\ny = 2\nz = 3\n"), Err("edit-indentation"));
}

#[test]
fn sides_that_are_too_long_to_compare_are_taken_only_where_the_file_has_them_byte_for_byte() {
    let lines = |from: usize, to: usize| (from..to).map(|n| format!("line({n})\n")).collect::<String>();
    // The same lines in another order: nothing says which of them stay.
    let (old, new) = (lines(0, 30_000), lines(15_000, 30_000) + &lines(0, 15_000));
    let reply = render(Format::SearchReplace, &[(old.trim_end(), new.trim_end())]);
    assert_eq!(edited(Format::SearchReplace, &old, &reply).as_deref(), Ok(new.as_str()));
    let spaced = old.replacen("line(7)", "line( 7 )", 1);
    assert_eq!(refused(Format::SearchReplace, &spaced, &reply), "edit-not-found");
}

#[test]
fn an_edit_at_the_end_of_an_unended_file_is_after_its_last_line() {
    let reply = "*** Begin Patch\n*** Update File: src/a.py\n*** End of File\n@@\n+c\n*** End Patch\n";
    for (base, text) in [("a\nb", "a\nb\nc"), ("a\nb\n", "a\nb\nc\n")] {
        let applied = apply(Some(Format::V4a), "src/a.py", Some(base), reply).unwrap();
        assert_eq!((applied.text.as_str(), applied.edits[0].line, applied.edits[0].lines), (text, 3, 0));
    }
    let last =
        apply(Some(Format::SearchReplace), "src/a.py", Some("a\nb"), &render(Format::SearchReplace, &[("b", "c")]));
    assert_eq!(last.map(|applied| (applied.edits[0].line, applied.edits[0].lines)), Ok((2, 1)));
}
