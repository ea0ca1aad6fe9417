//! Recorded replies, the part of a run record that can be replayed: a folder with one JSON file a request, named by
//! [`Request::key`]. Written by [`Recorder`], which listens in on any provider, and read by provider `replay`.
//!
//! The prompt is not in it, nor are dates, request ids and anything of the machine: recording the same answers
//! again gives the same bytes.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Call, Provider, ProviderError, clean};
use crate::check::{self, Mask};
use crate::edit::Format;
use crate::model::{Completion, Request, StopReason, Usage};

/// All replies that one request was given, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    pub key: String,
    /// The file that was asked for. For people: it is no part of the key.
    pub path: String,
    pub format: String,
    pub replies: Vec<RecordedReply>,
}

/// One reply of a [`Recording`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedReply {
    pub stop: StopReason,
    #[serde(default)]
    pub usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// It was complete, and no file came of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// Secrets that it was refused for were taken out: it is not what was said, and is never an answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
    #[serde(serialize_with = "as_lines", deserialize_with = "from_lines")]
    pub text: String,
}

/// A list of lines, each with its end, so that a changed line is one changed line of a diff.
fn as_lines<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(text.split_inclusive('\n'))
}

/// A list of pieces, or the text in one.
fn from_lines<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Text {
        Pieces(Vec<String>),
        Whole(String),
    }
    Ok(match Text::deserialize(from)? {
        Text::Pieces(pieces) => pieces.concat(),
        Text::Whole(text) => text,
    })
}

impl From<&Completion> for RecordedReply {
    fn from(completion: &Completion) -> Self {
        let Completion { text, stop, usage, model, request_id: _ } = completion.clone();
        RecordedReply { stop, usage, model, refused: false, masked: false, text }
    }
}

impl From<&RecordedReply> for Completion {
    fn from(reply: &RecordedReply) -> Self {
        let RecordedReply { stop, usage, model, text, .. } = reply.clone();
        Completion { text, stop, usage, request_id: None, model }
    }
}

impl Recording {
    /// Where the replies to the request with this key lie.
    pub fn file(dir: &Path, key: &str) -> PathBuf {
        dir.join(format!("{key}.json"))
    }

    /// None if there is no such file.
    pub fn read(dir: &Path, key: &str) -> Result<Option<Self>, ProviderError> {
        let file = Self::file(dir, key);
        let wrong = |reason: String| ProviderError::Recording { path: file.clone(), reason: clean::line(&reason) };
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let recording: Recording = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if recording.key != key {
            return Err(wrong(format!("it holds request {}", recording.key)));
        }
        Ok(Some(recording))
    }

    /// Notes that the last reply to the request was refused, and that this was the end of it.
    pub fn refuse(dir: &Path, key: &str) -> Result<(), ProviderError> {
        Self::change(dir, key, |reply| reply.refused = true)
    }

    /// Puts `text`, which has no secrets, in the place of the last reply to the request.
    pub fn mask(dir: &Path, key: &str, text: &str) -> Result<(), ProviderError> {
        Self::change(dir, key, |reply| (reply.text, reply.masked) = (text.to_owned(), true))
    }

    /// Changes the last reply to the request. Nothing to do where it was not recorded.
    fn change(dir: &Path, key: &str, change: impl Fn(&mut RecordedReply)) -> Result<(), ProviderError> {
        let Some(mut recording) = Self::read(dir, key)? else { return Ok(()) };
        recording.replies.last_mut().into_iter().for_each(change);
        recording.write(dir)
    }

    /// Writes the file, whole or not at all; makes the folder.
    pub fn write(&self, dir: &Path) -> Result<(), ProviderError> {
        let file = Self::file(dir, &self.key);
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(dir)?;
            let mut text = serde_json::to_string_pretty(self)?;
            text.push('\n');
            let mut scratch = tempfile::Builder::new().prefix(".reply-").tempfile_in(dir)?;
            scratch.write_all(text.as_bytes())?;
            scratch.persist(&file)?;
            Ok(())
        };
        let told = write().map_err(|error| clean::line(&error.to_string()));
        told.map_err(|reason| ProviderError::Recording { path: file.clone(), reason })
    }
}

/// A provider whose answers are written down as they are given.
pub struct Recorder {
    provider: Box<dyn Provider>,
    dir: PathBuf,
    /// Requests of this run. What an earlier run recorded for one is replaced, not added to.
    seen: Mutex<HashSet<String>>,
}

impl Recorder {
    pub fn new(provider: Box<dyn Provider>, dir: impl Into<PathBuf>) -> Self {
        Recorder { provider, dir: dir.into(), seen: Mutex::default() }
    }
}

impl Provider for Recorder {
    fn name(&self) -> &'static str {
        self.provider.name()
    }

    fn model(&self) -> &str {
        self.provider.model()
    }

    fn context_window(&self) -> Option<u32> {
        self.provider.context_window()
    }

    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError> {
        let completion = self.provider.complete(request, call)?;
        let key = request.key();
        // Held while writing: two equal requests at once must both be recorded.
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let again = !seen.insert(key.clone());
        let earlier = if again { Recording::read(&self.dir, &key)? } else { None };
        let mut recording = earlier.unwrap_or_else(|| Recording {
            key,
            path: call.path.to_owned(),
            format: request.format.clone(),
            replies: Vec::new(),
        });
        let mut reply = RecordedReply::from(&completion);
        // Of a file the gates say what becomes of it: it may be one that the base has, or that the person permits.
        if Format::from_name(&request.format).is_none() && !check::secrets(&reply.text).is_empty() {
            reply.text = Mask::of([reply.text.as_str()]).apply(&reply.text).into_owned();
            reply.masked = true;
        }
        recording.replies.push(reply);
        recording.write(&self.dir)?;
        Ok(completion)
    }
}
