//! What a run will send, before anything is sent: the very prompts of its steps, built as the run builds them. Only files
//! that are not made yet have something of their size in their place.
//!
//! Plan, agreement and run all reckon with this.

use super::{Completed, Limits, Material, Prompt, Task, TooLong, build, made_tokens};
use crate::edit::Format;
use crate::lld::Change;
use crate::model::Usage;
use crate::plan::{Estimate, Prices, Step, Strategy, estimate_tokens};

/// Tokens in which a model is told what was found.
const FINDINGS: u64 = 200;

/// What is foreseen of a plan.
#[derive(Debug, Clone, Default)]
pub struct Forecast {
    /// One for each step; zeros for a step that asks nobody.
    pub steps: Vec<Estimate>,
    /// What it adds if every reply is refused and goes back once.
    pub repairs: Estimate,
    /// Files whose prompt no outline of other files makes fit.
    pub too_long: Vec<(String, TooLong)>,
    /// Documents beside the design for which there is no room.
    pub left_out: Vec<String>,
}

impl Forecast {
    /// All requests together, without repairs.
    pub fn total(&self) -> Estimate {
        let mut total = Estimate::default();
        self.steps.iter().for_each(|step| total += *step);
        total
    }

    /// What repairs can add, as many for each file.
    pub fn repaired(&self, times: u32) -> Estimate {
        let Estimate { prompt, cached, reply, cost } = self.repairs;
        let all = |tokens: u64| tokens.saturating_mul(times.into());
        let cost = cost.map(|cost| cost * f64::from(times));
        Estimate { prompt: all(prompt), cached: all(cached), reply: all(reply), cost }
    }
}

/// Foresees the requests for `steps`; `edits` is the form in which edits are asked for.
pub fn forecast(
    steps: &[Step],
    material: &Material,
    edits: Format,
    limits: Limits,
    prices: Option<&Prices>,
) -> Forecast {
    let mut forecast = Forecast::default();
    let mut completed: Vec<Completed> = Vec::new();
    let mut last: Option<Prompt> = None;
    for step in steps {
        let path = step.path.to_string();
        let base = match step.again {
            true => take(&mut completed, &path),
            false => step.base.as_ref().map(|blob| String::from_utf8_lossy(&blob.bytes).into_owned()),
        };
        if let (Change::Rename, Some(from)) = (step.change, &step.from) {
            completed.push(Completed::new(from.to_string(), None));
        }
        if step.change == Change::Delete || step.strategy == Strategy::None {
            let text = base.filter(|_| step.change != Change::Delete);
            completed.push(Completed::new(path, text));
            forecast.steps.push(Estimate::default());
            continue;
        }
        let task = Task::of(step, base.as_deref(), edits);
        let made = made_tokens(&task);
        match prompt(material, &completed, &task, limits) {
            Ok(prompt) => {
                forecast.steps.push(estimate(&prompt, last.as_ref(), limits, prices));
                forecast.repairs += repair(&prompt, limits, prices);
                forecast.left_out.clone_from(&prompt.left_out);
                last = Some(prompt);
            }
            Err(long) => {
                forecast.steps.push(Estimate { prompt: long.tokens, ..Estimate::default() });
                forecast.too_long.push((path.clone(), long));
            }
        }
        completed.push(Completed::new(path, Some(stand_in(base.unwrap_or_default(), made))));
    }
    forecast
}

/// The prompt; where it is too long for what stands in for other files, without them: what they will be is not known, and
/// no reason to refuse anything.
fn prompt(material: &Material, completed: &[Completed], task: &Task, limits: Limits) -> Result<Prompt, TooLong> {
    build(material, completed, task, limits).or_else(|_| build(material, &[], task, limits))
}

/// The text that an earlier step has made, which is to be made anew.
fn take(completed: &mut Vec<Completed>, path: &str) -> Option<String> {
    let at = completed.iter().rposition(|file| file.path == path)?;
    completed.remove(at).text
}

/// `base`, grown to this many tokens.
fn stand_in(base: String, tokens: u64) -> String {
    const LINE: &str = "what this line will be is not known yet, but its size is\n";
    let missing = tokens.saturating_sub(estimate_tokens(&base));
    let lines = missing.div_ceil(estimate_tokens(LINE));
    base + &LINE.repeat(usize::try_from(lines).unwrap_or_default())
}

/// What a prompt costs after `last`, whose beginning is in the provider's cache.
fn estimate(prompt: &Prompt, last: Option<&Prompt>, limits: Limits, prices: Option<&Prices>) -> Estimate {
    let cached = last.map_or(0, |last| in_common(last, prompt));
    let written = prompt.shared_tokens.saturating_sub(cached);
    reckoned((prompt.tokens, cached, written), prompt.reply_tokens, limits, prices)
}

/// What it costs to give the reply to a prompt back: what that began with is in the cache, and all of it is asked for again.
fn repair(prompt: &Prompt, limits: Limits, prices: Option<&Prices>) -> Estimate {
    let tokens = prompt.tokens + prompt.reply_tokens + FINDINGS;
    reckoned((tokens, prompt.shared_tokens, 0), prompt.reply_tokens, limits, prices)
}

