//! The form in which somebody answers which files tasks mean: a JSON object of tasks and their files. What is said of the
//! form, an example of it and its reader stand together.
//!
//! Knows neither the list nor the repository: what an answer says is judged by others.

use crate::finding::Finding;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// What the one who answers is told of the form.
pub const INSTRUCTIONS: &str = "\
Reply with one JSON object in one fenced block, and nothing else: no words before it or after it.

- Its keys are the names of the tasks that are asked about, exactly as they are given, each once.
- The value is the list of the files that the task creates, changes or deletes, at most 12. Each is an object with
  `path`, the path of one file from the root of the repository, and `change`: `add` for a file that is not there yet,
  `modify` for one that is there (or that an earlier task adds), `delete` for one that is to go.
- A task that changes no file of the repository (running tests or commands, trying something by hand, deploying,
  reviewing, measuring) has an empty list.
";

/// An answer in this form.
pub const EXAMPLE: &str = "\
```json
{
  \"2.1\": [
    {\"path\": \"src/clock/parse.ts\", \"change\": \"modify\"},
    {\"path\": \"tests/clock/parse.test.ts\", \"change\": \"add\"}
  ],
  \"2.2\": [{\"path\": \"src/clock/legacy.ts\", \"change\": \"delete\"}],
  \"2.3\": []
}
```
";

/// The tasks of an answer in its order, by the names that it gives them, with what it says of each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer(pub Vec<(String, Value)>);

/// Keys in their order, repeated ones too, of which a map would keep one.
impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Answer;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("an object of tasks and their files")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Answer, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Answer(entries))
            }
        }
        from.deserialize_map(Entries)
    }
}

/// Reads a reply: the object alone, or in a fence among other words.
///
/// # Errors
/// A finding if it is no such object, or if several are.
pub fn read(reply: &str) -> Result<Answer, Finding> {
    let refused = |id: &'static str, message: String| Err(Finding::error(id, message));
    let reply = reply.trim_start_matches('\u{feff}').trim();
    if reply.is_empty() {
        return refused("reply-empty", "the reply is empty".to_owned());
    }
    if reply.starts_with('{') {
        return serde_json::from_str(reply).or_else(|error| {
            refused("reply-json", format!("the reply is not the JSON object that was asked for: {error}"))
        });
    }
    let (blocks, closed) = blocks(reply);
    if !closed {
        return refused("reply-unclosed", "the reply has an open code fence that is never closed".to_owned());
    }
    let mut read = blocks.iter().filter(|block| block.trim_start().starts_with('{')).map(|block| {
        serde_json::from_str::<Answer>(block).or_else(|error| {
            refused("reply-json", format!("what is in the reply's fence is not the JSON object asked for: {error}"))
        })
    });
    match (read.next(), read.next()) {
        (Some(answer), None) => answer,
        (Some(_), Some(_)) => refused("reply-two-blocks", "the reply has several JSON objects".to_owned()),
        (None, _) => refused("reply-no-fence", "the reply has no JSON object in a fence".to_owned()),
    }
}

/// What is in each fence; false if the last is not closed.
fn blocks(reply: &str) -> (Vec<String>, bool) {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, String)> = None;
    for line in reply.lines() {
        let start = line.trim();
        let marks = start.len() - start.trim_start_matches(['`', '~']).len();
        let fence = start.get(..marks).filter(|marks| marks.len() >= 3);
        match (&mut open, fence) {
            (None, Some(fence)) => open = Some((fence, String::new())),
            (Some((opened, text)), Some(fence)) if fence == *opened && start.len() == marks => {
                blocks.push(std::mem::take(text));
                open = None;
            }
            (Some((_, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    (blocks, open.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(reply: &str) -> Vec<String> {
        read(reply).unwrap().0.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn the_example_that_is_shown_is_read() {
        let Answer(tasks) = read(EXAMPLE).unwrap();
        assert_eq!(tasks.len(), 3);
        assert_eq!(tasks[1].1[0]["change"], "delete");
        assert_eq!(tasks[2].1, serde_json::json!([]));
    }

    #[test]
    fn the_object_may_stand_alone_or_in_a_fence_among_words() {
        let alone = "{\"T1\": [], \"T2\": []}";
        for reply in [
            alone.to_owned(),
            format!("```json\n{alone}\n```"),
            format!("Here it is:\n\n~~~\n{alone}\n~~~\n\nDone."),
            format!("```sh\nls\n```\n```json\r\n{alone}\r\n```\r\n"),
        ] {
            assert_eq!(names(&reply), ["T1", "T2"], "{reply}");
        }
    }

    #[test]
    fn a_name_that_is_there_twice_is_kept_twice() {
        assert_eq!(names("{\"T1\": [], \"T1\": [1]}"), ["T1", "T1"]);
    }

    #[test]
    fn what_is_no_answer_is_refused_and_said() {
        for (reply, id) in [
            ("", "reply-empty"),
            ("I cannot say.", "reply-no-fence"),
            ("```json\n[1]\n```", "reply-no-fence"),
            ("```json\n{\"a\": [\n```", "reply-json"),
            ("{\"a\": []} {\"b\": []}", "reply-json"),
            ("```json\n{}\n```\n```json\n{}\n```", "reply-two-blocks"),
            ("```json\n{\"a\": []", "reply-unclosed"),
        ] {
            assert_eq!(read(reply).unwrap_err().id, id, "{reply}");
        }
    }
}
