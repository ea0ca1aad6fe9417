//! The writer: a sink for the events of a run, which files requests as they are made.

use super::announced::Announced;
use super::{DESIGN, EVENTS, Entry, Filed, HEADER, Header, PLAN, SCHEMA};
use crate::event::{Event, Sink};
use crate::model::{Block, Request};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a run record into a folder.
pub struct Transcript {
    folder: PathBuf,
    header: Header,
    events: File,
    /// Entries that were written.
    written: u64,
    requests: usize,
    blocks: BTreeSet<String>,
    announced: Announced,
    /// The first write that failed. A sink cannot fail, a run without its record must.
    failed: Option<io::Error>,
}

impl Transcript {
    /// Begins the record in `folder`, which is empty or not there, and has all of the record's beginning or nothing.
    /// `documents`: path and text of what is shown beside the design.
    pub fn create(
        folder: &Path,
        header: &Header,
        design: &[u8],
        plan: &Value,
        documents: &[(&str, &str)],
    ) -> io::Result<Transcript> {
        let mut draft = folder.as_os_str().to_owned();
        draft.push(".new");
        let draft = PathBuf::from(draft);
        for part in ["requests", "blocks", "replies"] {
            fs::create_dir_all(draft.join(part))?;
        }
        let mut run =
            json!({"schema": SCHEMA, "tool": {"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION")}});
        if let (Some(run), Value::Object(header)) = (run.as_object_mut(), serde_json::to_value(header)?) {
            run.extend(header);
            let shown = documents.iter().map(|(path, text)| {
                let block = name(text);
                write(&draft.join("blocks").join(&block), text.as_bytes())?;
                Ok(Filed { path: (*path).to_owned(), block })
            });
            run.insert("documents".to_owned(), serde_json::to_value(shown.collect::<io::Result<Vec<Filed>>>()?)?);
        }
        write_json(&draft.join(HEADER), &run)?;
        write_json(&draft.join(PLAN), plan)?;
        write(&draft.join(DESIGN), design)?;
        let events = File::create(draft.join(EVENTS))?;
        fs::rename(&draft, folder)?;
        let (folder, header) = (folder.to_owned(), header.clone());
        Ok(Transcript {
            folder,
            header,
            events,
            written: 0,
            requests: 0,
            blocks: BTreeSet::new(),
            announced: Announced::default(),
            failed: None,
        })
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where recorded replies go.
    pub fn replies(&self) -> PathBuf {
        self.folder.join("replies")
    }

    /// Has anything been answered? Only replies that a recorder wrote count, and those are the ones that `--replay` takes.
    pub fn has_replies(&self) -> bool {
        fs::read_dir(self.replies()).is_ok_and(|mut files| files.next().is_some())
    }

    /// Files a request, before it is sent.
    pub fn request(&mut self, path: &str, attempt: u32, key: &str, request: &Request) -> io::Result<()> {
        self.requests += 1;
        let messages = request
            .messages
            .iter()
            .map(|message| Ok(json!({"role": message.role, "content": self.names(&message.content)?})))
            .collect::<io::Result<Vec<Value>>>()?;
        let value = json!({
            "key": key, "path": path, "attempt": attempt, "format": request.format, "max_tokens": request.max_tokens, "asked_tokens": request.asked_tokens,
            "system": self.names(&request.system)?, "messages": messages,
        });
        write_json(&self.folder.join(format!("requests/{:04}.json", self.requests)), &value)
    }

    fn names(&mut self, blocks: &[Block]) -> io::Result<Vec<String>> {
        blocks
            .iter()
            .map(|block| {
                let name = name(&block.text);
                if self.blocks.insert(name.clone()) {
                    write(&self.folder.join("blocks").join(&name), block.text.as_bytes())?;
                }
                Ok(name)
            })
            .collect()
    }

    /// Every file of the record, by its name in it, with these as its last events. They are not written down: what the
    /// record is made for may still fail, and then they did not happen.
    pub fn ended_by(&mut self, last: &[&Event]) -> io::Result<Vec<(String, Vec<u8>)>> {
        self.sound()?;
        let mut files = read(&self.folder)?;
        if let Some((_, events)) = files.iter_mut().find(|(name, _)| name == EVENTS) {
            for (seq, event) in (self.written + 1..).zip(last) {
                writeln!(events, "{}", self.entry(seq, event).to_line()?)?;
            }
        }
        Ok(files)
    }

    /// For each thing that was announced and has not come, the event that says so.
    pub fn aborted(&self, reason: &str) -> Vec<Event> {
        self.announced.aborted(reason)
    }

    fn entry(&self, seq: u64, event: &Event) -> Entry {
        let at = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
        Entry { run: self.header.run.clone(), seq, at, event: event.clone() }
    }

    /// The first error of an event that could not be written.
    pub fn sound(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

impl Sink for Transcript {
    fn event(&mut self, event: &Event) {
        if self.failed.is_some() || matches!(event, Event::Streaming { .. }) {
            return;
        }
        self.announced.hear(event);
        self.written += 1;
        let line = self.entry(self.written, event).to_line().map_err(io::Error::from);
        self.failed = line.and_then(|line| writeln!(self.events, "{line}")).err();
    }
}

fn write_json(path: &Path, value: &Value) -> io::Result<()> {
    write(path, (serde_json::to_string_pretty(value)? + "\n").as_bytes())
}

/// Writes a file, whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!(".{name}"));
    fs::write(&unfinished, bytes)?;
    fs::rename(&unfinished, path)
}

/// The name of a text among the blocks.
fn name(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every file of a record, by its name in it.
fn read(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for name in [HEADER, PLAN, DESIGN, EVENTS] {
        files.push((name.to_owned(), fs::read(folder.join(name))?));
    }
    for part in ["requests", "blocks", "replies"] {
        for entry in fs::read_dir(folder.join(part))? {
            let entry = entry?;
            files.push((format!("{part}/{}", entry.file_name().to_string_lossy()), fs::read(entry.path())?));
        }
    }
    files.sort();
    Ok(files)
}
