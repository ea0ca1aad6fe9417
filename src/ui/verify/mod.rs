//! What `verify` has found, in the forms that people and programs read.

mod github;
mod json;
mod text;

use crate::record::verify::{Judged, Mismatch, Verification, What};
use std::io::{self, Write};

/// How it is to look.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub colour: bool,
    pub quiet: bool,
}

/// A form of the report.
pub struct Form {
    /// Its option, less the dashes.
    pub name: &'static str,
    pub write: fn(&mut dyn Write, &[Judged], Shape) -> io::Result<()>,
}

/// What people read.
pub const TEXT: Form = text::FORM;

/// What programs read.
pub const FORMS: &[Form] = &[json::FORM, github::FORM];

/// What there is to say of a path: `lines 3-5 and 9 are not what the replies make`.
fn said(mismatch: &Mismatch) -> String {
    match mismatch.what {
        What::Text if mismatch.lines.is_empty() => "is not what the replies make".to_owned(),
        What::Text => format!("{} not what the replies make", lines(&mismatch.lines)),
        What::Mode => "has another mode than the run gave it".to_owned(),
        What::Added => "was not changed by the run".to_owned(),
        What::Gone => "was made by the run, and is not as it was made".to_owned(),
        What::Kept => "was taken away by the run, and is there".to_owned(),
    }
}

/// `line 3 is`, `lines 3-5 and 9 are`. More than a few are counted.
fn lines(ranges: &[(usize, usize)]) -> String {
    const MOST: usize = 6;
    let one = |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    let shown: Vec<String> = ranges.iter().take(MOST).map(one).collect();
    match (shown.as_slice(), ranges.len() - shown.len()) {
        ([only], _) if !only.contains('-') => format!("line {only} is"),
        ([rest @ .., last], 0) if !rest.is_empty() => format!("lines {} and {last} are", rest.join(", ")),
        (all, 0) => format!("lines {} are", all.join(", ")),
        (all, more) => format!("lines {} and {more} more places are", all.join(", ")),
    }
}

/// How many commits were found to be what: `3 exact, 1 edited`.
fn counts(judged: &[Judged]) -> String {
    const ALL: [Verification; 6] = [
        Verification::Exact,
        Verification::Edited,
        Verification::NotGenerated,
        Verification::Missing,
        Verification::Altered,
        Verification::TooOld,
    ];
    let count = |verdict: Verification| judged.iter().filter(|one| one.verification == verdict).count();
    let some = ALL.iter().map(|verdict| (count(*verdict), verdict.word())).filter(|(count, _)| *count > 0);
    some.map(|(count, word)| format!("{count} {}", word.replace('-', " "))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_are_told_one_by_one_as_long_as_they_are_few() {
        assert_eq!(lines(&[(3, 3)]), "line 3 is");
        assert_eq!(lines(&[(3, 5)]), "lines 3-5 are");
        assert_eq!(lines(&[(1, 1), (3, 5), (9, 9)]), "lines 1, 3-5 and 9 are");
        let many: Vec<(usize, usize)> = (0..9).map(|n| (n * 2, n * 2)).collect();
        assert_eq!(lines(&many), "lines 0, 2, 4, 6, 8, 10 and 3 more places are");
    }
}
