//! What tables, fences and statements come to: claims.

use super::claim::{Claim, Listed, Place, Tier, rows, weigh};
use super::statement::{self, Form, Stance, Statement, plain as plain_words};
use super::walk::Walk;
use super::{fence, tree};
use crate::finding::Finding;
use crate::lld::bullets::said;
use crate::lld::dialect::table_rows;
use crate::lld::inline::{has_link, plain};
use crate::lld::lines::Line;
use crate::lld::problem::shown;
use crate::lld::rows::Row;
use crate::lld::sentence::kinds::is_paper;
use crate::lld::sentence::{Looks, Mood, REACH, Role, Seen, Word, roles, suggested, words};
use crate::lld::table::Table;
use crate::lld::target::{self, Cell, Target};
use crate::lld::title::{Scope, is_there, verb_of};
use crate::lld::vocabulary::list;
use crate::lld::{Change, columns, wording};

impl Walk<'_> {
    pub(super) fn fence(&mut self, lines: &[Line]) {
        self.blank = false;
        let scope = self.scope();
        if matches!(scope, Some(Scope::Aside | Scope::Forbidden)) {
            // What a picture of today has is not new in one of tomorrow.
            let today = tree::files(lines, true, None).into_iter().map(|(row, _)| row.cell);
            self.today.extend(today);
            return;
        }
        if let Some((line, path)) = lines.first().and_then(fence::headed).filter(|_| scope != Some(Scope::Reference)) {
            let row = Row { line, target: Some(Target { path, directory: false, from: None }), ..Row::default() };
            self.claim(Tier::Loose, Stance::Write, Some(Change::Add), row);
        }
        let steps = fence::steps(lines);
        if !steps.is_empty() {
            for (line, step) in steps {
                self.take(Some(step), line, Place::Bullet, "");
            }
            return;
        }
        let listed = matches!(scope, Some(Scope::Files(_)));
        let title = self.open.last().map_or("", |open| open.title).to_lowercase();
        let picture = ["structure", "layout", "tree", "organization"].iter().any(|word| title.contains(word));
        for (row, marked) in tree::files(lines, listed, self.implied()) {
            let tier = match () {
                () if listed && !picture => Tier::Strong,
                () if marked && (listed || picture) => Tier::Strong,
                () if self.today.contains(&row.cell) => continue,
                () if listed || picture => Tier::Weak,
                () => continue,
            };
            match target::read(&row.cell) {
                Cell::Paths { mut targets, .. } if targets.len() == 1 => {
                    self.claim(tier, Stance::Write, Some(Change::Add), Row { target: targets.pop(), ..row });
                }
                // What is no path in a picture is an ellipsis; in a list it is a mistake.
                _ if tier == Tier::Strong => self.claim(tier, Stance::Write, Some(Change::Add), row),
                _ => {}
            }
        }
    }

    pub(super) fn table(&mut self, table: &Table) {
        self.blank = false;
        self.items.clear();
        let scope = self.scope();
        let Some(columns) = columns::find(table) else {
            self.in_table = scope == Some(Scope::Steps);
            for row in &table.rows {
                for cell in row.cells(table.header.len(), table.header.len().saturating_sub(1)) {
                    self.take(sentence_only(&cell), row.line, Place::Line, &cell);
                }
            }
            self.in_table = false;
            return;
        };
        let files = columns::names_files(table, columns.path);
        let typed = columns.kind.is_some() && files;
        let tier = match scope {
            Some(Scope::Aside) => return,
            Some(Scope::Reference) if !typed => return,
            Some(Scope::Files(_)) => Tier::Strong,
            _ if typed => Tier::Strong,
            _ => Tier::Weak,
        };
        for row in table_rows(table, &columns, self.implied()) {
            let kind = wording::read(row.kind.as_deref().unwrap_or_default());
            let forbidden = scope == Some(Scope::Forbidden) || kind.forbids;
            let stance = if forbidden { Stance::Forbid } else { Stance::Write };
            // A column that says in prose what changes in a file is about one that is there.
            let prose = kind.change.is_none() && row.kind.as_deref().is_some_and(|kind| kind.contains(' '));
            let hint = (prose || has_link(&row.cell)).then_some(Change::Modify);
            if tier == Tier::Strong && files {
                self.claim(tier, stance, hint, row);
                continue;
            }
            for path in named(&row.cell) {
                let target = Some(Target { path, directory: false, from: None });
                self.claim(tier, stance, hint, Row { target, ..row.clone() });
            }
        }
    }

    /// Takes what a line says as claims. `text`: the line, and what stands under a heading.
    pub(super) fn take(&mut self, read: Option<Statement>, line: usize, place: Place, text: &str) {
        let Some(mut read) = read else { return };
        // Items after "**File**: a.py" are about what is in the file.
        let about_content = self.in_file && self.label.is_none() && place == Place::Bullet && self.tags.is_empty();
        let scope = if about_content { Some(Scope::Reference) } else { self.scope() };
        // Elsewhere an arrow may be anything: what a call returns, what a text is rewritten to.
        let is_arrow = read.form == Form::First && read.change == Some(Change::Rename);
        if is_arrow
            && !matches!(scope, Some(Scope::Files(_)))
            && self.verb_above() != Some(Change::Rename)
            && !self.open.iter().any(|open| verb_of(open.title) == Some(Change::Rename))
        {
            return;
        }
        let Some((tier, stance)) = weigh(&read, scope, place) else { return };
        if matches!(read.form, Form::Sentence) && stance == Stance::Write {
            return self.sentence(&read, line, text);
        }
        let directory = self.items.iter().rev().find_map(|item| item.directory.as_ref());
        let directory = directory.or_else(|| self.open.iter().rev().find_map(|open| open.directory.as_ref())).cloned();
        if let Some(directory) = directory.filter(|_| place == Place::Bullet) {
            let lists = self.items.iter().rev().find(|item| item.directory.is_some()).is_some_and(|item| !item.named);
            let inside = |path: &str| !path.contains('/') || lists && !path.starts_with(&directory);
            for target in read.targets.iter_mut().filter(|target| !target.directory && inside(&target.path)) {
                target.path = format!("{directory}/{}", target.path);
            }
        }
        for pattern in read.patterns.iter().filter(|_| stance == Stance::Write && tier == Tier::Strong && !self.is_list)
        {
            let message = format!("'{}' is a pattern, not the path of one file", shown(pattern));
            let finding = Finding::warning("lld-path-glob", message).hint("list the files that it stands for");
            self.walked.findings.push(finding.line(line));
        }
        // Of several files the line says something together.
        let alone = matches!(read.targets.as_slice(), [Target { from: None, .. }]);
        let said = if alone { said(text) } else { text.trim() };
        let hint = match stance {
            Stance::Look if read.hint.is_none() => self.is_there().then_some(Change::Modify),
            _ => read.hint.or_else(|| self.suggested_above(read.form)),
        };
        // Boxes of a list of files are no steps.
        let named = matches!(read.form, Form::First | Form::Typed) && matches!(scope, Some(Scope::Files(_)));
        let boxed = self.boxed;
        self.boxed &= !named;
        let made: Vec<Row> = rows(&read, line, self.implied(), stance == Stance::Write, said).collect();
        for row in made {
            self.claim(tier, stance, hint, row);
        }
        self.boxed = boxed;
    }

    /// A sentence that says what is done with its paths.
    fn sentence(&mut self, read: &Statement, line: usize, text: &str) {
        let asks = asking(&read.words);
        let (roles, _) = roles(&read.words, Mood { title: true, ..Mood::default() });
        for (at, role) in roles.into_iter() {
            let Some(Word::Seen(Seen { looks: Looks::Files(files), .. })) = read.words.get(at) else { continue };
            let (change, stance) = match role {
                Role::Mention if self.is_there() => (None, Stance::Look),
                _ if !self.in_table && asks.get(at) != Some(&true) => continue,
                Role::Write => (None, Stance::Write),
                Role::Delete => (Some(Change::Delete), Stance::Write),
                Role::RenameFrom | Role::Mention | Role::Unsure => continue,
            };
            // "Update the command to write the results to out.json" is about what the program does.
            if is_aim(&read.words, at) && files.iter().all(|path| !path.contains('/')) {
                continue;
            }
            for path in files.iter().filter(|path| !is_paper(path)) {
                let target = Target { path: path.clone(), directory: false, from: None };
                let row =
                    Row { line, target: Some(target), implied: change, description: plain(text), ..Row::default() };
                let hint = match stance {
                    Stance::Look => Some(Change::Modify),
                    _ => suggested(&read.words, at).or(read.hint),
                };
                self.claim(Tier::Loose, stance, hint, row);
            }
        }
    }

    /// The verb of the label or the item that the line stands under.
    fn verb_above(&self) -> Option<Change> {
        self.items.iter().rev().find_map(|item| item.lead.verb).or(self.label.and_then(|label| label.verb))
    }

    /// What the verb of a line above suggests of files that are listed under it; and of those that a label names, the title.
    fn suggested_above(&self, form: Form) -> Option<Change> {
        match form {
            Form::Label => self.task.or_else(|| self.open.last()?.hint),
            Form::First if !self.tags.is_empty() => self.task,
            Form::First => self.verb_above().and_then(|verb| match verb {
                Change::Delete => Some(Change::Modify),
                Change::Add | Change::Modify => Some(verb),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Does the line stand where it is said what is there already?
    pub(super) fn is_there(&self) -> bool {
        self.tags.iter().any(|(name, _)| is_there(name)) || self.open.iter().any(|open| is_there(open.title))
    }

    pub(super) fn claim(&mut self, tier: Tier, stance: Stance, hint: Option<Change>, row: Row) {
        let title = self.open.last().map_or("", |open| open.title).to_owned();
        let boxed = self.items.iter().any(|item| item.boxed) || self.boxed;
        let listed = match self.scope() {
            _ if boxed => Listed::No,
            Some(Scope::Files(_)) => Listed::UnderTitle,
            _ if tier == Tier::Strong => Listed::Alone,
            _ => Listed::No,
        };
        self.walked.claims.push(Claim { tier, stance, row, hint, listed, title });
    }
}

/// Is the path at `at` part of what a program is to do: "… to append the name to `a.json`", "Implement storage in `a.json`"?
fn is_aim(words: &[Word], at: usize) -> bool {
    let from = at.saturating_sub(2 * REACH);
    let before = words.get(from..at).unwrap_or_default();
    let start = before.iter().rposition(|word| *word == Word::Mark('.')).map_or(from, |stop| from + stop + 1);
    let said = plain_words(words, start, at);
    said.windows(2).any(|pair| pair[0] == "to" && Mood::writes(pair[1])) || said.first() == Some(&"implement")
}

/// For each word whether its sentence, or the line, begins with a verb that asks for something.
fn asking(words: &[Word]) -> Vec<bool> {
    let (mut line, mut asks) = (None, None);
    let asking = words.iter().map(|word| {
        match word {
            Word::Mark('.') => asks = None,
            Word::Plain(word) => {
                asks = asks.or(Some(
                    Mood::writes(word)
                        || word == "in"
                        || list("write-begin").iter().any(|begin| word.starts_with(begin)),
                ))
            }
            _ => {}
        }
        line = line.or(asks);
        asks == Some(true) || line == Some(true)
    });
    asking.collect()
}

/// All files that a cell names outside of parentheses.
fn named(cell: &str) -> Vec<String> {
    let mut depth = 0usize;
    let mut named = Vec::new();
    for word in words(cell) {
        match word {
            Word::Mark('(') => depth += 1,
            Word::Mark(')') => depth = depth.saturating_sub(1),
            Word::Seen(Seen { looks: Looks::Files(files), .. }) if depth == 0 => named.extend(files),
            _ => {}
        }
    }
    named
}

/// A table's cell counts as a sentence only.
fn sentence_only(cell: &str) -> Option<Statement> {
    let mut read = statement::read(cell)?;
    if read.form == Form::First || read.form == Form::Other {
        read.form = Form::Sentence;
    }
    Some(read)
}
