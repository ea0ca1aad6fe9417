use super::*;
use crate::lld::parse;

const PLAN: &str = r#"# The bell

Text about everything.

### Task 1: A bell that rings

**Files:**
- Create: `src/bell.py`
- Modify: `src/app.py:12-40`
- Test: `tests/test_bell.py`

- [ ] **Step 1: Write the failing test**

`tests/test_bell.py`:

```python
def test_bell():
    assert ring() == "ding"
```

- [ ] **Step 2: Implement**

   ```python
   # src/bell.py
   def ring():
       return "ding"
   ```

- [ ] **Step 3: Commit**

```bash
git add src/bell.py
git commit -m "feat: ring the bell"
```

### Task 2: Say so

**Files:**
- Modify: `src/app.py#L50-L60`
- Create: `docs/bell.md`

Say that it rings.

### Task 3: The end

Nothing about files.
"#;

fn about(plan: &str, path: &str) -> Passage {
    let lld = parse("docs/plan.md", plan);
    Passages::of(&lld, plan).about(path, &[]).unwrap_or_default()
}

#[test]
fn a_file_has_the_sections_that_list_it_with_their_lines_and_message() {
    let bell = about(PLAN, "src/bell.py");
    assert_eq!((bell.line, bell.title.as_str()), (5, "Task 1: A bell that rings"));
    assert!(bell.text.starts_with("### Task 1: A bell that rings\n\n**Files:**\n"), "{}", bell.text);
    assert!(bell.text.ends_with("ring the bell\"\n```\n") && !bell.is_cut, "{}", bell.text);
    assert_eq!((bell.message.as_deref(), bell.ranges.len()), (Some("feat: ring the bell"), 0));
    let app = about(PLAN, "src/app.py");
    assert_eq!(app.ranges, ["12-40", "50-60"]);
    assert!(app.text.contains("### Task 2: Say so") && !app.text.contains("Task 3"), "{}", app.text);
    assert_eq!(about(PLAN, "docs/bell.md").title, "Task 2: Say so");
}

#[test]
fn a_list_of_many_files_says_nothing_of_one_and_designs_of_our_own_form_have_rows() {
    let many: String = (0..9).map(|n| format!("- Create: `src/f{n}.py`\n")).collect();
    assert_eq!(about(&format!("# P\n\n## Part\n\n{many}"), "src/f1.py"), Passage::default());
    let own =
        "# D\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|--|--|--|\n| `a.py` | Add | x |\n";
    assert_eq!(about(own, "a.py"), Passage::default());
}

#[test]
fn a_task_between_tags_is_a_block_and_the_head_says_what_must_hold() {
    let plan = "---\nphase: 3\nfiles_modified: [src/a.ts, src/b.ts]\nmust_haves:\n  truths:\n    - \"It is dark\"\nwave: 1\n---\n\
                <task type=\"auto\">\n  <name>Task 1: Dark</name>\n  <files>src/a.ts</files>\n  <action>Paint it.</action>\n</task>\n\
                <task type=\"auto\">\n  <name>Task 2: Light</name>\n  <files>src/b.ts</files>\n  <action>Wash it.</action>\n</task>\n";
    let (dark, light) = (about(plan, "src/a.ts"), about(plan, "src/b.ts"));
    assert_eq!((dark.title.as_str(), light.title.as_str()), ("Task 1: Dark", "Task 2: Light"));
    assert!(dark.text.contains("Paint it.") && !dark.text.contains("Wash it."), "{}", dark.text);
    let passages = Passages::of(&parse("03-01-PLAN.md", plan), plan);
    assert_eq!(passages.must(), "  truths:\n    - \"It is dark\"\n");
}

#[test]
fn a_task_of_a_list_has_what_stands_under_it() {
    let list = "- [ ] T001 Create src/a.py\n- [ ] T002 Create src/b.py\n  - with a bell\n  ```py\n  ring()\n  ```\n- [ ] T003 Go on\n";
    let lld = parse("specs/1/tasks.md", list);
    let passages = Passages::of(&lld, list);
    let about = |path: &str, id: &str| passages.about(path, &[id.to_owned()]).unwrap_or_default();
    assert_eq!(about("src/a.py", "T001").text, "");
    let bell = about("src/b.py", "T002");
    assert!(bell.text.contains("with a bell") && bell.text.contains("ring()") && bell.line == 2, "{}", bell.text);
}

