//! Functions whose whole body is a stub: `todo!()`, `raise NotImplementedError`, `throw new Error("not implemented")`.
//!
//! It goes from the stub outwards, in masked code: is it all of a body, and is that a function's? So a text without one
//! of the few words costs a search for them. What such a body may mean instead (an abstract method, an operation that is
//! not supported, a hook that does nothing) is left alone where anything hints at it, or is not [`Stub::sure`].

use super::{extension, mask};

/// No file that people write has more.
const MAX_STUBS: usize = 200;
/// Places that are looked at, so that no text takes for ever.
const MAX_LOOKS: usize = 20_000;

/// A function that is not written yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    pub name: String,
    /// Of the body; counted from 1.
    pub line: usize,
    /// The body as it is written there, on one line.
    pub body: String,
    /// It can mean nothing else.
    pub sure: bool,
}

/// The stubs of `text`; none for languages that are not known here.
pub fn stubs(path: &str, text: &str) -> Vec<Stub> {
    let extension = extension(path);
    if matches!(extension.as_str(), "py" | "pyw") {
        return python::stubs(path, text);
    }
    let marks: Vec<&Mark> = MARKS.iter().filter(|mark| mark.extensions.contains(&extension.as_str())).collect();
    let mut hits: Vec<(usize, &Mark)> = Vec::new();
    for mark in marks {
        hits.extend(memchr::memmem::find_iter(text.as_bytes(), mark.word).map(|at| (at, mark)).take(MAX_LOOKS));
    }
    // Nearly all of them end here, and the text is not masked for them.
    hits.retain(|(at, mark)| {
        may_begin_a_body(text, *at) && (mark.means != Means::AsItsMessage || may_say_so(text, *at))
    });
    if hits.is_empty() {
        return Vec::new();
    }
    hits.sort_by_key(|(at, _)| *at);
    // Rust keeps tests, and the doubles that they need, at the end of what they test.
    if extension == "rs"
        && let Some(tests) = text.find("\n#[cfg(test)]\nmod ")
    {
        hits.retain(|(at, _)| *at < tests);
    }
    let Some(code) = mask(path, text) else { return Vec::new() };
    let stubs = hits.into_iter().filter_map(|(at, mark)| braces::stub(text, &code, at, mark));
    let mut stubs: Vec<Stub> = stubs.take(MAX_STUBS).collect();
    stubs.dedup_by_key(|stub| stub.line);
    stubs
}

/// A statement that is a stub when it is alone.
struct Mark {
    extensions: &'static [&'static str],
    word: &'static str,
    means: Means,
    /// With which every function begins, if every one does.
    keyword: &'static str,
}

/// What a statement says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Means {
    /// That it is to be written, in any place.
    Unwritten,
    /// That, or that it will never be: in a type it is also an abstract method, or an operation that is not supported.
    Missing,
    /// Nothing: the message has to.
    AsItsMessage,
}

const JAVASCRIPT: &[&str] = &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

const MARKS: &[Mark] = &[
    Mark { extensions: &["rs"], word: "todo!", means: Means::Unwritten, keyword: "fn" },
    Mark { extensions: &["rs"], word: "unimplemented!", means: Means::Missing, keyword: "fn" },
    Mark { extensions: JAVASCRIPT, word: "throw new Error", means: Means::AsItsMessage, keyword: "" },
    Mark { extensions: &["go"], word: "panic", means: Means::AsItsMessage, keyword: "func" },
    Mark { extensions: &["kt", "kts"], word: "TODO", means: Means::Unwritten, keyword: "fun" },
    Mark { extensions: &["cs"], word: "throw new NotImplementedException", means: Means::Missing, keyword: "" },
    Mark { extensions: &["swift"], word: "fatalError", means: Means::AsItsMessage, keyword: "func" },
    Mark { extensions: &["dart"], word: "throw UnimplementedError", means: Means::Missing, keyword: "" },
    Mark {
        extensions: &["java", "groovy"],
        word: "throw new UnsupportedOperationException",
        means: Means::AsItsMessage,
        keyword: "",
    },
    Mark {
        extensions: &["java", "groovy"],
        word: "throw new RuntimeException",
        means: Means::AsItsMessage,
        keyword: "",
    },
    Mark { extensions: &["php"], word: "throw new", means: Means::AsItsMessage, keyword: "function" },
];

