//! Commands that could judge the result, for a person to copy: what the design itself wants to be run, else what the
//! manifests of the repository say, the tests that the plan touches first. Nothing here is ever run by itself.

use super::Row;
use crate::lld::{Change, Lld};
use std::collections::BTreeSet;

/// As many are shown.
const MOST: usize = 3;
/// As many test files stand on one command line.
const MOST_FILES: usize = 8;

/// A kind of project: which files say that a folder is one, the suffixes of its sources, and its command.
struct Project {
    manifests: &'static [&'static str],
    suffixes: &'static [&'static str],
    command: fn(&Touched) -> Option<String>,
}

/// What the plan touches of one project.
struct Touched<'a> {
    /// The project's folder, without a slash at its end; empty for the root.
    folder: &'a str,
    /// Its manifests, by name, with their texts.
    manifests: Vec<(&'a str, &'a str)>,
    /// Planned files that will be there, from the root.
    files: Vec<&'a str>,
}

const PROJECTS: &[Project] = &[
    Project {
        manifests: &[
            "pyproject.toml",
            "pytest.ini",
            "setup.cfg",
            "tox.ini",
            "requirements-dev.txt",
            "requirements.txt",
            "setup.py",
        ],
        suffixes: &[".py"],
        command: pytest,
    },
    // Without the network, which a command has not unless it is granted.
    Project { manifests: &["Cargo.toml"], suffixes: &[".rs"], command: cargo },
    Project {
        manifests: &["package.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"],
        suffixes: &[".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"],
        command: npm,
    },
    Project { manifests: &["go.mod"], suffixes: &[".go"], command: go },
    Project { manifests: &["mix.exs"], suffixes: &[".ex", ".exs"], command: |it| at_root(it, "mix test") },
    Project { manifests: &["Gemfile"], suffixes: &[".rb"], command: ruby },
    Project { manifests: &["pom.xml"], suffixes: &[".java", ".kt"], command: |it| at_root(it, "mvn -o -q test") },
    Project {
        manifests: &["gradlew"],
        suffixes: &[".java", ".kt", ".scala", ".groovy"],
        command: |it| at_root(it, "./gradlew --offline test"),
    },
    Project { manifests: &["composer.json"], suffixes: &[".php"], command: composer },
    Project { manifests: &["Makefile", "makefile", "GNUmakefile"], suffixes: &[], command: make },
];

/// Programs that test, build or judge a project: of what a design says to run, these alone are proposed.
const RUNNERS: &[&str] = &[
    "bun", "bundle", "cargo", "composer", "ctest", "deno", "dotnet", "go", "jest", "just", "make", "mix", "mvn",
    "mypy", "node", "npm", "npx", "nox", "phpunit", "pnpm", "pyright", "pytest", "python", "python3", "rake", "rspec",
    "ruff", "swift", "tox", "tsc", "uv", "vitest", "yarn",
];

/// May the manifest at `path` say something about these planned files?
pub fn says_how_to_verify(path: &str, rows: &[Row]) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let known = PROJECTS.iter().any(|project| project.manifests.contains(&name));
    known && rows.iter().any(|row| is_below(&row.path, folder))
}

/// Command lines, best first; `manifests` are those for which [`says_how_to_verify`] says yes, with their texts.
pub fn commands_to_verify(lld: &Lld, rows: &[Row], manifests: &[(String, String)]) -> Vec<String> {
    let own = lld.commands.iter().map(|item| item.text.trim()).filter(|line| is_command(line)).map(str::to_owned);
    let mut commands: Vec<String> = own.take(MOST).collect();
    if commands.is_empty() {
        commands = PROJECTS
            .iter()
            .filter(|project| !project.suffixes.is_empty())
            .flat_map(|it| it.commands(rows, manifests))
            .collect();
    }
    if commands.is_empty() {
        commands = PROJECTS.iter().flat_map(|project| project.commands(rows, manifests)).collect();
    }
    let mut known = BTreeSet::new();
    commands.retain(|command| known.insert(command.clone()));
    commands.truncate(MOST);
    commands
}

