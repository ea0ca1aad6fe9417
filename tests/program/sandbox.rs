//! What a confined command can do, and what it cannot, by each of the means. A machine without one of them fails: what
//! these tests promise is promised for all of them.

use crate::repo::{wait_for, write};
use git_implement::environment::Environment;
use git_implement::process::sandbox::Means;
use git_implement::process::{Ended, Interrupt, Limits, Room, Sandbox, Stop};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A home with secrets in it, a repository, and a worktree in its git directory that a command judges.
struct World {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, OsString)>,
}

const SECRET: &str = "not-for-everybody";

impl World {
    fn new() -> World {
        // Where a home is, and not where everybody's temporary files are.
        let folder = tempfile::Builder::new().prefix("git implement ").tempdir_in("/var/tmp").unwrap();
        let world = World { folder, variables: Vec::new() };
        for kept in [".ssh/id_x", ".aws/credentials", ".netrc", ".git-credentials", ".config/gh/hosts.yml"] {
            write(&world.place("home").join(kept), SECRET);
        }
        write(&world.place("home/work/src/a.py"), SECRET);
        write(&world.place("home/work/.git/objects/x"), SECRET);
        write(&world.root().join("here"), "here\n");
        World {
            variables: vec![("HOME", world.place("home").into()), ("PATH", std::env::var_os("PATH").unwrap())],
            ..world
        }
    }

    fn place(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// The worktree.
    fn root(&self) -> PathBuf {
        self.place("home/work/.git/implement/run/worktree")
    }

    fn sandbox(&self, means: Means) -> Sandbox {
        let variables = self.variables.iter().map(|(name, value)| (OsString::from(name), value.clone()));
        let environment: Environment = variables.collect();
        let program = Path::new(env!("CARGO_BIN_EXE_git-implement"));
        let found = Sandbox::of(means, &environment, program);
        found.unwrap_or_else(|| panic!("'{}' does not work here: install bubblewrap and util-linux", means.name()))
    }

    fn run(&self, means: Means, room: &Room, argv: &[&str]) -> Ended {
        let command = self.sandbox(means).command(argv, room).unwrap().limits(LIMITS);
        command.run(&Interrupt::never()).unwrap_or_else(|failure| panic!("{means:?} {argv:?}: {failure:?}"))
    }

    /// A script of the shell, with arguments, in the worktree. Returns what it said.
    #[track_caller]
    fn says(&self, means: Means, script: &str, arguments: &[&str]) -> String {
        self.says_with(means, &self.room(&self.root(), &self.hidden()), script, arguments)
    }

    #[track_caller]
    fn says_with(&self, means: Means, room: &Room, script: &str, arguments: &[&str]) -> String {
        let ended = self.run(means, room, &[&["bash", "-c", script, "bash"], arguments].concat());
        assert!(ended.status.success(), "{means:?} {script}: {ended:?}");
        String::from_utf8(ended.stdout).unwrap()
    }

    fn hidden(&self) -> [PathBuf; 2] {
        [self.place("home/work"), self.place("home/work/.git")]
    }

    fn room<'a>(&self, root: &'a Path, hidden: &'a [PathBuf]) -> Room<'a> {
        Room { hidden, ..Room::of(root) }
    }
}

/// Nothing here takes so long, unless it hangs.
const LIMITS: Limits = Limits { silence: None, total: Some(Duration::from_secs(60)), output: 1 << 20 };

const CONFINED: [Means; 3] = [Means::Bubblewrap, Means::Namespaces, Means::Landlock];

#[test]
fn a_command_writes_its_folder_and_its_private_one_and_nothing_else() {
    for means in CONFINED {
        let world = World::new();
        let outside = [
            world.place("outside"),
            world.place("home/.bashrc"),
            world.place("home/work/src/a.py"),
            world.place("home/work/.git/hooks/post-checkout"),
            PathBuf::from("/etc/git-implement-was-here"),
            PathBuf::from("/usr/git-implement-was-here"),
        ];
        let names: Vec<&str> = outside.iter().map(|path| path.to_str().unwrap()).collect();
        let before: Vec<_> = outside.iter().map(|path| fs::read(path).ok()).collect();
        let script = "for file; do { mkdir -p \"$(dirname \"$file\")\"; echo evil >\"$file\"; } 2>/dev/null; done
            ln -s \"$1\" link; echo evil 2>/dev/null >link
            mv here there && echo new >new && echo t >\"$TMPDIR/t\" && echo h >\"$HOME/h\" && cat new \"$TMPDIR/t\" \"$HOME/h\"
            pwd; ls -A \"$HOME\"";
        let said = world.says(means, script, &names);
        assert_eq!(said, format!("new\nt\nh\n{}\nh\n", world.root().display()), "{means:?}");
        let after: Vec<_> = outside.iter().map(|path| fs::read(path).ok()).collect();
        assert_eq!(before, after, "{means:?}");
        assert_eq!(fs::read_to_string(world.root().join("there")).unwrap(), "here\n", "{means:?}");
        assert_eq!(fs::read_to_string(world.root().join("new")).unwrap(), "new\n", "{means:?}");
    }
}

#[test]
fn no_key_and_nothing_that_leads_to_one_is_in_its_environment_or_in_that_of_others() {
    for means in CONFINED {
        let mut world = World::new();
        // Written in two parts, so that no scanner takes this file for a leak.
        let token = format!("glpat-{}", "vXq81LmZ0fWt7KcRj2Yb");
        for (name, value) in [
            ("ANTHROPIC_API_KEY", SECRET),
            ("MY_SERVICE_TOKEN", SECRET),
            ("DATABASE_URL", "postgres://me:not-for-everybody@db.example/x"),
            ("SSH_AUTH_SOCK", "/tmp/ssh-not-for-everybody/agent"),
            ("XDG_RUNTIME_DIR", "/run/user/not-for-everybody"),
            ("GIT_DIR", SECRET),
            ("GIT_IMPLEMENT_COMMAND", SECRET),
            ("HARMLESS", "kept"),
            ("STRANGE", &token),
        ] {
            world.variables.push((name, value.into()));
        }
        let said = world.says(means, "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'", &[]);
        for never in [SECRET, token.as_str(), "CARGO_MANIFEST_DIR="] {
            assert!(!said.contains(never), "{means:?} {never}\n{said}");
        }
        assert!(said.lines().any(|line| line == "HARMLESS=kept"), "{means:?}\n{said}");
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "what was looked for is in our own environment");
    }
}

