//! Paths that the tree knows by another length. Short paths of a task list are completed: a list that was written for one part of a repository leaves out
//! the directories that lead there, and writes `lib/x` for `app/lib/x`.
//!
//! A path that the tree has stays as it is. A path that the tree lacks is taken to be the only tracked file that ends
//! with it. For a file that does not exist yet, the only directory that ends with its parent directory decides. Where
//! several places would do, the path stays as written, and a finding says so.

use super::rules::COMMON;
use crate::finding::Finding;
use crate::lld::{Lld, Task};
use crate::path::RepoPath;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Completes the short paths of a task list where the tree leaves no doubt, and adds a finding for each. `names`: all files
/// of the tree.
pub fn complete_short_paths(lld: &mut Lld, names: &[String]) {
    if lld.localised {
        cut_long_paths(lld, names);
    }
    // A list of files means its paths as it writes them.
    if lld.tasks.is_empty() && lld.dialect != Some("prose") {
        return;
    }
    let tree = Tree::new(names);
    let mut completed: HashMap<RepoPath, RepoPath> = HashMap::new();
    let mut findings = Vec::new();
    let planned: BTreeSet<RepoPath> = lld.files.iter().map(|spec| spec.path.clone()).collect();
    for spec in lld.files.iter().filter(|spec| !spec.directory) {
        for path in std::iter::once(&spec.path).chain(&spec.from) {
            match tree.meant(path.as_str()) {
                Meant::Itself => {}
                Meant::Longer(place) if !planned.contains(place.as_str()) => {
                    let Ok(place) = RepoPath::new(&place) else { continue };
                    let message = format!("'{path}' is taken to be '{place}', which is where the tree has its like");
                    findings.push(Finding::note("lld-path-longer", message).path(place.as_str()).line(spec.line));
                    completed.insert(path.clone(), place);
                }
                Meant::Longer(_) => {}
                Meant::Unclear(places) => {
                    let message = format!("'{path}' is not in the tree, but under {}", places.join(" and "));
                    let finding = Finding::warning("lld-path-longer", message).path(path.as_str()).line(spec.line);
                    findings.push(finding.hint("write the whole path if one of them is meant"));
                }
            }
        }
    }
    let put = |path: &mut RepoPath| {
        if let Some(place) = completed.get(path) {
            *path = place.clone();
        }
    };
    for spec in &mut lld.files {
        put(&mut spec.path);
        spec.from.iter_mut().for_each(put);
    }
    for Task { files, deletes, .. } in &mut lld.tasks {
        files.iter_mut().chain(deletes).for_each(put);
    }
    lld.findings.extend(findings);
}

/// Cuts paths that begin above the root of the repository: links to somebody's machine say where its folder lies there,
/// and the longest end that the tree has says where it begins.
fn cut_long_paths(lld: &mut Lld, names: &[String]) {
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    let above = lld.files.iter().filter(|spec| !known.contains(spec.path.as_str())).find_map(|spec| {
        let path = spec.path.as_str();
        path.match_indices('/')
            .map(|(at, _)| at + 1)
            .find(|&at| path.get(at..).is_some_and(|end| known.contains(end)))
            .and_then(|at| path.get(..at))
            .map(str::to_owned)
    });
    let Some(above) = above else { return };
    let cut = |path: &RepoPath| {
        let end = path.as_str().strip_prefix(above.as_str()).filter(|_| !known.contains(path.as_str()))?;
        RepoPath::new(end).ok()
    };
    let mut findings = Vec::new();
    for spec in &mut lld.files {
        spec.from = spec.from.take().map(|from| cut(&from).unwrap_or(from));
        if let Some(end) = cut(&spec.path) {
            let message = format!("'{}' is taken to be '{end}', by where the tree has its like", spec.path);
            findings.push(Finding::note("lld-path-longer", message).path(end.as_str()).line(spec.line));
            spec.path = end;
        }
    }
    lld.findings.extend(findings);
}

/// Names, beside [`COMMON`], of files that so many directories have that one of them says nothing of another.
const FREQUENT: &[&str] = &[
    "",
    "app",
    "cargo",
    "config",
    "docker-compose",
    "dockerfile",
    "init",
    "page",
    "pyproject",
    "requirements",
    "route",
    "routes",
    "schema",
    "setup",
    "test",
    "tests",
    "tsconfig",
    "types",
    "utils",
    "vite",
];

enum Meant {
    Itself,
    Longer(String),
    /// Several places; where they are.
    Unclear(Vec<String>),
}

struct Tree<'n> {
    files: HashMap<&'n str, Vec<&'n str>>,
    directories: HashMap<&'n str, BTreeSet<&'n str>>,
    top: BTreeSet<&'n str>,
}

