//! What the repository's file would run, and the person's word that it may.

use crate::repo::Repo;
use crate::typed::at_terminal;
use serde_json::Value;

const FILE: &str = "lsp-server = [\"rust-analyzer\"]\nprovider = \"openai\"\n\n[[verify]]\ncommand = \"cargo fmt\"\nwhen = \"file\"\n\
                    paths = [\"*.rs\"]\nfixes = true\n\n[[verify]]\ncommand = \"make test\"\nnetwork = true\n";

fn repo() -> Repo {
    Repo::of(&[(".git-implement.toml", FILE)])
}

/// What `doctor` says of the commands.
fn commands(repo: &Repo) -> String {
    let ended = repo.change(&["doctor", "--json"]);
    let found: Value = serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {ended}"));
    let rows = found["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == "commands").unwrap_or_else(|| panic!("{ended}"));
    format!("{}: {}", row["state"].as_str().unwrap(), row["detail"].as_str().unwrap())
}

#[test]
fn all_that_the_file_would_run_is_shown_and_approved_until_the_file_changes() {
    let repo = repo();
    let ignored = "warning: ignoring what '.git-implement.toml' would run: 'rust-analyzer', 'cargo fmt', 'make test'";
    assert_eq!(commands(&repo), ignored);
    let ended = repo.change(&["trust"]);
    assert_eq!(ended.status, Some(128), "{ended}");
    assert_eq!(
        ended.out,
        "'.git-implement.toml' would\n  \
           start  rust-analyzer  though it runs code of the repository\n  \
           set    openai         as 'provider'\n  \
           run    cargo fmt      after each file, if *.rs is planned, may change planned files\n  \
           run    make test      before anything is published, WITH THE NETWORK\n"
    );
    assert!(ended.err.contains("nobody is here to approve '.git-implement.toml'"), "{ended}");
    assert_eq!(commands(&repo), ignored, "nobody has approved it");

    let (status, seen) = at_terminal(repo.process(&["trust"]), "n\n");
    assert_eq!(status, Some(1), "{seen}");
    assert_eq!(commands(&repo), ignored, "a no is a no");
    let (status, seen) = at_terminal(repo.process(&["trust"]), "y\n");
    assert_eq!(status, Some(0), "{seen}");
    assert!(seen.contains("Approve this, until the file changes? [y/N]"), "{seen}");
    assert_eq!(commands(&repo), "ok: 'cargo fmt', 'make test'");
    assert!(repo.change(&["trust"]).err.contains("it is approved, as it is"));

    // A check runs no command, and does not speak of them at every commit.
    repo.write(".git-implement.toml", format!("{FILE}# changed"));
    assert!(!repo.change(&["check", "--cached"]).err.contains("would run"));
    // One byte more, and it is another file.
    repo.write(".git-implement.toml", format!("{FILE}#"));
    assert_eq!(commands(&repo), ignored);
    repo.write(".git-implement.toml", FILE);
    assert_eq!(commands(&repo), "ok: 'cargo fmt', 'make test'");
}

#[test]
fn an_approval_is_listed_and_taken_back_and_is_of_this_repository_alone() {
    let repo = repo();
    assert_eq!(repo.change(&["trust", "--list"]).out, "nothing is approved\n");
    let ended = repo.change(&["trust", "--yes"]);
    assert_eq!((ended.status, ended.err.as_str()), (Some(0), "approved '.git-implement.toml', as it is\n"), "{ended}");
    let listed = repo.change(&["trust", "--list"]).out;
    assert!(listed.ends_with(": the file as it is\n") && listed.len() > 64, "{listed}");
    let other = repo.place("other");
    repo.git(&["clone", "--quiet", ".", other.to_str().unwrap()]);
    let mut process = repo.process(&["doctor"]);
    let seen = String::from_utf8(process.current_dir(&other).output().unwrap().stdout).unwrap();
    assert!(seen.contains("ignoring what '.git-implement.toml' would run"), "{seen}");

    let ended = repo.change(&["trust", "--revoke"]);
    assert_eq!((ended.status, ended.err.as_str()), (Some(0), "took back 1 approval\n"), "{ended}");
    assert!(commands(&repo).starts_with("warning: ignoring"));
    assert_eq!(repo.change(&["trust", "--list"]).out, "nothing is approved\n");
}

#[test]
fn programs_get_what_is_asked_for_as_json_and_are_asked_nothing() {
    let repo = repo();
    let ended = repo.change(&["trust", "--json"]);
    assert_eq!(ended.status, Some(1), "{ended}");
    let told: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&told["schema"], &told["approved"]), (&1.into(), &false.into()));
    let keys: Vec<&str> = told["asks"].as_array().unwrap().iter().map(|asked| asked["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["lsp-server", "provider", "verify", "verify"]);
    assert_eq!(told["asks"][2]["command"], serde_json::json!(["cargo", "fmt"]));
    assert_eq!((&told["asks"][2]["when"], &told["asks"][2]["fixes"]), (&"file".into(), &true.into()));
    let ended = repo.change(&["trust", "--json", "--yes"]);
    assert_eq!(ended.status, Some(0), "{ended}");
    assert_eq!(serde_json::from_str::<Value>(&ended.out).unwrap()["approved"], true);
}

#[test]
fn there_is_nothing_to_approve_where_nothing_runs_and_a_broken_file_is_never_approved() {
    let repo = Repo::of(&[("a", "")]);
    let ended = repo.change(&["trust", "--yes"]);
    assert_eq!(ended.err, "'.git-implement.toml' is not there: there is nothing to approve\n", "{ended}");
    repo.write(".git-implement.toml", "max-files = 3\n");
    let ended = repo.change(&["trust", "--yes"]);
    assert_eq!(ended.err, "'.git-implement.toml' runs nothing: there is nothing to approve\n", "{ended}");
    repo.write(".git-implement.toml", "[[verify]]\ncomand = \"x\"\n");
    let ended = repo.change(&["trust", "--yes"]);
    assert_eq!(ended.status, Some(128), "{ended}");
    assert!(ended.err.contains("did you mean 'command'?"), "{ended}");
    assert_eq!(repo.change(&["trust", "--list"]).status, Some(128));
}
