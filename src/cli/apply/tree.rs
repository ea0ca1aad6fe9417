//! A reply that names its files, applied to the working tree, the index, or both: all of it, or nothing.
//!
//! Everything is taken apart, located and judged before the first byte is written; how that is done is `git::Files`'.

use super::report::{Exchanged, File, Report, ask_servers, success};
use super::{Args, Judge, finding, judge, loose, reply};
use crate::check::Candidate;
use crate::check::Mask;
use crate::config::read_environment;
use crate::edit::{self, Edit, FileChange, FileReply, Format};
use crate::exit::ExitCode;
use crate::finding::{Finding, allows};
use crate::git::{AtPath, FileUpdate, Files, GitError, Location};
use crate::path::RepoPath;
use crate::plan::Blob;
use crate::process::Interrupt;
use crate::ui;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;

/// Runs the verb for the files of `place`.
pub(super) fn run(
    args: &Args,
    place: Location,
    input: impl Read,
    mut output: impl Write,
    mut errors: impl Write,
) -> Result<ExitCode> {
    let reply = reply(args, input)?;
    let cwd = std::env::current_dir().context("cannot find the current directory")?;
    // From here on a signal waits until nothing is half done.
    let interrupt = Interrupt::on_signals();
    let (mut report, exchanged) = match apply(args, place, &reply, &cwd, &interrupt) {
        Ok(done) => done,
        Err(error) => {
            ui::failure::fatal(&error.to_string(), &error.hints());
            return Ok(error.exit_code());
        }
    };
    if !args.json {
        // First of all, and at once: what a server says afterwards cannot be taken for a failure.
        report.files.iter().filter_map(success).try_for_each(|line| writeln!(output, "{line}"))?;
        // Whether there was a reader is the printer's to say.
        let _ = output.flush();
        ui::findings::write(&mut errors, &report.findings, None, false)?;
        if report.files.iter().any(|file| file.outcome == "withheld") {
            ui::findings::hint(&mut errors, "nothing was applied: a reply applies as a whole, or not at all", false)?;
        }
    }
    if args.lsp && place == Location::Cached {
        let note =
            Finding::note("apply-lsp", "--lsp finds nothing with --cached: what is in the index alone is in no file");
        if args.json { report.findings.push(note) } else { ui::findings::write(&mut errors, &[note], None, false)? }
    } else if args.lsp && report.outcome == "applied" {
        ask_servers(Judge::new(args, cwd, &interrupt), &mut report.files, &exchanged);
    }
    if args.json {
        ui::json::line(&mut output, &report)?;
    } else {
        for block in report.files.iter().filter_map(|file| file.lsp.as_deref()) {
            writeln!(output, "\n{}", ui::plain::neutralise_lines(block))?;
        }
    }
    Ok(ExitCode::refused_if(report.outcome == "refused"))
}

type Done = (Report, Exchanged);

fn apply(args: &Args, place: Location, reply: &str, cwd: &Path, interrupt: &Interrupt) -> Result<Done, GitError> {
    let refused = |refusal| {
        let finding = Mask::of([reply]).finding(Finding::from(refusal));
        (Report { outcome: "refused", files: Vec::new(), findings: vec![finding] }, Exchanged::default())
    };
    let split = match edit::files(Format::from_name(&args.format), reply) {
        Ok(split) => split,
        Err(refusal) => return Ok(refused(refusal)),
    };
    let mut files = Files::open(cwd, &read_environment(), place)?;
    let recovered: Vec<Finding> =
        files.recovered().map(|said| Finding::note("apply-recovered", said)).into_iter().collect();
    let replies = match edit::settle(split, |path| files.exists(path), |path| files.is_directory(path)) {
        Ok(replies) => replies,
        Err(refusal) => {
            let mut report = refused(refusal);
            report.0.findings.splice(..0, recovered);
            return Ok(report);
        }
    };
    let paths = replies.iter().flat_map(FileReply::candidates).filter_map(|path| RepoPath::new(path).ok());
    let found = files.look(&paths.collect::<Vec<_>>())?;
    let mut run = TreeApply { args, place, found, files: Vec::new(), steps: Vec::new(), findings: recovered };
    replies.iter().for_each(|reply| run.file(reply));
    for (path, why) in files.obstacles(&run.steps)? {
        let file = run.files.iter_mut().find(|file| file.path == path.as_str());
        file.into_iter().for_each(|file| file.outcome = "refused");
        run.findings.push(unfit(path.as_str(), &why));
    }
    let (report, exchanged) = run.end();
    if report.outcome == "applied" {
        if interrupt.is_set() {
            return Err(GitError::Interrupted);
        }
        files.write(&exchanged.steps)?;
    }
    Ok((report, exchanged))
}

