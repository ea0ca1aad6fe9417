//! The engine through its one door, `apply`: each format on its own, and the promises that hold for all of them.

use super::*;

mod answers;
mod core_places;
mod core_forms;
mod core_refusals;
mod core_writing;
mod files;
mod promises;
mod replies;
mod residue;
mod spellings;
mod whole;

fn edited(format: Format, base: &str, reply: &str) -> Result<String, Refusal> {
    apply(Some(format), "src/a.py", Some(base), reply).map(|applied| applied.text)
}

fn refused(format: Format, base: &str, reply: &str) -> &'static str {
    match edited(format, base, reply) {
        Ok(text) => panic!("applied: {text:?}"),
        Err(refusal) => refusal.id,
    }
}

/// Edits in each of the four formats, from pairs of sides.
fn render(format: Format, edits: &[(&str, &str)]) -> String {
    let marked = |mark: char, side: &str| side.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let one = |(n, (old, new)): (usize, &(&str, &str))| match format {
        Format::FindReplace => format!(
            "### CHANGE {}: x\nFIND:\n```\n{old}\n```\n\nREPLACE WITH:\n```\n{new}{}```\n\n",
            n + 1,
            if new.is_empty() { "" } else { "\n" }
        ),
        Format::SearchReplace => {
            format!("<<<<<<< SEARCH\n{old}\n=======\n{new}{}>>>>>>> REPLACE\n", if new.is_empty() { "" } else { "\n" })
        }
        _ => format!("@@\n{}{}", marked('-', old), marked('+', new)),
    };
    let body: String = edits.iter().enumerate().map(one).collect();
    match format {
        Format::Unified => format!("```diff\n--- a/src/a.py\n+++ b/src/a.py\n{body}```\n"),
        Format::V4a => format!("*** Begin Patch\n*** Update File: src/a.py\n{body}*** End Patch\n"),
        _ => body,
    }
}

const EDITS: [Format; 4] = [Format::FindReplace, Format::SearchReplace, Format::Unified, Format::V4a];

#[test]
fn the_example_shown_to_the_model_applies_in_every_format() {
    for spec in FORMATS {
        let example = &spec.example;
        for format in [Some(spec.format), None] {
            let applied = apply(format, example.path, Some(example.base), example.reply).expect(spec.name);
            assert_eq!(applied.text, example.result, "{}", spec.name);
            assert_eq!(applied.format, spec.format);
        }
    }
}

#[test]
fn every_format_file_is_in_the_registry() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/edit/format");
    let mut with_spec = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file()
            && std::fs::read_to_string(&path)
                .unwrap()
                .lines()
                .any(|line| line.starts_with("pub(super) const SPEC: FormatSpec"))
        {
            with_spec.push(path.file_stem().unwrap().to_string_lossy().replace('_', "-"));
        }
    }
    let mut registered: Vec<&str> = FORMATS.iter().map(|spec| spec.name).collect();
    with_spec.sort();
    registered.sort();
    assert_eq!(with_spec, registered);
    for spec in FORMATS {
        assert_eq!(spec.format.name(), spec.name);
        assert_eq!(Format::from_name(spec.name), Some(spec.format));
    }
}
