//! Whole designs, one fixture a dialect and the hard ones, pinned row by row.

use super::*;
use crate::finding::Severity;

/// A design's files and findings, one a line: what the plan is made of.
fn listing(lld: &Lld) -> Vec<String> {
    let files = lld.files.iter().map(|file| {
        let change = serde_json::to_value(file.change).expect("a word");
        let mut line = format!("{} {} {}", file.line, change.as_str().unwrap_or_default(), file.path);
        for (mark, on) in [("/", file.directory), (" done", !file.selected)] {
            line.push_str(if on { mark } else { "" });
        }
        for (mark, text) in [
            (" from ", file.from.as_ref().map(RepoPath::to_string).unwrap_or_default()),
            (" tasks ", file.tasks.join(",")),
            (" allow ", file.allow.join(",")),
            (": ", file.description.replace('\n', "\\n")),
        ] {
            if !text.is_empty() {
                line.push_str(mark);
                line.push_str(&text);
            }
        }
        line
    });
    files.collect()
}

fn findings(lld: &Lld, severity: Severity) -> Vec<String> {
    let found = lld.findings.iter().filter(|finding| finding.severity == severity);
    found.map(|finding| format!("{} {}", finding.line.unwrap_or(0), finding.id)).collect()
}

fn ids(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.id.as_deref().unwrap_or("-")).collect()
}

const LLD: &str = include_str!("../../fixtures/lld/lld.md");

#[test]
fn the_template_is_read_whole() {
    let lld = parse("docs/41.md", LLD);
    assert_eq!(lld.dialect, Some("lld"));
    assert_eq!(lld.title.as_deref(), Some("41 - Feature: Tide Tables in the Terminal"));
    assert_eq!(lld.issue.as_deref(), Some("41"));
    assert_eq!((lld.status.as_deref(), lld.final_status.as_deref()), (Some("Draft"), Some("APPROVED")));
    assert_eq!(
        listing(&lld),
        [
            "29 none tides/: The package",
            "30 add tides/harbour.py: Reads `harbours.toml`; returns `Harbour | None`\\n**Note:** if `tides/harbour.py` \
             turns out to exist by then, modify it instead.",
            "31 modify tides/cli.py: Add the `--harbour` option\\nPrint a table",
            "33 add tests/fixtures/: Recorded answers",
            "34 add tests/fixtures/cut.json allow empty,syntax: Malformed JSON, cut in the middle. `allow: empty`",
            "35 delete tides/old_table.py: Replaced by `tides/harbour.py`",
            "36 none docs/notes.md: Modify (future) A page for sailors",
        ]
    );
    assert_eq!(findings(&lld, Severity::Error), [""; 0]);
    assert_eq!(findings(&lld, Severity::Note), ["38 lld-note"]);
    assert_eq!(ids(&lld.requirements), ["1", "2"]);
    assert_eq!(ids(&lld.test_plan), ["T010", "T020"]);
    assert_eq!(ids(&lld.test_scenarios), ["010", "020", "030"]);
    assert_eq!(ids(&lld.signatures), ["load", "table"]);
    assert_eq!(lld.signatures[1].text, "def table( harbour: Harbour, days: int = 7, ) -> str");
    let commands: Vec<_> = lld.commands.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(commands, ["pytest tests -q", "pytest tests/test_harbour.py -k unknown"]);
    assert_eq!((lld.risks.len(), lld.risks[0].cells[3].1.as_str()), (1, "`load` refuses the file"));
    assert_eq!(lld.done.len(), 2);
}

#[test]
fn line_ends_a_byte_order_mark_and_a_missing_final_newline_change_nothing() {
    let plain = parse("d.md", LLD);
    for text in [LLD.replace('\n', "\r\n"), format!("\u{feff}{LLD}"), LLD.trim_end().to_owned()] {
        let other = parse("d.md", &text);
        assert_eq!((&other.files, &other.findings, &other.title), (&plain.files, &plain.findings, &plain.title));
        assert_eq!((other.test_scenarios, other.done), (plain.test_scenarios.clone(), plain.done.clone()));
    }
}

#[test]
fn a_design_that_lies_whole_in_a_fence_is_read_as_if_it_did_not() {
    let wrapped = parse("d.md", &format!("```markdown\n{LLD}\n```\n"));
    let plain = parse("d.md", &format!("\n{LLD}\n\n"));
    assert_eq!((wrapped.files, wrapped.title), (plain.files, plain.title));
}

