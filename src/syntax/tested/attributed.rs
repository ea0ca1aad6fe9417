//! Tests that an attribute tells: of Java and Kotlin (JUnit 4 and 5, TestNG), and of C# (xUnit, NUnit, MSTest).

use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, skips: SKIPS, ..Family::PLAIN };

/// The same, for Kotlin, where a name may be a sentence in backticks.
pub const KOTLIN: Family = Family { names: Some(without_sentences), ..FAMILY };

/// Statements that skip a test.
const SKIPS: &[&str] = &[
    "assumeTrue(false",
    "assumeFalse(true",
    "Assume.assumeTrue(false",
    "Assume.assumeFalse(true",
    "Assumptions.assumeTrue(false",
    "Assumptions.assumeFalse(true",
    "Assumptions.abort(",
    "throw new SkipException(",
    "throw new TestAbortedException(",
    "throw TestAbortedException(",
    "Assert.Ignore(",
    "Assert.Inconclusive(",
    "Assert.Skip(",
    "Assume.That(false",
    "Skip.If(true",
];

/// Projects have some of their own, which end like these: `@RepeatedTest`, `@RetryingTest`, `[ConditionalFact]`.
const TESTS: &[&str] =
    &["Test", "Fact", "Theory", "TestFactory", "TestTemplate", "TestCase", "TestCaseSource", "TestMethod"];

/// What comes before and after, rather than being one.
const NO_TESTS: &[&str] = &["BeforeTest", "AfterTest", "VisibleForTest"];

/// The text with names of Kotlin that are sentences (``fun `it's so`()``) blanked: their apostrophes begin no string.
fn without_sentences(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let name = line.find("fun `").map(|at| at + 5);
        let name = name.and_then(|start| Some(start..start + line.get(start..)?.find('`')?));
        match name.and_then(|name| Some((line.get(..name.start)?, line.get(name.clone())?, line.get(name.end..)?))) {
            Some((before, name, after)) => {
                out.push_str(before);
                out.extend(std::iter::repeat_n('_', name.len()));
                out.push_str(after);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Tests that are run with rows of a table.
const TABLES: &[&str] = &["ParameterizedTest", "Theory", "TestFactory", "TestTemplate", "TestCase", "TestCaseSource"];

/// One `@Name(…)`, or one of `[Name(…), Name]`.
struct Attribute<'t> {
    at: usize,
    /// Without what it is in.
    name: &'t str,
    /// Masked.
    arguments: &'t str,
}

impl Attribute<'_> {
    fn is_test(&self) -> bool {
        TESTS.iter().any(|end| self.name.ends_with(end)) && !NO_TESTS.contains(&self.name)
    }

    /// Whatever the system.
    fn skips(&self) -> bool {
        let arguments: String = self.arguments.split_whitespace().collect();
        match self.name {
            "Disabled" | "Ignore" | "Ignored" | "Explicit" => true,
            "Test" => arguments.contains("enabled=false"),
            _ => self.is_test() && (arguments.contains("Skip=") || arguments.contains("Ignore=")),
        }
    }
}

fn find(file: &File) -> Vec<Test> {
    let mut tests = Vec::new();
    let mut passed = 0;
    for (start, line) in file.lines.iter().copied() {
        if start < passed || !(line.trim_start().starts_with(['@', '[']) || is_type(line) || is_override(line)) {
            continue;
        }
        let (attributes, after) = attributes(file, start);
        passed = after.max(start) + 1;
        let Some((name, at, is_type)) = declared(file, after) else { continue };
        let skip = attributes.iter().find(|it| it.skips()).map(|it| it.at);
        if is_type {
            // Only for what skips all that is in it.
            let end = file.body(after).map_or(after, |open| file.closing(open));
            tests.push(Test { is_suite: true, ..file.test(name, at, (after, end), skip) });
        } else if attributes.iter().any(Attribute::is_test) {
            let is_table = attributes.iter().any(|it| TABLES.contains(&it.name));
            tests.push(Test { is_table, ..file.test(name, at, body(file, at), skip) });
        } else if attributes.is_empty() && is_override(line) {
            // A test if that one is: it can be where a test went, and is nothing to lose.
            tests.push(Test { is_suite: true, ..file.test(name, at, (at, at), None) });
        }
    }
    tests
}

/// Does a type's declaration begin here, without attributes?
fn is_type(line: &str) -> bool {
    const BEFORE: &[&str] = &[
        "public",
        "internal",
        "private",
        "protected",
        "abstract",
        "final",
        "sealed",
        "static",
        "partial",
        "open",
        "inner",
    ];
    let mut words = line.split_whitespace().skip_while(|word| BEFORE.contains(word));
    words.next() == Some("class")
}

/// A method of C# that takes the place of another is what that one is.
fn is_override(line: &str) -> bool {
    line.trim_start().starts_with("public override ") && !line.contains(" fun ")
}

/// All that stand one after the other from here, and where they end.
fn attributes<'t>(file: &File<'t>, start: usize) -> (Vec<Attribute<'t>>, usize) {
    let (mut found, mut at) = (Vec::new(), start);
    loop {
        let rest = file.code.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        if rest.starts_with('[') {
            let end = file.closing(at);
            found.extend(listed(file, at + 1, end));
            at = end + 1;
        } else if rest.starts_with('@') && !rest.starts_with("@interface") {
            let attribute = attribute(file, at + 1);
            at = attribute.at + attribute.arguments.len();
            found.push(attribute);
        } else {
            return (found, at.min(file.code.len()));
        }
    }
}

