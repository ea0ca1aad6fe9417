//! A run, or the part of it that a commit or a line comes from: for people and for programs.

use super::log::object;
use super::numbers::{count, dollars, duration, plural};
use super::plain::{neutralise, neutralise_lines};
use crate::check::Mask;
use crate::edit::{Edit, Tier};
use crate::finding::Finding;
use crate::record::verify::Judged;
use crate::record::{About, FileStory, Line, Ran, Story, Try};
use crate::transcript::Spent;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::rc::Rc;

/// The version of the form for programs; it goes up when a reader of the old form would misread the new one.
const SCHEMA: u32 = 1;

/// What is shown.
pub struct Subject<'a> {
    pub ran: &'a Ran,
    pub about: &'a About,
    pub story: &'a Story,
    /// The commit that was named, with what it is found to be.
    pub judged: Option<&'a Judged>,
    /// The line that was named.
    pub line: Option<&'a Line>,
}

/// How much of it.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Prompts whole, and not the last piece of them alone.
    pub full: bool,
    /// With prompts and replies.
    pub texts: bool,
}

/// The text of a piece of a prompt, by its name.
pub type Block<'a> = &'a dyn Fn(&str) -> Option<Rc<str>>;

pub fn text(subject: &Subject, look: Look, block: Block) -> String {
    let mut out = String::new();
    head(&mut out, subject);
    for file in &subject.story.files {
        out.push('\n');
        self::file(&mut out, file, look, block);
    }
    if subject.judged.is_none() && subject.line.is_none() && !look.full {
        row(&mut out, "", "");
        row(&mut out, "more", &format!("git implement show --full {}: prompts and replies, too", subject.ran.run));
    }
    out
}

/// `name     what it is`, safe to show.
fn row(out: &mut String, name: &str, value: &str) {
    let line = format!("{name:<10} {}", neutralise(value));
    out.push_str(line.trim_end());
    out.push('\n');
}

fn head(out: &mut String, Subject { ran, about, story, judged, line }: &Subject) {
    let summary = &ran.summary;
    if let Some(line) = line {
        row(out, "line", &format!("{}: {}", line.number, line.text.trim()));
        row(out, "commit", &format!("{:.10}", line.commit));
    }
    if let Some(judged) = judged {
        row(out, "commit", &format!("{:.10} {}", judged.commit, judged.subject));
        row(out, "verified", &judged.verification.word().replace('-', " "));
        judged.reasons.iter().chain(&judged.notes).for_each(|why| row(out, "", why));
    }
    row(out, "run", &format!("{}, {}", ran.run, ran.became.word().replace('-', " ")));
    row(out, "design", &format!("{} at {:.10}", about.lld, about.blob));
    let branch = if about.branch.is_empty() { "none: a patch" } else { &about.branch };
    row(out, "branch", &format!("{branch}, on {:.10}", about.base));
    if let Some(patch) = &ran.patch {
        row(out, "patch", &patch.display().to_string());
    }
    row(out, "model", &format!("{}, by {}", about.model, about.provider));
    row(out, "spent", &format!("{}, {}", used(&summary.spent), duration(summary.seconds)));
    if about.earlier.usage.input > 0 {
        row(out, "before", &format!("{}, by the runs that it goes on from", used(&about.earlier)));
    }
    row(out, "began", &about.started);
    if let Some(before) = &about.continues {
        row(out, "goes on", before);
    }
    if let Some(why) = &summary.error {
        row(out, "ended", why.lines().next().unwrap_or_default());
    }
    for permission in &about.allow {
        row(out, "permitted", &format!("{permission}"));
    }
    for gate in &about.gates {
        row(out, "gates", &format!("{gate}"));
    }
    if about.no_verify {
        row(out, "hooks", "were skipped");
    }
    for it in &story.commands {
        row(out, "ran", &format!("'{}': {}", it.command, if it.passed { "passed" } else { "failed" }));
    }
    if let Some(reviewed) = story.reviewed {
        row(out, "review", &reviewed.words());
    }
    if judged.is_none() && line.is_none() {
        for finding in &story.findings {
            row(out, "said", &said(finding));
        }
    }
}

fn used(spent: &Spent) -> String {
    let cost = spent.cost.map_or(String::new(), |cost| format!(", {}", dollars(cost)));
    format!("{} tokens in, {} out{cost}", count(spent.usage.input), count(spent.usage.output))
}

fn said(finding: &Finding) -> String {
    format!("{} [{}]", finding.message, finding.id)
}

fn file(out: &mut String, file: &FileStory, look: Look, block: Block) {
    match file.is_talk() {
        true => row(out, "asked", file.name()),
        false => row(out, "file", &format!("{}: {}", file.path, file.outcome.as_deref().unwrap_or("not made"))),
    }
    if let Some((line, says)) = &file.row {
        row(out, "  row", &format!("line {line}: {}", says.lines().next().unwrap_or_default()));
    }
    if let Some(maker) = file.maker() {
        row(out, "  made by", maker);
    }
    if !file.edits.is_empty() {
        row(out, "  matched", &matched(&file.edits));
    }
    file.reworked.iter().for_each(|by| row(out, "  changed", &format!("by {by}, after the model")));
    file.look.sentences().iter().for_each(|words| row(out, "  look", words));
    file.findings.iter().for_each(|finding| row(out, "  said", &said(finding)));
    file.tries.iter().for_each(|one| self::one(out, one, look, block));
}