#[test]
fn every_row_that_names_no_file_is_an_error_in_its_line() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/refused.md"));
    assert_eq!(
        findings(&lld, Severity::Error),
        [
            "8 lld-path-glob",
            "9 lld-path-home",
            "10 lld-path-drive",
            "11 lld-path-alternatives",
            "12 lld-path-prose",
            "13 lld-path-placeholder",
            "14 lld-path-placeholder",
            "15 lld-path-invalid",
            "16 lld-path-absolute",
            "17 lld-path-backslash",
            "18 lld-path-url",
            "19 lld-change-type",
            "20 lld-rename-from",
            "21 lld-change-conflict",
        ]
    );
    assert_eq!(findings(&lld, Severity::Note), ["22 lld-row-informational"]);
    assert_eq!(listing(&lld)[0], "7 modify src/kept.py: It is fine\\nNot after line 7");
    assert!(lld.findings.iter().all(|finding| finding.path.as_deref() == Some("d.md")));
    let messages = lld.findings.iter().filter(|finding| finding.is_error());
    for message in messages.map(|finding| finding.message.as_str()) {
        assert!(!message.ends_with('.') && message.contains('\''), "{message}");
    }
}

#[test]
fn rows_are_read_as_people_write_them() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/hard.md"));
    assert_eq!(
        listing(&lld),
        [
            "9 add src/bold.py: bold",
            "10 add src/plain.py: no marks",
            "11 modify src/linked.py: a link",
            "12 modify src/noted.py: Update (if needed) (lines 10-40) a note",
            "13 modify src/at.py: a line",
            "14 add src/one.py: two in a cell",
            "14 add src/two.py: two in a cell",
            "15 add src/three.ts: braces",
            "15 add src/four.ts: braces",
            "16 rename src/new_name.py from src/old_name.py: an arrow",
            "17 rename src/after.py from src/before.py: Renamed from `src/before.py` in words",
            "18 rename src/there.py from src/here.py: Move to `src/there.py` the other way round",
            "19 none src/dropped.py: struck out",
            "20 add-or-modify src/either.py: either",
            "21 modify src/__init__.py: escapes",
            "22 add app/[id]/(shop)/page.tsx: brackets of a framework",
            "23 add docs/Read Me.md: a blank",
            "24 modify Makefile: no extension",
            "25 add-or-modify src/untyped.py: no type",
            "26 add-or-modify src/prose.py: Add a retry flag to the client prose is no type",
            "27 none src/checked.py: nothing to do",
            "28 add src/stub.py allow overwrite: Overwrite the existing stub",
            "34 none src/alone.py: left alone",
        ]
    );
    assert_eq!(findings(&lld, Severity::Error), [""; 0]);
    assert_eq!(findings(&lld, Severity::Note), ["38 lld-row-informational"]);
}

#[test]
fn a_spec_is_known_by_its_words_not_by_its_numbers() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/spec.md"));
    assert_eq!(lld.dialect, Some("spec"));
    assert_eq!(
        listing(&lld),
        [
            "11 modify tides/__init__.py: Export `load`",
            "12 add tides/harbour.py: The loader",
            "13 none tests/test_harbour.py: No changes",
        ]
    );
    assert!(lld.findings.is_empty() && lld.test_scenarios.is_empty());
}

#[test]
fn a_plan_may_have_front_matter_and_blank_lines_between_its_rows() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/plan.md"));
    assert_eq!((lld.dialect, lld.status.as_deref()), (Some("plan"), Some("planned")));
    assert_eq!(
        listing(&lld),
        [
            "32 add tides/feed.py",
            "34 modify tides/reader.py: Modify the loop and `read()`",
            "36 add tests/test_feed.py"
        ]
    );
    assert!(lld.findings.is_empty());
}

#[test]
fn a_component_tree_names_its_leaves() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/components.md"));
    assert_eq!(lld.dialect, Some("plan"));
    assert_eq!(
        listing(&lld),
        [
            "8 add tides/charts/__init__.py",
            "9 add tides/charts/ascii.py: Draws a curve with `*`",
            "10 modify tides/cli.py: (modified)",
            "14 add tools/chart.sh: NEW: by hand",
        ]
    );
    assert_eq!(findings(&lld, Severity::Error), ["11 lld-path-placeholder"]);
}

#[test]
fn bullets_of_several_sections_are_one_list() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/bullets.md"));
    assert_eq!(lld.dialect, Some("plan"));
    assert_eq!(
        listing(&lld),
        [
            "7 modify tides/cli.py: - MODIFY: add `--alert`\\n- keep the exit status",
            "10 modify tides/feed.py: (lines 3-9) - call the alert",
            "14 add tides/alert.py: compares two heights",
            "15 add tests/test_alert.py: the thresholds",
            "19 delete tides/bell.py",
        ]
    );
    assert!(lld.findings.is_empty());
    let lld = parse("d.md", include_str!("../../fixtures/lld/captions.md"));
    assert_eq!(listing(&lld), ["4 modify tides/cli.py: the option", "5 modify tides/feed.py", "8 add tides/log.py"]);
}

