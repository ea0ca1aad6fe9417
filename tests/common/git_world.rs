//! Whole runs by the library, in repositories of every shape.

use crate::repo::{self, Repo};
use git_implement::check::{self, Accepted, Candidate, Settings};
use git_implement::environment::Environment;
use git_implement::git::{
    Base, CommitOptions, GitError, Mode, NewTip, Oid, Passed, PreCommit, Publication, RecordFile, Repository, Scratch,
    Signing, Unpublished, Verified, branch::Existing,
};
use git_implement::path::RepoPath;
use git_implement::plan;
use git_implement::process::Interrupt;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const RUN: &str = "20260102-030405-abcd";

/// The world of [`Repo`], for several repositories, each named by its folder; asked through the library.
pub struct World(Repo);

impl World {
    /// Without a repository.
    pub fn empty() -> World {
        let mut repo = Repo::nowhere();
        for who in ["AUTHOR", "COMMITTER"] {
            repo.set(&format!("GIT_{who}_NAME"), "A U Thor");
            repo.set(&format!("GIT_{who}_EMAIL"), "author@example.com");
        }
        World(repo)
    }

    /// With a repository `repo` of a few files and one commit on `main`.
    pub fn new() -> World {
        let world = World::empty();
        world.init("repo", &[]);
        world
    }

    pub fn init(&self, name: &str, options: &[&str]) {
        fs::create_dir(self.path(name)).unwrap();
        self.git(name, &[&["init", "--quiet", "--initial-branch=main"], options].concat());
        self.write(&format!("{name}/src/a.py"), "import os\n\n\ndef a():\n    return os.sep\n");
        self.write(&format!("{name}/src/pkg/b.py"), "import a\n\n\ndef b():\n    return a.a()\n");
        self.write(&format!("{name}/README.md"), "# Demo\n");
        self.write(&format!("{name}/docs/lld.md"), "# 7 - A design\n");
        self.write(&format!("{name}/run.sh"), "#!/bin/sh\necho 1\n");
        self.git(name, &["add", "--all"]);
        self.git(name, &["update-index", "--chmod=+x", "run.sh"]);
        self.git(name, &["commit", "--quiet", "--message=base"]);
        self.git(name, &["reset", "--quiet", "--hard"]);
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.place(name)
    }
    pub fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.0.set(name, value.as_ref().to_str().expect("a value that is text"));
    }
    pub fn unset(&mut self, name: &str) {
        self.0.variables.remove(name);
    }
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.0.variables
    }
    pub fn environment(&self) -> Environment {
        self.0.variables.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        repo::write(&self.path(name), text);
    }

    /// An executable hook; `$LOG` in it is a file outside the repository.
    pub fn hook(&self, path: &str, script: &str) {
        let log = self.path("log");
        self.0.program(self.path(path), &format!("#!/bin/sh\nLOG='{}'\n{script}\n", log.display()));
    }
    pub fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    pub fn command(&self, directory: &str, arguments: &[&str]) -> Command {
        let mut command = self.0.command("git");
        command.current_dir(self.path(directory));
        command.args(["-c", "protocol.file.allow=always", "-c", "advice.detachedHead=false"]).args(arguments);
        command
    }
    /// git's standard output; it must succeed.
    pub fn git(&self, directory: &str, arguments: &[&str]) -> String {
        let output = self.command(directory, arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        text.trim_end().to_owned()
    }
    pub fn fails(&self, directory: &str, arguments: &[&str]) {
        assert!(!self.command(directory, arguments).output().unwrap().status.success(), "git {arguments:?} succeeded");
    }

    pub fn discover(&self, directory: &str) -> Result<Repository, GitError> {
        Repository::discover(&self.path(directory), &self.environment())
    }

    /// Everything of the user's that a run must leave as it is: HEAD, refs but ours, index, working tree, worktrees.
    pub fn fingerprint(&self, directory: &str) -> String {
        let git_dir = PathBuf::from(self.git(directory, &["rev-parse", "--absolute-git-dir"]));
        let common = self.git(directory, &["rev-parse", "--path-format=absolute", "--git-common-dir"]);
        let common = PathBuf::from(common);
        let mut lines = vec![format!("HEAD {}", fs::read_to_string(git_dir.join("HEAD")).unwrap())];
        let refs = self.git(directory, &["for-each-ref"]);
        lines.extend(refs.lines().filter(|line| !line.contains("/implement/")).map(str::to_owned));
        for file in ["index", "config", "MERGE_HEAD", "ORIG_HEAD", "FETCH_HEAD"] {
            lines.push(format!("{file} {:?}", fs::read(git_dir.join(file)).ok()));
        }
        lines.push(format!("config {:?}", fs::read(common.join("config")).unwrap()));
        lines.push(format!("locks {:?}", names(&git_dir).filter(|name| name.ends_with(".lock")).collect::<Vec<_>>()));
        let mut registered: Vec<_> = names(&common.join("worktrees")).collect();
        registered.sort();
        lines.push(format!("worktrees {registered:?}"));
        lines.push(format!(
            "running {:?}",
            names(&common.join("implement")).filter(|n| n != "failed").collect::<Vec<_>>()
        ));
        if !self.git(directory, &["rev-parse", "--is-bare-repository"]).contains("true") {
            repo::walk(&self.path(directory), &mut |path, data| {
                lines.push(format!("{} {}", path.display(), repo::content(path, data)));
                path.file_name().is_some_and(|name| name != ".git")
            });
        }
        lines.join("\n")
    }

    /// No complaint from `git fsck --strict`.
    pub fn sound(&self, directory: &str) {
        let printed = self.git(directory, &["fsck", "--strict", "--no-dangling", "--no-progress"]);
        assert_eq!(printed, "");
    }
}

