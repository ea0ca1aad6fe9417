//! Manifests: the dependencies that a project says it has, by name. Versions, features and lock files are not read.
//!
//! [`dependencies`] are those that come from elsewhere and that somebody chose; [`named`] is all that a manifest names,
//! also what belongs to the house or comes with something else, as far as code may import it.

use crate::syntax::file_name;
use std::collections::BTreeSet;

type Names = BTreeSet<String>;

/// How the names are read from one kind of manifest; `None` where it does not parse.
fn reader(path: &str) -> Option<fn(&str) -> Option<Names>> {
    let name = file_name(path);
    Some(match name {
        "Cargo.toml" => cargo,
        "package.json" => {
            |text| json(text, &["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"])
        }
        "composer.json" => |text| json(text, &["require", "require-dev"]).map(without_platform),
        "pyproject.toml" => pyproject,
        "go.mod" => |text| Some(go(text)),
        "Gemfile" => |text| Some(gemfile(text)),
        _ if name.starts_with("requirements") && name.ends_with(".txt") => |text| Some(requirements(text)),
        _ => return None,
    })
}

pub fn is_manifest(path: &str) -> bool {
    reader(path).is_some()
}

/// All that the manifest names, the project itself among it where code may import that by its name; `None` if it is none, or does not parse.
pub fn named(path: &str, text: &str) -> Option<Names> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match file_name(path) {
        "Cargo.toml" => crates(text),
        "package.json" => packages(text),
        "go.mod" => Some(modules(text)),
        "pyproject.toml" => Some(everything(&text.parse().ok()?)),
        _ => None,
    }
}

/// What code calls the crates: by the keys of tables, which may rename them.
fn crates(text: &str) -> Option<Names> {
    let manifest: toml::Table = text.parse().ok()?;
    let mut names = Names::new();
    let mut read = |table: &toml::Table| {
        for kind in ["dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies"] {
            let keys = table.get(kind).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
            names.extend(keys.map(|key| key.replace('-', "_")));
        }
        for of in ["package", "lib"] {
            let name = table.get(of).and_then(|of| of.get("name")).and_then(toml::Value::as_str);
            names.extend(name.map(|name| name.replace('-', "_")));
        }
    };
    read(&manifest);
    let tables = |name: &str| manifest.get(name).and_then(toml::Value::as_table);
    tables("workspace").into_iter().for_each(&mut read);
    tables("target").into_iter().flatten().filter_map(|(_, target)| target.as_table()).for_each(&mut read);
    Some(names)
}

fn packages(text: &str) -> Option<Names> {
    let manifest: serde_json::Value = serde_json::from_str(text).ok()?;
    let mut names: Names = manifest.get("name").and_then(|name| Some(name.as_str()?.to_owned())).into_iter().collect();
    let kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides"];
    for table in kinds.iter().chain(&["resolutions", "alias", "imports"]).filter_map(|kind| manifest.get(kind)) {
        names.extend(table.as_object().into_iter().flatten().map(|(name, _)| name.clone()));
    }
    for list in ["bundledDependencies", "bundleDependencies"].iter().filter_map(|kind| manifest.get(kind)) {
        names.extend(list.as_array().into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())));
    }
    Some(names)
}

/// The module itself first, which has a `/` at its end.
fn modules(text: &str) -> Names {
    let mut names = Names::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let words = line.split_whitespace().filter(|word| word.contains('.') || line.starts_with("module "));
        let is_version =
            |word: &str| word.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let plain = words.map(|word| word.trim_matches('"')).filter(|word| !is_version(word));
        match line.strip_prefix("module ") {
            Some(name) => names.extend([format!("{}/", name.trim().trim_matches('"'))]),
            None if line.starts_with("go ") || line.starts_with("toolchain ") => {}
            None => names.extend(plain.map(str::to_owned)),
        }
    }
    names
}

/// Keys and strings of any table with such a word in its name, as requirements are: tools keep theirs where they like.
fn everything(manifest: &toml::Table) -> Names {
    const WORDS: [&str; 8] = ["depend", "requir", "group", "extra", "feature", "overrides", "sources", "packages"];
    let mut names = Names::new();
    let wants = |key: &str| WORDS.iter().any(|word| key.contains(word));
    let mut left: Vec<(bool, &toml::Value)> = manifest.iter().map(|(key, value)| (wants(key), value)).collect();
    while let Some((wanted, value)) = left.pop() {
        match value {
            toml::Value::Table(table) => {
                names.extend(table.keys().filter(|_| wanted).filter_map(|key| requirement(key)));
                left.extend(table.iter().map(|(key, value)| (wanted || wants(key), value)));
            }
            toml::Value::Array(list) => left.extend(list.iter().map(|value| (wanted, value))),
            toml::Value::String(text) if wanted => names.extend(requirement(text)),
            _ => {}
        }
    }
    names
}

