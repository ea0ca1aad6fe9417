//! clangd: C and C++.

use super::{Ask, PLAIN, Place, Server};
use crate::diagnostic::Diagnostic;

pub(super) const SERVER: Server = Server {
    name: "clangd",
    program: "clangd",
    // Its index would be written into the workspace.
    arguments: &["--background-index=false", "--log=error"],
    languages: &[
        ("c", "c"),
        ("h", "cpp"),
        ("cc", "cpp"),
        ("cpp", "cpp"),
        ("cxx", "cpp"),
        ("hh", "cpp"),
        ("hpp", "cpp"),
        ("hxx", "cpp"),
        ("m", "objective-c"),
        ("mm", "objective-cpp"),
    ],
    ask: Ask::VersionedPush,
    variables: &[("XDG_CACHE_HOME", "{private}")],
    weigh,
    ..PLAIN
};

/// What says how a file is compiled, in one of the folders above it.
const DATABASES: &[&str] = &["compile_commands.json", "build/compile_commands.json", "compile_flags.txt"];

/// Without a compilation database it guesses where headers are. One that it does not find says nothing of the text, nor does
/// what follows from it.
fn weigh(place: &Place, found: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, &'static str> {
    let missing = found.iter().any(|it| it.code.as_deref() == Some("pp_file_not_found"));
    let known = || place.folders().any(|folder| DATABASES.iter().any(|name| folder.join(name).is_file()));
    if missing && !known() { Err("it finds a header only with a compile_commands.json") } else { Ok(found) }
}
