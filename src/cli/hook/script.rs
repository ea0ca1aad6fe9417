//! What a hook does: the scripts of `hooks/`, told where the program is; and the same in one line, for git's
//! configuration.

use crate::environment::Environment;
use std::path::{Path, PathBuf};

const PRE_COMMIT: &str = include_str!("../../../hooks/pre-commit");
const PRE_RECEIVE: &str = include_str!("../../../hooks/pre-receive");

/// The line of a script that says where the program is.
const UNKNOWN: &str = "\nprogram=''\n";

/// What the program is called.
const NAME: &str = "git-implement";

/// The script for `event`.
pub fn script(event: &str, program: Option<&Path>) -> String {
    let script = if event == "pre-receive" { PRE_RECEIVE } else { PRE_COMMIT };
    script.replace(UNKNOWN, &format!("\nprogram={}\n", quoted(program)))
}

/// The command that checks what is staged, for a shell.
pub fn command(program: Option<&Path>) -> String {
    format!(
        "program={}; [ -x \"$program\" ] || program=$(command -v {NAME}) || {{ echo \"error: cannot find the program \
         '{NAME}', by which this hook checks commits\" >&2; echo \"hint: install it, or take the hook away: git config \
         --remove-section hook.{NAME}\" >&2; exit 1; }}; \"$program\" check --cached",
        quoted(program)
    )
}

/// Did [`command`] write this, in this version or another?
pub fn is_command(text: &str) -> bool {
    text.starts_with("program=") && text.ends_with("; \"$program\" check --cached")
}

/// Where a script or command of ours looks for the program first.
pub fn recorded(text: &str) -> Option<PathBuf> {
    let value = text.lines().find_map(|line| line.strip_prefix("program="))?;
    // In a command more follows.
    let word = shell_words::split(value.split("; [ -x ").next()?).ok()?.into_iter().next()?;
    Some(PathBuf::from(word)).filter(|path| !path.as_os_str().is_empty())
}

/// Does a hook, or the configuration of a program that runs hooks, run the gates? What is in comments does not.
pub fn runs_us(text: &str) -> bool {
    let code = |line: &&str| !line.trim_start().starts_with('#');
    let says = |words: &[&str]| text.lines().filter(code).any(|line| words.iter().any(|word| line.contains(word)));
    // As a command line, as one with the program in a variable, or by the name in `.pre-commit-hooks.yaml`.
    let named = says(&[NAME, "git implement"]);
    named && says(&["implement check", "implement' check", "implement\" check", "check --cached", "check --stdin"])
        || says(&["id: git-implement", "id = \"git-implement"])
}

/// The program that is running, by the name that its updates keep: where PATH leads to it, and not what a link on the
/// way points to today.
pub fn program(environment: &Environment) -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?.canonicalize().ok()?;
    let same = |path: &PathBuf| path.is_absolute() && path.canonicalize().is_ok_and(|path| path == own);
    Some(on_path(environment).find(same).unwrap_or(own))
}

/// The program that a hook would find without knowing where it is.
pub fn found(environment: &Environment) -> Option<PathBuf> {
    let home = environment.home();
    let usual = home.iter().flat_map(|home| [".cargo/bin", ".local/bin"].map(|folder| home.join(folder).join(NAME)));
    on_path(environment).chain(usual).find(|path| path.is_file())
}

fn on_path(environment: &Environment) -> impl Iterator<Item = PathBuf> {
    let path = environment.get("PATH").unwrap_or_default();
    std::env::split_paths(path).map(|folder| folder.join(NAME)).collect::<Vec<_>>().into_iter()
}

/// One word for a shell; nothing, if the path is not text.
fn quoted(program: Option<&Path>) -> String {
    let text = program.and_then(Path::to_str).unwrap_or_default();
    // A shell on Windows reads a backslash as its own.
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_command_remember_the_program_whatever_it_is_called() {
        for path in ["/usr/bin/git-implement", "/opt/it's here/$HOME/a; b/git-implement"] {
            let path = Path::new(path);
            for text in [script("pre-commit", Some(path)), script("pre-receive", Some(path)), command(Some(path))] {
                let words = text.lines().find(|line| line.starts_with("program=")).unwrap();
                assert!(words.starts_with(&format!("program={}", quoted(Some(path)))), "{words}");
            }
            for text in [script("pre-commit", Some(path)), command(Some(path))] {
                assert_eq!(recorded(&text).as_deref(), Some(path));
            }
        }
        assert_eq!(recorded(&script("pre-receive", None)), None);
        assert!(is_command(&command(None)) && !is_command("git implement check --cached"));
    }

    #[test]
    fn a_text_that_only_mentions_us_does_not_run_us() {
        let ours = script("pre-commit", None);
        for text in
            ["git implement check --cached\n", "  run: git-implement check", "  - id: git-implement-system", &ours]
        {
            assert!(runs_us(text), "{text}");
        }
        for text in ["# git implement check --cached\n", "make check", "git implement plan x.md && cargo check"] {
            assert!(!runs_us(text), "{text}");
        }
    }
}
