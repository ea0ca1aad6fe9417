//! `--json`: `{"schema":1,"commits":[…]}`.

use super::{Form, Judged, Shape};
use crate::record::verify::What;
use serde_json::{Value, json};
use std::io::{self, Write};

pub(super) const FORM: Form = Form { name: "json", write };

/// The version of this form; it goes up when a reader of the old form would misread the new one.
const SCHEMA: u32 = 1;

fn write(out: &mut dyn Write, judged: &[Judged], _: Shape) -> io::Result<()> {
    let commits: Vec<Value> = judged.iter().map(commit).collect();
    let good = judged.iter().all(Judged::is_good);
    crate::ui::json::line(out, &json!({"schema": SCHEMA, "good": good, "commits": commits}))
}

fn commit(one: &Judged) -> Value {
    let differences: Vec<Value> = one
        .mismatches
        .iter()
        .map(|mismatch| {
            let what = match mismatch.what {
                What::Text => "text",
                What::Mode => "mode",
                What::Added => "added",
                What::Gone => "gone",
                What::Kept => "kept",
            };
            let lines: Vec<[usize; 2]> = mismatch.lines.iter().map(|(from, to)| [*from, *to]).collect();
            json!({"path": mismatch.path, "what": what, "lines": lines, "patch": mismatch.patch})
        })
        .collect();
    json!({
        "commit": one.commit.to_string(), "subject": one.subject, "verdict": one.verification.word(), "run": one.run,
        "of": one.of_run, "reasons": one.reasons, "notes": one.notes, "differences": differences, "findings": one.findings,
    })
}
