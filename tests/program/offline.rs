//! What needs no network: in a network namespace that has none, every verb that asks nobody says what it says elsewhere.

use crate::repo::{Ended, Repo};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::process::Command;

const VERBS: &[&[&str]] = &[
    &["plan", "docs/lld/12.md"],
    &["plan", "--json", "docs/lld/12.md"],
    &["-n", "docs/lld/12.md"],
    &["check", "HEAD"],
    &["check"],
    &["hook", "status"],
];

/// The option with which `unshare` makes a network namespace here: with a user namespace, else as root.
fn namespace() -> &'static str {
    let mut said = String::new();
    for option in ["-rn", "-n"] {
        match Command::new("unshare").args([option, "true"]).output() {
            Ok(output) if output.status.success() => return option,
            Ok(output) => said += &String::from_utf8_lossy(&output.stderr),
            Err(error) => said += &format!("{error}\n"),
        }
    }
    panic!("this test needs a network namespace, and neither 'unshare -rn' nor 'unshare -n' makes one here: {said}");
}

fn offline(repo: &Repo, program: &str, arguments: &[&str]) -> Ended {
    Ended::of(repo.command("unshare").args([namespace(), program]).args(arguments))
}

#[test]
fn what_asks_nobody_says_the_same_without_a_network_and_calls_nobody_with_one() {
    let mut repo = Repo::fixture("e2e/web");
    let interfaces = offline(&repo, "cat", &["/proc/self/net/dev"]).out;
    assert!(interfaces.lines().skip(2).all(|line| line.trim_start().starts_with("lo:")), "{interfaces}");
    // Everybody who could be asked is at one address.
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let place = format!("http://{}", server.local_addr().unwrap());
    for name in ["ANTHROPIC_BASE_URL", "OLLAMA_HOST", "OPENAI_BASE_URL", "OTEL_EXPORTER_OTLP_ENDPOINT"] {
        repo.set(name, &place);
    }
    for key in [None, Some("ANTHROPIC_API_KEY"), Some("OPENAI_API_KEY")] {
        if let Some(name) = key {
            repo.set(name, "sk-made-up-for-this-test");
        }
        for verb in VERBS {
            let here = Ended::of(&mut repo.process(verb));
            let there = offline(&repo, env!("CARGO_BIN_EXE_git-implement"), verb);
            assert!(here.status.is_some_and(|status| status < 2), "{verb:?} {here}");
            assert_eq!((there.status, &there.out, &there.err), (here.status, &here.out, &here.err), "{verb:?}");
        }
    }
    let called = server.accept().map(|(_, who)| who).map_err(|error| error.kind());
    assert_eq!(called, Err(ErrorKind::WouldBlock), "somebody was called");
}