/// `line 14 exactly, lines 20-22 but for white space`.
fn matched(edits: &[Edit]) -> String {
    let one = |edit: &Edit| {
        let place = match edit.lines {
            0 | 1 => format!("line {}", edit.line),
            lines => format!("lines {}-{}", edit.line, edit.line + lines - 1),
        };
        format!("{place} {}", how(edit.tier))
    };
    edits.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn how(tier: Tier) -> &'static str {
    match tier {
        Tier::Exact => "exactly",
        Tier::TrailingSpace => "but for white space at the ends of lines",
        Tier::Space => "but for white space",
        Tier::Elided => "but for what was left out in the middle",
        Tier::Aligned => "but for a line or two of the context",
    }
}

fn one(out: &mut String, one: &Try, look: Look, block: Block) {
    let mut facts = vec![one.format.clone()];
    if let Some(reply) = &one.reply {
        facts.push(format!("{} tokens in, {} out", count(reply.usage.input), count(reply.usage.output)));
        facts.extend(reply.model.clone());
    }
    facts.extend(one.cost.map(dollars));
    facts.extend(one.aborted.as_ref().map(|why| format!("nothing came of it: {why}")));
    row(out, "  request", &format!("{}, key {:.10}: {}", one.attempt, one.key, facts.join(", ")));
    one.refused.iter().for_each(|finding| row(out, "  refused", &said(finding)));
    if !look.texts {
        return;
    }
    let skipped = if look.full { 0 } else { one.prompt.len().saturating_sub(1) };
    let of = if skipped > 0 { format!(", the last of {}", plural(one.prompt.len(), "piece")) } else { String::new() };
    quoted(out, &format!("prompt{of}"), one.prompt.iter().skip(skipped).map(|name| block(name)));
    if let Some(reply) = &one.reply {
        let masked = if reply.masked { ", without the secrets that it held" } else { "" };
        quoted(out, &format!("reply{masked}"), [Some(Rc::from(reply.text.as_str()))].into_iter());
    }
}

/// Somebody's text, each line marked, so that none of it can be taken for ours.
fn quoted(out: &mut String, what: &str, pieces: impl Iterator<Item = Option<Rc<str>>>) {
    out.push_str(&format!("  --- {what} ---\n"));
    for piece in pieces {
        let Some(text) = piece else {
            out.push_str("  | (not in the record)\n");
            continue;
        };
        let text = Mask::of([&*text]).apply(&text).into_owned();
        for line in neutralise_lines(&text).split_terminator('\n') {
            out.push_str(&format!("  | {line}\n"));
        }
    }
}

pub fn json(out: &mut dyn Write, subject: &Subject, look: Look, block: Block) -> io::Result<()> {
    let Subject { ran, about, story, judged, line } = subject;
    let files: Vec<Value> = story.files.iter().map(|file| file_json(file, look, block)).collect();
    let commands: Vec<Value> =
        story.commands.iter().map(|it| json!({"command": it.command, "passed": it.passed})).collect();
    let mut object = json!({
        "schema": SCHEMA, "run": object(ran), "design": {"path": about.lld, "blob": about.blob}, "base": about.base,
        "allow": about.allow, "gates": about.gates, "no_verify": about.no_verify, "commands": commands,
        "verdict": story.reviewed.map(|reviewed| reviewed.verdict), "findings": story.findings, "files": files,
    });
    if let Some(judged) = judged {
        object["commit"] = json!({
            "commit": judged.commit.to_string(), "verdict": judged.verification.word(), "reasons": judged.reasons, "notes": judged.notes,
        });
    }
    if let Some(line) = line {
        object["line"] = json!({"line": line.number, "commit": line.commit.to_string(), "text": line.text});
    }
    super::json::line(out, &object)
}

fn file_json(file: &FileStory, look: Look, block: Block) -> Value {
    let row = file.row.as_ref().map(|(line, says)| json!({"line": line, "description": says}));
    let tries: Vec<Value> = file.tries.iter().map(|one| try_json(one, look, block)).collect();
    json!({
        "path": file.path, "row": row, "outcome": file.outcome, "by": file.maker(), "format": file.format,
        "edits": file.edits, "findings": file.findings, "reworked": file.reworked,
        "servers": file.look.servers, "returned": file.look.returned, "requests": tries,
    })
}

fn try_json(one: &Try, look: Look, block: Block) -> Value {
    let mut object = json!({
        "attempt": one.attempt, "key": one.key, "format": one.format, "cost": one.cost, "refused": one.refused,
        "aborted": one.aborted, "model": one.reply.as_ref().and_then(|reply| reply.model.clone()),
        "usage": one.reply.as_ref().map(|reply| reply.usage), "masked": one.reply.as_ref().is_some_and(|reply| reply.masked),
    });
    if look.texts {
        let pieces: Vec<Option<String>> =
            one.prompt.iter().map(|name| block(name).map(|text| text.to_string())).collect();
        object["prompt"] = pieces.into();
        object["reply"] = one.reply.as_ref().map(|reply| reply.text.clone()).into();
    }
    object
}
