//! What a plan says of one file beside its name: the sections and tasks that it is listed in, as they are written; the code
//! that is for it, the lines of it that are named, the message that its commit is to have; and the commands of the plan.
//!
//! Found from the text, when its list is read: nothing here knows how lists are written.
//! Designs of our own form say it in their rows; nothing is looked for there.

mod block;
mod code;
mod commands;

use crate::lld::{Lld, is_test};
use block::{Block, Blocks};
pub use code::Code;
pub use commands::add_commands;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most that is shown of the passages of one file, in bytes; of a list, whose tasks may have any number of files, less.
const MOST: usize = 16_000;
const MOST_OF_TASKS: usize = 6_000;

/// What a section says that wants its tests first: each word of a row, in one line.
const FAILING: &[&[&str]] = &[
    &["failing test"],
    &["test", "verify", "fail"],
    &["test", "confirm", "fail"],
    &["test", "ensure", "fail"],
    &["test", "make sure", "fail"],
    &["test", "watch", "fail"],
    &["expected: fail"],
    &["tdd=\"true\""],
];

/// Words that turn such a row of several words round: "verify that no test fails".
const NOT_FAILING: &[&str] = &[" no ", " not ", "n't ", "none", "never", "without", "failure", " if "];

/// A block that lists more files than this says nothing of one of them.
const MOST_FILES: usize = 8;

/// What the plan says of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passage {
    /// Its first line, counted from 1.
    pub line: usize,
    /// As it is written.
    pub text: String,
    /// There is more of it than is in `text`.
    pub is_cut: bool,
    /// Lines of the file that are named: `12-40`.
    pub ranges: Vec<String>,
    /// The title of its first block, less marks.
    pub title: String,
    /// What a command in it gives as the message of a commit.
    pub message: Option<String>,
}

/// The passages of a plan.
#[derive(Debug, Clone, Default)]
pub struct Passages {
    lines: Vec<String>,
    blocks: Blocks,
    /// By path, the blocks that it is listed in.
    of: HashMap<String, Vec<usize>>,
    /// By id, the tasks of a list.
    tasks: HashMap<String, Vec<Told>>,
    /// What must hold in the end, by the document's own head.
    must: String,
    code: HashMap<String, Code>,
}

/// What a task of a list says.
#[derive(Debug, Clone)]
struct Told {
    block: Block,
    /// Its text, where the document's lines are not.
    text: Option<String>,
    files: BTreeSet<String>,
    message: Option<String>,
}

impl Passages {
    /// Those of the design `text`, which was read as `lld`.
    pub fn of(lld: &Lld, text: &str) -> Passages {
        if !matches!(lld.dialect, Some("plan" | "prose" | "tasks" | "taskmaster")) {
            return Passages::default();
        }
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let planned: BTreeSet<&str> = lld.files.iter().map(|spec| spec.path.as_str()).collect();
        let mut found = Passages { must: block::must(&lines), code: code::of(text, &planned), ..Passages::default() };
        if lld.tasks.is_empty() {
            found.blocks = Blocks::of(lld, &lines);
            found.of = listed(lld, &found.blocks, &block::listed(&lines, &planned));
        }
        found.lines = lines;
        for task in &lld.tasks {
            let block = Block { start: task.line, end: task.end, title: task.title.clone() };
            let text = (lld.dialect == Some("taskmaster")).then(|| task.text.clone() + "\n");
            let files = task.files.iter().map(ToString::to_string).collect();
            let message = match &text {
                Some(text) => block::message(text.lines()),
                None => block::message(found.lines(&block)),
            };
            found.tasks.entry(task.id.clone()).or_default().push(Told { block, text, files, message });
        }
        found
    }

