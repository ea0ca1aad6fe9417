//! Secrets in a text: tokens in the formats of their providers, and private keys. Only new ones count.
//!
//! What it finds it never repeats: a finding names the kind and the line, and whoever shows texts asks
//! [`super::Hidden`] which lines not to show, or has a [`super::Mask`] blank them.

use super::{Base, Change, Check, Design, Lines, Settings, Verdict, Weight, kind};
use crate::finding::Finding;
use aho_corasick::{AhoCorasick, Match, packed};
use regex::bytes::{Regex, RegexBuilder};
use rules::{PRIVATE_KEY, RULES, Rule};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

mod rules;

pub const CHECK: Check =
    Check { id: "secret", allowable: true, design: Design::Never, weight: Weight::ALWAYS, base: Base::Excuses, run };

/// Bytes that a pattern may reach before its keyword and after it.
const BEFORE: usize = 128;
const AFTER: usize = 1200;
/// Bytes that patterns are tried on, all in all: a second's worth.
const BUDGET: usize = 16 << 20;

fn run(candidate: &Change, _: &Settings) -> Verdict {
    let Search { mut found, gave_up } = found_in(candidate.text);
    if gave_up {
        return Verdict::CouldNotRun("too much in it looks like the beginning of a secret".to_owned());
    }
    if !found.is_empty()
        && let Some(base) = candidate.base
    {
        let had: HashSet<&str> = found_in(base).found.into_iter().filter_map(|it| base.get(it.range)).collect();
        found.retain(|it| candidate.text.get(it.range.clone()).is_none_or(|secret| !had.contains(secret)));
    }
    if found.is_empty() {
        return Verdict::Pass;
    }
    let finding = |it: &FoundSecret| {
        let message = format!("'{}' has what looks like {}", candidate.path, it.rule.name);
        // Tests of cryptography need keys, and have their own.
        let made = it.rule.name == PRIVATE_KEY && kind::is_for_tests(candidate.path);
        let sure = it.rule.sure && !made;
        let finding = if sure { Finding::error(CHECK.id, message) } else { Finding::warning(CHECK.id, message) };
        let hint = match sure {
            true => format!(
                "read it from the environment, and revoke it if it ever left this machine; '--allow {}:{}' if it is made up",
                CHECK.id, candidate.path
            ),
            false => "make sure that it is meant to be public".to_owned(),
        };
        finding.line(it.line).hint(hint)
    };
    Verdict::Fail(found.iter().map(finding).collect())
}

/// The secrets in any text: the line of each, counted from 1, and what it looks like ("a GitHub token"). Only what is
/// sure enough to refuse a file for.
pub fn secrets(text: &str) -> Vec<(usize, &'static str)> {
    found_in(text).found.into_iter().filter(|it| it.rule.sure).map(|it| (it.line, it.rule.name)).collect()
}

/// Where secrets, sure or not, stand in a text; of a private key of several lines all of it. `None`: there was too much
/// to look through.
pub(super) fn ranges(text: &str) -> Option<Vec<Range<usize>>> {
    let Search { found, gave_up } = found_in(text);
    let whole = |FoundSecret { range, rule, .. }: FoundSecret| {
        let rest = text.get(range.end..).filter(|_| rule.name == PRIVATE_KEY).unwrap_or_default();
        // What was found of a key is its first line. The rest is as secret, also in a string with escapes, and ends
        // with the dashes of its end mark.
        let is_of_key = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "+/=\\\"',".contains(c);
        let more = rest.find(|c| !is_of_key(c)).unwrap_or(rest.len());
        range.start..range.end + more
    };
    (!gave_up).then(|| found.into_iter().map(whole).collect())
}

struct Search {
    found: Vec<FoundSecret>,
    /// There were so many words that not all of them were looked at.
    gave_up: bool,
}

struct FoundSecret {
    line: usize,
    range: Range<usize>,
    rule: &'static Rule,
}

/// In the order of their lines.
fn found_in(text: &str) -> Search {
    let lines = OnceCell::new();
    let mut search = Search { found: Vec::new(), gave_up: false };
    let mut budget = BUDGET;
    for (at, ranges) in near_keywords(text) {
        let (Some(rule), Some(pattern)) = (RULES.get(at), pattern(at)) else { continue };
        for near in ranges {
            let Some(left) = budget.checked_sub(near.len()) else {
                search.gave_up = true;
                break;
            };
            budget = left;
            let Some(bytes) = text.as_bytes().get(near.clone()) else { continue };
            for groups in pattern.captures_iter(bytes) {
                let Some(range) = groups.get(1).or_else(|| groups.get(0)).map(|it| it.range()) else { continue };
                let range = near.start + range.start..near.start + range.end;
                if text.get(range.clone()).is_some_and(|secret| is_real(secret, rule)) {
                    let line = lines.get_or_init(|| Lines::of(text)).number(range.start);
                    search.found.push(FoundSecret { line, range, rule });
                }
            }
        }
    }
    search.found.sort_by_key(|it| it.line);
    search
}

