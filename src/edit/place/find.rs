//! Where the lines of a pattern stand in a text, one after the other.
//!
//! One or a few searches look for the longest word of the pattern, which is a single pass over the bytes and nothing
//! else. Where words are too common, or many searches are to come, the text's table of lines is made and asked.

use crate::edit::table::look;
use crate::edit::text::{Form, Text, TooCommon, form, is_blank, same_key};

/// The places of a pattern: under the strictest form under which it has any, all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub form: Form,
    /// For each place, and each line of the pattern, where its line begins. Under [`Form::Key`] a blank line stands
    /// nowhere.
    pub at: Vec<Vec<Option<usize>>>,
}

/// Searches over the whole text, after which its table pays.
pub(in crate::edit) const MOST_PASSES: usize = 8;
/// A shorter word is in every other line.
const LEAST_WORD: usize = 3;
/// The words of a pattern that are tried, and the most lines with such a word that are looked at.
const MOST_WORDS: usize = 3;
const MOST_HITS: usize = 2000;
/// A line with more that look like it says nothing of the place.
const MOST_ALIKE: usize = 64;
/// A text of fewer bytes is searched for the first bytes of a needle.
const SMALL: usize = 1 << 16;
const SHORT: usize = 16;
/// The most places, and the most bytes that are compared in one search.
const MOST_PLACES: usize = 1000;
const MOST_WORK: usize = 1 << 23;

/// Where the lines of `pattern` stand one after the other, in order; `None` if they do so nowhere.
pub(super) fn find(text: &Text, pattern: &[&str]) -> Result<Option<Places>, TooCommon> {
    if let Some(at) = by_bytes(text, pattern)? {
        return Ok(Some(Places { form: Form::Plain, at }));
    }
    let solid: Vec<usize> = (0..pattern.len()).filter(|i| !is_blank(pattern[*i])).collect();
    let found = if solid.is_empty() { blanks(text, pattern)? } else { Search { text, pattern, solid }.find()? };
    let strictest = found.iter().map(|found| found.form).min();
    Ok(strictest.map(|form| {
        let at = found.into_iter().filter(|found| found.form == form).map(|found| found.lines).collect();
        Places { form, at }
    }))
}

/// A run of lines that are the same as the pattern's.
struct EqualLines {
    lines: Vec<Option<usize>>,
    /// The strictest form under which they are the same.
    form: Form,
}

/// The places where the pattern's bytes stand, line ends included: of a text with plain line ends all that are the
/// same under [`Form::Plain`]. `None` if there are none, or if that is not worth a search.
fn by_bytes(text: &Text, pattern: &[&str]) -> Result<Option<Vec<Vec<Option<usize>>>>, TooCommon> {
    if !may_pass(text) || text.has_returns() || pattern.is_empty() {
        return Ok(None);
    }
    text.pass()?;
    let mut needle = String::with_capacity(pattern.iter().map(|line| line.len() + 1).sum::<usize>() + 1);
    pattern.iter().for_each(|line| needle.extend(["\n", *line]));
    let (body, block) = (text.body(), &needle[1..]);
    // What follows the last line end is no line.
    let is_end = |at: usize| {
        body.as_bytes().get(at) == Some(&b'\n')
            || at == body.len() && !pattern.last().is_some_and(|line| line.is_empty())
    };
    let mut starts = Vec::new();
    if body.starts_with(block) && is_end(block.len()) {
        starts.push(0);
    }
    // In a small text it would take longer to prepare the search for a long needle than to search for a short one.
    let head = if body.len() < SMALL { needle.len().min(SHORT) } else { needle.len() };
    let (head, tail) = needle.as_bytes().split_at(head);
    let finder = memchr::memmem::Finder::new(head);
    let (mut from, mut hits) = (0, 0);
    while let Some(at) = body.as_bytes().get(from..).and_then(|rest| finder.find(rest)).map(|at| from + at) {
        if is_end(at + needle.len())
            && body.as_bytes().get(at + head.len()..).is_some_and(|rest| rest.starts_with(tail))
        {
            starts.push(at + 1);
        }
        hits += 1;
        if starts.len() > MOST_PLACES || starts.len() > 2 && starts.len() * needle.len() > MOST_WORK {
            return Err(TooCommon);
        }
        if hits > MOST_HITS || hits > 2 && hits * needle.len() > MOST_WORK {
            return Ok(None);
        }
        from = at + 1;
    }
    let place = |start: &usize| {
        let mut next = *start;
        let line = |line: &&str| {
            let at = next;
            next += line.len() + 1;
            Some(at)
        };
        pattern.iter().map(line).collect()
    };
    Ok(Some(starts.iter().map(place).collect()).filter(|places: &Vec<_>| !places.is_empty()))
}

