//! Real language servers: each finds a planted error in exactly the text that it was sent, and nothing in a clean one, also
//! when the opposite was sent just before.

use git_implement::environment::Environment;
use git_implement::lsp::{Diagnosis, Servers, Settings};
use git_implement::process::Interrupt;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How often a text is judged in every run of the tests. (`a_hundred_times` is for measuring, on a busy machine.)
const TIMES: usize = 4;

/// What one server is tried with.
struct Case {
    server: &'static str,
    path: &'static str,
    /// Another file of its language.
    other: &'static str,
    /// Files that the project has beside these two.
    files: &'static [(&'static str, &'static str)],
    /// Stands in `path` where a text is clean, and where it has an error in its last line.
    clean: &'static str,
    wrong: &'static str,
    /// The code of the error.
    code: &'static str,
}

const PYTHON: Case = Case {
    server: "pyright",
    path: "src/a.py",
    other: "src/b.py",
    files: &[],
    clean: "def f(x: int) -> int:\n    return x\n\n\nF = f(1)\n",
    wrong: "def f(x: int) -> int:\n    return x\n\n\nF = f('ä')\n",
    code: "reportArgumentType",
};

const TYPESCRIPT: Case = Case {
    server: "tsgo",
    path: "src/a.ts",
    other: "src/b.ts",
    files: &[(
        "tsconfig.json",
        "{\"compilerOptions\": {\"strict\": true, \"noEmit\": true}, \"include\": [\"src\"]}\n",
    )],
    clean: "export const a: string = 'ä';\n",
    wrong: "export const a: string = 1;\n",
    code: "ts2322",
};

const GO: Case = Case {
    server: "gopls",
    path: "a.go",
    other: "b.go",
    files: &[("go.mod", "module example.com/a\n\ngo 1.19\n")],
    clean: "package a\n\nfunc F() int { return 1 }\n",
    wrong: "package a\n\nfunc F() int { return \"x\" }\n",
    code: "IncompatibleAssign",
};

const CPP: Case = Case {
    server: "clangd",
    path: "a.cpp",
    other: "b.cpp",
    files: &[],
    clean: "int f() { return 1; }\n",
    wrong: "int f() { return \"x\"; }\n",
    code: "init_conversion_failed",
};

const CASES: &[&Case] = &[
    &PYTHON,
    &Case { server: "basedpyright", ..PYTHON },
    &Case { server: "ty", code: "invalid-argument-type", ..PYTHON },
    &Case { server: "ruff", clean: "a = 1\n", wrong: "a = )\n", code: "invalid-syntax", ..PYTHON },
    &TYPESCRIPT,
    &Case { server: "typescript-language-server", ..TYPESCRIPT },
    &GO,
    &CPP,
];

/// The person's variables, with the installed servers first on the PATH.
fn environment() -> Environment {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    let install = || crate::installed::folder("languages", "GIT_IMPLEMENT_TEST_LANGUAGES", "languages");
    let installed = INSTALLED.get_or_init(install);
    let path = std::env::var_os("PATH").unwrap();
    let folders = [installed.join("npm/node_modules/.bin"), installed.join("venv/bin")];
    let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&path))).unwrap();
    let variables = std::env::vars_os().filter(|(name, _)| name != "PATH");
    variables.chain([(OsString::from("PATH"), path)]).collect()
}

/// A project, and its one server.
struct World {
    case: &'static Case,
    root: tempfile::TempDir,
    servers: Servers,
}

