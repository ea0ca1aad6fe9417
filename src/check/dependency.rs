//! A dependency that the base's manifest has not, and that the design does not name where it names dependencies.

use super::{Base, Change, Check, Design, Level, MOST_FINDINGS, Settings, Verdict, Weight, manifest};
use crate::finding::Finding;
use aho_corasick::AhoCorasick;

pub const CHECK: Check = Check {
    id: "dependency",
    allowable: true,
    design: Design::ById,
    weight: Weight { model: Level::Warning, anyone: Level::Off },
    base: Base::Compares(manifest::is_manifest),
    run,
};

fn run(candidate: &Change, _: &Settings) -> Verdict {
    let Some(said) = candidate.dependencies_named else { return Verdict::Pass };
    // A manifest that does not parse is the business of `syntax`.
    let Some(wanted) = manifest::dependencies(candidate.path, candidate.text) else { return Verdict::Pass };
    let had = match candidate.base {
        None => Default::default(),
        // Nothing can be said of what is new beside it.
        Some(base) => match manifest::dependencies(candidate.path, base) {
            Some(had) => had,
            None => return Verdict::Pass,
        },
    };
    let new: Vec<&String> = wanted.difference(&had).collect();
    let named = named(&plain(said), &new);
    let new = new.into_iter().zip(named).filter(|(_, named)| !named).map(|(name, _)| name);
    let finding = |(at, name): (usize, &String)| {
        let message = format!("'{}' gets the dependency '{name}', which the design does not name", candidate.path);
        let finding =
            Finding::warning(CHECK.id, message).hint("name it among the design's dependencies, or do without it");
        // To find a line is to read the text: those that are counted only need none.
        Finding { line: (at < MOST_FINDINGS).then(|| line_of(candidate.text, name)).flatten(), ..finding }
    };
    let found: Vec<Finding> = new.enumerate().map(finding).collect();
    if found.is_empty() { Verdict::Pass } else { Verdict::Fail(found) }
}

/// The line that begins with the name, as entries do; else the first that holds it.
fn line_of(text: &str, name: &str) -> Option<usize> {
    let name = plain(name);
    let entry = |line: &str| {
        let line = line.trim_start().trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '@'));
        let line = line.strip_prefix("gem ").or_else(|| line.strip_prefix("require ")).unwrap_or(line);
        let rest = plain(line.trim_start_matches(['"', '\'', '('])).strip_prefix(&name).map(str::to_owned);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let at = text.lines().position(entry).or_else(|| text.lines().position(|line| plain(line).contains(&name)));
    at.map(|at| at + 1)
}

/// As names are compared: `Foo_Bar` and `foo-bar` are one.
fn plain(text: &str) -> String {
    text.to_lowercase().replace(['_', '.'], "-")
}

/// New names that are looked for: to prepare the search takes more than linear time.
const MOST_NAMES: usize = 2000;

/// For each name whether `text` holds it as a whole word, or what people call it: the last part of a path, a typing by what
/// it types. The text is read once for all of them.
fn named(text: &str, names: &[&String]) -> Vec<bool> {
    let calls: Vec<[String; 2]> = names.iter().take(MOST_NAMES).map(|name| calls(name)).collect();
    let mut named = vec![false; names.len()];
    // What there is too much of to be looked for is not named.
    let Ok(finder) = AhoCorasick::new(calls.iter().flatten()) else { return named };
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    for found in finder.find_overlapping_iter(text) {
        let before = text.get(..found.start()).and_then(|before| before.chars().next_back());
        let after = text.get(found.end()..).and_then(|after| after.chars().next());
        if !found.is_empty() && edge(before) && edge(after) {
            named[found.pattern().as_usize() / 2] = true;
        }
    }
    named
}

/// The whole name and its bare form, as names are compared.
fn calls(name: &str) -> [String; 2] {
    let name = plain(name);
    // `gopkg.in/yaml.v3`, `example.org/a/v2`.
    let mut parts = name.rsplit('/').filter(|part| !(part.len() < 4 && part.starts_with('v')));
    let last = parts.next().unwrap_or_default();
    let last = last.strip_prefix("types-").unwrap_or(last);
    let bare =
        last.rsplit_once("-v").filter(|(_, version)| version.parse::<u32>().is_ok()).map_or(last, |(bare, _)| bare);
    let bare = bare.to_owned();
    [name, bare]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Candidate;

    fn found(path: &str, base: Option<&str>, text: &str, named: Option<&str>) -> Vec<String> {
        let candidate = Candidate { path, base, text, dependencies_named: named, ..Candidate::default() };
        match run(&Change::of(&candidate), &Settings::default()) {
            Verdict::Fail(found) => {
                found.into_iter().map(|it| format!("{}:{}", it.line.unwrap_or(0), it.message)).collect()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_new_dependency_that_the_design_does_not_name_is_asked_about() {
        let base = "# regexes\n[dependencies]\nserde = \"1\"\n";
        let text = "# regexes\n[dependencies]\nserde = \"1\"\nserde_json = \"1\"\nregex = \"1\"\n";
        let says = "5:'Cargo.toml' gets the dependency 'regex', which the design does not name";
        assert_eq!(found("Cargo.toml", Some(base), text, Some("- `serde-json` 1.0, for the report")), [says]);
        assert_eq!(found("Cargo.toml", Some(base), text, Some("serde_json; regex")), [""; 0]);
        assert_eq!(found("Cargo.toml", Some(base), text, None), [""; 0]);
        assert_eq!(found("Cargo.toml", Some("[["), text, Some("")), [""; 0]);
        assert_eq!(found("Cargo.toml", None, base, Some("none")).len(), 1);
    }

    #[test]
    fn a_dependency_is_named_by_what_people_call_it() {
        for (text, name) in [
            ("uses yaml", "gopkg.in/yaml.v3"),
            ("Testify", "github.com/stretchr/testify"),
            ("chi v5", "github.com/go-chi/chi/v5"),
            ("react", "@types/react"),
            ("Flask_Login", "flask-login"),
        ] {
            assert_eq!(named(&plain(text), &[&name.to_owned()]), [true], "{name}");
        }
        let names = ["pyyaml", "include", "react", "active"].map(str::to_owned);
        assert_eq!(named("pyyaml-include, reactive; active", &names.each_ref()), [false, false, false, true]);
    }
}
