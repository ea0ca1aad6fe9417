//! What a reviewer is asked of a finished change: first the verdict alone, on a small prompt; and what is wrong only if
//! something must be mended. Whoever is asked for both at once finds fault with right code far more often.

mod diff;
mod ground;
mod touched;

pub use ground::Ground;

use super::{Limits, Prompt, TooLong, fenced};
use crate::model::{Block, Message, Request, Role};
use crate::plan::estimate_tokens;
use crate::reviewer::Changed;

/// What the requests are filed under as formats.
pub const VERDICT: &str = "verdict";
pub const REMARKS: &str = "remarks";

const SYSTEM: &str = include_str!("system.md");
const ASK_VERDICT: &str = include_str!("verdict.md");
const ASK_REMARKS: &str = include_str!("remarks.md");
/// What stands for the mark of the run.
const MARK: &str = "{mark}";

/// What a verdict comes to, and remarks, in tokens.
const VERDICT_TOKENS: u64 = 40;
const REMARKS_TOKENS: u64 = 600;

/// The question for the verdict. `ground`: what is shown beside the diff; it is left out where there is no room for it.
///
/// # Errors
/// [`TooLong`] if task and diff alone do not fit.
pub fn verdict(
    task: &str,
    changed: &[Changed],
    ground: &Ground,
    mark: &str,
    limits: Limits,
) -> Result<Prompt, TooLong> {
    let task = format!("# The task\n\n{}", fenced(task, "markdown"));
    let diff = format!(
        "\n# The change\n\nEach line that is there now has its number; `+` is new, `-` is gone.\n{}",
        changed.iter().map(diff::numbered).collect::<String>()
    );
    let end = ASK_VERDICT.replace(MARK, mark);
    let size = |text: &str| estimate_tokens(text);
    let fixed = size(SYSTEM) + size(&task) + size(&diff) + size(&end);
    if fixed > limits.most() {
        return Err(TooLong { tokens: fixed, room: limits.most() });
    }
    let beside = ground.within(limits.room().saturating_sub(fixed));
    let tokens = fixed + size(&beside);
    let content = vec![Block::new(task), Block::new(beside + &diff), Block::new(end)];
    let content = content.into_iter().filter(|block| !block.text.is_empty()).collect();
    let request = Request {
        system: vec![Block::new(SYSTEM)],
        messages: vec![Message { role: Role::User, content }],
        format: VERDICT.to_owned(),
        max_tokens: limits.max_output(tokens),
        asked_tokens: limits.asked,
    };
    Ok(Prompt {
        request,
        tokens,
        shared_tokens: 0,
        reply_tokens: VERDICT_TOKENS,
        outlined: Vec::new(),
        left_out: Vec::new(),
        near_limit: limits.is_near(tokens),
    })
}

/// The question what is wrong, after the verdict `said` that something is.
///
/// # Errors
/// [`TooLong`], as for the verdict.
pub fn remarks(asked: &Prompt, said: &str, limits: Limits) -> Result<Prompt, TooLong> {
    let turn = |role, text: &str| Message { role, content: vec![Block::new(text)] };
    let tokens = asked.tokens + estimate_tokens(said) + estimate_tokens(ASK_REMARKS);
    if tokens > limits.most() {
        return Err(TooLong { tokens, room: limits.most() });
    }
    let mut next = asked.clone();
    next.request.messages.extend([turn(Role::Assistant, said), turn(Role::User, ASK_REMARKS)]);
    next.request.format = REMARKS.to_owned();
    next.request.max_tokens = limits.max_output(tokens);
    (next.shared_tokens, next.tokens, next.reply_tokens) = (asked.tokens, tokens, REMARKS_TOKENS);
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Excerpt;

    const ROOMY: Limits = Limits { certain: true, window: 200_000, max_output: 8_000, asked: None };

    fn text(prompt: &Prompt) -> String {
        let blocks = prompt.request.messages.iter().flat_map(|message| &message.content);
        blocks.map(|block| block.text.as_str()).collect()
    }

    #[test]
    fn the_verdict_is_asked_for_alone_and_the_remarks_behind_it() {
        let changed = [Changed { path: "a.py", from: None, base: Some("x = 1\n"), text: Some("x = 2\n") }];
        let asked = verdict("Make it 2.", &changed, &Ground::default(), "m7", ROOMY).unwrap();
        let first = text(&asked);
        assert!(first.contains("\nm7 ok\nm7 fix\nm7 inconclusive\n") && !first.contains(MARK), "{first}");
        assert!(first.contains("```diff\n     -x = 1\n   1 +x = 2\n```\n"), "{first}");
        assert!(!first.contains("<path>:<line>"));
        let next = remarks(&asked, "m7 fix", ROOMY).unwrap();
        assert!(text(&next).ends_with(&format!("m7 fix{ASK_REMARKS}")));
        assert_eq!(next.request.messages.len(), 3);
    }

    #[test]
    fn a_diff_that_does_not_fit_is_too_long_and_what_stands_beside_it_is_left_out() {
        let long = "x = 1\n".repeat(8_000);
        let changed = [Changed { path: "a.py", from: None, base: None, text: Some(&long) }];
        let small = Limits { window: 10_000, ..ROOMY };
        assert!(verdict("t", &changed, &Ground::default(), "m", small).is_err());
        let changed = [Changed {
            text: Some("def mean():\n    return 2\n"),
            base: Some("def mean():\n    return 1\n"),
            ..changed[0]
        }];
        let caller = Excerpt {
            path: "b.py".to_owned(),
            lines: Vec::new(),
            of: 1,
            text: "mean()\n".to_owned(),
            reason: "uses `mean`".to_owned(),
            notes: Vec::new(),
        };
        let ground = Ground::of(&changed).with_others(&[caller], &[]);
        assert!(text(&verdict("t", &changed, &ground, "m", ROOMY).unwrap()).contains("`b.py`"));
        assert!(
            !text(&verdict("t", &changed, &ground, "m", Limits { window: 640, ..ROOMY }).unwrap()).contains("`b.py`")
        );
    }
}
