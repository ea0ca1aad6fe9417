//! What headings, list items and other lines come to: a scope for what stands under them, and claims.

use super::claim::{Place, Tier};
use super::front;
use super::statement::{self, Form, Stance, Statement, unnumbered};
use super::walk::{Item, Lead, Open, Walk};
use crate::lld::dialect::Document;
use crate::lld::document::caption;
use crate::lld::inline::bullet;
use crate::lld::lines::Line;
use crate::lld::rows::Row;
use crate::lld::sentence::{Word, said_by_title};
use crate::lld::target::{self, Cell, Target};
use crate::lld::title::{Scope, scope, verb_of};
use crate::lld::vocabulary::asked;
use crate::lld::{Change, bullets, wording};

/// How many files of one item get the lines under it, and how long a description grows, in bytes.
const MAX_DETAILED: usize = 8;
const MAX_DESCRIPTION: usize = 4000;

impl<'a> Walk<'a> {
    /// A heading: what it names, and what it says of what stands under it.
    pub(super) fn heading(&mut self, document: &Document<'a>, at: usize, level: usize, title: &'a str) {
        while self.open.last().is_some_and(|open| open.level >= level) {
            self.open.pop();
        }
        self.items.clear();
        (self.label, self.in_file, self.begun) = (None, false, false);
        let read = statement::of_title(title);
        if let Some(read) = read.clone().filter(|_| Some(at) != self.title_at) {
            let line = document.lines.get(at).map_or(0, |line| line.number);
            let body = document.heading_at(at).map(|heading| document.own(heading));
            let body: Vec<&str> = body.unwrap_or_default().iter().map(|line| line.text).collect();
            let body = format!("{title}\n{}", body.join("\n").trim());
            self.take(Some(read), line, Place::Heading, body.trim());
        }
        // The title of the whole document announces nothing, and one that names a file is about that file.
        let named = read.as_ref().is_some_and(|read| read.targets.iter().any(|target| !target.directory));
        let scope = if Some(at) == self.title_at || named { None } else { scope(title) };
        let directory = read.as_ref().and_then(directory_of);
        // "[NEW] `src/night/`", "[NEW] The night": so are the files that are listed under it.
        let made = read.filter(|read| read.stance == Stance::Write && directory.is_some()).and_then(|read| read.change);
        let made = made.or_else(|| if named { None } else { tag_of(title) });
        let made = made.filter(|change| matches!(change, Change::Add | Change::Modify));
        let scope = scope.or(made.map(|change| Scope::Files(Some(change))));
        self.open.push(Open {
            level,
            title,
            scope,
            hint: said_by_title(unnumbered(title)).filter(|_| !matches!(scope, Some(Scope::Files(_)))),
            directory,
        });
    }

    /// A line of text: a tag, a list item, or another line.
    pub(super) fn text(&mut self, line: &Line<'a>) {
        let after_blank = std::mem::take(&mut self.blank);
        if let Some(tag) = front::tag(line.text) {
            return self.tag(tag, line);
        }
        if let Some((_, Some(Scope::Files(_)))) = self.tags.last() {
            return self.tagged(line.text, line.number);
        }
        let found = bullet(line.text);
        let Some(found) = found else { return self.line(line, after_blank) };
        while self.items.last().is_some_and(|item| item.indent >= found.indent) {
            self.items.pop();
        }
        self.begun = true;
        if self.scope() != Some(Scope::Aside) {
            self.walked.made.extend(statement::made(found.text).map(str::to_owned));
        }
        let mut read = statement::read(found.text).filter(|_| !(self.is_list && is_torn(found.text)));
        let heads = caption(found.text).or_else(|| found.text.strip_suffix([':', '：']));
        // "- **`a.py`**:" with its steps under it, where the title says what all are about.
        let about = self.open.last().and_then(|open| open.hint).filter(|_| heads.is_some());
        if let (Some(read), Some(hint)) = (read.as_mut().filter(|read| read.form == Form::First), about) {
            (read.form, read.hint) = (Form::Verb, read.hint.or(Some(hint)));
        }
        let lead = heads.map(|title| self.lead(title)).unwrap_or_default();
        let under = self.items.iter().any(|item| item.named);
        let mut item = Item {
            indent: found.indent,
            lead: Lead { scope: lead.scope.filter(|_| read.is_none()), ..lead },
            named: under,
            directory: read.as_ref().and_then(directory_of),
            claims: 0..0,
            boxed: found.ticked.is_some(),
        };
        // Lines under an item that names a file say more about that file.
        let details = under && read.as_ref().is_some_and(|read| !matches!(read.form, Form::Typed | Form::Label));
        self.boxed = item.boxed;
        if !details && read.is_some() {
            let before = self.walked.claims.len();
            self.take(read, line.number, Place::Bullet, found.text);
            if self.is_list && self.walked.claims.len() == before {
                self.unread(found.text, line.number);
            }
            item.claims = before..self.walked.claims.len();
            // "`web/`, the pages:" lists what is in it.
            item.named |= !(item.claims.is_empty() || heads.is_some() && item.directory.is_some());
        } else if under {
            self.add_detail(line.text.trim(), bullets::type_line(found.text));
        } else if self.is_list && item.lead.scope.is_none() {
            self.unread(found.text, line.number);
        }
        self.boxed = false;
        self.items.push(item);
    }

