//! A unified diff for several files, taken apart: where the diff of each begins and ends, and its hunks as a reply of
//! their own.
//!
//! What the lines before the hunks say is `header`'s; what the hunks say is `unified`'s.

use super::diff_lines::{counted_end, file_header, is_hunk, names_it};
use super::fence::{Fence, fences};
use super::labels::{no_labelled_block, path_before};
use super::unified::{Region, regions};
use super::{Format, header};
use crate::edit::Refusal;
use crate::edit::files::{FileChange, FileReply, malformed};

/// The files of a diff, by their headers; hunks without one are for the file that the line before their fence names.
pub(super) fn files(reply: &str) -> Result<Vec<FileReply>, Refusal> {
    let (regions, unfenced) = if ["diff --git ", "From "].iter().any(|start| reply.trim_start().starts_with(start)) {
        // As git wrote it: what looks like a fence is a line of a file.
        (vec![Region { text: reply, tagged: false }], true)
    } else {
        regions(reply, "").map_err(|_| malformed("it has lines of a diff outside the diff"))?
    };
    let fences = fences(reply);
    let mut found = DiffFiles::default();
    let mut outside = String::new();
    let mut after = 0;
    for region in regions {
        let offset = region.text.as_ptr() as usize - reply.as_ptr() as usize;
        let fence = fences.binary_search_by_key(&offset, |fence| fence.end).ok().filter(|_| !unfenced);
        let fence = fence.and_then(|at| fences.get(at));
        found.region(&region, fence, fence.and_then(|fence| path_before(reply, fence)))?;
        outside.push_str(reply.get(after..offset).unwrap_or(""));
        after = offset + region.text.len();
    }
    outside.push_str(reply.get(after..).unwrap_or(""));
    if unfenced {
        // Lines of hunks have their marks.
        outside = reply.split_inclusive('\n').filter(|line| !line.starts_with([' ', '+', '-'])).collect();
    }
    no_labelled_block(&outside)?;
    found.files()
}

/// The files as they are found.
#[derive(Default)]
struct DiffFiles {
    files: Vec<FileReply>,
    /// Which of them have prefixes, as far as they say.
    prefixes: Vec<bool>,
}

impl DiffFiles {
    /// A stretch of diff, with the fence round it and the path before that.
    fn region(&mut self, region: &Region, fence: Option<&Fence>, path: Option<&str>) -> Result<(), Refusal> {
        let lines: Vec<&str> = region.text.split_inclusive('\n').collect();
        let bare: Vec<&str> = lines.iter().map(|line| line.trim_end_matches('\n')).collect();
        let mut starts = sections(&bare);
        // Hunks before any header may be for the file that is named before the fence; they are never passed over.
        let first = starts.first().copied().unwrap_or(bare.len());
        if bare[..first].iter().any(|line| is_hunk(line) || region.tagged && is_marked(line)) {
            starts.insert(0, 0);
        }
        for (n, start) in starts.iter().enumerate() {
            let end = starts.get(n + 1).copied().unwrap_or(lines.len());
            let hunks = *start + hunks_at(&bare[*start..end], region.tagged)?;
            let mut file = self.named(&bare[*start..hunks], &bare[hunks..end], path)?;
            if hunks < end {
                is_plain(&file, &bare[hunks..end])?;
                file.crlf = file.change == FileChange::Add && ends_in_crlf(&bare[hunks..end]);
                file.reply = Some(part(&lines[hunks..end], fence.map(|_| region.tagged)));
            } else if file.change == FileChange::Modify && file.executable.is_none() {
                return Err(Refusal::new("reply-no-edit", format!("the diff for '{}' changes nothing", file.path)));
            }
            self.files.push(file);
        }
        Ok(())
    }

    /// The file that a header names, or the line before the fence.
    fn named(&mut self, header: &[&str], hunks: &[&str], path: Option<&str>) -> Result<FileReply, Refusal> {
        if let Some(path) = path.filter(|_| header.iter().all(|line| line.trim().is_empty())) {
            return Ok(FileReply::new(path, FileChange::Modify, Format::Unified, None));
        }
        let mut header = header::read(header)?;
        self.prefixes.extend(header.prefixes);
        // One hunk with nothing on its old side makes a file that is not there, if git's own lines do not say better.
        let one = hunks.iter().filter(|line| is_hunk(line)).count() == 1;
        let adds = |line: &&str| line.is_empty() || line.starts_with(['+', '\\']);
        if !header.git && one && header.file.change == FileChange::Modify && hunks.iter().skip(1).all(adds) {
            header.file.change = FileChange::Write;
        }
        Ok(header.file)
    }

