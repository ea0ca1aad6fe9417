//! What records of runs answer, once they are published: which runs there were, what a line of a file comes from, and
//! whether the commits are what the replies make of their parents.
//!
//! [`Record`] is a record of any schema, read a file at a time; [`remake`] makes its texts again; [`verify`] compares them
//! with commits. Nothing here writes to the repository, starts anything that it names, or asks anybody.

mod about;
mod alike;
mod blame;
mod open;
mod prune;
mod remake;
mod runs;
mod sound;
mod story;
pub mod verify;

pub use about::{About, Event};
pub use blame::{From, How, Line, Origin, blame};
pub use open::{Record, Unread};
pub use prune::{Limits, prunable};
pub use remake::{Broken, Remake};
pub use runs::{Became, Ran, named, runs};
pub use sound::maker;
pub use story::{FileStory, Story, Try};
