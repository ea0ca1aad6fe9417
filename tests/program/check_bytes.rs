//! Files whose bytes are no plain text, or look like what a CI obeys: nothing of them is passed over without a word.

use crate::repo::Repo;
use serde_json::Value;

fn repo() -> Repo {
    Repo::of(&[("README.md", "# Read me\n")])
}

/// The findings of `check --json` with these options: severity, id and path of each, and the exit status.
#[track_caller]
fn found(repo: &Repo, options: &[&str]) -> (Vec<String>, Option<i32>) {
    let ran = repo.run(&[&["check", "--json"], options].concat());
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or("-").to_owned();
    let findings = report["findings"].as_array().unwrap().iter();
    let line = |it: &Value| format!("{} {} {}", text(it, "severity"), text(it, "id"), text(it, "path"));
    (findings.map(line).collect(), ran.status)
}

/// Put together here, so that no scanner takes this file for one that has lost a secret.
fn token() -> String {
    ["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
}

#[test]
fn one_nul_byte_hides_nothing_of_a_source_file() {
    let repo = repo();
    repo.write("a.py", format!("KEY = '{}'\nx = '\u{202e}'\n# \0\n", token()));
    repo.git(&["add", "--all"]);
    let (findings, status) = found(&repo, &[]);
    assert_eq!(findings, ["error bidi a.py", "error secret a.py", "warning syntax-python a.py"]);
    assert_eq!(status, Some(1));
}

#[test]
fn what_could_not_be_judged_of_source_is_said_and_is_an_error_where_that_is_asked_for() {
    let repo = repo();
    repo.write("a.py", "x = 1\n\0\n");
    repo.write("old.py", b"# caf\xe9\nx = 1\n");
    repo.write("bin/run", "#!/bin/sh\necho \0\n");
    repo.write("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    repo.git(&["add", "--all"]);
    let unjudged = |severity: &str| {
        ["syntax-python a.py", "secret bin/run", "syntax-python old.py"].map(|it| format!("{severity} {it}")).to_vec()
    };
    assert_eq!(found(&repo, &[]), (unjudged("warning"), Some(0)));
    assert_eq!(found(&repo, &["--strict"]), (unjudged("error"), Some(1)));
    // What the base was like is nobody's doing now.
    repo.commit("as they are");
    repo.write("old.py", b"# caf\xe9\nx = 2\n");
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &["--strict"]), (vec![], Some(0)));
}

#[test]
fn a_first_line_like_a_pointers_hides_nothing_and_a_pointer_is_left_alone() {
    let repo = repo();
    let head = "version https://git-lfs.github.com/spec/v1\n";
    repo.write("a.py", format!("{head}KEY = '{}'\n", token()));
    repo.write("large.py", format!("{head}oid sha256:{}\nsize 12345\n", "0123456789abcdef".repeat(4)));
    repo.git(&["add", "--all"]);
    let findings = found(&repo, &[]).0;
    assert!(findings.contains(&"error secret a.py".to_owned()), "{findings:?}");
    assert!(!findings.iter().any(|it| it.ends_with("large.py")), "{findings:?}");
}

#[test]
fn a_stray_byte_does_not_hide_what_reorders_code() {
    let repo = repo();
    repo.write("a.js", [b"// \xff\n".as_slice(), "const a = '\u{202e}';\n".as_bytes()].concat());
    repo.git(&["add", "--all"]);
    assert_eq!(found(&repo, &[]).0, ["error bidi a.js", "warning syntax-javascript a.js"]);
}

#[test]
fn what_a_file_is_called_is_no_command_to_a_ci() {
    let repo = repo();
    for name in ["::set-output name=a::b.py", "##vso[task.complete].py", "##[error]x.py"] {
        repo.write(name, "def f(\n# ##[group]\n");
    }
    repo.git(&["add", "--all"]);
    for options in [&["check"][..], &["check", "--json"], &["check", "--sarif"], &["check", "--color=always"]] {
        let ran = repo.run(options);
        assert_eq!(ran.status, Some(1), "{ran}");
        for line in ran.out.lines().chain(ran.err.lines()) {
            assert!(!line.trim_start().starts_with("::"), "{line}");
            assert!(!line.contains("##[") && !line.contains("##vso["), "{line}");
        }
    }
    // In JSON it is the same text all the same.
    assert_eq!(found(&repo, &[]).0.len(), 3);
    assert!(found(&repo, &[]).0.contains(&"error syntax-python ##vso[task.complete].py".to_owned()));
}

#[test]
fn json_has_no_character_that_steers_a_terminal() {
    let repo = repo();
    repo.write("a\u{9b}2J\u{202e}.py", "def f(\n");
    repo.git(&["add", "--all"]);
    let ran = repo.run(&["check", "--json"]);
    assert!(ran.out.contains(r"a\u009b2J\u202e.py"), "{ran}");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["findings"][0]["path"], "a\u{9b}2J\u{202e}.py");
    let row = "| `src/a.py` | Add | x\u{9b}2J\u{202e}y |\n";
    repo.write(
        "1.md",
        format!("# 1 - T\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n{row}"),
    );
    let ran = repo.run(&["plan", "--json", "1.md"]);
    assert!(ran.out.contains(r"x\u009b2J\u202ey") && !ran.out.contains(['\u{9b}', '\u{202e}']), "{ran}");
}

/// oxc tries what may be an arrow function, and again within it: for each level twice as long.
#[cfg(all(feature = "javascript", target_os = "linux"))]
#[test]
fn a_parser_that_does_not_come_back_is_left_alone_after_a_few_files_and_takes_no_more_memory() {
    let repo = repo();
    for number in 0..40 {
        repo.write(&format!("a{number}.js"), format!("x = {}\n", "(a=(".repeat(3000)));
    }
    repo.write("b.py", "def f(\n");
    repo.git(&["add", "--all"]);
    let ran = repo.run(&["check"]);
    assert_eq!(ran.status, Some(1), "{ran}");
    let waited = ran.out.matches("the parser for javascript took more than").count();
    let given_up = ran.out.matches("the parser for javascript did not come back from 3 other texts").count();
    assert_eq!(waited + given_up, 40, "{ran}");
    // As many threads as there are cores may be at it when the third is given up.
    assert!((3..=2 + std::thread::available_parallelism().unwrap().get()).contains(&waited), "{ran}");
    assert!(ran.out.contains("'b.py' does not parse"), "{ran}");
    // Kilobytes, of the largest process that any test here has started.
    let peak = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    assert!(peak < 1 << 20, "{peak} kB");
}

#[test]
fn very_many_findings_of_one_gate_are_capped_and_counted() {
    let repo = repo();
    repo.write("a.py", "# ... existing code ...\n".repeat(2_000));
    repo.git(&["add", "--all"]);
    let ran = repo.run(&["check"]);
    assert!(ran.out.contains("'a.py' has 1990 more of this [omission]"), "{ran}");
    assert_eq!(ran.err, "11 warnings in 1 file\n");
}
