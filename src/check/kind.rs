//! What a file is, by its path alone: source, data, fixture, prose. The checks differ on what they expect of each.

use crate::syntax::{extension, file_name};

/// Languages in which a file of any use imports, exports or defines something. Shell, SQL and style sheets are not
/// among them: one line of theirs can be all there is to say.
const SOURCE: &[&str] = &[
    "c", "cc", "cjs", "cpp", "cs", "cts", "cxx", "dart", "ex", "exs", "fs", "go", "h", "hpp", "hs", "java", "jl", "js",
    "jsx", "kt", "kts", "lua", "m", "mjs", "ml", "mts", "php", "pl", "pm", "py", "pyi", "rb", "rs", "scala", "swift",
    "ts", "tsx", "vb", "zig",
];
const DATA: &[&str] = &[
    "bin",
    "cfg",
    "conf",
    "csv",
    "dat",
    "env",
    "geojson",
    "har",
    "ini",
    "ipynb",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "lock",
    "log",
    "ndjson",
    "properties",
    "svg",
    "toml",
    "tsv",
    "txt",
    "xml",
    "yaml",
    "yml",
];
/// What else is written in a formal language, so that prose does not belong there.
const FORMAL: &[&str] = &[
    "astro", "awk", "bash", "bat", "cmake", "css", "fish", "gradle", "graphql", "htm", "html", "less", "nix", "proto",
    "ps1", "scss", "sh", "sql", "svelte", "tf", "vue", "zsh",
];
/// Data that people write prose into.
const FREE_DATA: &[&str] = &["csv", "dat", "log", "tsv", "txt", "bin"];
const PROSE: &[&str] = &[
    "adoc", "asciidoc", "livemd", "markdown", "md", "mdc", "mdown", "mdx", "mkd", "org", "qmd", "rmd", "rst",
    "textile", "typ", "wiki",
];
/// Suffixes of templates, whose name says what they become before it.
const TEMPLATE: &[&str] =
    &["ejs", "erb", "hbs", "in", "j2", "jinja", "jinja2", "liquid", "mustache", "prompt", "template", "tmpl", "tpl"];
const FIXTURE_FOLDERS: &[&str] = &[
    "__fixtures__",
    "__snapshots__",
    "cassettes",
    "corpus",
    "data",
    "examples",
    "fixture",
    "fixtures",
    "golden",
    "mock",
    "mocks",
    "resources",
    "samples",
    "snapshots",
    "test-data",
    "test_data",
    "testdata",
    "test_fixtures",
    "test-fixtures",
];
/// Files that say something by being there.
const MARKERS: &[&str] = &[
    ".empty",
    ".gdignore",
    ".gitignore",
    ".gitkeep",
    ".helmignore",
    ".keep",
    ".metadata_never_index",
    ".nojekyll",
    ".nomedia",
    ".npmignore",
    ".placeholder",
    ".prettierignore",
    "BUILD",
    "BUILD.bazel",
    "REPO.bazel",
    "WORKSPACE",
    "WORKSPACE.bazel",
    "__init__.py",
    "__init__.pyi",
    "conftest.py",
    "keep",
    "py.typed",
];

pub(super) fn is_source(path: &str) -> bool {
    SOURCE.contains(&extension(path).as_str())
}

/// Written for compilers, interpreters and the like; pages, which are half prose, are not.
pub(super) fn is_code(path: &str) -> bool {
    let extension = extension(path);
    is_source(path)
        || (FORMAL.contains(&extension.as_str()) && !matches!(extension.as_str(), "htm" | "html"))
        || matches!(file_name(path), "Dockerfile" | "Makefile" | "Justfile" | "justfile" | "Containerfile")
}

/// Tests by the conventions of any language, of which the name of the file or of a folder tells.
pub(super) fn is_test(path: &str) -> bool {
    let mut parts = path.split(['/', '\\']).rev();
    let name = parts.next().unwrap_or_default();
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let begins = name.starts_with("test_") || name.starts_with("conftest.");
    let ends = ["_test", "_tests", "_spec", "-test", "-spec", "Test", "Tests", "IT", "Spec", "TestCase"];
    let dotted = [".test.", ".spec.", ".cy.", ".e2e."].iter().any(|mark| name.contains(mark));
    const FOLDERS: &[&str] = &["__tests__", "e2e", "spec", "specs", "test", "tests", "testing", "unittests"];
    begins
        || dotted
        || matches!(stem, "test" | "tests")
        || ends.iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
        || parts.any(|folder| FOLDERS.contains(&folder.to_lowercase().as_str()))
}

