//! Language servers, asked about the files of the plan.

use super::super::Job;
use super::super::make::Finished;
use super::super::run::Run;
use super::ground::Ground;
use crate::config::LspMode;
use crate::diagnostic::{Diagnostic, new_against};
use crate::environment::Environment;
use crate::event::Event;
use crate::fault::Fault;
use crate::git::blob_id;
use crate::lsp::{self, Diagnosis, Held, Settings};
use crate::plan::{Step, Strategy};
use crate::process::Interrupt;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The servers of the scratch worktree.
pub(super) struct Servers {
    /// None: nobody may be asked, or the base is being looked at.
    open: Option<lsp::Servers>,
    /// The files of the plan that one of them is for.
    handled: BTreeSet<String>,
    /// What files were when the servers heard of them last.
    told: HashMap<String, Option<String>>,
    /// Of each text that one was asked about, by its file and its blob, why nothing is known of it; `None`: it was checked.
    answers: HashMap<(String, String), Option<Unchecked>>,
}

/// Why a server has not checked a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unchecked {
    pub server: &'static str,
    pub why: String,
}

/// A file of the base.
pub(super) struct BaseText {
    /// Where it is there.
    pub path: String,
    /// The planned file that is made from it.
    pub becomes: String,
    pub text: String,
}

impl Servers {
    /// Those that `job` permits, for files of `steps` that get new content; none is open yet. `tree`: the person's working
    /// tree.
    pub fn of(job: &Job, root: &Path, tree: Option<&Path>, steps: &[Step]) -> Servers {
        let (told, answers) = (HashMap::new(), HashMap::new());
        let mut servers = Servers { open: None, handled: BTreeSet::new(), told, answers };
        if job.lsp != LspMode::Off {
            servers.handled = handled(&settings(&job.lsp_servers, tree), root, &job.environment, steps);
        }
        servers
    }

    /// Opens them for the files below `root`. Starts none.
    pub fn open(&mut self, job: &Job, root: &Path, tree: Option<&Path>, held: Held, interrupt: &Interrupt) {
        if self.any() {
            let settings = Settings { held: Some(held), ..settings(&job.lsp_servers, tree) };
            self.open = Some(lsp::Servers::new(root, &settings, &job.environment, interrupt));
        }
    }

    /// Is there anybody for any of the files?
    pub fn any(&self) -> bool {
        !self.handled.is_empty()
    }

    pub fn handles(&self, path: &str) -> bool {
        self.handled.contains(path)
    }

    /// Hands them over to whoever looks at the base.
    pub fn hand_over(&mut self) -> Option<lsp::Servers> {
        self.open.take()
    }

    pub fn take_back(&mut self, open: Option<lsp::Servers>) {
        self.open = open;
    }

