//! Which files of the tree a text takes in, and what of each. One file a language.
//!
//! In code without remarks and strings, not by parsing. Nothing is guessed: an import that leads to no file of the tree is
//! somebody else's, and one that may lead to two is none.

mod c;
mod csharp;
mod go;
mod javascript;
mod jvm;
mod php;
mod python;
mod ruby;
mod rust;

use super::source::{Source, words};
use super::tree::Tree;
use crate::syntax;
use std::collections::HashSet;
use std::rc::Rc;

/// Something that a text takes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taken {
    /// The line on which it says so, counted from 0.
    pub line: usize,
    /// The files that it is in: one, or all of a package.
    pub files: Vec<String>,
    pub what: What,
}

/// What of a file is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// These names, each with what it is called here.
    Names(Vec<(String, String)>),
    /// All of it, as `<word>.name` or `<word>::name`.
    Within(String),
    /// All of it, by the bare names.
    All,
}

/// What is known of a language.
struct Resolver {
    /// Names of [`syntax::LANGUAGES`].
    languages: &'static [&'static str],
    taken: fn(&Tree, &Source) -> Vec<Taken>,
    /// The files that stand for their directory.
    faces: &'static [&'static str],
}

const RESOLVERS: &[Resolver] = &[
    c::RESOLVER,
    csharp::RESOLVER,
    go::RESOLVER,
    javascript::RESOLVER,
    jvm::RESOLVER,
    php::RESOLVER,
    python::RESOLVER,
    ruby::RESOLVER,
    rust::RESOLVER,
];

/// No text takes in more that is worth a look.
const MOST: usize = 400;
/// A name is followed through so many files that only hand it on.
const DEEPEST: usize = 5;

fn resolver(source: &Source) -> Option<&'static Resolver> {
    let language = syntax::language_of(&source.path, &source.text)?;
    RESOLVERS.iter().find(|resolver| resolver.languages.contains(&language.name))
}

/// What `source` takes in from other files of the tree, in order.
pub(super) fn taken<'s>(tree: &Tree, source: &'s Source) -> &'s [Taken] {
    source.taken(|| {
        let Some(resolver) = resolver(source) else { return Vec::new() };
        let mut taken = (resolver.taken)(tree, source);
        taken.iter_mut().for_each(|taken| taken.files.retain(|file| *file != source.path));
        taken.retain(|taken| !taken.files.is_empty());
        taken.truncate(MOST);
        taken
    })
}

/// The names of the files that stand for a directory of the language of `path`.
pub(super) fn faces(path: &str) -> &'static [&'static str] {
    let language = syntax::language(path).map(|language| language.name);
    let of = |resolver: &&Resolver| language.is_some_and(|language| resolver.languages.contains(&language));
    RESOLVERS.iter().find(of).map(|resolver| resolver.faces).unwrap_or_default()
}

/// Where a name of `source` is declared: in it, or in what it hands on.
pub(super) fn declaring(tree: &Tree, source: &Rc<Source>, name: &str) -> Option<(Rc<Source>, usize)> {
    follow(tree, source, name, 0, &mut HashSet::new())
}

fn follow(
    tree: &Tree,
    source: &Rc<Source>,
    name: &str,
    depth: usize,
    seen: &mut HashSet<String>,
) -> Option<(Rc<Source>, usize)> {
    if let Some(declared) = source.declares(name) {
        return Some((source.clone(), declared.line));
    }
    if depth == DEEPEST || !seen.insert(source.path.clone()) {
        return None;
    }
    for taken in taken(tree, source) {
        let there = match &taken.what {
            What::Names(names) => names.iter().find(|(_, here)| here == name).map(|(there, _)| there.as_str()),
            What::All => Some(name),
            What::Within(_) => None,
        };
        let Some(there) = there else { continue };
        for file in &taken.files {
            let found = tree.source(file).and_then(|source| follow(tree, &source, there, depth + 1, seen));
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The names that `source` uses of what it takes in, as far as its own text says.
pub(super) fn used(source: &Source, what: &What) -> Vec<String> {
    match what {
        What::Names(names) => names.iter().take(MOST).map(|(there, _)| there.clone()).collect(),
        What::Within(word) => {
            let mut before: Option<(usize, &str)> = None;
            let mut found = Vec::new();
            for (at, name) in words(&source.code) {
                let between = before.and_then(|(at_before, word)| source.code.get(at_before + word.len()..at));
                let is_of = before.is_some_and(|(_, before)| before == word)
                    && matches!(between, Some("." | "::" | "->" | "?."));
                if is_of && found.len() < MOST && !found.iter().any(|known| known == name) {
                    found.push(name.to_owned());
                }
                before = Some((at, name));
            }
            found
        }
        What::All => {
            // What follows a dot is a field or a method of something.
            let is_member =
                |at: usize| source.code.get(..at).is_some_and(|code| code.ends_with('.') || code.ends_with("->"));
            let free = words(&source.code).filter(|(at, _)| !is_member(*at)).map(|(_, word)| word);
            let mut seen = HashSet::new();
            free.filter(|word| seen.insert(*word)).map(str::to_owned).collect()
        }
    }
}

/// What stands between the quotes that begin at or behind byte `at` of the line, whose code is masked.
fn quoted<'s>(line: &'s str, code: &str, at: usize) -> Option<&'s str> {
    let open = at + code.get(at..)?.find(['"', '\'', '`'])?;
    let mark = line.get(open..)?.chars().next()?;
    line.get(open + 1..)?.split(mark).next()
}

#[cfg(test)]
mod tests;
