//! Everything that can be known before a token is spent: base, design, plan. `git implement plan` stops here.

use super::publish::committing;
use super::ticking::{Ticking, ticking};
use super::{ImplementError, Job, Leaves, excerpts, propose};
use crate::config::Config;
use crate::context;
use crate::finding::Finding;
use crate::git::{Base, Design, GIVEN, GitError, Repository, Scratch};
use crate::lld::{self, Lld};
use crate::passage::{Passage, Passages, add_commands, in_order};
use crate::path::{Excluded, RepoPath};
use crate::plan::{self, Examined, Options, Shown, Snapshot, Step, Strategy};
use crate::process::Interrupt;
use crate::prompt::{Document, Material};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// What a token comes to in the journal, where a text stands once or twice.
const BYTES_PER_TOKEN: u64 = 8;

/// A design as somebody names it.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// A file, a folder, `<rev>:<path>`, or `-` for what is `given`.
    pub argument: &'a str,
    /// What a path is relative to.
    pub cwd: &'a Path,
    /// What came from standard input, now or when the run was started that this one goes on from.
    pub given: &'a [u8],
    /// The name that this has.
    pub given_as: &'a str,
}

/// A design in its repository.
pub struct Prepared {
    pub base: Base,
    pub design: Design,
    pub lld: Lld,
    pub examined: Examined,
    pub snapshot: Snapshot,
    pub ticking: Option<Ticking>,
    /// What a plan says of each file beside its row.
    pub passages: Passages,
}

/// Reads the design that is `named`, and checks it against the base.
pub fn prepare(
    repository: &Repository,
    named: Named,
    base: Option<&str>,
    options: &Options,
) -> Result<Prepared, ImplementError> {
    let (base, design, mut lld) = read_design(repository, named, base)?;
    let kept = propose::count(repository, &design, &mut lld)?;
    let mut prepared = examined(repository, base, design, lld, options)?;
    prepared.examined.findings.extend(kept);
    Ok(prepared)
}

/// The design as it is written, with the base that it is for.
pub(super) fn read_design(
    repository: &Repository,
    named: Named,
    base: Option<&str>,
) -> Result<(Base, Design, Lld), ImplementError> {
    let base = repository.base(base)?;
    repository.list_ahead(&base);
    let mut design = match named.argument {
        GIVEN => Design::given(named.given_as, named.given)?,
        argument => repository.design(argument, named.cwd, &base)?,
    };
    let mut lld = parsed(&design);
    in_order(&mut lld, &design.text);
    if !lld.tasks.is_empty() && design.parts.is_empty() {
        if let Some(ticked) = repository.ticked_in_base(&design, &base)? {
            lld = lld::parse(ticked.path.as_str(), &ticked.text);
            design = ticked;
        } else if design.committed && design.differs_from_base {
            let in_base = read(repository, &base, &design.path)?.unwrap_or_default();
            done_in_base(&mut lld, &lld::parse(design.path.as_str(), &in_base));
        }
    }
    add_commands(&mut lld, &design.text);
    if !lld.tasks.is_empty() {
        plan::complete_short_paths(&mut lld, &repository.names(&base)?);
    }
    Ok((base, design, lld))
}

/// What a design says, of a folder all of its plans.
fn parsed(design: &Design) -> Lld {
    if design.parts.is_empty() && design.done.is_empty() {
        return lld::parse(design.path.as_str(), &design.text);
    }
    let mut lld = lld::parse_all(design.path.as_str(), design.documents());
    let done = design.done.iter().map(|path| {
        let message = format!("'{path}' is done: its summary is beside it");
        Finding::note("plan-done", message).path(path.as_str())
    });
    lld.findings.extend(done);
    if design.parts.is_empty() {
        // Nothing to do is no mistake.
        lld.dialect = Some("plan");
    }
    lld
}

/// Says of lines of several documents which of them they are lines of.
fn placed(design: &Design, findings: &mut [Finding]) {
    for finding in findings {
        if let Some((path, line)) = finding.line.and_then(|line| design.place(line)) {
            finding.message = format!("{path}:{line}: {}", finding.message);
            finding.line = None;
        }
    }
}

