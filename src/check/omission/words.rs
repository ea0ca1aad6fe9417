//! The words with which people say, each in their language, that code is left out: one file a language, one line in
//! [`LANGUAGES`].

use std::collections::HashSet;
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

/// The words of one language.
struct Words {
    /// What is left out: "code", "methods".
    what: HashSet<&'static str>,
    /// What is said of it: "rest", "unchanged".
    said: HashSet<&'static str>,
    /// What stands between and says nothing.
    between: HashSet<&'static str>,
    /// What says all of it alone: "snip".
    alone: HashSet<&'static str>,
    /// Written without blanks between words: letters of the longest.
    longest: Option<usize>,
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

fn all() -> &'static [Words] {
    static ALL: OnceLock<Vec<Words>> = OnceLock::new();
    ALL.get_or_init(|| LANGUAGES.iter().map(|text| Words::read(text)).collect())
}

impl Words {
    fn read(text: &'static str) -> Words {
        let of = |name: &str| -> HashSet<&'static str> {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap_or_default();
            line.split_whitespace().collect()
        };
        let (what, said, between, alone) = (of("what"), of("said"), of("between"), of("alone"));
        let every = || [&what, &said, &between, &alone].into_iter().flatten();
        let joined = every().any(|word| word.chars().any(is_joined));
        let longest = joined.then(|| every().map(|word| word.chars().count()).max().unwrap_or(0));
        Words { what, said, between, alone, longest }
    }

    fn says(&self, text: &str) -> Said {
        let mut said = Said::default();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            match self.longest {
                Some(longest) => self.parts(word, longest, &mut said),
                None => self.word(word, &mut said),
            }
        }
        said
    }

    fn word(&self, word: &str, said: &mut Said) {
        said.words += 1;
        let (what, state, alone) = (self.what.contains(word), self.said.contains(word), self.alone.contains(word));
        said.what |= what;
        said.said |= state;
        said.alone |= alone;
        if !(what || state || alone || self.between.contains(word)) {
            said.strangers += 1;
        }
    }

    /// A run of letters that is several words: the longest first.
    fn parts(&self, run: &str, longest: usize, said: &mut Said) {
        let mut rest = run;
        let mut unknown = false;
        while !rest.is_empty() {
            let ends: Vec<usize> =
                rest.char_indices().skip(1).map(|(at, _)| at).chain([rest.len()]).take(longest).collect();
            let known = ends.iter().rev().find_map(|end| {
                let word = rest.get(..*end)?;
                [&self.what, &self.said, &self.between, &self.alone]
                    .iter()
                    .any(|set| set.contains(word))
                    .then_some(word)
            });
            match known {
                Some(word) => {
                    self.word(word, said);
                    unknown = false;
                    rest = rest.get(word.len()..).unwrap_or("");
                }
                None => {
                    // A run of unknown letters is one word.
                    said.strangers += usize::from(!unknown);
                    said.words += usize::from(!unknown);
                    unknown = true;
                    rest = rest.get(ends.first().copied().unwrap_or(rest.len())..).unwrap_or("");
                }
            }
        }
    }
}

/// Chinese, Japanese, Korean.
fn is_joined(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// In the language in which the fewest words are strangers to it.
pub(super) fn said(text: &str) -> Said {
    let text = text.to_lowercase();
    let joined = text.chars().any(is_joined);
    let of = all().iter().filter(|words| words.longest.is_some() == joined).map(|words| words.says(&text));
    of.min_by_key(|said| (said.strangers, !(said.what && said.said), !said.said, !said.what)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_words_of_every_kind_and_none_in_two() {
        for words in all() {
            let kinds = [&words.what, &words.said, &words.between];
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
