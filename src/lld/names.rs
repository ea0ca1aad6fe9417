//! The names of files: extensions and names that say by themselves "this is a file".
//!
//! One place for every stage that has to tell a file from a word. A new extension is one entry in [`EXTENSIONS`]. Knows
//! no document and no repository.

/// Extensions of files that people and models write, in lower case.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "adoc", "astro", "avsc", "bash", "bat", "bats", "bicep", "c", "cc", "cfg", "cjs", "clj", "cls", "cmake", "conf",
    "cpp", "cql", "cr", "cs", "cshtml", "csproj", "css", "csv", "cts", "cu", "cxx", "d2", "dart", "dbml", "dockerfile",
    "dockerignore", "ejs", "elm", "env", "erb", "erl", "ex", "example", "exs", "feature", "fish", "frag", "fs",
    "fsproj", "fxml", "gd", "gitignore", "gitkeep", "glsl", "go", "gql", "gradle", "graphql", "groovy", "h", "haml",
    "handlebars", "hbs", "hcl", "hh", "hlsl", "hpp", "hs", "htm", "html", "http", "hxx", "ini", "ipynb", "j2", "java",
    "jinja", "jinja2", "jl", "js", "json", "json5", "jsonc", "jsonl", "jsx", "kt", "kts", "less", "liquid", "lock",
    "lua", "m", "markdown", "md", "mdc", "mdx", "metal", "mjs", "mk", "ml", "mli", "mm", "mmd", "mod", "mts",
    "mustache", "nim", "nix", "njk", "nomad", "php", "pl", "plist", "pm", "po", "pot", "prisma", "properties", "props",
    "proto", "ps1", "psm1", "pug", "puml", "py", "pyi", "pyx", "r", "rake", "razor", "rb", "resx", "rs", "rst",
    "rules", "s", "sass", "sbt", "scala", "scss", "service", "sh", "slim", "sln", "slnx", "snap", "sol", "sql",
    "storyboard", "sum", "svelte", "svg", "swift", "targets", "template", "tf", "tfvars", "thrift", "toml", "tpl",
    "tres", "ts", "tscn", "tsv", "tsx", "twig", "txt", "vb", "vert", "vim", "vue", "wgsl", "wxml", "wxss", "xaml",
    "xcconfig", "xib", "xlf", "xml", "xsd", "xsl", "yaml", "yml", "zig", "zsh",
];

/// Files without an extension that everybody knows.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "Makefile", "makefile", "GNUmakefile", "Dockerfile", "Containerfile", "Procfile", "Gemfile", "Rakefile", "Podfile",
    "Fastfile", "Brewfile", "Pipfile", "Vagrantfile", "Jenkinsfile", "Justfile", "justfile", "Caddyfile", "Tiltfile",
    "Earthfile", "LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CONTRIBUTORS", "CHANGELOG", "CHANGES", "README",
    "INSTALL", "TODO", "VERSION", "CODEOWNERS", "BUILD", "WORKSPACE", "OWNERS", "gradlew", "mvnw",
];

/// Words that end like a file and mean a product, a framework or an object of a language.
#[rustfmt::skip]
const PRODUCTS: &[&str] = &[
    "alpine.js", "asp.net", "backbone.js", "bun.js", "chart.js", "d3.js", "day.js", "discord.js", "ember.js",
    "ethers.js", "express.js", "fabric.js", "ggml.cpp", "hono.js", "import.meta.env", "konva.js", "leaflet.js",
    "llama.cpp", "moment.js", "nest.js", "next.js", "node.js", "nuxt.js", "p5.js", "pdf.js", "phaser.js", "pixi.js",
    "plotly.js", "process.env", "react.js", "socket.io", "solid.js", "stable-diffusion.cpp", "three.js", "viem.js",
    "vue.js", "web3.js", "whisper.cpp",
];

/// Is `extension` one that files have?
pub(super) fn is_extension(extension: &str) -> bool {
    EXTENSIONS.binary_search(&extension.to_ascii_lowercase().as_str()).is_ok()
}

/// Is the last component of `path` a file's name without an extension?
pub(super) fn is_known_name(path: &str) -> bool {
    NAMES.contains(&path.rsplit('/').next().unwrap_or(path))
}

/// `.gitignore`, `.prettierrc`, `.env.local`: hidden files that hold settings.
pub(super) fn is_dotfile(name: &str) -> bool {
    let Some(rest) = name.strip_prefix('.') else { return false };
    let words = ["npmrc", "nvmrc", "flake8", "editorconfig", "gitmodules", "gitattributes", "htaccess", "gitkeep"];
    let known = words.contains(&rest) || rest.ends_with("ignore") || rest == "env" || rest.starts_with("env.");
    known || (rest.len() > 3 && rest.ends_with("rc")) || rest.ends_with("-version")
}

/// Does `word` look like a file and mean something else?
pub(super) fn is_product(word: &str) -> bool {
    PRODUCTS.binary_search(&word.to_ascii_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_so_that_they_can_be_searched() {
        assert!(EXTENSIONS.is_sorted() && PRODUCTS.is_sorted());
    }

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
