//! Faults as they are told: to a model with the lines that are meant.

use super::Fault;
use std::collections::BTreeSet;

/// Faults that are told at once.
const MOST: usize = 20;
/// Lines that are shown before the one that is meant, and after it.
const AROUND: usize = 2;

/// What was found in one file, whose text is `text`.
pub fn for_model(faults: &[Fault], text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    for fault in faults.iter().take(MOST) {
        if !out.is_empty() {
            out.push('\n');
        }
        match fault.line.filter(|line| (1..=lines.len()).contains(line)) {
            Some(line) => {
                out.push_str(&format!("{}: line {line}: {}\n", fault.by, fault.text));
                let first = line.saturating_sub(AROUND).max(1);
                let shown = (first..=(line + AROUND).min(lines.len())).filter_map(|n| Some((n, lines.get(n - 1)?)));
                shown.for_each(|(n, line)| out.push_str(&format!("{n:5} | {line}\n")));
            }
            None => out.push_str(&format!("$ {}\n{}\n", fault.by, fault.text)),
        }
    }
    if faults.len() > MOST {
        out.push_str(&format!("\n... and {} more\n", faults.len() - MOST));
    }
    out
}

/// Names, each once, in order.
pub fn named_once(names: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.iter().filter(|name| seen.insert(name.as_str())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_with_its_neighbours_and_a_command_with_its_words() {
        let fault =
            |by: &str, line, text: &str| Fault { by: by.into(), paths: vec![], line, text: text.into(), before: false };
        let told =
            for_model(&[fault("pyright", Some(2), "x is not y"), fault("pytest -q", None, "1 failed")], "a\nb\nc\n");
        assert_eq!(told, "pyright: line 2: x is not y\n    1 | a\n    2 | b\n    3 | c\n\n$ pytest -q\n1 failed\n");
        let many = vec![fault("p", None, "x"); 23];
        assert!(for_model(&many, "").ends_with("... and 3 more\n"));
        assert_eq!(named_once(&["b".into(), "a".into(), "b".into()]), ["b", "a"]);
    }
}
