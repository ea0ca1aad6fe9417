//! A run as a person watches it: a live line for the file being made, a line for each file that is done, a closing
//! summary that says what to type next.

use super::closing::Closing;
use super::live::LiveLine;
use super::numbers::{count, dollars, duration, plural};
use super::plain::{neutralise, neutralise_line, neutralise_patch_line};
use super::talk::Talk;
use super::{Style, findings, printer};
use crate::check::Mask;
use crate::event::{Event, On, Outcome, Sink};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::model::{Speaker, Usage};
use std::io::{self, Write};
use std::path::Path;
use unicode_width::UnicodeWidthStr;

pub struct Terminal {
    style: Style,
    live: LiveLine,
    /// Where the run stands: `[2/5]`.
    position: String,
    /// It is the last file.
    is_last: bool,
    base: String,
    /// Attempts that were other turns of a talk than the one that is under way.
    turns: u32,
    /// Of the file being made.
    usage: Usage,
    seconds: f64,
    cost: f64,
    /// The same with the reply that is coming in.
    running: Option<f64>,
    branch: Option<Published>,
    /// Where the patch lies, the transcript and the summary.
    delivered: Option<[String; 3]>,
    /// The top of the working tree, for somebody who is below it.
    top: Option<String>,
    talk: Talk,
    /// What a reviewer has found last, and nobody has mended.
    objections: Vec<Finding>,
    closing: Closing,
    /// The ids of the gates that every file goes through.
    gates: Vec<&'static str>,
}

struct Published {
    branch: String,
    replaced: Option<String>,
}

impl Terminal {
    /// `gates`: the ids of those that every file goes through. `top`: of the working tree, for somebody who is below it.
    pub fn new(style: Style, gates: Vec<&'static str>, top: Option<&Path>) -> Terminal {
        let zero = Usage::default();
        Terminal {
            style,
            live: LiveLine::new(style.progress),
            position: String::new(),
            is_last: false,
            base: String::new(),
            turns: 0,
            usage: zero,
            seconds: 0.0,
            cost: 0.0,
            running: None,
            branch: None,
            delivered: None,
            top: top.map(|top| top.display().to_string()),
            talk: Talk::default(),
            objections: Vec::new(),
            closing: Closing::default(),
            gates,
        }
    }

    fn say(&self, text: &str) {
        if !self.style.quiet {
            self.live.above(|| printer::say(text));
        }
    }

    /// What somebody says, set off from what the program says.
    fn say_lines(&self, lines: &[String]) {
        lines.iter().for_each(|line| self.say(&Mask::of([line.as_str()]).apply(line)));
    }

    fn show(&self, finding: &Finding) {
        let _ = self
            .live
            .above(|| findings::write(&mut printer::err(), std::slice::from_ref(finding), None, self.style.colour));
    }

    fn state(&self, text: &str) {
        let cost = self.running.unwrap_or(self.cost);
        let so_far = if cost > 0.0 { format!(", {} so far", dollars(cost)) } else { String::new() };
        self.live.state(format!("{text}{so_far}"));
    }

    /// Says what a reviewer still wants to be mended: that is wrong, however little is to be said.
    fn object(&self) {
        if self.objections.is_empty() {
            return;
        }
        self.objections.iter().filter(|_| self.style.quiet).for_each(|finding| self.show(finding));
        let message = format!("the reviewer still objects: {}", plural(self.objections.len(), "finding"));
        self.show(&Finding::warning("review", message));
    }

    fn finished(&self, path: &str, outcome: Outcome, added: usize, removed: usize, edits: usize) {
        let what = match outcome {
            Outcome::Added => format!("added, {}", plural(added, "line")),
            Outcome::Modified => format!("modified, +{added} -{removed}"),
            Outcome::Deleted => "deleted".to_owned(),
            Outcome::Renamed => format!("renamed, +{added} -{removed}"),
            Outcome::Unchanged => "unchanged: the reply is what the file holds already".to_owned(),
        };
        let edits = if edits > 0 { format!(" in {}", plural(edits, "edit")) } else { String::new() };
        let asked = if self.usage.input > 0 || self.usage.output > 0 {
            format!(
                " ({} tokens in, {} out, {})",
                count(self.usage.input),
                count(self.usage.output),
                duration(self.seconds)
            )
        } else {
            String::new()
        };
        self.say(&format!("{} {}: {what}{edits}{asked}", self.position, neutralise(path)));
    }

