//! What is added must not be there, and what is changed must.

use super::about;
use crate::finding::Finding;
use crate::lld::Change;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let path = case.path();
    let there = case.kind.is_some() && !ground.is_vacated_before(path, case);
    match case.change {
        Change::Add if there => findings.push(about(
            case,
            Finding::error("overwrite", format!("cannot add '{path}': it exists")).hint(
                "did you mean Modify? to write it anew, say 'allow: overwrite' in the row or give --allow overwrite",
            ),
        )),
        Change::Modify if !there => findings.push(missing(case, ground, path, format!("cannot modify '{path}'"))),
        Change::Delete if !there => findings.push(missing(case, ground, path, format!("cannot delete '{path}'"))),
        Change::Rename => renamed(case, ground, there, findings),
        _ if case.overwrites => findings.push(about(
            case,
            Finding::warning("overwrite", format!("'{path}' exists and is written anew, as the allowance says")),
        )),
        _ => {}
    }
}

fn renamed(case: &Case, ground: &Ground, target_is_there: bool, findings: &mut Vec<Finding>) {
    let path = case.path();
    let Some(from) = case.spec.from.as_ref().map(|from| from.as_str()) else {
        let error =
            Finding::error("rename-source", format!("cannot rename to '{path}': the row does not say from where"));
        return findings.push(about(case, error.hint("write the row as 'old/path -> new/path'")));
    };
    if from == path {
        let error = Finding::error("rename-source", format!("cannot rename '{path}' to itself"));
        findings.push(about(case, error));
    } else if ground.snapshot.kind(from).is_none() {
        findings.push(missing(case, ground, from, format!("cannot rename '{from}' to '{path}'")));
    } else if target_is_there {
        let error = Finding::error("rename-target", format!("cannot rename '{from}' to '{path}': '{path}' exists"));
        findings.push(about(case, error.hint("delete or rename the file that is there in a row before")));
    }
}

fn missing(case: &Case, ground: &Ground, path: &str, cannot: String) -> Finding {
    let error = about(case, Finding::error("missing", format!("{cannot}: the base has no such file")));
    let found = ground.suggest(path);
    match found.split_last() {
        None if case.change == Change::Modify => error.hint("to make a new file, the change type is Add"),
        None => error,
        Some((only, [])) => error.hint(format!("did you mean '{only}'?")),
        Some((last, rest)) => {
            let rest: Vec<String> = rest.iter().map(|name| format!("'{name}'")).collect();
            error.hint(format!("did you mean {} or '{last}'?", rest.join(", ")))
        }
    }
}
