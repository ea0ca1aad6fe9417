//! Secrets in a text: tokens in the formats of their providers, private keys, passwords in addresses, and random values
//! under names of secrets. Only new ones count.
//!
//! What it finds it never repeats: a finding names the kind and the line, and whoever shows texts asks
//! [`super::Hidden`] which lines not to show, or has a [`super::Mask`] blank them.

use super::{Base, Change, Check, Design, Lines, Settings, Verdict, Weight, kind};
use crate::finding::Finding;
use made_up::{checksum_fits, entropy, is_made_up};
use regex::bytes::{Regex, RegexBuilder};
use rules::{Certainty, PRIVATE_KEY, Place, Rule};
use search::{Words, long_words};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

mod address;
mod assigned;
mod made_up;
mod rules;
mod search;

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
    // Examples are at home in tests and documents.
    if kind::is_for_tests(candidate.path) || kind::is_prose(candidate.path) {
        found.retain(|it| it.certainty > Certainty::Likely);
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
        let message = format!("'{}' has what looks like {}", candidate.path, it.name);
        // Tests of cryptography need keys, and have their own.
        let made = it.name == PRIVATE_KEY && kind::is_for_tests(candidate.path);
        let sure = it.certainty == Certainty::Sure && !made;
        let finding = if sure { Finding::error(CHECK.id, message) } else { Finding::warning(CHECK.id, message) };
        let hint = match it.certainty {
            Certainty::Question => "make sure that it is meant to be public".to_owned(),
            _ if made => "make sure that it is meant to be public".to_owned(),
            _ => format!(
                "read it from the environment, and revoke it if it ever left this machine; '--allow {}:{}' if it is made up",
                CHECK.id, candidate.path
            ),
        };
        finding.line(it.line).hint(hint)
    };
    Verdict::Fail(found.iter().map(finding).collect())
}

/// The secrets in any text: the line of each, counted from 1, and what it looks like ("a GitHub token"). Only what is
/// sure enough to refuse a file for.
pub fn secrets(text: &str) -> Vec<(usize, &'static str)> {
    let sure = found_in(text).found.into_iter().filter(|it| it.certainty == Certainty::Sure);
    sure.map(|it| (it.line, it.name)).collect()
}

/// Where secrets, sure or not, stand in a text; of a private key of several lines all of it. `None`: there was too much
/// to look through.
pub(super) fn ranges(text: &str) -> Option<Vec<Range<usize>>> {
    let Search { found, gave_up } = found_in(text);
    let whole = |FoundSecret { range, name, .. }: FoundSecret| {
        let rest = text.get(range.end..).filter(|_| name == PRIVATE_KEY).unwrap_or_default();
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
    name: &'static str,
    certainty: Certainty,
}

/// What a word in a text may be the beginning of.
#[derive(Debug, Clone, Copy)]
enum Mark {
    /// The rule of that place in the table.
    Rule(usize),
    Name,
    Scheme,
    Address,
}

/// In their order. Of what overlaps only the surest counts.
fn found_in(text: &str) -> Search {
    let mut search = Search { found: Vec::new(), gave_up: false };
    let known = Known::get();
    let lines = OnceCell::new();
    let mut near = Near { text, ranges: BTreeMap::new() };
    let mut found = |range: Range<usize>, name, certainty| {
        let line = lines.get_or_init(|| Lines::of(text)).number(range.start);
        search.found.push(FoundSecret { line, range, name, certainty });
    };
    known.anywhere.hits(text, 0..text.len(), |mark, hit| match mark {
        Mark::Rule(rule) => near.add(rule, hit),
        Mark::Address => {
            if let Some((range, certainty)) = address::password(text, &hit) {
                found(range, "a password in an address", certainty);
            }
        }
        Mark::Name | Mark::Scheme => {
            let is_name = matches!(mark, Mark::Name);
            let assigned = if is_name { assigned::value(text, &hit) } else { assigned::credentials(text, &hit) };
            if let Some(it) = assigned {
                found(it.range, it.name, it.certainty);
            }
        }
    });
    for part in long_words(text) {
        known.of_words.hits(text, part, |rule, hit| {
            let begins = known.rules.get(rule).is_some_and(|known| known.rule.place == Place::WordStart);
            if !begins || !text.as_bytes()[..hit.start].last().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
                near.add(rule, hit);
            }
        });
    }
    let mut budget = BUDGET;
    for (rule, ranges) in near.ranges {
        let Some((rule, pattern)) = known.rules.get(rule).and_then(|known| Some((known.rule, known.pattern()?))) else {
            continue;
        };
        for near in ranges {
            let Some(left) = budget.checked_sub(near.len()) else {
                search.gave_up = true;
                return search;
            };
            budget = left;
            let Some(bytes) = text.as_bytes().get(near.clone()) else { continue };
            for groups in pattern.captures_iter(bytes) {
                let Some(range) = groups.get(2).or_else(|| groups.get(1)).map(|it| it.range()) else { continue };
                let range = near.start + range.start..near.start + range.end;
                if text.get(range.clone()).is_some_and(|secret| is_real(secret, rule)) {
                    found(range, rule.name, rule.certainty);
                }
            }
        }
    }
    search.found = apart(search.found);
    search
}