/// The name of a file, in lower case and without what makes it one of tests: `parser` for `parser.ts`, `parser.test.ts`,
/// `test_parser.py` and `ParserTest.java`.
pub(super) fn subject(path: &str) -> String {
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    let stem = stem.strip_prefix("test_").or_else(|| stem.strip_prefix("test-")).unwrap_or(&stem);
    let ends = ["_tests", "_test", "_spec", "-test", "-spec", "tests", "testcase", "test", "spec"];
    let own = ends.iter().find_map(|end| stem.strip_suffix(end).filter(|own| !own.is_empty()));
    own.unwrap_or(stem).to_owned()
}

/// A test, or what tests read.
pub(super) fn is_for_tests(path: &str) -> bool {
    let name = file_name(path).to_lowercase();
    is_test(path)
        || ["_test_", "-test-", "testdata", "fixture"].iter().any(|mark| name.contains(mark))
        || path.split(['/', '\\']).rev().skip(1).any(is_fixture_folder)
}

/// A file that a test or a program reads, rather than runs.
pub(super) fn is_data_or_fixture(path: &str) -> bool {
    DATA.contains(&extension(path).as_str()) || path.split(['/', '\\']).rev().skip(1).any(is_fixture_folder)
}

fn is_fixture_folder(folder: &str) -> bool {
    FIXTURE_FOLDERS.contains(&folder.to_lowercase().as_str())
}

/// Source, or data with a grammar: prose does not belong there.
pub(super) fn is_formal(path: &str) -> bool {
    let extension = extension(path);
    let is_in = |list: &[&str]| list.contains(&extension.as_str());
    is_in(SOURCE)
        || is_in(FORMAL)
        || (is_in(DATA) && !is_in(FREE_DATA))
        || matches!(file_name(path), "Dockerfile" | "Makefile" | "Justfile" | "justfile" | "Containerfile")
}

/// Markdown and its like, also as a template: a fence is at home there.
pub(super) fn is_prose(path: &str) -> bool {
    let mut name = file_name(path);
    while let Some((stem, suffix)) =
        name.rsplit_once('.').filter(|(_, suffix)| TEMPLATE.contains(&suffix.to_lowercase().as_str()))
    {
        if suffix == "prompt" {
            return true;
        }
        name = stem;
    }
    PROSE.contains(&extension(name).as_str())
}

/// Text of which the name does not say whether it is Markdown: plain text, templates, no suffix at all.
pub(super) fn may_be_prose(path: &str) -> bool {
    let extension = extension(path);
    is_prose(path) || matches!(extension.as_str(), "" | "txt" | "text") || TEMPLATE.contains(&extension.as_str())
}

/// Files of signatures, whose bodies are empty by nature.
pub(super) fn is_declarations(path: &str) -> bool {
    extension(path) == "pyi" || [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end))
}

/// A file that may be empty.
pub(super) fn is_marker(path: &str) -> bool {
    MARKERS.contains(&file_name(path)) || extension(path) == "stamp"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_names_and_folders_and_other_files_are_not_taken_for_them() {
        for path in
            ["test_a.py", "a/a_test.go", "src/a.spec.ts", "src/__tests__/a.js", "FooTest.java", "spec/a_spec.rb"]
        {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/contest.py", "src/latest.ts", "attest.go", "src/protest/a.rs", "src/Inspect.java"] {
            assert!(!is_test(path), "{path}");
        }
        assert!(is_for_tests("vendor/a/keys_test_data.go"));
        assert!(is_for_tests("a/fixtures/key.pem") && !is_for_tests("src/key.pem"));
    }

    #[test]
    fn a_file_is_what_its_name_and_folder_say() {
        assert!(is_source("src/a.py") && !is_source("a.json") && !is_source("run.sh"));
        assert!(
            is_data_or_fixture("a.json")
                && is_data_or_fixture("tests/fixtures/a.py")
                && !is_data_or_fixture("src/a.py")
        );
        assert!(is_prose("README.md") && is_prose("prompts/a.md.j2") && !is_prose("a.py") && !is_prose("a.py.j2"));
        assert!(may_be_prose("LICENSE") && may_be_prose("prompts/system.txt") && !may_be_prose("a.yaml"));
        assert!(is_formal("a.yaml") && is_formal("Dockerfile") && !is_formal("a.txt") && !is_formal("a.md"));
        assert!(
            is_marker("a/__init__.py") && is_marker(".gitkeep") && is_marker("src/a/py.typed") && !is_marker("a.py")
        );
    }
}
