//! Which files tasks mean that name none: asking a model, judging what it says, and counting what a person has agreed to.

use super::prepare::{examined, read_design};
use super::{Ceiling, Chosen, ImplementError, Prepared, record, sent};
use crate::attempt::{self, Failure, Next, Policy};
use crate::event::{Interrupt, Progress};
use crate::finding::Finding;
use crate::git::{Base, Design, Files, Found, Listed, Place, RecordFile, Repository, Step};
use crate::lld::proposal::{self, Proposal};
use crate::lld::{Lld, Task};
use crate::model::{Completion, StopReason, Usage};
use crate::path::RepoPath;
use crate::plan::propose::{self, Answer};
use crate::plan::{self, Estimate, Options};
use crate::prompt::propose::{Asked, Mapped, Survey, WRITTEN_OUT, rank, requests};
use crate::prompt::{Document, Limits, Prompt};
use crate::provider::record::{Recorder, Recording};
use crate::provider::trace::{SpanId, TraceId};
use crate::provider::{Call, Provider, ProviderError};
use crate::syntax;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// As many files are read so that the map can say how long they are, the likeliest first.
const MEASURED: usize = 4_000;

/// As many files are outlined at most, and none for which less than this speaks.
const OUTLINED: usize = 60;
const LEAST_SCORE: u32 = 10;

/// The form of what is kept.
const SCHEMA: u32 = 1;

/// What a person has agreed to, for one list.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    schema: u32,
    /// Where the list was, for people.
    list: String,
    tasks: Vec<Proposal>,
}

/// Adds to `lld` what was agreed to for this list. Returns what is to be said of it.
pub(super) fn count(
    repository: &Repository,
    design: &Design,
    lld: &mut Lld,
) -> Result<Option<Finding>, ImplementError> {
    if proposal::wanting(lld).is_empty() {
        return Ok(None);
    }
    let name = design.path.as_str();
    let kept = match kept(repository, design)? {
        Ok(kept) => kept,
        Err(finding) => return Ok(Some(finding.path(name))),
    };
    proposal::add(lld, name, &kept);
    let counted: Vec<&str> = lld.tasks.iter().filter(|task| task.proposed).map(|task| task.id.as_str()).collect();
    Ok((!counted.is_empty()).then(|| {
        let message = format!("the files of {} are proposals that were agreed to", named(&counted));
        Finding::note("proposal", message).path(name)
    }))
}

/// The proposals that are kept for this list; a finding if they cannot be read.
fn kept(repository: &Repository, design: &Design) -> Result<Result<Vec<Proposal>, Finding>, ImplementError> {
    let Some(bytes) = repository.proposed(&proposal::untouched(&design.text))? else { return Ok(Ok(Vec::new())) };
    Ok(match serde_json::from_slice::<Kept>(&bytes) {
        Ok(Kept { schema: SCHEMA, tasks, .. }) => Ok(tasks),
        Ok(_) | Err(_) => {
            let message = "what was agreed to for the tasks of this list cannot be read, and does not count";
            Err(Finding::warning("proposal", message).hint("ask again: git implement plan --propose"))
        }
    })
}

/// `task T001`, `tasks T001, T002 and 4 more`.
fn named(ids: &[&str]) -> String {
    const NAMED: usize = 6;
    let more = ids.len().saturating_sub(NAMED);
    let shown = ids.get(..NAMED.min(ids.len())).unwrap_or_default().join(", ");
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("task{} {shown}{rest}", if ids.len() == 1 { "" } else { "s" })
}

/// A list of which some tasks name no file, and what there is to be shown of its repository.
pub struct Surveyed {
    pub design: Design,
    base: Base,
    lld: Lld,
    /// The tasks that are asked about, by their places in the list.
    asked: Vec<usize>,
    names: Vec<String>,
    survey: Survey,
}

/// Reads the list that `argument` names as it is written, and what there is in the base. `None`: every open task of those
/// that are chosen names its files.
pub fn survey(
    repository: &Repository,
    argument: &str,
    cwd: &Path,
    base: Option<&str>,
    options: &Options,
) -> Result<Option<Surveyed>, ImplementError> {
    let (base, design, lld) = read_design(repository, argument, cwd, base)?;
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

    /// Secrets in what would be sent; see [`super::secrets`].
    pub fn secrets(&self, allow: &[String]) -> Vec<Finding> {
        sent::in_texts(self.texts().map(|(path, text)| (path, Cow::Borrowed(text))), allow)
    }

    /// The requests.
    pub fn prompts(&self, limits: Limits) -> Result<Vec<Prompt>, ImplementError> {
        let tasks: Vec<Asked> =
            self.asked().map(|(name, task)| Asked { name, line: task.line, title: task.title() }).collect();
        let document = |path: &RepoPath, text: &str| Document { path: path.to_string(), text: text.to_owned() };
        let list = document(&self.design.path, &self.design.text);
        let beside: Vec<Document> = self.design.beside.iter().map(|(path, text)| document(path, text)).collect();
        requests(&list, &beside, &self.survey, &tasks, limits).map_err(|long| ImplementError::TooLong {
            path: self.design.path.to_string(),
            tokens: long.tokens,
            room: long.room,
        })
    }

    fn list(&self) -> String {
        proposal::untouched(&self.design.text)
    }
}

