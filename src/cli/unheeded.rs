//! Settings about commands and servers that come to nothing in a run: said, since somebody relies on them.

use super::session::Session;
use crate::config::{Config, LspMode, Origin};
use crate::finding::Finding;
use crate::implement;
use crate::plan::Step;

impl Session {
    /// What there is to say of a run of these steps.
    pub fn unheeded(&self, steps: &[Step]) -> Vec<Finding> {
        let config = &self.config;
        let runs = implement::commands(config, steps);
        let mut findings = Vec::new();
        let (by, wanted) = (&config.no_exec.origin, &config.lsp);
        let typed = |origin: &Origin| matches!(origin, Origin::Option(_));
        if config.no_exec.value {
            let off = config.verify.iter().filter(|verify| typed(&verify.by)).map(|verify| &verify.text);
            findings.extend(off.map(|text| ("no-exec", format!("'{text}' does not run, by {by}"))));
            if wanted.value == LspMode::Gate && wanted.is_set() {
                findings.push(("no-exec", format!("no language server is asked, by {by}")));
            }
        }
        if config.bisectable.value && runs.is_empty() {
            let why = match (config.no_exec.value, config.verify.is_empty()) {
                (true, _) => format!("no command runs, by {by}"),
                (false, true) => "there is no command".to_owned(),
                (false, false) => "no command concerns a file of the plan".to_owned(),
            };
            findings.push(("bisectable", format!("nothing says whether each commit passes: {why}")));
        }
        findings.into_iter().map(|(id, message)| Finding::warning(id, message)).collect()
    }
}

/// What is wrong with `--bisectable` as it was typed, and what would do: without a command no commit can fail.
pub fn wrong_bisectable(config: &Config) -> Option<(String, String)> {
    let typed = matches!(config.bisectable.origin, Origin::Option(_)) && config.bisectable.value;
    (typed && config.verify.is_empty() && !config.no_exec.value).then(|| {
        let hint = "say what each commit must pass: --verify '<command>'";
        ("--bisectable goes with a command".to_owned(), hint.to_owned())
    })
}
