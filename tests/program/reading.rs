//! What reading never does: fetch, or run anything that a repository's configuration names. And whose repository it reads:
//! the one that git itself would, and only if git would.

use crate::repo::{Ran, Repo};
use serde_json::Value;
use std::path::PathBuf;

const DESIGN: &str = "# 3 - Two\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n";

/// Everything that reads, in a repository with a design `docs/3.md` and a reply `reply.md` for `src/a.py`.
const READING: &[&[&str]] = &[
    &["check"],
    &["check", "HEAD"],
    &["check", "HEAD~1.."],
    &["check", "."],
    &["plan", "docs/3.md"],
    &["-n", "docs/3.md"],
    &["apply", "--target", "src/a.py", "reply.md"],
    &["apply", "--target", "src/a.py", "--check", "--json", "reply.md"],
    &["check", "--cached", "--json"],
    &["check", "HEAD~1..HEAD", "--sarif"],
    &["plan", "--json", "HEAD:docs/3.md"],
    &["-n", "-v", "docs/3.md"],
    &["log"],
    &["log", "--json"],
    &["verify", "HEAD"],
    &["blame", "src/a.py"],
    &["show", "src/a.py:1"],
    &["show", "HEAD"],
    &["gc", "-n"],
    &["hook", "status"],
];

/// Keys of git's configuration whose value is a program.
const PROGRAMS: &[&str] = &[
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "diff.evil.command",
    "diff.evil.textconv",
    "diff.external",
    "difftool.evil.cmd",
    "filter.evil.clean",
    "filter.evil.smudge",
    "gpg.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.ssh.program",
    "gpg.x509.program",
    "hook.evil.command",
    "implement.command",
    "implement.keyCommand",
    "interactive.diffFilter",
    "merge.evil.driver",
    "mergetool.evil.cmd",
    "pager.diff",
    "pager.grep",
    "pager.log",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "sequence.editor",
    "trailer.implement-run.cmd",
    "trailer.implement-run.command",
    "uploadpack.packObjectsHook",
];

/// The same for those in which a program has a mark before it, or which choose what runs.
const CHOICES: &[(&str, &str)] = &[
    ("alias.evil", "!evil-alias"),
    ("core.hooksPath", "evil-hooks"),
    ("core.repositoryFormatVersion", "1"),
    ("credential.helper", "!evil-credential"),
    ("diff.tool", "evil"),
    ("hook.evil.event", "pre-commit"),
    ("implement.provider", "command"),
    ("log.showSignature", "true"),
    ("merge.tool", "evil"),
    ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ("remote.origin.promisor", "true"),
    ("remote.origin.url", "."),
    // git runs `git-remote-evil` for the first, and what follows `ext::` for the second.
    ("remote.other.promisor", "true"),
    ("remote.other.url", "evil::x"),
    ("remote.third.promisor", "true"),
    ("remote.third.url", "ext::evil-ext"),
    ("submodule.evil.update", "!evil-submodule"),
];

const HOOKS: &[&str] = &[
    "commit-msg",
    "post-checkout",
    "post-index-change",
    "pre-auto-gc",
    "pre-commit",
    "pre-receive",
    "prepare-commit-msg",
    "reference-transaction",
    "update",
];