/// What the requests come to, if `ceiling` allows it.
pub fn estimate(prompts: &[Prompt], chosen: &Chosen, ceiling: Ceiling, path: &str) -> Result<Estimate, ImplementError> {
    let mut total = Estimate::default();
    for prompt in prompts {
        let usage = Usage { input: prompt.tokens, output: prompt.reply_tokens, ..Usage::default() };
        let cost = chosen.prices.map(|prices| prices.cost(&usage));
        total += Estimate { prompt: prompt.tokens, cached: 0, reply: prompt.reply_tokens, cost };
    }
    let over = |what, limit: String, would| Err(ImplementError::Budget { path: path.to_owned(), what, limit, would });
    match (ceiling.tokens, ceiling.cost.zip(total.cost)) {
        (Some(limit), _) if total.prompt + total.reply > limit => {
            over("--max-tokens", limit.to_string(), format!("{} tokens", total.prompt + total.reply))
        }
        (_, Some((limit, cost))) if cost > limit => over("--max-cost", format!("${limit}"), format!("${cost:.4}")),
        _ => Ok(total),
    }
}

/// How to ask.
pub struct Asking<'a> {
    /// Record replies here, too.
    pub record: Option<PathBuf>,
    pub policy: Policy,
    pub interrupt: &'a Interrupt,
    /// Is told of everything that a provider tells.
    pub progress: &'a mut dyn FnMut(Progress),
}

/// Gets an answer to each request. The replies are kept as shown until [`agree`] or [`forget`] is called.
///
/// # Errors
/// What a provider can fail with, and a reply that is no answer. What was answered until then is kept as the replies of a
/// failed run are.
pub fn ask(
    repository: &Repository,
    surveyed: &Surveyed,
    prompts: &[Prompt],
    chosen: Chosen,
    asking: Asking,
) -> Result<Vec<Answer>, ImplementError> {
    let list = surveyed.list();
    let folder = repository.shown_dir(&list)?;
    forget(repository, surveyed);
    let mut provider: Box<dyn Provider> = Box::new(Recorder::new(chosen.provider, &folder));
    if let Some(dir) = &asking.record {
        provider = Box::new(Recorder::new(provider, dir));
    }
    let path = surveyed.design.path.as_str();
    let answers = answers(provider.as_ref(), prompts, path, asking);
    answers.map_err(|error| {
        let error = keep(repository, &list, error);
        repository.forget_shown(&list);
        error
    })
}

/// The answers that were shown last, if they are to these requests: whoever agrees to what they have seen agrees to that.
pub fn shown(
    repository: &Repository,
    surveyed: &Surveyed,
    prompts: &[Prompt],
) -> Result<Option<Vec<Answer>>, ImplementError> {
    let folder = repository.shown_dir(&surveyed.list())?;
    let answer = |prompt: &Prompt| {
        let recording = Recording::read(&folder, &prompt.request.key()).ok()??;
        propose::read(&recording.replies.last()?.text).ok()
    };
    Ok(prompts.iter().map(answer).collect())
}

fn answers(
    provider: &dyn Provider,
    prompts: &[Prompt],
    path: &str,
    asking: Asking,
) -> Result<Vec<Answer>, ImplementError> {
    let Asking { policy, interrupt, progress, .. } = asking;
    let trace = TraceId::continued(None);
    let mut answers = Vec::new();
    for prompt in prompts {
        let mut attempt = 1;
        let completion: Completion = loop {
            let traceparent = trace.parent(SpanId::random());
            let mut call = Call { path, attempt, traceparent: &traceparent, interrupt, progress: &mut *progress };
            let completion = provider.complete(&prompt.request, &mut call).map_err(|error| match error {
                ProviderError::Interrupted => ImplementError::Interrupted,
                error => ImplementError::Provider { path: path.to_owned(), error },
            })?;
            match &completion.stop {
                StopReason::EndTurn => break completion,
                stop if stop.is_truncation() => {
                    if attempt::next(policy, Failure::Truncated, attempt) == Next::GiveUp {
                        let (path, stop) = (path.to_owned(), stop.clone());
                        return Err(ImplementError::Truncated { path, tries: attempt, stop, reply: completion.text });
                    }
                    attempt += 1;
                }
                stop => {
                    let (path, stop) = (path.to_owned(), stop.clone());
                    return Err(ImplementError::Declined { path, stop, reply: completion.text });
                }
            }
        };
        match propose::read(&completion.text) {
            Ok(answer) => answers.push(answer),
            Err(finding) => {
                let findings = vec![finding.path(path)];
                return Err(ImplementError::Refused { path: path.to_owned(), findings, reply: completion.text });
            }
        }
    }
    Ok(answers)
}