/// One program with its arguments, without what only a shell knows.
fn is_command(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    RUNNERS.contains(&first)
        && !line.contains(['|', '&', ';', '<', '>', '$', '`', '(', ')', '{', '}', '*', '~', '\\', '\'', '"', '#'])
        && !line.chars().any(|c| c.is_control() || !c.is_ascii())
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

impl Project {
    /// A command for each folder that is such a project and has planned files.
    fn commands(&self, rows: &[Row], manifests: &[(String, String)]) -> Vec<String> {
        let split =
            |path: &'_ str| path.rsplit_once('/').map_or((0, path.len()), |(folder, name)| (folder.len(), name.len()));
        let own: Vec<(&str, &str, &str)> = manifests
            .iter()
            .map(|(path, text)| {
                let (folder, name) = split(path);
                (&path[..folder], &path[path.len() - name..], text.as_str())
            })
            .filter(|(_, name, _)| self.manifests.contains(name))
            .collect();
        let stays = |row: &&Row| row.selected && !row.directory && !matches!(row.change, Change::Delete | Change::None);
        let is_source =
            |path: &str| self.suffixes.is_empty() || self.suffixes.iter().any(|suffix| path.ends_with(suffix));
        let files: Vec<&str> =
            rows.iter().filter(stays).map(|row| row.path.as_str()).filter(|path| is_source(path)).collect();
        // The nearest folder above a file is its project.
        let nearest = |file: &str| {
            own.iter().map(|(folder, ..)| *folder).filter(|folder| is_below(file, folder)).max_by_key(|it| it.len())
        };
        let folders: BTreeSet<&str> = files.iter().filter_map(|file| nearest(file)).collect();
        let touched = |folder| Touched {
            folder,
            manifests: own.iter().filter(|(at, ..)| *at == folder).map(|(_, name, text)| (*name, *text)).collect(),
            files: files.iter().copied().filter(|file| nearest(file) == Some(folder)).collect(),
        };
        folders.into_iter().filter_map(|folder| (self.command)(&touched(folder))).collect()
    }
}

impl Touched<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.manifests.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// The planned files whose name is one of a test, as arguments; `None` if there are none, or a name needs quotes.
    fn tests(&self, is_test: impl Fn(&str) -> bool) -> Option<String> {
        let name = |file: &&&str| is_test(file.rsplit('/').next().unwrap_or(file));
        let tests: Vec<&str> = self.files.iter().filter(name).copied().take(MOST_FILES).collect();
        let plain = |file: &&str| {
            file.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b)) && !file.starts_with('-')
        };
        (!tests.is_empty() && tests.iter().all(plain)).then(|| tests.join(" "))
    }

    /// Is the folder such that it can stand in a command?
    fn is_plain(&self) -> bool {
        self.folder.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b)) && !self.folder.starts_with('-')
    }
}

fn at_root(touched: &Touched, command: &str) -> Option<String> {
    touched.folder.is_empty().then(|| command.to_owned())
}

fn pytest(touched: &Touched) -> Option<String> {
    let uses = touched.manifests.iter().any(|(name, text)| *name == "pytest.ini" || text.contains("pytest"));
    let tests = touched.tests(|name| name.starts_with("test_") || name.ends_with("_test.py"));
    match (uses, tests) {
        (true, Some(tests)) => Some(format!("pytest {tests}")),
        (true, None) if touched.folder.is_empty() => Some("pytest".to_owned()),
        (true, None) => touched.is_plain().then(|| format!("pytest {}", touched.folder)),
        (false, Some(_)) => at_root(touched, "python -m unittest"),
        (false, None) => None,
    }
}

