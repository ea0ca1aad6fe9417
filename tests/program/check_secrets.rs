//! Secrets are found in all that can carry them, in a commit, in the index and in a push: not in files alone.

use crate::commits::git;
use crate::repo::Repo;
use serde_json::Value;
use std::os::unix::fs::symlink;

/// Put together here, so that no scanner takes this file for one that has lost a secret.
fn secret() -> String {
    ["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
}

/// A repository, and a bare one beside it with the hook, to which it pushes.
fn pushing() -> Repo {
    let repo = crate::commits::repo();
    let bare = repo.place("bare.git");
    repo.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let installed = repo.process(&["hook", "install"]).current_dir(&bare).output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    repo.git(&["remote", "add", "origin", bare.to_str().unwrap()]);
    repo
}

/// A push of `refspec` is refused for a secret, in these words, and nobody is told which.
#[track_caller]
fn declined(repo: &Repo, refspec: &str, words: &str) {
    let output = git(repo, &["push", "origin", refspec]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{refspec}: {said}");
    assert!(said.contains(words) && said.contains("looks like a GitHub token"), "{refspec}: {said}");
    assert!(!said.contains(&secret()[4..]), "{refspec}: {said}");
}

/// The findings of `check --json` as `<severity> <id> <path>:<line> <message>`, and whether each names this commit.
#[track_caller]
fn found(repo: &Repo, arguments: &[&str], commit: Option<&str>) -> Vec<String> {
    let ran = repo.run(&[&["check", "--json"], arguments].concat());
    assert!(!format!("{ran}").contains(&secret()[4..]), "{ran}");
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    let of = |finding: &Value| {
        assert_eq!(finding["commit"].as_str(), commit, "{ran}");
        let text = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
        format!("{} {} {}:{} {}", text("severity"), text("id"), text("path"), finding["line"], text("message"))
    };
    report["findings"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn links_names_and_messages_are_judged_for_secrets() {
    let repo = Repo::of(&[("a.txt", "text\n")]);
    symlink(format!("https://{}@example.com", secret()), repo.dir.join("link")).unwrap();
    repo.write(&format!("deep/{}/key", secret()), "text\n");
    repo.git(&["mv", "a.txt", &format!("{}.txt", secret())]);
    repo.git(&["add", "--all"]);
    let in_files = [
        "error secret -:null the name of 'deep/…/key' has what looks like a GitHub token",
        "error secret -:null the name of '…' has what looks like a GitHub token",
        "error secret link:1 where 'link' leads to has what looks like a GitHub token",
    ];
    let mut staged = found(&repo, &[], None);
    staged.sort();
    let mut expected = in_files.to_vec();
    expected.sort();
    assert_eq!(staged, expected);
    let allowed = found(&repo, &["--allow", "secret"], None);
    assert!(allowed.iter().all(|finding| finding.starts_with("note")), "{allowed:?}");
    let commit = repo.commit(&format!("subject\n\nuse {}", secret()));
    let mut expected = expected.clone();
    expected.push("error secret -:3 the message of the commit has what looks like a GitHub token");
    expected.sort();
    let mut all = found(&repo, &["HEAD"], Some(&commit));
    all.sort();
    assert_eq!(all, expected);
    let ran = repo.run(&["check", "HEAD"]);
    assert!(ran.out.contains(&format!("{}:3: error: the message of the commit has", &commit[..10])), "{ran}");
    // What was there before is nobody's news, nor is a message where only some paths are asked for.
    repo.write("deep/other", "text\n");
    repo.commit("next");
    assert_eq!(found(&repo, &["HEAD"], None), [""; 0]);
    assert_eq!(found(&repo, &["HEAD~2..", "--", "deep/other"], None), [""; 0]);
}

#[test]
fn a_push_is_refused_for_a_secret_wherever_it_is() {
    let repo = pushing();
    repo.write("secret.txt", format!("{}\n", secret()));
    let blob = repo.git(&["hash-object", "-w", "secret.txt"]);
    repo.git(&["add", "secret.txt"]);
    let tree = repo.git(&["write-tree"]);
    repo.git(&["reset", "--quiet", "--hard"]);
    let file = format!("'{blob}' has what looks like");
    for (name, target, words) in [("blob", &blob, file.as_str()), ("tree", &tree, "'secret.txt' has what looks like")] {
        repo.git(&["tag", name, target]);
        repo.git(&["tag", "--annotate", "--message=x", &format!("{name}-annotated"), target]);
        repo.git(&["tag", "--annotate", "--message=x", &format!("{name}-twice"), &format!("{name}-annotated")]);
        for kind in ["", "-annotated", "-twice"] {
            declined(&repo, &format!("refs/tags/{name}{kind}"), words);
        }
        declined(&repo, &format!("{target}:refs/other/{name}"), words);
    }
    repo.git(&["tag", "--annotate", &format!("--message=one\n\n{}", secret()), "said", "HEAD"]);
    declined(&repo, "refs/tags/said", ":3: error: the message of the tag has what looks like");
    repo.git(&["commit", "--quiet", "--allow-empty", "--message", &secret()]);
    declined(&repo, "main", ":1: error: the message of the commit has what looks like");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~"]);
    // What carries none passes, and so does what only stands beside it.
    repo.git(&["tag", "--annotate", "--message=sound", "sound", "HEAD"]);
    repo.git(&["tag", "file", "HEAD:a.py"]);
    repo.git(&["push", "--quiet", "origin", "refs/tags/sound", "refs/tags/file", "HEAD:refs/heads/new"]);
}

#[test]
fn nothing_passes_behind_what_replaces_it() {
    let repo = pushing();
    let before = repo.tip("HEAD");
    repo.write("secret.txt", format!("{}\n", secret()));
    let lost = repo.commit("lost");
    let blob = repo.git(&["rev-parse", "HEAD:secret.txt"]);
    let harmless = repo.git(&["rev-parse", "HEAD:b.py"]);
    repo.git(&["rm", "--quiet", "secret.txt"]);
    let last = repo.commit("taken out again");
    // A history without the commit between, and a file with another text.
    let shown = repo.git(&["commit-tree", "-p", &before, "-m", "shown", &format!("{before}^{{tree}}")]);
    repo.git(&["replace", &last, &shown]);
    repo.git(&["replace", &blob, &harmless]);
    assert_eq!(repo.git(&["rev-list", &format!("{before}..{last}")]), last, "git itself is taken in");
    assert_eq!(found(&repo, &[&format!("{before}..{last}")], Some(&lost)).len(), 1);
    // The two can be pushed, and what they hide cannot.
    repo.git(&["push", "--quiet", "origin", "refs/replace/*"]);
    declined(&repo, "main", "secret.txt:1: error: ");
    // In the index as well.
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},again.txt")]);
    assert_eq!(found(&repo, &["--cached"], None).len(), 1);
}
