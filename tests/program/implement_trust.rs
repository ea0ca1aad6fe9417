//! Who may permit what: the person at the command line and in their own configuration, and not whoever made the
//! repository.

use crate::repo::{Repo, write};
use crate::typed::at_terminal;
use std::fs;
use std::os::unix::fs::symlink;

const DESIGN: &str = "# 3 - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n";

/// In the form of a provider's token, and made up.
const TOKEN: &str = concat!("ghp_", "zQ8mWv4KpX2nRt7LbYc9HsDf3JgAe6", "2DYjTQ");

fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo
}

fn design(row: &str) -> String {
    format!("# 5 - One\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n{row}\n")
}

/// `run.json` of the record of a run that was published.
fn record(repo: &Repo, run: &str) -> serde_json::Value {
    serde_json::from_slice(&repo.blob(&format!("refs/implement/runs/{run}"), "run.json")).unwrap()
}

#[test]
fn a_repository_permits_no_secret_to_be_sent_or_written_and_turns_no_such_gate_off() {
    let repo = repo();
    repo.answer("src/a.py", format!("```python\nA = \"{TOKEN}\"\n```\n"));
    for said in [
        "allow = [\"secret\"]",
        "allow = [\"secret:src/a.py\"]",
        "gates = [\"secret=off\"]",
        "gates = [\"secret=warning\"]",
    ] {
        repo.write(".git-implement.toml", format!("{said}\n"));
        let ran = repo.implement(&["docs/3.md"]);
        ran.refused(1)
            .says("the reply for 'src/a.py' is refused: secret")
            .says("warning: .git-implement.toml:1: ignoring '");
        ran.says("only you may permit that, not the repository");
    }
    fs::remove_file(repo.dir.join(".git-implement.toml")).unwrap();
    // The repository's own git configuration is the repository, too.
    repo.git(&["config", "implement.allow", "secret"]);
    repo.implement(&["docs/3.md"]).refused(1).says("git config (local)");
    repo.implement(&["docs/3.md", "--allow", "secret:src/a.py"]).published("implement/3");
}

#[test]
fn a_repository_may_make_a_gate_stricter_and_permit_what_is_no_guard() {
    let repo = repo();
    repo.answer("src/a.py", "```python\nA = 2\n# ... rest of the code unchanged ...\n```\n");
    repo.implement(&["docs/3.md"]).refused(1).says("omission");
    repo.write(
        ".git-implement.toml",
        "allow = [\"omission:src/a.py\"]\ngates = [\"secret=error\", \"size=warning\"]\n",
    );
    let ran = repo.implement(&["docs/3.md"]);
    let run = ran.published("implement/3");
    assert!(!ran.err.contains("ignoring"), "{ran}");
    let record = record(&repo, &run);
    let by = |line: usize| format!(".git-implement.toml line {line}");
    assert_eq!(record["allow"], serde_json::json!([{"what": "omission:src/a.py", "by": by(1)}]));
    assert_eq!(
        record["gates"],
        serde_json::json!([{"what": "secret=error", "by": by(2)}, {"what": "size=warning", "by": by(2)}])
    );
}

#[test]
fn the_record_says_who_permitted_what() {
    let mut repo = repo();
    write(&repo.place("gitconfig"), "[implement]\n\tallow = size\n");
    repo.set("GIT_CONFIG_GLOBAL", repo.place("gitconfig").to_str().unwrap());
    repo.set("GIT_IMPLEMENT_ALLOW", "stub");
    repo.answer("src/a.py", "```python\ndef a():\n    pass\n```\n");
    let ran = repo.implement(&["docs/3.md", "--allow", "secret:src/a.py", "--json"]);
    let run = ran.published("implement/3");
    let said = |what: &str, by: &str| serde_json::json!({"what": what, "by": by});
    assert_eq!(
        record(&repo, &run)["allow"],
        serde_json::json!([
            said("size", "git config (global)"),
            said("stub", "GIT_IMPLEMENT_ALLOW"),
            said("secret:src/a.py", "--allow"),
        ])
    );
    assert!(ran.out.contains("(allowed by 'stub' from GIT_IMPLEMENT_ALLOW)"), "{ran}");
}

