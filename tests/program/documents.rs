//! The example configuration and the manual page, held to the program: what it reads is what they say.

use git_implement::check::{CHECKS, Level, Weight, gates};
use git_implement::cli;
use git_implement::cli::man::PAGE;
use git_implement::config::{KEYS, Key, Sources, Trust, ValueKind};
use git_implement::exit::ExitCode;
use git_implement::lld;
use std::collections::BTreeSet;

const EXAMPLE: &str = include_str!("../../.git-implement.toml.example");

/// The example's `# key = value` lines, without the `#`.
fn settings() -> Vec<&'static str> {
    let is_key = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let lines = EXAMPLE.lines().filter_map(|line| line.strip_prefix("# "));
    lines.filter(|line| line.split_once(" = ").is_some_and(|(key, _)| is_key(key))).collect()
}

fn is_personal(key: &Key) -> bool {
    key.trust == Trust::Protected
}

#[test]
fn the_example_has_every_key_that_counts_in_it_once_and_in_the_registrys_order() {
    let shown: Vec<&str> = settings().iter().filter_map(|line| line.split(" = ").next()).collect();
    let known: Vec<&str> = KEYS.iter().filter(|key| !is_personal(key)).map(|key| key.name).collect();
    assert_eq!(shown, known);
}

#[test]
fn every_line_of_the_example_may_be_taken_as_it_is() {
    let sources = Sources { repo_file: Some(settings().join("\n")), ..Sources::default() };
    let config = sources.resolve().unwrap();
    assert!(config.findings.is_empty(), "{:?}", config.findings);
    let as_it_comes = Sources { repo_file: Some(EXAMPLE.into()), ..Sources::default() };
    assert!(as_it_comes.resolve().unwrap().findings.is_empty());
}

#[test]
fn the_example_shows_each_default_as_it_is() {
    for key in KEYS.iter().filter(|key| !is_personal(key)) {
        let Some(default) = key.default else { continue };
        let shown = match key.kind {
            ValueKind::Count(_) | ValueKind::UpTo(_) | ValueKind::Flag => format!("{} = {default}", key.name),
            _ => format!("{} = \"{default}\"", key.name),
        };
        assert!(settings().contains(&shown.as_str()), "{shown}");
    }
}

#[test]
fn the_example_says_how_to_set_what_does_not_count_there() {
    for key in KEYS.iter().filter(|key| is_personal(key)) {
        assert!(EXAMPLE.contains(&format!("#     git config --global {} ", key.git_name())), "{}", key.name);
    }
}

/// The page's text as a reader sees it: no font changes, no escapes.
fn page() -> String {
    let mut text = PAGE.to_owned();
    for (escape, shown) in
        [(r"\fB", ""), (r"\fI", ""), (r"\fR", ""), (r"\fP", ""), (r"\-", "-"), (r"\(aq", "'"), (r"\&", "")]
    {
        text = text.replace(escape, shown);
    }
    text
}

/// The lines between a `.SH` and the next one.
fn section(name: &str) -> Vec<String> {
    let page = page();
    let lines = page.lines().skip_while(|line| *line != format!(".SH {name}")).skip(1);
    lines.take_while(|line| !line.starts_with(".SH ")).map(str::to_owned).collect()
}

#[test]
fn the_manual_page_has_every_key_with_its_default_in_the_registrys_order_and_no_other() {
    let lines = section("\"CONFIGURATION KEYS\"");
    let tagged = lines.iter().zip(lines.iter().skip(1)).filter(|(before, _)| *before == ".TP");
    let tags: Vec<&str> = tagged.filter_map(|(_, tag)| tag.strip_prefix(".BR ")).collect();
    let expected: Vec<String> = KEYS
        .iter()
        .map(|key| {
            let mut notes = Vec::new();
            notes.extend(key.default.map(|default| format!("default {default}")));
            match key.trust {
                Trust::Anywhere => {}
                Trust::Tighten => notes.push("the repository may only tighten it".into()),
                Trust::Guarded => notes.push("the repository may not loosen what guards you".into()),
                Trust::Protected => notes.push("personal".into()),
            }
            if notes.is_empty() { key.name.to_owned() } else { format!("{} \" ({})\"", key.name, notes.join("; ")) }
        })
        .collect();
    assert_eq!(tags, expected);
}

#[test]
fn the_manual_page_has_every_verb_and_every_option_of_the_command_line() {
    let command = cli::command();
    let page = page();
    let verbs: Vec<_> =
        command.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help").collect();
    for verb in &verbs {
        assert!(page.contains(&format!("git implement {}", verb.get_name())), "{}", verb.get_name());
    }
    let options = verbs
        .into_iter()
        .chain([&command])
        .flat_map(clap::Command::get_arguments)
        .filter(|option| !option.is_hide_set());
    let missing: BTreeSet<String> = options
        .filter_map(|option| option.get_long().map(|long| format!("--{long}")))
        .filter(|long| long != "--help" && long != "--version")
        // Shown by the option that it turns off, as `--[no-]progress`.
        .filter(|long| !page.contains(long.as_str()) && !page.contains(&long.replacen("--no-", "--[no-]", 1)))
        .filter(|long| !page.contains(&long.replacen("--", "--[no-]", 1)))
        .collect();
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn the_manual_page_has_every_gate_with_what_it_weighs_in_the_registrys_order() {
    let lines = section("GATES");
    let tags: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix(".BR ")?.split_once(" \" (")).map(|(id, _)| id).collect();
    let missing: Vec<&str> =
        gates().filter(|gate| !lines.iter().any(|line| line.starts_with(".BR ") && line.contains(gate))).collect();
    assert_eq!(missing, Vec::<&str>::new());
    let word = |level: Level| Level::WORDS.iter().find(|(_, known)| *known == level).unwrap().0;
    for check in CHECKS {
        let Weight { model, anyone } = check.weight;
        let tag = format!(".BR {} \" ({}; {})\"", check.id, word(model), word(anyone));
        assert!(lines.contains(&tag), "{tag}");
    }
    let order: Vec<&str> = tags.into_iter().filter(|tag| CHECKS.iter().any(|check| check.id == *tag)).collect();
    assert_eq!(order, CHECKS.iter().map(|check| check.id).collect::<Vec<_>>());
}

