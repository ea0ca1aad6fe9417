//! One line of a plan: which paths it names, and what it says is done with them.
//!
//! A path stands first, after a label ("File:", "Create:"), or in a sentence. Does not know under which title the line
//! stands: that is for `claims` to weigh.

use super::listed::listed;
use super::noted::{Noted, clause, noted};
use crate::lld::Change;
use crate::lld::inline::{bare, has_link};
use crate::lld::sentence::{Looks, Seen, Word, is_changed_after, words};
use crate::lld::target::Target;
use crate::lld::verbs::forbid;
use crate::lld::vocabulary::{asked, has};
use crate::lld::wording;

/// How a line names its paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// They stand first.
    First,
    /// After a label that names files and no verb: "File:", "Test:".
    Label,
    /// After a label, a tag or a title that is a verb: "Create:", "[NEW]".
    Typed,
    /// After some other label: "Backend:".
    Other,
    /// After a verb of a sentence, which is about the file as a whole: "Create `a.py` with …".
    Verb,
    /// Somewhere in a sentence.
    Sentence,
}

/// What is asked of the paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    Write,
    /// To be read, run, compared.
    Look,
    /// Not to be touched.
    Forbid,
}

/// What a line says.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    pub form: Form,
    pub stance: Stance,
    pub targets: Vec<Target>,
    /// What is said of each of several paths in parentheses of its own.
    pub each: Vec<Option<Change>>,
    pub change: Option<Change>,
    /// What the words around the paths suggest.
    pub hint: Option<Change>,
    /// Patterns and templates that stand where a file should.
    pub patterns: Vec<String>,
    pub words: Vec<Word>,
}

/// Reads a line; `None` if it names no path.
pub(super) fn read(text: &str) -> Option<Statement> {
    let words = words(unnumbered(text));
    let at = words.iter().position(
        |word| matches!(word, Word::Seen(seen) if !matches!(seen.looks, Looks::Slashed(_) | Looks::Extension(_))),
    )?;
    let before = words.get(..at).unwrap_or_default();
    let start = before.iter().rposition(|word| *word == Word::Mark('.')).map_or(0, |stop| stop + 1);
    let lead: Vec<&str> = plain(&words, start, at);
    // "**Files:** Create `a.py`" is as good as "Create: `a.py`".
    let is_label = lead.first().is_some_and(|word| has("label-file", word)) && before.contains(&Word::Mark(':'));
    let labelled = is_label || matches!(before.last(), Some(Word::Mark(':')));
    let tagged = is_tagged(text);
    let said = wording::read(&lead.join(" "));
    let torn = lead.contains(&"or") || lead.contains(&"/");
    let mut form = match start > 0 && lead.is_empty() {
        true => Form::Sentence,
        false => form(&words, at, &lead, labelled || tagged),
    };
    let (mut targets, each, patterns, end) = listed(&words, at);
    let mut change = match said.change {
        Some(_) if torn && !said.exact => Some(Change::AddOrModify),
        change => change.filter(|_| form != Form::First),
    };
    let mut stance = match form {
        _ if forbid(&lead) => Stance::Forbid,
        Form::Label | Form::Typed | Form::Verb if change == Some(Change::None) => Stance::Look,
        Form::Other
            if lead.iter().any(|word| asked(word) == Some(Change::None)) || has("label-look", &lead.join(" ")) =>
        {
            Stance::Look
        }
        _ => Stance::Write,
    };
    if stance == Stance::Forbid {
        // "Do not add exports to `a.ts`" is about the exports.
        let direct = labelled || lead.last().is_some_and(|word| asked(word).is_some() || has("direct", word));
        form = if direct { Form::Typed } else { Form::Sentence };
        stance = if direct && !is_limited(&words, end) { stance } else { Stance::Look };
    }
    let mut hint = (is_ranged(&words) || is_changed_after(&words, at)).then_some(Change::Modify);
    if form != Form::Sentence && stance == Stance::Write {
        match noted(&words, end, &targets) {
            Some(Noted::Look) => stance = Stance::Look,
            Some(Noted::Forbid) => stance = Stance::Forbid,
            Some(Noted::Change(noted)) => change = change.or(Some(noted)),
            Some(Noted::Hint(noted)) => hint = hint.or(Some(noted)),
            None => {}
        }
    }
    // A link leads to what is there.
    let hint = hint.or_else(|| has_link(text).then_some(Change::Modify));
    // A copy leaves what it is made from.
    if lead.iter().any(|word| has("copies", word)) {
        targets.iter_mut().for_each(|target| target.from = None);
        change = change.or(Some(Change::Add));
    }
    // "`a.py` -> `b.py`"
    if form == Form::First && targets.iter().any(|target| target.from.is_some()) {
        change = Some(Change::Rename);
    }
    if change == Some(Change::Rename) && !targets.iter().any(|target| target.from.is_some()) {
        // "Move the helpers out of `a.py`"
        change = None;
        form = if form == Form::Verb { Form::Sentence } else { form };
    }
    let change = change.filter(|change| *change != Change::None);
    Some(Statement { form, stance, targets, each, change, hint, patterns, words })
}

