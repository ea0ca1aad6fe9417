//! Tool chains that lie in the person's home: what of them a command may read, and the variables that lead it there.

use crate::environment::Environment;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// See there for the form.
const HOMES: &str = include_str!("homes.txt");

/// Places of programs: what lies beside them belongs to them.
const BESIDE: &[&str] = &["bin", "sbin", "shims"];

/// What of the person's own folders a command may read.
#[derive(Debug, Default)]
pub(super) struct Tools {
    pub readable: Vec<PathBuf>,
    /// Variables that lead there, for a command that looks in another HOME.
    pub variables: Vec<(&'static str, OsString)>,
}

impl Tools {
    pub fn of(environment: &Environment) -> Tools {
        let mut tools = Tools::default();
        let home = environment.home();
        for line in HOMES.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let (Some(variable), Some(default), Some(parts)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            let named = environment.get(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
            let default = home.as_ref().filter(|_| default != "-").map(|home| home.join(default));
            let place = named.or(default).filter(|place| place.is_absolute() && place.is_dir());
            let Some(place) = place else { continue };
            match parts {
                "*" => tools.readable.push(place.clone()),
                parts => tools.readable.extend(parts.split(',').map(|part| place.join(part))),
            }
            if variable != "-" {
                tools.variables.push((variable, place.into_os_string()));
            }
        }
        tools.readable.extend(programs(environment, home.as_deref()));
        tools
    }
}

/// The folders of `PATH`, and what lies beside them: `~/.nvm/versions/node/v22/bin` and its `lib`. Nothing of the home that
/// is not a tool's alone, and of a project only what was installed for it.
fn programs(environment: &Environment, home: Option<&Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Some(path) = environment.get("PATH") else { return found };
    let holds_home = |folder: &Path| home.is_some_and(|home| home.starts_with(folder));
    for folder in std::env::split_paths(path) {
        if !folder.is_absolute() || !folder.is_dir() || holds_home(&folder) {
            continue;
        }
        let is_for_programs =
            folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| BESIDE.contains(&name));
        let parent = folder.parent().filter(|parent| is_for_programs && parent.components().count() > 2);
        let installed =
            parent.filter(|parent| ["lib", "pyvenv.cfg", "versions"].iter().any(|name| parent.join(name).exists()));
        let shared = |place: &Path| holds_home(place) || home.is_some_and(|home| place == home.join(".local"));
        found.extend(installed.filter(|place| !shared(place)).map(Path::to_owned));
        found.push(folder);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn environment(pairs: &[(&str, &Path)]) -> Environment {
        pairs.iter().map(|(name, value)| (OsString::from(name), value.as_os_str().to_owned())).collect()
    }

    #[test]
    fn every_line_of_the_data_has_a_variable_a_place_and_parts() {
        let mut seen = std::collections::BTreeSet::new();
        for line in HOMES.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(words.len(), 3, "{line}");
            assert!(words[0] != "-" || words[1] != "-", "{line}");
            assert!(!words[1].starts_with('/') && !words[1].contains(".."), "{line}");
            assert!(words[0] == "-" || seen.insert(words[0]), "{line}");
        }
        assert!(seen.len() > 20);
    }

    #[test]
    fn credentials_that_lie_beside_a_tool_are_not_its_readable_part() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join(".cargo/registry")).unwrap();
        fs::write(home.path().join(".cargo/credentials.toml"), "").unwrap();
        let tools = Tools::of(&environment(&[("HOME", home.path())]));
        assert!(tools.readable.contains(&home.path().join(".cargo/registry")));
        assert!(!tools.readable.iter().any(|path| home.path().join(".cargo/credentials.toml").starts_with(path)));
        assert_eq!(tools.variables, [("CARGO_HOME", home.path().join(".cargo").into_os_string())]);
    }

    #[test]
    fn the_home_itself_never_becomes_readable_for_a_folder_of_programs_in_it() {
        let home = tempfile::tempdir().unwrap();
        for folder in ["bin", "lib", ".local/bin", ".local/lib", ".node/v22/bin", ".node/v22/lib"] {
            fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        let folders = ["bin", ".local/bin", ".node/v22/bin"].map(|folder| home.path().join(folder));
        let path = std::env::join_paths(folders).unwrap();
        let tools = Tools::of(&environment(&[("HOME", home.path()), ("PATH", Path::new(&path))]));
        let secret = [home.path().join(".ssh"), home.path().join(".local/share/keyrings")];
        for place in &secret {
            assert!(!tools.readable.iter().any(|path| place.starts_with(path)), "{place:?} in {:?}", tools.readable);
        }
        assert!(tools.readable.contains(&home.path().join(".node/v22")));
    }
}
