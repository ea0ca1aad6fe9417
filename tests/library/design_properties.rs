//! What holds of every design, however it is written: line ends change nothing, and what is cut or hostile is read to its end.

use git_implement::finding::Finding;
use git_implement::lld::parse;

const LLD: &str = include_str!("../../fixtures/lld/lld.md");

#[test]
fn line_ends_a_byte_order_mark_and_a_missing_final_newline_change_nothing() {
    let plain = parse("d.md", LLD);
    for text in [LLD.replace('\n', "\r\n"), format!("\u{feff}{LLD}"), LLD.trim_end().to_owned()] {
        let other = parse("d.md", &text);
        assert_eq!((&other.files, &other.findings, &other.title), (&plain.files, &plain.findings, &plain.title));
        assert_eq!(other.test_scenarios, plain.test_scenarios);
    }
}

#[test]
fn a_design_that_lies_whole_in_a_fence_is_read_as_if_it_did_not() {
    let wrapped = parse("d.md", &format!("```markdown\n{LLD}\n```\n"));
    let plain = parse("d.md", &format!("\n{LLD}\n\n"));
    assert_eq!((wrapped.files, wrapped.title), (plain.files, plain.title));
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
        "\0", "\r", "allow: a,", "from `a` to `b` ", "Create it. ", "`a/b.py` → ", "- `a/b.py` (new)\n", "- x:\n  ", "(`a/b.py`) ",
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
    for text in [
        LLD,
        include_str!("../../fixtures/lld/hard.md"),
        include_str!("../../fixtures/lld/a-task-list-names-the-files-of-its-tasks.tasks.md"),
    ] {
        for (at, _) in text.char_indices().step_by(7) {
            let lld = parse("d.md", &text[..at]);
            assert!(!lld.files.is_empty() || !lld.tasks.is_empty() || lld.findings.iter().any(Finding::is_error));
        }
    }
}
