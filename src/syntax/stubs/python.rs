//! Python, of which a body is what is indented.

use super::{MAX_LOOKS, MAX_STUBS, Stub, is_missing, is_to_do, shown};

/// Lines of a class before one of its methods.
const CLASS: usize = 3000;
/// Lines of a docstring.
const DOCSTRING: usize = 500;

pub(super) fn stubs<'c>(text: &str, code: impl FnOnce() -> Option<&'c str>) -> Vec<Stub> {
    let places = may_be_stubs(text);
    if places.is_empty() {
        return Vec::new();
    }
    let Some(code) = code() else { return Vec::new() };
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]).collect();
    let file = File { text, code, ends };
    places.into_iter().filter_map(|at| file.stub(at)).take(MAX_STUBS).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    Pass,
    Raise,
}

/// The lines, counted from 0, that may be a stub right below the head of a function, its docstring or a remark. Asked of every file, so
/// that few are masked, and only where one of the words is.
fn may_be_stubs(text: &str) -> Vec<usize> {
    const OTHER: &[&str] =
        &["class ", "elif ", "else:", "except", "finally:", "for ", "if ", "try:", "while ", "with "];
    let bytes = text.as_bytes();
    let ends_head = |line: &str, at: usize| line.get(..at).is_some_and(|head| head.trim_end().ends_with(':'));
    let may_be = |start: usize, end: usize, word: &str| {
        let line = text.get(start..end).unwrap_or_default();
        let above = || {
            let above = text.get(..start).unwrap_or_default();
            above.rsplit('\n').find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start()
        };
        match line.trim_start().as_bytes().first() {
            Some(b'd' | b'a') => is_def(line) && line.match_indices(word).any(|(at, _)| ends_head(line, at)),
            Some(b'p' | b'.' | b'r') => {
                statement(line).is_some() && !OTHER.iter().any(|other| above().starts_with(other))
            }
            _ => false,
        }
    };
    let mut starts = Vec::new();
    for word in ["pass", "...", "raise NotImplementedError"] {
        let finder = memchr::memmem::Finder::new(word);
        let mut from = 0;
        while let Some(at) = finder.find(bytes.get(from..).unwrap_or_default()).map(|at| from + at) {
            let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(text.len(), |end| at + end);
            if starts.len() < MAX_LOOKS && may_be(start, end, word) {
                starts.push(start);
            }
            from = end;
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let (mut counted, mut line) = (0, 0);
    let number = |start: usize| {
        line += memchr::memchr_iter(b'\n', bytes.get(counted..start).unwrap_or_default()).count();
        counted = start;
        line
    };
    starts.into_iter().map(number).collect()
}

/// The stub that a line is or, after a head on the same line, ends with.
fn statement(line: &str) -> Option<Body> {
    let start = line.trim_start();
    let start = match start.starts_with("def ") || start.starts_with("async def ") {
        true => start.rsplit_once(": ")?.1.trim_start(),
        false => start,
    };
    let ends = |rest: &str| rest.trim_start().is_empty() || rest.trim_start().starts_with('#');
    if start.strip_prefix("pass").is_some_and(ends) || start.strip_prefix("...").is_some_and(ends) {
        return Some(Body::Pass);
    }
    let rest = start.strip_prefix("raise NotImplementedError")?;
    (ends(rest) || rest.starts_with('(')).then_some(Body::Raise)
}

struct File<'t> {
    text: &'t str,
    /// The same masked, each byte where it was.
    code: &'t str,
    /// Where each line ends.
    ends: Vec<usize>,
}

impl File<'_> {
    fn of<'a>(&self, text: &'a str, at: usize) -> &'a str {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| end + 1);
        let line = self.ends.get(at).and_then(|end| text.get(start..*end)).unwrap_or_default();
        line.strip_suffix('\r').unwrap_or(line)
    }

    fn line(&self, at: usize) -> &str {
        self.of(self.text, at)
    }

    fn code(&self, at: usize) -> &str {
        self.of(self.code, at)
    }

    fn depth(&self, at: usize) -> usize {
        let line = self.code(at);
        line.len() - line.trim_start().len()
    }

    fn filled(&self, at: &usize) -> bool {
        !self.code(*at).trim().is_empty()
    }

    /// The stub whose body is line `at`.
    fn stub(&self, at: usize) -> Option<Stub> {
        let body = statement(self.code(at))?;
        let def = if is_def(self.code(at)) { at } else { self.def_above(at)? };
        let depth = self.depth(def);
        let end = self.end(at)?;
        // Nothing follows in the body.
        if (end + 1..self.ends.len()).find(|at| self.filled(at)).is_some_and(|next| self.depth(next) > depth) {
            return None;
        }
        let decorators = self.decorators(def)?;
        let name = name_of(self.code(def), "def ")?.to_owned();
        // What people write beside a body that is still to come.
        let mut remarks = (def..=self.end_of_block(end, depth)).map(|at| self.line(at));
        let said = remarks.by_ref().filter_map(|line| line.split_once('#')).any(|(_, remark)| is_to_do(remark))
            || (body == Body::Raise && is_to_do(&(at..=end).map(|at| self.line(at)).collect::<String>()));
        let sure = self.meaning((def, at), body, &name, decorators, said)?;
        Some(Stub { name, line: at + 1, body: shown(self.line(at)), sure })
    }

    /// Is it a stub for sure? `None` if it is none.
    fn meaning(&self, (def, at): (usize, usize), body: Body, name: &str, decorators: bool, said: bool) -> Option<bool> {
        let is_test = name.starts_with("test_");
        if self.depth(def) == 0 {
            // A function of the module.
            return match body {
                _ if said || is_test => Some(true),
                Body::Raise if decorators => None,
                Body::Raise => Some(!self.gives_reason(def)),
                Body::Pass if decorators || does_nothing(name) || self.explained(def, at) => None,
                Body::Pass => Some(false),
            };
        }
        let above = (def.saturating_sub(CLASS)..def).rev().filter(|at| self.filled(at));
        let outer = above.into_iter().find(|at| self.depth(*at) < self.depth(def))?;
        let outer = self.code(outer).trim();
        if !outer.starts_with("class ") {
            // In another function, a branch by platform, `if TYPE_CHECKING`.
            return said.then_some(true);
        }
        const ABSTRACT: &[&str] = &[
            "Protocol",
            "ABC",
            "Abstract",
            "Interface",
            "Base",
            "Mixin",
            "Mock",
            "Fake",
            "Stub",
            "Dummy",
            "Null",
            "Noop",
            "NoOp",
        ];
        if ABSTRACT.iter().any(|word| outer.contains(word)) {
            return None;
        }
        if is_test && outer.contains("Test") && body == Body::Pass {
            return Some(true);
        }
        said.then_some(true)
    }

    /// Is a message raised?
    fn gives_reason(&self, def: usize) -> bool {
        let raised = (def..self.ends.len()).map(|at| self.code(at)).find(|line| line.contains("NotImplementedError"));
        raised.is_some_and(|line| line.contains(['"', '\'']))
            && !(def..def + 10).any(|at| is_missing(self.line(at).split(['"', '\'']).nth(1).unwrap_or_default()))
    }

    /// Does a docstring say what it is for? Then doing nothing may be it.
    fn explained(&self, def: usize, at: usize) -> bool {
        (def..at).any(|at| self.code(at).trim_start().starts_with(['"', '\'']))
    }

    /// The line of `def` whose head ends right above `at`, but for a docstring.
    fn def_above(&self, at: usize) -> Option<usize> {
        let mut line = (0..at).rev().find(|at| self.filled(at))?;
        if self.code(line).trim_end().ends_with(['"', '\'']) {
            // Up to where the string begins.
            let begins = |at: &usize| self.code(*at).trim_start().starts_with(['"', '\'', 'r', 'R']);
            line = (line.saturating_sub(DOCSTRING)..=line).rev().find(begins)?;
            if self.code(line).trim_start().len() <= 3 && self.depth(line) == self.depth(at) {
                let quotes = self.code(line).trim();
                // The closing quotes of a longer one stand alone.
                if line > 0
                    && (0..line)
                        .rev()
                        .find(|at| self.filled(at))
                        .is_some_and(|above| self.code(above).trim_end().ends_with('_'))
                {
                    let opens = |at: &usize| self.code(*at).trim_start().starts_with(quotes);
                    line = (line.saturating_sub(DOCSTRING)..line).rev().find(opens)?;
                }
            }
            line = (0..line).rev().find(|at| self.filled(at))?;
        }
        if !self.code(line).trim_end().ends_with(':') {
            return None;
        }
        // A head of several lines closes on its own indentation.
        (line.saturating_sub(40)..=line).rev().find(|at| is_def(self.code(*at))).filter(|def| {
            let head: String = (*def..=line).map(|at| self.code(at)).collect();
            let open = head.matches(['(', '[', '{']).count();
            open == head.matches([')', ']', '}']).count()
                && (*def == line || !self.code(*def).trim_end().ends_with(':'))
        })
    }

    /// The last line of the statement that begins on `at`.
    fn end(&self, at: usize) -> Option<usize> {
        let mut open = 0isize;
        for line in at..(at + 20).min(self.ends.len()) {
            let code = self.code(line);
            open += code.matches(['(', '[', '{']).count() as isize - code.matches([')', ']', '}']).count() as isize;
            if open <= 0 {
                return Some(line);
            }
        }
        None
    }

    /// The last line, remarks included, of the block whose last statement ends on `end`.
    fn end_of_block(&self, end: usize, depth: usize) -> usize {
        let deeper = |at: &usize| {
            let line = self.line(*at);
            let start = line.trim_start();
            start.starts_with('#') && line.len() - start.len() > depth
        };
        (end + 1..self.ends.len()).take_while(deeper).last().unwrap_or(end)
    }

    /// Are there decorators? `None` if one of them says what an empty body means.
    fn decorators(&self, def: usize) -> Option<bool> {
        let mut any = false;
        for at in (def.saturating_sub(30)..def).rev() {
            let line = self.code(at).trim();
            if line.is_empty() || self.depth(at) > self.depth(def) {
                continue;
            }
            if let Some(name) = line.strip_prefix('@') {
                any = true;
                if name.contains("abstract") || name.contains("overload") {
                    return None;
                }
            } else if !line.starts_with(')') {
                break;
            }
        }
        Some(any)
    }
}

fn is_def(line: &str) -> bool {
    let start = line.trim_start();
    start.starts_with("def ") || start.starts_with("async def ")
}

fn name_of<'l>(line: &'l str, keyword: &str) -> Option<&'l str> {
    let rest = line.split_once(keyword)?.1.trim_start();
    rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().filter(|name| !name.is_empty())
}

/// Names of functions that do nothing on purpose.
fn does_nothing(name: &str) -> bool {
    let name = name.trim_start_matches('_').to_lowercase();
    name.is_empty()
        || ["noop", "no_op", "nop", "nothing", "dummy", "null", "ignore", "empty", "main", "cli"]
            .iter()
            .any(|word| name.contains(word))
}
