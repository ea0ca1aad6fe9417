//! Which place an edit finds in the file, and when it finds none.

use super::*;

/// One hunk of a diff, applied to `base`.
fn hunk(base: &str, lines: &str) -> Result<Applied, Refusal> {
    let diff = format!("```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\n{lines}```\n");
    apply(Some(Format::Unified), "src/a.py", Some(base), &diff)
}

fn text(base: &str, lines: &str) -> Result<String, &'static str> {
    hunk(base, lines).map(|applied| applied.text).map_err(|refusal| refusal.id)
}

/// `count` lines that have nothing in common.
fn distinct(count: usize) -> Vec<String> {
    (0..count)
        .map(|n| format!("{}_value = make({})\n", ["alpha", "bravo", "carol", "delta"][n % 4].repeat(n / 4 + 1), n))
        .collect()
}

/// A hunk that gives these lines as context and removes the last of them.
fn less_the_last(lines: &[String]) -> String {
    let (last, context) = lines.split_last().unwrap();
    context.iter().map(|line| format!(" {line}")).collect::<String>() + &format!("-{last}")
}

/// The line with a slip of the pen.
fn slipped(line: &str) -> String {
    line.replace("make", "mkae")
}

#[test]
fn a_slip_is_forgiven_in_four_lines_and_not_in_fewer() {
    for count in [2, 3, 4, 5] {
        let base = distinct(count);
        let mut lines = base.clone();
        lines[0] = slipped(&lines[0]);
        let want = if count < 4 { Err("edit-not-found") } else { Ok(base[..count - 1].concat()) };
        assert_eq!(text(&base.concat(), &less_the_last(&lines)), want, "{count}");
    }
}

#[test]
fn one_line_in_five_may_be_mistyped() {
    for (count, slips, fits) in [(4, 2, false), (9, 2, false), (10, 2, true), (10, 3, false), (15, 3, true)] {
        let base = distinct(count);
        let mut lines = base.clone();
        (0..slips).for_each(|n| lines[n * 3] = slipped(&lines[n * 3]));
        let want = if fits { Ok(base[..count - 1].concat()) } else { Err("edit-not-found") };
        assert_eq!(text(&base.concat(), &less_the_last(&lines)), want, "{count} {slips}");
    }
}

#[test]
fn a_line_or_two_of_the_file_may_be_left_out_of_a_long_enough_edit() {
    for (count, left_out, fits) in [
        (4, &[2][..], false),
        (5, &[2], true),
        (12, &[2, 3], true),
        (12, &[2, 6], true),
        (12, &[2, 3, 4], false),
        (24, &[2, 8, 12], false),
    ] {
        let base = distinct(count);
        let given = |base: &[String]| -> Vec<String> {
            (0..count).filter(|n| !left_out.contains(n)).map(|n| base[n].clone()).collect()
        };
        let want = if fits { Ok(base[..count - 1].concat()) } else { Err("edit-not-found") };
        assert_eq!(text(&base.concat(), &less_the_last(&given(&base))), want, "{count} {left_out:?}");
        // A line without a word says little of four.
        let mut base = base;
        base[1] = "}\n".into();
        let want = if fits && count > 5 { Ok(base[..count - 1].concat()) } else { Err("edit-not-found") };
        assert_eq!(text(&base.concat(), &less_the_last(&given(&base))), want, "{count} {left_out:?}");
    }
}

#[test]
fn a_mistyped_or_missing_first_line_is_no_matter() {
    let (base, before) = (distinct(8), "import os\n\n\nclass A:\n");
    let want = Ok(format!("{before}{}", base[..7].concat()));
    let file = format!("{before}{}", base.concat());
    let mut lines = base.clone();
    lines[0] = slipped(&lines[0]);
    assert_eq!(text(&file, &less_the_last(&lines)), want);
    lines[0] = base[0].clone();
    lines.remove(1);
    assert_eq!(text(&file, &less_the_last(&lines)), want);
}

#[test]
fn a_removed_line_that_differs_only_in_its_middle_is_not_the_file_s() {
    let mut base = distinct(6);
    base[5] = "result_of_all = compute_first_of(things_to_do)\n".into();
    let mut lines = base.clone();
    lines[1] = slipped(&lines[1]);
    assert_eq!(text(&base.concat(), &less_the_last(&lines)), Ok(base[..5].concat()));
    lines[5] = "result_of_all = compute_other_of(things_to_do)\n".into();
    assert_eq!(text(&base.concat(), &less_the_last(&lines)), Err("edit-not-found"));
}

