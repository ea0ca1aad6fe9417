//! The gates once more, over the texts that were made again: with the levels and permissions that the run had.

use crate::check::{self, Author, Candidate, Override, Settings};
use crate::finding::Finding;
use crate::lld;
use crate::path::RepoPath;
use crate::record::added::base_of_run;
use crate::record::remake::Remake;
use crate::transcript::DESIGN;
use serde_json::Value;

/// What the gates find in the texts of these commits.
pub(super) fn again(remake: &Remake, numbers: &[usize]) -> Vec<Finding> {
    let about = &remake.record.about;
    let settings = Settings {
        allow: about.allow.clone(),
        levels: about.gates.iter().filter_map(|said| Override::parse(&said.what).ok()).collect(),
        author: Author::Model,
        ..Settings::default()
    };
    let design = remake.record.text(DESIGN).unwrap_or_default();
    let named = lld::dependencies(&lld::parse(&about.lld, &design), &design);
    let plan = remake.record.plan().unwrap_or_default();
    let mut findings = Vec::new();
    let commits = numbers.iter().filter_map(|number| remake.recipe.commits.get(*number));
    for file in commits.flat_map(|commit| &commit.files) {
        let Some(number) = file.blob.as_ref().and_then(|blob| remake.number(&file.path, blob)) else { continue };
        let Ok(text) = remake.text(number) else { continue };
        let Ok(path) = RepoPath::new(&file.path) else { continue };
        // What the run has found there, which is empty where there was nothing.
        let base = base_of_run(remake, &file.path).ok().flatten().filter(|base| !base.is_empty());
        let row = row(&plan, &file.path);
        let candidate = Candidate {
            path: &file.path,
            base: base.as_deref(),
            text: &text,
            whole: remake.recipe.texts.get(number).is_some_and(|text| text.whole),
            description: row["description"].as_str().unwrap_or_default(),
            row_allow: &allowed(row),
            dependencies_named: Some(&named),
            ..Candidate::default()
        };
        match check::accept(&path, &candidate, &settings) {
            Ok((_, found)) | Err(found) => findings.extend(found),
        }
    }
    findings
}

/// The row of the plan for a path.
fn row<'p>(plan: &'p Value, path: &str) -> &'p Value {
    let rows = plan["files"].as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().rev().find(|row| row["path"] == path).unwrap_or(&Value::Null)
}

fn allowed(row: &Value) -> Vec<String> {
    let items = row["allow"].as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
