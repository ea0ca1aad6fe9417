//! Traces of a run: ids, W3C trace contexts, and one export of all spans as OTLP/HTTP JSON, with the attributes
//! of OpenTelemetry's conventions for generative AI.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use secrecy::SecretString;
use serde_json::{Value, json};

use super::address::parse_base;
use super::http::Http;
use super::{ProviderError, Settings, clean};
use crate::model::{Completion, StopReason};
use crate::process::Interrupt;

const PATIENCE: Duration = Duration::from_secs(10);

/// The trace of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceId(u128);

/// One span of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanId(u64);

impl TraceId {
    /// A new one, unlike all others.
    pub fn random() -> Self {
        TraceId(u128::from(random()) << 64 | u128::from(random()))
    }

    /// The trace that a W3C trace context names, with the span that is the parent of what is done here; else a new
    /// trace, which begins here.
    pub fn continued(traceparent: Option<&str>) -> (Self, Option<SpanId>) {
        let named = traceparent.and_then(|context| {
            let mut fields = context.split('-').skip(1);
            let trace = fields.next().filter(|hex| hex.len() == 32)?;
            let span = fields.next().filter(|hex| hex.len() == 16)?;
            let (trace, span) = (u128::from_str_radix(trace, 16).ok()?, u64::from_str_radix(span, 16).ok()?);
            (trace != 0 && span != 0).then_some((TraceId(trace), SpanId(span)))
        });
        named.map_or_else(|| (TraceId::random(), None), |(trace, span)| (trace, Some(span)))
    }

    /// 32 hex digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", self.0)
    }

    /// The header that tells a server which span its work belongs to.
    pub fn parent(&self, span: SpanId) -> String {
        format!("00-{:032x}-{:016x}-01", self.0, span.0)
    }
}

impl SpanId {
    pub fn random() -> Self {
        SpanId(random())
    }

    /// 16 hex digits.
    pub fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}

/// Never 0, which is no id. Each `RandomState` is keyed from the system's random numbers; ids must be unlike, not
/// secret, so that is enough, without a crate for it.
fn random() -> u64 {
    RandomState::new().hash_one(SystemTime::now()).max(1)
}

/// Between 0 and 1.
pub(super) fn chance() -> f64 {
    random() as f64 / u64::MAX as f64
}

/// A span that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    pub id: SpanId,
    pub parent: Option<SpanId>,
    pub name: String,
    pub start: SystemTime,
    pub end: SystemTime,
    /// The span is a request to somebody else, not work of our own.
    pub client: bool,
    /// Strings, whole numbers, floats, booleans or arrays of strings.
    pub attributes: Vec<(&'static str, Value)>,
    /// What went wrong.
    pub error: Option<String>,
}

impl Span {
    /// The span of a whole run, under which all others of it are. `parent`: that of whoever started the run.
    pub fn run(
        id: SpanId,
        parent: Option<SpanId>,
        lld: &str,
        times: (SystemTime, SystemTime),
        error: Option<String>,
    ) -> Self {
        let name = format!("implement {lld}");
        Span { id, parent, name, start: times.0, end: times.1, client: false, attributes: Vec::new(), error }
    }

    /// The span of one file: what its requests are children of.
    pub fn file(
        id: SpanId,
        parent: SpanId,
        path: &str,
        times: (SystemTime, SystemTime),
        error: Option<String>,
    ) -> Self {
        let (name, attributes) = (format!("file {path}"), vec![("code.file.path", json!(path))]);
        Span { id, parent: Some(parent), name, start: times.0, end: times.1, client: false, attributes, error }
    }

    /// The span of one request to a model, with the conventions' attributes. `model` is the one that was asked for.
    pub fn chat(
        id: SpanId,
        parent: Option<SpanId>,
        provider: &str,
        model: &str,
        max_tokens: u32,
        times: (SystemTime, SystemTime),
        result: &Result<Completion, ProviderError>,
    ) -> Self {
        let mut attributes = vec![
            ("gen_ai.operation.name", json!("chat")),
            ("gen_ai.provider.name", json!(provider)),
            ("gen_ai.request.model", json!(model)),
            ("gen_ai.request.max_tokens", json!(max_tokens)),
        ];
        match result {
            Ok(completion) => {
                let usage = completion.usage;
                attributes.extend([
                    ("gen_ai.usage.input_tokens", json!(usage.input)),
                    ("gen_ai.usage.output_tokens", json!(usage.output)),
                    ("gen_ai.usage.cache_read.input_tokens", json!(usage.cache_read)),
                    ("gen_ai.usage.cache_creation.input_tokens", json!(usage.cache_write)),
                    ("gen_ai.response.finish_reasons", json!([finish_reason(&completion.stop)])),
                ]);
                attributes.extend(completion.model.as_ref().map(|model| ("gen_ai.response.model", json!(model))));
                attributes.extend(completion.request_id.as_ref().map(|id| ("gen_ai.response.id", json!(id))));
            }
            Err(error) => attributes.push(("error.type", json!(error_type(error)))),
        }
        Span {
            id,
            parent,
            name: format!("chat {model}"),
            start: times.0,
            end: times.1,
            client: true,
            attributes,
            error: result.as_ref().err().map(ToString::to_string),
        }
    }
}

fn finish_reason(stop: &StopReason) -> &str {
    match stop {
        StopReason::EndTurn => "stop",
        StopReason::MaxTokens | StopReason::ContextExceeded => "length",
        StopReason::Refusal => "content_filter",
        StopReason::Other(word) => word,
    }
}