fn may_pass(text: &Text) -> bool {
    !text.has_table() && text.passes() < MOST_PASSES
}

struct Search<'a> {
    text: &'a Text<'a>,
    pattern: &'a [&'a str],
    /// The lines of the pattern that are not blank.
    solid: Vec<usize>,
}

impl Search<'_> {
    fn find(&self) -> Result<Vec<EqualLines>, TooCommon> {
        let (anchor, candidates) = match self.by_word() {
            Some(found) => found,
            None => self.by_look(),
        };
        let (mut found, mut work) = (Vec::new(), 0);
        for at in candidates {
            found.extend(self.at(anchor, at, &mut work));
            if found.len() > MOST_PLACES || work > MOST_WORK {
                return Err(TooCommon);
            }
        }
        Ok(found)
    }

    fn wanted(&self, n: usize) -> &str {
        self.solid.get(n).map_or("", |i| self.pattern[*i])
    }

    /// A solid line of the pattern, and where lines like it begin.
    fn by_word(&self) -> Option<(usize, Vec<usize>)> {
        let mut words: Vec<(usize, &str)> =
            (0..self.solid.len()).filter_map(|n| Some((n, word(self.wanted(n))?))).collect();
        // Of long words the first: the words of a long pattern need not be sorted.
        for tried in 0..MOST_WORDS.min(words.len()) {
            let best = (tried..words.len()).max_by_key(|i| (words[*i].1.len(), words.len() - i))?;
            words.swap(tried, best);
            if !may_pass(self.text) {
                return None;
            }
            let (n, word) = words[tried];
            let same = |at| same_key(self.text.line(at), self.wanted(n));
            if let Some(lines) = lines_with(self.text, word, same) {
                return Some((n, lines));
            }
        }
        None
    }

    fn by_look(&self) -> (usize, Vec<usize>) {
        let table = self.text.table();
        let looks: Vec<u64> = (0..self.solid.len()).map(|n| look(self.wanted(n))).collect();
        let count = |n: &usize| table.like(looks[*n]).take(MOST_ALIKE + 1).count();
        let rarest = (0..looks.len()).map(|n| (count(&n), n)).min().filter(|(count, _)| *count <= MOST_ALIKE);
        match rarest {
            Some((_, n)) => (n, table.like(looks[n]).filter_map(|line| table.start(line)).collect()),
            None => (0, table.runs(&looks).filter_map(|line| table.start(line)).collect()),
        }
    }

    /// The place at which the pattern's solid line `anchor` is the line at `at`.
    fn at(&self, anchor: usize, at: usize, work: &mut usize) -> Option<EqualLines> {
        let mut place = vec![at; self.solid.len()];
        let mut same = |n: usize, at: usize| {
            let line = self.text.line(at);
            *work += cost(line);
            same_key(line, self.wanted(n))
        };
        if !same(anchor, at) {
            return None;
        }
        for n in anchor + 1..self.solid.len() {
            place[n] = self.text.solid(self.text.next(place[n - 1]))?;
            if !same(n, place[n]) {
                return None;
            }
        }
        for n in (0..anchor).rev() {
            place[n] = self.text.solid_before(place[n + 1])?;
            if !same(n, place[n]) {
                return None;
            }
        }
        Some(self.strictest(&place))
    }

    /// The solid lines of the pattern stand at `place`: do its blank lines stand there too?
    fn strictest(&self, place: &[usize]) -> EqualLines {
        let mut lines = vec![None; self.pattern.len()];
        for (i, at) in self.solid.iter().zip(place) {
            lines[*i] = Some(*at);
        }
        match self.with_blanks(&lines) {
            Some((all, form)) if form < Form::Key => EqualLines { lines: all, form },
            _ => EqualLines { lines, form: Form::Key },
        }
    }

    fn with_blanks(&self, solid: &[Option<usize>]) -> Option<(Vec<Option<usize>>, Form)> {
        let lead = *self.solid.first()?;
        let mut at = solid[lead]?;
        for _ in 0..lead {
            at = self.text.before(at)?;
        }
        let (mut lines, mut loosest) = (Vec::with_capacity(solid.len()), Form::Plain);
        for (want, known) in self.pattern.iter().zip(solid) {
            if at >= self.text.end() || known.is_some_and(|known| known != at) {
                return None;
            }
            loosest = loosest.max(form(want, self.text.line(at))?);
            lines.push(Some(at));
            at = self.text.next(at);
        }
        Some((lines, loosest))
    }
}

