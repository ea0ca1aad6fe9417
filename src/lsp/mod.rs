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
mod shown;
mod uri;

pub use servers::{Diagnosis, Held, Servers, Settings};

/// A server that could be asked.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    pub name: &'static str,
    /// What is looked for on the PATH.
    pub program: &'static str,
    /// It is started only when a person names it.
    pub runs_workspace: bool,
}

/// All servers that are known.
pub fn known() -> impl Iterator<Item = Known> {
    server::SERVERS.iter().map(|server| Known {
        name: server.name,
        program: server.program,
        runs_workspace: server.runs_workspace,
    })
}
