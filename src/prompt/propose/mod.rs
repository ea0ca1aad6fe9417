//! The requests that ask which files tasks mean: the design, a map of the repository, outlines of what may matter, and the
//! tasks last, so that requests for further tasks begin with the same bytes.

mod map;
mod rank;

pub use rank::{WRITTEN_OUT, rank};

use super::{Document, Limits, Prompt, TooLong, budget, design, fenced, tag};
use crate::model::{Block, Message, Request, Role};
use crate::plan::proposal::WHOLE;
use crate::plan::{MAX_FILES, estimate_tokens, propose};

const SYSTEM: &str = include_str!("system.md");

/// What the requests are filed under as a format.
pub const FORMAT: &str = "proposal";

/// As many tasks as one request asks about.
pub const TASKS: usize = 60;

/// The most tokens that the map and the outlines take up, each: more of them makes answers dearer, not better.
const MOST_MAP: u64 = 24_000;
const MOST_OUTLINES: u64 = 24_000;

/// As many lines of one outline as are shown.
const OUTLINE_LINES: usize = 60;

/// Tokens that a task takes up in an answer.
const REPLY_PER_TASK: u64 = 60;

/// A file of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    pub path: String,
    /// `None`: it is no text, or was not read.
    pub lines: Option<usize>,
}

/// What is known of the repository.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// In the order of the paths.
    pub files: Vec<Mapped>,
    /// How much speaks for each of them, see [`rank`].
    pub scores: Vec<u32>,
    /// Outlines of files that may matter, the likeliest first.
    pub outlines: Vec<Document>,
}

/// A task that is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// By which the answer is to name it.
    pub name: &'a str,
    pub line: usize,
    pub title: &'a str,
}

/// The requests for `tasks`, [`TASKS`] in each.
///
/// # Errors
/// [`TooLong`] if the design leaves no room for anything else.
pub fn requests(
    list: &Document,
    beside: &[Document],
    survey: &Survey,
    tasks: &[Asked],
    limits: Limits,
) -> Result<Vec<Prompt>, TooLong> {
    let (shown, left_out) = budget::whole(beside, limits.room() / 2);
    let design = Block::cached(design(list, &shown) + &said_of(&left_out));
    let ends: Vec<(String, usize)> = tasks.chunks(TASKS).map(|tasks| (task_block(tasks), tasks.len())).collect();
    let longest = ends.iter().map(|(end, _)| estimate_tokens(end)).max().unwrap_or_default();
    let fixed = estimate_tokens(SYSTEM) + estimate_tokens(&design.text) + longest;
    let left = limits.room().saturating_sub(fixed);
    let map = map_block(survey, MOST_MAP.min(left / 2));
    let left = left.saturating_sub(estimate_tokens(&map));
    let repository = Block::cached(map + &outline_block(survey, MOST_OUTLINES.min(left * 3 / 4)));
    let tokens = fixed + estimate_tokens(&repository.text);
    if tokens > limits.most() {
        return Err(TooLong { tokens, room: limits.most() });
    }
    let prompt = |(end, tasks): (String, usize)| Prompt {
        request: Request {
            system: vec![Block::new(SYSTEM)],
            messages: vec![Message {
                role: Role::User,
                content: vec![design.clone(), repository.clone(), Block::new(end)],
            }],
            format: FORMAT.to_owned(),
            max_tokens: limits.max_output(tokens),
            asked_tokens: limits.asked,
        },
        tokens,
        // The task that differs is no longer than the longest of them.
        shared_tokens: tokens - longest,
        reply_tokens: tasks as u64 * REPLY_PER_TASK,
        outlined: Vec::new(),
        left_out: left_out.clone(),
        near_limit: limits.is_near(tokens),
    };
    Ok(ends.into_iter().map(prompt).collect())
}

fn said_of(left_out: &[String]) -> String {
    match left_out {
        [] => String::new(),
        names => format!("\nFor want of room these documents of the design are not shown: {}.\n", names.join(", ")),
    }
}

fn map_block(survey: &Survey, room: u64) -> String {
    let files = survey.files.len();
    let map = map::map(&survey.files, &survey.scores, room);
    let map = if files == 0 { "(It has no files yet.)\n".to_owned() } else { fenced(&map, "") };
    format!("\n# The repository as it is\n\nIts {files} files by directory, with the number of their lines:\n\n{map}")
}

fn outline_block(survey: &Survey, room: u64) -> String {
    let (mut out, mut left, mut shown) = (String::new(), room, 0);
    for Document { path, text } in &survey.outlines {
        let mut lines: Vec<&str> = text.lines().take(OUTLINE_LINES + 1).collect();
        let cut = lines.len() > OUTLINE_LINES;
        lines.truncate(OUTLINE_LINES);
        let more = if cut { " (the beginning)" } else { "" };
        let block = format!("\n`{path}`{more}:\n\n{}", fenced(&lines.join("\n"), tag(path)));
        let size = estimate_tokens(&block);
        if size <= left {
            left -= size;
            shown += 1;
            out.push_str(&block);
        }
    }
    if shown == 0 {
        return String::new();
    }
    format!(
        "\n# Outlines\n\nDeclarations of {shown} files that may matter; of the others only the names are shown.\n{out}"
    )
}

fn task_block(tasks: &[Asked]) -> String {
    let mut out =
        "\n# Your task\n\nSay which files these tasks of the list are about. The name of each comes first:\n\n"
            .to_owned();
    for Asked { name, line, title } in tasks {
        let title: String = title.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect();
        out.push_str(&format!("- `{name}` (line {line} of the list): {}\n", title.trim()));
    }
    if let [Asked { name: WHOLE, .. }] = tasks {
        out.push_str(&format!(
            "\nThis document has no list of tasks: the whole of it is the one task, and may have up to {MAX_FILES} files.\n"
        ));
    }
    out.push_str(
        "\nOf the others nothing is asked here: they are done, say themselves which files they are about, or are not for now.\n",
    );
    out.push_str(&format!("\n## Form of the reply\n\n{}", propose::INSTRUCTIONS));
    out.push_str(&format!("\nAn example, for tasks of another list:\n\n{}", fenced(propose::EXAMPLE, "")));
    out.push_str("\nNow reply with the JSON object for the tasks above, every one of them, and nothing else.\n");
    out
}

#[cfg(test)]
mod tests;