#[test]
fn the_manual_page_has_every_exit_status() {
    let tags: Vec<String> =
        section("\"EXIT STATUS\"").iter().filter_map(|line| line.strip_prefix(".B ").map(str::to_owned)).collect();
    assert_eq!(tags, ExitCode::ALL.map(|code| code.number().to_string()));
}

#[test]
fn every_exit_status_has_a_test_in_which_it_occurs() {
    let tests = include_str!("implement_status.rs");
    for number in ExitCode::ALL.map(ExitCode::number) {
        assert!(tests.contains(&format!("#[test]\nfn status_{number}_")), "{number}");
    }
}

/// Some renderers cut or misread what is not plain roff, so the page keeps to ASCII and to macros of man(7).
#[test]
fn the_manual_page_is_plain_roff() {
    let macros = [
        "TH", "SH", "SS", "PP", "TP", "TQ", "IP", "B", "I", "BR", "IR", "RB", "RI", "BI", "IB", "RS", "RE", "EX", "EE",
    ];
    let mut literal = false;
    for (index, line) in PAGE.lines().enumerate() {
        literal = if literal { line != ".EE" } else { line == ".EX" };
        let place = format!("line {}: {line}", index + 1);
        assert!(line.is_ascii() && !line.ends_with(' ') && (literal || !line.is_empty()), "{place}");
        if let Some(request) = line.strip_prefix('.') {
            let name = request.split(' ').next().unwrap_or_default();
            assert!(macros.contains(&name) || name.starts_with("\\\""), "{place}");
        }
        assert!(!line.starts_with('\''), "{place}: read as a request");
    }
}

/// The page that says how a design is read.
const PLANS: &str = include_str!("../../doc/PLANS.md");

#[test]
fn every_plan_that_a_page_shows_is_read_as_the_page_says() {
    let mut shown = 0;
    let examples = PAGES.iter().flat_map(|(_, page)| page.split("~~~markdown\n").skip(1));
    for example in examples {
        let (plan, rest) = example.split_once("~~~\n").expect("a fence that ends");
        let want: Vec<&str> =
            rest.trim_start_matches('\n').lines().map_while(|line| line.strip_prefix("    ")).collect();
        let lld = lld::parse("docs/plan.md", plan);
        let change = |file: &lld::FileSpec| serde_json::to_value(file.change).unwrap().as_str().unwrap().to_owned();
        let got: Vec<String> = lld.files.iter().map(|file| format!("{} {}", change(file), file.path)).collect();
        assert_eq!(got, want, "{plan}");
        assert!(!lld.findings.iter().any(|finding| finding.is_error()), "{plan}");
        shown += 1;
    }
    assert!(shown >= 11);
}

/// The pages for people, with their names.
const PAGES: [(&str, &str); 11] = [
    ("README.md", include_str!("../../README.md")),
    ("doc/SPEC-KIT.md", include_str!("../../doc/SPEC-KIT.md")),
    ("doc/KIRO.md", include_str!("../../doc/KIRO.md")),
    ("doc/OPENSPEC.md", include_str!("../../doc/OPENSPEC.md")),
    ("doc/PLANS.md", PLANS),
    ("doc/SUPERPOWERS.md", include_str!("../../doc/SUPERPOWERS.md")),
    ("doc/ANTIGRAVITY.md", include_str!("../../doc/ANTIGRAVITY.md")),
    ("doc/GSD.md", include_str!("../../doc/GSD.md")),
    ("doc/RECORD.md", include_str!("../../doc/RECORD.md")),
    ("doc/TASK.md", include_str!("../../doc/TASK.md")),
    ("doc/AGENT-PLANS.md", include_str!("../../doc/AGENT-PLANS.md")),
];

#[test]
fn every_command_that_the_pages_show_is_one_that_the_program_takes() {
    for (page, text) in PAGES {
        let lines = text.lines().filter_map(|line| line.strip_prefix("    git implement "));
        let commands: Vec<&str> = lines.map(|line| line.split(" #").next().unwrap_or(line).trim()).collect();
        assert!(commands.len() >= 3, "{page}");
        for command in commands.iter().flat_map(|line| line.split(['>', '<']).next()) {
            let words = shell_words::split(command).expect("quotes in pairs");
            let read = cli::command().try_get_matches_from(std::iter::once("git-implement".to_owned()).chain(words));
            assert!(read.is_ok(), "{page}: git implement {command}\n{}", read.unwrap_err());
        }
    }
}

#[test]
fn the_pages_of_the_tools_are_found_from_the_readme_and_from_the_page_on_plans() {
    let (readme, pages) = PAGES.split_first().unwrap();
    for (page, _) in pages {
        assert!(readme.1.contains(&format!("]({page})")), "{page}");
        let name = page.trim_start_matches("doc/");
        assert!(
            ["PLANS.md", "RECORD.md", "TASK.md"].contains(&name) || PLANS.contains(&format!("]({name})")),
            "{page}"
        );
    }
}
