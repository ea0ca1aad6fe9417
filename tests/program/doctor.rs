//! What `doctor` says of a machine and a repository, and that it only looks.

use crate::repo::{Ended, Repo, without_programs};
use serde_json::Value;

fn rows(repo: &Repo) -> Vec<(String, String, String)> {
    rows_of(&repo.run(&["doctor", "--json"]).out)
}

fn rows_of(told: &str) -> Vec<(String, String, String)> {
    let told: Value = serde_json::from_str(told).unwrap_or_else(|error| panic!("{error}: {told}"));
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
    assert!(rows(&repo).iter().any(|row| row.2 == "'touch ran'"), "the person's own is said, too");
    std::fs::remove_file(repo.dir.join(".git-implement.toml")).unwrap();
    assert_eq!(row(&repo, "commands"), "ok: 'touch ran'");
    repo.set("GIT_IMPLEMENT_NO_EXEC", "true");
    assert_eq!(row(&repo, "commands"), "ok: none may run, by GIT_IMPLEMENT_NO_EXEC");
    assert!(!repo.dir.join("ran").exists(), "it only looks");
}

#[test]
fn what_is_broken_is_said_and_the_rest_all_the_same() {
    let repo = Repo::of(&[("a", "")]);
    let all = ["git", "repository", "provider", "commands", "servers", "sandbox"];
    let has = |rows: &[(String, String, String)], names: &[&str]| {
        let missing: Vec<&&str> = names.iter().filter(|name| rows.iter().all(|row| row.0 != **name)).collect();
        assert!(missing.is_empty(), "no {missing:?} in {rows:?}");
    };
    repo.write(".git-implement.toml", "not = [toml\n");
    let found = rows(&repo);
    assert!(found.iter().any(|row| row.0 == "configuration" && row.1 == "missing"), "{found:?}");
    has(&found, &all);
    std::fs::remove_file(repo.dir.join(".git-implement.toml")).unwrap();
    repo.git(&["config", "implement.verify", "touch ran"]);
    let ignored = "warning: ignoring 'verify' from git config (local): the repository may not say which program runs";
    assert!(row(&repo, "configuration").starts_with(ignored), "{}", row(&repo, "configuration"));
    assert!(row(&repo, "commands").starts_with("ok: none"));
    repo.git(&["config", "--unset", "implement.verify"]);
    let config = repo.dir.join(".git/config");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}[broken\n")).unwrap();
    let found = rows_of(&Ended::of(&mut repo.process(&["doctor", "--json"])).out);
    assert!(found.iter().any(|row| row.1 == "missing" && row.2.contains("bad config line")), "{found:?}");
    has(&found, &all);
    std::fs::write(&config, text).unwrap();
    let gone = repo.place("gone");
    std::fs::create_dir(&gone).unwrap();
    let line =
        format!("cd '{0}' && rmdir '{0}' && exec '{1}' doctor", gone.display(), env!("CARGO_BIN_EXE_git-implement"));
    let ended = Ended::of(repo.command("sh").args(["-c", &line]).stdout(std::process::Stdio::piped()));
    assert_eq!(ended.status, Some(1), "{ended}");
    assert!(ended.out.contains("repository     missing  cannot find the current directory: "), "{ended}");
    assert!(ended.out.contains("sandbox        ok"), "{ended}");
}

#[test]
fn a_command_that_cannot_run_is_named_with_the_setting_that_it_comes_from() {
    let mut repo = Repo::of(&[("a", "")]);
    repo.configure("implement.verify.unit.command", "no-such-program -q");
    let missing = "missing: cannot run 'no-such-program -q', from git config (command line): there is no 'no-such-program' on the PATH";
    assert_eq!(row(&repo, "commands"), missing);
    repo.set("GIT_IMPLEMENT_VERIFY", "true | false");
    let rows = rows(&repo);
    let shell = rows.iter().find(|row| row.2.contains("no shell reads it")).unwrap();
    assert!(shell.2.contains("from GIT_IMPLEMENT_VERIFY: ") && shell.2.contains("'|'"), "{shell:?}");
}

#[test]
fn a_server_that_lacks_something_is_not_called_ok() {
    let mut repo = Repo::of(&[("a", "")]);
    repo.set("GIT_IMPLEMENT_LSP", "report");
    crate::language_servers::install_as(&mut repo, "typescript-language-server", &[]);
    let path = format!("{}:/usr/bin:/bin", repo.place("servers").display());
    repo.set("PATH", path);
    let servers = row(&repo, "servers");
    assert!(
        servers.starts_with("warning: ")
            && servers.contains("typescript-language-server cannot be asked: no TypeScript"),
        "{servers}"
    );
}

#[test]
fn what_landlock_alone_does_not_hold_is_said() {
    let mut repo = Repo::of(&[("a", "")]);
    let without = repo.place("without");
    without_programs(&without, &["bwrap"]);
    repo.set("PATH", without.to_str().unwrap());
    let leaks = "warning: Landlock in namespaces, which cannot keep them from changing the mode (chmod)";
    assert!(row(&repo, "sandbox").starts_with(leaks), "{}", row(&repo, "sandbox"));
    without_programs(&without, &["unshare"]);
    assert!(row(&repo, "sandbox").starts_with("warning: Landlock and seccomp, which cannot keep them from changing"));
}
