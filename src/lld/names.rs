//! The names of files: extensions and names that say by themselves "this is a file".
//!
//! One place for every stage that has to tell a file from a word. Knows no document and no repository.

use super::vocabulary::has;

/// Is `extension` one that files have?
pub(super) fn is_extension(extension: &str) -> bool {
    has("extension", &extension.to_ascii_lowercase())
}

/// Is the last component of `path` a file's name without an extension?
pub(super) fn is_known_name(path: &str) -> bool {
    has("name", path.rsplit('/').next().unwrap_or(path))
}

/// `.gitignore`, `.prettierrc`, `.env.local`: hidden files that hold settings.
pub(super) fn is_dotfile(name: &str) -> bool {
    let Some(rest) = name.strip_prefix('.') else { return false };
    let words = ["npmrc", "nvmrc", "flake8", "editorconfig", "gitmodules", "gitattributes", "htaccess", "gitkeep"];
    let known = words.contains(&rest) || rest.ends_with("ignore") || rest == "env" || rest.starts_with("env.");
    known || (rest.len() > 3 && rest.ends_with("rc")) || rest.ends_with("-version")
}

/// Settings, which lie at the root of a project more often than its sources do.
pub(super) fn is_setting(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "toml" | "yaml" | "yml" | "json" | "cfg" | "ini"))
}

/// Does `word` look like a file and mean something else?
pub(super) fn is_product(word: &str) -> bool {
    has("product", &word.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_in_hidden_files_are_told_from_hidden_words() {
        for name in [".gitignore", ".eslintrc", ".env", ".env.local", ".python-version", ".dockerignore"] {
            assert!(is_dotfile(name), "{name}");
        }
        for name in [".specify", ".git", ".rc", "gitignore", ".method"] {
            assert!(!is_dotfile(name), "{name}");
        }
    }
}
