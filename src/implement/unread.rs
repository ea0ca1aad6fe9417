//! Planned files that the person's hooks would run. A hook runs in the scratch worktree, on what the model has written:
//! where it calls a script that the design changes, the model's version of the script runs before anybody has read it.

use super::{ImplementError, Prepared};
use crate::finding::Finding;
use crate::git::Repository;
use crate::lld::Change;
use crate::plan::Strategy;

/// A warning for each file of the plan that the text of a hook names, if that hook runs in a run.
pub fn unread(repository: &Repository, prepared: &Prepared) -> Result<Vec<Finding>, ImplementError> {
    let written = |change: Change, strategy: Strategy| change != Change::Delete && strategy != Strategy::None;
    let steps = prepared.examined.steps();
    let mut findings: Vec<Finding> = Vec::new();
    for (hook, text) in repository.hook_texts()? {
        for step in steps.iter().filter(|step| written(step.change, step.strategy)) {
            let path = step.path.as_str();
            if findings.iter().any(|finding| finding.path.as_deref() == Some(path)) || !runs(&text, path) {
                continue;
            }
            let message =
                format!("your hook '{hook}' names '{path}': it would run what the model writes there, unread");
            let hint = "read what the design wants of it; a run can do without your hooks, and you run them when you have read it";
            findings.push(Finding::warning("hook-runs-it", message).path(path).line(step.line).hint(hint));
        }
    }
    Ok(findings)
}

/// Does `script` name the file, by its path or, with Python, as a module (`-m tools.lint`)?
fn runs(script: &str, path: &str) -> bool {
    let module = path.strip_suffix(".py").map(|stem| stem.strip_suffix("/__main__").unwrap_or(stem).replace('/', "."));
    names(script, path) || module.is_some_and(|module| names(script, &format!("-m {module}")))
}

/// Is `path` in `text`, and no part of a longer name? What stands before a `/` says where it is, and may be anything.
fn names(text: &str, path: &str) -> bool {
    let of_a_name = |c: char| c.is_alphanumeric() || "_-".contains(c);
    text.match_indices(path).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + path.len()..]);
        let ends = match after.strip_prefix('.') {
            Some(more) => !more.starts_with(of_a_name),
            None => !after.starts_with(of_a_name),
        };
        ends && !before.ends_with(|c: char| of_a_name(c) || c == '.')
    })
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn a_hook_runs_a_file_that_it_names_as_a_path_or_as_a_module() {
        for script in [
            "./scripts/lint.py",
            "exec scripts/lint.py \"$@\"",
            "\"$(git rev-parse --show-toplevel)/scripts/lint.py\"",
            "python3 -m scripts.lint --all",
            "sh scripts/lint.py; exit 0",
        ] {
            assert!(runs(script, "scripts/lint.py"), "{script}");
        }
        for script in
            ["./scripts/lint.pyc", "scripts/lint.py.orig", "my-scripts/lint.py", "python -m scripts.linter", ""]
        {
            assert!(!runs(script, "scripts/lint.py"), "{script}");
        }
    }
}
