//! What a design names: functions, types and values in code spans and in its pieces of code, the pieces themselves, and
//! files.
//!
//! By words alone. Whether anything of that name exists is for others to find out; a word that is no name costs a look.

use super::source::{Source, words};
use crate::syntax::{self, LANGUAGES, Language};
use std::collections::HashMap;

/// A name in a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub name: String,
    /// The line of the design's document, counted from 1.
    pub line: usize,
    /// A word like any other, such as `emit`: it may well mean something else.
    pub plain: bool,
    /// The design says that what is called so changes, and on which line.
    pub changes: Option<usize>,
}

/// What is named in the documents of a design.
#[derive(Default)]
pub(super) struct Words {
    /// Each once, in order.
    pub names: Vec<Name>,
    /// Its pieces of code, in languages that are known.
    pub pieces: Vec<Source>,
    /// Words that may be paths or names of files, each once.
    pub files: Vec<String>,
}

/// No design names more that is of use.
const MOST_NAMES: usize = 500;
const MOST_FILES: usize = 500;
/// Pieces of code beyond this many bytes are passed over.
const MOST_CODE: usize = 400_000;

/// Reads `documents`, the design itself first. Lines are those of the first.
pub(super) fn words_of(documents: &[&str]) -> Words {
    let mut reader = Reader::default();
    for (at, document) in documents.iter().enumerate() {
        reader.read(document, at == 0);
    }
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Words,
    places: HashMap<String, usize>,
    files: std::collections::HashSet<String>,
    code: usize,
}

impl Reader {
    fn read(&mut self, text: &str, is_first: bool) {
        // The fence that is open: its marks, what its piece of code is called, and the piece.
        let mut fence: Option<(&str, Option<&Language>, String, usize)> = None;
        for (at, line) in text.lines().enumerate() {
            let number = if is_first { at + 1 } else { 1 };
            let start = line.trim_start();
            match &mut fence {
                Some((marks, ..)) if start.starts_with(*marks) && start.trim_matches(['`', '~', ' ']).is_empty() => {
                    if let Some((_, Some(language), code, first)) = fence.take() {
                        self.piece(language, code, first, is_first);
                    }
                }
                Some((_, _, code, _)) => {
                    self.files_in(line);
                    code.push_str(line);
                    code.push('\n');
                }
                None => {
                    if let Some((marks, tag)) = opening(start) {
                        fence = Some((marks, language_of_tag(tag), String::new(), number + 1));
                    } else {
                        self.files_in(line);
                        self.spans(line, number);
                    }
                }
            }
        }
        if let Some((_, Some(language), code, first)) = fence {
            self.piece(language, code, first, is_first);
        }
    }

    fn piece(&mut self, language: &Language, code: String, first: usize, is_first: bool) {
        self.code += code.len();
        let Some(extension) = language.extensions.first().filter(|_| self.code <= MOST_CODE) else { return };
        let source = Source::new(&format!("design.{extension}"), code);
        for line in 0..source.count() {
            let number = if is_first { first + line } else { 1 };
            self.code_names(source.code_line(line), number);
            self.prose(source.line(line), Some(source.code_line(line)), number);
        }
        self.found.pieces.push(source);
    }

    /// The names in a line of code: what is declared, called or of a type's form.
    fn code_names(&mut self, code: &str, line: usize) {
        let mut before = "";
        for (at, word) in words(code) {
            let after = code.get(at + word.len()..).unwrap_or_default();
            let is_declared = DECLARES.contains(&before);
            let is_called = after.starts_with('(');
            let is_part = code.get(..at).is_some_and(|before| before.ends_with('.'));
            if is_declared || is_type(word) || (is_called && (!is_part || is_telling(word))) {
                self.name(word, line, !is_telling(word), None);
            }
            before = word;
        }
    }

    /// The names in the code spans of a line of prose.
    fn spans(&mut self, line: &str, number: usize) {
        let mut parts = line.split('`');
        let mut before = parts.next().unwrap_or_default();
        self.prose(before, None, number);
        while let (Some(span), rest) = (parts.next(), parts.next()) {
            let after = rest.unwrap_or_default();
            let changes = says_change(before, after).then_some(number);
            let span = span.trim();
            let call = span.strip_suffix("()").unwrap_or(span);
            if call.split(['.', ':', '#']).all(|part| part.is_empty() || is_identifier(part)) {
                for part in call.split(['.', ':', '#']).filter(|part| !part.is_empty()) {
                    self.name(part, number, !is_telling(part), changes);
                }
            } else if !span.contains('/') {
                self.code_names(span, number);
                if let (Some(_), Some((head, _))) = (changes, span.split_once('(')) {
                    let name = head.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
                    self.name(name, number, !is_telling(name), changes);
                }
            }
            self.prose(after, None, number);
            before = after;
        }
    }