/// Does a body or a remark end before `at`?
fn may_begin_a_body(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let line = || before.rsplit('\n').next().unwrap_or_default();
    before.ends_with(['{', '=', '>'])
        || before.ends_with("*/")
        || line().contains("//")
        || line().trim_start().starts_with('#')
}

/// Is there any word of such a message after `at`?
fn may_say_so(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let near = bytes.get(at..bytes.len().min(at + 300)).unwrap_or_default().to_ascii_lowercase();
    ["implement", "todo", "fixme"].iter().any(|word| memchr::memmem::find(&near, word.as_bytes()).is_some())
}

/// Does a message say that the work is still to be done?
fn is_to_do(message: &str) -> bool {
    let message = message.to_lowercase();
    let words = |word: &str| {
        message.match_indices(word).any(|(at, _)| {
            let edge = |byte: Option<u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
            edge(at.checked_sub(1).and_then(|at| message.as_bytes().get(at)).copied())
                && edge(message.as_bytes().get(at + word.len()).copied())
        })
    };
    [
        "todo",
        "fixme",
        "not yet implemented",
        "not implemented yet",
        "implement me",
        "implement this",
        "to be implemented",
    ]
    .iter()
    .any(|phrase| words(phrase))
}

/// Does it at least say that nothing is there?
fn is_missing(message: &str) -> bool {
    let message = message.to_lowercase();
    let bare = message.trim_matches(|c: char| !c.is_alphanumeric());
    is_to_do(&message)
        || matches!(bare, "not implemented" | "unimplemented" | "method not implemented" | "function not implemented")
}

fn line_of(text: &str, at: usize) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes().get(..at).unwrap_or_default()).count() + 1
}

/// On one line, and not too long.
fn shown(body: &str) -> String {
    body.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect()
}

/// Languages of which a body stands in braces.
mod braces {
    use super::{Mark, Means, Stub, is_missing, is_to_do, line_of, shown};

    /// Braces of a type before one of its methods.
    const BRACES: usize = 20_000;
    /// No head of a function is longer.
    const HEAD: usize = 2000;

