//! Lines found again among others: a pure comparison. Only a run of lines that is found in the same order counts, and only
//! if enough of it is said nowhere else: `}` proves nothing.

use std::collections::{HashMap, HashSet};

/// A line with fewer letters and digits than this may stand anywhere.
const TELLING: usize = 6;
/// One line alone must have as many.
const TELLING_ALONE: usize = 20;
/// A line that stands in more places is no clue.
const MOST_PLACES: usize = 16;

fn letters(line: &str) -> usize {
    line.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Do these lines say enough to be known again?
pub(super) fn proves(lines: &[&str]) -> bool {
    let telling: HashSet<&str> = lines.iter().map(|line| line.trim()).filter(|line| letters(line) >= TELLING).collect();
    telling.len() >= 2 || telling.iter().any(|line| letters(line) >= TELLING_ALONE)
}

/// Of `lines`, which have numbers, those that stand in `made` where it is `added`, each with how much the run of lines says
/// in which it was found, and where it stands there, counted from 0.
pub(super) fn alike(lines: &[(usize, String)], made: &[&str], added: &[bool]) -> HashMap<usize, (usize, usize)> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in made.iter().enumerate() {
        if added.get(at) == Some(&true) && letters(line) >= TELLING {
            places.entry(line).or_default().push(at);
        }
    }
    let mut found: HashMap<usize, (usize, usize)> = HashMap::new();
    // Beginnings of runs that were looked at: in the lines, and in what was made.
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    // By how much the two are apart, up to which line it has been looked at.
    let mut reached: HashMap<isize, usize> = HashMap::new();
    for (at, (_, line)) in lines.iter().enumerate() {
        let Some(there) = places.get(line.as_str()).filter(|there| there.len() <= MOST_PLACES) else { continue };
        for &place in there {
            let apart = place.cast_signed() - at.cast_signed();
            if reached.get(&apart).is_some_and(|end| at < *end) {
                continue;
            }
            let same = |at: usize, place: usize| {
                lines.get(at).is_some_and(|(_, line)| made.get(place) == Some(&line.as_str()))
                    && added.get(place) == Some(&true)
            };
            let follows = |at: usize| match (at.checked_sub(1).and_then(|before| lines.get(before)), lines.get(at)) {
                (Some((before, _)), Some((number, _))) => before + 1 == *number,
                _ => false,
            };
            let (mut from, mut start) = (at, place);
            while from > 0 && start > 0 && follows(from) && same(from - 1, start - 1) {
                (from, start) = (from - 1, start - 1);
            }
            let mut end = at + 1;
            while follows(end) && same(end, place + (end - at)) {
                end += 1;
            }
            reached.insert(apart, end);
            if !seen.insert((from, start)) {
                continue;
            }
            let run: Vec<&str> = lines.iter().take(end).skip(from).map(|(_, line)| line.as_str()).collect();
            let alone = run.iter().filter(|line| letters(line) >= TELLING).count() == 1;
            if !proves(&run) || alone && there.len() > 1 {
                continue;
            }
            let says: usize = run.iter().map(|line| letters(line)).sum();
            for ((number, _), place) in lines.iter().take(end).skip(from).zip(start..) {
                let best = found.entry(*number).or_insert((says, place));
                if says > best.0 {
                    *best = (says, place);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &[(usize, &str)], made: &[&str], added: &[bool]) -> Vec<usize> {
        let lines: Vec<(usize, String)> = lines.iter().map(|(number, line)| (*number, (*line).to_owned())).collect();
        let mut found: Vec<usize> = alike(&lines, made, added).into_keys().collect();
        found.sort_unstable();
        found
    }

    const MADE: &[&str] = &["fn first_value() {", "    compute_all(3)", "}", "}", "let x = 1;"];

    #[test]
    fn a_brace_counts_in_a_run_of_lines_that_says_enough_and_nowhere_else() {
        let all = [true; 5];
        assert_eq!(found(&[(7, MADE[0]), (8, MADE[1]), (9, "}")], MADE, &all), [7, 8, 9]);
        assert_eq!(found(&[(9, "}")], MADE, &all), Vec::<usize>::new());
        assert_eq!(found(&[(9, "let x = 1;")], MADE, &all), Vec::<usize>::new(), "six letters alone");
        // The brace stands elsewhere.
        assert_eq!(found(&[(7, MADE[0]), (8, MADE[1]), (20, "}")], MADE, &all), [7, 8]);
    }

    #[test]
    fn what_the_run_has_not_added_proves_nothing() {
        assert_eq!(found(&[(1, MADE[0]), (2, MADE[1])], MADE, &[false; 5]), Vec::<usize>::new());
        assert_eq!(found(&[(1, MADE[0]), (2, MADE[1])], MADE, &[true, false, true, true, true]), Vec::<usize>::new());
    }

    #[test]
    fn a_line_of_its_own_must_say_much_and_stand_in_one_place() {
        let long = "let everything = compute_all_of_it(3);";
        assert_eq!(found(&[(4, long)], &[long], &[true]), [4]);
        assert_eq!(found(&[(4, long)], &[long, "x", long], &[true; 3]), Vec::<usize>::new());
    }
}
