//! The validator: the gates on what is staged, on commits, and on files, each read once and judged on all cores.
//!
//! It judges bytes as git has them and looks at no working tree, except for files that it is given by name. It changes
//! nothing and knows nothing of how its report is shown.

mod design;
mod files;
mod scope;
mod text;

use crate::check::{self, Candidate, Settings};
use crate::finding::Finding;
use crate::git::{Blobs, Changed, GitError, Listing, Oid, Repository, Version};
use crate::plan::Kind;
use design::Design;
pub use files::files;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use text::{Content, MOST_BYTES, content};

/// What the gates say.
#[derive(Debug, Default)]
pub struct Report {
    /// How many files were judged.
    pub checked: usize,
    /// In the order of the files.
    pub found: Vec<Reported>,
}

impl Report {
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|reported| reported.finding.is_error())
    }
}

/// A finding, and what only the validator knows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    pub finding: Finding,
    /// The line that it is about, as far as it is worth showing.
    pub excerpt: Option<String>,
    /// The commit that was judged.
    pub commit: Option<Oid>,
}

/// Judges what the index changes. `paths` (none: all) are literal, from the root; `ahead` is what git was asked for
/// all of them before.
pub fn staged(
    repository: &Repository,
    paths: &[String],
    ahead: Option<Listing>,
    settings: &Settings,
) -> Result<Report, GitError> {
    let changed = match ahead {
        Some(listing) => repository.listed(listing, paths)?,
        None => repository.staged(paths)?,
    };
    let mut report = judge(repository, &changed, settings)?;
    report.found.extend(scope::outside(repository, &changed, settings)?);
    Ok(report)
}

/// Judges what each of these commits changes.
pub fn commits(
    repository: &Repository,
    commits: &[Oid],
    paths: &[String],
    settings: &Settings,
) -> Result<Report, GitError> {
    judge(repository, &repository.changed_by(commits, paths)?, settings)
}

/// How many files one thread takes at a time: enough that git, asked for all of them, is never waited for.
const SHARE: usize = 64;

/// What came of one file.
#[derive(Default)]
struct Judged {
    found: Vec<Reported>,
    /// Its text, if it is a design: that is judged against the tree besides.
    design: Option<Design>,
}

/// What came of files, with their places in the list.
type Found = Vec<(usize, Judged)>;

fn judge(repository: &Repository, changed: &[Changed], settings: &Settings) -> Result<Report, GitError> {
    let files: Vec<File> = changed.iter().filter_map(File::of).collect();
    let found = in_parallel(
        files.len(),
        || repository.blobs(),
        |blobs, range| {
            let files = files.get(range.clone()).unwrap_or_default();
            Ok(range.zip(share(blobs, files, settings)?).collect())
        },
    )?;
    let mut report = Report { checked: files.len(), found: Vec::new() };
    for (place, judged) in found {
        report.found.extend(judged.found);
        if let (Some(design), Some(file)) = (judged.design, files.get(place)) {
            report.found.extend(design.judge(repository, file, &files, settings)?);
        }
    }
    Ok(report)
}

/// Lets as many threads as there are cores, and shares of work, do `work` on ranges of `0..count`, each with what
/// `begin` makes for it on this thread. What they found comes in order.
fn in_parallel<T: Send, E: Send>(
    count: usize,
    begin: impl Fn() -> T,
    work: impl Fn(&mut T, std::ops::Range<usize>) -> Result<Found, E> + Sync,
) -> Result<Found, E> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let share = SHARE.min(count.div_ceil(cores).max(1));
    let threads = (0..cores.min(count.div_ceil(share))).map(|_| begin()).collect::<Vec<T>>();
    let (next, found, failed) = (AtomicUsize::new(0), Mutex::new(Found::new()), Mutex::new(None));
    let run = |mut own: T| {
        loop {
            let start = next.fetch_add(share, Ordering::Relaxed);
            if start >= count {
                return;
            }
            match work(&mut own, start..count.min(start + share)) {
                Ok(new) => found.lock().unwrap_or_else(|lock| lock.into_inner()).extend(new),
                Err(error) => {
                    next.store(count, Ordering::Relaxed);
                    *failed.lock().unwrap_or_else(|lock| lock.into_inner()) = Some(error);
                }
            }
        }
    };
    thread::scope(|scope| threads.into_iter().for_each(|own| drop(scope.spawn(|| run(own)))));
    if let Some(error) = failed.into_inner().unwrap_or_else(|lock| lock.into_inner()) {
        return Err(error);
    }
    let mut found = found.into_inner().unwrap_or_else(|lock| lock.into_inner());
    found.sort_by_key(|(place, _)| *place);
    Ok(found)
}

