//! Ollama's own protocol, byte by byte, with an eye on prompts that lose their beginning.

use crate::asking::{ask, open, request};
use crate::wire::{Answer, Wire, pieces, status};
use git_implement::model::{StopReason, Usage};
use git_implement::process::Interrupt;
use git_implement::provider::detect::{Places, detect};
use git_implement::provider::{ErrorKind, ProviderError, Settings};

fn settings(wire: &Wire) -> Settings {
    Settings { base_url: Some(wire.url.clone()), model: Some("qwen:7b".into()), ..Settings::new("ollama") }
}

/// The answer to the question what the model was trained for.
fn show(context: u32) -> Answer {
    status(
        "200 OK",
        "",
        &format!(r#"{{"model_info":{{"general.architecture":"qwen2","qwen2.context_length":{context}}}}}"#),
    )
}

fn line(text: &str) -> String {
    serde_json::json!({"model": "qwen:7b", "message": {"role": "assistant", "content": text}, "done": false})
        .to_string()
        + "\n"
}

fn done(reason: &str, read: u64) -> String {
    format!(
        "{{\"model\":\"qwen:7b\",\"message\":{{\"role\":\"assistant\",\"content\":\"\"}},\"done\":true,\"done_reason\":\"{reason}\",\"prompt_eval_count\":{read},\"eval_count\":5}}\n"
    )
}

#[test]
fn a_reply_is_the_same_however_its_lines_are_cut() {
    let body = line("naïve ") + &line("🦀\n") + &done("stop", 30);
    for size in [1, 2, 3, 7, 4096] {
        let wire = Wire::serve(vec![show(32768), pieces("", body.as_bytes(), size)]);
        let (result, told) = ask(&*open(settings(&wire)), &request("x", 64));
        let completion = result.unwrap();
        assert_eq!(completion.text, "naïve 🦀\n");
        assert_eq!(told.text, completion.text);
        assert_eq!(completion.stop, StopReason::EndTurn);
        assert_eq!(completion.usage, Usage { input: 30, output: 5, ..Usage::default() });
        assert_eq!(completion.model.as_deref(), Some("qwen:7b"));
    }
}

#[test]
fn the_context_window_is_set_so_that_prompt_and_reply_fit_and_never_shrinks() {
    let reply = pieces("", (line("x") + &done("length", 20_000)).as_bytes(), 4096);
    let wire = Wire::serve(vec![show(40_000), reply]);
    let provider = open(settings(&wire));
    let long = "word ".repeat(12_000);
    for (task, max_tokens) in [(long.as_str(), 4000), ("short", 100), (long.as_str(), 30_000)] {
        let stop = ask(&*provider, &request(task, max_tokens)).0.unwrap().stop;
        assert_eq!(stop, StopReason::MaxTokens);
    }
    let seen = wire.seen();
    assert_eq!(seen[0].target, "POST /api/show");
    let windows: Vec<_> = seen[1..].iter().map(|seen| seen.body["options"]["num_ctx"].as_u64().unwrap()).collect();
    // 60,000 bytes are at most 20,256 tokens; asked for in steps of 8192, up to what the model knows.
    assert_eq!(windows, [24_576, 24_576, 40_000]);
    assert_eq!(seen[1].target, "POST /api/chat");
    assert_eq!(seen[1].body["options"]["num_predict"], 4000);
    assert_eq!(seen[1].body["truncate"], false);
    assert_eq!(seen[1].body["messages"][0]["role"], "system");
}

#[test]
fn a_prompt_that_was_not_read_whole_is_a_failure() {
    let words = "word ".repeat(3000);
    // Fewer tokens than words; and a window that is full to the brim.
    for (read, max_tokens) in [(2048, 100), (8192, 100)] {
        let wire = Wire::serve(vec![show(131_072), pieces("", (line("x") + &done("stop", read)).as_bytes(), 4096)]);
        let error = ask(&*open(settings(&wire)), &request(&words, max_tokens)).0.unwrap_err();
        assert!(matches!(error, ProviderError::PromptCut { .. }), "{error:?}");
        assert!(error.to_string().contains(&format!("it read {read} tokens")), "{error}");
        assert_eq!(error.kind(), ErrorKind::Refused);
    }
}

#[test]
fn a_prompt_beyond_what_the_model_knows_is_not_sent() {
    let wire = Wire::serve(vec![show(2048)]);
    let error = ask(&*open(settings(&wire)), &request(&"word ".repeat(3000), 10)).0.unwrap_err();
    let expected = "ollama cannot read the whole prompt: at least 3003 tokens, and 'qwen:7b' knows 2048";
    assert_eq!(error.to_string(), expected);
    assert_eq!(wire.seen().len(), 1);
}

#[test]
fn an_error_after_the_status_and_a_stream_without_its_end_are_failures() {
    let broken = pieces("", (line("half") + "{\"error\":\"model runner has stopped\"}\n").as_bytes(), 4096);
    let good = pieces("", (line("answer") + &done("stop", 30)).as_bytes(), 4096);
    let wire = Wire::serve(vec![show(32768), broken, good.clone()]);
    let (result, told) = ask(&*open(settings(&wire)), &request("x", 64));
    assert_eq!(result.unwrap().text, "answer");
    assert!(told.retries[0].1.contains("ollama answered 500: model runner has stopped"), "{told:?}");
    let wire = Wire::serve(vec![show(32768), pieces("", line("half").as_bytes(), 4096)]);
    let error = ask(&*open(Settings { max_tries: 1, ..settings(&wire) }), &request("x", 64)).0.unwrap_err();
    assert!(matches!(error, ProviderError::CutShort { .. }), "{error:?}");
}

#[test]
fn a_model_that_was_not_pulled_is_named_by_the_server() {
    let missing = status("404 Not Found", "", r#"{"error":"model 'qwen:7b' not found"}"#);
    let wire = Wire::serve(vec![missing]);
    let error = ask(&*open(settings(&wire)), &request("x", 64)).0.unwrap_err();
    assert_eq!(error.to_string(), "ollama answered 404: model 'qwen:7b' not found");
}

#[test]
fn keys_are_found_before_servers_and_ollama_with_its_model_before_nothing() {
    let nobody = "http://127.0.0.1:9".to_owned();
    let version = status("200 OK", "", r#"{"version":"0.12.0"}"#);
    let tags = status("200 OK", "", r#"{"models":[{"name":"qwen:7b"},{"name":"llama"}]}"#);
    let wire = Wire::serve(vec![version, tags]);
    let mut places = Places {
        anthropic_key: Some("a-key".to_owned().into()),
        openai_key: Some("o-key".to_owned().into()),
        ollama: wire.url.clone(),
        llama_cpp: nobody.clone(),
    };
    let found = |places: &Places| {
        let found = detect(places, &Interrupt::default()).unwrap();
        (found.settings.provider, found.settings.model, found.why)
    };
    assert_eq!(found(&places), ("anthropic".into(), None, "ANTHROPIC_API_KEY is set".into()));
    places.anthropic_key = Some(String::new().into());
    assert_eq!(found(&places), ("openai".into(), None, "OPENAI_API_KEY is set".into()));
    assert!(wire.seen().is_empty(), "nothing is asked when a key is there");
    places.openai_key = None;
    let why = format!("Ollama answers at {}", wire.url);
    assert_eq!(found(&places), ("ollama".into(), Some("qwen:7b".into()), why));
    places.ollama = nobody;
    let error = detect(&places, &Interrupt::default()).unwrap_err();
    assert_eq!(error.to_string(), "no language model to ask");
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert!(error.hints().join(" ").contains("ANTHROPIC_API_KEY"));
}
