//! What records of runs answer, once they are published: which runs there were, what a line of a file comes from, and
//! whether the commits are what the replies make of their parents.
//!
//! [`Record`] is a record of any schema, read a file at a time; [`Remake`] makes its texts again; [`verify`] compares them
//! with commits. Nothing here starts anything that the repository names, or asks anybody; and only [`rehome`] writes: notes.

mod about;
mod added;
mod agent_trace;
mod alike;
mod answers;
mod attributed;
mod blame;
mod git_ai;
mod heard;
mod open;
mod parts;
mod prune;
mod rehome;
mod remake;
mod reviewed;
mod reworked;
mod runs;
mod second_look;
mod sound;
mod story;
mod told;
pub mod verify;

pub use about::{About, Event};
pub use agent_trace::trace;
pub use attributed::{AttributedFile, attributed};
pub use blame::{From, How, Line, Origin, blame};
pub use open::{Record, Unread};
pub use prune::{Limits, prunable};
pub use rehome::{Noted, abouts, rehome};
pub use remake::{Broken, Remake};
pub use reviewed::Reviewed;
pub use reworked::Made;
pub use runs::{Became, Ran, named, runs};
pub use second_look::{Returned, Said, SecondLook};
pub use sound::maker;
pub use story::{FileStory, Story, Try};
