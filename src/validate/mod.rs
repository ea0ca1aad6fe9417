//! The validator: the gates on what is staged, on commits, and on files, each read once and judged on all cores.
//!
//! It judges bytes as git has them and looks at no working tree, except for files that it is given by name. It changes
//! nothing and knows nothing of how its report is shown.

mod design;
mod files;
mod imported;
mod moved;
mod scope;
mod text;
mod words;

use crate::check::design::is_kept_as_design;
use crate::check::{self, Candidate, Lines, Settings, Settled, Silenced};
use crate::finding::{Finding, Severity};
use crate::git::{Blobs, Changed, GitError, Listing, Object, Oid, Repository, Version};
use crate::plan::EntryKind;
use crate::syntax::Parsed;
use design::Design;
pub use files::files;
use imported::Importing;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use text::{Content, MOST_BYTES, NUL};

/// What the gates say.
#[derive(Debug, Default)]
pub struct Report {
    /// How many files were judged.
    pub checked: usize,
    /// In the order of the files.
    pub found: Vec<Reported>,
    /// What is not to be told again.
    pub silenced: Vec<Silenced>,
}

impl Report {
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|reported| reported.finding.is_error())
    }
}

/// What was found of a file or some.
#[derive(Debug, Default)]
struct Found {
    reported: Vec<Reported>,
    silenced: Vec<Silenced>,
}

impl Found {
    /// Nothing at all, not even something that is silenced.
    fn is_empty(&self) -> bool {
        self.reported.is_empty() && self.silenced.is_empty()
    }

    fn extend(&mut self, other: Found) {
        self.reported.extend(other.reported);
        self.silenced.extend(other.silenced);
    }

    /// As what this commit brings.
    fn of(mut self, commit: Option<Oid>) -> Found {
        self.reported.iter_mut().for_each(|reported| reported.commit = commit);
        self
    }
}

/// What no line goes with.
impl From<Settled> for Found {
    fn from(settled: Settled) -> Found {
        Found { reported: settled.findings.into_iter().map(Reported::bare).collect(), silenced: settled.silenced }
    }
}

