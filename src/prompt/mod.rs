//! Prompts: a plan's step, the design and everything finished so far, made into a [`Request`].
//!
//! The order is made for prefix caches: what never changes in a run comes first (system, design, context), then the
//! completed files, to which each step only appends, and the task last. So request k + 1 begins with the bytes of
//! request k up to its task. Breakpoints are set at the ends of the design, the context and the completed files.

mod budget;
mod context;
mod fence;
pub mod propose;

pub use budget::Limits;
pub use context::tests_named;
pub use fence::fenced;

use crate::edit::{FORMATS, Format, FormatSpec};
use crate::lld::Change;
use crate::model::{Block, Message, Request, Role};
use crate::plan::estimate_tokens;
use crate::syntax;

/// As many names of one directory as a prompt lists.
const NAMES_SHOWN: usize = 100;

/// Tokens of a reply whose size nothing tells.
const USUAL_REPLY: u64 = 1_500;

const SYSTEM: &str = include_str!("system.md");

/// A file of the repository that the prompt shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub path: String,
    pub text: String,
}

/// A file that the run has finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    pub path: String,
    /// `None`: it was deleted.
    pub text: Option<String>,
}

/// What all requests of a run share.
#[derive(Debug, Clone)]
pub struct Material {
    pub design: Document,
    /// What stands beside a task list, the most important first.
    pub beside: Vec<Document>,
    /// `--context`, and the tests that the design names.
    pub context: Vec<Document>,
    /// The directories that the change touches, as the base has them: path (`""` for the root) and names.
    pub directories: Vec<(String, Vec<String>)>,
}

/// What is asked for now.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    pub path: &'a str,
    pub change: Change,
    /// The path that a rename starts from.
    pub from: Option<&'a str>,
    /// What the design's file list says of the file.
    pub description: &'a str,
    /// The ids of the tasks of a list that it is for.
    pub tasks: &'a [String],
    pub base: Option<&'a str>,
    pub format: Format,
}

/// A request, and what it took to keep it within the model's limits.
#[derive(Debug, Clone)]
pub struct Prompt {
    pub request: Request,
    /// Estimated tokens of the prompt.
    pub tokens: u64,
    /// Estimated tokens of the reply: the size of the file, or a guess where there is none.
    pub reply_tokens: u64,
    /// Paths of completed files that are shown in outline only.
    pub outlined: Vec<String>,
    /// Documents beside the design for which there was no room.
    pub left_out: Vec<String>,
    /// The prompt takes up most of the model's context window.
    pub near_limit: bool,
}

/// The prompt does not fit into the model's context window, outlines and all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Estimated tokens of the prompt.
    pub tokens: u64,
    /// Tokens that the window has room for beside the reply.
    pub room: u64,
}

/// Builds the request for `task`. Where the prompt would be too long for `limits`, completed files shrink to
/// outlines, the oldest first.
///
/// # Errors
/// [`TooLong`] if that does not suffice.
pub fn build(material: &Material, completed: &[Completed], task: &Task, limits: Limits) -> Result<Prompt, TooLong> {
    let context = context_block(material);
    let context = (!context.is_empty()).then(|| Block::cached(context));
    let (beside, left_out) = budget::whole(&material.beside, limits.room() / 2);
    let start: Vec<Block> = std::iter::once(Block::cached(design(&material.design, &beside))).chain(context).collect();
    let end = Block::new(task_block(task));
    let size = |block: &Block| estimate_tokens(&block.text);
    let fixed = estimate_tokens(SYSTEM) + start.iter().map(size).sum::<u64>() + size(&end);
    let (mut blocks, outlined) =
        budget::fit(completed, limits.room().saturating_sub(fixed), completed_block, outline_block);
    let tokens = fixed + blocks.iter().map(size).sum::<u64>();
    if tokens > limits.most() && limits.certain {
        return Err(TooLong { tokens, room: limits.most() });
    }
    if let Some(last) = blocks.last_mut() {
        last.cache = true;
    }
    let content = start.into_iter().chain(blocks).chain([end]).collect();
    let request = Request {
        system: vec![Block::new(SYSTEM)],
        messages: vec![Message { role: Role::User, content }],
        format: spec(task.format).name.to_owned(),
        max_tokens: limits.max_output(tokens),
        asked_tokens: limits.asked,
    };
    Ok(Prompt {
        request,
        tokens,
        reply_tokens: estimate_tokens(task.base.unwrap_or_default()).max(USUAL_REPLY),
        outlined,
        left_out,
        near_limit: limits.is_near(tokens),
    })
}

/// Estimated tokens of what every prompt begins with, whatever the design is.
pub fn overhead() -> u64 {
    estimate_tokens(SYSTEM)
}

