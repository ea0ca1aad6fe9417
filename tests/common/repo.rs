//! A real repository for end-to-end tests, a provider that answers from a folder, and the built program.
//!
//! Nothing of the developer's own reaches it: the environment is made up, HOME and TMPDIR are folders of the test's, git
//! has no configuration but the repository's own. **Every run compares everything that is the user's before and after**:
//! the whole working tree, and all of `.git` but objects and what a run may leave there. Not a `mod.rs`: a test file takes
//! it in with `#[path = "common/repo.rs"] mod repo;`.
#![allow(dead_code)]

use rustix::process::{Pid, kill_process};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub use rustix::process::Signal;

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Answers with `<answers>/<path>.<attempt>`, else `<answers>/<path>.md`; before that it runs `<answers>/<path>.sh`, if
/// it is there. What it was asked is kept in `<asked>/<path>.<attempt>`, its environment in `<asked>/environment`.
const PROVIDER: &str = r#"#!/bin/sh
set -eu
mkdir -p "$(dirname "$ASKED/$GIT_IMPLEMENT_PATH")"
cat >"$ASKED/$GIT_IMPLEMENT_PATH.$GIT_IMPLEMENT_ATTEMPT"
env >"$ASKED/environment"
pwd >"$ASKED/folder"
ls -A >>"$ASKED/folder"
echo "$GIT_IMPLEMENT_PATH $GIT_IMPLEMENT_FORMAT $GIT_IMPLEMENT_ATTEMPT" >>"$ASKED/log"
if [ -f "$ANSWERS/$GIT_IMPLEMENT_PATH.sh" ]; then
    . "$ANSWERS/$GIT_IMPLEMENT_PATH.sh"
fi
answer="$ANSWERS/$GIT_IMPLEMENT_PATH.$GIT_IMPLEMENT_ATTEMPT"
[ -f "$answer" ] || answer="$ANSWERS/$GIT_IMPLEMENT_PATH.md"
exec cat "$answer"
"#;

/// A world with one repository in it. Removed when it is dropped.
pub struct Repo {
    root: tempfile::TempDir,
    /// The repository.
    pub dir: PathBuf,
    /// The environment of every command.
    pub variables: BTreeMap<String, String>,
}

impl Repo {
    /// A world in which the folder of the repository is still to be made.
    pub fn nowhere() -> Repo {
        // A blank in the path finds what is not quoted.
        let root = tempfile::Builder::new().prefix("git implement ").tempdir().unwrap();
        let place = root.path().canonicalize().unwrap();
        let mut variables = BTreeMap::new();
        let mut set = |name: &str, value: &str| variables.insert(name.to_owned(), value.to_owned());
        set("PATH", &std::env::var("PATH").unwrap());
        for (name, folder) in [("HOME", "home"), ("TMPDIR", "tmp"), ("ANSWERS", "answers"), ("ASKED", "asked")] {
            fs::create_dir(place.join(folder)).unwrap();
            set(name, place.join(folder).to_str().unwrap());
        }
        // A terminal's name: what is plain because nothing is a terminal must not be plain for want of a name.
        set("TERM", "xterm-256color");
        set("GIT_CONFIG_GLOBAL", "/dev/null");
        set("GIT_CONFIG_SYSTEM", "/dev/null");
        set("GIT_AUTHOR_DATE", "1700000000 +0100");
        set("GIT_COMMITTER_DATE", "1700000000 +0100");
        set("GIT_OPTIONAL_LOCKS", "0");
        // Whatever language servers this machine has: tests that want one say so.
        set("GIT_IMPLEMENT_LSP", "off");
        fs::write(place.join("provider"), PROVIDER).unwrap();
        Repo { root, dir: place.join("repo"), variables }
    }

    /// A repository without a commit.
    pub fn unborn() -> Repo {
        let repo = Repo::nowhere();
        fs::create_dir(&repo.dir).unwrap();
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo.git(&["config", "user.name", "A U Thor"]);
        repo.git(&["config", "user.email", "author@example.com"]);
        repo
    }

    /// With these files in its first commit.
    pub fn of(files: &[(&str, &str)]) -> Repo {
        let repo = Repo::unborn();
        for (path, text) in files {
            repo.write(path, text);
        }
        repo.commit("base");
        repo
    }

