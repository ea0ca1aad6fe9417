//! A design of several documents: what each of them says, joined in their order, with lines that are counted through all
//! of them.

use super::rows::Files;
use super::{Item, Lld, Section, Task, parse};
use crate::finding::Severity;

/// Reads a design of several documents, given by name and text, as one. The text that the lines are lines of is theirs, one
/// after the other.
pub fn parse_all<'t>(name: &str, documents: impl IntoIterator<Item = (&'t str, &'t str)>) -> Lld {
    let mut whole = Lld::default();
    let mut files = Files::new(name);
    let mut before = 0;
    for (name, text) in documents {
        let mut part = parse(name, text);
        part.move_lines(|line| line + before);
        before += text.lines().count();
        std::mem::take(&mut part.files).into_iter().for_each(|spec| files.merge(spec));
        whole.join(part);
    }
    let (specs, findings) = files.finish();
    whole.files = specs;
    whole.findings.extend(findings);
    // One document without files is no mistake where others have some.
    let found = !whole.files.is_empty() || !whole.tasks.is_empty();
    for finding in whole.findings.iter_mut().filter(|finding| found && finding.id == "lld-no-file-list") {
        finding.severity = Severity::Note;
        finding.hint = None;
    }
    whole
}

impl Lld {
    /// Adds what another document says, but for its files.
    fn join(&mut self, part: Lld) {
        self.dialect = self.dialect.or(part.dialect);
        self.title = self.title.take().or(part.title);
        self.issue = self.issue.take().or(part.issue);
        self.status = self.status.take().or(part.status);
        self.final_status = self.final_status.take().or(part.final_status);
        self.localised |= part.localised;
        self.tasks.extend(part.tasks);
        self.sections.extend(part.sections);
        self.requirements.extend(part.requirements);
        self.test_plan.extend(part.test_plan);
        self.test_scenarios.extend(part.test_scenarios);
        self.signatures.extend(part.signatures);
        self.commands.extend(part.commands);
        self.risks.extend(part.risks);
        self.findings.extend(part.findings);
    }

    /// Gives every line of the design another number.
    pub(super) fn move_lines(&mut self, to: impl Fn(usize) -> usize) {
        for Task { line, end, .. } in &mut self.tasks {
            (*line, *end) = (to(*line), to(*end));
        }
        for Section { line, end, .. } in &mut self.sections {
            (*line, *end) = (to(*line), to(*end));
        }
        let lists = [
            &mut self.requirements,
            &mut self.test_plan,
            &mut self.test_scenarios,
            &mut self.signatures,
            &mut self.commands,
            &mut self.risks,
        ];
        for Item { line, .. } in lists.into_iter().flatten() {
            *line = to(*line);
        }
        self.files.iter_mut().for_each(|spec| spec.line = to(spec.line));
        self.findings.iter_mut().for_each(|finding| finding.line = finding.line.map(&to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::Change;

    #[test]
    fn several_documents_are_one_design_whose_lines_are_counted_through_all_of_them() {
        let first = "# One\n\n**Files:**\n- Create: `src/a.py`\n- Modify: `src/b.py`\n";
        let second = "# Two\n\n**Files:**\n- Modify: `src/a.py`\n- Delete: `src/c.py`\n";
        let lld =
            parse_all("docs", [("docs/1.md", first), ("docs/0.md", "# Notes\n\nNothing.\n"), ("docs/2.md", second)]);
        let files: Vec<_> = lld.files.iter().map(|file| (file.path.as_str(), file.change, file.line)).collect();
        assert_eq!(
            files,
            [("src/a.py", Change::Add, 4), ("src/b.py", Change::Modify, 5), ("src/c.py", Change::Delete, 13)]
        );
        assert_eq!(lld.title.as_deref(), Some("One"));
        let sections: Vec<_> = lld.sections.iter().map(|section| (section.title.as_str(), section.line)).collect();
        assert_eq!(sections, [("one", 1), ("notes", 6), ("two", 9)]);
        assert!(!lld.findings.iter().any(crate::finding::Finding::is_error), "{:?}", lld.findings);
    }

    #[test]
    fn documents_that_name_no_file_at_all_are_refused_as_one_is() {
        let lld = parse_all("docs", [("docs/1.md", "# A\n\nText.\n"), ("docs/2.md", "# B\n\nText.\n")]);
        assert!(lld.findings.iter().all(|finding| finding.id == "lld-no-file-list" && finding.is_error()));
    }

    #[test]
    fn what_one_document_deletes_and_another_changes_excludes_each_other() {
        let lld =
            parse_all("docs", [("a.md", "**Files:**\n- Delete: `a.py`\n"), ("b.md", "**Files:**\n- Modify: `a.py`\n")]);
        let found: Vec<_> = lld.findings.iter().map(|finding| (finding.id.as_ref(), finding.line)).collect();
        assert_eq!(found, [("lld-change-conflict", Some(4))]);
    }
}
