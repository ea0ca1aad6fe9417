//! What the loose forms of comparison forgive, and what then becomes of blank lines and indentation.

use super::*;

fn text(base: &str, lines: &str) -> Result<String, &'static str> {
    let diff = format!("```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@\n{lines}```\n");
    apply(Some(Format::Unified), "src/a.py", Some(base), &diff)
        .map(|applied| applied.text)
        .map_err(|refusal| refusal.id)
}

/// Applies an edit to files in which `|` ends a line. `a( )` in the edit is `a()` in the file, so that it is found loosely.
fn all(edit: &str, cases: &[(&str, &str)]) {
    let lines = |short: &str| short.replace('|', "\n");
    for (file, want) in cases {
        assert_eq!(text(&lines(file), &lines(edit)), Ok(lines(want)), "{edit}: {file}");
    }
}

#[test]
fn blank_lines_beside_a_removed_line_go_as_far_as_the_edit_says_and_the_file_has_them() {
    let above = [("z()|a()|b()|", "z()|b()|"), ("z()||a()|b()|", "z()|b()|"), ("z()|||a()|b()|", "z()||b()|")];
    all("-|-a( )| b()|", &above);
    all("-|-|-a( )| b()|", &[above[0], above[1], ("z()|||a()|b()|", "z()|b()|"), ("||a()|b()|", "b()|")]);
    let below = [("a()|b()|c()|", "a()|c()|"), ("a()|b()||c()|", "a()|c()|"), ("a()|b()|||c()|", "a()||c()|")];
    all(" a( )|-b()|-|", &below);
    all(" a( )|-b()|-|-|", &[below[0], below[1], ("a()|b()|||c()|", "a()|c()|"), ("a()|b()||", "a()|")]);
    let between = [("a()|b()|", "a()|b()|"), ("a()||b()|", "a()|b()|"), ("a()|||b()|", "a()||b()|")];
    all(" a( )|-| b()|", &between);
    all(" a()|-|-|-|", &[("a()||", "a()|"), ("a()|b()|", "a()|b()|"), ("a()|||b()|", "a()|b()|")]);
    all("-a( )|-|-|-b()| c()|", &[("a()|b()|c()|", "c()|"), ("a()||b()|c()|", "c()|"), ("a()||||b()|c()|", "c()|")]);
}

#[test]
fn an_added_line_stands_among_the_blank_lines_where_the_edit_has_it() {
    let (none, one, two, three) = ("a()|b()|", "a()||b()|", "a()|||b()|", "a()||||b()|");
    all(" a( )|+x()| b()|", &[(none, "a()|x()|b()|"), (one, "a()|x()||b()|"), (two, "a()|x()|||b()|")]);
    all(" a( )| |+x()| b()|", &[(none, "a()|x()|b()|"), (one, "a()||x()|b()|"), (two, "a()|||x()|b()|")]);
    all(" a( )|+x()| | b()|", &[(none, "a()|x()|b()|"), (one, "a()|x()||b()|"), (two, "a()|x()|||b()|")]);
    all(" a( )| |+x()| | b()|", &[(one, "a()||x()|b()|"), (two, "a()||x()||b()|"), (three, "a()||x()|||b()|")]);
    all(" a( )| | |+x()| | b()|", &[(one, "a()||x()|b()|"), (two, "a()|||x()|b()|"), (three, "a()|||x()||b()|")]);
    all(" a( )|-|+x()| b()|", &[(none, "a()|x()|b()|"), (one, "a()|x()|b()|"), (two, "a()||x()|b()|")]);
    all(" a( )|+x()|-| b()|", &[(none, "a()|x()|b()|"), (one, "a()|x()|b()|"), (two, "a()||x()|b()|")]);
    all(" a( )|+x()|-c()| b()|", &[("a()|c()|b()|", "a()|x()|b()|"), ("a()||c()|b()|", "a()||x()|b()|")]);
    all(" a( )| |+x()|", &[("a()|", "a()|x()|"), ("a()||b()|", "a()||x()|b()|"), ("a()|b()|", "a()|x()|b()|")]);
    all("+x()| | a( )|", &[("a()|", "x()|a()|"), ("b()||a()|", "b()|x()||a()|"), ("b()|a()|", "b()|x()|a()|")]);
}

#[test]
fn lines_that_both_sides_have_keep_the_file_s_bytes_wherever_they_stand() {
    let file = "a()\nsay('x')\nb()\nc()\nd()\n";
    for format in [Format::FindReplace, Format::SearchReplace] {
        let edit = ("a()\nsay( \u{2018}x\u{2019} )\nb()\nc( )\nd()", "A()\nsay( \u{2018}x\u{2019} )\nB()\nc( )\nD()");
        let want = "A()\nsay('x')\nB()\nc()\nD()\n";
        assert_eq!(edited(format, file, &render(format, &[edit])).as_deref(), Ok(want));
    }
}

#[test]
fn an_edit_of_white_space_alone_that_the_file_has_already_changes_nothing() {
    for format in EDITS {
        let reply = render(format, &[("if a:\n  b()", "if a:\n    b()")]);
        assert_eq!(edited(format, "if a:\n    b()\n", &reply).as_deref(), Ok("if a:\n    b()\n"), "{}", format.name());
        assert_eq!(edited(format, "if a:\n  b()\n", &reply).as_deref(), Ok("if a:\n    b()\n"), "{}", format.name());
    }
}

