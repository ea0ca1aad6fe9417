//! What holds of the edit engine for every file and every script of edits: properties, on files and scripts that are made
//! up at random. `PROPTEST_CASES=10000 cargo test --test library edit_properties` tries more of them.
//!
//! proptest, because a failure is shrunk to the least file that shows it. Such a file becomes a test of its own, under
//! `src/edit/tests/`: nothing is kept here.

use crate::edits::{Cut, EDITS, Edit, Tag, cut, cuts, occurrences, render, whole};
use git_implement::edit::{Applied, Format, Refusal, apply};
use proptest::prelude::*;

const TARGET: &str = "src/a.py";

const WORDS: &[&str] = &[
    "return result",
    "if value is None:",
    "else:",
    "}",
    "{",
    "def run(self, value):",
    "x = \"text\"",
    "import os",
    "# één opmerking",
    "print('naïve')",
    "ключ = 1",
    "a\tb",
    "total += value.amount",
    "値 = 2",
    "f(a,b)",
    "...",
];

fn indent() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just(""), Just("    "), Just("        "), Just("\t"), Just("\t\t"), Just("  ")]
}

/// A line that other lines may equal.
fn common() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just(String::new()),
        5 => (indent(), 0..WORDS.len(), prop_oneof![4 => Just(""), 1 => Just("  ")])
            .prop_map(|(indent, word, end)| format!("{indent}{}{end}", WORDS[word])),
    ]
}

/// A file: most lines are the only ones of their kind.
fn file() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec((common(), prop::bool::weighted(0.8)), 1..40).prop_map(|lines| {
        let line = |(n, (line, own)): (usize, (String, bool))| if own { format!("{line} # {n}") } else { line };
        let mut lines: Vec<String> = lines.into_iter().enumerate().map(line).collect();
        // The last line can be told from the end of the line before.
        if lines.last().is_some_and(String::is_empty) {
            lines.push("pass".into());
        }
        lines
    })
}

/// A file, some of its lines replaced, with context.
#[derive(Debug, Clone)]
struct Script {
    lines: Vec<String>,
    cuts: Vec<Cut>,
    edits: Vec<Edit>,
}

impl Script {
    fn after(&self) -> Vec<String> {
        cut(&self.lines, &self.cuts)
    }
    /// Every edit says where it belongs.
    fn is_clear(&self) -> bool {
        self.edits.iter().all(|edit| occurrences(&self.lines, &edit.old(), |a, b| a == b) == 1)
    }
}

fn script() -> impl Strategy<Value = Script> {
    let wanted = proptest::collection::vec((0..40_usize, 0..4_usize, proptest::collection::vec(common(), 0..4)), 1..5);
    (file(), wanted, 0..4_usize, 0..4_usize).prop_filter_map("changes nothing", |(lines, wanted, before, after)| {
        let cuts = cuts(lines.len(), wanted);
        let edits = crate::edits::edits(&lines, &cuts, before, after);
        // No edit at all, or one whose place cannot be said.
        let whole = !edits.is_empty() && edits.iter().all(|edit| edit.old().iter().any(|line| !line.trim().is_empty()));
        whole.then_some(Script { lines, cuts, edits })
    })
}

