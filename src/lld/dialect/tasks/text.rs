//! The text of a task as words, line by line; wrapped lines are one.

use super::complete::{Carried, complete};
use super::items::{Item, is_file_label};
use super::relations::is_requirements;
use crate::lld::inline::bullet;
use crate::lld::sentence::{Ends, Looks, Seen, Word, words};

/// The text of a task as words, line by line.
pub(super) struct Text {
    pub lines: Vec<Vec<Word>>,
    /// The number of each line; wrapped lines are one.
    pub numbers: Vec<usize>,
    /// Is it a line such as "**File**: …"?
    pub labelled: Vec<bool>,
}

impl Text {
    pub fn of(item: &Item) -> Text {
        let mut lines = vec![(item.line, item.title.to_owned())];
        let mut last = item.line;
        for (number, line) in &item.under {
            let wrapped = *number == last + 1 && bullet(line).is_none() && !line.starts_with(['*', '|', '_', '>']);
            last = *number;
            match lines.last_mut().filter(|_| wrapped && !item.titled) {
                Some((_, before)) => {
                    before.push(' ');
                    before.push_str(line);
                }
                None => lines.push((*number, line.trim_start_matches(['-', '*', '+', '•', ' ']).to_owned())),
            }
        }
        lines.retain(|(_, line)| !is_requirements(line));
        let labelled = lines.iter().map(|(_, line)| is_file_label(line)).collect();
        let numbers = lines.iter().map(|(number, _)| *number).collect();
        Text { labelled, numbers, lines: lines.iter().map(|(_, line)| words(line)).collect() }
    }

    /// Every file that it names, abbreviated as it is.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let files = self.lines.iter().flatten().filter_map(|word| match word {
            Word::Seen(Seen { looks: Looks::Files(files), .. }) => Some(files),
            _ => None,
        });
        files.flatten().map(String::as_str)
    }
}

/// The texts with their abbreviations written out.
pub(super) fn completed(mut texts: Vec<Text>) -> Vec<Text> {
    let whole: Vec<String> =
        texts.iter().flat_map(Text::files).filter(|path| path.contains('/')).map(str::to_owned).collect();
    let ends = Ends::of(whole.iter().map(String::as_str));
    for text in &mut texts {
        let mut carried = Carried::default();
        for line in &mut text.lines {
            let next = complete(line, &ends, &carried);
            // A directory in the title holds for all lines under it.
            carried = if next.is_some() { next } else { carried };
        }
    }
    texts
}
