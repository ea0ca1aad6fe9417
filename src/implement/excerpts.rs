//! What of other files every prompt shows: chosen by [`crate::context`] from the base, less what must not be shown.

use super::{ImplementError, Prepared};
use crate::check;
use crate::config::Config;
use crate::context::{Asked, Context, Excerpt, Look, Reading, Tree, context};
use crate::finding::Finding;
use crate::git::{Base, GitError, Listed, Repository};
use crate::path::{Excluded, RepoPath};
use crate::plan::Shown;
use crate::process::Interrupt;
use crate::prompt::Document;
use std::cell::RefCell;

/// Excerpts take up this part of what a prompt should have at most, whatever was said.
const PART: u64 = 4;

/// Chooses excerpts of files that are neither planned nor among `documents`, within what `config` says.
pub(super) fn choose(
    repository: &Repository,
    prepared: &Prepared,
    config: &Config,
    documents: &[Document],
    room: u64,
    interrupt: &Interrupt,
) -> Result<Context, ImplementError> {
    let budget = u64::from(config.context_tokens.value).min(room / PART);
    let steps = prepared.examined.steps();
    if budget == 0 || steps.is_empty() {
        return Ok(Context::default());
    }
    let excluded = excluded(config)?;
    let design = &prepared.design;
    let beside = design.beside.iter().map(|(_, text)| text.as_str());
    let texts: Vec<&str> = std::iter::once(design.text.as_str()).chain(beside).collect();
    let shown: Vec<&str> = documents
        .iter()
        .map(|document| document.path.as_str())
        .chain(design.beside.iter().map(|(path, _)| path.as_str()))
        .chain([design.path.as_str()])
        .collect();
    let listed: Vec<&str> = prepared.examined.rows.iter().map(|row| row.path.as_str()).collect();
    let asked = Asked { steps, listed: &listed, documents: &texts, shown: &shown, budget };
    let of_base = OfBase { repository, base: &prepared.base, excluded: &excluded, only: None };
    let (mut chosen, failed) = of_base.read(interrupt, |tree| context(&asked, tree))?;
    chosen.findings = chosen.findings.into_iter().map(|finding| finding.path(design.path.as_str())).collect();
    keep(repository, &mut chosen.excerpts)?;
    if let Some(error) = failed {
        let message = format!("cannot look at all files for what the change builds on: {error}");
        chosen.findings.push(Finding::warning("context", message));
    }
    Ok(chosen)
}

/// What `config` wants no model to be shown of other files.
pub(super) fn excluded(config: &Config) -> Result<Excluded, ImplementError> {
    let globs = config.context_exclude.0.iter().map(|said| said.value.as_str());
    Excluded::of(globs).map_err(|(glob, why)| {
        let finding = Finding::error("config-value", format!("bad glob '{glob}' in 'context-exclude': {why}"));
        ImplementError::Configuration { findings: vec![finding] }
    })
}

/// The base's files, as far as a model may be shown them.
pub(super) struct OfBase<'a> {
    pub repository: &'a Repository,
    pub base: &'a Base,
    pub excluded: &'a Excluded,
    /// No others than these.
    pub only: Option<&'a [&'a str]>,
}

impl OfBase<'_> {
    /// Has `look` look at them. With what could not be read, if anything could not.
    pub fn read<T>(
        &self,
        interrupt: &Interrupt,
        look: impl FnOnce(&Tree) -> T,
    ) -> Result<(T, Option<GitError>), ImplementError> {
        let files = self.repository.all_files(self.base)?;
        let is_wanted = |path: &&str| self.only.is_none_or(|only| only.contains(path));
        let find =
            |path: &str| files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().and_then(|at| files.get(at));
        let may = |path: &str| !self.excluded.has(path) && RepoPath::new(path).is_ok_and(|path| !path.keeps_secrets());
        let failed: RefCell<Option<GitError>> = RefCell::default();
        let note = |error: GitError| {
            failed.borrow_mut().get_or_insert(error);
        };
        let one = |path: &str| {
            let file = find(path).filter(|_| may(path))?;
            self.repository.text(file).map_err(note).ok().flatten()
        };
        let many = |paths: &[&str], look: &mut Look| {
            let wanted = paths.iter().enumerate().filter(|(_, path)| may(path));
            let (places, files): (Vec<usize>, Vec<&Listed>) =
                wanted.filter_map(|(at, path)| Some((at, find(path)?))).unzip();
            let look = |at: usize, text: String| places.get(at).is_some_and(|at| look(*at, &text));
            self.repository.each_text(&files, interrupt, look).unwrap_or_else(note);
        };
        let paths = files.iter().map(|file| file.path.as_str()).filter(is_wanted).collect();
        let tree = Tree::new(paths, Reading { one: &one, many: &many });
        let looked = look(&tree);
        drop(tree);
        match failed.into_inner() {
            Some(GitError::Interrupted) => Err(ImplementError::Interrupted),
            failed => Ok((looked, failed)),
        }
    }
}

/// Leaves out what nobody wants to be shown: what the repository ignores though it has it, and texts with a secret.
pub(super) fn keep(repository: &Repository, excerpts: &mut Vec<Excerpt>) -> Result<(), ImplementError> {
    let paths: Vec<RepoPath> = excerpts.iter().filter_map(|excerpt| RepoPath::new(&excerpt.path).ok()).collect();
    let ignored = repository.ignored(&paths)?;
    excerpts.retain(|excerpt| {
        let is_ignored = ignored.iter().any(|path| path.as_str() == excerpt.path);
        !is_ignored && check::secrets(&excerpt.text).is_empty()
    });
    Ok(())
}

/// As the plan lists it.
pub(super) fn shown(excerpt: &Excerpt) -> Shown {
    let lines = (!excerpt.is_whole()).then(|| excerpt.places());
    Shown { path: excerpt.path.clone(), reason: excerpt.reason.clone(), lines, tokens: excerpt.tokens() }
}
