//! The loosest way to a place: every removed line is in the file, and of the context a line or two was left out or
//! mistyped. It finds a place only where no other comes near it.
//!
//! What the model got wrong here is only ever context, which is not written. A removed line that differs from the
//! file, a number that differs, or a word that the file has elsewhere is no slip, and refuses.

use super::blanks;
use super::slip::is_slip;
use super::{Miss, Place, span};
use crate::edit::Tier;
use crate::edit::hunk::{Hunk, Tag};
use crate::edit::indent::{self, Indentation};
use crate::edit::table::{Table, look};
use crate::edit::text::{Text, TooCommon, is_blank, is_word, same_key};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The least lines of the file that an edit must give for this, and for leaving out lines of the file if not all of them
/// have words.
const LEAST_LINES: usize = 4;
const LEAST_TO_SKIP: usize = 5;
/// The most lines of the file that the edit may have left out.
const MOST_SKIPS: usize = 2;
/// A line that occurs more often says nothing of the place; more places that come near are too many.
const MOST_PLACES: usize = 32;
const MOST_STARTS: usize = 400;
/// The most comparisons of a line with a line, and of bytes in them.
const MOST_PAIRS: usize = 400_000;
const MOST_WORK: usize = 1 << 24;

/// A line of the hunk that must be found.
struct Want<'h> {
    /// Which line of the hunk it is.
    at: usize,
    text: &'h str,
    look: u64,
    fixed: bool,
}

/// Slips and lines that differ in white space so far, and the skips before the line.
type FitCost = ((usize, usize), usize);

/// A way to lay the wanted lines over the file's lines that are not blank: for each its line among those.
type Fit = Vec<usize>;

/// The place of a hunk whose context is not quite the file's.
pub(super) fn place(text: &Text, hunk: &Hunk) -> Result<Place, Miss> {
    let wanted: Vec<Want> = hunk
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.tag != Tag::Plus && !is_blank(line.text))
        .map(|(at, line)| Want { at, text: line.text, look: look(line.text), fixed: line.tag == Tag::Minus })
        .collect();
    if wanted.len() < LEAST_LINES {
        return Err(Miss::Absent);
    }
    let table = text.table();
    // Where the first line would be, going by each line that is not too common.
    let mut starts = BTreeSet::new();
    for (n, want) in wanted.iter().enumerate() {
        let places: Vec<usize> = table.like(want.look).take(MOST_PLACES + 1).collect();
        if want.fixed && places.is_empty() {
            return Err(Miss::Absent);
        }
        if places.len() <= MOST_PLACES {
            starts
                .extend(places.iter().flat_map(|at| (n..=n + MOST_SKIPS).filter_map(|before| at.checked_sub(before))));
        }
        if starts.len() > MOST_STARTS || starts.len() * wanted.len() > MOST_PAIRS {
            return Err(Miss::Absent);
        }
    }
    let over = Over { text, table, wanted: &wanted, work: Cell::new(0) };
    let most = most_slips(wanted.len());
    let mut fits: Vec<Fit> = Vec::new();
    let mut shared = Vec::with_capacity(starts.len());
    for start in starts {
        let lines = over.shared(start);
        shared.push((start, lines));
        if lines + most >= wanted.len()
            && let Some(fit) = over.lay(start)
            && !fits.iter().any(|other| over.touches(hunk, other) == over.touches(hunk, &fit))
        {
            fits.push(fit);
        }
        over.within_bounds()?;
    }
    if fits.len() > 1 {
        return Err(Miss::Many(fits.iter().filter_map(|fit| table.start(*fit.first()?)).collect()));
    }
    let fit = fits.pop().ok_or(Miss::Absent)?;
    let first = *fit.first().ok_or(Miss::Absent)?;
    // Another place that has most of the lines that this one has could be the one that was meant.
    let here = (0..wanted.len()).filter(|n| over.equal(*n, fit[*n])).count();
    let rival = |(start, shared): &&(usize, usize)| start.abs_diff(first) > MOST_SKIPS && shared * 3 > here * 2;
    if let Some((other, _)) = shared.iter().find(rival) {
        return Err(Miss::Many([first, *other].into_iter().filter_map(|line| table.start(line)).collect()));
    }
    // A line that stands deeper or less deep than the others do was likelier meant elsewhere.
    let indents = wanted.iter().zip(&fit).filter_map(|(want, at)| Some((want.text, over.line(*at)?)));
    let indents = indents.map(|(edit, file)| (indent::split(edit).0, indent::split(file).0)).collect();
    if !Indentation::seen(indents).is_uniform() || !over.gaps_are_clear(hunk, &fit) {
        return Err(Miss::Absent);
    }
    let mut lines = vec![None; hunk.lines.len()];
    for (want, at) in wanted.iter().zip(&fit) {
        lines[want.at] = table.start(*at);
    }
    over.within_bounds()?;
    let span = span(text, &lines).ok_or(Miss::Absent)?;
    blanks::fill(text, hunk, &mut lines);
    Ok(Place { tier: Tier::Aligned, lines, part: None, span })
}

fn most_slips(lines: usize) -> usize {
    (lines / 5).max(1)
}

/// The wanted lines over the file's lines that are not blank.
struct Over<'a, 'h> {
    text: &'a Text<'a>,
    table: &'a Table,
    wanted: &'a [Want<'h>],
    /// The bytes that were compared.
    work: Cell<usize>,
}

