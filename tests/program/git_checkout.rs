//! The files that a hook sees: written once, and then those alone in which one commit differs from the one before.

use crate::repo::Repo;
use std::collections::BTreeMap;
use std::fs;

const DESIGN: &str = "# 3 - Three files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/a.py` | Modify | Another value |\n| `src/new/b.py` | Add | Uses it |\n\
                      | `src/old/c.py` | Delete | Not used |\n";

fn repo() -> Repo {
    let repo = Repo::of(&[
        ("src/a.py", "A = 1\n"),
        ("src/old/c.py", "C = 1\n"),
        ("src/old/d.py", "D = 1\n"),
        ("docs/3.md", DESIGN),
        ("docs/more.md", "# More\n"),
        ("README.md", "# Read me\n"),
    ]);
    repo.answer("src/a.py", "```python\nA = 2\n```\n");
    repo.answer("src/new/b.py", "```python\nfrom a import A\n\nprint(A)\n```\n");
    repo
}

/// A hook that does this, and writes what it prints into a file of its own for each commit.
fn hook(repo: &Repo, script: &str) {
    let seen = repo.place("seen");
    fs::create_dir_all(&seen).unwrap();
    repo.hook("pre-commit", &format!("{{ {script}\n}} >'{0}/'$(ls '{0}' | wc -l)", seen.display()));
}

/// What the hook printed, a text for each commit.
fn seen(repo: &Repo) -> Vec<String> {
    let read = |at: usize| fs::read_to_string(repo.place("seen").join(at.to_string())).ok();
    (0..).map_while(read).collect()
}

#[test]
fn files_that_no_commit_changes_are_written_once() {
    let repo = repo();
    hook(&repo, "find . -name .git -prune -o -type f -printf '%p %i %C@ %T@\\n'");
    repo.implement(&["docs/3.md"]).published("implement/3");
    let seen = seen(&repo);
    let files = |text: &str| -> BTreeMap<String, String> {
        text.lines().filter_map(|line| line.split_once(' ')).map(|(path, data)| (path.into(), data.into())).collect()
    };
    let others = |at: usize, path: &str| {
        let mut files = files(&seen[at]);
        assert!(files.remove(path).is_some() || path == "./src/old/c.py", "{path} in {seen:?}");
        files
    };
    assert_eq!(seen.len(), 3);
    let mut first = files(&seen[0]);
    assert_eq!(first.len(), 6);
    assert_eq!(others(1, "./src/new/b.py"), first);
    first.insert("./src/new/b.py".into(), files(&seen[1])["./src/new/b.py"].clone());
    first.remove("./src/old/c.py");
    assert_eq!(others(2, "./src/old/c.py"), first);
}

#[test]
fn the_index_that_a_hook_sees_is_whole_and_gives_git_nothing_to_read_again() {
    let repo = repo();
    // `diff-files` names what has other data on disk than in the index, without a look into the file; `fsck` adds up the index.
    hook(&repo, "git write-tree; git diff-files --name-only; git fsck --strict --no-dangling --no-progress 2>&1");
    repo.implement(&["docs/3.md"]).published("implement/3");
    let trees = ["implement/3~2", "implement/3~1", "implement/3"];
    assert_eq!(seen(&repo), trees.map(|commit| repo.git(&["rev-parse", &format!("{commit}^{{tree}}")]) + "\n"));
}

