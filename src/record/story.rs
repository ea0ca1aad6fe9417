//! What a record tells of its run, put together from its events: of each file what was asked, what was answered, what was
//! refused and why, how it was made in the end, and who permitted what.

use super::about::Event;
use super::open::{Filed, Record, Unread};
use super::remake::Remake;
use super::reviewed::Reviewed;
use super::reworked::{Made, made};
use super::second_look::SecondLook;
use crate::edit::Edit;
use crate::finding::{Finding, Severity};
use crate::prompt::{propose as proposal, reviewer, talk};
use crate::provider::recording::RecordedReply;
use crate::transcript::Recipe;
use std::collections::HashMap;

/// A file of the run.
#[derive(Debug, Clone, Default)]
pub struct FileStory {
    pub path: String,
    /// The row of the plan: its line in the design, and what it says.
    pub row: Option<(usize, String)>,
    pub outcome: Option<String>,
    /// The texts of it that were committed, and who made them: of several the last one is what it became.
    pub made: Vec<Made>,
    pub tries: Vec<Try>,
    /// Where the edits of the accepted reply went, and how exactly they matched.
    pub edits: Vec<Edit>,
    /// The format that it was read in.
    pub format: Option<String>,
    /// What gates had to say of it without refusing it.
    pub findings: Vec<Finding>,
    /// Hooks and commands that changed it.
    pub reworked: Vec<String>,
    /// What servers and commands said of it.
    pub look: SecondLook,
}

/// Formats in which nobody is asked for a file.
const OF_NO_FILE: &[&str] = &[proposal::FORMAT, talk::FORMAT, reviewer::VERDICT, reviewer::REMARKS];

impl FileStory {
    /// What was asked here is what somebody says of the design or of the change, and no file.
    pub fn is_talk(&self) -> bool {
        let mut formats = self.tries.iter().map(|it| it.format.as_str());
        self.outcome.is_none() && !self.tries.is_empty() && formats.all(|format| OF_NO_FILE.contains(&format))
    }

    /// Its path, or what else it is.
    pub fn name(&self) -> &str {
        if self.is_talk() { "talk and review" } else { &self.path }
    }

    /// Who made the text that was committed in the end.
    pub fn maker(&self) -> Option<&str> {
        self.made.last().map(|made| made.by.as_str())
    }
}

/// A request for a file, and what came of it.
#[derive(Debug, Clone, Default)]
pub struct Try {
    pub attempt: u64,
    pub key: String,
    pub format: String,
    /// The names of the pieces of its last message.
    pub prompt: Vec<String>,
    pub reply: Option<RecordedReply>,
    pub cost: Option<f64>,
    /// Why it was refused.
    pub refused: Vec<Finding>,
    /// Why nothing came of it.
    pub aborted: Option<String>,
}

/// The run.
#[derive(Debug, Clone, Default)]
pub struct Story {
    /// What a reviewer has said of all of it last.
    pub reviewed: Option<Reviewed>,
    pub files: Vec<FileStory>,
    /// What was said of no single file.
    pub findings: Vec<Finding>,
    /// Commands that were run, in their order.
    pub commands: Vec<Command>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub command: String,
    /// What it was run on, by the word of the event: `base`, `files` or `commit`.
    pub on: String,
    pub passed: bool,
}

impl Story {
    /// # Errors
    /// If the record has no events.
    pub fn of(record: &Record, recipe: Option<&Recipe>) -> Result<Story, Unread> {
        let requests: HashMap<(String, u32), Filed> = record
            .requests()
            .unwrap_or_default()
            .into_iter()
            .map(|filed| ((filed.path.clone(), filed.attempt), filed))
            .collect();
        let mut telling = Telling {
            record,
            requests,
            story: Story::default(),
            places: HashMap::new(),
            given: HashMap::new(),
            remarks: Vec::new(),
        };
        let (events, _) = record.events()?;
        events.iter().for_each(|event| telling.hear(event));
        telling.keep_open_remarks();
        let mut story = telling.story;
        let mut rows = record.rows();
        let remake = recipe.map(|recipe| Remake::new(record, recipe));
        for file in &mut story.files {
            file.row = rows.remove(&file.path);
            file.made = remake.as_ref().map(|remake| made(remake, &file.path)).unwrap_or_default();
        }
        Ok(story)
    }

    /// Of the files at these paths only.
    pub fn only(&mut self, paths: &[String]) {
        self.files.retain(|file| paths.contains(&file.path));
    }
}

