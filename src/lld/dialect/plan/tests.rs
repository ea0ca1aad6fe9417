//! Plans of many tools, and what must never come of them.

use crate::finding::Severity;
use crate::lld::{Change, Lld, parse};

/// The files of a plan, one a line: what happens, the path, and what it was before.
fn listing(text: &str) -> Vec<String> {
    files(&parse("docs/plan.md", text))
}

fn files(lld: &Lld) -> Vec<String> {
    let word = |change: Change| serde_json::to_value(change).expect("a word").as_str().unwrap_or_default().to_owned();
    let planned = lld.files.iter().filter(|file| file.change != Change::None && !file.directory);
    planned
        .map(|file| {
            let from = file.from.as_ref().map(|from| format!(" from {from}")).unwrap_or_default();
            format!("{} {}{from}", word(file.change), file.path)
        })
        .collect()
}

fn findings(lld: &Lld, severity: Severity) -> Vec<String> {
    let found = lld.findings.iter().filter(|finding| finding.severity == severity);
    found.map(|finding| format!("{} {}", finding.line.unwrap_or(0), finding.id)).collect()
}

#[test]
fn verbs_beside_paths_are_meant() {
    let text = "\
# Alerts

### Task 1: The bell

**Files:**
- Create: `tides/bell.py`
- Modify: `tides/cli.py:12-40` (the options)
- Delete: `tides/horn.py`
- Rename: `tides/old.py` → `tides/new.py`
- Move `tides/here.py` to `tides/there.py`
- Copy: `tides/model.py` → `tides/copy.py`
- Create or modify: `docs/alerts.md`
- Test: `tests/test_bell.py`
- `tides/log.py` (new)
- `tides/gone.py` — delete

- [ ] **Step 1: Write the test**
";
    assert_eq!(
        listing(text),
        [
            "add tides/bell.py",
            "modify tides/cli.py",
            "delete tides/horn.py",
            "rename tides/new.py from tides/old.py",
            "rename tides/there.py from tides/here.py",
            "add tides/copy.py",
            "add-or-modify docs/alerts.md",
            "add-or-modify tests/test_bell.py",
            "add tides/log.py",
            "delete tides/gone.py",
        ]
    );
}

#[test]
fn what_must_stay_as_it_is_is_never_written() {
    let text = "\
# Alerts

**Files:**
- Modify: `tides/cli.py`
- Do not touch: `tides/a.py`
- Must not change: `tides/b.py`
- Leave as it is: `tides/c.py`
- Never change `tides/d.py`
- Read only: `tides/e.py`
- Reference: `tides/f.py`
- Verify: `tides/g.py`
- `tides/h.py` (unchanged)
- `tides/i.py` — do not modify
- `tides/j.py` (already exists)
- Don't edit: `tides/k.py`

- [ ] Do not modify tides/l.py

## What NOT to change

- `tides/m.py` keeps its interface

## Out of scope

- Create `tides/n.py`

## Rollback

- Delete: `tides/cli.py`
";
    let lld = parse("docs/plan.md", text);
    assert_eq!(files(&lld), ["modify tides/cli.py"]);
    assert_eq!(findings(&lld, Severity::Error), [""; 0]);
    let informed = findings(&lld, Severity::Note);
    for line in [5, 6, 7, 8, 9, 10, 11, 15, 17, 21] {
        assert!(informed.contains(&format!("{line} lld-row-informational")), "{line}: {informed:?}");
    }
}

#[test]
fn a_change_type_that_forbids_is_no_write_and_one_that_forbids_a_part_still_is() {
    let rows = [
        ("Do not touch", "none"),
        ("Must not change", "none"),
        ("Leave as it is", "none"),
        ("Never modify", "none"),
        ("変更しない", "none"),
        ("Modify, but do not touch the interface", "modify"),
    ];
    for (kind, want) in rows {
        let text =
            format!("# 1 - T\n\n### 2.1 Files Changed\n\n| File | Change Type |\n|--|--|\n| `a.py` | {kind} |\n");
        let lld = parse("d.md", &text);
        let got = lld.files.first().map(|file| serde_json::to_value(file.change).unwrap());
        assert_eq!(got, Some(want.into()), "{kind}");
    }
}

