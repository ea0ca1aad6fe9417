//! A line of a design as words, and what they say is done with each path in it.
//!
//! `words` cuts the line, `looks` says which words are paths, `roles` weighs the words beside them by the lists of
//! the `vocabulary`. Knows neither the document nor the repository.

mod cue;
mod ends;
mod ideographs;
pub(super) mod kinds;
mod looks;
mod roles;
mod suggested;
mod words;

pub(super) use ends::{Ends, is_at_the_root, is_everywhere};
pub(super) use looks::{Looks, looks};
pub(super) use roles::{Mood, REACH, Role, roles};
pub(crate) use suggested::said_by_title;
pub(super) use suggested::{is_changed_after, suggested};
pub(super) use words::{Seen, Word, words};
