//! The part of a prompt that shows what was chosen of other files.

use super::{fenced, tag};
use crate::context::Excerpt;

/// All of them, with a heading; nothing where there are none.
pub(super) fn block(excerpts: &[Excerpt]) -> String {
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
        let text = block(&[excerpt]);
        let want =
            "\n`src/a.py` (lines 1-2, 5 of 9), imported by `src/b.py`:\n\nNote: It is so.\n\n```py\na\nb\n⋮\nc\n```\n";
        assert!(text.ends_with(want), "{text}");
        assert_eq!(block(&[]), "");
    }
}