#[test]
fn sentences_that_forbid_write_nothing_in_tasks_and_in_prose() {
    for text in [
        "- [ ] T001 Do not modify src/d.py\n- [ ] T002 Create src/a.py\n- [ ] T003 Never change src/d.py\n",
        "# Plan\n\n1. Create `src/a.py` with the parser. Do not change `src/d.py`.\n",
        "# Plan\n\n1. Create `src/a.py`, and leave `src/d.py` alone.\n",
    ] {
        assert_eq!(listing(text), ["add src/a.py"], "{text}");
    }
}

#[test]
fn a_path_that_is_written_in_one_place_and_forbidden_in_another_is_refused() {
    let text = "# Plan\n\n**Files:**\n- Modify: `src/a.py`\n- Create: `src/b.py`\n\n## Do not touch\n\n- `src/a.py`\n";
    let lld = parse("docs/plan.md", text);
    assert_eq!(files(&lld), ["add src/b.py"]);
    assert_eq!(findings(&lld, Severity::Error), ["4 lld-forbidden"]);
    // In one way only, or one part only: nothing is said of the file.
    for kind in ["- Do not edit `src/a.py` by hand\n", "- Do not change the interface of `src/a.py`\n"] {
        let lld = parse("docs/plan.md", &format!("# Plan\n\n**Files:**\n- Modify: `src/a.py`\n\n## Notes\n\n{kind}"));
        assert_eq!(
            (files(&lld), findings(&lld, Severity::Error)),
            (vec!["modify src/a.py".to_owned()], vec![]),
            "{kind}"
        );
    }
}

#[test]
fn links_to_somebody_s_machine_become_paths_of_the_project() {
    let text = "\
# Night mode

## Proposed Changes

### Web

#### [MODIFY] [theme.ts](file:///c:/Users/ann/Desktop/tide%20shop/src/theme.ts#L4-L9)
- Dark colours.
#### [NEW] [night.css](file:///c:/Users/ann/Desktop/tide%20shop/src/styles/night.css) / [day.css](file:///c:/Users/ann/Desktop/tide%20shop/src/styles/day.css)
#### [DELETE] [old.css](file:///c:/Users/ann/Desktop/tide%20shop/src/styles/old.css)
#### [MODIFY] `package.json`

## Verification Plan

- Open `src/index.html`
";
    assert_eq!(
        listing(text),
        [
            "modify src/theme.ts",
            "add src/styles/night.css",
            "add src/styles/day.css",
            "delete src/styles/old.css",
            "modify package.json"
        ]
    );
}

#[test]
fn labels_name_a_file_and_the_label_after_it_says_what_is_done() {
    let text = "\
# Audit log

## Current State Analysis
- `server/routes.py:3` lists the routes.

## What We're NOT Doing
- Changing `server/auth.py`

## Phase 1: Model

### Changes Required:

#### 1. The model
**File**: `server/audit.py` (new file)
**Changes**: Write the model

#### 2. Remove an unused dependency
**File**: `server/routes.py`
**Remove**:
- `old_route.py` is no longer imported

#### 3. The module that goes
**File**: `server/horn.py`
**Changes**: Delete this file

#### 4. Tests
**Files**: `tests/test_audit.py`, `test_routes.py`

### Success Criteria:
- [ ] `server/app.py` still starts

## References
- `docs/audit.md`
";
    assert_eq!(
        listing(text),
        [
            "add server/audit.py",
            "modify server/routes.py",
            "delete server/horn.py",
            "add-or-modify tests/test_audit.py",
            "add-or-modify tests/test_routes.py"
        ]
    );
}

#[test]
fn titles_of_tasks_say_what_is_done_with_a_file() {
    let text = "\
# Plan

## Task 1 — Create `src/one.py`

With the parser.

## Task 2: Update `src/two.py` and `src/three.py`

## Step 3 - Delete `src/four.py`

## Task 4: Rename `src/five.py` to `src/six.py`

## Task 5: Verify `src/seven.py`
";
    assert_eq!(
        listing(text),
        [
            "add src/one.py",
            "modify src/two.py",
            "modify src/three.py",
            "delete src/four.py",
            "rename src/six.py from src/five.py"
        ]
    );
    // One line may say something else of each of its files.
    let text = "# Plan\n\n**Files:** `a/c.py` (modify), `a/d.py` (create), `a/e.py` (delete), `a/f.py` (reference)\n";
    assert_eq!(listing(text), ["modify a/c.py", "add a/d.py", "delete a/e.py"]);
}