#[test]
fn a_line_that_begins_with_a_backslash_is_context_and_no_marker() {
    let file = "\\begin{a}\nx\n\\end{a}\n\\begin{b}\nx\n\\end{b}\n";
    assert_eq!(text(file, "\\begin{b}\n-x\n+y\n\\end{b}\n"), Ok(file.replace("b}\nx", "b}\ny")));
}

#[test]
fn an_added_line_of_white_space_stays_as_it_is_unless_tabs_stand_for_other_columns() {
    let edit = " if a:\n     b()\n+\n+    \n+    c()\n";
    assert_eq!(text("  if a:\n      b()\n", edit), Ok("  if a:\n      b()\n\n    \n      c()\n".into()));
    assert_eq!(text("if a:\n\tb()\n", edit), Ok("if a:\n\tb()\n\n\t\n\tc()\n".into()));
}

/// One change of a part of a line.
fn part(base: &str, old: &str, new: &str) -> Result<String, &'static str> {
    let both = [Format::FindReplace, Format::SearchReplace]
        .map(|format| edited(format, base, &render(format, &[(old, new)])).map_err(|refusal| refusal.id));
    assert_eq!(both[0], both[1]);
    both.into_iter().next().unwrap()
}

#[test]
fn a_part_over_several_lines_is_replaced_to_the_byte_whatever_their_ends() {
    let base = "a()\nx = f(1);\ny = 2; z = 3\nw = f(1)\n";
    for ending in ["\n", "\r\n"] {
        for (old, new) in [
            ("f(1);\ny = 2", "g();\ny = 4"),
            ("f(1);\ny = 2; z = 3", "g()"),
            ("x = f(1);\ny = 2;", "g();\n\ny = 4;"),
            ("z = 3\nw = f", "z = 4\nw = g"),
        ] {
            let want = base.replace(old, new).replace('\n', ending);
            assert_eq!(part(&base.replace('\n', ending), old, new), Ok(want), "{ending:?} {old}");
        }
    }
}

#[test]
fn a_part_that_cuts_a_word_is_only_found_if_it_is_long_and_begins_inside_a_line() {
    let (short, long) = ("beta + gamma + delt", "beta + gamma + delta");
    let found = |before: &str, old: &str, after: &str| {
        let got = part(&format!("{before}{old}{after}\n"), old, "X");
        assert!(got == Ok(format!("{before}X{after}\n")) || got == Err("edit-not-found"), "{got:?}");
        got.is_ok()
    };
    // No word is cut.
    assert!(found("x = ", "f", "(1)") && found("", "f", "(1)") && found("x = ", "f", ""));
    for (before, after) in [("x = alpha_", ""), ("x = ", "_x"), ("a()\nx = alpha_", "_x")] {
        assert!(!found(before, short, after) && found(before, long, after), "{before} {after}");
    }
    assert!(!found("x = ", &format!("   {short}"), "_x"));
    for (before, after) in [("", "_x"), ("  ", "_x"), ("a()\n", "_x"), ("a()\n \t", "_x"), ("x = ", "0")] {
        let old = if after == "0" { "beta + gamma + delta1" } else { long };
        assert!(!found(before, old, after), "{before} {after}");
    }
}

#[test]
fn old_lines_that_lost_the_indentation_that_the_new_ones_have_are_refused() {
    let file = "class A:\n    if a:\n        b()\n";
    let edit = |old: &str, new: &str| part(file, old, new);
    assert_eq!(edit("if a:\n    b()", "    if a:\n        c()"), Err("edit-indentation"));
    assert_eq!(edit("if a:\n    b()", "    if c:\n        d()"), Err("edit-indentation"));
    assert_eq!(edit("if a:\n    b()", "    if c:\n\n        d()"), Err("edit-indentation"));
    assert_eq!(edit("if a:\n    b()", "if c:\n    d()"), Ok("class A:\n    if c:\n        d()\n".into()));
    assert_eq!(
        edit("if a:\n    b()", "        if c:\n            d()"),
        Ok("class A:\n            if c:\n                d()\n".into())
    );
    // A line that stays shows how it is.
    assert_eq!(edit("if a:\n    b()", "if a:\n    c()\n    d()"), Ok(file.replace("b()", "c()\n        d()")));
}

#[test]
fn a_line_added_after_an_elision_comes_before_the_next_line_of_the_file() {
    let file = "def f():\n    one()\n    two()\n    return 3\n";
    let want = Ok(file.replace("    return", "    more()\n    even()\n    return"));
    assert_eq!(text(file, " def f():\n     ...\n+    more()\n+    even()\n     return 3\n"), want);
    let want = Ok(file.replace("    one", "    more()\n    one"));
    assert_eq!(text(file, " def f():\n+    more()\n     ...\n     return 3\n"), want);
    let want = Ok(file.replace("one()", "more()").replace("3", "4"));
    assert_eq!(text(file, " def f():\n-    one()\n+    more()\n     ...\n-    return 3\n+    return 4\n"), want);
}