    pub(super) fn stub(text: &str, code: &str, at: usize, mark: &Mark) -> Option<Stub> {
        let word = code.get(at..at + mark.word.len())?;
        let bytes = code.as_bytes();
        if word != mark.word || at.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(|byte| is_word(*byte)) {
            return None;
        }
        let after = at + word.len();
        // `NotImplementedException`, `\RuntimeException`: the rest of a name.
        let open = after + code.get(after..)?.find(['(', '{', '[', ';', '\n'])?;
        if !code.get(after..open)?.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\\')) {
            return None;
        }
        let end = closing(bytes, open)? + 1;
        let rest = code.get(end..)?.trim_start_matches([';', ' ', '\t']);
        let before = code.get(..at)?.trim_end();
        let is_body = before.ends_with('{') && rest.trim_start().starts_with('}');
        let is_expression = (before.ends_with("=>") || before.ends_with('='))
            && (rest.starts_with(['\n', '\r', '}']) || rest.is_empty())
            && mark.means == Means::Unwritten;
        if !is_body && !is_expression {
            return None;
        }
        let head_end = if is_body { before.len() - 1 } else { before.trim_end_matches(['=', '>']).len() };
        let head_start = head(bytes, head_end)?;
        let (name, within) = function(code, head_start, head_end, is_expression, mark.keyword)?;
        let message = text.get(open + 1..end - 1)?;
        let said = is_to_do(message);
        let sure = match mark.means {
            Means::Unwritten => true,
            // A message that says anything else gives a reason.
            Means::Missing => said || (within == Within::Nothing && (message.trim().is_empty() || is_missing(message))),
            Means::AsItsMessage if !is_missing(message) => return None,
            Means::AsItsMessage => said || within == Within::Nothing,
        };
        Some(Stub { name, line: line_of(text, at), body: shown(text.get(at..end)?), sure })
    }

    /// The bracket that closes the one at `open`.
    fn closing(bytes: &[u8], open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (at, byte) in bytes.iter().enumerate().skip(open).take(HEAD) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Where the head begins that ends before `end`: after the last statement or block.
    fn head(bytes: &[u8], end: usize) -> Option<usize> {
        let mut depth = 0usize;
        let least = end.saturating_sub(HEAD);
        for at in (least..end).rev() {
            match bytes.get(at)? {
                b')' | b']' => depth += 1,
                b'(' | b'[' => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    // An argument of a call.
                    None => return Some(at + 1),
                },
                b';' | b'{' | b'}' if depth == 0 => return Some(at + 1),
                _ => {}
            }
        }
        (least == 0).then_some(0)
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Within {
        Nothing,
        /// A class, a trait, an implementation of one.
        Type,
    }

    /// The name of the function that the head is of, if it is of one, and what it stands in.
    fn function(code: &str, start: usize, end: usize, is_expression: bool, keyword: &str) -> Option<(String, Within)> {
        // Attributes and decorators stand before it, and a head that follows nothing may hold them.
        let head = code.get(start..end)?.trim();
        // Kotlin ends the function before with its line.
        let head = if keyword == "fun" { head.get(head.rfind("fun ")?..)? } else { head };
        let words: Vec<&str> = head
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')))
            .filter(|word| !word.is_empty())
            .collect();
        const STATEMENTS: &[&str] = &[
            "if", "else", "for", "while", "switch", "catch", "try", "do", "with", "match", "loop", "case", "default",
            "return", "finally", "when", "unless", "new",
        ];
        if words.iter().take(2).any(|word| STATEMENTS.contains(word)) {
            return None;
        }
        // An arrow counts where it has a name of its own; elsewhere it is a default that is passed around.
        let is_arrow = head.ends_with("=>");
        if is_arrow && !is_expression && !(head.starts_with("const ") || head.starts_with("export const ")) {
            return None;
        }
        let by_keyword = words.iter().position(|word| *word == keyword || *word == "function");
        // Only where methods need none may it be missing.
        if by_keyword.is_none() && !keyword.is_empty() {
            return None;
        }
        let name = match by_keyword {
            Some(_) if head.contains("func (") => head.split(')').nth(1)?.trim().split('(').next()?.trim().to_owned(),
            Some(at) => (*words.get(at + 1)?).to_owned(),
            None if is_arrow => (*words.iter().find(|word| !matches!(**word, "const" | "export"))?).to_owned(),
            None => before_parameters(head)?.to_owned(),
        };
        // `fun <T> A<T>.name(…)`.
        let name = if head.contains("fun <") { before_parameters(head)?.to_owned() } else { name };
        if name.is_empty() || !(head.contains('(') || is_arrow) {
            return None;
        }
        // In an object it is a method as well.
        let within = if by_keyword.is_none() && !is_arrow { Within::Type } else { within(code, start, head) };
        Some((name, within))
    }

    /// A method of the C family: the word before its parameters, and before what types they take.
    fn before_parameters(head: &str) -> Option<&str> {
        let mut head = head.trim_start();
        while let Some(rest) = head.strip_prefix('@') {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))?;
            head = rest.get(end..)?.trim_start();
            if head.starts_with('(') {
                head = head.get(closing(head.as_bytes(), 0)? + 1..)?.trim_start();
            }
        }
        let mut before = head.split_once('(')?.0.trim_end();
        if before.ends_with('>') {
            before = before.get(..before.rfind('<')?)?;
        }
        before.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '#'))).next()
    }

    fn within(code: &str, start: usize, head: &str) -> Within {
        if head.starts_with("func (") {
            return Within::Type;
        }
        let bytes = code.as_bytes();
        let (mut depth, mut at) = (0usize, start);
        for _ in 0..BRACES {
            let Some(next) = memchr::memrchr2(b'{', b'}', bytes.get(..at).unwrap_or_default()) else { break };
            at = next;
            if bytes.get(at) == Some(&b'}') {
                depth += 1;
            } else if depth > 0 {
                depth -= 1;
            } else {
                let from = self::head(bytes, at).unwrap_or(at);
                let outer = code.get(from..at).unwrap_or_default();
                let mut words = outer.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
                let mut has = |wanted: &[&str]| words.any(|word| wanted.contains(&word));
                let rust = outer.trim_start().starts_with("impl");
                let is_type = if rust {
                    has(&["for"])
                } else {
                    has(&[
                        "class",
                        "interface",
                        "trait",
                        "object",
                        "struct",
                        "protocol",
                        "extension",
                        "enum",
                        "record",
                        "mixin",
                    ])
                };
                return if is_type { Within::Type } else { Within::Nothing };
            }
        }
        Within::Nothing
    }

    fn is_word(byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
    }
}

