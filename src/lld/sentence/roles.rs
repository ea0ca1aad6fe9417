//! What a task does with each path of its lines: writes, deletes, renames, or only mentions it.
//!
//! A path that stands in a task is written unless a word before it says otherwise; a bare name needs a word that says
//! so. Cues only ever take away: where they disagree the path is unsure, and shown as such. Knows no document and no
//! repository.

use super::cue::Cue;
use super::kinds::{is_paper, is_test};
use super::looks::Looks;
use super::words::Word;
use crate::lld::verbs::forbid;
use crate::lld::vocabulary::{has, writes};
use std::collections::HashSet;

/// What is done with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lld) enum Role {
    Write,
    Delete,
    /// The old name; the new one is the next path of the line.
    RenameFrom,
    Mention,
    /// It may be written; nobody can tell from the words.
    Unsure,
}

/// What the lines before say about a line.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::lld) struct Mood {
    /// The step only looks ("Verify …", "Run …").
    pub looks: bool,
    /// The line is the task's title.
    pub title: bool,
    /// The task writes tests, and names the file for them.
    pub testing: bool,
}

impl Mood {
    /// Does a sentence that begins with `word` write something?
    pub fn writes(word: &str) -> bool {
        has("write", word) || has("deletes", word) || has("renames", word) || writes(word)
    }
}

/// How far back a cue is looked for, in words.
pub(in crate::lld) const REACH: usize = 12;

/// The role of each word that is a path, by its index; and whether the line begins as a step that only looks.
pub(in crate::lld) fn roles(words: &[Word], mood: Mood) -> (Vec<(usize, Role)>, bool) {
    let mut line = Line {
        words,
        roles: Vec::new(),
        mood,
        looks: mood.looks,
        first_looks: mood.looks,
        quote: None,
        names_test: words.iter().any(|word| matches!(word, Word::Seen(seen) if is_test(&seen.written))),
        outside: Vec::new(),
    };
    if label(words).iter().any(|word| is_reference(word)) {
        (line.looks, line.first_looks) = (true, true);
    }
    for at in 0..words.len() {
        line.turn(at);
        if let Some(Word::Seen(_)) = words.get(at) {
            let role = line.judge(at);
            line.roles.push((at, role));
        }
    }
    line.either_or();
    (line.roles, line.first_looks)
}

/// The words before a colon that stands near the beginning of the line.
fn label(words: &[Word]) -> Vec<&str> {
    match words {
        [Word::Plain(word), Word::Mark(':'), ..] => vec![word],
        [Word::Plain(first), Word::Plain(word), Word::Mark(':'), ..] if first == "reference" => vec![first, word],
        [Word::Plain(_), Word::Plain(word), Word::Mark(':'), ..] => vec![word],
        _ => Vec::new(),
    }
}

pub(in crate::lld) fn is_reference(label: &str) -> bool {
    has("refers", label)
}

/// A line while it is judged from its beginning to its end.
pub(in crate::lld) struct Line<'a> {
    pub(in crate::lld) words: &'a [Word],
    pub(in crate::lld) roles: Vec<(usize, Role)>,
    pub(in crate::lld) mood: Mood,
    looks: bool,
    /// Did the line begin so?
    first_looks: bool,
    /// Where the quotation began that is open.
    quote: Option<usize>,
    /// Does the line name a test?
    names_test: bool,
    /// Did the line look before each of the parentheses that are open?
    outside: Vec<bool>,
}

