//! The user's hooks and signatures in a run.

use crate::repo::Repo;

const DESIGN: &str = "# 3 - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n| `src/b.py` | Add | Uses it |\n";

fn repo() -> Repo {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN), ("README.md", "# Read me\n")]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.answer("src/b.py", "```python\nfrom a import A\n\nprint(A)\n```\n");
    repo
}

/// What hooks wrote beside the repository.
fn log(repo: &Repo) -> String {
    std::fs::read_to_string(repo.place("hook.log")).unwrap_or_default()
}

fn to_log(repo: &Repo, what: &str) -> String {
    format!("{what} >>'{}'", repo.place("hook.log").display())
}

#[test]
fn a_pre_commit_hook_that_refuses_ends_the_run_and_its_words_are_shown() {
    let repo = repo();
    repo.hook("pre-commit", "if [ -f src/b.py ]; then printf 'no \\033[31mb.py\\033[0m here\\n' >&2; exit 1; fi");
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused(1).says("error: the pre-commit hook refused").says("no b.py here").says("hint: --no-verify skips");
    assert!(!ran.err.contains('\x1b'), "{ran}");
    assert_eq!(ran.failed.len(), 1);
}

#[test]
fn a_pre_commit_hook_sees_all_files_and_the_index_of_each_commit() {
    let repo = repo();
    repo.hook("pre-commit", &to_log(&repo, "{ git diff --cached --name-status; cat README.md src/a.py; }"));
    repo.implement(&["docs/3.md"]).published("implement/3");
    assert_eq!(log(&repo), "M\tsrc/a.py\n# Read me\nA = 2\nA\tsrc/b.py\n# Read me\nA = 2\n");
}

/// A hook that puts a line at the end of every staged Python file that has none, as formatters do, and ends so.
fn formatter(line: &str, end: &str) -> String {
    format!(
        "changed=0\n\
         for file in $(git diff --cached --name-only --diff-filter=AM -- '*.py'); do\n\
         grep -qF '{line}' \"$file\" && continue\n\
         echo '{line}' >>\"$file\"; changed=1; echo \"reformatted $file\" >&2\ndone\n\
         [ $changed = 0 ] || {{ {end}; }}"
    )
}

#[test]
fn a_formatter_in_a_pre_commit_hook_has_the_last_word_however_it_works() {
    // As pre-commit with black, a plain `black .`, lint-staged with prettier, and one that stages and still complains.
    for end in ["exit 1", ":", "git add -u", "git add -u; exit 1"] {
        for style in ["per-file", "per-task", "single"] {
            let repo = repo();
            repo.hook("pre-commit", &formatter("# formatted", end));
            let ran = repo.implement(&["docs/3.md", "--commit", style, "--json"]);
            let run = ran.published("implement/3");
            assert_eq!(repo.blob("implement/3", "src/a.py"), b"A = 2\n# formatted\n", "{end} {style}");
            assert_eq!(repo.blob("implement/3", "src/b.py"), b"from a import A\n\nprint(A)\n# formatted\n");
            let commits = if style == "single" { 1 } else { 2 };
            assert_eq!(repo.subjects("implement/3").len(), commits, "{end} {style}");
            // It says so, here and in the record, with the object that is the hook's.
            let expected = ["src/a.py", "src/b.py"].map(|path| {
                let blob = repo.git(&["rev-parse", &format!("implement/3:{path}")]);
                (path.to_owned(), "pre-commit".to_owned(), blob, 1)
            });
            let record = repo.blob(&format!("refs/implement/runs/{run}"), "events.jsonl");
            let lines = String::from_utf8(record).unwrap();
            let recorded = lines.lines().map(|line| serde_json::from_str(line).unwrap());
            for events in [ran.events(), recorded.collect::<Vec<serde_json::Value>>()] {
                let changed = events.iter().filter(|event| event["event"] == "hook-changed");
                let said = changed.map(|event| {
                    let text = |name: &str| event[name].as_str().unwrap().to_owned();
                    (text("path"), text("hook"), text("blob"), event["stat"]["added"].as_u64().unwrap())
                });
                assert_eq!(said.collect::<Vec<_>>(), expected, "{end} {style}");
                let last = events.iter().find(|event| event["event"] == "run-finished").unwrap();
                assert_eq!(last["stat"]["added"], 6, "{last}");
            }
            repo.sound();
        }
    }
}

