//! What was announced in a run and has not come yet: a reply, a file, the end of a command.

use crate::event::Event;

/// In the order in which they were announced.
#[derive(Debug, Default)]
pub(super) struct Announced(Vec<Awaited>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Awaited {
    event: &'static str,
    /// The path of a file, or a command.
    about: String,
}

impl Awaited {
    fn new(event: &'static str, about: &str) -> Awaited {
        Awaited { event, about: about.to_owned() }
    }
}

const RAN: &str = "ran";

impl Announced {
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Asked { path, .. } => self.0.push(Awaited::new("replied", path)),
            Event::FileStarted { path, .. } => self.0.push(Awaited::new("file-finished", path)),
            Event::Running { command, .. } => self.0.push(Awaited::new(RAN, command)),
            Event::Replied { path, .. } => self.came(&Awaited::new("replied", path)),
            Event::FileFinished { path, .. } => self.came(&Awaited::new("file-finished", path)),
            Event::Ran { command, .. } => self.came(&Awaited::new(RAN, command)),
            Event::Aborted { instead_of, path, command, .. } => {
                let about = path.as_ref().or(command.as_ref());
                self.0.retain(|awaited| awaited.event != *instead_of || Some(&awaited.about) != about);
            }
            _ => {}
        }
    }

    fn came(&mut self, what: &Awaited) {
        if let Some(at) = self.0.iter().rposition(|awaited| awaited == what) {
            self.0.remove(at);
        }
    }

    /// What will not come any more, for this reason: the last announced first.
    pub fn aborted(&self, reason: &str) -> Vec<Event> {
        let event = |Awaited { event, about }: &Awaited| {
            let (path, command) = if *event == RAN { (None, Some(about.clone())) } else { (Some(about.clone()), None) };
            Event::Aborted { instead_of: (*event).into(), path, command, reason: reason.to_owned() }
        };
        self.0.iter().rev().map(event).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{On, Outcome};
    use crate::lld::Change;
    use crate::patch::Stat;
    use crate::plan::Strategy;

    fn started(path: &str) -> Event {
        let (change, strategy) = (Change::Add, Strategy::Whole);
        Event::FileStarted { path: path.to_owned(), index: 1, of: 1, change, strategy }
    }

    #[test]
    fn what_came_is_not_missed_and_the_rest_is_named_the_last_first() {
        let mut announced = Announced::default();
        let finished = Event::FileFinished {
            path: "a".to_owned(),
            outcome: Outcome::Added,
            stat: Stat::default(),
            edits: Vec::new(),
            format: None,
            key: None,
            base: None,
            result: None,
        };
        let running = Event::Running { command: "cargo test".to_owned(), on: On::Files };
        [started("a"), finished, started("b"), running].iter().for_each(|event| announced.hear(event));
        let missing: Vec<(String, String)> = announced
            .aborted("it was stopped")
            .into_iter()
            .map(|event| match event {
                Event::Aborted { instead_of, path, command, .. } => {
                    (instead_of.into_owned(), path.or(command).unwrap_or_default())
                }
                other => panic!("{other:?}"),
            })
            .collect();
        let is = |event: &str, about: &str| (event.to_owned(), about.to_owned());
        assert_eq!(missing, [is("ran", "cargo test"), is("file-finished", "b")]);
    }
}