fn run(format: Option<Format>, base: &str, reply: &str) -> Result<Applied, Refusal> {
    apply(format, TARGET, Some(base), reply)
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_script_rendered_in_any_format_gives_the_text_that_it_means(script in script(), bom in any::<bool>(), ended in any::<bool>()) {
        let mark = if bom { "\u{feff}" } else { "" };
        let base = format!("{mark}{}", crate::edits::text(&script.lines, "\n", ended));
        let clear = script.is_clear();
        let replies = EDITS.map(|format| render(format, TARGET, &script.edits));
        let meant = format!("{mark}{}", crate::edits::text(&script.after(), "\n", ended));
        for (format, reply) in EDITS.iter().zip(&replies) {
            match run(Some(*format), &base, reply) {
                Ok(applied) => prop_assert_eq!(&applied.text, &meant, "{}", reply),
                Err(refusal) => prop_assert!(!clear, "{}: {}", refusal.message, reply),
            }
        }
        // A fence cannot say whether a text whose last line is blank is ended, and a mark alone is such a line.
        if (ended || !meant.ends_with('\n')) && meant != "\u{feff}" {
            let applied = run(Some(Format::Whole), &base, &whole(&meant)).unwrap();
            prop_assert_eq!(applied.text, meant);
        }
    }

    #[test]
    fn an_edit_whose_sides_are_equal_leaves_the_bytes(script in script(), crlf in any::<u64>(), ended in any::<bool>()) {
        let base = mixed(&script.lines, crlf, ended);
        for format in EDITS {
            let same = |edit: &Edit| {
                let lines = edit.lines.iter().filter(|(tag, _)| *tag != Tag::Plus);
                // A diff must change something to be read at all: it takes lines out and puts them back.
                let both = |line: &String| if matches!(format, Format::Unified | Format::V4a) {
                    vec![(Tag::Minus, line.clone()), (Tag::Plus, line.clone())]
                } else {
                    vec![(Tag::Context, line.clone())]
                };
                Edit { at: edit.at, lines: lines.flat_map(|(_, line)| both(line)).collect() }
            };
            // Those of a diff would take out lines that the next one gives, too.
            let most = if matches!(format, Format::Unified | Format::V4a) { 1 } else { script.edits.len() };
            let edits: Vec<Edit> = script.edits.iter().take(most).map(same).collect();
            if let Ok(applied) = run(Some(format), &base, &render(format, TARGET, &edits)) {
                prop_assert_eq!(&applied.text, &base);
            } else {
                prop_assert!(!script.is_clear());
            }
        }
        prop_assert_eq!(run(Some(Format::Whole), &base, &whole(&base)).unwrap().text, base);
    }

    #[test]
    fn bytes_outside_the_edits_are_unchanged(script in script(), crlf in any::<u64>(), ended in any::<bool>(), bom in any::<bool>()) {
        // Of equal lines in a row a block format does not say which one goes: there, their ends may not differ.
        let times = |line: &String| script.lines.iter().filter(|other| *other == line).count();
        let goes = |cut: &Cut| script.lines[cut.start..cut.end].iter().any(|line| times(line) > 1);
        let slides = script.cuts.iter().any(|cut| goes(cut) || cut.plus.iter().any(|line| times(line) > 0));
        let crlf = if slides { 0 } else { crlf };
        let mark = if bom { "\u{feff}" } else { "" };
        let base = format!("{mark}{}", mixed(&script.lines, crlf, ended));
        for format in EDITS {
            let Ok(applied) = run(Some(format), &base, &render(format, TARGET, &script.edits)) else {
                prop_assert!(!script.is_clear());
                continue;
            };
            let mut rest = applied.text.strip_prefix(mark).unwrap();
            let mut next = 0;
            let last = Cut { start: script.lines.len(), end: script.lines.len(), plus: Vec::new() };
            for cut in script.cuts.iter().chain([&last]) {
                for line in next..cut.start {
                    rest = rest.strip_prefix(script.lines[line].as_str()).unwrap_or_else(|| panic!("lost line {line}: {:?}", applied.text));
                    let kept = if line + 1 < script.lines.len() || ended { end_of(line, crlf) } else { "" };
                    // Only the last line of the new text may end otherwise: as the last line of the base does.
                    let end = if rest.is_empty() { "" } else if kept.is_empty() { line_end(rest) } else { kept };
                    prop_assert!(rest.starts_with(end) && (!end.is_empty() || !ended || rest.is_empty()), "line {} of {:?}", line, applied.text);
                    rest = &rest[end.len()..];
                }
                for plus in &cut.plus {
                    rest = rest.strip_prefix(plus.as_str()).unwrap_or_else(|| panic!("lost {plus:?}: {:?}", applied.text));
                    rest = &rest[line_end(rest).len()..];
                }
                next = cut.end;
            }
            prop_assert_eq!(rest, "");
            prop_assert!(applied.text.len() == mark.len() || script.after().last().is_some_and(String::is_empty) || applied.text.ends_with('\n') == ended);
        }
    }

    #[test]
    fn the_line_ends_of_a_reply_say_nothing(script in script(), crlf in any::<u64>()) {
        let base = mixed(&script.lines, crlf, true);
        for format in EDITS {
            let reply = render(format, TARGET, &script.edits);
            prop_assert_eq!(run(Some(format), &base, &reply), run(Some(format), &base, &reply.replace('\n', "\r\n")));
        }
    }

    #[test]
    fn the_order_of_edits_does_not_matter(script in script(), rotate in 0..5_usize, reverse in any::<bool>()) {
        let base = crate::edits::text(&script.lines, "\n", true);
        let mut edits = script.edits.clone();
        edits.rotate_left(rotate % script.edits.len());
        if reverse {
            edits.reverse();
        }
        for format in EDITS {
            let text = |edits: &[Edit]| run(Some(format), &base, &render(format, TARGET, edits)).map(|applied| applied.text).ok();
            match (text(&edits), text(&script.edits)) {
                (one, other) if one == other => {}
                // The order of a diff's hunks may say which of several places is meant.
                (one, other) => {
                    let told = format == Format::Unified && !script.is_clear() && (one.is_none() || other.is_none());
                    prop_assert!(told, "{:?} and {:?}", one, other);
                }
            }
        }
    }

    #[test]
    fn a_format_that_is_recognised_is_read_as_if_it_were_named(script in script(), words in any::<bool>()) {
        let base = crate::edits::text(&script.lines, "\n", true);
        for format in EDITS {
            let reply = render(format, TARGET, &script.edits);
            let reply = if words && format != Format::V4a { format!("Here it is:\n\n{reply}\nThat is all.\n") } else { reply };
            if let Ok(named) = run(Some(format), &base, &reply) {
                prop_assert_eq!(run(None, &base, &reply), Ok(named), "{}", reply);
            }
        }
        let reply = whole(&crate::edits::text(&script.after(), "\n", true));
        prop_assert_eq!(run(None, &base, &reply), run(Some(Format::Whole), &base, &reply));
    }

    #[test]
    fn two_occurrences_are_always_ambiguous(
        before in proptest::collection::vec(common(), 0..6), between in proptest::collection::vec(common(), 0..6),
        words in proptest::collection::vec(0..WORDS.len(), 1..5), form in 0..3_usize, which in 0..5_usize,
    ) {
        // Lines of their own, so that nothing else decides.
        let block = |end: &str, space: &str| -> Vec<String> {
            words.iter().enumerate().map(|(n, word)| format!("  {} =={space}{n}{end}", WORDS[*word])).collect()
        };
        let (one, other) = match form {
            0 => (block("", " "), block("", " ")),
            1 => (block(" ", " "), block("\t ", " ")),
            _ => (block("", "  "), block("", "   ")),
        };
        let lines = [before.clone(), one.clone(), between, other, vec!["end".into()]].concat();
        let base = crate::edits::text(&lines, "\n", true);
        let mut given: Vec<(Tag, String)> = block("", " ").into_iter().map(|line| (Tag::Context, line)).collect();
        let at = which % given.len();
        given[at].0 = Tag::Minus;
        given.insert(at + 1, (Tag::Plus, "new".into()));
        for format in EDITS {
            let refusal = run(Some(format), &base, &render(format, TARGET, &[Edit { at: 0, lines: given.clone() }])).unwrap_err();
            prop_assert_eq!((refusal.id, refusal.line), ("edit-ambiguous", Some(before.len() + 1)), "{}", refusal.message);
        }
    }

    #[test]
    fn one_edit_that_is_not_there_refuses_them_all(script in script(), at in 0..5_usize) {
        let base = crate::edits::text(&script.lines, "\n", true);
        let mut edits = script.edits.clone();
        let lines = vec![(Tag::Minus, "nowhere in the file".into()), (Tag::Plus, "new".into())];
        edits.insert(at % (edits.len() + 1), Edit { at: 0, lines });
        for format in EDITS {
            let refused = run(Some(format), &base, &render(format, TARGET, &edits));
            prop_assert!(refused.is_err());
        }
    }
}