#[test]
fn what_a_formatter_leaves_alone_is_committed_as_the_model_wrote_it() {
    let repo = repo();
    repo.hook("pre-commit", "touch src/a.py README.md; mkdir -p .cache; echo x >.cache/x");
    repo.implement(&["docs/3.md"]).published("implement/3");
    assert_eq!(repo.blob("implement/3", "src/a.py"), b"A = 2\n");
    assert!(!repo.files("implement/3").contains_key(".cache/x"));
}

#[test]
fn what_a_hook_makes_of_a_file_must_pass_the_gates() {
    let repo = repo();
    repo.hook("pre-commit", &formatter("def (", "exit 1"));
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused(1).says("error: what the pre-commit hook made of 'src/a.py' is refused: syntax-python");
    ran.says("src/a.py:2").says("hint: --no-verify skips the hook");
}

#[test]
fn a_hook_that_changes_its_own_work_again_or_somebody_elses_is_refused() {
    let repo = repo();
    repo.hook("pre-commit", "echo '# again' >>src/a.py; exit 1");
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused(1).says("error: the pre-commit hook changes its own work when it runs again: 'src/a.py'");
    repo.hook("pre-commit", "echo more >>README.md; echo 'I did it' >&2");
    let ran = repo.implement(&["docs/3.md"]);
    ran.refused(1).says("error: the pre-commit hook changed what is not planned: 'README.md'\n    | I did it\n");
}

#[test]
fn a_hook_that_formats_and_then_refuses_is_quoted_line_by_line() {
    let repo = repo();
    let check = "; grep -q 'A = 2' src/a.py || exit 0; printf 'src/a.py:1: E1\\tbad\\a\\n\\n2 errors\\n' >&2; exit 1";
    repo.hook("pre-commit", &(formatter("# formatted", ":") + check));
    let ran = repo.implement(&["docs/3.md"]);
    let expected = "error: the pre-commit hook refused:\n    | src/a.py:1: E1\\u{9}bad\n    | \n    | 2 errors\n";
    ran.refused(1).says(expected);
    assert!(!ran.err.contains("\\u{a}"), "{ran}");
}

#[test]
fn a_commit_msg_hook_may_edit_the_message_or_refuse_it() {
    let repo = repo();
    repo.hook("commit-msg", "{ printf 'PROJ-7: '; cat \"$1\"; } >\"$1.new\" && mv \"$1.new\" \"$1\"");
    repo.implement(&["docs/3.md"]).published("implement/3");
    assert_eq!(repo.subjects("implement/3"), ["PROJ-7: Modify src/a.py", "PROJ-7: Add src/b.py"]);
    let trailers = repo.git(&["log", "-1", "--format=%(trailers:key=Implement-Run)", "implement/3"]);
    assert!(trailers.starts_with("Implement-Run: "), "{trailers}");
    repo.hook("commit-msg", "grep -q Reviewed-by \"$1\" || { echo 'who has reviewed it?'; exit 1; }");
    let ran = repo.implement(&["docs/3.md", "-b", "x"]);
    ran.refused(1).says("error: the commit-msg hook refused").says("who has reviewed it?");
}

#[test]
fn no_verify_skips_the_hooks_and_the_record_says_so() {
    let repo = repo();
    for hook in ["pre-commit", "commit-msg"] {
        repo.hook(hook, "exit 1");
    }
    repo.implement(&["docs/3.md"]).refused(1);
    let run = repo.implement(&["docs/3.md", "--no-verify"]).published("implement/3");
    let record = repo.blob(&format!("refs/implement/runs/{run}"), "run.json");
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(record["no_verify"], true);
}

#[test]
fn the_reference_transaction_hook_is_asked_last_and_may_refuse() {
    let repo = repo();
    let guarded =
        "grep -q refs/heads/implement/ && [ \"$1\" = prepared ] && { echo 'frozen today' >&2; exit 1; }; exit 0";
    repo.hook("reference-transaction", guarded);
    let ran = repo.implement(&["docs/3.md"]);
    assert!(matches!(ran.status, Some(1)), "{ran}");
    assert!(ran.refs.is_empty(), "{ran}");
    ran.says("reference-transaction hook refused");
}

