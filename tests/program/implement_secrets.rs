//! Keys in the environment: the provider's program gets them, and nothing that a run leaves behind has them.

use crate::repo::{Ran, Repo, tree};

const SECRETS: [(&str, &str); 4] = [
    ("ANTHROPIC_API_KEY", "sk-ant-unmistakable-0c1f"),
    ("ANTHROPIC_AUTH_TOKEN", "tok-unmistakable-77aa"),
    ("OPENAI_API_KEY", "sk-unmistakable-9d2e"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=unmistakable-4b5c"),
];
/// What all of them have in common.
const MARK: &str = "unmistakable";

const DESIGN: &str = "# 3 - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n| `src/b.py` | Add | Uses it |\n";

fn repo() -> Repo {
    let mut repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    for (name, value) in SECRETS {
        repo.set(name, value);
    }
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.answer("src/b.py", "```python\nfrom a import A\n\nprint(A)\n```\n");
    repo
}

/// Everything that is there after a run: what it printed, every object in any pack, every other file of the
/// repository, and the folders that it was told to write to.
#[track_caller]
fn holds_no_secret(repo: &Repo, ran: &Ran) {
    assert!(!ran.out.contains(MARK) && !ran.err.contains(MARK), "{ran}");
    let objects = repo.git_bytes(&["cat-file", "--batch-all-objects", "--batch", "--unordered", "--buffer"]);
    assert!(objects.len() > 100 && !contains(&objects), "in an object");
    for folder in [repo.dir.clone(), repo.place("replies"), repo.place("home"), repo.place("tmp")] {
        for (path, bytes) in tree(&folder) {
            assert!(!contains(&bytes) && !path.contains(MARK), "in {path}");
        }
    }
}

fn contains(bytes: &[u8]) -> bool {
    bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes())
}

fn everything(repo: &Repo) -> Vec<String> {
    let replies = repo.place("replies");
    ["docs/3.md", "-v", "--json", "--record", replies.to_str().unwrap()].map(str::to_owned).to_vec()
}

fn implement(repo: &Repo) -> Ran {
    let arguments = everything(repo);
    repo.implement(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_run_that_succeeds_leaves_no_secret_behind() {
    let repo = repo();
    let ran = implement(&repo);
    ran.published("implement/3");
    holds_no_secret(&repo, &ran);
    // The search itself finds what it is for.
    let environment = std::fs::read(repo.place("asked/environment")).unwrap();
    assert!(contains(&environment));
    for (name, value) in SECRETS {
        assert!(
            String::from_utf8_lossy(&environment).contains(&format!("{name}={value}")),
            "{name} is the program's, too"
        );
    }
}

#[test]
fn a_refused_run_leaves_no_secret_behind() {
    let repo = repo();
    repo.answer("src/b.py", "No.\n");
    let ran = implement(&repo);
    ran.refused(1);
    assert_eq!(ran.failed.len(), 1);
    holds_no_secret(&repo, &ran);
}

#[test]
fn a_program_that_fails_and_tells_its_keys_is_not_repeated() {
    let repo = repo();
    repo.before("src/b.py", "echo \"cannot log in with $ANTHROPIC_API_KEY or $OPENAI_API_KEY\" >&2; exit 1");
    let ran = implement(&repo);
    ran.refused(2).says("hint: it said: cannot log in with *** or ***");
    holds_no_secret(&repo, &ran);
}

#[test]
fn a_server_that_is_not_there_is_told_of_without_the_key() {
    let mut repo = repo();
    repo.set("GIT_IMPLEMENT_MAX_TRIES", "1");
    for provider in ["anthropic", "openai"] {
        let whom = ["--provider", provider, "--base-url", "http://127.0.0.1:9", "--model", "m"];
        let ran = repo.run(&[&["docs/3.md", "-v", "--json"], &whom[..]].concat());
        ran.refused(2).says("cannot reach");
        holds_no_secret(&repo, &ran);
    }
}

#[test]
fn a_repository_cannot_name_a_program_or_an_address() {
    let mut repo = repo();
    repo.set("OLLAMA_HOST", "127.0.0.1:9");
    let trap = format!("sh -c 'touch \"{}\"'", repo.place("trap").display());
    for (key, value) in [("command", trap.as_str()), ("base-url", "http://127.0.0.1:9"), ("key-command", trap.as_str())]
    {
        let quoted = serde_json::Value::from(value).to_string();
        repo.write(".git-implement.toml", format!("{key} = {quoted}\n"));
        let ran = repo.run(&["docs/3.md", "--provider", "command"]);
        ran.refused_at_once(128).says("the provider 'command' has no command");
        assert!(ran.err.contains(key), "it is said that the key does not count\n{ran}");
    }
    repo.write(".git-implement.toml", "");
    repo.git(&["config", "implement.command", &trap]);
    repo.run(&["docs/3.md", "--provider", "command"]).refused_at_once(128);
    assert!(!repo.place("trap").exists());
}

/// Put together here, so that no scanner takes this file for one that has lost a secret.
fn token() -> String {
    ["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
}

#[test]
fn a_reply_that_is_refused_for_its_secret_is_shown_without_it() {
    let repo = repo();
    let secret = token();
    let telling = &secret[8..20];
    // As a whole file, beside a mistake that another gate quotes, and in an edit that fits nowhere.
    for reply in [
        format!("```python\nKEY = '{secret}'\nprint(KEY)\n```\n"),
        format!("```python\nKEY = '{secret}' + (\n```\n"),
        format!("KEY is {secret}\n"),
    ] {
        repo.answer("src/b.py", reply);
        for options in [&["docs/3.md"][..], &["docs/3.md", "-v"], &["docs/3.md", "--json"]] {
            let ran = repo.implement(options);
            ran.refused(1).says("[secret]");
            assert!(!ran.out.contains(telling) && !ran.err.contains(telling), "{ran}");
        }
    }
    let edit = format!("```\n<<<<<<< SEARCH\nKEY = '{secret}'\n=======\nx\n>>>>>>> REPLACE\n```\n");
    repo.write("a.py", "A = 1\n");
    repo.write("reply", edit);
    for options in [&["--target", "a.py"][..], &["--target", "a.py", "--json"], &["--target", "a.py", "--check"]] {
        let ran = repo.run(&[&["apply"], options, &["reply"]].concat());
        assert_eq!(ran.status, Some(1), "{ran}");
        assert!(!ran.out.contains(telling) && !ran.err.contains(telling), "{ran}");
    }
}
