//! `doc/GATES.md`: every gate has its section, what it weighs is true, and each example is what the program says.

use crate::repo::Repo;
use git_implement::check::{self, CHECKS, Level};

const PAGE: &str = include_str!("../../doc/GATES.md");

/// The sections by the ids in their headings, with what the heading says in brackets.
fn sections() -> Vec<(Vec<&'static str>, &'static str, &'static str)> {
    PAGE.split("\n## ")
        .skip(1)
        .filter_map(|section| {
            let (heading, body) = section.split_once('\n')?;
            // The headings of an example have no brackets.
            let (ids, weight) = heading.split_once(" (")?;
            Some((ids.split(", ").collect(), weight.trim_end_matches(')'), body))
        })
        .collect()
}

#[test]
fn every_gate_has_a_section_with_what_it_weighs() {
    let sections = sections();
    let missing: Vec<&str> =
        check::gates().filter(|gate| !sections.iter().any(|(ids, ..)| ids.contains(gate))).collect();
    assert_eq!(missing, [""; 0]);
    let word = |level: Level| Level::WORDS.iter().find(|(_, known)| *known == level).unwrap().0;
    for gate in CHECKS {
        let (_, said, body) = sections.iter().find(|(ids, ..)| ids.contains(&gate.id)).unwrap();
        assert_eq!(*said, format!("{}; {}", word(gate.weight.model), word(gate.weight.anyone)), "{}", gate.id);
        assert!(body.contains("**Finds**"), "{}", gate.id);
    }
}

/// An example: the line that begins it, and its fenced texts.
struct Example {
    line: String,
    texts: Vec<String>,
}

fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("`check`, `") || line.starts_with("`apply --check`, `") {
            examples.push(Example { line: line.to_owned(), texts: Vec::new() });
        }
        let marks = line.len() - line.trim_start_matches('`').len();
        if marks >= 3
            && let Some(example) = examples.last_mut()
        {
            let end = "`".repeat(marks);
            let text: String = lines.by_ref().take_while(|line| *line != end).map(|line| format!("{line}\n")).collect();
            example.texts.push(text.replace("{RLO}", "\u{202e}").replace("{PDF}", "\u{202c}"));
        }
    }
    examples
}

#[test]
fn each_example_is_what_the_program_says() {
    let examples = examples();
    assert!(examples.len() >= 10, "{}", examples.len());
    for Example { line, texts } in examples {
        let names: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        let path = names[1];
        let (said, texts) = texts.split_last().unwrap();
        let (text, before) = texts.split_last().unwrap();
        let before = before.first().map(String::as_str);
        let repo = Repo::of(&[("README.md", "# Read me\n")]);
        if let Some(before) = before {
            // What stands beside it, or what it is in place of.
            repo.write(names.get(2).unwrap_or(&path), before);
            repo.git(&["add", "."]);
            repo.git(&["commit", "--quiet", "--no-verify", "-m", "Before"]);
        }
        let ran = match names[0] {
            "check" => {
                repo.write(path, text);
                repo.git(&["add", "."]);
                repo.run(&["check", "--cached"])
            }
            _ => {
                std::fs::write(repo.place("reply"), format!("~~~~~\n{text}~~~~~\n")).unwrap();
                let reply = repo.place("reply");
                repo.run(&["apply", "--check", "--format", "whole", "--target", path, reply.to_str().unwrap()])
            }
        };
        let all = format!("{}{}", ran.out, ran.err);
        // The two verbs name the place, each in its own way.
        let (severity, message) = said.trim_end().split_once(": ").unwrap();
        assert!(all.contains(&format!("{severity}: ")) && all.contains(message), "{line}\n{said}\n{ran}");
    }
}
