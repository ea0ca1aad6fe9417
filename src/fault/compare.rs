//! Two looks at the same files: was what came between them for the better?

use super::{Fault, alike};
use crate::attempt::Trend;
use std::collections::BTreeSet;

/// How what was found `now` compares with what was found `before`.
pub fn compare(before: &[Fault], now: &[Fault]) -> Trend {
    let keys = |faults: &[Fault]| -> BTreeSet<(String, Option<String>, String)> {
        faults.iter().map(|fault| (fault.by.clone(), fault.paths.last().cloned(), alike(&fault.text))).collect()
    };
    let weight = |faults: &[Fault]| faults.iter().map(|fault| failures(&fault.text)).sum::<usize>();
    match (weight(now), weight(before)) {
        _ if keys(now) == keys(before) => Trend::Same,
        (now, before) if now > before => Trend::Worse,
        _ => Trend::Other,
    }
}

/// How much a program's words say has failed: at least one thing.
fn failures(text: &str) -> usize {
    let fails = |line: &&str| {
        let line = line.trim_start();
        let begins = ["FAIL", "ERROR", "--- FAIL", "not ok ", "error[", "error:", "\u{2715} ", "\u{d7} "];
        begins.iter().any(|word| line.starts_with(word)) || line.ends_with("... FAILED") || line.contains(": error")
    };
    text.lines().filter(fails).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Fault {
        Fault { by: "t".into(), paths: vec![], line: None, text: text.into(), before: false }
    }

    #[test]
    fn less_that_fails_is_better_more_is_worse_and_the_same_is_the_same() {
        let two = [fault("FAILED a in 0.1s\nFAILED b\n2 failed")];
        assert_eq!(compare(&two, &[fault("FAILED a in 3s\nFAILED b\n2 failed")]), Trend::Same);
        assert_eq!(compare(&two, &[fault("FAILED b\n1 failed")]), Trend::Other);
        assert_eq!(compare(&two, &[]), Trend::Other);
        assert_eq!(compare(&[fault("x")], &two), Trend::Worse);
        assert_eq!(compare(&[fault("x")], &[fault("y"), fault("x")]), Trend::Worse);
    }
}