impl Report {
    fn extend(&mut self, found: Found) {
        self.found.extend(found.reported);
        self.silenced.extend(found.silenced);
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
    let mut report = judge(repository, &changed, true, settings)?;
    report.extend(scope::outside(repository, &changed, settings)?);
    Ok(report)
}

/// Judges what each of these objects brings: a commit what it changes, and its message; a tag its message, and what it is
/// on if that is no commit; a tree and a blob all that is in them. `paths` (none: all) are literal, from the root, and then
/// nothing else is judged.
pub fn objects(
    repository: &Repository,
    ids: &[Oid],
    paths: &[String],
    settings: &Settings,
) -> Result<Report, GitError> {
    let (mut commits, mut others, mut said) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = ids.to_vec();
    while !rest.is_empty() {
        let mut targets = Vec::new();
        for (id, object) in rest.iter().zip(repository.named(&rest)?) {
            match object {
                Object::Commit(text) => {
                    said.extend(words::message("commit", *id, &text, settings));
                    commits.push(*id);
                }
                Object::Tag { text, target } => {
                    said.extend(words::message("tag", *id, &text, settings));
                    targets.push(target);
                }
                Object::Tree => others.extend(repository.all_of(*id)?),
                Object::Blob => others.push(Changed::blob(*id)),
            }
        }
        // The commits that a tag is on are listed by themselves, if they are new.
        let kinds = repository.named(&targets)?.into_iter();
        rest = targets
            .iter()
            .copied()
            .zip(kinds)
            .filter(|(_, it)| !matches!(it, Object::Commit(_)))
            .map(|it| it.0)
            .collect();
    }
    let mut changed = repository.changed_by(&commits, paths)?;
    if !paths.is_empty() {
        return judge(repository, &changed, false, settings);
    }
    changed.extend(others);
    let mut report = judge(repository, &changed, false, settings)?;
    report.found.extend(said);
    Ok(report)
}

/// How many files one thread takes at a time at most: enough that git, asked for all of them, is never waited for.
const SHARE: usize = 64;

/// What came of one file.
#[derive(Default)]
struct Judged {
    found: Found,
    /// Its text, if it is a design: that is judged against the tree besides.
    design: Option<Design>,
    /// Its text and its base's, if it imports what the tree must have.
    importing: Option<Importing>,
}

/// What came of files, with their places in the list.
type JudgedFiles = Vec<(usize, Judged)>;

/// `staged`: what belongs to no commit is in the index.
fn judge(repository: &Repository, changed: &[Changed], staged: bool, settings: &Settings) -> Result<Report, GitError> {
    let files: Vec<File> = changed.iter().filter_map(File::of).collect();
    let found = in_parallel(
        files.len(),
        || repository.blobs(),
        |blobs, range| {
            let files = files.get(range.clone()).unwrap_or_default();
            Ok(range.zip(share(blobs, files, settings)?).collect())
        },
    )?;
    let mut report = Report { checked: files.len(), found: words::names(changed, settings), ..Report::default() };
    let mut importing = Vec::new();
    for (place, judged) in found {
        report.extend(judged.found);
        let in_tree = |file: &&File| staged || file.commit.is_some();
        importing.extend(judged.importing.zip(files.get(place).filter(in_tree)));
        if let (Some(design), Some(file)) = (judged.design, files.get(place)) {
            report.extend(design.judge(repository, file, &files, settings)?);
        }
    }
    let deleted = moved::deleted(repository, changed, settings)?;
    report.extend(deleted.found);
    moved::settle(repository, &files, &deleted.files, &mut report.found)?;
    report.extend(imported::missing(repository, &importing, settings)?);
    Ok(report)
}

/// Lets as many threads as there are cores, and shares of work, do `work` on ranges of `0..count`, each with what
/// `begin` makes for it on this thread. What they found comes in order.
fn in_parallel<T: Send, E: Send>(
    count: usize,
    begin: impl Fn() -> T,
    work: impl Fn(&mut T, std::ops::Range<usize>) -> Result<JudgedFiles, E> + Sync,
) -> Result<JudgedFiles, E> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = (0..cores.min(count)).map(|_| begin()).collect::<Vec<T>>();
    let (next, found, failed) = (AtomicUsize::new(0), Mutex::new(JudgedFiles::new()), Mutex::new(None));
    // Smaller and smaller towards the end, so that no thread has to wait long for another.
    let end = |start: usize| start + ((count - start) / (2 * cores)).clamp(1, SHARE);
    let take = || next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |start| (start < count).then(|| end(start)));
    let run = |mut own: T| {
        while let Ok(start) = take() {
            match work(&mut own, start..end(start)) {
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

/// A changed file whose text is judged, or a link.
struct File<'a> {
    path: &'a str,
    id: Oid,
    is_link: bool,
    base: Option<Oid>,
    commit: Option<Oid>,
}

impl File<'_> {
    fn of(changed: &Changed) -> Option<File<'_>> {
        let text =
            |version: &Version| matches!(version.kind, EntryKind::File | EntryKind::Executable).then_some(version.id);
        let new = changed.new.as_ref()?;
        let is_link = new.kind == EntryKind::Symlink;
        let id = if is_link { new.id } else { text(new)? };
        // Moved, or another mode: nobody wrote anything.
        if changed.old.is_some_and(|old| old.id == id) {
            return None;
        }
        let base = changed.old.as_ref().filter(|_| !is_link).and_then(text);
        Some(File { path: &changed.path, id, is_link, base, commit: changed.commit })
    }
}

/// Bytes of files that are judged together: as many as fit beside the rest into a core's own cache.
const AT_ONCE: usize = 512 << 10;