#[test]
fn it_reads_the_system_and_neither_the_home_nor_the_repository() {
    for means in CONFINED {
        let world = World::new();
        let script = "cat /etc/passwd >/dev/null && ls /usr/bin >/dev/null && cat here
            for file in .ssh/id_x .aws/credentials .netrc .git-credentials .config/gh/hosts.yml work/src/a.py \\
                work/.git/objects/x; do cat \"$1/$file\" 2>/dev/null; done
            ls -R \"$1\" 2>/dev/null | grep -e id_x -e a.py; cat /etc/shadow 2>/dev/null
            ln \"$1/.ssh/id_x\" stolen 2>/dev/null; cat stolen 2>/dev/null; cat /proc/1/root\"$1/.netrc\" 2>/dev/null
            ls -d \"$1/.ssh\" ../../../../../.ssh/id_x >/dev/null 2>&1; cat ../../../../../.ssh/id_x 2>/dev/null; true";
        let said = world.says(means, script, &[world.place("home").to_str().unwrap()]);
        assert_eq!(said, "here\n", "{means:?}");
    }
}

#[test]
fn what_is_hidden_stays_so_in_a_folder_that_is_open() {
    for means in CONFINED {
        let world = World::new();
        write(&world.place("home/notes"), "notes\n");
        write(&world.place("home/work/kept/in"), "kept\n");
        std::os::unix::fs::symlink(world.place("home/.netrc"), world.place("home/link")).unwrap();
        let (root, hidden) = (world.root(), world.hidden());
        let readable = [world.place("home"), world.place("home/work/kept")];
        let room = Room { readable: &readable, ..world.room(&root, &hidden) };
        let script = "cat here \"$1/notes\" \"$1/work/kept/in\"
            for file in .ssh/id_x .aws/credentials .netrc link .config/gh/hosts.yml work/src/a.py work/.git/objects/x; do
                cat \"$1/$file\" 2>/dev/null
                echo evil 2>/dev/null >\"$1/$file\"
            done; true";
        let said = world.says_with(means, &room, script, &[world.place("home").to_str().unwrap()]);
        assert_eq!(said, "here\nnotes\nkept\n", "{means:?}");
        assert_eq!(fs::read_to_string(world.place("home/.netrc")).unwrap(), SECRET, "{means:?}");
        assert_eq!(fs::read_to_string(world.place("home/work/src/a.py")).unwrap(), SECRET, "{means:?}");
    }
}

