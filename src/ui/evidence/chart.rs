//! What each file has cost, as bars: tokens in and out of all its requests.

use crate::evidence::Run;
use crate::ui::numbers::{count, dollars};
use crate::ui::plain::neutralise;
use maud::{Markup, html};

/// Height of a row, and where bars begin and end, in the units of the drawing.
const ROW: usize = 26;
const LEFT: usize = 300;
const WIDE: usize = 560;

/// Nothing for a run that asked nobody.
pub(super) fn chart(run: &Run) -> Markup {
    let spent = |file: &crate::record::FileStory| {
        let usages = file.tries.iter().filter_map(|it| it.reply.as_ref()).map(|reply| reply.usage);
        let (input, output) = usages.fold((0, 0), |(i, o), usage| (i + usage.input, o + usage.output));
        let cost = file.tries.iter().filter_map(|it| it.cost).reduce(|one, other| one + other);
        (file.name().to_owned(), input, output, cost)
    };
    let files: Vec<(String, u64, u64, Option<f64>)> =
        run.story.files.iter().map(spent).filter(|(_, input, output, _)| input + output > 0).collect();
    let most = files.iter().map(|(_, input, output, _)| input + output).max().unwrap_or(0);
    if most == 0 {
        return html! {};
    }
    let wide = |tokens: u64| (u128::from(tokens) * WIDE as u128 / u128::from(most)).max(1);
    let height = files.len() * ROW + 6;
    html! {
        svg class="chart" viewBox=(format!("0 0 {} {height}", LEFT + WIDE + 230)) role="img" aria-label="Tokens by file" {
            @for (at, (path, input, output, cost)) in files.iter().enumerate() {
                @let y = at * ROW;
                @let end = LEFT as u128 + wide(*input) + wide(*output);
                text x=(LEFT - 10) y=(y + 18) text-anchor="end" { (shortened(path)) }
                rect class="in" x=(LEFT) y=(y + 5) width=(wide(*input)) height=(ROW - 8) {}
                rect class="out" x=(LEFT as u128 + wide(*input)) y=(y + 5) width=(wide(*output)) height=(ROW - 8) {}
                text x=(end + 8) y=(y + 18) {
                    (count(*input)) " in, " (count(*output)) " out" @if let Some(cost) = cost { ", " (dollars(*cost)) }
                }
            }
        }
    }
}

/// From the left, as in subjects of commits.
fn shortened(path: &str) -> String {
    const MOST: usize = 38;
    let shown = neutralise(path);
    let long = shown.chars().count();
    if long <= MOST {
        shown.into_owned()
    } else {
        format!("…{}", shown.chars().skip(long - MOST + 1).collect::<String>())
    }
}
