//! What a design's section on dependencies names: packages with a version, or in a command that installs them.
//!
//! Prose is not read: "uses requests, which is there already" asks for nothing.

use crate::lld::Lld;
use crate::syntax::file_name;
use std::collections::HashSet;

/// Whose packages they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ecosystem {
    Cargo,
    Go,
    Npm,
    Python,
}

/// A package that the design names as one it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// As written.
    pub name: String,
    pub ecosystem: Ecosystem,
    /// Counted from 1.
    pub line: usize,
}

impl Ecosystem {
    /// Whose manifest lies at `path`, if it is one.
    pub fn of_manifest(path: &str) -> Option<Ecosystem> {
        match file_name(path) {
            "Cargo.toml" => Some(Ecosystem::Cargo),
            "go.mod" => Some(Ecosystem::Go),
            "package.json" => Some(Ecosystem::Npm),
            "pyproject.toml" | "setup.py" | "setup.cfg" | "Pipfile" | "environment.yml" => Some(Ecosystem::Python),
            name if name.starts_with("requirements") && (name.ends_with(".txt") || name.ends_with(".in")) => {
                Some(Ecosystem::Python)
            }
            _ => None,
        }
    }

    /// The form of a name in which the registry takes two spellings for one.
    pub fn folded(self, name: &str) -> String {
        match self {
            Ecosystem::Cargo | Ecosystem::Python => name.to_lowercase().replace(['_', '.'], "-"),
            Ecosystem::Go | Ecosystem::Npm => name.to_owned(),
        }
    }

    /// All that may be a package in the text of a manifest, whatever its format is, each [`Self::folded`].
    pub fn words(self, manifest: &str) -> HashSet<String> {
        let in_name = |c: char| c.is_alphanumeric() || "-_.@/".contains(c);
        manifest.split(|c: char| !in_name(c)).map(|word| self.folded(word.trim_matches('.'))).collect()
    }
}

/// The packages that section 2.2 of the design names.
pub fn dependencies(text: &str, lld: &Lld) -> Vec<Dependency> {
    let Some(section) = lld.section(|title| {
        matches!(title, "dependencies" | "new dependencies" | "dependencies & imports" | "external dependencies")
    }) else {
        return Vec::new();
    };
    let mut fence: Option<Fence> = None;
    let mut found = Vec::new();
    for (at, line) in text.split('\n').enumerate().take(section.end).skip(section.line) {
        let line = line.trim();
        if let Some(tag) = line.strip_prefix("```").or_else(|| line.strip_prefix("~~~")) {
            fence = if fence.is_some() { None } else { Some(Fence::new(tag)) };
        } else if let Some(fence) = &mut fence {
            let mut add = |name: &str, ecosystem| {
                found.push(Dependency { name: name.to_owned(), ecosystem, line: at + 1 });
            };
            fence.read(line, &mut add);
        }
    }
    found
}

/// A fence as it is read line by line.
struct Fence {
    tag: String,
    /// A comment names this manifest.
    of: Option<Ecosystem>,
    /// The table or key that the line stands under holds dependencies; `None` before the first.
    among: Option<bool>,
}

impl Fence {
    fn new(tag: &str) -> Fence {
        let tag = tag.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        Fence { tag, of: None, among: None }
    }

    fn read(&mut self, line: &str, add: &mut dyn FnMut(&str, Ecosystem)) {
        if line.starts_with('#') || line.starts_with("//") {
            let lower = line.to_lowercase();
            self.of = if lower.contains("cargo.toml") { Some(Ecosystem::Cargo) } else { self.of };
            return;
        }
        match self.tag.as_str() {
            "toml" => self.toml(line, add),
            "json" | "jsonc" => self.json(line, add),
            "bash" | "sh" | "shell" | "console" | "powershell" => command(line, add),
            "go" | "mod" | "gomod" => go(line, add),
            "txt" | "text" | "requirements" | "" => {
                requirement(line).into_iter().for_each(|name| add(name, Ecosystem::Python));
                command(line, add);
            }
            _ => {}
        }
    }

