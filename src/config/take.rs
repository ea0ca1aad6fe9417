//! From what counts to the typed [`Config`], and the few rules that bind two settings together.

use super::registry;
use super::resolve::Counting;
use super::reviewer::Reviewer;
use super::setting::{List, Origin, Setting};
use super::value::{self, Value};
use super::vendor::{self, Vendors};
use super::verify::Verify;
use super::words::{CommitStyle, FormatChoice, LspMode, ProviderKind, Recorded, ReviewShows, Trailer, When};
use super::{Config, Environment};
use crate::finding::Finding;
use std::path::PathBuf;
use std::time::Duration;

/// Hands out each key once, by the type that its kind has.
struct Taker {
    counting: Counting,
    home: Option<PathBuf>,
}

impl Taker {
    /// The strongest, or the default.
    fn one<T>(&mut self, name: &'static str, as_type: impl Fn(Value) -> Option<T>) -> Option<Setting<T>> {
        let said = self.counting.remove(name).and_then(|mut entries| entries.pop());
        if let Some(entry) = said {
            return Some(Setting::new(as_type(entry.value)?, entry.origin));
        }
        let key = registry::find(name)?;
        let value = value::parse(key.kind, key.default?).ok()?;
        Some(Setting::new(as_type(value)?, Origin::Default))
    }

    fn text(&mut self, name: &'static str) -> Option<Setting<String>> {
        self.one(name, text)
    }

    fn count(&mut self, name: &'static str) -> Option<Setting<u32>> {
        self.one(name, |value| if let Value::Count(count) = value { Some(count) } else { None })
    }

    fn size(&mut self, name: &'static str) -> Option<Setting<usize>> {
        Some(self.count(name)?.map(|count| usize::try_from(count).unwrap_or(usize::MAX)))
    }

    fn flag(&mut self, name: &'static str) -> Option<Setting<bool>> {
        self.one(name, |value| if let Value::Flag(flag) = value { Some(flag) } else { None })
    }

    fn duration(&mut self, name: &'static str) -> Option<Setting<Duration>> {
        self.one(name, |value| if let Value::Duration(duration) = value { Some(duration) } else { None })
    }

    fn money(&mut self, name: &'static str) -> Option<Setting<f64>> {
        self.one(name, |value| if let Value::Money(amount) = value { Some(amount) } else { None })
    }

    /// Split into program and arguments.
    fn arguments(&mut self, name: &'static str) -> Option<Setting<Vec<String>>> {
        self.one(name, |value| shell_words::split(&text(value)?).ok())
    }

    fn word<T>(&mut self, name: &'static str, from_word: fn(&str) -> Option<T>) -> Option<Setting<T>> {
        self.one(name, |value| from_word(&text(value)?))
    }

    fn path(&mut self, name: &'static str) -> Option<Setting<PathBuf>> {
        let setting = self.text(name)?;
        let home = self.home.clone();
        Some(setting.map(|path| match (path.strip_prefix("~/"), home) {
            (Some(below), Some(home)) => home.join(below),
            _ => PathBuf::from(path),
        }))
    }

    fn list(&mut self, name: &'static str) -> List {
        let mut items = Vec::new();
        for entry in self.counting.remove(name).unwrap_or_default() {
            match text(entry.value) {
                Some(item) if item.trim().is_empty() => items.clear(),
                Some(item) => items.push(Setting::new(item, entry.origin)),
                None => {}
            }
        }
        List(items)
    }

    /// The commands that verify, weakest layer first.
    fn commands(&mut self, name: &'static str) -> Vec<Verify> {
        let mut commands = Vec::new();
        for entry in self.counting.remove(name).unwrap_or_default() {
            match entry.value {
                Value::Verify(verify) => commands.push(*verify),
                Value::Text(line) if line.is_empty() => commands.clear(),
                Value::Text(line) => commands.extend(Verify::of_line(&line, entry.origin)),
                _ => {}
            }
        }
        commands
    }
}