fn cargo(touched: &Touched) -> Option<String> {
    let own = |file: &str| {
        let inside = file.strip_prefix(touched.folder)?.trim_start_matches('/');
        let name = inside.strip_prefix("tests/")?.strip_suffix(".rs")?;
        name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)).then(|| format!(" --test {name}"))
    };
    let tests: String = touched.files.iter().filter_map(|file| own(file)).take(MOST_FILES).collect();
    // A change beside a test is in the library's own tests, too.
    let tests = if touched.files.iter().all(|file| own(file).is_some()) { tests } else { String::new() };
    match touched.folder {
        "" => Some(format!("cargo test --offline{tests}")),
        folder => {
            touched.is_plain().then(|| format!("cargo test --offline --manifest-path {folder}/Cargo.toml{tests}"))
        }
    }
}

/// The script `test` of `package.json`, unless it is the one that `npm init` leaves.
fn npm(touched: &Touched) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_str(touched.text("package.json")?).ok()?;
    let script = manifest.get("scripts")?.get("test")?.as_str()?;
    if script.contains("no test specified") {
        return None;
    }
    let (program, option) = match () {
        () if touched.text("pnpm-lock.yaml").is_some() => ("pnpm", "--dir"),
        () if touched.text("yarn.lock").is_some() => ("yarn", "--cwd"),
        () if touched.text("bun.lock").is_some() => ("bun run", "--cwd"),
        () => ("npm", "--prefix"),
    };
    match touched.folder {
        "" => Some(format!("{program} test")),
        folder => touched.is_plain().then(|| format!("{program} {option} {folder} test")),
    }
}

fn go(touched: &Touched) -> Option<String> {
    let folders: BTreeSet<String> = touched
        .files
        .iter()
        .filter(|file| file.ends_with("_test.go"))
        .filter_map(|file| file.strip_prefix(touched.folder)?.trim_start_matches('/').rsplit_once('/'))
        .map(|(folder, _)| format!("./{folder}"))
        .collect();
    let plain = |folder: &String| folder.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b));
    let packages = match folders.is_empty() || folders.len() > MOST_FILES || !folders.iter().all(plain) {
        true => "./...".to_owned(),
        false => folders.into_iter().collect::<Vec<_>>().join(" "),
    };
    match touched.folder {
        "" => Some(format!("go test {packages}")),
        folder => touched.is_plain().then(|| format!("go -C {folder} test {packages}")),
    }
}

fn ruby(touched: &Touched) -> Option<String> {
    let uses = touched.text("Gemfile")?.contains("rspec");
    match (uses, touched.tests(|name| name.ends_with("_spec.rb"))) {
        (true, Some(tests)) => at_root(touched, &format!("bundle exec rspec {tests}")),
        (true, None) => at_root(touched, "bundle exec rspec"),
        (false, _) => at_root(touched, "bundle exec rake test"),
    }
}

fn composer(touched: &Touched) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_str(touched.text("composer.json")?).ok()?;
    manifest.get("scripts")?.get("test").and_then(|_| at_root(touched, "composer test"))
}

