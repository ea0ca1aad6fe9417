//! The names of files: extensions and names that say by themselves "this is a file".
//!
//! One place for every stage that has to tell a file from a word. A new extension is one entry in [`EXTENSIONS`]. Knows
//! no document and no repository.

/// Extensions of files that people and models write, in lower case.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "adb", "ado", "adoc", "ads", "agda", "aidl", "arb", "asciidoc", "ascx", "asm", "asmdef", "asp", "aspx", "astro",
    "avdl", "avsc", "awk", "bash", "bat", "bats", "bazel", "bib", "bicep", "bpmn", "bru", "bzl", "c", "cabal",
    "cairo", "capnp", "cc", "cfg", "cginc", "cjs", "cjsx", "clj", "cljc", "cljs", "cls", "cmake", "cob", "coffee",
    "conf", "cpp", "cql", "cr", "cs", "cshtml", "csproj", "css", "csv", "cts", "cu", "cue", "cxx", "cypher", "d2",
    "dart", "dbml", "dhall", "dockerfile", "dockerignore", "dpr", "dtd", "edn", "eex", "ejs", "elm", "entitlements",
    "env", "erb", "erl", "ex", "example", "exs", "f90", "f95", "fbs", "feature", "fish", "fnl", "frag", "fs",
    "fsproj", "ftl", "fxml", "gd", "gdshader", "gitignore", "gitkeep", "gleam", "glsl", "gltf", "go", "gohtml",
    "gotmpl", "gql", "gradle", "graphql", "groovy", "gyp", "h", "haml", "handlebars", "hbs", "hcl", "heex", "hh",
    "hjson", "hlsl", "hpp", "hrl", "hs", "htm", "html", "http", "hurl", "hxx", "idr", "ini", "ino", "ipynb", "iss",
    "j2", "janet", "java", "jinja", "jinja2", "jl", "js", "json", "json5", "jsonc", "jsonl", "jsonnet", "jsp", "jsx",
    "kdl", "kt", "kts", "lds", "lean", "leex", "less", "lhs", "libsonnet", "liquid", "lisp", "livemd", "lock", "lua",
    "m", "mako", "markdown", "md", "mdc", "mdwn", "mdx", "metal", "mjml", "mjs", "mk", "ml", "mli", "mm", "mmd",
    "mod", "mts", "mustache", "mzn", "nim", "ninja", "nix", "njk", "nomad", "nsi", "odin", "pas", "patch", "pbxproj",
    "pcss", "php", "pkb", "pkl", "pks", "pl", "plist", "pm", "po", "pot", "prefab", "prisma", "properties", "props",
    "proto", "ps1", "psm1", "pug", "puml", "purs", "py", "pyi", "pyx", "qmd", "qml", "qrc", "r", "rake", "raku",
    "raml", "razor", "rb", "rego", "resx", "rkt", "rmd", "rnc", "rng", "robot", "ron", "rs", "rst", "rules", "s",
    "sass", "sbt", "scala", "scm", "scss", "service", "sh", "shader", "slim", "sln", "slnx", "smithy", "snap", "sol",
    "sql", "stan", "star", "storyboard", "strings", "stringsdict", "sty", "styl", "sum", "sv", "svelte", "svg", "svh",
    "swift", "targets", "templ", "template", "tex", "textile", "tf", "tfvars", "thrift", "tmpl", "toml", "tpl",
    "tres", "ts", "tscn", "tsp", "tsv", "tsx", "ttl", "twig", "txt", "uss", "uxml", "vb", "vcxproj", "vert", "vhd",
    "vhdl", "vim", "vue", "wat", "webmanifest", "wgsl", "wsdl", "wxml", "wxs", "wxss", "xaml", "xcconfig", "xcscheme",
    "xcstrings", "xib", "xlf", "xml", "xsd", "xsjs", "xsl", "xslt", "yaml", "yang", "yml", "zig", "zsh",
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

/// Settings, which lie at the root of a project more often than its sources do.
pub(super) fn is_setting(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "toml" | "yaml" | "yml" | "json" | "cfg" | "ini"))
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
