//! What there is to be shown to the one who is asked: the list with its documents, and the base's files, ranked by what the
//! design says of them.

use crate::finding::{Finding, Permission};
use crate::git::{Base, Design, Listed, Repository};
use crate::implement::prepare::read_design;
use crate::implement::{ImplementError, Named, secrets};
use crate::lld::{Lld, Task};
use crate::path::RepoPath;
use crate::plan::Options;
use crate::plan::{proposal, propose};
use crate::prompt::propose::{Asked, Mapped, Survey, WRITTEN_OUT, rank, requests};
use crate::prompt::{Document, Limits, Prompt};
use crate::syntax;
use crate::taskmaster;
use std::borrow::Cow;
use std::collections::HashMap;

/// As many files are read so that the map can say how long they are, the likeliest first.
const MEASURED: usize = 4_000;

/// As many files are outlined at most, and none for which less than this speaks.
const OUTLINED: usize = 60;
const LEAST_SCORE: u32 = 10;

/// A list of which some tasks name no file, and what there is to be shown of its repository.
pub struct Surveyed {
    pub design: Design,
    pub(super) base: Base,
    pub(super) lld: Lld,
    /// The tasks that are asked about, by their places in the list.
    pub(super) asked: Vec<usize>,
    names: Vec<String>,
    survey: Survey,
}

/// Reads the list that is `named` as it is written, and what there is in the base. `None`: every open task of those
/// that are chosen names its files.
pub fn survey(
    repository: &Repository,
    named: Named,
    base: Option<&str>,
    options: &Options,
) -> Result<Option<Surveyed>, ImplementError> {
    let (base, design, mut lld) = read_design(repository, named, base)?;
    proposal::as_one_task(&mut lld, &design.text);
    let asked = propose::wanting(&lld, options);
    if asked.is_empty() {
        return Ok(None);
    }
    let tasks = asked.iter().filter_map(|at| lld.tasks.get(*at));
    let texts = tasks.flat_map(|task| [Some(task.text.as_str()), task.phase_title.as_deref()]);
    let texts: Vec<&str> = texts.flatten().collect();
    let documents = design.beside.iter().map(|(_, text)| text.as_str());
    let documents: Vec<&str> = std::iter::once(design.text.as_str()).chain(documents).collect();
    let files = repository.all_files(&base)?;
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let scores = rank(&paths, &documents, &texts);
    // By what speaks for them, then in the tree's order.
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(scores.get(*at)), *at));
    order.truncate(MEASURED);
    let read: Vec<&Listed> = order.iter().filter_map(|at| files.get(*at)).collect();
    let texts = repository.texts(&read)?;
    let mut mapped: Vec<Mapped> = files.iter().map(|file| Mapped { path: file.path.clone(), lines: None }).collect();
    let mut outlines: Vec<(u32, Document)> = Vec::new();
    // One part of a project whose files are all alike leaves room for the others.
    let mut taken: HashMap<&str, u32> = HashMap::new();
    for (at, text) in order.into_iter().zip(texts) {
        let (Some(file), Some(text)) = (mapped.get_mut(at), text) else { continue };
        file.lines = Some(text.lines().count());
        let (Some(path), Some(&score)) = (paths.get(at), scores.get(at)) else { continue };
        if score < LEAST_SCORE || is_no_code(path, score) || outlines.len() >= 4 * OUTLINED {
            continue;
        }
        let outline = syntax::outline(path, &text);
        if !outline.trim().is_empty() {
            let part = path.match_indices('/').nth(1).and_then(|(at, _)| path.get(..at)).unwrap_or_default();
            let taken = taken.entry(part).or_default();
            outlines.push((score * 16 / (8 + *taken), Document { path: file.path.clone(), text: outline }));
            *taken += 1;
        }
    }
    outlines.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let outlines: Vec<Document> = outlines.into_iter().map(|(_, outline)| outline).take(OUTLINED).collect();
    let (names, survey) = (proposal::names(&lld), Survey { files: mapped, scores, outlines });
    Ok(Some(Surveyed { design, base, lld, asked, names, survey }))
}

/// Does the file declare nothing? Documents, designs of other features among them, and data, which are shown only where
/// the design writes them out.
fn is_no_code(path: &str, score: u32) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("md" | "mdx" | "markdown" | "rst" | "adoc" | "txt" | "lock" | "svg") => true,
        Some("json" | "yaml" | "yml" | "xml" | "html" | "css" | "csv" | "toml" | "ini" | "conf") => score < WRITTEN_OUT,
        _ => false,
    }
}

impl Surveyed {
    /// Says before anybody is asked that files cannot be written into this list.
    pub fn writable(&self) -> Result<(), ImplementError> {
        let path = self.design.path.to_string();
        let why = match () {
            () if !self.design.parts.is_empty() => "it is several documents",
            () if taskmaster::is_json(&path, &self.design.text) => "it is JSON",
            () => return Ok(()),
        };
        Err(ImplementError::Unwritten { path, reason: why.to_owned(), findings: Vec::new() })
    }

    /// The tasks that are asked about, with the names by which they are.
    pub fn asked(&self) -> impl Iterator<Item = (&str, &Task)> {
        self.asked.iter().filter_map(|at| Some((self.names.get(*at)?.as_str(), self.lld.tasks.get(*at)?)))
    }

    /// Every text that would be sent, by its path.
    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let beside = self.design.beside.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let outlines = self.survey.outlines.iter().map(|outline| (outline.path.as_str(), outline.text.as_str()));
        std::iter::once((self.design.path.as_str(), self.design.text.as_str())).chain(beside).chain(outlines)
    }

    /// The paths of what would be sent.
    pub fn paths(&self) -> Vec<&str> {
        self.texts().map(|(path, _)| path).collect()
    }

    /// Secrets in what would be sent; see [`crate::implement::secrets`].
    pub fn secrets(&self, allow: &[Permission]) -> Vec<Finding> {
        secrets::in_texts(self.texts().map(|(path, text)| (path, Cow::Borrowed(text))), allow)
    }

    /// The requests.
    pub fn prompts(&self, limits: Limits) -> Result<Vec<Prompt>, ImplementError> {
        let tasks: Vec<Asked> =
            self.asked().map(|(name, task)| Asked { name, line: task.line, title: &task.title }).collect();
        let document = |path: &RepoPath, text: &str| Document { path: path.to_string(), text: text.to_owned() };
        let list = document(&self.design.path, &self.design.text);
        let beside: Vec<Document> = self.design.beside.iter().map(|(path, text)| document(path, text)).collect();
        requests(&list, &beside, &self.survey, &tasks, limits).map_err(|long| ImplementError::TooLong {
            path: self.design.path.to_string(),
            tokens: long.tokens,
            room: long.room,
        })
    }

    /// The list as what is kept of it is filed.
    pub(super) fn list(&self) -> String {
        proposal::untouched(&self.design.text)
    }
}
