//! Effects on repositories: what is read from one (base, design, snapshot, identity), the scratch in which commits
//! are made, and the one moment at which refs move.
//!
//! libgit2 writes: it stages blobs, writes trees over the base's and makes commits. The `git` executable does what
//! libgit2 does otherwise or not at all: discovery, reading objects that may be broken, configuration, identity,
//! attributes, ignore rules, worktrees, hooks, signing, ref transactions.
//! The user's HEAD, index and working tree are read, never written but by [`Files`], which is there for it; their index
//! is never opened by libgit2 (which cannot read a sparse or a split one). Only this module knows git2; what leaves it is owned data.
//!
//! The order of a run, as types: [`Accepted`](crate::check::Accepted) → [`Scratch::stage`] → [`TreeId`] →
//! [`Verified`] → [`Unpublished`] → [`Scratch::publish`].

mod attributes;
mod base;
mod blamed;
pub mod branch;
mod changes;
mod checkout;
mod child;
mod commit;
mod config;
mod credential;
mod design;
mod documents;
mod error;
mod files;
mod filled;
mod generated;
mod hook;
mod hooks;
mod identity;
mod index;
mod init;
pub(crate) mod input;
mod kept;
mod listing;
mod loose;
pub mod message;
mod named;
mod notes;
mod objects;
mod orders;
mod outside;
mod past;
mod patch;
mod place;
mod preflight;
mod proposed;
mod publish;
mod record;
mod registration;
mod repository;
mod reworked;
mod runs;
mod scratch;
mod settle;
mod snapshot;
mod spare;
mod stage;
mod survey;
mod sweep;
mod unfinished;
mod version;
mod watch;
mod written;

pub use base::Base;
pub use blamed::BlamedLine;
pub use changes::{Blobs, Changed, Listing, Version, ask_ahead};
pub use checkout::{CheckedOut, Checkout};
pub use commit::{CommitOptions, Signing, Unpublished};
pub use config::config_output;
pub use credential::credential;
pub use design::{Design, GIVEN, MOST_DESIGN, Part, STANDARD_INPUT, TASK};
pub use documents::documents_on_disk;
pub use error::GitError;
pub use files::{AtPath, FileUpdate, Files, Location};
pub use generated::Generated;
pub use git2::Oid;
pub use hook::{Passed, PreCommit};
pub use hooks::{CONFIGURED_NAME, Configured, Conflict, HookFile, HookState, HooksPlace};
pub use identity::{Identity, Person};
pub use init::init;
pub use listing::Listed;
pub use named::Object;
pub use objects::{Answer, blob_id};
pub use past::{At, Content, Difference, Past};
pub use publish::{NewTip, Publication};
pub use record::{PATCH, Record, RecordFile};
pub use repository::Repository;
pub use reworked::Reworked;
pub use runs::{RunRef, is_run};
pub use scratch::Scratch;
pub use stage::{Mode, TreeId, Verified};
pub use unfinished::Unfinished;
pub use version::version;
