//! What the parts of a record say that are in all schemas, read with whatever is missing left out.

use crate::finding::{Finding, Permission};
use crate::transcript::Spent;
use serde::Deserialize;
use serde_json::Value;

/// The header, as far as it goes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct About {
    pub schema: u32,
    pub run: String,
    /// The design's path, and its blob.
    pub lld: String,
    pub blob: String,
    pub base: String,
    pub branch: String,
    pub provider: String,
    pub model: String,
    pub started: String,
    pub no_verify: bool,
    pub allow: Vec<Permission>,
    pub gates: Vec<Permission>,
    pub continues: Option<String>,
    /// What the runs have used that it goes on from.
    pub earlier: Spent,
    /// What of the run is recorded; nothing said: all.
    pub record: Option<String>,
}

impl About {
    /// # Errors
    /// Why it cannot be read.
    pub fn read(bytes: &[u8]) -> Result<About, String> {
        let mut value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if !value["schema"].is_u64() {
            return Err("it does not say its schema".to_owned());
        }
        // The first records have permissions in another form.
        for list in ["allow", "gates"] {
            let Some(items) = value[list].as_array_mut() else { continue };
            items.retain(|item| item["what"].is_string() && item["by"].is_string());
        }
        serde_json::from_value(value).map_err(|error| error.to_string())
    }
}

/// An event as readers of records want it: what it is about, and the rest as it was written.
#[derive(Debug, Clone, Deserialize)]
pub struct Event {
    pub event: String,
    #[serde(default)]
    pub run: Option<String>,
    #[serde(default)]
    pub seq: Option<u64>,
    #[serde(default)]
    pub path: Option<String>,
    #[serde(flatten)]
    pub rest: serde_json::Map<String, Value>,
}

impl Event {
    /// The events of a record, in order. A line that is none is left out, with its number.
    pub fn all(text: &str) -> (Vec<Event>, Vec<usize>) {
        let (mut events, mut wrong) = (Vec::new(), Vec::new());
        for (at, line) in text.lines().enumerate() {
            match serde_json::from_str(line) {
                Ok(event) => events.push(event),
                Err(_) => wrong.push(at + 1),
            }
        }
        (events, wrong)
    }

    /// A text field of it.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.rest.get(name)?.as_str()
    }

    /// A whole number of it.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.rest.get(name)?.as_u64()
    }

    /// Its finding, if it is one.
    pub fn finding(&self) -> Option<Finding> {
        let value = Value::Object(self.rest.clone());
        let mut finding: Finding = serde_json::from_value(value).ok().filter(|_| self.event == "finding")?;
        finding.path = finding.path.or_else(|| self.path.clone());
        Some(finding)
    }
}
