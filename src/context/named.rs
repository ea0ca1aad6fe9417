//! What the design names and files declare that are not planned: with body and imports. And who calls it.

use super::cut;
use super::declared::{Declaration, Kind};
use super::fit::Piece;
use super::resolve::{self, What};
use super::search::{Found, is_test};
use super::source::{Source, words};
use super::tree::Tree;
use super::words::Name;
use crate::finding::Finding;
use crate::plan::estimate_tokens;
use crate::syntax;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

/// A name that more files declare means none of them.
const MOST_DECLARING: usize = 3;
/// As many calls of one name are shown.
const MOST_CALLS: usize = 3;

/// What there is of the names.
#[derive(Default)]
pub(super) struct Named {
    pub pieces: Vec<Piece>,
    /// What their signatures are made of.
    pub kin: Vec<Piece>,
    pub calls: Vec<Piece>,
    /// The names, by their places, that something of the base is called by.
    pub existing: BTreeSet<usize>,
    pub findings: Vec<Finding>,
}

/// `bases` are the planned files as they are, `listed` all paths of the design's list. A declaration may take up `most` tokens, else its face is shown.
pub(super) fn named(
    tree: &Tree,
    names: &[Name],
    found: &Found,
    (bases, listed): (&[Rc<Source>], &[&str]),
    most: u64,
) -> Named {
    let mut named = Named::default();
    let planned = |name: &str| bases.iter().any(|base| base.declares(name).is_some());
    for (at, name) in names.iter().enumerate() {
        let is_planned = planned(&name.name);
        let declaring = if is_planned { Vec::new() } else { declaring(tree, name, found.declaring.get(&at)) };
        if !is_planned && declaring.is_empty() {
            continue;
        }
        named.existing.insert(at);
        if let ([(source, _)], Some(line)) = (declaring.as_slice(), name.changes)
            && !listed.contains(&source.path.as_str())
        {
            named.findings.push(not_planned(&name.name, &source.path, line));
        }
        for (source, line) in declaring {
            let Some(declared) = source.declared().iter().find(|declared| declared.line == line) else { continue };
            let text = source.lines(&declared.lines);
            let is_small = text.len() as u64 <= most.saturating_mul(4) && estimate_tokens(text) <= most;
            let mut lines = match is_small {
                true => cut::whole(&source, declared),
                false => cut::interface(&source, declared),
            };
            lines.extend(imports(tree, &source, declared));
            let reason = format!("declares `{}`, which the design names", name.name);
            named.kin.extend(kin(tree, &source, declared, &name.name));
            named.pieces.push(Piece { lines, reason, source: source.clone() });
        }
        let calls = found.calling.get(&at).into_iter().flatten().filter(|(path, _)| !is_test(path));
        // Of a word like any other nobody knows whether the call is one of it.
        for (path, line) in calls.filter(|_| !name.plain).take(MOST_CALLS) {
            named.calls.extend(tree.source(path).map(|source| use_of(source, *line, format!("calls `{}`", name.name))));
        }
    }
    named
}

/// Where a name is declared, if that is said plainly enough.
pub(super) fn declaring(tree: &Tree, name: &Name, places: Option<&Vec<&str>>) -> Vec<(Rc<Source>, usize)> {
    let mut found: Vec<(Rc<Source>, usize)> = Vec::new();
    for path in places.into_iter().flatten().filter(|path| !is_test(path)) {
        let Some(source) = tree.source(path) else { continue };
        let line =
            source.declares(&name.name).filter(|declared| is_meant(name, declared)).map(|declared| declared.line);
        found.extend(line.map(|line| (source.clone(), line)));
    }
    let most = if name.plain { 1 } else { MOST_DECLARING };
    if found.len() > most {
        found.clear();
    }
    found
}

/// A field or a variable of that name is another thing, and so is the method when a plain word is all there is.
fn is_meant(name: &Name, declared: &Declaration) -> bool {
    match declared.kind {
        Kind::Value => !name.plain && !name.name.contains(char::is_lowercase),
        Kind::Function | Kind::Type => !name.plain || declared.within.is_none(),
    }
}

fn not_planned(name: &str, path: &str, line: usize) -> Finding {
    let message = format!("the design changes '{name}', which is defined in '{path}': not planned");
    let hint = "list the file in the design if it is to change: a run writes no others";
    Finding::warning("definition-not-planned", message).line(line).hint(hint)
}

/// The imports of a file that a declaration uses.
fn imports(tree: &Tree, source: &Source, declared: &Declaration) -> Vec<std::ops::Range<usize>> {
    let used: HashSet<&str> = words(source.code_of(&declared.lines)).map(|(_, word)| word).collect();
    let own = resolve::taken(tree, source).iter().map(|taken| taken.line);
    let others = syntax::imports(&source.path, &source.text).into_iter().map(|import| import.line - 1);
    let lines: BTreeSet<usize> = own.chain(others).filter(|line| !declared.lines.contains(line)).collect();
    let statements = lines.into_iter().map(|line| source.statement(line));
    let is_used = |lines: &std::ops::Range<usize>| words(source.code_of(lines)).any(|(_, word)| used.contains(word));
    let is_import = |lines: &std::ops::Range<usize>| {
        let start = source.code_of(lines).trim_start();
        ["import", "from", "use", "pub use", "const", "#include", "require", "using", "\""]
            .iter()
            .any(|word| start.starts_with(word))
    };
    statements.filter(|lines| is_used(lines) && is_import(lines)).collect()
}

/// The interface of what the head of a declaration names and its file imports.
fn kin(tree: &Tree, source: &Rc<Source>, declared: &Declaration, name: &str) -> Vec<Piece> {
    let head: HashSet<&str> = words(source.code_of(&(declared.line..declared.body))).map(|(_, word)| word).collect();
    let mut found = Vec::new();
    for taken in resolve::taken(tree, source) {
        let What::Names(names) = &taken.what else { continue };
        for (there, _) in names.iter().filter(|(_, here)| head.contains(here.as_str())) {
            let file = taken.files.first().and_then(|file| tree.source(file));
            let Some((file, line)) = file.and_then(|file| resolve::declaring(tree, &file, there)) else { continue };
            let Some(declared) = file.declared().iter().find(|declared| declared.line == line) else { continue };
            let (lines, reason) = (cut::interface(&file, declared), format!("in the signature of `{name}`"));
            found.push(Piece { lines, reason, source: file.clone() });
        }
    }
    found
}

/// A use of something, with the head of what it is in and a line on either side.
pub(super) fn use_of(source: Rc<Source>, line: usize, reason: String) -> Piece {
    let around = source.declared().iter().filter(|declared| declared.lines.contains(&line) && declared.line < line);
    let mut lines: Vec<std::ops::Range<usize>> = around.map(|declared| declared.line..declared.body).collect();
    lines.push(line.saturating_sub(1)..source.statement(line).end.min(line + 8));
    Piece { source, lines, reason }
}