/// `input`: tokens in all, those read from the cache and those written to it.
fn reckoned(input: (u64, u64, u64), reply: u64, limits: Limits, prices: Option<&Prices>) -> Estimate {
    let (tokens, cached, written) = input;
    let reply = reply.min(limits.longest().into());
    let usage = Usage { input: tokens, output: reply, cache_read: cached, cache_write: written };
    Estimate { prompt: tokens, cached, reply, cost: prices.map(|price| price.cost(&usage)) }
}

/// Tokens of the blocks with which both prompts begin, the first one's task left out.
fn in_common(last: &Prompt, next: &Prompt) -> u64 {
    let blocks = |prompt: &Prompt| {
        let messages = prompt.request.messages.iter().flat_map(|message| &message.content);
        prompt.request.system.iter().chain(messages).cloned().collect::<Vec<_>>()
    };
    let (last, next) = (blocks(last), blocks(next));
    let shared = last.split_last().map_or(&[][..], |(_, shared)| shared);
    let common = shared.iter().zip(&next).take_while(|(one, other)| one.text == other.text);
    common.map(|(block, _)| estimate_tokens(&block.text)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Document;

    const LIMITS: Limits = Limits { certain: true, window: 1_000_000, max_output: 64_000, asked: None };

    fn material(context: &str) -> Material {
        let document = |path: &str, text: &str| Document { path: path.into(), text: text.into() };
        Material {
            design: document("docs/1.md", &"A design.\n".repeat(100)),
            context: vec![document("src/seen.py", context)],
            directories: vec![],
            ..crate::prompt::tests::material()
        }
    }

    fn foreseen(steps: &[Step], context: &str, prices: Option<&Prices>) -> Forecast {
        forecast(steps, &material(context), Format::FindReplace, LIMITS, prices)
    }

    #[test]
    fn the_first_prompt_is_the_very_one_that_is_sent() {
        let steps = [Step::of("a.py", Strategy::Whole, Some("A = 1\n"))];
        let task = Task::of(&steps[0], Some("A = 1\n"), Format::FindReplace);
        let sent = build(&material("SEEN = 1\n"), &[], &task, LIMITS).unwrap();
        let found = foreseen(&steps, "SEEN = 1\n", None).steps[0];
        assert_eq!((found.prompt, found.reply, found.cached), (sent.tokens, sent.reply_tokens, 0));
    }

    #[test]
    fn what_is_shown_beside_the_design_is_in_every_prompt() {
        let steps = [Step::of("a.py", Strategy::Whole, None), Step::of("b.py", Strategy::Whole, None)];
        let (without, with) = (foreseen(&steps, "", None), foreseen(&steps, &"x = 1\n".repeat(6_000), None));
        let more: Vec<u64> =
            with.steps.iter().zip(&without.steps).map(|(with, without)| with.prompt - without.prompt).collect();
        assert_eq!(more, [10_000, 10_000]);
    }

    #[test]
    fn each_request_finds_in_the_cache_what_the_one_before_began_with() {
        let prices = Prices { input: 3.0, cache_read: 0.3, cache_write: 3.75, output: 15.0 };
        let big = "x = 1\n".repeat(20_000);
        let steps = [
            Step::of("a.py", Strategy::Whole, None),
            Step::of("old.py", Strategy::None, None),
            Step::of("b.py", Strategy::Edits, Some(&big)),
        ];
        let found = foreseen(&steps, "", Some(&prices));
        let [first, none, second] = found.steps[..] else { panic!("{found:?}") };
        assert_eq!((first.cached, first.reply, none), (0, NEW, Estimate::default()));
        assert!(second.cached > 400 && second.cached < first.prompt, "{second:?}");
        assert!(second.prompt > second.cached + 30_000 + NEW, "the base, and what was made before\n{second:?}");
        assert_eq!(second.reply, 33_334 / 8);
        let total = found.total();
        assert!((total.cost.unwrap() - first.cost.unwrap() - second.cost.unwrap()).abs() < 1e-9);
        let least = 0.3 * second.cached as f64 + 3.75 * NEW as f64 + 3.0 * 33_334.0 + 15.0 * second.reply as f64;
        assert!(second.cost.unwrap() * 1e6 > least, "{second:?}");
    }

    const NEW: u64 = super::super::NEW_FILE;

    #[test]
    fn a_prompt_that_fits_no_window_is_told_of_and_one_that_other_files_make_long_is_not() {
        let huge = "x = 1\n".repeat(600_000);
        let found = foreseen(&[Step::of("a.py", Strategy::Edits, Some(&huge))], "", None);
        assert_eq!(found.too_long[0].0, "a.py");
        assert!(found.too_long[0].1.tokens > 1_000_000);
        let half = "x = 1\n".repeat(300_000);
        let steps = [Step::of("a.py", Strategy::Edits, Some(&half)), Step::of("b.py", Strategy::Edits, Some(&half))];
        assert!(foreseen(&steps, "", None).too_long.is_empty());
    }
}
