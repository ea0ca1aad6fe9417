//! The gate `syntax`: a file must parse, unless its base does not parse either.

use super::{Author, Base, Change, Check, Design, Settings, Verdict, Weight, lines};
use crate::finding::Finding;
use crate::syntax::{self, Parsed, Trust};

pub const CHECK: Check = Check {
    id: "syntax",
    allowable: true,
    design: Design::InWords(&[
        "bad",
        "broken",
        "corrupt",
        "corrupted",
        "garbage",
        "garbled",
        "incomplete",
        "invalid",
        "malformed",
        "truncated",
        "unparsable",
        "unparseable",
        "syntax-error",
        "ill-formed",
        "non-parsable",
        "unterminated",
    ]),
    weight: Weight::ALWAYS,
    base: Base::Excuses,
    run,
};

/// One slip makes many errors: the first ones tell.
const MAX_FINDINGS: usize = 3;

/// What the parsers say of texts that are to be judged, given with their paths; nothing where the gate is off.
pub(super) fn ahead(texts: &[(&str, &str)], settings: &Settings) -> Vec<Option<Parsed>> {
    match super::running(settings).any(|check| check.id == CHECK.id) {
        true if texts.iter().any(|(path, _)| settings.exclude.has(path)) => texts
            .iter()
            .map(|text| if settings.exclude.has(text.0) { None } else { syntax::parse_all(&[*text]).pop()? })
            .collect(),
        true => syntax::parse_all(texts),
        false => vec![None; texts.len()],
    }
}

fn run(candidate: &Change, settings: &Settings) -> Verdict {
    let Some(language) = syntax::language_of(candidate.path, candidate.text) else { return Verdict::Pass };
    let Some(syntax::Parser { trust, .. }) = language.parser else { return Verdict::Pass };
    // An empty file is judged by `empty`, which knows where it is right.
    if candidate.text.trim().is_empty() {
        return Verdict::Pass;
    }
    let parsed = candidate.parsed.cloned().or_else(|| syntax::parse(candidate.path, candidate.text));
    let errors = match parsed {
        None | Some(Parsed::Clean | Parsed::NotApplicable(_)) => return Verdict::Pass,
        Some(Parsed::Unknown(reason)) if trust == Trust::Error => return Verdict::CouldNotRun(reason),
        // What would only warn refuses nothing where it cannot judge.
        Some(Parsed::Unknown(reason)) => {
            let message = format!("cannot judge '{}': {reason}", candidate.path);
            return Verdict::Fail(vec![Finding::warning(format!("{}-{}", CHECK.id, language.name), message)]);
        }
        Some(Parsed::Broken(errors)) => errors,
    };
    // Asked only now: nearly every text parses, and then its base does not matter.
    let was_broken = candidate
        .base
        .filter(|base| !base.trim().is_empty())
        .is_some_and(|base| matches!(syntax::parse(candidate.path, base), Some(Parsed::Broken(_))));
    let id = format!("{}-{}", CHECK.id, language.name);
    // What was never right by a parser that is often wrong says nothing of this change.
    if was_broken && trust != Trust::Error {
        return Verdict::Pass;
    }
    let finding = |error: syntax::SyntaxError| {
        let message = format!("'{}' does not parse: {}", candidate.path, lines::quote(&error.message));
        let line =
            candidate.text.lines().nth(error.line.saturating_sub(1)).map(lines::quote).filter(|line| !line.is_empty());
        if was_broken {
            return Finding::warning(id.clone(), message).line(error.line).hint("the base does not parse either");
        }
        if let Trust::Warning(reason) = trust {
            return Finding::warning(id.clone(), message).line(error.line).hint(format!("it may be right: {reason}"));
        }
        let finding = Finding::error(id.clone(), message).line(error.line);
        // People are shown the line itself.
        let line = line.filter(|_| settings.author == Author::Model);
        line.map_or(finding.clone(), |line| finding.hint(format!("the line reads '{line}'")))
    };
    Verdict::Fail(errors.into_iter().take(MAX_FINDINGS).map(finding).collect())
}
