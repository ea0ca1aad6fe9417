//! Code that was moved: lines that go in one place and come in another, in the same order and with the same indentation, which
//! has a meaning in some languages.

use super::hunks::{Kind, Line};
use super::{Commit, File};
use std::collections::HashMap;

/// As many lines with words in them must have moved together: one alone is in many places.
const LEAST: usize = 3;

/// A run of added or removed lines.
struct Block {
    file: usize,
    hunk: usize,
    first: usize,
    /// Without those that say nothing (`}`, blank).
    lines: Vec<(usize, String)>,
}

/// Marks the moved lines of a commit. Linear in its changed lines: a block is looked up by its first lines.
pub(super) fn mark(commit: &mut Commit) {
    let (gone, come) = (blocks(&commit.files, Kind::Removed), blocks(&commit.files, Kind::Added));
    let mut starts: HashMap<Vec<&str>, Option<(usize, usize)>> = HashMap::new();
    for (at, block) in gone.iter().enumerate() {
        for (from, lines) in block.lines.windows(LEAST).enumerate() {
            let key = lines.iter().map(|(_, text)| text.as_str()).collect();
            // What is gone from two places was moved from neither.
            starts.entry(key).and_modify(|place| *place = None).or_insert(Some((at, from)));
        }
    }
    let mut found: Vec<((usize, usize, usize), String)> = Vec::new();
    for block in &come {
        let mut at = 0;
        while let Some(lines) = block.lines.get(at..at + LEAST) {
            let key: Vec<&str> = lines.iter().map(|(_, text)| text.as_str()).collect();
            let Some(Some((other, from))) = starts.get(&key).copied() else {
                at += 1;
                continue;
            };
            let other = &gone[other];
            let alike = block.lines[at..].iter().zip(&other.lines[from..]).take_while(|(new, old)| new.1 == old.1);
            let alike = alike.count();
            for ((new, _), (old, _)) in block.lines[at..at + alike].iter().zip(&other.lines[from..from + alike]) {
                let name = |block: &Block, line: usize| {
                    let file = &commit.files[block.file];
                    let line = &file.hunks[block.hunk].lines[line];
                    format!("{}:{}", file.path, line.new.or(line.old).unwrap_or_default())
                };
                found.push(((block.file, block.hunk, *new), name(other, *old)));
                found.push(((other.file, other.hunk, *old), name(block, *new)));
            }
            at += alike;
        }
    }
    for ((file, hunk, line), place) in found {
        if let Some(line) = commit.files.get_mut(file).and_then(|file| file.hunks.get_mut(hunk)?.lines.get_mut(line)) {
            line.moved = Some(place);
        }
    }
}

fn blocks(files: &[File], kind: Kind) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (file, hunk, lines) in files
        .iter()
        .enumerate()
        .flat_map(|(at, file)| file.hunks.iter().enumerate().map(move |(h, it)| (at, h, &it.lines)))
    {
        let mut open: Option<Block> = None;
        for (at, line) in lines.iter().enumerate() {
            if line.kind != kind {
                blocks.extend(open.take());
                continue;
            }
            let block = open.get_or_insert_with(|| Block { file, hunk, first: at, lines: Vec::new() });
            block.lines.extend(says_something(line).map(|text| (at, text.to_owned())));
        }
        blocks.extend(open);
    }
    blocks.retain(|block| block.lines.len() >= LEAST && block.first < usize::MAX);
    blocks
}

fn says_something(line: &Line) -> Option<&str> {
    let text = line.text.as_str();
    (text.chars().filter(|c| c.is_alphanumeric()).count() > 2).then_some(text)
}
