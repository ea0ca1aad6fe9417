//! The tree that imports are judged on: its names as it will be, and its manifests, each read once and only if asked for.

use crate::check::manifest;
use crate::syntax::file_name;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Manifests of one kind that are read; a tree with more is not judged by all of them.
const MOST_MANIFESTS: usize = 2000;

/// Folders that builds make.
const BUILT: &[&str] = &[
    "_build",
    "build",
    "dist",
    "gen",
    "generated",
    "lib",
    "node_modules",
    "out",
    "output",
    "public",
    "target",
    ".next",
    ".nuxt",
];

type Names = Rc<BTreeSet<String>>;

/// Files by name, with a way to read them.
pub struct Ground<'a> {
    files: &'a BTreeSet<String>,
    read: &'a dyn Fn(&str) -> Option<String>,
    texts: RefCell<HashMap<String, Rc<str>>>,
    named: RefCell<HashMap<String, Names>>,
    words: OnceCell<HashSet<&'a str>>,
    manifests: OnceCell<Vec<&'a str>>,
    pub(super) python: OnceCell<Option<Names>>,
    pub(super) workspaces: OnceCell<Names>,
}

impl<'a> Ground<'a> {
    /// `files`: all of the tree as it will be; `read`: the text of one of them.
    pub fn new(files: &'a BTreeSet<String>, read: &'a dyn Fn(&str) -> Option<String>) -> Ground<'a> {
        Ground {
            files,
            read,
            texts: RefCell::default(),
            named: RefCell::default(),
            words: OnceCell::new(),
            manifests: OnceCell::new(),
            python: OnceCell::new(),
            workspaces: OnceCell::new(),
        }
    }

    /// Is there such a file, or with `/` at its end such a folder?
    pub(super) fn has(&self, place: &str) -> bool {
        match place.ends_with('/') {
            true => self.below(place).next().is_some(),
            false => self.files.contains(place),
        }
    }

    /// Is the place in a folder that a build makes: by its name, or since git ignores what is called so?
    pub(super) fn is_built(&self, place: &str) -> bool {
        let folders = place.match_indices('/').filter_map(|(at, _)| place.get(..at));
        let mut missing = folders.filter(|folder| !self.has(&format!("{folder}/")));
        missing.any(|folder| {
            let ignored = self.upwards(folder, ".gitignore");
            BUILT.contains(&file_name(folder))
                || ignored.iter().any(|file| {
                    let text = self.text(file);
                    let mut names = text.lines().map(|line| file_name(line.trim().trim_end_matches(['/', '*'])));
                    names.any(|name| name == file_name(folder))
                })
        })
    }

    /// The files in a folder, which is named with `/` at its end, and in the folders in it.
    pub(super) fn below<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = &'a str> + 's {
        self.files.range(folder.to_owned()..).map(String::as_str).take_while(move |name| name.starts_with(folder))
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &'a str> {
        self.files.iter().map(String::as_str)
    }

    /// Is any folder called so, or any file, up to the first dot of its name?
    pub(super) fn has_name(&self, name: &str) -> bool {
        let words = self.words.get_or_init(|| {
            let parts = self.files.iter().flat_map(|file| file.split('/'));
            parts.flat_map(|part| [part, part.split('.').next().unwrap_or(part)]).collect()
        });
        words.contains(name)
    }

    /// Files that stand for a kind of manifest, in all of the tree.
    pub(super) fn manifests(&self, is_one: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let all = self.manifests.get_or_init(|| self.files().filter(|file| may_be_manifest(file)).collect());
        all.iter().copied().filter(|file| is_one(file)).take(MOST_MANIFESTS).collect()
    }

    /// The files of this name in the folder of `path` and in those that it lies in, from there to the root.
    pub(super) fn upwards(&self, path: &str, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut folder = path;
        loop {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            let place = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            found.extend(Some(place).filter(|place| self.files.contains(place)));
            if folder.is_empty() {
                return found;
            }
        }
    }

    pub(super) fn text(&self, path: &str) -> Rc<str> {
        let known = self.texts.borrow().get(path).cloned();
        known.unwrap_or_else(|| {
            let text: Rc<str> = (self.read)(path).unwrap_or_default().into();
            self.texts.borrow_mut().insert(path.to_owned(), text.clone());
            text
        })
    }

    /// What a manifest names; nothing if it does not parse.
    pub(super) fn named(&self, path: &str) -> Names {
        let known = self.named.borrow().get(path).cloned();
        known.unwrap_or_else(|| {
            let names = Names::from(manifest::named(path, &self.text(path)).unwrap_or_default());
            self.named.borrow_mut().insert(path.to_owned(), names.clone());
            names
        })
    }
}

/// Of any language.
fn may_be_manifest(path: &str) -> bool {
    let name = file_name(path);
    let known = ["package.json", "go.mod", "go.work", "Cargo.toml"];
    known.contains(&name) || super::python::is_manifest(path) || super::javascript::is_configuration(name)
}
