//! basedpyright: a fork of pyright.

use super::{PLAIN, Server, absent, pyright};

pub(super) const SERVER: Server = Server {
    name: "basedpyright",
    program: "basedpyright-langserver",
    arguments: &["--stdio"],
    languages: pyright::LANGUAGES,
    // It asks `.venv/bin/python` for its folders.
    runs_workspace: true,
    settings: pyright::settings,
    weigh: absent::python,
    ..PLAIN
};
