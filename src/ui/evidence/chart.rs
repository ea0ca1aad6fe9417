//! What each file has cost: tokens in and out of all its requests, as numbers and as bars beside them.

use super::foreign::foreign;
use crate::evidence::Run;
use crate::ui::numbers::{count, dollars};
use maud::{Markup, html};

/// The longest bar, in the units of the drawing.
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
    let is_priced = files.iter().any(|(.., cost)| cost.is_some());
    html! {
        table class="chart" {
            caption { "Tokens by file" }
            thead { tr { th scope="col" { "File" } td {} th scope="col" class="in" { "In" } th scope="col" class="out" { "Out" } @if is_priced { th scope="col" { "Cost" } } } }
            tbody {
                @for (path, input, output, cost) in &files {
                    tr {
                        th scope="row" { code { (foreign(path)) } }
                        td {
                            svg viewBox=(format!("0 0 {WIDE} 10")) preserveAspectRatio="none" aria-hidden="true" {
                                rect class="in" width=(wide(*input)) height="10" {}
                                rect class="out" x=(wide(*input)) width=(wide(*output)) height="10" {}
                            }
                        }
                        td { (count(*input)) }
                        td { (count(*output)) }
                        @if is_priced { td { @if let Some(cost) = cost { (dollars(*cost)) } } }
                    }
                }
            }
        }
    }
}
