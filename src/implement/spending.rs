//! What a run has used, and how much more it may.

use super::ImplementError;
use crate::model::Usage;
use crate::plan::Prices;

/// The most that a run may use.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ceiling {
    /// US dollars.
    pub cost: Option<f64>,
    /// Prompts and replies together.
    pub tokens: Option<u64>,
}

/// What has been used so far, tries that failed among it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spending {
    pub ceiling: Ceiling,
    pub prices: Option<Prices>,
    pub usage: Usage,
    /// US dollars, as far as prices are known.
    pub cost: Option<f64>,
}

impl Spending {
    /// Adds what a request has used. Returns what it cost.
    pub fn add(&mut self, usage: &Usage) -> Option<f64> {
        self.usage += *usage;
        let cost = self.prices.map(|price| price.cost(usage));
        if let Some(cost) = cost {
            self.cost = Some(self.cost.unwrap_or(0.0) + cost);
        }
        cost
    }

    /// What the run has cost when `usage` is added.
    pub fn cost_with(mut self, usage: &Usage) -> Option<f64> {
        self.add(usage);
        self.cost
    }

    /// Would a request that is about to use `next` bring the run over what the person allows? `path` is the file that it
    /// asks for. The provider's own count is known only afterwards.
    pub fn affords(self, path: &str, next: &Usage) -> Result<(), ImplementError> {
        let mut then = self;
        then.add(next);
        let over = |what, limit: String, would: String| {
            Err(ImplementError::Budget { path: path.to_owned(), what, limit, would })
        };
        let tokens = then.usage.input + then.usage.output;
        match (self.ceiling.tokens, self.ceiling.cost.zip(then.cost)) {
            (Some(limit), _) if tokens > limit => over("--max-tokens", limit.to_string(), format!("{tokens} tokens")),
            (_, Some((limit, cost))) if cost > limit => over("--max-cost", format!("${limit}"), format!("${cost:.4}")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_request_counts_together_with_all_that_was_used() {
        let prices = Some(Prices::new(1.0, 1.0, 1.0, 10.0));
        let ceiling = Ceiling { cost: Some(1.0), tokens: Some(500_000) };
        let mut spending = Spending { ceiling, prices, ..Spending::default() };
        let usage = |input, output| Usage { input, output, ..Usage::default() };
        assert_eq!(spending.add(&usage(200_000, 20_000)), Some(0.4));
        assert!(spending.affords("a.py", &usage(200_000, 40_000)).is_ok());
        let over = |next| spending.affords("a.py", &next).unwrap_err().to_string();
        assert!(over(usage(200_000, 40_001)).contains("over --max-cost $1"));
        assert!(over(usage(280_001, 0)).contains("500001 tokens, over --max-tokens 500000"));
    }
}
