//! What a word of a task looks like: files, a directory, a pattern, or nothing of the kind.
//!
//! Routes, packages, products, calls and members of objects look a little like paths and are none. Judges the word
//! alone, without the words beside it.

use crate::lld::names::{is_dotfile, is_extension, is_known_name, is_product};
use crate::lld::vocabulary::has;
use crate::shape::{Shape, expand, shape};

/// The looks of a word that may stand for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::lld) enum Looks {
    /// One file, or several by an abbreviation (`src/{a,b}.ts`, `engine.h/.cpp`).
    Files(Vec<String>),
    /// It ends in a slash; without it.
    Directory(String),
    /// `src/*.ts`
    Glob,
    /// `src/<name>.ts`, `test_[name].py`
    Placeholder,
    /// `.cpp`, which may follow `src/a.h`.
    Extension(String),
    /// Words with a slash, or a directory without one at its end.
    Slashed(String),
}

/// Reads one word, `code` if it stood in a code span.
pub(in crate::lld) fn looks(word: &str, code: bool) -> Option<Looks> {
    let word = word.trim_matches(['"', '\'', ',']);
    if word.is_empty() || word.len() > 4096 || is_product(word) {
        return None;
    }
    let word = word.replace('\\', "/");
    if word.contains("//") || word.starts_with(['@', '#', '-', '$', '~', '%', '|']) {
        return None;
    }
    let extension = word.strip_prefix('.').filter(|rest| code && is_extension(rest) && rest.len() <= 5);
    if let Some(extension) = extension.filter(|_| !is_dotfile(&word)) {
        return Some(Looks::Extension(extension.to_owned()));
    }
    let word = rooted(&word)?;
    // `users.$id.tsx` is what some frameworks call a route; elsewhere the sign begins a variable.
    if word.contains('/')
        && word.contains('$')
        && !word.contains("${")
        && word.len() < word.rfind('.').unwrap_or(0) + 12
    {
        let plain = word.replace('$', "");
        return match looks(&plain, code)? {
            Looks::Files(files) if files == [plain] => Some(Looks::Files(vec![word.to_owned()])),
            _ => None,
        };
    }
    match shape(word) {
        Shape::Glob => pathlike(word).then_some(Looks::Glob),
        Shape::Placeholder => ends_like_file(word).then_some(Looks::Placeholder),
        Shape::Path { path, directory: true } => directory(&path),
        Shape::Path { path, directory: false } => files(&path, code),
        _ => None,
    }
}

/// Without the slash of who begins at the root of the repository; `None` for routes and places of the machine.
fn rooted(word: &str) -> Option<&str> {
    let Some(rest) = word.strip_prefix('/') else { return Some(word) };
    let first = rest.split('/').next().unwrap_or_default();
    let machine =
        ["etc", "usr", "var", "tmp", "home", "opt", "dev", "proc", "sys", "mnt", "Users", "root", "api", "data"];
    (rest.contains('/') && !machine.contains(&first) && ends_like_file(rest)).then_some(rest)
}

/// Is a pattern one of files, and not of words (`after_*`) or a product (`2*3`)?
fn pathlike(word: &str) -> bool {
    word.contains('/') && word.contains(|c: char| c.is_alphanumeric()) || word.starts_with("*.") && word.len() > 2
}

fn ends_like_file(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    name.rsplit_once('.').is_some_and(|(_, extension)| is_extension(extension)) || is_known_name(name)
}

fn directory(path: &str) -> Option<Looks> {
    let plain = |c: char| c.is_alphanumeric() || "._-/@+()[]{},".contains(c);
    (path.chars().all(plain) && path.contains(|c: char| c.is_alphanumeric())).then(|| Looks::Directory(path.to_owned()))
}

fn files(path: &str, code: bool) -> Option<Looks> {
    if let Some(both) = twins(path) {
        return Some(Looks::Files(both));
    }
    let paths = expand(path);
    if paths.iter().all(|path| is_file(path, code)) {
        let template = paths.iter().any(|path| is_template(path));
        return Some(if template { Looks::Placeholder } else { Looks::Files(paths) });
    }
    (path.contains('/') && !path.contains(['{', '}', '['])).then(|| Looks::Slashed(path.to_owned()))
}

/// `engine.h/.cpp` and `engine.h/cpp`: two files of one name.
fn twins(path: &str) -> Option<Vec<String>> {
    let (first, other) = path.rsplit_once('/')?;
    let other = other.strip_prefix('.').unwrap_or(other);
    let (stem, extension) = first.rsplit_once('.')?;
    let both = is_extension(extension) && is_extension(other) && !stem.is_empty() && !extension.contains('/');
    both.then(|| vec![first.to_owned(), format!("{stem}.{other}")])
}

