//! What the HTTP providers make of a server that fails: tries, waits, and no half reply. The server is `llmock`,
//! which also judges how its client behaves.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::asking::{ask, open, request};
use crate::servers::Server;
use git_implement::model::StopReason;
use git_implement::provider::{ErrorKind, ProviderError, Settings};

const REPLY: &str = "one two three four five six seven eight nine ten";

/// Waits are the subject of some tests only.
const SOON: Duration = Duration::from_millis(50);

type Shared = LazyLock<Mutex<Server>>;

/// A server does one test's scenario at a time. There are three because much of a test is waiting.
static STATUSES: Shared = LazyLock::new(|| Mutex::new(Server::faults()));
static BREAKS: Shared = LazyLock::new(|| Mutex::new(Server::faults()));
static SILENCE: Shared = LazyLock::new(|| Mutex::new(Server::faults()));

fn take(server: &'static Shared) -> MutexGuard<'static, Server> {
    server.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Both protocols at the server.
fn both(server: &Server) -> Vec<Settings> {
    let settings = |name: &str, path: &str| Settings {
        base_url: Some(format!("{}{path}", server.url)),
        key: Some("sk-test-not-a-secret".to_owned().into()),
        model: Some("m".into()),
        ..Settings::new(name)
    };
    vec![settings("openai", "/v1"), settings("anthropic", "/anthropic")]
}

/// A scenario of one fault and then a good reply.
fn fault(server: &Server, behavior: &str) {
    server.scenario(&format!(r#"[{behavior}, {{"type":"reply","text":"{REPLY}","times":null}}]"#));
}

/// How many requests came, after the server has judged that none was wrong.
fn requests_well_made(server: &Server) -> usize {
    let (_, verdict) = server.http("GET", "/_llmock/verdict?format=text", "");
    assert!(verdict.contains("PASS") && !verdict.contains("FAIL"), "{verdict}");
    requests(server)
}

fn requests(server: &Server) -> usize {
    let (_, journal) = server.http("GET", "/_llmock/requests", "");
    let requests: serde_json::Value = serde_json::from_str(&journal).unwrap();
    requests.as_array().or_else(|| requests["requests"].as_array()).unwrap().len()
}

#[test]
fn a_busy_server_is_asked_again_after_the_time_it_names() {
    let server = take(&STATUSES);
    for settings in both(&server) {
        fault(&server, r#"{"type":"fail","status":429,"retry_after":0.4,"message":"slow down","times":2}"#);
        let (result, told) = ask(&*open(settings.clone()), &request("x", 100));
        let completion = result.unwrap();
        assert_eq!(completion.text, REPLY);
        assert_eq!(completion.stop, StopReason::EndTurn);
        assert_eq!(told.text, REPLY);
        let waits: Vec<_> = told.retries.iter().map(|retry| retry.0).collect();
        assert_eq!(waits, [0.4, 0.4], "{}", settings.provider);
        assert!(told.retries[0].1.contains("answered 429") && told.retries[0].1.contains("slow down"), "{told:?}");
        assert_eq!(requests_well_made(&server), 3, "{}", settings.provider);
    }
}

#[test]
fn statuses_that_pass_are_tried_again_and_others_are_not() {
    let server = take(&STATUSES);
    for settings in both(&server) {
        for (status, tries) in [(408, 2), (500, 2), (503, 2), (529, 2), (400, 1), (401, 1), (404, 1)] {
            fault(&server, &format!(r#"{{"type":"fail","status":{status},"retry_after":0.05}}"#));
            let (result, _) = ask(&*open(settings.clone()), &request("x", 100));
            assert_eq!(result.is_ok(), tries == 2, "{} {status}: {result:?}", settings.provider);
            if let Err(error) = result {
                assert_eq!(error.kind(), ErrorKind::Refused);
                assert!(matches!(error, ProviderError::Status { status: told, .. } if told == status), "{error:?}");
            }
            assert_eq!(requests_well_made(&server), tries, "{} {status}", settings.provider);
        }
    }
}

#[test]
fn tries_run_out() {
    let server = take(&STATUSES);
    for settings in both(&server) {
        fault(&server, r#"{"type":"fail","status":529,"retry_after":0.05,"times":null}"#);
        let settings = Settings { max_tries: 3, ..settings };
        let error = ask(&*open(settings), &request("x", 100)).0.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Transport);
        assert!(error.to_string().ends_with("(tried 3 times)"), "{error}");
        assert_eq!(requests_well_made(&server), 3);
    }
}

#[test]
fn a_server_that_wants_a_longer_wait_than_allowed_is_not_waited_for() {
    let server = take(&STATUSES);
    for settings in both(&server) {
        fault(&server, r#"{"type":"fail","status":429,"retry_after":3600}"#);
        let error = ask(&*open(settings), &request("x", 100)).0.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Transport);
        assert!(error.to_string().contains("asks to wait 3600 s, more than 60 s"), "{error}");
        assert_eq!(requests(&server), 1);
    }
}

#[test]
fn a_stream_that_breaks_is_asked_for_again_from_the_beginning() {
    let server = take(&BREAKS);
    for settings in both(&server) {
        for (kind, after) in [("disconnect", 0), ("disconnect", 3), ("truncate", 0), ("truncate", 3), ("malformed", 3)]
        {
            fault(&server, &format!(r#"{{"type":"stream_fault","kind":"{kind}","after_chunks":{after}}}"#));
            let settings = Settings { max_wait: SOON, ..settings.clone() };
            let (result, told) = ask(&*open(settings.clone()), &request("x", 100));
            assert_eq!(result.unwrap().text, REPLY, "{} {kind}", settings.provider);
            assert_eq!(told.text, REPLY, "{} {kind}", settings.provider);
            assert_eq!(told.retries.len(), 1, "{} {kind}: {told:?}", settings.provider);
            let word = if kind == "malformed" { "cannot understand the reply" } else { "was cut short" };
            assert!(told.retries[0].1.contains(word), "{} {kind}: {told:?}", settings.provider);
            // Of a malformed chunk it judges by chance: by whether all was sent before the client hung up.
            let count = if kind == "malformed" { requests(&server) } else { requests_well_made(&server) };
            assert_eq!(count, 2, "{} {kind}", settings.provider);
        }
    }
}

#[test]
fn a_stream_that_always_breaks_is_a_failure_and_never_a_short_reply() {
    let server = take(&BREAKS);
    for settings in both(&server) {
        for kind in ["disconnect", "truncate", "malformed"] {
            fault(&server, &format!(r#"{{"type":"stream_fault","kind":"{kind}","after_chunks":4,"times":null}}"#));
            let settings = Settings { max_tries: 2, max_wait: SOON, ..settings.clone() };
            let error = ask(&*open(settings), &request("x", 100)).0.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Transport, "{kind}: {error}");
        }
    }
}

#[test]
fn a_silent_stream_is_given_up_after_the_idle_time_and_tried_once_more() {
    let server = take(&SILENCE);
    for settings in both(&server) {
        let idle_timeout = Duration::from_secs(1);
        let settings =
            Settings { idle_timeout, max_wait: SOON, first_byte_timeout: Some(Duration::from_secs(60)), ..settings };
        let stall = r#"{"type":"stream_fault","kind":"stall","after_chunks":2,"stall_seconds":30}"#;
        fault(&server, stall);
        let (result, told) = ask(&*open(settings.clone()), &request("x", 100));
        assert_eq!(result.unwrap().text, REPLY);
        assert!(told.retries[0].1.starts_with(&format!("no word from {} for 1 s", settings.provider)), "{told:?}");
    }
}

#[test]
fn a_stream_that_is_silent_twice_is_given_up() {
    let server = take(&BREAKS);
    let stall = r#"{"type":"stream_fault","kind":"stall","after_chunks":2,"stall_seconds":30,"times":null}"#;
    fault(&server, stall);
    let [settings, _] = <[Settings; 2]>::try_from(both(&server)).unwrap();
    let settings = Settings { idle_timeout: Duration::from_secs(1), ..settings };
    let error = ask(&*open(settings), &request("x", 100)).0.unwrap_err();
    assert!(matches!(error, ProviderError::Idle { tries: 2, .. }), "{error:?}");
}

#[test]
fn a_slow_stream_outlives_every_clock_but_the_one_for_silence() {
    let server = take(&SILENCE);
    for settings in both(&server) {
        let idle_timeout = Duration::from_secs(1);
        let settings =
            Settings { idle_timeout, max_wait: SOON, first_byte_timeout: Some(Duration::from_secs(60)), ..settings };
        // Its first word comes later than the silence allowed between words.
        fault(&server, r#"{"type":"slow_first_token","seconds":1.8}"#);
        let (result, told) = ask(&*open(settings.clone()), &request("x", 100));
        assert_eq!((result.unwrap().text.as_str(), told.retries.len()), (REPLY, 0), "{}", settings.provider);
    }
}

#[test]
fn requests_that_are_under_way_at_once_do_not_mix() {
    let server = take(&STATUSES);
    server.scenario(&format!(
        r#"[{{"type":"delay","seconds":0.3,"times":null}},{{"type":"reply","text":"{REPLY}","times":null}}]"#
    ));
    let provider = open(both(&server).remove(0));
    let texts: Vec<_> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..6)
            .map(|number| {
                let provider = &*provider;
                scope.spawn(move || ask(provider, &request(&format!("file {number}"), 100)).0.unwrap().text)
            })
            .collect();
        asking.into_iter().map(|asking| asking.join().unwrap()).collect()
    });
    assert_eq!(texts, [REPLY; 6]);
}
