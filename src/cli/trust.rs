//! `git implement trust`: what the repository's file would run, and a person's word that it may, for that very text.

use super::session::NotOpened;
use crate::config::{Agreed, Asked, FILE_NAME, Sources, VerifyWhen, asked_by, digest, read_environment};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::Repository;
use crate::process::Interrupt;
use crate::ui::numbers::plural;
use crate::ui::plain::neutralise_line;
use crate::ui::{ask, failure, json, printer};
use anyhow::Context;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The form of the JSON.
const SCHEMA: u32 = 1;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Approve it without being asked
    #[arg(short, long, overrides_with = "no_yes", conflicts_with_all = ["list", "revoke"])]
    yes: bool,
    #[arg(long, hide = true, overrides_with = "yes")]
    no_yes: bool,
    /// List the texts of the file that are approved
    #[arg(long, conflicts_with = "revoke")]
    list: bool,
    /// Take back every approval for this repository
    #[arg(long)]
    revoke: bool,
    /// Write JSON, and ask nothing
    #[arg(long, overrides_with = "no_json")]
    json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

/// The repository's file, and what the person has said of it.
struct Scene {
    text: Option<String>,
    asked: Vec<Asked>,
    agreed: Agreed,
}

impl Scene {
    fn look() -> Result<Scene, NotOpened> {
        let environment = read_environment();
        let cwd = std::env::current_dir().unwrap_or_default();
        let repository = Repository::find(&cwd, &environment).map_err(NotOpened::told)?;
        let agreed = Agreed::read(&environment, repository.common_dir());
        let wrong = |findings: Vec<Finding>| {
            failure::findings(&findings, None, false);
            NotOpened { status: ExitCode::Fatal, error: format!("cannot read '{FILE_NAME}'"), findings }
        };
        let sources = Sources::gather(environment, repository.workdir(), b"", Vec::new());
        let text = sources.map_err(|finding| wrong(vec![finding]))?.repo_file;
        let asked = text.as_deref().map_or(Ok(Vec::new()), asked_by).map_err(wrong)?;
        Ok(Scene { text, asked, agreed })
    }

    fn is_approved(&self) -> bool {
        self.text.as_ref().is_some_and(|text| self.agreed.approves(text))
    }

    fn json(&self) -> Value {
        json!({
            "schema": SCHEMA,
            "file": FILE_NAME,
            "digest": self.text.as_deref().map(digest),
            "approved": self.is_approved(),
            "asks": self.asked.iter().map(object).collect::<Vec<_>>(),
        })
    }
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut scene = match Scene::look() {
        Ok(scene) => scene,
        Err(failed) => return Ok(failed.status),
    };
    if args.revoke {
        let count = scene.agreed.approved().len();
        scene.agreed.revoke().context("cannot take the approvals back")?;
        return Ok(told(args, &scene, &format!("took back {}", plural(count, "approval"))));
    }
    if args.list {
        return Ok(list(args, &scene));
    }
    let Some(text) = scene.text.clone().filter(|_| !scene.asked.is_empty()) else {
        let what = if scene.text.is_some() { "runs nothing" } else { "is not there" };
        return Ok(told(args, &scene, &format!("'{FILE_NAME}' {what}: there is nothing to approve")));
    };
    if args.json && !args.yes {
        let shown = printed(json::indented(&mut printer::out(), &scene.json()));
        return Ok(shown.max(ExitCode::refused_if(!scene.is_approved())));
    }
    if !args.json {
        let shown = printed(show(&mut printer::out(), &scene.asked));
        if scene.is_approved() || shown != ExitCode::Done {
            return Ok(told(args, &scene, "it is approved, as it is").max(shown));
        }
    }
    if !args.yes {
        if !ask::can_ask() {
            let hint = "git implement trust --yes: approves what is shown here, until the file changes";
            failure::fatal(&format!("nobody is here to approve '{FILE_NAME}'"), &[hint.to_owned()]);
            return Ok(ExitCode::Fatal);
        }
        match ask::yes("Approve this, until the file changes?", &Interrupt::on_signals()) {
            Some(true) => {}
            Some(false) => return Ok(ExitCode::Refused),
            None => return Ok(ExitCode::Interrupted),
        }
    }
    // What was shown, and not what the file may have become meanwhile.
    scene.agreed.approve(&text).context("cannot keep the approval")?;
    Ok(told(args, &scene, &format!("approved '{FILE_NAME}', as it is")))
}

fn printed(written: io::Result<()>) -> ExitCode {
    if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone }
}

fn told(args: &Args, scene: &Scene, line: &str) -> ExitCode {
    if args.json {
        return printed(json::indented(&mut printer::out(), &scene.json()));
    }
    printer::say(line);
    ExitCode::Done
}

fn list(args: &Args, scene: &Scene) -> ExitCode {
    let current = scene.text.as_deref().map(digest);
    let approved = scene.agreed.approved();
    let mut out = printer::out();
    if args.json {
        return printed(json::indented(&mut out, &json!({"schema": SCHEMA, "digest": current, "approved": approved})));
    }
    if approved.is_empty() {
        return printed(writeln!(out, "nothing is approved"));
    }
    let line = |digest: &String| {
        let is_current = if Some(digest) == current.as_ref() { ": the file as it is" } else { "" };
        writeln!(printer::out(), "{digest}{is_current}")
    };
    printed(approved.iter().try_for_each(line))
}

/// A line for each thing that the file would do.
fn show(out: &mut dyn Write, asked: &[Asked]) -> io::Result<()> {
    writeln!(out, "'{FILE_NAME}' would")?;
    let width = asked.iter().map(|asked| asked.value.chars().count()).max().unwrap_or_default().min(40);
    for asked in asked {
        let value = neutralise_line(&asked.value);
        match (&asked.verify, asked.key) {
            (Some(_), _) => writeln!(out, "  run    {value:width$}  {}", circumstances(asked))?,
            (None, "verify") => writeln!(out, "  drop   the commands that were said before")?,
            (None, "lsp-server") => writeln!(out, "  start  {value:width$}  though it runs code of the repository")?,
            (None, key) => writeln!(out, "  set    {value:width$}  as '{key}'")?,
        }
    }
    Ok(())
}

/// When it runs, about what, and what it may do.
fn circumstances(asked: &Asked) -> String {
    let Some(verify) = &asked.verify else { return String::new() };
    let mut words = vec![match verify.when {
        VerifyWhen::File => "after each file".to_owned(),
        VerifyWhen::Commit => "for each commit".to_owned(),
        VerifyWhen::End => "before anything is published".to_owned(),
    }];
    if !verify.paths.is_empty() {
        words.push(format!("if {} is planned", neutralise_line(&verify.paths.join(" or "))));
    }
    words.extend(verify.fixes.then(|| "may change planned files".to_owned()));
    words.extend(verify.network.then(|| "WITH THE NETWORK".to_owned()));
    words.join(", ")
}

fn object(asked: &Asked) -> Value {
    let mut object = json!({"key": asked.key, "line": asked.line, "value": asked.value});
    if let (Some(verify), Some(fields)) = (&asked.verify, object.as_object_mut()) {
        fields.extend([
            ("command".to_owned(), json!(verify.command)),
            ("when".to_owned(), json!(verify.when.word())),
            ("silence".to_owned(), json!(verify.silence.as_secs_f64())),
            ("total".to_owned(), json!(verify.total.as_secs_f64())),
            ("paths".to_owned(), json!(verify.paths)),
            ("fixes".to_owned(), json!(verify.fixes)),
            ("network".to_owned(), json!(verify.network)),
        ]);
    }
    object
}
