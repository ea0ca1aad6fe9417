//! What was asked about files where no run came of it: a record as every run that fails leaves one, since it was paid for;
//! and for a task what that leaves, however it ends.

use super::Surveyed;
use crate::event::{Event, SCHEMA, Sink};
use crate::finding::Finding;
use crate::git::{GIVEN, RecordFile, Repository};
use crate::implement::delivery::{self, Leaves, Transcript, Turn, Who};
use crate::implement::question::{Answer, asked, replied};
use crate::implement::{Earlier, ImplementError, record};
use crate::lld::typed;
use crate::model::Speaker;
use crate::patch::Stat;
use crate::plan::Listing;
use crate::provider::trace::TraceId;
use crate::transcript::{self, Header, Spent, Typed};
use std::io;

/// What is known of a task before its files are.
pub struct OfTask {
    rounds: u32,
    /// Provider and model of whoever is to review, if that is somebody else.
    reviewer: Option<(String, String)>,
    leaves: Leaves,
}

impl OfTask {
    /// Says before anybody is paid that nothing could be left.
    pub fn new(rounds: u32, reviewer: Option<(String, String)>, leaves: Leaves) -> Result<OfTask, ImplementError> {
        leaves.writable()?;
        Ok(OfTask { rounds, reviewer, leaves })
    }
}

/// Why no run came of it, and what is to be told to whoever watches: the last event is the last of all.
pub struct Unnamed {
    pub error: Box<ImplementError>,
    pub told: Vec<Event>,
}

impl From<ImplementError> for Unnamed {
    /// Nothing was asked.
    fn from(error: ImplementError) -> Unnamed {
        Unnamed { error: Box::new(error), told: Vec::new() }
    }
}

/// Who was asked.
#[derive(Debug, Clone)]
pub struct By {
    pub provider: &'static str,
    pub model: String,
    /// Why this one.
    pub chosen: String,
}

/// What was asked and answered.
pub(super) struct Heard<'a> {
    pub surveyed: &'a Surveyed,
    pub by: &'a By,
    pub earlier: &'a [Earlier],
    /// What there was to tell of it, if that is known.
    pub events: Vec<Event>,
}

impl Heard<'_> {
    /// What there was to tell of what was answered, at least.
    pub fn of_answers(earlier: &[Earlier]) -> Vec<Event> {
        let told = |Earlier { path, attempt, prompt, completion, cost, seconds, .. }: &Earlier| {
            let answer = Answer { completion, cost: *cost, seconds: *seconds };
            [asked(path, (*attempt, 0), &prompt.request.key(), prompt), replied(path, *attempt, &answer)]
        };
        earlier.iter().flat_map(told).collect()
    }

    fn spent(&self) -> Spent {
        let mut spent = Spent::default();
        for event in &self.events {
            if let Event::Replied { usage, cost, .. } | Event::Retrying { usage, cost, .. } = event {
                spent.add(*usage, *cost);
            }
        }
        spent
    }
}

/// Keeps what was heard as the record of a run that failed with `error`. Nothing is kept of questions that were never asked;
/// nor, but of a task, of those that nobody has answered.
pub(super) fn keep(repository: &Repository, heard: &Heard, task: Option<&OfTask>, error: ImplementError) -> Unnamed {
    let replies = repository.shown(&heard.surveyed.list()).unwrap_or_default();
    if heard.events.is_empty() || task.is_none() && replies.is_empty() {
        return error.into();
    }
    let (id, answered) = (record::run_id(), !replies.is_empty());
    let (Spent { usage, cost }, status) = (heard.spent(), error.exit_code());
    let place = repository.failed_dir(&id).display().to_string();
    let last = Event::RunFinished {
        schema: SCHEMA,
        status,
        commits: 0,
        unchanged: 0,
        stat: Stat::default(),
        usage,
        cost,
        seconds: heard.earlier.iter().map(|earlier| earlier.seconds).sum(),
        error: Some(error.to_string()),
        record: Some(place.clone()),
    };
    let mut told: Vec<Event> = error.findings().iter().cloned().map(Event::Finding).collect();
    let mut files = match files(heard, &id, &told, &last) {
        Ok(files) => files,
        Err(broken) => {
            let error = Box::new(ImplementError::Record { message: broken.to_string() });
            return Unnamed { error, told };
        }
    };
    files.extend(replies.into_iter().map(|(name, bytes)| RecordFile { name: format!("replies/{name}"), bytes }));
    let error = match repository.keep_failed(&id, &files) {
        Ok(_) => ImplementError::Kept { error: Box::new(error), record: place, answered, run: None },
        Err(unkept) => return Unnamed { error: Box::new(unkept.into()), told },
    };
    if let Some(task) = task {
        let left = task.leaves.folder(repository, &id).map_err(|error| error.to_string());
        let transcript = transcript(heard, task, &id, &last);
        let left = left.and_then(|folder| delivery::tell(&folder, &transcript));
        told.push(Event::Finding(match left {
            Ok([_, summary]) => delivery::told(&summary),
            Err(why) => Finding::warning("task-not-told", why),
        }));
    }
    told.push(last);
    Unnamed { error: Box::new(error), told }
}