/// Lines with line ends of their own.
fn mixed(lines: &[String], crlf: u64, ended: bool) -> String {
    let line = |(n, line): (usize, &String)| {
        let end = if n + 1 < lines.len() || ended { end_of(n, crlf) } else { "" };
        format!("{line}{end}")
    };
    lines.iter().enumerate().map(line).collect()
}

/// How a line ends, by its bit in `crlf`.
fn end_of(line: usize, crlf: u64) -> &'static str {
    if crlf >> (line % 64) & 1 == 1 { "\r\n" } else { "\n" }
}

fn line_end(text: &str) -> &'static str {
    if text.starts_with("\r\n") {
        "\r\n"
    } else if text.starts_with('\n') {
        "\n"
    } else {
        ""
    }
}

/// What is shown through the program and git themselves, with fewer and fixed scripts.
#[cfg(feature = "cli")]
mod outside {
    use super::*;
    use crate::repo::Repo;
    use git_implement::patch;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    fn scripts(count: usize) -> Vec<Script> {
        let mut runner = TestRunner::deterministic();
        let mut next = || script().new_tree(&mut runner).unwrap().current();
        std::iter::repeat_with(&mut next).filter(Script::is_clear).take(count).collect()
    }

    #[test]
    fn a_refused_reply_leaves_stdout_empty() {
        let repo = Repo::unborn();
        let folder = repo.place("outside");
        for (script, format) in scripts(8).iter().zip(EDITS.iter().cycle()) {
            let mut edits = script.edits.clone();
            edits.push(Edit { at: 0, lines: vec![(Tag::Minus, "nowhere in the file".into())] });
            let base = crate::edits::text(&script.lines, "\n", true);
            crate::repo::write(&folder.join("a.py"), &base);
            crate::repo::write(&folder.join("reply"), render(*format, "a.py", &edits));
            let ran = repo.run_in(&folder, &["apply", "--target", "a.py", "--format", format.name(), "reply"]);
            assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
            assert_eq!(std::fs::read_to_string(folder.join("a.py")).unwrap(), base);
        }
    }

