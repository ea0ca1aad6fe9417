//! Texts made again from a record: the same replies, through the same engine, over the same base, or over another one where
//! a rebase has brought another.

use super::open::{Record, Unread};
use crate::edit::{self, Applied, Edit, Format};
use crate::git::blob_id;
use crate::model::StopReason;
use crate::plan;
use crate::prompt::fenced;
use crate::taskmaster;
use crate::transcript::Recipe;
use crate::transcript::recipe::{Answer, By, Text};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Why a text cannot be made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// Something is not in the record, or not as it was written.
    Record(String),
    /// The replies are left out of the record, or the one that is needed had a secret that was cut out.
    LeftOut(String),
    /// What is there does not apply.
    Refused(String),
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Broken::Record(why) | Broken::LeftOut(why) | Broken::Refused(why) => f.write_str(why),
        }
    }
}

impl From<Unread> for Broken {
    fn from(unread: Unread) -> Broken {
        Broken::Record(format!("the record {unread}"))
    }
}

/// The texts of one record.
pub struct Remake<'a, 'r> {
    pub record: &'a Record<'r>,
    pub recipe: &'a Recipe,
    /// The texts with this path and blob, by their numbers in the recipe: the model's first, then others.
    by_result: HashMap<(&'a str, &'a str), usize>,
    /// What has been made already over the recorded base.
    made: RefCell<HashMap<usize, Result<Rc<str>, Broken>>>,
    /// Where the edits of these went.
    edits: RefCell<HashMap<usize, Vec<Edit>>>,
}

impl<'a, 'r> Remake<'a, 'r> {
    pub fn new(record: &'a Record<'r>, recipe: &'a Recipe) -> Remake<'a, 'r> {
        let mut by_result: HashMap<(&str, &str), usize> = HashMap::new();
        for (at, text) in recipe.texts.iter().enumerate() {
            let place = by_result.entry((&text.path, &text.result)).or_insert(at);
            // A formatter that changed nothing is not who wrote it.
            let former = recipe.texts.get(*place).map(|text| &text.by);
            if matches!(former, Some(By::Command { .. })) && !matches!(text.by, By::Command { .. }) {
                *place = at;
            }
        }
        Remake { record, recipe, by_result, made: RefCell::default(), edits: RefCell::default() }
    }

    /// The number of the text that is this blob at this path.
    pub fn number(&self, path: &str, blob: &str) -> Option<usize> {
        self.by_result.get(&(path, blob)).copied()
    }

    /// The text that a hook or a formatter has changed to make this one: what was there last, for it names no base.
    pub fn changed_by_command(&self, number: usize) -> Option<usize> {
        let text = self.recipe.texts.get(number).filter(|text| matches!(text.by, By::Command { .. }))?;
        self.recipe.texts.get(..number)?.iter().rposition(|earlier| earlier.path == text.path)
    }

    /// The texts that lead to this one, the first first: each is the base of the next. They end before the text whose result
    /// is `until`.
    fn chain(&self, last: usize, until: Option<&str>) -> Vec<usize> {
        let mut chain = vec![last];
        while let Some(text) = chain.last().and_then(|at| self.recipe.texts.get(*at)) {
            let Some(base) = text.base.as_deref().filter(|base| until != Some(base)) else { break };
            let before = chain.last().copied().unwrap_or_default();
            // Each of them is made of an earlier one.
            match self.number(&text.path, base).filter(|at| *at < before) {
                Some(at) => chain.push(at),
                None => break,
            }
        }
        chain.reverse();
        chain
    }

    /// A text over its recorded base.
    pub fn text(&self, number: usize) -> Result<Rc<str>, Broken> {
        if let Some(made) = self.made.borrow().get(&number) {
            return made.clone();
        }
        let mut last: Option<Rc<str>> = None;
        for at in self.chain(number, None) {
            let known = self.made.borrow().get(&at).cloned();
            let made = match (known, self.recipe.texts.get(at)) {
                (Some(made), _) => made,
                (None, Some(text)) => {
                    let base = match (&last, &text.base) {
                        (Some(last), Some(_)) => Ok(Some(last.clone())),
                        (None, Some(base)) => self.record.kept(base).map(|text| Some(text.into())),
                        (_, None) => Ok(None),
                    };
                    let made = base.map_err(Broken::from).and_then(|base| self.one(text, base.as_deref()));
                    let made = made.map(|(made, edits)| {
                        self.edits.borrow_mut().insert(at, edits);
                        made
                    });
                    self.made.borrow_mut().insert(at, made.clone().map(Rc::from));
                    made.map(Rc::from)
                }
                (None, None) => return Err(Broken::Record("the record has no such text".to_owned())),
            };
            last = Some(made?);
        }
        last.ok_or_else(|| Broken::Record("the record has no such text".to_owned()))
    }

