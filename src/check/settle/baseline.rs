//! [`Baseline`]: what was found before anybody minded. A finding is known by its id, its file and the text of its line, and
//! not by the line's number, so that it stays known when lines move. The text itself is not kept: only a digest.

use super::permit::is_guarded;
use crate::finding::Finding;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};

/// By what a finding is known again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Known {
    pub path: String,
    pub id: String,
    /// Of the line without the white space round it; empty for a finding without a line.
    pub line: String,
}

/// Findings that are not to be told again, each as often as it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    counts: BTreeMap<Known, usize>,
    /// It has whatever is found: to write one, everything is taken for known.
    all: bool,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    known: Known,
    count: usize,
}

/// What a version of the file begins with.
const SCHEMA: u64 = 1;

impl Baseline {
    /// What a baseline that is to be written is asked with.
    pub fn of_all() -> Baseline {
        Baseline { all: true, ..Baseline::default() }
    }

    pub fn add(&mut self, known: Known) {
        *self.counts.entry(known).or_default() += 1;
    }

    pub fn len(&self) -> usize {
        self.counts.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Without what it has of these files.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.counts.retain(|known, _| keep(&known.path));
    }

    pub fn extend(&mut self, other: Baseline) {
        other.counts.into_iter().for_each(|(known, count)| *self.counts.entry(known).or_default() += count);
    }

    /// How many of its findings about the files for which `judged` says yes were not `found` again.
    pub fn stale<'k>(&self, found: impl Iterator<Item = &'k Known>, judged: impl Fn(&str) -> bool) -> usize {
        let mut left: HashMap<&Known, usize> =
            self.counts.iter().filter(|(known, _)| judged(&known.path)).map(|(known, count)| (known, *count)).collect();
        for known in found {
            if let Some(left) = left.get_mut(known) {
                *left = left.saturating_sub(1);
            }
        }
        left.values().sum()
    }

    /// What there is to know of one file, to be used up.
    pub(super) fn of(&self, path: &str) -> Left<'_> {
        let from = Known { path: path.to_owned(), id: String::new(), line: String::new() };
        let of_file = self.counts.range(from..).take_while(|(known, _)| known.path == path);
        Left { counts: of_file.map(|(known, count)| (known, *count)).collect(), all: self.all }
    }

    /// One entry a line, in order, so that differences show what came and went.
    pub fn write(&self) -> String {
        let entry = |(known, count): (&Known, &usize)| {
            serde_json::to_string(&Entry { known: known.clone(), count: *count }).unwrap_or_default()
        };
        let entries: Vec<String> = self.counts.iter().map(|it| format!("\n    {}", entry(it))).collect();
        let end = if entries.is_empty() { "" } else { "\n  " };
        format!("{{\n  \"schema\": {SCHEMA},\n  \"findings\": [{}{end}]\n}}\n", entries.join(","))
    }

    /// # Errors
    /// Why it is no baseline.
    pub fn read(text: &str) -> Result<Baseline, String> {
        #[derive(Deserialize)]
        struct File {
            schema: u64,
            findings: Vec<Entry>,
        }
        let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if file.schema != SCHEMA {
            return Err(format!("its schema is {}, and this program knows {SCHEMA}", file.schema));
        }
        let mut baseline = Baseline::default();
        for Entry { known, count } in file.findings {
            *baseline.counts.entry(known).or_default() += count;
        }
        Ok(baseline)
    }

    /// Entries that do not count: what only the person permits is no repository's to write down.
    pub fn guarded(&self) -> usize {
        self.counts.iter().filter(|(known, _)| is_guarded(&known.id)).map(|(_, count)| *count).sum()
    }
}

/// What is left of a baseline for one file.
pub(super) struct Left<'b> {
    counts: HashMap<&'b Known, usize>,
    all: bool,
}

impl Left<'_> {
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && !self.all
    }

    /// By what a finding about this line of the file is known, if it is.
    pub fn take(&mut self, finding: &Finding, path: &str, line: Option<&str>) -> Option<Known> {
        if is_guarded(&finding.id) {
            return None;
        }
        let line = line.map(digest).unwrap_or_default();
        let known = Known { path: path.to_owned(), id: finding.id.to_string(), line };
        if !self.all {
            let left = self.counts.get_mut(&known).filter(|left| **left > 0)?;
            *left -= 1;
        }
        Some(known)
    }
}

/// Long enough that no two lines of a file share it.
fn digest(line: &str) -> String {
    Sha256::digest(line.trim().as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_is_read_as_it_was_written_and_counts() {
        let everything = Baseline::of_all();
        let mut all = everything.of("b.py");
        let finding = Finding::warning("stub", "");
        let mut baseline = Baseline::default();
        for line in [Some("  pass"), Some("pass "), None] {
            baseline.add(all.take(&finding, "b.py", line).unwrap());
        }
        baseline.add(all.take(&finding, "a.py", None).unwrap());
        let text = baseline.write();
        assert_eq!(text.lines().count(), 8, "{text}");
        assert!(text.find("a.py") < text.find("b.py") && !text.contains("pass"), "{text}");
        assert_eq!((Baseline::read(&text).as_ref(), baseline.len()), (Ok(&baseline), 4));
        let mut left = baseline.of("b.py");
        let taken: Vec<Known> = (0..3).filter_map(|_| left.take(&finding, "b.py", Some("pass"))).collect();
        assert_eq!(taken.len(), 2);
        assert_eq!(baseline.stale(taken.iter(), |path| path == "b.py"), 1);
        assert_eq!(left.take(&Finding::error("secret", ""), "b.py", None), None);
        assert!(Baseline::read("{\"schema\": 2, \"findings\": []}").is_err());
    }
}
