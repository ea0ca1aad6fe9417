//! Language servers: what the compiler behind an editor says of a text, for exactly that text or not at all.
//!
//! [`Servers`] starts a server when the first file of its language is asked about, and keeps it until it is dropped. A
//! server that is missing, dies, hangs, floods or lies is never an error of whoever asks, nor of the text: the answer is
//! [`Diagnosis::NotChecked`]. `doc/LSP.md` has each server, how it is asked, and which are not started by themselves.
//!
//! Nothing here knows git, prints, or looks at what a diagnostic means.

mod answers;
mod ask;
mod find;
mod frame;
mod message;
mod reported;
mod server;
mod servers;
mod session;
mod settings;
mod shown;
mod uri;

pub use servers::{Diagnosis, Servers};
pub use settings::{Held, Settings};

/// A server that could be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    pub name: &'static str,
    /// What is looked for on the PATH.
    pub program: &'static str,
    /// One of the extensions of its files.
    pub extension: &'static str,
    /// It is started only when a person names it.
    pub runs_workspace: bool,
    /// A person has named it.
    pub is_named: bool,
    /// Its program is there.
    pub is_installed: bool,
    /// Why it is not started, though it is installed and may be.
    pub lacks: Option<&'static str>,
}

impl Known {
    /// Would it be started by itself, or because it is named?
    pub fn is_permitted(&self) -> bool {
        !self.runs_workspace || self.is_named
    }
}