struct Telling<'a, 'r> {
    record: &'a Record<'r>,
    requests: HashMap<(String, u32), Filed>,
    story: Story,
    /// Where each file stands in the story.
    places: HashMap<String, usize>,
    /// How many replies of each request were told of.
    given: HashMap<String, usize>,
    /// The remarks of the last verdict that nothing was mended for since.
    remarks: Vec<Finding>,
}

impl Telling<'_, '_> {
    fn hear(&mut self, event: &Event) {
        let text = |name: &str| event.text(name).unwrap_or_default().to_owned();
        let path = event.path.clone().unwrap_or_default();
        match event.event.as_str() {
            "file-started" => _ = self.file(&path),
            "asked" => {
                let attempt = event.number("attempt").unwrap_or_default();
                let filed = u32::try_from(attempt).ok().and_then(|at| self.requests.get(&(path.clone(), at)));
                let prompt = filed.and_then(|filed| filed.messages.last()).map(|last| last.content.clone());
                let (key, format, prompt) = (text("key"), text("format"), prompt.unwrap_or_default());
                let asked = Try { attempt, key, format, prompt, ..Try::default() };
                self.file(&path).tries.push(asked);
            }
            "replied" => {
                let Some(last) = self.last_try(&path) else { return };
                last.cost = event.rest.get("cost").and_then(serde_json::Value::as_f64);
                let key = last.key.clone();
                let nth = self.given.entry(key.clone()).or_default();
                let at = *nth;
                *nth += 1;
                let reply = self.record.recording(&key).ok().and_then(|it| it.replies.get(at).cloned());
                if let Some(last) = self.last_try(&path) {
                    last.reply = reply;
                }
            }
            "refused" => {
                let found = event.rest.get("findings").cloned().unwrap_or_default();
                let findings: Vec<Finding> = serde_json::from_value(found).unwrap_or_default();
                self.last_try(&path).into_iter().for_each(|last| last.refused.clone_from(&findings));
            }
            "aborted" => {
                let why = text("reason");
                self.last_try(&path).into_iter().for_each(|last| last.aborted = Some(why.clone()));
            }
            "file-finished" => {
                let edits = event.rest.get("edits").cloned().unwrap_or_default();
                let file = self.file(&path);
                file.outcome = event.text("outcome").map(str::to_owned);
                file.format = event.text("format").map(str::to_owned);
                file.edits = serde_json::from_value(edits).unwrap_or_default();
            }
            "diagnosed" | "given-back" | "mended" => {
                if event.event == "mended" && event.rest.get("kept") == Some(&true.into()) {
                    self.remarks.retain(|remark| remark.path.as_ref() != Some(&path));
                }
                self.file(&path).look.hear(event);
            }
            "reviewed" => {
                let said = |name: &str| event.rest.get(name).cloned().unwrap_or_default();
                let Ok(verdict) = serde_json::from_value(said("verdict")) else { return };
                self.story.reviewed = Some(Reviewed { verdict, open: 0 });
                self.remarks = serde_json::from_value(said("findings")).unwrap_or_default();
            }
            "hook-changed" => self.file(&path).reworked.push(text("hook")),
            "ran" => {
                let passed = event.rest.get("passed") == Some(&true.into());
                self.story.commands.push(Command { command: text("command"), on: text("on"), passed });
            }
            "finding" => {
                let Some(finding) = event.finding() else { return };
                let known = finding.path.as_ref().is_some_and(|path| self.places.contains_key(path));
                match &finding.path {
                    Some(path) if known && finding.severity < Severity::Error => {
                        let path = path.clone();
                        self.file(&path).findings.push(finding);
                    }
                    _ => self.story.findings.push(finding),
                }
            }
            _ => {}
        }
    }

    /// Puts what a reviewer still has against files among what was found of them.
    fn keep_open_remarks(&mut self) {
        if let Some(reviewed) = &mut self.story.reviewed {
            reviewed.open = self.remarks.len();
        }
        for remark in std::mem::take(&mut self.remarks) {
            match remark.path.clone().filter(|path| self.places.contains_key(path)) {
                Some(path) => self.file(&path).findings.push(remark),
                None => self.story.findings.push(remark),
            }
        }
    }

    /// The file at this path, which a task list may name several times.
    fn file(&mut self, path: &str) -> &mut FileStory {
        let files = &mut self.story.files;
        let at = *self.places.entry(path.to_owned()).or_insert_with(|| {
            files.push(FileStory { path: path.to_owned(), ..FileStory::default() });
            files.len() - 1
        });
        &mut files[at]
    }

    fn last_try(&mut self, path: &str) -> Option<&mut Try> {
        self.file(path).tries.last_mut()
    }
}
