//! Whole runs against real servers: llama.cpp with a real, if small, model, and a server that fails on command.

use crate::repo::{Ran, Repo};
use crate::servers::Server;
use serde_json::Value;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

const HEAD: &str = "# 3 - Words\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n";
const ONE: &str = "| `src/one.py` | Add | A list of words |\n";
const THREE: &str = "| `src/one.py` | Add | A list of words |\n| `src/two.py` | Add | Counts them |\n\
                     | `src/three.py` | Modify | Prints the count |\n";

fn one() -> String {
    let words = (1..=12).map(|n| format!("    \"word {n}\",\n"));
    format!("WORDS = [\n{}]\n", words.collect::<String>())
}
const TWO: &str = "from one import WORDS\n\nCOUNT = len(WORDS)\n";
const THREE_PY: &str = "from two import COUNT\n\nprint(COUNT)\n";

fn fenced(text: &str) -> String {
    format!("```python\n{text}```\n")
}

fn repo(rows: &str) -> Repo {
    Repo::of(&[("src/three.py", "print(0)\n"), ("docs/3.md", &format!("{HEAD}{rows}"))])
}

/// The main job at a server.
#[track_caller]
fn ask(repo: &Repo, provider: &str, url: &str, arguments: &[&str]) -> Ran {
    repo.run(&[&["docs/3.md", "--provider", provider, "--base-url", url, "--json"], arguments].concat())
}

fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == name).collect()
}

/// The model as it comes. It has one slot: one test at a time.
fn model() -> MutexGuard<'static, Server> {
    static SERVER: LazyLock<Mutex<Server>> = LazyLock::new(|| Mutex::new(Server::llama(4096)));
    SERVER.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn what_a_small_model_says_by_itself_is_refused_cleanly_on_both_protocols() {
    let server = model();
    let mut repo = repo(ONE);
    repo.set("GIT_IMPLEMENT_MAX_OUTPUT_TOKENS", "120");
    repo.set("GIT_IMPLEMENT_TRUNCATION_RETRIES", "0");
    for provider in ["openai", "anthropic"] {
        let ran = ask(&repo, provider, &server.url, &[]);
        let events = ran.events();
        let replied = named(&events, "replied");
        assert_eq!(replied.len(), 1, "{ran}");
        let cut = replied[0]["stop"] == "max_tokens";
        ran.refused(if cut { 2 } else { 1 }).says("the reply begins:\n");
        assert!(replied[0]["usage"]["output"].as_u64().unwrap() > 0, "{ran}");
        assert_eq!((named(&events, "committed").len(), ran.failed.len()), (0, 1), "{ran}");
    }
}

#[test]
fn a_reply_that_is_truncated_every_time_is_status_2_on_both_protocols() {
    let server = model();
    let mut repo = repo(ONE);
    repo.set("GIT_IMPLEMENT_MAX_OUTPUT_TOKENS", "6");
    for provider in ["openai", "anthropic"] {
        let ran = ask(&repo, provider, &server.url, &[]);
        ran.refused(2).says("error: the reply for 'src/one.py' was cut off by a limit in each of 4 tries\n");
        ran.says("hint: let the design split the file in two");
        let events = ran.events();
        let tries: Vec<&Value> = named(&events, "replied").iter().map(|event| &event["attempt"]).collect();
        assert_eq!(tries, [1, 2, 3, 4], "{ran}");
        assert!(
            named(&events, "replied")
                .iter()
                .all(|event| event["stop"] == "max_tokens" && event["usage"]["output"] == 6),
            "{ran}"
        );
    }
}

#[test]
fn a_model_that_answers_exactly_ends_in_commits_and_its_cache_grows_from_file_to_file() {
    let answers = tempfile::tempdir().unwrap();
    let texts = [("src/one.py", one()), ("src/two.py", TWO.to_owned()), ("src/three.py", THREE_PY.to_owned())];
    for (path, text) in &texts {
        crate::repo::write(&answers.path().join(path), fenced(text));
    }
    let server = Server::llama_with_answers(answers.path(), 4096);
    let repo = repo(THREE);
    let ran = ask(&repo, "openai", &server.url, &[]);
    ran.published("implement/3");
    for (path, text) in &texts {
        assert_eq!(String::from_utf8(repo.blob("implement/3", path)).unwrap(), *text, "{path}");
    }
    assert_eq!(repo.subjects("implement/3"), ["Add src/one.py", "Add src/two.py", "Modify src/three.py"]);
    let events = ran.events();
    assert_eq!((&events[0]["provider"], &events[0]["model"]), (&"openai".into(), &"smollm2".into()));
    let usage = |key: &str| -> Vec<u64> {
        named(&events, "replied").iter().map(|event| event["usage"][key].as_u64().unwrap()).collect()
    };
    let (input, cached) = (usage("input"), usage("cache_read"));
    // The second file's prompt has the system's part and the design in common with the first, the third one's file 1, too.
    assert!(cached[1] > cached[0] + 300 && cached[2] > cached[1] + 60, "{cached:?} of {input:?}");
    assert!(cached.iter().zip(&input).all(|(cached, input)| cached < input), "{cached:?} of {input:?}");
    assert!(usage("output").iter().all(|tokens| *tokens > 0));
    assert_eq!(events.last().unwrap()["usage"]["cache_read"], cached.iter().sum::<u64>());
}

