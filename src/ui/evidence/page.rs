//! The page: one file, which asks nobody for anything. What a model or a person wrote is escaped in it, and its policy lets no
//! other script run than its own.

use super::chart::chart;
use super::code::code;
use super::{MOST, beside, risky, said, severity, size, title, told, verification};
use crate::check::Mask;
use crate::evidence::{Commit, Evidence, File, Hunk, Kind, Line, Run};
use crate::record::Try;
use crate::ui::numbers::{count, dollars, duration, plural};
use crate::ui::plain::{neutralise, neutralise_lines};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
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

/// The whole page, as HTML.
pub fn page(review: &Evidence, piece: Piece) -> String {
    let title = title(review);
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
                title { "Review: " (neutralise(&title)) }
                style { (PreEscaped(STYLE)) }
            }
            body data-tip=(tip) data-name=(review.name) {
                a class="skip" href="#changes" { "To the changes" }
                header { (head(review, &title)) }
                div class="columns" {
                    section class="design" aria-label="Design" { @for (at, run) in review.runs.iter().enumerate() { (design(review, at, run)) } }
                    main id="changes" { (changes(review, piece)) }
                }
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
    html! {
        h1 { (neutralise(title)) }
        p class="facts" {
            code { (neutralise(&review.name)) } " on " code { (format!("{:.10}", review.base)) } ": " (size(review))
            @for run in &review.runs { ". Model: " (neutralise(&run.about.model)) ", by " (neutralise(&run.about.provider)) }
            ". " (count(tokens.0)) " tokens in, " (count(tokens.1)) " out"
            @if let Some(cost) = cost { ", " (dollars(cost)) }
            ", " (duration(seconds)) "."
        }
        (told::verdicts(review))
        (warnings(review))
        p class="progress" role="status" { span id="viewed-count" { "0" } " of " span id="viewed-all" { "0" } " files viewed. "
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
    let unlike = review.commits.iter().enumerate().filter(|(_, commit)| !commit.judged.verification.is_good());
    let general: Vec<_> =
        review.runs.iter().flat_map(|run| &run.story.findings).filter(|it| it.path.is_none()).collect();
    html! {
        section class="first" aria-label="Look first" {
            h2 { "Look first" }
            ol {
                @for (at, commit) in unlike { li { a href=(format!("#c{at}")) { (neutralise(&commit.judged.subject)) } ": " (verification(&commit.judged)) } }
                @for finding in general { li { span class=(severity(finding)) { (severity(finding)) } " " (said(finding)) } }
                (told::first(review))
                @for place in risky_files { li { a href=(format!("#f{}-{}", place.0, place.1)) { (neutralise(&file(place).path)) } ": " (risky(file(place))) } }
            }
        }
    }
}

/// What gates, servers and commands said of a run, what it cost, and who permitted what.
fn facts(run: &Run) -> Markup {
    html! {
        details class="run" {
            summary { "Run " code { (run.id) } }
            ul {
                @for (command, passed) in &run.story.commands {
                    li { code { (neutralise(command)) } ": " (if *passed { "passed" } else { "failed" }) }
                }
                @for permission in &run.about.allow { li { "permitted: " (neutralise(&permission.to_string())) } }
                @for gate in &run.about.gates { li { "gates: " (neutralise(&gate.to_string())) } }
                @if run.about.no_verify { li { "hooks were skipped" } }
            }
            (chart(run))
        }
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
        h2 { "Design: " code { (neutralise(&run.design.path)) } }
        @match &run.design.text {
            None => p { "The record leaves it out." },
            Some(text) => ol class="text" {
                @for (number, line) in (1..).zip(text.lines()) {
                    @let targets = of_line.get(&number);
                    li id=(format!("d{at}-{number}")) class=(if targets.is_some() { "row" } else { kind(line) }) {
                        @if let Some(targets) = targets {
                            @for (c, f) in targets { a class="to" href=(format!("#f{c}-{f}")) data-row { "→ " (neutralise(short(&review.commits[*c].files[*f].path))) } " " }
                        }
                        (told::not_done(run, number))
                        (neutralise_lines(line))
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
    html! {
        div class="order" { label { input type="checkbox" id="by-risk"; " Riskiest first, not by commits" } }
        @for (at, commit) in review.commits.iter().enumerate() { (one(review, at, commit, piece)) }
        section class="check" aria-label="Checklist" {
            h2 { "Before it is merged" }
            ul {
                @for (id, words) in CHECKLIST { li { label { input type="checkbox" data-check=(id); " " (words) } } }
            }
        }
    }
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
            h2 { (neutralise(&judged.subject)) " " code { (format!("{:.10}", judged.commit)) } }
            p class=(judged.verification.word()) { (verification(judged)) }
            @for note in &judged.notes { p class="note" { (neutralise(note)) } }
            @for (place, file) in commit.files.iter().enumerate() { (self::file(review, (at, place), commit, file, piece)) }
        }
    }
}

fn file(review: &Evidence, (c, f): (usize, usize), commit: &Commit, file: &File, piece: Piece) -> Markup {
    let run = commit.run.and_then(|run| review.runs.get(run));
    let row = run.zip(file.row).and_then(|(run, row)| run.design.rows.get(row));
    let (added, removed) = super::counts(&[file]);
    let path = neutralise(&file.path);
    let blob = file.blob.clone().unwrap_or_default();
    html! {
        article class="file" id=(format!("f{c}-{f}")) tabindex="-1" data-path=(path) data-blob=(blob) data-risk=(file.risk.weight()) data-order=(format!("{c}.{f}")) aria-label=(path) {
            div class="bar" {
                h3 { @if let Some(from) = &file.from { code { (neutralise(from)) } " → " } code { (path) } }
                span class="change" { (file.change.word()) ", +" (added) " -" (removed) }
                label class="seen" { input type="checkbox" data-viewed; " viewed" }
                span class="news" hidden { "changed since you viewed it" }
            }
            @if let (Some(row), Some(at)) = (row, commit.run) {
                p class="why" { a href=(format!("#d{at}-{}", row.line)) { "line " (row.line) } ": " (neutralise_lines(&row.description)) }
            } @else if run.is_some() { p class="why none" { "No row of the design accounts for this." } }
            @if file.risk.weight() > 0 { p class="risk" { (risky(file)) } }
            @if !file.tests.is_empty() { p class="tests" { "Tested by " @for (n, test) in file.tests.iter().enumerate() { @if n > 0 { ", " } code { (neutralise(test)) } } } }
            @if let Some(maker) = &file.maker { p class="maker" { "Made by " (neutralise(maker)) "." } }
            @for words in file.look.sentences() { p class="tests" { (neutralise(&words)) "." } }
            @for finding in &file.findings { p class=(severity(finding)) { (severity(finding)) ": " (said(finding)) } }
            (told::since(file))
            @for said in beside(file) { p class="beside" { (said) } }
            @for hunk in &file.hunks { (told::reworked(file, hunk)) (self::hunk(&path, hunk)) }
            @if let Some(run) = run { @for it in &file.tries { (attempt(run, it, piece)) } }
        }
    }
}

fn hunk(path: &str, hunk: &Hunk) -> Markup {
    let number = |line: &Line| line.new.or(line.old).unwrap_or(1);
    let first = |lines: &[Line]| lines.iter().find(|line| line.kind != Kind::Same).or(lines.first()).map_or(1, number);
    html! {
        @if hunk.loose.is_some() { p class="loose" { "An edit here matched loosely: look whether it is in the right place." } }
        @if hunk.person { p class="person" { "A person has changed this since." } }
        div class="hunk" {
            @for lines in hunk.lines.chunks(PART) {
                div class=(format!("part h{}", lines.len().div_ceil(10))) {
                    table aria-label=(format!("{path} from line {}", first(lines))) {
                        tbody { @for line in lines { (self::line(line)) } }
                    }
                }
            }
        }
    }
}

fn line(line: &Line) -> Markup {
    let number = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
    let class = match line.kind {
        Kind::Same => "",
        Kind::Added => "a",
        Kind::Removed => "r",
    };
    html! {
        tr class=[(!class.is_empty()).then(|| if line.moved.is_some() { format!("{class} moved") } else { class.to_owned() })] {
            td class="n" { (number(line.old)) }
            td class="n" { (number(line.new)) }
            td class="l" title=[line.moved.as_ref().map(|place| match line.kind {
                Kind::Added => format!("moved from {}", neutralise(place)),
                _ => format!("moved to {}", neutralise(place)),
            })] { (code(line)) }
        }
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
        format!("{}{more}", neutralise_lines(&text[..cut]))
    };
    html! {
        details class="try" {
            summary { "Request " (it.attempt) " (" (neutralise(&it.format)) "): " (facts) @if !it.refused.is_empty() { ", refused" } }
            @for finding in &it.refused { p class=(severity(finding)) { (said(finding)) } }
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
        }
        form method="dialog" { button { "Close" } }
    }
}