/// The names in a manifest; `None` if it is none, or does not parse.
pub fn dependencies(path: &str, text: &str) -> Option<Names> {
    reader(path)?(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn cargo(text: &str) -> Option<Names> {
    let manifest: toml::Table = text.parse().ok()?;
    let mut names = Names::new();
    let mut read = |table: &toml::Table| {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(table) = table.get(kind).and_then(toml::Value::as_table) else { continue };
            for (name, value) in table {
                let of = |key: &str| value.get(key).and_then(toml::Value::as_str);
                // The project's own, or named in the workspace's manifest.
                if value.get("path").is_none() && value.get("workspace").is_none() {
                    names.insert(of("package").unwrap_or(name).to_owned());
                }
            }
        }
    };
    read(&manifest);
    let table = |name: &str| manifest.get(name).and_then(toml::Value::as_table);
    table("workspace").into_iter().for_each(&mut read);
    table("target").into_iter().flatten().filter_map(|(_, target)| target.as_table()).for_each(&mut read);
    Some(names)
}

fn json(text: &str, kinds: &[&str]) -> Option<Names> {
    let manifest: serde_json::Value = serde_json::from_str(text).ok()?;
    let tables = kinds.iter().filter_map(|kind| manifest.get(kind)?.as_object());
    let own = |version: &serde_json::Value| {
        version.as_str().is_some_and(|version| {
            ["workspace:", "file:", "link:", "portal:"].iter().any(|own| version.starts_with(own))
        })
    };
    // `@scope/a` and `vendor/a` come from the house of `vendor/b`.
    let house = manifest.get("name").and_then(|name| name.as_str()?.split_once('/')).map(|(house, _)| house);
    let of_house = |name: &str| house.is_some() && name.split_once('/').map(|(house, _)| house) == house;
    let new = tables.flatten().filter(|(name, version)| !own(version) && !of_house(name));
    Some(new.map(|(name, _)| name.clone()).collect())
}

/// PHP itself and what it is built with.
fn without_platform(names: Names) -> Names {
    names.into_iter().filter(|name| name.contains('/')).collect()
}

fn pyproject(text: &str) -> Option<Names> {
    let manifest: toml::Table = text.parse().ok()?;
    let at = |keys: &[&str]| {
        let (first, rest) = keys.split_first()?;
        rest.iter().try_fold(manifest.get(*first)?, |value, key| value.get(key))
    };
    let strings = |value: &toml::Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|item| Some(item.as_str()?.to_owned())).collect()
    };
    let keys = |value: &toml::Value| -> Vec<String> {
        value.as_table().into_iter().flatten().map(|(key, _)| key.clone()).collect()
    };
    let mut names = Names::new();
    let mut add = |list: Vec<String>| names.extend(list.iter().filter_map(|item| requirement(item)));
    [at(&["project", "dependencies"]), at(&["build-system", "requires"])]
        .into_iter()
        .flatten()
        .for_each(|list| add(strings(list)));
    for groups in [at(&["project", "optional-dependencies"]), at(&["dependency-groups"])].into_iter().flatten() {
        groups.as_table().into_iter().flatten().for_each(|(_, list)| add(strings(list)));
    }
    [at(&["tool", "poetry", "dependencies"]), at(&["tool", "poetry", "dev-dependencies"])]
        .into_iter()
        .flatten()
        .for_each(|table| add(keys(table)));
    for (_, group) in at(&["tool", "poetry", "group"]).and_then(toml::Value::as_table).into_iter().flatten() {
        group.get("dependencies").into_iter().for_each(|table| add(keys(table)));
    }
    names.remove("python");
    Some(names)
}

fn requirements(text: &str) -> Names {
    // What `pip freeze` and `pip-compile` write is a lock file: it says of each what wants it.
    let locked = text.lines().any(|line| line.trim_start().starts_with("# via") || line.contains("--hash="));
    if locked { Names::new() } else { text.lines().filter_map(requirement).collect() }
}

/// The name in `name[extra]>=1; marker`, as the index has it.
fn requirement(line: &str) -> Option<String> {
    let line = line.trim();
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(line.len());
    let (name, rest) = line.split_at_checked(end)?;
    let is_path = name.starts_with(['-', '.']) || rest.starts_with(['/', ':', '+']);
    (!name.is_empty() && !is_path).then(|| name.to_lowercase().replace(['_', '.'], "-"))
}

fn go(text: &str) -> Names {
    let mut names = Names::new();
    let mut block = false;
    for line in text.lines() {
        let line = line.trim();
        let item = match line.strip_prefix("require ") {
            Some(rest) if rest.trim() == "(" => {
                block = true;
                continue;
            }
            Some(rest) => rest,
            None if block => line,
            None => continue,
        };
        if item.starts_with(')') {
            block = false;
        } else if !item.contains("// indirect") && !item.starts_with("//") {
            names.extend(item.split_whitespace().next().map(str::to_owned));
        }
    }
    names
}

