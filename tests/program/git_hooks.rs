//! The user's hooks and signature: they run where they should, on what is committed, and nobody goes round them.

use crate::git_world::*;
use git_implement::exit::ExitCode;
use git_implement::git::{GitError, Signing};
use git_implement::process::Interrupt;

fn hook_refused(error: &GitError) -> (&str, &str) {
    match error {
        GitError::Hook { name, output } => (name, output),
        other => panic!("{other:?}"),
    }
}

#[test]
fn hooks_see_each_commit_as_it_will_be_in_a_tree_of_its_own() {
    let world = World::new();
    world.hook(
        "repo/.git/hooks/pre-commit",
        "{ pwd; git rev-parse HEAD; git diff --cached --name-only; git diff --name-only; cat src/new.py; ls docs;
           env | grep -E '^GIT_(WORK_TREE|INDEX_FILE|LITERAL_PATHSPECS)=' || true; } >>\"$LOG\"",
    );
    world.hook("repo/.git/hooks/commit-msg", "echo \"message: $(head -n 1 \"$1\")\" >>\"$LOG\"");
    publishes_with(&world, "repo", &[Do::Write("src/new.py", TEXT), Do::Delete("src/a.py")], &How::default());
    let place = world.path("repo/.git/implement").join(RUN).join("worktree").display().to_string();
    let (first, second) = ("implement/7~2", "implement/7~1");
    let head = |what: &str| world.git("repo", &["rev-parse", what]);
    assert_eq!(
        world.log(),
        format!(
            "{place}\n{}\nsrc/new.py\n{TEXT}lld.md\nmessage: Subject\n{place}\n{}\nsrc/a.py\n{TEXT}lld.md\nmessage: Subject\n",
            head(first),
            head(second)
        )
    );
}

#[test]
fn a_hook_that_refuses_is_quoted_and_nothing_is_left() {
    for event in ["pre-commit", "commit-msg"] {
        let world = World::new();
        world.hook(&format!("repo/.git/hooks/{event}"), "printf 'no: \\033[31mbad\\033[0m style\\n' >&2; exit 3");
        let error = refuses(&world, "repo", &How::default());
        assert_eq!(hook_refused(&error), (event, "no: bad style"));
        assert_eq!(error.exit_code(), ExitCode::Refused);
    }
}

#[test]
fn what_a_hook_makes_of_a_planned_file_is_committed_whatever_it_stages_and_however_it_ends() {
    for end in ["", "git add src/a.py", "exit 1", "git add src/a.py; exit 1"] {
        let world = World::new();
        let format =
            format!("grep -q formatted src/a.py && exit 0; echo '# formatted' >>src/a.py; echo x >untracked; {end}");
        world.hook("repo/.git/hooks/pre-commit", &format);
        let commit = publishes(&world, "repo");
        let text = world.git("repo", &["show", &format!("{commit}:src/a.py")]);
        assert_eq!(text, format!("{TEXT}# formatted"), "{end}");
        assert_eq!(world.git("repo", &["diff", "--name-only", "HEAD", &commit.to_string()]), "src/a.py\nsrc/new.py");
        world.sound("repo");
    }
}

#[test]
fn a_hook_that_changes_anything_else_is_refused_with_its_words() {
    let others = [
        ("echo x >>README.md; echo why >&2", "README.md"),
        ("echo x >more.py; git add more.py; echo why", "more.py"),
        ("rm README.md; echo why", "README.md"),
        ("rm src/a.py; git add -u; echo why", "src/a.py"),
        ("ln -sf ../README.md src/a.py; git add -u; echo why; exit 1", "src/a.py"),
    ];
    for (script, path) in others {
        let world = World::new();
        world.hook("repo/.git/hooks/pre-commit", script);
        let error = refuses(&world, "repo", &How::default());
        let expected =
            GitError::HookChanged { name: "pre-commit".into(), paths: vec![path.into()], output: "why".into() };
        assert_eq!(error, expected, "{script}");
        assert_eq!(error.exit_code(), ExitCode::Refused);
    }
}