    /// What to do with the patch.
    fn next_with_patch(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some([patch, transcript, summary]) = &self.delivered else { return Ok(()) };
        let take = take(patch, self.top.as_deref());
        let patch = shell_words::quote(patch);
        let next =
            [(take, "take it, into the working tree"), (format!("git am --keep-cr {patch}"), "take it, as a commit")];
        next.iter().try_for_each(|(command, what)| writeln!(out, "  {}  # {what}", neutralise_line(command)))?;
        writeln!(out, "  what was said: {}\n  for programs:  {}", neutralise(summary), neutralise(transcript))
    }

    fn summary(&self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        let Event::RunFinished { status: ExitCode::Done, commits, unchanged, stat, usage, cost, seconds, .. } = event
        else {
            return Ok(());
        };
        if self.style.quiet {
            return Ok(());
        }
        let tokens = if usage.input + usage.output > 0 {
            let cached =
                if usage.cache_read > 0 { format!(" ({} cached)", count(usage.cache_read)) } else { String::new() };
            format!("; {} tokens in{cached}, {} out", count(usage.input), count(usage.output))
        } else {
            String::new()
        };
        let cost = cost.filter(|cost| *cost > 0.0).map_or(String::new(), |cost| format!(", {}", dollars(cost)));
        let Some(Published { branch, replaced }) = &self.branch else {
            if self.delivered.is_some() {
                let changed =
                    format!("{}(+), {}(-)", plural(stat.added, "insertion"), plural(stat.removed, "deletion"));
                writeln!(out, "patch: {changed}{tokens}{cost}, {}", duration(*seconds))?;
                for line in self.closing.lines(&self.gates) {
                    writeln!(out, "{line}")?;
                }
                writeln!(out)?;
                return self.next_with_patch(out);
            }
            if *unchanged == 0 {
                return writeln!(out, "nothing to do");
            }
            let files = plural(*unchanged, "file");
            return writeln!(out, "nothing to commit: {files} unchanged{tokens}{cost}, {}", duration(*seconds));
        };
        writeln!(
            out,
            "{branch}: {}, {}(+), {}(-){tokens}{cost}, {}",
            plural(*commits, "commit"),
            plural(stat.added, "insertion"),
            plural(stat.removed, "deletion"),
            duration(*seconds)
        )?;
        if let Some(old) = replaced {
            writeln!(out, "(it was {old} before)")?;
        }
        for line in self.closing.lines(&self.gates) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
        let base = short(&self.base);
        // A branch may be called what a shell would not take for a name.
        let branch = shell_words::quote(branch);
        let next = [
            (format!("git log -p --reverse {base}..{branch}"), "look at it, commit by commit"),
            (format!("git diff {base}...{branch}"), "the whole of it"),
            (format!("git merge {branch}"), "take it"),
            (format!("git branch -D {branch}"), "or drop it"),
        ];
        let width = next.iter().map(|(command, _)| command.width()).max().unwrap_or_default();
        next.iter()
            .try_for_each(|(command, what)| writeln!(out, "  {command}{:1$}  # {what}", "", width - command.width()))?;
        self.next_with_patch(out)
    }
}

