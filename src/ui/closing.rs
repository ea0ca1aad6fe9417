//! What a run's last lines say besides its result: which gates every file passed, and what to look at first.

use super::numbers::plural;
use super::plain::neutralise;
use crate::check;
use crate::event::{Event, On, Outcome};
use crate::finding::{Finding, Severity};
use crate::reviewer::BY;
use crate::syntax;
use std::collections::BTreeMap;

/// As many lines say what to look at.
const LINES: usize = 3;
/// As many places are named in one of them.
const NAMED: usize = 3;

/// What a run said that a reviewer wants to know again at its end.
#[derive(Default)]
pub struct Closing {
    /// Files that hold a new text, with how many of their lines are new or gone.
    written: Vec<(String, usize)>,
    /// Files whose first reply was refused.
    repaired: Vec<String>,
    /// Files that a reviewer has given back, and those of them that have come back better.
    returned: Vec<String>,
    reviewed: Vec<String>,
    /// Places of edits that were not found by their exact text.
    loose: Vec<String>,
    /// Commands of the person's that pass.
    passed: Vec<String>,
    /// Language servers that have nothing to say of what they were asked about last, and those that have.
    servers: BTreeMap<String, BTreeMap<String, usize>>,
    /// Warnings and what was permitted, of gates and of everything else.
    said: Vec<Finding>,
}

impl Closing {
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::FileFinished { path, outcome, stat, edits, .. } => {
                if matches!(outcome, Outcome::Added | Outcome::Modified | Outcome::Renamed) {
                    self.written.push((path.clone(), stat.added + stat.removed));
                }
                let loose = edits.iter().filter(|edit| edit.tier.is_loose());
                self.loose.extend(loose.map(|edit| format!("{}:{}", neutralise(path), edit.line)));
            }
            Event::Refused { path, .. } if self.repaired.last() != Some(path) => self.repaired.push(path.clone()),
            Event::Ran { command, on: On::Files, passed, .. } => {
                self.passed.retain(|known| known != command);
                self.passed.extend(passed.then(|| command.clone()));
            }
            Event::Diagnosed { path, server, errors: Some(errors), .. } => {
                self.servers.entry(server.clone()).or_default().insert(path.clone(), *errors);
            }
            Event::GivenBack { path, by, .. } if by.iter().any(|by| by == BY) => self.returned.push(path.clone()),
            Event::Mended { path, kept: true, .. } if self.returned.contains(path) => self.reviewed.push(path.clone()),
            Event::Mended { path, kept: true, .. } if !self.repaired.contains(path) => self.repaired.push(path.clone()),
            Event::Finding(finding) if !finding.is_error() => self.said.push(finding.clone()),
            _ => {}
        }
    }

    /// The lines. `gates`: the ids of all that ran.
    pub fn lines(&self, gates: &[&str]) -> Vec<String> {
        let Some((largest, _)) = self.written.iter().max_by_key(|(_, lines)| *lines) else { return Vec::new() };
        let of = |gate: &str| self.said.iter().any(|finding| finding.id.starts_with(gate));
        let passed: Vec<&str> = gates.iter().filter(|gate| !of(gate)).copied().collect();
        let mut lines = vec![format!("{} passed {}", plural(self.written.len(), "file"), passed.join(", "))];
        let clean = self.servers.iter().filter(|(_, files)| files.values().all(|errors| *errors == 0));
        let clean =
            clean.map(|(server, files)| format!("{server} finds nothing new in {}", plural(files.len(), "file")));
        lines.extend(self.passed.iter().map(|command| format!("'{}' passes", neutralise(command))));
        lines.extend(clean);
        let mut first = self.first();
        if first.is_empty() && self.written.len() > 1 {
            first.push(format!("{}, which changed most", neutralise(largest)));
        }
        lines.extend(first.into_iter().take(LINES).map(|what| format!("look first at {what}")));
        lines
    }

    /// What to look at, the weightiest first.
    fn first(&self) -> Vec<String> {
        let mut first = Vec::new();
        let mut say = |what: &str, places: Vec<String>| {
            if !places.is_empty() {
                first.push(format!("{what}: {}", named(&places)));
            }
        };
        say("edits that fit loosely", self.loose.clone());
        let gates: Vec<&str> = check::gates().collect();
        let is_gates = |finding: &&Finding| gates.iter().any(|gate| finding.id.starts_with(gate));
        let places = |severity: Severity| -> Vec<String> {
            let said = self.said.iter().filter(is_gates).filter(|finding| finding.severity == severity);
            said.map(place).collect()
        };
        say("what a first reply was refused for", self.repaired.iter().map(|path| shown(path)).collect());
        say("what a reviewer had mended", self.reviewed.iter().map(|path| shown(path)).collect());
        say("what was permitted", places(Severity::Note));
        say("warnings", places(Severity::Warning));
        let tested = self.written.iter().any(|(path, _)| check::is_test(path));
        let paths = || self.written.iter().map(|(path, _)| path.as_str());
        if !tested {
            say("what no test came with", paths().filter(|path| check::is_program(path)).map(shown).collect());
        }
        let unread = paths().filter(|path| {
            syntax::language(path).is_none_or(|language| language.parser.is_none()) && check::is_program(path)
        });
        say("what no parser has read", unread.map(shown).collect());
        first
    }
}

