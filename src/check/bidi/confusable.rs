//! Letters of one alphabet in words of another that look like its own: `раth` is no `path`.
//!
//! Words of one alphabet alone are what they are, and so is a letter that looks like nothing else (`Δt`, `µs`, `Größe`).

use super::Line;
use std::cell::LazyCell;
use unicode_normalization::UnicodeNormalization;

/// Letters of Cyrillic, Greek, Armenian and Cherokee, each with the letter of ASCII that it cannot be told from.
const ALIKE: &str = "аaсcеeоoрpхxуyіiјjѕsһhԁdԛqԝwӏlАAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXҮYԌGԜW\
    οoνvΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXսuոnօoհhցgᎪAᏟCᎬEᎻHᎫJᏦKᏞLᎷMᏢPᎡRᏚSᎢTᏙVᎳW";
/// Letters that look like marks of code.
const MARKS: &str = "ǀǁǃːꓸꓹꓺꓻꓼꓽ\u{37e}";

/// What a letter was taken for, and whether it stands in code.
pub(super) struct Confusable {
    pub letter: char,
    pub in_code: bool,
}

/// The first letter of a line that is not what it looks like.
pub(super) fn letter(line: &Line) -> Option<Confusable> {
    let foreign = |word: &str| word.chars().any(char::is_alphabetic) && !word.chars().any(|c| c.is_ascii_alphabetic());
    let has_foreign = LazyCell::new(|| words(line.text).any(|(_, word)| foreign(word)));
    words(line.text).filter(|(_, word)| !word.is_ascii()).find_map(|(at, word)| {
        let in_code = line.is_code(at);
        let letter = if in_code {
            mixed(line, at, word).or_else(|| compiled_otherwise(line, word)).or_else(|| marked(word))
        } else {
            mixed(line, at, word).filter(|_| is_within_ascii(word) && !*has_foreign)
        };
        letter.map(|letter| Confusable { letter, in_code })
    })
}

/// The words of a line, with where they begin. Marks that look like others are letters, but for one.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || MARKS.contains(c);
    let mut rest = line;
    std::iter::from_fn(move || {
        let start = rest.find(is_of_word)?;
        let word = &rest[start..];
        let end = word.find(|c| !is_of_word(c)).unwrap_or(word.len());
        let at = line.len() - rest.len() + start;
        rest = &word[end..];
        Some((at, &word[..end]))
    })
}

/// The first letter that only looks like one of ASCII, in a word that has letters of ASCII as well and no letter that could
/// be of another alphabet.
fn mixed(line: &Line, at: usize, word: &str) -> Option<char> {
    let letters = || word.chars().filter(|c| c.is_alphabetic());
    let alike = letters().find(|c| is_alike(*c))?;
    let is_latin = |c: char| c.is_ascii() || matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
    if !letters().any(|c| c.is_ascii()) || !letters().all(|c| is_latin(c) || is_alike(c)) {
        return None;
    }
    // "a-zа-я": the end of one range and the beginning of another.
    let (before, after) = (line.text[..at].chars().next_back(), line.text[at + word.len()..].chars().next());
    let is_range = letters().count() == 2 && before == Some('-') && after == Some('-');
    (!is_range).then_some(alike)
}

/// Outside of code a word may be of two languages ("APIс"): not where one letter is within a word of ASCII, on a line
/// that has no word of that alphabet.
fn is_within_ascii(word: &str) -> bool {
    let count = word.chars().filter(char::is_ascii_alphabetic).count();
    let is_within = word.find(is_alike).is_some_and(|at| word[at..].chars().any(|c| c.is_ascii_alphabetic()));
    is_within && count >= 2 && word.chars().count() >= 4
}

/// Letters that Python takes for those of ASCII, and nobody writes: in `𝐞𝐯𝐚𝐥(x)` it finds `eval`.
fn compiled_otherwise(line: &Line, word: &str) -> Option<char> {
    let form = word.chars().find(|c| is_form(*c))?;
    let mixed = !('\u{1d400}'..='\u{1d7ff}').contains(&form) && word.chars().any(|c| c.is_ascii_alphabetic());
    let is_ascii = || word.nfkc().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (word.chars().count() > 1 && (mixed || line.is_python && is_ascii())).then_some(form)
}

/// A letter that looks like a mark after a name.
fn marked(word: &str) -> Option<char> {
    let has_ascii = word.chars().any(|c| c.is_ascii_alphanumeric());
    word.chars().find(|c| MARKS.contains(*c)).filter(|_| has_ascii)
}

/// May the letter be taken for another?
pub(super) fn is_candidate(c: char) -> bool {
    is_alike(c) || is_form(c) || MARKS.contains(c)
}

/// A letter of ASCII in another form.
fn is_form(c: char) -> bool {
    matches!(c, '\u{1d400}'..='\u{1d7ff}' | '\u{ff21}'..='\u{ff5a}' | '\u{fb00}'..='\u{fb06}')
}

fn is_alike(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}') && ALIKE.contains(c)
}
