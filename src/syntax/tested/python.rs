//! The tests of pytest and unittest.

use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, skips: SKIPS, skips_all: Some(skips_all), ..Family::PLAIN };

/// Statements that skip a test, or let it fail.
const SKIPS: &[&str] = &[
    "pytest.skip(",
    "pytest.xfail(",
    "self.skipTest(",
    "raise SkipTest",
    "raise unittest.SkipTest",
    "raise pytest.skip.Exception",
];

/// Decorators that do so, whatever their arguments; those of the second list do where these make it certain.
const MARKS: &[&str] = &["skip", "xfail", "expectedFailure"];
const CONDITIONS: &[(&str, &str)] =
    &[("skipif", "(True"), ("skipIf", "(True"), ("skipUnless", "(False"), ("parametrize", ",[])")];

/// Lines of decorators.
const DECORATORS: usize = 60;

fn find(file: &File) -> Vec<Test> {
    let lines = &file.lines;
    let mut tests = Vec::new();
    for (place, (at, line)) in lines.iter().enumerate() {
        let start = line.trim_start();
        let head = start.strip_prefix("async ").unwrap_or(start);
        let is_suite = head.starts_with("class ");
        let named = head.strip_prefix("def ").filter(|name| name.starts_with("test"));
        let Some(name) = named.or_else(|| head.strip_prefix("class ")) else { continue };
        let name = name.split(['(', ':', '[']).next().unwrap_or_default().trim();
        let indent = depth(line);
        // A head of several lines closes on the indentation of its own `def`.
        let mut rest = lines.iter().skip(place + 1);
        let end = rest.find(|(at, line)| {
            !line.trim().is_empty() && file.depth((*at, line)) <= indent && !line.trim_start().starts_with(')')
        });
        let end = end.map_or(file.code.len(), |(at, _)| *at);
        let decorators = decorators(file, place, indent);
        let mut skip = decorators.iter().copied().find(|at| skips(file, *at));
        if is_suite {
            skip = skip.or_else(|| class_skips(file, place, end));
        }
        let body = body(file, *at, end);
        let is_table = decorators.iter().any(|at| decorator(file, *at).0 == "parametrize")
            || file.code.get(body..end).is_some_and(|body| body.contains("subTest("));
        tests.push(Test { is_suite, is_table, ..file.test(name, *at, (body, end), skip) });
    }
    tests
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// What follows the colon of a head.
fn body(file: &File, at: usize, end: usize) -> usize {
    let head = file.code.get(at..end).unwrap_or_default();
    let line = head.find('\n').unwrap_or(head.len());
    let close = head.find('(').filter(|open| *open < line).map_or(at, |open| file.closing(at + open));
    let colon = file.code.get(close..end).and_then(|rest| rest.find(':'));
    colon.map_or(at + line, |colon| close + colon + 1)
}

/// The offsets of the lines of decorators before the one at `place`.
fn decorators(file: &File, place: usize, indent: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, line) in file.lines.iter().take(place).rev().take(DECORATORS) {
        let first = line.trim_start();
        if first.is_empty() || depth(line) < indent {
            break;
        }
        if depth(line) > indent || first.starts_with([')', ']', '}']) {
            continue;
        }
        if !first.starts_with('@') {
            break;
        }
        found.push(*at);
    }
    found
}

/// The last part of a decorator's name, and its arguments without white space.
fn decorator<'t>(file: &File<'t>, at: usize) -> (&'t str, String) {
    let (start, line) = file.statement(at);
    let name = line.trim_start_matches('@').split(['(', ' ']).next().unwrap_or_default();
    let open = line.find('(').map(|open| start + open);
    let arguments = open.and_then(|open| file.code.get(open..(file.closing(open) + 1).min(file.code.len())));
    (name.rsplit('.').next().unwrap_or_default(), arguments.unwrap_or_default().split_whitespace().collect())
}

fn skips(file: &File, at: usize) -> bool {
    let (name, arguments) = decorator(file, at);
    // What must fail is tested, too; what may fail on some system is none of ours.
    let depends = name == "xfail"
        && (arguments.contains("strict=True")
            || !(arguments.len() <= 2 || arguments.starts_with("(reason=") || arguments.starts_with("(\"")));
    let certain = |(mark, argument): &(&str, &str)| {
        name == *mark
            && if argument.ends_with(')') { arguments.ends_with(argument) } else { arguments.starts_with(argument) }
    };
    (MARKS.contains(&name) && !depends) || CONDITIONS.iter().any(certain)
}

/// `pytestmark = pytest.mark.skip`, `__test__ = False`.
fn is_mark(statement: &str) -> bool {
    let Some((name, value)) = statement.split_once('=') else { return false };
    let value: String = value.split_whitespace().collect();
    let value = value.trim_start_matches(['[', '(']);
    match name.trim() {
        "pytestmark" => value
            .strip_prefix("pytest.mark.skip")
            .is_some_and(|rest| !rest.starts_with("if") || rest.starts_with("if(True")),
        "__test__" => value == "False",
        _ => false,
    }
}

/// What skips all tests of a class, in its own lines.
fn class_skips(file: &File, place: usize, end: usize) -> Option<usize> {
    let own = file.lines.get(place + 1).map(|(_, line)| depth(line));
    let lines = file.lines.iter().skip(place + 1).take(DECORATORS).take_while(|(at, _)| *at < end);
    let mut own = lines.filter(|(_, line)| Some(depth(line)) == own);
    own.find(|(_, line)| is_mark(line.trim())).map(|(at, _)| *at)
}

fn skips_all(file: &File) -> Option<usize> {
    let mut lines = file.lines.iter().filter(|(_, line)| line.starts_with(['p', '_', 'r']));
    let found = lines.find(|(at, line)| {
        let raises = line.starts_with("raise unittest.SkipTest") || line.starts_with("raise SkipTest");
        let skips = line.starts_with("pytest.skip(") && {
            let end = file.closing(at + "pytest.skip".len());
            file.code.get(*at..end).is_some_and(|call| call.contains("allow_module_level"))
        };
        raises || skips || is_mark(line)
    })?;
    Some(found.0)
}