    /// The errors in these files, as they are among those that the run has completed, that the base does not have. Nothing is found in a
    /// file that could not be checked: see [`Servers::unchecked`].
    pub fn faults(&mut self, run: &mut Run, finished: &[Finished], paths: &[String], ground: &Ground) -> Vec<Fault> {
        let Some(open) = &mut self.open else { return Vec::new() };
        let mut texts: HashMap<&str, Option<&str>> = HashMap::new();
        for file in &run.completed {
            texts.insert(&file.path, file.text.as_deref());
        }
        let changed: Vec<(String, Option<String>)> = texts
            .iter()
            .filter(|(path, text)| self.told.get(**path).is_none_or(|told| told.as_deref() != **text))
            .map(|(path, text)| ((*path).to_owned(), text.map(str::to_owned)))
            .collect();
        open.changed(&changed);
        self.told.extend(changed);
        let mut faults = Vec::new();
        for path in paths.iter().filter(|path| self.handled.contains(*path)) {
            let Some(text) = self.told.get(path).cloned().flatten() else { continue };
            let (server, checked) = match open.diagnose(path, &text) {
                Diagnosis::NoServer => continue,
                Diagnosis::NotChecked { server, why } => (server, Err(why)),
                Diagnosis::Checked { server, diagnostics } => (server, Ok(diagnostics)),
            };
            let base =
                finished.iter().find(|file| file.step.path.as_str() == path).and_then(|file| file.base.as_deref());
            let known = ground.errors.get(path);
            let checked = match known {
                // Which of its errors are new, nobody can tell.
                None if base.is_some() => checked.and_then(|now| match now.iter().any(Diagnostic::is_error) {
                    true => Err("the base could not be checked".to_owned()),
                    false => Ok(now),
                }),
                _ => checked,
            };
            let known = known.map_or(&[][..], Vec::as_slice);
            let (found, why) = match &checked {
                Ok(now) => {
                    let new = new_against((base.unwrap_or_default(), known), (&text, now));
                    (new.into_iter().map(|error| fault(server, path, error)).collect(), None)
                }
                Err(why) => (Vec::new(), Some(why.clone())),
            };
            let unchecked = why.clone().map(|why| Unchecked { server, why });
            self.answers.insert((path.clone(), blob_id(text.as_bytes())), unchecked);
            let errors = checked.is_ok().then_some(found.len());
            run.say(Event::Diagnosed { path: path.clone(), server: server.to_owned(), errors, why });
            faults.extend(found);
        }
        faults
    }

    /// The files among `texts`, which are paths and blobs, of whose text a server that is there for them has said nothing.
    pub fn unchecked(&self, texts: impl Iterator<Item = (String, String)>) -> Vec<(String, Unchecked)> {
        let of = |(path, blob): (String, String)| {
            let asked = self.answers.get(&(path.clone(), blob));
            let unchecked = match asked {
                Some(unchecked) => unchecked.clone()?,
                None => {
                    let server = self.open.as_ref()?.handles(&path)?;
                    Unchecked { server, why: "it was not asked about the last text".to_owned() }
                }
            };
            Some((path, unchecked))
        };
        texts.filter(|(path, _)| self.handled.contains(path)).filter_map(of).collect()
    }
}

/// `named`: servers that may be started though they run code of the workspace.
pub(super) fn settings(named: &[String], tree: Option<&Path>) -> Settings {
    // A program in the person's tree is not one of theirs only because it is there.
    Settings { never_from: tree.map(Path::to_owned).into_iter().collect(), ..Settings::with(named) }
}

/// The files that are written for which there is a server. Starts none.
pub(super) fn handled(settings: &Settings, root: &Path, environment: &Environment, steps: &[Step]) -> BTreeSet<String> {
    let known = lsp::Servers::new(root, settings, environment, &Interrupt::never());
    written(steps).filter(|path| known.handles(path).is_some()).map(str::to_owned).collect()
}

/// The files that get new content.
pub(super) fn written(steps: &[Step]) -> impl Iterator<Item = &str> {
    steps.iter().filter(|step| step.strategy != Strategy::None).map(|step| step.path.as_str())
}

/// What servers say of files of the base. A file that could not be checked is not among them.
pub(super) fn errors_of(open: &mut Option<lsp::Servers>, texts: &[BaseText]) -> HashMap<String, Vec<Diagnostic>> {
    let Some(open) = open else { return HashMap::new() };
    let mut of = |base: &BaseText| match open.diagnose(&base.path, &base.text) {
        Diagnosis::Checked { diagnostics, .. } => Some((base.becomes.clone(), diagnostics)),
        _ => None,
    };
    texts.iter().filter_map(&mut of).collect()
}

fn fault(server: &str, path: &str, error: &Diagnostic) -> Fault {
    let code = error.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
    let message: String = error.message.chars().take(1_000).collect();
    Fault {
        by: server.to_owned(),
        paths: vec![path.to_owned()],
        line: Some(error.line),
        text: format!("{message}{code}"),
        before: false,
    }
}
