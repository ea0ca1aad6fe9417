//! Python, by ruff's parser: the newest grammar, which takes older code (of Python 3) as well.
//!
//! What the compiler refuses after parsing (`return` outside of a function) is not seen here.

use super::{MAX_ERRORS, Parsed, Parser, SyntaxError, Trust, wording};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};

pub(in crate::syntax) const PARSER: Parser = Parser { trust: Trust::Error, parse, stack_per_token: 2000, links: None };

fn parse(_path: &str, text: &str) -> Parsed {
    let first = text.lines().next().unwrap_or("");
    if first.starts_with("#!") && first.contains("python2") {
        return Parsed::NotApplicable("it is Python 2");
    }
    let errors = errors(text);
    if errors.is_empty() {
        return Parsed::Clean;
    }
    if is_python2(text, &errors) {
        return Parsed::NotApplicable("it is Python 2");
    }
    Parsed::Broken(errors.into_iter().take(MAX_ERRORS).collect())
}

fn errors(text: &str) -> Vec<SyntaxError> {
    // Errors of the language's version (`unsupported_syntax_errors`) are kept apart by ruff, and are not ours to judge.
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    if parsed.errors().is_empty() {
        return Vec::new();
    }
    // There may be as many errors as there are tokens.
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let error = |error: &ruff_python_parser::ParseError| {
        let start = usize::from(error.location.start());
        SyntaxError { line: ends.partition_point(|end| *end < start) + 1, message: wording(&error.error.to_string()) }
    };
    parsed.errors().iter().take(MAX_ERRORS_OF_PYTHON2 + 1).map(error).collect()
}

/// What Python 2 has not, and what would make a `print` without brackets a slip.
const PYTHON3: &[&str] = &[
    "f\"",
    "f'",
    "async def ",
    "await ",
    ") ->",
    "nonlocal ",
    " from None",
    "super()",
    "__future__ import annotations",
];

/// Rounds of rewriting: a statement over several lines shows its next error only then.
const ROUNDS: usize = 3;
/// Longer texts are not tried again for it.
const MAX_ERRORS_OF_PYTHON2: usize = 5_000;

/// Is all that is wrong with the text what only Python 2 allows? Then it is right once that is rewritten.
fn is_python2(text: &str, errors_: &[SyntaxError]) -> bool {
    if errors_.len() > MAX_ERRORS_OF_PYTHON2 || PYTHON3.iter().any(|mark| text.contains(mark)) {
        return false;
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut wrong: Vec<usize> = errors_.iter().map(|error| error.line).collect();
    for _ in 0..ROUNDS {
        wrong.dedup();
        let mut rewritten = false;
        for number in &wrong {
            let Some(line) = lines.get_mut(number.saturating_sub(1)) else { continue };
            let new = rewrite(line);
            rewritten |= new != *line;
            *line = new;
        }
        if !rewritten {
            return false;
        }
        wrong = errors(&lines.join("\n")).iter().map(|error| error.line).collect();
        if wrong.is_empty() {
            return true;
        }
    }
    false
}

/// A line of Python 2 as one that Python 3 takes, of whatever meaning.
fn rewrite(line: &str) -> String {
    let start = line.len() - line.trim_start().len();
    let (indent, code) = line.split_at(start);
    let mut code = code.to_owned();
    for word in ["print", "exec", "raise"] {
        let statement =
            |rest: &str| rest.starts_with([' ', '\t', '"', '\'', '>']) && !rest.trim_start().starts_with('=');
        if code.strip_prefix(word).is_some_and(statement) {
            code.replace_range(..word.len(), "_ =");
        }
        for before in [": ", "; ", ":", ";"] {
            let (old, new) = (format!("{before}{word} "), format!("{before}_ = "));
            code = code.replace(&old, &new);
        }
    }
    code =
        code.replace("= >>", "= ").replace("=>>", "= ").replace("<>", "!=").replace("ur\"", "r\"").replace("ur'", "r'");
    format!("{indent}{}", modern_numbers(&code))
}

/// `0777` and `10L` without what Python 3 refuses.
fn modern_numbers(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut in_word = false;
    let mut letters = code.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let octal = letter == '0' && !in_word && next.is_some_and(|next| next.is_ascii_digit());
        let long = matches!(letter, 'l' | 'L')
            && in_word
            && out.ends_with(|c: char| c.is_ascii_hexdigit())
            && !next.is_some_and(|next| next.is_alphanumeric() || next == '_');
        in_word = letter.is_alphanumeric() || letter == '_' || letter == '.';
        if octal {
            out.push('1');
        } else if !long {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_2_is_known_by_what_it_alone_allows() {
        for text in [
            "print 'a'\n",
            "if a: print 'b' % c,\nelse: print >>d, e\n",
            "try:\n    a()\nexcept B, e:\n    raise C, 'd'\n",
            "import os\nos.chmod(a, 0755)\nb = 10L\nif b <> 0xFFL: exec a in b\n",
            "print 'a', \\\n    'b'\n",
        ] {
            assert_eq!(parse("a.py", text), Parsed::NotApplicable("it is Python 2"), "{text}");
        }
    }

    #[test]
    fn a_slip_in_python_3_stays_one() {
        for text in [
            "a = f'{b}'\nprint a\n",
            "def a() -> None:\n    print 'b'\n",
            "print 'a'\nb = (\n",
            "foo bar\n",
            "printer 'a'\n",
            "print = 'a' 1\n",
        ] {
            assert!(matches!(parse("a.py", text), Parsed::Broken(_)), "{text}");
        }
    }
}