#[test]
fn a_commit_msg_hook_may_edit_the_message_but_not_empty_it() {
    let world = World::new();
    world.hook("repo/.git/hooks/commit-msg", "echo 'Change-Id: I1' >>\"$1\"");
    let commit = publishes(&world, "repo");
    let message = world.git("repo", &["log", "-1", "--format=%B", &commit.to_string()]);
    assert_eq!(message, "Subject\n\nImplement-Run: x\nChange-Id: I1");
    let world = World::new();
    world.hook("repo/.git/hooks/commit-msg", ": >\"$1\"");
    assert_eq!(hook_refused(&refuses(&world, "repo", &How::default())).0, "commit-msg");
}

#[test]
fn no_verify_skips_both_hooks() {
    let world = World::new();
    for event in ["pre-commit", "commit-msg"] {
        world.hook(&format!("repo/.git/hooks/{event}"), "exit 1");
    }
    publishes_with(&world, "repo", CHANGES, &How { no_verify: true, ..How::default() });
}

#[test]
fn a_relative_hooks_path_means_the_users_tree_and_never_a_hook_that_the_run_wrote() {
    let world = World::new();
    world.git("repo", &["config", "core.hooksPath", "hooks"]);
    world.hook("repo/hooks/pre-commit", "echo mine >>\"$LOG\"");
    let evil = "#!/bin/sh\nset -eu\necho evil >>\"$LOG\"\nexport X=1\ntouch \"$HOME/pwned\"\nexit 1\n";
    publishes_with(
        &world,
        "repo",
        &[Do::Write("hooks/pre-commit", evil), Do::Write("src/new.py", TEXT)],
        &How::default(),
    );
    assert_eq!(world.log(), "mine\nmine\n");
    assert!(!world.path("pwned").exists());
}

#[test]
fn an_empty_hooks_path_or_one_on_the_command_line_is_honoured() {
    let mut world = World::new();
    world.hook("repo/.git/hooks/pre-commit", "exit 1");
    world.set("GIT_CONFIG_COUNT", "1");
    world.set("GIT_CONFIG_KEY_0", "core.hooksPath");
    world.set("GIT_CONFIG_VALUE_0", "/dev/null");
    publishes(&world, "repo");
}

#[test]
fn files_of_a_sparse_checkout_are_there_for_hooks() {
    let world = World::new();
    world.git("repo", &["sparse-checkout", "set", "--cone", "docs"]);
    world.hook("repo/.git/hooks/pre-commit", "test -f src/pkg/b.py");
    publishes(&world, "repo");
}

#[test]
fn a_hook_that_waits_for_the_terminal_is_not_waited_for() {
    let world = World::new();
    // What the terminal sends to the group of a process that reads from it in the background.
    world.hook("repo/.git/hooks/pre-commit", "kill -TTIN 0; echo went on >>\"$LOG\"");
    let error = refuses(&world, "repo", &How::default());
    assert!(error.to_string().contains("waits for the terminal"), "{error}");
}

#[test]
fn an_interrupt_stops_a_hook_and_leaves_nothing() {
    let world = World::new();
    let interrupt = Interrupt::default();
    world.hook("repo/.git/hooks/pre-commit", "echo $$ >>\"$LOG\"; sleep 60");
    let stop = interrupt.clone();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !world.log().ends_with('\n') {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            stop.set();
        });
        let error = refuses(&world, "repo", &How { interrupt: interrupt.clone(), ..How::default() });
        assert_eq!((error.exit_code(), error), (ExitCode::Interrupted, GitError::Interrupted));
    });
}

#[test]
fn a_reference_transaction_hook_can_veto_branch_and_record_together() {
    let world = World::new();
    let veto = "[ \"$1\" = prepared ] && grep -q refs/heads/implement && exit 1; exit 0";
    world.hook("repo/.git/hooks/reference-transaction", veto);
    let error = refuses(&world, "repo", &How::default());
    assert_eq!(hook_refused(&error).0, "reference-transaction");
}

