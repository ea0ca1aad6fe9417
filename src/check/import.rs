//! Imports of files that are nowhere: not in the repository, and not among what is made with them. Only relative ones, which
//! say where their file must be; and only new ones. A build may make the file, so that it is a warning.

use super::Settings;
use super::level::{self, Level};
use crate::finding::{Finding, allows};
use crate::syntax::{self, Import};
use std::collections::HashSet;

/// What the ids of these findings begin with.
pub(super) const ID: &str = "import";

/// A word for every new import of the file at `path` that has none of its places. `is_there` knows all files of the tree as
/// it will be, and folders, which end in `/`.
pub fn imported(
    path: &str,
    (base, text): (Option<&str>, &str),
    is_there: impl Fn(&str) -> bool,
    settings: &Settings,
) -> Vec<Finding> {
    let permitted = settings.allow.iter().any(|allow| allows(allow, ID, Some(path)));
    if permitted || level::level(ID, Level::Warning, settings) == Level::Off {
        return Vec::new();
    }
    let had: HashSet<String> = base
        .map(|base| syntax::imports(path, base))
        .unwrap_or_default()
        .into_iter()
        .map(|import| import.name)
        .collect();
    let missing = |import: &Import| !had.contains(&import.name) && !import.places.iter().any(|place| is_there(place));
    let finding = |import: Import| {
        let message = format!("'{path}' imports '{}', which is nowhere in the tree", import.name);
        let place = import.places.first().map(String::as_str).unwrap_or_default();
        let finding =
            Finding::error(ID, message).path(path).line(import.line).hint(format!("it should be at '{place}'"));
        level::apply(finding, Level::Warning, settings)
    };
    syntax::imports(path, text).into_iter().filter(missing).filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_import_of_a_file_that_is_nowhere_is_a_warning_with_its_place() {
        let text = "import a from './a';\nimport b from './b';\nimport c from './c';\n";
        let is_there = |place: &str| place == "src/a.ts";
        let base = Some("import c from './c';\n");
        let found = imported("src/x.ts", (base, text), is_there, &Settings::default());
        let [finding] = &found[..] else { panic!("{found:?}") };
        assert_eq!((finding.line, finding.is_error()), (Some(2), false));
        assert_eq!(finding.message, "'src/x.ts' imports './b', which is nowhere in the tree");
        let allowed = Settings { allow: vec!["import:src/x.ts".into()], ..Settings::default() };
        assert_eq!(imported("src/x.ts", (base, text), is_there, &allowed), []);
    }
}
