//! The blocks of a plan: the deepest section at each line, or between the tags of a task; and what single lines of them say.

use crate::lld::{Lld, Section};
use std::collections::{BTreeSet, HashMap};

/// The most that is shown of what must hold in the end, in bytes.
const MOST_MUST: usize = 3_000;

/// A label before a path is shorter than this, in bytes.
const LABEL: usize = 40;

/// A part of a plan.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// The first line and the last, counted from 1.
    pub start: usize,
    pub end: usize,
    pub title: String,
}

/// The blocks of a plan, in its order.
#[derive(Debug, Clone, Default)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    /// For each line the block that it stands in; the first is line 1.
    at: Vec<Option<usize>>,
}

impl Blocks {
    pub fn of(lld: &Lld, lines: &[String]) -> Blocks {
        let mut found = Blocks { blocks: Vec::new(), at: vec![None; lines.len()] };
        let parents = parents(&lld.sections);
        let mut made: HashMap<usize, usize> = HashMap::new();
        for (at, section) in lld.sections.iter().enumerate() {
            // "Files" is a part of what it stands in. What lists all files of the plan says nothing of one, and neither does
            // the title of the whole document.
            let is_list = section.title.starts_with("files");
            let chosen = parents.get(at).copied().flatten().filter(|_| is_list).unwrap_or(at);
            let says_something = |section: &&Section| section.level > 1 && !is_inventory(&section.title);
            let Some(section_chosen) = lld.sections.get(chosen).filter(says_something) else { continue };
            let block = *made.entry(chosen).or_insert_with(|| {
                let title = lines.get(section_chosen.line.saturating_sub(1)).map_or("", String::as_str);
                let title = title.trim_start_matches(['#', ' ']).trim_end_matches(['#', ' ']).to_owned();
                found.blocks.push(Block { start: section_chosen.line, end: section_chosen.end, title });
                found.blocks.len() - 1
            });
            // Its own lines: those of deeper sections are given to these, which come later.
            let next = lld.sections.get(at + 1).map_or(lines.len() + 1, |next| next.line);
            for line in section.line..next.min(section.end + 1) {
                if let Some(place) = found.at.get_mut(line.saturating_sub(1)) {
                    *place = Some(block);
                }
            }
        }
        found.tagged(lines);
        found
    }

    /// `<task …>` to `</task>` is a block of its own.
    fn tagged(&mut self, lines: &[String]) {
        let mut open: Option<usize> = None;
        for (at, line) in lines.iter().enumerate() {
            let line = line.trim();
            if line == "<task>" || line.starts_with("<task ") {
                open = Some(at);
            } else if let Some(start) = open.filter(|_| line == "</task>") {
                open = None;
                let name =
                    |line: &String| Some(line.trim().strip_prefix("<name>")?.split("</").next()?.trim().to_owned());
                let title = lines.get(start..at).unwrap_or_default().iter().find_map(name).unwrap_or_default();
                self.blocks.push(Block { start: start + 1, end: at + 1, title });
                let block = self.blocks.len() - 1;
                self.at.get_mut(start..=at).unwrap_or_default().fill(Some(block));
            }
        }
    }

    /// The block that a line stands in.
    pub fn at(&self, line: usize) -> Option<usize> {
        self.at.get(line.checked_sub(1)?).copied().flatten()
    }

    pub fn get(&self, block: usize) -> Option<&Block> {
        self.blocks.get(block)
    }
}

/// Does a title announce the files of the whole plan?
fn is_inventory(title: &str) -> bool {
    const LISTS: [&str; 6] = ["structure", "list", "inventory", "map", "tree", "overview"];
    let kind = title.strip_prefix("file ").or_else(|| title.strip_prefix("project ")).unwrap_or_default();
    LISTS.iter().any(|list| kind.starts_with(list)) || title.split(' ').any(|word| word == "files")
}

/// For each section the one that it stands in.
fn parents(sections: &[Section]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(sections.len());
    for (at, section) in sections.iter().enumerate() {
        while open.last().and_then(|last| sections.get(*last)).is_some_and(|last| last.level >= section.level) {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(at);
    }
    parents
}

/// For each of these paths the lines that list it: a title, a label or a tag stands right before it.
pub(super) fn listed<'p>(lines: &[String], planned: &BTreeSet<&'p str>) -> HashMap<&'p str, Vec<usize>> {
    let mut listed: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim().trim_start_matches(['-', '*', '+', ' ']);
        let is_title = line.trim_start().starts_with('#');
        let is_tag = text.starts_with("<file>") || text.starts_with("<files>");
        let mut begin = 0;
        for word in
            text.split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | '(' | ')' | '[' | ']' | '<' | '>' | '"'))
        {
            let start = begin;
            begin += word.len()
                + text.get(begin + word.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            let word = word.trim_end_matches([':', '.', ';']);
            let path = planned.get(word).or_else(|| planned.get(word.split([':', '#']).next().unwrap_or_default()));
            let Some(path) = path.copied().filter(|path| !path.is_empty()) else { continue };
            let before = text.get(..start.min(LABEL)).unwrap_or_default();
            let is_labelled = start < LABEL && before.trim_end_matches(['`', '*', ' ', '(', '[', '"']).ends_with(':');
            if is_title || is_tag || is_labelled {
                let places = listed.entry(path).or_default();
                if places.last() != Some(&(at + 1)) {
                    places.push(at + 1);
                }
            }
        }
    }
    listed
}

/// The lines of a file that a text names behind its path: `src/a.py:12-40`, `src/a.py#L3`.
pub(super) fn ranges(text: &str, path: &str) -> Vec<String> {
    let mut ranges: Vec<String> = Vec::new();
    for (at, _) in text.match_indices(path) {
        let rest = text.get(at + path.len()..).unwrap_or_default();
        let Some(rest) = rest.strip_prefix([':', '#']) else { continue };
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | 'L');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let range = rest.get(..end).unwrap_or_default().replace('L', "").replace('–', "-");
        let range = range.trim_matches('-').to_owned();
        let numbers = range.split('-').filter(|number| !number.is_empty() && number.len() <= 7).count();
        if (1..=2).contains(&numbers) && !ranges.contains(&range) && ranges.len() < 8 {
            ranges.push(range);
        }
    }
    ranges
}

/// What the first `git commit -m` of a text gives as its message.
pub(super) fn message<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<String> {
    let line = lines.find(|line| line.contains("git commit "))?;
    let rest = line.split_once("git commit ").map(|(_, rest)| rest)?;
    let (_, rest) =
        rest.split_once("-m ").or_else(|| rest.split_once("-am ")).or_else(|| rest.split_once("--message "))?;
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let message = rest.get(1..)?.split(quote).next()?.trim();
    // What a shell would have made of it nobody knows here.
    let is_plain = !message.is_empty() && message.len() <= 200 && !message.contains(['$', '`', '\\', '<']);
    is_plain.then(|| message.to_owned())
}

/// `must_haves:` of the front matter, as it is written.
pub(super) fn must(lines: &[String]) -> String {
    if lines.first().is_none_or(|line| line.trim_end() != "---") {
        return String::new();
    }
    let front = lines.iter().skip(1).take_while(|line| line.trim_end() != "---");
    let from = front.skip_while(|line| !line.starts_with("must_haves:")).skip(1);
    let mut out = String::new();
    for line in from.take_while(|line| line.starts_with([' ', '-']) || line.trim().is_empty()) {
        if out.len() + line.len() > MOST_MUST {
            break;
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
