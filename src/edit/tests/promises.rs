//! What holds in every edit format.

use super::*;

const BASE: &str = "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n\n\nclass C:\n    def one(self):\n        return 1\n";

fn all(base: &str, edits: &[(&str, &str)], want: &str) {
    for format in EDITS {
        assert_eq!(edited(format, base, &render(format, edits)).as_deref(), Ok(want), "{}", format.name());
    }
}

fn none(base: &str, edits: &[(&str, &str)], id: &str) -> Refusal {
    let mut last = None;
    for format in EDITS {
        let refusal = edited(format, base, &render(format, edits)).expect_err(format.name());
        assert_eq!(refusal.id, id, "{}: {}", format.name(), refusal.message);
        last = Some(refusal);
    }
    last.unwrap()
}

#[test]
fn an_edit_replaces_adds_and_deletes_lines_and_nothing_else_changes() {
    all(BASE, &[("    return 2", "    return 3")], &BASE.replace("return 2", "return 3"));
    all(BASE, &[("import os", "import os\nimport sys")], &BASE.replace("import os\n", "import os\nimport sys\n"));
    all(BASE, &[("import os", "")], BASE.strip_prefix("import os\n").unwrap());
}

#[test]
fn edits_may_come_in_any_order() {
    let want = BASE.replace("import os", "import sys").replace("return 2", "return 3");
    all(BASE, &[("    return 2", "    return 3"), ("import os", "import sys")], &want);
}

#[test]
fn all_edits_apply_or_none() {
    none(BASE, &[("import os", "import sys"), ("def three():", "def four():")], "edit-not-found");
    none(BASE, &[("def three():", "def four():"), ("import os", "import sys")], "edit-not-found");
}

#[test]
fn a_text_that_occurs_twice_is_refused_with_every_line() {
    let twice = "a\nb\n\na\nb\n";
    let refusal = none(twice, &[("a\nb", "c")], "edit-ambiguous");
    assert!(refusal.message.ends_with("matches lines 1 and 4"), "{}", refusal.message);
    let find = edited(Format::FindReplace, twice, &render(Format::FindReplace, &[("b", "b"), ("a", "c")])).unwrap_err();
    assert_eq!(find.message, "cannot apply change 1 to 'src/a.py': FIND matches lines 2 and 5");
    none("  a\n\ta\n", &[("a", "c")], "edit-ambiguous");
}

#[test]
fn an_exact_place_wins_over_looser_ones() {
    all("a \na\n", &[("a", "b")], "a \nb\n");
    all("x\n  f(1)\nf(1)\n", &[("f(1)", "f(2)")], "x\n  f(1)\nf(2)\n");
}

#[test]
fn a_text_that_is_not_there_is_refused_with_the_nearest_place() {
    let refusal = none(BASE, &[("def two():\n    return 22", "def two():\n    return 23")], "edit-not-found");
    assert_eq!(refusal.line, Some(8));
    let hint = refusal.hint.unwrap();
    assert!(hint.starts_with("the nearest place is at line 8; "), "{hint}");
    assert!(hint.ends_with("\n     8  def two():\n       -    return 22\n     9 +    return 2"), "{hint}");
}

#[test]
fn edits_of_the_same_lines_conflict() {
    none("a\nb\nc\n", &[("b", "x"), ("b", "y")], "edit-conflict");
    none("a\nb\nc\n", &[("a\nb", "x"), ("b\nc", "y")], "edit-conflict");
}

#[test]
fn edits_that_share_only_context_both_apply() {
    let base = "a\nb\nc\nd\n";
    for format in [Format::FindReplace, Format::SearchReplace] {
        let reply = render(format, &[("a\nb\nc", "A\nb\nc"), ("b\nc\nd", "b\nc\nD")]);
        assert_eq!(edited(format, base, &reply).as_deref(), Ok("A\nb\nc\nD\n"));
    }
}

