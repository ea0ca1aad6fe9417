//! Brackets, quotes and comments of C and its kin: all that can be judged of a text whose macros are defined elsewhere.
//! Grammars without a preprocessor refuse two real files in five.
//!
//! Conditional compilation makes several texts of one. The first branch of each condition is read; where branches do
//! not leave the brackets as they found them, a text that comes out wrong is given the benefit of the doubt.

use super::{Parsed, broken};

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    line: usize,
    /// Opening brackets not closed yet, each with its line.
    open: Vec<(u8, usize)>,
    /// Conditions that are open, outermost first.
    conditions: Vec<Condition>,
    /// Something may open or close brackets that is not seen here.
    doubtful: bool,
}

struct Condition {
    /// How many brackets were open where it began.
    depth: usize,
    /// How many were open at the end of its first branch, once that has come.
    first: Option<usize>,
    /// The branch is not read.
    skipped: bool,
    /// By how much more brackets open than close in branches that are not read, whatever they are part of.
    balance: isize,
}

pub(super) fn judge(text: &str) -> Parsed {
    let text = text.as_bytes();
    let mut reader = Reader { text, at: 0, line: 1, open: Vec::new(), conditions: Vec::new(), doubtful: false };
    let wrong = reader.read().or_else(|| {
        let (bracket, line) = reader.open.last().copied()?;
        Some((line, format!("unclosed '{}'", char::from(bracket))))
    });
    match wrong {
        Some((line, message)) if !reader.doubtful => broken(line, &message),
        _ => Parsed::Clean,
    }
}

/// A line, and what is wrong there.
type Wrong = (usize, String);

