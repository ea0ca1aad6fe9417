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

/// Types of packages that are not installed are not fetched.
pub(super) const OFFLINE: (&str, &str) = ("npm_config_offline", "true");

pub(super) const SERVER: Server = Server {
    name: "tsgo",
    program: "tsgo",
    arguments: &["--lsp", "--stdio"],
    languages: LANGUAGES,
    variables: &[OFFLINE, ("XDG_CACHE_HOME", "{private}")],
    weigh: absent::node,
    ..PLAIN
};