/// Does a path name lines of the file, as of one that is there: `a.py:12-34`?
fn is_ranged(words: &[Word]) -> bool {
    words.iter().any(|word| {
        let Word::Seen(Seen { written, .. }) = word else { return false };
        let place = written.rsplit_once([':', '#']).map(|(_, place)| place.trim_start_matches('L'));
        place.is_some_and(|place| place.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// `[NEW] …`, `**Modify** …`, `✏️ …`: a mark that does for a colon.
fn is_tagged(text: &str) -> bool {
    let text = text.trim_start();
    let inside = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(inside, _)| inside);
    let bold = || text.strip_prefix("**").and_then(|rest| rest.split_once("**")).map(|(inside, _)| inside);
    inside.or_else(bold).is_some_and(|word| word.len() < 40 && wording::read(word.trim_end_matches(':')).exact)
}

/// Without the number, the id or the box's words before the statement itself: `1.`, `FILE-001:`, `Step 2:`, `Task:`.
pub(super) fn unnumbered(text: &str) -> &str {
    let text = ["[ ] ", "[x] ", "[X] "].iter().find_map(|tick| text.strip_prefix(tick)).unwrap_or(text);
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '.' | ')'));
    // `(2026-08-19 14:55Z)`
    let dated = text.strip_prefix("(2").and_then(|rest| rest.split_once(')')).filter(|(date, _)| date.len() < 30);
    let text = dated.map_or(text, |(_, rest)| rest.trim_start());
    let head = text.trim_start_matches(['*', '[', ' ']);
    let dash = || [" — ", " – ", " - "].iter().filter_map(|dash| head.find(dash)).min();
    let end = head.find([':', '：']).filter(|&end| end < 24).or_else(|| dash().filter(|&end| end < 24));
    let Some((word, rest)) = end.and_then(|end| head.split_at_checked(end)) else { return text };
    let word = word.trim_end_matches(['*', ' ', ']']);
    let id = word.rsplit_once('-').is_some_and(|(kind, number)| {
        kind.chars().all(|c| c.is_ascii_uppercase()) && !kind.is_empty() && number.chars().all(|c| c.is_ascii_digit())
    });
    let lower = word.to_lowercase();
    let called = ["task", "step", "todo", "phase"].iter().any(|called| {
        let rest = lower.strip_prefix(called);
        rest.is_some_and(|rest| rest.trim().chars().all(|c| c.is_ascii_digit() || c == '.'))
    });
    if id || called { rest.trim_start_matches([':', '：', '*', ' ', '—', '–', '-']) } else { text }
}

/// The name that a step creates, one with humps: "Create the `ParserConfig` class".
pub(super) fn made(text: &str) -> Option<&str> {
    let mut words = unnumbered(text).split_whitespace();
    let verb = words.next().map(str::to_lowercase).filter(|verb| verb != "add")?;
    let is_hump = |at: usize, word: &str| word.get(at..).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let name = |word: &&str| word.chars().all(char::is_alphanumeric) && (1..word.len()).any(|at| is_hump(at, word));
    let mut names = words.take(4).map(|word| word.trim_matches(['`', '*', ',', '.', ':']));
    names.find(name).filter(|_| asked(&verb) == Some(Change::Add))
}

/// The plain words between two places.
pub(super) fn plain(words: &[Word], from: usize, to: usize) -> Vec<&str> {
    let words = words.get(from..to).unwrap_or_default().iter();
    words
        .filter_map(|word| match word {
            Word::Plain(word) => Some(word.trim_matches(['[', ']', '(', ')', '_'])),
            _ => None,
        })
        .filter(|word| word.contains(char::is_alphanumeric))
        .collect()
}

fn form(words: &[Word], at: usize, lead: &[&str], marked: bool) -> Form {
    let is_code = words.get(..at).unwrap_or_default().iter().any(|word| matches!(word, Word::Code | Word::Seen(_)));
    if lead.is_empty() {
        return if is_code { Form::Sentence } else { Form::First };
    }
    let said = wording::read(&lead.join(" "));
    let known = |word: &&str| {
        has("label-file", word) || has("label-beside", word) || asked(word).is_some() || matches!(*word, "or" | "and")
    };
    let label = lead.iter().all(known) && lead.iter().any(|word| has("label-file", word));
    let verb = said.change.is_some() && lead.first().is_some_and(|word| asked(word).is_some());
    match () {
        () if marked && said.exact && !is_code => Form::Typed,
        () if label && (marked || lead.len() == 1) => Form::Label,
        () if marked && verb && lead.len() <= 4 && !is_code => Form::Typed,
        () if marked && lead.len() <= 4 && !is_code => Form::Other,
        () if said.exact
            && !marked
            && !is_code
            && (said.change == Some(Change::Rename) || is_object(lead) || is_whole(words, at)) =>
        {
            Form::Verb
        }
        () => Form::Sentence,
    }
}

/// Does the verb right before the path change it, whatever of it the words after it name: "Update `a.html` links"?
fn is_object(lead: &[&str]) -> bool {
    lead.last().is_some_and(|word| has("object", word))
}

/// Is the path all that the verb before it is about? Not in "Add `a.ts` to `b.json`" nor in "Remove `a.py` imports".
fn is_whole(words: &[Word], at: usize) -> bool {
    match words.get(at + 1) {
        Some(Word::Plain(word)) => {
            let leads_on = matches!(word.as_str(), "to" | "into" | "in" | "from" | "under");
            let to_path = leads_on && matches!(words.get(at + 2), Some(Word::Seen(_)));
            has("after-file", word) && !to_path || !word.is_ascii()
        }
        _ => true,
    }
}

/// "Do not edit `a.json` by hand": not in that way, not here, not yet.
fn is_limited(words: &[Word], end: usize) -> bool {
    clause(words, end).first().is_some_and(|word| has("limit", word))
}

/// The title of a heading as the statement that it may be: marks of the whole taken off.
pub(super) fn of_title(title: &str) -> Option<Statement> {
    read(bare(title))
}
