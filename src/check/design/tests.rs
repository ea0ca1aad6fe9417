//! The rules as a design meets them: each is shown to fire, with its line, and to be silent where it should.

use super::*;
use crate::finding::Severity;
use crate::lld::parse;

/// A design with which no rule finds fault, with the parts that the rules look at.
const GOOD: &str = "\
# 7 - Feature: Sizes

## 1. Context & Goal
* **Issue:** #7
* **Status:** Approved (2026-01-01)

## 2. Proposed Changes

### 2.1 Files Changed

| File | Change Type | Description |
|------|-------------|-------------|
| `src/sizes/` | Add (Directory) | package |
| `src/sizes/check.py` | Add | the check |
| `tests/test_check.py` | Add | its tests |

### 2.2 Dependencies

```toml
# none
```

### 2.4 Function Signatures

```python
def check_size(path: str) -> int: ...
```

## 3. Requirements

1. Sizes are counted in bytes
2. Files that are missing are refused

## 10. Verification & Testing

### 10.0 Test Plan

| Test ID | Test | Status |
|---------|------|--------|
| T010 | a size | RED |
| T020 | no file | RED |

### 10.1 Test Scenarios

| ID | Scenario | Type | Expected Output | Pass Criteria |
|----|----------|------|-----------------|---------------|
| 010 | a size (REQ-1) | Auto | the size | equals 3 |
| 020 | no file (REQ-2) | Auto | an error | raises `OSError` |

## 11. Risks & Mitigations

| Risk | Mitigation |
|------|------------|
| Large files | `check_size()` reads no content |

## 12. Definition of Done

- [ ] `src/sizes/check.py` written
- [ ] All 2 test scenarios pass (T010-T020)

### 12.1 Traceability

- `tests/test_check.py` is in Section 2.1

**Final Status:** APPROVED
";

fn judged(text: &str, tree: Option<&Tree>) -> Vec<Finding> {
    let lld = parse("docs/lld/7.md", text);
    judge(&Candidate { path: "docs/lld/7.md", text, lld: &lld, tree })
}

/// The only finding about [`GOOD`] with one text in place of another: its id, the text of its line, its message.
fn found(old: &str, new: &str) -> (String, String, String) {
    found_in(None, &[(old, new)])
}

fn found_in(tree: Option<&Tree>, changes: &[(&str, &str)]) -> (String, String, String) {
    let text = changed(changes);
    let mut findings = judged(&text, tree);
    assert_eq!(findings.len(), 1, "{findings:?}");
    let finding = findings.remove(0);
    assert_eq!((finding.path.as_deref(), finding.hint.is_some()), (Some("docs/lld/7.md"), true));
    let line = finding.line.and_then(|line| text.lines().nth(line - 1)).unwrap_or_default();
    (finding.id.to_string(), line.to_owned(), finding.message)
}

fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(GOOD.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

fn silent(old: &str, new: &str) {
    let findings = judged(&changed(&[(old, new)]), None);
    assert!(findings.is_empty(), "{new}: {findings:?}");
}

fn tree(manifests: &[(&str, &str)]) -> Tree {
    Tree { manifests: manifests.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect() }
}

#[test]
fn a_good_design_is_found_no_fault_with_in_whatever_line_ends() {
    let tree = tree(&[("pyproject.toml", "")]);
    assert_eq!(judged(GOOD, Some(&tree)), []);
    assert_eq!(judged(&GOOD.replace('\n', "\r\n"), Some(&tree)), []);
    assert_eq!(judged(&format!("\u{feff}{GOOD}"), None), []);
}

#[test]
fn an_empty_design_is_an_error_and_nothing_else_is() {
    for text in ["", " \n\n", "\u{feff}\r\n"] {
        let findings = judged(text, None);
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].id.as_ref(), findings[0].severity), ("design-empty", Severity::Error));
    }
    assert!(judged("# Notes\n", None).is_empty(), "a free form is free");
}

