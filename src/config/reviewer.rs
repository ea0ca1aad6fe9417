//! Who reviews: what is said of the reviewer, and for the rest of it what is said of whoever writes.

use super::words::{ProviderKind, ReviewShows};
use super::{Config, Setting};

/// The settings of the reviewer, as they were said.
#[derive(Debug, Clone)]
pub struct Reviewer {
    pub provider: Option<Setting<ProviderKind>>,
    pub model: Option<Setting<String>>,
    pub base_url: Option<Setting<String>>,
    pub command: Option<Setting<String>>,
    pub shows: Setting<ReviewShows>,
}

impl Config {
    /// The configuration by which the reviewer is chosen, if it is another one than whoever writes.
    pub fn of_reviewer(&self) -> Option<Config> {
        let Reviewer { provider, model, base_url, command, .. } = &self.reviewer;
        let program = command.as_ref().map(|command| command.origin.clone());
        let by_command = program.map(|origin| Setting::new(ProviderKind::Command, origin));
        let Some(provider) = provider.clone().or(by_command) else {
            return model.clone().map(|model| Config { model: Some(model), ..self.clone() });
        };
        // What was said of another provider by a weaker layer is none of this one's.
        let layer = provider.origin.layer();
        let of = |said: &Option<Setting<String>>| said.clone().filter(|said| said.origin.layer() >= layer);
        let same = self.provider.as_ref().is_some_and(|writer| writer.value == provider.value);
        let mut config = self.clone();
        config.model = of(model);
        config.base_url = of(base_url).or_else(|| self.base_url.clone().filter(|_| same));
        config.command = of(command).or_else(|| self.command.clone().filter(|_| same));
        config.key_command = self.key_command.clone().filter(|_| same);
        config.provider = Some(provider);
        Some(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Sources;

    fn reviewer(
        environment: &[(&str, &str)],
        options: &[(&str, &str)],
    ) -> Option<(Option<ProviderKind>, Option<String>)> {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let environment = environment.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let options = options.iter().map(pair).collect();
        let config = Sources { environment, options, ..Sources::default() }.resolve().unwrap().of_reviewer()?;
        let value = |text: Setting<String>| text.value;
        Some((config.provider.map(|provider| provider.value), config.model.map(value)))
    }

    #[test]
    fn a_reviewer_is_somebody_else_only_where_somebody_says_so() {
        assert_eq!(reviewer(&[], &[("provider", "anthropic"), ("model", "a")]), None);
        let other = reviewer(&[], &[("provider", "anthropic"), ("model", "a"), ("reviewer.model", "b")]);
        assert_eq!(other, Some((Some(ProviderKind::Anthropic), Some("b".into()))));
        let other = reviewer(&[], &[("provider", "anthropic"), ("model", "a"), ("reviewer.command", "x")]);
        assert_eq!(other, Some((Some(ProviderKind::Command), None)));
    }

    #[test]
    fn a_model_that_was_said_of_another_reviewer_is_none_of_this_ones() {
        let said = [("GIT_IMPLEMENT_REVIEWER_PROVIDER", "openai"), ("GIT_IMPLEMENT_REVIEWER_MODEL", "o")];
        assert_eq!(reviewer(&said, &[]), Some((Some(ProviderKind::Openai), Some("o".into()))));
        assert_eq!(reviewer(&said, &[("reviewer.provider", "ollama")]), Some((Some(ProviderKind::Ollama), None)));
    }
}
