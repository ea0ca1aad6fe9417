//! The loosest way to a place: every removed line is in the file, and of the context a line or two was left out or
//! mistyped. It finds a place only where no other comes near it.
//!
//! What the model got wrong here is only ever context, which is not written. A removed line that differs from the
//! file, a number that differs, or a word that the file has elsewhere is no slip, and refuses.

use super::Tier;
use super::hunk::{Hunk, Tag};
use super::locate::{Miss, Place};
use super::text::{Form, Text, is_blank, key_token, same};
use std::collections::BTreeSet;

/// The least lines of the file that an edit must give for this.
const LEAST_LINES: usize = 4;
/// The most lines of the file that the edit may have left out.
const MOST_SKIPS: usize = 2;
/// A line that occurs more often says nothing of the place; more places that come near are too many.
const MOST_PLACES: usize = 32;
const MOST_STARTS: usize = 400;
/// The most comparisons of a line with a line.
const MOST_PAIRS: usize = 1_000_000;

/// A line of the hunk that must be found.
struct Want<'h> {
    /// Which line of the hunk it is.
    at: usize,
    text: &'h str,
    fixed: bool,
}

/// Slips and lines that differ in white space so far, and the skips before the line.
type Step = ((usize, usize), usize);

/// A way to lay the wanted lines over the file's lines that are not blank.
struct Fit {
    /// For each wanted line its line among those.
    at: Vec<usize>,
}

/// The place of a hunk whose context is not quite the file's.
pub(super) fn place(text: &Text, hunk: &Hunk) -> Result<Place, Miss> {
    let wanted: Vec<Want> = hunk
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.tag != Tag::Plus && !is_blank(line.text))
        .map(|(at, line)| Want { at, text: line.text, fixed: line.tag == Tag::Minus })
        .collect();
    if wanted.len() < LEAST_LINES {
        return Err(Miss::Absent);
    }
    let file = text.solid();
    let tokens: Vec<u64> = wanted.iter().map(|want| key_token(want.text)).collect();
    let places: Vec<Vec<usize>> = tokens.iter().map(|token| file.find(&[*token], MOST_PLACES + 1)).collect();
    if wanted.iter().zip(&places).any(|(want, places)| want.fixed && places.is_empty()) {
        return Err(Miss::Absent);
    }
    // Where the first line would be, going by each line that is not too common.
    let mut starts = BTreeSet::new();
    for (n, places) in places.iter().enumerate().filter(|(_, places)| places.len() <= MOST_PLACES) {
        starts.extend(places.iter().flat_map(|at| (n..=n + MOST_SKIPS).filter_map(|before| at.checked_sub(before))));
        if starts.len() > MOST_STARTS || starts.len() * wanted.len() > MOST_PAIRS {
            return Err(Miss::Absent);
        }
    }
    let over = Over { text, lines: file.lines(), file: file.tokens(), wanted: &wanted, tokens: &tokens };
    let most = most_slips(wanted.len());
    let shared: Vec<(usize, usize)> = starts.into_iter().map(|start| (start, over.shared(start))).collect();
    let mut fits: Vec<Fit> = Vec::new();
    for (start, shared) in &shared {
        if shared + most >= wanted.len()
            && let Some(fit) = over.lay(*start)
            && !fits.iter().any(|other| other.at == fit.at)
        {
            fits.push(fit);
        }
    }
    if fits.len() > 1 {
        return Err(Miss::Many(fits.iter().filter_map(|fit| over.line(*fit.at.first()?)).collect()));
    }
    let fit = fits.pop().ok_or(Miss::Absent)?;
    let (Some(first), Some(last)) = (fit.at.first().copied(), fit.at.last().copied()) else { return Err(Miss::Absent) };
    // Another place that has most of the lines that this one has could be the one that was meant.
    let here = (0..wanted.len()).filter(|n| over.equal(*n, fit.at[*n])).count();
    let rival = |(start, shared): &(usize, usize)| start.abs_diff(first) > MOST_SKIPS && shared * 3 > here * 2;
    if shared.iter().any(rival) || !over.gaps_are_clear(hunk, &fit) {
        return Err(Miss::Absent);
    }
    let mut lines = vec![None; hunk.lines.len()];
    for (want, at) in wanted.iter().zip(&fit.at) {
        lines[want.at] = over.line(*at);
        // Tokens may collide; what is taken out is compared itself.
        if want.fixed && !over.line(*at).is_some_and(|line| same(Form::Key, want.text, text.line(line))) {
            return Err(Miss::Absent);
        }
    }
    let span = over.line(first).ok_or(Miss::Absent)?..over.line(last).ok_or(Miss::Absent)? + 1;
    Ok(Place { tier: Tier::Aligned, lines, part: None, span })
}

