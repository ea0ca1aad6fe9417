//! The words for what a run may cost: prices, tokens, and how many a text comes to. Estimates only: a provider's own
//! count is the truth. What a plan comes to is reckoned from its very prompts (`prompt::forecast`).

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
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_grow_with_the_text_and_count_each_foreign_character() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens(&"a".repeat(3600)), 1000);
        assert_eq!(estimate_tokens("設計書"), 3);
        assert!(estimate_tokens("fn main() {}") >= 3);
    }
}
