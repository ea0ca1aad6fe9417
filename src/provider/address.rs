//! Addresses of servers: which text is one, and which of them is this machine.

use reqwest::Url;

use super::ProviderError;

/// The address of an API as a person gives it.
pub(super) fn parse_base(text: &str) -> Result<Url, ProviderError> {
    // The text is not repeated: it may hold a password.
    let wrong = |what: &str| {
        ProviderError::configuration(
            format!("base URL {what}"),
            "it looks like https://models.example.org/v1 or http://127.0.0.1:8080",
        )
    };
    let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    match url.scheme() {
        "http" | "https" if url.host_str().is_some() => Ok(url),
        _ => Err(wrong("is neither http nor https")),
    }
}

/// Does the address lead back to this machine?
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_address = host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_address || host == "localhost" || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_known_by_name_and_by_address() {
        let local = |text| is_loopback(&Url::parse(text).unwrap());
        for yes in
            ["http://localhost:1", "http://127.0.0.1", "http://127.9.9.9/v1", "http://[::1]:80", "http://a.localhost"]
        {
            assert!(local(yes), "{yes}");
        }
        for no in ["https://api.openai.com", "http://10.0.0.1", "http://localhost.example.org", "http://[::2]"] {
            assert!(!local(no), "{no}");
        }
    }

    #[test]
    fn a_base_url_that_is_none_is_refused_without_repeating_it() {
        for wrong in ["", "models", "ftp://user:hunter2@host", "http://", "http://user:hunter2@"] {
            let error = parse_base(wrong).unwrap_err();
            assert!(error.to_string().starts_with("base URL "), "{error}");
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