fn most_slips(lines: usize) -> usize {
    (lines / 5).max(1)
}

/// The wanted lines over the file's lines that are not blank.
struct Over<'a, 'h> {
    text: &'a Text<'a>,
    /// The lines of the file that are not blank, and their tokens.
    lines: &'a [u32],
    file: &'a [u64],
    wanted: &'a [Want<'h>],
    tokens: &'a [u64],
}

impl Over<'_, '_> {
    fn line(&self, at: usize) -> Option<usize> {
        self.lines.get(at).map(|line| *line as usize)
    }
    fn equal(&self, n: usize, at: usize) -> bool {
        self.file.get(at) == Some(&self.tokens[n])
    }
    /// How many of the wanted lines stand about where they would with the first at `start`.
    fn shared(&self, start: usize) -> usize {
        (0..self.wanted.len()).filter(|n| (0..=MOST_SKIPS).any(|skip| self.equal(*n, start + n + skip))).count()
    }

    /// Lays the wanted lines over the file from `start` on, with as few slips and skipped lines as there can be.
    fn lay(&self, start: usize) -> Option<Fit> {
        // For each line and each number of file lines skipped so far the fewest slips (and of these the fewest lines that
        // differ in white space), and the skips before it.
        let mut steps: Vec<[Option<Step>; MOST_SKIPS + 1]> = Vec::with_capacity(self.wanted.len());
        let most = most_slips(self.wanted.len());
        for (n, want) in self.wanted.iter().enumerate() {
            let mut step: [Option<Step>; MOST_SKIPS + 1] = [None; MOST_SKIPS + 1];
            for (skips, best) in step.iter_mut().enumerate() {
                let at = start + n + skips;
                let cost = if self.equal(n, at) {
                    0
                } else if !want.fixed
                    && self.line(at).is_some_and(|line| is_slip(self.text, want.text, self.text.line(line)))
                {
                    1
                } else {
                    continue;
                };
                let white = usize::from(self.line(at).is_none_or(|line| self.text.line(line) != want.text));
                *best = match steps.last() {
                    None => (skips == 0).then_some(((cost, white), 0)),
                    Some(last) => (0..=skips)
                        .filter_map(|before| {
                            let ((slips, whites), _) = last[before]?;
                            Some(((slips + skips - before + cost, whites + white), before))
                        })
                        .min(),
                }
                .filter(|((slips, _), _)| *slips <= most);
            }
            if step.iter().all(Option::is_none) {
                return None;
            }
            steps.push(step);
        }
        let last = steps.last()?;
        let mut skips = (0..=MOST_SKIPS).filter(|skips| last[*skips].is_some()).min_by_key(|skips| last[*skips])?;
        let mut at = vec![0; steps.len()];
        for (n, step) in steps.iter().enumerate().rev() {
            at[n] = start + n + skips;
            skips = step[skips]?.1;
        }
        Some(Fit { at })
    }

    /// Is it clear, at each place where the edit left out lines of the file, what happens to them? They stay; no line
    /// is added there but straight after one that goes, and the lines round them are not both removed.
    fn gaps_are_clear(&self, hunk: &Hunk, fit: &Fit) -> bool {
        (1..self.wanted.len()).all(|n| {
            let (above, below) = (fit.at[n - 1], fit.at[n]);
            if below == above + 1 {
                return true;
            }
            let (before, after) = (&self.wanted[n - 1], &self.wanted[n]);
            let clear = !(before.fixed && after.fixed) && (!self.adds(hunk, n - 1) || before.fixed);
            clear && (above + 1..below).all(|at| self.no_matter(hunk, n, at))
        })
    }
    /// Are lines added between the wanted line `n` and the next?
    fn adds(&self, hunk: &Hunk, n: usize) -> bool {
        let end = self.wanted.get(n + 1).map_or(hunk.lines.len(), |want| want.at);
        (self.wanted[n].at..end).any(|at| hunk.lines[at].tag == Tag::Plus)
    }
    /// The file's line `at`, left out before the wanted line `n`, could as well be one of its neighbours that are the
    /// same. Does it make no difference which of them it is?
    fn no_matter(&self, hunk: &Hunk, n: usize, at: usize) -> bool {
        let same = |k: &usize| Some(&self.tokens[*k]) == self.file.get(at);
        let above = (0..n).rev().take_while(same).all(|k| !self.wanted[k].fixed && (k == 0 || !self.adds(hunk, k - 1)));
        let below = (n..self.wanted.len()).take_while(same).all(|k| !self.wanted[k].fixed && !self.adds(hunk, k));
        above && below
    }
}

