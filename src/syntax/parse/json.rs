//! JSON; JSON with comments and trailing commas by name (`tsconfig.json`) or suffix (`.jsonc`); one value a line
//! (`.jsonl`).

use super::{MAX_ERRORS, Parsed, Parser, SyntaxError, Trust, broken, line_at, wording};
use crate::syntax::{extension, file_name};
use serde::de::IgnoredAny;

pub(in crate::syntax) const PARSER: Parser = Parser { trust: Trust::Error, parse, stack_per_token: 0, links: None };

/// Names that their programs read with comments. Also everything in [`COMMENTED_FOLDERS`].
const COMMENTED_NAMES: &[&str] = &[
    ".eslintrc.json",
    ".hintrc",
    ".jshintrc",
    ".luarc.json",
    ".mocharc.json",
    ".oxlintrc.json",
    ".swcrc",
    "angular.json",
    "api-extractor.json",
    "babel.config.json",
    "biome.json",
    "cspell.json",
    "deno.json",
    "devcontainer.json",
    "jsconfig.json",
    "keybindings.json",
    "language-configuration.json",
    "launch.json",
    "nx.json",
    "pyrightconfig.json",
    "renovate.json",
    "runtimeconfig.template.json",
    "rush.json",
    "tslint.json",
    "turbo.json",
    "typedoc.json",
    "wrangler.json",
];
const COMMENTED_FOLDERS: &[&str] = &[".vscode", ".vscode-template", "vscode", ".devcontainer", ".zed"];

fn parse(path: &str, text: &str) -> Parsed {
    match extension(path).as_str() {
        "jsonl" | "ndjson" => parse_lines(text),
        _ if allows_comments(path) => parse_commented(text),
        _ => parse_strict(text).map_or(Parsed::Clean, |error| Parsed::Broken(vec![error])),
    }
}

fn allows_comments(path: &str) -> bool {
    let name = file_name(path);
    let configures = |stem: &str| name.starts_with(stem) && name.ends_with(".json");
    matches!(extension(path).as_str(), "jsonc" | "code-workspace")
        || COMMENTED_NAMES.contains(&name)
        || ["tsconfig.", "tsconfig-", "jsconfig.", "appsettings."].iter().any(|stem| configures(stem))
        || name == "tsconfig.json"
        || path.split(['/', '\\']).rev().skip(1).any(|folder| COMMENTED_FOLDERS.contains(&folder))
}

/// Values are skipped, not built: without recursion, and without the limits that belong to values (large numbers,
/// lone surrogates, repeated keys are all good JSON).
fn parse_strict(text: &str) -> Option<SyntaxError> {
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    Some(SyntaxError { line: error.line().max(1), message: wording(message) })
}

fn parse_lines(text: &str) -> Parsed {
    let errors: Vec<SyntaxError> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .filter_map(|(index, line)| Some(SyntaxError { line: index + 1, ..parse_strict(line)? }))
        .take(MAX_ERRORS)
        .collect();
    if errors.is_empty() { Parsed::Clean } else { Parsed::Broken(errors) }
}

fn parse_commented(text: &str) -> Parsed {
    use jsonc_parser::errors::ParseErrorKind;
    let options = jsonc_parser::ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    match jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &options) {
        Ok(parsed) if parsed.value.is_none() => broken(1, "there is no value"),
        Ok(_) => Parsed::Clean,
        Err(error) if matches!(error.kind(), ParseErrorKind::NestingDepthExceeded) => {
            Parsed::Unknown("it nests too deep".to_owned())
        }
        Err(error) => broken(line_at(text, error.range().start), &error.kind().to_string()),
    }
}
