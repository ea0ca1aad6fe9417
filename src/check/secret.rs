//! Secrets in a text: tokens in the formats of their providers, private keys, passwords in addresses, and random values
//! under names of secrets. Only new ones count.
//!
//! What it finds it never repeats: a finding names the kind and the line, and whoever shows texts asks
//! [`super::Hidden`] which lines not to show, or has a [`super::Mask`] blank them.

use super::words::Words;
use super::{Base, Change, Check, Design, Lines, Settings, Verdict, Weight, kind};
use crate::finding::Finding;
use made_up::{checksum_fits, entropy, is_made_up};
use regex::bytes::{Regex, RegexBuilder};
use rules::{Certainty, PRIVATE_KEY, Place, Rule};
use search::long_words;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

mod address;
mod assigned;
mod made_up;
mod rules;
mod search;
#[cfg(test)]
mod tests;

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

/// The secrets of `text`, sure enough to refuse a file for, that are in none of the `others`: what each looks like.
pub fn secrets_beside(text: &str, others: &[&str]) -> Vec<&'static str> {
    let sure = found_in(text).found.into_iter().filter(|it| it.certainty == Certainty::Sure);
    let is_beside = |it: &FoundSecret| {
        text.get(it.range.clone()).is_some_and(|secret| !others.iter().any(|other| other.contains(secret)))
    };
    sure.filter(is_beside).map(|it| it.name).collect()
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
