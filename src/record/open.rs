//! A published record, found by its ref. Only what is asked for is read.

use super::about::{About, Event};
use crate::git::{GitError, Oid, Repository, RunRef, blob_id};
use crate::model::{Block, Message, Request, Role};
use crate::provider::recording::Recording;
use crate::transcript::recipe::{BASES, MANIFEST, RECIPE, TEXTS};
use crate::transcript::{EVENTS, HEADER, Recipe, SCHEMA};
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// No file of a record is longer: whoever pushes a longer one wants to fill our memory.
const MOST: u64 = 64 << 20;

/// The record of a run.
pub struct Record<'r> {
    repository: &'r Repository,
    pub run: String,
    pub about: About,
    files: BTreeMap<String, Oid>,
    recordings: RefCell<HashMap<String, Rc<Recording>>>,
    blocks: RefCell<HashMap<String, Rc<str>>>,
}

/// Why something of a record cannot be had, in words that follow "the record of run 'x' ".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread(pub String);

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A request as it was filed: its text by the names of blocks.
#[derive(Debug, Clone, Deserialize)]
pub struct Filed {
    pub key: String,
    pub path: String,
    pub attempt: u32,
    pub format: String,
    #[serde(default)]
    pub asked_tokens: Option<u32>,
    #[serde(default)]
    pub system: Vec<String>,
    #[serde(default)]
    pub messages: Vec<FiledMessage>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct FiledMessage {
    pub role: Role,
    pub content: Vec<String>,
}

impl<'r> Record<'r> {
    /// Reads the header and the names of the files.
    ///
    /// # Errors
    /// [`Unread`] within if the record is damaged, or of a schema that is not known yet.
    pub fn open(repository: &'r Repository, found: &RunRef) -> Result<Result<Record<'r>, Unread>, GitError> {
        let files = match repository.record_files(found.object) {
            Ok(files) => files,
            Err(GitError::BadObject { message, .. }) => return Ok(Err(Unread(format!("cannot be read: {message}")))),
            Err(error) => return Err(error),
        };
        let recordings = RefCell::default();
        let blocks = RefCell::default();
        let about = About::default();
        let mut record = Record { repository, run: found.run.clone(), about, files, recordings, blocks };
        let about = record.bytes(HEADER).and_then(|bytes| {
            About::read(&bytes).map_err(|error| Unread(format!("has a damaged '{HEADER}': {error}")))
        });
        Ok(about.and_then(|about| {
            if about.schema > SCHEMA {
                let schema = about.schema;
                return Err(Unread(format!("has schema {schema}, and this program reads records up to {SCHEMA}")));
            }
            record.about = about;
            Ok(record)
        }))
    }

    pub fn repository(&self) -> &'r Repository {
        self.repository
    }

    /// The names of its files, with their blobs.
    pub fn files(&self) -> &BTreeMap<String, Oid> {
        &self.files
    }

    pub fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// A file of it.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, Unread> {
        let Some(id) = self.files.get(name) else { return Err(Unread(format!("has no '{name}'"))) };
        match self.repository.record_file(*id, name, MOST) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(Unread(format!("has a '{name}' that is too large"))),
            Err(error) => Err(Unread(format!("has a '{name}' that cannot be read: {error}"))),
        }
    }

    pub fn text(&self, name: &str) -> Result<String, Unread> {
        String::from_utf8(self.bytes(name)?).map_err(|_| Unread(format!("has a '{name}' that is no text")))
    }

    fn json<T: for<'de> Deserialize<'de>>(&self, name: &str) -> Result<T, Unread> {
        serde_json::from_slice(&self.bytes(name)?).map_err(|error| Unread(format!("has a damaged '{name}': {error}")))
    }

    /// How its texts and commits were made; `None` in records that are too old for that.
    pub fn recipe(&self) -> Result<Option<Recipe>, Unread> {
        if self.has(RECIPE) { self.json(RECIPE).map(Some) } else { Ok(None) }
    }

    /// Each file that the run wrote, with its blob; `None` in records that are too old for that.
    pub fn manifest(&self) -> Result<Option<BTreeMap<String, String>>, Unread> {
        if !self.has(MANIFEST) {
            return Ok(None);
        }
        let text = self.text(MANIFEST)?;
        let lines = text.lines().filter_map(|line| line.split_once(' '));
        Ok(Some(lines.map(|(id, name)| (name.to_owned(), id.to_owned())).collect()))
    }

    /// The events, and the lines that are none.
    pub fn events(&self) -> Result<(Vec<Event>, Vec<usize>), Unread> {
        Ok(Event::all(&self.text(EVENTS)?))
    }

    /// The plan as `plan --json` gives it.
    pub fn plan(&self) -> Result<serde_json::Value, Unread> {
        self.json("plan.json")
    }

    /// What was answered to the request with this key.
    pub fn recording(&self, key: &str) -> Result<Rc<Recording>, Unread> {
        if let Some(recording) = self.recordings.borrow().get(key) {
            return Ok(recording.clone());
        }
        let name = format!("replies/{key}.json");
        let recording: Rc<Recording> = Rc::new(self.json(&name)?);
        if recording.key != key {
            return Err(Unread(format!("has replies to another request in '{name}'")));
        }
        self.recordings.borrow_mut().insert(key.to_owned(), recording.clone());
        Ok(recording)
    }

    /// The requests, in the order in which they were made.
    pub fn requests(&self) -> Result<Vec<Filed>, Unread> {
        self.files.keys().filter(|name| name.starts_with("requests/")).map(|name| self.json(name)).collect()
    }

    /// A piece of prompt text, by its name.
    pub fn block(&self, name: &str) -> Result<Rc<str>, Unread> {
        if let Some(text) = self.blocks.borrow().get(name) {
            return Ok(text.clone());
        }
        let text: Rc<str> = self.text(&format!("blocks/{name}"))?.into();
        self.blocks.borrow_mut().insert(name.to_owned(), text.clone());
        Ok(text)
    }

    /// The request as it was sent.
    pub fn request(&self, filed: &Filed) -> Result<Request, Unread> {
        let blocks = |names: &[String]| -> Result<Vec<Block>, Unread> {
            names.iter().map(|name| Ok(Block::new(&*self.block(name)?))).collect()
        };
        let message = |message: &FiledMessage| Ok(Message { role: message.role, content: blocks(&message.content)? });
        Ok(Request {
            system: blocks(&filed.system)?,
            messages: filed.messages.iter().map(message).collect::<Result<_, Unread>>()?,
            format: filed.format.clone(),
            max_tokens: 0,
            asked_tokens: filed.asked_tokens,
        })
    }

    /// A text that edits begin with, or that is no reply: as the record has it, else as the repository has it.
    pub fn kept(&self, blob: &str) -> Result<String, Unread> {
        for folder in [BASES, TEXTS] {
            let name = format!("{folder}/{blob}");
            if self.has(&name) {
                let text = self.text(&name)?;
                let is_it = blob_id(text.as_bytes()) == blob;
                return if is_it { Ok(text) } else { Err(Unread(format!("has another text in '{name}'"))) };
            }
        }
        let id =
            Oid::from_str(blob).map_err(|_| Unread(format!("names '{}', which is no blob", blob.escape_debug())))?;
        match self.repository.text_of(id, MOST) {
            Ok(Some(text)) => Ok(text),
            _ => Err(Unread(format!("has no text of blob {blob}"))),
        }
    }
}
