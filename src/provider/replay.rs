//! Recorded replies instead of a model: the same request gets the same answer, offline and for nothing.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::recording::Recording;
use super::{Call, Entry, Provider, ProviderError, Settings, clean};
use crate::event::Progress;
use crate::model::{Completion, Request};

pub(super) const ENTRY: Entry = Entry {
    name: "replay",
    base: "",
    summary: "replies that --record has written",
    open: |settings| Ok(Box::new(Replay::new(settings)?)),
};

struct Replay {
    dir: PathBuf,
    model: String,
    /// How many replies to a request were given already: tries of one request are answered in recorded order.
    used: Mutex<HashMap<String, usize>>,
}

impl Replay {
    fn new(settings: &Settings) -> Result<Self, ProviderError> {
        let dir = settings.replay.clone().ok_or_else(|| {
            ProviderError::configuration("no recorded replies to answer with", "name their folder: --replay <dir>")
        })?;
        if !dir.is_dir() {
            let message = format!("no folder of recorded replies at '{}'", clean::line(&dir.to_string_lossy()));
            return Err(ProviderError::configuration(message, "make one with --record <dir>"));
        }
        let model = settings.model.clone().unwrap_or_else(|| "recorded".to_owned());
        Ok(Replay { dir, model, used: Mutex::default() })
    }
}

impl Provider for Replay {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError> {
        if call.interrupt.is_set() {
            return Err(ProviderError::Interrupted);
        }
        let key = request.key();
        let recording = Recording::read(&self.dir, &key)?;
        let replies = recording.map(|recording| recording.replies).unwrap_or_default();
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let count = used.entry(key.clone()).or_default();
        let Some(reply) = replies.get(*count) else {
            let (dir, path, used) = (self.dir.clone(), clean::line(call.path), *count);
            return Err(ProviderError::NotRecorded { key, dir, path, used });
        };
        *count += 1;
        (call.progress)(Progress::Text(&reply.text));
        Ok(reply.into())
    }
}
