//! Children: what ends them before their time, what is kept of their words, and what is left of them.

use git_implement::environment::Environment;
use git_implement::process::{ChildKind, Command, Ended, Failure, Heard, Interrupt, Limits, Stop};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longer than any of these tests may take.
const FOR_EVER: &str = "sleep 600";

fn sh(script: &str) -> Command {
    let environment: Environment = std::env::vars_os().filter(|(name, _)| name == "PATH").collect();
    Command::new(ChildKind::Other, &environment, "sh").args(["-c", script])
}

fn run(command: Command) -> Result<Ended, Failure> {
    command.run(&Interrupt::never())
}

/// Why it was stopped.
fn stopped(command: Command, interrupt: &Interrupt) -> Stop {
    command.run(interrupt).expect_err("it is stopped").why
}

/// Waits for a file that a script writes in one go.
fn read_when_there(path: &Path) -> String {
    loop {
        match std::fs::read_to_string(path) {
            Ok(text) if text.ends_with('\n') => return text,
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Is the process gone whose id is in the file, or about to be? A killed one takes a moment on a busy machine.
fn is_gone(pid: &Path) -> bool {
    let pid = read_when_there(pid);
    (0..400).any(|_| {
        std::thread::sleep(Duration::from_millis(25));
        let ps = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
        let state = String::from_utf8(ps.stdout).unwrap();
        state.trim().is_empty() || state.trim().starts_with('Z')
    })
}

#[test]
fn words_pass_in_both_directions_at_once_however_many() {
    let words = b"0123456789abcdef\n".repeat(200_000);
    let ended = run(sh("tee /dev/stderr").stdin(words.clone())).unwrap();
    assert!(ended.status.success() && ended.stdout == words);
    // Of complaints the end is kept.
    assert!(ended.stderr.len() <= 64 << 10 && words.ends_with(&ended.stderr) && !ended.stderr.is_empty());
}

#[test]
fn an_interruption_wakes_the_wait_and_ends_the_child_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let interrupt = Interrupt::default();
    let script = format!("{FOR_EVER} & echo $! >pid.new; mv pid.new pid; wait");
    std::thread::scope(|scope| {
        let child = scope.spawn(|| stopped(sh(&script).folder(folder.path()), &interrupt));
        read_when_there(&pid);
        interrupt.set();
        assert!(matches!(child.join().unwrap(), Stop::Interrupted));
    });
    assert!(is_gone(&pid));
    // What is interrupted already does not begin.
    let touched = folder.path().join("touched");
    assert!(matches!(stopped(sh(&format!(">'{}'", touched.display())), &interrupt), Stop::Interrupted));
    assert!(!touched.exists());
}

#[test]
fn a_child_that_ignores_being_asked_to_stop_is_made_to() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { total: Some(Duration::from_millis(300)), ..Limits::default() };
    let script = format!("trap '' TERM; echo $$ >pid; {FOR_EVER}");
    let why = stopped(sh(&script).folder(folder.path()).limits(limits), &Interrupt::never());
    assert!(matches!(why, Stop::Late(_)), "{why:?}");
    assert!(is_gone(&folder.path().join("pid")));
}

#[test]
fn silence_and_the_time_in_all_are_limits_of_their_own() {
    let limit = Duration::from_millis(600);
    let silent = Limits { silence: Some(limit), ..Limits::default() };
    let why = stopped(sh(&format!("echo a; {FOR_EVER}")).limits(silent), &Interrupt::never());
    assert!(matches!(why, Stop::Silent(said) if said == limit), "{why:?}");
    // Each word, on whichever pipe, ends the silence.
    let talks = "for i in 1 2 3 4 5 6 7 8; do sleep 0.1; echo $i >&2; done";
    assert!(run(sh(talks).limits(Limits { silence: Some(Duration::from_secs(20)), ..Limits::default() })).is_ok());
    let chatters = "while :; do echo word; sleep 0.05; done";
    let both = Limits { silence: Some(Duration::from_secs(60)), total: Some(limit), ..Limits::default() };
    let failure = run(sh(chatters).limits(both)).unwrap_err();
    assert!(matches!(failure.why, Stop::Late(said) if said == limit), "{:?}", failure.why);
}

#[test]
fn output_without_end_is_cut_off_and_the_child_with_it() {
    let most = Limits { output: 1 << 20, ..Limits::default() };
    let why = stopped(sh("while :; do echo word; done").limits(most), &Interrupt::never());
    assert!(matches!(why, Stop::TooMuch), "{why:?}");
}

#[test]
fn what_a_child_leaves_running_is_not_waited_for() {
    let began = Instant::now();
    let ended = run(sh(&format!("{FOR_EVER} & echo $!"))).unwrap();
    assert!(began.elapsed() < Duration::from_secs(300), "it was waited for");
    let left = String::from_utf8(ended.stdout).unwrap();
    assert!(std::process::Command::new("kill").arg(left.trim()).status().unwrap().success(), "and it is left running");
}

#[test]
fn nothing_outlives_a_child_that_runs_alone_in_a_folder_not_even_a_session_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let pid = place.path().join("pid");
    let begin = format!(
        "setsid sh -c 'echo $$ >\"{0}.new\"; mv \"{0}.new\" \"{0}\"; {FOR_EVER}' >/dev/null 2>&1 &",
        pid.display()
    );
    let await_it = format!("while [ ! -e '{}' ]; do sleep 0.01; done", pid.display());
    for (end, ended) in [("echo done", true), (FOR_EVER, false)] {
        let folder = tempfile::tempdir().unwrap();
        let interrupt = Interrupt::default();
        let child = sh(&format!("{begin} {await_it}; {end}")).alone_in(folder.path());
        let result = std::thread::scope(|scope| {
            let child = scope.spawn(|| child.run(&interrupt));
            read_when_there(&pid);
            if !ended {
                interrupt.set();
            }
            child.join().unwrap()
        });
        assert_eq!(result.is_ok(), ended, "{result:?}");
        assert!(is_gone(&pid), "{end}");
        std::fs::remove_file(&pid).unwrap();
    }
}

