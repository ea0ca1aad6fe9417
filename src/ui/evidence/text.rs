//! For the pager: each commit with the rows of the design above it, then its change as a patch.

use super::{UNENDED, beside, body, place, risky, said, severity, size, title, verification};
use crate::evidence::{Commit, Evidence, File, Kind};
use crate::ui::plain::{neutralise, neutralise_line, neutralise_patch_line};
use std::fmt::Write;

/// The whole of it. `colour`: as git colours patches.
pub fn text(review: &Evidence, colour: bool) -> String {
    let mut out = String::new();
    let paint = Paint(colour);
    let _ = writeln!(out, "{}", paint.of("1", &neutralise_line(&title(review))));
    let _ = writeln!(out, "{}: {}", neutralise_line(&review.name), size(review));
    for reviewed in review.runs.iter().filter_map(|run| run.story.reviewed) {
        let _ = writeln!(out, "review: {}", reviewed.words());
    }
    let first = review.by_risk();
    let risky_files = first.iter().map(|(commit, file)| &review.commits[*commit].files[*file]);
    for file in risky_files.filter(|file| file.risk.weight() > 0).take(5) {
        let _ = writeln!(out, "look first at {}: {}", neutralise(&file.path), neutralise(&risky(file)));
    }
    for point in super::points::points(review) {
        let _ = writeln!(out, "look first at {}: {}", neutralise(&point.place), neutralise(&point.words));
    }
    for commit in &review.commits {
        out.push('\n');
        one(&mut out, review, commit, paint);
    }
    out
}

#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn of(self, code: &str, text: &str) -> String {
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[m") } else { text.to_owned() }
    }
}

fn one(out: &mut String, review: &Evidence, commit: &Commit, paint: Paint) {
    let judged = &commit.judged;
    let _ = writeln!(out, "{}", paint.of("33", &format!("commit {}", judged.commit)));
    if let Some(author) = &judged.author {
        let _ = writeln!(out, "Author: {}\n", neutralise(author));
    }
    let _ = writeln!(out, "    {}", neutralise_line(&judged.subject));
    // Of a generated one it is the row of the design, which stands below.
    if let Some(body) = body(&commit.message).filter(|_| commit.run.is_none()) {
        for line in format!("\n{body}\n").split('\n') {
            let _ = writeln!(out, "    {}", neutralise_line(line));
        }
    }
    let _ = writeln!(out, "    {}", neutralise(&verification(judged)));
    for note in &judged.notes {
        let _ = writeln!(out, "    {}", neutralise(note));
    }
    for file in &commit.files {
        out.push('\n');
        head(out, review, commit, file, paint);
        patch(out, file, paint);
    }
}

fn head(out: &mut String, review: &Evidence, commit: &Commit, file: &File, paint: Paint) {
    let design = commit.run.and_then(|run| review.runs.get(run)).map(|run| &run.design);
    match (design, file.row) {
        (Some(design), Some(row)) => {
            let row = &design.rows[row];
            let (path, says) =
                (neutralise_line(&design.path), neutralise(row.description.lines().next().unwrap_or_default()));
            let _ = writeln!(out, "{}", paint.of("36", &format!("{path}:{}: {says}", row.line)));
        }
        (Some(_), None) if commit.judged.others.is_empty() => {
            _ = writeln!(out, "{}", paint.of("31", "no row of the design"))
        }
        (_, None) | (None, _) => {}
    }
    let tests = if file.tests.is_empty() { String::new() } else { format!(", tested by {}", file.tests.join(", ")) };
    let _ = writeln!(out, "{}: {}{}", neutralise_line(&place(file)), file.change.word(), neutralise(&tests));
    if file.risk.weight() > 0 {
        let _ = writeln!(out, "look: {}", neutralise(&risky(file)));
    }
    for words in file.look.sentences() {
        let _ = writeln!(out, "{}", neutralise_line(&words));
    }
    for finding in &file.findings {
        let _ = writeln!(out, "{}: {}", severity(finding), neutralise(&said(finding)));
    }
}

fn patch(out: &mut String, file: &File, paint: Paint) {
    if file.since.is_some() {
        let _ = writeln!(out, "(a person has changed this since)");
    }
    for said in beside(file) {
        let _ = writeln!(out, "({said})");
    }
    for hunk in &file.hunks {
        if let Some(by) = file.reworked(hunk) {
            let _ = writeln!(out, "(changed by {} after the model)", neutralise(&by));
        }
        let first =
            |number: fn(&crate::evidence::Line) -> Option<usize>| hunk.lines.iter().find_map(number).unwrap_or(0);
        let header = format!("@@ -{} +{} @@", first(|line| line.old), first(|line| line.new));
        let _ = writeln!(out, "{}", paint.of("36", &header));
        for line in &hunk.lines {
            let (mark, colour) = match line.kind {
                Kind::Same => (' ', ""),
                Kind::Added => ('+', "32"),
                Kind::Removed => ('-', "31"),
            };
            let shown = format!("{mark}{}", neutralise_patch_line(&line.text));
            let _ = writeln!(out, "{}", if colour.is_empty() { shown } else { paint.of(colour, &shown) });
            if line.unended {
                let _ = writeln!(out, "{UNENDED}");
            }
        }
    }
}
