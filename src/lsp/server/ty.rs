//! ty: types of Python.

use super::{PLAIN, Server, absent, pyright};

pub(super) const SERVER: Server = Server {
    name: "ty",
    program: "ty",
    arguments: &["server"],
    languages: pyright::LANGUAGES,
    weigh: absent::python,
    ..PLAIN
};
