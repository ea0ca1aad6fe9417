//! Prompts: a plan's step, the design and everything finished so far, made into a [`Request`].
//!
//! The order is made for prefix caches: what never changes in a run comes first (system, design, context), then the
//! completed files, to which each step only appends, and the task last. So request k + 1 begins with the bytes of
//! request k up to its task. Breakpoints are set at the ends of the design, the context and the completed files.

mod budget;
mod fence;
mod forecast;
mod found;
mod passage;
pub mod propose;
mod repair;
mod repository;
pub mod reviewer;
pub mod talk;

pub use budget::{LARGEST_WINDOW, Limits};
pub use fence::fenced;
pub use forecast::{Forecast, forecast};
pub use found::disagreement;
pub use repair::{GivenBack, repair};

use crate::context::{Directory, Excerpt};
use crate::edit::{FORMATS, Format, FormatSpec};
use crate::folder::TASK_LIST;
use crate::lld::Change;
use crate::model::{Block, Message, Request, Role, Said, Usage};
use crate::passage::Passage;
use crate::patch;
use crate::plan::{Step, Strategy, estimate_tokens};
use crate::syntax;
use std::cell::OnceCell;
use std::collections::HashMap;

/// What a new file of unknown content comes to in tokens: its usual size in the designs that were measured.
const NEW_FILE: u64 = 1_500;
/// Files that hold nothing or next to nothing.
const NEARLY_EMPTY: u64 = 60;
/// Edits are this part of the file that they change, and never less than `LEAST_EDITS`.
const EDITS_PART: u64 = 8;
const LEAST_EDITS: u64 = 300;

const SYSTEM: &str = include_str!("system.md");

/// Stands before what the plan's row says of a file; records are held against what follows it.
const ROW_SAYS: &str = "\nThe design's file list says of it:\n\n";

/// What the row of a file says, as its prompt quotes it.
fn quoted_row(description: &str) -> String {
    description.trim().lines().map(|line| format!("> {line}\n")).collect()
}

/// Whether a prompt says of its file what `description` says; `None`: it says nothing of a row.
pub fn tells_row(prompt: &str, description: &str) -> Option<bool> {
    let (_, told) = prompt.split_once(ROW_SAYS)?;
    Some(told.starts_with(&quoted_row(description)))
}

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
    /// What it is as a change of the base: every later prompt shows the same, and a diff takes longer than all the rest.
    change: OnceCell<String>,
}

impl Completed {
    /// `text`: `None` if it was deleted.
    pub fn new(path: impl Into<String>, text: Option<String>) -> Completed {
        Completed { path: path.into(), text, change: OnceCell::new() }
    }
}

/// What all requests of a run share.
#[derive(Debug, Clone)]
pub struct Material {
    pub design: Document,
    /// What stands beside a task list, the most important first.
    pub beside: Vec<Document>,
    /// `--context`, and the tests that the design names.
    pub context: Vec<Document>,
    /// What was chosen of other files.
    pub excerpts: Vec<Excerpt>,
    /// The planned files that exist, as the base has them: those that are asked for first.
    pub bases: Vec<Document>,
    /// The directories that the change touches.
    pub directories: Vec<Directory>,
    /// What the plan says of a file beside its row: by its path, and the line of the step that asks for it.
    pub passages: HashMap<(String, usize), Passage>,
    /// What the plan's head says must hold in the end.
    pub must: String,
    /// What implementer and reviewer have said before.
    pub said: Vec<Said>,
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
    /// The line of the design that asks for it.
    pub line: usize,
    pub base: Option<&'a str>,
    pub format: Format,
    /// How many replies to it have been cut off by a limit.
    pub cut_off: u32,
    /// What was found in the file when it was made.
    pub found: Option<Found<'a>>,
}

/// What compilers and tests, or a reviewer, have said of a file that the run has made.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// Their words.
    pub said: &'a str,
    /// A reviewer has said them, and no program.
    pub by_reviewer: bool,
    /// It is written anew, and not changed.
    pub fresh: bool,
}

impl<'a> Task<'a> {
    /// What a step of the plan asks for, where the file is `base` now; `edits` is the form of edits.
    pub fn of(step: &'a Step, base: Option<&'a str>, edits: Format) -> Task<'a> {
        let format = match step.strategy {
            // An earlier step has deleted it.
            _ if step.again && base.is_none() => Format::Whole,
            Strategy::Edits => edits,
            Strategy::Whole | Strategy::None | Strategy::Unknown => Format::Whole,
        };
        Task {
            path: step.path.as_str(),
            change: step.change,
            from: step.from.as_ref().map(|from| from.as_str()),
            description: &step.description,
            tasks: &step.tasks,
            line: step.line,
            base,
            format,
            cut_off: 0,
            found: None,
        }
    }
}

