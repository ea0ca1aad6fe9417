//! The chat completions protocol, byte by byte: what real servers send but seldom.

use crate::asking::{TRACEPARENT, ask, open, request};
use crate::wire::{Wire, pieces, stream};
use git_implement::model::{StopReason, Usage};
use git_implement::provider::{ErrorKind, ProviderError, Settings};

const KEY: &str = "sk-test-0123456789";

fn settings(wire: &Wire) -> Settings {
    Settings {
        base_url: Some(format!("{}/v1", wire.url)),
        key: Some(KEY.to_owned().into()),
        model: Some("m".into()),
        ..Settings::new("openai")
    }
}

fn chunk(choices: &str) -> String {
    format!("data: {{\"id\":\"chatcmpl-1\",\"model\":\"m-1\",\"choices\":[{choices}]}}\n\n")
}

fn text(text: &str) -> String {
    chunk(&serde_json::json!({"index": 0, "delta": {"content": text}, "finish_reason": null}).to_string())
}

fn finish(reason: &str) -> String {
    chunk(&format!(r#"{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}"#))
}

const DONE: &str = "data: [DONE]\n\n";

#[test]
fn a_reply_is_the_same_with_any_line_ends_however_its_bytes_are_cut() {
    let usage = r#"data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":64}}}"#;
    let reasoning = chunk(r#"{"index":0,"delta":{"role":"assistant","reasoning_content":"hmm","content":null}}"#);
    let body = [
        reasoning,
        ": ping\n\n".into(),
        text("naïve "),
        text("🦀\r\n"),
        finish("stop"),
        format!("{usage}\n\n"),
        DONE.into(),
    ];
    let body = body.concat();
    for body in [body.clone(), format!("\u{feff}{body}"), body.replace('\n', "\r\n"), body.replace('\n', "\r")] {
        for size in [1, 2, 3, 7, 4096] {
            let wire = Wire::serve(vec![pieces("x-request-id: req-2\r\n", body.as_bytes(), size)]);
            let (result, told) = ask(&*open(settings(&wire)), &request("x", 64));
            let completion = result.unwrap();
            assert_eq!(completion.text, "naïve 🦀\r\n", "pieces of {size} of {body:?}");
            assert_eq!(told.text, completion.text);
            assert_eq!(completion.stop, StopReason::EndTurn);
            assert_eq!(completion.usage, Usage { input: 100, output: 7, cache_read: 64, cache_write: 0 });
            assert_eq!(completion.request_id.as_deref(), Some("req-2"));
            assert_eq!(completion.model.as_deref(), Some("m-1"));
        }
    }
}

#[test]
fn a_request_carries_key_trace_and_limit_and_no_sampling() {
    let wire = Wire::serve(vec![stream("", &(text("x") + &finish("stop") + DONE))]);
    ask(&*open(settings(&wire)), &request("task", 64)).0.unwrap();
    // An address without a path means /v1.
    ask(&*open(Settings { base_url: Some(wire.url.clone()), ..settings(&wire) }), &request("task", 64)).0.unwrap();
    for seen in wire.seen() {
        assert_eq!(seen.target, "POST /v1/chat/completions");
        assert_eq!(seen.header("authorization"), Some("Bearer sk-test-0123456789"));
        assert_eq!(seen.header("traceparent"), Some(TRACEPARENT));
        let expected = serde_json::json!({
            "model": "m", "max_tokens": 64, "stream": true, "stream_options": {"include_usage": true},
            "messages": [{"role": "system", "content": "You write files."}, {"role": "user", "content": "task"}],
        });
        assert_eq!(seen.body, expected);
    }
}

#[test]
fn every_finish_reason_has_its_meaning() {
    for (word, stop) in [
        ("stop", StopReason::EndTurn),
        ("length", StopReason::MaxTokens),
        ("content_filter", StopReason::Refusal),
        ("tool_calls", StopReason::Other("tool_calls".into())),
    ] {
        let wire = Wire::serve(vec![stream("", &(text("x") + &finish(word) + DONE))]);
        assert_eq!(ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap().stop, stop);
    }
    let refusal = chunk(r#"{"index":0,"delta":{"refusal":"I cannot"},"finish_reason":null}"#);
    let wire = Wire::serve(vec![stream("", &(refusal + &finish("stop") + DONE))]);
    assert_eq!(ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap().stop, StopReason::Refusal);
}

#[test]
fn the_finish_reason_makes_a_reply_whole_and_done_alone_does_not() {
    let finished = Wire::serve(vec![stream("", &(text("x") + &finish("stop")))]);
    assert_eq!(ask(&*open(settings(&finished)), &request("x", 64)).0.unwrap().text, "x");
    let unfinished = Wire::serve(vec![stream("", &(text("x") + DONE))]);
    let error = ask(&*open(Settings { max_tries: 1, ..settings(&unfinished) }), &request("x", 64)).0.unwrap_err();
    assert_eq!(error.to_string(), "reply of openai was cut short: it ended without a finish reason");
}

#[test]
fn an_error_in_the_middle_of_a_stream_is_judged_like_its_status() {
    let error = |code: u16| {
        stream("", &(text("half") + &format!("data: {{\"error\":{{\"code\":{code},\"message\":\"no more\"}}}}\n\n")))
    };
    let busy = Wire::serve(vec![error(503), stream("", &(text("answer") + &finish("stop") + DONE))]);
    assert_eq!(ask(&*open(settings(&busy)), &request("x", 64)).0.unwrap().text, "answer");
    let wrong = Wire::serve(vec![error(400)]);
    let error = ask(&*open(settings(&wrong)), &request("x", 64)).0.unwrap_err();
    assert!(matches!(&error, ProviderError::Status { status: 400, tries: 1, .. }), "{error:?}");
    assert_eq!(error.to_string(), "openai answered 400: no more");
}

#[test]
fn an_empty_account_is_not_asked_again() {
    let body = r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#;
    let wire = Wire::serve(vec![crate::wire::status("429 Too Many Requests", "", body)]);
    let error = ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap_err();
    assert!(error.to_string().starts_with("openai answered 429: insufficient_quota: You exceeded"), "{error}");
    assert_eq!(wire.seen().len(), 1);
}

#[test]
fn what_a_server_says_is_short_and_harmless_in_an_error() {
    let body = format!("\x1b]0;title\x07{}", "long ".repeat(200));
    let wire = Wire::serve(vec![crate::wire::status("400 Bad Request", "x-request-id: req-3\r\n", &body)]);
    let error = ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap_err();
    let shown = error.to_string();
    assert!(shown.starts_with("openai answered 400: ?]0;title?long long"), "{shown}");
    assert!(shown.ends_with("… (request req-3)"), "{shown}");
    assert!(shown.chars().count() < 360 && !shown.chars().any(char::is_control), "{shown:?}");
    assert_eq!(error.kind(), ErrorKind::Refused);
}

#[test]
fn a_server_that_names_no_model_needs_one_to_be_chosen() {
    let wire = Wire::serve(vec![crate::wire::status("404 Not Found", "", "")]);
    let error = git_implement::provider::open(&Settings { model: None, ..settings(&wire) }).err().unwrap();
    assert_eq!(error.to_string(), "no model for 'openai', and the server names none");
    assert_eq!(error.hints(), ["choose one with --model <name>"]);
    assert_eq!(error.kind(), ErrorKind::Configuration);
}
