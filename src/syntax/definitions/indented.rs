//! Bodies by indentation: Python.

use super::{Definition, DefinitionKind, name_at};

pub(super) fn definitions(text: &str, code: &str) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    // Definitions that are not ended yet, with their indentation; and of the last one how deep in brackets its head is.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let (mut at, mut last_end, mut depth) = (0, 0, 0isize);
    let mut in_head = false;
    for line in code.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let content = line.trim_end();
        let first = content.trim_start();
        if first.is_empty() {
            // A remark alone belongs to what is round it, and neither begins nor ends anything.
            continue;
        }
        // Within a string of several lines nothing begins or ends.
        let in_string = content.starts_with('_') && !text.get(start..).is_some_and(|rest| rest.starts_with('_'));
        let indentation = content.len() - first.len();
        if !in_string && depth <= 0 && !in_head {
            while open.last().is_some_and(|(_, deep)| *deep >= indentation) {
                close(&mut found, open.pop(), last_end);
            }
            if let Some((name, kind)) = head(first)
                && let Some(name) = name_at(name)
            {
                found.push(Definition { name: name.to_owned(), kind, range: start..end, body: end..end });
                open.push((found.len() - 1, indentation));
                in_head = true;
            }
        }
        if !in_string {
            depth = (depth + balance(first)).max(0);
        }
        if in_head && depth == 0 {
            in_head = false;
            if let Some(definition) = found.last_mut() {
                // `def a(): return 1` has its body on the line.
                let colon = first.rfind(':').filter(|colon| !first.get(colon + 1..).unwrap_or("").trim().is_empty());
                let inline = colon.filter(|_| !first.ends_with(':')).map(|colon| start + indentation + colon + 1);
                definition.body = inline.unwrap_or(end)..end;
            }
        }
        last_end = end;
    }
    while let Some(of) = open.pop() {
        close(&mut found, Some(of), last_end);
    }
    found
}

fn close(found: &mut [Definition], of: Option<(usize, usize)>, end: usize) {
    if let Some(definition) = of.and_then(|(of, _)| found.get_mut(of)) {
        definition.range.end = end.max(definition.range.end);
        definition.body.end = end.max(definition.body.start);
    }
}

fn head(line: &str) -> Option<(&str, DefinitionKind)> {
    let line = line.strip_prefix("async ").map_or(line, str::trim_start);
    let after = |word: &str| line.strip_prefix(word).filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim_start);
    after("def")
        .map(|rest| (rest, DefinitionKind::Function))
        .or_else(|| after("class").map(|rest| (rest, DefinitionKind::Type)))
}

fn balance(line: &str) -> isize {
    line.bytes().fold(0, |open, byte| match byte {
        b'(' | b'[' | b'{' => open + 1,
        b')' | b']' | b'}' => open - 1,
        _ => open,
    })
}
