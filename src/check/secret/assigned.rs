//! Secrets without a format of their own, which their names give away: `api_key = "…"`, `"client_secret": "…"`,
//! `DB_PASSWORD=…`, `Authorization: Bearer …`.
//!
//! A name is not enough, so the value has to be random, too: what people think of is a placeholder far more often than
//! a password.

use super::made_up::{entropy, is_random};
use super::rules::Certainty;
use std::ops::Range;

/// Parts of names, mostly without the first letter, which may be a capital one. The rarer the first four letters of each are,
/// the quicker the search is.
pub(super) const MARKS: &[&str] = &[
    "sswo", "SSWO", "sswd", "SSWD", "ssph", "_pass", "_PASS", "ecret", "ECRET", "oken", "OKEN", "pikey", "piKey",
    "PIKEY", "_key", "_KEY", "pi-key", "PI-KEY", "ccessKey", "vateKey", "ionKey", "edential", "EDENTIAL", "\"auth\"",
    "_auth=", "pwd", "PWD", "Pwd",
];
/// How a header says who asks.
pub(super) const SCHEMES: &[&str] = &["earer ", "asic "];

/// Bytes of a name on either side of its mark, of the space after it, of a value.
const NAME: usize = 48;
const SPACE: usize = 40;
const VALUE: usize = 200;

/// What a value's name says it is, and how sure that is.
pub(super) struct Assigned {
    pub range: Range<usize>,
    pub name: &'static str,
    pub certainty: Certainty,
}

/// The value that is given to the name around the mark at `hit`.
pub(super) fn value(text: &str, hit: &Range<usize>) -> Option<Assigned> {
    let bytes = text.as_bytes();
    let before = bytes[..hit.start].iter().rev().take(NAME).take_while(|byte| in_name(**byte)).count();
    let after = bytes[hit.end..].iter().take(NAME).take_while(|byte| in_name(**byte)).count();
    let name = hit.start - before..hit.end + after;
    // The name of a file.
    if name.start > 0 && bytes.get(name.start - 1) == Some(&b'/') {
        return None;
    }
    let what = kind(text.get(name.clone())?.trim_matches('"'))?;
    let range = after_name(bytes, &name)?;
    let value = text.get(range.clone())?;
    if what == Kind::Aws && is_of_aws(value) {
        return Some(Assigned { range, name: "an AWS secret access key", certainty: Certainty::Sure });
    }
    is_random(value).then_some(Assigned { range, name: what.called(), certainty: Certainty::Likely })
}

/// The credentials after the scheme at `hit`.
pub(super) fn credentials(text: &str, hit: &Range<usize>) -> Option<Assigned> {
    let bytes = text.as_bytes();
    let range = bare(bytes, hit.end)?;
    let long = range.len() >= 20 && matches!(bytes.get(hit.start.checked_sub(1)?), Some(b'B' | b'b'));
    let value = text.get(range.clone()).filter(|_| long)?;
    is_random(value).then_some(Assigned { range, name: "the credentials of a request", certainty: Certainty::Likely })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Password,
    Token,
    Key,
    Aws,
}

impl Kind {
    fn called(self) -> &'static str {
        match self {
            Kind::Password => "a password",
            Kind::Token => "a token",
            Kind::Key | Kind::Aws => "a secret key",
        }
    }
}

/// What names end with whose values are secret, in lower case and without what joins words.
const ENDS: &[(&str, Kind)] = &[
    ("secretaccesskey", Kind::Aws),
    ("awssecretkey", Kind::Aws),
    ("awssecret", Kind::Aws),
    ("password", Kind::Password),
    ("passwd", Kind::Password),
    ("passwort", Kind::Password),
    ("passphrase", Kind::Password),
    ("pwd", Kind::Password),
    ("pass", Kind::Password),
    ("secret", Kind::Key),
    ("token", Kind::Token),
    ("apikey", Kind::Key),
    ("accesskey", Kind::Key),
    ("secretkey", Kind::Key),
    ("privatekey", Kind::Key),
    ("encryptionkey", Kind::Key),
    ("signingkey", Kind::Key),
    ("authkey", Kind::Key),
    ("credential", Kind::Key),
    ("credentials", Kind::Key),
    ("auth", Kind::Token),
];
/// What may follow that: where it is valid, or how it is written.
const AFTER: &[&str] = &[
    "value",
    "string",
    "str",
    "prod",
    "production",
    "dev",
    "development",
    "staging",
    "live",
    "default",
    "base64",
    "hex",
];
/// Parts of names whose values are as random, and no secret.
const OTHERS: &[&str] = &[
    "public",
    "pubkey",
    "hash",
    "fingerprint",
    "checksum",
    "digest",
    "integrity",
    "cancel",
    "csrf",
    "xsrf",
    "page",
    "next",
    "continu",
    "sync",
    "cursor",
    "example",
    "sample",
    "dummy",
    "fake",
    "mock",
    "encrypted",
    "sealed",
    "invalid",
    "expected",
];

