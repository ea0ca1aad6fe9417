//! Whole-file replies.

use super::*;

fn whole(target: &str, base: Option<&str>, reply: &str) -> Result<String, &'static str> {
    apply(Some(Format::Whole), target, base, reply).map(|applied| applied.text).map_err(|refusal| refusal.id)
}

fn new(reply: &str) -> Result<String, &'static str> {
    whole("src/a.py", None, reply)
}

#[test]
fn a_new_file_is_what_the_block_holds_and_ends_with_one_newline() {
    for reply in [
        "```python\nx = 1\n```\n",
        "\n\n```\nx = 1\n\n\n```",
        "Here it is:\n\n```json\nx = 1\n```\n\nAll tests pass.\n",
    ] {
        assert_eq!(new(reply).as_deref(), Ok("x = 1\n"), "{reply}");
    }
    assert_eq!(new("```\n```\n").as_deref(), Ok(""));
    assert_eq!(whole("src/a.py", Some("a\r\n"), "```\n```\n").as_deref(), Ok(""));
    assert_eq!(new("```\r\nx = 1\r\ny = 2\r\n```\r\n").as_deref(), Ok("x = 1\ny = 2\n"));
}

#[test]
fn a_modified_file_keeps_its_line_ends_final_newline_and_byte_order_mark() {
    let reply = "```\na\nx\nc\n```\n";
    for (base, want) in [
        ("a\nb\nc\n", "a\nx\nc\n"),
        ("a\nb\nc", "a\nx\nc"),
        ("a\r\nb\r\nc\r\n", "a\r\nx\r\nc\r\n"),
        ("a\r\nb\r\nc", "a\r\nx\r\nc"),
        ("a\nb\r\nc\r\n", "a\nx\r\nc\r\n"),
        ("\u{feff}a\nb\n", "\u{feff}a\nx\nc\n"),
    ] {
        assert_eq!(whole("src/a.py", Some(base), reply).as_deref(), Ok(want), "{base:?}");
    }
}

#[test]
fn fences_inside_the_text_belong_to_it() {
    let inner = "# T\n\n```sh\nmake\n```\n\ntext\n\n```\ntree\n```\n";
    assert_eq!(whole("README.md", None, &format!("```markdown\n{inner}```\n")).as_deref(), Ok(inner));
    assert_eq!(whole("README.md", None, &format!("````markdown\n{inner}````\n")).as_deref(), Ok(inner));
    assert_eq!(new("```\nx = 1\n```\n\n1. Try it:\n   ```sh\n   make\n   ```\n").as_deref(), Ok("x = 1\n"));
    let code = "TEXT = \"\"\"\n```python\nx\n```\n\"\"\"\n";
    assert_eq!(new(&format!("```python\n{code}```\n")).as_deref(), Ok(code));
}

#[test]
fn two_blocks_are_refused() {
    for reply in [
        "```python\nx = 1\n```\n\nWait, that misses a case. Corrected:\n\n```python\nx = 2\n```\n",
        "```python\nx = 1\n```\nCorrected:\n```\nx = 2\n```\n",
        "```\nx = 1\n```\n\nor\n\n```\nx = 2\n```\n",
        "```bash\nls\n```\n\nThen:\n\n````python\nx = 1\n````\n",
        "```python\nx = 1\n```\n\n~~~\nx = 2\n~~~\n",
        "```markdown\n```sh\na\n```\n```\n\n**b.md**\n```markdown\n```sh\nb\n```\n```\n",
    ] {
        assert_eq!(new(reply), Err("reply-two-blocks"), "{reply}");
    }
}

#[test]
fn a_reply_without_the_file_is_refused_by_name() {
    assert_eq!(new(""), Err("reply-empty"));
    assert_eq!(new(" \n"), Err("reply-empty"));
    assert_eq!(new("```python\nx = 1\n"), Err("reply-unclosed"));
    assert_eq!(new("```\nx = 1\n"), Err("reply-unclosed"));
    assert_eq!(new("```py\nx\n```\n\n```py\ny\n"), Err("reply-unclosed"));
    for words in ["I cannot help with that.", "The code is too long.", "That is done."] {
        assert_eq!(new(words), Err("reply-no-fence"), "{words}");
    }
    for report in ["File written to `src/a.py`.", "The file already exists. No changes needed.", "All 35 tests pass."] {
        assert_eq!(new(report), Err("reply-report"), "{report}");
    }
}

#[test]
fn a_block_for_another_file_is_refused() {
    for reply in [
        "```python src/b.py\nx = 1\n```\n",
        "```src/b.py\nx = 1\n```\n",
        "```python:src/b.py\nx = 1\n```\n",
        "```python title=\"src/b.py\"\nx = 1\n```\n",
        "### `src/b.py`\n```python\nx = 1\n```\n",
        "src/b.py\n\n```python\nx = 1\n```\n",
    ] {
        assert_eq!(new(reply), Err("reply-other-file"), "{reply}");
        assert_eq!(new(&reply.replace("b.py", "a.py")).as_deref(), Ok("x = 1\n"), "{reply}");
    }
}

#[test]
fn edits_are_not_taken_for_the_file() {
    for reply in [
        "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n```\n",
        "```\n--- a/x.toml\n+++ b/x.toml\n@@ -1 +1 @@\n-a\n+b\n```\n",
        "```\n*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch\n```\n",
        "```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
        "```\nsrc/a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
        "<<<<<<< SEARCH\n```\na\n```\n=======\nb\n>>>>>>> REPLACE\n",
        "REPLACE WITH:\n\n```python\nx = 1\n```\n",
        "```patch\n a\n+b\n```\n",
        "```\ndiff --git a/src/a.py b/src/a.py\n```\n",
        "```\n\n--- a/src/a.py\n+++ b/src/a.py\n```\n",
        "```\n@@ -1 +1 @@\n-a\n+b\n```\n",
        "```\n*** Update File: src/a.py\n@@\n-a\n+b\n```\n",
    ] {
        assert_eq!(new(reply), Err("reply-not-whole"), "{reply}");
    }
    // Some texts begin with a line that is one of two marks.
    for text in ["--- # two\nx: 1\n", "x: 1\n+++ y\n", "@@ x\ny\n"] {
        assert_eq!(new(&format!("```\n{text}```\n")).as_deref(), Ok(text));
    }
    let patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(whole("fix.patch", None, &format!("```diff\n{patch}```\n")).as_deref(), Ok(patch));
}

#[test]
fn a_file_with_one_line_that_looks_like_a_mark_of_edits_is_recognised() {
    for text in ["Search:\n", "Replace\nwith\n", "--- x\ny\n", "x\n+++ y\n", "@@ x\n", "*** x\n", "=======\n"] {
        let applied = apply(None, "src/a.txt", None, &format!("```\n{text}```\n"));
        assert_eq!(applied.map(|new| (new.format, new.text)), Ok((Format::Whole, text.to_owned())));
    }
}

#[test]
fn a_directory_is_refused() {
    assert_eq!(whole("src/", None, "```\nx\n```\n"), Err("edit-directory"));
}

#[test]
fn kept_lines_of_a_mixed_file_keep_their_ends_also_behind_added_and_removed_ones() {
    let base = "a\r\nb\nc\r\nd\nlast\r\n";
    let whole = |text: &str| edited(Format::Whole, base, &format!("```\n{text}```\n")).unwrap();
    assert_eq!(whole("x\na\nb\nc\nd\nlast\n"), "x\r\na\r\nb\nc\r\nd\nlast\r\n");
    assert_eq!(whole("b\nc\nd\nlast\n"), "b\nc\r\nd\nlast\r\n");
}
