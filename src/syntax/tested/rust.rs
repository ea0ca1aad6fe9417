//! Rust's own tests, and of macros what is used like them.

use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, skips_all: Some(skips_all), ..Family::PLAIN };

/// Conditions of `cfg` that are never true.
const NEVER: &[&str] = &["(any())", "(FALSE)", "(false)", "(never)", "(disabled)", "(not(test))", "(all(test,any()))"];

fn find(file: &File) -> Vec<Test> {
    let mut tests = Vec::new();
    // Attributes since the last item, with their offsets.
    let mut attributes: Vec<(usize, &str)> = Vec::new();
    for (at, line) in file.lines.iter().copied() {
        let start = line.trim_start();
        if start.starts_with("#[") {
            attributes.push((at, start));
            // `#[test] fn a() {` on one line goes on.
            if !start.contains(" fn ") {
                continue;
            }
        }
        if start.is_empty() {
            continue;
        }
        let module = start.strip_prefix("pub ").unwrap_or(start).strip_prefix("mod ");
        let Some(name) = start.split_once("fn ").map(|(_, name)| name).or(module) else {
            if !attributes.is_empty() && !start.starts_with([')', ']']) && start.ends_with([';', '{', '}']) {
                attributes.clear();
            }
            continue;
        };
        let is_suite = module.is_some();
        let is_test = attributes.iter().any(|(_, it)| {
            let name = attribute(it);
            name == "test"
                || name.ends_with("::test")
                || matches!(name, "rstest" | "test_case" | "test_log" | "wasm_bindgen_test" | "proptest" | "quickcheck")
        });
        let ignored = attributes.iter().find(|(_, it)| skips(it)).map(|(at, _)| *at);
        let is_table = attributes.iter().any(|(_, it)| matches!(attribute(it), "rstest" | "test_case" | "case"));
        attributes.clear();
        let Some(open) = file.body(at).filter(|_| is_test || is_suite) else {
            continue;
        };
        let name = name.split(['(', '<', '{', ';']).next().unwrap_or_default().trim();
        if is_suite && line.trim_end().ends_with(';') {
            continue;
        }
        tests.push(Test { is_suite, is_table, ..file.test(name, at, (open + 1, file.closing(open)), ignored) });
    }
    tests
}

/// `tokio::test` of `#[tokio::test(flavor = "x")]`.
fn attribute(line: &str) -> &str {
    line.trim_start_matches("#[").split(['(', ']', ' ', '=']).next().unwrap_or_default()
}

fn skips(line: &str) -> bool {
    attribute(line) == "ignore" || is_never(line.trim_start_matches("#["))
}

/// `cfg(any())]`
fn is_never(attribute: &str) -> bool {
    let squeezed: String = attribute.split_whitespace().collect();
    let condition = squeezed.strip_prefix("cfg").and_then(|rest| rest.split(']').next());
    condition.is_some_and(|condition| NEVER.contains(&condition))
}

/// `#![cfg(any())]`
fn skips_all(file: &File) -> Option<usize> {
    let mut lines = file.lines.iter().filter(|(_, line)| line.starts_with("#!["));
    lines.find(|(_, line)| is_never(line.trim_start_matches("#!["))).map(|(at, _)| *at)
}
