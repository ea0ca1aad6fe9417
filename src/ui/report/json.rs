//! `--json`: `{"checked":n,"findings":[…],"silenced":n}`.

use super::Form;
use crate::finding::Finding;
use crate::ui::json;
use crate::validate::{Report, Reported};
use serde::Serialize;
use std::io::{self, Write};

pub(super) const FORM: Form = Form { name: "json", write };

#[derive(Serialize)]
struct Json<'a> {
    checked: usize,
    findings: Vec<Item<'a>>,
    /// How many were found and are not shown.
    silenced: usize,
}

#[derive(Serialize)]
struct Item<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    /// Only where commits are judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
}

fn write(out: &mut dyn Write, report: &Report, _: bool) -> io::Result<()> {
    let item = |reported: &'_ Reported| reported.commit.map(|id| id.to_string());
    let findings =
        report.found.iter().map(|reported| Item { finding: &reported.finding, commit: item(reported) }).collect();
    json::line(out, &Json { checked: report.checked, findings, silenced: report.silenced.len() })
}
