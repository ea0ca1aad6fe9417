//! Where the file is that a JavaScript module names.

use crate::context::tree::{Tree, folder, joined};
use jsonc_parser::JsonValue;
use std::cell::OnceCell;

const KINDS: &[&str] = &["ts", "tsx", "js", "jsx", "mts", "mjs", "cts", "cjs", "d.ts", "vue", "svelte"];
/// As many manifests are read to find the packages of the tree.
const MOST_PACKAGES: usize = 300;

/// The places that names lead to, seen from one file.
pub(super) struct Places<'t, 'a> {
    tree: &'t Tree<'a>,
    path: &'t str,
    /// What `paths` of the nearest configuration says: what names begin with, whether more may follow, and where that is.
    aliases: OnceCell<Vec<Alias>>,
    /// The packages of the tree, by name, with their folders.
    packages: OnceCell<Vec<(String, String)>>,
}

struct Alias {
    begin: String,
    open: bool,
    places: Vec<String>,
}

impl<'t, 'a> Places<'t, 'a> {
    pub fn of(tree: &'t Tree<'a>, path: &'t str) -> Places<'t, 'a> {
        Places { tree, path, aliases: OnceCell::new(), packages: OnceCell::new() }
    }

    /// The file that a module's name means; none if it is somebody else's.
    pub fn files(&self, name: &str) -> Vec<String> {
        if name.starts_with('.') {
            return joined(folder(self.path), name).and_then(|place| self.file(&place)).into_iter().collect();
        }
        let by_alias = self.aliases().iter().find_map(|alias| {
            let rest = name.strip_prefix(alias.begin.as_str()).filter(|rest| alias.open || rest.is_empty())?;
            alias.places.iter().find_map(|place| self.file(&joined(place, rest)?))
        });
        by_alias.or_else(|| self.of_package(name)).into_iter().collect()
    }

    fn file(&self, place: &str) -> Option<String> {
        if self.tree.has(place) {
            return Some(place.to_owned());
        }
        // `./x.js` is `x.ts` once it is built.
        let stem = ["js", "jsx", "mjs", "cjs"].iter().find_map(|kind| place.strip_suffix(&format!(".{kind}")));
        let stems = std::iter::once(place).chain(stem);
        stems
            .flat_map(|stem| {
                let beside = KINDS.iter().map(move |kind| format!("{stem}.{kind}"));
                beside.chain(KINDS.iter().map(move |kind| format!("{stem}/index.{kind}")))
            })
            .find(|file| self.tree.has(file))
    }

    fn aliases(&self) -> &[Alias] {
        self.aliases.get_or_init(|| {
            let mut directory = folder(self.path);
            loop {
                for name in ["tsconfig.json", "jsconfig.json", "tsconfig.base.json", "tsconfig.app.json"] {
                    let found = joined(directory, name).and_then(|file| self.read(&file, 0)).unwrap_or_default();
                    if !found.is_empty() {
                        return found;
                    }
                }
                if directory.is_empty() {
                    return Vec::new();
                }
                directory = folder(directory);
            }
        })
    }

    /// What a configuration says, or the one that it builds on.
    fn read(&self, file: &str, depth: usize) -> Option<Vec<Alias>> {
        let source = self.tree.source(file)?;
        let Configuration { base, paths, extends } = Configuration::read(&source.text)?;
        let root = joined(folder(file), base.as_deref().unwrap_or("."))?;
        let mut aliases = match (paths, extends.filter(|name| name.starts_with('.') && depth < 3)) {
            (Some(paths), _) => paths
                .into_iter()
                .take(MOST_PACKAGES)
                .map(|(name, places)| Alias {
                    begin: name.trim_end_matches('*').to_owned(),
                    open: name.ends_with('*'),
                    places: places.iter().filter_map(|place| joined(&root, place.trim_end_matches('*'))).collect(),
                })
                .collect(),
            (None, Some(parent)) => {
                let place = joined(folder(file), &parent)?;
                let inherited = self.read(&place, depth + 1).or_else(|| self.read(&format!("{place}.json"), depth + 1));
                inherited.unwrap_or_default()
            }
            (None, None) => Vec::new(),
        };
        // The one that says more goes before.
        aliases.sort_by_key(|alias| std::cmp::Reverse(alias.begin.len()));
        aliases.extend(base.map(|_| Alias { begin: String::new(), open: true, places: vec![root] }));
        Some(aliases)
    }

    /// `@scope/name/part` of a package whose source is in the tree.
    fn of_package(&self, name: &str) -> Option<String> {
        let packages = self.packages.get_or_init(|| {
            let manifests = self.tree.named("package.json").take(MOST_PACKAGES);
            let package = |path: &str| {
                let json: serde_json::Value = serde_json::from_str(&self.tree.source(path)?.text).ok()?;
                Some((json.get("name")?.as_str()?.to_owned(), folder(path).to_owned()))
            };
            manifests.filter_map(package).collect()
        });
        let (of, directory) = packages
            .iter()
            .filter(|(package, _)| {
                name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
            .max_by_key(|(package, _)| package.len())?;
        let rest = name.get(of.len()..).unwrap_or_default().trim_start_matches('/');
        ["src", "", "lib"].iter().find_map(|within| {
            let place = joined(directory, &format!("{within}/{rest}"))?;
            let place = if rest.is_empty() { joined(&place, "index")? } else { place };
            self.file(&place)
        })
    }
}

/// What of `tsconfig.json` says where modules are.
struct Configuration {
    base: Option<String>,
    paths: Option<Vec<(String, Vec<String>)>>,
    extends: Option<String>,
}

impl Configuration {
    fn read(text: &str) -> Option<Configuration> {
        let text_of = |value: &JsonValue| match value {
            JsonValue::String(text) => Some(text.to_string()),
            _ => None,
        };
        let value = jsonc_parser::parse_to_value(text, &jsonc_parser::ParseOptions::default()).ok()??;
        let JsonValue::Object(mut whole) = value else { return None };
        let extends = whole.get("extends").and_then(text_of);
        let mut options = whole.take_object("compilerOptions");
        let base = options.as_ref().and_then(|options| options.get("baseUrl")).and_then(text_of);
        let paths = options.as_mut().and_then(|options| options.take_object("paths")).map(|paths| {
            let mut paths: Vec<(String, Vec<String>)> = paths
                .take_inner()
                .into_iter()
                .map(|(name, places)| match places {
                    JsonValue::Array(places) => (name.into_owned(), places.iter().filter_map(text_of).collect()),
                    _ => (name.into_owned(), Vec::new()),
                })
                .collect();
            paths.sort();
            paths
        });
        Some(Configuration { base, paths, extends })
    }
}
