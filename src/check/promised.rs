//! What a design says will be there, somewhere in the tree that it leaves: the functions and types of its signatures, and
//! the constants and strings that it lists.
//!
//! Real designs name functions that exist already, and some that never come, so that these are warnings unless a project
//! says more. They are about the whole change, not one file: it is asked when all files are made.

use super::settle::{Terms, matters, settle};
use super::{Candidate, Change, Settings};
use crate::finding::Finding;
use crate::lld::Lld;
use aho_corasick::AhoCorasick;
use std::collections::BTreeSet;

/// What the ids of these findings begin with.
pub(super) const IDS: [&str; 2] = [SIGNATURE.id, LITERAL.id];
const SIGNATURE: Terms = Terms::warning("signature");
const LITERAL: Terms = Terms::warning("literal");

/// Something that must be in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise<'a> {
    /// A whole word.
    Name(&'a str),
    /// These characters.
    Literal(&'a str),
}

/// Looks for promises in one text after another.
pub struct Search<'a> {
    open: Vec<Promise<'a>>,
    /// Any of them, as characters.
    any: Option<AhoCorasick>,
}

impl<'a> Search<'a> {
    fn new(open: Vec<Promise<'a>>) -> Search<'a> {
        // Without it each promise is looked for by itself, which only takes longer.
        let any = AhoCorasick::new(open.iter().map(|promise| promise.text())).ok();
        Search { open, any }
    }

    /// Looks into one more text. True: nothing is open any more.
    pub fn look(&mut self, text: &[u8]) -> bool {
        if self.any.as_ref().is_none_or(|any| any.is_match(text)) {
            let mut open = std::mem::take(&mut self.open);
            let before = open.len();
            open.retain(|promise| !promise.is_in(text));
            match open.len() < before {
                true => *self = Search::new(open),
                false => self.open = open,
            }
        }
        self.open.is_empty()
    }
}

/// A word for every promise of the design that is kept by none of `texts`, the files that it made, and not elsewhere
/// in the tree either, where `search` looks; it returns why it could not, and then nothing is said to be missing. `text`
/// is the design's; lines are its lines.
pub fn promised(
    (lld, text): (&Lld, &str),
    texts: &[&str],
    search: impl FnOnce(&mut Search) -> Result<(), String>,
    settings: &Settings,
) -> Vec<Finding> {
    // What any row permits, the design permits.
    let row_allow: Vec<String> = lld.files.iter().flat_map(|file| file.allow.iter().cloned()).collect();
    let candidate = Candidate { text, row_allow: &row_allow, ..Candidate::default() };
    let change = Change::of(&candidate);
    let wanted: Vec<Terms> =
        [SIGNATURE, LITERAL].into_iter().filter(|terms| matters(terms, &change, settings)).collect();
    let signatures =
        lld.signatures.iter().filter_map(|item| Some((SIGNATURE.id, Promise::Name(item.id.as_deref()?), item.line)));
    let all = signatures.chain(listed(lld, text).into_iter().map(|(promise, line)| (LITERAL.id, promise, line)));
    let mut seen = BTreeSet::new();
    let unkept: Vec<(&str, Promise, usize)> = all
        .filter(|(id, ..)| wanted.iter().any(|terms| terms.id == *id))
        .filter(|(_, promise, _)| seen.insert(*promise))
        .filter(|(_, promise, _)| !texts.iter().any(|text| promise.is_in(text.as_bytes())))
        .collect();
    if unkept.is_empty() {
        return Vec::new();
    }
    let mut open = Search::new(unkept.iter().map(|(_, promise, _)| *promise).collect());
    if let Err(why) = search(&mut open) {
        let message = format!("cannot tell whether what the design promises is in the tree: {why}");
        return vec![Finding::warning(SIGNATURE.id, message)];
    }
    let finding = |(id, promise, line): &(&'static str, Promise, usize)| {
        let message = format!("'{}' is nowhere in the tree that the design leaves", promise.text());
        Finding::error(*id, message).line(*line).hint("the design says that it will be there")
    };
    let of = |terms: Terms| {
        let missing = unkept.iter().filter(|(id, promise, _)| *id == terms.id && open.open.contains(promise));
        (terms, missing.map(finding).collect())
    };
    settle(wanted.into_iter().map(of).collect(), &change, settings).findings
}

impl<'a> Promise<'a> {
    fn text(self) -> &'a str {
        let (Promise::Name(text) | Promise::Literal(text)) = self;
        text
    }

