//! Any program as a provider: what it is given, and what becomes of it.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::asking::{ask, ask_until, open, request};
use git_implement::model::{StopReason, Usage};
use git_implement::process::Interrupt;
use git_implement::provider::{ErrorKind, ProviderError, Settings};

/// A provider that runs a shell script, with an environment like a person's in the middle of a git hook.
fn script(text: &str) -> Settings {
    let mut environment: Vec<(OsString, OsString)> = vec![("PATH".into(), std::env::var_os("PATH").unwrap())];
    for (name, value) in [
        ("HOME", "/nowhere"),
        ("ANTHROPIC_API_KEY", "sk-ant-command-secret"),
        ("GIT_DIR", "/repo/.git"),
        ("GIT_INDEX_FILE", "/repo/.git/index.lock"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.hooksPath"),
        ("GIT_CONFIG_VALUE_0", "/x"),
        ("GIT_IMPLEMENT_MODEL", "gpt"),
        ("GIT_AUTHOR_NAME", "A U Thor"),
    ] {
        environment.push((name.into(), value.into()));
    }
    let command = shell_words::join(["sh", "-c", text]);
    let environment = environment.into_iter().collect();
    Settings { command: Some(command), environment, ..Settings::new("command") }
}

#[test]
fn the_prompt_comes_on_standard_input_and_the_reply_is_standard_output() {
    let provider = open(script("cat; printf 'é🦀\\r\\n'; echo noise >&2"));
    let (result, told) = ask(&*provider, &request("Write a.py.\n", 64));
    let completion = result.unwrap();
    assert_eq!(completion.text, "You write files.\n\nWrite a.py.\né🦀\r\n");
    assert_eq!(told.text, completion.text);
    assert_eq!(completion.stop, StopReason::EndTurn);
    // It says nothing of what it used: this is an estimate by the length of the texts.
    assert_eq!(completion.usage, Usage { input: 9, output: 11, ..Usage::default() });
    assert_eq!((provider.name(), provider.model()), ("command", "sh"));
}

#[test]
fn a_reply_in_many_pieces_is_estimated_as_if_it_had_come_at_once() {
    let pieces = "for piece in 1 2 3 4 5 6 7 8 9 10 11 12; do printf abc; sleep 0.02; done";
    let estimated = |text| ask(&*open(script(text)), &request("Write a.py.\n", 64)).0.unwrap().usage;
    assert_eq!(estimated(pieces), estimated("printf abcabcabcabcabcabcabcabcabcabcabcabc"));
}

#[test]
fn the_program_gets_the_users_environment_without_gits_and_a_few_names_of_ours() {
    let completion = ask(&*open(script("env")), &request("x", 64)).0.unwrap();
    let mut names: Vec<_> = completion.text.lines().filter(|line| line.starts_with("GIT")).collect();
    names.sort();
    assert_eq!(
        names,
        [
            "GIT_AUTHOR_NAME=A U Thor",
            "GIT_IMPLEMENT_ATTEMPT=2",
            "GIT_IMPLEMENT_FORMAT=whole",
            "GIT_IMPLEMENT_PATH=src/a.py",
            "GIT_IMPLEMENT_ROLE=implementer",
            "GIT_IMPLEMENT_ROUND=1"
        ]
    );
    assert!(completion.text.contains("ANTHROPIC_API_KEY=sk-ant-command-secret\n"), "the program may need it");
    assert!(completion.text.contains("HOME=/nowhere\n"));
    assert!(!completion.text.contains("CARGO_MANIFEST_DIR"), "the environment is the given one, not the process's");
}

#[test]
fn the_program_runs_in_an_empty_folder_that_is_gone_afterwards() {
    let completion = ask(&*open(script("pwd; ls -A; echo trace > file")), &request("x", 64)).0.unwrap();
    let dir = completion.text.trim_end();
    assert!(!dir.contains('\n'), "not empty: {dir}");
    assert!(!Path::new(dir).exists());
}

#[test]
fn a_command_line_is_split_like_a_shells_and_given_to_none() {
    let python = r#"python3 -c 'import sys; print(sys.argv[1:])' "a b" $HOME '*' \; '$(touch x)'"#;
    let settings = Settings { command: Some(python.into()), ..script("") };
    let completion = ask(&*open(settings), &request("x", 64)).0.unwrap();
    assert_eq!(completion.text, "['a b', '$HOME', '*', ';', '$(touch x)']\n");
}

#[test]
fn a_relative_program_is_the_one_under_the_current_folder() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = dir.path().join("agent.sh");
    std::fs::write(&program, "#!/bin/sh\necho here\n").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let relative = program.strip_prefix(std::env::current_dir().unwrap()).unwrap();
    let settings = Settings { command: Some(format!("./{}", relative.display())), ..script("") };
    assert_eq!(ask(&*open(settings), &request("x", 64)).0.unwrap().text, "here\n");
}

#[test]
fn big_prompts_and_big_replies_pass_through_at_the_same_time() {
    let task = "0123456789abcdef\n".repeat(400_000);
    let provider = open(script("tee /dev/stderr"));
    let completion = ask(&*provider, &request(&task, 64)).0.unwrap();
    assert_eq!(completion.text.len(), task.len() + "You write files.\n\n".len());
    assert!(completion.text.ends_with(&task));
}

#[test]
fn a_program_that_does_not_read_its_prompt_is_fine() {
    let task = "x".repeat(4 << 20);
    assert_eq!(ask(&*open(script("exec <&-; echo ok")), &request(&task, 64)).0.unwrap().text, "ok\n");
}