/// Reads files and lets `judge` have each with what was read, some of them at once: parsers are quicker so.
fn read_and_judge<'p, T, E>(
    files: &'p [T],
    settings: &Settings,
    mut read: impl FnMut(&'p T) -> Result<Given<'p>, E>,
    mut judge: impl FnMut(&'p T, Given<'p>),
) -> Result<(), E> {
    let mut files = files.iter().peekable();
    while files.peek().is_some() {
        let (mut given, mut size) = (Vec::new(), 0);
        while let Some(file) = files.next_if(|_| size < AT_ONCE) {
            let new = read(file)?;
            size += new.text().map_or(0, str::len);
            given.push((file, new));
        }
        let texts: Vec<(&str, &str)> =
            given.iter().map(|(_, given)| (given.path, given.text().unwrap_or_default())).collect();
        let parsed = check::parsed(&texts, settings);
        given.into_iter().zip(parsed).for_each(|((file, given), parsed)| judge(file, Given { parsed, ..given }));
    }
    Ok(())
}

/// Judges some files, each without its base if that will do. Few bases are ever read.
fn share<'f>(blobs: &mut Blobs, files: &'f [File], settings: &Settings) -> Result<Vec<Judged>, GitError> {
    let mut judged: Vec<Judged> = Vec::with_capacity(files.len());
    let mut waiting = Vec::new();
    blobs.ask(files.iter().map(|file| file.id))?;
    let read = |file: &'f File| {
        let content = Content::next(blobs, file.id, file.path)?;
        Ok(Given::new(file.path, if file.is_link { content.linked() } else { content }))
    };
    read_and_judge(files, settings, read, |file, given| {
        let compares = file.base.is_some() && check::compares(file.path, settings);
        let found = if compares { Found::default() } else { given.judge(None, file.base.is_some(), settings) };
        let design = if is_kept_as_design(given.path) { given.design(settings) } else { None };
        let importing = given.importing(None, settings);
        let is_asked = compares || !found.is_empty() || design.is_some() || importing.is_some();
        if let Some(base) = file.base.filter(|_| is_asked) {
            waiting.push((judged.len(), given, base));
        }
        judged.push(Judged { found, design, importing });
    })?;
    blobs.ask(waiting.iter().map(|(_, _, base)| *base))?;
    for (place, given, base) in waiting {
        let Some(judged) = judged.get_mut(place) else { continue };
        let base = Content::next(blobs, base, given.path)?;
        if !judged.found.is_empty() || check::compares(given.path, settings) {
            judged.found = given.judge(Some(&base), false, settings);
        }
        if judged.importing.is_some() {
            judged.importing = given.importing(Some(&base), settings);
        }
        if let Content::Missing(id) = base {
            // Nobody can say what of it is new.
            for Reported { finding, .. } in &mut judged.found.reported {
                finding.severity = finding.severity.min(Severity::Warning);
            }
            judged.found.extend(absent(given.path, " of the version before it", id, settings).into());
        }
        if let Some(design) = &mut judged.design {
            design.base = base.text().map(str::to_owned);
        }
    }
    for (judged, file) in judged.iter_mut().zip(files) {
        judged.found = std::mem::take(&mut judged.found).of(file.commit);
    }
    Ok(judged)
}

/// A file as it was read.
struct Given<'p> {
    path: &'p str,
    /// From the root, where that is another path.
    from_root: Option<String>,
    content: Content,
    /// What its parser says, where it was asked.
    parsed: Option<Parsed>,
}

