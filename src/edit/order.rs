//! Which of several places the hunks of a diff mean, by what a diff says as a whole: its hunks come in the order of the
//! file, and their headers say at which lines they begin.
//!
//! Order is what a diff is made of; numbers are what models get wrong. So a number only ever confirms: it chooses where all
//! others of the reply are right to the line, and is listened to where it contradicts. Knows no texts.

/// The numbers of a hunk's header: `@@ -old,old_lines +new,new_lines @@`. Lines are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub old: usize,
    pub old_lines: usize,
    pub new: usize,
    pub new_lines: usize,
}

impl Numbers {
    /// From the line that begins a hunk; `None` if it does not have all of them.
    pub fn read(line: &str) -> Option<Numbers> {
        let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
        let new = rest.split(' ').next()?;
        let range = |range: &str| match range.split_once(',') {
            None => Some((range.parse().ok()?, 1)),
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        };
        let ((old, old_lines), (new, new_lines)) = (range(old)?, range(new)?);
        Some(Numbers { old, old_lines, new, new_lines })
    }
}

/// A hunk of the reply.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The lines, from 1, at which it could begin; upwards.
    pub lines: Vec<usize>,
    pub numbers: Option<Numbers>,
    /// It has as many lines as its header says.
    pub counted: bool,
}

impl Candidate {
    /// Which of its places begins at the very line that the header names.
    fn named(&self) -> Option<usize> {
        let old = self.numbers?.old;
        self.lines.iter().position(|line| *line == old)
    }
}

/// For each hunk the one of its places that is left; `None` if something is left open or contradicts.
pub(super) fn settle(hunks: &[Candidate]) -> Option<Vec<usize>> {
    let numbers: Vec<usize> = hunks.iter().filter_map(|hunk| Some(hunk.numbers?.old)).collect();
    if hunks.len() < 2 || !numbers.is_sorted_by(|a, b| a < b) {
        return None;
    }
    let (first, last) = (earliest(hunks)?, latest(hunks)?);
    let all_named = || hunks.iter().all(|hunk| hunk.named().is_some());
    let sure = |n: usize| first[n] == last[n];
    let mut chosen = Vec::with_capacity(hunks.len());
    for (n, hunk) in hunks.iter().enumerate() {
        let place = if sure(n) {
            first[n]
        } else if all_named() && ((0..hunks.len()).any(sure) || is_computed(hunks)) {
            hunk.named()?
        } else {
            return None;
        };
        // A number that names another of its places contradicts.
        if hunk.named().is_some_and(|named| named != place) {
            return None;
        }
        chosen.push(place);
    }
    Some(chosen)
}

/// The first place of each that is behind that of the hunk before it.
fn earliest(hunks: &[Candidate]) -> Option<Vec<usize>> {
    let mut before = 0;
    let mut place = |hunk: &Candidate| {
        let place = hunk.lines.iter().position(|line| *line > before)?;
        before = hunk.lines[place];
        Some(place)
    };
    hunks.iter().map(&mut place).collect()
}

/// The last place of each that is before that of the hunk behind it.
fn latest(hunks: &[Candidate]) -> Option<Vec<usize>> {
    let mut behind = usize::MAX;
    let mut place = |hunk: &Candidate| {
        let place = hunk.lines.iter().rposition(|line| *line < behind)?;
        behind = hunk.lines[place];
        Some(place)
    };
    let mut places: Vec<usize> = hunks.iter().rev().map(&mut place).collect::<Option<_>>()?;
    places.reverse();
    Some(places)
}

