//! `--sarif`: SARIF 2.1.0, which code hosts and editors take in.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html>

use super::Form;
use crate::finding::Severity;
use crate::validate::{Report, Reported};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};

pub(super) const FORM: Form = Form { name: "sarif", write };

fn write(out: &mut dyn Write, report: &Report, _: bool) -> io::Result<()> {
    let ids: BTreeSet<&str> = report.found.iter().map(|reported| &*reported.finding.id).collect();
    let rules: Vec<Value> = ids.into_iter().map(|id| json!({ "id": id })).collect();
    let driver = json!({ "name": "git-implement", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let results: Vec<Value> = report.found.iter().map(result).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": results }],
    });
    crate::ui::json::indented(out, &log)
}

fn result(Reported { finding, excerpt, .. }: &Reported) -> Value {
    let level = match finding.severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let text = finding.hint.iter().fold(finding.message.clone(), |text, hint| format!("{text}\n{hint}"));
    let mut result = json!({ "ruleId": finding.id, "level": level, "message": { "text": text } });
    if let Some(path) = &finding.path {
        let mut place = json!({ "artifactLocation": { "uri": uri(path), "uriBaseId": "%SRCROOT%" } });
        if let Some(line) = finding.line {
            place["region"] = json!({ "startLine": line });
            if let Some(excerpt) = excerpt {
                place["region"]["snippet"] = json!({ "text": excerpt });
            }
        }
        result["locations"] = json!([{ "physicalLocation": place }]);
    }
    result
}

/// A path as a relative reference: every byte that has a meaning in one is written as its number.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;

    #[test]
    fn a_finding_is_a_result_with_its_rule_and_place() {
        let finding = Finding::warning("omission", "left out").path("a b/ä.py").line(2);
        let report = Report {
            checked: 1,
            found: vec![Reported { finding, excerpt: Some("# ...".into()), commit: None }],
            ..Report::default()
        };
        let mut out = Vec::new();
        write(&mut out, &report, false).unwrap();
        let log: Value = serde_json::from_slice(&out).unwrap();
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"], json!([{ "id": "omission" }]));
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%A4.py");
        assert_eq!(place["region"], json!({ "startLine": 2, "snippet": { "text": "# ..." } }));
        assert_eq!(
            (&run["results"][0]["level"], &run["results"][0]["ruleId"]),
            (&json!("warning"), &json!("omission"))
        );
    }
}
