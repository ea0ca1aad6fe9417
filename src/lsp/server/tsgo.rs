//! tsgo: TypeScript's compiler in Go (`@typescript/native-preview`).

use super::{PLAIN, Server, absent};

pub(super) const LANGUAGES: &[(&str, &str)] = &[
    ("ts", "typescript"),
    ("mts", "typescript"),
    ("cts", "typescript"),
    ("tsx", "typescriptreact"),
    ("js", "javascript"),
    ("mjs", "javascript"),
    ("cjs", "javascript"),
    ("jsx", "javascriptreact"),
];

/// They ask npm for the types of packages that are not installed: it fetches nothing, and keeps its logs to itself.
pub(super) const VARIABLES: &[(&str, &str)] =
    &[("npm_config_offline", "true"), ("npm_config_cache", "{private}"), ("XDG_CACHE_HOME", "{private}")];

pub(super) const SERVER: Server = Server {
    name: "tsgo",
    program: "tsgo",
    arguments: &["--lsp", "--stdio"],
    languages: LANGUAGES,
    variables: VARIABLES,
    weigh: absent::node,
    ..PLAIN
};
