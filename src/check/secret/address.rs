//! Passwords in addresses: `postgres://user:password@host`.

use super::made_up::{is_made_up, is_random};
use super::rules::Certainty;
use std::ops::Range;

/// Bytes of a user's name and password.
const MOST: usize = 200;

/// The password of the address whose `://` is at `hit`, unless it is an example.
pub(super) fn password(text: &str, hit: &Range<usize>) -> Option<(Range<usize>, Certainty)> {
    let bytes = text.as_bytes();
    let after = bytes.get(hit.end..)?;
    let length = after.iter().take(MOST).position(|byte| !in_user(*byte))?;
    if after.get(length) != Some(&b'@') || !bytes.get(hit.start.checked_sub(1)?)?.is_ascii_alphanumeric() {
        return None;
    }
    let (user, password) = text.get(hit.end..hit.end + length)?.split_once(':')?;
    let host = text.get(hit.end + length + 1..)?;
    let host =
        host.get(..host.find(|c: char| !c.is_ascii_alphanumeric() && !"-._".contains(c)).unwrap_or(host.len()))?;
    let start = hit.end + user.len() + 1;
    let found = !is_reserved(host) && (is_random(password) || is_odd(user, password, host));
    found.then(|| (start..start + password.len(), Certainty::Likely))
}

/// What may stand before the `@`. Templates have other characters.
fn in_user(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&*+=:%^#".contains(&byte)
}

/// Hosts that are nobody's, or this machine.
fn is_reserved(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    const OWN: &[&str] = &["localhost", "127.", "0.0.0.0", "10.0.", "192.168.", "1.2.3.4"];
    const NOBODYS: &[&str] = &["example", "test", "invalid", "localhost", "domain", "foo", "bar"];
    host.is_empty()
        || OWN.iter().any(|own| host.starts_with(own))
        || host.split('.').any(|part| NOBODYS.contains(&part) || part.starts_with("example"))
}

/// A password that is not random, and none of those that examples have: beside a host with a name of its own.
fn is_odd(user: &str, password: &str, host: &str) -> bool {
    let has = |is: fn(&u8) -> bool| password.bytes().any(|byte| is(&byte));
    let kinds = [has(u8::is_ascii_digit), has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase)];
    const WORDS: &[&str] =
        &["pass", "pwd", "pw", "token", "guest", "admin", "root", "test", "user", "foo", "bar", "p4ss", "p@ss", "key"];
    let lower = password.to_ascii_lowercase();
    host.contains('.')
        && password.len() >= 8
        && kinds.into_iter().filter(|has| *has).count() >= 2
        && !lower.contains(&user.to_ascii_lowercase())
        && !password.starts_with(['$', '%', '*'])
        && !password.contains("%2") // an address within an address
        && !WORDS.iter().any(|word| lower.contains(word))
        && !is_made_up(password)
}