#[test]
fn a_place_that_has_over_two_thirds_of_the_lines_makes_a_slip_unsure() {
    for (count, shared, fits) in [(9, 4, true), (9, 7, false), (7, 4, true), (7, 5, false)] {
        let base = distinct(count);
        let mut lines = base.clone();
        lines[0] = slipped(&lines[0]);
        let file = format!("{}{}", base.concat(), base[1..=shared].concat());
        let want = if fits { Ok(file.replacen(&base[count - 1], "", 1)) } else { Err("edit-ambiguous") };
        assert_eq!(text(&file, &less_the_last(&lines)), want, "{shared}");
    }
}

/// A hunk in which the first of these lines has a slip, with its marks: `>` marks the lines in `edits`.
fn marked(lines: &[String], edits: &[(usize, &str)]) -> String {
    let line = |(n, line): (usize, &String)| {
        let line = if n == 1 { slipped(line) } else { line.clone() };
        match edits.iter().find(|(at, _)| *at == n) {
            Some((_, "-")) => format!("-{line}"),
            Some((_, added)) => format!(" {line}+{added}\n"),
            None => format!(" {line}"),
        }
    };
    lines.iter().enumerate().map(line).collect()
}

#[test]
fn a_slip_hinders_no_edit_elsewhere_in_the_hunk() {
    let base = distinct(9);
    let edit = marked(&base, &[(3, "-"), (4, "-"), (6, "more()"), (8, "-")]);
    let want = [&base[..3].concat(), &base[5..7].concat(), "more()\n", &base[7]].concat();
    assert_eq!(text(&base.concat(), &edit), Ok(want));
}

#[test]
fn what_happens_to_a_line_that_was_left_out_must_be_clear() {
    let base = distinct(9);
    let file = base.concat();
    let without = |left_out: usize, edits: &[(usize, &str)]| {
        let mut lines = base.clone();
        lines.remove(left_out);
        let lines: Vec<(usize, &String)> = lines.iter().enumerate().collect();
        let marked = |(n, line): &(usize, &String)| match edits.iter().find(|(at, _)| at == n) {
            Some((_, "-")) => format!("-{line}"),
            Some((_, edit)) if edit.starts_with('-') => format!("-{line}+{}\n", &edit[1..]),
            Some((_, added)) => format!(" {line}+{added}\n"),
            None => format!(" {line}"),
        };
        text(&file, &lines.iter().map(marked).collect::<String>())
    };
    let less = |gone: &[usize]| -> String {
        base.iter().enumerate().filter(|(n, _)| !gone.contains(n)).map(|(_, line)| line.as_str()).collect()
    };
    // It stays between context, and beside a line that goes.
    assert_eq!(without(4, &[(7, "-")]), Ok(less(&[8])));
    assert_eq!(without(4, &[(3, "-")]), Ok(less(&[3])));
    assert_eq!(without(4, &[(4, "-")]), Ok(less(&[5])));
    assert_eq!(without(4, &[(3, "-new()")]), Ok(file.replace(&base[3], "new()\n")));
    // Between two that go it may have been meant to go, and beside an added one nothing says which comes first.
    assert_eq!(without(4, &[(3, "-"), (4, "-")]), Err("edit-not-found"));
    assert_eq!(without(4, &[(3, "new()")]), Err("edit-not-found"));
    assert_eq!(without(4, &[(2, "new()")]), Ok(file.replace(&base[2], &format!("{}new()\n", base[2]))));
    assert_eq!(without(4, &[(4, "new()")]), Ok(file.replace(&base[5], &format!("{}new()\n", base[5]))));
}