    /// Adds a line to what the item says of its files under which it stands. `kind`: it says what is done with them.
    fn add_detail(&mut self, text: &str, kind: Option<&str>) {
        let Some(item) = self.items.iter().rev().find(|item| !item.claims.is_empty()) else { return };
        let change = kind.and_then(|kind| wording::read(kind).change);
        for claim in self.walked.claims.get_mut(item.claims.clone()).unwrap_or_default().iter_mut().take(MAX_DETAILED) {
            claim.row.implied = claim.row.implied.or(change);
            if claim.row.description.len() < MAX_DESCRIPTION {
                claim.row.description.push('\n');
                claim.row.description.push_str(text);
            }
        }
    }

    /// A line that is no list item: a label, a label with its paths, a sentence.
    fn line(&mut self, line: &Line<'a>, after_blank: bool) {
        let indented = line.text.starts_with([' ', '\t']);
        if !indented && after_blank {
            self.items.clear();
        }
        let text = line.text.trim();
        // "@src/a.py" in what is to be known: the file is there.
        let text = text.strip_prefix('@').filter(|_| self.is_there()).unwrap_or(text);
        let read = statement::read(text);
        let heads = caption(text).or_else(|| text.strip_suffix([':', '：'])).filter(|title| title.len() < 120);
        if self.in_file {
            self.about_file(text);
        }
        match (&read, heads) {
            (None, Some(title)) if !indented => {
                let label = self.lead(title);
                self.label = Some(label);
                if matches!(label.scope, Some(Scope::Files(_))) {
                    (self.in_file, self.recent) = (true, self.walked.claims.len());
                }
                self.begun = false;
                self.items.clear();
            }
            // In an item a label holds for the item's other lines.
            (None, Some(title)) if self.items.last().is_some_and(|item| !item.named) => {
                let lead = self.lead(title);
                self.items.last_mut().into_iter().for_each(|item| item.lead = lead);
            }
            (None, None) if !indented => {
                // Another label, or a paragraph after the list, ends what the last label said.
                let other = text.starts_with("**") && text.contains(':');
                if other || self.begun && after_blank {
                    (self.label, self.begun) = (None, false);
                }
            }
            _ => {}
        }
        let Some(mut read) = read else {
            if indented {
                self.add_detail(text, None);
            }
            return;
        };
        // "`a.py` does this and that" is a sentence, unless the path is all there is.
        if read.form == Form::First && !is_alone(&read.words) {
            read.form = Form::Sentence;
        }
        if matches!(read.form, Form::Label | Form::Typed) && !indented {
            self.label = None;
            self.in_file = read.form == Form::Label;
            self.recent = self.walked.claims.len();
        }
        // A paragraph of an item says as much as the item.
        let of_item = indented && after_blank && !self.items.is_empty();
        if !self.is_list {
            self.take(Some(read), line.number, if of_item { Place::Bullet } else { Place::Line }, text);
        }
    }