/// Checks a design against the base.
pub(super) fn examined(
    repository: &Repository,
    base: Base,
    design: Design,
    lld: Lld,
    options: &Options,
) -> Result<Prepared, ImplementError> {
    let planned: Vec<RepoPath> = plan::planned_paths(&lld).cloned().collect();
    let must_exist: Vec<RepoPath> = plan::must_exist(&lld).cloned().collect();
    repository.unsupported(&base, &planned)?;
    let snapshot = repository.snapshot(&base, &planned, &must_exist)?;
    let mut examined = plan::examine(&lld, &snapshot, options);
    plan::propose::mark(&mut examined.rows, &lld);
    examined.findings.extend(design_findings(&design));
    let ticking = if options.tick { ticking(repository, &base, &design, &lld, &mut examined)? } else { None };
    placed(&design, &mut examined.findings);
    let passages = Passages::of(&lld, &design.text);
    Ok(Prepared { base, design, lld, examined, snapshot, ticking, passages })
}

/// Takes tasks for done that the base's list, though it is another text, has ticked: an earlier run may have made them.
fn done_in_base(lld: &mut Lld, base: &Lld) {
    let done: HashSet<(&str, &str)> =
        base.tasks.iter().filter(|task| task.done).map(|task| (task.id.as_str(), task.text.as_str())).collect();
    let mut ids = Vec::new();
    for task in lld.tasks.iter_mut().filter(|task| !task.done) {
        if done.contains(&(task.id.as_str(), task.text.as_str())) {
            task.done = true;
            ids.push(task.id.clone());
        }
    }
    if !ids.is_empty() {
        let message = format!("the base's list has {} ticked: not made again", ids.join(", "));
        lld.findings.push(Finding::note("task-done", message));
    }
}

fn design_findings(design: &Design) -> Option<Finding> {
    let path = design.path.as_str();
    let note = |message: String| Some(Finding::note("design-not-committed", message).path(path));
    match (design.committed, design.differs_from_base) {
        (false, _) if design.is_task() => None,
        (false, _) if design.is_given() => {
            note("the design from standard input is kept in the run's record".to_owned())
        }
        (false, _) => note(format!("'{path}' is not in the base; it is kept in the run's record")),
        (true, true) => note(format!("'{path}' differs from the base's; this version is used, and kept in the record")),
        (true, false) => None,
    }
}

/// What the prompts of a run show beside the task, and what there is to say of it.
pub struct Background {
    pub material: Material,
    /// What stands beside the design and the planned files, with the reasons.
    pub shown: Vec<Shown>,
    /// What the repository wanted to be shown, and is not.
    pub findings: Vec<Finding>,
    /// What is not to be shown of other files.
    pub excluded: Excluded,
}

/// The design, the files that are named by `config`, the tests that the design names and the base has, and what is chosen of
/// other files. `room`: tokens that a prompt should have at most.
pub fn background(
    repository: &Repository,
    prepared: &Prepared,
    config: &Config,
    room: u64,
    interrupt: &Interrupt,
) -> Result<Background, ImplementError> {
    let design = &prepared.design;
    let (mut documents, mut shown, mut findings): (Vec<Document>, Vec<Shown>, Vec<Finding>) = Default::default();
    let document = |path: &RepoPath, text: &str| Document { path: path.to_string(), text: text.to_owned() };
    let mut show = |document: &Document, reason: &str| {
        let tokens = plan::estimate_tokens(&document.text);
        shown.push(Shown { path: document.path.clone(), reason: reason.to_owned(), lines: None, tokens });
    };
    let beside: Vec<Document> = design.beside.iter().map(|(path, text)| document(path, text)).collect();
    for named in &config.context.0 {
        let path = RepoPath::new(&named.value).ok();
        let kept = if named.origin.is_protected() { None } else { not_shown(repository, path.as_ref())? };
        if let Some(why) = kept {
            let message = format!("ignoring 'context: {}' from {}: {why}", named.value, named.origin);
            let hint = format!("if you want it shown, give '--context {}'", named.value);
            findings.push(Finding::warning("config-restricted", message).hint(hint));
            continue;
        }
        let text = match &path {
            Some(path) => read(repository, &prepared.base, path)?,
            None => None,
        };
        let Some((path, text)) = path.zip(text) else {
            return Err(missing_context(&named.value, &prepared.base.label));
        };
        if documents.iter().all(|document| document.path != path.as_str()) {
            documents.push(document(&path, &text));
            show(&document(&path, &text), &format!("named by {}", named.origin));
        }
    }
    let planned = |path: &RepoPath| prepared.examined.plan.as_ref().is_some_and(|plan| plan.covers(path.as_str()));
    let texts = std::iter::once(&design.text).chain(design.beside.iter().map(|(_, text)| text));
    for path in texts.flat_map(|text| context::tests_named(text)) {
        let known = documents.iter().any(|document| document.path == path.as_str());
        if known || planned(&path) || path.keeps_secrets() {
            continue;
        }
        if let Some(text) = read(repository, &prepared.base, &path)? {
            documents.push(document(&path, &text));
            show(&document(&path, &text), "a test that the design names");
        }
    }
    let chosen = excerpts::choose(repository, prepared, config, &documents, room, interrupt)?;
    shown.extend(chosen.excerpts.iter().map(excerpts::shown));
    findings.extend(chosen.findings);
    let material = Material {
        design: document(&design.path, &design.text),
        beside,
        context: documents,
        excerpts: chosen.excerpts,
        bases: bases(prepared),
        directories: context::directories(prepared.examined.steps(), &prepared.snapshot),
        passages: passages(prepared),
        must: prepared.passages.must().to_owned(),
        said: Vec::new(),
    };
    Ok(Background { material, shown, findings, excluded: excerpts::excluded(config)? })
}

