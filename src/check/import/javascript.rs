//! JavaScript and TypeScript: a package that is built in, of the project, in a manifest from the file up to the root, or
//! called so by a bundler or a compiler.

use super::Ground;
use crate::syntax::file_name;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What Node, Bun and editors bring with them.
pub(super) const OWN: &[&str] = &[
    "assert",
    "async_hooks",
    "atom",
    "buffer",
    "bun",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "k6",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "undici",
    "url",
    "util",
    "v8",
    "vm",
    "vscode",
    "wasi",
    "worker_threads",
    "zlib",
];

/// What other packages bring for the use of all: with the package, what is imported.
const BROUGHT: &[(&str, &[&str])] = &[
    ("@docusaurus/core", &["@theme", "@theme-original", "@theme-init", "@site", "@generated", "@docusaurus", "clsx"]),
    ("@sveltejs/kit", &["svelte", "vite"]),
    ("astro", &["astro", "vite"]),
    ("eslint", &["espree", "estree", "eslint-scope", "eslint-visitor-keys"]),
    ("expo", &["react-native", "metro-config"]),
    ("jest", &["@jest", "expect", "jest-mock"]),
    ("next", &["server-only", "client-only", "styled-jsx"]),
    ("nuxt", &["vue", "vue-router", "h3", "ofetch", "nitropack", "unenv", "#imports"]),
    ("react-scripts", &["jest", "webpack", "@babel", "eslint"]),
    ("vite", &["rollup", "esbuild", "postcss"]),
    ("vitest", &["vite", "chai", "tinyspy"]),
];

/// Files in which bundlers, compilers and test runners are told what names stand for.
const CONFIGURATIONS: &[&str] = &[
    "tsconfig",
    "jsconfig",
    "vite.config",
    "vitest.config",
    "vitest.workspace",
    "webpack",
    "babel.config",
    ".babelrc",
    "jest.config",
    "jest",
    "rollup.config",
    "metro.config",
    "next.config",
    "nuxt.config",
    "svelte.config",
    "astro.config",
    "deno",
    "import_map",
    "importmap",
    "esbuild",
    "craco.config",
    "vue.config",
    "quasar.config",
    "package.json",
    "build",
    "gulpfile",
    "karma.conf",
    "playwright.config",
    "tsup.config",
    "electron.vite.config",
    "rspack.config",
    "rsbuild.config",
    "wxt.config",
    "ember-cli-build",
    "BUILD",
];

pub(super) fn is_configuration(name: &str) -> bool {
    [".json", ".jsonc", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".bazel", ".babelrc"]
        .iter()
        .any(|end| name.ends_with(end))
        && CONFIGURATIONS.iter().any(|begin| name.starts_with(begin))
}

pub(super) fn is_known(ground: &Ground, path: &str, name: &str) -> bool {
    let manifests = manifests(ground, path);
    let package = package(name);
    let first = name.split('/').next().unwrap_or_default();
    if manifests.is_empty() || package.is_none() || OWN.contains(&first) {
        return true;
    }
    let package = package.unwrap_or_default();
    let named = |asked: &str| manifests.iter().any(|file| ground.named(file).contains(asked));
    let types = format!("@types/{}", package.trim_start_matches('@').replace('/', "__"));
    if named(package) || named(&types) || workspaces(ground).contains(package) {
        return true;
    }
    let brought = |(by, what): &(&str, &[&str])| what.iter().any(|it| *it == package || *it == first) && named(by);
    // Packages of one house come with each other: `@babel/types` with `@babel/core`, `@vitest/runner` with `vitest`. Those of
    // this house are here.
    let house = first.starts_with('@').then(|| format!("{first}/"));
    let house = house.filter(|house| !workspaces(ground).iter().any(|own| own.starts_with(house.as_str())));
    let of_house =
        |known: &String| house.as_deref().is_some_and(|house| known.starts_with(house) || *known == first[1..]);
    BROUGHT.iter().any(brought)
        || manifests.iter().any(|file| ground.named(file).iter().any(of_house))
        // By `baseUrl`, and whatever else looks for names in folders.
        || ground.has_name(first)
        || is_alias(ground, path, first)
}

/// `a` of `a/b`, `@a/b` of `@a/b/c`; `None` for what is no package's name.
fn package(name: &str) -> Option<&str> {
    if !name.starts_with('@') {
        return name.split('/').next();
    }
    let slash = name.find('/').filter(|slash| *slash > 1)?;
    let end = name.get(slash + 1..)?.find('/').map_or(name.len(), |end| slash + 1 + end);
    name.get(..end)
}

/// Those in the folder of the file and in those round it. Packages of a workspace lie together: there it is all of them.
fn manifests(ground: &Ground, path: &str) -> Vec<String> {
    let above = ground.upwards(path, "package.json");
    let is_workspace =
        ["pnpm-workspace.yaml", "lerna.json", "rush.json"].iter().any(|it| !ground.upwards(path, it).is_empty())
            || above.iter().any(|file| ground.text(file).contains("\"workspaces\""));
    if above.is_empty() || !is_workspace {
        return above;
    }
    ground.manifests(|file| file_name(file) == "package.json").into_iter().map(str::to_owned).collect()
}

/// The packages of the tree.
fn workspaces(ground: &Ground) -> Rc<BTreeSet<String>> {
    let read = || {
        let own = |file: &str| {
            serde_json::from_str::<serde_json::Value>(&ground.text(file)).ok()?.get("name")?.as_str().map(str::to_owned)
        };
        let manifests = ground.manifests(|file| file_name(file) == "package.json");
        Rc::new(manifests.into_iter().filter_map(own).collect())
    };
    ground.workspaces.get_or_init(read).clone()
}

/// Does a configuration from here up to the root speak of the name: `"@app/*": [...]`, `alias: { '@app': … }`?
fn is_alias(ground: &Ground, path: &str, first: &str) -> bool {
    let is_here = |file: &str| {
        let folder = file.strip_suffix(file_name(file)).unwrap_or_default();
        path.starts_with(folder)
    };
    let files = ground.manifests(|file| is_configuration(file_name(file)) && is_here(file));
    files.into_iter().any(|file| {
        let text = ground.text(file);
        text.match_indices(first).any(|(at, _)| {
            let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '@');
            !text[..at].ends_with(part) && !text[at + first.len()..].starts_with(part)
        })
    })
}