#[test]
fn a_conversation_whose_answer_nobody_reads_ends_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut talk = sh("echo $$ >pid; echo ready; read line; while :; do echo $line; done").folder(folder.path());
    let mut talk = talk.converse().unwrap();
    let mut ready = [0; 6];
    talk.answers().read_exact(&mut ready).unwrap();
    talk.say(b"word\n").unwrap();
    drop(talk);
    assert!(is_gone(&folder.path().join("pid")));
}

#[test]
fn the_last_words_of_a_conversation_are_what_it_said_on_standard_error() {
    let mut talk = sh("cat; echo farewell >&2").converse().unwrap();
    talk.say(b"hello\n").unwrap();
    let mut line = String::new();
    talk.answers().read_line(&mut line).unwrap();
    assert_eq!((line.as_str(), talk.end().1.as_slice()), ("hello\n", b"farewell\n".as_slice()));
    assert!(talk.say(b"more\n").is_err());
    assert_eq!(talk.answers().read_line(&mut line).unwrap(), 0);
}

#[test]
fn each_kind_of_child_gets_the_variables_that_are_its_own() {
    let names = [
        "ANTHROPIC_API_KEY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_AUTHOR_NAME",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_ICASE_PATHSPECS",
        "GIT_IMPLEMENT_MODEL",
        "GIT_INDEX_FILE",
        "HOME",
    ];
    let environment: Environment = names.iter().map(|name| (name.into(), "x".into())).collect();
    let gets = |kind: ChildKind| {
        let variables = kind.variables(&environment);
        names.into_iter().filter(|name| variables.get(name).is_some()).collect::<Vec<_>>()
    };
    let without = |less: &[&str]| names.into_iter().filter(|name| !less.contains(name)).collect::<Vec<_>>();
    let (key, ours) = ("ANTHROPIC_API_KEY", "GIT_IMPLEMENT_MODEL");
    assert_eq!(gets(ChildKind::Git), without(&[key, ours]));
    assert_eq!(gets(ChildKind::Repository), without(&[key, ours, "GIT_DIR", "GIT_ICASE_PATHSPECS", "GIT_INDEX_FILE"]));
    assert_eq!(gets(ChildKind::Scratch), without(&[key, ours, "GIT_DIR", "GIT_INDEX_FILE"]));
    let local = ["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG_PARAMETERS", "GIT_DIR", "GIT_INDEX_FILE"];
    assert_eq!(gets(ChildKind::Provider), without(&[&[ours], local.as_slice()].concat()));
    assert_eq!(gets(ChildKind::Other), without(&[&[key, ours], local.as_slice()].concat()));
}

fn in_seconds(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}

#[test]
fn in_a_dialogue_words_pass_in_both_directions_however_many() {
    let mut dialogue = sh("cat").dialogue().unwrap();
    let words = b"0123456789abcdef\n".repeat(200_000);
    dialogue.say(&words);
    assert!(dialogue.unsaid() > 0, "no pipe has room for all of it");
    let mut heard = Vec::new();
    while heard.len() < words.len() {
        assert_eq!(dialogue.hear(&mut heard, in_seconds(60), &Interrupt::never()), Heard::Words);
    }
    assert!(heard == words && dialogue.unsaid() == 0);
}

#[test]
fn a_dialogue_ends_after_the_last_words_of_the_child() {
    for script in
        ["echo a; echo b >&2; exit 3", "echo a; echo b >&2; exec 1>&-; sleep 600", "(sleep 600 &) ; echo a; echo b >&2"]
    {
        let mut dialogue = sh(script).dialogue().unwrap();
        let mut heard = Vec::new();
        while dialogue.hear(&mut heard, in_seconds(60), &Interrupt::never()) == Heard::Words {}
        assert_eq!(dialogue.hear(&mut heard, in_seconds(60), &Interrupt::never()), Heard::End, "{script}");
        assert_eq!((heard.as_slice(), dialogue.complaints()), (&b"a\n"[..], &b"b\n"[..]), "{script}");
    }
}

#[test]
fn in_a_dialogue_nobody_is_listened_to_longer_than_agreed() {
    for script in ["sleep 600", "yes", "yes >&2"] {
        let mut dialogue = sh(script).dialogue().unwrap();
        let (mut heard, deadline) = (Vec::new(), Instant::now() + Duration::from_millis(300));
        let ended = loop {
            heard.clear();
            match dialogue.hear(&mut heard, deadline, &Interrupt::never()) {
                Heard::Words => {}
                ended => break ended,
            }
        };
        assert_eq!(ended, Heard::Nothing, "{script}");
    }
}

#[test]
fn an_interruption_ends_a_dialogue_and_all_that_the_child_started_is_gone_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let interrupt = Interrupt::default();
    let script = format!("{FOR_EVER} & echo $! >pid.new; mv pid.new pid; wait");
    let mut dialogue = sh(&script).folder(folder.path()).dialogue().unwrap();
    std::thread::scope(|scope| {
        let heard = scope.spawn(|| dialogue.hear(&mut Vec::new(), in_seconds(600), &interrupt));
        read_when_there(&pid);
        interrupt.set();
        assert_eq!(heard.join().unwrap(), Heard::Interrupted);
    });
    drop(dialogue);
    assert!(is_gone(&pid));
}