/// Keeps the replies there are as those of a failed run; with `error` what is to be said.
fn keep(repository: &Repository, list: &str, error: ImplementError) -> ImplementError {
    let replies = repository.shown(list).unwrap_or_default();
    if replies.is_empty() {
        return error;
    }
    let file = |(name, bytes): (String, Vec<u8>)| RecordFile { name: format!("replies/{name}"), bytes };
    let files: Vec<RecordFile> = replies.into_iter().map(file).collect();
    match repository.keep_failed(&record::run_id(), &files) {
        Ok(place) => ImplementError::Kept { error: Box::new(error), record: place.display().to_string() },
        Err(_) => error,
    }
}

/// What an answer comes to.
pub struct Proposed {
    /// The plan, with the proposals in it as if the list had them. Its findings end with those about the proposals.
    pub prepared: Prepared,
    /// For the tasks that were asked about, as far as the answers will do.
    pub proposals: Vec<Proposal>,
    /// About the answers and their files.
    pub findings: Vec<Finding>,
    /// What is to be kept: these proposals, and those for other tasks that were kept before.
    all: Vec<Proposal>,
}

/// Judges the answers.
pub fn judge(
    repository: &Repository,
    surveyed: &Surveyed,
    answers: &[Answer],
    options: &Options,
) -> Result<Proposed, ImplementError> {
    let Surveyed { base, design, lld, asked, .. } = surveyed;
    let (mut proposals, mut findings) = propose::proposals(lld, asked, answers);
    proposals.retain(|proposal| {
        let paths: Vec<RepoPath> = proposal.files.iter().map(|file| file.path.clone()).collect();
        let refused = repository.unsupported(base, &paths).err();
        findings.extend(refused.as_ref().map(|error| {
            let line = surveyed.asked().find(|(name, _)| *name == proposal.task).map_or(0, |(_, task)| task.line);
            let message = format!("what is proposed for task {} is refused: {error}", proposal.task);
            Finding::warning("proposal-unsupported", message).line(line)
        }));
        refused.is_none()
    });
    let rows = propose::rows(lld, &proposals);
    let planned: Vec<RepoPath> = plan::planned_paths(&rows).cloned().collect();
    let must_exist: Vec<RepoPath> = plan::must_exist(&rows).cloned().collect();
    let snapshot = repository.snapshot(base, &planned, &must_exist)?;
    let (proposals, more) = propose::judge(lld, proposals, &snapshot, options);
    findings.extend(more);
    findings.sort_by_key(|finding| finding.line);
    let asked: BTreeSet<&str> = surveyed.asked().map(|(name, _)| name).collect();
    let mut all = kept(repository, design)?.unwrap_or_default();
    all.retain(|proposal| !asked.contains(proposal.task.as_str()));
    all.extend(proposals.iter().cloned());
    let mut with = lld.clone();
    proposal::add(&mut with, design.path.as_str(), &all);
    let mut prepared = examined(repository, base.clone(), design.clone(), with, options)?;
    prepared.examined.findings.extend(findings.iter().cloned());
    Ok(Proposed { prepared, proposals, findings, all })
}

/// The person agrees: from now on the proposals count for this list.
pub fn agree(repository: &Repository, surveyed: &Surveyed, proposed: &Proposed) -> Result<(), ImplementError> {
    let list = surveyed.design.path.to_string();
    let kept = Kept { schema: SCHEMA, list, tasks: proposed.all.clone() };
    let mut bytes =
        serde_json::to_vec_pretty(&kept).map_err(|error| ImplementError::Record { message: error.to_string() })?;
    bytes.push(b'\n');
    repository.keep_proposed(&surveyed.list(), &bytes)?;
    forget(repository, surveyed);
    Ok(())
}

/// The person agrees, and wants the files in the list itself: it is written on disk, if it still is what was read there.
pub fn write(repository: &Repository, surveyed: &Surveyed, proposed: &Proposed) -> Result<(), ImplementError> {
    let path = &surveyed.design.path;
    let unwritten = |reason: &str, findings| ImplementError::Unwritten {
        path: path.to_string(),
        reason: reason.to_owned(),
        findings,
    };
    let Some(root) = repository.workdir() else { return Err(unwritten("there is no working tree", Vec::new())) };
    let mut files = Files::open(root, repository.environment(), Place::Worktree)?;
    let found = files.look(std::slice::from_ref(path))?.remove(path);
    let blob = match found {
        Some(Found::File(blob)) => blob,
        Some(Found::Unfit(why)) => return Err(unwritten(&why, Vec::new())),
        _ => return Err(unwritten("it is not there any more", Vec::new())),
    };
    let plain = |text: &str| text.replace("\r\n", "\n");
    let text = String::from_utf8(blob.bytes).ok().filter(|text| plain(text) == plain(&surveyed.design.text));
    let Some(text) = text else { return Err(unwritten("it is not what was read", Vec::new())) };
    let new = proposal::write(path.as_str(), &text, &proposed.proposals)
        .map_err(|findings| unwritten("it would not be read as it is meant", findings))?;
    if new != text {
        files.write(&[Step { path: path.clone(), becomes: Some((new.into_bytes(), blob.executable)) }])?;
    }
    forget(repository, surveyed);
    Ok(())
}

/// The person does not agree, or wants to be shown something else.
pub fn forget(repository: &Repository, surveyed: &Surveyed) {
    repository.forget_shown(&surveyed.list());
}
