//! The providers against a real llama.cpp server with a real, if small, model.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::asking::{ask, open, request};
use crate::servers::Server;
use git_implement::model::{Block, Message, Role, StopReason};
use git_implement::process::Interrupt;
use git_implement::provider::detect::{Places, detect};
use git_implement::provider::{ErrorKind, Provider, Settings};

/// One server for all tests here. It has one slot, and with it one prompt cache: one test at a time.
fn server() -> MutexGuard<'static, Server> {
    static SERVER: LazyLock<Mutex<Server>> = LazyLock::new(|| Mutex::new(Server::llama(2048)));
    SERVER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn provider(name: &str, server: &Server) -> Box<dyn Provider> {
    open(Settings { base_url: Some(server.url.clone()), ..Settings::new(name) })
}

#[test]
fn a_reply_is_streamed_and_cut_off_by_the_limit_on_both_protocols() {
    let server = server();
    for name in ["openai", "anthropic"] {
        let provider = provider(name, &server);
        let (result, told) = ask(&*provider, &request("Count from one to one hundred in words.", 4));
        let completion = result.unwrap();
        assert_eq!(completion.stop, StopReason::MaxTokens, "{name}");
        assert_eq!(completion.usage.output, 4, "{name}");
        assert!(completion.usage.input > 20, "{name}: {:?}", completion.usage);
        assert!(!completion.text.is_empty());
        assert_eq!(told.text, completion.text, "{name}");
        assert!(completion.request_id.is_some(), "{name}");
        assert_eq!(provider.context_window(), Some(2048), "{name}");
        assert_eq!(provider.model(), "smollm2", "the server's own model is taken when none is named");
        assert_eq!(completion.model.as_deref(), Some("smollm2"), "{name}");
    }
}

#[test]
fn a_reply_that_ends_by_itself_is_whole_on_both_protocols() {
    let answer = tempfile::NamedTempFile::new().unwrap();
    let text = "```python\ndef f(\"é\"):\n\treturn '\\\\'\n```\n";
    std::fs::write(answer.path(), text).unwrap();
    let server = Server::llama_that_answers(answer.path(), 1024);
    for name in ["openai", "anthropic"] {
        let (result, told) = ask(&*provider(name, &server), &request("Write f.", 200));
        let completion = result.unwrap();
        assert_eq!(completion.text, text, "{name}");
        assert_eq!(told.text, text, "{name}");
        assert_eq!(completion.stop, StopReason::EndTurn, "{name}");
        let (cut, _) = ask(&*provider(name, &server), &request("Write f.", 5));
        let cut = cut.unwrap();
        assert_eq!(cut.stop, StopReason::MaxTokens, "{name}");
        assert!(text.starts_with(&cut.text) && cut.text.len() < text.len(), "{name}: {:?}", cut.text);
    }
}

#[test]
fn the_server_of_the_tests_gives_each_file_its_answer() {
    let answers = tempfile::tempdir().unwrap();
    let text = |name: &str| format!("```python\n# all of {name}\n```\n");
    for name in ["a.py", "lib/a.py", "b.py"] {
        let file = answers.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text(name)).unwrap();
    }
    let server = Server::llama_with_answers(answers.path(), 1024);
    let provider = provider("openai", &server);
    for name in ["b.py", "lib/a.py", "a.py"] {
        let task = format!("There are a.py, lib/a.py and b.py. Write `{name}` now.");
        let completion = ask(&*provider, &request(&task, 100)).0.unwrap();
        assert_eq!((completion.text, completion.stop), (text(name), StopReason::EndTurn));
    }
}

#[test]
fn what_was_cached_grows_with_the_prefix_that_requests_share() {
    let server = server();
    for name in ["openai", "anthropic"] {
        let provider = provider(name, &server);
        // Its own design for each protocol, so that one does not find the other's cache.
        let mut content = vec![Block::cached(format!("Design for {name}. {}", "It has many words. ".repeat(15)))];
        let mut cached = Vec::new();
        for file in 0..3 {
            let mut request = request("", 4);
            let mut this = content.clone();
            this.push(Block::new(format!("Now write file {file}.")));
            request.messages = vec![Message { role: Role::User, content: this }];
            let usage = ask(&*provider, &request).0.unwrap().usage;
            assert!(usage.cache_read < usage.input, "{name}: {usage:?}");
            cached.push(usage.cache_read);
            content.push(Block::cached(format!("File {file}: {}", "and its words. ".repeat(15))));
        }
        assert!(cached[1] > cached[0] + 50, "{name}: {cached:?}");
        assert!(cached[2] > cached[1] + 40, "{name}: {cached:?}");
    }
}

#[test]
fn a_prompt_larger_than_the_context_is_refused_at_once() {
    let server = server();
    for name in ["openai", "anthropic"] {
        let (result, told) = ask(&*provider(name, &server), &request(&"word ".repeat(3000), 16));
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused, "{name}: {error}");
        assert!(error.to_string().contains("answered 400: exceed_context_size_error"), "{name}: {error}");
        assert!(told.retries.is_empty(), "{name}: {told:?}");
    }
}

#[test]
fn a_llama_cpp_server_on_this_machine_is_found_with_its_model() {
    let server = server();
    let nobody = "http://127.0.0.1:9".to_owned();
    let places = Places { ollama: nobody, llama_cpp: server.url.clone(), ..Places::default() };
    let found = detect(&places, &Interrupt::default()).unwrap();
    assert_eq!(found.settings.provider, "openai");
    assert_eq!(found.settings.model.as_deref(), Some("smollm2"));
    assert_eq!(found.why, format!("llama.cpp's server answers at {}", server.url));
    let completion = ask(&*open(found.settings), &request("Say hi.", 3)).0.unwrap();
    assert!(completion.usage.output > 0);
}

#[test]
fn the_wrong_protocol_at_an_address_is_named() {
    let server = server();
    let settings = Settings { base_url: Some(server.url.clone()), model: Some("m".into()), ..Settings::new("ollama") };
    let error = ask(&*open(settings), &request("Say hi.", 3)).0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(error.to_string().starts_with("ollama answered 404: "), "{error}");
    assert_eq!(error.hints(), ["check --model and --base-url"]);
}
