//! Is one line another one with a slip of the pen? Only ever asked of context, which is not written.

use crate::edit::text::{Text, is_word};
use std::cmp::Ordering;

/// Of longer lines and comments of more words nobody can say.
const MOST_BYTES: usize = 1000;
const MOST_WORDS: usize = 60;

/// Is `edit` the line `file` but for a slip of the pen, other quotes, or a comment that was cut short?
pub(super) fn is_slip(text: &Text, edit: &str, file: &str) -> bool {
    let (edit, file) = (edit.trim(), file.trim());
    if edit.len() > MOST_BYTES || file.len() > MOST_BYTES {
        return false;
    }
    one_letter(text, edit, file) || other_quotes(edit, file) || comment(edit, file)
}

/// One letter of one word is wrong, missing, added, or changed places with the next; and the file knows no such word.
fn one_letter(text: &Text, edit: &str, file: &str) -> bool {
    let words = |line| str::split(line, |c: char| !is_word(c)).filter(|word| !word.is_empty());
    let marks = |line| str::split(line, |c: char| is_word(c) || c.is_whitespace()).filter(|mark| !mark.is_empty());
    if words(edit).count() != words(file).count() || !marks(edit).eq(marks(file)) {
        return false;
    }
    let mut differ = words(edit).zip(words(file)).filter(|(ours, theirs)| ours != theirs);
    let (Some((ours, theirs)), None) = (differ.next(), differ.next()) else { return false };
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    let long = ours.chars().count().min(theirs.chars().count()) >= 4;
    long && digits(ours) == digits(theirs)
        && differ_by_one(ours, theirs)
        && text.pass().is_ok()
        && !has_word(text.body(), ours)
}

fn other_quotes(edit: &str, file: &str) -> bool {
    fn plain(c: char) -> char {
        if matches!(c, '"' | '`') { '\'' } else { c }
    }
    edit.chars().map(plain).eq(file.chars().map(plain))
}

