//! What is no file and can carry a secret all the same: names of files, messages of commits and tags. It is judged for
//! secrets and for nothing else.

use super::Reported;
use crate::check::{self, Settings};
use crate::finding::Finding;
use crate::git::{Changed, Oid};

/// The names that are new. A finding has no path, which would repeat the secret.
pub(super) fn names(changed: &[Changed], settings: &Settings) -> Vec<Reported> {
    let of = |file: &Changed| {
        let what = format!("the name of '{}'", check::without_secrets(&file.path));
        let found = check::carried(&what, &file.path, settings).into_iter();
        let commit = file.commit;
        found.map(move |finding| Reported { commit, ..Reported::bare(Finding { line: None, ..finding }) })
    };
    // Nearly no name has any: the words about it are put together only then.
    let suspicious = |file: &&Changed| file.is_new_name && !check::secrets(&file.path).is_empty();
    changed.iter().filter(suspicious).flat_map(of).collect()
}

/// A commit or a tag, as git keeps it. Lines are those of the message; what its headers say has none.
pub(super) fn message(what: &str, id: Oid, text: &str, settings: &Settings) -> Vec<Reported> {
    let (headers, message) = text.split_once("\n\n").unwrap_or((text, ""));
    let headers = check::carried(&format!("the header of the {what}"), headers, settings).into_iter();
    let headers = headers.map(|finding| Finding { line: None, ..finding });
    let message = check::carried(&format!("the message of the {what}"), message, settings);
    headers.chain(message).map(|finding| Reported { commit: Some(id), ..Reported::bare(finding) }).collect()
}
