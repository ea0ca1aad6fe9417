//! Answers in another form than the one that was asked for.

use super::*;

const BASE: &str = "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n";

fn answered(asked: Format, reply: &str) -> Result<(Format, String), &'static str> {
    let answer = answer(asked, "src/a.py", Some(BASE), reply);
    answer.map(|applied| (applied.format, applied.text)).map_err(|refusal| refusal.id)
}

fn edit(format: Format) -> String {
    render(format, &[("    return 2", "    return 3")])
}

#[test]
fn edits_in_any_complete_form_are_taken_whatever_was_asked_for() {
    let want = BASE.replace("return 2", "return 3");
    for asked in FORMATS {
        for format in EDITS {
            let read = answered(asked.format, &edit(format));
            assert_eq!(read.as_ref().map(|(_, text)| text), Ok(&want), "{} {format:?}", asked.name);
            // A patch of the one kind may be wrapped in the marks of the other.
            let either = |format: Format| matches!(format, Format::Unified | Format::V4a);
            assert!(read.is_ok_and(|(read, _)| read == format || either(read) && either(format)));
        }
    }
}

#[test]
fn a_whole_file_is_taken_in_place_of_edits_only_if_it_must_be_one() {
    let want = BASE.replace("return 1", "return 11");
    for asked in EDITS {
        assert_eq!(answered(asked, &format!("```python\n{want}```\n")), Ok((Format::Whole, want.clone())));
        let function = "```python\ndef one():\n    return 11\n```\n";
        let head = "```python\nimport os\n\n\ndef one():\n    return 11\n```\n";
        let tail = "```python\ndef two():\n    return 2\n```\n";
        for part in [function, head, tail, "```python\nimport os\n    return 2\n```\n"] {
            assert_eq!(answered(asked, part), Err("reply-no-edit"), "{part}");
        }
        assert_eq!(answered(asked, "I have written the file, and all tests pass.\n"), Err("reply-no-edit"));
        assert_eq!(answered(asked, &format!("```python\n{want}")), Err("reply-no-edit"));
    }
}

#[test]
fn a_reply_that_has_something_of_the_form_is_read_in_no_other() {
    let cut = "### CHANGE 1: x\nFIND:\n```\n    return 2\n```\n";
    assert_eq!(answered(Format::FindReplace, cut), Err("reply-malformed"));
    // Each of the two reads, and they come to different texts.
    let both = render(Format::SearchReplace, &[("    return 1", "    return 0")]) + &edit(Format::Unified);
    assert!(answered(Format::Whole, &both).is_err() && answered(Format::FindReplace, &both).is_err());
    let twice = "```python\nx = 1\n```\n\nor\n\n```python\ny = 1\n```\n";
    assert_eq!(answered(Format::Whole, twice), Err("reply-two-blocks"));
}
