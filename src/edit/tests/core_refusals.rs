//! What a refusal shows of the file.

use super::*;

fn find(base: &str, old: &str) -> Refusal {
    edited(Format::FindReplace, base, &render(Format::FindReplace, &[(old, "x")])).unwrap_err()
}

/// The line of the nearest place, and the lines that differ there.
fn nearest(base: &str, old: &str) -> (usize, Vec<String>) {
    let refusal = find(base, old);
    assert_eq!(refusal.id, "edit-not-found");
    let hint = refusal.hint.unwrap();
    let (head, lines) = hint.split_once('\n').unwrap();
    let line = refusal.line.unwrap();
    assert_eq!(head, format!("the nearest place is at line {line}; FIND (-) and the file (+) differ there:"));
    (line, lines.lines().map(|line| line.trim_start().to_owned()).collect())
}

#[test]
fn the_nearest_place_has_most_of_the_lines_and_is_shown_with_what_differs() {
    let file = "one()\ntwo()\nthree()\nfour()\nfive()\n";
    // It begins before the file does, or ends after it.
    let want = ["-zero()", "1  one()", "-TWO()", "2 +two()", "3  three()"];
    assert_eq!(nearest(file, "zero()\none()\nTWO()\nthree()\nfour()"), (1, want.map(str::to_owned).into()));
    let want = ["4  four()", "-FIVE()", "-six()", "5 +five()"];
    assert_eq!(nearest(file, "three()\nfour()\nFIVE()\nsix()"), (3, want.map(str::to_owned).into()));
    let twice = "a()\nb()\nc()\n\nx()\nb()\nd()\n\na()\nb()\nc()\nd()\n";
    let want = ["6  b()", "-y()", "7 +d()"];
    assert_eq!(nearest(twice, "x()\nb()\ny()"), (5, want.map(str::to_owned).into()));
    // The line that it is found by is not the first.
    let want = ["-y()", "5 +a()", "6  b()"];
    assert_eq!(
        nearest("x()\nb()\nd()\n\na()\nb()\nc()\n\nx()\nc()\n", "y()\nb()\nc()"),
        (5, want.map(str::to_owned).into())
    );
    let want = ["12  d()", "-e()"];
    assert_eq!(nearest(twice, "a()\nb()\nc()\nd()\ne()"), (9, want.map(str::to_owned).into()));
}

#[test]
fn a_place_that_differs_in_many_or_long_lines_is_shown_in_part() {
    let lines = |differ: usize| -> (String, String) {
        let line = |n: usize| {
            (format!("line{n}()\n"), format!("line{n}({})\n", if n % 2 == 1 && n < 2 * differ { "x" } else { "" }))
        };
        (0..40).map(line).unzip()
    };
    // Each line that differs is shown twice, with the line after it, and the first with the one before.
    for (differ, shown, more) in [(3, 10, false), (4, 12, true)] {
        let (file, old) = lines(differ);
        let (line, hint) = nearest(&file, old.trim_end());
        assert_eq!((line, hint.len(), hint.last().unwrap() == "\u{2026}"), (1, shown + usize::from(more), more));
        assert_eq!(hint[..4], ["1  line0()", "-line1(x)", "2 +line1()", "3  line2()"].map(str::to_owned));
    }
    let long = format!("{}é{}", "x".repeat(99), "y".repeat(9));
    let (_, hint) = nearest(&format!("a()\n{long}\n"), "a()\nb()");
    assert_eq!(hint, ["1  a()".to_owned(), "-b()".into(), format!("2 +{}é\u{2026}", "x".repeat(99))]);
}

#[test]
fn a_text_of_which_no_line_is_in_the_file_has_no_nearest_place() {
    let refusal = find("a()\nb()\n", "c()\n\nd()");
    assert_eq!((refusal.id, refusal.line), ("edit-not-found", None));
    let hint = "no place in the file comes near; FIND (-) reads:\n       -c()\n       -\n       -d()";
    assert_eq!(refusal.hint.as_deref(), Some(hint));
}

#[test]
fn a_text_that_is_nowhere_is_quoted_as_far_as_it_can_be_read() {
    let why = |base: &str, old: &str| find(base, old).message.split_once("FIND ").unwrap().1.to_owned();
    assert_eq!(why("a()\n", "zebra"), "is not in the file: 'zebra'");
    assert_eq!(why("a()\n", "\n  zebra\n\n  lion"), "is not in the file: 'zebra' and 1 more line");
    assert_eq!(why("a()\n", "a()\nb()\nc()"), "is not in the file: 'a()' and 2 more lines");
    assert_eq!(why("a()\n", "ze\u{1b}[2Jbra"), "is not in the file: 'ze\\u{1b}[2Jbra'");
    let long = why("a()\n", &"x".repeat(300));
    assert_eq!(long, format!("is not in the file: '{}\u{2026}'", "x".repeat(100)));
    let many: Vec<String> = (0..9).map(|n| format!("z{n}()")).collect();
    let hint = find("a()\n", &many.join("\n")).hint.unwrap();
    assert_eq!(hint.lines().count(), 8);
    assert!(hint.ends_with("\n       -z5()\n\u{2026}"), "{hint}");
    // The same lines, but not one after the other.
    let refusal = find("a()\n{\nb()\n", "a()\nb()\n");
    assert!(refusal.hint.unwrap().starts_with("the nearest place is at line 1"));
}

#[test]
fn the_places_of_an_ambiguous_text_are_listed_as_far_as_they_can_be_read() {
    let message = |base: &str, old: &str| find(base, old).message.rsplit_once(": ").unwrap().1.to_owned();
    assert_eq!(message("a\nb\na\nb\na\n", "a"), "FIND matches lines 1, 3 and 5");
    assert_eq!(message("f(1) + f(1)\n", "f(1)"), "FIND matches line 1 more than once");
    assert_eq!(message("x = f(1)\nf( 1 )\n", "f(1)"), "FIND matches lines 1 and 2");
    let shown: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
    let want = format!("FIND matches lines {} and 20", shown[..19].join(", "));
    assert_eq!(message(&"a\n".repeat(20), "a"), want);
    let want = format!("FIND matches lines {} and 8 more", shown.join(", "));
    assert_eq!(message(&"a\n".repeat(28), "a"), want);
}

#[test]
fn what_cannot_be_read_is_named_by_its_number() {
    let message = |format: Format, bad: &str| {
        let reply = render(format, &[("a", "x"), ("b", "y")]) + bad;
        edited(format, "a\nb\nc\n", &reply).unwrap_err().message
    };
    let start = "the reply for 'src/a.py' cannot be read: ";
    for (bad, why) in [
        ("<<<<<<< SEARCH\nc\n=======\nz\n", "block 3 has no REPLACE line"),
        (">>>>>>> REPLACE\n", "block 3 has no SEARCH line"),
        ("<<<<<<< SEARCH\nc\n>>>>>>> REPLACE\n", "block 3 has no ======= line"),
        ("<<<<<<<\n", "block 3 begins with a line that is no marker: '<<<<<<<'"),
    ] {
        assert_eq!(message(Format::SearchReplace, bad), format!("{start}{why}"));
    }
    for (bad, why) in [
        ("### CHANGE 3: z\n", "change 3 has no FIND block"),
        ("### CHANGE 3: z\nFIND:\n```\nc\n```\n", "change 3 has no REPLACE WITH block"),
        ("FIND:\n```\nc\n```\nREPLACE WITH:\n```\nz\n", "change 3 has a REPLACE WITH block that is never closed"),
    ] {
        assert_eq!(message(Format::FindReplace, bad), format!("{start}{why}"));
    }
}
