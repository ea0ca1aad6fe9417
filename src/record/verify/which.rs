//! Which commits of its run a commit of the history is: by its trees, by its subject, or by the paths that it changes; and
//! what there is to say of how it has come to stand where it does.

use super::{Judged, Verification};
use crate::git::message::plain;
use crate::git::{Difference, Past};
use crate::record::About;
use crate::transcript::Recipe;
use std::collections::BTreeSet;

/// More commits of a run are not tried one by one.
const MOST_TRIED: usize = 8;

/// What it may be, the likeliest first: numbers of the recipe's commits.
pub(super) fn candidates(past: &Past, differences: &[Difference], recipe: &Recipe) -> Vec<Vec<usize>> {
    let (tree, parent) = (past.tree.to_string(), past.parent_tree.map(|tree| tree.to_string()));
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut add = |numbers: Vec<usize>| {
        if !numbers.is_empty() && !found.contains(&numbers) {
            found.push(numbers);
        }
    };
    // By both trees: itself, or several in one.
    if let Some(last) = recipe.commits.iter().position(|commit| commit.tree == tree) {
        let begins =
            |number: &usize| recipe.commits.get(*number).is_some_and(|commit| Some(&commit.parent) == parent.as_ref());
        if let Some(first) = (0..=last).rev().find(begins) {
            add((first..=last).collect());
        }
    }
    let paths: BTreeSet<&str> = differences.iter().map(|difference| difference.path.as_str()).collect();
    let touches = |number: usize| {
        recipe.commits.get(number).is_some_and(|commit| commit.files.iter().any(|file| paths.contains(&*file.path)))
    };
    let same_subject = |number: &usize| recipe.commits.get(*number).is_some_and(|it| it.subject == past.subject());
    let all = || 0..recipe.commits.len();
    all().filter(same_subject).filter(|number| touches(*number)).take(MOST_TRIED).for_each(|number| add(vec![number]));
    add(within(differences, recipe));
    all().filter(|number| touches(*number)).take(MOST_TRIED).for_each(|number| add(vec![number]));
    add(all().filter(|number| touches(*number)).collect());
    // A commit that has lost all that it was: its subject is all that is left.
    all().filter(same_subject).take(1).for_each(|number| add(vec![number]));
    found
}

/// The commits all of whose paths are changed.
pub(super) fn within(differences: &[Difference], recipe: &Recipe) -> Vec<usize> {
    let paths: BTreeSet<&str> = differences.iter().map(|difference| difference.path.as_str()).collect();
    let is_within = |number: &usize| {
        recipe.commits.get(*number).is_some_and(|it| it.files.iter().all(|file| paths.contains(&*file.path)))
    };
    (0..recipe.commits.len()).filter(is_within).collect()
}

/// Says how the commit differs from those of the run otherwise than by its texts.
pub(super) fn tell(past: &Past, about: &About, recipe: &Recipe, numbers: &[usize], judged: &mut Judged) {
    let (Some(first), Some(last)) = (
        numbers.first().and_then(|number| recipe.commits.get(*number)),
        numbers.last().and_then(|number| recipe.commits.get(*number)),
    ) else {
        return;
    };
    let parent = past.parent_tree.map(|tree| tree.to_string());
    if numbers.len() > 1 {
        judged.notes.push(format!("it is {} commits of the run in one", numbers.len()));
    }
    if parent.as_ref() != Some(&first.parent) {
        judged.notes.push("it stands on another tree than in the run".to_owned());
    } else if numbers.len() == 1 && past.commit.to_string() != last.commit {
        judged
            .notes
            .push("it has another id than in the run, by its message, its people, its times or its parents".to_owned());
    }
    tell_designs(past, &[about], judged);
}

/// Says so if the message names a design that none of its runs has read.
pub(super) fn tell_designs(past: &Past, abouts: &[&About], judged: &mut Judged) {
    let one_line = |text: &str| plain(text).split_whitespace().collect::<Vec<&str>>().join(" ");
    let is_read =
        |path: &str, blob: &str| abouts.iter().any(|it| it.blob == blob && one_line(&it.lld) == one_line(path));
    for (path, blob) in named_designs(&past.message).filter(|(path, blob)| !is_read(path, blob)) {
        judged.verification = Verification::Altered;
        let read: Vec<String> = abouts.iter().map(|about| format!("'{}' ({:.12})", about.lld, about.blob)).collect();
        let (named, read) = (format!("'{path}' ({blob:.12})"), read.join(", "));
        judged.reasons.push(format!("its message names the design {named}, and the run read {read}"));
    }
}

/// The designs that a message names: path and blob.
fn named_designs(message: &str) -> impl Iterator<Item = (&str, &str)> {
    message.lines().filter_map(|line| {
        let (name, value) = line.trim().split_once(':')?;
        value.trim().rsplit_once('@').filter(|_| name.eq_ignore_ascii_case("Implements"))
    })
}
