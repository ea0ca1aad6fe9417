//! What a second look finds: what compilers, language servers and tests have against files that every gate has accepted.
//!
//! Pure: who is asked, and how, is the run's. Here it is said which of the planned files a failure is about ([`of_output`],
//! [`meant`]), when two failures are the same ([`alike`]), whether a change was one for the better ([`compare`]), which errors
//! wait for a file that is yet to be made ([`waits`]), and how all of it is told to a model ([`for_model`]).

mod alike;
mod compare;
mod meant;
mod output;
mod told;
mod waits;

pub use alike::alike;
pub use compare::compare;
pub use meant::{Planned, is_about, meant};
pub use output::{of_output, shown};
pub use told::{for_model, named_once};
pub use waits::{Awaited, waits};

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Who found it: a server's name, or a command line.
    pub by: String,
    /// The planned files that it is about, in the order in which they are named; the last is where it was noticed.
    pub paths: Vec<String>,
    /// What a server means: from 1, in the only file that it is about. `None`: it is a command's.
    pub line: Option<usize>,
    /// What was said: for the model as it is, for the person to be printed with care. Bounded.
    pub text: String,
    /// The base has it already: it is nobody's fault here.
    pub before: bool,
}

impl Fault {
    /// Did a command find it? Servers name the line that they mean.
    pub fn is_of_command(&self) -> bool {
        self.line.is_none()
    }

    /// Is it the same, whatever line it stands in?
    pub fn is_same(&self, other: &Fault) -> bool {
        (&self.by, &self.paths, &self.text) == (&other.by, &other.paths, &other.text)
    }
}