/// The places in [`RULES`] of those that have words in `text`, each with what lies around these. Ranges do not overlap.
fn near_keywords(text: &str) -> BTreeMap<usize, Vec<Range<usize>>> {
    let mut near: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    keywords().hits(text, |rule, hit| {
        let ranges = near.entry(rule).or_default();
        let (start, end) = (hit.start.saturating_sub(BEFORE), (hit.end + AFTER).min(text.len()));
        match ranges.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => ranges.push(start..end),
        }
    });
    near
}

/// Is it as random as its provider makes them, and none of what people write in its place?
fn is_real(secret: &str, rule: &Rule) -> bool {
    if rule.checksum && !checksum_fits(secret) {
        return false;
    }
    !is_made_up(secret) && entropy(secret) >= rule.entropy
}

/// Words and patterns of examples.
fn is_made_up(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    const WORDS: &[&str] = &[
        "example",
        "placeholder",
        "redacted",
        "dummy",
        "changeme",
        "secret",
        "sample",
        "notreal",
        "invalid",
        "abcdef",
        "qwerty",
        "deadbeef",
        "0123456",
        "1234567",
        "fake",
        "your",
    ];
    if WORDS.iter().any(|word| lower.contains(word)) {
        return true;
    }
    // "xxxxx", "00000".
    let bytes = lower.as_bytes();
    bytes.windows(5).any(|run| run.iter().all(|byte| Some(byte) == run.first()))
}

/// Shannon's, in bits a byte.
fn entropy(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let total = text.len().max(1) as f64;
    let share = |count: &u32| f64::from(*count) / total;
    -counts.iter().filter(|count| **count > 0).map(|count| share(count) * share(count).log2()).sum::<f64>()
}

/// GitHub's: thirty characters, then their CRC-32 in base 62.
fn checksum_fits(token: &str) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some((random, sum)) = token.len().checked_sub(6).and_then(|at| token.split_at_checked(at)) else {
        return false;
    };
    let mut crc = !0u32;
    for byte in random.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let mut rest = !crc;
    sum.bytes().rev().all(|digit| {
        let fits = DIGITS.get((rest % 62) as usize) == Some(&digit);
        rest /= 62;
        fits
    })
}

struct Keywords {
    /// Each finder with the rule that each of its patterns speaks for.
    parts: Vec<(Finder, Vec<usize>)>,
}

enum Finder {
    /// With vectors, several times as fast, for as many patterns as fit and on processors that have them.
    Packed(packed::Searcher),
    Any(AhoCorasick),
}

/// Patterns of one packed finder: beyond this it slows down more than a second pass takes.
const PACKED: usize = 48;

impl Keywords {
    /// The rules whose keywords are in `text`, with the places of these.
    fn hits(&self, text: &str, mut hit: impl FnMut(usize, Range<usize>)) {
        for (finder, rules) in &self.parts {
            let mut each = |found: Match| {
                if let Some(rule) = rules.get(found.pattern().as_usize()) {
                    hit(*rule, found.range());
                }
            };
            match finder {
                Finder::Packed(finder) => finder.find_iter(text).for_each(&mut each),
                Finder::Any(finder) => finder.find_iter(text).for_each(&mut each),
            }
        }
    }
}

fn keywords() -> &'static Keywords {
    static KEYWORDS: OnceLock<Keywords> = OnceLock::new();
    KEYWORDS.get_or_init(|| {
        let all: Vec<(usize, &str)> =
            RULES.iter().enumerate().flat_map(|(at, rule)| rule.keywords.iter().map(move |word| (at, *word))).collect();
        let part = |part: &[(usize, &str)]| {
            let (rules, words): (Vec<usize>, Vec<&str>) = part.iter().copied().unzip();
            let packed = packed::Searcher::new(&words).map(Finder::Packed);
            (packed.unwrap_or_else(|| Finder::Any(AhoCorasick::new(&words).expect("a few constants"))), rules)
        };
        Keywords { parts: all.chunks(PACKED).map(part).collect() }
    })
}

