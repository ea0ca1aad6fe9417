//! The page: one file, which asks nobody for anything. What a model or a person wrote is escaped in it, and its policy lets no
//! other script run than its own.

use super::chart::chart;
use super::code::code;
use super::foreign::{foreign, foreign_lines};
use super::{MOST, UNENDED, beside, body, named, risky, said, severity, size, title, told, verification};
use crate::check::Mask;
use crate::evidence::{Commit, Evidence, File, Hunk, Kind, Line, Run};
use crate::record::Try;
use crate::ui::numbers::{count, dollars, duration, plural};
use crate::ui::plain::neutralise_attribute;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What every page says of itself.
pub const MARK: &str = "<meta name=\"generator\" content=\"git-implement review\">";

/// The text of a piece of a prompt of a run, by their places.
pub type Piece<'a> = &'a dyn Fn(&Run, &str) -> Option<Rc<str>>;

/// As many lines of a hunk are laid out at once, when they come into sight: a browser that lays out thousands does nothing else
/// meanwhile. In tens there is a rule for each height in the style sheet.
const PART: usize = 50;

/// More files are listed only when somebody asks for the list.
const MOST_LISTED: usize = 30;

/// The whole page, as HTML. `home`: the repository's common directory.
pub fn page(review: &Evidence, home: &Path, piece: Piece) -> String {
    let title = title(review);
    // Branches of two repositories may have one name, and a browser keeps marks for all of them in one place. The path is what a
    // rebase or another run leaves as it is; it says whose machine this is, so its hash does.
    let home = Sha256::digest(home.as_os_str().as_encoded_bytes());
    let home: String = home.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())));
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    let tip = review.commits.last().map(|commit| commit.judged.commit.to_string()).unwrap_or_default();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                (PreEscaped(MARK))
                meta name="color-scheme" content="light dark";
                title { "Review: " (neutralise_attribute(&title)) }
                style { (PreEscaped(STYLE)) }
            }
            body data-tip=(tip) data-home=(home) data-name=(neutralise_attribute(&review.name)) {
                a class="skip" href="#changes" { "To the changes" }
                header { (head(review, &title)) }
                div class=[(!review.runs.is_empty()).then_some("columns")] {
                    @if !review.runs.is_empty() {
                        section class="design" aria-label="Design" { @for (at, run) in review.runs.iter().enumerate() { (design(review, at, run)) } }
                    }
                    main id="changes" { (changes(review, piece)) }
                }
                p id="said" role="status" {}
                dialog id="help" aria-label="Keys" { (help()) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn head(review: &Evidence, title: &str) -> Markup {
    let (tokens, cost, seconds) = review.runs.iter().fold(((0, 0), None, 0.0), |(tokens, cost, seconds), run| {
        let cost = match (cost, run.cost) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        ((tokens.0 + run.tokens.0, tokens.1 + run.tokens.1), cost, seconds + run.seconds)
    });
    let mut models = BTreeSet::new();
    let models = review.runs.iter().map(|run| (&run.about.model, &run.about.provider)).filter(|it| models.insert(*it));
    html! {
        h1 { (foreign(title)) }
        p class="facts" {
            code { (foreign(&review.name)) } " on " code { (format!("{:.10}", review.base)) } ": " (size(review))
            @for (model, provider) in models { ". Model: " (foreign(model)) ", by " (foreign(provider)) }
            @if !review.runs.is_empty() {
                ". " (count(tokens.0)) " tokens in, " (count(tokens.1)) " out"
                @if let Some(cost) = cost { ", " (dollars(cost)) }
                ", " (duration(seconds))
            }
            "."
        }
        (told::verdicts(review))
        (warnings(review))
        p class="progress" role="status" data-live hidden { span id="viewed-count" { "0" } " of " span id="viewed-all" { "0" } " files viewed. "
            button type="button" id="next" { "Next open file" } " "
            button type="button" id="show-help" { "Keys" } }
        @for run in &review.runs { (facts(run)) }
    }
}

/// What is to be looked at before anything else.
fn warnings(review: &Evidence) -> Markup {
    let first: Vec<(usize, usize)> = review.by_risk();
    let file = |(commit, file): &(usize, usize)| &review.commits[*commit].files[*file];
    let risky_files: Vec<&(usize, usize)> = first.iter().filter(|place| file(place).risk.weight() > 0).collect();
    let commits = review.commits.iter().enumerate();
    let unlike: Vec<_> = commits.filter(|(_, commit)| !commit.judged.verification.is_good()).collect();
    let general: Vec<_> =
        review.runs.iter().flat_map(|run| &run.story.findings).filter(|it| it.path.is_none()).collect();
    html! {
        section class="first" aria-label="Look first" {
            h2 { "Look first" }
            @if unlike.is_empty() && general.is_empty() && risky_files.is_empty() && super::points::points(review).is_empty() { p { "Nothing stands out." } }
            ol {
                @for (at, commit) in unlike { li { a href=(format!("#c{at}")) { (foreign(&commit.judged.subject)) } ": " (foreign(&verification(&commit.judged))) } }
                @for finding in general { li { span class=(severity(finding)) { (severity(finding)) } " " (foreign(&said(finding))) } }
                (told::first(review))
                @for place in risky_files { li { a href=(format!("#f{}-{}", place.0, place.1)) { (foreign(&file(place).path)) } ": " (foreign(&risky(file(place)))) } }
            }
        }
    }
}

/// What gates, servers and commands said of a run, what it cost, and who permitted what.
fn facts(run: &Run) -> Markup {
    html! {
        details class="run" {
            summary { "Run " code { (foreign(&run.id)) } }
            ul {
                @for it in &run.story.commands {
                    li { (on(&it.on)) code { (foreign(&it.command)) } ": " (if it.passed { "passed" } else { "failed" }) }
                }
                @for permission in &run.about.allow { li { "permitted: " (foreign(&permission.to_string())) } }
                @for gate in &run.about.gates { li { "gates: " (foreign(&gate.to_string())) } }
                @if run.about.no_verify { li { "hooks were skipped" } }
            }
            (chart(run))
        }
    }
}

/// What a command was run on, as the terminal says it.
fn on(word: &str) -> &'static str {
    match word {
        "base" => "[base] ",
        "files" => "[all] ",
        "commit" => "[commit] ",
        _ => "",
    }
}

/// The design, line by line, so that a row can be pointed at.
fn design(review: &Evidence, at: usize, run: &Run) -> Markup {
    let mut of_line: std::collections::BTreeMap<usize, Vec<(usize, usize)>> = std::collections::BTreeMap::new();
    for row in &run.design.rows {
        let files = review.carries_out(at, row);
        if row.not_done.is_some() || !files.is_empty() {
            of_line.entry(row.line).or_default().extend(files);
        }
    }
    html! {
        h2 { "Design: " code { (foreign(&run.design.path)) } }
        @match &run.design.text {
            None => p { "The record leaves it out." },
            Some(text) => ol class="text" {
                @for (number, line) in (1..).zip(text.lines()) {
                    @let targets = of_line.get(&number);
                    li id=(format!("d{at}-{number}")) class=(if targets.is_some() { "row" } else { kind(line) }) {
                        @if let Some(targets) = targets {
                            @for (c, f) in targets { a class="to" href=(format!("#f{c}-{f}")) data-row { "→ " (foreign(short(&review.commits[*c].files[*f].path))) } " " }
                        }
                        (told::not_done(run, number))
                        (foreign_lines(line))
                    }
                }
            }
        }
    }
}

fn kind(line: &str) -> &'static str {
    if line.starts_with('#') { "heading" } else { "plain" }
}

fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn changes(review: &Evidence, piece: Piece) -> Markup {
    let files: Vec<&File> = review.commits.iter().flat_map(|commit| &commit.files).collect();
    let mut lines = files.iter().flat_map(|file| &file.hunks).flat_map(|hunk| &hunk.lines);
    html! {
        (list(review, files.len()))
        @if lines.any(|line| line.moved.is_some()) {
            p class="legend" { span class="moved" { "Lines like this" } " were moved within their commit: above them stands from where, or to where." }
        }
        div class="order" data-live hidden { label { input type="checkbox" id="by-risk"; " Riskiest first, not by commits" } }
        @for (at, commit) in review.commits.iter().enumerate() { (one(review, at, commit, piece)) }
        section class="check" aria-label="Checklist" {
            h2 { "Before it is merged" }
            ul {
                @for (id, words) in CHECKLIST { li { label { input type="checkbox" data-check=(id); " " (words) } } }
            }
        }
    }
}

/// All files with the size of their changes.
fn list(review: &Evidence, all: usize) -> Markup {
    html! {
        details class="files" open[all <= MOST_LISTED] {
            summary { (plural(all, "change")) " of files" }
            ul {
                @for (c, commit) in review.commits.iter().enumerate() {
                    @for (f, file) in commit.files.iter().enumerate() {
                        li { a href=(format!("#f{c}-{f}")) { (foreign(&super::place(file))) } " " span class="change" { (change(file)) } }
                    }
                }
            }
        }
    }
}