#[test]
fn what_the_caller_opens_is_open_also_where_all_else_is_hidden() {
    for means in CONFINED {
        let world = World::new();
        let (root, hidden) = (world.root(), world.hidden());
        write(&world.place("home/work/node_modules/a/index.js"), "installed\n");
        fs::create_dir_all(world.place("cache")).unwrap();
        let (readable, writable) = ([world.place("home/work/node_modules")], [world.place("cache")]);
        let room = Room { readable: &readable, writable: &writable, ..world.room(&root, &hidden) };
        let script = "cat \"$1/a/index.js\"; echo evil 2>/dev/null >\"$1/a/index.js\"; echo built >\"$2/object\"; cat \"$1/../src/a.py\" 2>/dev/null; true";
        let said =
            world.says_with(means, &room, script, &[readable[0].to_str().unwrap(), writable[0].to_str().unwrap()]);
        assert_eq!(said, "installed\n", "{means:?}");
        assert_eq!(fs::read_to_string(readable[0].join("a/index.js")).unwrap(), "installed\n", "{means:?}");
        assert_eq!(fs::read_to_string(writable[0].join("object")).unwrap(), "built\n", "{means:?}");
    }
}

#[test]
fn it_reaches_no_network_unless_that_is_granted() {
    for means in CONFINED {
        let world = World::new();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
        datagrams.set_nonblocking(true).unwrap();
        let ports =
            [listener.local_addr().unwrap().port().to_string(), datagrams.local_addr().unwrap().port().to_string()];
        let script = "{ echo hello >/dev/tcp/127.0.0.1/$1; } 2>/dev/null && echo reached
            { echo hello >/dev/udp/127.0.0.1/$2; } 2>/dev/null; true";
        let ports = ports.each_ref().map(String::as_str);
        assert_eq!(world.says(means, script, &ports), "", "{means:?}");
        assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "{means:?}");
        assert_eq!(datagrams.recv(&mut [0; 9]).unwrap_err().kind(), ErrorKind::WouldBlock, "{means:?}");
        let (root, hidden) = (world.root(), world.hidden());
        let room = Room { network: true, ..world.room(&root, &hidden) };
        assert_eq!(world.says_with(means, &room, script, &ports), "reached\n", "{means:?}");
        assert!(listener.accept().is_ok(), "{means:?}");
    }
}

/// The interpreter itself, and where its library is: `python3` may be a script of a tool that chooses one.
fn python() -> [String; 2] {
    let told =
        Command::new("python3").args(["-c", "import sys; print(sys.executable); print(sys.base_prefix)"]).output();
    let told = String::from_utf8(told.expect("python3 is needed").stdout).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    [lines[0].to_owned(), lines[1].to_owned()]
}

#[test]
fn it_reaches_no_socket_behind_which_somebody_starts_programs() {
    let [python, library] = python();
    let script = "import socket, sys\ntry:\n s = socket.socket(socket.AF_UNIX)\n s.connect(sys.argv[1])\n print('reached')\nexcept OSError:\n print('no')";
    for means in CONFINED {
        let world = World::new();
        let (root, hidden) = (world.root(), world.hidden());
        // Python looks for this one also where nothing says so.
        let readable = [PathBuf::from(&library), PathBuf::from(&python)];
        let sockets = tempfile::tempdir().unwrap();
        let places = [world.place("home/agent"), sockets.path().join("session")];
        for network in [false, true] {
            for place in &places {
                let _ = fs::remove_file(place);
                let listener = UnixListener::bind(place).unwrap();
                listener.set_nonblocking(true).unwrap();
                let room = Room { readable: &readable, network, ..world.room(&root, &hidden) };
                let ended = world.run(means, &room, &[&python, "-c", script, place.to_str().unwrap()]);
                let said = String::from_utf8_lossy(&ended.stdout).into_owned();
                assert_eq!(said, "no\n", "{means:?} {place:?} {}", String::from_utf8_lossy(&ended.stderr));
                assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "{means:?} {place:?}");
            }
        }
    }
}

#[test]
fn a_test_has_its_own_server_where_the_network_is_a_namespace() {
    let [python, library] = python();
    let script = "import socket\ns = socket.create_server(('127.0.0.1', 0))\nc = socket.create_connection(s.getsockname())\nprint('own')";
    for means in [Means::Bubblewrap, Means::Namespaces] {
        let world = World::new();
        let root = world.root();
        let readable = [PathBuf::from(&library), PathBuf::from(&python)];
        let room = Room { readable: &readable, ..Room::of(&root) };
        let ended = world.run(means, &room, &[&python, "-c", script]);
        assert_eq!(ended.stdout, b"own\n", "{means:?} {}", String::from_utf8_lossy(&ended.stderr));
    }
}

/// A small project, with its command.
struct Project {
    files: &'static [(&'static str, &'static str)],
    argv: &'static [&'static str],
}

