//! Edit scripts whose outcome is known without the engine: a file as lines, edits as positions in it, the text that must
//! come of them, and the replies that say so in each format. For the properties here and for the fuzz targets.
#![allow(dead_code)] // each of those uses a part

use git_implement::edit::Format;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    Context,
    Minus,
    Plus,
}

/// Changed lines with the context that a reply gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The first line of the file that it gives, from 0.
    pub at: usize,
    pub lines: Vec<(Tag, String)>,
}

impl Edit {
    pub fn old(&self) -> Vec<&str> {
        self.side(Tag::Plus)
    }
    pub fn after(&self) -> Vec<&str> {
        self.side(Tag::Minus)
    }
    fn side(&self, without: Tag) -> Vec<&str> {
        self.lines.iter().filter(|(tag, _)| *tag != without).map(|(_, line)| line.as_str()).collect()
    }
}

/// Lines `start..end` of a file become `plus`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    pub start: usize,
    pub end: usize,
    pub plus: Vec<String>,
}

/// Cuts made valid for a file of `len` lines: in order, apart from one another.
pub fn cuts(len: usize, wanted: impl IntoIterator<Item = (usize, usize, Vec<String>)>) -> Vec<Cut> {
    let mut wanted: Vec<_> = wanted.into_iter().collect();
    wanted.sort();
    let mut cuts: Vec<Cut> = Vec::new();
    for (start, long, plus) in wanted {
        let start = start.min(len);
        let end = (start + long).min(len);
        let apart = cuts.last().is_none_or(|last| start > last.end);
        if apart && (start < end || !plus.is_empty()) {
            cuts.push(Cut { start, end, plus });
        }
    }
    cuts
}

/// The lines of the file after the cuts.
pub fn cut(lines: &[String], cuts: &[Cut]) -> Vec<String> {
    let (mut out, mut next) = (Vec::new(), 0);
    for cut in cuts {
        out.extend_from_slice(&lines[next..cut.start]);
        out.extend(cut.plus.iter().cloned());
        next = cut.end;
    }
    out.extend_from_slice(&lines[next..]);
    out
}

/// Each cut with `before` and `after` lines of context, or as many as there are up to the next cut.
pub fn edits(lines: &[String], cuts: &[Cut], before: usize, after: usize) -> Vec<Edit> {
    let edit = |(n, cut): (usize, &Cut)| {
        let above = if n == 0 { 0 } else { cuts[n - 1].end };
        let below = cuts.get(n + 1).map_or(lines.len(), |next| next.start);
        let at = cut.start.saturating_sub(before).max(above);
        let tagged = |tag: Tag, lines: &[String]| lines.iter().map(|line| (tag, line.clone())).collect::<Vec<_>>();
        let mut all = tagged(Tag::Context, &lines[at..cut.start]);
        all.extend(tagged(Tag::Minus, &lines[cut.start..cut.end]));
        all.extend(tagged(Tag::Plus, &cut.plus));
        all.extend(tagged(Tag::Context, &lines[cut.end..(cut.end + after).min(below)]));
        Edit { at, lines: all }
    };
    cuts.iter().enumerate().map(edit).collect()
}

/// Lines as a text, ended like `ending`, the last one as `ended` says.
pub fn text(lines: &[String], ending: &str, ended: bool) -> String {
    let mut text = lines.join(ending);
    if ended && !lines.is_empty() {
        text.push_str(ending);
    }
    text
}

pub const EDITS: [Format; 4] = [Format::FindReplace, Format::SearchReplace, Format::Unified, Format::V4a];

/// The edits as a model would write them without a fault.
pub fn render(format: Format, target: &str, edits: &[Edit]) -> String {
    let side = |lines: Vec<&str>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let marked = |edit: &Edit| -> String {
        let mark = |tag: &Tag| match tag {
            Tag::Context => ' ',
            Tag::Minus => '-',
            Tag::Plus => '+',
        };
        edit.lines.iter().map(|(tag, line)| format!("{}{line}\n", mark(tag))).collect()
    };
    let mut reply = match format {
        Format::Unified => format!("```diff\n--- a/{target}\n+++ b/{target}\n"),
        Format::V4a => format!("*** Begin Patch\n*** Update File: {target}\n"),
        _ => String::new(),
    };
    if format == Format::Unified && edits.iter().any(|edit| fence(&marked(edit)) > 3) {
        reply = reply.replacen("```", &"`".repeat(20), 1);
    }
    for (n, edit) in edits.iter().enumerate() {
        let (old, new) = (side(edit.old()), side(edit.after()));
        reply += &match format {
            Format::FindReplace => {
                let fence = "`".repeat(fence(&old).max(fence(&new)));
                format!(
                    "### CHANGE {}: it\nFIND:\n{fence}python\n{old}{fence}\n\nREPLACE WITH:\n{fence}python\n{new}{fence}\n\n",
                    n + 1
                )
            }
            Format::SearchReplace => format!("{target}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n"),
            Format::Unified => {
                let header =
                    |lines: &Vec<&str>| format!("{},{}", edit.at + usize::from(!lines.is_empty()), lines.len());
                format!("@@ -{} +{} @@\n{}", header(&edit.old()), header(&edit.after()), marked(edit))
            }
            Format::V4a => format!("@@\n{}", marked(edit)),
            Format::Whole => panic!("not a format of edits"),
        };
    }
    match format {
        Format::Unified => reply.clone() + if reply.starts_with("````") { "````````````````````\n" } else { "```\n" },
        Format::V4a => reply + "*** End Patch\n",
        _ => reply,
    }
}

/// The whole text as a model would write it without a fault.
pub fn whole(text: &str) -> String {
    let fence = "`".repeat(fence(text));
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}python\n{text}{end}{fence}\n")
}

/// How long a fence round a text must be.
fn fence(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    if runs >= 3 { runs + 1 } else { 3 }
}

/// How often `pattern` stands in `lines`, as lines are compared by `same`; overlapping places count.
pub fn occurrences(lines: &[String], pattern: &[&str], same: impl Fn(&str, &str) -> bool) -> usize {
    if pattern.is_empty() || pattern.len() > lines.len() {
        return 0;
    }
    lines.windows(pattern.len()).filter(|window| window.iter().zip(pattern).all(|(a, b)| same(a, b))).count()
}

/// What is left of a line without white space and typography.
pub fn key(line: &str) -> String {
    let fold = |c| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        c => c,
    };
    line.chars().filter(|c| !c.is_whitespace()).map(fold).collect()
}

/// The keys of the lines that are not blank.
pub fn keys<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    lines.into_iter().map(key).filter(|key| !key.is_empty()).collect()
}

/// How often `pattern` stands in `lines` when only keys are compared.
pub fn loose_occurrences(lines: &[String], pattern: &[&str]) -> usize {
    let (lines, pattern) = (keys(lines.iter().map(String::as_str)), keys(pattern.iter().copied()));
    let pattern: Vec<&str> = pattern.iter().map(String::as_str).collect();
    occurrences(&lines, &pattern, |a, b| a == b)
}
