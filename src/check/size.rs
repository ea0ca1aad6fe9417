//! A whole-file reply that is much shorter than the file it replaces: most often half of it was forgotten. Whether it
//! was meant to shrink is for the design to say.

use super::{Base, Change, Check, Design, Settings, Verdict, Weight};
use crate::finding::Finding;

pub const CHECK: Check = Check {
    id: "size",
    allowable: true,
    design: Design::ById,
    weight: Weight::MODEL_ONLY,
    base: Base::Compares(|_| true),
    run,
};

/// Shorter files shrink for good reasons.
const MIN_BASE_LINES: usize = 100;

fn run(candidate: &Change, _: &Settings) -> Verdict {
    let (Some(base), true) = (candidate.base, candidate.whole) else { return Verdict::Pass };
    let (before, after) = (base.lines().count(), candidate.text.lines().count());
    if before < MIN_BASE_LINES || after * 2 >= before {
        return Verdict::Pass;
    }
    let message = format!("'{}' shrinks from {before} lines to {after}", candidate.path);
    let hint = "if that is meant, write 'allow: size' in the design's row, or use '--allow size'";
    Verdict::Fail(vec![Finding::error(CHECK.id, message).hint(hint)])
}