/// One of each of the tool chains that are here for certain.
const PROJECTS: [Project; 4] = [
    Project {
        files: &[
            ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[workspace]\n"),
            ("src/lib.rs", "#[test]\nfn it_runs() {}\n"),
        ],
        argv: &["cargo", "test", "--offline", "--lib"],
    },
    Project {
        files: &[("test_a.py", "import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self): pass\n")],
        argv: &["python3", "-m", "unittest"],
    },
    Project { files: &[("package.json", "{\"scripts\": {\"test\": \"node --version\"}}\n")], argv: &["npm", "test"] },
    Project {
        files: &[("Makefile", "test:\n\tcc -o a a.c && ./a\n"), ("a.c", "int main(void) { return 0; }\n")],
        argv: &["make", "test"],
    },
];

#[test]
fn the_persons_tool_chains_work_in_it_wherever_they_lie() {
    for means in CONFINED {
        let mut world = World::new();
        // Those of whoever runs the tests.
        world.variables.retain(|(name, _)| *name != "HOME");
        for name in ["HOME", "CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT", "NVM_DIR"] {
            world.variables.extend(std::env::var_os(name).map(|value| (name, value)));
        }
        for Project { files, argv } in PROJECTS {
            let root = world.place(&format!("{}-{}", argv[0], argv.len()));
            files.iter().for_each(|(path, text)| write(&root.join(path), text));
            let ended = world.run(means, &Room::of(&root), argv);
            let said = [ended.stdout, ended.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
            assert!(ended.status.success(), "{means:?} {argv:?}: {said}");
        }
    }
}

#[test]
fn it_sets_nothing_of_the_kernel_though_root_may() {
    for means in CONFINED {
        let script = "for file; do (: >>\"$file\") 2>/dev/null && echo \"$file\"; done; true";
        let names =
            ["core_pattern", "printk_ratelimit_burst", "hostname"].map(|name| format!("/proc/sys/kernel/{name}"));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(World::new().says(means, script, &names), "", "{means:?}");
    }
}

#[test]
fn what_holds_a_command_is_found_though_nothing_else_is_on_the_path() {
    for (means, program) in
        [(Means::Bubblewrap, Some("bwrap")), (Means::Namespaces, Some("unshare")), (Means::Landlock, None)]
    {
        let mut world = World::new();
        let only = world.place("only");
        fs::create_dir_all(&only).unwrap();
        if let Some(program) = program {
            let path = std::env::var_os("PATH").unwrap();
            let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file());
            std::os::unix::fs::symlink(found.unwrap(), only.join(program)).unwrap();
        }
        world.variables = vec![("HOME", world.place("home").into()), ("PATH", only.into())];
        assert_eq!(world.sandbox(means).means(), means);
    }
}

/// Is a process running that was started with this argument?
fn runs(argument: &str) -> bool {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let line = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).unwrap_or_default();
    entries.map(line).any(|line| line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes()))
}

#[test]
fn nothing_that_it_starts_outlives_it_however_it_hides() {
    for (number, means) in CONFINED.into_iter().enumerate() {
        let world = World::new();
        let time = format!("30{}.{number}", std::process::id());
        // A session of its own, no parent, no variable that tells where it is from, and deaf to what asks it to end.
        let script = "(setsid env -i bash -c 'trap \"\" TERM HUP INT; sleep $0; true' $1 >/dev/null 2>&1 &)
            until grep -qz \"^$1$\" /proc/[0-9]*/cmdline 2>/dev/null; do :; done; echo started";
        assert_eq!(world.says(means, script, &[&time]), "started\n", "{means:?}");
        wait_for("what was left behind to end", || !runs(&time));

        let limits = Limits { silence: Some(Duration::from_millis(300)), ..LIMITS };
        let root = world.root();
        let argv = ["bash", "-c", &format!("{script}; sleep 1000"), "bash", &time];
        let command = world.sandbox(means).command(&argv, &Room::of(&root)).unwrap().limits(limits);
        let failure = command.run(&Interrupt::never()).unwrap_err();
        assert!(matches!(failure.why, Stop::Silent(_)), "{means:?} {failure:?}");
        wait_for("what was left behind by what was stopped to end", || !runs(&time));
    }
}

/// Is a process running with just these words?
fn is_command_line(words: &[&str]) -> bool {
    let wanted: String = words.iter().map(|word| format!("{word}\0")).collect();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .map(|entry| fs::read(entry.path().join("cmdline")).unwrap_or_default())
        .any(|line| line == wanted.as_bytes())
}