    /// What is said of a file, in these tasks if it is for some.
    pub fn about(&self, path: &str, tasks: &[String]) -> Option<Passage> {
        let blocks = self.of.get(path).into_iter().flatten().filter_map(|at| self.blocks.get(*at));
        let of_tasks = tasks.iter().filter_map(|id| self.tasks.get(id)).flatten();
        let of_tasks = of_tasks.filter(|told| told.files.contains(path));
        let told: Vec<(&Block, Option<&Told>)> = match tasks.is_empty() {
            true => blocks.map(|block| (block, None)).collect(),
            false => of_tasks.map(|told| (&told.block, Some(told))).collect(),
        };
        let (first, task) = told.first()?;
        let message = match task {
            Some(task) => task.message.clone(),
            None => block::message(self.lines(first)),
        };
        let mut passage = Passage { line: first.start, title: first.title.clone(), message, ..Passage::default() };
        let most = if tasks.is_empty() { MOST } else { MOST_OF_TASKS };
        for (block, told) in told {
            match told.and_then(|told| told.text.as_deref()) {
                Some(text) => passage.add(text.lines(), &block.title, most),
                None => passage.add(self.lines(block), &block.title, most),
            }
        }
        passage.ranges = block::ranges(&passage.text, path);
        Some(passage)
    }

    /// The one block of code that is said to be the whole of a file. One that several sections list has more to become.
    pub fn code(&self, path: &str) -> Option<&Code> {
        let listed = self.of.get(path).map_or(0, Vec::len);
        self.code.get(path).filter(|_| listed < 2)
    }

    /// What the document says in its head must hold in the end.
    pub fn must(&self) -> &str {
        &self.must
    }

    fn lines(&self, block: &Block) -> impl Iterator<Item = &str> {
        let lines = self.lines.get(block.start.saturating_sub(1)..block.end.min(self.lines.len()));
        lines.unwrap_or_default().iter().map(String::as_str)
    }
}

impl Passage {
    /// Adds the lines of a block as far as there is room for them, unless they say no more than its title.
    fn add<'l>(&mut self, lines: impl Iterator<Item = &'l str>, title: &str, most: usize) {
        let mut text = String::new();
        for line in lines {
            if self.text.len() + text.len() + line.len() >= most {
                self.is_cut = true;
                break;
            }
            text.push_str(line);
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        // A title alone stands in the row already.
        let words = || text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.contains('\n') || words().ends_with(title) {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&text);
        self.text.push('\n');
    }
}

/// For each path the blocks that it is listed in, of those that list only a few; `places` are the lines that list it.
fn listed(lld: &Lld, blocks: &Blocks, places: &HashMap<&str, Vec<usize>>) -> HashMap<String, Vec<usize>> {
    let mut files: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for spec in &lld.files {
        let path = spec.path.as_str();
        let lines = places.get(path).into_iter().flatten().copied().chain([spec.line]);
        for block in lines.filter_map(|line| blocks.at(line)) {
            files.entry(block).or_default().insert(path);
        }
    }
    let mut of: HashMap<String, Vec<usize>> = HashMap::new();
    for (block, paths) in files.into_iter().filter(|(_, paths)| paths.len() <= MOST_FILES) {
        paths.into_iter().for_each(|path| of.entry(path.to_owned()).or_default().push(block));
    }
    let start = |block: &usize| blocks.get(*block).map_or(0, |block| block.start);
    of.values_mut().for_each(|blocks| blocks.sort_by_key(start));
    of
}

/// Puts the files of a plan into the order of the sections that say what is done with them, and tests before what they test
/// where their section wants the failing test first.
pub fn in_order(lld: &mut Lld, text: &str) {
    if lld.dialect != Some("plan") {
        return;
    }
    let passages = Passages::of(lld, text);
    lld.files.sort_by_cached_key(|spec| {
        let path = spec.path.as_str();
        let first = passages.of.get(path).and_then(|blocks| blocks.first()).and_then(|at| passages.blocks.get(*at));
        let is_wanted = |block| passages.lines(block).any(wants_failing);
        (first.map_or(spec.line, |block| block.start), first.is_some_and(is_wanted) && !is_test(path))
    });
}

/// Does the line say that a test is to fail first?
fn wants_failing(line: &str) -> bool {
    let line = line.replace("**", "").to_lowercase();
    let is_turned = NOT_FAILING.iter().any(|word| line.contains(word));
    FAILING.iter().any(|words| words.iter().all(|word| line.contains(word)) && (words.len() == 1 || !is_turned))
}

#[cfg(test)]
mod tests;
