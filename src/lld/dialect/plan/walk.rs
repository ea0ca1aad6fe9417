//! Goes through a plan line by line, with the titles, labels and tags that each line stands under, and takes down what the
//! lines say of paths.

use super::claim::{Claim, Listed, Place, Tier, rows, weigh};
use super::front::{self, Tag};
use super::statement::{self, Form, Stance, Statement};
use super::{fence, tree};
use crate::finding::Finding;
use crate::lld::dialect::{Document, table_rows};
use crate::lld::document::caption;
use crate::lld::inline::{bullet, plain};
use crate::lld::lines::{Line, LineKind};
use crate::lld::problem::shown;
use crate::lld::rows::Row;
use crate::lld::scope::{Scope, is_there, scope};
use crate::lld::sentence::kinds::is_paper;
use crate::lld::sentence::{Looks, Mood, Role, Seen, Word, roles, suggested, words};
use crate::lld::table::{Table, tables};
use crate::lld::target::{self, Cell, Target};
use crate::lld::verbs::asked;
use crate::lld::{Change, bullets, columns, wording};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What was found on the way.
#[derive(Default)]
pub(super) struct Walked {
    pub claims: Vec<Claim>,
    pub findings: Vec<Finding>,
}

pub(super) fn walk(document: &Document) -> Walked {
    let title_at = document.title().map(|title| title.at);
    let mut walk = Walk { title_at, ends: front::ends(&document.lines), ..Walk::default() };
    for (line, path) in front::listed(&document.lines) {
        walk.scope_of_list = Some(Scope::Files(None));
        walk.take(statement::read(&format!("`{path}`")), line, Place::Bullet, "");
    }
    walk.scope_of_list = None;
    let tables: HashMap<usize, Table> = tables(&document.lines).into_iter().map(|table| (table.line, table)).collect();
    let mut at = 0;
    while let Some(line) = document.lines.get(at) {
        at += 1;
        match line.kind {
            LineKind::Heading(level, title) => walk.heading(document, at - 1, level, title),
            LineKind::Open => {
                let start = at;
                while document.lines.get(at).is_some_and(|line| line.kind == LineKind::Code) {
                    at += 1;
                }
                walk.fence(document.lines.get(start..at).unwrap_or_default());
            }
            LineKind::Text => match tables.get(&line.number) {
                Some(table) => {
                    walk.table(table);
                    at +=
                        document.lines.get(at..).unwrap_or_default().partition_point(|line| line.number <= table.last);
                }
                None => walk.text(line),
            },
            LineKind::Blank => walk.blank = true,
            LineKind::Front | LineKind::Comment | LineKind::Close | LineKind::Code => {}
        }
    }
    walk.walked
}

/// How many files of one item get the lines under it, and how long a description grows, in bytes.
const MAX_DETAILED: usize = 8;
const MAX_DESCRIPTION: usize = 4000;

/// How deep tags lie in each other.
const MAX_TAGS: usize = 8;

/// A heading that is open.
struct Open<'a> {
    level: usize,
    title: &'a str,
    scope: Option<Scope>,
    /// The directory that the title names.
    directory: Option<String>,
}

/// A list item that is open.
struct Item {
    indent: usize,
    /// What its label says of the items under it.
    scope: Option<Scope>,
    /// It names paths itself: what stands under it says more about them.
    named: bool,
    directory: Option<String>,
    /// The claims that it makes.
    claims: Range<usize>,
    /// It has a box: a step.
    boxed: bool,
}

#[derive(Default)]
struct Walk<'a> {
    walked: Walked,
    title_at: Option<usize>,
    open: Vec<Open<'a>>,
    tags: Vec<(&'a str, Option<Scope>)>,
    /// The last line that closes a tag of each name.
    ends: HashMap<&'a str, usize>,
    /// What the last label says of what stands under it.
    label: Option<Option<Scope>>,
    /// A line such as `**File**: src/a.py` came before in this section: verbs after it are about what is in the file.
    in_file: bool,
    items: Vec<Item>,
    /// The claims since the last label that names files begin here.
    recent: usize,
    /// Has the label's list begun?
    begun: bool,
    /// In a table of steps each cell counts as one.
    in_table: bool,
    /// The files of pictures of what is there.
    today: HashSet<String>,
    /// The line that is read has a box.
    boxed: bool,
    blank: bool,
    scope_of_list: Option<Scope>,
}

impl<'a> Walk<'a> {
    /// What holds for the next line.
    fn scope(&self) -> Option<Scope> {
        if self.scope_of_list.is_some() {
            return self.scope_of_list;
        }
        let closed = |scope: &Option<Scope>| matches!(scope, Some(Scope::Aside | Scope::Forbidden));
        let titles = self.open.iter().fold(None, |outer, open| match open.scope {
            _ if closed(&outer) => outer,
            Some(Scope::Steps) => outer.or(open.scope),
            scope => scope.or(outer),
        });
        let tags = self.tags.iter().fold(titles, |outer, (_, scope)| scope.or(outer));
        if closed(&tags) {
            return tags;
        }
        let label = self.label.unwrap_or_default().or(tags);
        self.items.iter().fold(label, |outer, item| item.scope.or(outer))
    }

