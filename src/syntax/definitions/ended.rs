//! Bodies up to `end`: Ruby, Elixir, Lua. The `end` of a head is the next one that is indented as it is.

use super::{Definition, DefinitionKind, name_at};

pub(super) fn definitions(code: &str) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let content = line.trim_end();
        let first = content.trim_start();
        let indentation = content.len() - first.len();
        if first.is_empty() {
            continue;
        }
        let is_end =
            first == "end" || first.starts_with("end)") || first.starts_with("end,") || first.starts_with("end;");
        if is_end {
            while let Some((of, deep)) = open.pop() {
                if deep < indentation {
                    open.push((of, deep));
                    break;
                }
                if let Some(definition) = found.get_mut(of) {
                    definition.range.end = end;
                    definition.body.end = start.max(definition.body.start);
                }
                if deep == indentation {
                    break;
                }
            }
            continue;
        }
        let Some((name, kind)) = head(first) else { continue };
        let range = start..end;
        // All on one line: `def a = 1`, `def a; 1; end`, `def a, do: 1`.
        let alone = first.ends_with(" end") || first.ends_with(";end") || first.contains(", do:") || is_endless(first);
        let body = if alone { start + indentation..end } else { end..end };
        found.push(Definition { name, kind, range, body });
        if !alone {
            open.push((found.len() - 1, indentation));
        }
    }
    // What has no end is not known to be a definition.
    let unended: Vec<usize> = open.into_iter().map(|(of, _)| of).collect();
    let mut number = 0;
    found.retain(|_| {
        number += 1;
        !unended.contains(&(number - 1))
    });
    found
}

fn head(line: &str) -> Option<(String, DefinitionKind)> {
    const FUNCTIONS: &[&str] = &["def", "defp", "defmacro", "defmacrop", "function", "local function"];
    const TYPES: &[&str] = &["class", "module", "defmodule", "defprotocol", "defimpl"];
    let after = |word: &str| line.strip_prefix(word).filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim_start);
    let (rest, kind) = (FUNCTIONS.iter().find_map(|word| after(word)).map(|rest| (rest, DefinitionKind::Function)))
        .or_else(|| TYPES.iter().find_map(|word| after(word)).map(|rest| (rest, DefinitionKind::Type)))?;
    // `self.a`, `A::B`, `a.b:c`.
    let end = rest.find(|c: char| !(c.is_alphanumeric() || "_.:?!=".contains(c))).unwrap_or(rest.len());
    let whole = rest.get(..end)?.trim_end_matches(['=', ':', '.']);
    let name = whole.rsplit(['.', ':']).next().and_then(name_at)?;
    Some((name.to_owned(), kind))
}

/// `def a(b) = c`, but not `def a=(b)` nor `def a(b = c)`.
fn is_endless(line: &str) -> bool {
    line.starts_with("def ") && {
        let after = line.rfind(')').map_or(line, |at| line.get(at + 1..).unwrap_or(""));
        after.trim_start().starts_with("= ") || (!line.contains('(') && line.contains(" = "))
    }
}