/// A rule's pattern, made when a text first holds one of its words. `None` is a mistake in the table, which a test finds.
fn pattern(rule: usize) -> Option<&'static Regex> {
    static PATTERNS: [OnceLock<Option<Regex>>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];
    let made = || RegexBuilder::new(RULES.get(rule)?.pattern).unicode(false).multi_line(true).build().ok();
    PATTERNS.get(rule)?.get_or_init(made).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Candidate;

    fn found(path: &str, base: Option<&str>, text: &str) -> Vec<Finding> {
        match run(&Change::of(&Candidate { path, base, text, ..Candidate::default() }), &Settings::default()) {
            Verdict::Fail(found) => found,
            _ => Vec::new(),
        }
    }

    /// Put together here, so that no scanner takes this file for one that has lost a secret.
    fn token(parts: &[&str]) -> String {
        parts.concat()
    }

    /// Characters without a pattern, but always the same.
    fn noise(alphabet: &str, length: usize) -> String {
        let mut state = 12345u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            alphabet.as_bytes()[(state >> 33) as usize % alphabet.len()]
        };
        (0..length).map(|_| char::from(next())).collect()
    }

    const ALL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    #[test]
    fn every_rule_can_be_built_and_its_words_are_long_enough_to_be_looked_for() {
        for (at, rule) in RULES.iter().enumerate() {
            assert!(pattern(at).is_some(), "{}", rule.name);
            assert!(rule.keywords.iter().all(|word| word.len() >= 3), "{}", rule.name);
        }
        let spoken_for: HashSet<usize> = keywords().parts.iter().flat_map(|(_, rules)| rules.iter().copied()).collect();
        assert_eq!(spoken_for.len(), RULES.len());
    }

    #[test]
    fn tokens_are_found_with_their_lines_and_never_repeated() {
        let hex = noise("abcdef0123456789", 64);
        for secret in [
            token(&["AK", "IA", &noise("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)]),
            token(&["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"]),
            token(&["github", "_pat_", &noise(ALL, 22), "_", &noise(ALL, 59)]),
            token(&["glp", "at-", &noise(ALL, 20)]),
            token(&["xo", "xb-473920184756-902837465019-", &noise(ALL, 24)]),
            token(&["sk", "_live_", &noise(ALL, 24)]),
            token(&["npm", "_", &noise(ALL, 36)]),
            token(&["pypi", "-AgEIcHlwaS5vcmc", &noise(ALL, 60)]),
            token(&["sk", "-", &noise(ALL, 20), "T3Blbk", "FJ", &noise(ALL, 20)]),
            token(&["sk-", "ant-api03-", &noise(ALL, 93), "AA"]),
            token(&["dop", "_v1_", &hex]),
            token(&["SG", ".", &noise(ALL, 22), ".", &noise(ALL, 43)]),
            token(&["-----BEGIN RSA PRIV", "ATE KEY-----\n", &noise(ALL, 64), "\n-----END RSA PRIVATE KEY-----"]),
            token(&["\"-----BEGIN PRIV", "ATE KEY-----\\n", &noise(ALL, 64), "\\n-----END PRIVATE KEY-----\\n\""]),
        ] {
            let text = format!("a = 1\nkey = '{secret}'\n");
            let found = found("a.py", None, &text);
            assert_eq!(found.len(), 1, "{secret}");
            let (shown, body) = (format!("{:?}", found[0]), secret.get(secret.len() - 12..).unwrap_or_default());
            assert!(found[0].is_error() && !shown.contains(body), "{shown}");
            assert!(found[0].line.is_some_and(|line| (2..=3).contains(&line)));
            assert_eq!(secrets(&text).len(), 1);
        }
    }

    #[test]
    fn examples_placeholders_and_what_only_looks_alike_are_left_alone() {
        for text in [
            token(&["AK", "IAIOSFODNN7EXAMPLE"]),
            token(&["gh", "p_", &noise(ALL, 36)]),
            token(&["gh", "p_", &"x".repeat(36)]),
            token(&["sk", "_live_", "abcdefghijklmnopqrstuvwx"]),
            token(&["sk", "_test_", &noise(ALL, 24)]),
            token(&["glp", "at-", &"0".repeat(20)]),
            token(&["-----BEGIN RSA PRIV", "ATE KEY-----\n...\n-----END RSA PRIVATE KEY-----"]),
            token(&["re.match('-----BEGIN (RSA )?PRIV", "ATE KEY-----', text)"]),
            "password = 'hunter2hunter2'".to_owned(),
            format!("sha512-{}", noise(ALL, 86)),
        ] {
            assert!(found("a.py", None, &text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_full_of_beginnings_could_not_be_judged_in_time() {
        let text = token(&["AK", "IA", " gh", "p_ sk", "_live_ "]).repeat(400_000);
        let candidate = Candidate { path: "a.py", text: &text, ..Candidate::default() };
        assert!(matches!(run(&Change::of(&candidate), &Settings::default()), Verdict::CouldNotRun(_)));
    }

    #[test]
    fn what_the_base_has_is_not_news_and_keys_of_tests_are_a_question() {
        let key = token(&["-----BEGIN PRIV", "ATE KEY-----\n", &noise(ALL, 64), "\n"]);
        assert!(found("a.pem", Some(&key), &format!("\n{key}")).is_empty());
        assert!(found("certs/a.pem", None, &key).iter().all(Finding::is_error));
        let of_test = found("tests/certs/a.pem", None, &key);
        assert!(of_test.len() == 1 && !of_test[0].is_error());
    }
}