/// A request, and what it took to keep it within the model's limits.
#[derive(Debug, Clone)]
pub struct Prompt {
    pub request: Request,
    /// Estimated tokens of the prompt.
    pub tokens: u64,
    /// Those of them that the next prompt may begin with, too: all but the task.
    pub shared_tokens: u64,
    /// Estimated tokens of the reply: by the size of the file, or a guess where there is none.
    pub reply_tokens: u64,
    /// Paths of completed files that are shown in outline only.
    pub outlined: Vec<String>,
    /// Documents beside the design for which there was no room.
    pub left_out: Vec<String>,
    /// The prompt takes up most of the model's context window.
    pub near_limit: bool,
}

impl Prompt {
    /// What the request is expected to use: its prompt, and a reply of the usual size.
    pub fn expected(&self) -> Usage {
        Usage { input: self.tokens, output: self.reply_tokens, ..Usage::default() }
    }

    /// The same question after `times` replies to it were cut off; as it is after none. Each says something else, so that no
    /// two are the same.
    pub fn shorter(&self, times: u32) -> Prompt {
        let mut prompt = self.clone();
        if times > 0 {
            let text = length(times, "Be as brief as the form allows.");
            let size = estimate_tokens(&text);
            prompt.tokens += size;
            prompt.request.max_tokens =
                prompt.request.max_tokens.saturating_sub(u32::try_from(size).unwrap_or_default()).max(1);
            prompt.request.messages.last_mut().into_iter().for_each(|last| last.content.push(Block::new(&text)));
        }
        prompt
    }
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
/// outlines, the oldest first; where that does not suffice, excerpts and other planned files are left out.
///
/// # Errors
/// [`TooLong`] if that does not suffice.
pub fn build(material: &Material, completed: &[Completed], task: &Task, limits: Limits) -> Result<Prompt, TooLong> {
    let long = match request(material, completed, task, limits) {
        Err(long) if !(material.excerpts.is_empty() && material.bases.is_empty()) => long,
        built => return built,
    };
    // What nobody asked for is no reason to refuse anything.
    let bare = Material { excerpts: Vec::new(), bases: Vec::new(), ..material.clone() };
    request(&bare, completed, task, limits).map_err(|_| long)
}

fn request(material: &Material, completed: &[Completed], task: &Task, limits: Limits) -> Result<Prompt, TooLong> {
    let shown = repository::Shown::of(material, limits.room() / 3);
    let context = (!shown.text.is_empty()).then(|| Block::cached(&shown.text));
    let (beside, left_out) = budget::whole(&material.beside, limits.room() / 2);
    let talk = talk::block(&material.said, limits);
    let talk = (!talk.is_empty()).then(|| Block::cached(talk));
    let design = Block::cached(design(&material.design, &beside));
    let start: Vec<Block> = std::iter::once(design).chain(context).chain(talk).collect();
    let is_shown = task.base.is_some() && shown.base(task.from.unwrap_or(task.path)) == task.base;
    let last = if material.said.is_empty() { "" } else { talk::LAST };
    let end = Block::new(task_block(task, is_shown, &(passage::block(material, task) + last)));
    let size = |block: &Block| estimate_tokens(&block.text);
    let fixed = estimate_tokens(SYSTEM) + start.iter().map(size).sum::<u64>() + size(&end);
    let (mut blocks, outlined) =
        budget::fit(completed, limits.room().saturating_sub(fixed), |file| finished(file, &shown), outline_block);
    let tokens = fixed + blocks.iter().map(size).sum::<u64>();
    if tokens > limits.most() {
        return Err(TooLong { tokens, room: limits.most() });
    }
    if let Some(last) = blocks.last_mut() {
        last.cache = true;
    }
    let shared_tokens = tokens - size(&end);
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
        shared_tokens,
        reply_tokens: reply_tokens(task),
        outlined,
        left_out,
        near_limit: limits.is_near(tokens),
    })
}

/// Estimated tokens of the reply to `task`.
fn reply_tokens(task: &Task) -> u64 {
    match task.format {
        Format::Whole => made_tokens(task),
        _ => (estimate_tokens(task.base.unwrap_or_default()) / EDITS_PART).max(LEAST_EDITS),
    }
}

