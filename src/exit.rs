//! [`ExitCode`]: every status with which the program can end, in one place.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How the program ended, as a shell sees it. Of several designs the highest status counts, so they stand in order.
///
/// The manual page has a line for each, and `tests/program/implement_status.rs` a test in which it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// It is done, there was nothing to do, or nothing was found. Also the help that was asked for.
    Done = 0,
    /// Somebody or something said no: errors in a design or in what was checked, a whole reply that does not apply or
    /// does not pass the gates, a hook of the person's, or the person when asked.
    Refused = 1,
    /// There is no whole answer: the transport or the command failed, the provider refused, or every try was cut off.
    NoAnswer = 2,
    /// The branch appeared or moved during the run.
    Moved = 3,
    /// The next request could cost more than the person allows, or does not fit into the model's window.
    OverBudget = 4,
    /// It could not even be tried: no repository, no provider, no identity, a branch that exists, a full disk. git's
    /// own commands end so, too.
    Fatal = 128,
    /// The command line makes no sense. git's own commands end so, too.
    Usage = 129,
    /// The person or the system asked it to stop. A shell says so of what SIGINT ended.
    Interrupted = 130,
    /// Whoever read standard output went away before the whole result was written. git ends by SIGPIPE then, of which
    /// a shell says this.
    ReaderGone = 141,
}

impl ExitCode {
    /// All of them, in order.
    pub const ALL: [ExitCode; 9] = [
        ExitCode::Done,
        ExitCode::Refused,
        ExitCode::NoAnswer,
        ExitCode::Moved,
        ExitCode::OverBudget,
        ExitCode::Fatal,
        ExitCode::Usage,
        ExitCode::Interrupted,
        ExitCode::ReaderGone,
    ];

    /// The number that the system is given.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// [`ExitCode::Refused`] if `yes`, else [`ExitCode::Done`].
    pub fn refused_if(yes: bool) -> ExitCode {
        if yes { ExitCode::Refused } else { ExitCode::Done }
    }
}

/// In JSON it is its number.
impl Serialize for ExitCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for ExitCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ExitCode, D::Error> {
        let number = u8::deserialize(deserializer)?;
        let known = ExitCode::ALL.into_iter().find(|code| code.number() == number);
        known.ok_or_else(|| serde::de::Error::custom(format!("no exit status {number}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_by_which_the_highest_is_found() {
        assert!(ExitCode::ALL.is_sorted());
        assert!(ExitCode::ALL.iter().map(|code| code.number()).is_sorted());
    }
}
