//! Java and Kotlin: `import a.b.C;`, and the types of the file's own package, each in a file of its name.

use super::{Resolver, Taken, What};
use crate::context::source::{Source, words};
use crate::context::tree::{Tree, folder};
use crate::syntax::{extension, file_name};
use std::collections::HashMap;

pub(super) const RESOLVER: Resolver = Resolver { languages: &["java", "kotlin"], taken, faces: &["package-info.java"] };

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let mut found = Vec::new();
    for line in 0..source.count() {
        let code = source.code_line(line).trim();
        let Some(rest) = code.strip_prefix("import ") else { continue };
        let rest = rest.trim_end_matches(';').trim();
        let rest = rest.strip_prefix("static ").unwrap_or(rest).trim();
        let rest = rest.split(" as ").next().unwrap_or(rest).trim();
        // `a.b.C.d` may be a member of `C`; `a.b.*` is too much to be of use.
        let parts: Vec<&str> = rest.split('.').collect();
        let found_at = (2..=parts.len()).rev().take(3).find_map(|length| {
            let place = parts.get(..length)?.join("/");
            let file = [".java", ".kt"].iter().find_map(|kind| tree.ending(&format!("{place}{kind}"), &source.path))?;
            Some((file, parts.get(length - 1)?, parts.get(length)))
        });
        if let Some((file, class, member)) = found_at {
            let name = member.filter(|member| **member != "*").unwrap_or(class);
            let what = What::Names(vec![((*name).to_owned(), (*name).to_owned())]);
            found.push(Taken { line, files: vec![file.to_owned()], what });
        }
    }
    found.extend(beside(tree, source));
    found
}

/// Types of the same package need no import.
fn beside(tree: &Tree, source: &Source) -> Vec<Taken> {
    let is_type = |path: &&str| matches!(extension(path).as_str(), "java" | "kt");
    let stem = |path: &'_ str| file_name(path).split('.').next().unwrap_or_default().to_owned();
    let files: HashMap<String, &str> =
        tree.files_in(folder(&source.path)).filter(is_type).map(|path| (stem(path), path)).collect();
    let mut found: Vec<Taken> = Vec::new();
    for (at, word) in words(&source.code) {
        if let Some(file) = files.get(word).filter(|file| found.iter().all(|taken| taken.files != [**file])) {
            let what = What::Names(vec![(word.to_owned(), word.to_owned())]);
            found.push(Taken { line: source.line_of(at), files: vec![(*file).to_owned()], what });
        }
        if found.len() >= super::MOST {
            break;
        }
    }
    found
}
