//! Every child process: git, the program that answers as a model, hooks, key commands, and in a [`Sandbox`] what runs
//! what a model wrote. Which variables a child gets
//! ([`ChildKind`]), what it may take, and what ends it before its time are said here once; what is said to it, and what its
//! words mean, is for the other edges to know.
//!
//! A [`Command`] runs to its end ([`Command::run`]) or is talked with: in turns ([`Command::converse`]), or with either side
//! speaking when it likes ([`Command::dialogue`]). Nothing here looks at a
//! clock again and again: a wait is one `poll` on the pipes, on the news of the child and on the [`Interrupt`].
//!
//! Own code rather than the crate `process-wrap`: what that brings, a group that is killed as one, is a line of std's and
//! a line of rustix's; the limits, the bounded output and the interruption would still be ours to write.

mod command;
mod conversation;
mod dialogue;
mod group;
mod interrupt;
mod kind;
mod listen;
mod pager;
mod program;
pub mod sandbox;
mod strays;
mod temporary;

pub use command::{Command, Ended, Failure, Limits, Stop};
pub use conversation::Conversation;
pub use dialogue::{Dialogue, Heard};
pub use interrupt::Interrupt;
pub use kind::ChildKind;
pub use pager::page;
pub use program::find_program;
pub use sandbox::{Room, Sandbox};
pub use temporary::{Temporary, sweep as sweep_temporary};