#[test]
fn code_is_a_files_where_it_is_named_and_the_only_one() {
    let passages = Passages::of(&parse("docs/plan.md", PLAN), PLAN);
    let code = |path: &str| passages.code(path).map(|code| (code.line, code.text.as_str()));
    assert_eq!(code("tests/test_bell.py"), Some((16, "def test_bell():\n    assert ring() == \"ding\"\n")));
    assert_eq!(code("src/bell.py"), Some((23, "# src/bell.py\ndef ring():\n    return \"ding\"\n")));
    assert_eq!(code("src/app.py"), None);
    let twice = PLAN.replace("### Task 2", "```python\n# src/bell.py\nmore()\n```\n\n### Task 2");
    assert_eq!(Passages::of(&parse("docs/plan.md", &twice), &twice).code("src/bell.py"), None);
    // A later section changes it.
    let more = PLAN.replace("Say that it rings.", "- Modify: `src/bell.py`");
    assert_eq!(Passages::of(&parse("docs/plan.md", &more), &more).code("src/bell.py"), None);
}

#[test]
fn code_whose_fence_may_end_in_two_places_is_not_taken() {
    let plan = |open: &str, close: &str| {
        let inside = "# Bell\n\n```sh\nring\n```\n\nMore.\n";
        format!(
            "# P\n\n- Create: `docs/bell.md`\n- Create: `a.py`\n\n`docs/bell.md`:\n\n{open}\n{inside}{close}\n\nText.\n"
        )
    };
    let code = |plan: &str| {
        let passages = Passages::of(&parse("docs/plan.md", plan), plan);
        passages.code("docs/bell.md").map(|code| code.text.clone())
    };
    assert_eq!(code(&plan("```markdown", "```")), None);
    assert_eq!(code(&plan("````markdown", "````")).as_deref(), Some("# Bell\n\n```sh\nring\n```\n\nMore.\n"));
    assert_eq!(code(&plan("```rst", "```")), None);
}

#[test]
fn tests_come_first_where_the_section_wants_them_to_fail() {
    let order = |plan: &str| {
        let mut lld = parse("docs/plan.md", plan);
        in_order(&mut lld, plan);
        lld.files.iter().map(|spec| spec.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(order(PLAN), ["tests/test_bell.py", "src/bell.py", "src/app.py", "docs/bell.md"]);
    // A list of all files above the tasks changes nothing.
    let list = "## File Structure\n\n- `docs/bell.md` - says so\n- `src/bell.py` - rings\n- `tests/test_bell.py` - tests\n\n### Task 1";
    let listed = PLAN.replace("### Task 1", list);
    assert_eq!(order(&listed), ["tests/test_bell.py", "src/bell.py", "src/app.py", "docs/bell.md"]);
    assert_eq!(about(&listed, "docs/bell.md").title, "Task 2: Say so");
    let without = PLAN.replace("failing test", "test");
    assert_eq!(order(&without), ["src/bell.py", "src/app.py", "tests/test_bell.py", "docs/bell.md"]);
    let said = |line: &str| order(&without.replace("- [ ] **Step 2", &format!("{line}\n\n- [ ] **Step 2")));
    for line in
        ["Run tests to verify they fail", "**Step 2:** Confirm that the test FAILS", "Expected: FAIL with no bell"]
    {
        assert_eq!(said(line), ["tests/test_bell.py", "src/bell.py", "src/app.py", "docs/bell.md"], "{line}");
    }
    for line in ["Run tests to verify that none fail", "Make sure that the tests do not fail", "Expected: PASS"] {
        assert_eq!(said(line), ["src/bell.py", "src/app.py", "tests/test_bell.py", "docs/bell.md"], "{line}");
    }
    let tagged = |tag: &str| order(&format!("# B\n\n<task{tag}>\n<files>src/a.py, tests/test_a.py</files>\n</task>\n"));
    assert_eq!(tagged(" type=\"auto\" tdd=\"true\""), ["tests/test_a.py", "src/a.py"]);
    assert_eq!(tagged(" type=\"auto\" tdd=\"false\""), ["src/a.py", "tests/test_a.py"]);
}

#[test]
fn a_message_is_taken_only_as_it_would_be_without_a_shell() {
    for (line, message) in [
        ("git commit -am 'fix: x'", Some("fix: x")),
        ("Run `git commit --message \"a b\"`", Some("a b")),
        ("git commit -m \"$(cat x)\"", None),
        ("git commit -m \"<message>\"", None),
        ("git commit", None),
    ] {
        assert_eq!(block::message(line.lines()).as_deref(), message, "{line}");
    }
}
