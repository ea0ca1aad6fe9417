//! Which lines of a text a run has added, and by which of its texts. What its base has was somebody else's before, also where the
//! reply has written it out once more, or a formatter has only passed it on.

use super::remake::Remake;
use crate::git::{GitError, Oid};
use crate::patch;
use std::rc::Rc;

/// Longer texts are not looked through.
const MOST: u64 = 16 << 20;

/// What a text was made of.
enum Before {
    /// An earlier text of the run, by its number.
    Text(usize),
    Base(String),
}

/// For each line of the text with this number, the number of the text that has added it; `None` for a line of the base.
/// Nothing at all where the base is not known.
pub(super) fn added(remake: &Remake, number: usize) -> Result<Option<Vec<Option<usize>>>, GitError> {
    let Ok(made) = remake.text(number) else { return Ok(None) };
    let (old, whose): (Rc<str>, Vec<Option<usize>>) = match before(remake, number)? {
        Some(Before::Text(earlier)) => match (remake.text(earlier), added(remake, earlier)?) {
            (Ok(old), Some(whose)) => (old, whose),
            _ => return Ok(None),
        },
        Some(Before::Base(base)) => (base.into(), Vec::new()),
        None => return Ok(None),
    };
    let of = |kept: Option<usize>| kept.map_or(Some(number), |old| whose.get(old).copied().flatten());
    Ok(Some(patch::kept_lines(&old, &made).into_iter().map(of).collect()))
}

/// What the text was made of, if that is known.
fn before(remake: &Remake, number: usize) -> Result<Option<Before>, GitError> {
    let Some(text) = remake.recipe.texts.get(number) else { return Ok(None) };
    if let Some(base) = text.base.as_deref() {
        let earlier = remake.number(&text.path, base).filter(|earlier| *earlier < number);
        let kept = || remake.record.kept(base).ok().map(Before::Base);
        return Ok(earlier.map(Before::Text).or_else(kept));
    }
    match remake.changed_by_command(number) {
        Some(earlier) => Ok(Some(Before::Text(earlier))),
        None => Ok(base_of_run(remake, &text.path)?.map(Before::Base)),
    }
}

/// What the run has found at the path, empty if nothing: in its record, else in the tree that it began with, else as the plan says.
pub(super) fn base_of_run(remake: &Remake, path: &str) -> Result<Option<String>, GitError> {
    let (record, recipe) = (remake.record, remake.recipe);
    let of_path = || recipe.texts.iter().filter(|text| text.path == path);
    let first = of_path().find_map(|text| text.base.as_deref());
    if let Some(base) = first.filter(|base| of_path().all(|text| text.result != *base))
        && let Ok(text) = record.kept(base)
    {
        return Ok(Some(text));
    }
    let files = recipe.commits.iter().flat_map(|commit| &commit.files);
    let from = files.filter(|file| file.path == path).find_map(|file| file.from.as_deref());
    let tree = recipe.commits.first().and_then(|commit| Oid::from_str(&commit.parent).ok());
    if let Some(tree) = tree.filter(|tree| record.repository().has_object(*tree).unwrap_or_default()) {
        return match record.repository().at(tree, from.unwrap_or(path))? {
            Some(at) => record.repository().text_of(at.id, MOST),
            None => Ok(Some(String::new())),
        };
    }
    let plan = record.plan().unwrap_or_default();
    let is_new = |row: &serde_json::Value| row["path"] == path && row["change"] == "add";
    Ok(plan["files"].as_array().is_some_and(|rows| rows.iter().any(is_new)).then(String::new))
}
