//! `git implement completions <shell>`: a script that completes both `git-implement` and `git implement`.
//!
//! clap writes the script for the program's own name. What git's completion needs to find it is added here, shell by
//! shell: bash and fish must be told, zsh calls `_git-implement` by itself.

use clap_complete::Shell;
use std::io::{self, Write};

/// The name under which git finds the program.
const NAME: &str = "git-implement";

#[derive(Debug, clap::Args)]
pub struct Completions {
    #[arg(value_name = "shell")]
    pub shell: Shell,
}

/// The name that the bash script is generated under. With a hyphen in it, clap_complete (4.6) spells the states of
/// its own script in two ways, and no verb's options are ever offered.
const BASH_NAME: &str = "gitimplement";

/// Prints the ids of runs: those that have a ref, and those that stopped.
const RUNS: &str = r#"
_git_implement_runs() {
    git for-each-ref --format='%(refname:lstrip=3)' refs/implement/runs/ 2>/dev/null
    command ls "$(git rev-parse --git-common-dir 2>/dev/null)/implement/failed" 2>/dev/null
}
"#;

/// What clap's function offers, and ids of runs where one is wanted.
const BASH_RUNS: &str = r#"
_gitimplement_with_runs() {
    _gitimplement "$@"
    case "$2" in
        -*) return ;;
    esac
    case "${COMP_WORDS[1]} $3" in
        show\ * | *\ --continue | *\ --abort | *\ --status)
            COMPREPLY+=( $(compgen -W "$(_git_implement_runs)" -- "$2") )
            ;;
    esac
}
"#;

/// git's own bash completion calls `_git_<command>` with the words of the line in `words`, `cword`, `cur` and `prev`.
/// clap's function reads bash's COMP_WORDS, so it is handed a line that begins with the program's name.
const BASH: &str = r#"
_git_implement() {
    local at=1
    while [ "$at" -lt "$cword" ] && [ "${words[at]}" != implement ]; do
        at=$((at + 1))
    done
    local -a COMP_WORDS=(git-implement "${words[@]:at+1}")
    local COMP_CWORD=$((cword - at))
    _gitimplement_with_runs git-implement "$cur" "$prev"
}
"#;

/// fish completes a line of another command when asked to: what follows `git implement` is what would follow
/// `git-implement`.
const FISH: &str = r#"
function __git_implement_complete
    set -l line (commandline --tokenize --current-process --cut-at-cursor)
    set -l at (contains --index implement $line)
    set -l rest (string escape -- $line[(math $at + 1)..-1])
    complete --do-complete "git-implement $rest "(commandline --current-token --cut-at-cursor)
end
function __git_implement_runs
    git for-each-ref --format='%(refname:lstrip=3)' refs/implement/runs/ 2>/dev/null
    command ls (git rev-parse --git-common-dir 2>/dev/null)/implement/failed 2>/dev/null
end
complete --command git-implement --condition '__fish_git_implement_using_subcommand show' --arguments '(__git_implement_runs)'
complete --command git --no-files --condition '__fish_seen_subcommand_from implement' --arguments '(__git_implement_complete)'
"#;

/// Writes the script for `args.shell`; `command` is the whole command line ([`super::command`]).
pub fn run(args: &Completions, mut command: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    // In memory first: clap panics when it cannot write, and a closed pipe is no bug.
    let mut script = Vec::new();
    let name = if args.shell == Shell::Bash { BASH_NAME } else { NAME };
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    let script = String::from_utf8_lossy(&script);
    let script = match args.shell {
        Shell::Bash => {
            let script = script.replace(&format!(" {BASH_NAME}\n"), &format!(" {NAME}\n"));
            script.replace("-F _gitimplement ", "-F _gitimplement_with_runs ") + RUNS + BASH_RUNS + BASH
        }
        Shell::Zsh => with_runs_in_zsh(&script),
        Shell::Fish => script.into_owned() + FISH,
        _ => script.into_owned(),
    };
    out.write_all(script.as_bytes())
}

