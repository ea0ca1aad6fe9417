//! Recorded replies instead of a model, or before it: the same request gets the same answer, offline and for nothing.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::recording::{RecordedReply, Recording};
use super::{Call, Entry, Provider, ProviderError, Settings, Taken, clean};
use crate::event::Progress;
use crate::model::{Completion, Request, Usage};

pub(super) const ENTRY: Entry = Entry {
    name: "replay",
    base: "",
    summary: "replies that --record has written",
    open: |settings| Ok(Box::new(Replay::new(settings)?)),
};

struct Replay {
    dir: PathBuf,
    model: String,
    /// See [`Settings::taken`].
    taken: Taken,
    /// How many replies to a request were given already: tries of one request are answered in recorded order.
    used: Mutex<HashMap<String, usize>>,
}

/// Answers what is recorded and was not refused, and asks the provider for the rest. What is answered so costs nothing.
struct Beside {
    recorded: Replay,
    provider: Box<dyn Provider>,
}

/// The provider, with the recorded replies of the settings before it.
pub(super) fn beside(provider: Box<dyn Provider>, settings: &Settings) -> Result<Box<dyn Provider>, ProviderError> {
    Ok(Box::new(Beside { recorded: Replay::new(settings)?, provider }))
}

impl Provider for Beside {
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
        if call.interrupt.is_set() {
            return Err(ProviderError::Interrupted);
        }
        // What cannot be read is asked for again.
        let wanted = |reply: &RecordedReply| !reply.refused && !reply.masked;
        match self.recorded.answer(&request.key(), call, wanted).unwrap_or_default() {
            Some(reply) => {
                (call.progress)(Progress::Text(&reply.text));
                Ok(Completion { usage: Usage::default(), ..Completion::from(&reply) })
            }
            None => self.provider.complete(request, call),
        }
    }
}

impl Replay {
    /// What is recorded for the request with this key, or else is taken for its answer.
    fn answer(
        &self,
        key: &str,
        call: &Call,
        wanted: fn(&RecordedReply) -> bool,
    ) -> Result<Option<RecordedReply>, ProviderError> {
        let attempt = usize::try_from(call.attempt).unwrap_or(usize::MAX);
        let taken = self.taken.get(call.path).and_then(|keys| keys.get(attempt.wrapping_sub(1)));
        match (self.next(key, wanted)?, taken) {
            (None, Some(key)) => self.next(key, wanted),
            (reply, _) => Ok(reply),
        }
    }

    /// The next recorded reply of those that are `wanted`.
    fn next(&self, key: &str, wanted: fn(&RecordedReply) -> bool) -> Result<Option<RecordedReply>, ProviderError> {
        let recording = Recording::read(&self.dir, key)?;
        let mut replies = recording.into_iter().flat_map(|recording| recording.replies).filter(wanted);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let count = used.entry(key.to_owned()).or_default();
        let reply = replies.nth(*count);
        *count += usize::from(reply.is_some());
        Ok(reply)
    }

    fn used(&self, key: &str) -> usize {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied().unwrap_or(0)
    }

    fn new(settings: &Settings) -> Result<Self, ProviderError> {
        let dir = settings.replay.clone().ok_or_else(|| {
            ProviderError::configuration("no recorded replies to answer with", "name their folder: --replay <dir>")
        })?;
        if !dir.is_dir() {
            let message = format!("no folder of recorded replies at '{}'", clean::line(&dir.to_string_lossy()));
            return Err(ProviderError::configuration(message, "make one with --record <dir>"));
        }
        let model = settings.model.clone().unwrap_or_else(|| "recorded".to_owned());
        Ok(Replay { dir, model, taken: settings.taken.clone(), used: Mutex::default() })
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
        let Some(reply) = self.answer(&key, call, |reply| !reply.masked)? else {
            let (dir, path, used) = (self.dir.clone(), clean::line(call.path), self.used(&key));
            let recorded = Recording::read(&dir, &key)?;
            let masked = recorded.is_some_and(|recording| recording.replies.iter().any(|reply| reply.masked));
            return Err(ProviderError::NotRecorded { key, dir, path, used, masked });
        };
        (call.progress)(Progress::Text(&reply.text));
        Ok(Completion::from(&reply))
    }
}
