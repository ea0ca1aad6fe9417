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

/// The names of the servers that run no code of the workspace.
pub fn harmless() -> impl Iterator<Item = &'static str> {
    server::SERVERS.iter().filter(|server| !server.runs_workspace).map(|server| server.name)
}
