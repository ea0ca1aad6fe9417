//! A record: a published one, found by its ref, or one that lies in its folder. Only what is asked for is read.

use super::about::{About, Event};
use crate::git::{GitError, Oid, Repository, RunRef, blob_id};
use crate::model::{Block, Message, Request, Role};
use crate::provider::recording::Recording;
use crate::transcript::recipe::{BASES, MANIFEST, RECIPE, TEXTS};
use crate::transcript::{EVENTS, HEADER, PLAN, Recipe, SCHEMA};
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// No file of a record is longer: whoever pushes a longer one wants to fill our memory.
const MOST: u64 = 64 << 20;

/// The record of a run.
pub struct Record<'r> {
    repository: &'r Repository,
    pub run: String,
    pub about: About,
    /// With their blobs; those of a folder have none.
    files: BTreeMap<String, Oid>,
    folder: Option<PathBuf>,
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
        let folder = None;
        let mut record = Record { repository, run: found.run.clone(), about, files, folder, recordings, blocks };
        Ok(record.read_header().map(|()| record))
    }

    /// The schema that its header names, if it has one.
    pub fn schema(repository: &Repository, found: &RunRef) -> Result<Option<u32>, GitError> {
        let headers = repository.in_each_record(std::slice::from_ref(found), HEADER, MOST)?;
        let header = headers.into_iter().next().flatten();
        Ok(header.and_then(|header| About::read(&header).ok()).map(|about| about.schema))
    }

    /// The same of a record that lies in its folder.
    pub fn in_folder(repository: &'r Repository, run: &str, folder: &Path) -> Result<Record<'r>, Unread> {
        let files = files_of(folder).map_err(|error| Unread(format!("cannot be read: {error}")))?;
        let (recordings, blocks) = (RefCell::default(), RefCell::default());
        let (run, folder, about) = (run.to_owned(), Some(folder.to_owned()), About::default());
        let mut record = Record { repository, run, about, files, folder, recordings, blocks };
        record.read_header().map(|()| record)
    }

    /// A file of a record that is not here, as in a partial clone; `None` if all of them are.
    pub fn absent(repository: &Repository, found: &RunRef) -> Result<Option<String>, GitError> {
        let files = match repository.record_files(found.object) {
            Ok(files) => files,
            Err(GitError::BadObject { id, path, .. }) => {
                let is_here = Oid::from_str(&id).map_or(Ok(true), |id| repository.has_object(id))?;
                return Ok((!is_here).then_some(path));
            }
            Err(error) => return Err(error),
        };
        for (name, id) in files {
            if !repository.has_object(id)? {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    fn read_header(&mut self) -> Result<(), Unread> {
        let about = self.bytes(HEADER).and_then(|bytes| {
            About::read(&bytes).map_err(|error| Unread(format!("has a damaged '{HEADER}': {error}")))
        });
        let about = about?;
        if about.schema > SCHEMA {
            let schema = about.schema;
            return Err(Unread(format!("has schema {schema}, and this program reads records up to {SCHEMA}")));
        }
        self.about = about;
        Ok(())
    }

    /// Reads all of its files at once, for whoever needs most of them.
    pub fn read_ahead(&self) -> Result<(), GitError> {
        if self.folder.is_some() { Ok(()) } else { self.repository.read_ahead(self.files.values().copied()) }
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
        if let Some(folder) = &self.folder {
            let bytes = file_of(&folder.join(name));
            return bytes.map_err(|error| Unread(format!("has a '{name}' that cannot be read: {error}")));
        }
        match self.repository.record_file(*id, name, MOST) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(Unread(format!("has a '{name}' that is too large"))),
            Err(error) => Err(Unread(format!("has a '{name}' that cannot be read: {error}"))),
        }
    }

    pub fn text(&self, name: &str) -> Result<String, Unread> {
        String::from_utf8(self.bytes(name)?).map_err(|_| Unread(format!("has a '{name}' that is no text")))
    }

    /// A file of it that is JSON.
    pub(super) fn json<T: for<'de> Deserialize<'de>>(&self, name: &str) -> Result<T, Unread> {
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
        self.json(PLAN)
    }

    /// The rows of the plan by their paths, of several the last: the line in the design, and what it says.
    pub fn rows(&self) -> HashMap<String, (usize, String)> {
        let plan = self.plan().unwrap_or_default();
        let row = |row: &serde_json::Value| {
            let line = usize::try_from(row["line"].as_u64()?).ok()?;
            Some((row["path"].as_str()?.to_owned(), (line, row["description"].as_str().unwrap_or_default().to_owned())))
        };
        plan["files"].as_array().into_iter().flatten().filter_map(row).collect()
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

/// The files of a record in its folder. What is no file, as a pipe that somebody has put there, is none of them.
fn files_of(folder: &Path) -> io::Result<BTreeMap<String, Oid>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        match entry.file_type()? {
            kind if kind.is_file() => _ = files.insert(name, Oid::ZERO_SHA1),
            kind if kind.is_dir() => {
                for inner in
                    fs::read_dir(entry.path())?.flatten().filter(|it| it.file_type().is_ok_and(|it| it.is_file()))
                {
                    if let Some(inner) = inner.file_name().to_str() {
                        files.insert(format!("{name}/{inner}"), Oid::ZERO_SHA1);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(files)
}

fn file_of(path: &Path) -> io::Result<Vec<u8>> {
    if fs::symlink_metadata(path)?.len() > MOST {
        return Err(io::Error::other("it is too large"));
    }
    fs::read(path)
}
