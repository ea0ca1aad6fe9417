//! Rust, by syn.

use super::{Parsed, Parser, Trust, broken};
use proc_macro2::{Delimiter, TokenStream, TokenTree, token_stream::IntoIter};

pub(in crate::syntax) const PARSER: Parser =
    Parser { trust: Trust::Error, parse, stack_per_token: 8000, links: Some(links) };

fn parse(_path: &str, text: &str) -> Parsed {
    if has_frontmatter(text) {
        return Parsed::NotApplicable("it is a cargo script with frontmatter");
    }
    match syn::parse_file(text) {
        Ok(_) => Parsed::Clean,
        Err(error) => broken(error.span().start().line.max(1), &error.to_string()),
    }
}

fn has_frontmatter(text: &str) -> bool {
    text.lines()
        .find(|line| !line.starts_with("#!") && !line.trim().is_empty())
        .is_some_and(|line| line.starts_with("---"))
}

/// One open group of tokens.
struct Open {
    rest: IntoIter,
    /// Tokens since the last end of a statement or `,`.
    since: usize,
    /// Tokens before a `,` that what follows it may still lie in: those up to a `<` or `|`.
    kept: usize,
    /// The last token was a block.
    after_block: bool,
}

/// The most tokens that can be nested in one another or chained at any place: over all groups open there, those since
/// the last end of a statement.
fn links(text: &str) -> Option<usize> {
    let group = |stream: TokenStream| Open { rest: stream.into_iter(), since: 0, kept: 0, after_block: false };
    let mut open = vec![group(text.parse().ok()?)];
    let (mut total, mut most) = (0, 0);
    while let Some(top) = open.last_mut() {
        let before = top.since + top.kept;
        let Some(token) = top.rest.next() else {
            total -= before;
            open.pop();
            continue;
        };
        if top.after_block && begins_statement(&token) {
            (top.since, top.kept) = (0, 0);
        }
        match &token {
            TokenTree::Punct(punct) => match punct.as_char() {
                ';' => (top.since, top.kept) = (0, 0),
                ',' => top.since = 0,
                // Weighs more than one token: a parser takes more than one function for it.
                '<' | '|' => (top.since, top.kept) = (0, top.kept + top.since + 3),
                _ => top.since += 1,
            },
            _ => top.since += 1,
        }
        top.after_block = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        total = total + top.since + top.kept - before;
        if let TokenTree::Group(inner) = token {
            open.push(group(inner.stream()));
        }
        most = most.max(total + open.len());
    }
    Some(most)
}

/// Can `token` after a block only begin something new?
fn begins_statement(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => word != "else" && word != "as" && word != "in",
        TokenTree::Punct(punct) => punct.as_char() == '#',
        TokenTree::Literal(_) => true,
        TokenTree::Group(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::links;

    #[test]
    fn statements_items_and_elements_do_not_add_up_and_nesting_does() {
        assert!(links(&"const A: u32 = 1;\n".repeat(1000)).is_some_and(|links| links < 20));
        assert!(links(&"fn a() { b(); }\n".repeat(1000)).is_some_and(|links| links < 20));
        assert!(links(&format!("const A: [u8; 9] = [{}];", "1, ".repeat(1000))).is_some_and(|links| links < 30));
        for chain in ["-", "1 + ", "|a, b| ", "A<B, ", "&&A<B, ", "if a {} else ", "a as ", "A {} in ", "a = "] {
            assert!(
                links(&format!("fn f() {{ {} }}", chain.repeat(1000))).is_some_and(|links| links >= 1000),
                "{chain}"
            );
        }
        let nested = format!("{}{}", "{ a; (b, ".repeat(1000), ") }".repeat(1000));
        assert!(links(&nested).is_some_and(|links| links >= 2000));
        assert_eq!(links("("), None);
    }
}
