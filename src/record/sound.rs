//! Does a record hold by itself? What its parts say of each other, whatever the commits are.

use super::open::Record;
use super::remake::{Broken, Remake, blob_of};
use super::{parts, told};
use crate::git::{Difference, GitError, Oid, blob_id};
use crate::transcript::recipe::{By, MANIFEST};
use crate::transcript::{DESIGN, SCHEMA};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What contradicts itself in the record, and what of it cannot be shown because it was left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Soundness {
    pub wrong: Vec<String>,
    pub not_shown: Vec<String>,
}

/// More reasons than these help nobody.
const MOST_REASONS: usize = 20;

impl Soundness {
    fn wrong(&mut self, why: impl Into<String>) {
        if self.wrong.len() < MOST_REASONS {
            self.wrong.push(why.into());
        }
    }
    fn not_shown(&mut self, why: impl Into<String>) {
        let why = why.into();
        if !self.not_shown.contains(&why) && self.not_shown.len() < MOST_REASONS {
            self.not_shown.push(why);
        }
    }
}

/// Judges the record that `remake` has.
pub fn soundness(remake: &Remake) -> Result<Soundness, GitError> {
    let mut found = Soundness::default();
    let record = remake.record;
    header(record, &mut found);
    manifest(record, &mut found);
    events(remake, &mut found);
    requests(record, &mut found);
    texts(remake, &mut found);
    commits(remake, &mut found)?;
    Ok(found)
}

fn header(record: &Record, found: &mut Soundness) {
    let about = &record.about;
    if about.run != record.run {
        found.wrong(format!("it is the record of another run, '{}'", about.run));
    }
    if about.schema < SCHEMA {
        found.wrong(format!("its schema is {}, and no record of that says how its texts were made", about.schema));
    }
    match record.bytes(DESIGN) {
        Ok(design) if blob_id(&design) == about.blob => {}
        Ok(_) => found.wrong(format!("'{DESIGN}' is not the design that the run read")),
        Err(_) if about.record.as_deref() == Some("none") => {
            found.not_shown("what the design was: the record leaves it out");
        }
        Err(unread) => found.wrong(format!("it {unread}")),
    }
}

/// Each file is what the run wrote, and there is no other.
fn manifest(record: &Record, found: &mut Soundness) {
    let written = match record.manifest() {
        Ok(Some(written)) => written,
        Ok(None) => return found.wrong(format!("it has no '{MANIFEST}'")),
        Err(unread) => return found.wrong(format!("it {unread}")),
    };
    let files: BTreeMap<&str, String> =
        record.files().iter().map(|(name, id)| (name.as_str(), id.to_string())).collect();
    for (name, id) in &written {
        match files.get(name.as_str()) {
            Some(now) if now == id => {}
            Some(_) => found.wrong(format!("'{name}' is not what the run wrote")),
            None => found.wrong(format!("'{name}' is gone")),
        }
    }
    for name in files.keys().filter(|name| **name != MANIFEST && !written.contains_key(**name)) {
        found.wrong(format!("'{name}' was not written by the run"));
    }
}

/// The events are whole, in order, and of this run, and say of its commits and of their texts what the recipe says.
fn events(remake: &Remake, found: &mut Soundness) {
    let (events, wrong) = match remake.record.events() {
        Ok(events) => events,
        Err(unread) => return found.wrong(format!("it {unread}")),
    };
    wrong.iter().for_each(|line| found.wrong(format!("line {line} of its events is none")));
    if events.iter().any(|event| event.run.as_deref() != Some(&remake.record.run)) {
        found.wrong("some of its events are another run's");
    }
    if let Some((at, _)) = (1..).zip(&events).find(|(at, event)| event.seq != Some(*at)) {
        found.wrong(format!("its events are not whole, or in another order: event {at} is not where it was"));
    }
    let said: Vec<&str> =
        events.iter().filter(|event| event.event == "committed").filter_map(|event| event.text("commit")).collect();
    let commits: Vec<&str> = remake.recipe.commits.iter().map(|commit| commit.commit.as_str()).collect();
    if said != commits {
        found.wrong("its events tell of other commits than its recipe");
    }
    told::untold(&events, remake).into_iter().for_each(|why| found.wrong(why));
    parts::contradictions(&events, remake).into_iter().for_each(|why| found.wrong(why));
}