/// Is one letter wrong, missing, added, or has it changed places with the next?
fn differ_by_one(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let head = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&a[..a.len() - tail], &b[..b.len() - tail]) {
        ([_], [_]) | ([_], []) | ([], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

fn has_word(body: &str, word: &str) -> bool {
    memchr::memmem::find_iter(body.as_bytes(), word.as_bytes()).any(|at| {
        let before = body.get(..at).and_then(|text| text.chars().next_back());
        let after = body.get(at + word.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Both are comments with the same mark, and the edit's was cut short by a word or two, has one more, or two of its
/// words have changed places. A word for another word is no slip: it may be all that tells two places apart.
fn comment(edit: &str, file: &str) -> bool {
    const MARKS: [&str; 10] = ["///", "//!", "//", "##", "#", "/**", "/*", "*", "--", ";"];
    let mark = |line: &str| MARKS.into_iter().find(|mark| line.starts_with(mark));
    let Some(marked) = mark(edit).filter(|marked| mark(file) == Some(marked)) else { return false };
    // `#[derive]`, `#include`, `*p = 1` and `--x` are no comments.
    let words = |line: &str| -> Option<Vec<String>> {
        let rest = line.get(marked.len()..)?;
        rest.starts_with(' ').then(|| rest.split_whitespace().map(str::to_owned).collect())
    };
    let (Some(ours), Some(theirs)) = (words(edit), words(file)) else { return false };
    if ours.len().min(theirs.len()) < 2 || ours.len().max(theirs.len()) > MOST_WORDS {
        return false;
    }
    match ours.len().cmp(&theirs.len()) {
        Ordering::Less => theirs.len() - ours.len() <= 2 && theirs.starts_with(&ours),
        Ordering::Greater => ours.len() == theirs.len() + 1 && is_part(&theirs, &ours),
        Ordering::Equal => {
            let moved: Vec<usize> = (0..ours.len()).filter(|at| ours[*at] != theirs[*at]).collect();
            matches!(moved[..], [a, b] if ours[a] == theirs[b] && ours[b] == theirs[a])
        }
    }
}

/// Are all words of `part` in `all`, in order?
fn is_part(part: &[String], all: &[String]) -> bool {
    let mut rest = all.iter();
    part.iter().all(|word| rest.any(|other| other == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_letter_of_a_word_that_the_file_does_not_know() {
        let text = Text::new("contents: write\nvalues: 1\n");
        assert!(is_slip(&text, "contetns: write", "contents: write"));
        assert!(is_slip(&text, "contnts: write", "contents: write"));
        assert!(!is_slip(&text, "contents: 2", "contents: 1"));
        assert!(!is_slip(&text, "values: write", "value: write"));
        assert!(!is_slip(&text, "y = 1", "x = 1"));
        assert!(is_slip(&text, "prefix.all() && !prefx.any()", "prefix.all() && !prefix.any()"));
        assert!(!is_slip(&text, "names(1)", "namse[1]"));
        assert!(is_slip(&text, "name = \"x\"", "name = 'x'"));
    }

    #[test]
    fn a_letter_is_wrong_missing_added_or_has_changed_places_with_the_next() {
        for wrong in ["wrote", "writ", "writte", "wirte", "rwite", "writee", "xwrite"] {
            assert!(differ_by_one(wrong, "write"), "{wrong}");
        }
        for wrong in ["wri", "wrxxe", "wrtxe", "wtire", "wirtee", "etirw", "xwritex", "write"] {
            assert!(!differ_by_one(wrong, "write"), "{wrong}");
        }
    }

    #[test]
    fn only_one_word_of_four_letters_or_more_and_no_number_may_differ() {
        let text = Text::new("self.retrun = contetnsx + _vlaues\n");
        for (edit, file) in
            [("name(x)", "nmae(x)"), ("a.contetns", "a.contents"), ("vlaues", "values"), ("  data = 1", "dta1 = 1")]
        {
            assert_eq!(is_slip(&text, edit, file), !file.contains("dta1"), "{edit} {file}");
        }
        for (edit, file) in [
            ("nam(x)", "nmae(x)"),
            ("abc(x)", "abd(x)"),
            ("retrun x", "return x"),
            ("vaule = naem", "value = name"),
            ("value1", "value2"),
            ("value1", "value"),
            ("naem one", "name"),
            ("naem + one", "name - one"),
            ("naem", "name()"),
        ] {
            assert!(!is_slip(&text, edit, file), "{edit} {file}");
        }
        assert!(!is_slip(&Text::new("naem = 1"), "naem", "name") && !is_slip(&Text::new("1 = naem"), "naem", "name"));
        let long = |word: &str| format!("{word} {}", "x".repeat(MOST_BYTES - word.len() - 1));
        assert!(is_slip(&text, &long("naem"), &long("name")));
        assert!(!is_slip(&text, &(long("naem") + "x"), &(long("name") + "x")));
        let rest = "x".repeat(MOST_BYTES - 5);
        let (shorter, longer) = (format!("vlue {rest}"), format!("value {rest}"));
        assert!(!is_slip(&text, &shorter, &longer) && !is_slip(&text, &longer, &shorter));
    }

    #[test]
    fn a_comment_may_have_lost_a_word_or_two_and_code_may_not() {
        assert!(comment("// Adds two numbers using the sum", "// Adds two numbers using the sum algorithm."));
        assert!(comment("## see https://example.org/a2 for more", "## see for more"));
        assert!(!comment("## see for more", "## see https://example.org/a2 for more"));
        assert!(!comment("// Shows all old messages", "// Shows messages"));
        assert!(comment("// two Adds numbers", "// Adds two numbers"));
        assert!(!comment("// Adds two", "// Removes three"));
        assert!(!comment("/// Returns the last key", "/// Returns the first key"));
        assert!(comment("// Adds two numbers", "// Adds two numbers very fast"));
        assert!(!comment("// Adds two numbers", "// Adds two numbers very very fast"));
        assert!(comment("// Adds the two numbers", "// Adds two numbers"));
        assert!(!comment("// Adds the three numbers", "// Adds two numbers"));
        assert!(!comment("// Adds the two of its numbers", "// Adds two numbers"));
        assert!(!comment("// Adds", "// Adds two") && comment("// Adds two", "// Adds two numbers"));
        assert!(!comment("// b c a", "// a b c") && !comment("// Adds two", "// Adds two"));
        assert!(!comment("# Adds two", "## Adds two numbers"));
        let long = |count: usize| format!("//{}", " word".repeat(count));
        assert!(
            comment(&long(MOST_WORDS - 1), &long(MOST_WORDS)) && !comment(&long(MOST_WORDS), &long(MOST_WORDS + 1))
        );
        assert!(!comment("#[derive(Debug)]", "#[derive(Debug, Clone)]"));
        assert!(!comment("adds two numbers", "adds two numbers quickly"));
    }
}