/// With much to show: a document, an excerpt of a file that the design names, the bases of planned files.
#[test]
fn after_the_first_file_nothing_is_new_to_the_cache_but_what_was_finished_and_the_task() {
    const TASK: u64 = 1_500;
    let answers = tempfile::tempdir().unwrap();
    let module = |name: &str| {
        let function = |n: usize| format!("def {name}_{n}(words):\n    return [word * {n} for word in words]\n\n\n");
        (0..3).map(function).collect::<String>().trim_end().to_owned() + "\n"
    };
    let paths = ["src/one.py", "src/two.py", "src/three.py"];
    for (path, name) in paths.iter().zip(["one", "two", "three"]) {
        crate::repo::write(&answers.path().join(path), fenced(&module(name)));
    }
    let rows: String = (paths.iter().enumerate())
        .map(|(at, path)| format!("| `{path}` | {} | Uses `count_words` |\n", ["Add", "Modify"][at % 2]))
        .collect();
    let notes: String = (0..100).map(|n| format!("{n}. Words of the kind number {n} are counted twice.\n")).collect();
    let repo = Repo::of(&[
        ("docs/3.md", &format!("{HEAD}{rows}")),
        ("docs/notes.md", &notes),
        ("src/words.py", "def count_words(words):\n    return len(words)\n"),
        ("src/two.py", &module("old_two")),
    ]);
    let server = Server::llama_with_answers(answers.path(), 8192);
    let ran = ask(&repo, "openai", &server.url, &["--format", "whole", "--context", "docs/notes.md"]);
    ran.published("implement/3");
    let events = ran.events();
    let usage = |key: &str| -> Vec<u64> {
        named(&events, "replied").iter().map(|event| event["usage"][key].as_u64().unwrap()).collect()
    };
    let (input, cached, output) = (usage("input"), usage("cache_read"), usage("output"));
    assert!(input.len() == 3 && input[0] > TASK + 1_000, "{input:?}");
    for at in 1..3 {
        let new = input[at] - cached[at];
        assert!(
            new <= output[at - 1] + TASK,
            "file {at}: {new} of {input:?} are new, {cached:?} were known, {output:?} said"
        );
    }
}

#[test]
fn a_model_that_answers_exactly_ends_in_a_commit_on_anthropics_protocol() {
    let answer = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(answer.path(), fenced(&one())).unwrap();
    let server = Server::llama_that_answers(answer.path(), 4096);
    let repo = repo(ONE);
    ask(&repo, "anthropic", &server.url, &[]).published("implement/3");
    assert_eq!(repo.blob("implement/3", "src/one.py"), one().as_bytes());
}

#[test]
fn a_story_of_spec_kit_becomes_a_branch_by_a_model_that_answers_exactly() {
    let answers = tempfile::tempdir().unwrap();
    let texts =
        [("src/albums/model.py", crate::lists::module("model")), ("src/cli.py", crate::lists::CLI_WHOLE.to_owned())];
    for (path, text) in &texts {
        crate::repo::write(&answers.path().join(path), fenced(text));
    }
    let server = Server::llama_with_answers(answers.path(), 8192);
    let repo = crate::lists::spec_kit();
    let ran = repo.run(&[
        "--provider",
        "openai",
        "--base-url",
        &server.url,
        "--json",
        "--story",
        "US1",
        crate::lists::FOLDER,
    ]);
    ran.published(crate::lists::BRANCH);
    for (path, text) in &texts {
        assert_eq!(crate::lists::text(&repo, crate::lists::BRANCH, path), *text, "{path}");
    }
    let list = crate::lists::ticked(crate::lists::TASKS, &["T003", "T004"]);
    assert_eq!(crate::lists::text(&repo, crate::lists::BRANCH, crate::lists::LIST), list);
    let events = ran.events();
    let input: u64 = named(&events, "replied").iter().map(|event| event["usage"]["input"].as_u64().unwrap()).sum();
    assert!(input > 2_000, "the documents went through: {input}\n{ran}");
}