#[test]
fn a_task_list_names_the_files_of_its_tasks() {
    let lld = parse("specs/1/tasks.md", include_str!("../../fixtures/lld/tasks.md"));
    assert_eq!(lld.dialect, Some("tasks"));
    let files: Vec<_> =
        listing(&lld).iter().map(|line| line.split(": ").next().unwrap_or_default().to_owned()).collect();
    assert_eq!(
        files,
        [
            "8 add tides/alert.py tasks T002,T004",
            "12 add-or-modify tests/test_alert.py tasks T003",
            "13 modify tides/cli.py tasks T004,T008",
            "16 delete tides/bell.py tasks T006",
            "17 modify web/day.css tasks T007",
            "17 modify web/night.css tasks T007",
        ]
    );
    assert_eq!(findings(&lld, Severity::Note), ["7 lld-row-informational", "15 lld-row-informational"]);
    let done = parse("tasks.md", "- [x] T001 Create a/b.py\n- [ ] T002 Create a/c.py\n");
    assert_eq!(done.files.iter().map(|file| file.selected).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_list_behind_fences_that_nest_is_found() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/nested.md"));
    assert_eq!(listing(&lld), ["19 modify tides/prompt.py: The prompt"]);
}

#[test]
fn an_elided_list_is_an_error_whatever_is_quoted_later() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/empty.md"));
    assert_eq!(findings(&lld, Severity::Error), ["5 lld-no-file-list"]);
    assert!(lld.files.is_empty());
    let lld = parse("d.md", "# A letter\n\nHello.\n");
    assert_eq!(findings(&lld, Severity::Error), ["0 lld-no-file-list"]);
    let hint = lld.findings[0].hint.as_deref().unwrap_or_default();
    assert!(hint.contains("Files Changed") && hint.contains("Files to Implement"), "{hint}");
}

#[test]
fn rows_for_one_path_merge_and_the_first_decides() {
    let table =
        |rows: &str| parse("d.md", &format!("## Files Changed\n| File | Change Type | Description |\n|-|-|-|\n{rows}"));
    let first = |rows: &str| {
        (table(rows).files.first().map(|file| file.change), table(rows).findings.first().map(Finding::is_error))
    };
    assert_eq!(first("| `a.py` | Add | x |\n| `./a.py` | Modify | y |"), (Some(Change::Add), None));
    assert_eq!(first("| `a.py` | Modify | x |\n| `a.py` | Add | y |"), (Some(Change::Modify), Some(false)));
    assert_eq!(first("| `a.py` | Add | x |\n| `a.py` | Delete | y |"), (Some(Change::Add), Some(true)));
    assert_eq!(first("| `a.py` | Exists | x |\n| `a.py` | Modify | y |"), (Some(Change::Modify), None));
}

#[test]
fn a_dialect_is_one_file_and_one_line() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lld/dialect");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of dialects")
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .filter(|name| name != "mod")
        .collect();
    files.sort();
    let mut names: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name).collect();
    names.sort();
    assert_eq!(names, files);
}

