//! Inputs that are meant to be slow: for each loop of the engine the reply and the file, of 1 MB together at most,
//! that would make it quadratic. None may take over 100 ms.

use super::{Case, Make, search, v4a};
use git_implement::edit::Format::{self, FindReplace, SearchReplace, Unified, V4a, Whole};

/// What base and reply may weigh together.
pub const MOST_BYTES: usize = 1 << 20;

fn case(format: impl Into<Option<Format>>, base: impl Into<String>, reply: impl Into<String>) -> Case {
    Case { format: format.into(), base: base.into(), reply: reply.into() }
}

/// One change in FIND/REPLACE, of a part of a line.
fn change(old: &str, new: &str) -> String {
    super::change(&format!("{old}\n"), &format!("{new}\n"))
}

type Maker = fn() -> Case;

const fn worst(name: &'static str, make: Maker) -> Make<Maker> {
    Make { name, make }
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|n| line(n) + "\n").collect()
}

/// Another word for each number, of letters only, all of one length.
fn word(mut number: usize) -> String {
    let mut word = String::new();
    for _ in 0..5 {
        word.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    word
}

pub const CASES: &[Make<Maker>] = &[
    // Many edits in many lines: each a pass of its own over the file?
    worst("40,000 exact edits", || {
        let hunks = lines(40_000, |n| format!("@@\n-{}", word(n)));
        case(V4a, lines(50_000, word), v4a(&hunks))
    }),
    worst("30,000 edits, all but the first absent", || {
        let hunks = lines(30_000, |n| format!("@@\n-{}", word(if n == 0 { 0 } else { n + 100_000 })));
        case(V4a, lines(80_000, word), v4a(&hunks))
    }),
    worst("30,000 edits in spaced lines", || {
        let hunks = lines(30_000, |n| format!("@@\n-{}", word(n)));
        case(V4a, lines(70_000, |n| format!(" {} ", word(n))), v4a(&hunks))
    }),
    worst("8,000 edits of parts of lines", || {
        let reply: String = (0..8_000).map(|n| change(&format!("{}(", word(n)), "new(")).collect();
        case(FindReplace, lines(35_000, |n| format!("x = {}()", word(n))), reply)
    }),
    worst("5,000 edits of two lines in a CRLF file", || {
        let old = |n| format!("{}\n{}", word(n), word(n + 100_000));
        let reply: String = (0..5_000).map(|n| change(&old(if n == 0 { 0 } else { n * 2 + 1 }), "y")).collect();
        let text = lines(40_000, |n| format!("{}\r\n{}\r", word(n * 2), word(n * 2 + 100_000)));
        case(FindReplace, text, reply)
    }),
    worst("chain of 20,000 edits, each on the one before", || {
        let hunks = lines(20_000, |n| format!("@@\n-{}\n+{}", word(n), word(n + 1)));
        let text = format!("{}{}", lines(1, word), lines(80_000, |n| word(n + 100_000)));
        case(V4a, text, v4a(&hunks))
    }),
    worst("chain of 1,000 edits that the file refuses at last", || {
        let hunks = lines(1_000, |n| format!("@@\n-{}\n+{}", word(n), word(n + 1)));
        let text = format!("{}{}", lines(1, word), lines(150_000, |n| word(n + 100_000)));
        case(V4a, text, v4a(&format!("{hunks}@@\n-nowhere\n")))
    }),
    worst("7,000 edits `a` in a line of `a`", || {
        let reply: String = (0..7_000).map(|n| change(if n == 0 { "b" } else { "a" }, "c")).collect();
        case(FindReplace, format!("b\n{}\n", "a".repeat(500_000)), reply)
    }),
    // One edit, many places.
    worst("500,000 equal lines, three of them", || case(V4a, "a\n".repeat(500_000), v4a("@@\n a\n-a\n a\n"))),
    worst("250,000 equal lines, 100,000 of them", || {
        case(V4a, "a\n".repeat(250_000), v4a(&format!("@@\n{}+b\n", " a\n".repeat(100_000))))
    }),
    worst("250,000 equal lines, 100,000 of them and another", || {
        case(V4a, "a\n".repeat(250_000), v4a(&format!("@@\n{}-b\n", " a\n".repeat(100_000))))
    }),
    worst("equal lines but for white space", || {
        case(V4a, "\ta \n a\n".repeat(130_000), v4a(&format!("@@\n{}+b\n", " a\n".repeat(30_000))))
    }),
    worst("equal lines of 500 bytes, 400 of them", || {
        let line = format!("{}\n", "a".repeat(500));
        case(V4a, line.repeat(1600), v4a(&format!("@@\n{}+b\n", format!(" {line}").repeat(400))))
    }),
    worst("equal lines of 500 bytes with white space, 400 of them", || {
        let (line, file) = ("a ".repeat(250), "a  a".repeat(125));
        case(V4a, format!("{file}\n").repeat(1500), v4a(&format!("@@\n{}+b\n", format!(" {line}\n").repeat(400))))
    }),
    worst("equal lines indented by 1,000, 200 of them", || {
        let line = format!("{}a\n", " ".repeat(1000));
        case(V4a, format!("\t{line}").repeat(800), v4a(&format!("@@\n{}+b\n", format!(" {line}").repeat(200))))
    }),
    worst("periodic lines", || {
        let text = lines(150_000, |n| if n % 7 == 6 { "b".into() } else { "a".into() });
        let hunk = lines(150_000, |n| if n % 7 == 6 { " b".into() } else { " a".into() });
        case(V4a, text, v4a(&format!("@@\n{hunk}-c\n")))
    }),
    worst("periodic part of a line", || {
        case(FindReplace, "ab".repeat(300_000), change(&format!("{}c", "ab".repeat(150_000)), "x"))
    }),
    worst("50,000 scope lines", || {
        let text =
            format!("class\n{}", lines(100_000, |n| if n % 50_000 == 0 { " x".into() } else { format!(" {}", n % 7) }));
        let hunks = format!("{}-\tx\n", "@@ class\n".repeat(50_000));
        case(V4a, text, v4a(&hunks))
    }),
    // One edit, no place.
    worst("absent between 900,000 blank lines", || {
        let text = format!("{}{}", "near\n".repeat(32), "\n".repeat(900_000));
        case(V4a, text, v4a(&format!("@@\n near\n{}-nowhere\n", " other\n".repeat(300))))
    }),
    worst("absent: 500 of them between 500,000 blank lines", || {
        let text = format!("first\n{}{}", "near\n".repeat(32), "\n".repeat(500_000));
        let hunk = format!("@@\n near\n{}-nowhere\n", " other\n".repeat(60));
        case(V4a, text, v4a(&format!("@@\n-first\n{}", hunk.repeat(500))))
    }),
    worst("absent: near lines that are not ASCII", || {
        let text = "näh\n".repeat(32) + &lines(1000, |n| format!("{} {n}", "é".repeat(50)));
        let hunk = lines(399, |n| format!(" {n} {}", "e\u{301}\u{323}".repeat(400)));
        case(V4a, text, v4a(&format!("@@\n näh\n{hunk}-nowhere\n")))
    }),
    worst("absent: combining marks in one line", || {
        let marks = "\u{323}\u{301}".repeat(120_000);
        case(V4a, format!("a{marks}\nb\n"), v4a(&format!("@@\n a{marks}x\n-b\n")))
    }),
    worst("absent: a hunk of 100,000 lines with lost marks", || {
        let hunk = lines(100_000, |n| if n % 2 == 0 { format!(" {}", n % 997) } else { format!("{}", n % 997) });
        case(Unified, lines(100_000, |n| format!("{}", n % 991)), format!("@@\n{hunk}-nowhere\n\n\n"))
    }),
    worst("absent: numbered lines", || {
        let side = lines(35_000, |n| format!("{n} | {}", word(n * 2)));
        case(FindReplace, lines(60_000, word), change(side.trim_end(), "x"))
    }),
    // One edit, nearly a place.
    worst("slips in words of 2,000 letters", || {
        let long = |n: usize, tail: &str| format!("{}{}{tail}", word(n), "a".repeat(1980));
        let text = lines(480, |n| long(n % 20, "b"));
        let hunk = lines(20, |n| format!(" {}", long(n, if n == 7 { "c" } else { "b" })));
        case(V4a, text, v4a(&format!("@@\n{hunk}+x\n")))
    }),
    worst("slips in words that the file knows at its end", || {
        let line = |n: usize| format!("{}aaaa{}", ["b", "c"][n % 2], word(n / 2));
        let text = format!("{}{}", "x ".repeat(200_000), "\n") + &lines(10_000, line);
        let hunk = lines(10_000, |n| if n == 50 { format!(" {}q", line(n)) } else { format!(" {}", line(n)) });
        case(V4a, text, v4a(&format!("@@\n{hunk}+x\n")))
    }),
    worst("slips at 30 places", || {
        let line = |n: usize| format!("va{}lue", char::from(b'a' + (n % 26) as u8));
        let block = lines(26, line);
        let text = format!("{}\n{}", "x ".repeat(200_000), format!("{block}-----\n").repeat(30));
        let hunk = lines(26, |n| if n == 24 { " vaylueq".into() } else { format!(" {}", line(n)) });
        case(V4a, text, v4a(&format!("@@\n{hunk}+x\n")))
    }),
    worst("slips at 400 starts", || {
        let line = |n: usize| format!("va{}lue", char::from(b'a' + (n % 26) as u8));
        let tail = lines(1000, |n| format!("va{}lue {}", char::from(b'a' + (n * 7 % 26) as u8), word(n)));
        let text = format!("{}\n{}", "x ".repeat(250_000), lines(20_000, |n| line(n * 3) + &" ".repeat(n % 2)) + &tail);
        let hunk = lines(1000, |n| {
            format!(" va{}lue{} {}", char::from(b'a' + (n * 7 % 26) as u8), if n % 6 == 1 { "q" } else { "" }, word(n))
        });
        case(V4a, text, v4a(&format!("@@\n{hunk}+x\n")))
    }),
    worst("comments of 900 words", || {
        let line = |n: usize| {
            format!(
                "// {} {}",
                word(n),
                (0..900).map(|k| if (k + n).is_multiple_of(2) { "a " } else { "b " }).collect::<String>()
            )
        };
        let text = lines(450, |n| line(n % 20));
        let hunk = lines(20, |n| format!(" {}{}", line(n), if n == 7 { " z" } else { "" }));
        case(V4a, text, v4a(&format!("@@\n{hunk}+x\n")))
    }),
    worst("elision between elisions, 200,000 of them", || {
        case(V4a, "a\nb\nz\n", v4a(&format!("@@\n a\n{}-z\n", " ...\n".repeat(200_000))))
    }),
    worst("40,000 pieces between elisions", || {
        let hunk = lines(40_000, |n| format!(" {}\n ...", word(n)));
        case(V4a, lines(80_000, word), v4a(&format!("@@\n{hunk}-{}\n", word(79_999))))
    }),
    worst("pieces between elisions, out of order at the last", || {
        let hunk = lines(20_000, |n| format!(" {}\n ...", word(n + 1)));
        case(V4a, lines(80_000, |n| format!(" {}", word(n))), v4a(&format!("@@\n{hunk}-{}\n", word(0))))
    }),
    // What an edit writes.
    worst("300,000 lines after the last of a file without a final newline", || {
        let text = lines(2000, word);
        let hunk = format!("@@\n {}\n{}", word(1999), "+a\n".repeat(300_000));
        case(Unified, text.trim_end(), hunk)
    }),
    worst("25,000 lines added under indentation that no rule explains", || {
        let pad = |n: usize, k: usize| " ".repeat((n * k) % 11 + 1);
        let text = lines(25_000, |n| (if n % 500 == 7 { "\t".into() } else { pad(n, 3) }) + &word(n));
        let hunk = lines(25_000, |n| format!(" {}{}\n+  x", if n % 500 == 7 { "  " } else { "" }, word(n)));
        case(V4a, text, v4a(&format!("@@\n{hunk}")))
    }),
    // Differences between two sides.
    worst("55 blocks of 2,000 lines in another order", || {
        let side = |by: usize| lines(1999, |n| format!("{}", n * by % 1999));
        let reply: String = (0..55).map(|n| search(&side(1), &side(700 + n))).collect();
        case(SearchReplace, "a\n", reply)
    }),
    worst("a block of 70,000 lines in another order", || {
        let side = |by: usize| lines(70_001, |n| format!("{}", n * by % 70_001));
        case(SearchReplace, "a\n", search(&side(1), &side(30_011)))
    }),
    worst("a whole CRLF file of 2,000 long lines in another order", || {
        let side = |by: usize| lines(1999, |n| format!("{:0200}", n * by % 1999));
        case(Whole, side(1).replace('\n', "\r\n"), format!("```\n{}```\n", side(700)))
    }),
    worst("one line for 300,000", || case(SearchReplace, "b\na\n", search("b\nx\nb\n", &"a\n".repeat(300_000)))),
    worst("8 lines for 140,000", || {
        let old = lines(8, |n| format!("old {n}"));
        case(SearchReplace, old.clone(), search(&old, &lines(140_000, word)))
    }),
    worst("a whole CRLF file of 13 lines becomes 160,000", || {
        case(Whole, "x\r\n".repeat(13), format!("```\n{}```\n", lines(160_000, word)))
    }),
    worst("a whole CRLF file of 60,000 lines, every other one new", || {
        let text = lines(60_000, |n| format!("{}", n % 1000));
        let new = lines(60_000, |n| format!("{}", if n % 2 == 0 { n % 1000 } else { n % 999 }));
        case(Whole, text.replace('\n', "\r\n"), format!("```\n{new}```\n"))
    }),
    worst("20 dividers in a block of 500 KB", || {
        let old = lines(20, |n| lines(2500, |k| word(k + n * 2500)) + "=======");
        case(SearchReplace, lines(80_000, word), search(&(old + "end\n"), ""))
    }),
    worst("3 dividers in each of 4,900 blocks", || {
        let block = search("1\n=======\na\n=======\nb\n", "x\n");
        case(SearchReplace, lines(60_000, word) + "1\n=======\na\n=======\nb\n", block.repeat(4_900))
    }),
    // Replies that are hard to read.
    worst("80,000 headers of files without a hunk", || {
        case(Unified, "a\n", "--- a\n+++ b\n".repeat(80_000) + "@@\n-a\n")
    }),
    worst("250,000 fences", || case(Whole, "a\n", "```\n".repeat(250_000))),
    worst("70,000 fences of each kind", || case(None, "a\n", "```\n~~~~\n```x\n".repeat(70_000))),
    worst("18,000 changes with words between them", || {
        let one = "FIND:\n````\na\n````\nREPLACE WITH:\n````\nb\n````\nAnd\n";
        case(FindReplace, "a\n", one.repeat(18_000))
    }),
    worst("499 fences and 200,000 of another kind in a block", || {
        let reply =
            format!("FIND:\n```\na\n```\nREPLACE WITH:\n```\n{}{}", "```\n\n".repeat(499), "~~~\n".repeat(200_000));
        case(FindReplace, "a\n", reply)
    }),
    worst("400 fences in a block of 1 MB", || {
        let reply =
            format!("FIND:\n```\na\n```\nREPLACE WITH:\n```\n{}{}```\n", "a\n".repeat(450_000), "```\n\n".repeat(400));
        case(FindReplace, "a\n", reply)
    }),
    worst("100,000 fences in a FIND block", || {
        let reply = format!("FIND:\n```\n{}REPLACE WITH:\n```\na\n```\n", "a\n```\n\n".repeat(100_000));
        case(FindReplace, "a\n", reply)
    }),
    worst("500,000 lines that are no change", || case(FindReplace, "a\n", "a\n".repeat(500_000) + &change("a", "b"))),
    worst("30,000 headings and marks of a change", || {
        case(FindReplace, "a\n", "### CHANGE 1\nFIND:\nREPLACE:\n".repeat(30_000))
    }),
    worst("500,000 lines that are no block", || {
        case(SearchReplace, "a\n", "a\n".repeat(500_000) + &search("a\n", "b\n"))
    }),
    worst("60,000 opened blocks", || case(SearchReplace, "a\n", "<<<<<<< SEARCH\n".repeat(60_000))),
    worst("blank lines and fences before each block", || {
        case(SearchReplace, "a\n", format!("{}{}", "\n```\n".repeat(190_000), search("a\n", "b\n").repeat(1000)))
    }),
    worst("300,000 hunk headers", || case(None, "a\n", "@@\n".repeat(300_000) + "-a\n")),
    worst("38,000 file headers of a patch", || {
        case(V4a, "a\n", v4a(&("*** Update File: src/a.py\n".repeat(38_000) + "@@\n-a\n")))
    }),
    // One line.
    worst("`a` in a line of `a`", || case(FindReplace, "a".repeat(1_000_000), change("a", "b"))),
    worst("absent from a line of 1 MB", || case(FindReplace, "word ".repeat(200_000), change("word word wore", "b"))),
    worst("a line of 500 KB with one slip", || {
        let line = "word ".repeat(90_000);
        case(FindReplace, line.clone(), change(&line.replacen("word", "ward", 1), "b"))
    }),
    worst("white space of 900 KB in a line", || {
        case(FindReplace, format!("a{}b\n", " ".repeat(900_000)), change("a b c", "b"))
    }),
];

pub const LARGE: &[Make<Maker>] = &[
    worst("`a` in a line of 10 MB of `a`", || case(FindReplace, "a".repeat(10 << 20), change("a", "b"))),
    worst("a part of a line of 10 MB", || {
        let line = (0..1_500_000).map(|n| word(n) + " ").collect::<String>();
        case(FindReplace, line, change(&format!("{} {}", word(700_000), word(700_001)), "b"))
    }),
    worst("absent from a line of 10 MB", || case(FindReplace, "word ".repeat(2 << 20), change("word word wore", "b"))),
    worst("100,000 equal lines of 100 bytes", || {
        let line = format!("{}\n", "a".repeat(100));
        case(V4a, line.repeat(100_000), v4a(&format!("@@\n {line}-{line}")))
    }),
    worst("absent from 10 MB of short lines", || case(FindReplace, "a\n".repeat(5 << 20), change("a\nb", "c"))),
];