/// The files of the record but the replies.
fn files(heard: &Heard, id: &str, found: &[Event], last: &Event) -> io::Result<Vec<RecordFile>> {
    let Heard { surveyed, by, earlier, events } = heard;
    let design = &surveyed.design;
    let header = Header {
        run: id.to_owned(),
        lld: design.path.to_string(),
        blob: design.blob.to_string(),
        base: surveyed.base.commit.to_string(),
        branch: String::new(),
        provider: by.provider.to_owned(),
        model: by.model.clone(),
        started: record::now(),
        no_verify: false,
        allow: Vec::new(),
        gates: Vec::new(),
        record: None,
        options: Typed { revision: design.is_given().then(|| GIVEN.to_owned()), ..Typed::default() },
        continues: None,
        earlier: Spent::default(),
    };
    let plan = serde_json::to_value(Listing::new(&header.lld, &surveyed.lld, &[], &[]))?;
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("record");
    let mut written = transcript::Transcript::create(&place, &header, design.text.as_bytes(), &plan, &[])?;
    for Earlier { path, attempt, prompt, .. } in *earlier {
        written.request(path, *attempt, &prompt.request.key(), &prompt.request)?;
    }
    let started = Event::RunStarted {
        schema: SCHEMA,
        run: header.run.clone(),
        lld: header.lld.clone(),
        blob: header.blob.clone(),
        base: header.base.clone(),
        branch: String::new(),
        provider: header.provider.clone(),
        model: header.model.clone(),
        chosen: by.chosen.clone(),
        files: 0,
        trace: TraceId::random().hex(),
    };
    std::iter::once(&started).chain(events).chain(found).for_each(|event| written.event(event));
    let file = |(name, bytes)| RecordFile { name, bytes };
    Ok(written.ended_by(&[last])?.into_iter().map(file).collect())
}

/// What a task leaves of it.
fn transcript(heard: &Heard, task: &OfTask, id: &str, last: &Event) -> Transcript {
    let Heard { surveyed, by, earlier, .. } = heard;
    let implementer = Who { provider: by.provider.to_owned(), model: by.model.clone() };
    let reviewer = task.reviewer.clone().map(|(provider, model)| Who { provider, model });
    let turn = |earlier: &Earlier| Turn {
        by: Speaker::Implementer,
        round: 1,
        path: earlier.path.clone(),
        form: earlier.prompt.request.format.clone(),
        key: earlier.prompt.request.key(),
        usage: earlier.completion.usage,
        cost: earlier.cost,
        text: earlier.completion.text.clone(),
    };
    let text = &surveyed.design.text;
    Transcript {
        schema: SCHEMA,
        run: id.to_owned(),
        task: typed::words(text).unwrap_or(text).to_owned(),
        base: surveyed.base.commit.to_string(),
        rounds: task.rounds,
        reviewer: reviewer.unwrap_or_else(|| implementer.clone()),
        implementer,
        target_files: Vec::new(),
        patch_path: None,
        branch: None,
        verdict: None,
        status: 0,
        error: None,
        usage: Default::default(),
        cost: None,
        record: None,
        turns: delivery::masked(earlier.iter().map(turn).collect()),
    }
    .ended(last)
}
