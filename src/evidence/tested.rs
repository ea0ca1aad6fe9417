//! Which tests of a branch are about which files: those that take one in by its module, or are called after it. A word that
//! both have says nothing: `date`, `utils` and `index` are everywhere.

use super::Commit;
use crate::check::{is_test, subject};
use crate::syntax::{self, Origin};
use std::collections::{BTreeMap, HashSet};

/// Folders in which the sources of a project begin.
const ROOTS: &[&str] = &["src", "lib"];
/// Files that stand for their folder.
const OF_FOLDER: &[&str] = &["__init__", "index", "mod", "lib"];
/// What a line begins with that takes something in.
const TAKES_IN: &[&str] = &[
    "import",
    "from",
    "use",
    "using",
    "require",
    "require_relative",
    "#include",
    "include",
    "export",
    "const",
    "let",
    "}",
];

/// A test, and what it takes in.
struct Test<'t> {
    path: &'t str,
    /// Files that it names by where they are from it.
    places: HashSet<String>,
    /// Modules, by the parts of their names.
    modules: Vec<Vec<String>>,
}

/// Sets the tests of each file. `texts`: what the tests are in the end.
pub(super) fn tell(commits: &mut [Commit], texts: &BTreeMap<String, String>) {
    let are_tests = texts.iter().filter(|(path, _)| is_test(path) && family(path).is_some());
    let tests: Vec<Test> = are_tests.map(|(path, text)| Test::of(path, text)).collect();
    for file in commits.iter_mut().flat_map(|commit| &mut commit.files).filter(|file| !is_test(&file.path)) {
        let about = tests.iter().filter(|test| test.is_about(&file.path));
        file.tests = about.map(|test| test.path.to_owned()).collect();
    }
}