#[test]
fn an_edit_may_build_on_one_before_it() {
    all("a\nb\n", &[("a", "x\ny"), ("x\ny", "x\nz")], "x\nz\nb\n");
}

#[test]
fn white_space_at_the_ends_of_lines_does_not_hide_a_place() {
    all("a  \nb\n", &[("a\nb", "c")], "c\n");
    all("a\nb\n", &[("a \nb", "c")], "c\n");
}

#[test]
fn indentation_that_is_off_is_carried_over_to_the_file_s() {
    let want = BASE.replace("        return 1\n", "        if x:\n            return 1\n        return 2\n");
    all(BASE, &[("def one(self):\n    return 1", "def one(self):\n    if x:\n        return 1\n    return 2")], &want);
    all("\tif a:\n\t\tb\n", &[("if a:\n    b", "if a:\n    b\n    c")], "\tif a:\n\t\tb\n\t\tc\n");
}

#[test]
fn an_indentation_without_a_counterpart_is_refused() {
    none("if a:\n  b\n     c\n", &[("if a:\n    b\n  c", "if a:\n        d\n  c")], "edit-indentation");
}

#[test]
fn context_is_never_written() {
    for format in [Format::FindReplace, Format::SearchReplace] {
        let reply = render(format, &[("say( 'x' )\nb = 1", "say( 'x' )\nb = 2")]);
        assert_eq!(edited(format, "say('x')\nb = 1\n", &reply).as_deref(), Ok("say('x')\nb = 2\n"));
        let reply = render(format, &[("say(\u{2018}x\u{2019})\nb = 1", "say(\u{2018}x\u{2019})\nb = 2")]);
        assert_eq!(edited(format, "say('x')\nb = 1\n", &reply).as_deref(), Ok("say('x')\nb = 2\n"));
    }
}

#[test]
fn line_ends_stay_as_they_are_and_new_lines_get_those_round_them() {
    all("a\r\nb\r\nc\r\n", &[("b", "x\ny")], "a\r\nx\r\ny\r\nc\r\n");
    all("a\nb\r\nc\n", &[("b", "x\ny")], "a\nx\r\ny\r\nc\n");
    for format in EDITS {
        let reply = render(format, &[("b", "x")]).replace('\n', "\r\n");
        assert_eq!(edited(format, "a\nb\n", &reply).as_deref(), Ok("a\nx\n"), "{}", format.name());
    }
}

#[test]
fn the_final_newline_and_the_byte_order_mark_stay_as_they_are() {
    all("a\nb", &[("b", "x\ny")], "a\nx\ny");
    all("a\nb", &[("a", "x")], "x\nb");
    all("a\nb", &[("b", "b\nc")], "a\nb\nc");
    all("a\nb", &[("b", "")], "a");
    all("\u{feff}a\nb\n", &[("a", "x")], "\u{feff}x\nb\n");
}

#[test]
fn blank_lines_that_the_model_left_out_or_put_in_do_not_hide_a_place() {
    for format in [Format::FindReplace, Format::SearchReplace] {
        let one = render(format, &[("a\nb", "a\nx\nb")]);
        assert_eq!(edited(format, "a\n\nb\n", &one).as_deref(), Ok("a\nx\n\nb\n"));
        let two = render(format, &[("a\n\n\nb", "a\n\n\nx\nb")]);
        assert_eq!(edited(format, "a\n\nb\n", &two).as_deref(), Ok("a\n\nx\nb\n"));
    }
}

