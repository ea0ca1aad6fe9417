//! Elixir.

use super::Nature;
use crate::syntax::{Bodies, Language, Lexis};

parser!("beam", elixir);

pub const LANGUAGE: Language = Language {
    name: "elixir",
    extensions: &["ex", "exs"],
    file_names: &["mix.lock"],
    // Debian's examples of what a package may have are called so as well.
    nature: Some(Nature {
        extensions: &["ex", "EX"],
        begins: &[
            "defmodule ",
            "defimpl ",
            "defprotocol ",
            "def ",
            "defp ",
            "defmacro",
            "use ",
            "import Config",
            "config :",
        ],
        holds: &["|>"],
    }),
    programs: &["elixir"],
    parser: PARSER,
    lexis: Some(Lexis { triple: true, long: true, ..Lexis::HASH }),
    bodies: Some(Bodies::End),
    ..Language::NONE
};