/// Is `edit` the line `file` but for a slip of the pen, or a comment that was cut short?
fn is_slip(text: &Text, edit: &str, file: &str) -> bool {
    let digits = |line: &str| line.chars().filter(char::is_ascii_digit).collect::<String>();
    let (edit, file) = (edit.trim(), file.trim());
    if edit.len() > 2000 || file.len() > 2000 || digits(edit) != digits(file) {
        return false;
    }
    one_letter(text, edit, file) || comment(edit, file)
}

/// One letter of one word is wrong, missing, added, or changed places with the next; and the file knows no such word.
fn one_letter(text: &Text, edit: &str, file: &str) -> bool {
    let words =
        |line| -> Vec<&str> { str::split(line, |c: char| !is_word(c)).filter(|word| !word.is_empty()).collect() };
    let (ours, theirs) = (words(edit), words(file));
    if ours.len() != theirs.len() {
        return false;
    }
    let mut differ = ours.iter().zip(&theirs).filter(|(a, b)| a != b);
    let (Some((ours, theirs)), None) = (differ.next(), differ.next()) else { return false };
    let rest = |line: &str, word: &str| line.replacen(word, "", 1).split_whitespace().collect::<String>();
    let long = ours.chars().count().min(theirs.chars().count()) >= 4;
    long && strsim::damerau_levenshtein(ours, theirs) == 1
        && rest(edit, ours) == rest(file, theirs)
        && memchr::memmem::find(text.body().as_bytes(), ours.as_bytes()).is_none_or(|_| !has_word(text.body(), ours))
}

fn has_word(body: &str, word: &str) -> bool {
    memchr::memmem::find_iter(body.as_bytes(), word.as_bytes()).any(|at| {
        let before = body.get(..at).and_then(|text| text.chars().next_back());
        let after = body.get(at + word.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Both are comments with the same mark, and all but a word or two of the longer one are in the shorter one.
fn comment(edit: &str, file: &str) -> bool {
    const MARKS: [&str; 9] = ["///", "//!", "//", "#", "/**", "/*", "*", "--", ";"];
    let mark = |line: &str| MARKS.into_iter().find(|mark| line.starts_with(mark));
    let Some(marked) = mark(edit).filter(|marked| mark(file) == Some(marked)) else { return false };
    // `#[derive]`, `#include`, `*p = 1` and `--x` are no comments.
    let words = |line: &str| -> Option<Vec<String>> {
        let rest = line.get(marked.len()..)?;
        rest.starts_with(' ').then(|| rest.split_whitespace().map(str::to_owned).collect())
    };
    let (Some(ours), Some(theirs)) = (words(edit), words(file)) else { return false };
    let longer = ours.len().max(theirs.len());
    let mut left = theirs.clone();
    let shared = ours
        .iter()
        .filter(|word| left.iter().position(|other| other == *word).map(|at| left.swap_remove(at)).is_some())
        .count();
    ours.len().min(theirs.len()) >= 2 && shared * 3 >= longer * 2 && longer - shared <= 2
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
    }

    #[test]
    fn a_comment_may_have_lost_a_word_or_two_and_code_may_not() {
        assert!(comment("// Adds two numbers using the sum", "// Adds two numbers using the sum algorithm."));
        assert!(!comment("// Adds two", "// Removes three"));
        assert!(!comment("#[derive(Debug)]", "#[derive(Debug, Clone)]"));
        assert!(!comment("adds two numbers", "adds two numbers quickly"));
    }
}
