//! rust-analyzer: Rust.

use super::{PLAIN, Server};
use serde_json::{Value, json};

pub(super) const SERVER: Server = Server {
    name: "rust-analyzer",
    program: "rust-analyzer",
    languages: &[("rs", "rust")],
    says_when_ready: true,
    // Build scripts and macros, and whatever `.cargo/config.toml` names, even where those are switched off.
    runs_workspace: true,
    variables: &[("CARGO_NET_OFFLINE", "true"), ("RUSTUP_AUTO_INSTALL", "0")],
    options: |_| Some(options()),
    settings: |_| json!({"rust-analyzer": options()}),
    ..PLAIN
};

/// Nothing is compiled beside it, and its build output is not the workspace's. Of types it says only what it is sure of, and
/// calls that experimental: arguments of another type, fields and methods that are not there.
fn options() -> Value {
    json!({
        "checkOnSave": false,
        "cargo": {"targetDir": true},
        "cachePriming": {"enable": false},
        "diagnostics": {"experimental": {"enable": true}},
    })
}