fn kind(name: &str) -> Option<Kind> {
    let mut plain: String = name.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    plain.truncate(plain.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    if let Some(rest) = AFTER.iter().find_map(|after| plain.strip_suffix(after)) {
        plain.truncate(rest.len());
    }
    let (_, kind) = ENDS.iter().find(|(end, _)| plain.ends_with(end))?;
    (!OTHERS.iter().any(|other| plain.contains(other))).then_some(*kind)
}

/// Forty characters of base64.
fn is_of_aws(value: &str) -> bool {
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'/' || byte == b'+';
    value.len() == 40 && value.bytes().all(base64) && entropy(value) >= 4.0 && !super::made_up::is_made_up(value)
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The value after a name, in the syntax of about any language or file of settings.
fn after_name(bytes: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let quotes = count(bytes, name.end, 4, |byte| b"\"'`])\\".contains(&byte));
    let end = name.end + quotes;
    let spaces = count(bytes, end, SPACE, is_space);
    let at = end + spaces;
    let rest = bytes.get(at..)?;
    let at = match rest {
        // A path of Rust or C++, no value.
        [b':', b':', ..] => return None,
        [b':', b'=', ..] | [b'=', b'>' | b'=', ..] | [b'?' | b'!' | b'+', b'=', ..] => at + 2,
        [b'|', b'|', b'=', ..] => at + 3,
        [b':', ..] => typed(bytes, at + 1),
        [b'=', ..] => at + 1,
        // An argument after the name in quotes; the text of an element.
        [b',', ..] if quotes > 0 => at + 1,
        [b'>', ..] if name.start.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'<') => at + 1,
        // An attribute beside that which has the name.
        [b'v', b'a', b'l', b'u', b'e', b'=', ..] if quotes > 0 && spaces > 0 => at + 6,
        [b'"' | b'\'', ..] if spaces > 0 && is_defined(bytes, name.start) => at,
        [_, ..] if spaces > 0 && is_of_login(bytes, name.start) => at,
        _ => return None,
    };
    let at = at + count(bytes, at, 1, |byte| byte == b'=');
    let at = at + count(bytes, at, SPACE, is_space);
    // The type of a string, or a call that makes something of it.
    let prefix = count(bytes, at, SPACE, |byte| byte.is_ascii_alphanumeric() || b"_:.!@&(".contains(&byte));
    let quoted = |at: usize| bytes.get(at).is_some_and(|byte| b"\"'`".contains(byte));
    let opens = prefix <= 2 || bytes.get(at + prefix - 1) == Some(&b'(');
    if opens && quoted(at + prefix) {
        return in_quotes(bytes, at + prefix);
    }
    bare(bytes, at)
}

/// After a colon: where a value begins, behind its type if it has one.
fn typed(bytes: &[u8], at: usize) -> usize {
    let length = count(bytes, at, SPACE, |byte| byte.is_ascii_alphanumeric() || b"_<>&'[]?.:| ".contains(&byte));
    let quoted = |at: usize| bytes.get(at).is_some_and(|byte| b"\"'`".contains(byte));
    let behind = at + length + 1;
    if bytes.get(at + length) == Some(&b'=')
        && (quoted(behind) || (bytes.get(behind) == Some(&b' ') && quoted(behind + 1)))
    {
        behind
    } else {
        at
    }
}

fn is_defined(bytes: &[u8], name: usize) -> bool {
    bytes[..name].ends_with(b"#define ") || bytes[..name].ends_with(b"# define ")
}

/// `login me password …`, of a `.netrc`.
fn is_of_login(bytes: &[u8], name: usize) -> bool {
    let before = bytes.get(name.saturating_sub(80)..name).unwrap_or_default();
    memchr::memmem::find(before, b"login ").is_some()
}

fn in_quotes(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let quote = *bytes.get(at)?;
    let length = count(bytes, at + 1, VALUE, |byte| byte != quote && byte != b'\n');
    (bytes.get(at + 1 + length) == Some(&quote)).then_some(at + 1..at + 1 + length)
}

/// A value without quotes, up to the first character that ends one.
fn bare(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let length = count(bytes, at, VALUE, |byte| byte.is_ascii_alphanumeric() || b"+/=_.~!@#$%^*-".contains(&byte));
    let ends = bytes.get(at + length).is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'`,;<&\\}|".contains(byte));
    (length > 0 && ends).then_some(at..at + length)
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// How many bytes from `at` on are so, at most `most`.
fn count(bytes: &[u8], at: usize, most: usize, is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().skip(at).take(most).take_while(|byte| is(**byte)).count()
}
