//! What a language server says of a text, as we keep it: which of it is new, how it is shown to a model, and which
//! operations have written something that is worth asking about.
//!
//! Knows neither servers nor their protocol: `lsp` brings the [`Diagnostic`]s, whoever wants to show them asks here.

mod block;
mod new;
mod written;

pub use block::{MOST_SHOWN, block};
pub use new::new_against;
pub use written::{Base, Operation, Written, written};

use serde::{Deserialize, Serialize};

/// How bad it is, in the protocol's words. The worst is the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Information,
    Hint,
}

/// What a server says of one place in a text. All words are the server's own: data, whatever they look like.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Diagnostic {
    /// From 1.
    pub line: usize,
    /// From 1, in characters, however the server counts.
    pub column: usize,
    pub severity: Severity,
    pub message: String,
    /// `reportAttributeAccessIssue`, `ts2322`
    pub code: Option<String>,
    /// Who says so: `Pyright`.
    pub source: Option<String>,
}

impl Diagnostic {
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
