//! Task lists: `- [ ] T012 [P] [US1] Create X in src/models/x.py`, as spec-kit, Kiro and OpenSpec write them.
//!
//! `items` finds the tasks, `words` and `looks` the paths in their text, `complete` writes out what is abbreviated,
//! `roles` says what is done with each path by the words beside it, `relations` what a task says of others. Nothing
//! here knows the repository: a path that exists only under a longer one is the plan's to find.

mod complete;
mod cue;
mod cues;
mod ideographs;
mod items;
mod kinds;
mod looks;
mod relations;
mod roles;
mod section;
mod words;

use super::{Dialect, Document, Found, Row, title};
use crate::finding::Finding;
use crate::lld::Task;
use crate::lld::inline::bullet;
use crate::lld::lines::Kind;
use crate::lld::problem::shown;
use crate::lld::target::Target;
use crate::path::RepoPath;
use complete::{Carried, Ends, complete, rooted, stated_root};
use items::{Item, is_file_label, items};
use kinds::is_test;
use looks::Looks;
use relations::{Ids, requirements};
use roles::{Mood, Role, roles};
use std::collections::{HashMap, HashSet};
use words::{Seen, Word, words};

pub(super) const DIALECT: Dialect =
    Dialect { name: "tasks", looks_for: "tasks with paths ('- [ ] T001 Create the model in src/model.py')", read };

/// A document with fewer tasks than this is a task list only if it is called so.
const ENOUGH: usize = 3;

/// How much of a task becomes the description of each of its files, in characters.
const MAX_DESCRIPTION: usize = 500;

fn read(document: &Document) -> Option<Found> {
    let items = items(document);
    let named = document.name.rsplit(['/', '\\']).next() == Some("tasks.md");
    let texts: Vec<Text> = items.iter().map(Text::of).collect();
    if items.is_empty() || !(named || is_task_list(document, &items, &texts)) {
        return None;
    }
    let texts = completed(texts);
    let ends = Ends::of(texts.iter().flat_map(Text::files).filter(|path| path.contains('/')));
    let root = stated_root(document);
    let ids = Ids::of(&items);
    let mut recent = HashMap::new();
    let mut found = Found { line: items.first().map_or(1, |item| item.line), ..Found::default() };
    let with_id = items.iter().filter(|item| item.id.is_some()).count() * 2 > items.len();
    for (item, text) in items.iter().zip(&texts) {
        // Among tasks with ids a box without one, under "Acceptance criteria", is a condition.
        if item.criterion && with_id && item.id.is_none() {
            let message = format!("'{}' is a condition, not a task", shown(item.title));
            found.ignored.push((item.line, message));
            continue;
        }
        let task = task(item, &items, &ids);
        let step =
            Step { item, text, ends: &ends, root: root.as_deref(), recent: &mut recent, written: HashSet::new() };
        step.read(task, &mut found);
    }
    relate(document, &items, &ids, &mut found);
    Some(found)
}

/// Is a document of another name a task list? A design with a list of its own is none, however many boxes it has.
fn is_task_list(document: &Document, items: &[Item], texts: &[Text]) -> bool {
    let with_id = items.iter().filter(|item| item.id.is_some()).count();
    let steps = items.iter().filter(|item| !item.criterion).count();
    let names_file = |text: &Text| text.files().next().is_some();
    let with_path = items.iter().zip(texts).filter(|(item, text)| !item.criterion && names_file(text)).count();
    let lines = document.lines.iter().filter(|line| line.kind == Kind::Text).count();
    let numbered = with_id >= ENOUGH && with_id * 2 >= items.len();
    // Without ids the boxes must be what the document is made of.
    let boxed = with_path >= ENOUGH && steps * 4 >= lines || with_path > 0 && steps >= 2 * ENOUGH && steps * 2 >= lines;
    (numbered || boxed) && !document.headings.iter().any(|heading| title::file_list(heading.title).is_some())
}

