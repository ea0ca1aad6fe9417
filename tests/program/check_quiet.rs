//! `git implement check` that is told to be quiet: by comments, by globs of the configuration, by a baseline; and what it
//! mends by itself.

use crate::repo::{Ran, Repo};
use serde_json::Value;

const STUB: &str = "def load(path):\n    raise NotImplementedError\n";

fn allowed(id: &str) -> String {
    STUB.replace("    raise", &format!("    # git-implement: allow {id} -- a later commit\n    raise"))
}

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"))
}

/// The ids of what is shown, with their lines, and how many more were found.
#[track_caller]
fn found(repo: &Repo, arguments: &[&str]) -> (Vec<String>, u64) {
    let report = report(&repo.run(&[&["check", "--json"], arguments].concat()));
    let shown = report["findings"].as_array().unwrap().iter();
    let shown =
        shown.map(|it| format!("{} {}:{}", it["id"].as_str().unwrap(), it["path"].as_str().unwrap(), it["line"]));
    (shown.collect(), report["silenced"].as_u64().unwrap())
}

#[track_caller]
fn shows(ran: &Ran, text: &str) {
    assert!(ran.out.contains(text), "no '{text}' in\n{ran}");
}

fn none() -> Vec<String> {
    Vec::new()
}

/// Put together here, so that no scanner takes this file for one that has lost a secret.
fn token() -> String {
    ["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
}

#[test]
fn a_comment_permits_what_is_found_on_its_line_and_the_last_line_counts_it() {
    let repo = Repo::of(&[("README.md", "# Read me\n")]);
    repo.write("src/a.py", STUB);
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (vec!["stub src/a.py:2".into()], 0));
    shows(&repo.run(&["check"]), "'git-implement: allow stub' in a comment on the line permits it");
    repo.write("src/a.py", allowed("stub"));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (none(), 1));
    let ran = repo.run(&["check"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{ran}");
    assert_eq!(ran.err, "nothing found in 1 file (1 silenced by comments)\n");
    assert_eq!(repo.run(&["check", "--quiet"]).err, "");
    repo.commit("allowed");
    assert_eq!(found(&repo, &["HEAD"]), (none(), 1));
    assert_eq!(found(&repo, &["src/a.py"]), (none(), 1));
}

#[test]
fn a_comment_that_silences_nothing_is_a_warning_once() {
    let repo = Repo::of(&[("README.md", "# Read me\n")]);
    let idle = "# git-implement: allow stub, stubs, size\ndef load(path):\n    return open(path)\n";
    repo.write("src/a.py", idle);
    repo.git(&["add", "."]);
    let said = vec!["unused-allow src/a.py:1".to_owned(); 2];
    assert_eq!(found(&repo, &[]), (said.clone(), 0), "of a gate that only compares nothing is known");
    shows(&repo.run(&["check"]), "permits 'stub' in a comment, but there is nothing to permit");
    shows(&repo.run(&["check"]), "permits 'stubs' in a comment, but there is no such gate");
    repo.git(&["config", "implement.gates", "stub=off"]);
    assert_eq!(found(&repo, &[]).0.len(), 1, "the gate does not run");
    repo.git(&["config", "--unset", "implement.gates"]);
    repo.commit("idle");
    repo.write("src/a.py", format!("{idle}\n\ndef more():\n    return 2\n"));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (none(), 0), "it was as idle before");
    assert_eq!(found(&repo, &["src/a.py"]).0, said, "who names a file wants to know all");
}

#[test]
fn a_comment_is_in_use_where_the_base_excuses_what_it_permits() {
    let repo = Repo::of(&[("src/a.py", &allowed("stub"))]);
    repo.write("src/a.py", format!("{}\n\ndef more():\n    return 2\n", allowed("stub")));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (none(), 0));
    let written = allowed("stub").replace("raise NotImplementedError", "return path");
    repo.write("src/a.py", written);
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]).0, ["unused-allow src/a.py:2"], "this change has made it idle");
}

