//! What the parts of a record that no text is made from say, held against its events and its recipe: the header, the plan, the
//! requests, the summary, and what files there are. Who alters one of them has to alter the others, too.

use super::about::Event;
use super::open::{Record, Unread};
use super::remake::Remake;
use super::{answers, heard};
use crate::edit::Edit;
use crate::finding::Permission;
use crate::prompt::tells_row;
use crate::transcript::recipe::{BASES, By, File, MANIFEST, RECIPE, TEXTS};
use crate::transcript::{DESIGN, EVENTS, HEADER, Header, PLAN, SUMMARY, Summary};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// A record, read as far as everything is held against it.
struct Parts<'a> {
    remake: &'a Remake<'a, 'a>,
    events: &'a [Event],
}

type Check = fn(&Parts) -> Result<Vec<String>, Unread>;

/// What is held against the rest, a function each.
const CHECKS: [Check; 13] =
    [header, typed, permitted, ending, asked, answered, heard, planned, rows, outcomes, matched, summary, files];

/// What the parts contradict each other in.
pub(super) fn contradictions(events: &[Event], remake: &Remake) -> Vec<String> {
    let parts = Parts { remake, events };
    let one = |check: &Check| check(&parts).unwrap_or_else(|unread| vec![format!("it {unread}")]);
    CHECKS.iter().flat_map(one).collect()
}

impl Parts<'_> {
    fn record(&self) -> &Record<'_> {
        self.remake.record
    }

    /// The events with this name.
    fn named(&self, name: &str) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.event == name)
    }

    /// Is it a record without prompts, replies and design?
    fn is_empty(&self) -> bool {
        self.record().about.record.as_deref() == Some("none")
    }
}

/// The header says of the run what its first event says.
fn header(parts: &Parts) -> Result<Vec<String>, Unread> {
    let about = &parts.record().about;
    let said = [
        ("lld", &about.lld),
        ("blob", &about.blob),
        ("base", &about.base),
        ("branch", &about.branch),
        ("provider", &about.provider),
        ("model", &about.model),
    ];
    let Some(first) = parts.events.first().filter(|event| event.event == "run-started") else {
        return Ok(vec!["its events do not begin with the start of the run".to_owned()]);
    };
    let others = said.iter().filter(|(name, value)| first.text(name) != Some(value.as_str()));
    Ok(others.map(|(name, _)| format!("'{HEADER}' and its events do not name the same '{name}'")).collect())
}

/// Hooks were skipped if that was typed, and only then.
fn typed(parts: &Parts) -> Result<Vec<String>, Unread> {
    let header: Header = parts.record().json(HEADER)?;
    let is_typed = header.options.kept.iter().any(|option| option == "--no-verify");
    let why = || format!("'{HEADER}' contradicts itself in whether hooks were skipped");
    Ok(if is_typed == header.no_verify { Vec::new() } else { vec![why()] })
}

/// Whoever a finding names as permitting it has permitted it, and what was permitted on the command line is named.
fn permitted(parts: &Parts) -> Result<Vec<String>, Unread> {
    let header: Header = parts.record().json(HEADER)?;
    let is_typed = header.options.again.iter().any(|option| option == "allow");
    let mut wrong = Vec::new();
    if is_typed && !header.allow.iter().any(Permission::is_of_the_moment) {
        wrong.push(format!("'{HEADER}' leaves out what was permitted on the command line"));
    }
    let known: HashSet<String> = header.allow.iter().map(ToString::to_string).collect();
    let by = |event: &Event| {
        let by = event.text("message")?.rsplit_once(" (allowed by ")?.1.strip_suffix(')')?.to_owned();
        (by.starts_with("'--") || by.contains("' from ")).then_some(by)
    };
    let others = parts.named("finding").filter_map(by).filter(|by| !known.contains(by)).collect::<BTreeSet<String>>();
    wrong.extend(others.iter().map(|by| format!("a finding is allowed by {by}, which '{HEADER}' does not name")));
    Ok(wrong)
}

/// The events end with the last commit of the recipe on the header's branch.
fn ending(parts: &Parts) -> Result<Vec<String>, Unread> {
    let (about, commits) = (&parts.record().about, &parts.remake.recipe.commits);
    let mut wrong = Vec::new();
    let record = format!("refs/implement/runs/{}", parts.record().run);
    let last = commits.last().filter(|_| !about.branch.is_empty());
    let expected: Vec<_> =
        last.iter().map(|last| [&about.branch, &last.commit, &record].map(|it| Some(it.as_str()))).collect();
    let published = parts.named("published").map(|event| ["branch", "commit", "record"].map(|name| event.text(name)));
    if published.collect::<Vec<_>>() != expected {
        wrong.push("its events do not publish what its recipe has made".to_owned());
    }
    let subjects: Vec<Option<&str>> = commits.iter().map(|commit| Some(commit.subject.as_str())).collect();
    if parts.named("committed").map(|event| event.text("subject")).collect::<Vec<_>>() != subjects {
        wrong.push("its events and its recipe name its commits differently".to_owned());
    }
    let ended = parts.events.last().filter(|event| event.event == "run-finished");
    let is_whole = |event: &Event| {
        event.number("status") == Some(0) && event.number("commits") == u64::try_from(commits.len()).ok()
    };
    if !ended.is_some_and(is_whole) {
        wrong.push("its events do not end as a run does that is published".to_owned());
    }
    Ok(wrong)
}

