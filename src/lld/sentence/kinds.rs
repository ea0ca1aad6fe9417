//! What a path is by its name: a test, a document of the feature itself.

use crate::lld::vocabulary::has;

/// Is the path one of a test?
pub(crate) fn is_test(path: &str) -> bool {
    let path = path.to_lowercase();
    path.contains("test")
        || path.contains(".spec.")
        || path.contains("_spec.")
        || path.starts_with("spec/")
        || path.contains("/spec/")
        || path.contains("e2e")
}

/// A document of the feature itself: what tasks refer to more often than they write it.
pub(in crate::lld) fn is_paper(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let under = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let specs = path.starts_with("specs/") || path.starts_with(".kiro/specs/") || path.starts_with("openspec/changes/");
    (has("paper", name) && !is_test(path))
        || under("contracts")
        || under("checklists")
        || (specs && path.contains("/contracts/"))
}
