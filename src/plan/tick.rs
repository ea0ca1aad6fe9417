//! Ticking the boxes of tasks that are done: nothing else of the document changes, byte for byte.

use crate::lld::bullet;
use crate::taskmaster::{self, is_json};
use std::collections::BTreeSet;
use std::ops::Range;

/// The text with the boxes on these lines ticked, counted from 1. A line without an open box stays as it is.
pub fn tick(text: &str, lines: &BTreeSet<usize>) -> String {
    let mut ticked = String::with_capacity(text.len());
    for (at, line) in text.split_inclusive('\n').enumerate() {
        match open_box(line).filter(|_| lines.contains(&(at + 1))) {
            Some(inside) => {
                ticked.push_str(&line[..inside.start]);
                ticked.push('x');
                ticked.push_str(&line[inside.end..]);
            }
            None => ticked.push_str(line),
        }
    }
    ticked
}

/// Is `later` the same list as `earlier`, of which some more boxes are ticked?
pub fn goes_on(earlier: &str, later: &str) -> bool {
    if is_json("", earlier) {
        let same = || taskmaster::untouched(earlier) == taskmaster::untouched(later);
        return taskmaster::done(later).is_superset(&taskmaster::done(earlier)) && same();
    }
    let mut lines = earlier.lines().zip(later.lines());
    let ticked = |before: &str, after: &str| {
        let Some(inside) = open_box(before) else { return false };
        let rest = after.strip_prefix(&before[..inside.start]).and_then(|rest| rest.strip_prefix(['x', 'X']));
        rest == Some(&before[inside.end..])
    };
    earlier.lines().count() == later.lines().count()
        && lines.all(|(before, after)| before == after || ticked(before, after))
}

/// What stands between the brackets of the open box (`[ ]`, `[]`, `[-]`) with which a list item or a heading begins.
fn open_box(line: &str) -> Option<Range<usize>> {
    let item = line.trim_start_matches('\u{feff}');
    let title = item.trim_start_matches('#').trim_start();
    let heading = item.starts_with('#') && title.starts_with("[ ]");
    if !heading && bullet(item)?.ticked != Some(false) {
        return None;
    }
    // Neither marks of lists nor those of headings have a bracket.
    let start = line.find('[')? + 1;
    Some(start..start + line.get(start..)?.find(']')?)
}

#[cfg(test)]
mod tests {
    use super::{goes_on, tick};

    #[test]
    fn a_list_goes_on_if_nothing_but_boxes_were_ticked() {
        let list = "- [ ] a\r\n- [x] b\n";
        assert!(goes_on(list, "- [x] a\n- [x] b\n") && goes_on(list, list));
        assert!(goes_on("- [-] a\n- [] b\n", "- [x] a\n- [X] b\n"));
        for other in ["- [ ] a\n- [ ] b\n", "- [x] a\n", "- [x] c\n- [x] b\n", "- [é] a\n- [x] b\n"] {
            assert!(!goes_on(list, other), "{other}");
        }
    }

    #[test]
    fn only_the_boxes_of_these_lines_are_ticked() {
        let text = "# T\r\n- [ ] T001 a [ ]\r\n* [ ]* 2.1 b\n  1. [ ] c\n- [x] d\n- [ ] e\n[ ] f\n- g [ ]";
        let lines = (1..=8).filter(|line| *line != 6).collect();
        assert_eq!(
            tick(text, &lines),
            "# T\r\n- [x] T001 a [ ]\r\n* [x]* 2.1 b\n  1. [x] c\n- [x] d\n- [ ] e\n[ ] f\n- g [ ]"
        );
        assert_eq!(tick(text, &Default::default()), text);
    }

    #[test]
    fn a_box_of_a_task_that_is_begun_and_one_of_a_heading_are_ticked_too() {
        let text = "\u{feff}- [-] a\n- [~] b\r\n• [] c\n### [ ] Task 1: d\n### Task 2: e [ ]\n- [link](x) f\n";
        assert_eq!(
            tick(text, &(1..=6).collect()),
            "\u{feff}- [x] a\n- [x] b\r\n• [x] c\n### [x] Task 1: d\n### Task 2: e [ ]\n- [link](x) f\n"
        );
    }
}