/// What a task says, less its files.
fn task(item: &Item, items: &[Item], ids: &Ids) -> Task {
    let text = std::iter::once(item.title).chain(item.under.iter().map(|(_, line)| line.trim()));
    let text = text.collect::<Vec<_>>().join("\n");
    let id = id(item);
    let above = item.parent.and_then(|parent| items.get(parent));
    // `1.2.3` is a part of `1.2`, however it is indented.
    let dotted = item.id.and_then(|id| id.rsplit_once('.')).map(|(parent, _)| parent);
    let named = dotted.filter(|parent| ids.is_known(parent)).map(str::to_owned);
    let parent = named.or_else(|| above.map(self::id)).filter(|parent| *parent != id);
    let top = item.id.map(|id| id.split('.').next().unwrap_or(id));
    let top = top.filter(|top| top.len() <= 3 && top.chars().all(|c| c.is_ascii_digit()));
    let place = &item.place;
    let (phase, phase_title) = match (&place.phase, top) {
        (Some(phase), _) => (Some(phase.clone()), place.title.map(str::to_owned)),
        (None, Some(top)) => {
            let title = ids.find(top).and_then(|at| items.get(at)).map(|item| item.title);
            (Some(top.to_owned()), title.or(place.title).map(str::to_owned))
        }
        (None, None) => (None, place.title.map(str::to_owned)),
    };
    let label = |label: &&&str| {
        label.strip_prefix("US").is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
    };
    let story = item.labels.iter().find(label).map(|label| (*label).to_owned()).or_else(|| place.story.clone());
    let mut depends = ids.depends(&text);
    depends.retain(|other| *other != id);
    Task {
        line: item.line,
        end: item.end,
        done: item.done,
        phase,
        phase_title,
        story,
        depends,
        parent,
        requirements: text.lines().filter_map(requirements).flatten().collect(),
        withdrawn: item.withdrawn,
        text,
        id,
        ..Task::default()
    }
}

fn id(item: &Item) -> String {
    item.id.map_or_else(|| format!("L{}", item.line), str::to_owned)
}

/// Adds what is said about tasks outside of them, and says what the list leaves unclear.
fn relate(document: &Document, items: &[Item], ids: &Ids, found: &mut Found) {
    let mut at: HashMap<String, usize> = HashMap::new();
    let mut twice = Vec::new();
    for (index, task) in found.tasks.iter().enumerate() {
        if let Some(&first) = at.get(&task.id) {
            let first = found.tasks.get(first).map_or(0, |first| first.line);
            let message = format!("the id {} is that of the task in line {first}, too", task.id);
            twice.push(Finding::note("lld-task-repeated", message).line(task.line));
        } else {
            at.insert(task.id.clone(), index);
        }
    }
    found.findings.extend(twice);
    for (task, on) in ids.stated(document, items) {
        let Some(task) = at.get(&task).and_then(|&at| found.tasks.get_mut(at)) else { continue };
        for other in on {
            if other != task.id && !task.depends.contains(&other) {
                task.depends.push(other);
            }
        }
    }
}

/// The text of a task as words, line by line.
struct Text {
    lines: Vec<Vec<Word>>,
    /// The number of each line; wrapped lines are one.
    numbers: Vec<usize>,
    /// Is it a line such as "**File**: …"?
    labelled: Vec<bool>,
}

impl Text {
    fn of(item: &Item) -> Text {
        let mut lines = vec![(item.line, item.title.to_owned())];
        let mut last = item.line;
        for (number, line) in &item.under {
            let wrapped = *number == last + 1 && bullet(line).is_none() && !line.starts_with(['*', '|', '_', '>']);
            last = *number;
            match lines.last_mut().filter(|_| wrapped && !item.titled) {
                Some((_, before)) => {
                    before.push(' ');
                    before.push_str(line);
                }
                None => lines.push((*number, line.trim_start_matches(['-', '*', '+', '•', ' ']).to_owned())),
            }
        }
        lines.retain(|(_, line)| requirements(line).is_none());
        let labelled = lines.iter().map(|(_, line)| is_file_label(line)).collect();
        let numbers = lines.iter().map(|(number, _)| *number).collect();
        Text { labelled, numbers, lines: lines.iter().map(|(_, line)| words(line)).collect() }
    }