    fn is_in(self, text: &[u8]) -> bool {
        match self {
            Promise::Literal(literal) => memchr::memmem::find(text, literal.as_bytes()).is_some(),
            Promise::Name(name) => memchr::memmem::find_iter(text, name).any(|at| {
                let before = at.checked_sub(1).and_then(|at| text.get(at));
                !is_word(before) && !is_word(text.get(at + name.len()))
            }),
        }
    }
}

fn is_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// The names and strings in the sections that list such things, with their lines.
fn listed<'a>(lld: &Lld, text: &'a str) -> Vec<(Promise<'a>, usize)> {
    let lists = |title: &str| {
        ["constants", "literal", "error messages", "exact messages"].iter().any(|word| title.contains(word))
    };
    let sections: Vec<_> = lld.sections.iter().filter(|section| lists(&section.title)).collect();
    let inside = |line: usize| sections.iter().any(|section| section.line < line && line <= section.end);
    let mut found = Vec::new();
    let mut fenced = false;
    for (line, content) in
        text.lines().enumerate().map(|(at, content)| (at + 1, content)).filter(|(line, _)| inside(*line))
    {
        if content.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        // In prose only what is marked as code is meant to the letter.
        let code: Vec<&str> = if fenced { vec![content] } else { content.split('`').skip(1).step_by(2).collect() };
        for code in code {
            let name = !fenced && content.trim_start().starts_with('|') && is_constant(code);
            found.extend(name.then_some((Promise::Name(code), line)));
            let quoted =
                code.split('"').skip(1).step_by(2).filter(|text| text.len() >= 4 && !text.contains(['{', '\\', '%']));
            found.extend(quoted.map(|text| (Promise::Literal(text), line)));
        }
    }
    found
}

/// `MAX_SIZE`
fn is_constant(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    text.len() >= 4 && text.bytes().all(plain) && text.starts_with(|c: char| c.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Override;
    use crate::lld;

    const DESIGN: &str = "# 1 - X\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                          | `a.py` | Add | x |\n\n### 2.4 Function Signatures\n\n```python\ndef one(a):\n    ...\n\n\
                          def two():\n    ...\n\nclass Three:\n    ...\n```\n\n## 6. Constants\n\n\
                          | Constant | Value |\n|---|---|\n| `MAX_SIZE` | `50` |\n| `LABEL` | `\"so and so\"` |\n";

    /// Id, line and whether it is an error.
    fn found(settings: &Settings) -> Vec<(String, Option<usize>, bool)> {
        let lld = lld::parse("d.md", DESIGN);
        let texts = ["def one(a): pass\n", "def twofold(): pass\nMAX_SIZES = 1\n"];
        let elsewhere = |search: &mut Search| {
            assert!(!search.look(b"class Three: pass") && !search.look(b"LABEL=1 MAX_SIZES=2"));
            Ok(())
        };
        let findings = promised((&lld, DESIGN), &texts, elsewhere, settings);
        findings.into_iter().map(|finding| (finding.id.to_string(), finding.line, finding.is_error())).collect()
    }

    #[test]
    fn a_tree_that_cannot_be_read_says_nothing_of_what_is_missing() {
        let lld = lld::parse("d.md", DESIGN);
        let findings = promised((&lld, DESIGN), &[], |_| Err("no disk".into()), &Settings::default());
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert!(!finding.is_error() && finding.message.ends_with("promises is in the tree: no disk"), "{finding:?}");
    }

    #[test]
    fn what_a_design_promises_and_nothing_keeps_is_a_warning_with_its_line() {
        let expected = |error: bool| {
            [("signature", 15, error), ("literal", 26, false), ("literal", 27, false)]
                .map(|(id, line, error)| (id.to_owned(), Some(line), error))
        };
        assert_eq!(found(&Settings::default()), expected(false));
        let said = |text: &str| Settings { levels: vec![Override::parse(text).unwrap()], ..Settings::default() };
        assert_eq!(found(&said("signature=error")), expected(true));
        assert_eq!(found(&said("literal=off")), expected(false)[..1]);
        assert_eq!(found(&Settings { allow: vec!["signature".into()], ..Settings::default() }), expected(false)[1..]);
    }
}
