//! What language servers and commands had to say of a file once it was finished, and what came of it.

use super::about::Event;
use serde::Serialize;
use std::collections::BTreeMap;

/// The second look at a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SecondLook {
    /// By server what it said last.
    pub servers: BTreeMap<String, Said>,
    /// Each time that the file went back to the model.
    pub returned: Vec<Returned>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// So many errors that the base does not have.
    Errors(u64),
    /// It was not checked, and why.
    NotChecked(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Returned {
    /// Who found something.
    pub by: Vec<String>,
    pub found: u64,
    /// Whether what came back was kept; `None`: nothing did, or it changes nothing.
    pub kept: Option<bool>,
}

impl SecondLook {
    /// Takes in an event about this file, if it is one of these.
    pub(super) fn hear(&mut self, event: &Event) {
        match event.event.as_str() {
            "diagnosed" => {
                let server = event.text("server").unwrap_or_default().to_owned();
                let why = || Said::NotChecked(event.text("why").unwrap_or_default().to_owned());
                self.servers.insert(server, event.number("errors").map_or_else(why, Said::Errors));
            }
            "given-back" => {
                let by = event.rest.get("by").cloned().unwrap_or_default();
                let by = serde_json::from_value(by).unwrap_or_default();
                self.returned.push(Returned { by, found: event.number("found").unwrap_or_default(), kept: None });
            }
            "mended" => {
                if let Some(last) = self.returned.last_mut() {
                    last.kept = event.rest.get("kept").and_then(serde_json::Value::as_bool);
                }
            }
            _ => {}
        }
    }

    /// The servers that have not checked it.
    pub fn unchecked(&self) -> impl Iterator<Item = &str> {
        let names = self.servers.iter().filter(|(_, said)| matches!(said, Said::NotChecked(_)));
        names.map(|(name, _)| name.as_str())
    }

    /// In sentences, for people.
    pub fn sentences(&self) -> Vec<String> {
        let server = |(name, said): (&String, &Said)| match said {
            Said::Errors(0) => format!("{name} finds no new error"),
            Said::Errors(1) => format!("{name} finds 1 new error"),
            Said::Errors(count) => format!("{name} finds {count} new errors"),
            Said::NotChecked(why) => format!("Not checked by {name}: {why}"),
        };
        let returned = |it: &Returned| {
            let findings = if it.found == 1 { "finding" } else { "findings" };
            let came = match it.kept {
                Some(true) => "what came back was kept",
                Some(false) => "what came back made it no better, and was dropped",
                None => "nothing came of it",
            };
            format!("Went back with {} {findings} of {}; {came}", it.found, it.by.join(", "))
        };
        self.returned.iter().map(returned).chain(self.servers.iter().map(server)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_each_server_counts_and_every_return_is_told() {
        let events = [
            r#"{"event":"diagnosed","server":"pyright","errors":2}"#,
            r#"{"event":"given-back","by":["pyright","pytest"],"found":3}"#,
            r#"{"event":"mended","kept":true}"#,
            r#"{"event":"given-back","by":["pytest"],"found":1}"#,
            r#"{"event":"mended","kept":false}"#,
            r#"{"event":"diagnosed","server":"pyright","errors":0}"#,
            r#"{"event":"diagnosed","server":"ruff","why":"it did not answer"}"#,
        ];
        let mut look = SecondLook::default();
        for line in events {
            let (events, _) = Event::all(line);
            events.iter().for_each(|event| look.hear(event));
        }
        assert_eq!(
            look.sentences(),
            [
                "Went back with 3 findings of pyright, pytest; what came back was kept",
                "Went back with 1 finding of pytest; what came back made it no better, and was dropped",
                "pyright finds no new error",
                "Not checked by ruff: it did not answer",
            ]
        );
        let json = serde_json::to_value(&look.servers).unwrap();
        assert_eq!(json, serde_json::json!({"pyright": {"errors": 0}, "ruff": {"not-checked": "it did not answer"}}));
    }
}
