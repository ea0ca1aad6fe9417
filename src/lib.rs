//! `git implement`: a low-level design in, gated commits on a branch out.
//!
//! The `mod` lines below are the pipeline in order, and each module imports only modules above it: reading
//! order, data flow and dependency order are one list. `tests/library/architecture.rs` holds the modules to it.
//!
//! Without the feature `cli` (`default-features = false`) this is the light library of pure stages: designs
//! ([`lld`]), plans ([`plan`]), prompts ([`prompt`]), edits ([`edit`]) and checks ([`check`]).
#![forbid(unsafe_code)]
// Only `ui::printer` prints; see `clippy.toml`.
#![deny(clippy::disallowed_macros, clippy::disallowed_methods)]

// Words: no behaviour, no I/O.
pub mod path;
pub mod shape;
pub mod model;
pub mod finding;
pub mod exit;
#[cfg(feature = "cli")]
pub mod environment;
// Pure stages: data in, data out.
pub mod edit;
pub mod syntax;
pub mod folder;
pub mod taskmaster;
pub mod lld;
pub mod passage;
pub mod plan;
pub mod context;
pub mod patch;
pub mod reviewer;
pub mod prompt;
pub mod check;
pub mod attempt;
pub mod fault;
pub mod diagnostic;
pub mod ledger;
pub mod event;
// Edges: effects; none imports another, but all start their children in `process`.
#[cfg(feature = "cli")]
pub mod process;
#[cfg(feature = "cli")]
pub mod config;
#[cfg(feature = "cli")]
pub mod git;
#[cfg(feature = "cli")]
pub mod provider;
#[cfg(feature = "cli")]
pub mod transcript;
#[cfg(feature = "cli")]
pub mod lsp;
// What runs have left, and the run.
#[cfg(feature = "cli")]
pub mod record;
#[cfg(feature = "cli")]
pub mod evidence;
#[cfg(feature = "cli")]
pub mod implement;
#[cfg(feature = "cli")]
pub mod validate;
#[cfg(feature = "cli")]
pub mod ui;
#[cfg(feature = "cli")]
pub mod cli;