/// Estimated tokens of the file when the task is done.
fn made_tokens(task: &Task) -> u64 {
    let name = task.path.rsplit('/').next().unwrap_or(task.path);
    match task.base.map(estimate_tokens) {
        Some(base) => (base + base / 10).max(NEARLY_EMPTY),
        None if matches!(name, "__init__.py" | ".gitkeep" | ".keep" | "py.typed") => NEARLY_EMPTY,
        None => NEW_FILE,
    }
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
    let what = if design.path.ends_with(TASK_LIST) { "The list of tasks" } else { "What is to be carried out" };
    out.push_str(&format!("\n{what}, `{}`:\n\n{}</design>\n", design.path, whole(design)));
    out
}

/// A finished file: as a change of its base where that is shown, if it is shorter, else whole.
fn finished(file: &Completed, shown: &repository::Shown) -> String {
    let (Some(base), Some(text)) = (shown.base(&file.path), &file.text) else { return completed_block(file) };
    if base == text {
        return format!("\n# Finished: `{}`, which stays as it is shown above\n", file.path);
    }
    let change = file.change.get_or_init(|| patch::unified(&file.path, Some(base), Some(text)));
    if change.len() >= text.len() {
        return completed_block(file);
    }
    format!("\n# Finished: `{}`, as a change of what is shown above\n\n{}", file.path, fenced(change, "diff"))
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

/// `is_shown`: the file as it is now stands in the prompt already; `passage`: what the plan says of it.
fn task_block(task: &Task, is_shown: bool, passage: &str) -> String {
    let spec = spec(task.format);
    let path = task.path;
    let mut out = format!("\n# Your task: `{path}`\n\n");
    out.push_str(&match (task.change, task.from, task.base) {
        _ if task.found.is_some_and(|found| !found.fresh) => {
            format!("The file `{path}` was written in this run, and something was found in it. Mend it.\n")
        }
        (Change::Rename, Some(from), _) => {
            format!("The file `{from}` moves to `{path}`. Write it as it shall be there.\n")
        }
        (_, _, Some(_)) => format!("The file `{path}` exists. Change it as the design says.\n"),
        (_, _, None) => format!("The file `{path}` is new. Write it.\n"),
    });
    if !task.description.trim().is_empty() {
        out.push_str(ROW_SAYS);
        out.push_str(&quoted_row(task.description));
    }
    if let [first @ .., last] = task.tasks {
        let first = first.join(", ");
        let ids = if first.is_empty() { format!("task {last}") } else { format!("tasks {first} and {last}") };
        out.push_str(&format!(
            "\nNow it is for {ids} of the list alone. What other tasks ask of this file is done already or is asked for \
             later: leave it.\n"
        ));
    }
    out.push_str(passage);
    if is_shown {
        let shown = task.from.unwrap_or(path);
        out.push_str(&format!("\nIts current content is shown above, under \"Planned files\": `{shown}`.\n"));
    } else if let Some(base) = task.base {
        out.push_str(&format!("\nIts current content:\n\n{}", fenced(base, tag(task.from.unwrap_or(path)))));
        if base.is_empty() {
            out.push_str("\n(It is empty.)\n");
        }
    }
    out.push_str(&task.found.map(found::block).unwrap_or_default());
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
    if task.cut_off > 0 {
        out.push_str(&cut_off(task));
    }
    out.push_str(&format!("\nNow reply with the {} of `{path}`, and nothing else.\n", asked_for(task.format)));
    out
}

/// What is said after replies that were too long. Each try says something else, so that no two are the same question.
fn cut_off(task: &Task) -> String {
    let shorter = match (task.format, task.base) {
        (Format::Whole, _) => "Write the file as tersely as it can be complete: no comment that only repeats the code.",
        (_, Some(_)) => "Reply with the smallest edits that do it: quote no more of the file than finds the place.",
        (_, None) => "Be as brief as the form allows.",
    };
    length(task.cut_off, shorter)
}

fn length(times: u32, shorter: &str) -> String {
    let replies = match times {
        1 => "An earlier reply was".to_owned(),
        times => format!("{times} earlier replies were"),
    };
    format!("\n## Length\n\n{replies} too long, and cut off by a limit before the end. {shorter}\n")
}

fn asked_for(format: Format) -> &'static str {
    if format == Format::Whole { "complete content" } else { "edits" }
}

#[cfg(test)]
mod tests;