fn is_file(path: &str, code: bool) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "._-/@+()[] ~&".contains(c);
    let name = path.rsplit('/').next().unwrap_or(path);
    if !path.chars().all(plain) || name.is_empty() || is_domain(path) {
        return false;
    }
    let marked = code && matches!(name, "LICENSE" | "README" | "CHANGELOG" | "CODEOWNERS" | "gradlew" | "mvnw");
    if is_dotfile(name) || (is_known_name(name) && (name.ends_with("file") || marked || path.contains('/'))) {
        return true;
    }
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    if !stem.contains(|c: char| c.is_alphanumeric() || c == '_') {
        return false;
    }
    let member = has("extension-member", extension)
        && !path.contains('/')
        && !has("name-member", name)
        && !stem.starts_with('.');
    if is_extension(extension) {
        return !member;
    }
    // An unknown extension in a path that is marked as one.
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    code && path.contains('/')
        && (1..=8).contains(&extension.len())
        && extension.starts_with(|c: char| c.is_ascii_lowercase())
        && extension.chars().all(word)
}

/// `github.com/a/b.go`, `example.org/x.html`
fn is_domain(path: &str) -> bool {
    let Some((first, _)) = path.split_once('/') else { return false };
    let top = first.rsplit_once('.').filter(|(host, _)| !host.is_empty()).map(|(_, top)| top);
    top.is_some_and(|top| ["com", "org", "net", "io", "dev", "app", "ai", "in", "co"].contains(&top))
}

/// `test_[name].py`: a bracket that nobody filled in. Whole components in brackets are what web frameworks call their
/// routes by.
fn is_template(path: &str) -> bool {
    let mut routes = false;
    path.split('/').any(|part| {
        let Some((before, rest)) = part.split_once('[') else {
            routes |= matches!(part, "app" | "pages" | "routes" | "api" | "functions" | "screens");
            return false;
        };
        let (inside, after) = rest.rsplit_once(']').unwrap_or((rest, ""));
        let word = inside.trim_matches(['[', ']', '.']).to_lowercase();
        let whole = before.is_empty() && (after.is_empty() || after.starts_with('.'));
        let script = [".ts", ".js", ".tsx", ".jsx", ".vue", ".svelte", ".astro"].iter().any(|end| after.ends_with(end));
        let template = has("template", word.trim_end_matches(|c: char| c.is_ascii_digit())) && !routes;
        !whole || template || (!after.is_empty() && !script)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(word: &str, code: bool) -> bool {
        matches!(looks(word, code), Some(Looks::Files(files)) if files.len() == 1)
    }

    #[test]
    fn files_of_all_kinds_are_files() {
        #[rustfmt::skip]
        let words = [
            "src/a.py", "a.ts", "./src/a.ts", "/src/a.ts", "Makefile", ".gitignore", "app/[id]/page.tsx", "go.mod",
            "src/routes/[slug]/+page.svelte", "app/(shop)/page.tsx", "src/a.py:12", ".github/workflows/ci.yml",
            "src\\a.cs", "__init__.py", "pages/[id].tsx", "Foo.Bar/Baz.Api/Program.cs", "ops/x.Dockerfile",
        ];
        for word in words {
            assert!(file(word, false), "{word}");
        }
        assert!(file("docs/flow.xyz", true) && file("LICENSE", true));
    }

    #[test]
    fn what_only_looks_like_a_file_is_none() {
        #[rustfmt::skip]
        let words = [
            "Next.js", "process.env", "free/occupied", "/api/users", "@scope/pkg", "golang.org/x/term", "v1.2.3",
            "e.g", "https://a.b/c.py", "~/x.toml", "/etc/hosts.conf", "location.state", "and/or", "app.service",
            "1.5", "...", "github.com/a/b.go", "README", "$HOME/a.ts", "fs.rm", "T001-T004", "", ".", "/", ".method",
        ];
        for word in words {
            assert!(!matches!(looks(word, false), Some(Looks::Files(_))), "{word}");
        }
    }

    #[test]
    fn abbreviations_are_written_out() {
        let all = |word| match looks(word, false) {
            Some(Looks::Files(files)) => files,
            _ => Vec::new(),
        };
        assert_eq!(all("src/{a,b}.ts"), ["src/a.ts", "src/b.ts"]);
        assert_eq!(all("lib/engine.h/.cpp"), ["lib/engine.h", "lib/engine.cpp"]);
        assert_eq!(all("lib/engine.h/cpp"), ["lib/engine.h", "lib/engine.cpp"]);
        assert_eq!(all("safetensors.cpp/src/a.h"), ["safetensors.cpp/src/a.h"]);
    }

    #[test]
    fn patterns_templates_and_directories_are_told_apart() {
        assert_eq!(looks("src/*.ts", false), Some(Looks::Glob));
        assert_eq!(looks("after_*", true), None);
        for word in
            ["src/<name>.ts", "tests/test_[name].py", "src/models/[entity1].py", "src/{name}.py", "docs/[name].md"]
        {
            assert_eq!(looks(word, true), Some(Looks::Placeholder), "{word}");
        }
        assert_eq!(looks("src/models/", false), Some(Looks::Directory("src/models".into())));
        assert_eq!(looks("internal/progress", false), Some(Looks::Slashed("internal/progress".into())));
        assert_eq!(looks(".cpp", true), Some(Looks::Extension("cpp".into())));
    }
}