/// Python, of which a body is what is indented.
mod python {
    use super::{MAX_LOOKS, MAX_STUBS, Stub, is_missing, is_to_do, mask, shown};

    /// Lines of a class before one of its methods.
    const CLASS: usize = 3000;

    pub(super) fn stubs(path: &str, text: &str) -> Vec<Stub> {
        if !may_have_any(text) {
            return Vec::new();
        }
        let Some(code) = mask(path, text) else { return Vec::new() };
        let file = File { lines: text.lines().collect(), code: code.lines().collect() };
        let places = (0..file.code.len()).filter(|at| statement(file.code(*at)).is_some()).take(MAX_LOOKS);
        places.filter_map(|at| file.stub(at)).take(MAX_STUBS).collect()
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Body {
        Pass,
        Raise,
    }

    /// Is there a stub right below what may be the head of a function, its docstring or a remark? Asked of every file, so
    /// that few are masked.
    fn may_have_any(text: &str) -> bool {
        const OTHER: &[&str] =
            &["class ", "elif ", "else:", "except", "finally:", "for ", "if ", "try:", "while ", "with "];
        let mut before = "";
        text.lines().any(|line| {
            let start = line.trim_start();
            if start.is_empty() {
                return false;
            }
            let above = std::mem::replace(&mut before, start);
            matches!(start.as_bytes().first(), Some(b'p' | b'.' | b'r' | b'd' | b'a'))
                && statement(start).is_some()
                && !OTHER.iter().any(|other| above.starts_with(other))
        })
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
        lines: Vec<&'t str>,
        code: Vec<&'t str>,
    }

    impl File<'_> {
        fn code(&self, at: usize) -> &str {
            self.code.get(at).copied().unwrap_or_default()
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
            if (end + 1..self.lines.len()).find(|at| self.filled(at)).is_some_and(|next| self.depth(next) > depth) {
                return None;
            }
            let decorators = self.decorators(def)?;
            let name = name_of(self.code(def), "def ")?.to_owned();
            // What people write beside a body that is still to come.
            let remarks = self.lines.get(def..=self.end_of_block(end, depth)).unwrap_or_default();
            let said = remarks.iter().filter_map(|line| line.split_once('#')).any(|(_, remark)| is_to_do(remark))
                || (body == Body::Raise && self.lines.get(at..=end).is_some_and(|lines| is_to_do(&lines.concat())));
            let sure = self.meaning((def, at), body, &name, decorators, said)?;
            Some(Stub { name, line: at + 1, body: shown(self.lines.get(at).copied().unwrap_or_default()), sure })
        }

        /// Is it a stub for sure? `None` if it is none.
        fn meaning(
            &self,
            (def, at): (usize, usize),
            body: Body,
            name: &str,
            decorators: bool,
            said: bool,
        ) -> Option<bool> {
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
            let raised = self.code.iter().skip(def).find(|line| line.contains("NotImplementedError"));
            raised.is_some_and(|line| line.contains(['"', '\'']))
                && !self
                    .lines
                    .iter()
                    .skip(def)
                    .take(10)
                    .any(|line| is_missing(line.split(['"', '\'']).nth(1).unwrap_or_default()))
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
                while !self.code(line).trim_start().starts_with(['"', '\'', 'r', 'R']) {
                    line = line.checked_sub(1)?;
                }
                if self.code(line).trim_start().len() <= 3 && self.depth(line) == self.depth(at) {
                    let quotes = self.code(line).trim();
                    // The closing quotes of a longer one stand alone.
                    if line > 0
                        && (0..line)
                            .rev()
                            .find(|at| self.filled(at))
                            .is_some_and(|above| self.code(above).trim_end().ends_with('_'))
                    {
                        line = (0..line).rev().find(|at| self.code(*at).trim_start().starts_with(quotes))?;
                    }
                }
                line = (0..line).rev().find(|at| self.filled(at))?;
            }
            if !self.code(line).trim_end().ends_with(':') {
                return None;
            }
            // A head of several lines closes on its own indentation.
            (line.saturating_sub(40)..=line).rev().find(|at| is_def(self.code(*at))).filter(|def| {
                let head: String = self.code.get(*def..=line).unwrap_or_default().concat();
                let open = head.matches(['(', '[', '{']).count();
                open == head.matches([')', ']', '}']).count()
                    && (*def == line || !self.code(*def).trim_end().ends_with(':'))
            })
        }