/// In bytes: how far back a prefix or a number may begin, since quotes may be many.
const LONGEST_WORD: usize = 100;

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn read(&mut self) -> Option<Wrong> {
        let mut line_start = true;
        while let Some(&byte) = self.text.get(self.at) {
            let skipped = self.conditions.iter().any(|condition| condition.skipped);
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                    line_start = true;
                    continue;
                }
                b'#' if line_start => {
                    self.directive();
                    continue;
                }
                b' ' | b'\t' | b'\r' | b'\x0c' => {
                    self.at += 1;
                    continue;
                }
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => {
                    let line = self.line;
                    // Unclosed it hides the rest, which nothing makes right.
                    if !self.block_comment() && !skipped {
                        self.doubtful = false;
                        self.open.clear();
                        return Some((line, "unclosed comment".to_owned()));
                    }
                    continue;
                }
                // What is left out may be prose.
                _ if skipped => {
                    let start = self.at;
                    self.skip_line();
                    let line = self.text.get(start..self.at).unwrap_or_default();
                    if let Some(condition) = self.conditions.last_mut() {
                        condition.balance += balance(line);
                    }
                }
                b'"' if self.is_raw() => {
                    let line = self.line;
                    if !self.raw_string() {
                        return Some((line, "unclosed raw string".to_owned()));
                    }
                }
                b'"' => {
                    if !self.quoted(b'"') {
                        return Some((self.line, "unclosed '\"'".to_owned()));
                    }
                }
                b'\'' if !self.is_separator() => {
                    if !self.quoted(b'\'') {
                        return Some((self.line, "unclosed \"'\"".to_owned()));
                    }
                }
                b'(' | b'[' | b'{' => {
                    self.open.push((byte, self.line));
                    self.at += 1;
                }
                b')' | b']' | b'}' => {
                    let opener = match byte {
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    match self.open.pop() {
                        Some((open, _)) if open == opener => {}
                        Some((open, line)) => {
                            let message = format!("'{}' closes the '{}' of line {line}", byte as char, open as char);
                            return Some((self.line, message));
                        }
                        None => return Some((self.line, format!("unexpected '{}'", byte as char))),
                    }
                    self.at += 1;
                }
                b'`' => return Some((self.line, "unexpected '`'".to_owned())),
                _ => self.at += 1,
            }
            line_start = false;
        }
        None
    }

    /// Does an `R` make the quote here a raw string's?
    fn is_raw(&self) -> bool {
        let before = self.text.get(self.at.saturating_sub(LONGEST_WORD)..self.at).unwrap_or_default();
        let word = before.rsplit(|byte| !is_word(*byte)).next().unwrap_or_default();
        matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R")
    }

    /// Is the quote here one between digits (`1'000`)?
    fn is_separator(&mut self) -> bool {
        let before = self.text.get(self.at.saturating_sub(LONGEST_WORD)..self.at).unwrap_or_default();
        let word = before.rsplit(|byte| !is_word(*byte) && *byte != b'\'').next().unwrap_or_default();
        let separates = word.first().is_some_and(u8::is_ascii_digit);
        self.at += usize::from(separates);
        separates
    }

    /// Past the closing `quote`; false if the line ends before it.
    fn quoted(&mut self, quote: u8) -> bool {
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\\' => {
                    self.line += usize::from(self.peek(1) == b'\n' || self.peek(1) == b'\r' && self.peek(2) == b'\n');
                    self.at += if self.peek(1) == b'\r' && self.peek(2) == b'\n' { 3 } else { 2 };
                }
                b'\n' => return false,
                _ => {
                    self.at += 1;
                    if byte == quote {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn raw_string(&mut self) -> bool {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let delimiter = rest.split(|byte| *byte == b'(').next().unwrap_or_default();
        let end: Vec<u8> = [b")", delimiter, b"\""].concat();
        let Some(length) = memchr::memmem::find(rest, &end) else { return false };
        self.skip(1 + length + end.len());
        true
    }

    fn block_comment(&mut self) -> bool {
        let end = memchr::memmem::find(self.text.get(self.at + 2..).unwrap_or_default(), b"*/");
        self.skip(end.map_or(self.text.len() - self.at, |length| length + 4));
        end.is_some()
    }

    fn skip(&mut self, bytes: usize) {
        let end = (self.at + bytes).min(self.text.len());
        self.line += memchr::memchr_iter(b'\n', self.text.get(self.at..end).unwrap_or_default()).count();
        self.at = end;
    }

    /// To the line break that no backslash hides.
    fn skip_line(&mut self) {
        while let Some(length) = memchr::memchr(b'\n', self.text.get(self.at..).unwrap_or_default()) {
            let line = self.text.get(self.at..self.at + length).unwrap_or_default();
            self.at += length;
            if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
                return;
            }
            self.at += 1;
            self.line += 1;
        }
        self.at = self.text.len();
    }

    fn directive(&mut self) {
        let start = self.at + 1;
        self.directive_end();
        let line = self.text.get(start..self.at).unwrap_or_default().trim_ascii_start();
        let depth = self.open.len();
        if line.starts_with(b"if") {
            let words = line.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty()).collect::<Vec<_>>();
            let never = words.first() == Some(&&b"if"[..]) && words.get(1) == Some(&&b"0"[..]);
            self.conditions.push(Condition { depth, first: None, skipped: never, balance: 0 });
        } else if line.starts_with(b"el") {
            let Some(condition) = self.conditions.last_mut() else { return };
            self.doubtful |= std::mem::take(&mut condition.balance) != 0;
            // Of a first branch that is never read the next is read instead.
            let next = condition.first.is_none() && condition.skipped;
            if !condition.skipped {
                condition.first.get_or_insert(depth);
                self.doubtful |= depth != condition.depth;
            }
            condition.skipped = !next;
        } else if line.starts_with(b"endif") {
            if let Some(condition) = self.conditions.pop() {
                self.doubtful |= depth != condition.depth || condition.balance != 0;
            }
        } else if line.starts_with(b"define") {
            self.doubtful |= balance(line) != 0;
        }
    }

    /// A directive ends with its line; a comment in it may go on.
    fn directive_end(&mut self) {
        loop {
            let start = self.at;
            self.skip_line();
            let line = self.text.get(start..self.at).unwrap_or_default();
            let Some(open) = memchr::memmem::rfind(line, b"/*") else { return };
            if memchr::memmem::find(line.get(open..).unwrap_or_default(), b"*/").is_some()
                || memchr::memmem::find(line.get(..open).unwrap_or_default(), b"//").is_some()
            {
                return;
            }
            self.at = start + open;
            self.line -= memchr::memchr_iter(b'\n', line.get(open..).unwrap_or_default()).count();
            self.block_comment();
        }
    }
}

fn balance(text: &[u8]) -> isize {
    text.iter().map(|byte| isize::from(b"([{".contains(byte)) - isize::from(b")]}".contains(byte))).sum()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_looks_like_a_bracket_is_none() {
        for text in [
            "/* ( */ char a = '('; // {\nchar *b = \"\\\"[\";\n",
            "auto a = R\"x(\n)\" { )x\"; int b = 1'000'000; char16_t c = u'(';\n",
            "#error don't (\n#define A(x) \\\n  f(x)\nint a;\n",
            "#if 0\nIt's ( prose\n#else\nint a;\n#endif\n",
            "#define A 1 /* goes\n on ( */\nint b;\n",
            "char *a = \"b\\\nc\";\r\nchar *d = \"e\\\r\nf\";\n",
        ] {
            assert_eq!(judge(text), Parsed::Clean, "{text}");
        }
    }

    #[test]
    fn branches_that_differ_are_given_the_benefit_of_the_doubt() {
        for text in [
            "#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\n}\n",
            "#ifdef A\nextern \"C\" {\n#endif\nint a;\n#ifdef A\n}\n#endif\n",
            "#ifndef A\nif (a)\n#else\n{\n#endif\n}\n",
            "#define BEGIN {\nBEGIN }\n",
        ] {
            assert_eq!(judge(text), Parsed::Clean, "{text}");
        }
        let text = "#ifdef A\nf(a);\n#else\nf(b);\n#endif\nint f() {\n";
        assert_eq!(judge(text), broken(6, "unclosed '{'"));
    }
}
