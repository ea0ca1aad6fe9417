//! One trace a run, a span a file, a span a request: told to a collector where one is configured.

use crate::repo::Repo;
use crate::wire::{Wire, status};
use serde_json::Value;

const DESIGN: &str = "# 3 - Two files\n\n* **Issue:** #3\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n\
                      |---|---|---|\n| `src/a.py` | Add | One |\n| `src/b.py` | Add | Two |\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("docs/3.md", DESIGN), ("src/c.py", "C = 1\n")]);
    repo.answer("src/a.py", "```python\nimport c\n\nA = c.C\n```\n");
    repo.answer("src/b.py", "```python\nimport c\n\nB = c.C\n```\n");
    repo
}

/// The spans that the collector was sent.
fn spans(collector: &Wire) -> Vec<Value> {
    let seen = collector.seen();
    assert_eq!(seen.len(), 1, "one export a run");
    assert_eq!(seen[0].target, "POST /v1/traces");
    seen[0].body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()
}

#[test]
fn a_run_is_one_trace_with_a_span_for_each_file_and_each_request() {
    let collector = Wire::serve(vec![status("200 OK", "content-type: application/json\r\n", "{}")]);
    let mut repo = repo();
    repo.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url);
    repo.set("TRACEPARENT", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    repo.implement(&["docs/3.md"]).published("implement/3");
    let spans = spans(&collector);
    let named =
        |name: &str| spans.iter().find(|span| span["name"] == name).unwrap_or_else(|| panic!("{name}: {spans:?}"));
    let run = named("implement docs/3.md");
    assert!(spans.iter().all(|span| span["traceId"] == "0af7651916cd43dd8448eb211c80319c"), "the caller's trace");
    assert_eq!(run["parentSpanId"], "b7ad6b7169203331", "the caller's span");
    for path in ["src/a.py", "src/b.py"] {
        let file = named(&format!("file {path}"));
        assert_eq!(file["parentSpanId"], run["spanId"]);
        let requests: Vec<_> = spans.iter().filter(|span| span["parentSpanId"] == file["spanId"]).collect();
        assert_eq!(requests.len(), 1, "{path}");
        assert!(requests[0]["name"].as_str().unwrap().starts_with("chat "), "{}", requests[0]);
    }
    assert_eq!(spans.len(), 5);
}

#[test]
fn a_collector_that_is_not_there_is_a_warning_and_costs_nothing() {
    let mut repo = repo();
    repo.set("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    ran.says("warning: cannot export the trace");
}

#[test]
fn a_refused_reply_is_an_error_of_its_file_and_of_the_run() {
    let collector = Wire::serve(vec![status("200 OK", "content-type: application/json\r\n", "{}")]);
    let mut repo = repo();
    repo.answer("src/b.py", "```python\ndef f(:\n```\n");
    repo.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url);
    repo.implement(&["docs/3.md"]).refused(1);
    let spans = spans(&collector);
    let run = spans.iter().find(|span| span["name"] == "implement docs/3.md").unwrap();
    assert!(run.get("parentSpanId").is_none(), "nobody called: {run}");
    let failed: Vec<String> = spans
        .iter()
        .filter(|span| span["status"]["code"] == 2)
        .map(|span| span["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(failed, ["file src/b.py", "implement docs/3.md"]);
}
