//! Ticking the boxes of tasks that are done: nothing else of the document changes, byte for byte.

use std::collections::BTreeSet;

/// The text with the boxes on these lines ticked, counted from 1. A line without an open box stays as it is.
pub fn tick(text: &str, lines: &BTreeSet<usize>) -> String {
    let mut ticked = String::with_capacity(text.len());
    for (at, line) in text.split_inclusive('\n').enumerate() {
        match open_box(line).filter(|_| lines.contains(&(at + 1))) {
            Some(space) => {
                ticked.push_str(&line[..space]);
                ticked.push('x');
                ticked.push_str(&line[space + 1..]);
            }
            None => ticked.push_str(line),
        }
    }
    ticked
}

/// Is `later` the same list as `earlier`, of which some more boxes are ticked?
pub fn goes_on(earlier: &str, later: &str) -> bool {
    let mut lines = earlier.lines().zip(later.lines());
    earlier.lines().count() == later.lines().count()
        && lines.all(|(before, after)| {
            let open =
                open_box(before).filter(|open| after.get(*open..open + 1).is_some_and(|tick| "xX".contains(tick)));
            before == after
                || open.is_some_and(|open| before[..open] == after[..open] && before[open + 1..] == after[open + 1..])
        })
}

/// Where the blank of the `[ ]` is with which a list item begins.
fn open_box(line: &str) -> Option<usize> {
    let item = line.trim_start_matches(['\u{feff}', ' ', '\t', '>']);
    let mark = item.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = mark.strip_prefix(['-', '*', '+', '.', ')'])?;
    let numbered = mark.len() < item.len();
    let list = numbered == mark.starts_with(['.', ')']);
    let open = text.trim_start_matches([' ', '\t']);
    (list && open.len() < text.len() && open.starts_with("[ ]")).then(|| line.len() - open.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::{goes_on, tick};

    #[test]
    fn a_list_goes_on_if_nothing_but_boxes_were_ticked() {
        let list = "- [ ] a\r\n- [x] b\n";
        assert!(goes_on(list, "- [x] a\n- [x] b\n") && goes_on(list, list));
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
}