    fn toml(&mut self, line: &str, add: &mut dyn FnMut(&str, Ecosystem)) {
        if let Some(table) = line.strip_prefix('[').filter(|rest| rest.contains(']') && !rest.contains('"')) {
            self.among = Some(table.contains("dependencies"));
            let cargo =
                matches!(table.split(']').next(), Some("dependencies" | "dev-dependencies" | "build-dependencies"));
            self.of = if cargo { Some(Ecosystem::Cargo) } else { self.of };
            return;
        }
        let of = self.of.unwrap_or(Ecosystem::Python);
        if let Some(quoted) = line.strip_prefix(['"', '\'']) {
            let inside = quoted.split(['"', '\'']).next().unwrap_or_default();
            if !line.contains("\" =") {
                return requirement(inside).into_iter().for_each(|name| add(name, of));
            }
        }
        let Some((name, value)) = line.split_once('=') else { return };
        let (name, value) = (name.trim().trim_matches(['"', '\'']), value.trim());
        let pinned = is_version(value)
            || (value.starts_with('{')
                && ["version", "git", "path", "workspace"].iter().any(|key| value.contains(key)));
        if self.among != Some(false)
            && pinned
            && is_name(name)
            && !matches!(name, "python" | "version" | "rust-version")
        {
            add(name, of);
        }
    }

    fn json(&mut self, line: &str, add: &mut dyn FnMut(&str, Ecosystem)) {
        let Some((key, value)) = line.split_once("\":") else { return };
        let (key, value) = (key.trim_start_matches(['{', ' ', '"']), value.trim());
        if value.starts_with('{') {
            self.among = Some(key.to_lowercase().contains("dependencies"));
        } else if self.among != Some(false) && is_version(value) && is_name(key) && key != "version" {
            add(key, Ecosystem::Npm);
        }
    }
}

/// `"^1.2"`, `">=3, <4"`, `"*"`, `"latest"`.
fn is_version(value: &str) -> bool {
    let Some(inside) = value.strip_prefix(['"', '\'']) else { return false };
    let inside = inside.split(['"', '\'']).next().unwrap_or_default().trim();
    let rest = inside.trim_start_matches(['^', '~', '=', '>', '<', '!', ' ', 'v']);
    matches!(inside, "*" | "latest") || rest.starts_with(|c: char| c.is_ascii_digit())
}

fn is_name(name: &str) -> bool {
    (2..=100).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.@/".contains(c))
}

/// `requests>=2.31`, `uvicorn[standard]==0.3`: the name, if there is a version after it.
fn requirement(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)))?;
    let (name, rest) = text.split_at_checked(end)?;
    let rest = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']')?.1,
        None => rest,
    };
    let rest = rest.trim_start();
    let pinned = ["==", ">=", "<=", "~=", ">", "<"].iter().find_map(|sign| rest.strip_prefix(sign))?;
    (pinned.trim_start().starts_with(|c: char| c.is_ascii_digit()) && is_name(name)).then_some(name)
}

/// `require github.com/x/y v1.2.3`, with or without the word.
fn go(line: &str, add: &mut dyn FnMut(&str, Ecosystem)) {
    let mut words = line.split_whitespace().skip_while(|word| *word == "require");
    if let (Some(module), Some(version)) = (words.next(), words.next())
        && module.contains('.')
        && module.contains('/')
        && version.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        add(module, Ecosystem::Go);
    }
}