/// Each request was announced, and each announcement has its request.
fn asked(parts: &Parts) -> Result<Vec<String>, Unread> {
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let filed = parts.record().requests()?;
    let mut filed: Vec<_> = filed
        .iter()
        .map(|it| {
            (Some(it.path.as_str()), Some(u64::from(it.attempt)), Some(it.key.as_str()), Some(it.format.as_str()))
        })
        .collect();
    let asked = parts.named("asked");
    let mut asked: Vec<_> = asked
        .map(|event| (event.path.as_deref(), event.number("attempt"), event.text("key"), event.text("format")))
        .collect();
    filed.sort_unstable();
    asked.sort_unstable();
    Ok(if filed == asked { Vec::new() } else { vec!["its events tell of other requests than it has".to_owned()] })
}

/// The replies are those that came, and none is taken that was refused.
fn answered(parts: &Parts) -> Result<Vec<String>, Unread> {
    answers::contradictions(parts.events, parts.remake)
}

/// What was said in talk and review is what the replies say.
fn heard(parts: &Parts) -> Result<Vec<String>, Unread> {
    if parts.is_empty() { Ok(Vec::new()) } else { heard::contradictions(parts.events, parts.record()) }
}

/// Each row of the plan is of a line that the design has, and says of its file what the model was told.
fn rows(parts: &Parts) -> Result<Vec<String>, Unread> {
    let record = parts.record();
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let count = record.text(DESIGN)?.lines().count();
    let mut asked: HashMap<String, Vec<Rc<str>>> = HashMap::new();
    for filed in record.requests()? {
        let last = filed.messages.first().and_then(|message| message.content.last());
        if let Some(last) = last.filter(|name| record.has(&format!("blocks/{name}"))) {
            asked.entry(filed.path).or_default().push(record.block(last)?);
        }
    }
    let plan = record.plan()?;
    let none = Vec::new();
    // Of several tasks that make one file the model is told of each by itself.
    let is_of_many = |row: &&Value| row["tasks"].as_array().is_some_and(|tasks| tasks.len() > 1);
    let many: HashSet<&str> = plan["files"]
        .as_array()
        .unwrap_or(&none)
        .iter()
        .filter(is_of_many)
        .filter_map(|row| row["path"].as_str())
        .collect();
    let mut wrong = Vec::new();
    for (path, (line, says)) in record.rows() {
        if line > count {
            wrong.push(format!("'{PLAN}' has '{path}' in line {line} of a design of {count}"));
        }
        let mut told = asked.get(&path).into_iter().flatten().filter_map(|text| tells_row(text, &says)).peekable();
        if told.peek().is_some() && !many.contains(path.as_str()) && !told.any(|is_it| is_it) {
            wrong.push(format!("'{PLAN}' says something else of '{path}' than the model was told"));
        }
    }
    Ok(wrong)
}

/// What became of each file is what its commits have.
fn outcomes(parts: &Parts) -> Result<Vec<String>, Unread> {
    let files = parts.remake.recipe.commits.iter().flat_map(|commit| &commit.files);
    let last: HashMap<&str, &File> = files.map(|file| (file.path.as_str(), file)).collect();
    let told: HashMap<&str, &str> = parts
        .named("file-finished")
        .filter_map(|event| Some((event.path.as_deref()?, event.text("outcome")?)))
        .collect();
    let is_other = |(path, outcome): &(&&str, &&str)| {
        last.get(**path).is_some_and(|file| (**outcome == "deleted") != file.blob.is_none())
    };
    let others = told.iter().filter(is_other);
    Ok(others
        .map(|(path, outcome)| format!("its events say that '{path}' was {outcome}, and its commits do not"))
        .collect())
}

/// Edits matched where, and as exactly, as the events say.
fn matched(parts: &Parts) -> Result<Vec<String>, Unread> {
    let mut wrong = Vec::new();
    for event in parts.named("file-finished") {
        let (Some(path), Some(result)) = (event.path.as_deref(), event.text("result")) else { continue };
        let Some(number) = parts.remake.number(path, result) else { continue };
        let told: Vec<Edit> =
            event.rest.get("edits").cloned().map_or(Ok(Vec::new()), serde_json::from_value).unwrap_or_default();
        if parts.remake.edits(number).is_some_and(|edits| edits != told) {
            wrong.push(format!("the edits of '{path}' match elsewhere, or otherwise, than its events say"));
        }
    }
    Ok(wrong)
}

