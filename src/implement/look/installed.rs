//! What is installed in the person's working tree and in no commit, such as `node_modules` and `.venv`: linked into the
//! scratch worktree, so that commands find it there.

use super::modules::{Anew, NODE_MODULES};
use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders into which package managers install what a project depends on.
const FOLDERS: &[&str] = &[".venv", "bower_components", NODE_MODULES, "vendor", "venv"];
/// Folders below the root in which such folders are looked for: packages of a workspace.
const MOST_PACKAGES: usize = 200;
/// The same, with those that a `node_modules` leads to.
const MOST_FOLDERS: usize = 500;

/// What there is.
#[derive(Debug, Clone, Default)]
pub(super) struct Installed {
    /// Of the scratch worktree.
    root: PathBuf,
    linked: Vec<Linked>,
    theirs: Vec<PathBuf>,
    /// Folders of the scratch worktree from which Python imports: an editable installation would import from the person's tree.
    python: Vec<PathBuf>,
}

impl Installed {
    /// What is installed in `tree` and may be linked into `root`.
    pub fn of(tree: Option<&Path>, root: &Path) -> Installed {
        let Some(tree) = tree else { return Installed::default() };
        let tree = &tree.canonicalize().unwrap_or_else(|_| tree.to_owned());
        let mut linked: Vec<Linked> = Vec::new();
        let mut packages = VecDeque::from(packages(tree));
        let mut known: BTreeSet<PathBuf> = packages.iter().cloned().collect();
        while let Some(package) = packages.pop_front() {
            for name in FOLDERS {
                let theirs = tree.join(&package).join(name);
                // A link could lead to anything of the person's, who would open it by that.
                if !fs::symlink_metadata(&theirs).is_ok_and(|data| data.is_dir()) {
                    continue;
                }
                let anew = Some(&theirs).filter(|_| *name == NODE_MODULES).and_then(|it| Anew::of(it, tree, root));
                for further in anew.iter().flat_map(|anew| &anew.packages) {
                    if known.len() < MOST_FOLDERS && known.insert(further.clone()) {
                        packages.push_back(further.clone());
                    }
                }
                linked.push(Linked { theirs, ours: root.join(&package).join(name), anew });
            }
        }
        let python = linked.iter().flat_map(|it| editable(&it.theirs, tree));
        let python = python.filter_map(|folder| Some(root.join(folder.strip_prefix(tree).ok()?))).collect();
        let theirs = linked.iter().map(|it| it.theirs.clone()).collect();
        Installed { root: root.to_owned(), linked, theirs, python }
    }

    /// Links what no commit has: where the tree has something of that name, that stays.
    pub fn link(&self) {
        let Ok(root) = self.root.canonicalize() else { return };
        // A folder that the commit has as a link may lead anywhere.
        let is_inside = |folder: &Path| folder.canonicalize().is_ok_and(|real| real.starts_with(&root));
        for Linked { theirs, ours, anew } in &self.linked {
            if ours.parent().is_some_and(is_inside) && fs::symlink_metadata(ours).is_err() {
                let _ = match anew {
                    Some(anew) => anew.make(ours),
                    None => std::os::unix::fs::symlink(theirs, ours),
                };
            }
        }
    }

    pub fn unlink(&self) {
        for Linked { theirs, ours, anew } in &self.linked {
            if fs::read_link(ours).is_ok_and(|to| to == *theirs) {
                let _ = fs::remove_file(ours);
            } else if anew.as_ref().is_some_and(|anew| anew.is_at(ours)) {
                let _ = fs::remove_dir_all(ours);
            }
        }
    }

    /// The person's folders that are linked.
    pub fn folders(&self) -> &[PathBuf] {
        &self.theirs
    }

    /// Variables that lead a command to this tree.
    pub fn variables(&self) -> Vec<(&'static str, OsString)> {
        let folders = std::env::join_paths(&self.python).ok().filter(|path| !path.is_empty());
        folders.map(|path| ("PYTHONPATH", path)).into_iter().collect()
    }
}

/// One of the person's folders.
#[derive(Debug, Clone)]
struct Linked {
    theirs: PathBuf,
    /// Its place in the scratch worktree.
    ours: PathBuf,
    /// What lies there instead of a link to it.
    anew: Option<Anew>,
}

/// The root, and folders of the tree that hold a manifest of their own.
fn packages(tree: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    let folders = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(tree.join(folder)).into_iter().flatten().flatten();
        let visible = entries.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
        let is_folder = visible.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        is_folder.map(|entry| folder.join(entry.file_name())).filter(|path| !is_installed(path)).collect()
    };
    let first = folders(Path::new(""));
    let second: Vec<PathBuf> = first.iter().take(MOST_PACKAGES).flat_map(|folder| folders(folder)).collect();
    let has_manifest = |folder: &PathBuf| {
        ["package.json", "pyproject.toml", "composer.json"].iter().any(|name| tree.join(folder).join(name).is_file())
    };
    found.extend(first.into_iter().chain(second).filter(has_manifest).take(MOST_PACKAGES));
    found
}

/// Is it one of those folders?
pub(super) fn is_installed(path: &Path) -> bool {
    path.file_name().is_some_and(|name| FOLDERS.iter().any(|folder| name == *folder))
}

/// The folders below `tree` that a Python environment imports from, because projects are installed into it as they are.
fn editable(environment: &Path, tree: &Path) -> Vec<PathBuf> {
    let libraries = fs::read_dir(environment.join("lib")).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for library in libraries {
        let packages = fs::read_dir(library.path().join("site-packages")).into_iter().flatten().flatten();
        for file in packages.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|it| it == "pth")) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            found.extend(text.lines().map(PathBuf::from).filter(|path| path.starts_with(tree)));
            // setuptools' finders hold a mapping from names to folders.
            found.extend(
                text.contains("__editable__").then(|| [tree.join("src"), tree.to_owned()]).into_iter().flatten(),
            );
        }
    }
    found.retain(|path| !path.starts_with(environment));
    found.dedup();
    found
}