impl<'n> Tree<'n> {
    fn new(names: &'n [String]) -> Tree<'n> {
        let mut tree = Tree { files: HashMap::new(), directories: HashMap::new(), top: BTreeSet::new() };
        for name in names {
            let base = |path: &'n str| path.rsplit('/').next().unwrap_or(path);
            tree.files.entry(base(name)).or_default().push(name);
            tree.top.insert(name.split('/').next().unwrap_or(name));
            let mut directory = name.as_str();
            while let Some((parent, _)) = directory.rsplit_once('/') {
                if !tree.directories.entry(base(parent)).or_default().insert(parent) {
                    break;
                }
                directory = parent;
            }
        }
        tree
    }

    fn meant(&self, path: &str) -> Meant {
        // What begins at the root is written from the root.
        if self.top.contains(path.split('/').next().unwrap_or(path)) {
            return Meant::Itself;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name).to_lowercase();
        if name == path && [COMMON, FREQUENT].iter().any(|names| names.contains(&stem.as_str())) {
            return Meant::Itself;
        }
        let ends = |place: &&&str, tail: &str| place.strip_suffix(tail).is_some_and(|head| head.ends_with('/'));
        let files: Vec<&str> =
            self.files.get(name).into_iter().flatten().filter(|place| ends(place, path)).copied().collect();
        if let [only] = files[..] {
            return Meant::Longer(only.to_owned());
        }
        // The nearest directory that is anywhere.
        let mut directory = path;
        while let Some((parent, _)) = directory.rsplit_once('/') {
            let base = parent.rsplit('/').next().unwrap_or(parent);
            let places: Vec<&str> =
                self.directories.get(base).into_iter().flatten().filter(|place| ends(place, parent)).copied().collect();
            match places[..] {
                [] => directory = parent,
                [only] => return Meant::Longer(format!("{only}{}", &path[parent.len()..])),
                _ => {
                    let mut shown: Vec<String> = places.iter().take(4).map(|place| format!("'{place}'")).collect();
                    if places.len() > shown.len() {
                        shown.push("others".to_owned());
                    }
                    return Meant::Unclear(shown);
                }
            }
        }
        Meant::Itself
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(list: &str, names: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut lld = crate::lld::parse("specs/1/tasks.md", list);
        let before = lld.findings.len();
        complete_short_paths(&mut lld, &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        let of_tasks: BTreeSet<String> =
            lld.tasks.iter().flat_map(|task| &task.files).map(ToString::to_string).collect();
        let files: Vec<String> = lld.files.iter().map(|spec| spec.path.to_string()).collect();
        assert_eq!(files.iter().cloned().collect::<BTreeSet<_>>(), of_tasks);
        (files, lld.findings[before..].iter().map(|finding| finding.message.clone()).collect())
    }

    #[test]
    fn a_path_that_only_a_longer_one_ends_with_is_that_one() {
        let list = "- [ ] T001 Update lib/a.dart\n- [ ] T002 Create lib/new/b.dart\n- [ ] T003 Create docs/c.md\n";
        let (files, said) = paths(list, &["app/lib/a.dart", "docs/x.md"]);
        assert_eq!(files, ["app/lib/a.dart", "app/lib/new/b.dart", "docs/c.md"]);
        assert!(said[0].starts_with("'lib/a.dart' is taken to be 'app/lib/a.dart'"), "{said:?}");
    }

    #[test]
    fn links_to_somebody_s_machine_are_cut_where_the_tree_begins() {
        let link = |path: &str| format!("#### [MODIFY] [a](file:///home/ann/team/shop/{path})\n");
        let text = format!("# T\n\n{}{}", link("web/src/a.ts"), link("web/src/new.ts"));
        let mut lld = crate::lld::parse("docs/plan.md", &text);
        complete_short_paths(&mut lld, &["src/a.ts".to_owned(), "README.md".to_owned()]);
        let files: Vec<&str> = lld.files.iter().map(|spec| spec.path.as_str()).collect();
        assert_eq!(files, ["src/a.ts", "src/new.ts"]);
    }

    #[test]
    fn a_path_that_could_be_in_two_places_stays_as_it_is_and_is_said() {
        let list = "- [ ] T001 Create src/a.ts\n- [ ] T002 Create src/b.ts\n- [ ] T003 Create src/c.ts\n";
        let (files, said) = paths(list, &["web/src/x.ts", "api/src/y.ts"]);
        assert_eq!(files, ["src/a.ts", "src/b.ts", "src/c.ts"]);
        assert_eq!(said[0], "'src/a.ts' is not in the tree, but under 'api/src' and 'web/src'");
        // A bare name is found as well, unless every directory may have one.
        let bare = "- [ ] T001 Update plugin.xml\n- [ ] T002 Create index.ts\n- [ ] T003 Create notes.md\n";
        let (files, _) = paths(bare, &["app/META-INF/plugin.xml", "app/index.ts"]);
        assert_eq!(files, ["app/META-INF/plugin.xml", "index.ts", "notes.md"]);
        // A tree that has `src` means it.
        assert_eq!(paths(list, &["web/src/x.ts", "src/y.ts"]).1, Vec::<String>::new());
        assert_eq!(paths(list, &["README.md"]).1, Vec::<String>::new());
    }
}
