//! Whole designs: each fixture beside what is read from it, line by line. What holds of all designs is in
//! `tests/library/design_properties.rs`.

use super::*;
use crate::finding::Severity;
use std::path::{Path, PathBuf};

fn word(change: Change) -> String {
    serde_json::to_value(change).expect("a word").as_str().unwrap_or_default().to_owned()
}

/// `name: said`, with a blank before it; nothing if nothing is said.
fn part(name: &str, said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(" {name}: {}", said.replace('\n', "\\n")) }
}

fn paths(files: &[RepoPath]) -> String {
    files.iter().map(RepoPath::as_str).collect::<Vec<_>>().join(" ")
}

/// The files that are planned, with what happens to them and what they were before.
fn planned(lld: &Lld) -> Vec<String> {
    let planned = lld.files.iter().filter(|file| file.change != Change::None && !file.directory);
    let from = |file: &FileSpec| file.from.as_ref().map_or(String::new(), |from| format!(" from {from}"));
    planned.map(|file| format!("{} {}{}", word(file.change), file.path, from(file))).collect()
}

fn findings(lld: &Lld, severity: Severity) -> Vec<String> {
    let found = lld.findings.iter().filter(|finding| finding.severity == severity);
    found.map(|finding| format!("{} {}", finding.line.unwrap_or(0), finding.id)).collect()
}

/// Everything that is read from a design, one thing a line.
fn listing(lld: &Lld) -> String {
    let mut lines = vec![format!("dialect: {}", lld.dialect.unwrap_or("none"))];
    let head = [("title", &lld.title), ("issue", &lld.issue), ("status", &lld.status), ("final", &lld.final_status)];
    lines.extend(head.iter().filter_map(|(name, said)| Some(format!("{name}: {}", said.as_deref()?))));
    for file in &lld.files {
        let marks = [("/", file.directory), (" done", !file.selected)];
        let marks = marks.iter().filter(|(_, on)| *on).map(|(mark, _)| *mark).collect::<String>();
        let from = file.from.as_ref().map(RepoPath::to_string).unwrap_or_default();
        let said = [("from", from), ("tasks", file.tasks.join(",")), ("allow", file.allow.join(","))];
        let said: String = said.iter().map(|(name, said)| part(name, said)).collect();
        let description = part("says", &file.description);
        lines.push(format!("{} {} {}{marks}{said}{description}", file.line, word(file.change), file.path));
    }
    for task in &lld.tasks {
        let said = [
            ("text", task.text.clone()),
            ("phase", task.phase.clone().unwrap_or_default()),
            ("of", task.phase_title.clone().unwrap_or_default()),
            ("story", task.story.clone().unwrap_or_default()),
            ("after", task.depends.join(" ")),
            ("in", task.parent.clone().unwrap_or_default()),
            ("writes", paths(&task.files)),
            ("deletes", paths(&task.deletes)),
            ("is", task.withdrawn.unwrap_or(if task.done { "done" } else { "" }).to_owned()),
        ];
        let said: String = said.iter().map(|(name, said)| part(name, said)).collect();
        lines.push(format!("task {} {}-{}{said}", task.id, task.line, task.end));
    }
    let sections = [
        ("requirement", &lld.requirements),
        ("test plan", &lld.test_plan),
        ("scenario", &lld.test_scenarios),
        ("signature", &lld.signatures),
        ("command", &lld.commands),
        ("risk", &lld.risks),
    ];
    for (name, items) in sections {
        let item = |item: &Item| format!("{name} {}: {}", item.id.as_deref().unwrap_or("-"), item.text);
        lines.extend(items.iter().map(item).map(|line| line.replace('\n', "\\n")));
    }
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let name = format!("{severity:?}").to_lowercase();
        lines.extend(findings(lld, severity).iter().map(|finding| format!("{name} {finding}")));
    }
    lines.join("\n") + "\n"
}

/// The name by which a fixture is read: a task list is called so.
fn name(fixture: &Path) -> &'static str {
    if fixture.to_string_lossy().ends_with(".tasks.md") { "specs/1/tasks.md" } else { "docs/design.md" }
}

#[test]
fn each_fixture_is_read_as_the_listing_beside_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lld");
    let files = std::fs::read_dir(folder).expect("the fixtures").map(|entry| entry.expect("a fixture").path());
    let (designs, listings): (Vec<PathBuf>, Vec<PathBuf>) =
        files.partition(|file| file.extension().is_some_and(|end| end == "md"));
    assert_eq!(designs.len(), listings.len());
    for design in designs {
        let text = std::fs::read_to_string(&design).expect("a design");
        let lld = parse(name(&design), &text);
        let expected = std::fs::read_to_string(design.with_extension("txt")).unwrap_or_default();
        assert_eq!(listing(&lld), expected, "{}", design.display());
        assert!(lld.findings.iter().all(|finding| finding.path.as_deref() == Some(name(&design))));
        for error in lld.findings.iter().filter(|finding| finding.is_error()) {
            assert!(!error.message.ends_with('.'), "{}", error.message);
        }
    }
}

