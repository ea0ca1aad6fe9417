//! Lua.

use crate::syntax::{Bodies, Language, Lexis};

parser!("scripting", lua);

pub const LANGUAGE: Language = Language {
    name: "lua",
    extensions: &["lua", "rockspec"],
    file_names: &[".luacheckrc"],
    programs: &["lua", "luajit", "texlua"],
    parser: PARSER,
    lexis: Some(Lexis { line: &["--"], blocks: &[("--[[", "]]"), ("--[=[", "]=]")], single: true, ..Lexis::PLAIN }),
    bodies: Some(Bodies::End),
    ..Language::NONE
};
