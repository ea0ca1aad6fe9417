//! Paths that a task shortens, written out: names after a path in its directory, names in a directory that is named
//! beside them, names and ends of paths that the list writes out elsewhere, and a root that it states once.
//!
//! Knows the list only. A path that is short throughout is the plan's to find in the repository.

use crate::lld::document::Document;
use crate::lld::lines::LineKind;
use crate::lld::names::is_known_name;
use crate::lld::sentence::{Ends, Looks, Seen, Word, is_at_the_root, is_everywhere, looks};
use crate::lld::vocabulary::has;
use std::collections::HashMap;

/// The directory that a line leaves to the lines under it: "Create in `src/a/`:".
#[derive(Debug, Clone, Default)]
pub(super) struct Carried(Option<String>);

impl Carried {
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

/// Writes out the bare names of a line. `updates`: the task changes files that the list may name elsewhere.
pub(super) fn complete(words: &mut [Word], ends: &Ends, carried: &Carried) -> Carried {
    // What the title's directory holds is named where a line begins.
    let mut near: Option<Near> =
        carried.0.clone().map(|directory| Near { directory, of_file: None, linked: true, ago: MAX_AGO - 1 });
    let mut outside: Vec<Option<Near>> = Vec::new();
    let whole = whole(words);
    let mut last_directory = None;
    for at in 0..words.len() {
        let slashed = match words.get(at) {
            Some(Word::Seen(Seen { looks: Looks::Slashed(path), .. })) => {
                let next = words.get(at + 1);
                let called = |word: &str| matches!(word, "package" | "directory" | "folder" | "dir" | "module");
                matches!(next, Some(Word::Plain(word)) if called(word)).then(|| path.clone())
            }
            _ => None,
        };
        if let Some(directory) = slashed {
            near = Some(Near { directory, of_file: None, linked: false, ago: 0 });
            continue;
        }
        let ahead = match words.get(at) {
            Some(Word::Seen(Seen { looks: Looks::Files(files), .. }))
                if !files.iter().any(|file| file.contains('/')) =>
            {
                ahead(words, at)
            }
            _ => None,
        };
        match words.get_mut(at) {
            Some(Word::Mark('(')) => {
                outside.push(near.clone());
                if let Some(near) = near.as_mut() {
                    near.linked |= near.of_file.is_none();
                }
            }
            Some(Word::Mark(')')) => {
                if let Some(before) = outside.pop() {
                    near = before;
                }
            }
            Some(Word::Mark(',' | '+' | '/')) => {}
            Some(Word::Mark(':')) => near.iter_mut().for_each(|near| near.linked |= near.of_file.is_none()),
            Some(Word::Mark('.' | ';')) => near = None,
            Some(Word::Mark(_)) => near = near.filter(|near| near.of_file.is_none()),
            Some(Word::Plain(word)) => match word.as_str() {
                "and" | "und" | "et" | "y" | "&" | "plus" | "と" | "和" => {}
                "with" | "containing" | "including" | "add" | "create" | "adding" | "files" => {
                    near.iter_mut().for_each(|near| near.linked |= near.of_file.is_none());
                    near = near.filter(|near| near.of_file.is_none());
                }
                _ => {
                    near = near.filter(|near| near.of_file.is_none());
                    near.iter_mut().for_each(|near| near.ago += 1);
                }
            },
            Some(Word::Code) => near = near.filter(|near| near.of_file.is_none()),
            Some(Word::Seen(seen)) => match &mut seen.looks {
                // "Create X in a/b.ts with the b.ts of …": the path that the line writes out.
                Looks::Files(files) if files.iter().all(|file| whole.contains_key(file)) => {
                    for file in files.iter_mut() {
                        *file = whole.get(file).cloned().unwrap_or_default();
                    }
                    near = None;
                }
                Looks::Directory(path) => {
                    let same = near.as_ref().is_some_and(|near| near.directory.ends_with(path.as_str()));
                    if !same || path.contains('/') {
                        near = Some(Near { directory: path.clone(), of_file: None, linked: false, ago: 0 });
                        last_directory = last_directory.or_else(|| Some(path.clone()));
                    }
                }
                Looks::Files(files) => {
                    let bare = !files.iter().any(|file| file.contains('/'));
                    let directory = match (&ahead, &near) {
                        _ if !bare => None,
                        (Some(directory), _) => Some(directory.clone()),
                        (None, Some(near)) => near.takes(files, ends).then(|| near.directory.clone()),
                        _ => None,
                    };
                    if let Some(directory) = directory {
                        for file in files.iter_mut() {
                            *file = format!("{directory}/{file}");
                        }
                    }
                    let file = files.last().filter(|file| file.contains('/')).cloned();
                    near = match (file, near) {
                        (Some(file), _) => Some(Near::of(file)),
                        (None, near) => near,
                    };
                    last_directory = None;
                }
                _ => {}
            },
            None => {}
        }
        extend(words, at);
    }
    Carried(last_directory)
}

/// The one path of a line for each bare name of it.
fn whole(words: &[Word]) -> HashMap<String, String> {
    let files = words.iter().filter_map(|word| match word {
        Word::Seen(Seen { looks: Looks::Files(files), .. }) => Some(files),
        _ => None,
    });
    let mut whole: HashMap<String, Option<String>> = HashMap::new();
    for path in files.flatten() {
        if let Some((_, name)) = path.rsplit_once('/') {
            // `x.Dockerfile` is a Dockerfile, too.
            let kind = name.rsplit_once('.').map(|(_, kind)| kind).filter(|kind| is_known_name(kind));
            for name in std::iter::once(name).chain(kind) {
                let one = whole.entry(name.to_owned()).or_insert_with(|| Some(path.clone()));
                *one = one.take().filter(|one| one == path);
            }
        }
    }
    whole.into_iter().filter_map(|(name, path)| Some((name, path?))).collect()
}

/// `.cpp` after `src/a.h`: the same name with another extension.
fn extend(words: &mut [Word], at: usize) {
    let Some(Word::Seen(Seen { looks: Looks::Extension(extension), .. })) = words.get(at) else { return };
    let extension = extension.clone();
    let Some(Word::Mark('/' | ',' | '+')) = at.checked_sub(1).and_then(|at| words.get(at)) else { return };
    let before = at.checked_sub(2).and_then(|at| words.get(at));
    let Some(Word::Seen(Seen { looks: Looks::Files(files), .. })) = before else { return };
    let stem = files.last().and_then(|file| file.rsplit_once('.')).map(|(stem, _)| stem.to_owned());
    if let (Some(stem), Some(Word::Seen(seen))) = (stem, words.get_mut(at)) {
        seen.looks = Looks::Files(vec![format!("{stem}.{extension}")]);
    }
}

/// The directory that a bare name may lie in.
#[derive(Debug, Clone)]
struct Near {
    directory: String,
    /// The file whose directory it is; `None` if the directory itself was named.
    of_file: Option<String>,
    /// A word has joined it to what follows ("with", ":").
    linked: bool,
    /// How many words ago it was named.
    ago: usize,
}

/// How many words a directory holds for.
const MAX_AGO: usize = 8;

impl Near {
    fn of(file: String) -> Near {
        let directory = file.rsplit_once('/').map(|(directory, _)| directory.to_owned()).unwrap_or_default();
        Near { directory, of_file: Some(file), linked: true, ago: 0 }
    }

