//! Which file that is gone became which that has come: as the record says, as both have the very same bytes, or, as git
//! says, as at least half of them are alike.

use crate::git::{Difference, Oid};
use crate::plan::EntryKind;
use std::collections::{BTreeMap, HashMap};

/// Of more files that are gone or have come, only those of the same bytes are found: each would be compared with each.
const MOST: usize = 50;
/// Parts of a hundred that must be alike.
const ALIKE: usize = 50;

/// For the places among `differences` of files that have come, the places of those that they were. `known`: what the record
/// says, by the new path. `text`: the lines of a blob, asked for only where nothing else tells.
pub(super) fn renamed(
    differences: &[Difference],
    known: &HashMap<String, String>,
    mut text: impl FnMut(Oid) -> Option<String>,
) -> BTreeMap<usize, usize> {
    let is_file = |kind: EntryKind| matches!(kind, EntryKind::File | EntryKind::Executable);
    let (mut gone, mut come): (BTreeMap<usize, Oid>, BTreeMap<usize, Oid>) = Default::default();
    for (at, difference) in differences.iter().enumerate() {
        match (difference.before, difference.after) {
            (Some(before), None) if is_file(before.kind) => _ = gone.insert(at, before.id),
            (None, Some(after)) if is_file(after.kind) => _ = come.insert(at, after.id),
            _ => {}
        }
    }
    let mut pairs = BTreeMap::new();
    let places: HashMap<&str, usize> =
        differences.iter().enumerate().map(|(at, difference)| (difference.path.as_str(), at)).collect();
    let path = |at: usize| differences.get(at).map_or("", |difference| difference.path.as_str());
    let mut pair = |new: usize, old: usize, gone: &mut BTreeMap<usize, Oid>, come: &mut BTreeMap<usize, Oid>| {
        if come.contains_key(&new) && gone.remove(&old).is_some() {
            come.remove(&new);
            pairs.insert(new, old);
        }
    };
    for new in come.keys().copied().collect::<Vec<_>>() {
        if let Some(old) = known.get(path(new)).and_then(|from| places.get(from.as_str())) {
            pair(new, *old, &mut gone, &mut come);
        }
    }
    let mut same: HashMap<Oid, Vec<usize>> = HashMap::new();
    gone.iter().rev().for_each(|(at, id)| same.entry(*id).or_default().push(*at));
    for (new, id) in come.clone() {
        let candidates = same.entry(id).or_default();
        // Of several the one of the same name.
        let name = crate::syntax::file_name(path(new));
        let named = candidates.iter().rposition(|old| crate::syntax::file_name(path(*old)) == name);
        let old = named.map(|at| candidates.remove(at)).or_else(|| candidates.pop());
        if let Some(old) = old {
            pair(new, old, &mut gone, &mut come);
        }
    }
    if gone.is_empty() || come.is_empty() || gone.len() > MOST || come.len() > MOST {
        return pairs;
    }
    let mut lines = |files: &BTreeMap<usize, Oid>| -> Vec<(usize, Lines)> {
        files.iter().filter_map(|(at, id)| Some((*at, Lines::of(&text(*id)?)))).collect()
    };
    let (old, new) = (lines(&gone), lines(&come));
    let mut alike: Vec<(usize, usize, usize)> = Vec::new();
    for (new, has) in &new {
        let found = old.iter().map(|(old, had)| (had.alike(has), *new, *old));
        alike.extend(found.filter(|(alike, ..)| *alike >= ALIKE));
    }
    alike.sort_by_key(|(alike, new, old)| (std::cmp::Reverse(*alike), *new, *old));
    for (_, new, old) in alike {
        pair(new, old, &mut gone, &mut come);
    }
    pairs
}

/// The lines of a text, by what they hash to, each with how many bytes it has in all its places.
struct Lines {
    bytes: HashMap<u64, usize>,
    all: usize,
}

