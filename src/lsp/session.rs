//! One server that runs: what it is told, and the wait for what it says. How it is asked for diagnostics is `ask`'s.

use super::frame::{Frames, TooLong};
use super::message::{Fault, Message, answer, notification, request};
use super::reported::Encoding;
use super::server::{Place, Server};
use super::{answers, shown, uri};
use crate::process::{Command, Dialogue, Heard, Interrupt, Temporary};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A server that leaves more than this unread does not listen.
const MOST_UNREAD: usize = 64 << 20;

/// Until when to wait, and what ends the wait before.
#[derive(Clone, Copy)]
pub(super) struct Wait<'a> {
    pub deadline: Instant,
    pub interrupt: &'a Interrupt,
}

/// The number of a request, and its answer.
type Answered = (u64, Result<Value, Fault>);

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    Interrupted,
    /// The deadline came first.
    Late,
    /// It has ended, or talks so that nobody can listen.
    Lost(String),
    /// It answers, but not what it was asked for.
    Refused(String),
}

/// A document as the server has it.
pub(super) struct Document {
    /// Which of the texts that are shown it is: [`shown::Shown`].
    pub revision: u64,
    pub version: i32,
    /// How many changes the server had been told of when it was told of this text.
    pub moment: u64,
    /// What it has published for exactly this version.
    pub published: Option<Vec<Value>>,
}

/// The server. Dropped, it is killed with all that it has started.
pub(super) struct Session {
    pub(super) server: &'static Server,
    dialogue: Dialogue,
    frames: Frames,
    root: PathBuf,
    settings: Value,
    /// The number of the next request.
    next: u64,
    is_initialized: bool,
    /// What it has said of itself last: that it is ready, or why it knows too little to judge.
    ready: Option<Result<(), String>>,
    pub(super) encoding: Encoding,
    /// It can be pulled from, under this name (`null`: without one).
    pub(super) pulls_as: Option<Value>,
    /// By their paths below the root.
    pub(super) documents: BTreeMap<String, Document>,
    /// No version is given twice, even to a document that was closed.
    last_version: i32,
    /// How many changes it has been told of.
    pub(super) moment: u64,
    /// It has answered: from now on it is quick.
    pub(super) is_warm: bool,
    /// Its own, removed after it has ended.
    _private: Temporary,
}

/// The number of the first request.
const INITIALIZE: u64 = 1;

impl Session {
    /// Starts a server and greets it, without waiting for an answer.
    pub fn start(
        place: &Place,
        server: &'static Server,
        make: impl FnOnce(&Path) -> std::io::Result<Command>,
    ) -> Result<Session, Trouble> {
        let failed = |error: std::io::Error| Trouble::Lost(format!("cannot start '{}': {error}", server.program));
        let private = Temporary::new().map_err(failed)?;
        let dialogue = make(private.path()).and_then(Command::dialogue).map_err(failed)?;
        let mut session = Session {
            server,
            dialogue,
            frames: Frames::default(),
            root: place.root.to_owned(),
            settings: (server.settings)(place),
            next: INITIALIZE,
            is_initialized: false,
            ready: None,
            encoding: Encoding::Utf16,
            pulls_as: None,
            documents: BTreeMap::new(),
            last_version: 0,
            moment: 0,
            is_warm: false,
            _private: private,
        };
        let options = (server.options)(place).unwrap_or_default();
        session.request("initialize", &shown::greeting(place.root, &options, &session.folders()));
        Ok(session)
    }

