//! PHP, by tree-sitter. It is as good a judge as the native ones here, and builds in a tenth of their time.

use super::{Parsed, Parser, broken, tree};

pub(in crate::syntax) const PARSER: Parser = tree::parser(parse);

fn parse(_path: &str, text: &str) -> Parsed {
    if has_text_before_first_statement(text) {
        return broken(1, "nothing may stand before a file's namespace or strict types");
    }
    tree::parse(tree_sitter_php::LANGUAGE_PHP, text)
}

/// What stands before `<?php` is put out as it is, and then it is too late for statements that must come first.
fn has_text_before_first_statement(text: &str) -> bool {
    let Some((before, code)) = text.split_once("<?php") else { return false };
    let before = if before.starts_with("#!") { before.split_once('\n').map_or("", |(_, rest)| rest) } else { before };
    let first = |line: &str| line.starts_with("namespace ") || line.starts_with("declare(strict_types");
    !before.is_empty() && !before.contains("<?") && code.lines().take_while(|line| !line.contains("?>")).any(first)
}
