//! The file holds nothing, where a file of that name should.

use super::{Base, Candidate, Check, Design, Settings, Verdict, Weight, kind};
use crate::finding::Finding;

pub const CHECK: Check = Check {
    id: "empty",
    allowable: true,
    design: Design::InWords(&["empty", "blank", "zero-byte", "zero-length", "placeholder", "truncated"]),
    weight: Weight::MODEL_ONLY,
    base: Base::Excuses,
    run,
};

fn run(candidate: &Candidate, _: &Settings) -> Verdict {
    let is_empty = |text: &str| text.chars().all(|c| c.is_whitespace() || c == '\u{feff}');
    if !is_empty(candidate.text) || kind::is_marker(candidate.path) || candidate.base.is_some_and(is_empty) {
        return Verdict::Pass;
    }
    let finding = Finding::error(CHECK.id, format!("'{}' is empty", candidate.path))
        .hint("if it is meant to be, say so in the design's row or with '--allow empty'");
    Verdict::Fail(vec![finding])
}
