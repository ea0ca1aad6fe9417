//! Task mode and rounds with two providers: one that is recorded, and a real local model server. What so small a model says
//! of a change is of no use: so what counts is that the run ends as it should, that the record has what was said, and that
//! the tokens are those that the server counts.

use crate::repo::{Ran, Repo};
use crate::reviewed::*;
use crate::servers::Server;
use serde_json::{Value, json};
use std::fs;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

const WHAT: &str = "Make it a mean";
const TARGET: [&str; 2] = ["--target", "src/mean.py"];
const DESIGN: &str = "# 3 - A mean\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/mean.py` | Modify | Divide by the count |\n";
/// A reply of so many tokens is cut off.
const MOST: u64 = 24;

/// The model as it comes. It has one slot: one test at a time.
fn model() -> MutexGuard<'static, Server> {
    static SERVER: LazyLock<Mutex<Server>> = LazyLock::new(|| Mutex::new(Server::llama(4096)));
    SERVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A repository whose reviewer is the server; what is recorded answers for the implementer.
fn with_reviewer(server: &Server) -> Repo {
    let mut repo = repo();
    repo.write("docs/3.md", DESIGN);
    repo.commit("a design");
    answer(&repo, "src/mean.py.md", &block("src/mean.py", MEAN));
    answer(&repo, "implementer.1.talk", "I divide by the number of values.\n");
    for (key, value) in [("provider", "openai"), ("model", "smollm2"), ("baseUrl", &server.url)] {
        repo.configure(&format!("implement.reviewer.{key}"), value);
    }
    repo.set("GIT_IMPLEMENT_MAX_OUTPUT_TOKENS", MOST.to_string());
    repo
}