    fn folders(&self) -> Value {
        json!([{"uri": uri::of(&self.root), "name": self.root.file_name().unwrap_or_default().to_string_lossy()}])
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn uri(&self, path: &str) -> String {
        uri::of(&self.root.join(path))
    }

    /// Sends a request, and returns its number.
    pub fn request(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.dialogue.say(&request(id, method, params));
        id
    }

    pub fn notify(&mut self, method: &str, params: &Value) {
        self.dialogue.say(&notification(method, params));
    }

    pub fn new_version(&mut self) -> i32 {
        self.last_version = self.last_version.saturating_add(1);
        self.last_version
    }

    /// Waits until it can be asked.
    pub fn ready(&mut self, wait: Wait) -> Result<(), Trouble> {
        if !self.is_initialized {
            let result = self.answer_to(INITIALIZE, wait)?.map_err(|fault| Trouble::Lost(fault.to_string()))?;
            let capability = |name: &str| result.pointer(&format!("/capabilities/{name}")).cloned();
            let encoding = capability("positionEncoding");
            self.encoding = Encoding::named(encoding.as_ref().and_then(Value::as_str));
            if let Some(pulls) = capability("diagnosticProvider").filter(|pulls| pulls.is_object()) {
                self.pulls_as = Some(pulls.get("identifier").cloned().unwrap_or_default());
            }
            self.is_initialized = true;
            self.notify("initialized", &json!({}));
            let settings = self.settings.clone();
            self.notify("workspace/didChangeConfiguration", &json!({"settings": settings}));
        }
        while self.server.says_when_ready {
            match &self.ready {
                Some(ready) => return ready.clone().map_err(Trouble::Refused),
                None => drop(self.step(wait)?),
            }
        }
        Ok(())
    }

    /// Waits for the answer to the request of this number.
    pub fn answer_to(&mut self, number: u64, wait: Wait) -> Result<Result<Value, Fault>, Trouble> {
        loop {
            match self.step(wait)? {
                Some((id, result)) if id == number => return Ok(result),
                // One that nobody waits for any more, or ever did.
                _ => {}
            }
        }
    }

    /// Waits for the next message, and does what it asks for. An answer is returned.
    pub fn step(&mut self, wait: Wait) -> Result<Option<Answered>, Trouble> {
        loop {
            match self.frames.next() {
                Err(TooLong) => return Err(Trouble::Lost("it sends messages without end".to_owned())),
                Ok(Some(body)) => match Message::read(&body) {
                    Some(Message::Answer { id, result }) => return Ok(Some((id, result))),
                    Some(Message::Notification { method, params }) => {
                        self.heed(&method, params);
                        return Ok(None);
                    }
                    Some(Message::Request { id, method, params }) => {
                        self.oblige(&id, &method, &params);
                        return Ok(None);
                    }
                    None => {}
                },
                Ok(None) if self.dialogue.unsaid() > MOST_UNREAD => {
                    return Err(Trouble::Lost("it does not read what it is told".to_owned()));
                }
                Ok(None) => match self.dialogue.hear(&mut self.frames.heard, wait.deadline, wait.interrupt) {
                    Heard::Words => {}
                    Heard::Nothing => return Err(Trouble::Late),
                    Heard::Interrupted => return Err(Trouble::Interrupted),
                    Heard::End => return Err(Trouble::Lost(self.last_words())),
                },
            }
        }
    }

    fn last_words(&self) -> String {
        let said = String::from_utf8_lossy(self.dialogue.complaints()).into_owned();
        match said.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("it ended: {}", line.trim().chars().take(200).collect::<String>()),
            None => "it ended".to_owned(),
        }
    }

    fn heed(&mut self, method: &str, mut params: Value) {
        match method {
            "textDocument/publishDiagnostics" => {
                let version = params.get("version").and_then(Value::as_i64);
                let items = params.get_mut("diagnostics").map(Value::take);
                let file = params.get("uri").and_then(Value::as_str).and_then(uri::path);
                let path = file.as_deref().and_then(|file| file.strip_prefix(&self.root).ok()?.to_str());
                let document = path.and_then(|path| self.documents.get_mut(path));
                if let (Some(document), Some(Value::Array(items))) = (document, items)
                    && version == Some(i64::from(document.version))
                {
                    document.published = Some(items);
                }
            }
            "experimental/serverStatus" => {
                let text = |name: &str| params.get(name).and_then(Value::as_str);
                let quiescent = params.get("quiescent").and_then(Value::as_bool) == Some(true);
                // Without the sources of a standard library it calls right code wrong.
                self.ready = quiescent.then(|| match text("health") {
                    None | Some("ok") => Ok(()),
                    Some(_) => Err(text("message").unwrap_or("it does not know the whole project").to_owned()),
                });
            }
            _ => {}
        }
    }

    fn oblige(&mut self, id: &Value, method: &str, params: &Value) {
        let registrations =
            params.get("registrations").and_then(Value::as_array).filter(|_| method == "client/registerCapability");
        for registration in registrations.into_iter().flatten() {
            if registration.get("method").and_then(Value::as_str) == Some("textDocument/diagnostic") {
                self.pulls_as = Some(registration.pointer("/registerOptions/identifier").cloned().unwrap_or_default());
            }
        }
        let result = answers::to(method, params, &self.settings, &self.folders());
        self.dialogue.say(&answer(id, result));
    }
}
