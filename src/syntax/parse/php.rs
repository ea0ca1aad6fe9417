//! PHP, by tree-sitter. It is as good a judge as the native ones here, and builds in a tenth of their time. What it does
//! not know is looked at once more, written otherwise.

use super::words::replace_words;
use super::{Parsed, Parser, broken, tree};

pub(in crate::syntax) const PARSER: Parser = tree::parser(parse);

fn parse(_path: &str, text: &str) -> Parsed {
    if has_text_before_first_statement(text) {
        return broken(1, "nothing may stand before a file's namespace or strict types");
    }
    tree::parse_or(tree_sitter_php::LANGUAGE_PHP, text, |text| Some(plain(text)))
}

/// Words that the grammar knows as types of casts or as values wherever they stand, and that are names of classes and
/// constants where they are not in brackets of their own.
const NAMES: &[&str] =
    &["binary", "boolean", "double", "false", "float", "integer", "null", "object", "real", "string", "true", "unset"];

/// The text as older PHP would have it: other names, one value for each `echo`, texts that end on lines of their own.
fn plain(text: &str) -> String {
    let text = replace_words(text, |before, word, after| {
        let is_name = after.starts_with("::")
            || before.ends_with("::")
            || before.ends_with("const ")
            || before.ends_with("case ")
            || before.ends_with("new ");
        let is_known = is_name && NAMES.iter().any(|name| name.eq_ignore_ascii_case(word));
        // Within a string, too.
        let is_property = before.ends_with("->") && word == "class";
        (is_known || is_property).then(|| format!("{}_", &word[..word.len() - 1]))
    });
    ended_heredocs(&text.replace("<?= ", "<?php echo ").replace("\\0", "  "))
}

/// Since PHP 7.3 code may follow the name that ends a text. The texts are left out.
fn ended_heredocs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut name: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start();
        match name.and_then(|name| rest.strip_prefix(name)) {
            Some(rest) if !rest.starts_with(is_word) => {
                out.push_str(&line[..line.len() - rest.len()]);
                out.push('\n');
                out.push_str(rest);
                name = opened(rest);
            }
            // What stands in the text is put out as it is, for the most part.
            _ if name.is_some() => out.push('\n'),
            _ => {
                out.push_str(line);
                name = opened(line);
            }
        }
    }
    out
}

/// The name that will end the text that begins on this line.
fn opened(line: &str) -> Option<&str> {
    let (_, rest) = line.rsplit_once("<<<")?;
    let name = rest.trim().trim_matches(['"', '\'']);
    (!name.is_empty() && name.chars().all(is_word)).then_some(name)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What stands before `<?php` is put out as it is, and then it is too late for statements that must come first.
fn has_text_before_first_statement(text: &str) -> bool {
    let Some((before, code)) = text.split_once("<?php") else { return false };
    let before = if before.starts_with("#!") { before.split_once('\n').map_or("", |(_, rest)| rest) } else { before };
    let first = |line: &str| line.starts_with("namespace ") || line.starts_with("declare(strict_types");
    !before.is_empty() && !before.contains("<?") && code.lines().take_while(|line| !line.contains("?>")).any(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_grammar_does_not_know_is_right_all_the_same() {
        for text in [
            "<?php\nclass A { const NULL = 1; function b() { return self::NULL; } }\n",
            "<?php\n$a = [f($b, Binary::c()), (integer) $d, new Integer(1)];\n",
            "<p><?= $a, ' ', $b ?></p>\n",
            "<?php\nf(<<<EOT\n  a\n  EOT, 2);\n$b = [<<<'X'\nEOTX\nX];\n",
            "<?php\n$a[] = \"\\0$b->c\\0$d\";\n",
        ] {
            assert_eq!(parse("a.php", text), Parsed::Clean, "{text}");
        }
    }

    #[test]
    fn what_is_broken_beside_it_stays_so() {
        for text in [
            "<?php\nclass A { const NULL = ; }\n",
            "<?php\n$a = [f($b, Binary::c(), 1];\n",
            "<p><?= $a, ' ' $b ?></p>\n",
            "<?php\nf(<<<EOT\n  a\n  EOT, 2;\n",
        ] {
            assert!(matches!(parse("a.php", text), Parsed::Broken(_)), "{text}");
        }
    }
}