#[test]
fn of_two_equal_lines_one_may_be_left_out_if_it_makes_no_difference_which() {
    let base = distinct(10);
    let file = format!("{}{}", base[0], base.concat());
    assert_eq!(text(&file, &marked(&base, &[(9, "-")])), Ok(file.replace(&base[9], "")));
    assert_eq!(text(&file, &marked(&base, &[(0, "-")])), Err("edit-ambiguous"));
    assert_eq!(text(&file, &marked(&base, &[(0, "new()")])), Err("edit-ambiguous"));
    assert_eq!(text(&file, &format!("+new()\n{}", marked(&base, &[]))), Err("edit-ambiguous"));
    // In the middle.
    let file = format!("{}{}{}", base[..5].concat(), base[4], base[5..].concat());
    assert_eq!(text(&file, &marked(&base, &[(9, "-")])), Ok(file.replace(&base[9], "")));
    for edit in ["-", "new()"] {
        assert_eq!(text(&file, &marked(&base, &[(4, edit)])), Err("edit-not-found"), "{edit}");
    }
    assert_eq!(text(&file, &marked(&base, &[(3, "new()")])), Err("edit-not-found"));
    // The first of them has a blank at its end, so that the second is the edit's.
    let file = file.replacen(&base[4], &base[4].replace('\n', " \n"), 1);
    assert_eq!(text(&file, &marked(&base, &[(9, "-")])), Ok(file.replace(&base[9], "")));
    for edit in ["-", "new()"] {
        assert_eq!(text(&file, &marked(&base, &[(4, edit)])), Err("edit-not-found"), "{edit}");
    }
}

#[test]
fn of_lines_that_differ_in_white_space_the_same_one_is_meant() {
    let file = "fn f() {\n    if x {\n        a();\n    }\n}\n\nfn g() {\n    b();\n}\n";
    let edit = " fn f() {\n     if x {\n         a();\n }\n \n fn g() {\n-    b();\n+    c();\n }\n";
    assert_eq!(text(file, edit), Ok(file.replace("b()", "c()")));
}

#[test]
fn lines_that_stand_apart_are_no_second_place() {
    let base = distinct(9);
    let mut lines = base.clone();
    lines[0] = slipped(&lines[0]);
    let apart: String = base[1..8].iter().map(|line| format!("{line}other()\n")).collect();
    let file = base.concat() + &apart;
    assert_eq!(text(&file, &less_the_last(&lines)), Ok(file.replacen(&base[8], "", 1)));
}

#[test]
fn one_line_of_the_file_is_not_several_of_the_edit() {
    let (head, tail) = ("open_all(one)\n", "close_all(two)\n");
    let file =
        format!("{head}next()\nnext()\nnext()\nmake(three)\n{tail}\n{head}other(1)\nother(2)\nnext()\nother(3)\n");
    let edit = format!(" {head} next()\n next()\n next()\n mkae(three)\n-{tail}");
    assert_eq!(text(&file, &edit), Ok(file.replace(tail, "")));
}

#[test]
fn an_elision_may_stand_for_any_lines_between_two_that_the_file_has_once() {
    let file = "import os\nimport sys\n\ndef one():\n    return 1\n\nx = 1\n\ndef two():\n    return 2\n";
    for edit in [
        " import os\n ...\n-    return 2\n+    return 3\n",
        " def one():\n ...\n def two():\n-    return 2\n+    return 3\n",
        // Nothing is left out.
        " def two():\n ...\n-    return 2\n+    return 3\n",
        " import os\n ...\n import sys\n ...\n def two():\n-    return 2\n+    return 3\n",
    ] {
        assert_eq!(text(file, edit), Ok(file.replace("return 2", "return 3")), "{edit}");
    }
    // What is in the block of a line ends with the block.
    assert_eq!(text(file, " def one():\n ...\n-    return 2\n+    return 3\n"), Err("edit-not-found"));
    assert_eq!(text(file, " def two():\n ...\n-import os\n+import re\n"), Err("edit-not-found"));
}

#[test]
fn an_end_of_an_elision_is_more_than_a_bracket_and_of_three_lines_sure_in_any_block() {
    let file = "fn f() {\n    a();\n    if x {\n        b();\n    }\n}\n";
    assert_eq!(text(file, " fn f() {\n ...\n-}\n+};\n"), Err("edit-not-found"));
    assert_eq!(text(file, " fn f() {\n ...\n \n-}\n+};\n"), Err("edit-not-found"));
    assert_eq!(text(file, " fn f() {\n ...\n     }\n-}\n+};\n"), Ok(file.replace("\n}\n", "\n};\n")));
    let file = "def one():\n    a()\n\nx = 1\n\ndef two():\n    b()\n    c()\n    d()\n";
    let want = file.replace("    d()\n", "");
    assert_eq!(text(file, " def one():\n ...\n     b()\n     c()\n-    d()\n"), Ok(want));
    assert_eq!(text(file, " def one():\n ...\n     c()\n-    d()\n"), Err("edit-not-found"));
}

