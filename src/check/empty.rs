//! The file holds nothing, where a file of that name should.

use super::{Author, Base, Change, Check, Design, Settings, Verdict, Weight, kind, permit};
use crate::finding::Finding;

pub const CHECK: Check = Check {
    id: "empty",
    allowable: true,
    design: Design::InWords(&["empty", "blank", "zero-byte", "zero-length", "placeholder", "truncated"]),
    weight: Weight::MODEL_ONLY,
    base: Base::Excuses,
    run,
};

fn run(candidate: &Change, settings: &Settings) -> Verdict {
    let is_empty = |text: &str| text.chars().all(|c| c.is_whitespace() || c == '\u{feff}');
    if !is_empty(candidate.text) || kind::is_marker(candidate.path) || candidate.base.is_some_and(is_empty) {
        return Verdict::Pass;
    }
    let hint = match settings.author {
        Author::Model => "if it is meant to be, say so in the design's row or with '--allow empty'".to_owned(),
        Author::Anyone => permit::how(CHECK.id, candidate, settings),
    };
    Verdict::Fail(vec![Finding::error(CHECK.id, format!("'{}' is empty", candidate.path)).hint(hint)])
}
