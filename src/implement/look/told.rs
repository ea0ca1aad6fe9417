//! What is left in the end of all that was found: told, or refused.

use super::super::ImplementError;
use super::super::make::Finished;
use super::super::run::Run;
use super::Look;
use super::servers::Unchecked;
use super::who::{NOT_CHECKED, PERMITS};
use crate::config::LspMode;
use crate::event::Event;
use crate::fault::Fault;
use crate::finding::{Finding, Severity};
use std::collections::BTreeMap;

/// A file that is not mended for want of money, and what was found in it.
pub(super) struct Unpaid {
    pub path: String,
    pub over: crate::ledger::Over,
    pub found: Vec<Fault>,
}

impl Look<'_> {
    /// Tells what is left. `hint`: what helps against the faults that refuse.
    ///
    /// # Errors
    /// If something of it refuses: [`ImplementError::Unmended`] where the money was short of having it mended, else
    /// [`ImplementError::Unverified`].
    pub(super) fn tell(
        &self,
        run: &mut Run,
        left: &[Fault],
        unchecked: &[(String, Unchecked)],
        hint: impl FnOnce(&[&Fault]) -> Option<&'static str>,
    ) -> Result<(), ImplementError> {
        let (mut refusing, mut faults) = (Vec::new(), Vec::new());
        let mut unpaid = None;
        for fault in left {
            let finding = self.finding(fault);
            if finding.is_error() && !self.is_allowed(&finding) {
                unpaid = unpaid.or(self.unpaid.iter().find(|it| it.found.iter().any(|found| found.is_same(fault))));
                refusing.push(finding);
                faults.push(fault);
                continue;
            }
            run.say(Event::Finding(Finding { severity: finding.severity.min(Severity::Warning), ..finding }));
        }
        let hint = hint(&faults);
        for finding in self.not_checked(unchecked) {
            match finding.is_error() {
                true => refusing.push(finding),
                false => run.say(Event::Finding(finding)),
            }
        }
        if refusing.is_empty() {
            return Ok(());
        }
        let error = ImplementError::Unverified { findings: refusing, hint };
        Err(match unpaid {
            Some(Unpaid { path, over, .. }) => {
                ImplementError::Unmended { path: path.clone(), over: over.clone(), error: Box::new(error) }
            }
            None => error,
        })
    }

    /// The files of which a server should have said something, and has not: one finding for each server and cause.
    fn not_checked(&self, unchecked: &[(String, Unchecked)]) -> Vec<Finding> {
        let mut groups: BTreeMap<(bool, &str, &str), Vec<&str>> = BTreeMap::new();
        for (path, Unchecked { server, why }) in unchecked {
            groups.entry((self.refuses(path), server, why)).or_default().push(path);
        }
        let finding = |((refuses, server, why), paths): ((bool, &str, &str), Vec<&str>)| {
            let were = if paths.len() == 1 { "was" } else { "were" };
            let message = format!("{} {were} not checked by {server}: {}", all_of(&paths), in_one_line(why));
            let finding = match refuses {
                true => Finding::error(NOT_CHECKED, message).hint(PERMITS),
                false => Finding::note(NOT_CHECKED, message),
            };
            if let [path] = paths[..] { finding.path(path) } else { finding }
        };
        groups.into_iter().map(finding).collect()
    }

    /// Does it refuse the run that no server has checked this file?
    pub(super) fn refuses(&self, path: &str) -> bool {
        let permitted = self.job.settings.allow.iter().any(|it| it.covers(NOT_CHECKED, Some(path)));
        self.job.lsp == LspMode::Gate && !permitted
    }

    /// The files of whose last texts a server has said nothing.
    pub(super) fn unchecked(&self, finished: &[Finished]) -> Vec<(String, Unchecked)> {
        let mut last: BTreeMap<String, String> = BTreeMap::new();
        for file in finished.iter().filter(|file| file.is_written()) {
            last.extend(file.blob().map(|blob| (file.step.path.to_string(), blob)));
        }
        self.servers.unchecked(last.into_iter())
    }

    pub(super) fn finding(&self, fault: &Fault) -> Finding {
        if fault.is_of_command() {
            let already = if fault.before { ", as it did on the base" } else { "" };
            return Finding::error("verify", format!("'{}' fails{already}", fault.by));
        }
        let (id, text) = (format!("lsp-{}", fault.by), in_one_line(&fault.text));
        let finding = match self.job.lsp {
            LspMode::Gate => Finding::error(id, text),
            _ => Finding::warning(id, text),
        };
        let finding = fault.paths.iter().fold(finding, |finding, path| finding.path(path.as_str()));
        fault.line.into_iter().fold(finding, Finding::line)
    }

    pub(super) fn is_allowed(&self, finding: &Finding) -> bool {
        self.job.settings.allow.iter().any(|allowed| allowed.covers(&finding.id, finding.path.as_deref()))
    }
}

/// Servers say more in further lines, which a finding does not have.
fn in_one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// `'a.py', 'b.py' and 'c.py'`
pub(super) fn all_of(paths: &[&str]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("'{path}'")).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}

pub(super) fn is_or_are(paths: &[&str]) -> &'static str {
    if paths.len() == 1 { "is" } else { "are" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_as_in_a_sentence_and_further_lines_follow_on_the_first() {
        assert_eq!(
            [all_of(&["a"]), all_of(&["a", "b"]), all_of(&["a", "b", "c"])],
            ["'a'", "'a' and 'b'", "'a', 'b' and 'c'"]
        );
        assert_eq!(
            in_one_line("\"int\" is no \"str\"\n\u{a0}\u{a0}\"int\" is not assignable\r\n\n"),
            "\"int\" is no \"str\" \"int\" is not assignable"
        );
    }
}