/// A repository in which every configured program says beside it that it ran.
fn hostile() -> Repo {
    let mut repo = Repo::of(&[
        ("src/a.py", "A = 1\n"),
        ("docs/3.md", DESIGN),
        ("src/old.py", "B = 1\nC = 1\nD = 1\n"),
        (".git-implement.toml", "command = \"evil-file\"\nkey-command = \"evil-file\"\nprovider = \"command\"\n"),
    ]);
    repo.write("src/a.py", "A = 2\n");
    repo.git(&["mv", "src/old.py", "src/new.py"]);
    repo.write("src/new.py", "B = 1\nC = 1\nD = 2\n");
    // A planned file behind a filter would be refused; the others are behind one.
    repo.write(".gitattributes", "* diff=evil merge=evil filter=evil\n/src/a.py -filter\n");
    // Programs are found by their names, so that each key has its own whether git gives it to a shell or not.
    let trap = format!("#!/bin/sh\necho \"${{0##*/}}\" >>'{}'\nexit 1\n", ran(&repo).display());
    let others = ["evil-alias", "evil-credential", "evil-ext", "evil-file", "evil-submodule", "git-remote-evil"];
    for name in PROGRAMS.iter().map(|key| format!("evil-{key}")).chain(others.map(str::to_owned)) {
        repo.program(repo.place("traps").join(name), &trap);
    }
    for hook in HOOKS {
        repo.program(format!("evil-hooks/{hook}"), &trap);
    }
    let path = format!("{}:{}", repo.place("traps").display(), repo.variables["PATH"]);
    repo.set("PATH", path);
    repo.commit("two\n\nImplement-Run: 20260102-030405-abcd");
    // What is signed, some would verify.
    let unsigned = repo.git(&["cat-file", "commit", "HEAD"]);
    let signature = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n";
    std::fs::write(repo.place("commit"), unsigned.replacen("\n\n", signature, 1) + "\n").unwrap();
    let signed = repo.git(&["hash-object", "-t", "commit", "-w", repo.place("commit").to_str().unwrap()]);
    repo.git(&["reset", "--quiet", "--hard", &signed]);
    repo.git(&["update-ref", "refs/implement/runs/x", "HEAD"]);
    repo.write("src/new.py", "B = 1\nC = 1\nD = 3\n");
    repo.git(&["add", "src/new.py"]);
    // Files of which git would have to look whether they are as they were, which is when it asks a filter.
    repo.write("src/new.py", "B = 1\nC = 1\nD = 4\n");
    repo.write("src/a.py", "A = 2\n");
    repo.write("reply.md", "src/a.py:\n```python\nA = 3\n```\n");
    for key in PROGRAMS {
        repo.git(&["config", key, &format!("evil-{key}")]);
    }
    for (key, value) in CHOICES {
        repo.git(&["config", key, value]);
    }
    std::fs::write(repo.dir.join(".git/info/attributes"), "* diff=evil\n").unwrap();
    repo
}

/// The names of what ran, a line each.
fn ran(repo: &Repo) -> PathBuf {
    repo.place("it ran")
}

#[track_caller]
fn nothing_ran(repo: &Repo, arguments: &[&str], words: &str) {
    if let Ok(names) = std::fs::read_to_string(ran(repo)) {
        panic!("{arguments:?} ran\n{names}{words}");
    }
}

/// Takes a loose object away, as a partial clone never had it.
fn lose(repo: &Repo, spec: &str) -> String {
    let id = repo.git(&["-c", "core.fsmonitor=false", "rev-parse", spec]);
    std::fs::remove_file(repo.dir.join(".git/objects").join(&id[..2]).join(&id[2..])).unwrap();
    id
}

/// Runs everything that reads; none of it may have run anything.
fn read_all(repo: &Repo) -> Vec<Ran> {
    let read = |arguments: &&[&str]| {
        let ran_here = repo.run(arguments);
        nothing_ran(repo, arguments, &ran_here.to_string());
        ran_here
    };
    READING.iter().map(read).collect()
}

#[test]
fn reading_runs_nothing_that_a_repository_configures() {
    let repo = hostile();
    for (arguments, ran) in READING.iter().zip(read_all(&repo)) {
        let expected = match arguments[0] {
            // A hook that is not installed, and a run without a record.
            "hook" | "verify" => 1,
            "show" => 128,
            _ => 0,
        };
        assert_eq!(ran.status, Some(expected), "{ran}");
    }
}

/// That the test above tests something: git itself, asked for the like, runs what is configured.
#[test]
fn what_is_configured_there_would_run() {
    let repo = hostile();
    for arguments in [
        &["status"][..],
        &["diff", "HEAD~1", "HEAD"],
        &["log", "-1"],
        &["show", "--textconv", "HEAD:src/a.py"],
        &["interpret-trailers", "--trailer", "implement-run=x", "reply.md"],
        &["hash-object", "--path", "src/new.py", "src/new.py"],
        &["hook", "run", "pre-commit"],
        &["evil"],
        &["fetch", "origin"],
        &["fetch", "other"],
    ] {
        let _ = repo.command("git").args(arguments).output().unwrap();
    }
    let names = std::fs::read_to_string(ran(&repo)).unwrap();
    for name in [
        "evil-alias",
        "evil-core.fsmonitor",
        "evil-diff.evil.command",
        "evil-diff.evil.textconv",
        "evil-filter.evil.clean",
        "evil-gpg.program",
        "evil-remote.origin.uploadpack",
        "git-remote-evil",
        "pre-commit",
    ] {
        assert!(names.lines().any(|line| line == name), "{name} did not run, of\n{names}");
    }
}