    /// A file of a repository, and what a reply made of it.
    struct Made {
        path: String,
        base: String,
        text: String,
    }

    fn made(count: usize) -> Vec<Made> {
        let make = |(n, script): (usize, Script)| {
            let path = format!("src/f{n}.py");
            let base = mixed(&script.lines, if n % 3 == 0 { !0 } else { 0 }, n % 5 != 0);
            let format = EDITS[n % EDITS.len()];
            let applied = apply(Some(format), &path, Some(&base), &render(format, &path, &script.edits)).unwrap();
            Made { path, base, text: applied.text }
        };
        // An empty file is no patch's business.
        scripts(count).into_iter().enumerate().map(make).filter(|made| !made.text.is_empty()).collect()
    }

    #[test]
    fn a_reply_its_exported_patch_and_the_diff_that_git_makes_of_it_give_the_same_tree() {
        let made = made(120);
        let files: Vec<(&str, &str)> = made.iter().map(|made| (made.path.as_str(), made.base.as_str())).collect();
        let repo = Repo::of(&files);
        for made in &made {
            repo.write(&made.path, &made.text);
        }
        repo.git(&["add", "--all"]);
        let tree = repo.git(&["write-tree"]);
        let by_git = String::from_utf8(repo.git_bytes(&["diff", "--cached", "--no-color"])).unwrap();
        let exported: String =
            made.iter().map(|made| patch::unified(&made.path, Some(&made.base), Some(&made.text))).collect();
        for (name, text) in [("git", &by_git), ("exported", &exported)] {
            repo.git(&["reset", "--quiet", "--hard"]);
            let file = repo.place("tmp").join(name);
            crate::repo::write(&file, text);
            let file = file.to_str().unwrap();
            repo.git(&["apply", "--check", "--index", file]);
            repo.git(&["apply", "--index", file]);
            assert_eq!(repo.git(&["write-tree"]), tree, "{name}");
        }
        let mut ambiguous = 0;
        for diff in by_git.split_inclusive("diff --git ").skip(1) {
            let made = made.iter().find(|made| diff.starts_with(&format!("a/{} ", made.path))).unwrap();
            let diff = format!("diff --git {}", diff.strip_suffix("diff --git ").unwrap_or(diff));
            match apply(Some(Format::Unified), &made.path, Some(&made.base), &diff) {
                Ok(applied) => assert_eq!(applied.text, made.text, "{diff}"),
                // Three lines of context may stand in the file twice; git goes by the line number then.
                Err(refusal) => {
                    assert_eq!(refusal.id, "edit-ambiguous", "{}: {diff}", refusal.message);
                    ambiguous += 1;
                }
            }
        }
        assert!(ambiguous * 10 < made.len(), "{ambiguous} of {}", made.len());
    }
}
