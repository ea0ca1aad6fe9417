//! Rust's own tests, and of macros what is used like them.

use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, hollow: HOLLOW, names: None };

/// Assertions that cannot fail, as whole statements.
const HOLLOW: &[&str] = &["assert!(true)", "assert_eq!(1, 1)", "assert_eq!(true, true)"];

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
        let Some(name) = start.split_once("fn ").map(|(_, name)| name) else {
            if !attributes.is_empty() && !start.starts_with([')', ']']) && start.ends_with([';', '{', '}']) {
                attributes.clear();
            }
            continue;
        };
        let attribute = |(_, attribute): &&(usize, &str)| {
            attribute.trim_start_matches("#[").split(['(', ']', ' ', '=']).next().unwrap_or_default().to_owned()
        };
        let is_test = attributes.iter().any(|it| {
            let name = attribute(&it);
            name == "test" || name.ends_with("::test") || matches!(name.as_str(), "rstest" | "test_case" | "test_log")
        });
        let ignored = attributes.iter().find(|it| attribute(it) == "ignore").map(|(at, _)| *at);
        attributes.clear();
        let Some(open) = file.body(at).filter(|_| is_test) else {
            continue;
        };
        let end = file.closing(open);
        tests.push(Test {
            name: name.split(['(', '<']).next().unwrap_or_default().trim().to_owned(),
            line: file.line(at),
            skip: ignored.map(|at| file.skip(at)),
            only: false,
            is_suite: false,
            asserts: file.asserts(open, end),
            hollow: file.hollow(open, end),
            is_table: false,
        });
    }
    tests
}