fn gemfile(text: &str) -> Names {
    let name = |line: &str| {
        let rest = line.trim().strip_prefix("gem ")?.trim_start_matches(['(', ' ']);
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        if rest.contains("path:") {
            return None;
        }
        rest.split(quote).nth(1).map(str::to_owned)
    };
    text.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::dependencies;

    #[track_caller]
    fn has(path: &str, text: &str, names: &[&str]) {
        let found = dependencies(path, text).unwrap_or_default();
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), names, "{path}");
    }

    #[test]
    fn each_kind_of_manifest_names_its_dependencies() {
        has(
            "a/Cargo.toml",
            "[dependencies]\na = \"1\"\nb = { path = \"../b\" }\nc = { package = \"d\", version = \"1\" }\n[target.'cfg(unix)'.dev-dependencies]\ne = \"1\"\ng = { workspace = true }\n[workspace.dependencies]\nf = \"1\"\n",
            &["a", "d", "e", "f"],
        );
        has(
            "package.json",
            "{\"dependencies\": {\"a\": \"1\", \"@b/c\": \"workspace:*\"}, \"devDependencies\": {\"@d/e\": \"1\"}}",
            &["@d/e", "a"],
        );
        has(
            "composer.json",
            "{\"name\": \"c/d\", \"require\": {\"c/e\": \"1\", \"php\": \"8\", \"ext-json\": \"*\", \"a/b\": \"1\"}}",
            &["a/b"],
        );
        has(
            "pyproject.toml",
            "[project]\ndependencies = [\"A_b[x]>=1; python_version > '3'\"]\n[project.optional-dependencies]\ndev = [\"c\"]\n[dependency-groups]\nt = [\"d\", {include-group = \"dev\"}]\n[tool.poetry.dependencies]\npython = \"3\"\ne = \"1\"\n[tool.poetry.group.x.dependencies]\nf = \"1\"\n",
            &["a-b", "c", "d", "e", "f"],
        );
        has(
            "requirements-dev.txt",
            "# x\n-r base.txt\nPyYAML==6\n./local\ngit+https://a/b\na @ https://b\n\n",
            &["a", "pyyaml"],
        );
        has("requirements.txt", "a==1\n    # via b\n", &[]);
        has(
            "go.mod",
            "module m\n\nrequire a.org/b v1\n\nrequire (\n\tc.org/d v1\n\te.org/f v1 // indirect\n)\n",
            &["a.org/b", "c.org/d"],
        );
        has("Gemfile", "source 'x'\ngem \"a\", \"~> 1\"\n  gem 'b'\ngem 'c', path: 'c'\n", &["a", "b"]);
        assert_eq!(dependencies("Cargo.toml", "[["), None);
        assert_eq!(dependencies("Cargo.lock", ""), None);
    }

    #[track_caller]
    fn names(path: &str, text: &str, names: &[&str]) {
        let found = super::named(path, text).unwrap_or_default();
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), names, "{path}");
    }

    #[test]
    fn what_code_may_import_is_named_also_where_it_is_the_projects_own_or_brought_by_others() {
        names(
            "Cargo.toml",
            "[package]\nname = \"my-own\"\n[lib]\nname = \"lib\"\n[dependencies]\na-b = { path = \"x\" }\nc = { package = \"d\", version = \"1\" }\ne.workspace = true\n",
            &["a_b", "c", "e", "lib", "my_own"],
        );
        names(
            "package.json",
            "{\"name\": \"@a/b\", \"dependencies\": {\"@a/c\": \"workspace:*\"}, \"imports\": {\"#d\": \"./d.js\"}, \"bundledDependencies\": [\"e\"]}",
            &["#d", "@a/b", "@a/c", "e"],
        );
        names(
            "go.mod",
            "module a.org/own\n\ngo 1.22\n\nrequire (\n\tvitess.io/v v0.1.0 // indirect\n)\n\nreplace b.org/c => d.org/e v1.0.0\n",
            &["a.org/own/", "b.org/c", "d.org/e", "vitess.io/v"],
        );
        names(
            "pyproject.toml",
            "[project]\nname = \"own\"\ndescription = \"about x\"\ndependencies = [\"A_b>=1\"]\n[tool.pdm.dev-dependencies]\ntest = [\"c\"]\n[tool.hatch.envs.x]\nextra-dependencies = [\"d\"]\n",
            &["a-b", "c", "d", "test"],
        );
        assert_eq!(super::named("Cargo.toml", "[["), None);
        assert_eq!(super::named("README.md", "x"), None);
    }
}