#[test]
fn features_of_kiro_and_openspec_become_branches_by_a_model_that_answers_exactly() {
    let answers = tempfile::tempdir().unwrap();
    for name in ["alert", "store", "main", "totals", "report"] {
        crate::repo::write(&answers.path().join(format!("src/{name}.py")), fenced(&crate::lists::module(name)));
    }
    let server = Server::llama_with_answers(answers.path(), 8192);
    let made = |repo: &Repo, branch: &str, arguments: &[&str]| {
        repo.run(&[&["--provider", "openai", "--base-url", &server.url], arguments].concat()).published(branch);
    };
    let (kiro, branch) = (crate::lists::kiro(), "implement/alerts");
    made(&kiro, branch, &["--tasks", "1", ".kiro/specs/alerts"]);
    made(&kiro, branch, &["-b", branch, "--base", branch, ".kiro/specs/alerts"]);
    assert_eq!(
        crate::lists::commits(&kiro, "main..implement/alerts"),
        [
            "1.1: src/alert.py",
            "1.2: .kiro/specs/alerts/tasks.md src/store.py",
            "2.1: .kiro/specs/alerts/tasks.md src/main.py"
        ]
    );
    let openspec = crate::lists::openspec();
    made(&openspec, "implement/add-totals", &["--commit", "per-task", "openspec/changes/add-totals"]);
    assert_eq!(
        crate::lists::commits(&openspec, "main..implement/add-totals"),
        ["1.1: src/totals.py", "1.2: openspec/changes/add-totals/tasks.md src/report.py"]
    );
}

/// The fault server does one test's scenario at a time.
fn faults() -> MutexGuard<'static, Server> {
    static SERVER: LazyLock<Mutex<Server>> = LazyLock::new(|| Mutex::new(Server::faults()));
    SERVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does `fault` to what asks for a reply, not to questions about the server's models, and then answers well for ever.
fn then_well(server: &Server, fault: &str) {
    let reply = serde_json::json!({"type": "reply", "text": fenced(&one()), "times": null});
    server.scenario(&format!("[{fault}, {reply}]"));
}

const PROTOCOLS: [(&str, &str); 2] = [("openai", "/v1"), ("anthropic", "/anthropic")];

fn keyed(rows: &str) -> Repo {
    let mut repo = repo(rows);
    repo.set("ANTHROPIC_API_KEY", "sk-test-not-a-secret");
    repo.set("OPENAI_API_KEY", "sk-test-not-a-secret");
    repo.set("GIT_IMPLEMENT_MAX_TRIES", "2");
    repo
}

#[test]
fn a_server_that_is_busy_and_then_well_ends_in_commits() {
    let server = faults();
    for (provider, path) in PROTOCOLS {
        for fault in [
            r#"{"type":"fail","match":{"stream":true},"status":429,"retry_after":0.05,"message":"slow down"}"#,
            r#"{"type":"fail","match":{"stream":true},"status":529,"retry_after":0.05}"#,
            r#"{"type":"stream_fault","match":{"stream":true},"kind":"disconnect","after_chunks":2}"#,
        ] {
            let repo = keyed(ONE);
            then_well(&server, fault);
            let ran = ask(&repo, provider, &format!("{}{path}", server.url), &["--model", "m"]);
            ran.published("implement/3");
            assert_eq!(repo.blob("implement/3", "src/one.py"), one().as_bytes(), "no half reply got in");
            let events = ran.events();
            assert_eq!(named(&events, "retrying").len(), 1, "{fault}\n{ran}");
            assert_eq!(named(&events, "replied").len(), 1, "{fault}\n{ran}");
        }
    }
}

#[test]
fn a_connection_that_keeps_breaking_in_the_middle_is_status_2() {
    let server = faults();
    for (provider, path) in PROTOCOLS {
        let repo = keyed(ONE);
        then_well(
            &server,
            r#"{"type":"stream_fault","match":{"stream":true},"kind":"disconnect","after_chunks":2,"times":null}"#,
        );
        let ran = ask(&repo, provider, &format!("{}{path}", server.url), &["--model", "m"]);
        ran.refused(2).says("error: cannot get 'src/one.py': ").says("(tried 2 times)\n");
        assert_eq!(ran.failed.len(), 1);
    }
}

#[test]
fn a_refused_key_is_status_2_and_not_tried_again() {
    let server = faults();
    for (provider, path) in PROTOCOLS {
        let repo = keyed(ONE);
        then_well(
            &server,
            r#"{"type":"fail","match":{"stream":true},"status":401,"message":"who are you","times":null}"#,
        );
        let ran = ask(&repo, provider, &format!("{}{path}", server.url), &["--model", "m"]);
        ran.refused(2).says(&format!("{provider} answered 401")).says("hint: check the API key");
        assert!(named(&ran.events(), "retrying").is_empty(), "{ran}");
        assert!(!ran.err.contains("not-a-secret") && !ran.out.contains("not-a-secret"), "{ran}");
    }
}