#[test]
fn front_matter_and_tags_list_files_of_any_kind() {
    let text = "\
---
plan: 2
files_modified: [src/a.ts, \"src/b.ts\"]
files_created:
  - tide.cabal
must_haves:
  artifacts:
    - path: src/never.ts
---
<context>
@src/context.ts
</context>
<task type=\"auto\">
  <files>src/a.ts, My App/Item.swift</files>
  <read_first>src/a.ts, src/read.ts</read_first>
  <action>Create src/b.ts with the types. Do not modify src/read.ts.</action>
  <verify>npm test src/a.test.ts</verify>
</task>
";
    assert_eq!(
        listing(text),
        ["modify src/a.ts", "add src/b.ts", "add-or-modify tide.cabal", "add-or-modify My App/Item.swift"]
    );
}

#[test]
fn fences_hold_steps_trees_and_what_is_there_today() {
    let today = "## Current Codebase tree\n```\ntide-shop/\n├── src/\n│   └── base.py\n└── README.md\n```\n";
    let tree = "## Desired Codebase tree\n```bash\ntide-shop/\n├── src/\n│   ├── base.py\n│   └── mail.py\n├── tests/\n│   └── test_mail.py\n└── README.md\n```\n";
    let steps =
        "## Tasks\n```yaml\nTask 1:\nCREATE src/mail.py:\n  - MIRROR src/base.py\nMODIFY src/__init__.py:\n```\n";
    assert_eq!(listing(&format!("# Mail\n\n{today}\n{tree}")), ["add src/mail.py", "add tests/test_mail.py"]);
    assert_eq!(listing(&format!("# Mail\n\n{today}\n{tree}\n{steps}")), ["add src/mail.py", "modify src/__init__.py"]);
    let code =
        "# Mail\n\n## Files to Create\n\n- `a.json`\n\n```json\n{\n  \"name\": {\n    \"b.py\": 1\n  }\n}\n```\n";
    assert_eq!(listing(code), ["add a.json"]);
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
        "# План\n\n## Файлы\n\n- Создать: `src/a.ts`\n- Изменить: `src/b.ts`\n- Не изменить: `src/c.ts`\n",
    ] {
        assert_eq!(listing(text), ["add src/a.ts", "modify src/b.ts"], "{text}");
    }
}

#[test]
fn a_list_of_files_beats_the_sentences_around_it_and_takes_their_verbs() {
    let text = "\
## Relevant Files

- `src/timer.ts` - The clock
- `src/timer.test.ts` - Unit tests
- `src/list.ts` - The client (already exists)

### Notes

- Tests lie beside what they test (`clock.ts` and `clock.test.ts`).

## Tasks

- [ ] 1.0 The clock
  - [ ] 1.1 Create `src/timer.ts`
  - [ ] 1.2 Follow `src/pattern.ts`
";
    assert_eq!(listing(text), ["add src/timer.ts", "add-or-modify src/timer.test.ts"]);
}

#[test]
fn what_is_read_from_prose_is_said_to_be_so() {
    let text = "# Reader\n\n1. Add a flag to `src/cli.rs`.\n2. Create `src/strict.rs`.\n\nSee `docs/reading.md`.\n";
    let lld = parse("docs/plan.md", text);
    assert_eq!(
        (lld.dialect, files(&lld)),
        (Some("prose"), vec!["modify src/cli.rs".to_owned(), "add src/strict.rs".to_owned()])
    );
    assert_eq!(findings(&lld, Severity::Note), ["3 lld-read-loosely", "4 lld-read-loosely"]);
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
    assert_eq!((lld.dialect, files(&lld)), (None, Vec::new()));
    assert_eq!(findings(&lld, Severity::Error), ["1 lld-no-file-list"]);
}
