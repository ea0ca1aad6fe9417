//! What counts of all that was said: the strongest layer, as far as its writer is believed.

use super::layer::Given;
use super::registry::{self, Trust};
use super::setting::Origin;
use super::value::{self, Value};
use super::words::{ProviderKind, Recorded};
use crate::finding::Finding;
use std::collections::BTreeMap;

/// Keys that are meant for one provider, and are nonsense, or send a key to the wrong place, with another.
const OF_PROVIDER: &[&str] = &["model", "base-url", "key-command"];

/// What is left, by key, weakest first. Of a key that is no list, the last counts.
pub(super) type Counting = BTreeMap<&'static str, Vec<Given>>;

/// `approved`: the person has approved the repository's file, as it is.
pub(super) fn resolve(mut given: Vec<Given>, approved: bool, findings: &mut Vec<Finding>) -> Counting {
    // Stable: within a layer the later one is the stronger.
    given.sort_by_key(|entry| entry.origin.layer());
    let (mut counting, mut own, mut held_back) = (Counting::new(), Counting::new(), Vec::new());
    for entry in given {
        if entry.origin.is_protected() {
            own.entry(entry.key).or_default().push(entry.clone());
        } else if approved && of_approved_file(&entry) {
            // It counts, and is still no word of the person's about what guards them.
        } else if is_command_of_file(&entry) {
            held_back.push(entry);
            continue;
        } else if let Some(finding) = refused(&entry) {
            findings.push(finding);
            continue;
        }
        counting.entry(entry.key).or_default().push(entry);
    }
    findings.extend(not_approved(&held_back));
    keep_the_stricter(&mut counting, &own, findings);
    keep_what_fits_the_provider(&mut counting, findings);
    counting
}

/// What a person approves with the file: what it runs, and where it sends things.
fn of_approved_file(entry: &Given) -> bool {
    let trust = registry::find(entry.key).map(|key| key.trust);
    matches!(entry.origin, Origin::File { .. }) && trust == Some(Trust::Protected)
}

fn is_command_of_file(entry: &Given) -> bool {
    matches!(entry.origin, Origin::File { .. }) && ["verify", "lsp-server"].contains(&entry.key)
}

/// One warning for all that the file would run.
fn not_approved(entries: &[Given]) -> Option<Finding> {
    let Origin::File { line } = entries.first()?.origin else { return None };
    let name = |entry: &Given| match &entry.value {
        Value::Verify(verify) => Some(verify.text.clone()),
        Value::Text(text) if !text.trim().is_empty() => Some(text.clone()),
        _ => None,
    };
    let names: Vec<String> = entries.iter().filter_map(name).map(|name| value::quoted(&name)).collect();
    let message = format!("ignoring what '{}' would run: {}", super::FILE_NAME, names.join(", "));
    let finding = Finding::warning("config-not-approved", message).path(super::FILE_NAME).line(line);
    Some(finding.hint("git implement trust: shows what it would run, and asks whether you approve it"))
}

/// The one place that decides whether the repository may say something.
fn refused(entry: &Given) -> Option<Finding> {
    let key = registry::find(entry.key)?;
    let why = match (key.trust, &entry.value) {
        (Trust::Protected, _) => "the repository may not say which program runs or where source and keys go",
        (Trust::Tighten, Value::Flag(false)) => "the repository may not turn it off",
        (Trust::Guarded, Value::Text(item)) if registry::loosens(key.name, item) => {
            return Some(guarded(key.name, item, entry));
        }
        _ => return None,
    };
    let finding = ignored(key.name, entry, why);
    let elsewhere = key.environment_name().map(|name| format!(", or set {name}")).unwrap_or_default();
    let own = format!("if you want it, use 'git config --global {} <value>'{elsewhere}", key.git_name());
    Some(match (key.trust, &entry.origin) {
        (Trust::Protected, Origin::File { .. }) => {
            finding.hint(format!("{own}, or approve the file: git implement trust"))
        }
        _ => finding.hint(own),
    })
}

fn ignored(what: &str, entry: &Given, why: &str) -> Finding {
    let finding = Finding::warning("config-restricted", format!("ignoring '{what}' from {}: {why}", entry.origin));
    match entry.origin {
        Origin::File { line } => finding.path(super::FILE_NAME).line(line),
        _ => finding,
    }
}