#[test]
fn a_part_of_a_line_can_be_found_and_replaced_if_it_occurs_once() {
    let base = "x = f(1, 2); y = 3\nz = g(1)\n";
    for format in [Format::FindReplace, Format::SearchReplace] {
        assert_eq!(
            edited(format, base, &render(format, &[("f(1, 2)", "f(2)")])).as_deref(),
            Ok("x = f(2); y = 3\nz = g(1)\n")
        );
        assert_eq!(
            edited(format, base, &render(format, &[("y = 3\nz = g", "y = 4\nz = h")])).as_deref(),
            Ok("x = f(1, 2); y = 4\nz = h(1)\n")
        );
        assert_eq!(refused(format, base, &render(format, &[("(1", "(2")])), "edit-ambiguous");
        assert_eq!(
            refused(format, "limit = 300\n", &render(format, &[("limit = 30", "limit = 60")])),
            "edit-not-found"
        );
    }
}

#[test]
fn only_added_lines_need_a_place() {
    for format in [Format::Unified, Format::V4a] {
        let reply = render(format, &[("", "x")]);
        assert_eq!(refused(format, "a\n", &reply), "edit-no-context");
        assert_eq!(apply(Some(format), "src/a.py", None, &reply).map(|new| new.text).as_deref(), Ok("x\n"));
    }
}

#[test]
fn a_reply_for_another_file_is_refused() {
    for (format, mark) in [(Format::Unified, "src/a.py"), (Format::V4a, "src/a.py")] {
        let reply = render(format, &[("a", "b")]).replace(mark, "src/other.py");
        assert_eq!(refused(format, "a\n", &reply), "reply-other-file");
    }
    let block = render(Format::SearchReplace, &[("a", "b")]);
    for reply in [format!("src/other.py\n```python\n{block}```\n"), format!("src/other.py\n\n{block}")] {
        assert_eq!(refused(Format::SearchReplace, "a\n", &reply), "reply-other-file");
    }
}

#[test]
fn a_reply_that_changes_nothing_gives_the_base() {
    all(BASE, &[("import os", "import os")], BASE);
}

#[test]
fn text_round_the_edits_is_no_part_of_them() {
    let prose = |body: &str| {
        format!(
            "Here is how:\n\n```text\noutput\n```\n\nNow:\n\n{body}\nThis:\n\n- is smaller\n- works\n\n```sh\nmake test\n```\n"
        )
    };
    for format in EDITS {
        let reply = prose(&render(format, &[("b", "x")]));
        assert_eq!(edited(format, "a\nb\n", &reply).as_deref(), Ok("a\nx\n"), "{}", format.name());
        assert_eq!(apply(None, "src/a.py", Some("a\nb\n"), &reply).map(|new| new.format), Ok(format));
    }
}

#[test]
fn line_numbers_copied_from_a_listing_are_seen_through() {
    for format in [Format::FindReplace, Format::SearchReplace] {
        let reply = render(format, &[("1 | a\n2 | b", "1 | a\n2 | x")]);
        assert_eq!(edited(format, "a\nb\n", &reply).as_deref(), Ok("a\nx\n"));
    }
}

#[test]
fn a_text_that_is_already_as_the_edit_wants_is_unchanged() {
    for format in [Format::FindReplace, Format::SearchReplace] {
        let reply = render(format, &[("a\nb\nc", "a\nx\nc")]);
        assert_eq!(edited(format, "a\nx\nc\n", &reply).as_deref(), Ok("a\nx\nc\n"));
        // A line alone does not say that this is the place that was meant.
        assert_eq!(refused(format, "a\nx\nc\n", &render(format, &[("b", "x")])), "edit-not-found");
    }
}

const STEPS: &str = "def run():\n    first = load()\n    # Sorts the rows by date\n    second = order(first)\n    third = trim(second)\n    return third\n";

fn tier(base: &str, old: &str, new: &str) -> Result<(String, Tier), &'static str> {
    let mut last = None;
    for format in [Format::FindReplace, Format::SearchReplace] {
        let applied = apply(Some(format), "src/a.py", Some(base), &render(format, &[(old, new)]));
        let got = applied.map(|applied| (applied.text, applied.edits[0].tier)).map_err(|refusal| refusal.id);
        assert!(last.is_none() || last.as_ref() == Some(&got));
        last = Some(got);
    }
    last.unwrap()
}

