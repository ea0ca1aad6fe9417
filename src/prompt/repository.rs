//! The part of a prompt that shows the repository, the same in all prompts of a run: names, files that somebody named,
//! excerpts of others, and the planned files as they are.

use super::{Document, Material, fenced, tag};
use crate::context::Excerpt;
use crate::plan::estimate_tokens;
use crate::syntax;

/// A planned file of more tokens is shown in outline here, and whole in its own task.
const MOST_OF_A_BASE: u64 = 12_000;

/// What is shown, and which of the planned files are shown whole in it.
pub(super) struct Shown<'m> {
    pub text: String,
    whole: Vec<&'m Document>,
}

impl<'m> Shown<'m> {
    /// `room`: tokens that planned files may take up.
    pub fn of(material: &'m Material, room: u64) -> Shown<'m> {
        let mut text = names(material) + &files(material) + &excerpts(&material.excerpts);
        let (mut whole, mut left, mut is_first) = (Vec::new(), room, true);
        for base in &material.bases {
            let most = left.min(MOST_OF_A_BASE);
            let is_whole = estimate_tokens(&base.text) <= most;
            let shown = if is_whole { base.text.clone() } else { syntax::outline(&base.path, &base.text) };
            let size = estimate_tokens(&shown);
            if size > most {
                continue;
            }
            left -= size;
            if std::mem::take(&mut is_first) {
                text.push_str(BASES);
            }
            let form = if is_whole { "" } else { " (outline; its task shows it whole)" };
            text.push_str(&format!("\n`{}`{form}:\n\n{}", base.path, fenced(&shown, tag(&base.path))));
            if base.text.is_empty() {
                text.push_str("\n(It is empty.)\n");
            }
            whole.extend(is_whole.then_some(base));
        }
        Shown { text, whole }
    }

    /// The text of a planned file, if it is shown whole.
    pub fn base(&self, path: &str) -> Option<&'m str> {
        self.whole.iter().find(|base| base.path == path).map(|base| base.text.as_str())
    }
}

/// The heading of the planned files.
const BASES: &str = "\n# Planned files, as they are before the change\n\nThe task of each comes in its turn. What is \
                     finished then stands further down, and counts.\n";

fn names(material: &Material) -> String {
    let mut out = String::new();
    if !material.directories.is_empty() {
        out.push_str("\n# What is there before the change, in the directories that it touches\n\n");
    }
    for directory in &material.directories {
        let place = if directory.path.is_empty() { "(root)" } else { &directory.path };
        let rest = match (directory.more, directory.names.is_empty()) {
            (0, _) => String::new(),
            (more, true) => format!("{more} files"),
            (more, false) => format!(", and {more} more"),
        };
        out.push_str(&format!("- {place}: {}{rest}\n", directory.names.join(", ")));
    }
    out
}

fn files(material: &Material) -> String {
    let mut out = String::new();
    if !material.context.is_empty() {
        out.push_str("\n# Files of the repository, for reference\n\nThey are not part of the change.\n");
    }
    for file in &material.context {
        out.push_str(&format!("\n`{}`:\n\n{}", file.path, fenced(&file.text, tag(&file.path))));
    }
    out
}

fn excerpts(excerpts: &[Excerpt]) -> String {
    if excerpts.is_empty() {
        return String::new();
    }
    let mut out =
        "\n# Other files of the repository, in excerpts\n\nWhat the change builds on, as it is before the change. \
                   These files are not part of it. `⋮` stands for lines that are left out here.\n"
            .to_owned();
    for excerpt in excerpts {
        let lines = match excerpt.is_whole() {
            true => String::new(),
            false => format!(" (lines {} of {})", excerpt.places(), excerpt.of),
        };
        out.push_str(&format!("\n`{}`{lines}, {}:\n", excerpt.path, excerpt.reason));
        excerpt.notes.iter().for_each(|note| out.push_str(&format!("\nNote: {note}\n")));
        out.push_str(&format!("\n{}", fenced(&excerpt.text, tag(&excerpt.path))));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_shown_with_its_lines_its_reason_and_what_is_to_be_known_of_it() {
        let excerpt = Excerpt {
            path: "src/a.py".into(),
            lines: vec![0..2, 4..5],
            of: 9,
            text: "a\nb\n⋮\nc\n".into(),
            reason: "imported by `src/b.py`".into(),
            notes: vec!["It is so.".into()],
        };
        let text = excerpts(&[excerpt]);
        let want =
            "\n`src/a.py` (lines 1-2, 5 of 9), imported by `src/b.py`:\n\nNote: It is so.\n\n```py\na\nb\n⋮\nc\n```\n";
        assert!(text.ends_with(want), "{text}");
        assert_eq!(excerpts(&[]), "");
    }
}
