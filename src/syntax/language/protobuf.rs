//! Protocol Buffers.

use crate::syntax::{Language, Lexis};

parser!("interface", protobuf);

pub const LANGUAGE: Language = Language {
    name: "protobuf",
    extensions: &["proto"],
    parser: PARSER,
    lexis: Some(Lexis { single: true, ..Lexis::C }),
    ..Language::NONE
};
