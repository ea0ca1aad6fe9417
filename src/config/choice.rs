//! The settings of the provider, taken together: which address is whose, and what is missing.

use super::value::is_loopback;
use super::words::ProviderKind;
use super::{Config, Origin, Setting};
use crate::finding::Finding;

impl Config {
    /// The address of the provider's API: `base-url`, else what the vendor's own variable says, else the provider's
    /// default (`None` here).
    pub fn base_url_of(&self, provider: ProviderKind) -> Option<&Setting<String>> {
        let vendor = match provider {
            ProviderKind::Anthropic => &self.vendors.anthropic_base_url,
            ProviderKind::Openai => &self.vendors.openai_base_url,
            ProviderKind::Ollama => &self.vendors.ollama_base_url,
            ProviderKind::Command | ProviderKind::Replay => return None,
        };
        // `base-url` was said of the provider that was named with it; of one that was found, nothing was said.
        let named = self.provider.as_ref().is_some_and(|named| named.value == provider);
        self.base_url.as_ref().filter(|_| named).or(vendor.as_ref())
    }

    /// What is wrong with the choice of the provider, for whoever is about to ask it. A plan needs none.
    pub fn provider_findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        match (self.provider.as_ref().map(|provider| provider.value), &self.base_url) {
            (None, Some(url)) => findings.push(
                Finding::error("config-provider", format!("'base-url' from {} needs a provider", url.origin))
                    .hint("add '--provider anthropic', 'openai' or 'ollama': whose API is at that address"),
            ),
            // Recorded replies are nowhere, and an address that is typed with them is meant for somebody.
            (Some(ProviderKind::Replay), Some(url)) if matches!(url.origin, Origin::Option(_)) => findings.push(
                Finding::error("config-provider", format!("'base-url' from {} needs a provider", url.origin))
                    .hint("add '--provider anthropic', 'openai' or 'ollama': it is asked for what is not recorded"),
            ),
            (Some(ProviderKind::Command), _) if self.command.is_none() => findings.push(
                Finding::error("config-provider", "the provider 'command' has no command")
                    .hint("add \"--command '<program> <arguments>'\""),
            ),
            (Some(ProviderKind::Replay), _) if self.replay.is_none() => findings.push(
                Finding::error("config-provider", "the provider 'replay' has no recorded replies")
                    .hint("add '--replay <dir>', a directory that '--record' wrote"),
            ),
            _ => {}
        }
        let url = self.provider.as_ref().and_then(|provider| self.base_url_of(provider.value));
        if let Some(url) = url.filter(|url| url.value.starts_with("http://") && !is_loopback(&url.value)) {
            let message =
                format!("'{}' from {} is not encrypted: source and key can be read on the way", url.value, url.origin);
            findings.push(Finding::warning("config-insecure", message).hint("use an 'https://' address"));
        }
        findings
    }
}
