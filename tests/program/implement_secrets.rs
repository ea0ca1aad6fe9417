//! Keys in the environment: the provider's program gets them, and nothing that a run leaves behind has them.

use crate::repo::{Ran, Repo, tree};

const SECRETS: [(&str, &str); 5] = [
    ("ANTHROPIC_API_KEY", "sk-ant-unmistakable-0c1f"),
    ("ANTHROPIC_AUTH_TOKEN", "tok-unmistakable-77aa"),
    ("OPENAI_API_KEY", "sk-unmistakable-9d2e"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=unmistakable-4b5c"),
    ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=unmistakable-e07d"),
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

/// Everything that is started beside the provider's program writes down its variables: git itself, hooks, filters, who
/// signs, who keeps keys.
#[test]
fn no_child_but_the_providers_program_sees_a_key() {
    let mut repo = repo();
    let spied = repo.place("spied");
    let writes =
        |who: &str, then: &str| format!("#!/bin/sh\n{{ echo '== {who}'; env; }} >>'{}'\n{then}\n", spied.display());
    let path = repo.variables["PATH"].clone();
    let git = std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap();
    repo.program(repo.place("spy/git"), &writes("git", &format!("exec '{}' \"$@\"", git.display())));
    let signature = "cat >/dev/null; echo '[GNUPG:] SIG_CREATED ' >&2; \
                     printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'";
    let others = [
        ("gpg", signature),
        ("filter", "exec cat"),
        ("key", "echo sk-made-up-for-this-test"),
        ("helper", "echo username=x; echo password=sk-made-up-for-this-test"),
    ];
    for (name, then) in others {
        repo.program(repo.place("spy").join(format!("spy-{name}")), &writes(name, then));
    }
    repo.write("notes.txt", "x\n");
    repo.write(".gitattributes", "*.txt filter=spy\n");
    repo.commit("notes");
    for (key, value) in
        [("filter.spy.smudge", "spy-filter"), ("filter.spy.clean", "spy-filter"), ("gpg.program", "spy-gpg")]
    {
        repo.git(&["config", key, value]);
    }
    for hook in ["pre-commit", "commit-msg", "reference-transaction"] {
        let script = writes(hook, "");
        repo.hook(hook, script.trim_start_matches("#!/bin/sh\n"));
    }
    std::fs::write(repo.place("gitconfig"), "[credential]\n\thelper = !spy-helper\n").unwrap();
    repo.set("GIT_CONFIG_GLOBAL", repo.place("gitconfig").to_str().unwrap());
    repo.set("PATH", format!("{}:{path}", repo.place("spy").display()));
    repo.set("GIT_IMPLEMENT_MAX_TRIES", "1");

    // The harness asks git as well, with all the variables: these runs are without it.
    let run = |repo: &Repo, arguments: &[&str], statuses: &[i32]| {
        let output = repo.process(arguments).output().unwrap();
        assert!(output.status.code().is_some_and(|code| statuses.contains(&code)), "{arguments:?} {output:?}");
    };
    repo.write("reply.md", "src/a.py:\n```python\nA = 3\n```\n");
    run(&repo, &["--provider", "command", "--command", &repo.provider(), "docs/3.md", "-S"], &[0]);
    for arguments in [
        &["plan", "docs/3.md"][..],
        &["check", "HEAD"],
        &["hook", "status"],
        &["apply", "--index", "reply.md"],
        &["check"],
        &["hook", "install"],
        &["hook", "uninstall"],
    ] {
        run(&repo, arguments, &[0, 1]);
    }
    // Another provider's key is none of the business of whoever keeps this one's.
    repo.variables.remove("OPENAI_API_KEY");
    let elsewhere = ["docs/3.md", "-b", "other", "-y", "--model", "m", "--provider", "openai", "--base-url"];
    run(&repo, &[&elsewhere[..], &["http://nobody.invalid"]].concat(), &[2]);
    repo.set("GIT_IMPLEMENT_KEY_COMMAND", "spy-key");
    run(&repo, &[&elsewhere[..], &["http://127.0.0.1:9"]].concat(), &[2]);

    let spied = std::fs::read_to_string(spied).unwrap();
    for who in ["git", "pre-commit", "commit-msg", "reference-transaction", "gpg", "filter", "key", "helper"] {
        assert!(spied.lines().any(|line| line == format!("== {who}")), "{who} was not started");
    }
    let seen: Vec<&str> =
        spied.lines().filter(|line| line.contains(MARK) || line.starts_with("GIT_IMPLEMENT_")).collect();
    assert_eq!(seen, Vec::<&str>::new());
    // The search finds what it is for.
    assert!(contains(&std::fs::read(repo.place("asked/environment")).unwrap()));
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
fn the_plan_refuses_what_the_run_would_refuse_to_send() {
    let repo = repo();
    repo.write("docs/keys.md", format!("key: {}\n", token()));
    repo.commit("keys");
    let shown = ["docs/3.md", "--context", "docs/keys.md", "--provider", "openai", "--model", "m"];
    let plan = |more: &[&str]| repo.run(&[&["plan"], &shown[..], more].concat());
    let said = "'docs/keys.md' has what looks like ";
    plan(&[]).refused(1).says(said).says("--allow secret:docs/keys.md");
    repo.run(&shown).refused(1).says(said);
    let permitted = plan(&["--allow", "secret:docs/keys.md"]);
    let here = repo.run(&["plan", "docs/3.md", "--context", "docs/keys.md", "--provider", "ollama"]);
    for ran in [permitted, here] {
        assert!(ran.status == Some(0) && !ran.err.contains(said), "{ran}");
    }
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

/// What stands beside the block would be published with the reply, which is never altered once it is accepted.
#[test]
fn a_secret_beside_the_file_is_refused_as_one_in_it() {
    let repo = repo();
    let secret = token();
    repo.answer_at("src/b.py", 1, format!("I use {secret} for it.\n\n```python\nb = 1\n```\n"));
    repo.answer_at("src/b.py", 2, "```python\nb = 1\n```\n");
    let ran = repo.implement(&["docs/3.md"]);
    ran.says("the reply for 'src/b.py' has what looks like a GitHub token beside the file's text");
    let run = ran.published("implement/3");
    let published = crate::records::files(&repo, &run);
    let holding: Vec<_> = published
        .iter()
        .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains(&secret))
        .map(|(name, _)| name)
        .collect();
    assert!(holding.is_empty(), "{holding:?}");
}
