//! gopls: Go.

use super::{PLAIN, Server};
use serde_json::{Value, json};

pub(super) const SERVER: Server = Server {
    name: "gopls",
    program: "gopls",
    languages: &[("go", "go")],
    // Versions that cannot be pulled from say nothing when a text is as clean as the one before it, and call
    // everything clean in a module that they cannot load.
    planted: Some("\nvar _ = notDeclaredAnywhere\n"),
    // Neither a toolchain nor modules are fetched because a workspace asks for them.
    variables: &[("GOTOOLCHAIN", "local"), ("GOPROXY", "off"), ("GOTELEMETRY", "off")],
    options: |_| Some(options()),
    settings: |_| json!({"gopls": options()}),
    ..PLAIN
};

fn options() -> Value {
    json!({"pullDiagnostics": true})
}