#[test]
fn what_is_pushed_does_not_permit_its_own_secrets() {
    let repo = Repo::of(&[("README.md", "# Read me\n")]);
    repo.write("src/a.py", format!("KEY = '{}'  # git-implement: allow secret\n", token()));
    repo.git(&["add", "."]);
    assert_eq!(found(&repo, &[]), (none(), 1));
    let pushed = repo.commit("a secret");
    let mut command = repo.process(&["check", "--json", "--stdin"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{pushed}\n").as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    let ids: Vec<&str> = report["findings"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!((ids, &report["silenced"]), (vec!["secret", "unused-allow"], &Value::from(0)));
    assert_eq!(out.status.code(), Some(1));
    repo.write("src/a.py", format!("# git-implement: allow-file secret\nKEY = '{}'\n", token()));
    assert_eq!(found(&repo, &["src/a.py"]), (vec!["secret src/a.py:2".into(), "unused-allow src/a.py:1".into()], 0));
}

#[test]
fn a_model_does_not_silence_what_is_said_of_its_own_text() {
    let base = "def load(path): raise NotImplementedError  # git-implement: allow stub\n";
    let repo = Repo::of(&[("src/a.py", "def one():\n    return 1\n"), ("src/b.py", base)]);
    let judge = |target: &str, text: &str| {
        repo.write("reply", format!("```python\n{text}```\n"));
        repo.run(&["apply", "--check", "--json", "--target", target, "reply"])
    };
    let ran = judge("src/a.py", &allowed("stub"));
    assert_eq!(ran.status, Some(1), "{ran}");
    shows(&ran, "permits 'stub' in a comment, but a model may not permit what it wrote");
    let ran = judge("src/b.py", &format!("{}\n\ndef more():\n    return 1\n", base.replace("path", "name")));
    assert_eq!(report(&ran)["findings"].as_array().unwrap().len(), 0, "{ran}");
}

#[test]
fn a_configuration_permits_by_globs_and_leaves_files_out() {
    let repo = Repo::of(&[("README.md", "# Read me\n")]);
    for path in ["src/a.py", "gen/unit/b.py", "vendor/c.py", "lib/vendor/d.py"] {
        repo.write(path, STUB);
    }
    repo.write("vendor/key.py", format!("KEY = '{}'\n", token()));
    let broken = "def f()\n    return 1\n";
    repo.write("vendor/broken.py", broken);
    repo.write(".git-implement.toml", "allow = [\"stub:gen/**\"]\nexclude = [\"vendor\"]\n");
    repo.git(&["add", "."]);
    let stub = |path: &str| format!("stub {path}:2");
    let left = vec![stub("src/a.py"), "secret vendor/key.py:1".into()];
    assert_eq!(found(&repo, &[]), (left.clone(), 1));
    assert_eq!(found(&repo, &["."]), (left, 1));
    assert!(repo.run(&["check"]).err.ends_with(" (1 silenced by configuration)\n"));
    let inside = report(&repo.run_in(&repo.dir.join("gen"), &["check", "--json", "unit"]));
    assert_eq!((inside["findings"].as_array().unwrap().len(), &inside["silenced"]), (0, &Value::from(1)));
    repo.write(".git-implement.toml", "allow = [\"secret:vendor/**\"]\nexclude = [\"vendor\"]\n");
    let ran = repo.run(&["check", "vendor"]);
    assert_eq!(ran.status, Some(1), "{ran}");
    ran.says("only you may permit that, not the repository");
    let asked = ["check", "--json", "--allow", "secret:vendor/*", "vendor"];
    assert_eq!(repo.run(&asked).status, Some(0));
    repo.write(".git-implement.toml", "exclude = [\"vendor/[\"]\n");
    let ran = repo.run(&["check"]);
    assert_eq!(ran.status, Some(128), "{ran}");
    ran.says("bad glob 'vendor/['");
}

#[test]
fn a_baseline_holds_what_was_there_before_wherever_its_lines_move() {
    let repo = Repo::of(&[("src/a.py", STUB), ("src/b.py", STUB), ("src/k.py", &format!("KEY = '{}'\n", token()))]);
    let baseline = ".git-implement-baseline.json";
    let write = |arguments: &[&str]| {
        let ran = repo.process(&[&["check", "--write-baseline"], arguments].concat()).output().unwrap();
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    let (status, said) = write(&[]);
    assert_eq!(status, Some(1), "a secret is not taken in\n{said}");
    assert!(said.contains(&format!("wrote 2 findings to '{baseline}'")), "{said}");
    let text = std::fs::read_to_string(repo.dir.join(baseline)).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains("\"stub\"")).count(), 2, "{text}");
    assert!(!text.contains("Error") && !text.contains("ghp"), "{text}");
    repo.write("src/a.py", format!("import os\n\n\n{STUB}"));
    assert_eq!(found(&repo, &["src/a.py"]), (vec!["stub src/a.py:5".into()], 0), "nobody names the baseline");
    assert_eq!(found(&repo, &["--baseline", baseline, "src/a.py"]), (none(), 1));
    repo.write(".git-implement.toml", format!("baseline = \"{baseline}\"\n"));
    assert_eq!(found(&repo, &["src"]), (vec!["secret src/k.py:1".into()], 2));
    let inside = report(&repo.run_in(&repo.dir.join("src"), &["check", "--json", "b.py"]));
    assert_eq!(inside["silenced"], 1);
    repo.write("src/b.py", format!("{STUB}\n\ndef save(path):\n    raise NotImplementedError\n"));
    assert_eq!(found(&repo, &["src/b.py"]), (vec!["stub src/b.py:6".into()], 1), "one more than there was");
    repo.write("src/b.py", "def load(path):\n    return open(path)\n");
    let ran = repo.run(&["check", "src/b.py"]);
    ran.says("1 finding of the baseline is gone");
    assert_eq!(ran.status, Some(0), "{ran}");
    assert_eq!(write(&["src/b.py"]).0, Some(0));
    let text = std::fs::read_to_string(repo.dir.join(baseline)).unwrap();
    assert!(text.contains("src/a.py") && !text.contains("src/b.py"), "what was not judged stays: {text}");
}

#[test]
fn a_baseline_of_the_repository_permits_neither_secrets_nor_a_model() {
    let repo = Repo::of(&[("src/k.py", &format!("KEY = '{}'\n", token())), ("src/a.py", "import os\n")]);
    let known = |id: &str, path: &str| format!("{{\"path\":\"{path}\",\"id\":\"{id}\",\"line\":\"\",\"count\":9}}");
    let entries = [known("secret", "src/k.py"), known("stub", "src/a.py")].join(",");
    repo.write("known.json", format!("{{\"schema\":1,\"findings\":[{entries}]}}"));
    repo.write(".git-implement.toml", "baseline = \"known.json\"\n");
    let ran = repo.run(&["check", "src"]);
    assert_eq!(ran.status, Some(1), "{ran}");
    ran.says("ignoring 9 entries of");
    repo.write("reply", format!("```python\n{STUB}```\n"));
    assert_eq!(repo.run(&["apply", "--check", "--target", "src/a.py", "reply"]).status, Some(1));
    for (text, why) in [("{}", "missing field"), ("{\"schema\":7,\"findings\":[]}", "its schema is 7")] {
        repo.write("known.json", text);
        let ran = repo.run(&["check", "src"]);
        assert_eq!(ran.status, Some(128), "{ran}");
        ran.says(why);
    }
    repo.write(".git-implement.toml", "baseline = \"../known.json\"\n");
    repo.run(&["check", "src"]).says("it is not a path of the repository");
}

#[test]
fn what_is_mechanical_is_mended_in_the_working_tree_and_shown() {
    let repo = Repo::of(&[("src/a.py", "x = 1\n")]);
    let fenced = "```python\nx = 2\n```\n";
    repo.write("src/a.py", fenced);
    let read = || std::fs::read_to_string(repo.dir.join("src/a.py")).unwrap();
    let fix = |arguments: &[&str]| {
        let ran = repo.process(&[&["check", "--fix"], arguments].concat()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (ran.status.code(), text(&ran.stdout), text(&ran.stderr))
    };
    shows(&repo.run(&["check", "src"]), "'git implement check --fix' may mend it");
    let (status, _, shown) = fix(&["--dry-run", "src"]);
    assert_eq!((status, read().as_str()), (Some(1), fenced), "{shown}");
    assert!(shown.contains("\n-```python\n x = 2\n-```\n"), "{shown}");
    assert_eq!(fix(&["src"]).0, Some(0));
    assert_eq!(read(), "x = 2\n");

    let hidden = "is\u{200b}Admin = 1\n";
    repo.write("src/a.py", hidden);
    repo.git(&["add", "."]);
    let (status, _, shown) = fix(&[]);
    assert_eq!((status, read().as_str()), (Some(1), "isAdmin = 1\n"), "what is staged stays\n{shown}");
    assert!(shown.contains("-is\\u{200b}Admin = 1\n+isAdmin = 1\n"), "{shown}");
    let (status, _, shown) = fix(&["--cached"]);
    assert_eq!(status, Some(1), "{shown}");
    assert!(shown.contains("cannot mend 'src/a.py': it does not match the index"), "{shown}");
    repo.write("src/a.py", hidden);
    assert_eq!(fix(&["--cached"]).0, Some(0));
    assert_eq!((repo.git(&["show", ":src/a.py"]).as_str(), read().as_str()), ("isAdmin = 1", "isAdmin = 1\n"));
    repo.commit("mended");
    assert_eq!(fix(&["HEAD"]).0, Some(129), "commits are not mended");
}