/// `added, +12 -0`.
fn change(file: &File) -> String {
    let (added, removed) = super::counts(&[file]);
    format!("{}, +{added} -{removed}", file.change.word())
}

/// What no gate can know.
const CHECKLIST: &[(&str, &str)] = &[
    ("design", "It does what the design says, and nothing else"),
    ("edges", "Empty, large, odd and hostile input was thought of"),
    ("tests", "The tests would fail if it were wrong"),
    ("names", "Names and places are where a newcomer would look"),
    ("docs", "What people read says what is so now"),
];

fn one(review: &Evidence, at: usize, commit: &Commit, piece: Piece) -> Markup {
    let judged = &commit.judged;
    html! {
        section class="commit" id=(format!("c{at}")) aria-label=(format!("Commit {}", at + 1)) {
            h2 { (foreign(&judged.subject)) " " code { (format!("{:.10}", judged.commit)) } }
            @if let Some(author) = &judged.author { p class="facts" { "By " (foreign(author)) } }
            p class=(judged.verification.word()) { (foreign(&verification(judged))) }
            @if let Some(body) = body(&commit.message) { details class="message" { summary { "Its message" } pre tabindex="0" { (foreign_lines(body)) } } }
            @for note in &judged.notes { p class="note" { (foreign(note)) } }
            @for (place, file) in commit.files.iter().enumerate() { (self::file(review, (at, place), commit, file, piece)) }
        }
    }
}

fn file(review: &Evidence, (c, f): (usize, usize), commit: &Commit, file: &File, piece: Piece) -> Markup {
    let run = commit.run.and_then(|run| review.runs.get(run));
    let row = run.zip(file.row).and_then(|(run, row)| run.design.rows.get(row));
    let path = neutralise_attribute(&file.path);
    let judged = &commit.judged;
    html! {
        article class="file" id=(format!("f{c}-{f}")) tabindex="-1" data-path=(path) data-pair=(pair(file)) data-risk=(file.risk.weight()) aria-label=(path) {
            div class="bar" {
                h3 { @if let Some(from) = &file.from { code { (foreign(&named(from))) } " → " } code { (foreign(&named(&file.path))) } }
                span class="change" { (change(file)) }
                label class="seen" data-live hidden { input type="checkbox" data-viewed; " viewed" }
                span class="news" hidden { "changed since you viewed it" }
            }
            p class="of" { "In " a href=(format!("#c{c}")) { (foreign(&judged.subject)) } " " code { (format!("{:.10}", judged.commit)) } ": " (foreign(&verification(judged))) }
            @if let (Some(row), Some(at)) = (row, commit.run) {
                p class="why" { a href=(format!("#d{at}-{}", row.line)) { "line " (row.line) } ": " (foreign_lines(&row.description)) }
            } @else if run.is_some() && judged.others.is_empty() { p class="why none" { "No row of the design accounts for this." } }
            @if file.risk.weight() > 0 { p class="risk" { (foreign(&risky(file))) } }
            @if !file.tests.is_empty() { p class="tests" { "Tested by " @for (n, test) in file.tests.iter().enumerate() { @if n > 0 { ", " } code { (foreign(test)) } } } }
            @if let Some(made) = &file.made { p class="maker" { "Made by " (foreign(&made.by)) "." } }
            @for words in file.look.sentences() { p class="tests" { (foreign(&words)) "." } }
            @for finding in &file.findings { p class=(severity(finding)) { (severity(finding)) ": " (foreign(&said(finding))) } }
            (told::since(file))
            @for said in beside(file) { p class="beside" { (said) } }
            @for hunk in &file.hunks { (told::reworked(file, hunk)) (self::hunk(&path, hunk)) }
            @if let Some(run) = run { @for it in &file.tries { (attempt(run, it, piece)) } }
        }
    }
}

/// What a reader's mark is about: both sides of the change, so that it outlives a rebase which leaves them as they are, and no other.
fn pair(file: &File) -> String {
    let blob = |id: &Option<String>| id.clone().unwrap_or_default();
    let modes = file.modes.map(|(before, after)| format!(":{before}:{after}")).unwrap_or_default();
    format!("{}:{}{modes}", blob(&file.was), blob(&file.blob))
}

