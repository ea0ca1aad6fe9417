//! XML and the formats that are XML, by roxmltree: well-formed, and its prefixes declared.

use super::{Parsed, Parser, Trust, broken};
use crate::syntax::extension;
use roxmltree::{Document, Error, ParsingOptions};

pub(in crate::syntax) const PARSER: Parser = Parser { trust: Trust::Error, parse, stack_per_token: 0, links: None };

/// Suffixes of files that others put into documents of theirs: several elements may stand in one, side by side, and the
/// document declares the prefixes.
const FRAGMENTS: &[&str] = &["xml", "props", "targets", "xaml", "axaml"];

/// Prefixes that each file declares which uses them: without it their names are lost.
const OF_THEIR_OWN: &[&str] = &["android", "app", "tools", "xlink", "xs", "xsd", "xsi", "xsl"];

/// Entities of HTML that people write where nobody declared them. Names of their own stand for something that a program
/// knows which puts documents together.
const OF_HTML: &[&str] = &[
    "nbsp", "copy", "reg", "trade", "mdash", "ndash", "hellip", "laquo", "raquo", "ldquo", "rdquo", "lsquo", "rsquo",
    "bull", "middot", "times", "deg", "euro", "rarr", "larr", "auml", "ouml", "uuml", "szlig", "eacute", "egrave",
    "agrave", "aacute", "oslash", "aring", "ccedil", "ntilde",
];

fn parse(path: &str, text: &str) -> Parsed {
    let Err(error) = document(text) else { return Parsed::Clean };
    let declared_elsewhere = Parsed::NotApplicable("its entities are declared elsewhere");
    match &error {
        Error::UnknownEntityReference(name, _)
            if text.contains("<!DOCTYPE") || text.contains("<!ENTITY") || is_project_entity(path, name) =>
        {
            return declared_elsewhere;
        }
        Error::UnknownToken(at) if text.lines().nth(at.row as usize - 1).is_some_and(is_parameter_entity) => {
            return declared_elsewhere;
        }
        Error::NodesLimitReached | Error::AttributesLimitReached | Error::NamespacesLimitReached => {
            return Parsed::Unknown("it is too large".to_owned());
        }
        _ if declaration(text).is_some_and(|it| it.contains("version=\"1.1\"") || it.contains("version='1.1'")) => {
            return Parsed::NotApplicable("it is XML 1.1");
        }
        Error::UnknownNamespace(..) if extension(path) == "svg" && is_right_with_prefixes(text) => {
            return Parsed::Clean;
        }
        _ => {}
    }
    let message = error.to_string();
    let message = message.rsplit_once(" at ").map_or(message.as_str(), |(message, _)| message);
    match broken(error.pos().row as usize, message) {
        Parsed::Broken(errors) if FRAGMENTS.contains(&extension(path).as_str()) => {
            match is_right_with_prefixes(text) || is_fragment(text) {
                true => Parsed::Lenient(errors),
                false => Parsed::Broken(errors),
            }
        }
        parsed => parsed,
    }
}

fn document(text: &str) -> Result<Document<'_>, Error> {
    Document::parse_with_options(text, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
}

/// What stands in `<?xml … ?>`.
fn declaration(text: &str) -> Option<&str> {
    text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map(|(declaration, _)| declaration)
}

fn is_project_entity(path: &str, name: &str) -> bool {
    extension(path) == "xml" && !OF_HTML.contains(&name)
}

/// `%name;`, which the parser does not know: what it stands for lies in another file.
fn is_parameter_entity(line: &str) -> bool {
    line.trim_start().starts_with('%') && line.trim_end().ends_with(';')
}

/// Is everything right but for prefixes that nobody declared? Drawing programs leave elements of their own behind when
/// their declarations are thrown away, and viewers pass over those.
fn is_right_with_prefixes(text: &str) -> bool {
    let Some(declared) = declarations(text) else { return false };
    let root = text.match_indices('<').map(|(at, _)| at + 1).find(|at| text[*at..].starts_with(char::is_alphabetic));
    let Some(root) = root.filter(|_| !declared.is_empty()) else { return false };
    let end =
        text[root..].find(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).map_or(text.len(), |at| root + at);
    document(&format!("{}{declared}{}", &text[..end], &text[end..])).is_ok()
}