fn names(directory: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned())
}

pub fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

pub fn accepted(name: &str, text: &str) -> Accepted {
    let candidate = Candidate { path: name, base: None, text, whole: true, ..Candidate::default() };
    let settings = Settings { summary_phrases: Vec::new(), ..Settings::default() };
    check::accept(&path(name), &candidate, &settings).expect("the gates accept the test's text").0
}

/// A text that every gate takes.
pub const TEXT: &str = "import sys\n\n\ndef made():\n    return sys.argv\n";

/// What to do to a file.
pub enum Do<'a> {
    Write(&'a str, &'a str),
    Delete(&'a str),
    Rename(&'a str, &'a str),
}

/// How to run.
pub struct How<'a> {
    pub branch: &'a str,
    pub base: Option<&'a str>,
    pub existing: Option<Existing>,
    pub signing: Signing,
    pub no_verify: bool,
    pub interrupt: Interrupt,
    /// Called when all commits are made and nothing is published.
    pub before_publish: &'a dyn Fn(),
}

impl Default for How<'_> {
    fn default() -> Self {
        How {
            branch: "implement/7",
            base: None,
            existing: None,
            signing: Signing::Configured,
            no_verify: false,
            interrupt: Interrupt::default(),
            before_publish: &|| {},
        }
    }
}

/// The default change: one file modified, one added.
pub const CHANGES: &[Do] = &[Do::Write("src/a.py", TEXT), Do::Write("src/new.py", TEXT)];

