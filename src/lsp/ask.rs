//! How a server is asked what it thinks of exactly the text that it was sent: by a request that comes after the text, or
//! by waiting for what it publishes with that text's version. Never by waiting until it is quiet, which is wrong in up to
//! all of a hundred cases when the machine is busy.

use super::reported::{of_protocol, of_tsserver};
use super::server::Ask;
use super::session::{Session, Trouble, Wait};
use crate::diagnostic::Diagnostic;
use serde_json::{Value, json};

/// As often is asked again, when a server says that something came between.
const TRIES: usize = 5;
/// `ServerCancelled`, `ContentModified` and `RequestCancelled`, of the protocol.
const PASSING: &[i64] = &[-32802, -32801, -32800];

impl Session {
    /// What it says of the text, which it must have been told of, sorted by place.
    pub fn diagnostics(&mut self, path: &str, text: &str, wait: Wait) -> Result<Vec<Diagnostic>, Trouble> {
        match self.server.ask {
            Ask::Tsserver => self.ask_tsserver(path, text, wait),
            Ask::Pull if self.pulls_as.is_some() => self.pull(path, text, wait),
            Ask::Pull | Ask::VersionedPush => self.await_published(path, text, wait),
        }
    }

    fn pull(&mut self, path: &str, text: &str, wait: Wait) -> Result<Vec<Diagnostic>, Trouble> {
        let mut params = json!({"textDocument": {"uri": self.uri(path)}});
        if let (Some(name @ Value::String(_)), Some(params)) = (&self.pulls_as, params.as_object_mut()) {
            params.insert("identifier".to_owned(), name.clone());
        }
        for _ in 0..TRIES {
            let number = self.request("textDocument/diagnostic", &params);
            match self.answer_to(number, wait)? {
                Ok(report) => {
                    let items = report.get("items").and_then(Value::as_array).ok_or_else(unreadable)?;
                    return Ok(of_protocol(items, text, self.encoding));
                }
                Err(fault) if PASSING.contains(&fault.code) => {}
                Err(fault) => return Err(Trouble::Refused(fault.to_string())),
            }
        }
        Err(Trouble::Refused("it is always interrupted".to_owned()))
    }

    fn await_published(&mut self, path: &str, text: &str, wait: Wait) -> Result<Vec<Diagnostic>, Trouble> {
        if let Some(planted) = self.server.planted {
            let with = format!("{text}{planted}");
            self.retell(path, &with);
            let found = self.published(path, &with, wait)?;
            if !found.iter().any(Diagnostic::is_error) {
                return Err(Trouble::Refused("it does not find an error that was planted".to_owned()));
            }
            // In a text that cannot be parsed it does not look for errors of other kinds.
            let length = text.lines().count();
            if found.iter().all(|it| it.line <= length) {
                return Ok(found);
            }
            self.retell(path, text);
        } else if self.documents.get(path).is_some_and(|document| document.moment != self.moment) {
            // What it published before it was told of something else may be different now, and need not come again.
            self.renew(path, text);
        }
        self.published(path, text, wait)
    }

    /// Waits for what it publishes for the present version of a document.
    fn published(&mut self, path: &str, text: &str, wait: Wait) -> Result<Vec<Diagnostic>, Trouble> {
        loop {
            let published = self.documents.get(path).and_then(|document| document.published.as_deref());
            if let Some(items) = published {
                return Ok(of_protocol(items, text, self.encoding));
            }
            self.step(wait)?;
            // It may say late that there is a better way.
            if self.server.ask == Ask::Pull && self.pulls_as.is_some() {
                return self.pull(path, text, wait);
            }
        }
    }

    fn ask_tsserver(&mut self, path: &str, text: &str, wait: Wait) -> Result<Vec<Diagnostic>, Trouble> {
        let mut items = Vec::new();
        for command in ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"] {
            let arguments = json!([command, {"file": self.uri(path)}]);
            let params = json!({"command": "typescript.tsserverRequest", "arguments": arguments});
            let number = self.request("workspace/executeCommand", &params);
            let answer = self.answer_to(number, wait)?.map_err(|fault| Trouble::Refused(fault.to_string()))?;
            let Some(Value::Array(found)) = answer.get("body") else { return Err(unreadable()) };
            items.extend_from_slice(found);
        }
        Ok(of_tsserver(&items, text))
    }
}

fn unreadable() -> Trouble {
    Trouble::Refused("its answer has no diagnostics".to_owned())
}