impl<'t> Test<'t> {
    fn of(path: &'t str, text: &str) -> Test<'t> {
        let places = |import: syntax::Import| match import.from {
            Origin::Places(places) => places,
            Origin::Package => Vec::new(),
        };
        let places = syntax::imports(path, text).into_iter().flat_map(places).collect();
        Test { path, places, modules: text.lines().flat_map(taken_in).collect() }
    }

    fn is_about(&self, path: &str) -> bool {
        let family = family(path);
        family.is_some()
            && family == self::family(self.path)
            && (self.places.contains(path) || self.is_called_after(path) || self.names(path))
    }

    fn is_called_after(&self, path: &str) -> bool {
        let mine = subject(self.path);
        match OF_FOLDER.contains(&stem(path)) {
            true => mine == subject(path) && folder(self.path) == folder(path),
            // What is no test by its own name is a helper of tests: pytest takes no other.
            false => mine == subject(path) && (family(path) != Some("python") || stem(self.path) != stem(path)),
        }
    }

    fn names(&self, path: &str) -> bool {
        let mut whole: Vec<&str> = folder(path).split('/').filter(|part| !part.is_empty()).collect();
        if !OF_FOLDER.contains(&stem(path)) {
            whole.push(stem(path));
        }
        let root = whole.iter().rposition(|part| ROOTS.contains(part)).map_or(0, |at| at + 1);
        let own = &whole[root..];
        !own.is_empty() && self.modules.iter().any(|named| is_named(&whole, own, named, family(path)))
    }
}

/// Is this the module with the parts `whole`, of which `own` are below the root of the sources?
fn is_named(whole: &[&str], own: &[&str], named: &[String], family: Option<&str>) -> bool {
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    match (family, named.as_slice()) {
        // The name of the crate stands in front, and what is taken from the module behind.
        (Some("rust"), ["std" | "core" | "alloc", ..]) => false,
        (Some("rust"), [_, rest @ ..]) => rest.starts_with(own),
        (Some("c"), named) => !named.is_empty() && whole.ends_with(named),
        // A single name may be anybody's package.
        (Some("javascript"), ["@" | "~", rest @ ..]) => rest == own,
        (Some("javascript"), [_]) => false,
        (_, named) => named == own || (named.len() > 1 && whole.ends_with(named)),
    }
}

/// The modules that a line takes in: `from a.b import c` may be `a.b` or `a.b.c`.
fn taken_in(line: &str) -> Vec<Vec<String>> {
    let line = line.trim();
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let first = line.split(|c: char| c.is_whitespace() || c == '(' || c == '"').next().unwrap_or_default();
    if !TAKES_IN.contains(&first) {
        return Vec::new();
    }
    let quoted: Vec<&str> = line.split(['"', '\'', '<', '>']).skip(1).step_by(2).collect();
    if !quoted.is_empty() {
        return quoted.into_iter().map(parts).collect();
    }
    let rest = &line[first.len()..];
    let mut words = rest.split(|c: char| c.is_whitespace() || ",;(){}".contains(c)).filter(|word| !word.is_empty());
    let Some(head) = words.next() else { return Vec::new() };
    let is_of_head = first == "from" || head.ends_with(':') || head.ends_with('\\');
    let below = |word: &str| match is_of_head {
        true => [parts(head), parts(word)].concat(),
        false => parts(word),
    };
    let below: Vec<Vec<String>> = words.map(below).collect();
    [vec![parts(head)], below].concat()
}

/// `a.b`, `a::b`, `a\b`, `../a/b.h`: `a` and `b`.
fn parts(name: &str) -> Vec<String> {
    let name = match name.rsplit_once('/') {
        Some((_, last)) => &name[..name.len() - last.len() + last.find('.').unwrap_or(last.len())],
        None => name.strip_suffix(".h").or_else(|| name.strip_suffix(".hpp")).unwrap_or(name),
    };
    name.split(['/', '.', ':', '\\']).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The language of what can be tested, those that take in each other's files being one.
fn family(path: &str) -> Option<&'static str> {
    let language = syntax::language(path).filter(|language| language.parser.is_some())?;
    Some(match language.name {
        "typescript" | "javascript" => "javascript",
        "c" | "cpp" | "objective-c" => "c",
        "java" | "kotlin" | "groovy" | "scala" => "java",
        name => name,
    })
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of these files those that the test is about.
    fn about(test: &str, text: &str, files: &[&'static str]) -> Vec<&'static str> {
        let test = Test::of(test, text);
        files.iter().copied().filter(|path| test.is_about(path)).collect()
    }

    #[test]
    fn a_test_is_about_the_modules_that_it_takes_in_and_about_no_word_of_its_own() {
        let files = [
            "src/calc.py",
            "src/lib.rs",
            "src/index.js",
            "app/utils.py",
            "app/date.py",
            "src/__init__.py",
            "src/shop/till.py",
            "app/logging.py",
        ];
        let text = "import logging\nfrom datetime import date\nfrom src import calc\nfrom tests.utils import helper\n\
                    from shop.till import (\n    Till,\n)\n\ndef test_lib(): utils, index, src\n";
        assert_eq!(about("tests/test_all.py", text, &files), ["src/calc.py", "src/shop/till.py"]);
        assert_eq!(about("tests/test_date.py", "", &files), ["app/date.py"], "it is called after it");
        assert_eq!(about("tests/utils.py", "", &files), Vec::<&str>::new(), "what tests share is no test");
    }

    #[test]
    fn each_language_names_modules_in_its_way() {
        let rust = ["src/tally.rs", "src/shop/mod.rs", "src/fs.rs", "src/lib.rs"];
        assert_eq!(about("tests/all.rs", "use own::tally::add;\nuse std::fs;\n", &rust), ["src/tally.rs"]);
        assert_eq!(about("tests/all.rs", "use own::{shop, x};\n", &rust), ["src/shop/mod.rs"]);
        let script = ["src/tally.ts", "src/index.ts", "src/date.ts", "src/a/b.ts"];
        let text = "import { add } from \"../src/tally\";\nimport date from 'date';\nimport { b } from '@/a/b';\n";
        assert_eq!(about("test/all.test.js", text, &script), ["src/tally.ts", "src/a/b.ts"]);
        assert_eq!(about("test/all.test.js", "const all = require('../src');\n", &script), ["src/index.ts"]);
        assert_eq!(about("tests/all.cpp", "#include \"../src/tally.h\"\n", &["src/tally.c"]), ["src/tally.c"]);
        assert_eq!(about("test/all_test.rb", "require_relative '../lib/tally'\n", &["lib/tally.rb"]), ["lib/tally.rb"]);
        let java = ["src/main/java/com/x/Till.java"];
        assert_eq!(about("src/test/java/AllTest.java", "import com.x.Till;\n", &java), java);
        assert_eq!(about("specs/002-x/tasks.md", "Change `src/tally.rs`\nuse tally\n", &rust), Vec::<&str>::new());
    }
}
