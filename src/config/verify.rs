//! [`Verify`]: a command that judges what a run has made. It stands on a line of its own (`--verify`, `implement.verify`), or
//! is a table with more to say: `[[verify]]` in the repository's file, `implement.verify.<name>.<field>` in git's
//! configuration.

use super::file::{kind_of, texts};
use super::registry::{self, ValueKind};
use super::setting::Origin;
use super::value::{self, Value};
use super::words::VerifyWhen;
use crate::finding::Finding;
use crate::path::Excluded;
use std::time::Duration;
use toml_edit::Item;

/// A test suite says something more often than that.
const SILENCE: Duration = Duration::from_secs(10 * 60);
const TOTAL: Duration = Duration::from_secs(60 * 60);

/// A command that must end with status 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Verify {
    /// Program and arguments. Never empty.
    pub command: Vec<String>,
    /// The line that it was split from.
    pub text: String,
    pub when: VerifyWhen,
    /// The longest silence.
    pub silence: Duration,
    /// The longest time in all.
    pub total: Duration,
    /// Globs that are known to be some. Ask [`Verify::concerns`].
    pub paths: Vec<String>,
    /// A formatter: it may change planned files.
    pub fixes: bool,
    /// It may use the network.
    pub network: bool,
    /// Who said it.
    pub by: Origin,
}

impl Verify {
    /// One that says nothing more. `None` for a line that names no program, or has an open quote.
    pub fn of_line(line: &str, by: Origin) -> Option<Verify> {
        let command = shell_words::split(line).ok().filter(|command| !command.is_empty())?;
        Some(Verify {
            command,
            text: line.trim().to_owned(),
            when: VerifyWhen::End,
            silence: SILENCE,
            total: TOTAL,
            paths: Vec::new(),
            fixes: false,
            network: false,
            by,
        })
    }

    /// The program, as it was named.
    pub fn program(&self) -> &str {
        self.command.first().map(String::as_str).unwrap_or_default()
    }

    /// What of the line only a shell understands, and none reads: the first of its operators that nothing quotes.
    pub fn shell_operator(&self) -> Option<&'static str> {
        const OPERATORS: [&str; 7] = ["&&", "||", "|", ";", ">", "<", "&"];
        let (mut quote, mut rest) = (None, self.text.as_str());
        while let Some(c) = rest.chars().next() {
            let operator = OPERATORS.iter().find(|operator| quote.is_none() && rest.starts_with(**operator));
            let mut read = c.len_utf8();
            match (c, quote) {
                _ if operator.is_some() => return operator.copied(),
                ('\\', None | Some('"')) => read += rest.chars().nth(1).map_or(0, char::len_utf8),
                ('\'' | '"', None) => quote = Some(c),
                (_, Some(open)) if c == open => quote = None,
                _ => {}
            }
            rest = rest.get(read..).unwrap_or_default();
        }
        None
    }

    /// Is it about one of these files? Without globs it is about all.
    pub fn concerns<'a>(&self, mut files: impl Iterator<Item = &'a str>) -> bool {
        let globs = Excluded::of(self.paths.iter().map(String::as_str)).unwrap_or_default();
        self.paths.is_empty() || files.any(|file| globs.has(file))
    }

    /// Takes in a field of its table.
    fn set(&mut self, field: &str, value: Value) {
        match (field, value) {
            ("when", Value::Text(word)) => self.when = VerifyWhen::from_word(&word).unwrap_or(self.when),
            ("silence", Value::Duration(most)) => self.silence = most,
            ("total", Value::Duration(most)) => self.total = most,
            ("paths", Value::Text(glob)) => self.paths.push(glob),
            ("fixes", Value::Flag(flag)) => self.fixes = flag,
            ("network", Value::Flag(flag)) => self.network = flag,
            _ => {}
        }
    }
}

/// The fields of a table.
const FIELDS: &[(&str, ValueKind)] = &[
    ("command", ValueKind::Command),
    ("when", ValueKind::Word(VerifyWhen::WORDS)),
    ("silence", ValueKind::Duration),
    ("total", ValueKind::Duration),
    ("paths", ValueKind::List),
    ("fixes", ValueKind::Flag),
    ("network", ValueKind::Flag),
];

/// What is wrong with a table.
#[derive(Debug)]
pub(super) enum Wrong {
    UnknownField(String),
    /// A field, and what is wrong with its value.
    Value(&'static str, String),
    NoCommand,
}

/// `place`: where the table is, as in `in '[[verify]]'`.
pub(super) fn finding(wrong: Wrong, place: &str) -> Finding {
    match wrong {
        Wrong::UnknownField(name) => {
            let finding = Finding::error("config-unknown-key", format!("unknown key '{name}' {place}"));
            match registry::closest(&name, FIELDS.iter().map(|(field, _)| *field)) {
                Some(near) => finding.hint(format!("did you mean '{near}'?")),
                None => finding.hint("the keys are command, when, silence, total, paths, fixes and network"),
            }
        }
        Wrong::Value(field, problem) => {
            Finding::error("config-value", format!("bad value for '{field}' {place}: {problem}"))
        }
        Wrong::NoCommand => Finding::error("config-value", format!("there is no command {place}"))
            .hint("it looks like command = \"pytest -q\""),
    }
}

/// A field as it was written: its values, or what is wrong with it.
type Written<'a> = (&'a str, Box<dyn Fn(ValueKind) -> Result<Vec<String>, String> + 'a>);

/// A table of the repository's file.
pub(super) fn table<'a>(fields: impl Iterator<Item = (&'a str, &'a Item)>, by: Origin) -> Result<Verify, Wrong> {
    let field = |(name, item): (&'a str, &'a Item)| -> Written<'a> {
        let read =
            move |kind| texts(kind, item).map_err(|wanted| format!("it must be {wanted}, not {}", kind_of(item)));
        (name, Box::new(read))
    };
    read(fields.map(field), by)
}

/// A table of git's configuration: its fields in order, `None` for one without a value.
pub(super) fn section<'a>(
    fields: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    by: Origin,
) -> Result<Verify, Wrong> {
    let field = |(name, text): (&'a str, Option<&'a str>)| -> Written<'a> {
        let read = move |kind| match text {
            None if kind == ValueKind::Flag => Ok(vec!["true".to_owned()]),
            None => Err("it has no value".to_owned()),
            Some(text) => Ok(vec![text.to_owned()]),
        };
        (name, Box::new(read))
    };
    read(fields.map(field), by)
}

fn read<'a>(fields: impl Iterator<Item = Written<'a>>, by: Origin) -> Result<Verify, Wrong> {
    let (mut command, mut others) = (None, Vec::new());
    for (name, texts) in fields {
        let known = FIELDS.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
        let (field, kind) = known.ok_or_else(|| Wrong::UnknownField(name.to_owned()))?;
        for text in texts(*kind).map_err(|problem| Wrong::Value(field, problem))? {
            match value::parse(*kind, &text).map_err(|problem| Wrong::Value(field, problem))? {
                Value::Text(line) if *field == "command" => command = Some(line),
                value => others.push((*field, value)),
            }
        }
    }
    let mut verify = command.and_then(|line| Verify::of_line(&line, by)).ok_or(Wrong::NoCommand)?;
    others.into_iter().for_each(|(field, value)| verify.set(field, value));
    Excluded::of(verify.paths.iter().map(String::as_str))
        .map_err(|(glob, why)| Wrong::Value("paths", format!("{} is no glob: {why}", value::quoted(&glob))))?;
    Ok(verify)
}
