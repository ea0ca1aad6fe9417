//! The layer of the repository's own file: TOML, every key at the top level under its plain name.
//!
//! The file is written by whoever writes the repository. Whether a key of it counts is not decided here.

use super::FILE_NAME;
use super::layer::{Given, KEY_HINT};
use super::registry::{self, KEYS, Key, ValueKind};
use super::secret;
use super::setting::Origin;
use super::value::{self, Value};
use super::verify;
use crate::finding::Finding;
use std::ops::Range;
use toml_edit::{Document, Item, Table, Value as Toml};

pub(super) fn layer(text: &str, given: &mut Vec<Given>, findings: &mut Vec<Finding>) {
    let before = findings.len();
    for (index, line) in text.lines().enumerate() {
        if secret::looks_like_key(line) {
            let finding = at(index + 1, "config-secret", format!("'{FILE_NAME}' holds what looks like an API key"));
            findings.push(finding.hint(format!("take it out, have it revoked, and {KEY_HINT}")));
        }
    }
    // No other message may quote the file now.
    if findings.len() > before {
        return;
    }
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            let message = error.message().replace('\n', ", ");
            findings.push(at(line, "config-syntax", format!("'{FILE_NAME}' is not valid TOML: {message}")));
            return;
        }
    };
    let root = document.as_table();
    for (name, item, span) in entries(root) {
        let name = name.as_str();
        let line = span.map_or(1, |span| line_of(text, span.start));
        let Some(key) = registry::find(name) else {
            findings.push(unknown(name, line));
            continue;
        };
        if let (ValueKind::Commands, Some(tables)) = (key.kind, item.as_array_of_tables()) {
            for table in tables {
                let line = table.span().map_or(line, |span| line_of(text, span.start));
                let origin = Origin::File { line };
                match verify::table(table.iter(), origin.clone()) {
                    Ok(verify) => given.push(Given { key: key.name, value: Value::Verify(Box::new(verify)), origin }),
                    Err(wrong) => {
                        findings.push(verify::finding(wrong, &format!("in '[[{name}]]'")).path(FILE_NAME).line(line))
                    }
                }
            }
            continue;
        }
        let texts = match texts(key.kind, item) {
            Ok(texts) => texts,
            Err(wanted) => {
                findings.push(at(
                    line,
                    "config-value",
                    format!("bad value for '{name}': it must be {wanted}, not {}", kind_of(item)),
                ));
                continue;
            }
        };
        for text in texts {
            match value::parse(key.kind, &text) {
                Ok(value) => given.push(Given { key: key.name, value, origin: Origin::File { line } }),
                Err(problem) => findings.push(at(line, "config-value", format!("bad value for '{name}': {problem}"))),
            }
        }
    }
}

/// The items of the top level, and those of a table in which keys of a common beginning stand (`reviewer.model`).
fn entries(root: &Table) -> Vec<(String, &Item, Option<Range<usize>>)> {
    let mut entries = Vec::new();
    for (name, item) in root.iter() {
        let span = root.key(name).and_then(|key| key.span()).or_else(|| item.span());
        let begins = |key: &Key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        match item.as_table_like().filter(|_| KEYS.iter().any(begins)) {
            Some(table) => entries.extend(table.iter().map(|(inner, item)| {
                let own = table.key(inner).and_then(|key| key.span()).or_else(|| item.span());
                (format!("{name}.{inner}"), item, own.or(span.clone()))
            })),
            None => entries.push((name.to_owned(), item, span)),
        }
    }
    entries
}

/// The item's values as text, or what it should have been.
pub(super) fn texts(kind: ValueKind, item: &Item) -> Result<Vec<String>, &'static str> {
    let value = item.as_value();
    let string = value.and_then(Toml::as_str).map(str::to_owned);
    let integer = value.and_then(Toml::as_integer).map(|number| number.to_string());
    let one = |text: Option<String>, wanted| text.map(|text| vec![text]).ok_or(wanted);
    match kind {
        ValueKind::Count(_) | ValueKind::UpTo(_) => one(integer, "a whole number"),
        ValueKind::Duration => one(string.or(integer), "a duration in quotes, such as \"120s\""),
        ValueKind::Money => {
            let float = value.and_then(Toml::as_float).map(|amount| amount.to_string());
            one(string.or(integer).or(float), "an amount of US dollars")
        }
        ValueKind::Flag => one(value.and_then(Toml::as_bool).map(|flag| flag.to_string()), "true or false"),
        ValueKind::List | ValueKind::Commands => value
            .and_then(Toml::as_array)
            .and_then(|array| array.iter().map(|item| item.as_str().map(str::to_owned)).collect())
            .or(string.map(|text| vec![text]))
            .ok_or("a list of strings"),
        ValueKind::Text | ValueKind::Word(_) | ValueKind::Url | ValueKind::Command | ValueKind::Path => {
            one(string, "a string")
        }
    }
}

pub(super) fn kind_of(item: &Item) -> &'static str {
    match item {
        Item::None => "nothing",
        Item::Table(_) | Item::Value(Toml::InlineTable(_)) => "a table",
        Item::ArrayOfTables(_) => "a list of tables",
        Item::Value(Toml::String(_)) => "a string",
        Item::Value(Toml::Integer(_)) => "a whole number",
        Item::Value(Toml::Float(_)) => "a fraction",
        Item::Value(Toml::Boolean(_)) => "true or false",
        Item::Value(Toml::Datetime(_)) => "a date",
        Item::Value(Toml::Array(_)) => "a list",
    }
}

fn unknown(name: &str, line: usize) -> Finding {
    let finding = at(line, "config-unknown-key", format!("unknown key '{name}'"));
    if secret::names_a_secret(name) {
        return finding.hint(KEY_HINT);
    }
    match registry::closest(name, KEYS.iter().map(|key: &Key| key.name)) {
        Some(near) => finding.hint(format!("did you mean '{near}'?")),
        None => finding.hint("'git implement man' lists the keys; all stand at the top level"),
    }
}

fn at(line: usize, id: &'static str, message: String) -> Finding {
    Finding::error(id, message).path(FILE_NAME).line(line)
}

fn line_of(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|b| *b == b'\n').count()
}
