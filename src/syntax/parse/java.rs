//! Java, by tree-sitter, with a second look at what its grammar does not know.

use super::words::replace_words;
use super::{Parsed, Parser, tree};

pub(in crate::syntax) const PARSER: Parser = tree::parser(parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse_or(tree_sitter_java::LANGUAGE, text, plain)
}

/// What the grammar does not know, written as it knows it. `None` if there is nothing of that.
fn plain(text: &str) -> Option<String> {
    let renamed = renamed(text);
    plain_varargs(&renamed).or_else(|| (renamed != text).then_some(renamed))
}

/// `when` is a word of the language between a pattern and its condition alone, and a name everywhere else. A pattern's type
/// may have dots in it.
fn renamed(text: &str) -> String {
    let named = replace_words(text, |before, word, after| {
        let next = after.trim_start().chars().next().unwrap_or(' ');
        let is_name = before.ends_with('.') || ".;,)=]:+-*/<>&|?".contains(next);
        (word == "when" && is_name).then(|| "wheN".to_owned())
    });
    let named = plain_cases(&named);
    let mut out = String::with_capacity(named.len());
    for piece in named.split_inclusive("instanceof ") {
        let name = piece.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').next().unwrap_or("");
        match piece[name.len()..].starts_with('(') {
            true => out.push_str(&name.replace('.', "_")),
            false => out.push_str(name),
        }
        out.push_str(&piece[name.len()..]);
    }
    out
}

/// The grammar does not know annotations of what a case declares (`case @A("b") C d ->`).
fn plain_cases(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, piece) in text.split("case @").enumerate() {
        if at == 0 {
            out.push_str(piece);
            continue;
        }
        let name = piece.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(piece.len());
        let values = piece[name..].strip_prefix('(').and_then(|values| values.find(')')).map_or(0, |end| end + 2);
        out.push_str("case ");
        out.push_str(&piece[name + values..]);
    }
    out
}

/// The grammar does not know annotations between a type and its `...` (`String @Nullable ... names`): the text without
/// them, every other byte where it was. `None` if there are none.
fn plain_varargs(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    for piece in text.split_inclusive("...") {
        let Some(before) = piece.strip_suffix("...") else {
            plain.push_str(piece);
            continue;
        };
        let word = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or("");
        let name = word.strip_prefix('@').filter(|name| !name.is_empty());
        match name.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')) {
            Some(_) => {
                let kept = before.trim_end().len() - word.len();
                plain.push_str(before.get(..kept).unwrap_or(before));
                plain.extend(std::iter::repeat_n(' ', before.len() - kept));
            }
            None => plain.push_str(before),
        }
        plain.push_str("...");
    }
    (plain != text).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_before_an_ellipsis_are_blanked_and_nothing_else() {
        let text = "void f(@A String @org.b.C ... x) { g(\"@D\", ...); }";
        let plain = "void f(@A String          ... x) { g(\"@D\", ...); }";
        assert_eq!(plain_varargs(text).as_deref(), Some(plain));
        assert_eq!(plain_varargs("f(String... a) @B"), None);
    }

    #[test]
    fn when_is_a_name_where_it_is_no_condition() {
        for text in [
            "class A { int when; int b(A when) { int c = when.when + 1; when = 2; return f(when); } }",
            "class A { int b(Object o) { return switch (o) { case C(var d) when d > 0 -> d; default -> 0; }; } }",
            "class A { boolean b(Object o) { return o instanceof B.C(int d) && d > 0; } }",
            "class A { void b(Object o) { switch (o) { case @C(\"d\") E.F g -> h(); default -> i(); } } }",
        ] {
            assert_eq!(parse("a.java", text), Parsed::Clean, "{text}");
        }
        for text in ["class A { int when b; }", "class A { int b(A when { return 1; } }", "class A { int b = when.; }"]
        {
            assert!(matches!(parse("a.java", text), Parsed::Broken(_)), "{text}");
        }
    }
}
