//! What the verb of a sentence suggests of a path: that the file is made, or changed.

use super::kinds::is_test;
use super::roles::REACH;
use super::words::Word;
use crate::lld::Change;
use crate::lld::vocabulary::{asked, has, list, words};

/// What the verb of a task's title says of the files that a label under it names: "Update the parser" is about one that is
/// there, and so is "Add a flag to the parser".
pub(crate) fn said_by_title(title: &str) -> Option<Change> {
    let title = title.to_lowercase();
    let words = words(&title);
    let (verb, rest) = words.split_first()?;
    match asked(verb)? {
        Change::Modify | Change::Delete => Some(Change::Modify),
        Change::Add => rest.contains(&"to").then_some(Change::Modify),
        _ => None,
    }
}

/// Does the verb after the path at `at` change what is there, as in "`a.ts` に追加する", "在 `a.ts` 中添加"?
pub(in crate::lld) fn is_changed_after(words: &[Word], at: usize) -> bool {
    let script =
        |word: &Word, name| matches!(word, Word::Plain(word) if list(name).iter().any(|said| word.contains(said)));
    let after = words.get(at + 1..).unwrap_or_default();
    after.first().is_some_and(|word| script(word, "place-after"))
        && after.iter().take(REACH).any(|word| script(word, "change-within"))
}

/// How far back the verb is looked for that says whether a path is made or changed.
const MAX_SUGGESTING: usize = 12;

/// Whether the sentence makes the file at the path at `at` or changes it, as far as its verb suggests: "Create `a.py`" makes
/// it, "Add a call to `a.py`" changes it, "Write tests in `a.py`" may do both.
pub(in crate::lld) fn suggested(words: &[Word], at: usize) -> Option<Change> {
    let mut place = false;
    for back in (at.saturating_sub(MAX_SUGGESTING)..at).rev() {
        let word = match words.get(back) {
            Some(Word::Plain(word)) => word.as_str(),
            // "Create the page (`src/page.ts`)"
            Some(Word::Mark('(')) if back + 1 == at && words.get(at + 1) == Some(&Word::Mark(')')) => continue,
            Some(Word::Mark('.' | ';' | '(')) => return None,
            Some(Word::Mark(_) | Word::Code | Word::Seen(_)) | None => continue,
        };
        if has("place", word) || word == "from" {
            place = true;
        } else if has("weak", word) {
            return None;
        } else {
            match (asked(word), place) {
                (Some(Change::Add), false) => return Some(Change::Add),
                (Some(Change::Add), true) => return (word == "add").then_some(Change::Modify),
                (Some(Change::Modify | Change::Delete), _) => return Some(Change::Modify),
                (Some(Change::Rename | Change::None | Change::AddOrModify), _) => return None,
                (None, false) if matches!(word, "implement" | "write" | "build") => return Some(Change::Add),
                (None, true) if matches!(word, "implement" | "write" | "build" | "test" | "tests") => return None,
                (None, _) if has("write", word) => return Some(Change::Modify),
                _ => {}
            }
        }
    }
    // "In `a.py`, clone the actions."
    let test = matches!(words.get(at), Some(Word::Seen(seen)) if is_test(&seen.written));
    (place && !test).then_some(Change::Modify)
}
