//! A commit as a record of Agent Trace 0.1.0: its files, and the lines that a model wrote in each.
//!
//! <https://github.com/cursor/agent-trace>

use super::about::About;
use super::attributed::{AttributedFile, Part, Range};
use crate::transcript::recipe::By;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const VERSION: &str = "0.1.0";

/// The record of `commit`, of which `about` is the run.
pub fn trace(commit: &str, files: &[AttributedFile], about: &About) -> Value {
    let file = |file: &AttributedFile| {
        let conversations: Vec<Value> = file.parts.iter().map(|part| conversation(part, about)).collect();
        json!({"path": file.path, "conversations": conversations})
    };
    json!({
        "version": VERSION,
        "id": uuid(&format!("{}:{commit}", about.run)),
        "timestamp": about.started,
        "vcs": {"type": "git", "revision": commit},
        "tool": {"name": "git-implement", "version": env!("CARGO_PKG_VERSION")},
        "files": files.iter().map(file).collect::<Vec<Value>>(),
        "metadata": {"git-implement": {"run": about.run, "design": about.lld, "design_blob": about.blob}},
    })
}

fn conversation(part: &Part, about: &About) -> Value {
    let kind = match part.origin.by {
        By::Reply { .. } => "ai",
        // A formatter's work on a model's.
        By::Command { .. } => "mixed",
        By::Design { .. } | By::Tick { .. } => "unknown",
    };
    let mut contributor = json!({"type": kind});
    if let (Some(model), "ai" | "mixed") = (model(about), kind) {
        contributor["model_id"] = model.into();
    }
    json!({"contributor": contributor, "ranges": part.ranges.iter().map(range).collect::<Vec<Value>>()})
}

/// `provider/model`, where the provider says which model it is.
fn model(about: &About) -> Option<String> {
    const LONGEST: usize = 250;
    let is_named = !matches!(about.provider.as_str(), "" | "command" | "replay");
    is_named.then(|| format!("{}/{}", about.provider, about.model).chars().take(LONGEST).collect())
}

fn range(range: &Range) -> Value {
    let hash = format!("sha256:{}", hex(&Sha256::digest(range.text.as_bytes())));
    json!({"start_line": range.from, "end_line": range.to, "content_hash": hash})
}

/// The same id for the same commit of the same run: a UUID of version 8, which is made of whatever one likes.
fn uuid(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let mut bytes: Vec<u8> = digest.iter().copied().take(16).collect();
    for (at, keep, set) in [(6, 0x0f, 0x80), (8, 0x3f, 0x80)] {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = *byte & keep | set;
        }
    }
    let hex = hex(&bytes);
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_uuid_and_the_same_again() {
        let id = uuid("run:commit");
        assert_eq!(
            (id.len(), &id, id.split('-').map(str::len).collect::<Vec<_>>()),
            (36, &uuid("run:commit"), vec![8, 4, 4, 4, 12])
        );
        assert!(id.split('-').nth(2).is_some_and(|part| part.starts_with('8')), "{id}");
        assert!(id.split('-').nth(3).is_some_and(|part| part.starts_with(['8', '9', 'a', 'b'])), "{id}");
    }
}