    fn files(mut self) -> Result<Vec<FileReply>, Refusal> {
        // What is sure of some files is taken to hold for all of them.
        let sure = self.prefixes.first().filter(|with| self.prefixes.iter().all(|other| other == *with));
        if let Some(with) = sure.copied() {
            for file in &mut self.files {
                let prefixed = file.prefixed.take();
                if let (false, Some(prefixed)) = (with, prefixed) {
                    file.path = prefixed;
                }
            }
        }
        if self.files.is_empty() { Err(crate::edit::files::no_file()) } else { Ok(self.files) }
    }
}

/// Refuses hunks in which lines of the file would be read as its names.
fn is_plain(file: &FileReply, hunks: &[&str]) -> Result<(), Refusal> {
    if hunks.windows(3).any(|lines| file_header(lines, true) > 0 && names_it(lines, &file.path)) {
        let why = "a removed and an added line before a hunk look like the names of a file";
        return Err(malformed(format_args!("in the diff for '{}' {why}", file.path)));
    }
    Ok(())
}

/// The lines at which the diff of a file begins.
fn sections(lines: &[&str]) -> Vec<usize> {
    let mut starts = Vec::new();
    let (mut at, mut in_header, mut inside) = (0, false, false);
    while let Some(line) = lines.get(at) {
        let names = file_header(&lines[at..], inside);
        if line.starts_with("diff --git ") {
            starts.push(at);
            (in_header, inside) = (true, false);
        } else if names > 0 {
            if !in_header {
                let said = lines[..at].iter().rev().take_while(|line| is_said_before(line)).count();
                starts.push(at - said);
            }
            (in_header, inside) = (false, false);
            at += names;
            continue;
        } else if is_hunk(line) {
            (in_header, inside) = (false, true);
            // What the numbers say is in the hunk is no header, whatever it looks like.
            at = counted_end(lines, at).unwrap_or(at + 1);
            continue;
        }
        at += 1;
    }
    starts
}

/// Where the hunks begin after the header of a file. In a fence that is tagged as a diff the first may have no header of
/// its own; anywhere else, lines that could be of one are not read over.
fn hunks_at(lines: &[&str], tagged: bool) -> Result<usize, Refusal> {
    let hunk = lines.iter().position(|line| is_hunk(line)).unwrap_or(lines.len());
    let first = lines[..hunk].iter().position(|line| is_marked(line));
    match first {
        None => Ok(hunk),
        Some(first) if tagged => Ok(first),
        Some(_) => Err(malformed("its diff has a line outside every hunk")),
    }
}

/// Does a line have a mark of hunks? Names of files and the end of a mail look as if they had.
fn is_marked(line: &str) -> bool {
    line.starts_with([' ', '+', '-']) && !line.starts_with("--- ") && !line.starts_with("+++ ") && line != "-- "
}

/// git's own lines, where a model gives them without `diff --git`.
fn is_said_before(line: &str) -> bool {
    let words =
        ["index ", "new file mode ", "deleted file mode ", "old mode ", "new mode ", "rename ", "similarity index "];
    words.iter().any(|word| line.starts_with(word))
}

/// Do all lines that are added end so, but for a last one that does not end at all?
fn ends_in_crlf(hunks: &[&str]) -> bool {
    let unended = |at: usize| hunks.get(at + 1).is_some_and(|line| line.starts_with("\\ "));
    let mut added = hunks.iter().enumerate().filter(|(at, line)| line.starts_with('+') && !unended(*at)).peekable();
    added.peek().is_some() && added.all(|(_, line)| line.ends_with('\r'))
}

/// Hunks as a reply of their own, in a fence if they had one: it says where they end. `tagged`: the fence says that they are
/// a diff.
fn part(lines: &[&str], tagged: Option<bool>) -> String {
    let body = lines.concat();
    let end = if body.ends_with('\n') { "" } else { "\n" };
    let Some(tagged) = tagged else { return body + end };
    let longest = fences(&body).iter().map(|fence| fence.long).max().unwrap_or(0);
    let marks = "~".repeat(longest.max(2) + 1);
    let tag = if tagged { "diff" } else { "" };
    format!("{marks}{tag}\n{body}{end}{marks}\n")
}
