//! What is to be looked at first besides files and commits: what a person must know of the runs, and no line shows.

use crate::evidence::Evidence;
use crate::reviewer::Verdict;
use std::collections::HashSet;

/// A place, perhaps with where it is on the page, and what there is to say of it: as it came.
pub(super) struct Point {
    pub place: String,
    pub href: Option<String>,
    pub words: String,
}

pub(super) fn points(review: &Evidence) -> Vec<Point> {
    let mut points = Vec::new();
    let mut told = HashSet::new();
    for (at, commit) in review.commits.iter().enumerate() {
        points.extend(commit.dropped.iter().map(|path| Point {
            place: path.clone(),
            href: Some(format!("#c{at}")),
            words: format!("merge {:.10} leaves out what one of its parents has made of it", commit.judged.commit),
        }));
    }
    for (at, run) in review.runs.iter().enumerate() {
        let of_run = |words: String| Point { place: format!("run {}", run.id), href: None, words };
        if run.story.reviewed.is_some_and(|reviewed| reviewed.verdict == Verdict::Inconclusive) {
            points.push(of_run("its review is inconclusive".to_owned()));
        }
        points.extend(run.about.allow.iter().map(|permission| of_run(format!("permitted: {permission}"))));
        points.extend(run.about.gates.iter().map(|gate| of_run(format!("gates: {gate}"))));
        if run.about.no_verify {
            points.push(of_run("hooks were skipped".to_owned()));
        }
        for row in &run.design.rows {
            let Some(why) = &row.not_done else { continue };
            // Several runs of a design leave it out one by one.
            if !told.insert((&run.design.path, row.line, &row.path)) {
                continue;
            }
            points.push(Point {
                place: format!("{}:{}", run.design.path, row.line),
                href: run.design.text.is_some().then(|| format!("#d{at}-{}", row.line)),
                words: format!("{}: {why}", row.path),
            });
        }
    }
    points
}
