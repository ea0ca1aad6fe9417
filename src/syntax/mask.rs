//! A text with its comments and the contents of its strings blanked: what is left is code, each byte where it was.
//!
//! A lexer of a page for many languages, not a parser: it needs no stack, takes linear time, and is in every build. It
//! may be wrong about a literal (a regular expression that looks like a division, text within JSX), and what it then
//! takes for a string ends with the line. Judges ask it where code stands, never whether it is right.

use super::{language, language_of};

pub(super) mod ruby;

/// How a language writes what is not code.
#[derive(Debug, Clone, Copy)]
pub struct Lexis {
    /// What begins a remark that ends with its line.
    pub line: &'static [&'static str],
    /// What begins such a remark only where a word may begin: not in `${a#b}`.
    pub spaced: bool,
    /// What begins and ends a remark of any length.
    pub blocks: &'static [(&'static str, &'static str)],
    pub nested: bool,
    /// `"` begins a string.
    pub double: bool,
    /// `'` begins a string, rather than a character or a lifetime.
    pub single: bool,
    /// `"""`, and with `single` also `'''`.
    pub triple: bool,
    /// Strings may hold ends of lines.
    pub long: bool,
    /// `` ` `` begins a string; with `${…}` in it where `template`.
    pub backtick: bool,
    pub template: bool,
    /// `r#"…"#`.
    pub raw: bool,
    /// `<<END`, up to a line of that word.
    pub heredoc: bool,
    /// A mask of its own, for what is not of this kind.
    pub own: Option<fn(&str) -> String>,
}

impl Lexis {
    /// Code without remarks and strings.
    pub const PLAIN: Lexis = Lexis {
        line: &[],
        spaced: false,
        blocks: &[],
        nested: false,
        double: true,
        single: false,
        triple: false,
        long: false,
        backtick: false,
        template: false,
        raw: false,
        heredoc: false,
        own: None,
    };
    /// As C has it, with characters in `'`.
    pub const C: Lexis = Lexis { line: &["//"], blocks: &[("/*", "*/")], ..Lexis::PLAIN };
    /// As Java has it: with `"""`, and nothing lost where `'` holds more than a character.
    pub const JAVA: Lexis = Lexis { single: true, triple: true, ..Lexis::C };
    pub const JAVASCRIPT: Lexis = Lexis { single: true, backtick: true, template: true, ..Lexis::C };
    /// `#` and quotes of both kinds.
    pub const HASH: Lexis = Lexis { line: &["#"], single: true, ..Lexis::PLAIN };
}

impl Lexis {
    /// JSON has strings and no remarks.
    pub fn has_comments(self) -> bool {
        !self.line.is_empty() || !self.blocks.is_empty() || self.own.is_some()
    }
}

/// The text masked. `None` for a language whose remarks and strings are not known.
pub fn mask(path: &str, text: &str) -> Option<String> {
    // A text that does not show its language has the remarks of what its name says all the same.
    Some(masked(language_of(path, text).or_else(|| language(path))?.lexis?, text))
}