impl Lines {
    fn of(text: &str) -> Lines {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        let hasher: BuildHasherDefault<DefaultHasher> = BuildHasherDefault::default();
        let mut bytes = HashMap::new();
        for line in text.split_inclusive('\n') {
            *bytes.entry(hasher.hash_one(line)).or_default() += line.len();
        }
        Lines { bytes, all: text.len() }
    }

    /// How many parts of a hundred of the longer one are in both.
    fn alike(&self, other: &Lines) -> usize {
        let longer = self.all.max(other.all);
        if longer == 0 || self.all.min(other.all) * 100 < longer * ALIKE {
            return 0;
        }
        let fewer = if self.bytes.len() < other.bytes.len() { (self, other) } else { (other, self) };
        let both = fewer.0.bytes.iter().map(|(line, bytes)| fewer.1.bytes.get(line).map_or(0, |it| *it.min(bytes)));
        both.sum::<usize>() * 100 / longer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::At;

    /// Finds pairs among files as `-old`, `+new`, of which the texts are these.
    fn found(files: &[(&str, &str)], known: &[(&str, &str)]) -> Vec<(String, String)> {
        let texts: HashMap<Oid, &str> = files.iter().map(|(_, text)| (id(text), *text)).collect();
        let difference = |(name, text): &(&str, &str)| {
            let at = Some(At { id: id(text), kind: EntryKind::File });
            let (before, after) = if name.starts_with('-') { (at, None) } else { (None, at) };
            Difference { path: name[1..].to_owned(), before, after }
        };
        let differences: Vec<Difference> = files.iter().map(difference).collect();
        let known = known.iter().map(|(new, old)| ((*new).to_owned(), (*old).to_owned())).collect();
        let pairs = renamed(&differences, &known, |id| texts.get(&id).map(|text| (*text).to_owned()));
        pairs.iter().map(|(new, old)| (differences[*old].path.clone(), differences[*new].path.clone())).collect()
    }

    fn id(text: &str) -> Oid {
        Oid::hash_object(git2::ObjectType::Blob, text.as_bytes()).unwrap()
    }

    fn pair(old: &str, new: &str) -> (String, String) {
        (old.to_owned(), new.to_owned())
    }

    #[test]
    fn a_file_became_another_if_the_record_says_so_or_their_bytes_are_the_same_or_half_of_them() {
        let ten: String = (0..10).map(|n| format!("line {n}\n")).collect();
        let half = ten.replace("line 1\n", "one\n").replace("line 2\n", "two\n").replace("line 3\n", "three\n");
        assert_eq!(found(&[("-a", &ten), ("+b", &ten)], &[]), [pair("a", "b")]);
        assert_eq!(found(&[("-a", &ten), ("+b", &half)], &[]), [pair("a", "b")]);
        assert_eq!(found(&[("-a", &ten), ("+b", "other\n")], &[]), []);
        assert_eq!(found(&[("-a", &ten), ("+b", "other\n")], &[("b", "a")]), [pair("a", "b")]);
        // The best fits first, and each once.
        assert_eq!(found(&[("-a", &ten), ("+b", &half), ("+c", &ten)], &[]), [pair("a", "c")]);
        let of_two = [("-a/x.py", ten.as_str()), ("-b/y.py", &ten), ("+c/y.py", &ten)];
        assert_eq!(found(&of_two, &[]), [pair("b/y.py", "c/y.py")], "of the same name");
    }

    #[test]
    fn of_very_many_files_only_those_of_the_same_bytes_are_compared() {
        let texts: Vec<String> = (0..2 * MOST + 2).map(|n| format!("a\nb\nc\nd\n{n}\n")).collect();
        let names: Vec<String> =
            (0..texts.len()).map(|n| format!("{}{n}", if n % 2 == 0 { '-' } else { '+' })).collect();
        let mut files: Vec<(&str, &str)> =
            names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
        assert_eq!(found(&files, &[]), []);
        files.push(("+same", "a\nb\nc\nd\n0\n"));
        assert_eq!(found(&files, &[]), [pair("0", "same")]);
    }
}
