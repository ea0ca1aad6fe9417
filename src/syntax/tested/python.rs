//! The tests of pytest and unittest.

use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, hollow: HOLLOW, names: None };

/// Assertions that cannot fail, as whole statements.
const HOLLOW: &[&str] = &[
    "assert True",
    "assert 1",
    "assert not False",
    "assert 1 == 1",
    "assert True is True",
    "assert True == True",
    "self.assertTrue(True)",
    "self.assertFalse(False)",
];
/// Lines of decorators.
const DECORATORS: usize = 60;

fn find(file: &File) -> Vec<Test> {
    let lines = &file.lines;
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut tests = Vec::new();
    for (place, (at, line)) in lines.iter().enumerate() {
        let start = line.trim_start();
        let head = start.strip_prefix("async ").unwrap_or(start);
        let Some(name) = head.strip_prefix("def ").filter(|name| name.starts_with("test")) else { continue };
        let name = name.split('(').next().unwrap_or_default().trim();
        let indent = depth(line);
        let rest = lines.iter().skip(place + 1);
        // A head of several lines closes on the indentation of its own `def`.
        let end = rest
            .clone()
            .find(|(_, line)| !line.trim().is_empty() && depth(line) <= indent && !line.trim_start().starts_with(')'));
        let end = end.map_or(file.code.len(), |(at, _)| *at);
        let decorators = lines.iter().take(place).rev().take(DECORATORS).take_while(|(_, line)| {
            depth(line) >= indent && !line.trim().is_empty() && !line.trim_start().starts_with("def ")
        });
        let mut skip = None;
        for (at, line) in decorators {
            if depth(line) > indent || !line.trim_start().starts_with(['@', ')', ']', '}']) {
                if depth(line) == indent {
                    break;
                }
                continue;
            }
            let name = line.trim().trim_start_matches('@').split('(').next().unwrap_or_default();
            if matches!(name, "pytest.mark.skip" | "mark.skip" | "unittest.skip" | "skip") {
                skip = Some(file.skip(*at));
            }
        }
        let body = lines.iter().skip(place + 1).take_while(|(at, _)| *at < end);
        let first = body.clone().find(|(_, line)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with(['"', '\'', '_', ')']) && !line.ends_with(',')
        });
        if let Some((at, _)) = first
            .filter(|(_, line)| line.trim().starts_with("pytest.skip(") || line.trim().starts_with("self.skipTest("))
        {
            skip = Some(file.skip(*at));
        }
        tests.push(Test {
            name: name.to_owned(),
            line: place + 1,
            skip,
            only: false,
            is_suite: false,
            asserts: file.asserts(*at, end),
            hollow: file.hollow(*at, end),
            is_table: false,
        });
    }
    tests
}
