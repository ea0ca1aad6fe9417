//! [`Source`]: a text with what is asked of it again and again, each made once.

use super::declared::{self, Declaration};
use super::resolve::Taken;
use crate::syntax;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

/// A file of the base, or a piece of code in a design.
pub(super) struct Source {
    pub path: String,
    pub text: String,
    /// The text without remarks and strings, line by line as long; the text itself in a language that is not known.
    pub code: String,
    /// The bytes at which lines begin.
    starts: Vec<usize>,
    declared: OnceCell<Vec<Declaration>>,
    /// By name the place of what is meant by it.
    places: OnceCell<HashMap<String, usize>>,
    taken: OnceCell<Vec<Taken>>,
}

impl Source {
    pub fn new(path: &str, text: String) -> Source {
        let code = syntax::mask(path, &text).filter(|code| code.len() == text.len()).unwrap_or_else(|| text.clone());
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        let mut starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Source {
            path: path.to_owned(),
            code,
            starts,
            text,
            declared: OnceCell::new(),
            places: OnceCell::new(),
            taken: OnceCell::new(),
        }
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let at = |line: usize| self.starts.get(line).copied().unwrap_or(self.text.len());
        at(lines.start)..at(lines.end.max(lines.start))
    }

    /// Lines, counted from 0, with their ends.
    pub fn lines(&self, lines: &Range<usize>) -> &str {
        self.text.get(self.bytes(lines)).unwrap_or_default()
    }

    /// The same without remarks and strings.
    pub fn code_of(&self, lines: &Range<usize>) -> &str {
        self.code.get(self.bytes(lines)).unwrap_or_default()
    }

    /// A line without its end.
    pub fn line(&self, line: usize) -> &str {
        self.lines(&(line..line + 1)).trim_end_matches(['\n', '\r'])
    }

    pub fn code_line(&self, line: usize) -> &str {
        self.code_of(&(line..line + 1)).trim_end_matches(['\n', '\r'])
    }

    /// The line on which a byte is.
    pub fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// What the text declares, in order.
    pub fn declared(&self) -> &[Declaration] {
        self.declared.get_or_init(|| declared::declarations(self))
    }

    /// What it declares by this name: what stands in nothing else, before what does.
    pub fn declares(&self, name: &str) -> Option<&Declaration> {
        let places = self.places.get_or_init(|| {
            let mut places: HashMap<String, usize> = HashMap::new();
            for (at, declared) in self.declared().iter().enumerate() {
                let known = places.get(&declared.name).and_then(|at| self.declared().get(*at));
                if known.is_none_or(|known| known.within.is_some() && declared.within.is_none()) {
                    places.insert(declared.name.clone(), at);
                }
            }
            places
        });
        self.declared().get(*places.get(name)?)
    }

    /// May everybody who takes in the file use the declaration by its bare name? What is in a namespace or a module is no
    /// part of a type, and these themselves are nothing to show.
    pub fn is_open(&self, declared: &Declaration) -> bool {
        const SCOPES: &[&str] = &["namespace", "module", "extern", "inline namespace"];
        let is_scope = |line: usize| SCOPES.iter().any(|word| self.code_line(line).trim_start().starts_with(word));
        !is_scope(declared.line) && declared.within.is_none_or(is_scope)
    }

    /// What it takes in, found out by `find` if nobody has asked yet.
    pub fn taken(&self, find: impl FnOnce() -> Vec<Taken>) -> &[Taken] {
        self.taken.get_or_init(find)
    }

    /// The lines of a statement that begins on `line`: up to where its brackets are closed and no mark says that it goes
    /// on.
    pub fn statement(&self, line: usize) -> Range<usize> {
        let mut open = 0_isize;
        let mut end = line;
        while end < self.count() && end - line < LONGEST {
            let code = self.code_line(end);
            open += code.bytes().fold(0, |open, byte| match byte {
                b'(' | b'[' | b'{' => open + 1,
                b')' | b']' | b'}' => open - 1,
                _ => open,
            });
            end += 1;
            let goes_on = code.trim_end().ends_with(['\\', '=', '|', '&', '+', ',']) && !code.trim().is_empty();
            if open <= 0 && !goes_on {
                break;
            }
        }
        line..end.max(line + 1).min(self.count().max(line + 1))
    }
}

/// No statement that is worth showing is longer, in lines.
const LONGEST: usize = 200;

/// The words of code, each with the byte at which it begins.
pub(super) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut rest = code.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, _) = rest.find(|(_, c)| is_part(*c))?;
        let mut end = code.len();
        while let Some((at, c)) = rest.peek() {
            if !is_part(*c) {
                end = *at;
                break;
            }
            rest.next();
        }
        Some((start, code.get(start..end)?))
    })
}
