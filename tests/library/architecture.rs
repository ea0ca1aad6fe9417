//! The shape of the code, held: the `mod` lines of `src/lib.rs` are the pipeline in order, and each module imports only
//! modules above it. Who reads the environment, who prints and who exits is held here, too.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules of the library, in order.
fn modules() -> Vec<String> {
    let lib = fs::read_to_string(src().join("lib.rs")).unwrap();
    let names = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(str::to_owned).collect()
}

/// Every source file, by its path below `src/`, without what is there for tests only.
fn sources() -> BTreeMap<String, String> {
    let mut sources = BTreeMap::new();
    let mut folders = vec![src()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(src()).unwrap().to_str().unwrap().to_owned();
            let tests = path.file_stem().is_some_and(|stem| stem == "tests");
            if path.is_dir() && !tests {
                folders.push(path);
            } else if name.ends_with(".rs") && !tests {
                sources.insert(name, without_tests(&fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources
}

/// Blanks comments and the module of unit tests, which ends a file.
fn without_tests(text: &str) -> String {
    let code = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    code.lines().map(|line| if is_comment(line) { "\n".to_owned() } else { format!("{line}\n") }).collect()
}

/// The module that a source file belongs to.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

/// The modules of the crate that a text names after `crate::`, each with its line.
fn named(text: &str) -> Vec<(usize, String)> {
    let word = |rest: &str| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let line = text[..at].matches('\n').count() + 1;
        let rest = &text[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            // `use crate::{a::B, c};`
            Some(group) => {
                let mut depth = 0_usize;
                let mut item = String::new();
                for c in group.chars() {
                    match c {
                        '}' if depth == 0 => break,
                        ',' if depth == 0 => found.push((line, word(std::mem::take(&mut item).trim()))),
                        _ => {
                            depth = if c == '{' { depth + 1 } else { depth - usize::from(c == '}') };
                            item.push(c);
                        }
                    }
                }
                found.push((line, word(item.trim())));
            }
            None => found.push((line, word(rest))),
        }
    }
    found.retain(|(_, name)| !name.is_empty());
    found
}

/// The lines of all files but those for which `may` says yes that hold one of `words`.
fn lines_with(words: &[&str], may: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in sources().iter().filter(|(file, _)| !may(file)) {
        for (number, line) in text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("src/{file}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    found
}

const NOTHING: Vec<String> = Vec::new();

#[test]
fn every_module_imports_only_modules_above_it() {
    let order = modules();
    assert!(order.len() > 15, "{order:?}");
    let place = |name: &str| order.iter().position(|known| known == name);
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let Some(own) = place(module(&file)) else { continue };
        for (line, name) in named(&text) {
            match place(&name) {
                Some(other) if other > own => {
                    wrong.push(format!("src/{file}:{line}: '{}' imports '{name}'", order[own]))
                }
                Some(_) => {}
                None => wrong.push(format!("src/{file}:{line}: there is no module '{name}'")),
            }
        }
    }
    assert_eq!(wrong, NOTHING);
}

#[test]
fn every_file_of_the_library_belongs_to_a_module_of_the_list() {
    let order = modules();
    let strange: Vec<String> = sources()
        .into_keys()
        .filter(|file| {
            !matches!(file.as_str(), "lib.rs" | "main.rs") && !order.iter().any(|known| known == module(file))
        })
        .collect();
    assert_eq!(strange, NOTHING);
}

/// `process` stands above the other edges and knows none of them: all start their children there.
#[test]
fn no_edge_imports_another() {
    let edges = ["config", "git", "provider", "transcript", "lsp"];
    let mut wrong = Vec::new();
    for (file, text) in sources().iter().filter(|(file, _)| edges.contains(&module(file))) {
        for (line, name) in named(text) {
            if name != module(file) && edges.contains(&name.as_str()) {
                wrong.push(format!("src/{file}:{line}: {name}"));
            }
        }
    }
    assert_eq!(wrong, NOTHING);
}

#[test]
fn the_edit_engine_knows_nothing_of_the_crate() {
    let wrong: Vec<String> = sources()
        .iter()
        .filter(|(file, _)| module(file) == "edit")
        .flat_map(|(file, text)| named(text).into_iter().map(move |(line, name)| (file.clone(), line, name)))
        .filter(|(_, _, name)| name != "edit")
        .map(|(file, line, name)| format!("src/{file}:{line}: {name}"))
        .collect();
    assert_eq!(wrong, NOTHING);
}

/// Neither files nor processes, neither a clock nor the environment, nor what only the feature `cli` brings.
#[test]
fn pure_stages_have_no_effects() {
    let pure = [
        "path",
        "shape",
        "model",
        "finding",
        "exit",
        "edit",
        "syntax",
        "folder",
        "taskmaster",
        "lld",
        "passage",
        "plan",
        "context",
        "prompt",
        "check",
        "diagnostic",
        "fault",
        "attempt",
        "patch",
        "event",
    ];
    assert!(pure.iter().all(|name| modules().iter().any(|known| known == name)), "{:?}", modules());
    let effects = [
        "std::fs",
        "std::env",
        "std::process",
        "std::net",
        "std::io",
        "SystemTime",
        "Instant::now",
        "git2::",
        "reqwest::",
        "tokio::",
        "tempfile::",
        "clap::",
    ];
    assert_eq!(lines_with(&effects, |file| !pure.contains(&module(file))), NOTHING);
}

/// With a child started elsewhere come an environment, a rule for interruption and a wait of its own.
#[test]
fn only_the_process_room_starts_children() {
    let starts = ["process::Command", "process::Child", "CommandExt", "Stdio", "tokio::process"];
    let own = |line: &String| !line.contains("crate::process::");
    let elsewhere = lines_with(&starts, |file| module(file) == "process");
    assert_eq!(elsewhere.into_iter().filter(own).collect::<Vec<_>>(), NOTHING);
}

/// Where something must be waited for, the wait is for it, not for the clock.
#[test]
fn nothing_that_can_be_told_is_waited_for_with_a_clock() {
    // Another process's `flock` tells nobody when it lets go, nor does a `git gc` of somebody else's when it ends; and what
    // tells one Ctrl-C from two is the time between them.
    let places = ["git/scratch.rs", "git/files/journal.rs", "git/kept.rs", "process/interrupt.rs"];
    let may = |file: &str| places.contains(&file);
    assert_eq!(lines_with(&["thread::sleep", "try_wait("], may), NOTHING);
}

#[test]
fn only_the_configuration_reads_the_environment() {
    let reads = ["env::var(", "env::var_os(", "env::vars(", "env::vars_os(", "env::set_var", "env::remove_var"];
    assert_eq!(lines_with(&reads, |file| module(file) == "config"), NOTHING);
}

#[test]
fn only_the_printer_prints() {
    let prints = ["println!(", "print!(", "eprintln!(", "eprint!(", "dbg!(", "io::stdout()", "io::stderr()"];
    assert_eq!(lines_with(&prints, |file| file == "ui/printer.rs"), NOTHING);
}

#[test]
fn only_main_exits() {
    let exits = ["process::exit", "process::abort", "process::ExitCode"];
    assert_eq!(lines_with(&exits, |file| file == "main.rs"), NOTHING);
}

#[test]
fn every_file_says_first_what_it_is_for() {
    let mut silent = Vec::new();
    for file in sources().into_keys() {
        let text = fs::read_to_string(src().join(&file)).unwrap();
        if !text.starts_with("//!") {
            silent.push(file);
        }
    }
    assert_eq!(silent, NOTHING);
}

#[test]
fn the_tests_of_this_file_see_what_they_look_for() {
    let text = "use crate::{a::{B, C}, d};\nfn f() {\n    crate::e::g()\n}\n";
    let found: Vec<(usize, String)> =
        [(1, "a"), (1, "d"), (3, "e")].map(|(line, name)| (line, name.to_owned())).to_vec();
    assert_eq!(named(text), found);
    let code = "// crate::x\nuse y;\n\n#[cfg(test)]\nmod tests {\n    use crate::z;\n}\n";
    assert_eq!(without_tests(code), "\nuse y;\n");
}