/// `text` with spaces for remarks and `_` for what stands in strings, between their quotes; newlines stay.
pub fn masked(lexis: Lexis, text: &str) -> String {
    if let Some(own) = lexis.own {
        return own(text);
    }
    let mut mask = Mask {
        bytes: text.as_bytes(),
        out: text.as_bytes().to_vec(),
        at: 0,
        before: b'\n',
        lexis,
        stops: stops(lexis),
        lone_slashes: (0, 0),
        heredocs: Vec::new(),
    };
    mask.all();
    // Only whole runs between ASCII bytes were blanked.
    String::from_utf8(mask.out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

struct Mask<'t> {
    bytes: &'t [u8],
    out: Vec<u8>,
    at: usize,
    /// The last byte of code that was no white space.
    before: u8,
    lexis: Lexis,
    stops: [bool; 256],
    /// Where the last line ends on which a slash began no regular expression, and how many did not on that line.
    lone_slashes: (usize, usize),
    /// The words that end the texts which begin after this line.
    heredocs: Vec<String>,
}

/// Slashes of one line that are tried, once so many were none.
const MAX_LONE_SLASHES: usize = 50;

/// The bytes that may begin or end what is not code. Most bytes are none of them.
fn stops(lexis: Lexis) -> [bool; 256] {
    let mut stops = [false; 256];
    let mut stop = |bytes: &[u8]| bytes.iter().for_each(|byte| stops[usize::from(*byte)] = true);
    let marks = lexis.line.iter().copied().chain(lexis.blocks.iter().map(|(begin, _)| *begin));
    marks.for_each(|mark| stop(mark.as_bytes().get(..1).unwrap_or_default()));
    stop(b"'");
    if lexis.double {
        stop(b"\"");
    }
    if lexis.backtick {
        stop(b"`{}");
    }
    if lexis.template {
        stop(b"/");
    }
    if lexis.raw {
        stop(b"rbc");
    }
    if lexis.heredoc {
        stop(b"<\n");
    }
    stops
}

impl Mask<'_> {
    fn all(&mut self) {
        // Open braces since each `${` of a template that is not closed yet.
        let mut templates: Vec<usize> = Vec::new();
        loop {
            self.pass();
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(&byte) = rest.first() else { return };
            if self.begins_remark(rest) {
                let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                self.fill(self.at, self.at + end, b' ');
                continue;
            }
            if let Some((begin, end)) = self.lexis.blocks.iter().find(|(begin, _)| rest.starts_with(begin.as_bytes())) {
                self.block(begin.as_bytes(), end.as_bytes());
                continue;
            }
            match byte {
                b'/' if self.lexis.template && self.begins_expression() => self.regex(),
                b'r' | b'b' | b'c' if self.lexis.raw && !is_word(self.last()) && self.raw_string(rest) => {}
                b'"' if self.lexis.double => self.string(b'"'),
                b'\'' if self.lexis.single => self.string(b'\''),
                b'\'' if self.lexis.double => self.character(rest),
                b'<' if self.lexis.heredoc && rest.starts_with(b"<<") => self.begin_heredoc(rest),
                b'\n' if !self.heredocs.is_empty() => self.heredocs(),
                b'`' if self.lexis.backtick => {
                    self.step();
                    self.until_backtick(&mut templates);
                }
                b'}' if templates.last() == Some(&0) => {
                    templates.pop();
                    self.step();
                    self.until_backtick(&mut templates);
                }
                _ => {
                    if let Some(open) = templates.last_mut() {
                        match byte {
                            b'{' => *open += 1,
                            b'}' => *open = open.saturating_sub(1),
                            _ => {}
                        }
                    }
                    self.step();
                }
            }
        }
    }

    /// Goes to the next byte that may not be code.
    fn pass(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|byte| self.stops[usize::from(*byte)]).unwrap_or(rest.len());
        let passed = rest.get(..end).unwrap_or_default();
        if let Some(last) = passed.iter().rfind(|byte| !byte.is_ascii_whitespace()) {
            self.before = *last;
        }
        self.at += end;
    }

    fn step(&mut self) {
        if let Some(byte) = self.bytes.get(self.at).filter(|byte| !byte.is_ascii_whitespace()) {
            self.before = *byte;
        }
        self.at += 1;
    }

    fn last(&self) -> u8 {
        self.at.checked_sub(1).and_then(|at| self.bytes.get(at)).copied().unwrap_or(b'\n')
    }

    /// Blanks up to `end`, newlines excepted, and goes on from there.
    fn fill(&mut self, start: usize, end: usize, with: u8) {
        for byte in self.out.get_mut(start..end.min(self.bytes.len())).unwrap_or_default() {
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = with;
            }
        }
        self.at = end.min(self.bytes.len());
    }

    /// Does a remark begin here that ends with its line?
    fn begins_remark(&self, rest: &[u8]) -> bool {
        let begins = self.lexis.line.iter().any(|mark| rest.starts_with(mark.as_bytes()));
        // `#[` is an attribute of PHP, whose other remarks are those of C.
        begins
            && !(rest.starts_with(b"#[") && !self.lexis.blocks.is_empty())
            && (!self.lexis.spaced || self.last().is_ascii_whitespace() || matches!(self.last(), b';' | b'(' | b'`'))
    }

    fn block(&mut self, begin: &[u8], end: &[u8]) {
        let (mut depth, mut at) = (1, self.at + begin.len());
        let (first, last) = (begin.first().copied().unwrap_or(0), end.first().copied().unwrap_or(0));
        while depth > 0 {
            let Some(next) = memchr::memchr2(first, last, self.bytes.get(at..).unwrap_or_default()) else {
                at = self.bytes.len();
                break;
            };
            at += next;
            let rest = self.bytes.get(at..).unwrap_or_default();
            if rest.starts_with(end) {
                (depth, at) = (depth - 1, at + end.len());
            } else if self.lexis.nested && rest.starts_with(begin) {
                (depth, at) = (depth + 1, at + begin.len());
            } else {
                at += 1;
            }
        }
        self.fill(self.at, at, b' ');
    }

    /// Remembers the word of `<<-'END'`. What is no such word is code.
    fn begin_heredoc(&mut self, rest: &[u8]) {
        let after = rest.get(2..).unwrap_or_default();
        let quotes =
            after.iter().take(3).take_while(|byte| matches!(byte, b'-' | b'~' | b'\'' | b'"' | b'\\' | b' ')).count();
        let word = after.get(quotes..).unwrap_or_default();
        let end = word.iter().position(|byte| !is_word(*byte)).unwrap_or(word.len());
        let word = word.get(..end).unwrap_or_default();
        if word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') && self.heredocs.len() < 4 {
            self.heredocs.push(String::from_utf8_lossy(word).into_owned());
            self.at += 2 + quotes + end;
            self.before = b'"';
        } else {
            self.step();
        }
    }

    /// Blanks the texts that begin after the line that ends here.
    fn heredocs(&mut self) {
        for word in std::mem::take(&mut self.heredocs) {
            let start = self.at + 1;
            let mut at = start;
            loop {
                let rest = self.bytes.get(at..).unwrap_or_default();
                if rest.is_empty() {
                    break;
                }
                let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                if rest.get(..line).is_some_and(|line| line.trim_ascii() == word.as_bytes()) {
                    break;
                }
                at = (at + line + 1).min(self.bytes.len());
            }
            self.fill(start.min(at), at, b'_');
            let rest = self.bytes.get(at..).unwrap_or_default();
            self.at = at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        }
    }

    /// May a value begin here, so that `/` begins a regular expression?
    fn begins_expression(&self) -> bool {
        if !is_word(self.before) {
            return !matches!(self.before, b')' | b']' | b'}' | b'"' | b'\'' | b'`' | b'<');
        }
        let code = self.bytes.get(..self.at).unwrap_or_default().trim_ascii_end();
        [&b"return"[..], b"case", b"typeof", b"of", b"in"].iter().any(|word| {
            code.strip_suffix(*word).is_some_and(|rest| rest.last().is_none_or(|byte| !is_word(*byte) && *byte != b'.'))
        })
    }

    /// A regular expression, or a lone slash if none ends on the line.
    fn regex(&mut self) {
        let (mut at, mut class) = (self.at + 1, false);
        let (line_end, lone) = self.lone_slashes;
        // A line of slashes would be read to its end for each of them.
        if self.at < line_end && lone >= MAX_LONE_SLASHES {
            return self.step();
        }
        loop {
            match self.bytes.get(at) {
                None | Some(b'\n') => {
                    self.lone_slashes = (at, if self.at < line_end { lone + 1 } else { 1 });
                    return self.step();
                }
                Some(b'\\') => at += 1,
                Some(b'[') => class = true,
                Some(b']') => class = false,
                Some(b'/') if !class => break,
                _ => {}
            }
            at += 1;
        }
        self.fill(self.at + 1, at, b'_');
        self.before = b')';
        self.at = at + 1;
    }

    fn string(&mut self, quote: u8) {
        let triple = [quote; 3];
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let is_triple = self.lexis.triple && rest.starts_with(&triple);
        let width = if is_triple { 3 } else { 1 };
        let mut at = self.at + width;
        let end = loop {
            let next = memchr::memchr3(quote, b'\\', b'\n', self.bytes.get(at..).unwrap_or_default());
            at = next.map_or(self.bytes.len(), |next| at + next);
            match self.bytes.get(at) {
                None => break at,
                Some(b'\\') => at += 1,
                // Not ended: a mistake of ours or of the text, that shall not spread.
                Some(b'\n') if !is_triple && !self.lexis.long => break at,
                Some(byte)
                    if *byte == quote
                        && (!is_triple || self.bytes.get(at..).is_some_and(|rest| rest.starts_with(&triple))) =>
                {
                    break at;
                }
                _ => {}
            }
            at += 1;
        };
        self.fill(self.at + width, end, b'_');
        self.before = quote;
        self.at = (end + if self.bytes.get(end) == Some(&quote) { width } else { 0 }).min(self.bytes.len());
    }

    /// `'a'`, `'\n'`, or a lifetime.
    fn character(&mut self, rest: &[u8]) {
        let end = match rest.get(1) {
            Some(b'\\') => {
                memchr::memchr(b'\'', rest.get(3..16.min(rest.len())).unwrap_or_default()).map(|end| end + 3)
            }
            // One character of up to four bytes.
            Some(_) => {
                (2..=5).find(|at| rest.get(*at) == Some(&b'\'')).filter(|at| *at == 2 || rest.get(1) >= Some(&0x80))
            }
            None => None,
        };
        match end {
            Some(end) => {
                self.fill(self.at + 1, self.at + end, b'_');
                self.before = b'\'';
                self.at += 1;
            }
            None => self.step(),
        }
    }

    /// `r"…"`, `br#"…"#`; false if there is none here.
    fn raw_string(&mut self, rest: &[u8]) -> bool {
        let prefix = rest.iter().take_while(|byte| matches!(byte, b'r' | b'b' | b'c')).count();
        let hashes = rest.iter().skip(prefix).take_while(|byte| **byte == b'#').count();
        let start = prefix + hashes + 1;
        if prefix > 2 || rest.get(prefix - 1) != Some(&b'r') || rest.get(start - 1) != Some(&b'"') {
            return false;
        }
        let ends = |at: &usize| {
            let tail = rest.get(start + at + 1..start + at + 1 + hashes).unwrap_or_default();
            tail.len() == hashes && tail.iter().all(|byte| *byte == b'#')
        };
        let body = rest.get(start..).unwrap_or_default();
        let end = memchr::memchr_iter(b'"', body).find(ends).map_or(rest.len(), |at| start + at);
        let from = self.at;
        self.fill(from + start, from + end, b'_');
        self.before = b'"';
        self.at = (from + end + 1 + hashes).min(self.bytes.len());
        true
    }

    /// The rest of a template, up to its end or its next `${`.
    fn until_backtick(&mut self, templates: &mut Vec<usize>) {
        let mut at = self.at;
        loop {
            match self.bytes.get(at) {
                None => break,
                Some(b'\\') if self.lexis.template => at += 1,
                Some(b'`') => break,
                Some(b'$') if self.lexis.template && self.bytes.get(at + 1) == Some(&b'{') => break,
                _ => {}
            }
            at += 1;
        }
        self.fill(self.at, at, b'_');
        if self.bytes.get(at) == Some(&b'$') {
            templates.push(0);
            self.at = at + 2;
            self.before = b'{';
        } else {
            self.at = (at + 1).min(self.bytes.len());
            self.before = b'`';
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[track_caller]
    fn masks(path: &str, text: &str, masked: &str) {
        assert_eq!(mask(path, text).as_deref(), Some(masked), "{text}");
    }

    #[test]
    fn comments_and_strings_are_blanked_in_the_way_of_each_language() {
        masks("a.py", "x = 'a#' # b\n", "x = '__'    \n");
        masks("a.py", "\"\"\"a\n'b\"\"\"\nc", "\"\"\"_\n__\"\"\"\nc");
        masks("a.py", "x = '\\''\ny", "x = '__'\ny");
        masks("a.rs", "/* /* */ */ 'a' &'a str '\\'' r#\"\"a\"# b", "            '_' &'a str '__' r#\"__\"# b");
        masks("a.rs", "fn a() { \"é\n}\" }", "fn a() { \"__\n_\" }");
        masks("a.go", "a := `\n\"` // b\nc", "a := `\n_`     \nc");
        masks("a.ts", "`a${b + `c${d}`}e` + f", "`_${b + `_${d}`}_` + f");
        masks("a.ts", "x = /['\"/]/.test(y) / 2 // z", "x = /_____/.test(y) / 2     ");
        masks("a.tsx", "<p>Don't</p>\nfoo()", "<p>Don'_____\nfoo()");
        masks("a.php", "#[A]\n# b\n", "#[A]\n   \n");
        assert_eq!(mask("a.md", "x"), None);
    }

    #[test]
    fn any_text_keeps_its_length_and_its_lines() {
        let parts =
            ["'", "\"", "`", "${", "}", "/", "/*", "*/", "\\", "\n", "r#\"", "é", "#", "\"\"\"", "x", "'''", "b'"];
        let mut state = 1usize;
        for path in ["a.py", "a.rs", "a.ts", "a.go", "a.java", "a.php"] {
            for _ in 0..500 {
                let mut text = String::new();
                for _ in 0..12 {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    text.push_str(parts[(state >> 33) % parts.len()]);
                }
                let masked = mask(path, &text).unwrap_or_default();
                assert_eq!(
                    (masked.len(), masked.matches('\n').count()),
                    (text.len(), text.matches('\n').count()),
                    "{text:?}"
                );
            }
        }
    }
}