/// Each reply answers the very text of its request, by which it is filed.
fn requests(record: &Record, found: &mut Soundness) {
    let requests = match record.requests() {
        Ok(requests) => requests,
        Err(unread) => return found.wrong(format!("it {unread}")),
    };
    let mut keys = HashSet::new();
    let mut read = HashSet::new();
    for filed in &requests {
        keys.insert(filed.key.as_str());
        if record.about.record.is_some() && filed.system.is_empty() && filed.messages.is_empty() {
            found.not_shown("what was asked: the record leaves prompts out");
            continue;
        }
        let names = filed.system.iter().chain(filed.messages.iter().flat_map(|message| &message.content));
        for name in names {
            if read.insert(name)
                && let Ok(text) = record.block(name)
                && hex(&Sha256::digest(text.as_bytes())) != *name
            {
                found.wrong(format!("block {name:.12} has another text than was sent"));
            }
        }
        match record.request(filed) {
            Ok(request) if request.key() == filed.key => {}
            Ok(_) => found.wrong(format!("the prompt for '{}' is not the one that was sent", filed.path)),
            Err(unread) => found.wrong(format!("it {unread}")),
        }
    }
    let replies = record.files().keys().filter_map(|name| name.strip_prefix("replies/")?.strip_suffix(".json"));
    for key in replies.filter(|key| !keys.contains(key)) {
        found.wrong(format!("nobody asked for the replies to request {key:.12}"));
    }
}

/// Each text comes of its replies.
fn texts(remake: &Remake, found: &mut Soundness) {
    for (number, text) in remake.recipe.texts.iter().enumerate() {
        let path = &text.path;
        match remake.text(number) {
            Ok(made) if blob_of(&made) == text.result => {}
            Ok(_) => found.wrong(format!("what is recorded for '{path}' makes another text than the run made of it")),
            Err(Broken::LeftOut(why)) => found.not_shown(format!("how '{path}' was made: {why}")),
            Err(broken) => found.wrong(format!("'{path}' cannot be made again: {broken}")),
        }
    }
}

/// Each commit stands on the one before, has what was made and nothing else, and is the tree that it says.
fn commits(remake: &Remake, found: &mut Soundness) -> Result<(), GitError> {
    let repository = remake.record.repository();
    let commits = &remake.recipe.commits;
    if let (Some(first), Ok(base)) = (commits.first(), Oid::from_str(&remake.record.about.base))
        && repository.has_object(base)?
        && repository.tree_of_commit(base)?.to_string() != first.parent
    {
        found.wrong("its first commit was not made on its base");
    }
    for pair in commits.windows(2) {
        if let [one, next] = pair
            && one.tree != next.parent
        {
            found.wrong(format!("commit '{}' does not stand on the one before it", next.subject));
        }
    }
    for commit in commits {
        for file in &commit.files {
            let Some(blob) = file.blob.as_deref() else { continue };
            if file.from.is_none() && remake.number(&file.path, blob).is_none() {
                found.wrong(format!("nothing says how '{}' was made", file.path));
            }
        }
        let (Ok(parent), Ok(tree)) = (Oid::from_str(&commit.parent), Oid::from_str(&commit.tree)) else {
            found.wrong(format!("commit '{}' names no trees", commit.subject));
            continue;
        };
        // Who has got the branch alone after a rebase has not got these.
        if !repository.has_object(parent)? || !repository.has_object(tree)? {
            continue;
        }
        let differences = match repository.differences(Some(parent), tree) {
            Err(GitError::BadObject { .. }) => continue,
            differences => differences?,
        };
        let is: BTreeSet<(&str, Option<String>)> = differences
            .iter()
            .map(|difference| (difference.path.as_str(), difference.after.map(|at| at.id.to_string())))
            .collect();
        let said: BTreeSet<(&str, Option<String>)> =
            commit.files.iter().map(|file| (file.path.as_str(), file.blob.clone())).collect();
        if is != said {
            found.wrong(format!("commit '{}' is not the tree that it says", commit.subject));
        }
        // A run keeps the mode of a file that is there; only a hook may set another.
        let modes = |it: &&Difference| it.before.zip(it.after).is_some_and(|(before, after)| before.kind != after.kind);
        for difference in differences.iter().filter(modes) {
            if !told::is_reworked(remake.record, &difference.path) {
                found.wrong(format!("nothing says how '{}' came to another mode", difference.path));
            }
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Who made a text, for people.
pub fn maker(by: &By) -> String {
    match by {
        By::Reply { replies, .. } if replies.len() > 1 => format!("the model, in {} replies", replies.len()),
        By::Reply { .. } => "the model".to_owned(),
        By::Design { line } => format!("the design, line {line}"),
        By::Command { command } => format!("'{command}'"),
        By::Tick { .. } => "ticking the list".to_owned(),
    }
}
