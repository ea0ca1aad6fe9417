//! A commit's note in the form of the Git AI Standard v3.0.0: which of its lines are of which session, and below `---` what
//! the sessions are. It has no prompt and no reply.
//!
//! <https://github.com/git-ai-project/git-ai/blob/main/specs/git_ai_standard_v3.0.0.md>

use super::attributed::{AttributedFile, Part};
use crate::git::Oid;
use crate::transcript::recipe::By;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The tool's name in notes.
const TOOL: &str = "git-implement";
const SCHEMA: &str = "authorship/3.0.0";
/// Letters of a hash that stand in keys.
const SHOWN: usize = 14;

/// The note of `commit`; `model` says of a run which model it asked. `None`: there is nothing to say.
pub fn note(commit: &str, files: &[AttributedFile], model: impl Fn(&str) -> String) -> Option<String> {
    let mut text = String::new();
    let mut sessions: BTreeMap<String, Value> = BTreeMap::new();
    // A path with a quote has no form there.
    for file in files.iter().filter(|file| !file.path.contains('"')) {
        text.push_str(&path(&file.path));
        text.push('\n');
        for part in &file.parts {
            let run = &part.origin.run;
            let ranges: Vec<String> = part.ranges.iter().map(|range| lines(range.from, range.to)).collect();
            text.push_str(&format!("  {}::{} {}\n", session(run), trace(part), ranges.join(",")));
            let agent = || json!({"agent_id": {"tool": TOOL, "id": run, "model": model(run)}});
            sessions.entry(session(run)).or_insert_with(agent);
        }
    }
    if sessions.is_empty() {
        return None;
    }
    let sessions: Map<String, Value> = sessions.into_iter().collect();
    let metadata = json!({
        "schema_version": SCHEMA, "base_commit_sha": commit, "prompts": {}, "sessions": sessions,
    });
    Some(format!("{text}---\n{}\n", serde_json::to_string_pretty(&metadata).ok()?))
}

/// Is this a note of ours alone? What other tools say of a commit is theirs.
pub fn is_ours(note: &str) -> bool {
    let Some((_, metadata)) = note.split_once("---\n") else { return false };
    let Ok(metadata) = serde_json::from_str::<Value>(metadata) else { return false };
    let entries = |name: &str| metadata[name].as_object().into_iter().flatten();
    let sessions = || entries("sessions").all(|(_, session)| session["agent_id"]["tool"] == TOOL);
    metadata["schema_version"] == SCHEMA
        && entries("prompts").next().is_none()
        && entries("humans").next().is_none()
        && sessions()
}

/// The commit that a note says it is of.
pub fn commit_of(note: &str) -> Option<Oid> {
    let (_, metadata) = note.split_once("---\n")?;
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    Oid::from_str(metadata["base_commit_sha"].as_str()?).ok()
}

fn session(run: &str) -> String {
    format!("s_{}", hash(&format!("{TOOL}:{run}")))
}

/// Each reply is a checkpoint of its own, and the same one again in every note.
fn trace(part: &Part) -> String {
    let made = match (&part.origin.by, part.origin.reply()) {
        (_, Some(answer)) => format!("{}:{}", answer.key, answer.nth),
        (By::Design { line }, _) => format!("design:{line}"),
        (By::Command { command }, _) => format!("command:{command}"),
        _ => "tick".to_owned(),
    };
    format!("t_{}", hash(&format!("{}:{}:{made}", part.origin.run, part.origin.path)))
}

fn hash(text: &str) -> String {
    let hex: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    hex.chars().take(SHOWN).collect()
}

fn path(path: &str) -> String {
    if path.contains([' ', '\t', '\n']) { format!("\"{path}\"") } else { path.to_owned() }
}

fn lines(from: usize, to: usize) -> String {
    if from == to { from.to_string() } else { format!("{from}-{to}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::attributed::Range;
    use crate::record::blame::{How, Origin};
    use crate::transcript::recipe::Answer;
    use std::rc::Rc;

    fn part(ranges: &[(usize, usize)]) -> Part {
        let replies = vec![Answer { key: "k".to_owned(), nth: 0 }];
        let origin = Origin {
            run: "20260102T030405Z-ab12cd".to_owned(),
            path: "src/a.py".to_owned(),
            by: By::Reply { asked: "whole".to_owned(), replies },
            how: How::Blob,
            design: "docs/1.md".to_owned(),
            row: None,
        };
        let range = |(from, to): &(usize, usize)| Range { from: *from, to: *to, text: String::new() };
        Part { origin: Rc::new(origin), ranges: ranges.iter().map(range).collect() }
    }

    #[test]
    fn a_note_has_lines_by_session_and_says_below_who_that_is() {
        let files = [
            AttributedFile { path: "src/a.py".to_owned(), parts: vec![part(&[(1, 4), (9, 9)])] },
            AttributedFile { path: "src/my file.py".to_owned(), parts: vec![part(&[(2, 2)])] },
        ];
        let text = note("0123", &files, |_| "claude-x".to_owned()).unwrap();
        let key = "s_82a2a6db0b7a37";
        let (attested, metadata) = text.split_once("---\n").unwrap();
        let lines: Vec<&str> = attested.lines().collect();
        assert_eq!((lines[0], lines[2]), ("src/a.py", "\"src/my file.py\""));
        let (session, rest) = lines[1].strip_prefix("  ").unwrap().split_once("::").unwrap();
        assert_eq!(session.len(), key.len());
        let (trace, ranges) = rest.split_once(' ').unwrap();
        assert!(trace.starts_with("t_") && trace.len() == 16, "{trace}");
        assert_eq!(ranges, "1-4,9");
        let metadata: Value = serde_json::from_str(metadata).unwrap();
        assert_eq!(metadata["schema_version"], "authorship/3.0.0");
        assert_eq!((&metadata["base_commit_sha"], &metadata["prompts"]), (&"0123".into(), &json!({})));
        let agent = &metadata["sessions"][session]["agent_id"];
        assert_eq!(*agent, json!({"tool": "git-implement", "id": "20260102T030405Z-ab12cd", "model": "claude-x"}));
        assert!(is_ours(&text) && !is_ours(&text.replace("\"git-implement\"", "\"other\"")) && !is_ours("some words"));
    }

    #[test]
    fn of_what_no_run_made_there_is_no_note() {
        assert_eq!(note("0123", &[], |_| String::new()), None);
    }
}