/// `pip install a`, `npm i -D b`, `cargo add c`.
fn command(line: &str, add: &mut dyn FnMut(&str, Ecosystem)) {
    let line = line.trim_start_matches(['$', ' ']).split(" #").next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let (ecosystem, at) = match words.as_slice() {
        ["pip" | "pip3", "install", ..] | ["poetry" | "uv" | "pdm", "add", ..] => (Ecosystem::Python, 2),
        ["uv", "pip", "install", ..] => (Ecosystem::Python, 3),
        ["npm" | "pnpm", "install" | "i" | "add", ..] | ["yarn" | "bun", "add", ..] => (Ecosystem::Npm, 2),
        ["cargo", "add", ..] => (Ecosystem::Cargo, 2),
        ["go", "get", ..] => (Ecosystem::Go, 2),
        _ => return,
    };
    let mut skip = false;
    for word in words.into_iter().skip(at) {
        // What follows an option may be its value: `-r requirements.txt`, `--group dev`, `-F derive`.
        if word.starts_with('-') {
            skip =
                matches!(word, "-r" | "-e" | "-c" | "--group" | "-G" | "-F" | "--features" | "--extras" | "-E" | "-i");
            continue;
        }
        if std::mem::take(&mut skip) || word.starts_with('.') {
            continue;
        }
        let word = word.trim_matches(['"', '\'']);
        let scope = usize::from(word.starts_with('@'));
        let end = word.get(scope..).and_then(|rest| rest.find(['@', '=', '>', '<', '~', '^', '[', '!']));
        let name = end.and_then(|end| word.get(..end + scope)).unwrap_or(word);
        if is_name(name) {
            add(name, ecosystem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let text = format!("# T\n## 2.2 Dependencies\n{text}\n## 3. Next\n```toml\nnot = \"1\"\n```\n");
        let lld = crate::lld::parse("a.md", &text);
        dependencies(&text, &lld).into_iter().map(|found| format!("{:?} {}", found.ecosystem, found.name)).collect()
    }

    #[test]
    fn packages_are_read_from_fences_of_many_kinds() {
        assert_eq!(
            names(
                "```toml\n# additions\nchromadb = \"^0.4\"\npython = \"^3.11\"\ntokio = { version = \"1\" }\nname = \"x\"\n```"
            ),
            ["Python chromadb", "Python tokio"]
        );
        assert_eq!(
            names("```toml\n[dependencies]\nserde = \"1\"\n[profile.dev]\nopt-level = \"3\"\n```"),
            ["Cargo serde"]
        );
        assert_eq!(names("```toml\ndependencies = [\n    \"a-b>=1.0\",\n    \"c\",\n]\n```"), ["Python a-b"]);
        assert_eq!(
            names(
                "```json\n// package.json\n{\n  \"version\": \"1.0.0\",\n  \"devDependencies\": {\n    \"@x/husky\": \"^9.0.0\"\n  },\n  \"engines\": {\n    \"node\": \">=18\"\n  }\n}\n```"
            ),
            ["Npm @x/husky"]
        );
        assert_eq!(
            names(
                "```bash\n$ pip install -r req.txt 'requests>=2' # http\nnpm i -D @types/node@20 jest\ncargo add serde -F derive\n```"
            ),
            ["Python requests", "Npm @types/node", "Npm jest", "Cargo serde"]
        );
        assert_eq!(
            names("```go\nrequire github.com/x/y v1.2.3\n```\n```\nuvicorn[standard]==0.3\nnothing new\n```"),
            ["Go github.com/x/y", "Python uvicorn"]
        );
    }

    #[test]
    fn prose_and_comments_name_no_package() {
        assert!(names("Uses `requests >= 2` and pip install x.\n```toml\n# None\n# foo = \"1\"\n```").is_empty());
    }

    #[test]
    fn a_manifest_names_a_package_in_any_spelling_of_the_registry() {
        let manifest = "[project]\ndependencies = [\"Foo_Bar>=1\", \"baz\"]\n";
        let words = Ecosystem::Python.words(manifest);
        assert!(
            words.contains(&Ecosystem::Python.folded("foo.bar")) && words.contains("baz") && !words.contains("bar")
        );
        assert_eq!(Ecosystem::of_manifest("a/requirements-dev.txt"), Some(Ecosystem::Python));
        assert_eq!(Ecosystem::of_manifest("Cargo.lock"), None);
    }
}
