//! What follows a failed try at a file: a pure decision.
//!
//! One shot, retries on truncation and, later, repairs are values of one [`Policy`], not separate code paths. Failures
//! of transport are not judged here: a provider deals with its own.

/// Why a try at a file did not end in an accepted text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// A limit cut the reply off. The same question would most likely be cut off again.
    Truncated {
        /// It was to be the whole of a file that exists: edits say the same in fewer words.
        edits_would_do: bool,
    },
    /// The reply was complete, and was refused: by extraction, matching or a gate.
    Refused,
}

/// How often a file is asked for again, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Retries after a truncated reply.
    pub truncated: u32,
    /// A whole file may be asked for as edits; not if the person has said in which form they want it.
    pub edits: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { truncated: 3, edits: true }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Ask for the same, and say that the reply was too long.
    Shorter,
    /// Ask for edits in the place of the whole file, and say that it was too long.
    Edits,
    GiveUp,
}

/// Decides after `attempt` (counted from 1) ended in `failure`.
pub fn next(policy: Policy, failure: Failure, attempt: u32) -> Next {
    match failure {
        Failure::Truncated { .. } if attempt > policy.truncated => Next::GiveUp,
        Failure::Truncated { edits_would_do: true } if policy.edits => Next::Edits,
        Failure::Truncated { .. } => Next::Shorter,
        Failure::Refused => Next::GiveUp,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUT_OFF: Failure = Failure::Truncated { edits_would_do: false };

    #[test]
    fn a_truncated_reply_is_asked_for_in_fewer_words_three_times_and_then_given_up() {
        let tries: Vec<Next> = (1..=5).map(|n| next(Policy::default(), CUT_OFF, n)).collect();
        assert_eq!(tries, [Next::Shorter, Next::Shorter, Next::Shorter, Next::GiveUp, Next::GiveUp]);
    }

    #[test]
    fn the_whole_of_a_file_that_exists_is_asked_for_as_edits_unless_the_person_wants_it_whole() {
        let whole = Failure::Truncated { edits_would_do: true };
        assert_eq!(next(Policy::default(), whole, 1), Next::Edits);
        assert_eq!(next(Policy { edits: false, ..Policy::default() }, whole, 1), Next::Shorter);
        assert_eq!(next(Policy { truncated: 0, edits: true }, whole, 1), Next::GiveUp);
    }

    #[test]
    fn a_refused_reply_is_final_at_once() {
        assert_eq!(next(Policy::default(), Failure::Refused, 1), Next::GiveUp);
    }
}