    /// The names in a line of prose that no other word looks like: `a_b`. `code`: what of the line is no prose.
    fn prose(&mut self, line: &str, code: Option<&str>, number: usize) {
        for (at, word) in words(line).filter(|(_, word)| word.trim_matches('_').contains('_')) {
            let is_code = code.is_some_and(|code| code.get(at..at + word.len()) == Some(word));
            if !is_code {
                let after = line.get(at + word.len()..).unwrap_or_default();
                let changes = says_change(line.get(..at).unwrap_or_default(), after).then_some(number);
                self.name(word, number, false, changes);
            }
        }
    }

    fn name(&mut self, name: &str, line: usize, plain: bool, changes: Option<usize>) {
        if name.len() < 3 || name.starts_with("__") || !is_identifier(name) || is_keyword(name) {
            return;
        }
        if let Some(known) = self.places.get(name).and_then(|at| self.found.names.get_mut(*at)) {
            known.plain &= plain;
            known.changes = known.changes.or(changes);
        } else if self.found.names.len() < MOST_NAMES {
            self.places.insert(name.to_owned(), self.found.names.len());
            self.found.names.push(Name { name: name.to_owned(), line, plain, changes });
        }
    }

    fn files_in(&mut self, line: &str) {
        let separators = |c: char| c.is_whitespace() || "`'\"()[]{}<>|,;*=".contains(c);
        for word in line.split(separators).filter(|word| word.contains('.') && word.len() <= 300) {
            // `tests/a.py::test_b` names a test in the file.
            let word = word.split("::").next().unwrap_or(word);
            let word = word.trim_start_matches("./").trim_end_matches(['.', ':', '!', '?']);
            let is_code = syntax::language(word).is_some_and(|language| language.lexis.is_some());
            if is_code && self.found.files.len() < MOST_FILES && self.files.insert(word.to_owned()) {
                self.found.files.push(word.to_owned());
            }
        }
    }
}

/// The marks of a fence and what stands behind them.
fn opening(line: &str) -> Option<(&str, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == mark).count();
    let (marks, tag) = line.split_at(length);
    (length >= 3 && !tag.contains('`')).then(|| (marks, tag.trim()))
}

fn language_of_tag(tag: &str) -> Option<&'static Language> {
    let tag = tag.split([' ', ',', '{', ':']).next().unwrap_or_default().to_ascii_lowercase();
    let known = |language: &&Language| language.name == tag || language.extensions.contains(&tag.as_str());
    LANGUAGES.iter().find(known).filter(|language| language.bodies.is_some())
}

/// Words before a name that is declared.
#[rustfmt::skip]
pub(super) const DECLARES: &[&str] = &[
    "class", "const", "def", "enum", "fn", "fun", "func", "function", "interface", "let", "macro_rules", "mod",
    "module", "object", "protocol", "record", "struct", "trait", "type",
];

/// Words of languages, which look like names.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "False", "None", "Self", "True", "abstract", "async", "await", "bool", "boolean", "class", "const", "def",
    "default", "dict", "elif", "else", "enum", "except", "export", "extends", "false", "finally", "float", "for",
    "from", "func", "function", "get", "if", "impl", "import", "int", "interface", "lambda", "len", "let", "list",
    "match", "mod", "new", "nil", "null", "print", "private", "public", "raise", "range", "return", "self", "set",
    "static", "str", "string", "struct", "super", "switch", "this", "throw", "trait", "true", "try", "type", "use",
    "var", "void", "while", "with", "yield",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

pub(super) fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// Has the word the form of a name: `a_b`, `aB`, `AbCd`?
pub(super) fn is_telling(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_case = inner.contains(|c: char| c.is_lowercase());
    inner.contains('_') || (has_case && inner.chars().skip(1).any(char::is_uppercase))
}

/// `Ab`, and more than one letter of each case or so: what languages call a type.
fn is_type(word: &str) -> bool {
    word.len() > 3 && word.starts_with(|c: char| c.is_uppercase()) && word.contains(|c: char| c.is_lowercase())
}

