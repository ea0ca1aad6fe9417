//! JSON; JSON with comments and trailing commas by name (`tsconfig.json`), folder or suffix (`.jsonc`); one value a line
//! (`.jsonl`). Of other names nobody knows all programs that read comments: a text that is right with them is lenient,
//! unless the name belongs to a program that surely reads none.

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
    "bicepconfig.json",
    "biome.json",
    ".cspell.json",
    "cspell.json",
    "deno.json",
    "devcontainer.json",
    "dotnetcli.host.json",
    "global.json",
    "ide.host.json",
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
const COMMENTED_FOLDERS: &[&str] =
    &[".vscode", ".vscode-template", "vscode", ".devcontainer", ".zed", ".template.config"];

/// Names and suffixes whose programs read JSON as it was meant, and nothing else.
const STRICT_NAMES: &[&str] = &[
    ".bowerrc",
    "bower.json",
    "components.json",
    "composer.json",
    "manifest.webmanifest",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.json",
    "project.assets.json",
    "vercel.json",
];
const STRICT_EXTENSIONS: &[&str] = &["geojson", "har", "ipynb", "lock", "webmanifest"];

fn parse(path: &str, text: &str) -> Parsed {
    match extension(path).as_str() {
        "jsonl" | "ndjson" => parse_lines(text),
        _ if allows_comments(path) => parse_commented(text),
        extension => match parse_strict(text) {
            None => Parsed::Clean,
            Some(_) if is_call(text) => Parsed::NotApplicable("it is a call with JSON in it"),
            Some(error) => {
                let strict = STRICT_NAMES.contains(&file_name(path)) || STRICT_EXTENSIONS.contains(&extension);
                match !strict && has_comments(text) && parse_commented(text) == Parsed::Clean {
                    true => Parsed::Lenient(vec![error]),
                    false => Parsed::Broken(vec![error]),
                }
            }
        },
    }
}

/// Is there a comment outside of strings? Trailing commas alone are slips: whose program reads comments, writes some.
/// Asked only of texts that did not parse.
fn has_comments(text: &str) -> bool {
    let (mut quoted, mut before) = (false, b' ');
    for &byte in text.as_bytes() {
        match (quoted, before, byte) {
            (_, b'\\', _) if quoted => {
                before = b' ';
                continue;
            }
            (_, _, b'"') => quoted = !quoted,
            (false, b'/', b'/' | b'*') => return true,
            _ => {}
        }
        before = byte;
    }
    false
}

/// `callback({…});`, as servers send it to scripts of other sites.
fn is_call(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let called = text.trim().trim_end_matches(';').trim_end().strip_suffix(')').and_then(|text| text.split_once('('));
    called.is_some_and(|(name, arguments)| {
        let value = arguments.find(['{', '[']).map_or("", |at| &arguments[at..]);
        !name.is_empty() && name.chars().all(is_name) && !value.is_empty() && parse_strict(value).is_none()
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_under_a_name_that_says_nothing_are_lenient_and_trailing_commas_alone_a_slip() {
        for text in ["// a\n{}\n", "{\"a\": 1, /* b */ \"c\": [\"//\"],}\n"] {
            assert!(matches!(parse("conf/a.json", text), Parsed::Lenient(_)), "{text}");
            assert!(matches!(parse("package.json", text), Parsed::Broken(_)), "{text}");
            assert_eq!(parse("bicepconfig.json", text), Parsed::Clean);
            assert_eq!(parse("a/.template.config/template.json", text), Parsed::Clean);
        }
        for text in ["{\"a\": \"b://c\",}\n", "// a\n{\"a\": [1}\n", "{\"a\": \"\\\"//\",}\n"] {
            assert!(matches!(parse("conf/a.json", text), Parsed::Broken(_)), "{text}");
        }
    }

    #[test]
    fn json_that_is_handed_to_a_function_is_no_json() {
        assert!(matches!(parse("a.json", "a.post('b', {\"c\": 1});\n"), Parsed::NotApplicable(_)));
        assert!(matches!(parse("a.json", "a.post(\n{\"c\": 1\n);\n"), Parsed::Broken(_)));
    }
}
