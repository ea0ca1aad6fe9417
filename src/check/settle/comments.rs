//! What a text permits of itself: `git-implement: allow <id>[, <id>] [-- <reason>]` in a comment permits findings of these
//! ids on its line, or, where the comment has the line for itself, on the line of code after it. `allow-file` among the
//! comments at the top permits them anywhere in the file, with a line or without.
//!
//! Only real comments count, and none in a language whose comments are not known. What a model wrote cannot silence what
//! is said of it: there only comments count that the base has, in the same words.

use super::permit::is_guarded;
use crate::check::{Author, Change, Settings};
use crate::finding::Finding;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

/// What begins such a comment.
const MARK: &str = "git-implement:";

/// Bytes of the longest such comment.
const MOST_BYTES: usize = 1000;

/// The comments of one text that permit something.
#[derive(Default)]
pub struct Comments<'t> {
    all: Vec<Allowance<'t>>,
    /// Places in `all`, by the line that they permit things on (`None`: anywhere) and the id.
    by_place: HashMap<(Option<usize>, &'t str), usize>,
}

/// One id that one comment permits.
#[derive(Debug)]
pub(super) struct Allowance<'t> {
    pub id: &'t str,
    /// Where the comment is, counted from 1.
    pub line: usize,
    /// From the mark to the end of its line.
    pub wording: &'t str,
    pub standing: Standing,
    pub is_used: Cell<bool>,
}

/// Does what a comment says count?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Counts,
    /// Nobody but a model says so.
    OfModel,
    /// Others say so of what they push.
    Pushed,
    /// Of a whole file, what guards people is not for its text to permit.
    Guarded,
    /// It is about the whole file, and stands behind the first line of code.
    TooLate,
}

impl<'t> Comments<'t> {
    pub fn of(change: &'t Change, settings: &Settings) -> Comments<'t> {
        let mut said = written(change.text, || change.new().code());
        if said.is_empty() {
            return Comments::default();
        }
        let mut had: HashMap<(&str, &str), usize> = HashMap::new();
        if settings.author == Author::Model
            && let Some(old) = change.old()
        {
            for it in written(old.text, || old.code()) {
                *had.entry((it.allowance.wording, it.allowance.id)).or_default() += 1;
            }
        }
        for Written { allowance, .. } in &mut said {
            if allowance.standing != Standing::Counts {
                continue;
            }
            if settings.author == Author::Model {
                match had.get_mut(&(allowance.wording, allowance.id)) {
                    Some(left) if *left > 0 => *left -= 1,
                    _ => allowance.standing = Standing::OfModel,
                }
            }
            if is_guarded(allowance.id) && (settings.pushed || settings.author == Author::Model) {
                allowance.standing = if settings.pushed { Standing::Pushed } else { Standing::OfModel };
            }
        }
        let mut comments = Comments::default();
        for (at, Written { allowance, lines }) in said.into_iter().enumerate() {
            if allowance.standing == Standing::Counts {
                for line in lines {
                    comments.by_place.entry((line, allowance.id)).or_insert(at);
                }
            }
            comments.all.push(allowance);
        }
        comments
    }

    /// Does a comment permit the finding?
    pub fn permit(&self, finding: &Finding) -> bool {
        if self.by_place.is_empty() {
            return false;
        }
        // An id is permitted by itself, and by what it begins with.
        let ids = || finding.id.match_indices('-').map(|(end, _)| &finding.id[..end]).chain([&*finding.id]);
        let places = finding.line.map(Some).into_iter().chain([None]);
        let mut found = places.flat_map(|place| ids().filter_map(move |id| self.by_place.get(&(place, id))));
        let Some(allowance) = found.next().and_then(|at| self.all.get(*at)) else { return false };
        allowance.is_used.set(true);
        true
    }

    /// Those that have permitted nothing so far.
    pub(super) fn unused(&self) -> Vec<&Allowance<'t>> {
        self.all.iter().filter(|it| !it.is_used.get()).collect()
    }
}

/// An allowance, and the lines that it is about; `None` is the file.
struct Written<'t> {
    allowance: Allowance<'t>,
    lines: Vec<Option<usize>>,
}

