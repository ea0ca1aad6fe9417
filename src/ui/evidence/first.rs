//! What is to be looked at first besides files and commits: what a person must know of the runs, and no line shows.

use crate::evidence::Evidence;

/// A place, perhaps with where it is on the page, and what there is to say of it: as it came.
pub(super) struct Point {
    pub place: String,
    pub href: Option<String>,
    pub words: String,
}

pub(super) fn points(review: &Evidence) -> Vec<Point> {
    let mut points = Vec::new();
    for (at, run) in review.runs.iter().enumerate() {
        for row in &run.design.rows {
            let Some(why) = &row.not_done else { continue };
            points.push(Point {
                place: format!("{}:{}", run.design.path, row.line),
                href: run.design.text.is_some().then(|| format!("#d{at}-{}", row.line)),
                words: format!("{}: {why}", row.path),
            });
        }
    }
    points
}