#[test]
fn an_elision_between_lines_of_which_one_stands_twice_is_ambiguous() {
    let file = "first()\nopen()\nsome()\nopen()\n    more()\nclose()\n";
    let refusal = hunk(file, "-open()\n+enter()\n ...\n close()\n").unwrap_err();
    assert!(refusal.message.ends_with("matches lines 2 and 4"), "{}", refusal.message);
    let refusal = hunk(file, " first()\n ...\n-open()\n+enter()\n ...\n close()\n").unwrap_err();
    assert!(refusal.message.ends_with("matches lines 2 and 4"), "{}", refusal.message);
}

#[test]
fn a_line_that_stands_at_another_depth_than_the_others_makes_a_slip_unsure() {
    let base = distinct(6);
    let edit = marked(&base, &[(5, "-")]);
    assert_eq!(text(&base.concat().replace("bravo", "    bravo"), &edit), Err("edit-not-found"));
    let deeper: String = base.iter().map(|line| format!("    {line}")).collect();
    assert_eq!(text(&deeper, &edit), Ok(deeper.replace(&format!("    {}", base[5]), "")));
}

#[test]
fn two_readings_that_fit_at_two_places_are_refused_even_if_one_is_looser() {
    // The second line is marked, or it stands two columns in.
    let edit = "a\n  b\n-z\n+w\n";
    assert_eq!(text("a\n b\nz\n", edit), Ok("a\n b\nw\n".into()));
    assert_eq!(text("a\n b\nz\n\na\n  b \nz\n", edit), Err("edit-two-readings"));
}

#[test]
fn what_the_file_has_already_needs_two_lines_round_it_and_one_place() {
    let changed = |base: &str, old: &str, new: &str| {
        edited(Format::SearchReplace, base, &render(Format::SearchReplace, &[(old, new)]))
    };
    let unchanged = |base: &str, old: &str, new: &str| changed(base, old, new).as_deref() == Ok(base);
    assert!(unchanged("a\nb\nnew\n", "a\nb\nold", "a\nb\nnew"));
    assert!(unchanged("a \nb\nnew\n", "a\nb\nold", "a\nb\nnew"));
    assert!(!unchanged("b\nnew\n", "b\nold", "b\nnew"));
    assert!(!unchanged("b\n\nnew\n", "b\n\nold", "b\n\nnew"));
    assert!(!unchanged("a\nb\nnew\na\nb\nnew\n", "a\nb\nold", "a\nb\nnew"));
    assert!(!unchanged("  a\nb\nnew\n", "a\nb\nold", "a\nb\nnew"));
    // What goes may have stood elsewhere.
    assert!(!unchanged("a\nb\nc\n", "a\nb\nold\nc", "a\nb\nc"));
    assert!(!unchanged("a\nb\n\nc\n", "a\nb\nold\nc", "a\nb\n\nc"));
}

#[test]
fn new_indentation_that_stands_already_is_only_seen_at_the_place_itself() {
    let edit = |base: &str, old: &str, new: &str| {
        let reply = render(Format::SearchReplace, &[(old, new)]);
        edited(Format::SearchReplace, base, &reply).map_err(|refusal| refusal.id)
    };
    let (old, new) = ("a()\nb()", " a()\nx()\n b()");
    let (here, done) = ("a( )\nb()\n", " a()\nx()\n b()\n");
    for between in ["", "\n", "other()\n"] {
        let (before, after) = (format!("{done}{between}{here}"), format!("{here}{between}{done}"));
        assert_eq!(edit(&before, old, new), Ok(format!("{done}{between}{done}")));
        assert_eq!(edit(&after, old, new), Ok(format!("{done}{between}{done}")));
    }
    // A line that does not come back has still to go, and one that is new has still to come.
    assert_eq!(edit("a(1)\nb()\n", "a( 1 )\nb()", "a(1)"), Ok("a(1)\n".into()));
    assert_eq!(edit("a()\n  b()\n", "a()\nb()", "a()\n  b()"), Ok("a()\n  b()\n".into()));
    assert_eq!(edit("a()\n  b()\n", "a()\nb()", "a()\n    b()"), Err("edit-indentation"));
}

