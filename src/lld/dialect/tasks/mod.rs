//! Task lists: `- [ ] T012 [P] [US1] Create X in src/models/x.py`, as spec-kit, Kiro and OpenSpec write them.
//!
//! `items` finds the tasks, `words` and `looks` the paths in their text, `complete` writes out what is abbreviated,
//! `roles` says what is done with each path by the words beside it, `relations` what a task says of others. Nothing
//! here knows the repository: a path that exists only under a longer one is the plan's to find.

mod complete;
mod identity;
mod items;
mod relations;
mod section;
mod task_reader;
mod text;

use super::{Dialect, Document, ParsedList, Row};
use crate::finding::Finding;
use crate::lld::Task;
use crate::lld::lines::LineKind;
use crate::lld::problem::shown;
use crate::lld::sentence::Ends;
use complete::stated_root;
use items::{Item, items};
use relations::Ids;
use std::collections::{HashMap, HashSet};
use task_reader::TaskReader;
use text::{Text, completed};

pub(super) const DIALECT: Dialect =
    Dialect { name: "tasks", looks_for: "tasks with paths ('- [ ] T001 Create the model in src/model.py')", read };

/// A document with fewer tasks than this is a task list only if it is called so.
const ENOUGH: usize = 3;

fn read(document: &Document) -> Option<ParsedList> {
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
    let dotted = |item: &Item| item.id.and_then(|id| id.rsplit_once('.')).and_then(|(parent, _)| ids.find(parent));
    let parents: HashSet<usize> = items.iter().flat_map(|item| [item.parent, dotted(item)]).flatten().collect();
    let mut found = ParsedList { line: items.first().map_or(1, |item| item.line), ..ParsedList::default() };
    let with_id = items.iter().filter(|item| item.id.is_some()).count() * 2 > items.len();
    for (at, (item, text)) in items.iter().zip(&texts).enumerate() {
        // Among tasks with ids a box without one, under "Acceptance criteria", is a condition.
        if item.criterion && with_id && item.id.is_none() {
            let message = format!("'{}' is a condition, not a task", shown(item.title));
            found.ignored.push((item.line, message));
            continue;
        }
        let task = task(item, &items, &ids);
        let reader = TaskReader {
            item,
            text,
            ends: &ends,
            root: root.as_deref(),
            recent: &mut recent,
            parted: parents.contains(&at),
            written: HashSet::new(),
            directories: Vec::new(),
            unsure: Vec::new(),
        };
        reader.read(task, &mut found);
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
    let lines = document.lines.iter().filter(|line| line.kind == LineKind::Text).count();
    let numbered = with_id >= ENOUGH && with_id * 2 >= items.len();
    // Without ids the boxes must be what the document is made of.
    let boxed = with_path >= ENOUGH && steps * 4 >= lines || with_path > 0 && steps >= 2 * ENOUGH && steps * 2 >= lines;
    (numbered || boxed) && !super::plan::lists_files(document, numbered)
}

/// What a task says, less its files.
fn task(item: &Item, items: &[Item], ids: &Ids) -> Task {
    let text = std::iter::once(item.title).chain(item.under.iter().map(|(_, line)| line.trim()));
    let text = text.collect::<Vec<_>>().join("\n");
    let is_wrapped = |line: &&str| !item.titled && !line.starts_with(['-', '*', '+', '_', '|', '>', '<', '#']);
    let mut lines = text.lines();
    let title = lines.next().into_iter();
    let title = title.chain(lines.take_while(is_wrapped)).collect::<Vec<_>>().join(" ");
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
        withdrawn: item.withdrawn,
        title,
        text,
        id,
        ..Task::default()
    }
}

fn id(item: &Item) -> String {
    item.id.map_or_else(|| format!("L{}", item.line), str::to_owned)
}

/// Adds what is said about tasks outside of them, and says what the list leaves unclear.
fn relate(document: &Document, items: &[Item], ids: &Ids, found: &mut ParsedList) {
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
    for task in &mut found.tasks {
        // A condition has parts, too, and is no task.
        task.parent = task.parent.take().filter(|parent| at.contains_key(parent));
    }
    for (task, on) in ids.stated(document, items) {
        let Some(task) = at.get(&task).and_then(|&at| found.tasks.get_mut(at)) else { continue };
        for other in on {
            if other != task.id && !task.depends.contains(&other) {
                task.depends.push(other);
            }
        }
    }
}
