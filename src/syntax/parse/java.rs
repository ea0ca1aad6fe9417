//! Java, by tree-sitter.

use super::{Parsed, Parser, tree};

pub(in crate::syntax) const PARSER: Parser = tree::parser(parse);

fn parse(_path: &str, text: &str) -> Parsed {
    match tree::parse(tree_sitter_java::LANGUAGE, text) {
        Parsed::Broken(errors) => {
            match plain_varargs(text).map(|text| tree::parse(tree_sitter_java::LANGUAGE, &text)) {
                Some(Parsed::Clean) => Parsed::Clean,
                _ => Parsed::Broken(errors),
            }
        }
        parsed => parsed,
    }
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
    use super::plain_varargs;

    #[test]
    fn annotations_before_an_ellipsis_are_blanked_and_nothing_else() {
        let text = "void f(@A String @org.b.C ... x) { g(\"@D\", ...); }";
        let plain = "void f(@A String          ... x) { g(\"@D\", ...); }";
        assert_eq!(plain_varargs(text).as_deref(), Some(plain));
        assert_eq!(plain_varargs("f(String... a) @B"), None);
    }
}