    fn implied(&self) -> Option<Change> {
        match self.scope() {
            Some(Scope::Files(change)) => change,
            _ => None,
        }
    }

    fn heading(&mut self, document: &Document<'a>, at: usize, level: usize, title: &'a str) {
        while self.open.last().is_some_and(|open| open.level >= level) {
            self.open.pop();
        }
        self.items.clear();
        (self.label, self.in_file, self.begun) = (None, false, false);
        let read = statement::of_title(title);
        if let Some(read) = read.clone().filter(|_| Some(at) != self.title_at) {
            let line = document.lines.get(at).map_or(0, |line| line.number);
            let body = document.headings.binary_search_by_key(&at, |heading| heading.at).ok();
            let body = body.and_then(|at| document.headings.get(at)).map(|heading| document.own(heading));
            let body: Vec<&str> = body.unwrap_or_default().iter().map(|line| line.text).collect();
            let body = format!("{}\n{}", bullets::parts(title).text, body.join("\n").trim());
            self.take(Some(read), line, Place::Heading, body.trim());
        }
        // The title of the whole document announces nothing, and one that names a file is about that file.
        let named = read.as_ref().is_some_and(|read| read.targets.iter().any(|target| !target.directory));
        let scope = if Some(at) == self.title_at || named { None } else { scope(title) };
        let directory = read.and_then(|read| directory_of(&read));
        self.open.push(Open { level, title, scope, directory });
    }