/// What the server counts in the request that the record has under this number.
fn counted(server: &Server, files: &crate::records::Files, number: usize) -> (Value, u64) {
    let request: Value = serde_json::from_slice(&files[&format!("requests/{number:04}.json")]).unwrap();
    let text = |names: &Value| -> String {
        let block = |name: &Value| String::from_utf8(files[&format!("blocks/{}", name.as_str().unwrap())].clone());
        names.as_array().unwrap().iter().map(|name| block(name).unwrap()).collect()
    };
    let mut messages = vec![json!({"role": "system", "content": text(&request["system"])})];
    for message in request["messages"].as_array().unwrap() {
        messages.push(json!({"role": message["role"], "content": text(&message["content"])}));
    }
    let body = json!({"model": "smollm2", "messages": messages, "max_tokens": 1}).to_string();
    let (status, answer) = server.http("POST", "/v1/chat/completions", &body);
    assert_eq!(status, 200, "{answer}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    (request, answer["usage"]["prompt_tokens"].as_u64().unwrap())
}

/// What is in the record for each of the reviewer's turns is what the server said and counted.
#[track_caller]
fn told_and_counted(server: &Server, repo: &Repo, ran: &Ran) {
    let run = ran.recorded_only();
    let (files, transcript) = (crate::records::files(repo, &run), transcript(repo));
    let turns = transcript["turns"].as_array().unwrap();
    let mut reviewers = 0;
    for (number, turn) in (1..).zip(turns) {
        let (request, tokens) = counted(server, &files, number);
        assert_eq!(request["key"], turn["key"], "{turn}");
        let recorded: Value =
            serde_json::from_slice(&files[&format!("replies/{}.json", turn["key"].as_str().unwrap())]).unwrap();
        let said: String =
            recorded["replies"][0]["text"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        assert_eq!(turn["text"], said.as_str());
        if turn["role"] == "reviewer" {
            reviewers += 1;
            assert_eq!(turn["usage"]["input"], tokens, "{turn}");
            let output = turn["usage"]["output"].as_u64().unwrap();
            assert!((1..=MOST).contains(&output) && !said.is_empty(), "{turn}");
        }
    }
    assert!(reviewers > 0, "{turns:?}");
    assert_eq!(transcript["reviewer"], json!({"provider": "openai", "model": "smollm2"}));
    assert_eq!(transcript["verdict"], "inconclusive", "{ran}");
    repo.sound();
}

#[test]
fn a_task_is_written_from_recorded_replies_and_reviewed_by_a_real_server() {
    let server = model();
    let repo = with_reviewer(&server);
    // The implementer's replies, and no reviewer's.
    let recordings = repo.place("recordings");
    let to = recordings.to_str().unwrap();
    let critic = format!("command:{}", speaker(&repo, "critic"));
    let writer = ["--provider", "command", "--command", &speaker(&repo, "writer")];
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let first = [&["task", WHAT][..], &TARGET, &writer, &["--reviewer", &critic, "--record", to]].concat();
    repo.run(&first).recorded_only();
    fs::remove_dir_all(repo.git_dir().join("implement/tasks")).unwrap();
    for file in fs::read_dir(&recordings).unwrap().map(|file| file.unwrap().path()) {
        if !fs::read_to_string(&file).unwrap().contains("\"format\": \"whole\"") {
            fs::remove_file(file).unwrap();
        }
    }
    let ran = repo.run(&[&["task", WHAT][..], &TARGET, &["--replay", to]].concat());
    told_and_counted(&server, &repo, &ran);
    assert_eq!(transcript(&repo)["implementer"]["provider"], "replay");
    let patch = fs::read_to_string(left(&repo).join("change.patch")).unwrap();
    assert!(patch.contains("+    return sum(values) / len(values)\n"), "{patch}");
}

#[test]
fn a_task_of_two_rounds_is_talked_about_with_a_real_server() {
    let server = model();
    let repo = with_reviewer(&server);
    let writer = ["--provider", "command", "--command", &speaker(&repo, "writer"), "--rounds", "2"];
    let ran = repo.run(&[&["task", WHAT][..], &TARGET, &writer].concat());
    told_and_counted(&server, &repo, &ran);
    let forms: Vec<String> = transcript(&repo)["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| format!("{} {} {}", turn["role"].as_str().unwrap(), turn["round"], turn["form"].as_str().unwrap()))
        .collect();
    assert_eq!(forms[..3], ["implementer 1 talk", "reviewer 1 talk", "implementer 2 whole"]);
    assert!(forms.len() > 3 && forms[3..].iter().all(|form| form == "reviewer 2 verdict"), "{forms:?}");
    let said = transcript(&repo)["turns"][1]["text"].as_str().unwrap().trim().to_owned();
    let first = said.lines().next().unwrap();
    assert!(
        prompt(&repo, "implementer.2.whole.1").contains(first),
        "what the server said is shown to the writer: {said}"
    );
}

#[test]
fn a_design_is_made_and_reviewed_by_a_real_server() {
    let server = model();
    let repo = with_reviewer(&server);
    let writer =
        ["docs/3.md", "--provider", "command", "--command", &speaker(&repo, "writer"), "--rounds", "2", "--json"];
    let ran = repo.run(&writer);
    ran.published("implement/3");
    let events = ran.events();
    let reviewed: Vec<&Value> = events.iter().filter(|event| event["event"] == "reviewed").collect();
    assert_eq!((reviewed.len(), &reviewed[0]["verdict"]), (1, &"inconclusive".into()), "{ran}");
    assert_eq!(String::from_utf8(repo.blob("implement/3", "src/mean.py")).unwrap(), MEAN);
}

#[test]
fn a_task_is_talked_about_and_written_by_a_real_server_and_reviewed_from_recorded_replies() {
    let answers = tempfile::tempdir().unwrap();
    crate::repo::write(&answers.path().join("src/mean.py"), block("src/mean.py", MEAN));
    let server = Server::llama_with_answers(answers.path(), 4096);
    let repo = repo();
    answer(&repo, "reviewer.1.talk", "There may be none of them.\n");
    answer(&repo, "reviewer.verdict", "MARK ok\n");
    let critic = format!("command:{}", speaker(&repo, "critic"));
    let who = ["--provider", "openai", "--base-url", &server.url, "--model", "smollm2", "--reviewer", &critic];
    let ran = repo.run(&[&["task", WHAT][..], &TARGET, &who, &["--rounds", "2"]].concat());
    let run = ran.recorded_only();
    let (files, transcript) = (crate::records::files(&repo, &run), transcript(&repo));
    assert_eq!((&transcript["verdict"], &transcript["implementer"]["model"]), (&"ok".into(), &"smollm2".into()));
    let turns = transcript["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 4, "{turns:?}");
    for (at, number) in [(0, 1), (2, 3)] {
        let turn = &turns[at];
        assert_eq!(
            (&turn["role"], &turn["usage"]["input"]),
            (&"implementer".into(), &counted(&server, &files, number).1.into())
        );
        assert_eq!(turn["text"], block("src/mean.py", MEAN));
    }
    let patch = fs::read_to_string(left(&repo).join("change.patch")).unwrap();
    assert!(patch.contains("+    return sum(values) / len(values)\n"), "{patch}");
    repo.sound();
}

#[test]
fn what_a_small_model_writes_by_itself_ends_a_task_cleanly_and_is_told() {
    let server = model();
    let mut repo = repo();
    repo.set("GIT_IMPLEMENT_MAX_OUTPUT_TOKENS", "60");
    repo.set("GIT_IMPLEMENT_TRUNCATION_RETRIES", "0");
    let critic = format!("command:{}", speaker(&repo, "critic"));
    let who = ["--provider", "openai", "--base-url", &server.url, "--model", "smollm2", "--reviewer", &critic];
    let ran = repo.run(&[&["task", WHAT][..], &TARGET, &who].concat());
    assert!(matches!(ran.status, Some(1 | 2)) && ran.failed.len() == 1, "{ran}");
    let transcript = transcript(&repo);
    assert_eq!((&transcript["patch_path"], &transcript["verdict"]), (&Value::Null, &Value::Null));
    assert!(transcript["turns"][0]["usage"]["output"].as_u64().unwrap() > 0, "{transcript}");
    assert_eq!(asked(&repo), Vec::<String>::new(), "nobody reviews what is not there");
}