    /// Every file that it names, abbreviated as it is.
    fn files(&self) -> impl Iterator<Item = &str> {
        let files = self.lines.iter().flatten().filter_map(|word| match word {
            Word::Seen(Seen { looks: Looks::Files(files), .. }) => Some(files),
            _ => None,
        });
        files.flatten().map(String::as_str)
    }
}

/// The texts with their abbreviations written out.
fn completed(mut texts: Vec<Text>) -> Vec<Text> {
    let whole: Vec<String> =
        texts.iter().flat_map(Text::files).filter(|path| path.contains('/')).map(str::to_owned).collect();
    let ends = Ends::of(whole.iter().map(String::as_str));
    for text in &mut texts {
        let mut carried = Carried::default();
        for line in &mut text.lines {
            let next = complete(line, &ends, &carried);
            // A directory in the title holds for all lines under it.
            carried = if next.is_some() { next } else { carried };
        }
    }
    texts
}

/// One task, on its way to the rows of the list.
struct Step<'a> {
    item: &'a Item<'a>,
    text: &'a Text,
    ends: &'a Ends,
    root: Option<&'a str>,
    /// The path that each name stood for last.
    recent: &'a mut HashMap<String, String>,
    /// The files of the task so far.
    written: HashSet<String>,
}

impl Step<'_> {
    /// Reads what the task does with its paths: rows, findings, and the task itself.
    fn read(mut self, mut task: Task, found: &mut Found) {
        let rows = found.rows.len();
        let mut looks = false;
        let testing = self.is_about_tests();
        for (index, line) in self.text.lines.iter().enumerate() {
            let number = self.text.numbers.get(index).copied().unwrap_or(self.item.line);
            let labelled = index > 0 && self.text.labelled.get(index).is_some_and(|labelled| *labelled);
            let mood = Mood { looks: looks && !labelled, title: index == 0, testing: testing && !labelled };
            let (roles, turned) = roles(line, mood);
            if index == 0 {
                looks = turned;
            }
            self.take(line, number, &roles, &mut task, found);
        }
        let written = &task.files;
        task.mentions.retain(|path| !written.iter().any(|file| file.as_str() == path));
        let nothing = found.rows.len() == rows;
        if let Some(word) = task.withdrawn {
            found.rows.truncate(rows);
            task.files.clear();
            task.deletes.clear();
            found.ignored.push((task.line, format!("task {} is {word}: it writes nothing", task.id)));
        } else if nothing {
            found.ignored.push((task.line, format!("task {} names no file to write", task.id)));
        }
        found.tasks.push(task);
    }

    /// Takes the paths of one line.
    fn take(&mut self, line: &[Word], number: usize, roles: &[(usize, Role)], task: &mut Task, found: &mut Found) {
        let mut from: Option<String> = None;
        for &(at, role) in roles {
            let Some(Word::Seen(seen)) = line.get(at) else { continue };
            let files = match &seen.looks {
                Looks::Files(files) => files,
                Looks::Slashed(_) | Looks::Extension(_) => continue,
                looks => {
                    self.remark(looks, seen, number, role, found);
                    // `mv a.py dir/`
                    if let (Looks::Directory(directory), Some(old)) = (looks, from.take()) {
                        let name = old.rsplit('/').next().unwrap_or(&old).to_owned();
                        self.row(Some(old), format!("{directory}/{name}"), Role::Write, number, task, found);
                    } else {
                        mention(task, &seen.written);
                    }
                    continue;
                }
            };
            for file in files {
                let path = self.whole(file);
                match role {
                    Role::RenameFrom => from = Some(path),
                    Role::Write | Role::Delete => {
                        let from = from.take().filter(|from| *from != path);
                        self.row(from, path, role, number, task, found);
                    }
                    Role::Mention | Role::Unsure => mention(task, &path),
                }
            }
        }
        if let Some(path) = from {
            mention(task, &path);
        }
    }

    /// The path that a short one stands for: the only one of the list that ends so, else the last one of that name.
    fn whole(&mut self, file: &str) -> String {
        if let Some((_, name)) = file.rsplit_once('/') {
            self.recent.insert(name.to_owned(), file.to_owned());
        } else if let Some(path) = self.recent.get(file).filter(|_| self.ends.is_ambiguous(file)) {
            return rooted(path, self.root);
        }
        rooted(self.ends.longer(file).unwrap_or(file), self.root)
    }

    /// A row for a file that the task writes, deletes or renames.
    fn row(
        &mut self,
        from: Option<String>,
        path: String,
        role: Role,
        number: usize,
        task: &mut Task,
        found: &mut Found,
    ) {
        let checked = match RepoPath::new(&path) {
            Ok(checked) => checked,
            Err(error) => {
                let message =
                    format!("task {} names '{}', which is no path of the repository: {error}", task.id, shown(&path));
                found.findings.push(Finding::warning("lld-path-invalid", message).line(number));
                return mention(task, &path);
            }
        };
        let from = from.filter(|from| RepoPath::new(from).is_ok());
        if role == Role::Delete && !self.written.contains(&path) {
            task.deletes.push(checked.clone());
        }
        if self.written.insert(path.clone()) {
            task.files.push(checked);
        } else if from.is_none() {
            return;
        }
        let title: String = task.text.lines().next().unwrap_or_default().chars().take(MAX_DESCRIPTION).collect();
        found.rows.push(Row {
            line: self.item.line,
            cell: path.clone(),
            target: Some(Target { path, directory: false, from }),
            kind: (role == Role::Delete).then(|| "Delete".to_owned()),
            description: format!("{}: {title}", task.id),
            task: Some((task.id.clone(), task.done)),
            ..Row::default()
        });
    }

    /// Says what stands where a file should and is none.
    fn remark(&self, looks: &Looks, seen: &Seen, number: usize, role: Role, found: &mut Found) {
        if !matches!(role, Role::Write | Role::Delete | Role::Unsure) || self.item.withdrawn.is_some() {
            return;
        }
        let (id, written) = (id(self.item), shown(&seen.written));
        let finding = match looks {
            Looks::Glob => {
                Finding::warning("lld-path-glob", format!("task {id} names '{written}', a pattern and not one file"))
                    .hint("list the files that it stands for")
            }
            Looks::Placeholder => Finding::warning(
                "lld-path-placeholder",
                format!("task {id} names '{written}', a placeholder of a template"),
            )
            .hint("write the path that is meant"),
            _ => Finding::note(
                "lld-directory-row",
                format!("task {id} names the directory '{written}' and no file in it"),
            ),
        };
        found.findings.push(finding.line(number));
    }

    /// Does the task write tests, into a file that it names?
    fn is_about_tests(&self) -> bool {
        let first = self.text.lines.first().map(Vec::as_slice).unwrap_or_default();
        let plain = first.iter().filter_map(|word| match word {
            Word::Plain(word) => Some(word.as_str()),
            _ => None,
        });
        let says = plain.take(4).any(|word| matches!(word, "test" | "tests" | "integration" | "unit" | "e2e"));
        says && first.iter().any(|word| matches!(word, Word::Seen(seen) if is_test(&seen.written)))
    }
}

/// The most mentions that a task keeps.
const MAX_MENTIONS: usize = 200;

fn mention(task: &mut Task, path: &str) {
    if task.mentions.len() < MAX_MENTIONS && !task.mentions.iter().any(|mentioned| mentioned == path) {
        task.mentions.push(path.to_owned());
    }
}
