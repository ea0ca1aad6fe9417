//! C#: types by the files of their names, since namespaces name no files.

use super::{Resolver, Taken, What};
use crate::context::source::{Source, words};
use crate::context::tree::Tree;
use std::collections::HashSet;

pub(super) const RESOLVER: Resolver = Resolver { languages: &["csharp"], taken, faces: &[] };

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for (at, word) in words(&source.code) {
        if found.len() >= super::MOST || !word.starts_with(char::is_uppercase) || !seen.insert(word) {
            continue;
        }
        if let Some(file) = tree.ending(&format!("{word}.cs"), &source.path) {
            let what = What::Names(vec![(word.to_owned(), word.to_owned())]);
            found.push(Taken { line: source.line_of(at), files: vec![file.to_owned()], what });
        }
    }
    found
}