fn hunk(path: &str, hunk: &Hunk) -> Markup {
    let starts = starts(&hunk.lines);
    let number = |line: &Line| line.new.or(line.old).unwrap_or(1);
    let first = |lines: &[Line]| lines.iter().find(|line| line.kind != Kind::Same).or(lines.first()).map_or(1, number);
    html! {
        @if hunk.loose.is_some() { p class="loose" { "An edit here matched loosely: look whether it is in the right place." } }
        @if hunk.person { p class="person" { "A person has changed this since." } }
        div class="hunk" {
            @for (lines, starts) in hunk.lines.chunks(PART).zip(starts.chunks(PART)) {
                div class=(format!("part h{}", lines.len().div_ceil(10))) {
                    table aria-label=(format!("{path} from line {}", first(lines))) {
                        tbody { @for (line, starts) in lines.iter().zip(starts) { (self::line(line, *starts)) } }
                    }
                }
            }
        }
    }
}

/// Which lines begin what was moved: those of which the place does not follow from that of the line above.
fn starts(lines: &[Line]) -> Vec<bool> {
    let mut last = None;
    let starts = |(at, line): (usize, &Line)| {
        let Some((path, number)) = line.moved.as_deref().and_then(|place| place.rsplit_once(':')) else { return false };
        let place = Some((line.kind, path.to_owned(), number.parse::<usize>().unwrap_or_default() + lines.len() - at));
        std::mem::replace(&mut last, place.clone()) != place
    };
    lines.iter().enumerate().map(starts).collect()
}

/// `starts`: a block of moved lines.
fn line(line: &Line, starts: bool) -> Markup {
    let number = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
    let class = match line.kind {
        Kind::Same => None,
        Kind::Added => Some("a"),
        Kind::Removed => Some("r"),
    };
    let class = class.map(|class| if line.moved.is_some() { format!("{class} moved") } else { class.to_owned() });
    let beside = |class: &str, said: Markup| html! { tr class=(class) { td class="n" {} td class="n" {} td class="l" { (said) } } };
    let moved = line.moved.as_deref().map(|place| match line.kind {
        Kind::Added => format!("moved from {place}"),
        _ => format!("moved to {place}"),
    });
    html! {
        @if let Some(moved) = moved.as_ref().filter(|_| starts) { (beside("beside moved", foreign(moved))) }
        tr class=[class] {
            td class="n" { (number(line.old)) }
            td class="n" { (number(line.new)) }
            td class="l" title=[moved.as_deref().map(neutralise_attribute)] { (code(line)) }
        }
        @if line.unended { (beside("beside", html! { (UNENDED) })) }
    }
}

/// A request and its reply, on demand.
fn attempt(run: &Run, it: &Try, piece: Piece) -> Markup {
    let facts = match &it.reply {
        Some(reply) => format!("{} tokens in, {} out", count(reply.usage.input), count(reply.usage.output)),
        None => "no reply".to_owned(),
    };
    let prompt = it.prompt.last().and_then(|name| piece(run, name));
    let shown = |text: &str| {
        let text = Mask::of([text]).apply(text).into_owned();
        let cut = text.floor_char_boundary(MOST.min(text.len()));
        let more = if cut < text.len() { format!("\n… and {} more bytes", text.len() - cut) } else { String::new() };
        html! { (foreign_lines(&text[..cut])) (more) }
    };
    html! {
        details class="try" {
            summary { "Request " (it.attempt) " (" (foreign(&it.format)) "): " (facts) @if !it.refused.is_empty() { ", refused" } }
            @for finding in &it.refused { p class=(severity(finding)) { (foreign(&said(finding))) } }
            @if let Some(prompt) = prompt { h4 { "The task in it, the last of " (plural(it.prompt.len(), "piece")) } pre tabindex="0" { (shown(&prompt)) } }
            @if let Some(reply) = &it.reply { h4 { "The reply" } pre tabindex="0" { (shown(&reply.text)) } }
        }
    }
}

fn help() -> Markup {
    html! {
        h2 { "Keys" }
        dl {
            dt { kbd { "n" } " / " kbd { "p" } } dd { "next, previous file" }
            dt { kbd { "o" } } dd { "next file that is not viewed" }
            dt { kbd { "v" } } dd { "viewed, or not" }
            dt { kbd { "d" } } dd { "its row in the design" }
            dt { kbd { "r" } } dd { "riskiest first, or by commits" }
            dt { kbd { "?" } } dd { "this" }
            dt { "click" } dd { "on a file's name: its lines, or none" }
        }
        form method="dialog" { button { "Close" } }
    }
}