    fn text(&mut self, line: &Line<'a>) {
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
        let read = statement::read(found.text);
        let heads = caption(found.text).or_else(|| found.text.strip_suffix(':')).filter(|_| read.is_none());
        let under = self.items.iter().any(|item| item.named);
        let mut item = Item {
            indent: found.indent,
            scope: heads.and_then(|title| self.of_label(title)),
            named: under || read.as_ref().is_some_and(|read| read.targets.iter().any(|target| !target.directory)),
            directory: read.as_ref().and_then(directory_of),
            claims: 0..0,
            boxed: found.ticked.is_some(),
        };
        // Lines under an item that names a file say more about that file.
        let details = under && read.as_ref().is_some_and(|read| !matches!(read.form, Form::Typed | Form::Label));
        self.boxed = item.boxed;
        if !details && read.is_some() {
            let before = self.walked.claims.len();
            self.take(read, line.number, Place::Bullet, bullets::parts(found.text).text);
            item.claims = before..self.walked.claims.len();
        } else if under {
            self.add_detail(line.text.trim(), bullets::type_line(found.text));
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
        let read = statement::read(text);
        let heads = caption(text).or_else(|| text.strip_suffix([':', '：'])).filter(|title| title.len() < 120);
        if self.in_file {
            self.about_file(text);
        }
        match (&read, heads) {
            (None, Some(title)) if !indented => {
                self.label = Some(self.of_label(title));
                if matches!(self.label, Some(Some(Scope::Files(_)))) {
                    (self.in_file, self.recent) = (true, self.walked.claims.len());
                }
                self.begun = false;
                self.items.clear();
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
        self.take(Some(read), line.number, Place::Line, bullets::parts(text).text);
    }

    /// "**Changes**: …" after "**File**: a.py": the file is there, unless it is made.
    fn about_file(&mut self, text: &str) {
        let Some((label, rest)) = text.strip_prefix("**").and_then(|text| text.split_once("**")) else { return };
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
        for claim in self.walked.claims.get_mut(self.recent..).unwrap_or_default() {
            claim.row.implied = claim.row.implied.or(sure);
            let hint = if made { Change::Add } else { Change::Modify };
            claim.hint = claim.hint.or(about.map(|_| hint));
        }
    }

    /// What a label says of what stands under it. Under "**File**: a.py" a verb is about what is in the file.
    fn of_label(&self, title: &str) -> Option<Scope> {
        let scope = scope(title)?;
        let about_files = title.to_lowercase().contains("file");
        // "**Remove**:" after "**File**: a.py" lists what is taken out of the file.
        let about_content = self.in_file && !about_files && matches!(scope, Scope::Files(_) | Scope::Forbidden);
        Some(if about_content { Scope::Reference } else { scope })
    }

    fn tag(&mut self, tag: Tag<'a>, line: &Line<'a>) {
        match tag {
            Tag::Close(name) => {
                if let Some(at) = self.tags.iter().rposition(|(open, _)| *open == name) {
                    self.tags.truncate(at);
                }
            }
            Tag::Open(name, rest) => {
                let scope = front::of_tag(name);
                let (inside, closed) = match rest.split_once("</") {
                    Some((inside, _)) => (inside, true),
                    None => (rest, false),
                };
                let ends = closed || self.ends.get(name).is_some_and(|&end| end > line.number);
                if !ends || self.tags.len() >= MAX_TAGS {
                    return;
                }
                self.tags.push((name, scope));
                match scope {
                    Some(Scope::Files(_)) => self.tagged(inside, line.number),
                    _ => self.take(statement::read(inside), line.number, Place::Line, inside),
                }
                if closed {
                    self.tags.pop();
                }
                (self.label, self.begun) = (None, false);
                self.items.clear();
            }
        }
    }

    /// The paths between `<files>` and `</files>`, one a line or with commas.
    fn tagged(&mut self, text: &str, line: usize) {
        for part in text.split("</").next().unwrap_or_default().split(',') {
            let part = part.trim().trim_start_matches("- ").trim();
            let whole = statement::read(&format!("`{}`", part.trim_matches('`')));
            let path = part.split([' ', '(']).next().unwrap_or_default().trim_matches('`');
            if whole.as_ref().is_some_and(|whole| !whole.targets.is_empty()) {
                self.take(whole, line, Place::Bullet, "");
            } else if !path.is_empty() {
                let note = part.get(path.len()..).unwrap_or_default();
                self.take(
                    statement::read(&format!("`{path}` {}", note.trim_start_matches('`'))),
                    line,
                    Place::Bullet,
                    "",
                );
            }
        }
    }

    fn fence(&mut self, lines: &[Line]) {
        self.blank = false;
        let scope = self.scope();
        if matches!(scope, Some(Scope::Aside | Scope::Forbidden)) {
            // What a picture of today has is not new in one of tomorrow.
            let today = tree::files(lines, true, None).into_iter().map(|(row, _)| row.cell);
            self.today.extend(today);
            return;
        }
        if let Some((line, path)) = lines.first().and_then(fence::headed).filter(|_| scope != Some(Scope::Reference)) {
            let target = Target { path: path.clone(), directory: false, from: None };
            let row = Row { line, cell: path, target: Some(target), ..Row::default() };
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
                () if listed && (marked || !picture) || picture && marked => Tier::Strong,
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

    fn table(&mut self, table: &Table) {
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
            let hint = prose.then_some(Change::Modify);
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

    /// Takes what a line says as claims.
    fn take(&mut self, read: Option<Statement>, line: usize, place: Place, text: &str) {
        let Some(mut read) = read else { return };
        // Items after "**File**: a.py" are about what is in the file.
        let about_content = self.in_file && self.label.is_none() && place == Place::Bullet && self.tags.is_empty();
        let scope = if about_content { Some(Scope::Reference) } else { self.scope() };
        let Some((tier, stance)) = weigh(&read, scope, place) else { return };
        if matches!(read.form, Form::Sentence) && stance == Stance::Write {
            return self.sentence(&read, line, text);
        }
        let directory = self.items.iter().rev().find_map(|item| item.directory.as_ref());
        let directory = directory.or_else(|| self.open.iter().rev().find_map(|open| open.directory.as_ref())).cloned();
        if let Some(directory) = directory.filter(|_| place == Place::Bullet) {
            for target in read.targets.iter_mut().filter(|target| !target.directory && !target.path.contains('/')) {
                target.path = format!("{directory}/{}", target.path);
            }
        }
        for pattern in read.patterns.iter().filter(|_| stance == Stance::Write && tier == Tier::Strong) {
            let message = format!("'{}' is a pattern, not the path of one file", shown(pattern));
            let finding = Finding::warning("lld-path-glob", message).hint("list the files that it stands for");
            self.walked.findings.push(finding.line(line));
        }
        let said = text.trim_matches(['*', ' ']).to_owned();
        let hint = match stance {
            Stance::Look if read.hint.is_none() => self.is_there().then_some(Change::Modify),
            _ => read.hint,
        };
        let made: Vec<Row> = rows(&read, line, self.implied(), stance == Stance::Write, &said).collect();
        for row in made {
            self.claim(tier, stance, hint, row);
        }
    }

    /// A sentence that says what is done with its paths.
    fn sentence(&mut self, read: &Statement, line: usize, text: &str) {
        let first = read.words.iter().find_map(|word| match word {
            Word::Plain(word) => Some(word.as_str()),
            _ => None,
        });
        if !self.in_table && !first.is_some_and(|word| Mood::writes(word) || word == "in") {
            return;
        }
        let (roles, _) = roles(&read.words, Mood { title: true, ..Mood::default() });
        for (at, role) in roles {
            let Some(Word::Seen(Seen { looks: Looks::Files(files), .. })) = read.words.get(at) else { continue };
            let change = match role {
                Role::Write => None,
                Role::Delete => Some(Change::Delete),
                Role::RenameFrom | Role::Mention | Role::Unsure => continue,
            };
            for path in files.iter().filter(|path| !is_paper(path)) {
                let target = Target { path: path.clone(), directory: false, from: None };
                let row = Row {
                    line,
                    cell: path.clone(),
                    target: Some(target),
                    implied: change,
                    description: plain(text),
                    ..Row::default()
                };
                self.claim(Tier::Loose, Stance::Write, suggested(&read.words, at), row);
            }
        }
    }

    /// Does the line stand where it is said what is there already?
    fn is_there(&self) -> bool {
        self.tags.iter().any(|(name, _)| is_there(name)) || self.open.iter().any(|open| is_there(open.title))
    }

    fn claim(&mut self, tier: Tier, stance: Stance, hint: Option<Change>, row: Row) {
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