/// About how long it takes to compare a line, in bytes.
fn cost(line: &str) -> usize {
    16 + if line.is_ascii() { line.len() } else { 16 * line.len() }
}

/// The lines that hold `word` and that `keep` keeps, in order; none if too many hold it.
fn lines_with(text: &Text, word: &str, keep: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
    text.pass().ok()?;
    let finder = memchr::memmem::Finder::new(word.as_bytes());
    let (mut found, mut from, mut hits) = (Vec::new(), 0, 0);
    // A line is looked at once, however often it holds the word.
    while let Some(at) = text.body().as_bytes().get(from..).and_then(|rest| finder.find(rest)) {
        let line = text.line_at(from + at);
        hits += 1;
        if hits > MOST_HITS {
            return None;
        }
        if keep(line) {
            found.push(line);
        }
        from = text.next(from + at);
    }
    Some(found)
}

/// The longest word of a line, as every line that is the same under [`Form::Key`] has it.
fn word(line: &str) -> Option<&str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = line.as_bytes();
    let (mut best, mut start) = (0..0, 0);
    for at in 0..=bytes.len() {
        if bytes.get(at).is_some_and(|byte| is_word(*byte)) {
            continue;
        }
        // A mark that follows may be one character with the last letter elsewhere.
        let end = if bytes.get(at) == Some(&0xcc) { at.saturating_sub(1).max(start) } else { at };
        if end - start > best.len() {
            best = start..end;
        }
        start = at + 1;
    }
    line.get(best).filter(|word| word.len() >= LEAST_WORD)
}