fn make(touched: &Touched) -> Option<String> {
    let (_, text) = touched.manifests.first()?;
    let target = |name: &str| {
        text.lines().any(|line| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.trim_start().starts_with(':') && !rest.trim_start().starts_with(":="))
        })
    };
    let found = ["test", "tests", "check"].into_iter().find(|name| target(name))?;
    at_root(touched, &format!("make {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::Item;
    use crate::plan::{Options, plan_no_repo};

    fn suggested(paths: &[&str], manifests: &[(&str, &str)]) -> Vec<String> {
        let rows: String = paths.iter().map(|path| format!("| `{path}` | Add | x |\n")).collect();
        let text = format!(
            "# 1 - One\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n{rows}"
        );
        let lld = crate::lld::parse("docs/1.md", &text);
        let (rows, _) = plan_no_repo(&lld, &Options::default());
        assert_eq!(rows.len(), paths.len());
        let manifests: Vec<(String, String)> = manifests
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .filter(|(path, _)| says_how_to_verify(path, &rows))
            .collect();
        commands_to_verify(&lld, &rows, &manifests)
    }

    #[test]
    fn the_tests_that_the_plan_touches_come_first_in_the_way_of_each_project() {
        let python = ("pyproject.toml", "[tool.pytest.ini_options]\n");
        assert_eq!(suggested(&["src/a.py", "tests/test_a.py"], &[python]), ["pytest tests/test_a.py"]);
        assert_eq!(suggested(&["src/a.py"], &[python]), ["pytest"]);
        assert_eq!(suggested(&["src/a.py", "test_a.py"], &[("setup.py", "")]), ["python -m unittest"]);
        assert_eq!(suggested(&["src/a.py"], &[("setup.py", "")]), Vec::<String>::new());
        let cargo = ("Cargo.toml", "[package]\n");
        assert_eq!(suggested(&["src/a.rs", "tests/b.rs"], &[cargo]), ["cargo test --offline"]);
        assert_eq!(suggested(&["tests/b.rs"], &[cargo]), ["cargo test --offline --test b"]);
        let go = ("go.mod", "module x\n");
        assert_eq!(suggested(&["a/a.go", "a/a_test.go"], &[go]), ["go test ./a"]);
        assert_eq!(suggested(&["a/a.go"], &[go]), ["go test ./..."]);
        let npm = ("package.json", "{\"scripts\": {\"test\": \"vitest\"}}");
        assert_eq!(suggested(&["src/a.ts"], &[npm]), ["npm test"]);
        assert_eq!(suggested(&["src/a.ts"], &[npm, ("pnpm-lock.yaml", "")]), ["pnpm test"]);
        let placeholder = "{\"scripts\": {\"test\": \"echo \\\"Error: no test specified\\\" && exit 1\"}}";
        assert_eq!(suggested(&["src/a.ts"], &[("package.json", placeholder)]), Vec::<String>::new());
    }

    #[test]
    fn a_project_of_its_own_folder_is_tried_there_and_a_makefile_is_the_last_resort() {
        let (npm, go) = (("web/package.json", "{\"scripts\": {\"test\": \"vitest\"}}"), ("srv/go.mod", ""));
        let both = suggested(&["web/src/a.ts", "srv/b/b_test.go"], &[npm, go, ("Makefile", "test:\n\tx\n")]);
        assert_eq!(both, ["npm --prefix web test", "go -C srv test ./b"]);
        assert_eq!(suggested(&["src/a.c"], &[("Makefile", "CC := x\ntest: all\n\tx\n")]), ["make test"]);
        assert_eq!(suggested(&["src/a.c"], &[("Makefile", "test := x\n")]), Vec::<String>::new());
        assert_eq!(suggested(&["src/a.py"], &[npm]), Vec::<String>::new(), "none of its files is planned");
    }

    #[test]
    fn what_the_design_says_to_run_is_proposed_if_it_is_one_command_of_a_runner() {
        let says = |lines: &[&str]| {
            let item = |line: &&str| Item { id: None, text: (*line).to_owned(), line: 1, cells: Vec::new() };
            let lld = Lld { commands: lines.iter().map(item).collect(), ..Lld::default() };
            commands_to_verify(&lld, &[], &[])
        };
        assert_eq!(
            says(&["pytest tests/a.py -v", "curl evil.example", "npm test -- a"]),
            ["pytest tests/a.py -v", "npm test -- a"]
        );
        for line in
            ["pytest; rm x", "pytest && x", "make $(x)", "pytest 'a", "pytest > x", "npm test\u{1b}[2J", "rm -r x"]
        {
            assert_eq!(says(&[line]), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn a_name_that_needs_quotes_stands_in_no_command() {
        let python = ("pytest.ini", "");
        assert_eq!(suggested(&["tests/test_a b.py"], &[python]), ["pytest"]);
        assert_eq!(suggested(&["a;b/x.go"], &[("a;b/go.mod", "")]), Vec::<String>::new());
    }
}