#[test]
fn a_title_of_another_issue_is_found_and_another_way_of_counting_is_not() {
    let (id, line, message) = found("# 7 - Feature", "# 8 - Feature");
    assert_eq!((id.as_str(), line.as_str()), ("design-title", "# 8 - Feature: Sizes"));
    assert_eq!(message, "the title's number is 8, the issue is 7");
    for title in ["# 1007 - Feature", "# 0007 - Feature", "# Feature", "# LLD-7: Feature"] {
        silent("# 7 - Feature", title);
    }
    silent("**Issue:** #7", "**Issue:** none yet");
}

#[test]
fn a_status_that_the_review_has_overtaken_is_found() {
    let (id, line, message) = found("Approved (2026-01-01)", "Draft");
    assert_eq!((id.as_str(), line.as_str()), ("design-status", "* **Status:** Draft"));
    assert_eq!(message, "the status is 'Draft', the final status 'APPROVED'");
    assert_eq!(found("**Final Status:** APPROVED", "**Final Status:** PENDING").0, "design-status");
    assert_eq!(found("**Final Status:** APPROVED", "**Final Status:** BLOCKED").0, "design-status");
    silent("Approved (2026-01-01)", "Draft | Approved");
    silent("Approved (2026-01-01)", "In Progress");
    silent("**Final Status:** APPROVED", "**Final Status:** APPROVED - PENDING REVIEW");
    silent("**Final Status:** APPROVED", "");
}

#[test]
fn a_section_that_is_missing_or_holds_nothing_is_found_by_the_kind_of_document() {
    let (start, end) = (GOOD.find("## 3. Req").unwrap_or(0), GOOD.find("## 10. Ver").unwrap_or(0));
    let requirements = &GOOD[start..end];
    let (id, _, message) = found(requirements, "");
    assert_eq!((id.as_str(), message.as_str()), ("design-sections", "the design has no section 'Requirements'"));
    let (id, line, message) = found(requirements, "## 3. Requirements\n\n---\n\n");
    assert_eq!((id.as_str(), line.as_str()), ("design-sections", "## 3. Requirements"));
    assert_eq!(message, "the section 'Requirements' holds nothing");
    silent("## 3. Requirements", "## 3. Functional Requirements");
    silent("## 12. Definition of Done", "## 12. Acceptance Criteria");
    let spec = "# Implementation Spec: 7\n## 2. Files to Implement\n| Order | File | Change Type |\n|--|--|--|\n| 1 | `a.py` | Add |\n";
    let findings = judged(spec, None);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].message, "the design has no section 'Test Mapping'");
}

#[test]
fn a_directory_s_row_after_a_file_in_it_is_found() {
    let row = "| `src/sizes/` | Add (Directory) | package |\n";
    let late = format!("| `tests/test_check.py` | Add | its tests |\n{row}");
    let (id, line, message) = found_in(None, &[(row, ""), ("| `tests/test_check.py` | Add | its tests |\n", &late)]);
    assert_eq!((id.as_str(), line.as_str()), ("design-directory", row.trim_end()));
    assert_eq!(message, "'src/sizes/' is added after 'src/sizes/check.py', which lies in it");
    silent(row, "");
}

#[test]
fn a_package_that_no_manifest_has_and_no_row_adds_is_found() {
    let needs = ("# none\n", "# none\nhumanize = \"^4.0\"\nClick = \"^8\"\n");
    let python = tree(&[("pyproject.toml", "click = \"^8.1\"\n"), ("web/package.json", "{}")]);
    let (id, line, message) = found_in(Some(&python), &[needs]);
    assert_eq!((id.as_str(), line.as_str()), ("design-dependency", "humanize = \"^4.0\""));
    assert_eq!(message, "the design needs 'humanize', which no manifest names, and changes no manifest");
    let row = ("| `tests/test_check.py` |", "| `pyproject.toml` | Modify | humanize |\n| `tests/test_check.py` |");
    assert!(judged(&changed(&[needs, row]), Some(&python)).is_empty());
    assert!(judged(&changed(&[needs]), Some(&tree(&[("Cargo.toml", "")]))).is_empty());
    assert!(judged(&changed(&[needs]), None).is_empty());
}