impl Sink for Terminal {
    fn event(&mut self, event: &Event) {
        self.closing.hear(event);
        if self.is_last && matches!(event, Event::Diagnosed { .. } | Event::Running { .. }) {
            self.position = on_what(On::Files).to_owned();
        }
        match event {
            Event::RunStarted { lld, base, branch, provider, model, chosen, files, .. } => {
                self.base = base.clone();
                let model = if model.is_empty() { String::new() } else { format!(" ({})", neutralise(model)) };
                let branch = if branch.is_empty() { "as a patch" } else { &format!("on {branch}") };
                self.say(&format!(
                    "{}: {} {branch} from {}, by {provider}{model}, {chosen}",
                    neutralise_line(lld),
                    plural(*files, "file"),
                    short(base)
                ));
            }
            Event::Finding(finding) => {
                // Errors are what ends a run, and are shown with its failure.
                if !self.style.quiet && !finding.is_error() {
                    self.show(finding);
                }
            }
            Event::Said { .. } => {
                let rest = self.talk.end();
                self.live.end();
                self.say_lines(&rest);
            }
            Event::Reviewed { verdict, findings, void, outside, unquoted, why, .. } => {
                let of_void = of_void(*void, *outside, *unquoted);
                let why = why.as_ref().map_or(String::new(), |why| format!(": {}", neutralise(why)));
                let found = if findings.is_empty() {
                    String::new()
                } else {
                    format!(", {}", plural(findings.len(), "finding"))
                };
                self.say(&format!("[review] {}{why}{found}{of_void}", verdict.word()));
                findings.iter().filter(|_| !self.style.quiet).for_each(|finding| self.show(finding));
                self.objections.clone_from(findings);
            }
            Event::Delivered { patch, transcript, summary } => {
                self.delivered = Some([patch.clone(), transcript.clone(), summary.clone()]);
            }
            Event::FileStarted { path, index, of, .. } => {
                (self.usage, self.seconds) = (Usage::default(), 0.0);
                (self.position, self.is_last) = (format!("[{index}/{of}]"), index == of);
                self.live.begin(&self.position, &neutralise(path));
            }
            Event::Asked { attempt, turns, prompt_tokens, outlined, .. } => {
                self.turns = *turns;
                let tries = attempt.saturating_sub(*turns);
                let again = if tries > 1 { format!("try {tries}, ") } else { String::new() };
                self.state(&format!("{again}asking, about {} tokens", count(*prompt_tokens)));
                if !outlined.is_empty() {
                    let text = format!(
                        "{} shown in outline for want of room: {}",
                        plural(outlined.len(), "file"),
                        outlined.join(", ")
                    );
                    self.show(&Finding::warning("prompt-outlined", text));
                }
            }
            Event::Streaming { bytes, cost, .. } => {
                self.running = *cost;
                self.state(&format!("answering, about {} tokens", count(*bytes as u64 / 4)))
            }
            Event::Retrying { seconds, reason, cost, .. } => {
                self.cost += cost.unwrap_or(0.0);
                self.running = None;
                self.talk.begin_again();
                self.state(&format!("waiting {}: {}", duration(*seconds), neutralise(reason)));
                self.say(&format!("{} trying again in {}: {}", self.position, duration(*seconds), neutralise(reason)));
            }
            Event::Replied { stop, usage, cost, seconds, attempt, .. } => {
                self.usage += *usage;
                self.seconds += seconds;
                self.cost += cost.unwrap_or(0.0);
                self.running = None;
                if stop.is_truncation() {
                    let tries = attempt.saturating_sub(self.turns);
                    self.say(&format!("{} try {tries}: the reply was cut off by a limit", self.position));
                }
                self.state("checking");
            }
            // What ends the run says why; what does not is told when something else comes of it.
            Event::Aborted { .. } => {}
            Event::Refused { path, findings, .. } => {
                let first = findings.iter().find(|finding| finding.is_error());
                let why = first.map_or("", |finding| finding.message.lines().next().unwrap_or_default());
                let (path, why) = (neutralise(path), neutralise(why));
                self.say(&format!("{} {path}: the reply is refused and goes back: {why}", self.position));
            }
            Event::FileFinished { path, outcome, stat, edits, .. } => {
                self.live.end();
                self.finished(path, *outcome, stat.added, stat.removed, edits.len());
            }
            Event::Reworked { path, hook, stat, .. } => {
                let (path, added, removed) = (neutralise(path), stat.added, stat.removed);
                let by = match &**hook {
                    PRE_COMMIT => format!("the {hook} hook"),
                    command => format!("'{}'", neutralise(command)),
                };
                self.say(&format!("{} {path}: changed by {by}, +{added} -{removed}", self.position));
            }
            Event::Running { command, on } => {
                self.live.begin(on_what(*on), &neutralise(command));
                self.state("running");
            }
            Event::Ran { command, on, passed, seconds, said } => {
                self.live.end();
                let came = if *passed { "passes" } else { "fails" };
                self.say(&format!("{} '{}' {came}, {}", on_what(*on), neutralise(command), duration(*seconds)));
                if let Some(said) = said.as_ref().filter(|_| *on != On::Base) {
                    let lines: Vec<&str> = said.lines().collect();
                    let last = lines.len().saturating_sub(MOST_SAID);
                    lines.iter().skip(last).for_each(|line| self.say(&format!("  | {}", neutralise_patch_line(line))));
                }
            }
            Event::Diagnosed { path, server, errors, .. } => {
                if let Some(errors) = errors.filter(|errors| *errors > 0) {
                    let path = neutralise(path);
                    self.say(&format!("{} {path}: {server} finds {}", self.position, plural(errors, "new error")));
                }
            }
            Event::GivenBack { path, by, found } => {
                let (path, by) = (neutralise(path), neutralise(&by.join(", ")).into_owned());
                self.live.begin(&self.position, &path);
                self.say(&format!("{} {path} goes back with {} of {by}", self.position, plural(*found, "finding")));
            }
            Event::Mended { path, kept, stat, .. } => {
                self.live.end();
                self.objections.retain(|finding| !*kept || finding.path.as_ref() != Some(path));
                let what = match kept {
                    true => format!("mended, now +{} -{}", stat.added, stat.removed),
                    false => "what came back makes it worse, and is not taken".to_owned(),
                };
                self.say(&format!("{} {}: {what}", self.position, neutralise(path)));
            }
            Event::Committed { .. } => {}
            Event::Published { branch, replaced, .. } => {
                self.branch = Some(Published { branch: branch.clone(), replaced: replaced.clone() });
            }
            Event::RunFinished { status, usage, cost, .. } => {
                self.live.end();
                if *status != ExitCode::Done && usage.input + usage.output > 0 {
                    let cost =
                        cost.filter(|cost| *cost > 0.0).map_or(String::new(), |cost| format!(", {}", dollars(cost)));
                    self.say(&format!("spent {} tokens in, {} out{cost}", count(usage.input), count(usage.output)));
                }
                if *status == ExitCode::Done {
                    self.object();
                }
                let _ = self.summary(event, &mut printer::out());
            }
        }
    }

