//! What a model proposes, for people: task by task the files, with what would be done to them.

use super::live::LiveLine;
use super::numbers::{count, dollars, duration, plural};
use super::plain::{neutralise, neutralise_line};
use super::{Style, printer};
use crate::event::{Event, Sink};
use crate::lld::{Change, Task};
use crate::plan::proposal::Proposal;
use std::io::{self, Write};

/// Writes the tasks that were asked about, with their names, and what of `proposals` is for them. `width` is that of the
/// terminal in columns.
pub fn write(out: &mut dyn Write, tasks: &[(&str, &Task)], proposals: &[Proposal], width: usize) -> io::Result<()> {
    for (name, task) in tasks {
        let line = format!("{} {}", neutralise_line(name), neutralise(&task.title));
        let cut: String = line.chars().take(width.saturating_sub(1)).collect();
        writeln!(out, "{}", if cut.len() < line.len() { format!("{cut}…") } else { line })?;
        match proposals.iter().find(|proposal| proposal.task == *name) {
            None => writeln!(out, "    left for a person")?,
            Some(proposal) if proposal.files.is_empty() => writeln!(out, "    no file")?,
            Some(proposal) => {
                for file in &proposal.files {
                    let change = match file.change {
                        Change::Add => "add",
                        Change::Delete => "delete",
                        _ => "modify",
                    };
                    writeln!(out, "    {change:6} {}", neutralise(file.path.as_str()))?;
                }
            }
        }
    }
    Ok(())
}

/// Shows that an answer is waited for, and how it comes.
pub struct Waiting {
    style: Style,
    live: LiveLine,
    tasks: usize,
}

impl Waiting {
    /// For an answer about so many tasks.
    pub fn new(style: Style, tasks: usize) -> Waiting {
        Waiting { style, live: LiveLine::new(style.progress), tasks }
    }

    fn say(&self, text: &str) {
        if !self.style.quiet {
            self.live.above(|| printer::say(text));
        }
    }
}

impl Sink for Waiting {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Asked { path, prompt_tokens, .. } => {
                self.live.begin("", &neutralise_line(path));
                let tasks = plural(self.tasks, "task");
                self.live.state(format!("asking about {tasks}, about {} tokens", count(*prompt_tokens)));
            }
            Event::Streaming { bytes, cost, .. } => {
                let cost = cost.filter(|cost| *cost > 0.0);
                let so_far = cost.map_or(String::new(), |cost| format!(", {} so far", dollars(cost)));
                self.live.state(format!("answering, about {} tokens{so_far}", count(*bytes as u64 / 4)));
            }
            Event::Retrying { path, seconds, reason, .. } => {
                let (path, reason) = (neutralise_line(path), neutralise(reason));
                self.say(&format!("{path}: trying again in {}: {reason}", duration(*seconds)));
            }
            Event::Replied { path, attempt, stop, .. } => {
                self.live.end();
                if stop.is_truncation() {
                    self.say(&format!("{} try {attempt}: the reply was cut off by a limit", neutralise_line(path)));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::plan::proposal::ProposedFile;

    #[test]
    fn each_task_stands_above_its_files() {
        let task = |title: &str| Task { title: title.to_owned(), ..Task::default() };
        let (a, b, c) = (task("Wire it \u{1b}[31mup"), task("Run the tests"), task("Something long enough to be cut"));
        let file = |path: &str, change| ProposedFile { path: RepoPath::new(path).unwrap(), change };
        let files =
            vec![file("src/a.ts", Change::Add), file("src/old.ts", Change::Delete), file("b.ts", Change::Modify)];
        let proposals = [Proposal { task: "T1".into(), files }, Proposal { task: "T2".into(), files: vec![] }];
        let mut out = Vec::new();
        write(&mut out, &[("T1", &a), ("T2", &b), ("T3", &c)], &proposals, 24).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "T1 Wire it \\u{1b}[31mup\n    add    src/a.ts\n    delete src/old.ts\n    modify b.ts\nT2 Run the tests\n    no file\n\
             T3 Something long enoug…\n    left for a person\n"
        );
    }
}