#[test]
fn a_requirement_without_a_test_and_a_test_without_its_requirement_are_found_by_id() {
    let (id, line, message) = found("no file (REQ-2)", "no file (REQ-1)");
    assert_eq!((id.as_str(), line.as_str()), ("design-coverage", "1. Sizes are counted in bytes"));
    assert_eq!(message, "no test names requirement 'REQ-2'");
    let (id, line, message) = found("no file (REQ-2)", "no file (REQ-2, REQ-9)");
    assert_eq!(id, "design-coverage");
    assert!(line.starts_with("| 020 |"), "{line}");
    assert_eq!(message, "tests name requirement 'REQ-9', which the design does not have");
    silent("(REQ-1)", "(REQ-1 to REQ-2)");
    silent("(REQ-2)", "(Requirement 2)");
    let without_ids = [(" (REQ-1)", ""), (" (REQ-2)", "")];
    assert!(judged(&changed(&without_ids), None).is_empty(), "no words are compared");
}

#[test]
fn requirements_with_ids_of_their_own_that_no_test_names_are_one_finding() {
    let labelled = [
        (" (REQ-1)", ""),
        (" (REQ-2)", ""),
        ("1. Sizes", "- **FR-001**: Sizes"),
        ("2. Files that", "- **FR-002**: Files that"),
    ];
    let (id, _, message) = found_in(None, &labelled);
    assert_eq!((id.as_str(), message.as_str()), ("design-coverage", "no test names the requirement that it is for"));
    let mut named = labelled.to_vec();
    named.push(("no file |", "no file (FR-001, FR-002) |"));
    assert!(judged(&changed(&named), None).is_empty());
}

#[test]
fn tests_that_stand_in_one_of_the_two_tables_only_are_found() {
    let (id, line, message) = found("| T020 | no file | RED |\n", "| T020 | no file | RED |\n| T030 | more | RED |\n");
    assert_eq!((id.as_str(), line.as_str()), ("design-test-id", "| T010 | a size | RED |"));
    assert_eq!(message, "the test scenarios lack 'T030' of the test plan");
    let (_, line, message) = found("| T010 | a size | RED |\n", "");
    assert!(line.starts_with("| 010 |"), "{line}");
    assert_eq!(message, "the test plan lacks '010' of the test scenarios");
    let twice = "| T020 | no file | RED |\n| T020 | again | RED |\n";
    let (_, line, message) = found("| T020 | no file | RED |\n", twice);
    assert_eq!(line, "| T020 | again | RED |");
    assert_eq!(message, "the test plan has 'T020' more than once");
    silent("| T010 | a size | RED |\n| T020 |", "| TS-10 | a size | RED |\n| 020 |");
}

#[test]
fn tables_that_number_their_tests_differently_are_one_finding() {
    let (id, _, message) = found("| T010 | a size | RED |\n| T020 |", "| T001 | a size | RED |\n| T002 |");
    assert_eq!(id, "design-test-id");
    assert_eq!(message, "the test plan and the test scenarios have no id in common");
}

#[test]
fn pass_criteria_that_say_nothing_are_found_as_whole_words_and_without_a_literal() {
    let (id, line, message) = found("equals 3", "Works as expected");
    assert_eq!(id, "design-vague");
    assert!(line.starts_with("| 010 |"), "{line}");
    assert_eq!(message, "the pass criteria 'works as expected' cannot be checked");
    assert_eq!(found("equals 3", "Counting works").2, "the pass criteria 'works' cannot be checked");
    for criteria in [
        "Works as expected: `3`",
        "Counting works for 3 files",
        "Networks",
        "the size is correct to the byte",
        "Each file is counted once",
        "Raises ValueError as expected",
    ] {
        silent("equals 3", criteria);
    }
    silent("the size | equals 3", "`3` | Works as expected");
}

#[test]
fn an_automatic_test_that_a_person_judges_is_found_and_a_test_of_what_people_do_is_not() {
    let (id, line, message) = found("equals 3", "Manually verify the size 3");
    assert_eq!(id, "design-human");
    assert!(line.starts_with("| 010 |"), "{line}");
    assert_eq!(message, "a test marked as automatic leaves its verdict to a person: 'manually verify'");
    silent("equals 3", "3, without manual verification");
    silent("equals 3", "routes to human review, 3");
    silent("Auto | the size | equals 3", "Manual | the size | Visual inspection of 3");
    silent("a size (REQ-1)", "human confirms, mocked (REQ-1)");
}