fn shown(path: &str) -> String {
    neutralise(path).into_owned()
}

/// `src/a.py:12 (stub)`
fn place(finding: &Finding) -> String {
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    match &finding.path {
        Some(path) => format!("{}{line} ({})", neutralise(path), finding.id),
        None => finding.id.to_string(),
    }
}

/// The first places, and how many more there are.
fn named(places: &[String]) -> String {
    let more = places.len().saturating_sub(NAMED);
    let some = places.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if more == 0 { some } else { format!("{some} and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Edit;
    use crate::edit::Tier;
    use crate::patch::Stat;

    fn finished(path: &str, added: usize, tiers: &[Tier]) -> Event {
        let edits = tiers.iter().enumerate().map(|(at, tier)| Edit { line: 10 + at, lines: 1, tier: *tier }).collect();
        let (path, stat) = (path.to_owned(), Stat { added, removed: 0 });
        Event::FileFinished {
            path,
            outcome: Outcome::Modified,
            stat,
            edits,
            format: None,
            key: None,
            base: None,
            result: None,
        }
    }

    fn lines(events: &[Event]) -> Vec<String> {
        let mut closing = Closing::default();
        events.iter().for_each(|event| closing.hear(event));
        closing.lines(&["syntax", "secret", "stub"])
    }

    #[test]
    fn every_gate_that_had_nothing_to_say_is_passed_and_the_largest_change_is_where_to_begin() {
        let quiet = lines(&[finished("src/a.py", 3, &[]), finished("tests/test_a.py", 9, &[Tier::Space])]);
        assert_eq!(quiet, ["2 files passed syntax, secret, stub", "look first at tests/test_a.py, which changed most"]);
        assert_eq!(lines(&[]), Vec::<String>::new(), "nothing was made");
    }

    #[test]
    fn what_is_less_than_sure_is_named_with_its_place_and_in_three_lines_at_most() {
        let loose = finished("src/a.py", 3, &[Tier::Exact, Tier::Aligned, Tier::Elided, Tier::Elided, Tier::Elided]);
        let warned = Event::Finding(Finding::warning("stub", "it is not written").path("src/b\u{1b}.py").line(4));
        let permitted = Event::Finding(Finding::note("secret", "permitted").path("src/c.py"));
        let of_no_gate = Event::Finding(Finding::warning("uncommitted", "it has changes").path("src/a.py"));
        assert_eq!(
            lines(&[loose, warned, permitted, of_no_gate]),
            [
                "1 file passed syntax",
                "look first at edits that fit loosely: src/a.py:11, src/a.py:12, src/a.py:13 and 1 more",
                "look first at what was permitted: src/c.py (secret)",
                "look first at warnings: src/b\\u{1b}.py:4 (stub)",
            ]
        );
        assert_eq!(lines(&[finished("src/a.py", 3, &[])])[1], "look first at what no test came with: src/a.py");
    }
}
