//! What to type next: for a command line that names nothing, a verb that there is not, and a design that is not there,
//! with what was probably meant.

use super::session::Session;
use crate::config::read_environment;
use crate::exit::ExitCode;
use crate::folder;
use crate::git::{GitError, Repository};
use crate::implement::ImplementError;
use crate::lld;
use crate::plan::suggest;
use crate::ui::failure;
use std::ffi::OsString;
use std::path::Path;
use std::time::SystemTime;

/// As many of the newest documents are looked at to find a design for an example.
const LOOKED_AT: usize = 20;
/// As many designs are named.
const NAMED: usize = 3;

/// Looks at a command line before it is read. If its first word can only be a verb, and is none, or if there is no word at
/// all, it says what to type, and returns the exit status.
pub(super) fn before_reading(arguments: &[OsString]) -> Option<ExitCode> {
    let Some(first) = arguments.get(1) else {
        let design = example().unwrap_or_else(|| "<lld>".to_owned());
        let hints = [
            format!("git implement plan {design}: what the design would do, and what it may cost"),
            format!("git implement {design}: do it, on a branch of its own"),
            "git implement check: the gates, on what is staged".to_owned(),
            "git implement demo: see it all on an example, offline".to_owned(),
            "git implement -h: every verb and every option".to_owned(),
        ];
        failure::fatal("no design is named", &hints);
        return Some(ExitCode::Usage);
    };
    let word = first.to_str()?;
    let own = format!("a design of that name is ./{word}");
    let message = format!("'{word}' is not a git implement command");
    if word == "help" {
        failure::fatal(&message, &["git implement -h: every verb and every option".to_owned()]);
        return Some(ExitCode::Usage);
    }
    let meant = verb(word).filter(|_| Path::new(word).symlink_metadata().is_err())?;
    failure::fatal(&message, &[format!("did you mean 'git implement {meant}'?"), own]);
    Some(ExitCode::Usage)
}

/// What may have been meant by a value that follows an option which takes it behind `=` alone.
pub(super) fn joined(arguments: &[OsString]) -> Option<String> {
    let words: Vec<&str> = arguments.iter().skip(1).map(|word| word.to_str().unwrap_or_default()).collect();
    let is_value = |pair: &&[&str]| matches!(pair, ["--commit", "per-file" | "single"]);
    let pair = words.windows(2).find(is_value).filter(|_| words.first() == Some(&"task"))?;
    Some(format!("did you mean '{}'?", pair.join("=")))
}

/// The verb that a word is nearly, if it is none.
fn verb(word: &str) -> Option<String> {
    let command = super::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let is_word = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let slips = if word.len() < 5 { 1 } else { 2 };
    let near = names.iter().map(|name| (strsim::osa_distance(word, name), *name)).min()?;
    (is_word && (1..=slips).contains(&near.0)).then(|| near.1.to_owned())
}

/// Says why a verb did nothing with the design that was named `lld`, and what may have been meant.
pub(super) fn failed(error: &ImplementError, session: &Session, lld: &str) -> ExitCode {
    let found = match error {
        ImplementError::Git(GitError::DesignMissing { .. }) => like(session, lld),
        ImplementError::Git(GitError::DesignDirectory { .. }) => below(session, lld),
        _ => Vec::new(),
    };
    let hints = match found.split_last() {
        None => Vec::new(),
        Some((only, [])) => vec![format!("did you mean '{only}'?")],
        Some((last, others)) => vec![format!("did you mean '{}' or '{last}'?", others.join("', '"))],
    };
    failure::show(error, &hints, session.style);
    error.exit_code()
}

/// Designs that are called nearly so, as they are named from the current directory.
fn like(session: &Session, lld: &str) -> Vec<String> {
    let documents = documents(&session.repository);
    let wanted = session.repository.from_root(lld, &session.cwd);
    let mut found = suggest(&wanted, &documents);
    if found.is_empty() {
        // `324`, of `docs/lld/324.md` or `docs/lld/324-edits.md`.
        let is_short = |path: &&String| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.strip_prefix(lld).is_some_and(|rest| rest.starts_with(['.', '-', '_', ' ']))
        };
        found = documents.iter().filter(is_short).take(NAMED).cloned().collect();
    }
    found.iter().map(|path| from_here(session, path)).collect()
}

/// The documents of a folder.
fn below(session: &Session, lld: &str) -> Vec<String> {
    let folder = session.repository.from_root(lld, &session.cwd);
    let within =
        |path: &&String| folder.is_empty() || path.strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/'));
    documents(&session.repository).iter().filter(within).take(NAMED).map(|path| from_here(session, path)).collect()
}

/// What may be a design: every document in Markdown, and every folder with a list of tasks, from the root.
fn documents(repository: &Repository) -> Vec<String> {
    let files = repository.files_under("").unwrap_or_default();
    let named = files.into_iter().filter(|path| path.ends_with(".md") && !path.contains(char::is_control));
    named.map(|path| path.strip_suffix(&format!("/{}", folder::TASK_LIST)).map(str::to_owned).unwrap_or(path)).collect()
}

/// A path from the root of the repository as it is named from the current directory.
pub(super) fn from_here(session: &Session, path: &str) -> String {
    let here = session.repository.from_root(".", &session.cwd);
    let mut up = String::new();
    let mut above = here.as_str();
    loop {
        let inside = if above.is_empty() {
            Some(path)
        } else {
            path.strip_prefix(above).and_then(|rest| rest.strip_prefix('/'))
        };
        if let Some(rest) = inside {
            return format!("{up}{rest}");
        }
        above = above.rsplit_once('/').map_or("", |(above, _)| above);
        up.push_str("../");
    }
}

/// The newest design of the repository around the current directory, for an example of a command.
fn example() -> Option<String> {
    let cwd = std::env::current_dir().ok()?;
    let repository = Repository::find(&cwd, &read_environment()).ok()?;
    let root = repository.workdir()?.to_owned();
    let dated = documents(&repository).into_iter().filter_map(|path| {
        let file = root.join(&path);
        let file = if file.is_dir() { file.join(folder::TASK_LIST) } else { file };
        let data = file.symlink_metadata().ok().filter(|data| data.is_file() && data.len() < 1 << 20)?;
        Some((std::cmp::Reverse(data.modified().unwrap_or(SystemTime::UNIX_EPOCH)), path, file))
    });
    let mut dated: Vec<_> = dated.collect();
    dated.sort();
    let is_design = |file: &Path| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let lld = lld::parse(&file.to_string_lossy(), &text);
        lld.dialect.is_some_and(|dialect| dialect != "prose") && !lld.files.is_empty()
    };
    let (_, path, _) = dated.into_iter().take(LOOKED_AT).find(|(_, _, file)| is_design(file))?;
    Some(if cwd.canonicalize().ok()? == root.canonicalize().ok()? {
        path
    } else {
        root.join(path).display().to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::verb;

    #[test]
    fn a_word_that_is_nearly_a_verb_may_have_meant_it() {
        for (word, meant) in [
            ("pln", Some("plan")),
            ("chekc", Some("check")),
            ("appply", Some("apply")),
            ("hok", Some("hook")),
            ("plan", None),
            ("pl", None),
            ("plant-a-tree", None),
            ("docs/plna.md", None),
            ("budget", None),
        ] {
            assert_eq!(verb(word).as_deref(), meant, "{word}");
        }
    }
}