impl<'p> Given<'p> {
    fn new(path: &'p str, content: Content) -> Given<'p> {
        Given { path, from_root: None, content, parsed: None }
    }

    fn text(&self) -> Option<&str> {
        self.content.text()
    }

    fn place(&self) -> &str {
        self.from_root.as_deref().unwrap_or(self.path)
    }

    /// Its text, and its base's, if it has imports that are new and not the language's own.
    fn importing(&self, base: Option<&Content>, settings: &Settings) -> Option<Importing> {
        let (text, base) = (self.text()?, base.and_then(Content::text));
        check::wants_ground(self.path, (base, text), settings)
            .then(|| Importing { text: text.to_owned(), base: base.map(str::to_owned) })
    }

    fn design(&self, settings: &Settings) -> Option<Design> {
        if settings.exclude.has(self.place()) {
            return None;
        }
        Design::read(self.path, self.text()?)
    }

    fn judge(&self, base: Option<&Content>, base_later: bool, settings: &Settings) -> Found {
        let (text, garbled) = match &self.content {
            Content::Text(text) => (text, None),
            // An old encoding that the base has is not this change's doing.
            Content::Garbled(text, why) => {
                (text, Some(*why).filter(|why| !matches!(base, Some(Content::Garbled(_, had)) if had == why)))
            }
            Content::Other => return Found::default(),
            Content::Link(target) => {
                let found = check::carried(&format!("where '{}' leads to", self.path), target, settings).into_iter();
                let reported = found.map(|finding| Reported::bare(finding.path(self.path))).collect();
                return Found { reported, ..Found::default() };
            }
            Content::TooLarge => {
                let reason = format!("it is larger than {} MB", MOST_BYTES >> 20);
                return check::unread(self.path, &reason, settings).into();
            }
            Content::Missing(id) => return absent(self.path, "", *id, settings).into(),
        };
        let base = base.and_then(Content::text);
        // What a parser says of a text without the bytes that it would stumble over is not true of the file.
        let unparsable = matches!(self.content, Content::Garbled(_, NUL));
        let parsed = if unparsable { Some(&Parsed::NotApplicable(NUL)) } else { self.parsed.as_ref() };
        let from_root = self.from_root.as_deref();
        let candidate =
            Candidate { path: self.path, from_root, base, base_later, text, parsed, ..Candidate::default() };
        let mut settled = check::settled(&candidate, settings);
        settled.findings.extend(garbled.into_iter().flat_map(|why| check::absent(self.path, why, settings).findings));
        Found::of_text(settled, text)
    }
}

impl Reported {
    /// A finding that no line goes with.
    fn bare(finding: Finding) -> Reported {
        Reported { finding, excerpt: None, commit: None }
    }
}

impl Found {
    /// Findings about lines of this text, with those that may be shown.
    fn of_text(Settled { findings, silenced, hidden }: Settled, text: &str) -> Found {
        if findings.is_empty() {
            return Found { silenced, ..Found::default() };
        }
        let lines = Lines::of(text);
        let reported = |finding: Finding| {
            let line = finding.line.filter(|line| !hidden.has(*line)).and_then(|line| lines.get(line));
            let shown = line.map(str::trim_end).filter(|line| !line.is_empty() && line.len() <= WIDEST);
            Reported { excerpt: shown.map(str::to_owned), finding, commit: None }
        };
        Found { reported: findings.into_iter().map(reported).collect(), silenced }
    }
}

/// Bytes of a line that is shown.
const WIDEST: usize = 300;

/// What there is to say of a file that cannot be judged, or not as a whole, since this object of it, which `what` tells
/// from others, is not in the repository.
fn absent(path: &str, what: &str, id: Oid, settings: &Settings) -> Settled {
    let mut settled = check::absent(path, &format!("object {id}{what} is missing"), settings);
    for finding in &mut settled.findings {
        let fetches = || format!("check fetches nothing: 'git cat-file -t {id}' does, in a partial clone");
        finding.hint.get_or_insert_with(fetches);
    }
    settled
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
            let given = Given::new("a.json", Content::Text(text.clone()));
            let found = given.judge(None, false, &Settings { author, ..Settings::default() });
            let found = found.reported;
            let ids: Vec<&str> = found.iter().map(|it| it.finding.id.as_ref()).collect();
            assert_eq!(ids, ["syntax-json", "secret"]);
            assert!(found.iter().all(|it| it.excerpt.is_none()), "{found:?}");
            assert!(!format!("{found:?}").contains("zQWBuTSOoRi4A9sp"), "{found:?}");
        }
    }
}