fn ssh_key(world: &World) {
    let key = world.path("id");
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f"])
        .arg(&key)
        .status()
        .expect("ssh-keygen is needed for this test: install OpenSSH's client");
    assert!(made.success());
    let public = std::fs::read_to_string(world.path("id.pub")).unwrap();
    world.write("allowed", format!("author@example.com {public}"));
    for (name, value) in [
        ("gpg.format", "ssh"),
        ("user.signingKey", world.path("id.pub").to_str().unwrap()),
        ("gpg.ssh.allowedSignersFile", world.path("allowed").to_str().unwrap()),
    ] {
        world.git("repo", &["config", name, value]);
    }
}

#[test]
fn commits_are_signed_when_configured_or_asked_for_and_only_then() {
    let world = World::new();
    ssh_key(&world);
    let signed = |commit: &str| world.git("repo", &["log", "-1", "--format=%G?", commit]);
    let with = |branch: &'static str, signing: Signing| How { branch, signing, ..How::default() };
    let forget = || world.git("repo", &["update-ref", "-d", &format!("refs/implement/runs/{RUN}")]);
    publishes_with(&world, "repo", CHANGES, &with("implement/plain", Signing::Configured));
    assert_eq!(signed("implement/plain"), "N");
    forget();
    publishes_with(&world, "repo", CHANGES, &with("implement/asked", Signing::Yes(None)));
    assert_eq!((signed("implement/asked"), signed("implement/asked~1")), ("G".into(), "G".into()));
    world.sound("repo");
    forget();
    world.git("repo", &["config", "commit.gpgSign", "true"]);
    publishes_with(&world, "repo", CHANGES, &with("implement/configured", Signing::Configured));
    assert_eq!(signed("implement/configured"), "G");
    let author = world.git("repo", &["log", "-1", "--format=%an <%ae> %ad", "--date=raw", "implement/configured"]);
    assert_eq!(author, "A U Thor <author@example.com> 1700000000 +0100");
    forget();
    publishes_with(&world, "repo", CHANGES, &with("implement/not", Signing::No));
    assert_eq!(signed("implement/not"), "N");
}

#[test]
fn a_signature_that_cannot_be_made_refuses_the_run() {
    let world = World::new();
    for (name, value) in [("gpg.format", "ssh"), ("user.signingKey", "/nowhere/key.pub"), ("commit.gpgSign", "true")] {
        world.git("repo", &["config", name, value]);
    }
    assert!(matches!(refuses(&world, "repo", &How::default()), GitError::Signing { .. }));
    // A program that says nothing and succeeds makes no signature.
    world.hook("signer", "cat >/dev/null");
    world.git("repo", &["config", "gpg.format", "openpgp"]);
    world.git("repo", &["config", "gpg.program", world.path("signer").to_str().unwrap()]);
    assert!(matches!(refuses(&world, "repo", &How::default()), GitError::Signing { .. }));
}

#[test]
fn messages_are_utf8_whatever_encoding_is_configured() {
    let world = World::new();
    ssh_key(&world);
    world.git("repo", &["config", "i18n.commitEncoding", "ISO-8859-1"]);
    for signing in [Signing::No, Signing::Yes(None)] {
        let branch = if signing == Signing::No { "implement/a" } else { "implement/b" };
        world.hook("repo/.git/hooks/commit-msg", "printf 'Gr\\303\\266\\303\\237e\\n' >\"$1\"");
        publishes_with(&world, "repo", CHANGES, &How { branch, signing, ..How::default() });
        world.git("repo", &["update-ref", "-d", &format!("refs/implement/runs/{RUN}")]);
        let raw = world.git("repo", &["cat-file", "commit", branch]);
        assert!(raw.ends_with("\n\nGröße") && !raw.contains("\nencoding "), "{raw}");
    }
}