/// All that stand in comments of a text. `code` is the text without them, and is asked for only where it is needed.
fn written<'t, 'c>(text: &'t str, code: impl FnOnce() -> Option<&'c str>) -> Vec<Written<'t>> {
    let marks: Vec<usize> = memchr::memmem::find_iter(text.as_bytes(), MARK).collect();
    if marks.is_empty() {
        return Vec::new();
    }
    let Some(code) = code().filter(|code| code.len() == text.len()) else { return Vec::new() };
    let is_comment =
        |at: usize| code.as_bytes().get(at..at + MARK.len()).is_some_and(|code| code.iter().all(|byte| *byte == b' '));
    let lines = LinesOfCode::of(text, code);
    let mut found = Vec::new();
    for at in marks.into_iter().filter(|at| is_comment(*at)) {
        // In quotes it is spoken of.
        if text[..at].chars().next_back().is_some_and(|c| !c.is_whitespace() && !"#/*-;%!".contains(c)) {
            continue;
        }
        let wording = text[at..].lines().next().unwrap_or_default().trim_end();
        if wording.len() > MOST_BYTES {
            continue;
        }
        let Some((ids, whole)) = parse(wording) else { continue };
        let line = lines.number(at);
        let reach = match whole {
            true => vec![None],
            false => [Some(line), lines.next_code(line)].into_iter().filter(Option::is_some).collect(),
        };
        for id in ids {
            let standing = match whole {
                true if is_guarded(id) => Standing::Guarded,
                true if lines.first_code().is_some_and(|first| first <= line) => Standing::TooLate,
                _ => Standing::Counts,
            };
            let allowance = Allowance { id, line, wording, standing, is_used: Cell::new(false) };
            found.push(Written { allowance, lines: reach.clone() });
        }
    }
    found
}

/// The ids of a comment from its mark on, and whether it is about the whole file. What is not exactly of this form is
/// prose that speaks of it.
fn parse(wording: &str) -> Option<(Vec<&str>, bool)> {
    let rest = wording.strip_prefix(MARK)?.trim_start();
    let (rest, whole) = match rest.strip_prefix("allow-file") {
        Some(rest) => (rest, true),
        None => (rest.strip_prefix("allow")?, false),
    };
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    let mut ids = Vec::new();
    let mut rest = rest.trim_start();
    loop {
        let end =
            rest.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')).unwrap_or(rest.len());
        let id = rest.get(..end)?;
        // `-->` may follow without a space.
        let id = id.trim_end_matches('-');
        if !id.starts_with(|c: char| c.is_ascii_lowercase()) {
            return None;
        }
        ids.push(id);
        rest = rest.get(id.len()..)?.trim_start();
        match rest.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => break,
        }
    }
    // A reason, the end of the comment, or another program's.
    let ends = ["--", "*/", "*)", "#", "//", "%>", "}"].iter().any(|end| rest.starts_with(end));
    (rest.is_empty() || ends).then_some((ids, whole))
}

/// Which lines hold code.
struct LinesOfCode {
    starts: Vec<usize>,
    /// For each line the line of code that it stands right before, with nothing but comments between the two, if it
    /// is a comment itself.
    next: Vec<Option<usize>>,
    first: Option<usize>,
}

impl LinesOfCode {
    fn of(text: &str, code: &str) -> LinesOfCode {
        let starts: Vec<usize> =
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
        let mut next = vec![None; starts.len()];
        let (mut first, mut below) = (None, None);
        for (at, start) in starts.iter().enumerate().rev() {
            let end = starts.get(at + 1).copied().unwrap_or(text.len());
            let is_blank =
                |text: &str| text.as_bytes().get(*start..end).is_none_or(|line| line.trim_ascii().is_empty());
            if !is_blank(code) {
                // The program that a script is for is no code.
                first = if at == 0 && text.starts_with("#!") { first } else { Some(at + 1) };
                below = Some(at + 1);
            } else if is_blank(text) {
                below = None;
            } else if let Some(next) = next.get_mut(at) {
                *next = below;
            }
        }
        LinesOfCode { starts, next, first }
    }

