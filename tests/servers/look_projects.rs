//! Small projects in three languages, with mistakes as models make them: a type error, a failing test, an import of a thing
//! that is not there, a signature that two planned files do not agree on. Each is found by a real server or the project's own
//! tests, goes back, and is mended before anything is committed.

use crate::repo::Repo;
use std::fs;

/// A file that the model writes: first wrong perhaps, then as an edit that mends it.
struct Written {
    path: &'static str,
    change: &'static str,
    first: &'static str,
    /// Old and new text.
    mend: Option<(&'static str, &'static str)>,
}

/// A mistake in a project.
struct Mistake {
    files: &'static [(&'static str, &'static str)],
    written: Vec<Written>,
    options: &'static [&'static str],
    /// Who finds it, and a word of what the model is told.
    told: (&'static str, &'static str),
}

const fn right(path: &'static str, change: &'static str, first: &'static str) -> Written {
    Written { path, change, first, mend: None }
}

const fn wrong(
    path: &'static str,
    change: &'static str,
    first: &'static str,
    mend: (&'static str, &'static str),
) -> Written {
    Written { path, change, first, mend: Some(mend) }
}

/// Runs it; the branch must have the mended text in one commit for each file.
#[track_caller]
fn is_found_and_mended(mistake: &Mistake) {
    let mut repo = Repo::of(mistake.files);
    let mut design =
        "# 5 - Change it\n\n## Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n".to_owned();
    for file in &mistake.written {
        design.push_str(&format!("| `{}` | {} | as it is wanted |\n", file.path, file.change));
        repo.answer_at(file.path, 1, format!("```\n{}```\n", file.first));
        if let Some((old, new)) = file.mend {
            repo.answer_at(file.path, 2, format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n"));
        }
    }
    repo.write("docs/5.md", design);
    repo.commit("the design");
    let languages = crate::installed::folder("languages", "GIT_IMPLEMENT_TEST_LANGUAGES", "languages");
    let path = format!("{}:{}", languages.join("npm/node_modules/.bin").display(), repo.variables["PATH"]);
    repo.set("PATH", path);
    repo.set("GIT_IMPLEMENT_LSP", "report");
    // Where rustup's programs find the tool chain that these tests are built with.
    for name in ["RUSTUP_HOME", "CARGO_HOME", "RUSTUP_TOOLCHAIN"] {
        if let Ok(value) = std::env::var(name) {
            repo.set(name, value);
        }
    }
    let ran = repo.implement(&[&["docs/5.md", "--format", "whole"], mistake.options].concat());
    ran.published("implement/5");
    let (by, word) = mistake.told;
    for file in &mistake.written {
        let text = repo.git(&["show", &format!("implement/5:{}", file.path)]);
        let expected = file.mend.map_or(file.first.to_owned(), |(old, new)| file.first.replace(old, new));
        assert_eq!(text, expected.trim_end_matches('\n'), "{ran}");
        if file.mend.is_some() {
            let told = fs::read_to_string(repo.place("asked").join(format!("{}.2", file.path))).unwrap();
            let told = told.split("## What was found").nth(1).unwrap_or_default();
            assert!(told.contains(by) && told.contains(word), "{told}");
        }
    }
    assert_eq!(repo.git(&["rev-list", "--count", "main..implement/5"]), mistake.written.len().to_string());
}

const PYTHON: &[(&str, &str)] = &[
    ("tally.py", "def add(values: list[int]) -> int:\n    return sum(values)\n"),
    ("report.py", "from tally import add\n\n\ndef report(values: list[int]) -> str:\n    return f\"{add(values)}\"\n"),
];
const UNITTEST: &[&str] = &["--verify", "python3 -m unittest -q"];

#[test]
fn python_a_type_error() {
    let first = "from tally import add\n\n\ndef shown(values: list[int]) -> str:\n    return add(values)\n";
    let mend = ("    return add(values)", "    return str(add(values))");
    let written = vec![wrong("shown.py", "Add", first, mend)];
    is_found_and_mended(&Mistake {
        files: PYTHON,
        written,
        options: &[],
        told: ("pyright", "\"int\" is not assignable"),
    });
}

#[test]
fn python_a_failing_test() {
    let first = "def mean(values: list[int]) -> float:\n    return sum(values) / len(values)\n";
    let mend = ("    return sum(values) / len(values)", "    return sum(values) / len(values) if values else 0.0");
    let test = "import unittest\n\nfrom mean import mean\n\n\nclass MeanTest(unittest.TestCase):\n    def test_nothing(self) -> None:\n        self.assertEqual(mean([]), 0.0)\n";
    let written = vec![wrong("mean.py", "Add", first, mend), right("test_mean.py", "Add", test)];
    is_found_and_mended(&Mistake {
        files: PYTHON,
        written,
        options: UNITTEST,
        told: ("unittest", "ZeroDivisionError"),
    });
}

#[test]
fn python_an_import_of_a_thing_that_is_not_there() {
    let first = "from tally import total\n\n\ndef shown(values: list[int]) -> str:\n    return str(total(values))\n";
    let mend = ("from tally import total", "from tally import add as total");
    let written = vec![wrong("shown.py", "Add", first, mend)];
    is_found_and_mended(&Mistake { files: PYTHON, written, options: &[], told: ("pyright", "\"total\"") });
}

#[test]
fn python_a_signature_that_two_planned_files_do_not_agree_on() {
    let tally = "def add(values: list[int], start: int) -> int:\n    return sum(values, start)\n";
    let report = "from tally import add\n\n\ndef report(values: list[int]) -> str:\n    \"\"\"The sum, as text.\"\"\"\n    return f\"{add(values)}\"\n";
    let written = vec![
        wrong("report.py", "Modify", report, ("{add(values)}", "{add(values, 0)}")),
        right("tally.py", "Modify", tally),
    ];
    is_found_and_mended(&Mistake { files: PYTHON, written, options: &[], told: ("pyright", "\"start\"") });
}

const TYPESCRIPT: &[(&str, &str)] = &[
    ("package.json", "{ \"name\": \"tally\", \"type\": \"module\", \"private\": true }\n"),
    (
        "tsconfig.json",
        "{ \"compilerOptions\": { \"strict\": true, \"noEmit\": true, \"module\": \"nodenext\", \"allowImportingTsExtensions\": true }, \"include\": [\"src\"] }\n",
    ),
    (
        "src/tally.ts",
        "export function add(values: number[]): number {\n  return values.reduce((all, one) => all + one, 0);\n}\n",
    ),
    (
        "src/report.ts",
        "import { add } from './tally.ts';\n\nexport function report(values: number[]): string {\n  return `${add(values)}`;\n}\n",
    ),
];

#[test]
fn typescript_a_type_error() {
    let first = "import { add } from './tally.ts';\n\nexport function shown(values: number[]): string {\n  return add(values);\n}\n";
    let written = vec![wrong("src/shown.ts", "Add", first, ("  return add(values);", "  return String(add(values));"))];
    is_found_and_mended(&Mistake { files: TYPESCRIPT, written, options: &[], told: ("tsgo", "2322") });
}

#[test]
fn typescript_a_failing_test() {
    let files: &'static [(&str, &str)] =
        &[("package.json", "{ \"name\": \"tally\", \"type\": \"module\", \"private\": true }\n")];
    let first =
        "export function mean(values) {\n  return values.reduce((all, one) => all + one, 0) / values.length;\n}\n";
    let mend = (
        "  return values.reduce((all, one) => all + one, 0) / values.length;",
        "  return values.length ? values.reduce((all, one) => all + one, 0) / values.length : 0;",
    );
    let test = "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { mean } from '../src/mean.js';\n\ntest('the mean of nothing', () => {\n  assert.equal(mean([]), 0);\n});\n";
    let written = vec![wrong("src/mean.js", "Add", first, mend), right("test/mean.test.js", "Add", test)];
    let options = &["--verify", "node --test"];
    is_found_and_mended(&Mistake { files, written, options, told: ("node --test", "the mean of nothing") });
}

#[test]
fn typescript_an_import_of_a_thing_that_is_not_there() {
    let first = "import { total } from './tally.ts';\n\nexport const shown = (values: number[]): string => String(total(values));\n";
    let mend = ("import { total } from './tally.ts';", "import { add as total } from './tally.ts';");
    let written = vec![wrong("src/shown.ts", "Add", first, mend)];
    is_found_and_mended(&Mistake { files: TYPESCRIPT, written, options: &[], told: ("tsgo", "'total'") });
}

#[test]
fn typescript_a_signature_that_two_planned_files_do_not_agree_on() {
    let tally = "export function add(values: number[], start: number): number {\n  return values.reduce((all, one) => all + one, start);\n}\n";
    let report = "import { add } from './tally.ts';\n\n/** The sum, as text. */\nexport function report(values: number[]): string {\n  return `${add(values)}`;\n}\n";
    let written = vec![
        wrong("src/report.ts", "Modify", report, ("{add(values)}", "{add(values, 0)}")),
        right("src/tally.ts", "Modify", tally),
    ];
    is_found_and_mended(&Mistake { files: TYPESCRIPT, written, options: &[], told: ("tsgo", "2554") });
}

const RUST: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"tally\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
    ("Cargo.lock", "version = 3\n\n[[package]]\nname = \"tally\"\nversion = \"0.1.0\"\n"),
    ("src/lib.rs", "pub mod add;\npub mod report;\n"),
    ("src/add.rs", "pub fn add(values: &[i64]) -> i64 {\n    values.iter().sum()\n}\n"),
    (
        "src/report.rs",
        "use crate::add::add;\n\npub fn report(values: &[i64]) -> String {\n    add(values).to_string()\n}\n",
    ),
];
const CARGO: &[&str] = &["--verify", "cargo test --offline --quiet"];

