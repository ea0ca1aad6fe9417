//! A `node_modules` made anew. That of a workspace holds links to packages of the repository itself: linked as a whole, it would
//! lead a command or a server to the code that the person's tree has there, and not to what was made.

use super::installed::is_installed;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Its name.
pub(super) const NODE_MODULES: &str = "node_modules";
/// Where package managers put the programs of packages.
const PROGRAMS: &str = ".bin";

/// What lies in the place of a `node_modules`: a link for each of its entries. Paths are relative to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Anew {
    /// Folders of it that are made, such as `@scope`.
    folders: Vec<PathBuf>,
    /// What is called so, and where it leads: to the person's entry, or to the package in the scratch worktree.
    links: Vec<(PathBuf, PathBuf)>,
    /// The packages of the repository that it leads to, relative to the root.
    pub packages: Vec<PathBuf>,
}

impl Anew {
    /// For the folder `theirs` of the person's `tree`, whose files the scratch worktree has below `root`. `None` if nothing in
    /// it leads to a file or a folder of the tree that is not installed itself.
    pub fn of(theirs: &Path, tree: &Path, root: &Path) -> Option<Anew> {
        let mut anew = Anew::default();
        let mut redirected = false;
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(theirs.join(&folder)).into_iter().flatten().flatten() {
                let (name, kind) = (folder.join(entry.file_name()), entry.file_type().ok());
                let is_group = entry.file_name().as_encoded_bytes().starts_with(b"@") || entry.file_name() == PROGRAMS;
                if folder.as_os_str().is_empty() && is_group && kind.is_some_and(|kind| kind.is_dir()) {
                    anew.folders.push(name.clone());
                    folders.push(name);
                    continue;
                }
                let own = kind.filter(|kind| kind.is_symlink()).and_then(|_| of_tree(&entry.path(), tree));
                let to = own.as_ref().map_or_else(|| entry.path(), |own| root.join(own));
                redirected |= own.is_some();
                anew.packages.extend(own.filter(|own| tree.join(own).is_dir()));
                anew.links.push((name, to));
            }
        }
        redirected.then_some(anew)
    }

    /// Makes it at `ours`, where nothing is.
    pub fn make(&self, ours: &Path) -> io::Result<()> {
        fs::create_dir(ours)?;
        self.folders.iter().try_for_each(|folder| fs::create_dir(ours.join(folder)))?;
        self.links.iter().try_for_each(|(name, to)| symlink(to, ours.join(name)))
    }

    /// Is it what lies at `ours`?
    pub fn is_at(&self, ours: &Path) -> bool {
        let is_folder = fs::symlink_metadata(ours).is_ok_and(|data| data.is_dir());
        is_folder && self.links.iter().any(|(name, to)| fs::read_link(ours.join(name)).is_ok_and(|is| is == *to))
    }
}

/// Where a link leads, from the root of the `tree`, if that is a part of it that nobody has installed.
fn of_tree(link: &Path, tree: &Path) -> Option<PathBuf> {
    let real = link.canonicalize().ok()?;
    let own = real.strip_prefix(tree).ok().filter(|own| !own.as_os_str().is_empty())?;
    (!own.ancestors().any(is_installed)).then(|| own.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_into_the_tree_lead_to_the_scratch_worktree_and_all_others_to_what_is_installed() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().canonicalize().unwrap().join("tree");
        for name in [
            "packages/lib",
            "node_modules/@ws",
            "node_modules/@types/node",
            "node_modules/.bin",
            "node_modules/.pnpm/left@1/node_modules/left",
            "elsewhere",
        ] {
            fs::create_dir_all(tree.join(name)).unwrap();
        }
        fs::write(tree.join("packages/lib/cli.js"), "").unwrap();
        fs::create_dir(folder.path().join("other")).unwrap();
        let link = |name: &str, to: &str| symlink(to, tree.join("node_modules").join(name)).unwrap();
        link("left", ".pnpm/left@1/node_modules/left");
        link("other", "../../other");
        link("gone", "../nothing");
        let theirs = tree.join("node_modules");
        assert_eq!(Anew::of(&theirs, &tree, Path::new("/scratch")), None, "one link does for it");
        link("@ws/lib", "../../packages/lib");
        link(".bin/lib", "../@ws/lib/cli.js");
        link(".bin/left", "../left");
        let anew = Anew::of(&theirs, &tree, Path::new("/scratch")).unwrap();
        let to = |name: &str| anew.links.iter().find(|(known, _)| known == Path::new(name)).map(|(_, to)| to.clone());
        assert_eq!(to("@ws/lib"), Some("/scratch/packages/lib".into()));
        assert_eq!(to(".bin/lib"), Some("/scratch/packages/lib/cli.js".into()));
        assert_eq!(to("@types/node"), Some(theirs.join("@types/node")));
        for name in ["left", "other", "gone", ".pnpm", ".bin/left"] {
            assert_eq!(to(name), Some(theirs.join(name)));
        }
        assert_eq!(anew.packages, [PathBuf::from("packages/lib")]);
        let ours = folder.path().join("ours");
        assert!(!anew.is_at(&ours));
        anew.make(&ours).unwrap();
        assert!(anew.is_at(&ours) && !anew.is_at(&theirs));
        assert!(ours.join(".bin").symlink_metadata().unwrap().is_dir());
    }
}