#[test]
fn what_refuses_a_row_is_said_with_its_words_in_quotes() {
    let lld = parse("d.md", include_str!("../../fixtures/lld/refused.md"));
    let mut errors = lld.findings.iter().filter(|finding| finding.is_error());
    assert!(errors.all(|error| error.message.contains('\'')), "{:?}", lld.findings);
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
fn sentences_that_forbid_write_nothing_in_tasks_and_in_prose() {
    for text in [
        "- [ ] T001 Do not modify src/d.py\n- [ ] T002 Create src/a.py\n- [ ] T003 Never change src/d.py\n",
        "# Plan\n\n1. Create `src/a.py` with the parser. Do not change `src/d.py`.\n",
        "# Plan\n\n1. Create `src/a.py`, and leave `src/d.py` alone.\n",
    ] {
        assert_eq!(planned(&parse("docs/plan.md", text)), ["add src/a.py"], "{text}");
    }
}

#[test]
fn a_path_that_is_written_in_one_place_and_forbidden_in_another_is_refused() {
    let text = "# Plan\n\n**Files:**\n- Modify: `src/a.py`\n- Create: `src/b.py`\n\n## Do not touch\n\n- `src/a.py`\n";
    let lld = parse("docs/plan.md", text);
    assert_eq!(planned(&lld), ["add src/b.py"]);
    assert_eq!(findings(&lld, Severity::Error), ["4 lld-forbidden"]);
    // In one way only, or one part only: nothing is said of the file.
    for kind in ["- Do not edit `src/a.py` by hand\n", "- Do not change the interface of `src/a.py`\n"] {
        let lld = parse("docs/plan.md", &format!("# Plan\n\n**Files:**\n- Modify: `src/a.py`\n\n## Notes\n\n{kind}"));
        assert_eq!(
            (planned(&lld), findings(&lld, Severity::Error)),
            (vec!["modify src/a.py".to_owned()], vec![]),
            "{kind}"
        );
    }
}

#[test]
fn titles_and_verbs_are_read_in_the_languages_that_people_plan_in() {
    for text in [
        "# 計画\n\n## 対象ファイル\n\n- 作成: `src/a.ts`\n- 修正: `src/b.ts`\n- 変更しない: `src/c.ts`\n",
        "# 计划\n\n## 文件清单\n\n- 新增：`src/a.ts`\n- 修改：`src/b.ts`\n- 不要修改：`src/c.ts`\n",
        "# 계획\n\n## 수정 파일\n\n- 생성: `src/a.ts`\n- 수정: `src/b.ts`\n- 수정하지 마세요: `src/c.ts`\n",
        "# Plan\n\n## Dateien\n\n- Neu: `src/a.ts`\n- Ändern: `src/b.ts`\n- Nicht ändern: `src/c.ts`\n",
        "# Plan\n\n## Archivos\n\n- Crear: `src/a.ts`\n- Modificar: `src/b.ts`\n- No modificar: `src/c.ts`\n",
        "# Plan\n\n## Fichiers\n\n- Créer : `src/a.ts`\n- Modifier : `src/b.ts`\n- Ne pas modifier : `src/c.ts`\n",
        "# Plano\n\n## Arquivos\n\n- Criar: `src/a.ts`\n- Alterar: `src/b.ts`\n- Não alterar: `src/c.ts`\n",
        "# Piano\n\n## File interessati\n\n- Creare: `src/a.ts`\n- Modificare: `src/b.ts`\n- Non modificare: `src/c.ts`\n",
        "# Plan\n\n## Pliki\n\n- Utworzyć: `src/a.ts`\n- Zmienić: `src/b.ts`\n- Nie zmienić: `src/c.ts`\n",
        "# План\n\n## Файлы\n\n- Создать: `src/a.ts`\n- Изменить: `src/b.ts`\n- Не изменить: `src/c.ts`\n",
    ] {
        assert_eq!(planned(&parse("docs/plan.md", text)), ["add src/a.ts", "modify src/b.ts"], "{text}");
    }
}

#[test]
fn where_nothing_is_read_the_nearest_path_is_named() {
    let lld = parse("docs/note.md", "# A note\n\nThe reader is slow.\n\nSee `src/reader.rs`.\n");
    assert_eq!(findings(&lld, Severity::Error), ["5 lld-no-file-list"]);
    let error = lld.findings.iter().find(|finding| finding.is_error()).unwrap();
    assert_eq!(error.message, "the design has no list of files, and does not say that 'src/reader.rs' is written");
    assert!(error.hint.as_deref().unwrap_or_default().contains("**File**"), "{error:?}");
}

#[test]
fn names_that_cannot_be_placed_are_no_list() {
    let lld = parse("docs/plan.md", "- [ ] Write en.json and nl.json in messages/\n");
    assert_eq!((lld.dialect, planned(&lld)), (None, Vec::new()));
    assert_eq!(findings(&lld, Severity::Error), ["1 lld-no-file-list"]);
}

#[test]
fn every_file_of_dialects_is_in_their_registry() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lld/dialect");
    let registry = include_str!("dialect/mod.rs").split_once("const DIALECTS").expect("the registry").1;
    for file in std::fs::read_dir(folder).expect("the dialects").map(|entry| entry.expect("a file").path()) {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        assert!(stem == "mod" || registry.contains(&format!("{stem}::")), "{stem}");
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
