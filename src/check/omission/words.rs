//! The words with which people say, each in their language, that code is left out: one file a language, one line in
//! [`LANGUAGES`].

use std::collections::HashMap;
use std::sync::OnceLock;

const LANGUAGES: &[&str] = &[
    include_str!("en.txt"),
    include_str!("de.txt"),
    include_str!("es.txt"),
    include_str!("fr.txt"),
    include_str!("it.txt"),
    include_str!("ja.txt"),
    include_str!("ko.txt"),
    include_str!("pl.txt"),
    include_str!("pt.txt"),
    include_str!("ru.txt"),
    include_str!("zh.txt"),
];

/// What a word says: bits, since one that says all alone may be of another kind as well.
type Kinds = u8;
/// What is left out: "code", "methods".
const WHAT: Kinds = 1;
/// What is said of it: "rest", "unchanged".
const SAID: Kinds = 2;
/// What stands between and says nothing.
const BETWEEN: Kinds = 4;
/// What says all of it alone: "snip".
const ALONE: Kinds = 8;

const KINDS: [(&str, Kinds); 4] = [("what", WHAT), ("said", SAID), ("between", BETWEEN), ("alone", ALONE)];

/// The words of all languages, so that each word of a remark is looked up once.
struct Words {
    /// What it says in each language.
    kinds: HashMap<&'static str, [Kinds; LANGUAGES.len()]>,
    /// Of each language that is written without blanks between words: letters of its longest.
    longest: [Option<usize>; LANGUAGES.len()],
}

/// What a remark says in the language in which it says most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub what: bool,
    pub said: bool,
    pub alone: bool,
    /// Words that are not of this kind.
    pub strangers: usize,
    pub words: usize,
}

impl Said {
    fn add(&mut self, kinds: Kinds) {
        self.words += 1;
        self.what |= kinds & WHAT != 0;
        self.said |= kinds & SAID != 0;
        self.alone |= kinds & ALONE != 0;
        self.strangers += usize::from(kinds == 0);
    }
}

/// The words of one kind in the text of a language.
fn words_of(text: &'static str, kind: &str) -> impl Iterator<Item = &'static str> {
    let line = text.lines().find_map(|line| line.strip_prefix(kind)?.strip_prefix(':'));
    line.unwrap_or_default().split_whitespace()
}

impl Words {
    fn get() -> &'static Words {
        static WORDS: OnceLock<Words> = OnceLock::new();
        WORDS.get_or_init(|| {
            let mut words = Words { kinds: HashMap::new(), longest: [None; LANGUAGES.len()] };
            for ((at, text), longest) in LANGUAGES.iter().enumerate().zip(&mut words.longest) {
                let all = || KINDS.iter().flat_map(|(name, kind)| words_of(text, name).map(move |word| (word, *kind)));
                for (word, kind) in all() {
                    words.kinds.entry(word).or_insert([0; LANGUAGES.len()])[at] |= kind;
                }
                if all().any(|(word, _)| word.chars().any(is_joined)) {
                    *longest = all().map(|(word, _)| word.chars().count()).max();
                }
            }
            words
        })
    }

    fn of(&self, word: &str, language: usize) -> Kinds {
        self.kinds.get(word).and_then(|kinds| kinds.get(language)).copied().unwrap_or(0)
    }

    /// What the words, which blanks divide, say in each language.
    fn apart(&self, text: &str) -> [Said; LANGUAGES.len()] {
        let mut all = [Said::default(); LANGUAGES.len()];
        for word in split(text) {
            let kinds = self.kinds.get(word).copied().unwrap_or_default();
            all.iter_mut().zip(kinds).for_each(|(said, kinds)| said.add(kinds));
        }
        all
    }

    /// What a text says in a language without blanks.
    fn joined(&self, text: &str, language: usize, longest: usize) -> Said {
        let mut said = Said::default();
        split(text).for_each(|run| self.parts(run, language, longest, &mut said));
        said
    }

    /// A run of letters that is several words: the longest first.
    fn parts(&self, run: &str, language: usize, longest: usize, said: &mut Said) {
        let mut rest = run;
        let mut unknown = false;
        while !rest.is_empty() {
            let ends: Vec<usize> =
                rest.char_indices().skip(1).map(|(at, _)| at).chain([rest.len()]).take(longest).collect();
            let known = ends.iter().rev().find_map(|end| {
                let kinds = self.of(rest.get(..*end)?, language);
                (kinds != 0).then_some((*end, kinds))
            });
            let end = match known {
                Some((end, kinds)) => {
                    said.add(kinds);
                    end
                }
                None => {
                    // A run of unknown letters is one word.
                    if !unknown {
                        said.add(0);
                    }
                    ends.first().copied().unwrap_or(rest.len())
                }
            };
            unknown = known.is_none();
            rest = rest.get(end..).unwrap_or("");
        }
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Chinese, Japanese, Korean.
fn is_joined(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// In the language in which the fewest words are strangers to it.
pub(super) fn said(text: &str) -> Said {
    let (text, words) = (text.to_lowercase(), Words::get());
    let joined = text.chars().any(is_joined);
    let apart = words.apart(&text);
    let of_language = |(language, said): (usize, Said)| match words.longest[language] {
        Some(longest) if joined => Some(words.joined(&text, language, longest)),
        None if !joined => Some(said),
        _ => None,
    };
    let all = apart.into_iter().enumerate().filter_map(of_language);
    all.min_by_key(|said| (said.strangers, !(said.what && said.said), !said.said, !said.what)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_words_of_every_kind_and_none_in_two() {
        for text in LANGUAGES {
            let of = |kind| words_of(text, kind).collect::<std::collections::HashSet<&str>>();
            let kinds = ["what", "said", "between"].map(of);
            assert!(kinds.iter().all(|kind| kind.len() >= 10), "{kinds:?}");
            for (at, one) in kinds.iter().enumerate() {
                for other in &kinds[at + 1..] {
                    assert!(one.is_disjoint(other), "{:?}", one.intersection(other));
                }
            }
        }
    }

    #[test]
    fn a_text_is_told_in_its_own_language() {
        for text in
            ["rest of the code", "Rest des Codes bleibt gleich", "其余代码保持不变", "既存のコード", "기존 코드 유지"]
        {
            let said = said(text);
            assert!(said.what && said.said && said.strangers == 0, "{text}: {said:?}");
        }
        assert_eq!(said("load the users").strangers, 2);
    }
}