/// A format's own description of itself.
pub fn spec(format: Format) -> &'static FormatSpec {
    FORMATS.iter().find(|spec| spec.format == format).unwrap_or(&FORMATS[0])
}

fn design(design: &Document, beside: &[&Document]) -> String {
    let whole = |document: &Document| fenced(&document.text, "markdown");
    if beside.is_empty() {
        let (path, text) = (&design.path, whole(design));
        return format!("# The design\n\nThe whole document `{path}`:\n\n<design>\n{text}</design>\n");
    }
    let mut out = "# The design\n\nIt has several documents.\n\n<design>\n".to_owned();
    for document in beside {
        out.push_str(&format!("\n`{}`:\n\n{}", document.path, fenced(&document.text, tag(&document.path))));
    }
    out.push_str(&format!("\nThe list of tasks, `{}`:\n\n{}</design>\n", design.path, whole(design)));
    out
}

fn context_block(material: &Material) -> String {
    let mut out = String::new();
    if !material.directories.is_empty() {
        out.push_str("\n# What is there before the change, in the directories that it touches\n\n");
        for (directory, names) in &material.directories {
            let place = if directory.is_empty() { "(root)" } else { directory };
            let more = names.len().saturating_sub(NAMES_SHOWN);
            let shown = names.iter().take(NAMES_SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
            let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
            out.push_str(&format!("- {place}: {shown}{rest}\n"));
        }
    }
    if !material.context.is_empty() {
        out.push_str("\n# Files of the repository, for reference\n\nThey are not part of the change.\n");
    }
    for file in &material.context {
        out.push_str(&format!("\n`{}`:\n\n{}", file.path, fenced(&file.text, tag(&file.path))));
    }
    out
}

fn completed_block(file: &Completed) -> String {
    match &file.text {
        Some(text) => format!("\n# Finished: `{}`\n\n{}", file.path, fenced(text, tag(&file.path))),
        None => format!("\n# Finished: `{}` is deleted\n", file.path),
    }
}

fn outline_block(file: &Completed) -> String {
    match &file.text {
        Some(text) => format!(
            "\n# Finished: `{}` (outline; the bodies are left out here for want of room, the file itself is whole)\n\n{}",
            file.path,
            fenced(&syntax::outline(&file.path, text), tag(&file.path))
        ),
        None => completed_block(file),
    }
}

/// The info string of a fence: the file's extension says it as well as a name of the language would.
fn tag(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn task_block(task: &Task) -> String {
    let spec = spec(task.format);
    let path = task.path;
    let mut out = format!("\n# Your task: `{path}`\n\n");
    out.push_str(&match (task.change, task.from, task.base) {
        (Change::Rename, Some(from), _) => {
            format!("The file `{from}` moves to `{path}`. Write it as it shall be there.\n")
        }
        (_, _, Some(_)) => format!("The file `{path}` exists. Change it as the design says.\n"),
        (_, _, None) => format!("The file `{path}` is new. Write it.\n"),
    });
    if !task.description.trim().is_empty() {
        out.push_str("\nThe design's file list says of it:\n\n");
        for line in task.description.trim().lines() {
            out.push_str(&format!("> {line}\n"));
        }
    }
    if let [first @ .., last] = task.tasks {
        let first = first.join(", ");
        let ids = if first.is_empty() { format!("task {last}") } else { format!("tasks {first} and {last}") };
        out.push_str(&format!(
            "\nNow it is for {ids} of the list alone. What other tasks ask of this file is done already or is asked for \
             later: leave it.\n"
        ));
    }
    if let Some(base) = task.base {
        out.push_str(&format!("\nIts current content:\n\n{}", fenced(base, tag(task.from.unwrap_or(path)))));
        if base.is_empty() {
            out.push_str("\n(It is empty.)\n");
        }
    }
    out.push_str(&format!("\n## Form of the reply\n\n{}\n", spec.instructions.trim()));
    if spec.format == Format::Whole {
        if task.base.is_some() {
            out.push_str("\nIf nothing needs to change, reply with the file as it is.\n");
        }
    } else {
        let example = &spec.example;
        out.push_str(&format!(
            "\nAn example. If the file `{}` were\n\n{}\nthen a reply could be this (without the outermost fence, which only sets it off here):\n\n{}",
            example.path,
            fenced(example.base, tag(example.path)),
            fenced(example.reply, "")
        ));
    }
    out.push_str(&format!("\nNow reply with the {} of `{path}`, and nothing else.\n", asked_for(task.format)));
    out
}

fn asked_for(format: Format) -> &'static str {
    if format == Format::Whole { "complete content" } else { "edits" }
}

#[cfg(test)]
mod tests;
