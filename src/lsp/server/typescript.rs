//! typescript-language-server, over the TypeScript that is installed beside it.

use super::{Ask, PLAIN, Place, Server, absent, tsgo};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(super) const SERVER: Server = Server {
    name: "typescript-language-server",
    program: "typescript-language-server",
    arguments: &["--stdio"],
    languages: tsgo::LANGUAGES,
    ask: Ask::Tsserver,
    variables: tsgo::VARIABLES,
    options,
    lacks: "no TypeScript is installed beside it ('npm install -g typescript')",
    weigh: absent::node,
    ..PLAIN
};

/// Left to itself it runs the workspace's `node_modules/typescript`. A TypeScript that lies beside it takes that one's
/// place.
fn options(place: &Place) -> Option<Value> {
    let program = place.program.canonicalize().ok()?;
    let tsserver = program.ancestors().find_map(beside).filter(|found| !found.starts_with(place.root))?;
    Some(json!({
        "disableAutomaticTypingAcquisition": true,
        "tsserver": {"path": tsserver, "useSyntaxServer": "never"},
    }))
}

fn beside(folder: &Path) -> Option<PathBuf> {
    let modules = if folder.ends_with("node_modules") { folder.to_owned() } else { folder.join("node_modules") };
    Some(modules.join("typescript/lib/tsserver.js")).filter(|found| found.is_file())
}