/// What was made stands in the plan, and what is ticked there.
fn planned(parts: &Parts) -> Result<Vec<String>, Unread> {
    let plan: Value = parts.record().json(PLAN)?;
    let none = Vec::new();
    let is_made = |row: &&Value| row["selected"] == true && row["change"] != "none";
    let rows: Vec<&Value> = plan["files"].as_array().unwrap_or(&none).iter().filter(is_made).collect();
    let planned: HashSet<&str> =
        rows.iter().flat_map(|row| [row["path"].as_str(), row["from"].as_str()]).flatten().collect();
    let recipe = parts.remake.recipe;
    let texts = recipe.texts.iter().map(|text| text.path.as_str());
    let files = recipe.commits.iter().flat_map(|commit| &commit.files).map(|file| file.path.as_str());
    let told = ["file-started", "file-finished", "hook-changed"].iter().flat_map(|name| parts.named(name));
    let told = told.filter_map(|event| event.path.as_deref());
    let unplanned: HashSet<&str> = texts.chain(files).chain(told).filter(|path| !planned.contains(path)).collect();
    let mut wrong: Vec<String> = unplanned.iter().map(|path| format!("'{path}' is not in the plan")).collect();
    wrong.sort_unstable();
    for text in &recipe.texts {
        let By::Tick { lines, tasks, json } = &text.by else { continue };
        let is_it = |row: &&Value| {
            let named = row["tasks"].as_array().unwrap_or(&none).iter().filter_map(Value::as_str);
            row["path"] == text.path.as_str() && row["strategy"] == "none" && named.eq(tasks.iter().map(String::as_str))
        };
        if !rows.iter().any(is_it) || !json && lines.len() > tasks.len() {
            wrong.push(format!("in '{}' other boxes are ticked than those of the plan", text.path));
        }
    }
    Ok(wrong)
}

/// The summary is the one that the header, the recipe and the last event make.
fn summary(parts: &Parts) -> Result<Vec<String>, Unread> {
    let header: Header = parts.record().json(HEADER)?;
    let last = parts.events.last().map(|event| event.rest.clone()).unwrap_or_default();
    let mut last = Value::Object(last);
    last["event"] = "run-finished".into();
    let Ok(last) = serde_json::from_value(last) else { return Ok(Vec::new()) };
    let mut right = Summary::new(&header, parts.remake.recipe, &last);
    let said: Summary = parts.record().json(SUMMARY)?;
    // Numbers with a fraction may be another one when they are written again.
    (right.seconds, right.spent.cost) = (said.seconds, said.spent.cost);
    // The first summaries do not have these.
    for (right, said) in right.commits.iter_mut().zip(&said.commits).filter(|(_, said)| said.parent.is_empty()) {
        right.parent.clone_from(&said.parent);
    }
    Ok(if said == right { Vec::new() } else { vec![format!("'{SUMMARY}' sums up another run")] })
}

/// There is no file that no run writes.
fn files(parts: &Parts) -> Result<Vec<String>, Unread> {
    let record = parts.record();
    let texts = &parts.remake.recipe.texts;
    let bases: HashSet<&str> = texts.iter().filter_map(|text| text.base.as_deref()).collect();
    let is_kept = |by: &By| matches!(by, By::Design { .. } | By::Command { .. });
    let kept: HashSet<&str> = texts.iter().filter(|text| is_kept(&text.by)).map(|text| text.result.as_str()).collect();
    let header: Value = record.json(HEADER)?;
    let none = Vec::new();
    let shown = header["documents"].as_array().unwrap_or(&none).iter().filter_map(|it| it["block"].as_str());
    let mut blocks: HashSet<String> = shown.map(str::to_owned).collect();
    for filed in record.requests()? {
        blocks.extend(filed.system);
        blocks.extend(filed.messages.into_iter().flat_map(|message| message.content));
    }
    let is_number =
        |name: &str| name.strip_suffix(".json").is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
    let is_known = |name: &&String| match name.split_once('/') {
        None => [HEADER, DESIGN, PLAN, EVENTS, RECIPE, SUMMARY, MANIFEST].contains(&name.as_str()),
        Some(("requests", name)) => is_number(name),
        // The replies themselves are held against the requests; beside them lies the mark of the verdicts.
        Some(("replies", name)) => name.ends_with(".json") || name == "mark",
        Some(("blocks", name)) => blocks.contains(name),
        Some((BASES, name)) => bases.contains(name),
        Some((TEXTS, name)) => kept.contains(name),
        Some(_) => false,
    };
    let others = record.files().keys().filter(|name| !is_known(name));
    Ok(others.map(|name| format!("'{name}' is no file that a run writes")).collect())
}
