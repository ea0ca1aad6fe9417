//! The reader: a record as whoever goes on with it wants to know it.

use super::{DESIGN, EVENTS, Entry, HEADER, Header, SCHEMA, Spent};
use crate::event::Event;
use crate::exit::ExitCode;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The record of a run that is not published, in its folder.
#[derive(Debug, Clone)]
pub struct RunRecord {
    pub folder: PathBuf,
    pub header: Header,
    pub entries: Vec<Entry>,
}

impl RunRecord {
    /// Reads the record in `folder`. A last entry whose writing was cut short is left out.
    ///
    /// # Errors
    /// If there is no record, if it is of another schema, or damaged.
    pub fn open(folder: &Path) -> io::Result<RunRecord> {
        let header = read(folder, HEADER)?;
        let broken = |error: serde_json::Error| wrong(format!("'{HEADER}' is damaged: {error}"));
        let schema: serde_json::Value = serde_json::from_slice(&header).map_err(broken)?;
        match schema["schema"].as_u64() {
            Some(schema) if schema == u64::from(SCHEMA) => {}
            Some(schema) => {
                return Err(wrong(format!("its schema is {schema}, and this program goes on with {SCHEMA}")));
            }
            None => return Err(wrong("it does not say its schema".to_owned())),
        }
        let header = serde_json::from_slice(&header).map_err(broken)?;
        let events = String::from_utf8(read(folder, EVENTS)?);
        let events = events.map_err(|_| wrong(format!("'{EVENTS}' is damaged: it is no text")))?;
        let whole = events.split_inclusive('\n').filter(|line| line.ends_with('\n')).enumerate();
        let entry = |(at, line)| {
            Entry::from_line(line).map_err(|error| wrong(format!("'{EVENTS}' is damaged in line {}: {error}", at + 1)))
        };
        let entries = whole.map(entry).collect::<Result<Vec<Entry>, _>>()?;
        Ok(RunRecord { folder: folder.to_owned(), header, entries })
    }

    /// The design as it was read.
    pub fn design(&self) -> io::Result<Vec<u8>> {
        read(&self.folder, DESIGN)
    }

    /// How the run ended; `None` if it was killed, or goes on.
    pub fn ended(&self) -> Option<ExitCode> {
        self.entries.iter().rev().find_map(|entry| match &entry.event {
            Event::RunFinished { status, .. } => Some(*status),
            _ => None,
        })
    }

    /// What the run has used, with the runs that it goes on from.
    pub fn spent(&self) -> Spent {
        let mut spent = self.own_spent();
        spent.add(self.header.earlier.usage, self.header.earlier.cost);
        spent
    }

    /// What the run has used alone.
    pub fn own_spent(&self) -> Spent {
        let mut spent = Spent::default();
        for entry in &self.entries {
            match &entry.event {
                Event::Replied { usage, cost, .. } | Event::Retrying { usage, cost, .. } => spent.add(*usage, *cost),
                _ => {}
            }
        }
        spent
    }

    /// Requests that nothing came of: one that was interrupted or killed may have been paid for all the same.
    pub fn unanswered(&self) -> usize {
        let count = |is: fn(&Event) -> bool| self.entries.iter().filter(|entry| is(&entry.event)).count();
        let replied = count(|event| matches!(event, Event::Replied { .. }));
        count(|event| matches!(event, Event::Asked { .. })).saturating_sub(replied)
    }

    /// Files that the run was to make.
    pub fn files(&self) -> usize {
        let of = |entry: &Entry| match &entry.event {
            Event::RunStarted { files, .. } => Some(*files),
            _ => None,
        };
        self.entries.iter().find_map(of).unwrap_or_default()
    }

    /// The files that were accepted, with the keys of the requests for each in the order of its attempts. One that several
    /// steps make is not among them.
    pub fn accepted(&self) -> BTreeMap<String, Vec<String>> {
        let (mut accepted, mut started): (BTreeMap<String, Vec<String>>, BTreeMap<&str, usize>) = Default::default();
        let mut keys = Vec::new();
        for entry in &self.entries {
            match &entry.event {
                Event::FileStarted { path, .. } => {
                    keys.clear();
                    *started.entry(path).or_default() += 1;
                }
                Event::Asked { key, .. } => keys.push(key.clone()),
                Event::FileFinished { path, .. } if !keys.is_empty() => {
                    accepted.insert(path.clone(), std::mem::take(&mut keys));
                }
                _ => {}
            }
        }
        accepted.retain(|path, _| started.get(path.as_str()) == Some(&1));
        accepted
    }
}

fn wrong(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// A file of the record. What is no file, as a pipe that somebody has put there, is never opened.
fn read(folder: &Path, name: &str) -> io::Result<Vec<u8>> {
    let path = folder.join(name);
    let said = |error: io::Error| io::Error::new(error.kind(), format!("cannot read '{name}': {error}"));
    if !fs::symlink_metadata(&path).map_err(said)?.is_file() {
        return Err(wrong(format!("'{name}' is no file")));
    }
    fs::read(&path).map_err(said)
}
