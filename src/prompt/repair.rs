//! A refused reply as the next turn of its conversation: what was found in it, and what is asked for now. The turn before
//! stays as it was, so that a provider's cache has all of it.

use super::{Limits, Prompt, Task, TooLong, asked_for, fenced, spec, tag};
use crate::edit::{Format, Standing};
use crate::finding::Finding;
use crate::model::{Block, Message, Role};
use crate::plan::estimate_tokens;

/// A reply that was refused.
#[derive(Debug, Clone, Copy)]
pub struct GivenBack<'a> {
    pub reply: &'a str,
    pub findings: &'a [Finding],
    /// The file that it made, if it came to one: lines of findings are lines of this. Else they are lines of the base.
    pub made: Option<&'a str>,
    /// What of its edits stays.
    pub standing: Option<&'a Standing>,
}

/// Findings that are told, and of these places that are shown.
const MOST_TOLD: usize = 20;
const MOST_PLACES: usize = 5;
/// Lines that are shown before the one that is meant, and after it.
const AROUND: usize = 3;

/// The request that asks for `task` again after `prompt` was answered with `refused`.
///
/// # Errors
/// [`TooLong`] if the conversation does not fit into the model's window.
pub fn repair(prompt: &Prompt, task: &Task, refused: &GivenBack, limits: Limits) -> Result<Prompt, TooLong> {
    let turn = |role, text: String| Message { role, content: vec![Block::new(text)] };
    // No API takes an empty turn.
    let said = if refused.reply.trim().is_empty() { "(nothing)" } else { refused.reply };
    let asked = wording(task, refused);
    let tokens = prompt.tokens + estimate_tokens(said) + estimate_tokens(&asked);
    if tokens > limits.most() {
        return Err(TooLong { tokens, room: limits.most() });
    }
    let mut next = prompt.clone();
    next.request.messages.push(turn(Role::Assistant, said.to_owned()));
    next.request.messages.push(turn(Role::User, asked));
    next.request.max_tokens = limits.max_output(tokens);
    (next.shared_tokens, next.tokens, next.near_limit) = (prompt.tokens, tokens, limits.is_near(tokens));
    Ok(next)
}

fn wording(task: &Task, refused: &GivenBack) -> String {
    let path = task.path;
    let mut out = format!("# The reply for `{path}` was refused\n\nA program has found in it:\n\n");
    let errors: Vec<&Finding> = refused.findings.iter().filter(|finding| finding.is_error()).collect();
    for finding in errors.iter().take(MOST_TOLD) {
        let line = finding.line.filter(|_| refused.made.is_some());
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        out.push_str(&format!("- {place}{}\n", indented(&finding.message)));
        // A gate's hint tells a person what to permit.
        if let (Some(hint), None) = (&finding.hint, refused.made) {
            out.push_str(&format!("  {}\n", indented(hint)));
        }
    }
    if errors.len() > MOST_TOLD {
        out.push_str(&format!("- and {} more\n", errors.len() - MOST_TOLD));
    }
    if let Some(made) = refused.made {
        out.push_str(&places(path, made, &errors));
    }
    out.push('\n');
    out.push_str(&now(task, refused.standing));
    out
}

/// The lines that findings mean, with those around them.
fn places(path: &str, made: &str, errors: &[&Finding]) -> String {
    let lines: Vec<&str> = made.lines().collect();
    let mut out = String::new();
    let mut shown_to = 0;
    for line in errors.iter().filter_map(|finding| finding.line).filter(|line| *line <= lines.len()).take(MOST_PLACES) {
        if line <= shown_to {
            continue;
        }
        let first = line.saturating_sub(AROUND).max(shown_to + 1);
        shown_to = (line + AROUND).min(lines.len());
        let shown: String =
            (first..=shown_to).filter_map(|n| Some(format!("{n:5} | {}\n", lines.get(n - 1)?))).collect();
        out.push_str(&format!("\nRound line {line} of the file that came of it:\n\n{}", fenced(&shown, tag(path))));
    }
    out
}

/// What stands, and what is asked for.
fn now(task: &Task, standing: Option<&Standing>) -> String {
    let path = task.path;
    let Some(standing) = standing else {
        let what = asked_for(task.format);
        let all = if task.format == Format::Whole { "" } else { "all " };
        return format!(
            "Nothing of it is kept. Mend what was found, and reply again with {all}the {what} of `{path}` in the form that \
             was described, and nothing else.\n"
        );
    };
    let unit = spec(standing.format()).unit();
    let missing: Vec<usize> = standing.missing.iter().filter_map(|refusal| refusal.change).collect();
    if missing.is_empty() {
        return format!(
            "Its {unit}s are made: the file is now as they leave it. Reply with the further {unit}s that mend what was \
             found, in the same form, and nothing else. Their old text is looked for in the file as it is now.\n"
        );
    }
    format!(
        "The other {unit}s have their place and are made ({}). Reply with {} alone, mended, in the same form, and nothing \
         else. Old text is looked for in the file as the other {unit}s leave it.\n",
        numbered(unit, &standing.changes),
        numbered(unit, &missing),
    )
}

