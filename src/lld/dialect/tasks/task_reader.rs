//! Reads one task of a list: which paths its lines write, delete or only mention, and what there is to say about them.

use super::complete::rooted;
use super::items::Item;
use super::text::Text;
use super::{ParsedList, Row};
use crate::finding::Finding;
use crate::lld::problem::shown;
use crate::lld::sentence::kinds::is_test;
use crate::lld::sentence::{Ends, Looks, Mood, Role, Seen, Word, roles, said_by_title, suggested};
use crate::lld::target::Target;
use crate::lld::{Change, Task};
use crate::path::RepoPath;
use std::collections::{HashMap, HashSet};

/// What one task is read with, and what was read so far.
pub(super) struct TaskReader<'a> {
    pub item: &'a Item<'a>,
    pub text: &'a Text,
    pub ends: &'a Ends,
    pub root: Option<&'a str>,
    /// The path that each name stood for last.
    pub recent: &'a mut HashMap<String, String>,
    /// It is a task for its sub-tasks only.
    pub parted: bool,
    /// The files of the task so far.
    pub written: HashSet<String>,
    /// What is to be said of directories if the task names no file.
    pub directories: Vec<Finding>,
    /// What is to be said of the paths that it may write.
    pub unsure: Vec<Finding>,
}

impl TaskReader<'_> {
    /// Reads what the task does with its paths: rows, findings, and the task itself.
    pub fn read(mut self, mut task: Task, found: &mut ParsedList) {
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
            let said = said_by_title(&task.title).filter(|_| labelled);
            self.take((number, line), &roles, said, &mut task, found);
        }
        let nothing = found.rows.len() == rows;
        if let Some(word) = task.withdrawn {
            found.rows.truncate(rows);
            self.unsure.clear();
            task.files.clear();
            task.deletes.clear();
            found.ignored.push((task.line, format!("task {} is {word}: it writes nothing", task.id)));
        } else if nothing && !self.parted {
            found.findings.append(&mut self.directories);
            found.ignored.push((task.line, format!("task {} names no file to write", task.id)));
        }
        found.findings.append(&mut self.unsure);
        found.tasks.push(task);
    }

    /// Takes the paths of one line. `said`: what is done with them where the line does not say it.
    fn take(
        &mut self,
        (number, line): (usize, &[Word]),
        roles: &[(usize, Role)],
        said: Option<Change>,
        task: &mut Task,
        found: &mut ParsedList,
    ) {
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
                        self.row(Some(old), format!("{directory}/{name}"), Role::Write, None, task, found);
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
                        let hint = suggested(line, at).or(said).filter(|_| role == Role::Write);
                        self.row(from, path, role, hint, task, found);
                    }
                    Role::Unsure => {
                        let message = format!("task {} may or may not write '{path}'", task.id);
                        let hint = "name the file in a sentence that says what is done with it";
                        self.unsure.push(Finding::note("lld-path-unsure", message).hint(hint).line(number));
                    }
                    Role::Mention => {}
                }
            }
        }
    }

    /// The path that a short one stands for: the only one of the list that ends so, else the last one of that name.
    fn whole(&mut self, file: &str) -> String {
        if let Some((_, name)) = file.rsplit_once('/') {
            self.recent.insert(name.to_owned(), file.to_owned());
        } else if let Some(path) = self.recent.get(file).filter(|_| self.ends.is_ambiguous(file)) {
            return rooted(path, self.root);
        }
        rooted(self.ends.full_path(file).unwrap_or(file), self.root)
    }

    /// A row for a file that the task writes, deletes or renames.
    fn row(
        &mut self,
        from: Option<String>,
        path: String,
        role: Role,
        hint: Option<Change>,
        task: &mut Task,
        found: &mut ParsedList,
    ) {
        let checked = match RepoPath::new(&path) {
            Ok(checked) => checked,
            Err(error) => {
                let message =
                    format!("task {} names '{}', which is no path of the repository: {error}", task.id, shown(&path));
                found.findings.push(Finding::warning("lld-path-invalid", message).line(self.item.line));
                return;
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
        found.rows.push(Row {
            line: self.item.line,
            target: Some(Target { path, directory: false, from }),
            kind: (role == Role::Delete).then(|| "Delete".to_owned()),
            implied: hint,
            inferred: true,
            description: task.description(),
            task: Some((task.id.clone(), task.done)),
            ..Row::default()
        });
    }

    /// Says what stands where a file should and is none.
    fn remark(&mut self, looks: &Looks, seen: &Seen, number: usize, role: Role, found: &mut ParsedList) {
        if !matches!(role, Role::Write | Role::Delete | Role::Unsure) || self.item.withdrawn.is_some() {
            return;
        }
        let (id, written) = (super::id(self.item), shown(&seen.written));
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
            _ => {
                let message = format!("task {id} names the directory '{written}' and no file in it");
                self.directories.push(Finding::note("lld-directory-row", message).line(number));
                return;
            }
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
