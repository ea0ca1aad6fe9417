//! What follows a failed try at a file: a pure decision.
//!
//! One shot, retries on truncation and, later, repairs are values of one [`Policy`], not separate code paths. Failures
//! of transport are not judged here: a provider deals with its own.

/// Why a try at a file did not end in an accepted text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// A limit cut the reply off. The same question may well be answered whole the next time.
    Truncated,
    /// The reply was complete, and was refused: by extraction, matching or a gate.
    Refused,
}

/// How often a file is asked for again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Retries after a truncated reply.
    pub truncated: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { truncated: 3 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Ask the same again. The format stays: a whole file in place of edits that were cut off would be cut off too.
    Retry,
    GiveUp,
}

/// Decides after `attempt` (counted from 1) ended in `failure`.
pub fn next(policy: Policy, failure: Failure, attempt: u32) -> Next {
    match failure {
        Failure::Truncated if attempt <= policy.truncated => Next::Retry,
        Failure::Truncated | Failure::Refused => Next::GiveUp,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_reply_is_retried_three_times_and_then_given_up() {
        let tries: Vec<Next> = (1..=5).map(|n| next(Policy::default(), Failure::Truncated, n)).collect();
        assert_eq!(tries, [Next::Retry, Next::Retry, Next::Retry, Next::GiveUp, Next::GiveUp]);
    }

    #[test]
    fn a_refused_reply_is_final_at_once() {
        assert_eq!(next(Policy::default(), Failure::Refused, 1), Next::GiveUp);
    }
}
