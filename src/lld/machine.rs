//! Links to files on somebody's machine (`file:///home/ann/shop/src/a.py`), cut down to paths of the project.
//!
//! Knows the document only: the folder of the project is found by what all links have in common, by paths that the document
//! writes from the root, and by where people keep their projects.

use super::vocabulary::has;
use std::collections::HashSet;

const SCHEME: &str = "file://";

/// The text with the links of the project, and the paths from the root of the machine, as paths from the project's root;
/// `None` if it has none.
pub(super) fn localised(text: &str) -> Option<String> {
    let links = text.match_indices(SCHEME).map(|(at, scheme)| (at, at + scheme.len()));
    let alone = HOMES.iter().flat_map(|home| text.match_indices(home)).map(|(at, _)| (at, at));
    let alone = alone.filter(|(at, _)| text.get(..*at).is_some_and(|before| before.ends_with(['`', ' ', '('])));
    let alone = alone.filter(|(at, _)| is_file(address(text.get(*at..).unwrap_or_default())));
    let mut places: Vec<(usize, usize)> = links.chain(alone).collect();
    places.sort_unstable();
    let paths: Vec<&str> = places.iter().map(|(_, path)| address(text.get(*path..).unwrap_or_default())).collect();
    let root = root(&paths, text, text.contains(SCHEME))?;
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (start, path) in places {
        let Some(rest) = text.get(path..).and_then(|rest| rest.strip_prefix(root.as_str())) else { continue };
        out.push_str(text.get(done..start).unwrap_or_default());
        done = text.len() - rest.trim_start_matches('/').len();
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some(out)
}

/// Where people have their folders.
const HOMES: [&str; 2] = ["/Users/", "/home/"];

fn is_file(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(_, end)| super::names::is_extension(end))
}

/// What stands after the scheme, to the end of the link.
fn address(link: &str) -> &str {
    let end = link.find([')', '"', '\'', '>', '`', '\n', ' ', '#', ']', ':']).unwrap_or(link.len());
    let drive = link.get(..end).is_some_and(|path| path.len() <= 2)
        && link.get(end..).is_some_and(|rest| rest.starts_with(":/"));
    let end =
        if drive { link.find([')', '"', '\'', '>', '`', '\n', ' ', '#', ']']).unwrap_or(link.len()) } else { end };
    link.get(..end).unwrap_or_default()
}

/// The folder of the project, as the links write it. `linked`: some are links, of which the part in common is a last guess.
fn root(paths: &[&str], text: &str, linked: bool) -> Option<String> {
    let first = *paths.first()?;
    let directory = |path: &str| path.rsplit_once('/').map_or(0, |(directory, _)| directory.len());
    let mut common = first.get(..directory(first))?;
    for path in paths {
        while !(path.strip_prefix(common).is_some_and(|rest| rest.starts_with('/'))) {
            common = common.rsplit_once('/').map(|(above, _)| above)?;
        }
    }
    // The longest end of a link that the document also writes on its own begins at the root.
    let alone: HashSet<&str> =
        text.split(['`', ' ', '\n', '(', ')', '[', ']', '"']).filter(|word| word.contains('/')).collect();
    let written = paths.iter().find_map(|path| {
        let slashes = path.match_indices('/').map(|(at, _)| at).take(MAX_DEPTH).take_while(|&at| at <= common.len());
        let root = slashes
            .skip(1)
            .find(|&at| path.get(at + 1..).is_some_and(|end| end.contains('/') && alone.contains(end)))?;
        path.get(..root).map(str::to_owned)
    });
    written.or_else(|| at_home(common)).or_else(|| linked.then(|| common.to_owned()))
}

/// How deep a project lies, at most.
const MAX_DEPTH: usize = 16;

/// `/home/ann/code/shop` of `/home/ann/code/shop/src`: the first folder that is not one to keep projects in.
fn at_home(common: &str) -> Option<String> {
    let mut parts = Vec::new();
    let mut at = 0;
    for part in common.split('/') {
        parts.push((part, at + part.len()));
        at += part.len() + 1;
    }
    let mut named = parts.into_iter().filter(|(part, _)| !part.is_empty()).peekable();
    let lower = |part: &str| part.to_ascii_lowercase();
    let drive = |part: &str| part.ends_with(':') || lower(part).ends_with("%3a");
    let has_drive = named.next_if(|(part, _)| drive(part)).is_some();
    match named.peek().map(|(part, _)| lower(part)).as_deref() {
        Some("home" | "users") => {
            named.next();
            named.next()?;
        }
        Some("root" | "workspaces") => {
            named.next();
        }
        Some(_) if has_drive => {}
        _ => return None,
    }
    let (_, end) = named.find(|(part, _)| !has("folder-keeping", &lower(part)))?;
    // Deep below, the folder before the sources is a better guess.
    let below: Vec<(&str, usize)> = named.collect();
    let sources = below.iter().position(|(part, _)| has("folder-source", part)).filter(|&at| at >= DEEP);
    let end = sources.and_then(|at| below.get(at.checked_sub(1)?)).map_or(end, |(_, end)| *end);
    common.get(..end).map(str::to_owned)
}

/// How many folders between the first that may be the project and its sources make it a doubtful guess.
const DEEP: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn link(path: &str) -> String {
        format!("#### [MODIFY] [a]({SCHEME}{path})\n")
    }

    #[test]
    fn links_of_a_machine_are_cut_at_the_folder_of_the_project() {
        for (paths, want) in [
            (vec!["/home/ann/code/shop/src/a.py"], vec!["src/a.py"]),
            (
                vec!["/c:/Users/ann/Desktop/shop/package.json", "/c:/Users/ann/Desktop/shop/src/a.ts"],
                vec!["package.json", "src/a.ts"],
            ),
            (vec!["/Users/ann/shop/lib/x/a.rb#L4-L9"], vec!["lib/x/a.rb#L4-L9"]),
            (vec!["/root/shop/app/a.go"], vec!["app/a.go"]),
            (vec!["/d:/shop/app/a.go"], vec!["app/a.go"]),
            (vec!["/srv/x/app/a.go", "/srv/x/b.go"], vec!["app/a.go", "b.go"]),
        ] {
            let text: String = paths.into_iter().map(link).collect();
            let got = localised(&text).unwrap();
            let got: Vec<&str> = got.lines().map(|line| line.split(['(', ')']).nth(1).unwrap()).collect();
            assert_eq!(got, want);
        }
    }

    #[test]
    fn a_path_that_the_document_writes_from_the_root_says_where_the_root_is() {
        let text = format!("{}The test is `core/src/a.py`.\n", link("/srv/deep/shop/core/src/a.py"));
        assert!(localised(&text).unwrap().contains("(core/src/a.py)"));
        assert_eq!(localised("no links"), None);
    }
}
