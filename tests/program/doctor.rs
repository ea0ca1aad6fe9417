//! What `doctor` says of a machine and a repository, and that it only looks.

use crate::repo::{Ended, Repo};
use serde_json::Value;

fn rows(repo: &Repo) -> Vec<(String, String, String)> {
    let ended = repo.run(&["doctor", "--json"]);
    let told: Value = serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {ended}"));
    assert_eq!(told["schema"], 1);
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let row = |row: &Value| (text(row, "name"), text(row, "state"), text(row, "detail"));
    told["rows"].as_array().unwrap().iter().map(row).collect()
}

fn row(repo: &Repo, name: &str) -> String {
    let rows = rows(repo);
    let found = rows.iter().find(|row| row.0 == name).unwrap_or_else(|| panic!("no '{name}' in {rows:?}"));
    format!("{}: {}", found.1, found.2)
}

#[test]
fn each_thing_that_a_run_needs_has_a_row_with_its_state() {
    let repo = Repo::of(&[("a", "")]);
    let names: Vec<String> = rows(&repo).into_iter().map(|row| row.0).collect();
    assert_eq!(names, ["git", "repository", "identity", "signing", "provider", "commands", "servers", "sandbox"]);
    assert!(row(&repo, "git").starts_with("ok: 2."));
    assert_eq!(row(&repo, "repository"), format!("ok: '{}'", repo.dir.display()));
    assert_eq!(row(&repo, "identity"), "ok: A U Thor <author@example.com>");
    assert_eq!(row(&repo, "signing"), "ok: off, as 'commit.gpgSign' says");
    assert_eq!(row(&repo, "sandbox"), "ok: bubblewrap");
    let ended = repo.run(&["doctor"]);
    assert_eq!(ended.status, Some(0), "{ended}");
    assert!(ended.out.contains("\nidentity       ok       A U Thor <author@example.com>\n"), "{ended}");
}

#[test]
fn what_is_missing_is_said_with_the_next_step_and_ends_with_1() {
    let repo = Repo::of(&[("a", "")]);
    repo.git(&["config", "--unset", "user.email"]);
    repo.git(&["config", "user.useConfigOnly", "true"]);
    repo.git(&["config", "commit.gpgSign", "true"]);
    repo.git(&["config", "gpg.program", "no-such-program"]);
    let ended = repo.run(&["doctor"]);
    assert_eq!(ended.status, Some(1), "{ended}");
    assert!(ended.out.contains("signing        missing  there is no 'no-such-program'\n"), "{ended}");
    assert!(ended.out.contains("identity       missing  "), "{ended}");
    let hints: Vec<&str> = ended.out.lines().filter(|line| line.trim_start().starts_with("hint: ")).collect();
    assert!(hints.len() >= 2 && hints.iter().any(|hint| hint.contains("git config user.email")), "{ended}");

    let nowhere = Repo::nowhere();
    std::fs::create_dir(&nowhere.dir).unwrap();
    let ended = Ended::of(&mut nowhere.process(&["doctor"]));
    assert_eq!(ended.status, Some(1), "{ended}");
    assert!(ended.out.contains("repository     missing  "), "{ended}");
    assert!(ended.out.contains("sandbox        ok"), "what does not depend on it is said all the same: {ended}");
}

#[test]
fn servers_that_run_code_of_the_repository_are_named_apart() {
    let mut repo = Repo::of(&[("a", "")]);
    assert!(row(&repo, "servers").starts_with("ok: nobody is asked, by "));
    repo.set("GIT_IMPLEMENT_LSP", "report");
    crate::language_servers::install(&mut repo, &[]);
    crate::language_servers::install_as(&mut repo, "rust-analyzer", &[]);
    let servers = row(&repo, "servers");
    assert!(servers.starts_with("ok: pyright"), "{servers}");
    assert!(servers.ends_with("since it runs code of the repository: rust-analyzer"), "{servers}");
}

#[test]
fn a_key_is_named_and_never_shown() {
    let mut repo = Repo::of(&[("a", "")]);
    assert!(row(&repo, "provider").starts_with("warning: none is set"));
    repo.set("ANTHROPIC_API_KEY", "not-for-everybody");
    assert_eq!(row(&repo, "provider"), "ok: anthropic, with the key in ANTHROPIC_API_KEY");
    for arguments in [&["doctor"][..], &["doctor", "--json"]] {
        let ended = repo.run(arguments);
        assert!(!ended.out.contains("not-for-everybody") && !ended.err.contains("not-for-everybody"), "{ended}");
    }
    repo.set("GIT_IMPLEMENT_COMMAND", "no-such-program -p");
    assert_eq!(row(&repo, "provider"), "missing: there is no 'no-such-program', from GIT_IMPLEMENT_COMMAND");
    repo.set("GIT_IMPLEMENT_COMMAND", "sh -c true");
    assert_eq!(row(&repo, "provider"), "ok: 'sh', from GIT_IMPLEMENT_COMMAND");
}

#[test]
fn it_says_what_kind_of_repository_it_is_and_what_is_wrong_with_its_settings() {
    let repo = Repo::of(&[("a", "")]);
    repo.git(&["config", "core.sparseCheckout", "true"]);
    assert!(row(&repo, "repository").ends_with("', sparse"));
    repo.write(".git-implement.toml", "max-file = 3\n");
    assert_eq!(row(&repo, "configuration"), "missing: unknown key 'max-file'");
    repo.write(".git-implement.toml", "[[verify]]\ncommand = \"touch ran\"\n");
    assert!(row(&repo, "commands").starts_with("warning: ignoring what"));
    let mut repo = repo;
    repo.set("GIT_IMPLEMENT_VERIFY", "touch ran");
    assert!(row(&repo, "commands").starts_with("warning: ignoring what"));
    std::fs::remove_file(repo.dir.join(".git-implement.toml")).unwrap();
    assert_eq!(row(&repo, "commands"), "ok: 'touch ran'");
    repo.set("GIT_IMPLEMENT_NO_EXEC", "true");
    assert_eq!(row(&repo, "commands"), "ok: none may run, by GIT_IMPLEMENT_NO_EXEC");
    assert!(!repo.dir.join("ran").exists(), "it only looks");
}