#[test]
fn a_part_of_a_line_that_reads_already_as_wanted_stays() {
    let edit = |base: &str, old: &str, new: &str| {
        let reply = render(Format::SearchReplace, &[(old, new)]);
        edited(Format::SearchReplace, base, &reply).map_err(|refusal| refusal.id)
    };
    for (old, new) in [("item(1)", "self.item(1)"), ("item(1)", "first(item(1))"), ("item(1)", "item(1).name")] {
        let (before, after) = (format!("x = {old} + y\n"), format!("x = {new} + y\n"));
        assert_eq!(edit(&before, old, new), Ok(after.clone()), "{new}");
        assert_eq!(edit(&after, old, new), Ok(after.clone()), "{new}");
    }
    assert_eq!(edit("x = item(1) + item(2)\n", "item(2)", "item(1)"), Ok("x = item(1) + item(1)\n".into()));
}

#[test]
fn a_line_that_is_loosely_the_edit_s_and_one_that_holds_its_very_text_are_two_places() {
    let find = |base: &str, old: &str| {
        let refusal = edited(Format::FindReplace, base, &render(Format::FindReplace, &[(old, "g(2)")]));
        refusal.map_err(|refusal| refusal.message.rsplit_once(": ").unwrap().1.to_owned())
    };
    assert_eq!(find("f( 1 )\nx = f(1)\n", "f(1)"), Err("FIND matches lines 1 and 2".into()));
    assert_eq!(find("f( 1 )\nh()\nx = f(1)\nh()\n", "f(1)\nh()"), Err("FIND matches lines 1 and 3".into()));
    assert_eq!(find("x = f(1)\nh()\nf( 1 )\nh()\n", "f(1)\nh()"), Err("FIND matches lines 1 and 3".into()));
    assert_eq!(find("  f(1)\n  h()\n", "f(1)\n  h()"), Ok("  g(2)\n".into()));
    assert_eq!(find("f( 1 )\nx = f(2)\n", "f(1)"), Ok("g(2)\nx = f(2)\n".into()));
    assert_eq!(find("  f(1)\nx = f(2)\n", "f(1)"), Ok("  g(2)\nx = f(2)\n".into()));
}

#[test]
fn of_places_that_differ_in_white_space_the_one_that_is_only_indented_is_meant() {
    let (old, new) = ("-if a:\n-    b(1)\n", "+if a:\n+    c()\n");
    let (plain, want) = ("  if a:\n      b(1)\n", "  if a:\n      c()\n");
    // Other blanks inside the lines, other blank lines, lines at other depths.
    for other in ["  if a:\n      b( 1 )\n", "  if a:\n\n      b(1)\n", "  if a:\n        b(1)\n"] {
        for (file, want) in [
            (format!("{plain}{other}"), format!("{want}{other}")),
            (format!("{other}\nx\n{plain}"), format!("{other}\nx\n{want}")),
        ] {
            assert_eq!(text(&file, &format!("{old}{new}")), Ok(want), "{file}");
        }
        // With blank lines at its ends.
        let file = format!("x\n\n{plain}\n{other}");
        assert_eq!(text(&file, &format!(" \n{old}{new} \n")), Ok(file.replacen(plain, want, 1)), "{other}");
        assert_eq!(text(&format!("{other}x\n{other}"), &format!("{old}{new}")), Err("edit-ambiguous"), "{other}");
    }
    assert_eq!(text(&format!("{plain}x\n{plain}"), &format!("{old}{new}")), Err("edit-ambiguous"));
    // The lines without other blanks inside, though at other depths.
    let file = "  if a:\n        b(1)\nif  a:\n    b(1)\n";
    assert_eq!(text(file, "-if a:\n-    b(1)\n-\n"), Ok("if  a:\n    b(1)\n".into()));
    // An edit that has a blank line.
    let edit = "-if a:\n-\n-    b(1)\n";
    assert_eq!(text("  if a:\n\n      b(1)\n  if a:\n      b(1)\n", edit), Ok("  if a:\n      b(1)\n".into()));
}

/// One hunk of a patch with these scope lines.
fn scoped(base: &str, scopes: &[&str], lines: &str) -> Result<String, &'static str> {
    let scopes: String = scopes.iter().map(|scope| format!("@@ {scope}\n")).collect();
    let patch = format!("*** Begin Patch\n*** Update File: src/a.py\n{scopes}{lines}*** End Patch\n");
    edited(Format::V4a, base, &patch).map_err(|refusal| refusal.id)
}

