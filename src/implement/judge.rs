//! A whole reply: extracted, matched and judged by every gate.

use super::ask::{Asking, Made};
use super::run::Run;
use crate::attempt::Trend;
use crate::check::{self, Candidate, Mask};
use crate::edit::{self, Format, Standing};
use crate::event::Event;
use crate::finding::{Finding, allows};
use crate::model::Request;
use std::collections::BTreeSet;

/// A reply that was refused, fit to be recorded and sent back.
pub(super) struct Rejected {
    pub findings: Vec<Finding>,
    /// Without the secrets that it was refused for.
    pub reply: String,
    /// It held such.
    pub masked: bool,
    /// The file that it made, if it came to one.
    pub made: Option<String>,
    /// What of its edits stays.
    pub standing: Option<Standing>,
}

impl Rejected {
    /// How it compares with the reply that it was to mend.
    pub fn beside(&self, before: &Rejected) -> Trend {
        fn found(rejected: &Rejected) -> BTreeSet<(&str, &str)> {
            let errors = rejected.findings.iter().filter(|finding| finding.is_error());
            errors.map(|finding| (finding.id.as_ref(), finding.message.as_str())).collect()
        }
        let (now, then) = (found(self), found(before));
        // That it could be made at all is worth more than how much is found in it.
        let came_to_more = before.made.is_none() && self.made.is_some();
        match now.len() > then.len() {
            _ if now == then => Trend::Same,
            true if !came_to_more => Trend::Worse,
            _ => Trend::Other,
        }
    }
}

/// Judges a reply, to the request if it answers one; where it mends one of which something is `standing`, with that.
pub(super) fn judge(
    run: &mut Run,
    asking: &Asking,
    standing: Option<&Standing>,
    (request, reply): (Option<&Request>, &str),
) -> Result<Made, Box<Rejected>> {
    let (path, base, format) = (asking.step.path.as_str(), asking.base, asking.task.format);
    let applied = match (base, standing) {
        (Some(base), Some(standing)) => edit::amend(format, path, base, standing, reply),
        _ => edit::answer(format, path, base, reply),
    };
    let applied = applied.map_err(|refusal| {
        let standing = match (standing, base) {
            (Some(standing), _) => Some(standing.clone()),
            (None, Some(base)) if format != Format::Whole => edit::standing(format, path, base, reply),
            _ => None,
        };
        // Each change that has no place, and not only the first.
        let all =
            standing.as_ref().map(|standing| standing.missing.clone()).filter(|missing| missing.contains(&refusal));
        let mask = Mask::of([reply].into_iter().chain(base));
        let finding = |refusal| mask.finding(Finding::from(refusal).path(path));
        let findings = all.unwrap_or_else(|| vec![refusal]).into_iter().map(finding).collect();
        Box::new(Rejected { findings, reply: reply.to_owned(), masked: false, made: None, standing })
    })?;
    let candidate = Candidate {
        path,
        from_root: None,
        base: asking.original,
        base_later: false,
        text: &applied.text,
        whole: applied.format == Format::Whole,
        description: &asking.step.description,
        row_allow: &asking.step.allow,
        dependencies_named: Some(&run.dependencies),
        parsed: None,
    };
    let mut judged = check::accept(&asking.step.path, &candidate, &run.settings);
    if judged.is_ok() && asking.task.found.is_some() && check::is_test(path) {
        // A test that was made in this run is not to be weakened to pass.
        judged = check::accept(&asking.step.path, &Candidate { base, ..candidate }, &run.settings);
    }
    let accepted = judged.map_err(|findings| {
        let masked = findings.iter().any(|finding| allows(check::SECRET, &finding.id, None));
        let shown = |text: &str| if masked { Mask::of([text]).apply(text).into_owned() } else { text.to_owned() };
        let (reply_shown, made) = (shown(reply), Some(shown(&applied.text)));
        // Nobody can mend what they are not shown.
        let standing = if masked { None } else { Standing::all(&applied, reply) };
        Box::new(Rejected { findings, reply: reply_shown, masked, made, standing })
    });
    let (accepted, notes) = accepted?;
    for note in notes {
        match note.id == check::LOST_TESTS {
            // Another file may get them yet.
            true => run.lost_tests.push(note),
            false => run.say(Event::Finding(note)),
        }
    }
    Ok(Made {
        accepted,
        edits: applied.edits,
        format: applied.format,
        key: request.map(Request::key),
        attempts: asking.attempt,
    })
}
