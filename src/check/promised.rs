//! What a design says will be there: the functions and types of its signatures, somewhere in the tree that it leaves.
//!
//! Real designs name functions that exist already, and some that never come, so that it is a warning unless a project
//! says more. Of the whole change, not of one file: it is asked when all files are made.

use super::level::{self, Level};
use super::{Author, Settings};
use crate::finding::{Finding, allows};
use crate::lld::Lld;

/// What the ids of these findings begin with.
pub(super) const ID: &str = "signature";

/// A word for every name of the design's signatures that is in none of `texts`, and not `elsewhere` in the tree
/// either. Lines are lines of the design.
pub fn promised(
    lld: &Lld,
    texts: &[&str],
    mut elsewhere: impl FnMut(&str) -> bool,
    settings: &Settings,
) -> Vec<Finding> {
    debug_assert_eq!(settings.author, Author::Model, "nobody else carries out a design");
    let permitted = settings.allow.iter().chain(lld.files.iter().flat_map(|file| &file.allow));
    if permitted.into_iter().any(|allow| allows(allow, ID, None))
        || level::level(ID, Level::Warning, settings) == Level::Off
    {
        return Vec::new();
    }
    let mut findings: Vec<Finding> = Vec::new();
    for signature in &lld.signatures {
        let Some(name) = signature.id.as_deref() else { continue };
        if texts.iter().any(|text| has_word(text, name)) || elsewhere(name) {
            continue;
        }
        let message = format!("'{name}' is nowhere in the tree that the design leaves");
        let finding =
            Finding::error(ID, message).line(signature.line).hint("the design promises it among its signatures");
        findings.extend(level::apply(finding, Level::Warning, settings));
    }
    findings
}

/// Is `word` in `text`, and not as a part of a longer one?
fn has_word(text: &str, word: &str) -> bool {
    let in_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memmem::find_iter(text.as_bytes(), word).any(|at| {
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        !in_word(before) && !in_word(text.as_bytes().get(at + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Override;
    use crate::lld;

    const DESIGN: &str = "# 1 - X\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                          | `a.py` | Add | x |\n\n### 2.4 Function Signatures\n\n```python\ndef one(a):\n    ...\n\n\
                          def two():\n    ...\n\nclass Three:\n    ...\n```\n";

    fn found(settings: &Settings) -> Vec<(String, Option<usize>, bool)> {
        let lld = lld::parse("d.md", DESIGN);
        let findings =
            promised(&lld, &["def one(a): pass\n", "def twofold(): pass\n"], |name| name == "Three", settings);
        findings.into_iter().map(|f| (f.message.clone(), f.line, f.is_error())).collect()
    }

    #[test]
    fn a_signature_that_is_nowhere_is_a_warning_with_its_line_in_the_design() {
        let message = "'two' is nowhere in the tree that the design leaves".to_owned();
        assert_eq!(found(&Settings::default()), [(message.clone(), Some(14), false)]);
        let said = |text: &str| Settings { levels: vec![Override::parse(text).unwrap()], ..Settings::default() };
        assert_eq!(found(&said("signature=error")), [(message, Some(14), true)]);
        assert_eq!(found(&said("signature=off")), []);
        assert_eq!(found(&Settings { allow: vec![ID.into()], ..Settings::default() }), []);
    }
}