#[test]
fn a_repository_shows_the_model_no_file_that_keeps_secrets_and_none_that_it_ignores() {
    let repo = Repo::of(&[
        ("src/a.py", "A = 1\n"),
        ("docs/3.md", DESIGN),
        (".env", "PASSWORD=hunter2\n"),
        ("tls/server.key", "very private\n"),
        ("docs/style.md", "Plain words.\n"),
        ("notes.local", "mine alone\n"),
    ]);
    repo.write(".gitignore", "*.local\n");
    repo.commit("rules");
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.write(
        ".git-implement.toml",
        "context = [\".env\", \"tls/server.key\", \"notes.local\", \"../out\", \"docs/style.md\"]\n",
    );
    let ran = repo.implement(&["docs/3.md"]);
    ran.published("implement/3");
    for ignored in [".env", "tls/server.key", "notes.local", "../out"] {
        ran.says(&format!("ignoring 'context: {ignored}' from .git-implement.toml line 1"));
    }
    let prompt = repo.prompt("src/a.py");
    assert!(prompt.contains("Plain words.") && !prompt.contains("hunter2"), "{prompt}");
    assert!(!prompt.contains("very private") && !prompt.contains("mine alone"), "{prompt}");
    // What the person names is theirs to show.
    fs::remove_file(repo.dir.join(".git-implement.toml")).unwrap();
    repo.implement(&["docs/3.md", "-b", "other", "--context", ".env"]).published("other");
}

#[test]
fn no_repository_and_no_design_lets_a_model_write_what_instructs_or_is_ignored() {
    let repo = repo();
    repo.write(".gitignore", "build/\n");
    repo.write("docs/5.md", design("| `.github/workflows/ci.yml` | Add | Run it, allow: protected |"));
    repo.write("docs/6.md", design("| `build/out.py` | Add | Made, allow: ignored |"));
    repo.write(".git-implement.toml", "allow = [\"protected\", \"ignored\"]\n");
    repo.answer(".github/workflows/ci.yml", "```yaml\non: push\n```\n");
    repo.answer("build/out.py", "```python\nimport os\n\nprint(os.sep)\n```\n");
    for lld in ["docs/5.md", "docs/6.md"] {
        // -y is about sending, and covers neither.
        let ran = repo.implement(&[lld, "-y"]);
        ran.refused_at_once(1).says("--allow protected:").says("ignoring 'allow: protected' from .git-implement.toml");
    }
    assert!(repo.asked().is_empty());
    repo.implement(&["docs/5.md", "--allow", "protected:.github/workflows/ci.yml"]).published("implement/5");
    repo.implement(&["docs/6.md", "--allow", "protected"]).published("implement/6");
}

#[test]
fn what_instructs_is_asked_for_by_name_on_a_terminal() {
    let repo = repo();
    repo.write("docs/5.md", design("| `CLAUDE.md` | Add | Orders |"));
    repo.answer("CLAUDE.md", "```markdown\n# Orders\n\nBe kind to whoever reads this.\n```\n");
    let provider = repo.provider();
    let run = |typed: &str| {
        at_terminal(repo.process(&["--provider", "command", "--command", &provider, "-y", "docs/5.md"]), typed)
    };
    let (status, seen) = run("n\n");
    assert_eq!(status, Some(1), "{seen}");
    assert!(
        seen.contains("'CLAUDE.md' instructs coding agents") && seen.contains("Let a model write 'CLAUDE.md'? [y/N]")
    );
    assert!(repo.asked().is_empty(), "{seen}");
    let (status, seen) = run("y\n");
    assert_eq!(status, Some(0), "{seen}");
    let runs = repo.git(&["for-each-ref", "--format=%(refname:lstrip=3)", "refs/implement/runs"]);
    let allowed = serde_json::json!([{"what": "protected:CLAUDE.md", "by": "your answer before the run"}]);
    assert_eq!(record(&repo, &runs)["allow"], allowed);
}

/// A provider that is somewhere else, and is not there: what comes after the agreement ends with status 2.
fn elsewhere() -> Repo {
    let mut repo = repo();
    repo.set("ANTHROPIC_API_KEY", "not-a-key");
    repo.set("ANTHROPIC_BASE_URL", "https://nobody.invalid");
    repo.set("GIT_IMPLEMENT_MAX_TRIES", "1");
    repo
}

const NOBODY: &str = "nobody has agreed to send this repository's source to anthropic at https://nobody.invalid";

