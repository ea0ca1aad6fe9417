//! What a server is shown: how it is greeted, and the documents that are open, kept in step with the texts that count.

use super::session::{Document, Session};
use super::uri;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// A longer file is not shown as it is on disk.
const MOST_TEXT: u64 = 16 << 20;

/// The texts that count for a server's files, whatever is on disk, and what it is to be told of files on disk.
#[derive(Default)]
pub(super) struct Shown {
    /// By their paths below the root, with a number that is new for every new text.
    texts: BTreeMap<String, (u64, String)>,
    revision: u64,
    /// Files on disk that were written (true) or deleted, and that it was not told of yet.
    events: Vec<(String, bool)>,
}

impl Shown {
    /// From now on this is the text of the file.
    pub fn show(&mut self, path: &str, text: &str) {
        if self.texts.get(path).is_none_or(|(_, known)| known != text) {
            self.revision += 1;
            self.texts.insert(path.to_owned(), (self.revision, text.to_owned()));
        }
    }

    /// From now on what is on disk is the text of the file.
    pub fn hide(&mut self, path: &str) {
        self.texts.remove(path);
    }

    /// A file on disk has this text now, or is gone.
    pub fn changed(&mut self, path: &str, text: Option<&str>) {
        match text {
            Some(text) if self.texts.contains_key(path) => self.show(path, text),
            Some(_) => {}
            None => self.hide(path),
        }
        self.events.push((path.to_owned(), text.is_some()));
    }

    /// Tells the server of all that is different, last of `path`: others must have been heard of when that is looked at.
    pub fn tell(&mut self, session: &mut Session, path: &str) {
        let closed: Vec<String> =
            session.documents.keys().filter(|open| !self.texts.contains_key(*open)).cloned().collect();
        closed.iter().for_each(|path| session.close(path));
        for (other, (revision, text)) in self.texts.iter().filter(|(other, _)| *other != path) {
            session.tell(other, *revision, text);
        }
        if !self.events.is_empty() {
            session.tell_of_files(&std::mem::take(&mut self.events));
        }
        if let Some((revision, text)) = self.texts.get(path) {
            session.tell(path, *revision, text);
        }
    }

    /// Nothing of what it was told before is known to a server that begins anew; what is on disk it sees by itself.
    pub fn begin_anew(&mut self) {
        self.events.clear();
    }
}

impl Session {
    /// Opens a document with its text, or changes it.
    fn tell(&mut self, path: &str, revision: u64, text: &str) {
        match self.documents.get(path) {
            Some(document) if document.revision == revision => {}
            Some(_) => self.change(path, revision, text),
            None => {
                // Files that import it are looked at again only if it is opened as it is on disk, and then changed.
                let on_disk = self.on_disk(path);
                self.open(path, revision, on_disk.as_deref().unwrap_or(text));
                if on_disk.is_some_and(|on_disk| on_disk != text) {
                    self.change(path, revision, text);
                }
            }
        }
    }

    /// Sends a text under a new version, be it the one that counts or not.
    pub(super) fn retell(&mut self, path: &str, text: &str) {
        if let Some(revision) = self.documents.get(path).map(|document| document.revision) {
            self.change(path, revision, text);
        }
    }

    /// Closes a document and opens it again, under a new version: it is judged anew.
    pub(super) fn renew(&mut self, path: &str, text: &str) {
        if let Some(revision) = self.documents.get(path).map(|document| document.revision) {
            self.close(path);
            self.open(path, revision, text);
        }
    }

    fn open(&mut self, path: &str, revision: u64, text: &str) {
        let version = self.note(path, revision);
        let language = self.server.language(path).unwrap_or_default();
        let document = json!({"uri": self.uri(path), "languageId": language, "version": version, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
    }

    fn change(&mut self, path: &str, revision: u64, text: &str) {
        let version = self.note(path, revision);
        let document = json!({"uri": self.uri(path), "version": version});
        self.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": [{"text": text}]}));
    }

    fn close(&mut self, path: &str) {
        self.documents.remove(path);
        self.moment += 1;
        let document = json!({"uri": self.uri(path)});
        self.notify("textDocument/didClose", &json!({"textDocument": document}));
    }

    fn note(&mut self, path: &str, revision: u64) -> i32 {
        let version = self.new_version();
        self.moment += 1;
        let document = Document { revision, version, moment: self.moment, published: None };
        self.documents.insert(path.to_owned(), document);
        version
    }

    /// Whether a file is new or was there before is nothing that we know: both are said.
    fn tell_of_files(&mut self, events: &[(String, bool)]) {
        const CREATED: u8 = 1;
        const CHANGED: u8 = 2;
        const DELETED: u8 = 3;
        let of = |(path, written): &(String, bool)| {
            let uri = self.uri(path);
            let kinds = if *written { vec![CREATED, CHANGED] } else { vec![DELETED] };
            kinds.into_iter().map(move |kind| json!({"uri": uri, "type": kind}))
        };
        let changes: Vec<Value> = events.iter().flat_map(of).collect();
        self.moment += 1;
        self.notify("workspace/didChangeWatchedFiles", &json!({"changes": changes}));
    }

    /// The text of a file; nothing of what a link leads to.
    fn on_disk(&self, path: &str) -> Option<String> {
        let file = self.root().join(path);
        let data = file.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        if data.len() > MOST_TEXT {
            return None;
        }
        let mut text = String::new();
        std::fs::File::open(&file).ok()?.take(MOST_TEXT).read_to_string(&mut text).ok()?;
        Some(text)
    }
}

/// What a server is told about us: what we can do, and nothing that we cannot.
pub(super) fn greeting(root: &Path, options: &Value, folders: &Value) -> Value {
    json!({
        // Not ours: in a sandbox it means another process, or none, and many end when they do not find it.
        "processId": null,
        "clientInfo": {"name": "git-implement", "version": env!("CARGO_PKG_VERSION")},
        "rootUri": uri::of(root),
        "rootPath": root.to_string_lossy(),
        "workspaceFolders": folders,
        "initializationOptions": options,
        "capabilities": {
            "general": {"positionEncodings": ["utf-8", "utf-16"]},
            "textDocument": {
                "synchronization": {"didSave": true},
                // Related places would otherwise be written into the message.
                "publishDiagnostics": {"versionSupport": true, "relatedInformation": true},
                // pyright can be pulled from only if it may say so later.
                "diagnostic": {"dynamicRegistration": true, "relatedDocumentSupport": false},
            },
            "workspace": {
                "configuration": true,
                "workspaceFolders": true,
                "didChangeWatchedFiles": {"dynamicRegistration": true},
            },
            "window": {"workDoneProgress": false},
            "experimental": {"serverStatusNotification": true},
        },
    })
}