#[test]
fn rust_a_type_error() {
    let first = "use crate::add::add;\n\n/// The sum, as text.\npub fn report(values: &[i64]) -> String {\n    add(values)\n}\n";
    let written = vec![wrong("src/report.rs", "Modify", first, ("    add(values)", "    add(values).to_string()"))];
    is_found_and_mended(&Mistake { files: RUST, written, options: CARGO, told: ("cargo test", "E0308") });
}

#[test]
fn rust_a_failing_test() {
    let first = "pub fn add(values: &[i64]) -> i64 {\n    values.iter().skip(1).sum()\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn it_adds_all() {\n        assert_eq!(super::add(&[1, 2]), 3);\n    }\n}\n";
    let written =
        vec![wrong("src/add.rs", "Modify", first, ("    values.iter().skip(1).sum()", "    values.iter().sum()"))];
    is_found_and_mended(&Mistake { files: RUST, written, options: CARGO, told: ("cargo test", "it_adds_all") });
}

#[test]
fn rust_an_import_of_a_thing_that_is_not_there() {
    let first = "use crate::add::total;\n\n/// The sum, as text.\npub fn report(values: &[i64]) -> String {\n    total(values).to_string()\n}\n";
    let mend = ("use crate::add::total;", "use crate::add::add as total;");
    let written = vec![wrong("src/report.rs", "Modify", first, mend)];
    is_found_and_mended(&Mistake { files: RUST, written, options: CARGO, told: ("cargo test", "E0432") });
}

#[test]
fn rust_a_signature_that_two_planned_files_do_not_agree_on() {
    let add = "pub fn add(values: &[i64], start: i64) -> i64 {\n    start + values.iter().sum::<i64>()\n}\n";
    let report = "use crate::add::add;\n\n/// The sum, as text.\npub fn report(values: &[i64]) -> String {\n    add(values).to_string()\n}\n";
    let written = vec![
        right("src/add.rs", "Modify", add),
        wrong("src/report.rs", "Modify", report, ("    add(values).to_string()", "    add(values, 0).to_string()")),
    ];
    is_found_and_mended(&Mistake { files: RUST, written, options: CARGO, told: ("cargo test", "E0061") });
}
