//! Where `git implement hook install` puts the hook, and where it writes nothing and says what to add: `core.hooksPath`,
//! programs that run hooks, git's configuration.

use crate::hooks::*;
use crate::repo::Repo;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

#[test]
fn a_hooks_path_among_the_projects_files_or_elsewhere_is_not_written_to() {
    for (path, words) in [("tools/hooks", "among the project's files"), ("../shared hooks", "outside this repository")]
    {
        let repo = repo();
        repo.git(&["config", "core.hooksPath", path]);
        repo.program(format!("{path}/pre-commit"), "#!/bin/sh\nmake check\n");
        let before = all(&repo.dir.parent().unwrap().join("repo"));
        let shared = all(&repo.dir.join(path));
        let said = install(&repo);
        said.is(1, &[words, "nothing was written", "add to '", "\ngit implement check --cached || exit\n"]);
        // The other one is not there yet.
        said.is(1, &["pre-merge-commit':\n\n#!/bin/sh\ngit implement check --cached || exit\n"]);
        assert_eq!(all(&repo.dir), before);
        assert_eq!(all(&repo.dir.join(path)), shared);
        hook(&repo, &["status"]).is(1, &[words, "is another hook"]);
        hook(&repo, &["uninstall"]).is(0, &["nothing is installed here"]);
        // With the lines in place there is nothing to do.
        for event in ["pre-commit", "pre-merge-commit"] {
            repo.program(format!("{path}/{event}"), "#!/bin/sh\ngit implement check --cached || exit\n");
        }
        install(&repo).is(0, &["run git implement already"]);
    }
}

#[test]
fn a_hooks_folder_that_is_a_link_to_the_projects_files_is_not_written_to() {
    let repo = repo();
    repo.write("tools/hooks/README", "hooks\n");
    fs::remove_dir_all(repo.dir.join(".git/hooks")).unwrap();
    symlink("../tools/hooks", repo.dir.join(".git/hooks")).unwrap();
    let before = all(&repo.dir);
    install(&repo).is(1, &["among the project's files"]);
    assert_eq!(all(&repo.dir), before);
}

#[test]
fn hooks_that_are_turned_off_stay_so() {
    for off in ["/dev/null", ""] {
        let repo = repo();
        repo.git(&["config", "core.hooksPath", off]);
        let before = all(&repo.dir);
        install(&repo).is(1, &["hooks are turned off here by 'core.hooksPath'"]);
        hook(&repo, &["status"]).is(1, &["hooks are turned off by 'core.hooksPath'"]);
        assert_eq!(all(&repo.dir), before);
    }
}

#[test]
fn a_hooks_path_inside_the_repositorys_own_folder_is_written_to() {
    let repo = repo();
    repo.git(&["config", "core.hooksPath", ".git/my hooks"]);
    let before = all(&repo.dir);
    install(&repo).is(0, &[".git/my hooks/pre-commit'"]);
    hook(&repo, &["uninstall"]).is(0, &[]);
    fs::remove_dir(repo.dir.join(".git/my hooks")).unwrap();
    assert_eq!(all(&repo.dir), before);
}

#[test]
fn programs_that_run_hooks_get_their_lines() {
    let cases = [
        (".pre-commit-config.yaml", "repos: []\n", 0, "        entry: git implement check --cached\n"),
        ("prek.toml", "repos = []\n", 0, "entry = \"git implement check --cached\"\n"),
        (".husky/README", "", 1, "add to '.husky/pre-merge-commit':\n\ngit implement check --cached\n"),
        ("lefthook.yml", "# none\n", 1, "pre-merge-commit:\n  commands:\n"),
        (".config/lefthook.yaml", "# none\n", 1, "add to '.config/lefthook.yaml':\n"),
    ];
    for (file, text, status, line) in cases {
        let repo = repo();
        repo.write(file, text);
        let before = all(&repo.dir);
        install(&repo).is(status, &[line]);
        // Where the program would take our hook's place, it is not put there.
        assert_eq!(all(&repo.dir) == before, status == 1, "{file}");
        hook(&repo, &["status"]).is(status, &["does not have the lines"]);
    }
}

#[test]
fn a_program_that_runs_us_already_is_all_it_takes() {
    let repo = repo();
    repo.write("lefthook.yml", "pre-commit:\n  commands:\n    x:\n      run: git-implement check --cached\n");
    install(&repo).is(0, &["lefthook runs git implement already"]);
    let said = hook(&repo, &["status"]);
    said.is(
        1,
        &["lefthook: 'lefthook.yml' has the lines", "pre-commit: not installed", "pre-merge-commit: not installed"],
    );
}

