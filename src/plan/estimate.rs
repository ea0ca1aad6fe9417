//! What a plan may cost, before anybody is asked. Estimates only: a provider's own count is the truth.

use super::{Row, Strategy};
use crate::model::Usage;
use serde::{Deserialize, Serialize};

/// Prices in one currency for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Of prompts that go to no cache and come from none.
    pub input: f64,
    pub cache_read: f64,
    pub cache_write: f64,
    pub output: f64,
}

impl Prices {
    pub const FREE: Prices = Prices::new(0.0, 0.0, 0.0, 0.0);

    pub const fn new(input: f64, cache_read: f64, cache_write: f64, output: f64) -> Self {
        Prices { input, cache_read, cache_write, output }
    }

    /// What `usage` costs.
    pub fn cost(&self, usage: &Usage) -> f64 {
        let plain = usage.input.saturating_sub(usage.cache_read).saturating_sub(usage.cache_write);
        let parts = [
            (plain, self.input),
            (usage.cache_read, self.cache_read),
            (usage.cache_write, self.cache_write),
            (usage.output, self.output),
        ];
        parts.iter().map(|(tokens, price)| *tokens as f64 * price / 1e6).sum()
    }
}

/// Tokens, and what they cost if prices are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The whole prompt.
    pub prompt: u64,
    /// The part of `prompt` that an earlier request has left in the provider's cache.
    pub cached: u64,
    pub reply: u64,
    pub cost: Option<f64>,
}

impl std::ops::AddAssign for Estimate {
    fn add_assign(&mut self, other: Estimate) {
        self.prompt += other.prompt;
        self.cached += other.cached;
        self.reply += other.reply;
        self.cost = match (self.cost, other.cost) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
        };
    }
}

/// What a new file of unknown content comes to, its usual size in the designs that were measured.
const NEW_FILE: u64 = 1_500;
/// Files that hold nothing or next to nothing.
const NEARLY_EMPTY: u64 = 60;
/// The instructions that go with one file, and its fences.
const TASK: u64 = 400;
/// Edits are this part of the file that they change, and never less than `LEAST_EDITS`.
const EDITS_PART: u64 = 8;
const LEAST_EDITS: u64 = 300;

/// About how many tokens a text comes to: 3.6 bytes of ASCII each, and one for every other character.
pub fn estimate_tokens(text: &str) -> u64 {
    tokens_of_bytes(text.as_bytes())
}

pub(super) fn tokens_of_bytes(bytes: &[u8]) -> u64 {
    let ascii = bytes.iter().filter(|byte| byte.is_ascii()).count() as u64;
    // Bytes that begin a character; what is not UTF-8 is never sent, so that it need not be counted well.
    let others = bytes.iter().filter(|&&byte| byte >= 0xc0).count() as u64;
    (ascii * 10).div_ceil(36) + others
}

/// An estimate for every row, and zeros for rows that ask a model for nothing. `standing` is what every request begins
/// with: system text, design and context, in tokens. Requests follow one another, and each begins with all that the
/// one before began with and the file that came of it, which is what the cache is for.
pub fn estimate(rows: &[Row], standing: u64, prices: Option<&Prices>) -> Vec<Estimate> {
    // What all requests so far have begun with, and how much of it is in the cache.
    let (mut shared, mut cached) = (standing, 0);
    rows.iter()
        .map(|row| {
            if !row.is_asked() {
                return Estimate::default();
            }
            let base = row.size.map_or(0, |size| size.tokens);
            let after = result(row, base);
            let reply = match row.strategy {
                Strategy::Edits => (base / EDITS_PART).max(LEAST_EDITS),
                _ => after,
            };
            let task = TASK + base + estimate_tokens(&row.description);
            let fresh = Estimate { prompt: shared + task, cached, reply, cost: None };
            let cost = prices.map(|p| {
                let millionths = p.cache_read * cached as f64
                    + p.cache_write * (shared - cached) as f64
                    + p.input * task as f64
                    + p.output * reply as f64;
                millionths / 1e6
            });
            (shared, cached) = (shared + after, shared);
            Estimate { cost, ..fresh }
        })
        .collect()
}

/// How long the file is when it is done.
fn result(row: &Row, base: u64) -> u64 {
    let name = row.path.rsplit('/').next().unwrap_or(&row.path);
    match row.size {
        Some(_) => (base + base / 10).max(NEARLY_EMPTY),
        None if matches!(name, "__init__.py" | ".gitkeep" | ".keep" | "py.typed") => NEARLY_EMPTY,
        None => NEW_FILE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::Change;
    use crate::plan::Size;

    fn row(path: &str, strategy: Strategy, tokens: Option<u64>) -> Row {
        Row {
            path: path.into(),
            change: Change::Modify,
            from: None,
            directory: false,
            description: String::new(),
            line: 1,
            strategy,
            allow: vec![],
            tasks: vec![],
            selected: true,
            proposed: false,
            size: tokens.map(|tokens| Size { lines: 1, bytes: 1, tokens }),
        }
    }

    #[test]
    fn tokens_grow_with_the_text_and_count_each_foreign_character() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens(&"a".repeat(3600)), 1000);
        assert_eq!(estimate_tokens("設計書"), 3);
        assert!(estimate_tokens("fn main() {}") >= 3);
    }

    #[test]
    fn each_request_finds_in_the_cache_what_the_one_before_began_with() {
        let rows = [
            row("a.py", Strategy::Whole, Some(1000)),
            row("old.py", Strategy::None, None),
            row("b.py", Strategy::Whole, None),
            row("c.py", Strategy::Edits, Some(80_000)),
        ];
        let found = estimate(&rows, 10_000, None);
        assert_eq!(found[0], Estimate { prompt: 11_400, cached: 0, reply: 1_100, cost: None });
        assert_eq!(found[1], Estimate::default());
        assert_eq!(found[2], Estimate { prompt: 11_500, cached: 10_000, reply: 1_500, cost: None });
        assert_eq!((found[3].prompt, found[3].cached, found[3].reply), (93_000, 11_100, 10_000));
    }

    #[test]
    fn cost_is_by_the_prices_of_what_is_read_written_sent_and_answered() {
        let prices = Prices { input: 3.0, cache_read: 0.3, cache_write: 3.75, output: 15.0 };
        let rows = [row("a.py", Strategy::Whole, None), row("b.py", Strategy::Whole, None)];
        let found = estimate(&rows, 100_000, Some(&prices));
        let (first, second) = (found[0].cost.unwrap(), found[1].cost.unwrap());
        assert!((first - (0.375 + 0.0012 + 0.0225)).abs() < 1e-9, "{first}");
        assert!((second - (0.03 + 0.005625 + 0.0012 + 0.0225)).abs() < 1e-9, "{second}");
        let mut total = Estimate::default();
        found.into_iter().for_each(|e| total += e);
        assert!((total.cost.unwrap() - first - second).abs() < 1e-9);
    }

    #[test]
    fn rows_that_are_not_made_in_this_run_cost_nothing() {
        let done = Row { selected: false, ..row("a.py", Strategy::Whole, None) };
        assert_eq!(estimate(&[done], 10, None), [Estimate::default()]);
    }
}
