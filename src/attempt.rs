//! What follows a failed try at a file: a pure decision.
//!
//! One shot, retries on truncation and repairs are values of one [`Policy`], not separate code paths. Failures of
//! transport are not judged here: a provider deals with its own.

/// Why a try at a file did not end in an accepted text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// A limit cut the reply off. The same question would most likely be cut off again.
    Truncated {
        /// It was to be the whole of a file that exists: edits say the same in fewer words.
        edits_would_do: bool,
    },
    /// The reply was complete, and was refused: by extraction, matching or a gate.
    Refused(Trend),
}

/// A refused reply beside the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trend {
    /// There was none before it.
    First,
    /// Something else is found, and not more.
    Other,
    /// The same is found again.
    Same,
    /// More is found.
    Worse,
}

/// How often a file is asked for again, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Retries after a truncated reply.
    pub truncated: u32,
    /// A whole file may be asked for as edits; not if the person has said in which form they want it.
    pub edits: bool,
    /// How often a refused reply goes back with what was found.
    pub repair: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { truncated: 3, edits: true, repair: 1 }
    }
}

/// What has been tried for a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tried {
    /// Replies that were cut off.
    pub truncated: u32,
    /// Repairs that were asked for.
    pub repairs: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Ask for the same, and say that the reply was too long.
    Shorter,
    /// Ask for edits in the place of the whole file, and say that it was too long.
    Edits,
    /// Give the reply back with what was found.
    Repair,
    GiveUp,
}

/// Decides what follows `failure`; `tried` has it already.
pub fn next(policy: Policy, failure: Failure, tried: Tried) -> Next {
    match failure {
        // One that mends another is short. Where it is not, nothing is gained by asking on.
        Failure::Truncated { .. } if tried.truncated > policy.truncated || tried.repairs > 0 => Next::GiveUp,
        Failure::Truncated { edits_would_do: true } if policy.edits => Next::Edits,
        Failure::Truncated { .. } => Next::Shorter,
        Failure::Refused(Trend::Same | Trend::Worse) => Next::GiveUp,
        Failure::Refused(_) if tried.repairs >= policy.repair => Next::GiveUp,
        Failure::Refused(Trend::First | Trend::Other) => Next::Repair,
    }
}

/// How a file is mended that every gate has accepted, and for which a second look has found something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mend {
    /// By edits of the best that there is.
    Edits,
    /// Written anew: what two repairs have not mended, a third seldom does.
    Fresh,
    GiveUp,
}

/// Decides how to go on with a file of which `trend` came of the last of its `mended` repairs; `fresh`: one of them wrote it
/// anew. That nearly all is gained in two rounds, and more by a new start than by a third: arXiv 2506.18403.
pub fn mend(policy: Policy, trend: Trend, mended: u32, fresh: bool) -> Mend {
    match trend {
        _ if mended >= policy.repair => Mend::GiveUp,
        Trend::First => Mend::Edits,
        Trend::Other if mended != 2 || fresh => Mend::Edits,
        Trend::Other => Mend::Fresh,
        Trend::Same | Trend::Worse if fresh => Mend::GiveUp,
        Trend::Same | Trend::Worse => Mend::Fresh,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUT_OFF: Failure = Failure::Truncated { edits_would_do: false };

    fn after_truncated(policy: Policy, failure: Failure, truncated: u32) -> Next {
        next(policy, failure, Tried { truncated, repairs: 0 })
    }

    #[test]
    fn a_truncated_reply_is_asked_for_in_fewer_words_three_times_and_then_given_up() {
        let tries: Vec<Next> = (1..=5).map(|n| after_truncated(Policy::default(), CUT_OFF, n)).collect();
        assert_eq!(tries, [Next::Shorter, Next::Shorter, Next::Shorter, Next::GiveUp, Next::GiveUp]);
    }

    #[test]
    fn the_whole_of_a_file_that_exists_is_asked_for_as_edits_unless_the_person_wants_it_whole() {
        let whole = Failure::Truncated { edits_would_do: true };
        assert_eq!(after_truncated(Policy::default(), whole, 1), Next::Edits);
        assert_eq!(after_truncated(Policy { edits: false, ..Policy::default() }, whole, 1), Next::Shorter);
        assert_eq!(after_truncated(Policy { truncated: 0, ..Policy::default() }, whole, 1), Next::GiveUp);
    }

    #[test]
    fn a_refused_reply_goes_back_as_often_as_the_policy_says_while_it_gets_no_worse() {
        let policy = |repair| Policy { repair, ..Policy::default() };
        let after =
            |repair, refused, repairs| next(policy(repair), Failure::Refused(refused), Tried { truncated: 0, repairs });
        assert_eq!(after(0, Trend::First, 0), Next::GiveUp, "one shot");
        assert_eq!((after(1, Trend::First, 0), after(1, Trend::Other, 1)), (Next::Repair, Next::GiveUp));
        assert_eq!((after(2, Trend::Other, 1), after(2, Trend::Other, 2)), (Next::Repair, Next::GiveUp));
        assert_eq!((after(3, Trend::Same, 1), after(3, Trend::Worse, 1)), (Next::GiveUp, Next::GiveUp));
    }

    #[test]
    fn a_repair_that_is_cut_off_is_the_last() {
        assert_eq!(next(Policy::default(), CUT_OFF, Tried { truncated: 1, repairs: 1 }), Next::GiveUp);
    }

    #[test]
    fn what_is_found_later_is_mended_twice_and_then_written_anew_once() {
        let policy = |repair| Policy { repair, ..Policy::default() };
        assert_eq!(mend(policy(0), Trend::First, 0, false), Mend::GiveUp);
        assert_eq!(
            (mend(policy(1), Trend::First, 0, false), mend(policy(1), Trend::Other, 1, false)),
            (Mend::Edits, Mend::GiveUp)
        );
        let other: Vec<Mend> = (1..5).map(|n| mend(policy(4), Trend::Other, n, n > 2)).collect();
        assert_eq!(other, [Mend::Edits, Mend::Fresh, Mend::Edits, Mend::GiveUp]);
        assert_eq!(
            (mend(policy(2), Trend::Same, 1, false), mend(policy(3), Trend::Same, 2, true)),
            (Mend::Fresh, Mend::GiveUp)
        );
        assert_eq!(mend(policy(1), Trend::Worse, 1, false), Mend::GiveUp);
    }
}