    fn takes(&self, files: &[String], ends: &Ends) -> bool {
        let extension = |file: &str| file.rsplit_once('.').map(|(_, extension)| extension.to_owned());
        let Some(first) = files.first() else { return false };
        let known = ends.full_path(first);
        let here = known.is_some_and(|path| path == format!("{}/{first}", self.directory));
        match &self.of_file {
            None => here || self.linked && known.is_none() && self.ago <= MAX_AGO && !is_everywhere(first),
            // A known file of another directory is meant, unless it looks like one of the row.
            Some(file) => here || (!is_at_the_root(first) && extension(file) == extension(first)),
        }
    }
}

/// The directory that follows a bare name: "a.py and b.py in `dir/`", "x.sql for the seed in db/migrations/".
fn ahead(words: &[Word], at: usize) -> Option<String> {
    let mut place = false;
    let mut plain = 0;
    for word in words.iter().skip(at + 1).take(12) {
        match word {
            Word::Plain(word) if !place && plain == 0 && !has("after-file", word) => return None,
            Word::Plain(word)
                if matches!(word.as_str(), "in" | "into" | "under" | "inside" | "within" | "at" | "dans") =>
            {
                place = true;
            }
            Word::Plain(word) if matches!(word.as_str(), "the" | "and" | "directory" | "folder") => {}
            Word::Mark(',' | '+') => {}
            Word::Seen(Seen { looks: Looks::Directory(path), .. }) if place => return Some(path.clone()),
            // Other bare names of the row.
            Word::Seen(Seen { looks: Looks::Files(files), .. })
                if !place && files.iter().all(|file| !file.contains('/')) => {}
            Word::Plain(_) if !place && plain < 4 => plain += 1,
            _ => return None,
        }
    }
    None
}

/// "All paths are relative to `app/`": the directory, if the document says so outside of its tasks.
pub(super) fn stated_root(document: &Document) -> Option<String> {
    document.lines.iter().filter(|line| matches!(line.kind, LineKind::Text | LineKind::Comment)).find_map(|line| {
        let text = line.text.trim_start_matches(['>', ' ', '-', '*']);
        let lower = text.to_ascii_lowercase();
        let at = lower.find("relative to ").filter(|_| lower.len() == text.len())?;
        let said = lower.get(..at)?;
        if !(said.contains("path") || said.contains("file")) || lower.contains("[ ]") || lower.contains("[x]") {
            return None;
        }
        let rest = text.get(at + "relative to ".len()..)?.trim_start_matches("the ");
        let word =
            rest.trim_start_matches(['*', '`']).split(['`', ' ', ',', ';', ')', '*']).next()?.trim_end_matches('.');
        let word = word.trim_start_matches("./");
        match looks(word, true)? {
            Looks::Directory(path) | Looks::Slashed(path) => Some(path),
            _ => None,
        }
    })
}

/// `path` under the stated root, unless it is there already.
pub(super) fn rooted(path: &str, root: Option<&str>) -> String {
    let outside = |root: &str| {
        path.starts_with(&format!("{root}/")) || path.starts_with(".github/") || path.starts_with("specs/")
    };
    match root {
        Some(root) if !outside(root) => format!("{root}/{path}"),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::lines::Fences;

    #[test]
    fn a_root_that_the_document_states_is_found() {
        let root = |text: &str| stated_root(&Document::new("tasks.md", text, Fences::First));
        assert_eq!(root("All paths are relative to `flutter_app/`.").as_deref(), Some("flutter_app"));
        assert_eq!(root("**Note**: file paths are relative to backend/ unless said").as_deref(), Some("backend"));
        assert_eq!(root("Paths are relative to the repository root."), None);
        assert_eq!((rooted("lib/a", Some("app")), rooted("app/b", Some("app"))), ("app/lib/a".into(), "app/b".into()));
    }
}
