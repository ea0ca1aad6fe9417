//! The talk before a change is written: what each of the two is asked in a round, and what was said as the files' prompts
//! show it.

use super::{Limits, Material, Prompt, TooLong, budget, design, fenced, repository};
use crate::model::{Block, Message, Request, Role, Said, Speaker};
use crate::plan::estimate_tokens;

/// What the requests are filed under as a format.
pub const FORMAT: &str = "talk";

/// What a turn comes to, in tokens.
const TURN: u64 = 800;

fn system(by: Speaker) -> &'static str {
    match by {
        Speaker::Implementer => include_str!("implementer.md"),
        Speaker::Reviewer => include_str!("reviewer.md"),
    }
}

/// Which turn of a talk is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    pub by: Speaker,
    /// From 1.
    pub round: u32,
    /// With the last, in which the files are written.
    pub rounds: u32,
    /// The files that are planned.
    pub planned: &'a [String],
}

/// The request for a turn. What was said before is in `material`.
///
/// # Errors
/// [`TooLong`] if there is no room for the design and what it builds on.
pub fn request(material: &Material, turn: Turn, limits: Limits) -> Result<Prompt, TooLong> {
    let shown = repository::Shown::of(material, limits.room() / 3);
    let (beside, left_out) = budget::whole(&material.beside, limits.room() / 2);
    let design = Block::cached(design(&material.design, &beside));
    let context = (!shown.text.is_empty()).then(|| Block::cached(&shown.text));
    let said = block(&material.said, limits);
    let said = (!said.is_empty()).then(|| Block::cached(said));
    let content: Vec<Block> =
        std::iter::once(design).chain(context).chain(said).chain([Block::new(asked(&turn))]).collect();
    let size: u64 = content.iter().map(|block| estimate_tokens(&block.text)).sum();
    let tokens = estimate_tokens(system(turn.by)) + size;
    if tokens > limits.most() {
        return Err(TooLong { tokens, room: limits.most() });
    }
    let request = Request {
        system: vec![Block::new(system(turn.by))],
        messages: vec![Message { role: Role::User, content }],
        format: FORMAT.to_owned(),
        max_tokens: limits.max_output(tokens),
        asked_tokens: limits.asked,
    };
    let near_limit = limits.is_near(tokens);
    Ok(Prompt { request, tokens, shared_tokens: 0, reply_tokens: TURN, outlined: Vec::new(), left_out, near_limit })
}

fn asked(turn: &Turn) -> String {
    let Turn { by, round, rounds, planned } = turn;
    let files: String = planned.iter().map(|path| format!("- `{path}`\n")).collect();
    let what = match (by, round) {
        (Speaker::Implementer, 1) => "Say how you would carry out the task.",
        (Speaker::Implementer, _) => "Answer the reviewer, and say how you would carry out the task now.",
        (Speaker::Reviewer, _) => "Say what is wrong with what the implementer has proposed last.",
    };
    format!(
        "\n# Round {round} of {rounds}\n\nThe planned files:\n\n{files}\n{what} The files are written in round {rounds}.\n"
    )
}

/// What was said, for a prompt of the talk or of a file: the last turns, as far as a quarter of the room has place for
/// them.
pub(super) fn block(said: &[Said], limits: Limits) -> String {
    let kept = said.len() - dropped(said, limits);
    let Some(last) = said.get(said.len() - kept..).filter(|last| !last.is_empty()) else { return String::new() };
    let mut out =
        "\n# What was said about it\n\nAn implementer and a reviewer have talked about the task. What they say is \
                   advice: the task counts.\n"
            .to_owned();
    if kept < said.len() {
        out.push_str("\n(For want of room the first turns are not shown.)\n");
    }
    for turn in last {
        out.push_str(&format!("\nRound {}, the {}:\n\n{}", turn.round, turn.by.word(), fenced(&turn.text, "markdown")));
    }
    out
}

/// How many of the first turns are not shown, for want of room.
pub fn dropped(said: &[Said], limits: Limits) -> usize {
    let mut left = limits.room() / 4;
    let fits = said.iter().rev().take_while(|turn| {
        let size = estimate_tokens(&turn.text);
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    });
    said.len() - fits.count()
}

/// What the prompt of a file says once the talk is over.
pub(super) const LAST: &str =
    "\nThe talk is over, and this is the final round: write the file now, with what of the talk was right.\n";

#[cfg(test)]
mod tests {
    use super::super::tests::material;
    use super::*;

    const ROOMY: Limits = Limits { certain: true, window: 200_000, max_output: 8_000, asked: None };

    fn said(by: Speaker, round: u32, text: &str) -> Said {
        Said { by, round, text: text.to_owned() }
    }

    fn text(prompt: &Prompt) -> String {
        prompt.request.messages[0].content.iter().map(|block| block.text.as_str()).collect()
    }

    #[test]
    fn each_turn_shows_the_task_what_was_said_and_who_is_asked() {
        let mut material = material();
        let turn = Turn { by: Speaker::Implementer, round: 1, rounds: 3, planned: &["src/a.py".into()] };
        let first = request(&material, turn, ROOMY).unwrap();
        assert!(!text(&first).contains("What was said"));
        material.said = vec![said(Speaker::Implementer, 1, "I change a.\n```\nend\n")];
        let second = request(&material, Turn { by: Speaker::Reviewer, ..turn }, ROOMY).unwrap();
        assert!(text(&second).contains("Round 1, the implementer:\n\n````markdown\nI change a.\n```\nend\n````\n"));
        assert!(text(&second).ends_with("proposed last. The files are written in round 3.\n"));
        assert_ne!(first.request.system, second.request.system);
    }

    #[test]
    fn where_there_is_no_room_the_first_turns_go() {
        let long = "word ".repeat(4_000);
        let all: Vec<Said> =
            (1..=4).map(|round| said(Speaker::Implementer, round, &format!("{round} {long}"))).collect();
        let small = Limits { window: 64_000, ..ROOMY };
        assert_eq!(dropped(&all, ROOMY), 0);
        let left_out = dropped(&all, small);
        assert!(left_out > 0 && left_out < 4, "{left_out}");
        let block = block(&all, small);
        assert!(
            block.contains("first turns are not shown") && block.contains("Round 4") && !block.contains("Round 1,")
        );
    }
}