#[test]
fn no_hook_sees_a_key_and_none_the_callers_repository() {
    let mut repo = repo();
    repo.set("ANTHROPIC_API_KEY", "unmistakable-anthropic");
    repo.set("OPENAI_API_KEY", "unmistakable-openai");
    repo.set("GIT_IMPLEMENT_FORMAT", "whole");
    for hook in ["pre-commit", "commit-msg", "reference-transaction"] {
        repo.hook(hook, &to_log(&repo, &format!("{{ echo {hook}; env; }}")));
    }
    repo.implement(&["docs/3.md"]).published("implement/3");
    let log = log(&repo);
    for hook in ["pre-commit", "commit-msg", "reference-transaction"] {
        assert!(log.lines().any(|line| line == hook), "{hook} ran");
    }
    assert!(!log.contains("unmistakable") && !log.contains("GIT_IMPLEMENT_"), "{log}");
    let provider = std::fs::read_to_string(repo.place("asked/environment")).unwrap();
    assert!(provider.contains("ANTHROPIC_API_KEY=unmistakable-anthropic"), "the program may be a client that needs it");
}

/// Signs with a key of its own, which git is told to trust.
fn signing(repo: &Repo) {
    let key = repo.place("key");
    let key = key.to_str().unwrap();
    let made = repo
        .command("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "author@example.com", "-f", key])
        .status();
    assert!(made.expect("install 'ssh-keygen'").success());
    let public = std::fs::read_to_string(format!("{key}.pub")).unwrap();
    std::fs::write(repo.place("signers"), format!("author@example.com {public}")).unwrap();
    repo.git(&["config", "gpg.format", "ssh"]);
    repo.git(&["config", "user.signingKey", key]);
    repo.git(&["config", "gpg.ssh.allowedSignersFile", repo.place("signers").to_str().unwrap()]);
}

/// git's verdicts on the signatures of a branch: `G` is a good one, `N` none.
fn verdicts(repo: &Repo, branch: &str) -> String {
    repo.git(&["log", "--format=%G?", &format!("main..{branch}")]).replace('\n', " ")
}

#[test]
fn commits_are_signed_when_asked_or_configured_and_git_verifies_them() {
    let repo = repo();
    signing(&repo);
    repo.implement(&["docs/3.md", "-b", "unsigned"]).published("unsigned");
    assert_eq!(verdicts(&repo, "unsigned"), "N N");
    repo.implement(&["docs/3.md", "-b", "asked", "-S"]).published("asked");
    assert_eq!(verdicts(&repo, "asked"), "G G");
    repo.git(&["config", "commit.gpgSign", "true"]);
    repo.implement(&["docs/3.md", "-b", "configured"]).published("configured");
    assert_eq!(verdicts(&repo, "configured"), "G G");
    repo.git(&["verify-commit", "configured", "configured~1"]);
    repo.implement(&["docs/3.md", "-b", "not", "--no-gpg-sign"]).published("not");
    assert_eq!(verdicts(&repo, "not"), "N N");
    repo.sound();
}

#[test]
fn a_commit_that_cannot_be_signed_is_not_made() {
    let repo = repo();
    signing(&repo);
    std::fs::remove_file(repo.place("key")).unwrap();
    let ran = repo.implement(&["docs/3.md", "-S"]);
    ran.refused(128).says("fatal: cannot sign the commit: ").says("hint: try 'git commit-tree -S");
}

#[test]
fn sign_off_and_provenance_are_as_asked_for() {
    let repo = repo();
    repo.implement(&["docs/3.md", "-b", "off", "-s"]).published("off");
    let trailers = |branch: &str| repo.git(&["log", "-1", "--format=%(trailers:only,unfold)", branch]);
    assert!(trailers("off").ends_with("Assisted-by: git-implement\nSigned-off-by: A U Thor <author@example.com>"));
    for (word, trailer) in [("generated-by", "Generated-by: git-implement"), ("none", "")] {
        repo.git(&["config", "implement.trailer", word]);
        repo.implement(&["docs/3.md", "-b", word]).published(word);
        let trailers = trailers(word);
        assert!(!trailers.contains("Assisted-by") && !trailers.contains("Signed-off-by"), "{trailers}");
        assert!(trailers.contains(trailer), "{trailers}");
    }
}
