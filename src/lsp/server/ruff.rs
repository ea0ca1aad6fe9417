//! ruff: a linter of Python, of whose findings those are errors that make a program fail.

use super::{PLAIN, Server, pyright};

pub(super) const SERVER: Server =
    Server { name: "ruff", program: "ruff", arguments: &["server"], languages: pyright::LANGUAGES, ..PLAIN };
