//! What a command that failed has said, made into faults of the files that it names.

use super::{Fault, alike};
use std::collections::HashSet;

/// The most of a command's words that a fault holds, in bytes: its beginning, where compilers say what is wrong, and its end,
/// where test runners do.
const MOST_HEAD: usize = 3_000;
const MOST_TAIL: usize = 6_000;

/// The fault of `command`, whose whole output is `output`: it names planned files by their paths, from the root or by their
/// last parts, or with `root` (the folder in which it ran) before them, which is taken out. Linear in the output, for each
/// planned file. `before`: what it has said of the base, if it failed there: lines of that are no news.
pub fn of_output(command: &str, output: &str, root: &str, planned: &[&str], before: Option<&str>) -> Fault {
    let output = placeless(output, root);
    let (output, before) = match before.map(|before| news(&output, &placeless(before, root))) {
        Some(news) if is_said(&news) => (news, false),
        Some(_) => (output, true),
        None => (output, false),
    };
    let mut named: Vec<(usize, &str)> =
        planned.iter().filter_map(|path| Some((last_mention(&output, path)?, *path))).collect();
    named.sort_unstable();
    let paths = named.into_iter().map(|(_, path)| path.to_owned()).collect();
    Fault { by: command.to_owned(), paths, line: None, text: bounded(&output), before }
}

/// What is shown to people of what a command has said in `root`: its end.
pub fn shown(output: &str, root: &str) -> String {
    let output = placeless(output, root);
    let output = output.trim();
    let tail = floor(output, output.len().saturating_sub(MOST_TAIL));
    if tail == 0 { output.to_owned() } else { format!("...{}", &output[tail..]) }
}

/// Without the folder in which it was said.
fn placeless(output: &str, root: &str) -> String {
    let output = match root.is_empty() {
        true => output.to_owned(),
        false => output.replace(&format!("{root}/"), "").replace(root, "."),
    };
    plain(&output)
}

/// The lines of `output` that say something else than those of `before`.
fn news(output: &str, before: &str) -> String {
    let old: HashSet<String> = before.lines().map(alike).collect();
    let lines: Vec<&str> = output.lines().filter(|line| !old.contains(&alike(line))).collect();
    lines.join("\n")
}

/// Words of something that has failed, rather than of how much was run.
const OF_FAILURES: &[&str] =
    &["assert", "cannot", "error", "exception", "fail", "mismatch", "not found", "panic", "undefined", "unresolved"];

/// Does it say that something has failed?
fn is_said(text: &str) -> bool {
    let text = text.to_lowercase();
    OF_FAILURES.iter().any(|word| text.contains(word))
}

/// Where `path` is named last.
fn last_mention(output: &str, path: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    let found = output.rmatch_indices(path).find(|(at, _)| {
        let before = output[..*at].trim_end_matches("./");
        let after = &output[at + path.len()..];
        !before.ends_with(is_part) && !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '-'))
    });
    found.map(|(at, _)| at)
}

/// Without what colours a terminal and moves its cursor.
fn plain(output: &str) -> String {
    let mut out = String::with_capacity(output.len());
    let mut rest = output;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(sequence) = rest.strip_prefix('[') {
            let end = sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(sequence.len(), |end| end + 1);
            rest = &sequence[end..];
        }
    }
    out.push_str(rest);
    let shown = |line: &str| line.rsplit('\r').find(|piece| !piece.is_empty()).unwrap_or_default().to_owned();
    let lines: Vec<String> = out.lines().map(shown).collect();
    lines.join("\n").chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// Its beginning and its end, at line breaks.
fn bounded(output: &str) -> String {
    let output = output.trim();
    if output.len() <= MOST_HEAD + MOST_TAIL {
        return output.to_owned();
    }
    let head = floor(output, MOST_HEAD);
    let head = output[..head].rfind('\n').unwrap_or(head);
    let tail = floor(output, output.len() - MOST_TAIL);
    let tail = output[tail..].find('\n').map_or(tail, |at| tail + at + 1);
    let left_out = output[head..tail].lines().count();
    format!("{}\n... {left_out} lines are left out here ...\n{}", &output[..head], &output[tail..])
}

/// The nearest boundary of a character at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANNED: [&str; 3] = ["src/tally.py", "tests/test_tally.py", "tally.py"];

    fn paths(output: &str) -> Vec<String> {
        of_output("pytest", output, "/scratch/w", &PLANNED, None).paths
    }

    #[test]
    fn a_traceback_names_files_and_the_last_is_where_it_was_noticed() {
        let output = "File \"/scratch/w/tests/test_tally.py\", line 3, in <module>\nFile \"/scratch/w/src/tally.py\", line 9\nE TypeError";
        assert_eq!(paths(output), ["tests/test_tally.py", "src/tally.py"]);
        assert_eq!(paths("./tally.py:1:2: error\n"), ["tally.py"]);
        assert_eq!(paths("lib/src/tally.pyc and src/tally.py2, xsrc/tally.py"), [""; 0]);
    }

    #[test]
    fn the_folder_of_the_run_and_a_terminals_colours_are_not_told() {
        let fault = of_output(
            "t",
            "\u{1b}[31mFAILED\u{1b}[0m /scratch/w/a.py in /scratch/w\n 10%\r 99%\rdone\u{7}",
            "/scratch/w",
            &[],
            None,
        );
        assert_eq!(fault.text, "FAILED a.py in .\ndone");
    }

    #[test]
    fn of_many_words_the_beginning_and_the_end_are_told() {
        let output: String = (0..5_000).map(|n| format!("line {n} \u{fc}\n")).collect();
        let text = of_output("t", &output, "", &[], None).text;
        assert!(text.len() < 10_000 && text.starts_with("line 0 ") && text.ends_with("line 4999 \u{fc}"), "{text}");
        assert!(text.contains("lines are left out here"));
    }

    #[test]
    fn what_fails_on_the_base_already_is_no_news() {
        let base = "FAILED tests/test_tally.py::old\n1 failed, 3 passed in 0.10s";
        let same =
            of_output("t", "FAILED tests/test_tally.py::old\n1 failed, 4 passed in 0.3s", "", &PLANNED, Some(base));
        assert!(same.before, "{same:?}");
        let more = "FAILED tests/test_tally.py::old\nFAILED src/tally.py::new\n2 failed, 3 passed in 1s";
        let more = of_output("t", more, "", &PLANNED, Some(base));
        assert_eq!((more.before, more.text.as_str()), (false, "FAILED src/tally.py::new"));
    }
}