#[test]
fn settings_of_the_persons_own_index_do_not_keep_it_from_that() {
    for settings in [
        vec!["feature.manyFiles=true"],
        vec!["core.splitIndex=true", "index.version=4"],
        vec!["index.skipHash=true", "core.untrackedCache=true"],
    ] {
        let repo = repo();
        for setting in &settings {
            let (key, value) = setting.split_once('=').unwrap();
            repo.git(&["config", key, value]);
        }
        hook(&repo, "git status --short; git write-tree; git diff-files --name-only");
        repo.implement(&["docs/3.md"]).published("implement/3");
        let seen = seen(&repo);
        let trees = ["implement/3~2", "implement/3~1", "implement/3"];
        let status = ["M  src/a.py", "A  src/new/b.py", "D  src/old/c.py"];
        for ((seen, commit), status) in seen.iter().zip(trees).zip(status) {
            let tree = repo.git(&["rev-parse", &format!("{commit}^{{tree}}")]);
            assert_eq!(*seen, format!("{status}\n{tree}\n"), "{settings:?}");
        }
        assert_eq!(seen.len(), 3);
    }
}

#[test]
fn what_a_hook_only_touches_or_makes_beside_is_no_change() {
    let repo = repo();
    let script = "touch README.md src/a.py; cp README.md x; cp x README.md; rm x; mkdir -p src/__cache__; date >src/__cache__/y;
                  git status >/dev/null; echo z >src/z; git add src/z; git rm -q --cached src/z; git diff --cached --name-only";
    hook(&repo, script);
    repo.implement(&["docs/3.md"]).published("implement/3");
    assert_eq!(seen(&repo), ["src/a.py\n", "src/new/b.py\n", "src/old/c.py\n"]);
}

#[test]
fn a_change_elsewhere_is_found_at_the_commit_at_which_a_hook_makes_it() {
    for (script, path) in [
        // As long as it was, and in place.
        ("printf '# Read us' | dd of=README.md conv=notrunc 2>/dev/null", "README.md"),
        ("printf '# Read us\\n' >x; touch -r README.md x; mv x README.md", "README.md"),
        ("chmod +x README.md", "README.md"),
        ("rm README.md", "README.md"),
        ("rm docs/more.md; ln -s 3.md docs/more.md", "docs/more.md"),
        ("mv docs other; mkdir docs; cp other/3.md docs", "docs/more.md"),
        ("rm -r docs; echo >docs", "docs/3.md"),
        ("git rm -q --cached README.md", "README.md"),
        ("echo x >more; git add more", "more"),
        ("echo x >README.md; git add README.md; printf '# Read me\\n' >README.md", "README.md"),
    ] {
        let repo = repo();
        hook(&repo, &format!("if [ -f src/new/b.py ]; then {script}; echo why >&2; fi"));
        let ran = repo.implement(&["docs/3.md"]);
        ran.refused(1).says(path);
        assert_eq!(seen(&repo).len(), 2, "{script}\n{ran}");
    }
}

#[test]
fn a_hook_sees_each_file_with_the_line_ends_that_its_attributes_give_it() {
    let repo = repo();
    repo.write(".gitattributes", "*.py text eol=crlf\n*.md text eol=lf\nsrc/new/*.py !eol -text\n");
    repo.commit("line ends");
    hook(&repo, "grep -lr \"$(printf '\\r')\" src; git diff-files --name-only");
    repo.implement(&["docs/3.md"]).published("implement/3");
    let sorted = |text: &String| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        lines.join(" ")
    };
    let seen: Vec<String> = seen(&repo).iter().map(sorted).collect();
    let before = "src/a.py src/old/c.py src/old/d.py";
    assert_eq!(seen, [before, before, "src/a.py src/old/d.py"]);
    assert_eq!(repo.blob("implement/3", "src/a.py"), b"A = 2\n");
}

#[test]
fn a_message_hook_alone_finds_the_index_of_each_commit() {
    let repo = repo();
    let log = repo.place("trees");
    repo.hook("commit-msg", &format!("git write-tree >>'{}'", log.display()));
    repo.implement(&["docs/3.md"]).published("implement/3");
    let tree = |commit: &str| repo.git(&["rev-parse", &format!("{commit}^{{tree}}")]) + "\n";
    assert_eq!(fs::read_to_string(log).unwrap(), ["implement/3~2", "implement/3~1", "implement/3"].map(tree).concat());
}
