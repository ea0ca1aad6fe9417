//! What a plan says of one file, beside its row: once more where the file is asked for, since a plan is long.

use super::{Material, Task, fenced};

/// The block for `task`; empty if the plan says no more than the row.
pub(super) fn block(material: &Material, task: &Task) -> String {
    let mut out = String::new();
    // Only plans have such keys.
    let passage = material.passages.get(&(task.path.to_owned(), task.line));
    if let Some(passage) = passage.filter(|passage| !passage.text.is_empty()) {
        let cut = if passage.is_cut { " (the beginning; the rest stands in the design above)" } else { "" };
        let text = fenced(&passage.text, "markdown");
        out.push_str(&format!("\nThe part of the design that is about it{cut}:\n\n{text}"));
    }
    if let Some(passage) = passage.filter(|passage| !passage.ranges.is_empty() && task.base.is_some()) {
        out.push_str(&format!("\nThe design names these lines of it: {}.\n", passage.ranges.join(", ")));
    }
    if !material.must.is_empty() {
        let must = fenced(&material.must, "yaml");
        out.push_str(&format!("\nWhen all files are written, the design says, this must hold:\n\n{must}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Format;
    use crate::passage::Passage;
    use crate::prompt::tests::{material, task};

    #[test]
    fn what_the_plan_says_of_a_file_stands_where_it_is_asked_for_and_nowhere_else() {
        let passage =
            Passage { text: "### Bell\n```py\nx\n```\n".into(), ranges: vec!["3-9".into()], ..Passage::default() };
        let mut material = material();
        material.passages.insert(("a.py".into(), 7), passage);
        let of = |material: &Material, path, line| {
            block(material, &Task { line, base: Some("x"), ..task(path, Format::Whole) })
        };
        assert_eq!(
            of(&material, "a.py", 7),
            "\nThe part of the design that is about it:\n\n````markdown\n### Bell\n```py\nx\n```\n````\n\n\
             The design names these lines of it: 3-9.\n"
        );
        assert_eq!((of(&material, "a.py", 8), of(&material, "b.py", 7)), (String::new(), String::new()));
        material.must = "  truths: []\n".into();
        assert!(of(&material, "b.py", 7).contains("this must hold:\n\n```yaml\n  truths: []\n```\n"));
    }
}
