//! Erlang.

use crate::syntax::{Language, Lexis};

parser!("beam", erlang);

pub const LANGUAGE: Language = Language {
    name: "erlang",
    extensions: &["erl", "hrl"],
    file_names: &["rebar.config", "rebar.lock"],
    programs: &["escript"],
    parser: PARSER,
    lexis: Some(Lexis { line: &["%"], long: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
