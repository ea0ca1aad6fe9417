//! Configuration as git itself hands it over: real repositories, the real `git config`.

use git_implement::config::{Environment, GIT_CONFIG_ARGUMENTS, Origin, Scope, Sources};
use std::path::Path;
use std::process::{Command, Output};

fn git(home: &Path, repository: &Path, arguments: &[&str]) -> Output {
    let mut git = Command::new("git");
    git.arg("-C").arg(repository).args(arguments);
    for (name, _) in git_implement::config::read_environment().iter() {
        if name.to_str().is_some_and(|name| name.starts_with("GIT_")) {
            git.env_remove(name);
        }
    }
    git.env("HOME", home).env("XDG_CONFIG_HOME", home).env("GIT_CONFIG_SYSTEM", "/dev/null");
    git.env("GIT_CONFIG_GLOBAL", home.join("gitconfig")).output().expect("git is needed")
}

#[track_caller]
fn done(output: Output) -> Vec<u8> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn what_git_prints_for_its_scopes_becomes_settings_with_their_origins() {
    let home = tempfile::tempdir().unwrap();
    let repository = home.path().join("repository");
    done(git(home.path(), home.path(), &["init", "--quiet", "repository"]));
    let set = |arguments: &[&str]| done(git(home.path(), &repository, &[&["config"], arguments].concat()));
    set(&["--global", "implement.command", "claude -p 'two words'"]);
    set(&["--global", "implement.maxFiles", "10"]);
    set(&["--add", "implement.allow", "size"]);
    set(&["--add", "implement.allow", "short:src/a.py"]);
    set(&["implement.IDLETIMEOUT", "30s"]);
    set(&["implement.baseUrl", "https://elsewhere.example"]);
    std::fs::write(repository.join(".git-implement.toml"), "max-files = 20\nedit-lines = 100\n").unwrap();

    let asked = [&["-c", "implement.editLines=1", "-c", "implement.gpgSign"], GIT_CONFIG_ARGUMENTS].concat();
    let printed = done(git(home.path(), &repository, &asked));
    let sources = Sources::gather(Environment::default(), Some(&repository), &printed, Vec::new()).unwrap();
    let config = sources.resolve().unwrap();

    assert_eq!(config.command.unwrap().value, "claude -p 'two words'");
    assert_eq!(config.allow.values(), ["size", "short:src/a.py"]);
    assert_eq!(config.idle_timeout.value.as_secs(), 30);
    assert_eq!(config.idle_timeout.origin, Origin::Git(Scope::Local));
    assert_eq!((config.max_files.value, config.edit_lines.value), (20, 100), "the file beats git's configuration");
    assert_eq!(config.gpg_sign.unwrap().origin, Origin::Git(Scope::Command));
    assert!(config.base_url.is_none(), "local configuration is no protected configuration");
    assert_eq!(config.findings.iter().map(|finding| finding.id.as_ref()).collect::<Vec<_>>(), ["config-restricted"]);
}

#[test]
fn a_repository_without_any_of_our_keys_is_no_failure() {
    let home = tempfile::tempdir().unwrap();
    done(git(home.path(), home.path(), &["init", "--quiet"]));
    let output = git(home.path(), home.path(), GIT_CONFIG_ARGUMENTS);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(Sources::gather(Environment::default(), None, &output.stdout, Vec::new()).unwrap().resolve().is_ok());
}
