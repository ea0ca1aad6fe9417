//! Go: an import path begins with the path of its module, which `go.mod` names, or with one of the words that are
//! the language's own. In a module of this tree the folder must be there.

use super::Ground;
use crate::syntax::file_name;

/// What the packages of the language begin with, and what the tools make of the rest.
pub(super) const OWN: &[&str] = &[
    "C",
    "archive",
    "arena",
    "bufio",
    "builtin",
    "bytes",
    "cmd",
    "cmp",
    "compress",
    "container",
    "context",
    "crypto",
    "database",
    "debug",
    "embed",
    "encoding",
    "errors",
    "expvar",
    "flag",
    "fmt",
    "go",
    "hash",
    "html",
    "image",
    "index",
    "internal",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "mime",
    "net",
    "os",
    "path",
    "plugin",
    "reflect",
    "regexp",
    "runtime",
    "simd",
    "slices",
    "sort",
    "strconv",
    "strings",
    "structs",
    "sync",
    "syscall",
    "testing",
    "text",
    "time",
    "unicode",
    "unique",
    "unsafe",
    "vendor",
    "weak",
];

pub(super) fn is_known(ground: &Ground, path: &str, name: &str) -> bool {
    let first = name.split('/').next().unwrap_or_default();
    let manifests = ground.upwards(path, "go.mod");
    if OWN.contains(&first) || manifests.is_empty() {
        return true;
    }
    let is_under =
        |module: &str| name.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    // Of the modules of the tree the innermost has it.
    let all = ground.manifests(|file| file_name(file) == "go.mod");
    let own = all.iter().flat_map(|file| {
        let folder = file.strip_suffix("go.mod").unwrap_or_default();
        let names = ground.named(file);
        let module =
            names.iter().find_map(|name| name.strip_suffix('/').filter(|name| is_under(name))).map(str::to_owned);
        module.map(|module| (folder, module))
    });
    if let Some((folder, module)) = own.max_by_key(|(_, module)| module.len()) {
        let rest = name.get(module.len()..).unwrap_or_default().trim_start_matches('/');
        let place = if rest.is_empty() { folder.to_owned() } else { format!("{folder}{rest}/") };
        return place.is_empty() || ground.has(&place);
    }
    // A workspace has what its modules have.
    let shared = !ground.upwards(path, "go.work").is_empty();
    let mut asked = manifests.iter().map(String::as_str).chain(all.iter().copied().filter(|_| shared));
    asked.any(|file| ground.named(file).iter().any(|module| is_under(module))) || ground.has(&format!("vendor/{name}/"))
}
