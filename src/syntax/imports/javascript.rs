//! JavaScript and TypeScript: `from "./x"`, `import "x"`, `import("./x")`, `require("x")`: one a line, the first.

use super::{Import, Imports, Line, folder};
use crate::syntax::extension;

pub const IMPORTS: Imports = Imports {
    words: &["import", "from", "require"],
    words_of_packages: &["import", "from", "require"],
    end: b'\n',
    find,
};

fn find(path: &str, lines: &[Line]) -> Vec<Import> {
    // Bundles hold the files that they speak of.
    if lines.iter().any(|(line, _)| line.contains("require,module,exports") || line.contains("__webpack_require__")) {
        return Vec::new();
    }
    let found = lines.iter().enumerate().filter_map(|(at, (line, code))| {
        let quote = code.find(['"', '\''])?;
        let before = code.get(..quote)?.trim_end();
        let lead = ["from", "import", "import(", "require("].into_iter().find(|word| {
            before
                .strip_suffix(word)
                .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$')))
        })?;
        let mark = line.get(quote..)?.chars().next()?;
        let name = line.get(quote + 1..)?.split(mark).next()?;
        if name.starts_with("./") || name.starts_with("../") {
            return relative(path, at, name);
        }
        // Elsewhere it may be tried, or be text.
        let begins = |words: &[&str]| words.iter().any(|word| code.starts_with(word));
        let is_whole = match lead {
            "from" => begins(&["import ", "import{", "export ", "export*", "export{", "}"]),
            "import" => before == "import",
            "require(" => begins(&["const ", "let ", "var ", "}", "import ", "require("]),
            _ => false,
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '/' | '-' | '_' | '.');
        let is_plain = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@') && name.chars().all(plain);
        (is_whole && is_plain).then(|| Import::package(at, name))
    });
    found.collect()
}

/// What a name without an extension may be.
const SCRIPTS: &[&str] =
    &["js", "ts", "tsx", "jsx", "mjs", "cjs", "mts", "cts", "d.ts", "json", "vue", "svelte", "node", "css"];

fn relative(path: &str, at: usize, name: &str) -> Option<Import> {
    if name.contains(['?', '#', '*', '$', '\\']) {
        return None;
    }
    let place = format!("{}{}", folder(path), name.trim_end_matches('/'));
    let known = extension(name);
    let (stem, is_script) = match known.as_str() {
        "js" | "jsx" | "mjs" | "cjs" => (place.strip_suffix(&format!(".{known}")).unwrap_or(&place), true),
        "" | "ts" | "tsx" | "mts" | "cts" | "json" | "vue" | "svelte" => (place.as_str(), true),
        // `./x.service` is one, `./x.svg` is a loader's business.
        _ => (
            place.as_str(),
            !matches!(known.as_str(), "css" | "scss" | "less" | "svg" | "png" | "wasm" | "md" | "mdx" | "html" | "txt"),
        ),
    };
    if !is_script {
        return None;
    }
    let mut places = vec![place.clone()];
    places.extend(SCRIPTS.iter().map(|kind| format!("{stem}.{kind}")));
    places.extend(SCRIPTS.iter().map(|kind| format!("{stem}/index.{kind}")));
    places.push(format!("{stem}/package.json"));
    Some(Import::places(at, name, places))
}