/// The places of a pattern that has only blank lines.
fn blanks(text: &Text, pattern: &[&str]) -> Result<Vec<EqualLines>, TooCommon> {
    let mut found = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for at in text.lines(0, text.end()) {
        if !is_blank(text.line(at)) {
            run.clear();
            continue;
        }
        run.push(at);
        if run.len() >= pattern.len() && !pattern.is_empty() {
            let lines = &run[run.len() - pattern.len()..];
            let plain = lines.iter().zip(pattern).all(|(at, want)| text.line(*at) == *want);
            let form = if plain { Form::Plain } else { Form::Trailing };
            found.push(EqualLines { lines: lines.iter().copied().map(Some).collect(), form });
        }
        if found.len() > MOST_PLACES || found.len() * pattern.len() * 16 > MOST_WORK {
            return Err(TooCommon);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number (from 1) of the first line of each place, and its form; by words and by the table.
    fn places(body: &str, pattern: &[&str]) -> Vec<(usize, Form)> {
        let starts = |text: &Text| -> Vec<(usize, Form)> {
            let Some(places) = find(text, pattern).unwrap() else { return vec![] };
            let first = |lines: &Vec<Option<usize>>| text.number(lines.iter().flatten().next().copied().unwrap()) + 1;
            places.at.iter().map(|lines| (first(lines), places.form)).collect()
        };
        let (words, table) = (Text::new(body), Text::new(body));
        table.table();
        assert_eq!(starts(&words), starts(&table), "{pattern:?}");
        starts(&words)
    }

    #[test]
    fn whole_lines_are_found_at_the_start_in_the_middle_and_at_an_unended_end() {
        use Form::Plain;
        for word in ["a", "word"] {
            let body = format!("{word}\nb\n{word}\nb{word}\n{word}");
            assert_eq!(places(&body, &[word]), [(1, Plain), (3, Plain), (5, Plain)]);
            assert_eq!(places(&body.replace('\n', "\r\n"), &[word, "b"]), [(1, Plain)]);
        }
        assert_eq!(places("word\r\nb\nword\n", &["word"]), [(1, Plain), (3, Plain)]);
        assert_eq!(places("", &["a"]), []);
        assert_eq!(places("a", &["a", "b"]), []);
    }

    #[test]
    fn overlapping_places_are_all_found() {
        assert_eq!(places("x\nx\nx\n", &["x", "x"]), [(1, Form::Plain), (2, Form::Plain)]);
        assert_eq!(places("word\nword \nword\n", &["word", "word"]), [(1, Form::Trailing), (2, Form::Trailing)]);
    }

    #[test]
    fn only_the_places_under_the_strictest_form_count() {
        use Form::*;
        assert_eq!(places("word() \n word()\nword()\n", &["word()"]), [(3, Plain)]);
        assert_eq!(places(" word()\nword() \n", &["word()"]), [(2, Trailing)]);
        assert_eq!(places(" word()\nword( )\n", &["word()"]), [(1, Key), (2, Key)]);
        assert_eq!(places("one\n\ntwo\n", &["one", "", "two"]), [(1, Plain)]);
        assert_eq!(places("one\n \ntwo\n", &["one", "", "two"]), [(1, Trailing)]);
        assert_eq!(places("one\n\n\ntwo\n", &["one", "", "two"]), [(1, Key)]);
        assert_eq!(places("one\ntwo\n", &["one", "", "two", ""]), [(1, Key)]);
        assert_eq!(places("\none\n", &["", "one"]), [(1, Plain)]);
        assert_eq!(places("\none\n", &["", "", "one"]), [(2, Key)]);
        assert_eq!(places("\n one\n\n", &["", "one", ""]), [(2, Key)]);
        assert_eq!(places("one\n", &["one", ""]), [(1, Key)]);
        assert_eq!(places("one", &["one", ""]), [(1, Key)]);
        assert_eq!(places("one\r\n\r\ntwo\r\n", &["one", "", "two"]), [(1, Plain)]);
        assert_eq!(places("caf\u{e9} one\n", &["cafe\u{301} one"]), [(1, Key)]);
    }

    #[test]
    fn blank_lines_alone_are_found_where_enough_of_them_stand() {
        assert_eq!(places("a\n\nb\n \n", &[""]), [(2, Form::Plain)]);
        assert_eq!(places("a\n \nb\n\t\n", &[""]), [(2, Form::Trailing), (4, Form::Trailing)]);
        assert_eq!(places("a\n\n\n\nb\n", &["", ""]), [(2, Form::Plain), (3, Form::Plain)]);
    }

    #[test]
    fn a_pattern_of_common_lines_is_found_as_well() {
        let body = "same()\n".repeat(3000) + "last()\n";
        let text = Text::new(&body);
        let found = find(&text, &[" same()", "same()", "last()"]).unwrap().unwrap();
        assert_eq!(found.at.iter().map(|lines| lines[0].unwrap() / 7 + 1).collect::<Vec<_>>(), [2999]);
        assert_eq!(find(&text, &["same()", "same()"]), Err(TooCommon));
    }

    #[test]
    fn a_few_searches_go_over_the_bytes_and_only_many_make_the_table() {
        let body: String = (0..500).map(|n| format!("  call_{n}(argument)\n")).collect();
        let line = |n: usize| format!("  call_{n}(argument)");
        for (loose, passes) in [(false, 1), (true, 2)] {
            let text = Text::new(&body);
            let (mut first, mut many) = (line(7), 0);
            if loose {
                first = first.replace("(", " (");
            }
            assert!(find(&text, &[&first]).unwrap().is_some());
            assert_eq!((text.passes(), text.has_table()), (passes, false));
            while !text.has_table() && many < 2 * MOST_PASSES {
                many += 1;
                assert!(find(&text, &[&line(many).replace("(", " (")]).unwrap().is_some());
            }
            assert!(text.has_table() && text.passes() <= MOST_PASSES);
        }
        // Of a word that too many lines have, the next longest is taken.
        let crowd = body.repeat(5) + "lonely()\ncall_7(argument)\n";
        let text = Text::new(&crowd);
        assert!(find(&text, &["lonely ()", "call_7 (argument)"]).unwrap().is_some());
        assert!(!text.has_table());
    }

    #[test]
    fn what_would_take_too_long_is_not_searched_to_the_end() {
        // The lines look alike, and differ only where nobody has looked yet.
        let line = |c: char| format!("aaaaaaaa{c}bbbbbbbb\n");
        let body = line('x').repeat(3000);
        let pattern = line('x').repeat(1500) + &line('y');
        assert_eq!(find(&Text::new(&body), &pattern.lines().collect::<Vec<_>>()), Err(TooCommon));
    }
}
