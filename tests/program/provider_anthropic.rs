//! Anthropic's protocol, byte by byte: what real servers send but seldom.

use crate::asking::{TRACEPARENT, ask, open, request};
use crate::wire::{Answer, Wire, pieces, stream};
use git_implement::model::{StopReason, Usage};
use git_implement::provider::{ErrorKind, ProviderError, Settings};

const KEY: &str = "sk-ant-test-0123456789";

fn settings(wire: &Wire) -> Settings {
    Settings {
        base_url: Some(wire.url.clone()),
        key: Some(KEY.to_owned().into()),
        model: Some("claude-test".into()),
        ..Settings::new("anthropic")
    }
}

fn event(data: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(data).unwrap();
    format!("event: {}\ndata: {data}\n\n", json["type"].as_str().unwrap())
}

fn start() -> String {
    event(
        r#"{"type":"message_start","message":{"id":"msg_1","model":"claude-test-1","usage":{"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":3000,"output_tokens":1}}}"#,
    )
}

fn text(index: u32, text: &str) -> String {
    let delta = serde_json::json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}});
    event(&delta.to_string())
}

fn end(stop: &str) -> String {
    let delta =
        format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{stop}"}},"usage":{{"output_tokens":42}}}}"#);
    event(&delta) + &event(r#"{"type":"message_stop"}"#)
}

fn whole(reply: &str, stop: &str) -> String {
    start()
        + &event(r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#)
        + &text(0, reply)
        + &end(stop)
}

#[test]
fn thinking_and_whatever_is_not_known_is_no_part_of_the_reply() {
    let body = start()
        + ": comment\n\n"
        + &event(r#"{"type":"ping"}"#)
        + &event(r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#)
        + &event(r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hmm"}}"#)
        + &event(r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}"#)
        + &event(r#"{"type":"content_block_stop","index":0}"#)
        + &event(r#"{"type":"content_block_start","index":1,"content_block":{"type":"oracle","text":"no"}}"#)
        + &text(1, "not this either")
        + "event: novelty\ndata: not even JSON\n\n"
        + &event(r#"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"def "}}"#)
        + &text(2, "f(): 'é🦀'")
        + &event(r#"{"type":"content_block_start","index":3,"content_block":{"type":"text","text":""}}"#)
        + &text(3, "\n")
        + &end("end_turn");
    for size in [1, 2, 3, 7, 4096] {
        let wire = Wire::serve(vec![pieces("request-id: req_9\r\n", body.as_bytes(), size)]);
        let (result, told) = ask(&*open(settings(&wire)), &request("x", 64));
        let completion = result.unwrap();
        assert_eq!(completion.text, "def f(): 'é🦀'\n", "pieces of {size}");
        assert_eq!(told.text, completion.text);
        assert_eq!(completion.stop, StopReason::EndTurn);
        assert_eq!(completion.usage, Usage { input: 3210, output: 42, cache_read: 3000, cache_write: 200 });
        assert_eq!(completion.request_id.as_deref(), Some("req_9"));
        assert_eq!(completion.model.as_deref(), Some("claude-test-1"));
    }
}

#[test]
fn a_request_carries_key_version_trace_and_cache_marks_and_no_sampling() {
    let wire = Wire::serve(vec![stream("", &whole("x", "end_turn"))]);
    ask(&*open(settings(&wire)), &request("task", 64)).0.unwrap();
    let seen = &wire.seen()[0];
    assert_eq!(seen.target, "POST /v1/messages");
    assert_eq!(seen.header("x-api-key"), Some(KEY));
    assert_eq!(seen.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(seen.header("traceparent"), Some(TRACEPARENT));
    let expected = serde_json::json!({
        "model": "claude-test", "max_tokens": 64, "stream": true,
        "system": [{"type": "text", "text": "You write files.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "task"}]}],
    });
    assert_eq!(seen.body, expected);
}

#[test]
fn every_stop_reason_has_its_meaning() {
    for (word, stop) in [
        ("end_turn", StopReason::EndTurn),
        ("max_tokens", StopReason::MaxTokens),
        ("model_context_window_exceeded", StopReason::ContextExceeded),
        ("refusal", StopReason::Refusal),
        ("pause_turn", StopReason::Other("pause_turn".into())),
        ("tool_use", StopReason::Other("tool_use".into())),
        ("stop_sequence", StopReason::Other("stop_sequence".into())),
    ] {
        let wire = Wire::serve(vec![stream("", &whole("x", word))]);
        assert_eq!(ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap().stop, stop);
    }
}

#[test]
fn an_error_in_the_middle_of_a_stream_is_judged_like_its_status() {
    let error = |kind: &str| {
        let error = format!(
            r#"{{"type":"error","error":{{"type":"{kind}","message":"so\u001b[31m it is"}},"request_id":"req_5"}}"#
        );
        stream("", &(start() + &text(0, "half an ans") + &event(&error)))
    };
    let busy = Wire::serve(vec![error("overloaded_error"), stream("", &whole("answer", "end_turn"))]);
    let (result, told) = ask(&*open(settings(&busy)), &request("x", 64));
    assert_eq!(result.unwrap().text, "answer");
    assert_eq!(told.text, "answer", "the half answer is void");
    assert!(told.retries[0].1.contains("anthropic answered 529: overloaded_error: so?[31m it is"), "{told:?}");

    let wrong = Wire::serve(vec![error("invalid_request_error")]);
    let error = ask(&*open(settings(&wrong)), &request("x", 64)).0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(
        matches!(&error, ProviderError::Status { status: 400, request_id: Some(id), .. } if id == "req_5"),
        "{error:?}"
    );
    assert_eq!(wrong.seen().len(), 1);
}

#[test]
fn a_stream_without_its_last_event_is_cut_short_however_finished_it_looks() {
    let whole = whole("x", "end_turn");
    let last = whole.find("event: message_stop").unwrap();
    let wire = Wire::serve(vec![stream("", &whole[..last])]);
    let error = ask(&*open(Settings { max_tries: 2, ..settings(&wire) }), &request("x", 64)).0.unwrap_err();
    assert!(matches!(error, ProviderError::CutShort { tries: 2, .. }), "{error:?}");
    assert_eq!(wire.seen().len(), 2);
}

#[test]
fn the_key_is_in_no_error_even_when_the_server_repeats_it() {
    let body = format!(r#"{{"error":{{"type":"authentication_error","message":"invalid key {KEY}"}}}}"#);
    let wire = Wire::serve(vec![crate::wire::status("401 Unauthorized", "request-id: r-1\r\n", &body)]);
    let error = ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap_err();
    assert_eq!(error.to_string(), "anthropic answered 401: authentication_error: invalid key *** (request r-1)");
    assert!(!format!("{error:?} {:?}", settings(&wire)).contains(KEY));
    assert_eq!(error.hints(), ["check the API key for 'anthropic'"]);
}

#[test]
fn a_redirect_is_not_followed_with_the_key() {
    let elsewhere = Wire::serve(vec![stream("", &whole("x", "end_turn"))]);
    for code in ["301 Moved Permanently", "307 Temporary Redirect"] {
        let headers = format!("location: {}/v1/messages\r\n", elsewhere.url);
        let wire = Wire::serve(vec![crate::wire::status(code, &headers, "")]);
        let error = ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
    }
    assert!(elsewhere.seen().is_empty());
}

#[test]
fn only_a_server_on_this_machine_needs_no_key() {
    let base_url = Some("https://models.example.org".to_owned());
    let error = git_implement::provider::open(&Settings { base_url, ..Settings::new("anthropic") }).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert_eq!(error.to_string(), "no API key for 'anthropic'");
    let wire = Wire::serve(vec![stream("", &whole("x", "end_turn"))]);
    ask(&*open(Settings { key: None, ..settings(&wire) }), &request("x", 64)).0.unwrap();
    assert_eq!(wire.seen()[0].header("x-api-key"), None);
}

#[test]
fn a_web_page_is_no_reply_and_is_not_asked_for_twice() {
    let wire =
        Wire::serve(vec![crate::wire::status("200 OK", "content-type: text/html\r\n", "<html>\n\nhello</html>")]);
    let error = ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap_err();
    let expected = "cannot understand the reply of anthropic: not an event stream of the Messages API ('text/html')";
    assert_eq!(error.to_string(), expected);
    assert_eq!(wire.seen().len(), 1);
}

/// A reply that begins, and then nothing but signs of life.
fn kept_alive() -> Wire {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    Wire::serve(vec![Answer::EndlessAfter((head.to_owned() + &start()).into_bytes(), b": keep-alive\n\n".to_vec())])
}

#[test]
fn a_connection_that_is_kept_alive_without_a_reply_is_given_up_after_the_time_for_one_try() {
    let wire = kept_alive();
    let reply_timeout = std::time::Duration::from_secs(1);
    let settings = Settings { reply_timeout, idle_timeout: std::time::Duration::from_secs(60), ..settings(&wire) };
    let error = ask(&*open(settings), &request("x", 64)).0.unwrap_err();
    assert_eq!(error.to_string(), "no whole reply from anthropic within 1 s");
    assert_eq!((error.kind(), wire.seen().len()), (ErrorKind::Transport, 1));
}

#[test]
fn an_interruption_ends_waiting_for_the_server_and_waiting_for_the_next_try() {
    let busy = crate::wire::status("503 Service Unavailable", "retry-after: 50\r\n", "");
    for wire in [Wire::serve(vec![Answer::Silence]), Wire::serve(vec![busy]), kept_alive()] {
        let interrupt = git_implement::process::Interrupt::default();
        let stop = interrupt.clone();
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            stop.set();
        });
        let provider = open(settings(&wire));
        let error = crate::asking::ask_until(&*provider, &request("x", 64), &interrupt).0.unwrap_err();
        assert_eq!(error, ProviderError::Interrupted);
    }
}

#[test]
fn a_server_that_is_not_there_is_named_without_what_is_secret_in_its_address() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let base_url = Some(format!("http://me:hunter22@127.0.0.1:{port}/v1?token=abcdefgh"));
    let settings = Settings { base_url, max_tries: 1, model: Some("m".into()), ..Settings::new("anthropic") };
    let error = ask(&*open(settings), &request("x", 64)).0.unwrap_err();
    let expected = format!("cannot reach anthropic at 'http://127.0.0.1:{port}': Connection refused (os error 111)");
    assert_eq!(error.to_string().replace("(os error 61)", "(os error 111)"), expected);
    assert!(!format!("{error:?}").contains("hunter22"));
}
