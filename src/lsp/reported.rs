//! Diagnostics as servers report them, with their own way to count.

use crate::diagnostic::{Diagnostic, Severity};
use serde_json::Value;

/// How a server counts the characters of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    /// By its name in the protocol, where UTF-16 is what is not said.
    pub fn named(name: Option<&str>) -> Encoding {
        match name {
            Some("utf-8") => Encoding::Utf8,
            Some("utf-32") => Encoding::Utf32,
            _ => Encoding::Utf16,
        }
    }

    fn length(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// As many of one text are kept.
const MOST: usize = 10_000;
/// As many bytes of a message are kept.
const MOST_MESSAGE: usize = 8 << 10;

/// What the protocol's `Diagnostic`s say of `text`, sorted by place. One without a place or a message is none.
pub(super) fn of_protocol(items: &[Value], text: &str, encoding: Encoding) -> Vec<Diagnostic> {
    let read = |item: &Value| {
        let start = item.get("range")?.get("start")?;
        let place = (number(start.get("line")?)?, number(start.get("character")?)?);
        // A server that does not say how bad it is leaves that to us.
        let severity = match item.get("severity").and_then(Value::as_u64) {
            Some(2) => Severity::Warning,
            Some(3) => Severity::Information,
            Some(4) => Severity::Hint,
            _ => Severity::Error,
        };
        let message = item.get("message")?;
        let message = message.as_str().or_else(|| message.get("value")?.as_str())?;
        Some((place, severity, words(message), code(item), item.get("source").and_then(Value::as_str).map(words)))
    };
    placed(items.iter().filter_map(read).take(MOST).collect(), text, encoding)
}

/// What tsserver's own diagnostics say of `text`. It counts lines and UTF-16 units from 1.
pub(super) fn of_tsserver(items: &[Value], text: &str) -> Vec<Diagnostic> {
    let read = |item: &Value| {
        let start = item.get("start")?;
        let place = (number(start.get("line")?)?.checked_sub(1)?, number(start.get("offset")?)?.checked_sub(1)?);
        let severity = match item.get("category").and_then(Value::as_str) {
            Some("error") => Severity::Error,
            Some("warning") => Severity::Warning,
            _ => Severity::Hint,
        };
        let code = item.get("code").and_then(Value::as_u64).map(|code| format!("ts{code}"));
        Some((place, severity, words(item.get("text")?.as_str()?), code, Some("typescript".to_owned())))
    };
    placed(items.iter().filter_map(read).take(MOST).collect(), text, Encoding::Utf16)
}

/// The protocol has no larger ones than these.
fn number(value: &Value) -> Option<usize> {
    value.as_u64().filter(|&number| number <= u64::from(u32::MAX)).and_then(|number| usize::try_from(number).ok())
}

fn words(text: &str) -> String {
    text.get(..text.floor_char_boundary(MOST_MESSAGE)).unwrap_or_default().to_owned()
}

/// TypeScript's numbers are known by the two letters in front of them.
fn code(item: &Value) -> Option<String> {
    let is_typescript = matches!(item.get("source").and_then(Value::as_str), Some("ts" | "typescript"));
    match item.get("code")? {
        Value::String(code) => Some(words(code)),
        Value::Number(code) if is_typescript => Some(format!("ts{code}")),
        Value::Number(code) => Some(code.to_string()),
        _ => None,
    }
}

/// Place from 0 in the server's own units, and all the rest.
type Raw = ((usize, usize), Severity, String, Option<String>, Option<String>);

/// Columns from 1, in characters: going through each line once, however many are on it.
fn placed(mut raw: Vec<Raw>, text: &str, encoding: Encoding) -> Vec<Diagnostic> {
    raw.sort();
    let mut lines = lines(text).enumerate();
    let mut current = (0, "");
    // Where we are on the current line: its rest, and how far that is from its beginning, in characters and in units.
    let (mut rest, mut characters, mut units) = ("", 0, 0);
    let mut place = |(line, character): (usize, usize)| {
        // `lines` gives the first line as number 0, which is what `current` says before it was asked.
        while current.0 <= line {
            let Some((number, text)) = lines.next() else { break };
            current = (number + 1, text);
            (rest, characters, units) = (text, 0, 0);
        }
        if current.0 != line + 1 {
            return (line + 1, 1);
        }
        while units < character
            && let Some(c) = rest.chars().next()
        {
            units += encoding.length(c);
            characters += 1;
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
        (line + 1, characters + 1)
    };
    let whole = |(at, severity, message, code, source): Raw| {
        let (line, column) = place(at);
        Diagnostic { line, column, severity, message, code, source }
    };
    raw.into_iter().map(whole).collect()
}

/// The lines of the protocol, which end at `\n`, `\r\n` and `\r`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let from = rest?;
        let Some(end) = memchr::memchr2(b'\n', b'\r', from.as_bytes()) else { return rest.take() };
        let (line, after) = from.split_at_checked(end)?;
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn item(line: u64, character: u64) -> Value {
        json!({"range": {"start": {"line": line, "character": character}}, "message": "m"})
    }

    fn places(text: &str, encoding: Encoding, places: &[(u64, u64)]) -> Vec<(usize, usize)> {
        let items: Vec<Value> = places.iter().map(|&(line, character)| item(line, character)).collect();
        of_protocol(&items, text, encoding).iter().map(|it| (it.line, it.column)).collect()
    }

    #[test]
    fn columns_are_characters_however_the_server_counts() {
        let text = "a\n\tä🧪x\n";
        assert_eq!(places(text, Encoding::Utf16, &[(1, 4)]), [(2, 4)]);
        assert_eq!(places(text, Encoding::Utf8, &[(1, 7)]), [(2, 4)]);
        assert_eq!(places(text, Encoding::Utf32, &[(1, 3)]), [(2, 4)]);
    }

    #[test]
    fn places_are_sorted_and_those_beyond_the_text_are_not_lost() {
        let text = "ab\r\nc\rd";
        let want = [(1, 1), (1, 3), (2, 2), (3, 1), (3, 2), (9, 1)];
        assert_eq!(places(text, Encoding::Utf16, &[(8, 5), (2, 1), (0, 99), (2, 0), (1, 1), (0, 0)]), want);
        assert_eq!(places("", Encoding::Utf8, &[(0, 0), (0, 7)]), [(1, 1), (1, 1)]);
    }

    #[test]
    fn a_diagnostic_is_read_with_what_it_has() {
        let full = json!({"range": {"start": {"line": 0, "character": 0}}, "severity": 2, "message": {"value": "m"},
            "code": 2322, "source": "ts"});
        let want = Diagnostic {
            line: 1,
            column: 1,
            severity: Severity::Warning,
            message: "m".to_owned(),
            code: Some("ts2322".to_owned()),
            source: Some("ts".to_owned()),
        };
        let odd =
            [json!(null), json!({"message": "no place"}), json!({"range": {"start": {"line": -1, "character": 0}}})];
        assert_eq!(of_protocol(&[&odd[..], &[full]].concat(), "x", Encoding::Utf16), [want]);
        let numbered = json!({"range": {"start": {"line": 0, "character": 0}}, "message": "m", "code": 7});
        assert_eq!(of_protocol(&[numbered], "x", Encoding::Utf16)[0].code.as_deref(), Some("7"));
        assert!(of_protocol(&[item(0, 0)], "x", Encoding::Utf16)[0].is_error());
    }

    #[test]
    fn tsserver_counts_from_one_and_names_its_categories() {
        let items = [
            json!({"start": {"line": 2, "offset": 3}, "text": "m", "code": 2322, "category": "error"}),
            json!({"start": {"line": 1, "offset": 1}, "text": "m", "code": 6133, "category": "suggestion"}),
        ];
        let found = of_tsserver(&items, "x\n🧪y\n");
        assert_eq!((found[1].line, found[1].column, found[1].code.as_deref()), (2, 2, Some("ts2322")));
        assert_eq!(found.iter().map(Diagnostic::is_error).collect::<Vec<_>>(), [false, true]);
    }
}
