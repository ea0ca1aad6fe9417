//! `summary.txt` of a task: the transcript for people.

use super::transcript::{Transcript, Who};
use crate::model::Speaker;
use crate::prompt::propose;

/// The whole text. What models have said steers no terminal.
pub(super) fn text(transcript: &Transcript) -> String {
    let Transcript { run, task, base, rounds, implementer, reviewer, usage, .. } = transcript;
    let mut out = format!("Task\n\n{}\n", indented(task));
    let files = transcript.target_files.join(", ");
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            out.push_str(&format!("{name:<12} {}\n", plain(value)));
        }
    };
    line("files", &files);
    line("base", base);
    line("implementer", &who(implementer));
    line("reviewer", &who(reviewer));
    line("rounds", &rounds.to_string());
    line("verdict", transcript.verdict.map_or("", |verdict| verdict.word()));
    line("patch", transcript.patch_path.as_deref().unwrap_or_default());
    line("branch", transcript.branch.as_deref().unwrap_or_default());
    line("failed", transcript.error.as_deref().unwrap_or_default().lines().next().unwrap_or_default());
    line("run", run);
    line("record", transcript.record.as_deref().unwrap_or_default());
    let cost = transcript.cost.map(|cost| format!(", ${cost:.4}")).unwrap_or_default();
    line("used", &format!("{} tokens in, {} out{cost}", usage.input, usage.output));
    for turn in &transcript.turns {
        let about = match (turn.by, turn.form.as_str()) {
            (Speaker::Reviewer, form) => format!("reviewer, {form}"),
            (Speaker::Implementer, "talk") => "implementer".to_owned(),
            (Speaker::Implementer, propose::FORMAT) => "implementer, which files".to_owned(),
            (Speaker::Implementer, form) => format!("implementer, {} ({form})", plain(&turn.path)),
        };
        out.push_str(&format!("\n\n== Round {}, {about}\n\n{}", turn.round, indented(&turn.text)));
    }
    out
}

fn who(who: &Who) -> String {
    match who.model.as_str() {
        "" => who.provider.clone(),
        model => format!("{} ({model})", who.provider),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {}", plain(line)).trim_end().to_owned() + "\n").collect()
}

/// Without control characters.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect()
}