/// The script with ids of runs in the place of files where one is wanted.
fn with_runs_in_zsh(script: &str) -> String {
    const COMPLETE: &str = "_git-implement-runs() { compadd -- ${(f)\"$(_git_implement_runs)\"} }\n";
    let wanted = |line: &str| line.contains("::run:_default") || line.contains("The id of a run");
    let (first, rest) = script.split_once('\n').unwrap_or((script, ""));
    let line = |line: &str| match wanted(line) {
        true => line.replace(":_default'", ":_git-implement-runs'") + "\n",
        false => format!("{line}\n"),
    };
    format!("{first}\n{RUNS}{COMPLETE}{}", rest.lines().map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    fn script(shell: Shell) -> String {
        let mut out = Vec::new();
        run(&Completions { shell }, crate::cli::command(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_shell_gets_a_script_that_knows_the_verbs() {
        for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let script = script(shell);
            for verb in ["completions", "man"] {
                assert!(script.contains(verb), "{shell}: {verb}");
            }
        }
        assert!(script(Shell::Zsh).contains("_git-implement()"), "the name by which zsh's git completion calls it");
    }

    fn offered(words: &[&str]) -> Vec<String> {
        offered_in(Path::new("."), words)
    }

    /// What bash offers for a line of these words in a folder.
    fn offered_in(folder: &Path, words: &[&str]) -> Vec<String> {
        let test = r#"
            eval "$1"; shift
            words=("$@"); cword=$((${#words[@]} - 1)); cur=${words[cword]}; prev=${words[cword-1]}
            if [ "$1" = git ]; then
                _git_implement    # as git's completion does when it has split the line
            else
                COMP_WORDS=("$@"); COMP_CWORD=$cword
                [[ $(complete -p "$1") =~ -F\ ([^ ]+) ]] && "${BASH_REMATCH[1]}" "$1" "$cur" "$prev"
            fi
            printf '%s\n' "${COMPREPLY[@]}"
        "#;
        let mut bash = Command::new("bash");
        bash.args(["--norc", "--noprofile", "-c", test, "bash", &script(Shell::Bash)]).args(words);
        let output = bash.current_dir(folder).output().expect("bash is needed to test its completion");
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn ids_of_runs_are_offered_where_one_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| {
            let output = Command::new("git").args(arguments).current_dir(folder.path()).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        git(&["init", "--quiet"]);
        let blob = git(&["hash-object", "-w", "--stdin"]);
        git(&["update-ref", "refs/implement/runs/20260102T030405Z-abcdef", &blob]);
        std::fs::create_dir_all(folder.path().join(".git/implement/failed/20260103T030405Z-abcdef")).unwrap();
        let runs = ["20260102T030405Z-abcdef", "20260103T030405Z-abcdef"];
        assert_eq!(offered_in(folder.path(), &["git", "implement", "show", "2026"]), runs);
        assert_eq!(offered_in(folder.path(), &["git-implement", "show", "20260103"]), runs[1..]);
        assert_eq!(offered_in(folder.path(), &["git-implement", "--continue", "2026"]), runs);
        assert!(!offered_in(folder.path(), &["git-implement", "show", "--"]).contains(&runs[0].to_owned()));
        assert!(script(Shell::Zsh).contains("HEAD has it:_git-implement-runs'"));
        assert!(script(Shell::Fish).contains("--arguments '(__git_implement_runs)'"));
    }

    #[test]
    fn in_bash_gits_own_completion_reaches_the_verbs_and_their_options() {
        assert_eq!(offered(&["git", "implement", "completio"]), ["completions"]);
        assert!(offered(&["git", "implement", "man", "--"]).contains(&"--install".to_owned()));
        assert_eq!(offered(&["git-implement", "completions", "z"]), ["zsh"]);
        assert_eq!(offered(&["git", "-C", "x", "implement", "completions", "z"]), ["zsh"]);
    }
}