#[test]
fn a_failure_is_told_with_the_last_lines_of_standard_error_made_harmless() {
    let text = "echo part; for i in 1 2 3 4 5 6 7 8 9 10 11; do echo line $i >&2; done; \
                printf 'key \\033[31m%s\\n' $ANTHROPIC_API_KEY >&2; exit 7";
    let error = ask(&*open(script(text)), &request("x", 64)).0.unwrap_err();
    assert_eq!(error.to_string(), "provider command 'sh' failed with status 7");
    assert_eq!(error.kind(), ErrorKind::CommandFailed);
    let hints = error.hints();
    assert_eq!(hints.len(), 10);
    assert_eq!((hints[0].as_str(), hints[9].as_str()), ("it said: line 3", "it said: key ?[31m***"));
    assert!(!format!("{error:?}").contains("command-secret"));
}

#[test]
fn a_program_that_is_not_there_or_is_killed_or_writes_no_text_is_a_failure() {
    let said = |settings| ask(&*open(settings), &request("x", 64)).0.unwrap_err().to_string();
    let missing = Settings { command: Some("no-such-program-here -p".into()), ..script("") };
    let message = said(missing);
    assert!(
        message.starts_with("provider command 'no-such-program-here' cannot be started: No such file"),
        "{message}"
    );
    assert_eq!(said(script("kill -9 $$")), "provider command 'sh' was killed by signal 9");
    assert_eq!(said(script("printf '\\377\\376'")), "provider command 'sh' gave a reply that is not UTF-8");
}

/// Runs the script, which writes the id of a grandchild to `pids`, and sees that it is gone afterwards.
fn nothing_is_left_of(settings: Settings, pids: &Path, interrupt: &Interrupt) -> ProviderError {
    let error = ask_until(&*open(settings), &request("x", 64), interrupt).0.unwrap_err();
    assert!(is_gone(pids));
    error
}

/// Is the process gone whose id is in the file? A killed one takes a moment to die on a busy machine.
fn is_gone(pids: &Path) -> bool {
    let pid = std::fs::read_to_string(pids).unwrap();
    let gone = || {
        // One whose parent is gone stays a zombie until it is reaped by another.
        if Path::new("/proc/self/stat").exists() {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
            return stat.is_empty() || stat.contains(") Z ");
        }
        let ps = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
        let stat = String::from_utf8(ps.stdout).unwrap();
        stat.trim().is_empty() || stat.trim().starts_with('Z')
    };
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        gone()
    })
}

#[test]
fn an_interruption_kills_the_program_and_all_that_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    let settings = script(&format!(
        "trap '' TERM; sleep 600 & echo $! > {}.new; mv {0}.new {0}; wait; wait; sleep 600",
        pids.display()
    ));
    let interrupt = Interrupt::default();
    let (stop, ready) = (interrupt.clone(), pids.clone());
    std::thread::spawn(move || {
        while !ready.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        stop.set();
    });
    assert_eq!(nothing_is_left_of(settings, &pids, &interrupt), ProviderError::Interrupted);
}

#[test]
fn a_program_that_says_nothing_for_too_long_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    let settings = script(&format!("sleep 600 & echo $! > {}; echo thinking >&2; wait", pids.display()));
    let settings = Settings { command_idle_timeout: Duration::from_secs(2), ..settings };
    let error = nothing_is_left_of(settings, &pids, &Interrupt::default());
    assert_eq!(error.to_string(), "provider command 'sh' said nothing for 2 s");
    assert_eq!(error.hints(), ["it said: thinking"]);
}

#[test]
fn a_program_that_never_stops_talking_is_stopped_after_the_time_for_one_try() {
    let settings =
        Settings { reply_timeout: Duration::from_secs(1), ..script("while :; do echo thinking >&2; sleep 0.05; done") };
    let error = ask(&*open(settings), &request("x", 64)).0.unwrap_err();
    assert_eq!(error.to_string(), "provider command 'sh' has not ended within 1 s");
}

#[test]
fn a_process_that_has_left_the_programs_session_is_killed_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    let stray = format!(
        "setsid sh -c 'echo $$ >{0}.new; mv {0}.new {0}; exec sleep 600' >/dev/null 2>&1 & while [ ! -e {0} ]; do sleep 0.01; done",
        pids.display()
    );
    assert_eq!(ask(&*open(script(&format!("{stray}; echo done"))), &request("x", 64)).0.unwrap().text, "done\n");
    assert!(is_gone(&pids));
}

#[test]
fn a_reply_is_whole_when_the_output_has_ended_and_a_process_that_is_left_behind_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    // Only standard error stays open.
    let text = format!("sleep 600 > /dev/null & echo $! > {}; echo done", pids.display());
    assert_eq!(ask(&*open(script(&text)), &request("x", 64)).0.unwrap().text, "done\n");
    assert!(is_gone(&pids));
    // The program ends first, what it started says the rest.
    let text = "(sleep 1; echo rest) & echo first";
    assert_eq!(ask(&*open(script(text)), &request("x", 64)).0.unwrap().text, "first\nrest\n");
}

#[test]
fn a_reply_that_may_not_be_whole_because_its_pipe_stays_open_is_a_failure() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    let settings = script(&format!("sleep 600 & echo $! > {}; echo done", pids.display()));
    let error = nothing_is_left_of(settings, &pids, &Interrupt::default());
    let expected = "provider command 'sh' has ended, but something that it started keeps its output open";
    assert_eq!(error.to_string(), expected);
}
