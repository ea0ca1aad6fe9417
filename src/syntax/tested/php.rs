//! The tests of PHPUnit: `testX`, `#[Test]`, `@test`.

use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, skips: SKIPS, ..Family::PLAIN };

/// Statements that skip a test.
const SKIPS: &[&str] = &[
    "$this->markTestSkipped(",
    "$this->markTestIncomplete(",
    "self::markTestSkipped(",
    "self::markTestIncomplete(",
    "static::markTestSkipped(",
    "static::markTestIncomplete(",
];

/// Lines of attributes and remarks before a function.
const BEFORE: usize = 80;

fn find(file: &File) -> Vec<Test> {
    let mut tests = Vec::new();
    for (place, (at, line)) in file.lines.iter().copied().enumerate() {
        let words = line.trim_start();
        let Some((before, rest)) = words.split_once("function ") else { continue };
        // Methods; others are called.
        if !before.split_whitespace().all(|word| matches!(word, "public" | "final" | "static")) {
            continue;
        }
        let name = rest.split('(').next().unwrap_or_default().trim();
        let is_test = name.starts_with("test") || is_marked(file, place);
        let Some(open) = file.body(at).filter(|_| is_test) else { continue };
        let end = file.closing(open);
        let before = file.lines.get(place.saturating_sub(BEFORE)..place).unwrap_or_default();
        let is_table = before.iter().rev().take_while(|(_, line)| line.trim() != "}").any(|(at, line)| {
            let written = file.text.get(*at..at + line.len()).unwrap_or_default();
            written.contains("@dataProvider") || written.contains("DataProvider") || written.contains("TestWith")
        });
        tests.push(Test { is_table, ..file.test(name, at, (open + 1, end), None) });
    }
    tests
}

/// By an attribute, or a word in the remark before it.
fn is_marked(file: &File, place: usize) -> bool {
    let before = file.lines.iter().take(place).rev().take(BEFORE);
    let written =
        before.map(|(at, _)| file.text.get(*at..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim());
    let mut marks = written.take_while(|line| line.starts_with(['#', '*', '/']));
    marks.any(|line| {
        let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric() || c == '@' || c == '_')).collect();
        (line.starts_with("#[") && words.contains(&"Test")) || (!line.starts_with('#') && words.contains(&"@test"))
    })
}