#[test]
fn reading_fetches_nothing_and_names_what_is_missing() {
    let repo = hostile();
    let lost = [lose(&repo, "HEAD:src/a.py"), lose(&repo, "HEAD~1:src/old.py")];
    let all = read_all(&repo);
    for ran in &all[..3] {
        assert_eq!(ran.status, Some(0), "{ran}");
    }
    assert!(all[1].out.contains(&format!("cannot judge 'src/a.py': object {} is missing", lost[0])), "{}", all[1]);
    for ran in &all[4..6] {
        ran.refused(128).says(&format!("cannot read object {} of 'src/a.py': it is missing", lost[0]));
        ran.says("in a partial clone");
    }
    // The same where git is too old to be told not to.
    let mut repo = repo;
    let path = repo.variables["PATH"].clone();
    let git = std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap();
    let old = repo.place("old/git");
    repo.program(&old, &format!("#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '{}' \"$@\"\n", git.display()));
    repo.set("PATH", format!("{}:{path}", old.parent().unwrap().display()));
    for arguments in READING {
        let _ = repo.process(arguments).output().unwrap();
        nothing_ran(&repo, arguments, "");
    }
}

#[test]
fn making_commits_fetches_what_a_partial_clone_lacks() {
    let repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    let place = repo.place("clone");
    let url = format!("file://{}", repo.dir.display());
    repo.git(&["clone", "--quiet", "--no-checkout", "--filter=blob:none", &url, place.to_str().unwrap()]);
    let provider = repo.provider();
    let make = ["--provider", "command", "--command", &provider, "HEAD:docs/3.md"];
    let dry = repo.process(&[&make[..], &["-n"]].concat()).current_dir(&place).output().unwrap();
    assert_eq!(dry.status.code(), Some(128), "{}", String::from_utf8_lossy(&dry.stderr));
    let mut made = repo.process(&make);
    made.env("GIT_COMMITTER_NAME", "C").env("GIT_COMMITTER_EMAIL", "c@example.com");
    made.env("GIT_AUTHOR_NAME", "A").env("GIT_AUTHOR_EMAIL", "a@example.com");
    let made = made.current_dir(&place).output().unwrap();
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
}

/// `safe.*` counts only from outside the repository.
fn configure_person(repo: &mut Repo, text: &str) {
    std::fs::write(repo.place("gitconfig"), text).unwrap();
    repo.set("GIT_CONFIG_GLOBAL", repo.place("gitconfig").to_str().unwrap());
}

#[test]
fn a_bare_repository_inside_a_clone_is_used_only_if_git_would() {
    let mut repo = Repo::of(&[("a.py", "A = 1\n")]);
    let inner = repo.dir.join("tests/data/inner");
    repo.git(&["clone", "--quiet", "--bare", ".", inner.to_str().unwrap()]);
    repo.run_in(&inner, &["check", "HEAD"]).changed_nothing();
    configure_person(&mut repo, "[safe]\n\tbareRepository = explicit\n");
    for arguments in [&["check", "HEAD"][..], &["check"], &["plan", "HEAD:a.py"]] {
        repo.run_in(&inner, arguments).refused_at_once(128).says("cannot use bare repository");
    }
    repo.set("GIT_DIR", inner.to_str().unwrap());
    let named = repo.process(&["check", "HEAD"]).output().unwrap();
    assert_eq!(named.status.code(), Some(0), "{}", String::from_utf8_lossy(&named.stderr));
}

#[test]
fn whose_repository_may_be_used_is_what_git_says_however_it_is_told() {
    let mut repo = Repo::of(&[("src/a.py", "A = 1\n"), ("docs/3.md", DESIGN)]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    // libgit2 looks at the owner itself, git also at this variable. Only root can give a folder away.
    let _ = std::os::unix::fs::chown(&repo.dir, Some(65534), None);
    let _ = std::os::unix::fs::chown(repo.dir.join(".git"), Some(65534), None);
    repo.set("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let plan = ["plan", "--json", "docs/3.md"];
    repo.process(&plan).output().map(|output| assert_eq!(output.status.code(), Some(128))).unwrap();
    let alias = |repo: &Repo, arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_git-implement");
        let mut git = repo.command("git");
        git.args(["-c", "safe.directory=*", "-c", &format!("alias.made=!'{program}'"), "made"]).args(arguments);
        git.output().unwrap()
    };
    let provider = repo.provider();
    let make = ["--provider", "command", "--command", &provider, "docs/3.md"];
    for arguments in [&plan[..], &["check"], &["check", "HEAD"], &make] {
        let output = alias(&repo, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
    }
    for (name, value) in [("COUNT", "1"), ("KEY_0", "safe.directory"), ("VALUE_0", "*")] {
        repo.set(&format!("GIT_CONFIG_{name}"), value);
    }
    let ran = repo.run(&plan);
    ran.changed_nothing();
    let plan: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(plan["files"][0]["strategy"], "whole");
    repo.git(&["update-ref", "-d", "refs/heads/implement/3"]);
    repo.run(&make).published("implement/3");
}
