//! What other tools' variables say, as those tools read them: keys and addresses of the model providers, and where
//! OpenTelemetry goes. Our own settings are asked first.

use super::setting::{Origin, Setting};
use super::value;
use crate::environment::Environment;
use crate::finding::Finding;
use secrecy::{ExposeSecret, SecretString};

/// What the environment holds for the providers and for telemetry.
#[derive(Debug, Clone, Default)]
pub struct Vendors {
    /// `ANTHROPIC_API_KEY`.
    pub anthropic_key: Option<SecretString>,
    /// `OPENAI_API_KEY`.
    pub openai_key: Option<SecretString>,
    /// `ANTHROPIC_BASE_URL`: the address that `/v1/messages` is appended to.
    pub anthropic_base_url: Option<Setting<String>>,
    /// `OPENAI_BASE_URL`: the address that `/chat/completions` is appended to.
    pub openai_base_url: Option<Setting<String>>,
    /// `OLLAMA_HOST`, made a URL as Ollama's own client does it.
    pub ollama_base_url: Option<Setting<String>>,
    /// `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or `OTEL_EXPORTER_OTLP_ENDPOINT` with `/v1/traces`: the whole URL.
    pub otlp_traces_url: Option<Setting<String>>,
    /// `OTEL_EXPORTER_OTLP_TRACES_HEADERS`, or `OTEL_EXPORTER_OTLP_HEADERS`.
    pub otlp_headers: Vec<(String, SecretString)>,
}

pub(super) fn read(environment: &Environment, findings: &mut Vec<Finding>) -> Vendors {
    let mut url = |name: &str, make: fn(&str) -> String| {
        let text = make(environment.text(name)?.trim());
        match value::parse(super::ValueKind::Url, &text) {
            Ok(value::Value::Text(url)) => Some(Setting::new(url, Origin::Environment(name.into()))),
            Ok(_) => None,
            Err(problem) => {
                findings.push(Finding::error(
                    "config-value",
                    format!("bad value for environment variable '{name}': {problem}"),
                ));
                None
            }
        }
    };
    let same = |text: &str| text.to_owned();
    let anthropic_base_url = url("ANTHROPIC_BASE_URL", same);
    let openai_base_url = url("OPENAI_BASE_URL", same);
    let ollama_base_url = url("OLLAMA_HOST", ollama_url);
    let otlp_on = !environment.text("OTEL_SDK_DISABLED").is_some_and(|text| text.eq_ignore_ascii_case("true"));
    let otlp_traces_url = if otlp_on {
        url("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", same)
            .or_else(|| Some(url("OTEL_EXPORTER_OTLP_ENDPOINT", same)?.map(|base| traces_url(&base))))
    } else {
        None
    };
    let headers = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"];
    Vendors {
        anthropic_key: key(environment, "ANTHROPIC_API_KEY", findings),
        openai_key: key(environment, "OPENAI_API_KEY", findings),
        anthropic_base_url,
        openai_base_url,
        ollama_base_url,
        otlp_traces_url,
        otlp_headers: headers.iter().find_map(|name| environment.text(name)).map(otlp_headers).unwrap_or_default(),
    }
}

/// The URL that spans are posted to, from the address of a collector.
pub(super) fn traces_url(base: &str) -> String {
    format!("{}/v1/traces", base.trim_end_matches('/'))
}

fn key(environment: &Environment, name: &str, findings: &mut Vec<Finding>) -> Option<SecretString> {
    let key = environment.secret(name)?;
    if key.expose_secret().bytes().all(|b| b.is_ascii_graphic()) {
        return Some(key);
    }
    let message = format!("bad value for environment variable '{name}': it holds characters that no key has");
    findings.push(Finding::error("config-value", message).hint("set it again, without quotes, blanks or line breaks"));
    None
}

/// `host`, `host:port`, `:port` or a URL; the port is 11434 unless a scheme or a port is there.
fn ollama_url(text: &str) -> String {
    if text.contains("://") {
        return text.to_owned();
    }
    let text = text.trim_end_matches('/');
    let (host, port) = match text.rsplit_once(':') {
        // More colons, and no bracket: an IPv6 address without a port.
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, port),
        _ => (text, ""),
    };
    // A server's "all addresses" is no address to call.
    let host = match host {
        "" | "0.0.0.0" => "127.0.0.1".to_owned(),
        "::" | "[::]" => "[::1]".to_owned(),
        host if host.contains(':') && !host.starts_with('[') => format!("[{host}]"),
        host => host.to_owned(),
    };
    format!("http://{host}:{}", if port.is_empty() { "11434" } else { port })
}

/// `name=value,name=value`, each part percent-encoded.
fn otlp_headers(text: &str) -> Vec<(String, SecretString)> {
    text.split(',')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (decode(name.trim()), decode(value.trim()).into()))
        .filter(|(name, _): &(String, SecretString)| !name.is_empty())
        .collect()
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => {
                (*high as char).to_digit(16).zip((*low as char).to_digit(16)).map(|(high, low)| (high * 16 + low) as u8)
            }
            _ => None,
        };
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { tail.get(2..).unwrap_or_default() } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollama_host_becomes_the_url_that_its_own_client_calls() {
        for (text, url) in [
            ("127.0.0.1", "http://127.0.0.1:11434"),
            ("0.0.0.0:8080", "http://127.0.0.1:8080"),
            (":9000", "http://127.0.0.1:9000"),
            ("::1", "http://[::1]:11434"),
            ("[::1]:5", "http://[::1]:5"),
            ("box.local", "http://box.local:11434"),
            ("https://box.local", "https://box.local"),
        ] {
            assert_eq!(ollama_url(text), url, "{text}");
        }
    }

    #[test]
    fn telemetry_headers_are_split_at_commas_and_percent_decoded() {
        let headers = otlp_headers("api-key=a%3Db%2c, x=1,broken,%=y");
        let plain: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.expose_secret())).collect();
        assert_eq!(plain, [("api-key", "a=b,"), ("x", "1"), ("%", "y")]);
    }
}
