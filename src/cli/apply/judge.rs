//! `apply --lsp`: which new errors language servers find in what was written. Whatever becomes of a server, nothing else of
//! the verb is different.

use super::Args;
use crate::cli::session::settings;
use crate::config::{GIT_CONFIG_ARGUMENTS, read_environment};
use crate::diagnostic::{Base, Diagnostic, Written, block, new_against};
use crate::environment::Environment;
use crate::git::{Repository, config_output};
use crate::lsp::{Diagnosis, Servers, Settings};
use crate::process::Interrupt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Files of earlier requests that are looked at again before the next.
const MOST_KNOWN: usize = 100;

/// Servers that the person permits by name. What is wrong with the configuration is nothing that an edit fails for.
fn named(environment: &Environment, repository: Option<&Repository>, cwd: &Path) -> Vec<String> {
    let printed = match repository {
        Some(repository) => repository.config_output(GIT_CONFIG_ARGUMENTS),
        None => config_output(environment, cwd, GIT_CONFIG_ARGUMENTS),
    };
    let config = printed.ok().and_then(|printed| settings(environment, repository, &printed, Vec::new()).ok());
    config.map(|config| config.lsp_server.values()).unwrap_or_default()
}

/// The servers, and what they have been asked about.
pub(super) struct Judge {
    servers: Servers,
    root: PathBuf,
    repository: Option<Repository>,
    cwd: PathBuf,
    /// Files that were asked about, the last one last, as they were on disk then: length and time.
    known: Vec<(String, Option<(u64, SystemTime)>)>,
}

/// What a server says of a text, and which one.
type Said = (&'static str, Vec<Diagnostic>);

impl Judge {
    /// As [`Judge::new`], for the current directory. `None`: nobody wants to know. A signal ends the program as if there
    /// were no servers: they end with their input.
    pub fn wanted(args: &Args) -> Option<Judge> {
        let cwd = args.lsp.then(std::env::current_dir)?.ok()?;
        Some(Judge::new(args, cwd, &Interrupt::never()))
    }

    /// For the repository round a directory, or for that directory. Starts nothing.
    pub fn new(args: &Args, cwd: PathBuf, interrupt: &Interrupt) -> Judge {
        let environment = read_environment();
        let cwd = cwd.canonicalize().unwrap_or(cwd);
        let repository = Repository::find(&cwd, &environment).ok();
        let root = repository.as_ref().and_then(Repository::workdir).unwrap_or(&cwd).to_owned();
        let mut settings = Settings::with(&named(&environment, repository.as_ref(), &cwd));
        if let Some(longest) = args.lsp_timeout.map(Duration::from_secs) {
            (settings.limit, settings.first_limit) = (longest, longest);
        }
        Judge {
            servers: Servers::new(&root, &settings, &environment, interrupt),
            root,
            repository,
            cwd,
            known: Vec::new(),
        }
    }

    /// For each text that was written, the block with its new errors, if it has some.
    pub fn blocks(&mut self, written: &[Written]) -> Vec<Option<String>> {
        written.iter().for_each(|it| self.servers.show(it.path, it.text));
        let now: Vec<Option<Said>> = written.iter().map(|it| self.said(it.path, it.text)).collect();
        let fails = |said: &Option<Said>| said.as_ref().is_some_and(|(_, said)| said.iter().any(Diagnostic::is_error));
        // Only where there are errors it matters what was there before; and then of all files together.
        if now.iter().any(fails) {
            written.iter().for_each(|it| self.servers.hide(it.path));
            written.iter().filter_map(|it| it.base).for_each(|base| self.servers.show(base.path, base.text));
        }
        let mut new = |(it, now): (&Written, &Option<Said>)| {
            let (server, errors) = now.as_ref().filter(|_| fails(now))?;
            // Another server, for another language, counts otherwise.
            let before = it.base.and_then(|base| Some((base.text, self.said(base.path, base.text)?)));
            let before = before.filter(|(_, (other, _))| other == server);
            let before = before.as_ref().map_or(("", &[][..]), |(text, (_, said))| (*text, said));
            block(it.path, new_against(before, (it.text, errors)))
        };
        let blocks = written.iter().zip(&now).map(&mut new).collect();
        for path in written.iter().flat_map(|it| [Some(it.path), it.base.map(|base| base.path)]).flatten() {
            self.servers.hide(path);
        }
        blocks
    }

    fn said(&mut self, path: &str, text: &str) -> Option<Said> {
        match self.servers.diagnose(path, text) {
            Diagnosis::Checked { server, diagnostics } => Some((server, diagnostics)),
            Diagnosis::NoServer | Diagnosis::NotChecked { .. } => None,
        }
    }

    /// The block for the new text of one file, which need not be on disk, with the name that the caller has for it.
    pub fn block_of(&mut self, target: &str, base: Option<&str>, text: &str) -> Option<String> {
        if base == Some(text) {
            return None;
        }
        let path = match &self.repository {
            Some(repository) => repository.from_root(target, &self.cwd),
            None => target.to_owned(),
        };
        self.look_again(&path);
        let base = base.map(|text| Base { path: &path, text });
        self.blocks(&[Written { path: &path, text, base }]).pop().flatten()
    }

    /// Whoever asks has probably written what was asked about before: servers hear of it only from us.
    fn look_again(&mut self, path: &str) {
        let root = &self.root;
        let state = |path: &str| {
            let data = Path::new(root).join(path).symlink_metadata().ok()?;
            Some((data.len(), data.modified().ok()?))
        };
        let mut changed = Vec::new();
        for (path, was) in &mut self.known {
            let is = state(path);
            if is != *was {
                // Nothing is shown between two requests, so that no text is needed.
                changed.push((path.clone(), is.map(|_| String::new())));
                *was = is;
            }
        }
        self.servers.changed(&changed);
        self.known.retain(|(known, _)| known != path);
        self.known.push((path.to_owned(), state(path)));
        self.known.drain(..self.known.len().saturating_sub(MOST_KNOWN));
    }
}
