//! The gates under the programs that run hooks for a team, with the lines that `git implement hook install` prints.

use crate::commits::{BROKEN, SOUND, git, passes, refused};
use crate::repo::Repo;
use std::path::Path;
use std::process::Output;

/// With the programs on the PATH.
fn repo() -> Repo {
    let mut repo = crate::commits::repo();
    let folders = crate::runners::folders().map(|folder| folder.display().to_string());
    repo.set("PATH", format!("{}:{}", folders.join(":"), repo.variables["PATH"]));
    // No advertisement in hooks' output, no question.
    repo.set("CI", "true");
    repo
}

#[track_caller]
fn run(repo: &Repo, program: &str, arguments: &[&str]) -> Output {
    let output = repo.command(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    output
}

/// Adds what `git implement hook install` says is missing, to the files that it names.
#[track_caller]
fn add_the_lines(repo: &Repo, expected: &[&str]) {
    let output = repo.process(&["hook", "install", "--no-config"]).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut added = Vec::new();
    for block in printed.split("add to '").skip(1) {
        let (file, rest) = block.split_once("':\n\n").unwrap();
        let lines = rest.split("\n\n").next().unwrap().split("\nthen run: ").next().unwrap();
        // A block ends at an empty line, but for TOML, which has one inside.
        let lines = if file.ends_with(".toml") { rest.split("\nthen run: ").next().unwrap() } else { lines };
        repo.write(file, format!("{}\n", lines.trim_end()));
        added.push(file);
    }
    assert_eq!(added, expected, "{printed}");
    // What it put into .git/hooks itself is not what is to be tried.
    run(repo, env!("CARGO_BIN_EXE_git-implement"), &["hook", "uninstall"]);
}

#[track_caller]
fn every_way(repo: &Repo) {
    repo.commit("hooks");
    let status = repo.process(&["hook", "status"]).output().unwrap();
    assert!(status.status.success(), "{status:?}");
    crate::commits::commits(repo);
    crate::commits::merges(repo);
    crate::commits::rebases(repo);
}

#[test]
fn under_pre_commit() {
    let repo = repo();
    repo.write(".pre-commit-config.yaml", "repos: []\n");
    add_the_lines(&repo, &[".pre-commit-config.yaml"]);
    run(&repo, "pre-commit", &["install"]);
    every_way(&repo);
}

#[test]
fn under_prek() {
    let repo = repo();
    repo.write("prek.toml", "");
    add_the_lines(&repo, &["prek.toml"]);
    run(&repo, "prek", &["install"]);
    every_way(&repo);
}

#[test]
fn under_prek_with_the_configuration_of_pre_commit() {
    let repo = repo();
    repo.write(".pre-commit-config.yaml", "repos: []\n");
    add_the_lines(&repo, &[".pre-commit-config.yaml"]);
    run(&repo, "prek", &["install"]);
    repo.commit("hooks");
    crate::commits::commits(&repo);
}

#[test]
fn under_husky() {
    let repo = repo();
    repo.write("package.json", "{\"name\": \"x\"}\n");
    run(&repo, "husky", &[]);
    add_the_lines(&repo, &[".husky/pre-commit", ".husky/pre-merge-commit"]);
    every_way(&repo);
}

#[test]
fn under_lefthook() {
    let repo = repo();
    repo.write("lefthook.yml", "# nothing yet\n");
    add_the_lines(&repo, &["lefthook.yml"]);
    run(&repo, "lefthook", &["install"]);
    every_way(&repo);
}

/// A repository with our `.pre-commit-hooks.yaml`, as whoever names this project in a configuration gets it.
#[test]
fn our_own_manifest_is_sound_and_its_hook_refuses() {
    let repo = repo();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    run(&repo, "pre-commit", &["validate-manifest", manifest.to_str().unwrap()]);
    run(&repo, "prek", &["validate-manifest", manifest.to_str().unwrap()]);
    let project = repo.place("project");
    let at = |arguments: &[&str]| repo.git(&[&["-C", project.to_str().unwrap()], arguments].concat());
    std::fs::create_dir(&project).unwrap();
    at(&["init", "--quiet"]);
    std::fs::copy(&manifest, project.join(".pre-commit-hooks.yaml")).unwrap();
    at(&["add", "."]);
    at(&["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--message=x"]);
    let (place, rev) = (project.display(), at(&["rev-parse", "HEAD"]));
    let config = format!("repos:\n  - repo: '{place}'\n    rev: {rev}\n    hooks:\n      - id: git-implement-system\n");
    repo.write(".pre-commit-config.yaml", config);
    repo.commit("hooks");
    for (program, number) in [("pre-commit", 1), ("prek", 2)] {
        run(&repo, program, &["install", "--overwrite"]);
        let file = format!("c{number}.py");
        repo.write(&file, BROKEN);
        repo.git(&["add", &file]);
        refused(&repo, &mut git(&repo, &["commit", "--message=x"]), &file);
        repo.write(&file, SOUND);
        repo.git(&["add", &file]);
        passes(&repo, &mut git(&repo, &["commit", "--message=x"]));
    }
}

/// Those that keep the hooks that they find: ours comes before them, and theirs before ours.
#[test]
fn pre_commit_and_our_hook_file_live_side_by_side() {
    for first in ["pre-commit", "git implement"] {
        let repo = repo();
        repo.write(
            ".pre-commit-config.yaml",
            "repos:\n  - repo: local\n    hooks:\n      - id: x\n        name: x\n        entry: sh -c 'echo the other ran'\n        \
             language: system\n        always_run: true\n        pass_filenames: false\n        verbose: true\n",
        );
        repo.commit("hooks");
        let ours = || run(&repo, env!("CARGO_BIN_EXE_git-implement"), &["hook", "install", "--no-config"]);
        if first == "pre-commit" {
            run(&repo, "pre-commit", &["install"]);
            ours();
        } else {
            ours();
            run(&repo, "pre-commit", &["install"]);
        }
        repo.write("c.py", BROKEN);
        repo.git(&["add", "c.py"]);
        refused(&repo, &mut git(&repo, &["commit", "--message=x"]), "c.py");
        repo.write("c.py", SOUND);
        repo.git(&["add", "c.py"]);
        let output = git(&repo, &["commit", "--message=x"]).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success() && said.contains("the other ran"), "{first} first: {said}");
    }
}