    /// A folder of `fixtures/`: its `repo/` is the first commit, its `answers/` are the provider's.
    pub fn fixture(name: &str) -> Repo {
        let repo = Repo::unborn();
        let fixture = fixture(name);
        for (path, bytes) in tree(&fixture.join("repo")) {
            // git and cargo would act on these names in our own repository.
            let path = match path.as_str() {
                "gitignore" => ".gitignore",
                "Cargo.toml.in" => "Cargo.toml",
                path => path,
            };
            repo.write(path, bytes);
        }
        for (path, bytes) in tree(&fixture.join("answers")) {
            write(&repo.place("answers").join(path), bytes);
        }
        repo.commit("base");
        repo
    }

    /// A file or folder beside the repository.
    pub fn place(&self, name: &str) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(name)
    }

    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.insert(name.to_owned(), value.into());
    }

    /// What the person has configured for all repositories.
    pub fn configure(&mut self, key: &str, value: &str) {
        let count: usize = self.variables.get("GIT_CONFIG_COUNT").map_or(0, |count| count.parse().unwrap());
        self.set("GIT_CONFIG_COUNT", (count + 1).to_string());
        self.set(&format!("GIT_CONFIG_KEY_{count}"), key);
        self.set(&format!("GIT_CONFIG_VALUE_{count}"), value);
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        write(&self.dir.join(path), text);
    }

    /// A file that may be run.
    pub fn program(&self, path: impl AsRef<Path>, text: &str) {
        write_program(&self.dir.join(path), text);
    }

    /// A hook of the user's.
    pub fn hook(&self, name: &str, script: &str) {
        self.program(format!(".git/hooks/{name}"), &format!("#!/bin/sh\n{script}\n"));
    }

    /// Commits all there is.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--no-verify", "--message", message]);
        self.tip("HEAD")
    }

    /// What the provider answers for `path`, at every attempt.
    pub fn answer(&self, path: &str, reply: impl AsRef<[u8]>) {
        write(&self.place("answers").join(format!("{path}.md")), reply);
    }

    /// What the provider answers for `path` at one attempt.
    pub fn answer_at(&self, path: &str, attempt: u32, reply: impl AsRef<[u8]>) {
        write(&self.place("answers").join(format!("{path}.{attempt}")), reply);
    }

    /// What the provider's shell does before it answers for `path`.
    pub fn before(&self, path: &str, script: &str) {
        write(&self.place("answers").join(format!("{path}.sh")), format!("{script}\n"));
    }

    /// A line for each request: path, format, attempt.
    pub fn asked(&self) -> Vec<String> {
        let log = fs::read_to_string(self.place("asked/log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    /// The prompt for `path` at the first attempt.
    pub fn prompt(&self, path: &str) -> String {
        fs::read_to_string(self.place("asked").join(format!("{path}.1"))).unwrap()
    }

    /// The command line of the provider that answers from the folder.
    pub fn provider(&self) -> String {
        format!("sh '{}'", self.place("provider").display())
    }

    /// Any program in the repository, in this world.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.variables).current_dir(&self.dir).stdin(Stdio::null());
        command
    }

    /// git's standard output, without its last line end; it must succeed.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&self.git_bytes(arguments)).trim_end_matches('\n').to_owned()
    }

    #[track_caller]
    pub fn git_bytes(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self.command("git").args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// The commit that `revision` names.
    #[track_caller]
    pub fn tip(&self, revision: &str) -> String {
        self.git(&["rev-parse", "--verify", &format!("{revision}^{{commit}}")])
    }

    /// The bytes of `path` in a commit.
    #[track_caller]
    pub fn blob(&self, revision: &str, path: &str) -> Vec<u8> {
        self.git_bytes(&["cat-file", "blob", &format!("{revision}:{path}")])
    }

    /// Every file of a commit with its mode.
    #[track_caller]
    pub fn files(&self, revision: &str) -> BTreeMap<String, String> {
        let listing = self.git(&["ls-tree", "-r", "-z", "--format=%(path)%x09%(objectmode)", revision]);
        let entries = listing.split('\0').filter_map(|entry| entry.split_once('\t'));
        entries.map(|(path, mode)| (path.to_owned(), mode.to_owned())).collect()
    }

    /// The subjects of `HEAD..<branch>`, oldest first.
    #[track_caller]
    pub fn subjects(&self, branch: &str) -> Vec<String> {
        let log = self.git(&["log", "--reverse", "--format=%s", &format!("HEAD..{branch}")]);
        log.lines().map(str::to_owned).collect()
    }

    /// No complaint from `git fsck --strict`.
    #[track_caller]
    pub fn sound(&self) {
        assert_eq!(self.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    }

    /// The main job with the provider that answers from the folder.
    #[track_caller]
    pub fn implement(&self, arguments: &[&str]) -> Ran {
        let provider = self.provider();
        self.run(&[&["--provider", "command", "--command", &provider], arguments].concat())
    }

    /// The program, in the root of the repository.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_in(&self.dir, arguments)
    }

    #[track_caller]
    pub fn run_in(&self, folder: &Path, arguments: &[&str]) -> Ran {
        let before = Snapshot::of(self);
        let output = self.process(arguments).current_dir(folder).output().unwrap();
        let ran = self.ran(before, output);
        crate::hints::hold(arguments, &ran.err);
        ran
    }

    /// The program, with this on its standard input.
    #[track_caller]
    pub fn run_on(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> Ran {
        let before = Snapshot::of(self);
        write(&self.place("input"), input);
        let input = fs::File::open(self.place("input")).unwrap();
        let ran = self.ran(before, self.process(arguments).stdin(input).output().unwrap());
        crate::hints::hold(arguments, &ran.err);
        ran
    }

    /// The main job, with this on standard input and the provider that answers from the folder.
    #[track_caller]
    pub fn implement_on(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> Ran {
        let provider = self.provider();
        self.run_on(input, &[&["--provider", "command", "--command", &provider], arguments].concat())
    }

    /// The program where it may change the user's files. Status, stdout and stderr.
    #[track_caller]
    pub fn change(&self, arguments: &[&str]) -> Ended {
        let ended = Ended::of(&mut self.process(arguments));
        crate::hints::hold(arguments, &ended.err);
        ended
    }

    /// The program, not yet started.
    pub fn process(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_git-implement"));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts the main job, waits for a line in the file `sign` beside the repository, sends a signal, and waits for the end.
    #[track_caller]
    pub fn interrupted(&self, signal: Signal, sign: &str, arguments: &[&str]) -> Ran {
        let before = Snapshot::of(self);
        let provider = self.provider();
        let command = ["--provider", "command", "--command", &provider];
        let child = Running(Some(self.process(&[&command, arguments].concat()).spawn().unwrap()));
        wait_for("the provider to be asked", || {
            fs::read_to_string(self.place(sign)).is_ok_and(|id| id.ends_with('\n'))
        });
        // By the one process's id. Never by a program `kill` and a negative number: some versions of it read `-12345` as
        // `-1`, and end every process there is.
        kill_process(child.id(), signal).unwrap();
        self.ran(before, child.end())
    }

    #[track_caller]
    fn ran(&self, before: Snapshot, output: Output) -> Ran {
        let after = Snapshot::of(self);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output in UTF-8");
        let ran = Ran {
            status: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
            refs: difference(&before.refs, &after.refs),
            failed: after.failed.iter().filter(|name| !before.failed.contains(name)).cloned().collect(),
        };
        let mut changed = difference(&before.files, &after.files);
        // What is built stays for the next run, in the person's cache.
        changed.retain(|path, _| !path.contains("/home/.cache"));
        assert!(changed.is_empty(), "the run changed what is the user's: {:?}\n{ran}", changed.keys());
        assert_eq!(after.running, Vec::<String>::new(), "left behind in .git/implement\n{ran}");
        assert_eq!(after.temporary, Vec::<String>::new(), "left behind in TMPDIR\n{ran}");
        self.holds(&ran);
        ran
    }

    /// Whatever a run has published can be made again from its record.
    #[track_caller]
    fn holds(&self, ran: &Ran) {
        let new = |folder: &str| ran.refs.iter().find(|(name, id)| name.starts_with(folder) && !id.is_empty());
        let (Some((record, _)), Some((_, tip)), Some(0)) =
            (new("refs/implement/runs/"), new("refs/heads/"), ran.status)
        else {
            return;
        };
        let header = self.git_bytes(&["cat-file", "blob", &format!("{record}:run.json")]);
        let header: serde_json::Value = serde_json::from_slice(&header).unwrap();
        // What is left out of a record cannot be made again.
        if header["record"] == "none" {
            return;
        }
        let range = format!("{}..{tip}", header["base"].as_str().unwrap());
        let ended = Ended::of(&mut self.process(&["verify", &range]));
        let lines: Vec<&str> = ended.out.lines().collect();
        let exact = lines.last().is_some_and(|line| line.ends_with(" exact") && !line.contains(','));
        assert!(ended.status == Some(0) && exact, "the run's commits are not what its record makes: {ended}");
    }

    /// The folder of the failed run with this name.
    pub fn failed(&self, name: &str) -> PathBuf {
        self.git_dir().join("implement/failed").join(name)
    }

    pub fn git_dir(&self) -> PathBuf {
        let nested = self.dir.join(".git");
        if nested.is_dir() { nested } else { self.dir.clone() }
    }
}

/// What a run printed and left.
#[derive(Debug)]
pub struct Ran {
    /// `None` if a signal ended it.
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
    /// Refs that it changed, with what they are now; empty for one that is gone.
    pub refs: BTreeMap<String, String>,
    /// The names of the failed records that it kept.
    pub failed: Vec<String>,
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "status {:?}, refs {:?}\n--- stdout\n{}\n--- stderr\n{}", self.status, self.refs, self.out, self.err)
    }
}

impl Ran {
    /// It ended in this branch and the record of the run, and changed no other ref. Returns the run's id.
    #[track_caller]
    pub fn published(&self, branch: &str) -> String {
        assert_eq!(self.status, Some(0), "{self}");
        let names: Vec<&str> = self.refs.keys().map(String::as_str).collect();
        let [head, record] = names[..] else { panic!("{self}") };
        assert_eq!(head, format!("refs/heads/{branch}"), "{self}");
        assert!(self.failed.is_empty(), "{self}");
        record.strip_prefix("refs/implement/runs/").unwrap_or_else(|| panic!("{self}")).to_owned()
    }

    /// It ended well, made no branch, and left its record. Returns the run's id.
    #[track_caller]
    pub fn recorded_only(&self) -> String {
        assert_eq!((self.status, &self.failed), (Some(0), &Vec::new()), "{self}");
        let names: Vec<&str> = self.refs.keys().map(String::as_str).collect();
        let [record] = names[..] else { panic!("{self}") };
        record.strip_prefix("refs/implement/runs/").unwrap_or_else(|| panic!("{self}")).to_owned()
    }

    /// It ended with this status, and changed nothing at all but for, perhaps, the record of a failed run.
    #[track_caller]
    pub fn refused(&self, status: i32) -> &Ran {
        assert_eq!(self.status, Some(status), "{self}");
        assert!(self.refs.is_empty(), "{self}");
        self
    }

    /// … before a run began: there is no record either.
    #[track_caller]
    pub fn refused_at_once(&self, status: i32) -> &Ran {
        self.refused(status);
        assert!(self.failed.is_empty(), "{self}");
        assert_eq!(self.out, "", "{self}");
        self
    }

    /// Everything went well, and nothing is different.
    #[track_caller]
    pub fn changed_nothing(&self) -> &Ran {
        self.refused(0);
        assert!(self.failed.is_empty(), "{self}");
        self
    }

    /// stderr holds this.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Ran {
        assert!(self.err.contains(text), "no '{text}' in\n{self}");
        self
    }

    /// The events of `--json`.
    #[track_caller]
    pub fn events(&self) -> Vec<serde_json::Value> {
        let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}\n{self}"));
        self.out.lines().map(read).collect()
    }
}

