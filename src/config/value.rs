//! One value: from a text of any layer to what its [`ValueKind`] says it is.
//!
//! Does not know where the text comes from; the caller names the place.

use super::registry::ValueKind;
use super::secret;
use super::verify::Verify;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Of the kinds text, word, path, list item, command, and URL (without a `/` at its end).
    Text(String),
    Count(u32),
    Duration(Duration),
    Money(f64),
    Flag(bool),
    /// A table of `verify`. A plain command line there is a text.
    Verify(Box<Verify>),
}

/// Reads `text`. The error says what is wrong with the value, as a sentence to follow `bad value for <name>:`,
/// and never quotes what may hold a secret.
pub fn parse(kind: ValueKind, text: &str) -> Result<Value, String> {
    if text.chars().any(|c| c.is_control()) {
        return Err("it holds a control character".into());
    }
    match kind {
        ValueKind::List => Ok(Value::Text(text.into())),
        // An empty item clears the list.
        ValueKind::Commands if text.trim().is_empty() => Ok(Value::Text(String::new())),
        ValueKind::Flag => {
            flag(text).map(Value::Flag).ok_or_else(|| format!("{} is not 'true' or 'false'", quoted(text)))
        }
        _ if text.trim().is_empty() => Err("it is empty".into()),
        ValueKind::Text | ValueKind::Path => Ok(Value::Text(text.into())),
        ValueKind::Word(words) => word(words, text),
        ValueKind::Count(least) => count(least, u32::MAX, text),
        ValueKind::UpTo(most) => count(0, most, text),
        ValueKind::Duration => duration(text)
            .map(Value::Duration)
            .ok_or_else(|| format!("{} is not a duration such as '120s', '30m' or '1h'", quoted(text))),
        ValueKind::Money => text
            .parse()
            .ok()
            .filter(|amount: &f64| amount.is_finite() && *amount >= 0.0)
            .map(Value::Money)
            .ok_or_else(|| format!("{} is not an amount of US dollars such as '2' or '0.50'", quoted(text))),
        ValueKind::Url => url(text).map(Value::Text),
        ValueKind::Command | ValueKind::Commands => command(text).map(Value::Text),
    }
}

/// `'text'`, cut to a sensible length, or a word for it when it looks like a secret.
pub(super) fn quoted(text: &str) -> String {
    if secret::looks_like_key(text) {
        return "the value".into();
    }
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("'{}…'", &text[..at]),
        None => format!("'{text}'"),
    }
}

/// As git reads a boolean.
fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" | "" => Some(false),
        _ => None,
    }
}

fn word(words: &[&str], text: &str) -> Result<Value, String> {
    if words.contains(&text) {
        return Ok(Value::Text(text.into()));
    }
    let listed = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
    Err(format!("{} is none of {listed}", quoted(text)))
}

fn count(least: u32, most: u32, text: &str) -> Result<Value, String> {
    match text.parse::<u32>() {
        Ok(count) if (least..=most).contains(&count) => Ok(Value::Count(count)),
        _ => Err(format!("{} is not a whole number from {least} to {most}", quoted(text))),
    }
}

fn duration(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    let milliseconds = match unit.trim_start() {
        "ms" => 1,
        "" | "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    // A time limit of nothing, or of more than a month, is a slip rather than a wish.
    let total = number.checked_mul(milliseconds)?;
    (1..=31 * 24 * 3_600_000).contains(&total).then(|| Duration::from_millis(total))
}

fn url(text: &str) -> Result<String, String> {
    let url = reqwest::Url::parse(text).map_err(|error| format!("it is not a URL: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("it is not a URL that begins with 'http://' or 'https://' and a host".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it holds a user name or password; keys come from the environment or a key command".into());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("it has a query or a fragment".into());
    }
    Ok(text.trim().trim_end_matches('/').to_owned())
}

fn command(text: &str) -> Result<String, String> {
    match shell_words::split(text) {
        Ok(argv) if argv.first().is_some_and(|program| !program.is_empty()) => Ok(text.to_owned()),
        Ok(_) => Err("it names no program".into()),
        Err(_) => Err("it has a quote that is never closed".into()),
    }
}

/// Does the URL stay on this machine? Source sent there leaves nothing, and no key is needed.
pub fn is_loopback(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else { return false };
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}
