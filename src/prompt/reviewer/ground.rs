//! What stands beside a diff: the definitions that it changes, as they were, what its lines call, and the places of other
//! files that name what is changed.

use super::super::{fenced, tag};
use super::touched::touched;
use crate::context::Excerpt;
use crate::plan::estimate_tokens;
use crate::reviewer::Changed;
use crate::syntax::DefinitionKind;

/// A definition of more lines is not shown whole in a prompt that is to be small; nor one that is called alone.
const LONGEST: usize = 80;
const LONGEST_TYPE: usize = 40;
const LONGEST_CALLED: usize = 40;
/// Of more names that are touched nobody looks for the rest.
const MOST_NAMES: usize = 200;

/// Pieces of code, the most important first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ground {
    /// A heading and what stands below it.
    pieces: Vec<(&'static str, String)>,
    /// What the definitions are called that the change touches.
    pub names: Vec<String>,
    /// What its lines call, those names left out.
    pub calls: Vec<String>,
}

const REPLACED: &str = "\n# What the change replaces, as it was\n";
const CALLERS: &str = "\n# Where other files name what is changed\n";
const CALLED: &str = "\n# What the change calls, as it was\n";

impl Ground {
    /// The definitions that `changed` changes, takes away or calls in the same file, as they were.
    pub fn of(changed: &[Changed]) -> Ground {
        let (mut ground, mut called) = (Ground::default(), Vec::new());
        for file in changed {
            let (base, path) = (file.base.unwrap_or_default(), file.from.unwrap_or(file.path));
            let touched = touched(file);
            let all: Vec<&str> = base.split_inclusive('\n').collect();
            let piece = |lines: &std::ops::Range<usize>| {
                let text = all.get(lines.clone()).unwrap_or_default().concat();
                format!("\n`{path}`, from line {}:\n\n{}", lines.start + 1, fenced(&text, tag(path)))
            };
            for definition in touched.definitions {
                let longest = if definition.kind == DefinitionKind::Type { LONGEST_TYPE } else { LONGEST };
                if file.text.is_some() && definition.lines.len() <= longest {
                    ground.pieces.push((REPLACED, piece(&definition.lines)));
                }
                add(&mut ground.names, definition.name);
            }
            let short = touched.called.iter().filter(|it| it.lines.len() <= LONGEST_CALLED);
            called.extend(short.map(|it| (CALLED, piece(&it.lines))));
            touched.calls.into_iter().for_each(|name| add(&mut ground.calls, name));
        }
        ground.calls.retain(|name| !ground.names.contains(name));
        ground.pieces.append(&mut called);
        ground
    }

    /// The same with places of other files that name what is changed, and those that declare what is called.
    pub fn with_others(mut self, callers: &[Excerpt], called: &[Excerpt]) -> Ground {
        let piece = |heading: &'static str| {
            move |Excerpt { path, reason, text, .. }: &Excerpt| {
                (heading, format!("\n`{path}`, which {reason}:\n\n{}", fenced(text, tag(path))))
            }
        };
        // What is called is of less use to a reviewer than who is surprised.
        let at = self.pieces.partition_point(|(heading, _)| *heading == REPLACED);
        self.pieces.splice(at..at, callers.iter().map(piece(CALLERS)));
        self.pieces.extend(called.iter().map(piece(CALLED)));
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

/// Adds a name that is not among them, as long as there is room.
fn add(names: &mut Vec<String>, name: String) {
    if names.len() < MOST_NAMES && !names.contains(&name) {
        names.push(name);
    }
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
        let ground = ground.with_others(&[caller], &[]).within(10_000);
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
        let ground = Ground { pieces, ..Ground::default() };
        assert_eq!(ground.within(100), format!("{REPLACED}one\n"));
        assert_eq!(ground.within(1), "");
    }

    #[test]
    fn a_file_of_very_many_definitions_costs_no_more_than_its_length() {
        let base: String = (0..20_000).map(|n| format!("def f{n}(x):\n    return g{n}(x)\n\n\n")).collect();
        let text = base.replace("(x)\n\n", "(x + 1)\n\n");
        let ground = Ground::of(&[Changed { path: "a.py", from: None, base: Some(&base), text: Some(&text) }]);
        assert_eq!((ground.names.len(), ground.calls.len()), (MOST_NAMES, MOST_NAMES));
    }
}
