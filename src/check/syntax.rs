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
    let (errors, lenient) = match parsed {
        None | Some(Parsed::Clean | Parsed::NotApplicable(_)) => return Verdict::Pass,
        Some(Parsed::Unknown(reason)) if trust == Trust::Error => return Verdict::CouldNotRun(reason),
        // What would only warn refuses nothing where it cannot judge.
        Some(Parsed::Unknown(reason)) => {
            let message = format!("cannot judge '{}': {reason}", candidate.path);
            return Verdict::Fail(vec![Finding::warning(format!("{}-{}", CHECK.id, language.name), message)]);
        }
        Some(Parsed::Broken(errors)) => (errors, false),
        Some(Parsed::Lenient(errors)) => (errors, true),
    };
    // One slip makes many errors: the first one tells.
    let Some(error) = errors.into_iter().next() else { return Verdict::Pass };
    // Asked only now: nearly every text parses, and then its base does not matter.
    let base = candidate.base.filter(|base| !base.trim().is_empty());
    let before = base.and_then(|base| syntax::parse(candidate.path, base));
    let message = format!("'{}' does not parse: {}", candidate.path, lines::quote(&error.message));
    let id = format!("{}-{}", CHECK.id, language.name);
    let warning =
        |hint: String| Verdict::Fail(vec![Finding::warning(id.clone(), message.clone()).line(error.line).hint(hint)]);
    match (before, trust) {
        // It was in another language before, so that this change did not break it.
        (Some(Parsed::NotApplicable(_)), _) => Verdict::Pass,
        (Some(Parsed::Lenient(_) | Parsed::Broken(_)), _) if lenient => Verdict::Pass,
        // A new file, of which nobody can know how it will be read.
        (None, _) if lenient && !candidate.base_later => match settings.author {
            Author::Anyone => Verdict::Pass,
            Author::Model => warning("it is right for programs that read it less strictly".to_owned()),
        },
        // What was never right by a parser that is often wrong says nothing of this change.
        (Some(Parsed::Broken(_)), Trust::Warning(_)) => Verdict::Pass,
        (Some(Parsed::Broken(_)), Trust::Error) => warning("the base does not parse either".to_owned()),
        (_, Trust::Warning(reason)) => warning(format!("it may be right: {reason}")),
        (_, Trust::Error) => {
            let finding = Finding::error(id.clone(), message.clone()).line(error.line);
            // People are shown the line itself.
            let line = candidate.text.lines().nth(error.line.saturating_sub(1)).map(lines::quote);
            let line = line.filter(|line| !line.is_empty() && settings.author == Author::Model);
            let finding = line.map_or(finding.clone(), |line| finding.hint(format!("the line reads '{line}'")));
            Verdict::Fail(vec![finding])
        }
    }
}