/// A process that has ended, whatever it changed.
#[derive(Debug)]
pub struct Ended {
    /// `None` if a signal ended it.
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    pub fn of(command: &mut Command) -> Ended {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output in UTF-8");
        Ended { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "status {:?}\n--- stdout\n{}\n--- stderr\n{}", self.status, self.out, self.err)
    }
}

/// A process that does not outlive its test.
struct Running(Option<Child>);

impl Running {
    fn id(&self) -> Pid {
        Pid::from_child(self.0.as_ref().expect("a process"))
    }

    fn end(mut self) -> Output {
        let mut child = self.0.take().expect("a process");
        wait_for("the program to end", || child.try_wait().unwrap().is_some());
        child.wait_with_output().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[track_caller]
pub fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Is there a process with this id that has not ended?
pub fn is_alive(id: &str) -> bool {
    assert!(id.trim().parse::<u32>().is_ok(), "'{id}' is the number of no process");
    let state = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    state.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

/// A folder of `fixtures/`.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// Every file below a folder: its path there, its bytes.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    walk(folder, &mut |path, data| {
        if data.is_file() {
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            files.insert(name, fs::read(path).unwrap());
        }
        true
    });
    files
}

pub fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The same for a file that may be run. Another process writes it: a child that a test beside this one starts would inherit
/// our open file for a moment, and a file that is open for writing cannot be run.
pub fn write_program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut writer = Command::new("sh");
    writer.args(["-c", "rm -f -- \"$0\"; printf %s \"$1\" >\"$0\"; chmod 755 -- \"$0\""]).arg(path).arg(text);
    assert!(writer.status().unwrap().success(), "{}", path.display());
}

