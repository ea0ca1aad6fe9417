//! `git implement man [--install]`: the manual page, printed as roff or put where `man` finds it, so that
//! `git implement --help`, which git turns into `man git-implement`, works.

use crate::config::Environment;
use crate::process::{ChildKind, Command, Interrupt};
use anyhow::Context;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The page, written by hand.
pub const PAGE: &str = include_str!("../../man/git-implement.1");

/// What `man` calls it.
const NAME: &str = "git-implement";

#[derive(Debug, clap::Args)]
pub struct Man {
    /// Put the page into $XDG_DATA_HOME/man (default: ~/.local/share/man)
    #[arg(long)]
    pub install: bool,
}

/// The result goes to `out`, advice to `err`.
pub fn run(args: &Man, environment: &Environment, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<()> {
    if !args.install {
        return Ok(out.write_all(PAGE.as_bytes())?);
    }
    let data_home = environment.data_home().context("cannot tell where to put the page: HOME is not set")?;
    let path = data_home.join("man/man1").join(format!("{NAME}.1"));
    let written = install(&path).with_context(|| format!("cannot write '{}'", path.display()))?;
    let done = if written { "installed" } else { "already up to date:" };
    writeln!(out, "{done} '{}'", path.display())?;
    for line in advice(&path, &data_home, found_by_man(environment)) {
        writeln!(err, "hint: {line}")?;
    }
    Ok(())
}

/// Writes the page to `path`, whole or not at all. False: it was there already, byte for byte.
fn install(path: &Path) -> io::Result<bool> {
    if fs::read(path).is_ok_and(|there| there == PAGE.as_bytes()) {
        return Ok(false);
    }
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let mut file = tempfile::NamedTempFile::new_in(parent)?;
    file.write_all(PAGE.as_bytes())?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    file.persist(path)?;
    Ok(true)
}

/// What `man` has to say about the name.
#[derive(Debug, PartialEq, Eq)]
enum ManPage {
    At(PathBuf),
    Nowhere,
    /// There is no `man` to ask.
    NoMan,
}

fn found_by_man(environment: &Environment) -> ManPage {
    match Command::new(ChildKind::Other, environment, "man").args(["-w", NAME]).run(&Interrupt::never()) {
        Err(_) => ManPage::NoMan,
        Ok(output) => {
            let path = String::from_utf8_lossy(&output.stdout);
            let first = path.lines().next().filter(|line| !line.is_empty() && output.status.success());
            first.map_or(ManPage::Nowhere, |line| ManPage::At(PathBuf::from(line)))
        }
    }
}

fn advice(path: &Path, data_home: &Path, found: ManPage) -> Vec<String> {
    let same = |there: &Path| there == path || fs::canonicalize(there).ok() == fs::canonicalize(path).ok();
    match found {
        ManPage::At(there) if same(&there) => vec!["'git implement --help' shows it now".into()],
        ManPage::At(there) => vec![
            format!("'man' finds another page first: '{}'", there.display()),
            "remove that one, or put yours before it in MANPATH".into(),
        ],
        ManPage::Nowhere => {
            let mut lines = vec![
                "'man' does not look there yet; add this line to your shell's profile:".into(),
                format!("  export MANPATH=\"{}:\"", data_home.join("man").display()),
                "the colon at the end keeps the places where 'man' looks now".into(),
            ];
            if data_home.ends_with(".local/share") {
                lines.push("or put ~/.local/bin on your PATH: most 'man' programs look beside it".into());
            }
            lines
        }
        ManPage::NoMan => vec!["there is no 'man' on your PATH; 'git implement man' prints the page".into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_in(home: &Path, install: bool) -> (String, String) {
        let variables = [("HOME", home.to_owned().into_os_string()), ("PATH", "/nowhere".into())];
        let environment: Environment = variables.into_iter().map(|(name, value)| (name.into(), value)).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        run(&Man { install }, &environment, &mut out, &mut err).unwrap();
        (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    #[test]
    fn without_install_the_page_itself_is_printed() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(run_in(home.path(), false), (PAGE.to_owned(), String::new()));
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }

    #[test]
    fn installing_twice_leaves_one_page_and_says_so() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(".local/share/man/man1/git-implement.1");
        assert_eq!(run_in(home.path(), true).0, format!("installed '{}'\n", path.display()));
        assert_eq!(fs::read_to_string(&path).unwrap(), PAGE);
        let (out, err) = run_in(home.path(), true);
        assert_eq!(out, format!("already up to date: '{}'\n", path.display()));
        assert!(err.contains("no 'man' on your PATH"), "{err}");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn an_older_page_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(".local/share/man/man1/git-implement.1");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "old").unwrap();
        assert!(run_in(home.path(), true).0.starts_with("installed"));
        assert_eq!(fs::read_to_string(&path).unwrap(), PAGE);
    }

    #[test]
    fn without_a_home_there_is_nowhere_to_put_it() {
        let error = run(&Man { install: true }, &Environment::default(), &mut Vec::new(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "cannot tell where to put the page: HOME is not set");
    }

    #[test]
    fn a_page_that_man_does_not_find_comes_with_the_line_that_helps() {
        let advice = advice(Path::new("/d/man/man1/git-implement.1"), Path::new("/d"), ManPage::Nowhere);
        assert!(advice.iter().any(|line| line.contains("export MANPATH=\"/d/man:\"")), "{advice:?}");
    }
}