#[test]
fn a_scope_line_names_the_block_of_one_line() {
    let block = |name: &str| format!("fn {name}() {{\n    if x {{\n        go();\n    }}\n}}\n\n");
    let file = ["one", "two", "two_more"].map(block).concat();
    let edit = "-        go();\n+        stay();\n";
    let want = |n: usize| {
        let name = ["one", "two", "two_more"][n];
        Ok(file.replace(&block(name), &block(name).replace("go", "stay")))
    };
    assert_eq!(scoped(&file, &["fn one() {"], edit), want(0));
    assert_eq!(scoped(&file, &["fn one"], edit), want(0));
    assert_eq!(scoped(&file, &["fn two() { @@"], edit), want(1));
    for nothing in ["-3,2 +3,2 @@", "... @@", "@@", "…"] {
        assert_eq!(scoped(&file, &[nothing], edit), Err("edit-ambiguous"), "{nothing}");
        assert_eq!(scoped(&file, &["fn one", nothing], edit), want(0), "{nothing}");
    }
    assert_eq!(scoped(&file, &["  fn two() {  "], edit), want(1));
    assert_eq!(scoped(&file, &["fn two_more"], edit), want(2));
    assert_eq!(scoped(&file, &["fn two_more() {", "if x"], edit), want(2));
    // The block of the line ends before these, or more than one line begins so.
    for scopes in [&["fn two"][..], &["fn one() {", "fn two() {"], &["if x {"], &["fn three"], &[""]] {
        assert_eq!(scoped(&file, scopes, edit), Err("edit-ambiguous"), "{scopes:?}");
    }
    let twice = file.replace("two_more", "two");
    assert_eq!(scoped(&twice, &["fn two() {"], edit), Err("edit-ambiguous"));
    // A bracket at the depth of the line is part of its block; another line ends it.
    let style = "void one()\n{\n    go();\n}\n\nvoid two()\n{\n    go();\n}\n";
    assert_eq!(scoped(style, &["void one()"], "-    go();\n+    stay();\n"), Ok(style.replacen("go", "stay", 1)));
    // Of lines that begin so, the one that is no more than that.
    for file in ["sub a\n    go();\nsub a more\n    go();\n", "sub a more\n    go();\nsub a\n    go();\n"] {
        let want = file.replace("sub a\n    go", "sub a\n    stay");
        assert_eq!(scoped(file, &["sub a"], "-    go();\n+    stay();\n"), Ok(want));
    }
    let nested = "class A:\n    x = 1\nclass B:\n    class A:\n        x = 1\n    x = 1\n";
    assert_eq!(
        scoped(nested, &["class B:", "class A:"], "-x = 1\n+x = 2\n"),
        Ok("class A:\n    x = 1\nclass B:\n    class A:\n        x = 2\n    x = 1\n".into())
    );
}

#[test]
fn scope_lines_that_say_nothing_of_an_only_place_are_no_matter() {
    assert_eq!(scoped("a\nb\n", &["def f():"], "-b\n+c\n"), Ok("a\nc\n".into()));
    assert_eq!(scoped("def f():\n    a\nb\n", &["def f():"], "-b\n+c\n"), Ok("def f():\n    a\nc\n".into()));
}

#[test]
fn the_end_of_the_file_chooses_the_place_that_stands_there() {
    let end = "-a\n+x\n*** End of File\n";
    assert_eq!(scoped("a\nb\na\n", &[""], end), Ok("a\nb\nx\n".into()));
    assert_eq!(scoped("a\nb\na\n\n \n", &[""], end), Ok("a\nb\nx\n\n \n".into()));
    assert_eq!(scoped("a\nb\na\nb\n", &[""], end), Err("edit-ambiguous"));
    assert_eq!(scoped("a\nb\n", &[""], end), Ok("x\nb\n".into()));
    assert_eq!(scoped("a\nb\n", &[""], "+x\n*** End of File\n"), Ok("a\nb\nx\n".into()));
}

#[test]
fn a_line_left_out_between_equal_lines_of_which_one_goes_refuses() {
    let base = "start()\nsame()\nother()\nsame()\nsame()\nmiddle()\nnear_the_end()\nend()\n";
    let old = "same()\nsame()\nsame()\nmiddle()\nnear_the_end()\nend()";
    for format in [Format::FindReplace, Format::SearchReplace] {
        let reply = render(format, &[(old, &old["same()\n".len()..])]);
        assert_eq!(refused(format, base, &reply), "edit-not-found");
    }
}
