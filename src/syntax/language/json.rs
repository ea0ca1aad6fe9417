//! JSON, with its dialects.

use crate::syntax::{Language, parse};

pub const LANGUAGE: Language = Language {
    name: "json",
    extensions: &[
        "json",
        "jsonc",
        "jsonl",
        "ndjson",
        "geojson",
        "webmanifest",
        "ipynb",
        "code-workspace",
        "har",
        "avsc",
    ],
    file_names: &["composer.lock", "flake.lock", "Pipfile.lock", ".watchmanconfig", ".swcrc", ".jshintrc"],
    parser: Some(parse::json::PARSER),
    ..Language::NONE
};