/// In a process that is killed: runs a command that does not end by itself.
fn wait_for_ever(means: &str) {
    let means = CONFINED.into_iter().find(|known| known.name() == means).unwrap();
    let time = std::env::var(TIME).unwrap();
    let world = World::new();
    println!("{}", world.place("").display());
    world.says(means, "(setsid sleep $1 &) ; sleep $1", &[&time]);
}

const MEANS: &str = "GIT_IMPLEMENT_TEST_MEANS";
const TIME: &str = "GIT_IMPLEMENT_TEST_TIME";

#[test]
fn nothing_outlives_whoever_is_killed_while_waiting_for_it() {
    if let Ok(means) = std::env::var(MEANS) {
        return wait_for_ever(&means);
    }
    for (number, means) in CONFINED.into_iter().enumerate() {
        let time = format!("40{}.{number}", std::process::id());
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "sandbox::nothing_outlives_whoever_is_killed_while_waiting_for_it", "--nocapture"])
            .envs([(MEANS, means.name()), (TIME, &time)])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Itself, and not what is about to start it: bubblewrap and unshare have moments of their own in which they are not tied.
        wait_for("the command to run", || is_command_line(&["sleep", &time]));
        child.kill().unwrap();
        let said = child.wait_with_output().unwrap().stdout;
        wait_for("the command to end", || !runs(&time));
        let folder = String::from_utf8_lossy(&said).lines().find(|line| line.starts_with('/')).map(str::to_owned);
        fs::remove_dir_all(folder.unwrap()).unwrap();
    }
}

#[test]
fn it_ends_as_the_command_ends_and_leaves_no_folder() {
    for means in Means::ALL {
        let world = World::new();
        let root = world.root();
        let status = |script: &str| world.run(means, &Room::of(&root), &["bash", "-c", script]).status.code();
        assert_eq!(status("exit 7"), Some(7), "{means:?}");
        assert_eq!(status("true"), Some(0), "{means:?}");
        if means != Means::None {
            assert_eq!(status("kill -9 $$"), Some(137), "{means:?}");
        }
        let home = world.says(means, "echo \"$HOME\"", &[]);
        assert!(home.trim_end().ends_with("/home") && !Path::new(home.trim_end()).exists(), "{means:?} {home}");
        let missing = world.sandbox(means).command(&["no-such-program"], &Room::of(&root)).err().unwrap();
        assert_eq!(missing.kind(), ErrorKind::NotFound, "{means:?}");
    }
}

#[test]
fn a_server_is_talked_with_from_outside_for_as_long_as_it_is_needed() {
    for means in CONFINED {
        let world = World::new();
        let root = world.root();
        let mut command = world.sandbox(means).command(&["cat"], &Room::of(&root)).unwrap();
        let mut conversation = command.converse().unwrap();
        drop(command);
        for word in ["one\n", "two\n"] {
            conversation.say(word.as_bytes()).unwrap();
            let mut answer = String::new();
            conversation.answers().read_line(&mut answer).unwrap();
            assert_eq!(answer, word, "{means:?}");
        }
        let (status, said) = conversation.end();
        assert!(status.is_some_and(|status| status.success()), "{means:?} {status:?} {said:?}");
    }
}

#[test]
fn what_works_here_is_found_and_named() {
    let world = World::new();
    assert_eq!(
        CONFINED.map(|means| world.sandbox(means).name()),
        ["bubblewrap", "Landlock in namespaces", "Landlock and seccomp"]
    );
    // Also from a folder that it covers.
    let (installed, program) =
        (world.place("home/tools/git-implement"), Path::new(env!("CARGO_BIN_EXE_git-implement")));
    fs::create_dir_all(installed.parent().unwrap()).unwrap();
    fs::hard_link(program, &installed).or_else(|_| fs::copy(program, &installed).map(|_| ())).unwrap();
    let home = [("HOME".into(), world.place("home").into()), ("PATH".into(), std::env::var_os("PATH").unwrap())];
    let environment: Environment = home.into_iter().collect();
    for means in [Means::Namespaces, Means::Landlock] {
        assert!(Sandbox::of(means, &environment, &installed).is_some(), "{means:?}");
    }
    // Another program than ours confines nothing, whatever it says to these arguments.
    let environment: Environment = [("PATH".into(), std::env::var_os("PATH").unwrap())].into_iter().collect();
    for means in [Means::Namespaces, Means::Landlock] {
        assert!(Sandbox::of(means, &environment, Path::new("/bin/true")).is_none(), "{means:?}");
    }
    let nothing: Environment = [("PATH".into(), "/nowhere".into())].into_iter().collect();
    assert_eq!(Sandbox::find(&nothing).name(), "none");
}