#[test]
fn hostile_designs_are_read_to_their_end() {
    // What would take minutes if anything went over the text once a line, a bar or a mark.
    let huge = |piece: &str| piece.repeat(100_000 / piece.len());
    let fill = |piece: &str| piece.repeat(20_000 / piece.len());
    let mut hostile: Vec<String> = ["|", "`", "#", "#\n", "### Files to Modify\n- `a.py`\n"].map(huge).to_vec();
    #[rustfmt::skip]
    let pieces = [
        "|", "`", "#", "*", "[", "(", "{", "<", "~", "\\", "-", "\n", "| ", "|\n", "# ", "#\n", "```\n", "```a\n",
        "~~~\n", "`a", "](", "[](", "[a](b)", "{a,b}", "- [ ] ", "- [ ] a.py\n", "- `a`\n", "1. ",
        "## Files Changed\n", "### Files to Modify\n- `a.py`\n", "**Files to Modify**\n", "├── ", "├── a\n",
        "<!--\n", "-->", "---\n", "|-|\n", "| File | Action |\n|--|--|\n", "| `a.py` | Add |\n", "é", "\u{feff}",
        "- [ ] T001 a/b.py (depends on T001-T001) or c.py\n", "- [ ] x\n  ", "- [ ] a/(", "- [ ] a/<", "- [ ] a/b.py, ",
        "T001 after T001 ", "- [ ] 1.1 _Requirements: 1_\n", "日本.pyに", "# Phase 1\n- [ ] T1 in a/\n",
        "\0", "\r", "allow: a,", "from `a` to `b` ",
    ];
    hostile.extend(pieces.map(fill));
    for open in [
        "## Files Changed\n",
        "## Files Changed\n| File | Action | Description |\n|--|--|--|\n| ",
        "## New components\n```\n",
        "```\n",
        "---\n",
    ] {
        let inside: Vec<String> =
            ["|", "`", "`a`, ", "| `a.py` | Add | allow: a |\n", "a/\n ", "{a,b}", "x ", "\\|"].map(fill).to_vec();
        hostile.extend(inside.into_iter().map(|text| format!("{open}{text}")));
    }
    // Every line one deeper or longer than the last.
    hostile.push((0..440).map(|n| format!("{}a/\n", " ".repeat(n))).collect());
    hostile.push((3..440).map(|n| format!("{}\n", "`".repeat(n))).collect());
    hostile.push((3..440).rev().map(|n| format!("{}x\n", "~".repeat(n))).collect());
    hostile.push((0..2000).map(|n| format!("| `{n}.py` | Add |\n")).collect());
    hostile.push(format!("## Files Changed\n{}", fill("a|")));
    hostile.push(format!("- [ ] {}", fill("a/<")));
    hostile.push(format!("- [ ] T001 Create {}", fill("a/b.py or ")));
    hostile.push(format!("- [ ] T001 Create {}", fill("a/b.py, c.py, ")));
    hostile.push(format!("- [ ] T001 {}", fill("depends on T001, ")));
    hostile.push(format!("- [ ] T001 ({}", fill("((")));
    hostile.push((0..900).map(|n| format!("- [ ] T{n} Create x{n}/a.py after T0-T{n}\n")).collect());
    hostile.push((0..400).map(|n| format!("{}- [ ] {n}. a/b{n}.py\n", " ".repeat(n))).collect());
    for text in &hostile {
        let name = if text.contains("[ ]") { "tasks.md" } else { "d.md" };
        let lld = parse(name, text);
        let lines = text.split('\n').count();
        assert!(lld.files.iter().all(|file| (1..=lines).contains(&file.line)));
        assert!(!lld.files.is_empty() || !lld.tasks.is_empty() || lld.findings.iter().any(Finding::is_error));
        assert!(lld.tasks.iter().all(|task| task.line >= 1 && task.line <= task.end && task.end <= lines));
    }
}

#[test]
fn a_design_cut_anywhere_is_read() {
    for text in [LLD, include_str!("../../fixtures/lld/hard.md"), include_str!("../../fixtures/lld/tasks.md")] {
        for (at, _) in text.char_indices().step_by(7) {
            let lld = parse("d.md", &text[..at]);
            assert!(!lld.files.is_empty() || !lld.tasks.is_empty() || lld.findings.iter().any(Finding::is_error));
        }
    }
}

#[test]
fn a_column_that_would_be_read_under_another_title_is_named_with_its_line() {
    let columns = |table: &str| -> Vec<(Option<usize>, String)> {
        let lld = parse("d.md", &format!("# 1 - T\n\n### 2.1 Files Changed\n\n{table}"));
        let said = lld.findings.iter().filter(|finding| finding.id == "lld-column");
        said.map(|finding| (finding.line, finding.message.clone())).collect()
    };
    let unknown = |title: &str, known: &str| {
        let message = format!("the table's column '{title}' is not known; it is read if it is called {known}");
        vec![(Some(5), message)]
    };
    let change = "| File | What | Description |\n|--|--|--|\n| `a.py` | grow | One |\n| `b.py` | grow it | Two |\n";
    assert_eq!(columns(change), unknown("What", "Change"));
    let path = "| Thing | Change |\n|--|--|\n| Makefile | Modify |\n| Dockerfile | Add |\n";
    assert_eq!(columns(path), unknown("Thing", "File"));
    for known in [
        "| File | What |\n|--|--|\n| `a.py` | Add |\n",
        "| File | Change | Owner |\n|--|--|--|\n| `a.py` | Add | Ann |\n",
        "| File | Responsibility |\n|--|--|\n| `a.py` | Holds all that there is to say of it |\n",
        "| File | Lines |\n|--|--|\n| `a.py` | 10 |\n",
    ] {
        assert_eq!(columns(known), [], "{known}");
    }
    let lld = parse("d.md", "# 1 - T\n\n- **Status:** Draft\n\n### 2.1 Files Changed\n\n- `a.py`: new\n");
    assert!(lld.findings.iter().any(|finding| finding.id == "lld-status" && finding.line == Some(3)), "{lld:?}");
}