fn text(value: Value) -> Option<String> {
    if let Value::Text(text) = value { Some(text) } else { None }
}

/// `None` only if a default of the registry does not fit its kind, or a key's name is misspelt here.
pub(super) fn config(
    counting: Counting,
    vendors: Vendors,
    environment: &Environment,
    findings: Vec<Finding>,
) -> Option<Config> {
    let mut take = Taker { counting, home: environment.home() };
    let otlp = take.text("otlp-endpoint").map(|setting| setting.map(|base| vendor::traces_url(&base)));
    let mut config = Config {
        provider: take.word("provider", ProviderKind::from_word),
        model: take.text("model"),
        base_url: take.text("base-url"),
        command: take.text("command"),
        key_command: take.arguments("key-command"),
        recordings: take.path("recordings"),
        replay: take.path("replay"),
        max_cost: take.money("max-cost"),
        max_tokens: take.count("max-tokens").map(|setting| setting.map(u64::from)),
        context_window: take.count("context-window"),
        max_output_tokens: take.count("max-output-tokens"),
        idle_timeout: take.duration("idle-timeout")?,
        first_byte_timeout: take.duration("first-byte-timeout")?,
        command_idle_timeout: take.duration("command-idle-timeout")?,
        reply_timeout: take.duration("reply-timeout")?,
        max_tries: take.count("max-tries")?,
        truncation_retries: take.count("truncation-retries")?,
        repair: take.count("repair")?,
        rounds: take.count("rounds")?,
        reviewer: Reviewer {
            provider: take.word("reviewer.provider", ProviderKind::from_word),
            model: take.text("reviewer.model"),
            base_url: take.text("reviewer.base-url"),
            command: take.text("reviewer.command"),
            shows: take.word("reviewer.shows", ReviewShows::from_word)?,
        },
        format: take.word("format", FormatChoice::from_word)?,
        max_files: take.size("max-files")?,
        edit_lines: take.size("edit-lines")?,
        edit_bytes: take.size("edit-bytes")?,
        context: take.list("context"),
        context_tokens: take.count("context-tokens")?,
        context_exclude: take.list("context-exclude"),
        allow: take.list("allow"),
        exclude: take.list("exclude"),
        baseline: take.path("baseline"),
        summary_phrases: take.list("summary-phrases"),
        gates: take.list("gates"),
        verify: take.commands("verify"),
        lsp: take.word("lsp", LspMode::from_word)?,
        lsp_server: take.list("lsp-server"),
        bisectable: take.flag("bisectable")?,
        no_exec: take.flag("no-exec")?,
        commit: take.word("commit", CommitStyle::from_word)?,
        record: take.word("record", Recorded::from_word)?,
        notes: take.flag("notes")?,
        trailer: take.word("trailer", Trailer::from_word)?,
        gpg_sign: take.flag("gpg-sign"),
        otlp_traces_url: otlp.or_else(|| vendors.otlp_traces_url.clone()),
        color: take.word("color", When::from_word)?,
        progress: take.flag("progress"),
        vendors,
        traceparent: environment.text("TRACEPARENT").filter(|text| is_traceparent(text)).map(str::to_owned),
        findings,
    };
    if !config.color.is_set() && environment.text("NO_COLOR").is_some() {
        config.color = Setting::new(When::Never, Origin::Environment("NO_COLOR".into()));
    }
    // A key that nobody takes would be accepted and do nothing.
    debug_assert!(take.counting.is_empty(), "{:?}", take.counting.keys());
    Some(config)
}

/// `00-<32 hex digits>-<16>-<2>`, and neither id all zero.
fn is_traceparent(text: &str) -> bool {
    let hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let id = |part: &str, length| hex(part, length) && part.bytes().any(|b| b != b'0');
    let parts: Vec<&str> = text.split('-').collect();
    matches!(parts[..], ["00", trace, span, flags] if id(trace, 32) && id(span, 16) && hex(flags, 2))
}
