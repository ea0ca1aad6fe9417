//! What is known of models before they are asked: limits and prices. A table to be edited; nothing here is
//! ever fetched.

use crate::plan::Prices;

/// Limits in tokens, prices in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelFacts {
    /// The provider, and the beginning of the model's name. The longest that fits counts.
    pub provider: &'static str,
    pub prefix: &'static str,
    /// Prompt and reply together.
    pub context: u32,
    /// The longest reply.
    pub max_output: u32,
    /// None where nothing is known.
    pub price: Option<Prices>,
}

impl ModelFacts {
    /// Is it about this model, rather than what is assumed of any?
    pub fn is_known(&self) -> bool {
        !self.prefix.is_empty()
    }
}

const fn known(
    provider: &'static str,
    prefix: &'static str,
    context: u32,
    max_output: u32,
    price: Prices,
) -> ModelFacts {
    ModelFacts { provider, prefix, context, max_output, price: Some(price) }
}

/// List prices of autumn 2026 as programs that reckon with them quote them; where these disagree, the higher: a budget
/// must not be passed unnoticed. A model that is not here has no price, and whoever sets a limit is told so.
const MODELS: &[ModelFacts] = &[
    known("anthropic", "claude-fable-5", 1_000_000, 128_000, Prices::new(10.0, 1.0, 12.5, 50.0)),
    known("anthropic", "claude-opus-5", 1_000_000, 128_000, Prices::new(5.0, 0.5, 6.25, 25.0)),
    known("anthropic", "claude-opus-4", 200_000, 32_000, Prices::new(15.0, 1.5, 18.75, 75.0)),
    known("anthropic", "claude-opus-4-5", 200_000, 64_000, Prices::new(5.0, 0.5, 6.25, 25.0)),
    known("anthropic", "claude-opus-4-6", 1_000_000, 128_000, Prices::new(5.0, 0.5, 6.25, 25.0)),
    known("anthropic", "claude-opus-4-7", 1_000_000, 128_000, Prices::new(5.0, 0.5, 6.25, 25.0)),
    known("anthropic", "claude-opus-4-8", 1_000_000, 128_000, Prices::new(5.0, 0.5, 6.25, 25.0)),
    known("anthropic", "claude-sonnet-5", 1_000_000, 128_000, Prices::new(3.0, 0.3, 3.75, 15.0)),
    known("anthropic", "claude-sonnet-4", 200_000, 64_000, Prices::new(3.0, 0.3, 3.75, 15.0)),
    known("anthropic", "claude-sonnet-4-6", 1_000_000, 64_000, Prices::new(3.0, 0.3, 3.75, 15.0)),
    known("anthropic", "claude-haiku-4", 200_000, 64_000, Prices::new(1.0, 0.1, 1.25, 5.0)),
    known("openai", "gpt-5.6", 1_050_000, 128_000, Prices::new(5.0, 0.5, 6.25, 30.0)),
    known("openai", "gpt-5.6-terra", 1_050_000, 128_000, Prices::new(2.5, 0.25, 3.125, 15.0)),
    known("openai", "gpt-5.6-luna", 1_050_000, 128_000, Prices::new(1.0, 0.1, 1.25, 6.0)),
    known("openai", "gpt-5.5", 1_050_000, 128_000, Prices::new(5.0, 0.5, 5.0, 30.0)),
    known("openai", "gpt-5", 400_000, 128_000, Prices::new(1.25, 0.125, 1.25, 10.0)),
    known("openai", "gpt-5-mini", 400_000, 128_000, Prices::new(0.25, 0.025, 0.25, 2.0)),
    known("openai", "gpt-4.1", 1_047_576, 32_768, Prices::new(2.0, 0.5, 2.0, 8.0)),
    // What a program does with a prompt, and at whose cost, cannot be known.
    ModelFacts { provider: "command", prefix: "", context: 200_000, max_output: 64_000, price: None },
    known("replay", "", 1_000_000, 128_000, Prices::FREE),
    known("ollama", "", 32_768, 16_384, Prices::FREE),
    // Any other model. Small enough for most, and without a price.
    ModelFacts { provider: "anthropic", prefix: "", context: 200_000, max_output: 32_000, price: None },
    ModelFacts { provider: "openai", prefix: "", context: 32_768, max_output: 8_192, price: None },
];

/// The model that is asked for when nobody says which. None for providers that have none of their own.
pub fn default_model(provider: &str) -> Option<&'static str> {
    match provider {
        "anthropic" => Some("claude-sonnet-5"),
        "openai" => Some("gpt-5.6-terra"),
        _ => None,
    }
}

/// What is known of a model. `local` says that the server is on this machine, and so costs nothing.
pub fn facts(provider: &str, model: &str, local: bool) -> ModelFacts {
    let fits = |facts: &&ModelFacts| facts.provider == provider && model.starts_with(facts.prefix);
    let found = MODELS.iter().filter(fits).max_by_key(|facts| facts.prefix.len());
    let mut facts =
        *found.unwrap_or(&ModelFacts { provider: "", prefix: "", context: 32_768, max_output: 8_192, price: None });
    if local {
        facts.price = Some(Prices::FREE);
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Usage;

    #[test]
    fn every_provider_has_a_row_for_any_model() {
        for entry in crate::provider::PROVIDERS {
            assert_eq!(facts(entry.name, "no-such-model", false).provider, entry.name);
        }
    }

    #[test]
    fn no_model_that_is_known_has_a_larger_window_than_the_largest() {
        let largest = MODELS.iter().map(|facts| u64::from(facts.context)).max();
        assert_eq!(largest, Some(crate::prompt::LARGEST_WINDOW));
    }

    #[test]
    fn the_longest_prefix_counts() {
        assert_eq!(facts("openai", "gpt-5-mini-2026", false).price.unwrap().output, 2.0);
        assert_eq!(facts("openai", "gpt-5-2026", false).price.unwrap().output, 10.0);
        assert_eq!(facts("anthropic", "claude-opus-4-6", false).context, 1_000_000);
    }

    #[test]
    fn default_models_have_a_price() {
        for provider in ["anthropic", "openai"] {
            assert!(facts(provider, default_model(provider).unwrap(), false).price.is_some());
        }
    }

    #[test]
    fn an_unknown_model_has_no_price_unless_it_is_local() {
        assert_eq!(facts("openai", "qwen", false).price, None);
        assert_eq!(facts("openai", "qwen", true).price, Some(Prices::FREE));
    }

    #[test]
    fn cached_tokens_cost_their_own_price() {
        let usage = Usage { input: 1_000_000, output: 100_000, cache_read: 800_000, cache_write: 100_000 };
        let cost = facts("anthropic", "claude-sonnet-5", false).price.unwrap().cost(&usage);
        assert!((cost - (0.3 + 0.24 + 0.375 + 1.5)).abs() < 1e-9, "{cost}");
    }
}