/// Does every header fit its hunk and all the hunks before it, as a program writes them and nobody who guesses?
fn is_computed(hunks: &[Candidate]) -> bool {
    let mut shift = 0_i128;
    hunks.iter().all(|hunk| {
        hunk.numbers.filter(|_| hunk.counted).is_some_and(|numbers| {
            let wide = |number: usize| i128::try_from(number).unwrap_or_default();
            let right = wide(numbers.new) - wide(numbers.old) == shift;
            shift += wide(numbers.new_lines) - wide(numbers.old_lines);
            right
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(lines: &[usize]) -> Candidate {
        Candidate { lines: lines.to_vec(), numbers: None, counted: false }
    }
    fn named(lines: &[usize], header: &str) -> Candidate {
        let numbers = Some(Numbers::read(header).unwrap());
        Candidate { lines: lines.to_vec(), numbers, counted: true }
    }

    #[test]
    fn numbers_are_read_where_both_sides_have_them() {
        let read = |line| Numbers::read(line).map(|n| (n.old, n.old_lines, n.new, n.new_lines));
        assert_eq!(read("@@ -3,4 +5,6 @@ def f():"), Some((3, 4, 5, 6)));
        assert_eq!(read("@@ -3 +5 @@"), Some((3, 1, 5, 1)));
        for line in ["@@ ... @@", "@@", "@@ -3 @@", "@@ -x,1 +1 @@", "@@ -3,y +1 @@", "@@ -1,1 + @@"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn order_settles_what_it_leaves_one_place_for() {
        assert_eq!(settle(&[bare(&[10]), bare(&[5, 50])]), Some(vec![0, 1]));
        assert_eq!(settle(&[bare(&[5, 50]), bare(&[10])]), Some(vec![0, 0]));
        assert_eq!(settle(&[bare(&[1, 2, 3]), bare(&[1, 2, 3]), bare(&[1, 2, 3])]), Some(vec![0, 1, 2]));
        // Two of three, or one alone, could be any.
        assert_eq!(settle(&[bare(&[1, 2, 3]), bare(&[1, 2, 3])]), None);
        assert_eq!(settle(&[bare(&[1, 2])]), None);
        assert_eq!(settle(&[bare(&[10]), bare(&[5, 50, 60])]), None);
        // Where the hunks are not in order, there is nothing to go by.
        assert_eq!(settle(&[bare(&[90]), bare(&[10]), bare(&[5, 50])]), None);
        assert_eq!(settle(&[bare(&[90]), bare(&[5, 50])]), None);
    }

    #[test]
    fn a_number_that_contradicts_the_order_leaves_it_open() {
        let first = || named(&[10], "@@ -10 +10 @@");
        assert_eq!(settle(&[first(), named(&[5, 50], "@@ -50 +50 @@")]), Some(vec![0, 1]));
        assert_eq!(settle(&[first(), named(&[5, 50], "@@ -47 +47 @@")]), Some(vec![0, 1]));
        assert_eq!(settle(&[first(), named(&[5, 50], "@@ -5 +5 @@")]), None);
        assert_eq!(settle(&[named(&[10], "@@ -3 +3 @@"), named(&[5, 50], "@@ -5 +5 @@")]), None);
    }

    #[test]
    fn numbers_choose_only_where_all_others_are_right_to_the_line() {
        let two = |other: Candidate| settle(&[named(&[10], "@@ -10 +10 @@"), other]);
        assert_eq!(two(named(&[20, 40, 60], "@@ -40 +40 @@")), Some(vec![0, 1]));
        assert_eq!(two(named(&[20, 40, 60], "@@ -41 +41 @@")), None);
        assert_eq!(two(bare(&[20, 40, 60])), None);
        assert_eq!(settle(&[named(&[10], "@@ -11 +11 @@"), named(&[20, 40, 60], "@@ -40 +40 @@")]), None);
        assert_eq!(settle(&[bare(&[10]), named(&[20, 40, 60], "@@ -40 +40 @@")]), None);
    }

    #[test]
    fn without_any_hunk_that_is_sure_the_headers_must_fit_each_other() {
        let places = [10, 20, 30, 40];
        let two = |a: &str, b: &str| settle(&[named(&places, a), named(&places, b)]);
        assert_eq!(two("@@ -10,3 +10,4 @@", "@@ -30,3 +31,3 @@"), Some(vec![0, 2]));
        // The second begins a line later afterwards, which nobody has added up.
        assert_eq!(two("@@ -10,3 +10,4 @@", "@@ -30,3 +30,3 @@"), None);
        let mut guessed = [named(&places, "@@ -10,3 +10,3 @@"), named(&places, "@@ -30,3 +30,3 @@")];
        assert_eq!(settle(&guessed), Some(vec![0, 2]));
        guessed[0].counted = false;
        assert_eq!(settle(&guessed), None);
    }
}