impl World {
    fn of(case: &'static Case) -> World {
        let root = tempfile::Builder::new().prefix("git implement ").tempdir().unwrap();
        let named = Some(vec![case.server.to_owned()]);
        // A busy machine is no reason to find nothing.
        let limit = Duration::from_secs(120);
        let settings = Settings { names: named, limit, first_limit: limit, ..Settings::default() };
        let servers = Servers::new(root.path(), &settings, &environment(), &Interrupt::default());
        let world = World { case, root, servers };
        let other = if case.server == "gopls" { "package a\n" } else { "" };
        [(case.path, case.clean), (case.other, other)].iter().chain(case.files).for_each(|(path, text)| {
            world.write(path, text);
        });
        world
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.root.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Line and code of the errors in this text.
    #[track_caller]
    fn errors(&mut self, path: &str, text: &str) -> Vec<(usize, String)> {
        match self.servers.diagnose(path, text) {
            Diagnosis::Checked { server, diagnostics } if server == self.case.server => diagnostics
                .into_iter()
                .filter(git_implement::diagnostic::Diagnostic::is_error)
                .map(|it| (it.line, it.code.unwrap_or_default()))
                .collect(),
            other => panic!("{}: {other:?}", self.case.server),
        }
    }

    #[track_caller]
    fn judge(&mut self, is_wrong: bool) {
        let Case { path, clean, wrong, code, .. } = *self.case;
        let text = if is_wrong { wrong } else { clean };
        let errors = self.errors(path, text);
        if is_wrong {
            let want = (text.lines().count(), code.to_owned());
            assert!(errors.contains(&want), "{}: {want:?} is not among {errors:?}", self.case.server);
        } else {
            assert_eq!(errors, [], "{}", self.case.server);
        }
    }

    /// The same, while on disk is the opposite, which the server is sent just before.
    #[track_caller]
    fn judge_against(&mut self, is_wrong: bool) {
        let Case { path, other, clean, wrong, .. } = *self.case;
        self.servers.hide(path);
        let idle = if self.case.server == "gopls" { "package a\n" } else { "" };
        self.errors(other, idle);
        self.write(path, if is_wrong { clean } else { wrong });
        self.judge(is_wrong);
    }

    fn times(mut self, times: usize) {
        for n in 0..times {
            self.judge(n % 2 == 0);
            self.judge_against(n % 2 != 0);
        }
        // Twice the same, and another that is as clean.
        let Case { path, clean, .. } = *self.case;
        self.judge(false);
        self.judge(false);
        assert_eq!(self.errors(path, &format!("{clean}\n")), [], "{}", self.case.server);
    }
}

fn world(server: &str) -> World {
    World::of(CASES.iter().find(|case| case.server == server).unwrap())
}

#[test]
fn pyright_judges_the_text_that_it_was_sent() {
    world("pyright").times(TIMES);
}

#[test]
fn basedpyright_judges_the_text_that_it_was_sent() {
    world("basedpyright").times(TIMES);
}

#[test]
fn ty_judges_the_text_that_it_was_sent() {
    world("ty").times(TIMES);
}

#[test]
fn ruff_judges_the_text_that_it_was_sent() {
    world("ruff").times(TIMES);
}

#[test]
fn tsgo_judges_the_text_that_it_was_sent() {
    world("tsgo").times(TIMES);
}

#[test]
fn typescript_language_server_judges_the_text_that_it_was_sent() {
    world("typescript-language-server").times(TIMES);
}

#[test]
fn gopls_judges_the_text_that_it_was_sent() {
    world("gopls").times(TIMES);
}

#[test]
fn clangd_judges_the_text_that_it_was_sent() {
    world("clangd").times(TIMES);
}

#[test]
fn what_is_written_to_one_file_is_seen_in_another() {
    let mut world = world("pyright");
    world.write("src/used.py", "def g(x: int) -> int:\n    return x\n");
    let user = "from used import g\n\nG = g(1)\n";
    assert_eq!(world.errors("src/user.py", user), []);
    let text = "def g(x: str) -> str:\n    return x\n";
    world.write("src/used.py", text);
    world.servers.changed(&[("src/used.py".to_owned(), Some(text.to_owned()))]);
    assert_eq!(world.errors("src/user.py", user), [(3, "reportArgumentType".to_owned())]);
    // Shown, and not on disk.
    world.servers.show("src/used.py", "def g(x: int) -> int:\n    return x\n");
    assert_eq!(world.errors("src/user.py", user), []);
}

#[test]
fn a_go_module_that_cannot_be_loaded_is_not_called_clean() {
    let mut world = world("gopls");
    world.write("go.mod", "module example.com/a\n\nrequire (\n");
    let found = world.servers.diagnose("a.go", GO.wrong);
    assert!(matches!(&found, Diagnosis::NotChecked { .. }), "{found:?}");
}

#[test]
fn a_server_that_runs_code_of_the_workspace_is_not_started_by_itself() {
    let root = tempfile::tempdir().unwrap();
    let settings = Settings { refused: vec!["pyright".to_owned(), "ty".to_owned()], ..Settings::default() };
    let servers = Servers::new(root.path(), &settings, &environment(), &Interrupt::never());
    assert_eq!(servers.handles("a.py"), Some("ruff"), "and not basedpyright");
    let servers = Servers::new(root.path(), &Settings::default(), &environment(), &Interrupt::never());
    assert_eq!(
        ["a.py", "a.tsx", "a.go", "a.cc", "a.xyz"].map(|path| servers.handles(path)),
        [Some("pyright"), Some("tsgo"), Some("gopls"), Some("clangd"), None]
    );
}

/// `[SERVER=pyright] cargo test --test servers a_hundred_times -- --ignored --nocapture --test-threads 1`
#[test]
#[ignore = "takes minutes"]
fn a_hundred_times_each_server_judges_the_text_that_it_was_sent() {
    let only = std::env::var("SERVER").ok();
    for case in CASES.iter().filter(|case| only.as_deref().is_none_or(|only| only == case.server)) {
        let mut world = World::of(case);
        world.judge(true);
        let mut took = Vec::new();
        for n in 0..200 {
            world.judge_against(n % 2 == 0);
        }
        for n in 0..100 {
            let began = Instant::now();
            world.judge(n % 2 == 0);
            took.push(began.elapsed());
        }
        took.sort();
        println!("{}: 200 of 200 against the opposite, 100 of 100 warm, median {:.1?}", case.server, took[50]);
    }
}
