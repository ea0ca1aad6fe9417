//! Who may permit which finding. The command line may permit anything that is permitted at all; a design only what
//! it is trusted with.

use super::Options;
use crate::finding::allows;
use crate::lld::FileSpec;

/// What a design's row may permit. Not in it, on purpose: fences, omissions, reports, conflict markers, secrets,
/// hidden characters, `protected`, `ignored` and everything else about the scope of the plan.
pub(super) const BY_DESIGN: &[&str] =
    &["empty", "literal", "lock", "overwrite", "short", "signature", "size", "stub", "syntax", "test", "weakened"];

/// May a design's row permit `id`? An id stands for the ids under it, and for its own plural.
pub(super) fn by_design(id: &str) -> bool {
    BY_DESIGN.iter().any(|&may| allows(may, id, None) || id.strip_suffix('s').is_some_and(|id| allows(may, id, None)))
}

pub(super) fn permits(spec: &FileSpec, options: &Options, id: &str) -> bool {
    let path = Some(spec.path.as_str());
    let design = spec.allow.iter().filter(|a| by_design(bare(a))).any(|a| allows(a, id, path));
    design || options.allow.iter().any(|a| a.covers(id, path))
}

/// The ids that are permitted at a row's path, by the row and then by the command line, each once.
pub(super) fn permitted(spec: &FileSpec, options: &Options) -> Vec<String> {
    let design = spec.allow.iter().map(String::as_str).filter(|a| by_design(bare(a)));
    let mut ids: Vec<String> = Vec::new();
    for allowed in design.chain(options.allow.iter().map(|permission| permission.what.as_str())) {
        let here = allowed.split_once(':').is_none_or(|(_, place)| place == spec.path.as_str());
        if here && !ids.iter().any(|id| id == bare(allowed)) {
            ids.push(bare(allowed).to_owned());
        }
    }
    ids
}

/// `size` of `size:src/a.py`.
pub(super) fn bare(allowed: &str) -> &str {
    allowed.split_once(':').map_or(allowed, |(id, _)| id)
}