    fn said(&mut self, by: Speaker, round: u32, piece: &str) {
        let lines = self.talk.hear(by, round, piece);
        self.say_lines(&lines);
    }

    fn wants_patches(&self) -> bool {
        self.style.verbose
    }

    fn patch(&mut self, patch: &str) {
        self.live.above(|| patch.split_terminator('\n').for_each(|line| printer::say(neutralise_patch_line(line))));
    }
}

/// The command that takes a patch into the working tree. Below its `top` git would leave out what lies elsewhere, and not say
/// so.
pub fn take(patch: &str, top: Option<&str>) -> String {
    let at_top = top.map(|top| format!("-C {} ", shell_words::quote(top))).unwrap_or_default();
    format!("git {at_top}apply {}", shell_words::quote(patch))
}

/// How many remarks do not count, and why.
fn of_void(void: usize, outside: usize, unquoted: usize) -> String {
    let quotes = if unquoted == 1 {
        "quotes nothing of the line that it names"
    } else {
        "quote nothing of the line that they name"
    };
    let about = if outside == 1 { "a file that is not in the change" } else { "files that are not in the change" };
    let unread = void.saturating_sub(outside + unquoted);
    let parts = [
        (unquoted, format!("that {quotes}")),
        (outside, format!("about {about}")),
        (unread, "more than are read".to_owned()),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, what)| format!(", {} {what}", plural(count, "remark"))).collect()
}

/// The hook that may change files; whatever else does is a command.
const PRE_COMMIT: &str = "pre-commit";

/// As many of the last lines of a command that fails are shown.
const MOST_SAID: usize = 12;

/// What a command runs on, before its name.
fn on_what(on: On) -> &'static str {
    match on {
        On::Base => "[base]",
        On::Files => "[all]",
        On::Commit => "[commit]",
    }
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
