//! `apply --jsonl`: a coprocess. A request a line from standard input, a result a line to standard output.

use super::judge::Judge;
use super::once::Outcome;
use crate::edit::{self, Format};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::input;
use crate::ui;
use anyhow::Result;
use serde::Deserialize;
use std::io::{BufRead, Read, Write};
use std::time::Instant;

/// A longer line is refused. It holds two texts.
const MOST_LINE: u64 = 2 * input::MOST_BYTES;

/// One line of `--jsonl`.
#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: serde_json::Value,
    target: String,
    /// The text itself.
    base: Option<String>,
    reply: String,
    format: Option<String>,
}

/// A request a line, a result a line, until the input ends or nobody reads the results. A line that is no request gets a
/// refusal, so that there is always one answer a line. `judge`: who is asked about each new text, if anybody is.
pub(super) fn serve(
    mut judge: Option<&mut Judge>,
    mut requests: impl BufRead,
    mut output: impl Write,
) -> Result<ExitCode> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if requests.by_ref().take(MOST_LINE + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(ExitCode::Done);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if line.len() as u64 > MOST_LINE {
            line = Vec::new();
            pass_line(&mut requests)?;
            let message = format!("cannot read the request: {}", input::too_large(MOST_LINE));
            refuse_request(serde_json::Value::Null, message, &mut output)?;
        } else {
            answer(&line, judge.as_deref_mut(), &mut output)?;
        }
        if output.flush().is_err() {
            // Nobody reads on. With which status that ends is the printer's to say.
            return Ok(ExitCode::Done);
        }
    }
}

/// Reads over the rest of a line.
fn pass_line(requests: &mut impl BufRead) -> Result<()> {
    loop {
        let buffered = requests.fill_buf()?;
        let end = memchr::memchr(b'\n', buffered);
        let length = end.map_or(buffered.len(), |at| at + 1);
        requests.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

fn answer(line: &[u8], judge: Option<&mut Judge>, mut output: impl Write) -> Result<()> {
    let request: Request = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            let id = serde_json::from_slice(line).ok().and_then(|value: serde_json::Value| value.get("id").cloned());
            return refuse_request(id.unwrap_or_default(), format!("cannot read the request: {error}"), output);
        }
    };
    let format = match request.format.as_deref() {
        None | Some("auto") => None,
        Some(name) => match Format::from_name(name) {
            None => return refuse_request(request.id, format!("unknown format '{name}'"), output),
            known => known,
        },
    };
    let base = request.base.as_deref();
    let start = Instant::now();
    let result = edit::apply(format, &request.target, base, &request.reply);
    let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut outcome = Outcome::new(format, &request.target, (base, &request.reply), result);
    (outcome.id, outcome.nanos) = (Some(&request.id), Some(nanos));
    outcome.lsp =
        judge.zip(outcome.text.as_deref()).and_then(|(judge, text)| judge.block_of(&request.target, base, text));
    Ok(ui::json::line(&mut output, &outcome)?)
}

fn refuse_request(id: serde_json::Value, message: String, mut output: impl Write) -> Result<()> {
    let findings = vec![Finding::error("reply-request", message)];
    let outcome = Outcome {
        id: Some(&id),
        outcome: "refused",
        format: None,
        text: None,
        edits: vec![],
        findings,
        lsp: None,
        nanos: Some(0),
    };
    Ok(ui::json::line(&mut output, &outcome)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const EDIT: &str = "<<<<<<< SEARCH\nb\n=======\nx\n>>>>>>> REPLACE\n";

    #[test]
    fn every_line_of_requests_gets_one_line_of_results() {
        let input = [
            json!({"id": 7, "target": "a.py", "base": "a\nb\n", "reply": EDIT, "format": "search-replace"}).to_string(),
            json!({"id": "x", "target": "a.py", "base": null, "reply": "", "format": "auto"}).to_string(),
            json!({"id": 8, "target": "a.py", "base": "", "reply": EDIT, "format": "wiki"}).to_string(),
            "no json".to_owned(),
        ];
        let mut output = Vec::new();
        assert_eq!(serve(None, input.join("\n").as_bytes(), &mut output).unwrap(), ExitCode::Done);
        let lines: Vec<Value> =
            String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 4);
        assert_eq!((&lines[0]["id"], &lines[0]["text"]), (&json!(7), &json!("a\nx\n")));
        assert!(lines[0]["nanos"].as_u64().is_some_and(|nanos| nanos > 0));
        assert_eq!((&lines[1]["id"], &lines[1]["findings"][0]["id"]), (&json!("x"), &json!("reply-empty")));
        assert_eq!((&lines[2]["id"], &lines[2]["findings"][0]["id"]), (&json!(8), &json!("reply-request")));
        assert_eq!((&lines[3]["id"], &lines[3]["outcome"]), (&Value::Null, &json!("refused")));
    }
}