#[test]
fn an_elided_middle_is_seen_through_if_both_ends_have_one_place() {
    let side = |last: &str| format!("def run():\n    first = load()\n    # ...\n    {last}");
    let edit = |base: &str| tier(base, &side("return third"), &side("return [third]"));
    let want = STEPS.replace("return third", "return [third]");
    assert_eq!(edit(STEPS), Ok((want.clone(), Tier::Elided)));
    let more = "\n\ndef other():\n    return third\n";
    assert_eq!(edit(&format!("{STEPS}{more}")), Err("edit-ambiguous"));
    let before = STEPS.replace("    return third\n", "");
    let head = |base: &str| tier(base, "def run():\n    ...\n    return third", "def run():\n    ...\n    return 3");
    assert_eq!(head(STEPS), Ok((STEPS.replace("return third", "return 3"), Tier::Elided)));
    assert_eq!(head(&format!("{before}{more}")), Err("edit-not-found"));
    assert_eq!(edit(&format!("{STEPS}    return third\n")), Err("edit-ambiguous"));
    assert_eq!(edit(&format!("{more}{before}")), Err("edit-not-found"));
}

#[test]
fn context_that_was_shortened_or_mistyped_stays_as_the_file_has_it() {
    let want = STEPS.replace("return third", "return [third]");
    for (from, to) in [("    second = order(first)\n", ""), ("load()", "laod()"), ("load()", "load()"), (" date", "")] {
        let old = STEPS.trim_end().replace(from, to);
        let new = old.replace("return third", "return [third]");
        assert_eq!(tier(STEPS, &old, &new).map(|(text, _)| text), Ok(want.clone()), "{from}");
    }
}

#[test]
fn a_removed_line_a_number_or_a_known_word_that_differs_is_no_slip() {
    let numbered = STEPS.replace("load()", "load(10)");
    for (from, to) in [("load(10)", "load(11)"), ("order(first)", "order(third)"), ("return third", "retrun third")] {
        let old = numbered.trim_end().replace(from, to);
        let new = old
            .replace("    third = trim(second)\n", "")
            .replace("return third", "return x")
            .replace("retrun third", "return x");
        assert_eq!(tier(&numbered, &old, &new), Err("edit-not-found"), "{from}");
    }
}

#[test]
fn a_slip_is_refused_where_another_place_comes_near() {
    let twice = format!("{STEPS}\n\n{}", STEPS.replace("run", "walk"));
    let old = STEPS.trim_end().replace("load()", "laod()");
    assert_eq!(tier(&twice, &old, &old.replace("return third", "return x")), Err("edit-ambiguous"));
}

#[test]
fn a_line_is_not_added_next_to_one_that_the_edit_left_out() {
    let old = STEPS.trim_end().replace("    second = order(first)\n", "");
    let new = old.replace("    third =", "    extra = 1\n    third =");
    assert_eq!(tier(STEPS, &old, &new), Err("edit-not-found"));
}

#[test]
fn hostile_replies_are_refused_in_linear_time() {
    let lines = "x\n".repeat(20_000);
    let long = "a".repeat(200_000);
    for format in EDITS {
        let many: Vec<String> = (0..50).map(|n| format!(" x\nz{n}\n x")).collect();
        let edits: Vec<(&str, &str)> = many.iter().map(|old| (old.as_str(), "y")).collect();
        assert_eq!(refused(format, &lines, &render(format, &edits)), "edit-not-found");
        assert_eq!(refused(format, &lines, &render(format, &[(lines[..20_000].trim_end(), "y")])), "edit-ambiguous");
        let inside = refused(format, &long, &render(format, &[("a", "b")]));
        assert_eq!(
            inside,
            if matches!(format, Format::Unified | Format::V4a) { "edit-not-found" } else { "edit-ambiguous" }
        );
    }
}
