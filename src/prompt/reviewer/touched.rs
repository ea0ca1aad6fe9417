//! What a change touches: the innermost definitions around its lines, and the names that these lines call.

use crate::reviewer::Changed;
use crate::syntax::{self, Definition, DefinitionKind};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// What a change of one file touches.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Touched {
    /// Definitions of the base, in order, without those that only stand around one of them.
    pub definitions: Vec<Lines>,
    /// What lines that come or go call, each once.
    pub calls: Vec<String>,
    /// Of these the definitions of the base that are not touched themselves.
    pub called: Vec<Lines>,
}

/// A definition of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    pub name: String,
    pub kind: DefinitionKind,
    /// Counted from 0.
    pub lines: Range<usize>,
}

/// Of so many outer definitions at most is looked whether they have the same names, and of as many of one name.
const DEEPEST: usize = 8;
const MOST_ALIKE: usize = 50;

pub(super) fn touched(file: &Changed) -> Touched {
    let (base, text) = (file.base.unwrap_or_default(), file.text.unwrap_or_default());
    let (old, new) = (Outline::of(file.from.unwrap_or(file.path), base), Outline::of(file.path, text));
    let diff = similar::TextDiff::from_lines(base, text);
    let (mut touched, mut within, mut calls) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for op in diff.ops().iter().filter(|op| op.tag() != similar::DiffTag::Equal) {
        touched.extend(op.old_range().filter_map(|line| old.around(line)));
        // One that begins here is new itself, or was found by its old head.
        let begins = |at: &usize| op.new_range().contains(&new.definitions[*at].lines.start);
        within.extend(op.new_range().filter_map(|line| new.around(line)).filter(|at| !begins(at)));
        calls.extend(op.old_range().flat_map(|line| old.calls(line)));
        calls.extend(op.new_range().flat_map(|line| new.calls(line)));
    }
    // What is new stands in what was there, if that had the same name in the same place.
    touched.extend(old.alike(&new, &within));
    let mut known = BTreeSet::new();
    calls.retain(|name| known.insert(*name));
    let is_called = |at: &usize| known.contains(old.definitions[*at].name.as_str()) && !touched.contains(at);
    let called = (0..old.definitions.len()).filter(is_called).map(|at| old.definitions[at].clone()).collect();
    let definitions = touched.iter().map(|at| old.definitions[*at].clone()).collect();
    Touched { definitions, calls: calls.into_iter().map(str::to_owned).collect(), called }
}

/// The definitions of a text.
struct Outline {
    definitions: Vec<Lines>,
    /// For each of them the one that it stands in.
    within: Vec<Option<usize>>,
    /// For each line the innermost one around it.
    around: Vec<Option<usize>>,
    /// The text without remarks and strings; empty in a language that is not known. And where its lines begin.
    code: String,
    starts: Vec<usize>,
}