    /// An item of the design's list of which no path is read: a row whose text says what is wrong with it.
    fn unread(&mut self, text: &str, line: usize) {
        let row = Row { line, cell: text.to_owned(), ..Row::default() };
        self.claim(Tier::Strong, Stance::Write, None, row);
    }

    /// "**Changes**: …" after "**File**: a.py": the file is there, unless it is made.
    fn about_file(&mut self, text: &str) {
        let Some((label, rest)) = text.strip_prefix("**").and_then(|text| text.split_once("**")) else {
            return self.hint_recent(said_by_title(text));
        };
        // "**Lines**: 10-12", "**After line 38**"
        if label.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|word| matches!(word, "line" | "lines")) {
            return self.hint_recent(Some(Change::Modify));
        }
        let label = label.trim_end_matches(':').to_lowercase();
        let rest = rest.trim_start_matches([':', ' ']);
        let typed = matches!(label.as_str(), "action" | "operation" | "type" | "change type" | "status" | "mode");
        let about = wording::read(&label).change.filter(|change| matches!(change, Change::Modify | Change::Delete));
        if !typed && about.is_none() {
            return;
        }
        let said = wording::read(rest);
        let first = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
        let made = asked(&first) == Some(Change::Add) && first != "add";
        // "**Action**: Create", "**Changes**: Delete this file".
        let sure = said.change.filter(|change| typed && said.exact || *change == Change::Delete);
        let looked_up = self.scope() == Some(Scope::Reference);
        for claim in self.walked.claims.get_mut(self.recent..).unwrap_or_default() {
            claim.row.implied = claim.row.implied.or(sure);
            let hint = if made { Change::Add } else { Change::Modify };
            claim.hint = about.map(|_| hint).or(claim.hint);
            // Under a title such as "Dependencies", too.
            if looked_up && claim.stance == Stance::Look {
                (claim.tier, claim.stance) = (Tier::Strong, Stance::Write);
            }
        }
    }

    /// Suggests what is done with the files of the last label.
    fn hint_recent(&mut self, hint: Option<Change>) {
        let claims = self.walked.claims.get_mut(self.recent..).unwrap_or_default().iter_mut();
        claims.take(MAX_DETAILED).for_each(|claim| claim.hint = claim.hint.or(hint));
    }

    /// What a label says of what stands under it. Under "**File**: a.py" a verb is about what is in the file.
    fn lead(&self, title: &str) -> Lead {
        let about_files = title.to_lowercase().contains("file");
        let scope = scope(title).map(|scope| match scope {
            // "**Remove**:" after "**File**: a.py" lists what is taken out of the file.
            Scope::Files(_) | Scope::Forbidden if self.in_file && !about_files => Scope::Reference,
            scope => scope,
        });
        Lead { scope, verb: verb_of(title) }
    }
}

/// What a tag before a title says of all that stands under it.
fn tag_of(title: &str) -> Option<Change> {
    let (tag, _) = title.strip_prefix('[')?.split_once(']')?;
    let said = wording::read(tag);
    said.change.filter(|_| said.exact)
}

/// Does an item leave open which of two files is meant?
fn is_torn(text: &str) -> bool {
    matches!(target::read(text), Cell::Bad(problem) if problem.id == "lld-path-alternatives")
}

/// The directory that a title or an item is about.
fn directory_of(read: &Statement) -> Option<String> {
    match read.targets.as_slice() {
        [Target { path, directory: true, .. }] => Some(path.clone()),
        _ => None,
    }
}

/// Is there nothing on the line but paths, and what stands in parentheses?
fn is_alone(words: &[Word]) -> bool {
    let mut depth = 0usize;
    words.iter().all(|word| match word {
        Word::Mark('(') => {
            depth += 1;
            true
        }
        Word::Mark(')') => {
            depth = depth.saturating_sub(1);
            true
        }
        Word::Plain(word) => depth > 0 || word == "and",
        Word::Code => depth > 0,
        Word::Seen(_) | Word::Mark(_) => true,
    })
}
