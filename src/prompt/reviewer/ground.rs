//! What stands beside a diff: the definitions that it changes, as they were, and the places of other files that name them.

use super::super::{fenced, tag};
use crate::context::Excerpt;
use crate::plan::estimate_tokens;
use crate::reviewer::Changed;
use crate::syntax::{self, Definition};
use std::collections::BTreeSet;

/// A definition of more lines is not shown whole in a prompt that is to be small.
const LONGEST: usize = 80;
/// Of more names that are touched nobody looks for the rest.
const MOST_NAMES: usize = 200;

/// Pieces of code, the most important first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ground {
    /// A heading and what stands below it.
    pieces: Vec<(&'static str, String)>,
    /// What the definitions are called that the change touches.
    pub names: Vec<String>,
}

const REPLACED: &str = "\n# What the change replaces, as it was\n";
const CALLERS: &str = "\n# Where other files name what is changed\n";

impl Ground {
    /// The definitions that `changed` changes or takes away, as they were.
    pub fn of(changed: &[Changed]) -> Ground {
        let mut ground = Ground::default();
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
                if !ground.names.contains(&definition.name) && ground.names.len() < MOST_NAMES {
                    ground.names.push(definition.name.clone());
                }
                let text = base.get(definition.range.clone()).unwrap_or_default();
                if file.text.is_some() && last - first < LONGEST {
                    let piece = format!("\n`{path}`, from line {first}:\n\n{}", fenced(text, tag(path)));
                    ground.pieces.push((REPLACED, piece));
                }
            }
        }
        ground
    }

    /// The same with places of other files that name what is changed.
    pub fn with_callers(mut self, callers: &[Excerpt]) -> Ground {
        self.pieces.extend(callers.iter().map(|Excerpt { path, reason, text, .. }| {
            (CALLERS, format!("\n`{path}`, which {reason}:\n\n{}", fenced(text, tag(path))))
        }));
        self
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reviewer_is_shown_what_a_definition_was_and_who_calls_it() {
        let base = "def kept():\n    return 0\n\n\ndef mean(values):\n    return sum(values)\n";
        let text = base.replace("sum(values)", "sum(values) / len(values)");
        let changed = [Changed { path: "src/a.py", from: None, base: Some(base), text: Some(&text) }];
        let ground = Ground::of(&changed);
        assert_eq!(ground.names, ["mean"]);
        let caller = Excerpt {
            path: "b.py".to_owned(),
            lines: Vec::new(),
            of: 9,
            text: "⋮\nprint(a.mean([1]))\n".to_owned(),
            reason: "uses `mean`".to_owned(),
            notes: Vec::new(),
        };
        let ground = ground.with_callers(&[caller]).within(10_000);
        assert!(
            ground.contains("`src/a.py`, from line 5:\n\n```py\ndef mean(values):\n    return sum(values)\n```\n"),
            "{ground}"
        );
        assert!(ground.contains("`b.py`, which uses `mean`:\n\n```py\n⋮\nprint(a.mean([1]))\n```\n"), "{ground}");
        assert!(!ground.contains("kept"), "{ground}");
    }

    #[test]
    fn what_has_no_place_is_left_out_from_the_end() {
        let pieces = vec![(REPLACED, "one\n".into()), (CALLERS, "word ".repeat(1_000))];
        let ground = Ground { pieces, names: Vec::new() };
        assert_eq!(ground.within(100), format!("{REPLACED}one\n"));
        assert_eq!(ground.within(1), "");
    }
}