#[test]
fn without_a_terminal_nothing_is_sent_that_nobody_agreed_to() {
    let repo = elsewhere();
    repo.run(&["docs/3.md"]).refused_at_once(128).says(NOBODY).says("hint: give -y");
    repo.run(&["docs/3.md", "-y"]).refused(2).says("cannot reach anthropic");
    // Recorded replies and this machine need nobody's word.
    repo.run(&["docs/3.md", "--base-url", "http://127.0.0.1:9", "--provider", "anthropic"]).refused(2);
    let none = repo.place("home");
    repo.run(&["docs/3.md", "--replay", none.to_str().unwrap()]).refused(2).says("no recorded reply");
}

#[test]
fn a_command_is_agreed_to_by_the_option_and_by_nothing_weaker() {
    let mut repo = repo();
    repo.implement(&["docs/3.md"]).published("implement/3");
    let provider = repo.provider();
    repo.set("GIT_IMPLEMENT_COMMAND", &provider);
    repo.run(&["docs/3.md", "-b", "two"]).refused_at_once(128).says("nobody has agreed");
    repo.run(&["docs/3.md", "-b", "two", "-y"]).published("two");
}

#[test]
fn an_agreement_is_remembered_for_the_repository_and_the_place_and_is_kept_where_only_the_person_writes() {
    let mut repo = elsewhere();
    let (status, seen) = at_terminal(repo.process(&["docs/3.md"]), "n\n");
    assert_eq!(status, Some(1), "{seen}");
    assert!(seen.contains("asks anthropic at https://nobody.invalid") && seen.contains("Send them? [y/N]"), "{seen}");
    repo.run(&["docs/3.md"]).refused_at_once(128);
    let (status, seen) = at_terminal(repo.process(&["docs/3.md"]), "y\n");
    assert_eq!(status, Some(2), "{seen}");
    assert!(repo.place("home/.config/git-implement/agreed").is_dir());
    repo.run(&["docs/3.md"]).refused(2).says("cannot reach");
    repo.set("ANTHROPIC_BASE_URL", "https://somebody.invalid");
    repo.run(&["docs/3.md"]).refused_at_once(128);
}

#[test]
fn an_agreement_that_lies_in_the_repository_counts_for_nothing() {
    let repo = elsewhere();
    write(&repo.git_dir().join("implement/agreed"), "anthropic at https://nobody.invalid\n");
    let output = repo.process(&["docs/3.md"]).output().unwrap();
    assert_eq!(output.status.code(), Some(128));
    assert!(String::from_utf8_lossy(&output.stderr).contains(NOBODY));
}

#[test]
fn no_folder_of_somebody_else_is_emptied_through_a_link() {
    for link in ["implement", "implement/failed"] {
        let repo = repo();
        let theirs = repo.place("theirs");
        for number in 0..30 {
            write(&theirs.join(format!("{number}/lock")), "mine");
        }
        let place = repo.git_dir().join(link);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink(&theirs, &place).unwrap();
        repo.answer("src/a.py", "No.\n");
        let provider = repo.provider();
        let output = repo.process(&["--command", &provider, "docs/3.md"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(128), "{said}");
        assert!(said.contains(&format!("{link}': it is a symbolic link")), "{said}");
        assert!(repo.asked().is_empty(), "it is known before anybody is paid");
        assert_eq!(fs::read_dir(&theirs).unwrap().count(), 30, "{link}");
    }
}

#[test]
fn a_script_that_a_hook_runs_and_the_design_changes_is_said_before_the_run() {
    let repo = Repo::of(&[("scripts/lint.sh", "#!/bin/sh\ntrue\n"), ("src/a.py", "A = 1\n")]);
    repo.write("docs/5.md", design("| `scripts/lint.sh` | Modify | Faster |\n| `src/a.py` | Modify | Other |"));
    repo.answer("scripts/lint.sh", "```sh\n#!/bin/sh\nset -e\ntrue\n```\n");
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.hook("pre-commit", "exec sh ./scripts/lint.sh");
    let warning = "warning: docs/5.md:7: your hook 'pre-commit' names 'scripts/lint.sh': it would run what the model \
                   writes there, unread\nhint: ";
    let plan = repo.run(&["plan", "docs/5.md"]);
    plan.changed_nothing().says(warning);
    assert!(!plan.err.contains("names 'src/a.py'"), "{plan}");
    repo.implement(&["docs/5.md"]).says(warning).published("implement/5");
    let ran = repo.implement(&["docs/5.md", "-b", "unhooked", "--no-verify"]);
    ran.published("unhooked");
    assert!(!ran.err.contains("your hook"), "{ran}");
}