/// The one whose path begins at `start`. Its place is where its arguments begin.
fn attribute<'t>(file: &File<'t>, start: usize) -> Attribute<'t> {
    let rest = file.code.get(start..).unwrap_or_default();
    let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | ':')).unwrap_or(rest.len());
    let path = rest.get(..end).unwrap_or_default();
    let at = start + end;
    let close = if rest.get(end..).is_some_and(|rest| rest.starts_with('(')) { file.closing(at) + 1 } else { at };
    let name = path.rsplit(['.', ':']).next().unwrap_or_default();
    let name = name.strip_suffix("Attribute").unwrap_or(name);
    Attribute { at, name, arguments: file.code.get(at..close.min(file.code.len())).unwrap_or_default() }
}

/// `A(…), B`
fn listed<'t>(file: &File<'t>, start: usize, end: usize) -> Vec<Attribute<'t>> {
    let (mut found, mut at) = (Vec::new(), start);
    while at < end {
        let rest = file.code.get(at..end).unwrap_or_default();
        let Some(skipped) = rest.find(|c: char| c.is_alphabetic()) else { break };
        let attribute = attribute(file, at + skipped);
        at = (attribute.at + attribute.arguments.len()).max(at + skipped + 1);
        found.push(attribute);
    }
    found
}

/// The name of what is declared at `at`, its place, and whether it is a type.
fn declared<'t>(file: &File<'t>, at: usize) -> Option<(&'t str, usize, bool)> {
    let rest = file.code.get(at..file.code.len().min(at + super::file::HEAD)).or_else(|| file.code.get(at..))?;
    let end = rest.find(['(', '{', ';', '=', '}'])?;
    let head = rest.get(..end)?.trim_end();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = head.split(|c: char| !is_word(c));
    if let Some(kind) = words.find(|word| matches!(*word, "class" | "interface" | "record" | "object" | "struct")) {
        let after = head.find(kind)? + kind.len();
        let name = head.get(after..)?.split(|c: char| !is_word(c)).find(|word| !word.is_empty())?;
        return Some((name, at, true));
    }
    if !rest.get(end..).is_some_and(|rest| rest.starts_with('(')) {
        return None;
    }
    // Kotlin's names may be sentences.
    let start = match head.strip_suffix('`') {
        Some(head) => head.rfind('`')? + 1,
        None => head.trim_end_matches(is_word).len(),
    };
    let name = file.text.get(at + start..at + head.len())?.trim_end_matches('`');
    (!name.is_empty()).then_some((name, at + start, false))
}

/// What a function does, whose name is at `at`: in braces, or after `=` to the end of what stands further in.
fn body(file: &File, at: usize) -> (usize, usize) {
    let close = file.code.get(at..).and_then(|rest| rest.find('(')).map_or(at, |open| file.closing(at + open));
    let (start, statement) = file.statement(close + 1);
    if statement.starts_with('=') {
        let line = file.line(at);
        let depth = |line: &str| line.len() - line.trim_start().len();
        let own = file.lines.get(line.saturating_sub(1)).map_or(0, |(_, line)| depth(line));
        let mut rest = file.lines.iter().skip(file.line(start));
        let end = rest.find(|(_, line)| {
            !line.trim().is_empty() && depth(line) <= own && !line.trim_start().starts_with([')', '}'])
        });
        return (start, end.map_or(file.code.len(), |(at, _)| *at));
    }
    file.body(close).map_or((start, start), |open| (open + 1, file.closing(open)))
}