/// Declarations of the prefixes that the text uses and does not declare; `None` where those are too many.
fn declarations(text: &str) -> Option<String> {
    let names = text.split(['<', ' ', '\n', '\t', '\r']).filter(|piece| piece.contains(':'));
    let names = names.map(|piece| piece.trim_start_matches('/').split(['=', '>', '/', '"', '\'']).next().unwrap_or(""));
    let mut prefixes: Vec<&str> = names.filter_map(|name| name.split_once(':')).map(|(prefix, _)| prefix).collect();
    prefixes.sort_unstable();
    prefixes.dedup();
    prefixes.retain(|prefix| is_name(prefix) && !prefix.starts_with("xml") && !OF_THEIR_OWN.contains(prefix));
    if prefixes.len() > MAX_PREFIXES {
        return None;
    }
    prefixes.retain(|prefix| !text.contains(&format!("xmlns:{prefix}=")));
    Some(prefixes.iter().map(|prefix| format!(" xmlns:{prefix}=\"{prefix}\"")).collect())
}

/// More of them nobody forgets to declare.
const MAX_PREFIXES: usize = 20;

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
}

/// Elements side by side, and neither a word between them nor one that is not closed.
fn is_fragment(text: &str) -> bool {
    let text = text.trim();
    let inner = match declaration(text) {
        Some(declaration) => text.get("<?xml".len() + declaration.len() + "?>".len()..).unwrap_or(""),
        None => text,
    };
    let wrapped = format!("<a{}>{inner}</a>", declarations(inner).unwrap_or_default());
    let Ok(document) = document(&wrapped) else { return false };
    let children = || document.root_element().children();
    let says_nothing = |text: &str| text.trim().is_empty();
    children().all(|child| !child.is_text() || child.text().is_none_or(says_nothing))
        && children().filter(|child| child.is_element()).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_broken(path: &str, text: &str) -> bool {
        matches!(parse(path, text), Parsed::Broken(_))
    }

    #[test]
    fn a_drawing_may_keep_elements_of_the_program_that_drew_it() {
        let text = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n  <ed:view id=\"a\"/>\n  <g ed:label=\"b\"/>\n</svg>\n";
        assert_eq!(parse("a.svg", text), Parsed::Clean);
        assert!(is_broken("a.svg", &text.replace("</svg>", "")));
        assert!(is_broken("a.svg", &text.replace("ed:view", "ed:view <")));
        assert!(is_broken("a.svg", "<svg xmlns=\"b\"><use xlink:href=\"#c\"/></svg>"));
        assert!(matches!(parse("a.xml", text), Parsed::Lenient(_)));
        assert!(is_broken("a.xml", "<a><b android:id=\"c\"/></a>"));
        assert!(is_broken("a.csproj", text));
    }

    #[test]
    fn entities_of_a_project_are_declared_elsewhere_and_those_of_html_are_not_there() {
        assert!(matches!(parse("a.xml", "<a>&our.intro;</a>"), Parsed::NotApplicable(_)));
        assert!(is_broken("a.xml", "<a>b&nbsp;c</a>"));
        assert!(is_broken("a.csproj", "<a>&our.intro;</a>"));
        let subset = "<!DOCTYPE a [\n<!ENTITY % b SYSTEM \"b.ent\">\n%b;\n]>\n<a/>\n";
        assert!(matches!(parse("a.xml", subset), Parsed::NotApplicable(_)));
    }

    #[test]
    fn elements_side_by_side_are_a_fragment_where_such_are_included() {
        assert!(matches!(parse("a.props", "<!-- b -->\n<c>d</c>\n<e/>\n"), Parsed::Lenient(_)));
        assert!(matches!(parse("a.xaml", "<B x:Key=\"c\"/>\n<B y:D=\"c\">d</B>\n"), Parsed::Lenient(_)));
        for text in ["Here it is:\n<c>d</c>\n<e/>\n", "<c>d</c>\n<e>\n", "<c>d</c>\n</c>\n", "<c>d</c>\nso far\n<e/>\n"]
        {
            assert!(is_broken("a.xml", text), "{text}");
        }
        assert!(is_broken("a.svg", "<c/>\n<e/>\n"));
    }
}