/// A changed file whose text is judged.
struct File<'a> {
    path: &'a str,
    id: Oid,
    base: Option<Oid>,
    commit: Option<Oid>,
}

impl File<'_> {
    fn of(changed: &Changed) -> Option<File<'_>> {
        let text = |version: &Version| matches!(version.kind, Kind::File | Kind::Executable).then_some(version.id);
        let id = text(changed.new.as_ref()?)?;
        let base = changed.old.as_ref().and_then(text);
        // Moved, or another mode: nobody wrote anything.
        (base != Some(id)).then_some(File { path: &changed.path, id, base, commit: changed.commit })
    }
}

/// Judges some files, each without its base if that will do. Few bases are ever read.
fn share(blobs: &mut Blobs, files: &[File], settings: &Settings) -> Result<Vec<Judged>, GitError> {
    let mut judged: Vec<Judged> = Vec::with_capacity(files.len());
    let mut waiting = Vec::new();
    blobs.ask(files.iter().map(|file| file.id))?;
    for (place, file) in files.iter().enumerate() {
        let Some(bytes) = blobs.next(file.id, file.path, MOST_BYTES)? else {
            judged.push(Judged { found: unread(file.path, settings), design: None });
            continue;
        };
        let compares = file.base.is_some() && check::compares(file.path, settings);
        let found = if compares { Vec::new() } else { judge_text(file.path, &bytes, None, settings) };
        let design = Design::read(file.path, &bytes);
        if let Some(base) = file.base.filter(|_| compares || !found.is_empty() || design.is_some()) {
            waiting.push((place, bytes, base));
        }
        judged.push(Judged { found, design });
    }
    blobs.ask(waiting.iter().map(|(_, _, base)| *base))?;
    for (place, bytes, base) in waiting {
        let (Some(file), Some(judged)) = (files.get(place), judged.get_mut(place)) else { continue };
        let base = blobs.next(base, file.path, MOST_BYTES)?;
        judged.found = judge_text(file.path, &bytes, base.as_deref(), settings);
        if let (Some(design), Some(base)) = (&mut judged.design, base) {
            design.base = Some(base);
        }
    }
    for (judged, file) in judged.iter_mut().zip(files) {
        judged.found.iter_mut().for_each(|reported| reported.commit = file.commit);
    }
    Ok(judged)
}

fn judge_text(path: &str, bytes: &[u8], base: Option<&[u8]>, settings: &Settings) -> Vec<Reported> {
    let Content::Text(text) = content(bytes) else { return Vec::new() };
    let base = match base.map(content) {
        Some(Content::Text(base)) => Some(base),
        _ => None,
    };
    let candidate = Candidate { path, base: base.as_deref(), text: &text, ..Candidate::default() };
    let findings = check::judge(&candidate, settings);
    let unshown = check::unshown(&findings);
    let reported = |finding: Finding| {
        let hidden = finding.line.is_some_and(|line| unshown.contains(&line));
        Reported::of(finding, if hidden { "" } else { &text })
    };
    findings.into_iter().map(reported).collect()
}

impl Reported {
    /// A finding about a line of this text.
    fn of(finding: Finding, text: &str) -> Reported {
        let line = finding.line.and_then(|line| text.lines().nth(line.checked_sub(1)?)).map(str::trim_end);
        let excerpt = line.filter(|line| !line.is_empty() && line.len() <= WIDEST).map(str::to_owned);
        Reported { finding, excerpt, commit: None }
    }
}

/// Bytes of a line that is shown.
const WIDEST: usize = 300;

/// What there is to say of a file that is too large to be read.
fn unread(path: &str, settings: &Settings) -> Vec<Reported> {
    let finding = check::unread(path, &format!("it is larger than {} MB", MOST_BYTES >> 20), settings);
    finding.into_iter().map(|finding| Reported { finding, excerpt: None, commit: None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_a_secret_is_not_shown_by_any_finding() {
        // Put together here, so that no scanner takes this file for one that has lost a secret.
        let secret = ["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
        let text = format!("{{\n  \"a\": 1,\n  \"key\": \"{secret}\" \"b\"\n}}\n");
        for author in [check::Author::Model, check::Author::Anyone] {
            let found = judge_text("a.json", text.as_bytes(), None, &Settings { author, ..Settings::default() });
            let ids: Vec<&str> = found.iter().map(|it| it.finding.id.as_ref()).collect();
            assert_eq!(ids, ["syntax-json", "secret"]);
            assert!(found.iter().all(|it| it.excerpt.is_none()), "{found:?}");
            assert!(!format!("{found:?}").contains("zQWBuTSOoRi4A9sp"), "{found:?}");
        }
    }
}