/// git as it is from 2.54 on, as far as it is asked: it lists hooks of the configuration.
const NEWER: &str = r#"#!/bin/sh
case " $* " in
*" hook list pre-commit "*)
    for option in "$@"; do
        case $option in
        hook.*.event=pre-commit) option=${option#hook.} && echo "${option%%.event=*}" ;;
        esac
    done
    exit 0 ;;
esac
exec "$REAL" "$@"
"#;

fn with_newer_git(repo: &mut Repo) {
    let real = Said::of(repo.command("sh").args(["-c", "command -v git"])).text;
    repo.set("REAL", real.trim());
    fs::create_dir(repo.place("newer")).unwrap();
    repo.program(repo.place("newer/git"), NEWER);
    repo.set("PATH", format!("{}:{}", repo.place("newer").display(), repo.variables["PATH"]));
}

#[test]
fn a_git_that_runs_hooks_from_its_configuration_gets_it_there() {
    let mut repo = repo();
    with_newer_git(&mut repo);
    // Wherever hook files are, and whoever takes their place.
    repo.write("lefthook.yml", "# none\n");
    repo.git(&["config", "core.hooksPath", "tools/hooks"]);
    let before = all(&repo.dir);
    hook(&repo, &["install"])
        .is(0, &["installed in git's configuration, as hook.git-implement", "add to 'lefthook.yml'"]);
    let installed = all(&repo.dir);
    hook(&repo, &["install"]).is(0, &["already installed in git's configuration"]);
    assert_eq!(all(&repo.dir), installed);
    hook(&repo, &["status"]).is(0, &["pre-commit: hook.git-implement in git's configuration runs"]);
    let get = |key: &str| repo.git(&["config", "--get-all", key]);
    assert_eq!(get("hook.git-implement.event"), "pre-commit\npre-merge-commit");

    // As git runs it.
    let command = get("hook.git-implement.command");
    let run = |home: &Path| {
        let words = ["-c", &command, &command];
        Said::of(repo.command("sh").args(words).env("HOME", home).stdin(Stdio::null()))
    };
    let gone = command.replace(env!("CARGO_BIN_EXE_git-implement"), "/nowhere/git-implement");
    assert_ne!(gone, command);
    Said::of(repo.command("sh").args(["-c", &gone])).is(1, &["error: cannot find the program", "hint: install it"]);
    assert_ne!(run(&repo.place("home")).status, Some(127));

    hook(&repo, &["install", "--no-config"]).is(1, &["hint: take it away first"]);
    hook(&repo, &["uninstall"]).is(0, &["took hook.git-implement out of git's configuration"]);
    assert_eq!(all(&repo.dir), before);
}

#[test]
fn a_hook_in_the_configuration_that_was_edited_or_turned_off_is_told_from_ours() {
    let mut repo = repo();
    with_newer_git(&mut repo);
    hook(&repo, &["install"]).is(0, &[]);
    repo.git(&["config", "hook.git-implement.enabled", "false"]);
    hook(&repo, &["status"]).is(1, &["is turned off: hook.git-implement.enabled is false"]);
    hook(&repo, &["install"]).is(0, &["installed in git's configuration"]);
    hook(&repo, &["status"]).is(0, &[]);
    repo.git(&["config", "hook.pre-commit.enabled", "false"]);
    hook(&repo, &["status"]).is(1, &["is turned off: hook.pre-commit.enabled is false"]);
    repo.git(&["config", "--unset", "hook.pre-commit.enabled"]);
    repo.git(&["config", "hook.git-implement.command", "my-own-check"]);
    let before = all(&repo.dir);
    for verb in ["install", "uninstall"] {
        hook(&repo, &[verb]).is(1, &["was edited, or is somebody else's", "hint: take it away yourself"]);
    }
    assert_eq!(all(&repo.dir), before);
}

#[test]
fn a_hook_in_the_configuration_that_this_git_does_not_run_is_no_hook() {
    let mut newer = repo();
    let path = newer.variables["PATH"].clone();
    with_newer_git(&mut newer);
    hook(&newer, &["install", "--config"]).is(0, &[]);
    newer.set("PATH", path);
    if !runs_configured_hooks(&newer) {
        hook(&newer, &["status"]).is(1, &["does not run: this git runs none from there"]);
        hook(&repo(), &["install", "--config"]).is(1, &["this git does not run hooks from its configuration"]);
    }
}

fn runs_configured_hooks(repo: &Repo) -> bool {
    let probe = ["-c", "hook.x.command=true", "-c", "hook.x.event=pre-commit", "hook", "list", "pre-commit"];
    Said::of(repo.command("git").args(probe)).text.contains('x')
}

#[test]
fn without_a_repository_or_a_verb_there_is_nothing_to_do() {
    let repo = repo();
    let outside = repo.place("home");
    Said::of(repo.process(&["hook", "status"]).current_dir(&outside)).is(128, &["fatal: not a git repository"]);
    for arguments in [&[][..], &["upgrade"], &["install", "x"]] {
        hook(&repo, arguments).is(129, &[]);
    }
}