fn guarded(key: &str, item: &str, entry: &Given) -> Finding {
    let finding = ignored(&format!("{key}: {item}"), entry, "only you may permit that, not the repository");
    match key {
        "allow" => finding.hint(format!("if you want it, give '--allow {item}'")),
        _ => finding.hint(format!("if you want it, use 'git config --global --add implement.{key} {item}'")),
    }
}

/// A limit of the repository counts only where it is the lower one.
fn keep_the_stricter(counting: &mut Counting, own: &Counting, findings: &mut Vec<Finding>) {
    for (name, entries) in counting.iter_mut() {
        let tightens = registry::find(name).is_some_and(|key| key.trust == Trust::Tighten);
        let (Some(last), Some(mine)) = (entries.last(), own.get(name).and_then(|own| own.last())) else { continue };
        if !tightens || last.origin.is_protected() || !is_looser(&last.value, &mine.value) {
            continue;
        }
        let message = format!("ignoring '{name}' from {}: yours, from {}, is stricter", last.origin, mine.origin);
        findings.push(Finding::warning("config-restricted", message));
        let mine = mine.clone();
        entries.push(mine);
    }
}

fn is_looser(theirs: &Value, mine: &Value) -> bool {
    match (theirs, mine) {
        (Value::Count(theirs), Value::Count(mine)) => theirs > mine,
        (Value::Money(theirs), Value::Money(mine)) => theirs > mine,
        // Of what is told, less is stricter.
        (Value::Text(theirs), Value::Text(mine)) => {
            let place = |word: &str| Recorded::WORDS.iter().position(|known| *known == word);
            place(theirs) < place(mine)
        }
        _ => false,
    }
}

/// A model or an address that was set together with one provider does not go to the other one that a stronger layer
/// names: `--provider ollama` must not ask Ollama for the model of the configuration's `anthropic`, nor send one
/// vendor's key to another's address.
fn keep_what_fits_the_provider(counting: &mut Counting, findings: &mut Vec<Finding>) {
    let named = providers(counting);
    let Some(chosen) = named.last().map(|entry| entry.value.clone()) else { return };
    for key in OF_PROVIDER {
        let Some(entries) = counting.get_mut(key) else { continue };
        entries.retain(|entry| {
            let meant = named.iter().rev().find(|provider| provider.origin.layer() <= entry.origin.layer());
            let Some(Given { value: Value::Text(meant), .. }) = meant.filter(|meant| meant.value != chosen) else {
                return true;
            };
            // Recorded replies and a program have no use for any of them: nothing is missed there.
            if !matches!(&chosen, Value::Text(name) if ["command", "replay"].contains(&name.as_str())) {
                let message = format!("ignoring '{key}' from {}: it goes with the provider '{meant}'", entry.origin);
                findings.push(Finding::note("config-other-provider", message));
            }
            false
        });
    }
    // Recorded replies stand beside a provider that was named with them or before them.
    let layer = named.last().map_or(0, |provider| provider.origin.layer());
    if let Some(replay) = counting.get_mut("replay") {
        replay.retain(|entry| entry.origin.layer() >= layer);
    }
    counting.insert("provider", named);
}

/// The provider of each layer that names one, weakest first. A layer that gives recorded replies or a command, and no
/// provider, names it by that.
fn providers(counting: &Counting) -> Vec<Given> {
    let in_layer = |key: &str, layer: u8| {
        counting.get(key).and_then(|entries| entries.iter().rev().find(|entry| entry.origin.layer() == layer))
    };
    let implied = |key: &str, provider: ProviderKind, layer: u8| {
        let value = Value::Text(provider.word().into());
        in_layer(key, layer).map(|entry| Given { key: "provider", value, origin: entry.origin.clone() })
    };
    (0..=Origin::STRONGEST)
        .filter_map(|layer| {
            in_layer("provider", layer)
                .cloned()
                .or_else(|| implied("command", ProviderKind::Command, layer))
                .or_else(|| implied("replay", ProviderKind::Replay, layer))
        })
        .collect()
}