/// What the plan says of the file of each step.
fn passages(prepared: &Prepared) -> HashMap<(String, usize), Passage> {
    let of = |step: &Step| {
        let path = step.path.as_str();
        let passage = prepared.passages.about(path, &step.tasks)?;
        Some(((path.to_owned(), step.line), passage))
    };
    prepared.examined.steps().iter().filter_map(of).collect()
}

/// Why a file that the repository, and not the person, wants to be shown is not.
fn not_shown(repository: &Repository, path: Option<&RepoPath>) -> Result<Option<&'static str>, ImplementError> {
    let Some(path) = path else { return Ok(Some("it is no path in the repository")) };
    if path.keeps_secrets() {
        return Ok(Some("such files keep secrets"));
    }
    let ignored = repository.ignored(std::slice::from_ref(path))?;
    Ok((!ignored.is_empty()).then_some("the repository's ignore rules cover it"))
}

/// Where the design names what the project depends on: its section on that, or all of it.
pub(super) fn dependencies(prepared: &Prepared) -> String {
    lld::dependencies(&prepared.lld, &prepared.design.text)
}

/// The planned files that exist, as they are: those that a model is asked for, and then those that go or move. Of these none
/// that is long, or keeps secrets by its name.
fn bases(prepared: &Prepared) -> Vec<Document> {
    const LONG: usize = 12_000;
    let steps = prepared.examined.steps().iter().filter(|step| !step.again);
    let (asked, others): (Vec<&Step>, Vec<&Step>) = steps.partition(|step| step.strategy != Strategy::None);
    let text = |step: &Step| {
        let path = step.from.as_ref().unwrap_or(&step.path);
        let blob = step.base.as_ref()?;
        let is_asked = step.strategy != Strategy::None;
        let may = is_asked || (blob.bytes.len() <= LONG && !path.keeps_secrets());
        let text = String::from_utf8(blob.bytes.clone()).ok().filter(|text| may && !text.contains('\0'))?;
        Some(Document { path: path.to_string(), text })
    };
    let mut bases: Vec<Document> = Vec::new();
    for base in asked.into_iter().chain(others).filter_map(text) {
        if bases.iter().all(|known| known.path != base.path) {
            bases.push(base);
        }
    }
    bases
}

fn read(repository: &Repository, base: &Base, path: &RepoPath) -> Result<Option<String>, ImplementError> {
    let blob = repository.blob(base, path)?;
    Ok(blob.and_then(|blob| String::from_utf8(blob.bytes).ok()))
}

fn missing_context(argument: &str, base: &str) -> ImplementError {
    let message = format!("cannot show '{argument}' to the model: '{base}' has no text file there");
    let finding = Finding::error("context-missing", message)
        .hint("--context takes paths relative to the root of the repository, as the base has them");
    ImplementError::Plan { lld: argument.to_owned(), findings: vec![finding] }
}

/// Finds what would make the run fail when all is paid for: what cannot be written, signed or published.
pub(super) fn preflight(scratch: &mut Scratch, job: &Job, interrupt: &Interrupt) -> Result<(), ImplementError> {
    if let Some(dir) = &job.recordings {
        let writable = std::fs::create_dir_all(dir).and_then(|()| tempfile::tempfile_in(dir));
        writable.map_err(|error| GitError::io("record replies in", dir, &error))?;
    }
    job.leaves.as_ref().map_or(Ok(()), Leaves::writable)?;
    let tokens = job.estimate.map_or(0, |total| total.input + total.output);
    let options = committing(job, interrupt);
    let branch = job.delivery.has_branch().then_some((job.branch.as_str(), job.expected));
    Ok(scratch.preflight(branch, tokens * BYTES_PER_TOKEN, &options)?)
}