#[test]
fn a_mitigation_by_a_function_that_nothing_else_names_is_found() {
    let (id, line, message) = found("`check_size()` reads", "`limit_size()` reads");
    assert_eq!((id.as_str(), line.as_str()), ("design-risk", "| Large files | `limit_size()` reads no content |"));
    assert_eq!(message, "a mitigation names 'limit_size()', which the design has nowhere else");
    for text in ["Streaming reads", "`os.path_size()` reads", "`open()` reads", "`limit_size` reads"] {
        silent("`check_size()` reads", text);
    }
}

#[test]
fn a_file_of_the_definition_of_done_or_of_its_subsections_that_is_not_listed_is_found() {
    let (id, line, message) = found("`src/sizes/check.py` written", "`docs/sizes.md` written");
    assert_eq!((id.as_str(), line.as_str()), ("design-done-path", "- [ ] `docs/sizes.md` written"));
    assert_eq!(message, "the definition of done names 'docs/sizes.md', which is not in the file list");
    let (id, line, _) = found("- `tests/test_check.py` is", "- `tests/test_sizes.py` is");
    assert_eq!((id.as_str(), line.as_str()), ("design-done-path", "- `tests/test_sizes.py` is in Section 2.1"));
    for text in [
        "`docs/sizes.md` not updated",
        "existing tests in `tests/a.py` updated",
        "`docs/reports/7/report.md` written",
        "`sizes/check.py` updated",
        "`src/sizes/more.py` written",
        "`docs/{id}/a.md` written",
        "see `docs/guide.md`",
    ] {
        silent("`src/sizes/check.py` written", text);
    }
}

#[test]
fn tests_that_the_definition_of_done_names_or_counts_wrongly_are_found() {
    let (id, line, message) = found("(T010-T020)", "(T010-T090)");
    assert_eq!(id, "design-done-test");
    assert!(line.ends_with("(T010-T090)"), "{line}");
    assert_eq!(message, "the definition of done names the test 'T090', which the design does not have");
    let (_, _, message) = found("All 2 test scenarios", "All 12 test scenarios");
    assert_eq!(message, "the definition of done counts 12 test scenarios, the design has 2");
    silent("All 2 test scenarios pass (T010-T020)", "All test scenarios pass");
}

#[test]
fn every_rule_has_a_case_above() {
    let cases = include_str!("tests.rs");
    for rule in RULES {
        assert!(cases.contains(&format!("\"{}\"", rule.id)), "{}", rule.id);
    }
}

#[test]
fn hostile_texts_break_nothing() {
    let many = 1_000;
    for text in [
        format!("{GOOD}{}", "| 010 | REQ-1 REQ-1 | T010-T020 | x | works |\n".repeat(many)),
        "## Definition of Done\n".repeat(many),
        format!("{GOOD}{}", "(".repeat(many)),
        format!("{GOOD}{}", (0..many).map(|n| format!("- src/d{n}/a.py created, T{n} REQ-{n}\n")).collect::<String>()),
        GOOD.replace("2. Files", &(2..many).map(|n| format!("{n}. Files\n")).collect::<String>()),
        GOOD.replace("| Large", &(0..many).map(|n| format!("| x | call_{n}() |\n")).collect::<String>()),
        GOOD.replace("| `src/sizes/` ", &(0..many).map(|n| format!("| `src/d{n}/` | Add |\n")).collect::<String>()),
        GOOD.replace("equals 3", &"REQ-1-".repeat(many)),
        GOOD.replace("equals 3", &"é–REQ-4294967295..T".repeat(many)),
        GOOD.replace("reads no content", &"a_b( ".repeat(500)),
    ] {
        judged(&text, None);
    }
    for end in (0..GOOD.len()).step_by(7) {
        judged(&GOOD[..end], None);
    }
}
