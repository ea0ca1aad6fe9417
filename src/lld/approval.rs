//! [`Approval`]: what the status of a design says of whether it may be carried out.

/// Whether somebody agreed to a design, as far as its own words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    Open,
    Approved,
    Refused,
}

const WORDS: &[(Approval, &[&str])] = &[
    (Approval::Open, &["draft", "pending", "wip", "proposed", "awaiting", "todo", "in review", "under review"]),
    (Approval::Approved, &["approved", "accepted", "implemented"]),
    (Approval::Refused, &["rejected", "blocked", "revise", "denied", "declined"]),
];

impl Approval {
    /// What a status says; `None` if it has no word that is known, or several, as in "Draft | Approved".
    pub fn of(status: &str) -> Option<Approval> {
        let text = status.split('(').next().unwrap_or_default().to_lowercase();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let text_has = |phrase: &str| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            words.windows(phrase.len()).any(|some| some == phrase)
        };
        let mut said = WORDS.iter().filter(|(_, words)| words.iter().any(|word| text_has(word)));
        let (approval, _) = said.next()?;
        (said.next().is_none() && !text.contains(['|', '{', '/'])).then_some(*approval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_what_its_words_say_and_nothing_if_they_are_several_or_unknown() {
        for (status, approval) in [
            ("Draft", Some(Approval::Open)),
            ("DRAFT (second round)", Some(Approval::Open)),
            ("in review", Some(Approval::Open)),
            ("Approved by A", Some(Approval::Approved)),
            ("BLOCKED", Some(Approval::Refused)),
            ("Draft | Approved", None),
            ("drafty", None),
            ("", None),
        ] {
            assert_eq!(Approval::of(status), approval, "{status}");
        }
    }
}