/// One `apply` to the tree or the index: the files of the reply, what was found at their paths, and what is to be written.
struct TreeApply<'a> {
    args: &'a Args,
    place: Location,
    found: BTreeMap<RepoPath, AtPath>,
    files: Vec<File>,
    steps: Vec<FileUpdate>,
    findings: Vec<Finding>,
}

/// A file that can be made as the reply wants it.
struct Made {
    change: &'static str,
    edits: Vec<Edit>,
    /// None if nothing changes.
    steps: Vec<FileUpdate>,
    /// None of them an error.
    findings: Vec<Finding>,
}

/// A file's new text.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    /// Where it was changed.
    edits: Vec<Edit>,
    /// None of them an error.
    findings: Vec<Finding>,
}

impl TreeApply<'_> {
    fn file(&mut self, reply: &FileReply) {
        let from = match &reply.change {
            FileChange::Rename { from } => Some(from.clone()),
            _ => None,
        };
        let (change, edits, outcome) = match self.made(reply) {
            Ok(made) => {
                let outcome = if made.steps.is_empty() { "unchanged" } else { "applied" };
                self.steps.extend(made.steps);
                self.findings.extend(made.findings);
                (made.change, made.edits, outcome)
            }
            Err(findings) => {
                self.findings.extend(findings);
                (word(&reply.change), Vec::new(), "refused")
            }
        };
        let (path, format) = (reply.path.clone(), reply.format.name());
        self.files.push(File { path, change, from, format, edits, outcome, lsp: None });
    }

    fn made(&self, reply: &FileReply) -> Result<Made, Vec<Finding>> {
        let path = self.path(&reply.path)?;
        let adds = !matches!(reply.change, FileChange::Modify | FileChange::Delete);
        let present = self.present(&path, adds)?;
        let (base, mut steps) = match (&reply.change, present) {
            (FileChange::Add, Some(_)) => return Err(exists(&path, self.in_place())),
            (FileChange::Add, None) => (None, Vec::new()),
            (FileChange::Write, present) => (present, Vec::new()),
            (FileChange::Modify | FileChange::Delete, Some(base)) => (Some(base), Vec::new()),
            (FileChange::Modify | FileChange::Delete, None) => return Err(self.missing(&path)),
            (FileChange::Rename { .. }, Some(_)) => return Err(exists(&path, self.in_place())),
            (FileChange::Rename { from }, None) => {
                let from = self.path(from)?;
                let base = self.present(&from, false)?.ok_or_else(|| self.missing(&from))?;
                (Some(base), vec![FileUpdate { path: from, becomes: None }])
            }
        };
        let change = match (&reply.change, base) {
            (FileChange::Write, None) => "add",
            (FileChange::Write, Some(_)) => "modify",
            (change, _) => word(change),
        };
        let Text { bytes, edits, findings } = self.text(reply, base)?;
        let executable = reply.executable.unwrap_or_else(|| base.is_some_and(|base| base.executable));
        let same = base.is_some_and(|base| base.bytes == bytes && base.executable == executable);
        if reply.change == FileChange::Delete {
            steps.push(FileUpdate { path, becomes: None });
        } else if !same || !steps.is_empty() {
            steps.push(FileUpdate { path, becomes: Some((bytes, executable)) });
        }
        Ok(Made { change, edits, steps, findings })
    }

    fn text(&self, reply: &FileReply, base: Option<&Blob>) -> Result<Text, Vec<Finding>> {
        if reply.reply.is_none() {
            // As it is, text or not.
            return Ok(Text { bytes: base.map(|base| base.bytes.clone()).unwrap_or_default(), ..Text::default() });
        }
        let text = base.map(|base| std::str::from_utf8(&base.bytes)).transpose();
        let text = text.map_err(|_| vec![unfit(&reply.path, "it is not UTF-8 text")])?;
        let own = reply.reply.as_deref().unwrap_or_default();
        let applied = reply.apply(text).map_err(|refusal| vec![finding(&reply.path, refusal, text, own)])?;
        let mut findings: Vec<Finding> = applied.edits.iter().filter_map(|edit| loose(&reply.path, edit)).collect();
        if self.args.check && reply.change != FileChange::Delete {
            let whole = applied.format == Format::Whole;
            let beside: Vec<String> = self.found.keys().map(RepoPath::to_string).collect();
            let candidate =
                Candidate { path: &reply.path, base: text, text: &applied.text, whole, ..Candidate::default() };
            findings.extend(judge(&candidate, &beside, &self.args.allow));
        }
        if findings.iter().any(Finding::is_error) {
            return Err(findings);
        }
        Ok(Text { bytes: applied.text.into_bytes(), edits: applied.edits, findings })
    }

    /// A path of the reply, which could be anything.
    fn path(&self, path: &str) -> Result<RepoPath, Vec<Finding>> {
        let checked = RepoPath::new(path).map_err(|error| {
            vec![Finding::error("path-invalid", format!("invalid path '{path}': {error}")).path(path)]
        })?;
        if let Some(who) = checked.instructs()
            && !self.args.allow.iter().any(|allow| allows(allow, "protected", Some(path)))
        {
            let message = format!("cannot change '{path}': it instructs {who}");
            let hint = format!("if you have read what the reply wants there, give --allow protected:{path}");
            return Err(vec![Finding::error("protected", message).path(path).hint(hint)]);
        }
        Ok(checked)
    }

    /// What is at a path that the reply adds to, or counts on.
    fn present(&self, path: &RepoPath, adds: bool) -> Result<Option<&Blob>, Vec<Finding>> {
        match self.found.get(path) {
            None | Some(AtPath::Nothing) => Ok(None),
            Some(AtPath::File(blob)) => Ok(Some(blob)),
            Some(AtPath::Untracked) if adds => Err(exists(path, "working directory")),
            Some(AtPath::Untracked) => Err(self.missing(path)),
            Some(AtPath::Unfit(why)) => Err(vec![unfit(path.as_str(), why)]),
        }
    }

    fn in_place(&self) -> &'static str {
        if self.place == Location::Worktree { "working directory" } else { "index" }
    }

    fn missing(&self, path: &RepoPath) -> Vec<Finding> {
        let message = match self.place {
            Location::Worktree => "No such file or directory",
            Location::Cached | Location::Index => "does not exist in index",
        };
        vec![Finding::error("path-missing", message).path(path.as_str())]
    }

    /// What there is to say, and what is to be done.
    fn end(mut self) -> Done {
        let refused = self.findings.iter().any(Finding::is_error);
        let outcome = match (refused, self.steps.is_empty()) {
            (true, _) => "refused",
            (false, true) => "unchanged",
            (false, false) => "applied",
        };
        if refused {
            let withheld = self.files.iter_mut().filter(|file| file.outcome == "applied");
            withheld.for_each(|file| file.outcome = "withheld");
        }
        let report = Report { outcome, files: self.files, findings: self.findings };
        (report, Exchanged { found: self.found, steps: self.steps })
    }
}

fn word(change: &FileChange) -> &'static str {
    match change {
        FileChange::Add | FileChange::Write => "add",
        FileChange::Modify => "modify",
        FileChange::Delete => "delete",
        FileChange::Rename { .. } => "rename",
    }
}

/// In git's own words.
fn exists(path: &RepoPath, place: &str) -> Vec<Finding> {
    vec![Finding::error("path-exists", format!("already exists in {place}")).path(path.as_str())]
}

fn unfit(path: &str, why: &str) -> Finding {
    Finding::error("path-unfit", format!("cannot apply to '{path}': {why}")).path(path)
}
