//! Does a text hold an API key? Asked of the repository's configuration file, which must never hold one, and before
//! a wrong value is quoted in a message.

/// Prefixes that well-known keys and tokens are issued with, and how many characters follow at least.
const PREFIXES: &[(&str, usize)] = &[
    ("sk-", 16),
    ("sk_live_", 16),
    ("AIza", 30),
    ("AKIA", 16),
    ("gsk_", 20),
    ("hf_", 20),
    ("xai-", 20),
    ("r8_", 20),
    ("pplx-", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghs_", 30),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("Bearer ", 16),
    ("eyJ", 40),
];

/// Only what can be told from a word or a path: a run of key characters after a known prefix, with a digit in it.
pub fn looks_like_key(text: &str) -> bool {
    PREFIXES.iter().any(|(prefix, least)| {
        text.match_indices(prefix).any(|(at, _)| {
            let begins = text[..at].chars().next_back().is_none_or(|c| !c.is_ascii_alphanumeric());
            let rest = &text[at + prefix.len()..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(rest.len());
            begins && end >= *least && rest[..end].bytes().any(|b| b.is_ascii_digit())
        })
    })
}

/// Is it the name of a setting that would hold a secret (`api-key`, `OPENAI_API_KEY`, `anthropic.token`)?
pub fn names_a_secret(name: &str) -> bool {
    let folded: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    ["apikey", "secret", "password", "authtoken", "accesstoken", "bearer"].iter().any(|word| folded.contains(word))
        || ["key", "token"].contains(&folded.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Written in two parts, so that no scanner takes this file for a leak.
    fn key(prefix: &str) -> String {
        format!("{prefix}{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2")
    }

    #[test]
    fn keys_of_the_usual_vendors_are_recognised_inside_other_text() {
        for prefix in ["sk-ant-", "sk-proj-", "AIza", "gsk_", "ghp_", "Bearer "] {
            assert!(looks_like_key(&key(prefix)), "{prefix}");
            assert!(looks_like_key(&format!("command = \"curl -H {}\"", key(prefix))), "{prefix}");
        }
    }

    #[test]
    fn words_paths_and_model_names_are_not_keys() {
        for text in [
            "task-list-of-everything-2",
            "docs/risk-assessment-2026-version-1.md",
            "claude-sonnet-4-5-20250929",
            "sk-",
            "desk-1234567890123456789",
            "hf_hub",
            "https://api.example.com/v1",
            "max-files = 50",
        ] {
            assert!(!looks_like_key(text), "{text}");
        }
    }

    #[test]
    fn a_setting_that_would_hold_a_secret_is_known_by_its_name() {
        for name in ["api-key", "apiKey", "OPENAI_API_KEY", "token", "key", "client-secret"] {
            assert!(names_a_secret(name), "{name}");
        }
        for name in ["max-tokens", "max-output-tokens", "key-command", "model", "tokens"] {
            assert!(!names_a_secret(name), "{name}");
        }
    }
}
