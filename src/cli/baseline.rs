//! The baseline of `check`: which file it is, how it is read, and how it is written anew.

use crate::check::{Baseline, Known, SilencedBy};
use crate::config::{Config, FILE_NAME, Origin, Setting};
use crate::finding::Finding;
use crate::git::input;
use crate::path::RepoPath;
use crate::ui::{self, printer};
use crate::validate::Report;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Its name at the root of the repository, where it is written if nobody says another one.
pub const FILE: &str = ".git-implement-baseline.json";

const MOST_BYTES: u64 = 64 << 20;

/// The file that counts, if any: what an option names is relative to the current directory, what a configuration names to
/// the root. A repository names none outside of it.
///
/// # Errors
/// What is wrong with its name.
pub fn place(config: &Config, cwd: &Path, root: Option<&Path>) -> Result<Option<PathBuf>, Finding> {
    let Some(Setting { value, origin }) = &config.baseline else { return Ok(None) };
    if matches!(origin, Origin::Option(_) | Origin::Environment(_)) {
        return Ok(Some(cwd.join(value)));
    }
    let Some(root) = root else { return Ok(None) };
    if !origin.is_protected() && RepoPath::new(&value.to_string_lossy()).is_err() {
        let message = format!("bad baseline '{}' ({origin}): it is not a path of the repository", value.display());
        return Err(Finding::error("config-value", message).hint(format!("write it in {FILE_NAME} from the root")));
    }
    Ok(Some(root.join(value)))
}

/// What is in it, with a word for what of it does not count.
///
/// # Errors
/// Why it cannot be read.
pub fn read(file: &Path) -> Result<(Baseline, Option<Finding>), Finding> {
    let failed = |why: String| {
        let finding = Finding::error("baseline", format!("cannot read the baseline '{}': {why}", file.display()));
        finding.hint("'git implement check --write-baseline' writes one")
    };
    let is_link = fs::symlink_metadata(file).is_ok_and(|found| found.is_symlink());
    if is_link {
        return Err(failed("it is a symbolic link".to_owned()));
    }
    let bytes = input::read(file, MOST_BYTES).map_err(|error| failed(error.to_string()))?;
    let baseline = Baseline::read(&String::from_utf8_lossy(&bytes)).map_err(failed)?;
    let ignored = baseline.guarded();
    let finding = (ignored > 0).then(|| {
        let message = format!("ignoring {ignored} entries of '{}': only you may permit those", file.display());
        Finding::warning("config-restricted", message).hint("if you want it, give '--allow <id>:<path>'")
    });
    Ok((baseline, finding))
}

/// Says how much of the baseline is gone from the files that were judged. Nothing is known of the others.
pub fn tell_stale(baseline: &Baseline, report: &Report, judged: &[String], root: Option<&Path>) {
    let judged: BTreeSet<&str> = judged.iter().map(String::as_str).collect();
    let is_gone = |path: &str| root.is_some_and(|root| root.join(path).symlink_metadata().is_err());
    let stale = baseline.stale(known(report), |path| judged.contains(path) || is_gone(path));
    if stale > 0 {
        let (what, are) = if stale == 1 { ("finding", "is") } else { ("findings", "are") };
        let finding = Finding::note("baseline", format!("{stale} {what} of the baseline {are} gone"));
        let finding = finding.hint("'git implement check --write-baseline' writes it anew");
        ui::failure::findings(&[finding], None, false);
    }
}

/// Writes what was found to `file`, in the place of what it says of the files that were judged, and of those that are
/// gone.
pub fn write(file: &Path, cwd: &Path, report: &Report, judged: &[String], root: Option<&Path>) -> Result<()> {
    let judged: BTreeSet<&str> = judged.iter().map(String::as_str).collect();
    let mut baseline = read(file).map(|(baseline, _)| baseline).unwrap_or_default();
    baseline
        .retain(|path| !judged.contains(path) && root.is_none_or(|root| root.join(path).symlink_metadata().is_ok()));
    known(report).for_each(|known| baseline.add(known.clone()));
    let name = file.strip_prefix(cwd).unwrap_or(file).display();
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Whole or not at all.
    let written = || -> std::io::Result<()> {
        let mut new = tempfile::NamedTempFile::new_in(parent)?;
        new.write_all(baseline.write().as_bytes())?;
        new.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
        new.persist(file)?;
        Ok(())
    };
    written().with_context(|| format!("cannot write '{name}'"))?;
    let what = if baseline.len() == 1 { "finding" } else { "findings" };
    printer::say(format!("wrote {} {what} to '{name}'", baseline.len()));
    ui::failure::findings(
        &[Finding::note("baseline", "what is in it is not told again where it counts")
            .hint(format!("give '--baseline {name}', or write 'baseline = \"{FILE}\"' in {FILE_NAME}"))],
        None,
        false,
    );
    Ok(())
}

fn known(report: &Report) -> impl Iterator<Item = &Known> {
    report.silenced.iter().filter_map(|it| match &it.by {
        SilencedBy::Baseline(known) => Some(known),
        SilencedBy::Comment | SilencedBy::Configuration => None,
    })
}
