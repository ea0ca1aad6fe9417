//! A whole reply: extracted, matched and judged by every gate.

use super::ask::{Asking, Made};
use super::run::Run;
use crate::attempt::Trend;
use crate::check::{self, Candidate, Mask};
use crate::edit::{self, Format, Standing};
use crate::event::Event;
use crate::finding::{Finding, allows};
use crate::model::Request;
use crate::transcript::recipe::{Answer, By};
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
    /// It, and before it the replies that it mends, as far as they have a part in what stands.
    pub said: Vec<Answer>,
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

/// Where a text comes from that is to be judged.
pub(super) enum Source<'a> {
    /// A reply to this request.
    Reply(&'a Request),
    /// The design has it, from this line on.
    Design(usize),
}

/// Judges a reply, which mends the one that was `before`, if there was one.
pub(super) fn judge(
    run: &mut Run,
    asking: &Asking,
    before: Option<&Rejected>,
    (source, reply): (Source, &str),
) -> Result<Made, Box<Rejected>> {
    let (path, base, format) = (asking.step.path.as_str(), asking.base, asking.task.format);
    let standing = before.and_then(|before| before.standing.as_ref());
    let mut said = before.map(|before| before.said.clone()).unwrap_or_default();
    if let Source::Reply(request) = source {
        said.push(run.making.last_answer(&request.key()));
    }
    let applied = edit::mended(format, path, base, standing, reply);
    let left = edit::left_standing(format, path, base, standing, (reply, &applied));
    let applied = applied.map_err(|refusal| {
        // What holds a secret is shown to nobody, and so nobody can mend it.
        let masked = holds_secret(run, path, reply);
        let standing = left.clone().filter(|_| !masked);
        // Each change that has no place, and not only the first.
        let all =
            standing.as_ref().map(|standing| standing.missing.clone()).filter(|missing| missing.contains(&refusal));
        let mask = Mask::of([reply].into_iter().chain(base));
        let shown = if masked { mask.apply(reply).into_owned() } else { reply.to_owned() };
        let said = if masked { Vec::new() } else { said.clone() };
        let finding = |refusal| mask.finding(Finding::from(refusal).path(path));
        let findings = all.unwrap_or_else(|| vec![refusal]).into_iter().map(finding).collect();
        Box::new(Rejected { findings, reply: shown, masked, made: None, standing, said })
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
    if judged.is_ok() && matches!(source, Source::Reply(_)) {
        let beside = secrets_beside(run, path, reply, [Some(applied.text.as_str()), base, asking.original]);
        judged = if beside.is_empty() { judged } else { Err(beside) };
    }
    let accepted = judged.map_err(|findings| {
        let masked = findings.iter().any(|finding| allows(check::SECRET, &finding.id, None));
        let shown = |text: &str| if masked { Mask::of([text]).apply(text).into_owned() } else { text.to_owned() };
        let (reply_shown, made) = (shown(reply), Some(shown(&applied.text)));
        // Nobody can mend what they are not shown.
        let (standing, said) = if masked { (None, Vec::new()) } else { (left, said.clone()) };
        Box::new(Rejected { findings, reply: reply_shown, masked, made, standing, said })
    });
    let (accepted, notes) = accepted?;
    for note in notes {
        match note.id == check::LOST_TESTS {
            // Another file may get them yet.
            true => run.lost_tests.push(note),
            false => run.say(Event::Finding(note)),
        }
    }
    let (key, by) = match source {
        Source::Reply(request) => (Some(request.key()), By::Reply { asked: format.name().to_owned(), replies: said }),
        Source::Design(line) => (None, By::Design { line }),
    };
    run.making.accepted(&accepted, base, by, applied.format == Format::Whole);
    Ok(Made { accepted, edits: applied.edits, format: applied.format, key, attempts: asking.attempt })
}

/// The secrets that stand in a reply and not in the file that it makes or changes: it would be published with the record.
fn secrets_beside(run: &Run, path: &str, reply: &str, files: [Option<&str>; 3]) -> Vec<Finding> {
    if may_hold_secrets(run, path) {
        return Vec::new();
    }
    let beside = check::secrets_beside(reply, &files.into_iter().flatten().collect::<Vec<_>>());
    let finding = |name: &str| {
        let message = format!("the reply for '{path}' has what looks like {name} beside the file's text");
        Finding::error(check::SECRET, message).path(path).hint("revoke it if it ever left this machine")
    };
    beside.into_iter().map(finding).collect()
}

/// Does the reply hold a secret that nobody has permitted for this file?
fn holds_secret(run: &Run, path: &str, reply: &str) -> bool {
    !may_hold_secrets(run, path) && !check::secrets(reply).is_empty()
}

/// Has somebody permitted this file what looks like a secret?
fn may_hold_secrets(run: &Run, path: &str) -> bool {
    run.settings.allow.iter().any(|allow| allow.covers(check::SECRET, Some(path)))
}
