//! Rust: the head of a path is a crate that the nearest manifests name, or a module.

use super::Ground;

/// What comes with the compiler.
pub(super) const OWN: &[&str] = &["std", "core", "alloc", "proc_macro", "test"];

pub(super) fn is_known(ground: &Ground, path: &str, name: &str) -> bool {
    let manifests = ground.upwards(path, "Cargo.toml");
    manifests.is_empty()
        || OWN.contains(&name)
        // The compiler's own, which its friends use.
        || name.starts_with("rustc_")
        || manifests.iter().any(|file| ground.named(file).iter().any(|known| is_called(known, name)))
        || ground.has_name(name)
        // A crate's root may lie in a folder of any name.
        || ground.has_name(&name.replace('_', "-"))
}

/// Libraries whose name is not that of their package.
const OTHER: &[(&str, &str)] = &[("libcst_native", "libcst"), ("xml", "xml_rs"), ("magick_rust", "magick")];

/// May the package that a manifest calls `known` be the library `name`: itself, a fork (`hyper_wasi`), `md_5`?
fn is_called(known: &str, name: &str) -> bool {
    let bare = |name: &str| name.replace('_', "");
    let fork = |rest: Option<&str>, mark: fn(&str) -> bool| rest.is_some_and(mark);
    known == name
        || fork(known.strip_prefix(name), |rest| rest.starts_with('_'))
        || fork(known.strip_suffix(name), |rest| rest.ends_with('_'))
        || (known.ends_with(|c: char| c.is_ascii_digit()) && bare(known) == bare(name))
        || OTHER.contains(&(name, known))
}
