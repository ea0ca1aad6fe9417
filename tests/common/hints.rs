//! Hints name options that the verb has to which they are said. Every run of every end-to-end test is held to it.
#![allow(dead_code)]

use clap::Command;

/// Looks through what a run of `git implement <arguments>` said on stderr.
#[track_caller]
pub fn hold(arguments: &[&str], said: &str) {
    let whole = git_implement::cli::command();
    let own = verb(&whole, arguments);
    for hint in said.lines().filter_map(|line| line.split_once("hint: ").map(|(_, hint)| hint)) {
        let wrong = strange(&whole, own, hint);
        assert!(wrong.is_empty(), "{wrong:?} is no option of '{}', and yet: {hint}", own.get_name());
    }
}

/// The verb at the beginning of a command line, or the main job.
fn verb<'a>(whole: &'a Command, words: &[&str]) -> &'a Command {
    let inner = words.first().and_then(|word| whole.find_subcommand(word));
    inner.map_or(whole, |inner| verb(inner, &words[1..]))
}

/// The options in a hint that the verb does not have; those of a command that the hint shows are that command's.
fn strange(whole: &Command, own: &Command, hint: &str) -> Vec<String> {
    let words: Vec<&str> = hint.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(['\'', '"', '(', ')', ',', ';', ':', '.']).to_owned();
    let mut wrong = Vec::new();
    // Whose options are named; `None`: those of one of git's own commands, or of another program.
    let mut whose = Some(own);
    for (at, word) in words.iter().enumerate() {
        if bare(word) == "git" {
            let next = words.get(at + 1).map(|word| bare(word)).unwrap_or_default();
            let rest: Vec<String> = words[at + 1..].iter().skip(1).map(|word| bare(word)).collect();
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            whose = (next == "implement").then(|| verb(whole, &rest));
        }
        // The rest is another program's command line.
        if at > 0 && ["env", "sh"].contains(word) {
            whose = None;
        }
        let name = bare(word);
        let name = name.split(['=', '[']).next().unwrap_or_default();
        if let (Some(command), true) = (whose, name.starts_with('-') && !name.trim_matches('-').is_empty()) {
            let mut options = command.get_arguments();
            let known = match name.strip_prefix("--") {
                Some(long) => options.any(|option| option.get_long() == Some(long)),
                None => {
                    name.len() > 2 || name == "-h" || options.any(|option| option.get_short() == name.chars().nth(1))
                }
            };
            wrong.extend((!known).then(|| name.to_owned()));
        }
        if word.ends_with(['\'', '"', ',', ';', ')', ':']) {
            whose = Some(own);
        }
    }
    wrong
}

#[test]
fn what_a_hint_names_is_compared_with_the_verb_it_is_for() {
    let whole = git_implement::cli::command();
    let strange = |words: &[&str], hint: &str| strange(&whole, verb(&whole, words), hint);
    let nothing = Vec::<String>::new();
    assert_eq!(strange(&["docs/3.md"], "choose another name with -b <name>, or --force"), nothing);
    assert_eq!(strange(&["check"], "choose another name with -b <name>, or --force"), ["-b", "--force"]);
    assert_eq!(strange(&["x.md"], "see 'git log --graph -3', then give --target <path>"), ["--target"]);
    assert_eq!(strange(&["check"], "ask again: git implement plan --propose"), nothing);
    assert_eq!(strange(&["hook", "install"], "leave out --config for a file"), nothing);
}