    /// A text with `other` in the place of the base `before`, on which it was made, be it at once or by way of texts that
    /// are in no commit.
    pub fn text_over(&self, number: usize, before: Option<&str>, other: &str) -> Result<String, Broken> {
        let mut last = other.to_owned();
        for at in self.chain(number, before) {
            let Some(text) = self.recipe.texts.get(at) else { continue };
            (last, _) = self.one(text, text.base.as_ref().map(|_| last.as_str()))?;
        }
        Ok(last)
    }

    /// The base that the first text leading to this one was made on.
    pub fn first_base(&self, number: usize) -> Option<&'a str> {
        let first = self.chain(number, None).first().copied()?;
        self.recipe.texts.get(first)?.base.as_deref()
    }

    /// Where the edits of the replies went that make a text over its recorded base, and how exactly they matched.
    pub fn edits(&self, number: usize) -> Option<Vec<Edit>> {
        self.text(number).ok()?;
        self.edits.borrow().get(&number).cloned()
    }

    fn one(&self, text: &Text, base: Option<&str>) -> Result<(String, Vec<Edit>), Broken> {
        let made = match &text.by {
            By::Reply { asked, replies } => {
                let applied = self.replied(&text.path, asked, replies, base)?;
                return Ok((applied.text, applied.edits));
            }
            By::Command { .. } => self.record.kept(&text.result)?,
            By::Design { line } => self.of_design(text, *line)?,
            By::Tick { lines, tasks, json } => {
                let base = base.unwrap_or_default();
                match json {
                    true => taskmaster::tick_json(base, &tasks.iter().map(String::as_str).collect()),
                    false => plan::tick(base, &lines.iter().copied().collect::<BTreeSet<usize>>()),
                }
            }
        };
        Ok((made, Vec::new()))
    }

    fn replied(&self, path: &str, asked: &str, answers: &[Answer], base: Option<&str>) -> Result<Applied, Broken> {
        let Some(asked) = Format::from_name(asked) else {
            return Err(Broken::Record(format!(
                "the record names a format '{}' that there is not",
                asked.escape_debug()
            )));
        };
        let texts = answers.iter().map(|answer| self.reply(answer)).collect::<Result<Vec<String>, Broken>>()?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let applied = edit::conversation(asked, path, base, &texts);
        applied.map_err(|refusal| Broken::Refused(refusal.message))
    }

    /// A whole reply, as it was given.
    pub fn reply(&self, Answer { key, nth }: &Answer) -> Result<String, Broken> {
        let replies_are_recorded = self.record.about.record.as_deref() != Some("none");
        if !replies_are_recorded && !self.record.has(&format!("replies/{key}.json")) {
            return Err(Broken::LeftOut("the record leaves replies out: implement.record was 'none'".to_owned()));
        }
        let recording = self.record.recording(key)?;
        let Some(reply) = recording.replies.get(*nth) else {
            return Err(Broken::Record(format!("the record has no reply {} to request {key:.12}", nth + 1)));
        };
        if reply.masked {
            return Err(Broken::LeftOut(format!("a secret was cut out of the reply to request {key:.12}")));
        }
        if reply.stop != StopReason::EndTurn {
            return Err(Broken::Record(format!("the reply to request {key:.12} is not whole")));
        }
        Ok(reply.text.clone())
    }

    /// Code that the design has written out, which the recorded design must have, too: line by line, in this order.
    fn of_design(&self, text: &Text, line: usize) -> Result<String, Broken> {
        let code = self.record.kept(&text.result)?;
        let design = self.record.text(crate::transcript::DESIGN)?;
        let mut lines = design.lines().skip(line.saturating_sub(1)).map(str::trim);
        let mut has = |wanted: &str| lines.any(|line| line == wanted);
        if let Some(other) = code.lines().map(str::trim).filter(|line| !line.is_empty()).find(|line| !has(line)) {
            let shown: String = other.chars().take(60).collect();
            return Err(Broken::Record(format!("the recorded design does not have '{shown}' from line {line} on")));
        }
        let made = edit::conversation(Format::Whole, &text.path, None, &[&fenced(&code, "")]);
        made.map(|applied| applied.text).map_err(|refusal| Broken::Refused(refusal.message))
    }
}

/// The blob of a text.
pub(super) fn blob_of(text: &str) -> String {
    blob_id(text.as_bytes())
}