/// Fills `folder` with links to the system's programs but for these; called again, it takes more of them away.
pub fn without_programs(folder: &Path, names: &[&str]) {
    fs::create_dir_all(folder).unwrap();
    let is_new = fs::read_dir(folder).unwrap().next().is_none();
    for entry in fs::read_dir("/usr/bin").unwrap().flatten().filter(|_| is_new) {
        std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    names.iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
}

/// Visits all below `folder`, in order; does not go into folders for which `visit` says no.
pub fn walk(folder: &Path, visit: &mut impl FnMut(&Path, &fs::Metadata) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let data = path.symlink_metadata().unwrap();
        if visit(&path, &data) && data.is_dir() {
            walk(&path, visit);
        }
    }
}

/// What there is, read without asking git, which might write.
struct Snapshot {
    /// All that is the user's: files, links and folders of the world with modes and bytes.
    files: BTreeMap<String, String>,
    refs: BTreeMap<String, String>,
    /// Records of failed runs.
    failed: Vec<String>,
    /// Everything else in `.git/implement`.
    running: Vec<String>,
    /// What is in TMPDIR.
    temporary: Vec<String>,
}

impl Snapshot {
    fn of(repo: &Repo) -> Snapshot {
        let git = repo.git_dir();
        let mut files = BTreeMap::new();
        // All but what a run may add to: HEAD, index, config, hooks, registered worktrees are compared, as any file.
        let not_the_users = |path: &Path| {
            let inside = path.strip_prefix(&git).map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
            matches!(inside.as_str(), "objects" | "refs" | "packed-refs" | "implement" | "logs/refs")
        };
        let mut visit = |path: &Path, data: &fs::Metadata| {
            let users = !not_the_users(path);
            if users {
                files.insert(path.display().to_string(), content(path, data));
            }
            users
        };
        walk(&repo.dir, &mut visit);
        for other in ["home", "linked"] {
            walk(&repo.place(other), &mut visit);
        }
        let refs = repo.git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
        let refs = refs.lines().filter_map(|line| line.split_once(' '));
        let names = |folder: PathBuf| -> Vec<String> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        };
        let mut running = names(git.join("implement"));
        // What a person has agreed to stays, what a task leaves, and a large checkout for the next run.
        running.retain(|name| !["failed", "proposed", "spare", "tasks"].contains(&name.as_str()));
        Snapshot {
            files,
            refs: refs.map(|(name, id)| (name.to_owned(), id.to_owned())).collect(),
            failed: names(git.join("implement/failed")),
            running,
            temporary: names(repo.place("tmp")),
        }
    }
}

/// A file's, link's or folder's mode, and what is in it.
pub fn content(path: &Path, data: &fs::Metadata) -> String {
    let mode = data.permissions().mode();
    if data.is_symlink() {
        format!("{mode:o} {:?}", fs::read_link(path).unwrap())
    } else if data.is_dir() {
        format!("{mode:o}")
    } else {
        format!("{mode:o} {}", fs::read(path).unwrap().escape_ascii())
    }
}

/// What `after` has otherwise than `before`; empty for what it has no more.
fn difference(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let gone = before.keys().filter(|name| !after.contains_key(*name)).map(|name| (name.clone(), String::new()));
    let other = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
    gone.chain(other.map(|(name, value)| (name.clone(), value.clone()))).collect()
}