impl Outline {
    fn of(path: &str, text: &str) -> Outline {
        let code = syntax::mask(path, text).filter(|code| code.len() == text.len()).unwrap_or_default();
        let bodies = syntax::language(path).and_then(|language| language.bodies).filter(|_| !code.is_empty());
        let found = bodies.map(|bodies| syntax::definitions(bodies, text, &code)).unwrap_or_default();
        let starts: Vec<usize> =
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1)).collect();
        let line_of = |byte: usize| starts.partition_point(|start| *start <= byte) - 1;
        let lines = |it: Definition| Lines {
            lines: line_of(it.range.start)..line_of(it.range.end.saturating_sub(1).max(it.range.start)) + 1,
            name: it.name,
            kind: it.kind,
        };
        let mut definitions: Vec<Lines> = found.into_iter().map(lines).collect();
        definitions.sort_by_key(|it| (it.lines.start, std::cmp::Reverse(it.lines.end)));
        let (mut within, mut around, mut open) = (Vec::new(), Vec::new(), Vec::<usize>::new());
        for line in 0..starts.len() {
            open.truncate(open.iter().rposition(|at| definitions[*at].lines.end > line).map_or(0, |last| last + 1));
            while definitions.get(within.len()).is_some_and(|next| next.lines.start == line) {
                within.push(open.last().copied());
                open.push(within.len() - 1);
            }
            around.push(open.last().copied());
        }
        Outline { definitions, within, around, code, starts }
    }

    /// `None` also of lines on which no code is.
    fn around(&self, line: usize) -> Option<usize> {
        if self.code(line).trim().is_empty() { None } else { self.around.get(line).copied().flatten() }
    }

    fn code(&self, line: usize) -> &str {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.code.len());
        self.starts.get(line).and_then(|start| self.code.get(*start..end)).unwrap_or_default()
    }

    /// The names of a definition and of those that it stands in, the innermost first.
    fn path(&self, at: usize) -> impl Iterator<Item = &str> {
        let outer = std::iter::successors(Some(at), |at| self.within[*at]);
        outer.take(DEEPEST).map(|at| self.definitions[at].name.as_str())
    }

    /// Those that are called as these `of` another text, and stand in what is.
    fn alike(&self, other: &Outline, of: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, definition) in self.definitions.iter().enumerate() {
            named.entry(&definition.name).or_default().push(at);
        }
        let own = |theirs: &usize| {
            let candidates = named.get(other.definitions[*theirs].name.as_str())?;
            candidates.iter().take(MOST_ALIKE).copied().find(|own| self.path(*own).eq(other.path(*theirs)))
        };
        of.iter().filter_map(own).collect()
    }

    /// Names right before a bracket; behind a dot only those that are more than a word, which too much is called by.
    fn calls(&self, line: usize) -> Vec<&str> {
        let line = self.code(line);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let is_name = |name: &&str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_word = |name: &str| !name.contains('_') && !name.chars().skip(1).any(char::is_uppercase);
        let mut names = Vec::new();
        let mut last = 0;
        for (at, _) in line.match_indices('(') {
            let before = line.get(last..at).unwrap_or_default();
            let name = before.rsplit(|c: char| !is_part(c)).next().filter(is_name).unwrap_or_default();
            let is_member = before.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
            let says_nothing = name.is_empty() || is_member && is_word(name);
            if !says_nothing {
                names.push(name);
            }
            last = at + 1;
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(of: &[Lines]) -> Vec<&str> {
        of.iter().map(|it| it.name.as_str()).collect()
    }

    #[test]
    fn the_innermost_definition_is_touched_and_not_what_stands_around_or_behind_it() {
        let base = "class A:\n    def one(self):\n        return helper(1)\n\n    def two(self):\n        return 2\n\n\n\
                    def helper(x):\n    return x\n";
        let text = base
            .replace("return helper(1)", "return helper(other(1))")
            .replace("    def two", "    def new(self):\n        pass  # gone()\n\n    def two");
        let touched = touched(&Changed { path: "a.py", from: None, base: Some(base), text: Some(&text) });
        assert_eq!(names(&touched.definitions), ["one"]);
        assert_eq!(touched.definitions[0].lines, 1..3);
        assert_eq!(touched.calls, ["helper", "other", "new"]);
        assert_eq!(names(&touched.called), ["helper"]);
    }

    #[test]
    fn a_line_that_is_added_touches_the_definition_of_its_own_place() {
        let base = "class A:\n    def go(self):\n        pass\n\n\nclass B:\n    def go(self):\n        pass\n";
        let text = format!("{base}        return 1\n");
        let touched = touched(&Changed { path: "a.py", from: None, base: Some(base), text: Some(&text) });
        assert_eq!((names(&touched.definitions), touched.definitions[0].lines.clone()), (vec!["go"], 6..8));
    }

    #[test]
    fn a_new_method_of_another_type_touches_none_of_the_same_name() {
        let base = "type a struct{}\n\nfunc (a) Write() {\n\tout.Close()\n}\n";
        let text = format!("type b struct{{}}\n\nfunc (b) Write() {{\n\tout.CloseAll()\n}}\n\n{base}");
        let touched = touched(&Changed { path: "a.go", from: None, base: Some(base), text: Some(&text) });
        assert_eq!(names(&touched.definitions), [""; 0]);
        assert_eq!(touched.calls, ["Write", "CloseAll"], "what is called by a word may be anything's");
    }

    #[test]
    fn a_file_that_is_new_or_in_no_known_language_touches_nothing() {
        let new = Changed { path: "a.py", from: None, base: None, text: Some("def f():\n    g()\n") };
        assert_eq!(touched(&new), Touched { calls: vec!["f".to_owned(), "g".to_owned()], ..Touched::default() });
        let text = Changed { path: "a.txt", from: None, base: Some("a(1)\n"), text: Some("b(1)\n") };
        assert_eq!(touched(&text), Touched::default());
    }
}