impl<'a> Over<'a, '_> {
    fn line(&self, at: usize) -> Option<&'a str> {
        self.table.start(at).map(|start| self.text.line(start))
    }
    fn equal(&self, n: usize, at: usize) -> bool {
        let want = &self.wanted[n];
        self.table.look(at) == Some(want.look)
            && self.line(at).is_some_and(|line| {
                self.work.set(self.work.get() + line.len());
                same_key(line, want.text)
            })
    }
    /// Could the wanted line `n` be the file's line `at`, mistyped?
    fn slipped(&self, n: usize, at: usize) -> bool {
        let want = &self.wanted[n];
        !want.fixed
            && self.line(at).is_some_and(|line| {
                self.work.set(self.work.get() + line.len());
                is_slip(self.text, want.text, line)
            })
    }
    fn within_bounds(&self) -> Result<(), TooCommon> {
        if self.work.get() > MOST_WORK { Err(TooCommon) } else { Ok(()) }
    }
    /// How many of the wanted lines stand about where they would with the first at `start`, each in a line of its own.
    fn shared(&self, start: usize) -> usize {
        let (mut free, mut count) = (start, 0);
        for n in 0..self.wanted.len() {
            let mut near = (start + n).max(free)..=start + n + MOST_SKIPS;
            if let Some(at) = near.find(|at| self.equal(n, *at)) {
                (free, count) = (at + 1, count + 1);
            }
        }
        count
    }

    /// Lays the wanted lines over the file from `start` on, with as few slips and skipped lines as there can be.
    fn lay(&self, start: usize) -> Option<Fit> {
        // For each line and each number of file lines skipped so far the fewest slips (and of these the fewest lines that
        // differ in white space), and the skips before it.
        let mut steps: Vec<[Option<FitCost>; MOST_SKIPS + 1]> = Vec::with_capacity(self.wanted.len());
        let most = most_slips(self.wanted.len());
        for (n, want) in self.wanted.iter().enumerate() {
            let mut step: [Option<FitCost>; MOST_SKIPS + 1] = [None; MOST_SKIPS + 1];
            for (skips, best) in step.iter_mut().enumerate() {
                let at = start + n + skips;
                let cost = if self.equal(n, at) {
                    0
                } else if self.slipped(n, at) {
                    1
                } else {
                    continue;
                };
                let white = usize::from(self.line(at).is_none_or(|line| line != want.text));
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
        let sure = self.wanted.len() >= LEAST_TO_SKIP || self.wanted.iter().all(|want| want.text.contains(is_word));
        let most_skips = if sure { MOST_SKIPS } else { 0 };
        let mut skips = (0..=most_skips).filter(|skips| last[*skips].is_some()).min_by_key(|skips| last[*skips])?;
        let mut at = vec![0; steps.len()];
        for (n, step) in steps.iter().enumerate().rev() {
            at[n] = start + n + skips;
            skips = step[skips]?.1;
        }
        Some(at)
    }

    /// Where a fit takes lines out and puts lines in. Fits that differ in their context alone come to the same.
    fn touches(&self, hunk: &Hunk, fit: &Fit) -> Vec<usize> {
        let leads = self
            .wanted
            .first()
            .is_some_and(|want| hunk.lines.get(..want.at).unwrap_or_default().iter().any(|line| line.tag == Tag::Plus));
        let touched = |n: &usize| self.wanted[*n].fixed || self.adds(hunk, *n) || *n == 0 && leads;
        (0..self.wanted.len()).filter(touched).map(|n| fit[n]).collect()
    }

    /// Is it clear, at each place where the edit left out lines of the file, what happens to them? They stay; no line
    /// is added there but straight after one that goes, and the lines round them are not both removed.
    fn gaps_are_clear(&self, hunk: &Hunk, fit: &Fit) -> bool {
        (1..self.wanted.len()).all(|n| {
            let (above, below) = (fit[n - 1], fit[n]);
            if below == above + 1 {
                return true;
            }
            let (before, after) = (&self.wanted[n - 1], &self.wanted[n]);
            let clear = !(before.fixed && after.fixed) && (!self.adds(hunk, n - 1) || before.fixed);
            clear && !self.parts_equal_lines(hunk, n) && (above + 1..below).all(|at| self.no_matter(hunk, n, at))
        })
    }
    /// Do the wanted lines before and after the gap at `n` belong to a run of equal lines of which some go or have lines
    /// added to them? Which of them that is, two sides of an edit cannot say.
    fn parts_equal_lines(&self, hunk: &Hunk, n: usize) -> bool {
        let equal = |k: &usize| self.wanted[*k].look == self.wanted[n].look;
        let changes = |k: usize| self.wanted[k].fixed || self.adds(hunk, k);
        let above = (0..n).rev().take_while(equal);
        let below = (n..self.wanted.len()).take_while(equal);
        equal(&(n - 1)) && above.chain(below).any(changes)
    }
    /// Are lines added between the wanted line `n` and the next?
    fn adds(&self, hunk: &Hunk, n: usize) -> bool {
        let end = self.wanted.get(n + 1).map_or(hunk.lines.len(), |want| want.at);
        (self.wanted[n].at..end).any(|at| hunk.lines[at].tag == Tag::Plus)
    }
    /// The file's line `at`, left out before the wanted line `n`, could as well be one of its neighbours that are the
    /// same. Does it make no difference which of them it is?
    fn no_matter(&self, hunk: &Hunk, n: usize, at: usize) -> bool {
        let same = |k: &usize| Some(self.wanted[*k].look) == self.table.look(at);
        let above = (0..n).rev().take_while(same).all(|k| !self.wanted[k].fixed && (k == 0 || !self.adds(hunk, k - 1)));
        let below = (n..self.wanted.len()).take_while(same).all(|k| !self.wanted[k].fixed && !self.adds(hunk, k));
        above && below
    }
}
