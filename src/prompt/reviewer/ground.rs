//! What stands beside a diff: the definitions that it changes, as they were, and the places of other files that name them.

use super::super::{fenced, tag};
use crate::plan::estimate_tokens;
use crate::reviewer::Changed;
use crate::syntax::{self, Definition};
use std::collections::BTreeSet;

/// Of one file's places that name what has changed, as many are shown, with these lines before and after.
const PLACES: usize = 6;
const AROUND: usize = 2;
/// A definition of more lines is not shown whole in a prompt that is to be small.
const LONGEST: usize = 80;
/// Names that are shorter stand everywhere, for something else.
const SHORTEST: usize = 3;

/// Pieces of code, the most important first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ground {
    /// A heading and what stands below it.
    pieces: Vec<(&'static str, String)>,
}

const REPLACED: &str = "\n# What the change replaces, as it was\n";
const CALLERS: &str = "\n# Where other files name what is changed\n";

impl Ground {
    /// As many pieces as `room` tokens have place for.
    pub(super) fn within(&self, room: u64) -> String {
        let (mut out, mut left, mut last) = (String::new(), room, "");
        for (heading, piece) in &self.pieces {
            let size = estimate_tokens(piece) + estimate_tokens(heading);
            if size > left {
                break;
            }
            left -= size;
            if last != *heading {
                out.push_str(heading);
                last = heading;
            }
            out.push_str(piece);
        }
        out
    }
}

/// The definitions that `changed` changes or takes away, and where `others` (path and text of files of the repository) and
/// the changed files themselves name them.
pub fn ground(changed: &[Changed], others: &[(&str, &str)]) -> Ground {
    let mut pieces = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for file in changed {
        let (Some(base), path) = (file.base, file.from.unwrap_or(file.path)) else { continue };
        let lines = lines_of_base(base, file.text.unwrap_or_default());
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', base.as_bytes()).collect();
        let line_at = |byte: usize| 1 + ends.partition_point(|end| *end < byte);
        for definition in definitions(path, base) {
            let first = line_at(definition.range.start);
            let last = line_at(definition.range.end.saturating_sub(1));
            if !lines.range(first..=last).any(|_| true) {
                continue;
            }
            if definition.name.chars().count() >= SHORTEST {
                names.insert(definition.name.clone());
            }
            let text = base.get(definition.range.clone()).unwrap_or_default();
            if file.text.is_some() && last - first < LONGEST {
                pieces.push((REPLACED, format!("\n`{path}`, from line {first}:\n\n{}", fenced(text, tag(path)))));
            }
        }
    }
    let is_changed = |path: &str| changed.iter().any(|file| file.path == path || file.from == Some(path));
    for (path, text) in others.iter().filter(|(path, _)| !is_changed(path)) {
        if let Some(places) = places(text, &names) {
            pieces.push((CALLERS, format!("\n`{path}`:\n\n{}", fenced(&places, tag(path)))));
        }
    }
    Ground { pieces }
}

fn definitions(path: &str, text: &str) -> Vec<Definition> {
    let bodies = syntax::language(path).and_then(|language| language.bodies);
    let code = syntax::mask(path, text);
    bodies.zip(code).map(|(bodies, code)| syntax::definitions(bodies, text, &code)).unwrap_or_default()
}

/// The lines of the base that are gone or beside which something is new, from 1.
fn lines_of_base(base: &str, text: &str) -> BTreeSet<usize> {
    let diff = similar::TextDiff::from_lines(base, text);
    let changed = diff.ops().iter().filter(|op| op.tag() != similar::DiffTag::Equal);
    changed.flat_map(|op| op.old_range().start + 1..=op.old_range().end.max(op.old_range().start + 1)).collect()
}

/// The first places of `text` that hold one of `names` as a word, with the lines round them.
fn places(text: &str, names: &BTreeSet<String>) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let lines: Vec<&str> = text.lines().collect();
    let named = |line: &&str| line.split(|c| !is_word(c)).any(|word| names.contains(word));
    let found = lines.iter().enumerate().filter(|(_, line)| named(line)).map(|(at, _)| at).take(PLACES);
    let mut shown: BTreeSet<usize> = BTreeSet::new();
    for at in found {
        shown.extend(at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len()));
    }
    let (mut out, mut before) = (String::new(), None);
    for at in &shown {
        if before.is_some_and(|before: usize| before + 1 < *at) {
            out.push_str("…\n");
        }
        out.push_str(&format!("{}\n", lines.get(*at).copied().unwrap_or_default()));
        before = Some(*at);
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reviewer_is_shown_what_a_definition_was_and_who_calls_it() {
        let base = "def kept():\n    return 0\n\n\ndef mean(values):\n    return sum(values)\n";
        let text = base.replace("sum(values)", "sum(values) / len(values)");
        let changed = [Changed { path: "src/a.py", from: None, base: Some(base), text: Some(&text) }];
        let caller = "import a\n\n\n\nprint(a.mean([1]))\n";
        let ground =
            ground(&changed, &[("b.py", caller), ("c.py", "meander = 1\n"), ("src/a.py", base)]).within(10_000);
        assert!(
            ground.contains("`src/a.py`, from line 5:\n\n```py\ndef mean(values):\n    return sum(values)\n```\n"),
            "{ground}"
        );
        assert!(ground.contains("`b.py`:\n\n```py\n\n\nprint(a.mean([1]))\n```\n"), "{ground}");
        assert!(!ground.contains("kept") && !ground.contains("c.py"), "{ground}");
    }

    #[test]
    fn what_has_no_place_is_left_out_from_the_end() {
        let ground = Ground { pieces: vec![(REPLACED, "one\n".into()), (CALLERS, "word ".repeat(1_000))] };
        assert_eq!(ground.within(100), format!("{REPLACED}one\n"));
        assert_eq!(ground.within(1), "");
    }
}