impl Line<'_> {
    pub(in crate::lld) fn plain(&self, at: usize) -> Option<&str> {
        match self.words.get(at) {
            Some(Word::Plain(word)) => Some(word),
            _ => None,
        }
    }

    pub(in crate::lld) fn before(&self, at: usize) -> Option<&str> {
        at.checked_sub(1).and_then(|at| self.plain(at))
    }

    pub(in crate::lld) fn role(&self, at: usize) -> Option<Role> {
        let found = self.roles.binary_search_by_key(&at, |&(at, _)| at).ok()?;
        self.roles.get(found).map(|&(_, role)| role)
    }

    /// A clause may turn from looking to writing: "Run the script and update X".
    fn turn(&mut self, at: usize) {
        match self.words.get(at) {
            Some(Word::Mark('·')) => self.looks = self.mood.looks,
            Some(Word::Mark('.')) => self.looks = self.first_looks,
            Some(Word::Mark('(')) => self.outside.push(self.looks),
            Some(Word::Mark(')')) => self.looks = self.outside.pop().unwrap_or(self.looks),
            Some(Word::Mark('"')) => self.quote = if self.quote.is_some() { None } else { Some(at) },
            _ => {}
        }
        let (begins, joins) = match at.checked_sub(1).and_then(|before| self.words.get(before)) {
            None => (true, false),
            Some(Word::Mark(mark)) => (matches!(mark, '.' | ';' | ',' | '—' | ':' | '+' | '→'), false),
            Some(Word::Plain(word)) => (false, matches!(word.as_str(), "and" | "then" | "et" | "y" | "und" | "e")),
            _ => (false, false),
        };
        let Some(word) = self.plain(at).filter(|_| begins || joins) else { return };
        let word = word.to_owned();
        if has(if joins { "look-also" } else { "look" }, &word) {
            self.looks = true;
            self.first_looks |= at == 0;
        } else if has("write", &word) || has("deletes", &word) || has("renames", &word) {
            self.looks = false;
        }
    }

    fn judge(&self, at: usize) -> Role {
        let Some(Word::Seen(seen)) = self.words.get(at) else { return Role::Mention };
        let path = match &seen.looks {
            Looks::Files(files) => files.first().map_or("", String::as_str),
            Looks::Slashed(_) | Looks::Extension(_) => return Role::Mention,
            _ => seen.written.as_str(),
        };
        let bare = !path.contains('/');
        if self.is_forbidden(at) {
            return Role::Mention;
        }
        let cue = self.cue(at);
        if self.is_new(at) {
            return Role::Write;
        }
        if self.quote.is_some_and(|from| at - from > 2) {
            return Role::Mention;
        }
        // A name whose directory the line gives.
        let placed = !bare && !seen.written.contains('/');
        if let Cue::Listed(before) = cue {
            let before = self.role(before).unwrap_or(Role::Unsure);
            return if before == Role::RenameFrom { Role::Write } else { before };
        }
        if self.looks {
            // "Verify the schema in tests/schema_test.py" asks for the test, unless it must pass.
            let asserts = matches!(cue, Cue::Place) && is_test(path) && !bare && self.asserts();
            return if asserts { Role::Write } else { Role::Mention };
        }
        if is_paper(path) {
            return if self.documents(at, &cue) { Role::Write } else { Role::Mention };
        }
        if let Some(role) = self.ideographs(at, &cue, bare) {
            return role;
        }
        let beside = self.mood.testing && !is_test(path);
        match cue {
            Cue::Mention => Role::Mention,
            Cue::Place if beside && self.names_test => Role::Mention,
            Cue::Place if bare && self.is_placed_elsewhere(at) => Role::Mention,
            // "(protocol in workflow.md)"
            Cue::Place if bare && !self.outside.is_empty() => Role::Unsure,
            Cue::Add if bare && !self.is_whole(at) => Role::Mention,
            Cue::Place | Cue::Verb | Cue::Add if bare && !self.is_main(at) => Role::Unsure,
            Cue::Place | Cue::Verb | Cue::Add => Role::Write,
            Cue::Delete if self.is_whole(at) => Role::Delete,
            Cue::Delete => Role::Unsure,
            Cue::Rename if self.leads_on(at) => Role::RenameFrom,
            Cue::Rename => Role::Write,
            Cue::From if self.writes_from(at) => Role::Write,
            Cue::From => Role::Mention,
            Cue::Weak if placed => Role::Write,
            Cue::Weak if beside || bare => Role::Mention,
            Cue::Weak => Role::Unsure,
            Cue::Dot => Role::Write,
            Cue::Start(_) | Cue::Colon | Cue::Parenthesis | Cue::Clause if beside => Role::Mention,
            Cue::Start(words) if bare => match words {
                0 => Role::Write,
                1..=3 if self.mood.title => Role::Write,
                _ => Role::Mention,
            },
            Cue::Colon => Role::Write,
            Cue::Parenthesis | Cue::Clause if bare => Role::Unsure,
            _ => Role::Write,
        }
    }

    /// "Do not change `a.py`": a verb that is negated in the same clause. What is listed after it is no more written.
    fn is_forbidden(&self, at: usize) -> bool {
        let ends = |word: &Word| match word {
            Word::Plain(word) => matches!(word.as_str(), "but" | "instead" | "sondern" | "pero" | "mais" | "mas"),
            Word::Mark(mark) => !matches!(mark, '"' | '/' | '+'),
            Word::Seen(_) | Word::Code => false,
        };
        let clause = self.words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
        let start = clause.iter().rposition(ends).map_or(0, |end| end + 1);
        let plain = clause.iter().skip(start).filter_map(|word| match word {
            Word::Plain(word) => Some(word.as_str()),
            _ => None,
        });
        let plain: Vec<&str> = plain.collect();
        let (first, rest) = plain.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
        forbid(&plain) || matches!(first, "leave") && rest.is_empty()
    }

    /// "Create X in `src/x/` for … in y.md": does the sentence say already where it writes?
    fn is_placed_elsewhere(&self, at: usize) -> bool {
        self.roles.iter().rev().take(REACH).any(|&(before, role)| {
            let directory =
                matches!(self.words.get(before), Some(Word::Seen(seen)) if matches!(seen.looks, Looks::Directory(_)));
            directory && role == Role::Write && before + REACH > at
        })
    }

    /// A bare name in the lines under a task needs a line that is about it: what programs do in sentences of their own
    /// ("writes the result to out.json") is no step.
    fn is_main(&self, at: usize) -> bool {
        let verb = |at: usize| self.plain(at).is_some_and(|word| has("write", word) || has("deletes", word));
        let aim = (at.saturating_sub(4)..at).rev().find(|&at| verb(at)).is_some_and(|at| self.before(at) == Some("to"));
        let first =
            at <= 2 || verb(0) || verb(1) || self.words.get(1) == Some(&Word::Mark(':')) || self.plain(0) == Some("in");
        !aim && (self.mood.title || first)
    }

    /// `(new)` right after the path.
    fn is_new(&self, at: usize) -> bool {
        let open = self.words.get(at + 1) == Some(&Word::Mark('('));
        open && self
            .plain(at + 2)
            .is_some_and(|word| matches!(word, "new" | "neu" | "nouveau" | "nuevo" | "新規" | "新建"))
    }

    /// "Validate … in tests/x": the test is what is to be written, unless it is to be run.
    fn asserts(&self) -> bool {
        let words = || (0..self.words.len().min(60)).filter_map(|at| self.plain(at));
        let first = words().next().unwrap_or_default();
        matches!(first, "validate" | "verify" | "confirm" | "check" | "benchmark" | "measure")
            && !words().any(|word| has("to-run", word))
    }

    /// Is the place in a document of the feature one that the task writes?
    fn documents(&self, at: usize, cue: &Cue) -> bool {
        let direct = matches!(cue, Cue::Verb | Cue::Add | Cue::Place | Cue::Colon | Cue::Dot | Cue::Start(0));
        if let Some(writes) = self.ideographs(at, cue, true) {
            return writes == Role::Write;
        }
        let verb = (0..=2).find(|&at| self.plain(at).is_some_and(|word| has("document", word)));
        let near = |verb: &usize| *verb < at && at - verb <= 9;
        let Some(verb) = verb.filter(near).filter(|_| direct && self.mood.title) else { return false };
        let whole = !matches!(cue, Cue::Add) || self.is_whole(at);
        let aside = (verb + 1..at).any(|at| {
            let to = self.before(at) == Some("to") && self.plain(at).is_some_and(|word| !has("article", word));
            to && at + 1 < self.words.len() && self.plain(at).is_some()
        });
        whole && !aside
    }

    /// `a.toml` or `b.txt`: nobody can tell which.
    fn either_or(&mut self) {
        let mut torn = HashSet::new();
        for pair in self.roles.windows(2) {
            let [(first, Role::Write), (second, Role::Write)] = *pair else { continue };
            let between = self.words.get(first + 1..second).unwrap_or_default();
            let words: Vec<_> = between.iter().filter(|word| !matches!(word, Word::Mark(_))).collect();
            if let [Word::Plain(word)] = words.as_slice()
                && matches!(word.as_str(), "or" | "oder" | "ou" | "o" | "または" | "或" | "或者")
            {
                torn.extend([first, second]);
            }
        }
        for (at, role) in &mut self.roles {
            if torn.contains(at) {
                *role = Role::Unsure;
            }
        }
    }
}
