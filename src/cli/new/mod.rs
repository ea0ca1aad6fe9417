//! `git implement new`: a design in the form that is read best, for a person to fill in: from a title and free text, by the
//! template alone or with the files that a model proposes.

mod template;

use super::options::Face;
use super::plan;
use super::session::Session;
use crate::exit::ExitCode;
use crate::git::{AtPath, FileUpdate, Files, GIVEN, GitError, Location, MOST_DESIGN, branch, input};
use crate::path::RepoPath;
use crate::ui::{self, printer};
use std::io::{self, Write};
use std::path::Path;

/// Where designs lie, from the root of the repository.
const FOLDER: &str = "docs/lld";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// What it is about; with --from, the text's own title if this is left out
    #[arg(value_name = "title", required_unless_present = "from")]
    pub title: Option<String>,
    /// Begin with this text, such as an issue's; - reads standard input
    #[arg(long, value_name = "file")]
    pub from: Option<String>,
    /// With --propose: who is asked
    #[arg(long, value_name = "name", requires = "propose", value_parser = ["anthropic", "openai", "ollama", "command", "replay"])]
    pub provider: Option<String>,
    /// With --propose: which model
    #[arg(long, value_name = "name", requires = "propose")]
    pub model: Option<String>,
    #[command(flatten)]
    pub propose: plan::Propose,
}

/// Why there is no new design.
struct NotMade {
    message: String,
    hints: Vec<String>,
}

impl NotMade {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> NotMade {
        NotMade { message: message.into(), hints: vec![hint.into()] }
    }
}

impl From<GitError> for NotMade {
    fn from(error: GitError) -> NotMade {
        NotMade { message: error.to_string(), hints: error.hints() }
    }
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    let session = match Session::open(&Face::plain(false), Vec::new()) {
        Ok(session) => session,
        Err(failed) => return failed.status,
    };
    let path = match make(args, &session) {
        Ok(path) => path,
        Err(NotMade { message, hints }) => {
            ui::failure::fatal(&message, &hints);
            return ExitCode::Fatal;
        }
    };
    let printed = writeln!(printer::out(), "{path}");
    let here = super::meant::from_here(&session, path.as_str());
    if args.propose.propose {
        return plan::run(&plan::Args::proposing(here, args.provider.clone(), args.model.clone(), &args.propose));
    }
    printer::say(format_args!("hint: fill in its list of files, then: git implement plan {here}"));
    printer::say(format_args!("hint: or have a model propose them: git implement plan --propose --write {here}"));
    printed.map_or(ExitCode::ReaderGone, |()| ExitCode::Done)
}

/// Writes the design, at a path where nothing is. Returns the path.
fn make(args: &Args, session: &Session) -> Result<RepoPath, NotMade> {
    let Some(root) = session.repository.workdir() else {
        return Err(NotMade::new("a design is made in a working tree, and there is none", "clone the repository"));
    };
    let text = args.from.as_deref().map(|from| read(from, &session.cwd)).transpose()?.unwrap_or_default();
    let (own, rest) = template::titled(&text);
    let (title, context) = match args.title.as_deref().map(template::one_line) {
        Some(title) => (title, text.as_str()),
        None => (own.clone().unwrap_or_default(), rest.as_str()),
    };
    // A title that the text repeats says nothing more.
    let context = if own.as_deref() == Some(title.as_str()) { rest.as_str() } else { context };
    let name = branch::component(&title.to_lowercase());
    let path = name.and_then(|name| RepoPath::new(&format!("{FOLDER}/{name}.md")).ok()).ok_or_else(|| {
        NotMade::new("the design has no title that could name its file", "git implement new \"<title>\" --from <file>")
    })?;
    let mut files = Files::open(root, session.repository.environment(), Location::Worktree)?;
    let found = files.look(std::slice::from_ref(&path))?.remove(&path);
    let blocked = |why: &str| NotMade::new(format!("cannot make '{path}': {why}"), "move what is in the way");
    match found {
        None | Some(AtPath::Nothing) => {}
        Some(AtPath::Unfit(why)) => return Err(blocked(&why)),
        Some(AtPath::File(_) | AtPath::Untracked) => {
            let hint = format!("choose another title; or go on with that one: git implement plan {path}");
            return Err(NotMade::new(format!("'{path}' is there already"), hint));
        }
    }
    let becomes = Some((template::design(&title, context).into_bytes(), false));
    let updates = [FileUpdate { path: path.clone(), becomes }];
    if let Some((_, why)) = files.obstacles(&updates)?.pop() {
        return Err(blocked(&why));
    }
    files.write(&updates)?;
    Ok(path)
}

/// The text that somebody names.
fn read(from: &str, cwd: &Path) -> Result<String, NotMade> {
    let bytes = match from {
        GIVEN => input::all(io::stdin().lock(), MOST_DESIGN),
        from => input::read(&cwd.join(from), MOST_DESIGN),
    };
    let refused =
        |why: String| NotMade::new(format!("cannot read '{from}': {why}"), "--from takes a file of text, or -");
    let bytes = bytes.map_err(|error| refused(ui::plain::reason(&error)))?;
    String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8".to_owned()))
}