    fn number(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    fn next_code(&self, line: usize) -> Option<usize> {
        self.next.get(line - 1).copied().flatten()
    }

    fn first_code(&self) -> Option<usize> {
        self.first
    }
}

/// Takes from `unused` what `before` has unused as well, in the same words, each as often: it is nobody's doing.
pub(super) fn without_old<'a, 't>(unused: Vec<&'a Allowance<'t>>, before: &[&Allowance]) -> Vec<&'a Allowance<'t>> {
    let mut had: HashMap<(&str, &str), usize> = HashMap::new();
    before.iter().for_each(|it| *had.entry((it.wording, it.id)).or_default() += 1);
    let mut new = Vec::new();
    for it in unused {
        match had.get_mut(&(it.wording, it.id)) {
            Some(left) if *left > 0 => *left -= 1,
            _ => new.push(it),
        }
    }
    new
}

/// The ids that these permit.
pub(super) fn ids<'t>(unused: &[&Allowance<'t>]) -> HashSet<&'t str> {
    unused.iter().map(|it| it.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Candidate;

    /// The lines of `stub` findings that the text permits, of all lines.
    fn permitted(path: &str, text: &str) -> Vec<usize> {
        let candidate = Candidate { path, text, ..Candidate::default() };
        let change = Change::of(&candidate);
        let settings = Settings { author: Author::Anyone, ..Settings::default() };
        let comments = Comments::of(&change, &settings);
        let finding = |line: usize| Finding::error("stub", "").line(line);
        (1..=text.lines().count()).filter(|line| comments.permit(&finding(*line))).collect()
    }

    #[test]
    fn a_comment_is_about_its_line_or_the_line_of_code_that_it_stands_before() {
        for (text, expected) in [
            ("a = 1  # git-implement: allow stub\nb = 2\n", &[1][..]),
            ("# git-implement: allow stub -- later\n# and more\na = 1\nb = 2\n", &[1, 3]),
            ("# git-implement: allow stub\n\na = 1\n", &[1]),
            ("# git-implement: allow syntax, stub # noqa\na = 1\n", &[1, 2]),
            ("# git-implement: allow-file stub\na = 1\n", &[1, 2]),
            ("a = 1\n# git-implement: allow-file stub\n", &[]),
            ("x = '# git-implement: allow stub'\n", &[]),
            ("# say `git-implement: allow stub` to permit it\n", &[]),
            ("# git-implement: allow stub in a comment permits it\n", &[]),
            ("# git-implement: allow <id>\n# git-implement: allowed stub\n", &[]),
            ("# git-implement: allow stu\n", &[]),
        ] {
            assert_eq!(permitted("a.py", text), expected, "{text}");
        }
    }

    #[test]
    fn each_language_has_its_own_comments_and_some_have_none() {
        for (path, text, expected) in [
            ("a.rs", "// git-implement: allow stub\nfn a() {}\n", &[1, 2][..]),
            ("a.c", "int a; /* git-implement: allow stub */\n", &[1]),
            ("a.html", "<!-- git-implement: allow stub-->\n<p>\n", &[1, 2]),
            ("a.sql", "-- git-implement: allow stub\nselect 1\n", &[1, 2]),
            ("a.json", "{\"a\": \"git-implement: allow stub\"}\n", &[]),
            ("a.txt", "# git-implement: allow stub\n", &[]),
        ] {
            assert_eq!(permitted(path, text), expected, "{path}");
        }
    }

    #[test]
    fn of_what_a_model_wrote_only_comments_count_that_the_base_has() {
        let base = "a = 1  # git-implement: allow stub\n";
        let permits = |text: &str, pushed: bool, author: Author, id: &'static str| {
            let candidate = Candidate { path: "a.py", text, base: Some(base), ..Candidate::default() };
            let change = Change::of(&candidate);
            let settings = Settings { author, pushed, ..Settings::default() };
            let line = text.lines().count();
            Comments::of(&change, &settings).permit(&Finding::error(id, "").line(line))
        };
        let own = "b = 2  # git-implement: allow stub -- mine\n";
        assert!(permits("b = 2  # git-implement: allow stub\n", false, Author::Model, "stub"));
        assert!(!permits(own, false, Author::Model, "stub") && permits(own, false, Author::Anyone, "stub"));
        assert!(!permits(&format!("{base}{base}"), false, Author::Model, "stub"), "one more than the base has");
        let secret = "b = 2  # git-implement: allow secret, stub\n";
        assert!(permits(secret, false, Author::Anyone, "secret") && !permits(secret, true, Author::Anyone, "secret"));
        assert!(permits(secret, true, Author::Anyone, "stub-x"));
    }
}
