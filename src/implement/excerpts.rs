//! What of other files every prompt shows: chosen by [`crate::context`] from the base, less what must not be shown.

use super::{ImplementError, Prepared};
use crate::check;
use crate::config::Config;
use crate::context::{Asked, Context, Excerpt, Look, Reading, Tree, context};
use crate::finding::Finding;
use crate::git::{GitError, Listed, Repository};
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
    let globs = config.context_exclude.0.iter().map(|said| said.value.as_str());
    let excluded = Excluded::of(globs).map_err(|(glob, why)| {
        let finding = Finding::error("config-value", format!("bad glob '{glob}' in 'context-exclude': {why}"));
        ImplementError::Configuration { findings: vec![finding] }
    })?;
    let files = repository.all_files(&prepared.base)?;
    let find =
        |path: &str| files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().and_then(|at| files.get(at));
    let may = |path: &str| !excluded.has(path) && RepoPath::new(path).is_ok_and(|path| !path.keeps_secrets());
    let failed: RefCell<Option<GitError>> = RefCell::default();
    let note = |error: GitError| {
        failed.borrow_mut().get_or_insert(error);
    };
    let one = |path: &str| {
        let file = find(path).filter(|_| may(path))?;
        repository.text(file).map_err(note).ok().flatten()
    };
    let many = |paths: &[&str], look: &mut Look| {
        let wanted = paths.iter().enumerate().filter(|(_, path)| may(path));
        let (places, files): (Vec<usize>, Vec<&Listed>) =
            wanted.filter_map(|(at, path)| Some((at, find(path)?))).unzip();
        let look = |at: usize, text: String| places.get(at).is_some_and(|at| look(*at, &text));
        repository.each_text(&files, interrupt, look).unwrap_or_else(note);
    };
    let tree = Tree::new(files.iter().map(|file| file.path.as_str()).collect(), Reading { one: &one, many: &many });
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
    let mut chosen = context(&Asked { steps, listed: &listed, documents: &texts, shown: &shown, budget }, &tree);
    chosen.findings = chosen.findings.into_iter().map(|finding| finding.path(design.path.as_str())).collect();
    keep(repository, &mut chosen)?;
    match failed.into_inner() {
        Some(GitError::Interrupted) => return Err(ImplementError::Interrupted),
        Some(error) => {
            let message = format!("cannot look at all files for what the change builds on: {error}");
            chosen.findings.push(Finding::warning("context", message));
        }
        None => {}
    }
    Ok(chosen)
}

/// Leaves out what nobody wants to be shown: what the repository ignores though it has it, and texts with a secret.
fn keep(repository: &Repository, chosen: &mut Context) -> Result<(), ImplementError> {
    let paths: Vec<RepoPath> = chosen.excerpts.iter().filter_map(|excerpt| RepoPath::new(&excerpt.path).ok()).collect();
    let ignored = repository.ignored(&paths)?;
    chosen.excerpts.retain(|excerpt| {
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
