//! Go's own tests, those of testify's suites, and subtests whose names are written out.

use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, skips: SKIPS, skips_all: Some(skips_all), ..Family::PLAIN };

/// Statements that skip a test.
const SKIPS: &[&str] = &[
    "t.Skip(",
    "t.Skipf(",
    "t.SkipNow(",
    "tb.Skip(",
    "tb.SkipNow(",
    "s.T().Skip(",
    "s.T().SkipNow(",
    "suite.T().Skip(",
    "suite.T().SkipNow(",
];

/// Constraints that no build fulfils.
const NEVER: &[&str] = &["//go:build ignore", "//go:build never", "//go:build disabled", "// +build ignore"];

fn find(file: &File) -> Vec<Test> {
    let mut tests = Vec::new();
    // Functions of a file do not stand in one another: where one is not closed, the next one ends it.
    let heads: Vec<usize> =
        file.lines.iter().filter(|(_, line)| line.starts_with("func ")).map(|(at, _)| *at).collect();
    for (at, line) in file.lines.iter().copied() {
        let Some(name) = function(line) else { continue };
        let Some(open) = file.body(at) else { continue };
        let next = heads.get(heads.partition_point(|head| *head <= at)).copied();
        let end = file.closing(open).min(next.unwrap_or(file.code.len())).max(open);
        let inner = subtests(file, name, (open, end));
        let mut test = file.test(name, at, (open + 1, end), None);
        test.is_table = inner.is_none();
        tests.push(test);
        tests.extend(inner.unwrap_or_default());
    }
    tests
}

/// `TestA` of `func TestA(`, `func (s *Suite) TestA(`.
fn function(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("func ")?;
    let rest = rest.strip_prefix('(').map_or(Some(rest), |rest| Some(rest.split_once(") ")?.1))?;
    rest.split('(').next().filter(|name| name.starts_with("Test"))
}

/// Those of `t.Run("name", …)`; `None` if names of some are not written out.
fn subtests(file: &File, parent: &str, (start, end): (usize, usize)) -> Option<Vec<Test>> {
    let body = file.code.get(start..end).unwrap_or_default();
    let mut tests = Vec::new();
    for (found, call) in body.match_indices(".Run(") {
        let open = start + found + call.len() - 1;
        let quote = file.code.as_bytes().get(open + 1).filter(|quote| matches!(quote, b'"' | b'`'))?;
        let name = file.text.get(open + 2..)?.split(char::from(*quote)).next()?;
        let close = file.closing(open);
        let within = file.body(open).filter(|body| *body < close)?;
        // `"a" + b` is a name that is made.
        let after = file.code.get(open + 3 + name.len()..)?;
        if !after.starts_with(',') {
            return None;
        }
        let end = file.closing(within).min(close);
        tests.push(file.test(&format!("{parent}/{name}"), open, (within + 1, end), None));
    }
    Some(tests)
}

/// A file that no build takes.
fn skips_all(file: &File) -> Option<usize> {
    let head = file.lines.iter().take_while(|(_, line)| !line.starts_with("package "));
    let mut written = head.map(|(at, line)| (*at, file.text.get(*at..at + line.len()).unwrap_or_default().trim()));
    written.find(|(_, line)| NEVER.contains(line)).map(|(at, _)| at)
}