        /// The last line of the statement that begins on `at`.
        fn end(&self, at: usize) -> Option<usize> {
            let mut open = 0isize;
            for line in at..(at + 20).min(self.code.len()) {
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
                self.lines.get(*at).is_some_and(|line| {
                    let start = line.trim_start();
                    start.starts_with('#') && line.len() - start.len() > depth
                })
            };
            (end + 1..self.lines.len()).take_while(deeper).last().unwrap_or(end)
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
}

#[cfg(test)]
mod tests {
    use super::stubs;

    #[track_caller]
    fn sure(path: &str, text: &str, expected: &[(&str, bool)]) {
        let found = stubs(path, text);
        let found: Vec<(&str, bool)> = found.iter().map(|stub| (stub.name.as_str(), stub.sure)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_function_that_is_not_written_is_found_in_each_language() {
        sure("a.rs", "pub fn a<T>(x: T) -> Option<T> {\n    todo!(\"later {x}\")\n}\n", &[("a", true)]);
        sure("a.rs", "impl A {\n    fn b(&self) { unimplemented!() }\n}\n", &[("b", true)]);
        sure("a.rs", "impl T for A {\n    fn b(&self) { unimplemented!() }\n}\n", &[("b", false)]);
        sure(
            "a.ts",
            "export async function a(b: C): Promise<D> {\n  throw new Error('Not implemented');\n}\n",
            &[("a", true)],
        );
        sure(
            "a.ts",
            "class A implements B {\n  c(): D {\n    throw new Error(\"Method not implemented.\");\n  }\n}\n",
            &[("c", false)],
        );
        sure("a.js", "export const a = (b) => {\n  throw new Error('TODO: write it');\n};\n", &[("a", true)]);
        sure("a.go", "func A(b int) error {\n\tpanic(\"not implemented\")\n}\n", &[("A", true)]);
        sure("a.go", "func (a *A) B() {\n\tpanic(\"TODO\") // later\n}\n", &[("B", true)]);
        sure("a.kt", "fun a(b: C) = d(b)\n\ninfix fun <T : B?> C<T>.d(e: F): G<H> = TODO()\n", &[("d", true)]);
        sure(
            "a.dart",
            "class A {\n  @Deprecated('b')\n  Future<C> d<E>(E e) {\n    throw UnimplementedError();\n  }\n}\n",
            &[("d", false)],
        );
        sure("a.kt", "class A {\n    fun b(): Int = TODO()\n}\n", &[("b", true)]);
        sure("a.ts", "const a = {\n  get b() { throw new Error('not implemented') },\n};\n", &[("b", false)]);
        sure("a.py", "def a(b):\n    raise NotImplementedError('there is none')\n", &[("a", false)]);
        sure("a.cs", "class A {\n    public int B() { throw new NotImplementedException(); }\n}\n", &[("B", false)]);
        sure("a.py", "def a(b):\n    \"\"\"Does.\"\"\"\n    raise NotImplementedError\n", &[("a", true)]);
        sure(
            "a.py",
            "class A:\n    def b(\n        self,\n    ) -> int:\n        raise NotImplementedError(\n            'not yet implemented'\n        )\n",
            &[("b", true)],
        );
        sure("a.py", "class A(B):\n    def c(self):\n        # TODO: write this\n        pass\n", &[("c", true)]);
        sure(
            "a.py",
            "def test_a():\n    pass\n\nclass TestB(T):\n    def test_b(self): ...\n",
            &[("test_a", true), ("test_b", true)],
        );
        sure("a.py", "async def load(x): pass\n", &[("load", false)]);
    }

    #[test]
    fn what_has_another_meaning_or_is_not_all_of_a_body_is_left_alone() {
        for (path, text) in [
            ("a.rs", "fn a(b: B) {\n    match b {\n        B::C => { todo!() }\n        B::D => 1,\n    }\n}\n"),
            ("a.rs", "// fn a() { todo!() }\nconst A: &str = \"fn a() { todo!() }\";\n"),
            ("a.rs", "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {\n        todo!()\n    }\n}\n"),
            ("a.rs", "fn a() {\n    b();\n    todo!()\n}\n"),
            ("a.ts", "function a(b) {\n  if (b) {\n    throw new Error('Not implemented');\n  }\n}\n"),
            ("a.ts", "createContext({ a: () => { throw new Error('not implemented'); } });\n"),
            ("a.ts", "class A {\n  b() {\n    throw new Error('must be implemented by subclasses');\n  }\n}\n"),
            ("a.go", "func a() {\n\tif b := c(d); b {\n\t\tpanic(\"TODO\")\n\t}\n}\n"),
            ("a.go", "func a() {\n\tpanic(\"unreachable\")\n}\n"),
            ("a.go", "func a() {\n\tswitch b {\n\tdefault:\n\t\tpanic(\"not implemented\")\n\t}\n}\n"),
            ("a.py", "class A(Protocol):\n    def b(self) -> int: ...\n"),
            ("a.py", "class A(ABC):\n    @abstractmethod\n    def b(self):\n        pass\n"),
            ("a.py", "@overload\ndef a(b: int) -> int: ...\n"),
            ("a.py", "class AError(Exception):\n    pass\n"),
            ("a.py", "if TYPE_CHECKING:\n    def a() -> int: ...\n"),
            ("a.py", "class A:\n    def b(self):\n        raise NotImplementedError\n"),
            ("a.py", "class A(B):\n    def close(self):\n        pass\n"),
            ("a.py", "def a():\n    \"\"\"A hook; does nothing unless patched.\"\"\"\n    pass\n"),
            ("a.py", "def a():\n    try:\n        b()\n    except C:\n        pass\n"),
            ("a.py", "def a():\n    for b in c:\n        pass\n"),
            ("a.py", "\"\"\"\ndef a():\n    pass\n\"\"\"\n"),
            ("a.py", "# TODO: def a(): pass\nx = 1\n"),
            ("a.md", "def a():\n    pass\n"),
        ] {
            assert_eq!(stubs(path, text), [], "{path}: {text}");
        }
    }
}
