//! `doc/SECURITY.md` is held to the tests that it names: each of its promises has one, and each of these is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../doc/SECURITY.md");

/// Sections that promise nothing: they say what is not looked for, not promised, or wanted of the reader.
const WITHOUT_PROMISES: &[&str] =
    &["Who is trusted with what", "What each gate cannot see", "What is not promised", "How to report"];

/// A heading, and each list item below it as one line.
struct Section {
    heading: String,
    items: Vec<String>,
}

fn sections(page: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push(Section { heading: heading.to_owned(), items: Vec::new() });
        } else if let Some(section) = sections.last_mut() {
            if let Some(item) = line.strip_prefix("- ") {
                section.items.push(item.to_owned());
            } else if let (Some(more), Some(item)) = (line.strip_prefix("  "), section.items.last_mut()) {
                item.push(' ');
                item.push_str(more.trim());
            }
        }
    }
    sections
}

/// The tests that a text names, as `<file>::<name>` in backticks.
fn tests_of(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|word| word.split_once("::")).filter(|(file, _)| Path::new(file).extension().is_some())
}

/// Has the file this test, and is it run without being asked for?
fn is_a_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let begins = format!("fn {name}(");
    let above = |at: usize| lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
    lines.iter().enumerate().filter(|(_, line)| line.starts_with(&begins)).any(|(at, _)| {
        let attributes: BTreeSet<&str> = above(at).copied().collect();
        attributes.contains("#[test]") && !attributes.iter().any(|attribute| attribute.starts_with("#[ignore"))
    })
}

#[test]
fn every_promise_names_tests_and_every_one_of_them_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for section in sections(PAGE) {
        if WITHOUT_PROMISES.contains(&section.heading.as_str()) {
            continue;
        }
        if section.items.is_empty() {
            wrong.push(format!("'{}' promises nothing", section.heading));
        }
        for item in &section.items {
            if tests_of(item).next().is_none() {
                wrong.push(format!("no test is named: {item}"));
            }
            for (file, name) in tests_of(item) {
                let source = fs::read_to_string(root.join(file)).unwrap_or_default();
                if !is_a_test(&source, name) {
                    wrong.push(format!("there is no test {file}::{name}"));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_sections_are_all_there_and_each_party_is_named() {
    let headings: Vec<String> = sections(PAGE).into_iter().map(|section| section.heading).collect();
    for heading in WITHOUT_PROMISES {
        assert!(headings.iter().any(|known| known == heading), "{heading}");
    }
    for party in [
        "The person",
        "`.git`",
        "Repository files",
        "The design",
        "The model",
        "The model server",
        "The `--command` program",
        "Other users",
    ] {
        assert!(PAGE.contains(&format!("| {party} |")), "{party}");
    }
    for (page, text) in [
        ("README.md", include_str!("../../README.md")),
        ("doc/ARCHITECTURE.md", include_str!("../../doc/ARCHITECTURE.md")),
    ] {
        assert!(text.contains("SECURITY.md)"), "{page} has no link");
    }
}

/// The words in quotes of the list that begins so.
fn quoted(source: &str, from: &str) -> Vec<String> {
    let list = source.split_once(from).expect(from).1;
    let list = list.split_once("];").expect("an end").0;
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_key_that_children_do_not_get_is_named_and_so_is_every_kind_of_child() {
    for key in quoted(include_str!("../../src/environment.rs"), "const SECRETS: &[&str] = &[") {
        assert!(PAGE.contains(&format!("`{key}`")), "{key}");
    }
    let kinds = include_str!("../../src/process/kind.rs").split_once("pub enum ChildKind {").unwrap().1;
    let kinds = kinds.split_once("\n}").unwrap().0.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let kinds: Vec<&str> = kinds.filter_map(|line| line.strip_suffix(',')).collect();
    assert!(kinds.len() >= 5, "{kinds:?}");
    for kind in kinds {
        assert!(PAGE.contains(&format!("| `{kind}` |")), "{kind}");
    }
}

#[test]
fn the_reader_of_the_page_sees_what_it_looks_for() {
    let page = "## One\n- a promise\n  `a/b.rs::it_holds`, `not::one`\n\ntext\n";
    let [section] = &sections(page)[..] else { panic!("one section") };
    assert_eq!(section.items, ["a promise `a/b.rs::it_holds`, `not::one`"]);
    assert_eq!(tests_of(&section.items[0]).collect::<Vec<_>>(), [("a/b.rs", "it_holds")]);
    let source = "#[test]\nfn it_holds() {}\n\n#[test]\n#[ignore]\nfn asleep() {}\n\nfn no_test() {}\n";
    assert!(is_a_test(source, "it_holds"));
    for name in ["asleep", "no_test", "it_hold", "absent"] {
        assert!(!is_a_test(source, name), "{name}");
    }
}