/// Words that say of what follows them closely that it changes.
#[rustfmt::skip]
const CHANGES_NEXT: &[&str] = &[
    "adapt", "alter", "amend", "change", "changes", "delete", "extend", "extends", "modifies", "modify", "patch",
    "refactor", "refactors", "remove", "removes", "rename", "replace", "replacement", "replaces", "rewrite", "update",
    "updates",
];
/// Words that say so of what stands before them.
#[rustfmt::skip]
const CHANGED: &[&str] = &[
    "is changed", "is extended", "is modified", "is removed", "is renamed", "is replaced", "is rewritten",
    "is updated", "must be changed", "must be extended", "must be modified", "must be updated", "must now",
    "now accepts", "now returns", "now takes", "will accept", "will be changed", "will be extended",
    "will be modified", "will be updated",
];

/// As many characters on either side of a name may say what becomes of it.
const CLAUSE: usize = 80;

/// Does a sentence say that the name between these two parts of it changes?
fn says_change(before: &str, after: &str) -> bool {
    // No more of a line is looked at than a clause takes.
    let start = before.char_indices().rev().take(CLAUSE).last().map_or(0, |(at, _)| at);
    let end = after.char_indices().nth(CLAUSE).map_or(after.len(), |(at, _)| at);
    let (before, after) = (before.get(start..).unwrap_or_default(), after.get(..end).unwrap_or_default());
    let sentence = before.rsplit(['.', ';', ':', '|']).next().unwrap_or_default().to_lowercase();
    let close = |word: &str| CHANGES_NEXT.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()));
    // "Update the existing function `x`", not "update the table that `x` reads".
    let near = sentence.split_whitespace().rev().take(4);
    let joins =
        |word: &&str| !matches!(*word, "that" | "which" | "by" | "in" | "from" | "with" | "via" | "using" | "of");
    if near.take_while(joins).any(close) {
        return true;
    }
    let after = after.trim_start().trim_start_matches("()").trim_start().to_lowercase();
    CHANGED.iter().any(|words| after.starts_with(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(design: &str) -> Vec<String> {
        let mark = |name: &Name| if name.plain { "?" } else { "" };
        words_of(&[design]).names.iter().map(|name| format!("{}{}", name.name, mark(name))).collect()
    }

    #[test]
    fn names_are_those_of_code_spans_and_of_what_pieces_of_code_declare_call_and_type() {
        let design = "Call `load_all` and `emit`, `emit_now()`, `Store.get_one`, `a/b.py` of plain words.\n\n\
                      ```python\ndef run(path: Path) -> Result:\n    value = make(path)  # call_no\n    self.other_one(3)\n```\n";
        assert_eq!(
            names(design),
            [
                "load_all",
                "emit?",
                "emit_now",
                "Store?",
                "get_one",
                "run?",
                "Path?",
                "Result?",
                "make?",
                "call_no",
                "other_one"
            ]
        );
    }

    #[test]
    fn what_is_no_code_has_no_names() {
        assert_eq!(names("Some words here and more.\n\n```text\ncall_this()\n```\n"), [""; 0]);
    }

    #[test]
    fn a_sentence_says_what_changes_and_other_sentences_do_not() {
        let design = "Modify `one_a` so.\nUse `two_a` to update it.\nUpdate the table by `three_a`.\n`four_a()` is extended.\n\
                      - **Change** the function `five_a(x, y)`.\n";
        let found = words_of(&[design]).names;
        let changed: Vec<(&str, Option<usize>)> = found.iter().map(|name| (&*name.name, name.changes)).collect();
        let want = [("one_a", Some(1)), ("two_a", None), ("three_a", None), ("four_a", Some(4)), ("five_a", Some(5))];
        assert_eq!(changed, want);
    }

    #[test]
    fn names_that_look_like_no_other_word_count_in_prose_and_in_remarks_too() {
        let design = "Call load_all, not loadOne.\n\n```python\ndef run_it(some_path):\n    \"\"\"Replacement for the old_one.\"\"\"\n```\n";
        assert_eq!(names(design), ["load_all", "run_it", "old_one"]);
        let changed = words_of(&[design]).names.iter().map(|name| name.changes).collect::<Vec<_>>();
        assert_eq!(changed, [None, None, Some(5)]);
    }

    #[test]
    fn files_are_named_in_prose_and_in_code() {
        let design =
            "See `src/a.py`, b.ts and tests/c.py::test_d.\n\n```bash\npytest tests/e.py\n```\nNot v1.2 or f.md.\n";
        assert_eq!(words_of(&[design]).files, ["src/a.py", "b.ts", "tests/c.py", "tests/e.py"]);
    }
}