fn error_type(error: &ProviderError) -> String {
    match error {
        ProviderError::Status { status, .. } | ProviderError::RetryTooLate { status, .. } => status.to_string(),
        other => format!("{:?}", other.kind()).to_lowercase(),
    }
}

/// The spans of one trace as an OTLP `ExportTraceServiceRequest`.
pub fn otlp(trace: TraceId, spans: &[Span]) -> Value {
    let nanos = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string();
    let spans: Vec<_> = spans
        .iter()
        .map(|span| {
            let mut value = json!({
                "traceId": trace.hex(), "spanId": span.id.hex(), "name": span.name,
                "kind": if span.client { 3 } else { 1 },
                "startTimeUnixNano": nanos(span.start), "endTimeUnixNano": nanos(span.end),
                "attributes": span.attributes.iter().map(|(key, value)| attribute(key, value)).collect::<Vec<_>>(),
                "status": span.error.as_ref().map_or(json!({}), |error| json!({"code": 2, "message": error})),
            });
            if let Some(parent) = span.parent {
                value["parentSpanId"] = parent.hex().into();
            }
            value
        })
        .collect();
    let version = json!(env!("CARGO_PKG_VERSION"));
    let resource = [attribute("service.name", &json!("git-implement")), attribute("service.version", &version)];
    json!({"resourceSpans": [{
        "resource": {"attributes": resource},
        "scopeSpans": [{"scope": {"name": "git-implement", "version": version}, "spans": spans}],
    }]})
}

fn attribute(key: &str, value: &Value) -> Value {
    json!({"key": key, "value": any_value(value)})
}

/// OTLP writes 64-bit integers as strings.
fn any_value(value: &Value) -> Value {
    match value {
        Value::Bool(flag) => json!({"boolValue": flag}),
        Value::Number(number) if number.is_f64() => json!({"doubleValue": number}),
        Value::Number(number) => json!({"intValue": number.to_string()}),
        Value::Array(values) => json!({"arrayValue": {"values": values.iter().map(any_value).collect::<Vec<_>>()}}),
        Value::String(text) => json!({"stringValue": text}),
        other => json!({"stringValue": other.to_string()}),
    }
}

/// Sends the spans to a collector at `endpoint` (`http://127.0.0.1:4318`, to which `/v1/traces` is added unless it
/// is there). `headers` may hold the collector's key. What goes wrong is for a warning: a run does not fail by it.
pub fn export(
    endpoint: &str,
    headers: &[(String, SecretString)],
    trace: TraceId,
    spans: &[Span],
    interrupt: &Interrupt,
) -> Result<(), String> {
    let settings = Settings { base_url: Some(endpoint.to_owned()), ..Settings::new("trace") };
    let failed = |error: ProviderError| format!("cannot export the trace: {error}");
    parse_base(endpoint).map_err(failed)?;
    let mut http = Http::new("trace", &settings, "").map_err(failed)?;
    for (name, value) in headers {
        http.extra_header(name, value).map_err(failed)?;
    }
    let base = http.base_path();
    let path = format!("{}/v1/traces", base.strip_suffix("/v1/traces").unwrap_or(base));
    match http.post(&path, &otlp(trace, spans), PATIENCE, interrupt) {
        Some(_) => Ok(()),
        None => Err(format!("cannot export the trace: no success from '{}'", clean::line(&http.address()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trace_contexts_have_the_form_of_the_standard_and_differ() {
        let trace = TraceId::random();
        let parent = trace.parent(SpanId(7));
        assert_eq!(parent, format!("00-{}-0000000000000007-01", trace.hex()));
        assert_eq!(parent.len(), 55);
        assert_ne!(TraceId::random(), trace);
        assert_ne!(SpanId::random(), SpanId::random());
        assert_eq!(TraceId::continued(Some(&parent)), (trace, Some(SpanId(7))));
        for nobody in [None, Some("00-1-2-01"), Some(&*parent.replace("07-01", "00-01"))] {
            assert_eq!(TraceId::continued(nobody).1, None, "{nobody:?}");
        }
    }

    #[test]
    fn a_request_is_exported_with_the_conventions_attributes() {
        let completion = Completion {
            text: "never exported".into(),
            stop: StopReason::MaxTokens,
            usage: crate::model::Usage { input: 10, output: 5, cache_read: 4, cache_write: 0 },
            request_id: Some("req_1".into()),
            model: Some("m-1".into()),
        };
        let second = |n| UNIX_EPOCH + Duration::from_secs(n);
        let span =
            Span::chat(SpanId(2), Some(SpanId(1)), "anthropic", "m", 64, (second(1), second(2)), &Ok(completion));
        let exported = otlp(TraceId(255), &[span]);
        let span = &exported["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
        assert_eq!(span["traceId"], "000000000000000000000000000000ff");
        assert_eq!(span["parentSpanId"], "0000000000000001");
        assert_eq!(span["kind"], 3);
        assert_eq!(span["startTimeUnixNano"], "1000000000");
        let attributes = span["attributes"].as_array().unwrap();
        let find = |key: &str| &attributes.iter().find(|a| a["key"] == key).unwrap()["value"];
        assert_eq!(find("gen_ai.operation.name"), &json!({"stringValue": "chat"}));
        assert_eq!(find("gen_ai.usage.input_tokens"), &json!({"intValue": "10"}));
        assert_eq!(find("gen_ai.response.finish_reasons")["arrayValue"]["values"][0]["stringValue"], "length");
        assert!(!exported.to_string().contains("never exported"));
    }
}