/// `changes 1, 3 and 4`.
fn numbered(unit: &str, numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match &texts[..] {
        [only] => format!("{unit} {only}"),
        [first @ .., last] => format!("{unit}s {} and {last}", first.join(", ")),
        [] => format!("no {unit}"),
    }
}

/// As part of an item of a list, whatever lines it has.
fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit;
    use crate::lld::Change;
    use crate::prompt::{Document, Material, build};

    const LIMITS: Limits = Limits { certain: true, window: 100_000, max_output: 8_000, asked: None };
    const BASE: &str = "x = 1\ny = 1\nx = 1\n";

    fn task(format: Format) -> Task<'static> {
        let (path, description, base) = ("src/a.py", "", Some(BASE));
        Task {
            path,
            change: Change::Modify,
            from: None,
            description,
            tasks: &[],
            line: 1,
            base,
            format,
            cut_off: 0,
            found: None,
        }
    }

    fn first(task: &Task) -> Prompt {
        let design = Document { path: "d.md".into(), text: "# D\n".into() };
        let material = Material { design, context: vec![], ..crate::prompt::tests::material() };
        build(&material, &[], task, LIMITS).unwrap()
    }

    fn asked(format: Format, refused: &GivenBack) -> String {
        let task = task(format);
        let next = repair(&first(&task), &task, refused, LIMITS).unwrap();
        next.request.messages.last().unwrap().content[0].text.clone()
    }

    #[test]
    fn the_conversation_goes_on_behind_the_very_prompt_that_was_answered() {
        let task = task(Format::Whole);
        let before = first(&task);
        let findings = [Finding::error("summary", "'src/a.py' is a report").hint("--allow summary")];
        let refused = GivenBack { reply: " \n", findings: &findings, made: Some("x\n"), standing: None };
        let next = repair(&before, &task, &refused, LIMITS).unwrap();
        let [asked, said, found] = &next.request.messages[..] else { panic!("{next:?}") };
        assert_eq!((asked, said.role), (&before.request.messages[0], Role::Assistant));
        assert_eq!(said.content[0].text, "(nothing)");
        assert!(
            found.content[0].text.contains("- 'src/a.py' is a report\n") && !found.content[0].text.contains("--allow")
        );
        assert!(next.tokens > before.tokens && next.request.key() != before.request.key());
        let small = Limits { window: before.tokens + 10, certain: true, ..LIMITS };
        assert!(repair(&before, &task, &refused, small).is_err());
    }

    #[test]
    fn changes_that_have_their_place_are_named_and_the_others_asked_for() {
        let change = |old: &str, new: &str| format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n");
        let reply = change("y = 1", "y = 2") + &change("x = 1", "x = 2");
        let standing = edit::standing(Format::FindReplace, "src/a.py", BASE, &reply).unwrap();
        let findings: Vec<Finding> = standing.missing.iter().cloned().map(Finding::from).collect();
        let refused = GivenBack { reply: &reply, findings: &findings, made: None, standing: Some(&standing) };
        let asked = asked(Format::FindReplace, &refused);
        assert!(
            asked.contains("- cannot apply change 2 to 'src/a.py': FIND matches lines 1 and 3\n  give more"),
            "{asked}"
        );
        assert!(asked.contains("are made (change 1). Reply with change 2 alone"), "{asked}");
    }

    #[test]
    fn the_line_that_a_gate_means_is_shown_with_its_number_and_its_neighbours() {
        let made: String = (1..=30).map(|n| format!("line_{n}\n")).collect();
        let findings =
            [Finding::error("syntax-python", "it does not parse").line(12), Finding::error("x", "y").line(13)];
        let asked =
            asked(Format::Whole, &GivenBack { reply: "r", findings: &findings, made: Some(&made), standing: None });
        assert!(asked.contains("- line 12: it does not parse\n- line 13: y\n"), "{asked}");
        assert!(asked.contains("```py\n    9 | line_9\n") && asked.contains("   15 | line_15\n```\n"), "{asked}");
        assert_eq!(asked.matches("Round line").count(), 1);
        assert!(asked.contains("reply again with the complete content of `src/a.py`"), "{asked}");
    }
}
