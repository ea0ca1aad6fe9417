//! Elixir.

use crate::syntax::{Bodies, Language, Lexis};

parser!("beam", elixir);

pub const LANGUAGE: Language = Language {
    name: "elixir",
    extensions: &["ex", "exs"],
    file_names: &["mix.lock"],
    programs: &["elixir"],
    parser: PARSER,
    lexis: Some(Lexis { triple: true, long: true, ..Lexis::HASH }),
    bodies: Some(Bodies::End),
    ..Language::NONE
};