/// Those that overlap none that is surer, or as sure and before it, in the order of the text.
fn apart(mut found: Vec<FoundSecret>) -> Vec<FoundSecret> {
    found.sort_by_key(|it| (it.range.start, std::cmp::Reverse(it.certainty)));
    let mut apart: Vec<FoundSecret> = Vec::with_capacity(found.len());
    for next in found {
        match apart.last_mut() {
            Some(last) if next.range.start < last.range.end => {
                if next.certainty > last.certainty {
                    *last = next;
                }
            }
            _ => apart.push(next),
        }
    }
    apart
}

/// What lies around the keywords of each rule. The ranges of a rule do not overlap.
struct Near<'t> {
    text: &'t str,
    ranges: BTreeMap<usize, Vec<Range<usize>>>,
}

impl Near<'_> {
    /// A rule's keywords come in the order of the text.
    fn add(&mut self, rule: usize, hit: Range<usize>) {
        let ranges = self.ranges.entry(rule).or_default();
        let (start, end) = (hit.start.saturating_sub(BEFORE), (hit.end + AFTER).min(self.text.len()));
        match ranges.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => ranges.push(start..end),
        }
    }
}

/// Is it as random as its provider makes them, and none of what people write in its place?
fn is_real(secret: &str, rule: &Rule) -> bool {
    if rule.checksum && !checksum_fits(secret) {
        return false;
    }
    // What all tokens of a kind begin with is no word of an example, whatever it says.
    let own = rule.keywords.iter().find_map(|keyword| secret.split_once(keyword));
    let is_made_up = own.map_or_else(|| is_made_up(secret), |(before, after)| is_made_up(before) || is_made_up(after));
    !is_made_up && entropy(secret) >= rule.entropy
}

/// The table of rules, made ready to be looked for.
struct Known {
    rules: Vec<KnownRule>,
    /// Looked for in the whole text.
    anywhere: Words<Mark>,
    /// Looked for beside long words, with the rules that they speak for.
    of_words: Words<usize>,
}

struct KnownRule {
    rule: &'static Rule,
    pattern: OnceLock<Option<Regex>>,
}

impl Known {
    fn get() -> &'static Known {
        static KNOWN: OnceLock<Known> = OnceLock::new();
        KNOWN.get_or_init(|| {
            let (mut anywhere, mut of_words) = (Vec::new(), Vec::new());
            for (at, rule) in rules::rules().enumerate() {
                match rule.place {
                    Place::Anywhere => anywhere.extend(rule.keywords.iter().map(|word| (*word, Mark::Rule(at)))),
                    Place::Word | Place::WordStart => of_words.extend(rule.keywords.iter().map(|word| (*word, at))),
                }
            }
            anywhere.extend(assigned::MARKS.iter().map(|mark| (*mark, Mark::Name)));
            anywhere.extend(assigned::SCHEMES.iter().map(|mark| (*mark, Mark::Scheme)));
            anywhere.push(("://", Mark::Address));
            // Of words that begin with each other the longest is found.
            of_words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
            let rules = rules::rules().map(|rule| KnownRule { rule, pattern: OnceLock::new() }).collect();
            Known { rules, anywhere: Words::new(&anywhere), of_words: Words::new(&of_words) }
        })
    }
}

impl KnownRule {
    /// Made when a text first holds one of its words: its first group is what was found, the second, if there is one, what
    /// is secret of that. `None` is a mistake in the table, which a test finds.
    fn pattern(&self) -> Option<&Regex> {
        let made = || {
            let pattern = match self.rule.place {
                Place::Anywhere => format!("({})", self.rule.pattern),
                Place::Word | Place::WordStart => format!(r"\b({})(?:[^\w-]|$)", self.rule.pattern),
            };
            RegexBuilder::new(&pattern).unicode(false).multi_line(true).build().ok()
        };
        self.pattern.get_or_init(made).as_ref()
    }
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