/// A whole run as the main job makes it, a commit a file.
pub fn run(world: &World, directory: &str, changes: &[Do], how: &How) -> Result<Oid, GitError> {
    let mut repository = world.discover(directory)?;
    repository.may_fetch();
    let base = repository.base(how.base)?;
    let existing = how.existing.unwrap_or(Existing::Refuse);
    let expected = repository.branch_free(how.branch, existing)?;
    let planned: Vec<RepoPath> = changes
        .iter()
        .flat_map(|change| match change {
            Do::Write(name, _) | Do::Delete(name) => vec![path(name)],
            Do::Rename(from, to) => vec![path(from), path(to)],
        })
        .collect();
    let snapshot = repository.snapshot(&base, &planned, &[])?;
    repository.unsupported(&base, &planned)?;
    let identity = repository.identity()?;
    let mut scratch = Scratch::create(&repository, RUN, &base)?;
    let options = CommitOptions {
        identity: &identity,
        signing: &how.signing,
        no_verify: how.no_verify,
        interrupt: &how.interrupt,
    };
    let mut last: Option<Unpublished> = None;
    for change in changes {
        match change {
            Do::Write(name, text) => {
                let mode = Mode::of(plan::is_executable(&path(name), snapshot.files.get(&path(name)), text));
                scratch.stage(&accepted(name, text), mode)?;
            }
            Do::Delete(name) => scratch.stage_delete(&path(name)),
            Do::Rename(from, to) => scratch.stage_rename(&path(from), &path(to))?,
        }
        let tree = scratch.write_tree()?;
        if tree.is_unchanged(&scratch) {
            continue;
        }
        let verified = scratch.verify(tree)?;
        let passed = hooked(&mut scratch, verified, &planned, &options)?;
        last = Some(scratch.commit(passed, "Subject\n\nImplement-Run: x\n", &options)?);
    }
    let files = [RecordFile { name: "design/lld.md".to_owned(), bytes: b"# 7\n".to_vec() }];
    let record = scratch.record(&files)?;
    (how.before_publish)();
    let tip = last.expect("the run changes something");
    let commit = tip.commit();
    let reflog = "implement: docs/lld.md (20260102-030405-abcd)";
    let branch = Some(NewTip { name: how.branch, expected, commit: tip });
    scratch.publish(Publication { record: &record, branch, reflog })?;
    Ok(commit)
}

/// Asks the pre-commit hook, and once more about what it made of planned files.
pub fn hooked(
    scratch: &mut Scratch,
    tree: Verified,
    planned: &[RepoPath],
    options: &CommitOptions,
) -> Result<Passed, GitError> {
    let planned: Vec<&RepoPath> = planned.iter().collect();
    let files = match scratch.pre_commit(tree, &planned, options)? {
        PreCommit::Passed(passed) => return Ok(passed),
        PreCommit::Reworked(files) => files,
    };
    for file in files {
        scratch.stage(&accepted(file.path.as_str(), &file.text), file.mode)?;
    }
    let tree = scratch.write_tree()?;
    let tree = scratch.verify(tree)?;
    match scratch.pre_commit(tree, &planned, options)? {
        PreCommit::Passed(passed) => Ok(passed),
        PreCommit::Reworked(files) => panic!("{files:?}"),
    }
}

/// Runs the default change, which must be published, be sound and leave everything else as it was.
pub fn publishes(world: &World, directory: &str) -> Oid {
    publishes_with(world, directory, CHANGES, &How::default())
}

pub fn publishes_with(world: &World, directory: &str, changes: &[Do], how: &How) -> Oid {
    let before = world.fingerprint(directory);
    let commit = run(world, directory, changes, how).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(world.fingerprint(directory), before);
    assert_eq!(world.git(directory, &["rev-parse", &format!("refs/heads/{}", how.branch)]), commit.to_string());
    world.git(directory, &["rev-parse", "--verify", &format!("refs/implement/runs/{RUN}")]);
    commit
}

/// Runs the default change, which must be refused and leave nothing.
pub fn refuses(world: &World, directory: &str, how: &How) -> GitError {
    let (before, refs) = (world.fingerprint(directory), world.git(directory, &["for-each-ref"]));
    let error = run(world, directory, CHANGES, how).expect_err("the run must be refused");
    assert_eq!(world.fingerprint(directory), before);
    assert_eq!(world.git(directory, &["for-each-ref"]), refs);
    error
}

pub fn base(repository: &Repository) -> Base {
    repository.base(None).unwrap()
}
