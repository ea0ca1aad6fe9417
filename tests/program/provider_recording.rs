//! What one provider answered, recorded, and answered again offline.

use std::fs;
use std::path::Path;

use crate::asking::{ask, open, request};
use crate::wire::{Wire, status, stream};
use git_implement::model::StopReason;
use git_implement::process::Interrupt;
use git_implement::provider::recording::Recorder;
use git_implement::provider::trace::{Span, SpanId, TraceId, export};
use git_implement::provider::{ErrorKind, Provider, ProviderError, Settings};

const KEY: &str = "sk-ant-record-secret-0123456789";

fn reply(text: &str, stop: &str) -> crate::wire::Answer {
    let text =
        serde_json::json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
    let body = format!(
        "data: {{\"type\":\"message_start\",\"message\":{{\"id\":\"msg_77\",\"model\":\"m-1\",\"usage\":{{\"input_tokens\":9}}}}}}\n\n\
         data: {text}\n\n\
         data: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":\"{stop}\"}},\"usage\":{{\"output_tokens\":4}}}}\n\n\
         data: {{\"type\":\"message_stop\"}}\n\n"
    );
    stream("request-id: req_77\r\n", &body)
}

fn recorder(wire: &Wire, dir: &Path) -> Recorder {
    let settings = Settings {
        base_url: Some(wire.url.clone()),
        key: Some(KEY.to_owned().into()),
        model: Some("m".into()),
        ..Settings::new("anthropic")
    };
    Recorder::new(open(settings), dir)
}

fn replay(dir: &Path) -> Box<dyn Provider> {
    open(Settings { replay: Some(dir.to_owned()), ..Settings::new("replay") })
}

fn files(dir: &Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|file| file.unwrap())
        .map(|file| (file.file_name().to_string_lossy().into_owned(), fs::read_to_string(file.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn replies_are_answered_again_in_the_order_in_which_they_were_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let wire = Wire::serve(vec![
        reply("cut", "max_tokens"),
        reply("a\r\nb\u{2028}é\n\nno end", "end_turn"),
        reply("other", "refusal"),
    ]);
    let recorder = recorder(&wire, dir.path());
    assert_eq!((recorder.name(), recorder.model()), ("anthropic", "m"));
    let (first, second) = (request("one", 64), request("two", 64));
    let recorded: Vec<_> =
        [&first, &first, &second].map(|request| ask(&recorder, request).0.unwrap()).into_iter().collect();

    let replay = replay(dir.path());
    let (again, told) = ask(&*replay, &first);
    let again = again.unwrap();
    assert_eq!((told.text.as_str(), &again.stop), ("cut", &StopReason::MaxTokens));
    let answers = [again, ask(&*replay, &first).0.unwrap(), ask(&*replay, &second).0.unwrap()];
    for (recorded, answered) in recorded.iter().zip(&answers) {
        assert_eq!(recorded.text, answered.text);
        assert_eq!(recorded.stop, answered.stop);
        assert_eq!(recorded.usage, answered.usage);
        assert_eq!(recorded.model, answered.model);
        assert_eq!(answered.request_id, None);
    }
    let error = ask(&*replay, &first).0.unwrap_err();
    let expected = format!(
        "no recorded reply left for 'src/a.py': all 2 of request {} in '{}' were used",
        first.key(),
        dir.path().display()
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_request_that_was_not_recorded_is_named_with_key_and_folder() {
    let dir = tempfile::tempdir().unwrap();
    let request = request("one", 64);
    let error = ask(&*replay(dir.path()), &request).0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotRecorded);
    let expected =
        format!("no recorded reply for 'src/a.py': no request {} in '{}'", request.key(), dir.path().display());
    assert_eq!(error.to_string(), expected);
    let settings = Settings { replay: Some(dir.path().join("none")), ..Settings::new("replay") };
    let error = git_implement::provider::open(&settings).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Configuration);
}

#[test]
fn recording_the_same_answers_again_changes_no_byte() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let wire = Wire::serve(vec![reply("line 1\nline 2\n", "end_turn")]);
    for dir in [one.path(), one.path(), two.path()] {
        let recorder = recorder(&wire, dir);
        ask(&recorder, &request("x", 64)).0.unwrap();
    }
    assert_eq!(files(one.path()), files(two.path()));
    let [(name, text)] = &files(one.path())[..] else { panic!("one file") };
    assert_eq!(name, &format!("{}.json", request("x", 64).key()));
    assert!(text.contains("\n        \"line 1\\n\",\n        \"line 2\\n\"\n"), "{text}");
}

#[test]
fn neither_key_nor_prompt_nor_request_id_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let wire = Wire::serve(vec![reply("answer", "end_turn")]);
    ask(&recorder(&wire, dir.path()), &request("a confidential task", 64)).0.unwrap();
    for (_, text) in files(dir.path()) {
        for absent in ["record-secret", "confidential", "req_77", "msg_77", &wire.url, env!("CARGO_PKG_VERSION")] {
            assert!(!text.contains(absent), "{absent} in {text}");
        }
    }
}

#[test]
fn a_failed_request_leaves_no_recording() {
    let dir = tempfile::tempdir().unwrap();
    let wire = Wire::serve(vec![status("400 Bad Request", "", "no")]);
    ask(&recorder(&wire, dir.path()), &request("x", 64)).0.unwrap_err();
    assert_eq!(files(dir.path()), []);
}

#[test]
fn a_recording_that_is_damaged_or_of_another_request_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let request = request("x", 64);
    let file = dir.path().join(format!("{}.json", request.key()));
    let other = r#"{"key":"abc","path":"a","format":"whole","replies":[]}"#;
    for (content, reason) in [("{", "EOF while parsing"), (other, "it holds request abc")] {
        fs::write(&file, content).unwrap();
        let error = ask(&*replay(dir.path()), &request).0.unwrap_err();
        assert!(matches!(error, ProviderError::Recording { .. }), "{error:?}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn a_trace_is_posted_once_to_the_collector_with_its_key() {
    let wire = Wire::serve(vec![status("200 OK", "content-type: application/json\r\n", "{}")]);
    let trace = TraceId::random();
    let now = std::time::SystemTime::now();
    let failed = Err(ProviderError::Interrupted);
    let span = Span::chat(SpanId::random(), None, "anthropic", "m", 64, (now, now), &failed);
    let headers = [("x-honeycomb-team".to_owned(), KEY.to_owned().into())];
    export(&wire.url, &headers, trace, &[span], &Interrupt::default()).unwrap();
    let seen = &wire.seen()[0];
    assert_eq!(seen.target, "POST /v1/traces");
    assert_eq!(seen.header("x-honeycomb-team"), Some(KEY));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    let span = &seen.body["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!(span["traceId"], trace.hex());
    assert_eq!(span["status"], serde_json::json!({"code": 2, "message": "interrupted"}));
}

#[test]
fn a_collector_that_fails_is_told_and_no_more() {
    let wire = Wire::serve(vec![status("503 Service Unavailable", "", "")]);
    let error = export(&wire.url, &[], TraceId::random(), &[], &Interrupt::default()).unwrap_err();
    assert_eq!(error, format!("cannot export the trace: no success from '{}'", wire.url));
}
