//! Keeping a prompt within the model's context window.

use super::{Completed, Document};
use crate::model::Block;
use crate::plan::estimate_tokens;

/// A prompt over this share of the room is worth a warning.
const NEAR: f64 = 0.8;

/// The largest window of any model that is known, in tokens: a longer prompt is refused even where nobody has said how
/// large the window is.
pub const LARGEST_WINDOW: u64 = 1_050_000;

/// What a model can take and give, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Prompt and reply together.
    pub window: u64,
    /// Somebody has said how large the window is: the person, the server, or the table of models. A window that is
    /// only assumed makes prompts shrink, and refuses only what no model takes.
    pub certain: bool,
    /// The longest reply of the model.
    pub max_output: u32,
    /// The longest reply that the person wants, if they said.
    pub asked: Option<u32>,
}

impl Limits {
    /// Tokens that a prompt may have: a window leaves an eighth of itself for the reply at the least.
    pub fn most(&self) -> u64 {
        let window = if self.certain { self.window } else { self.window.max(LARGEST_WINDOW) };
        window - window / 8
    }

    /// Tokens that a prompt should have: the window less a whole reply. A model whose reply could fill its window
    /// keeps half of it for the prompt.
    pub fn room(&self) -> u64 {
        self.window.saturating_sub(u64::from(self.longest())).max(self.window / 2)
    }

    pub(super) fn longest(&self) -> u32 {
        self.asked.map_or(self.max_output, |asked| asked.min(self.max_output))
    }

    /// The limit to send for the reply: what the window leaves beside the prompt. Token counts are estimates, so a
    /// sixteenth of the window stays free.
    pub(super) fn max_output(&self, prompt: u64) -> u32 {
        let left = self.window.saturating_sub(prompt).saturating_sub(self.window / 16).max(256);
        self.longest().min(u32::try_from(left).unwrap_or(u32::MAX))
    }

    pub(super) fn is_near(&self, prompt: u64) -> bool {
        prompt as f64 > self.room() as f64 * NEAR
    }
}

/// The first of `documents` that fit whole into `room` tokens, and the paths of the others. It depends on nothing that changes
/// during a run, so that all prompts of it begin alike.
pub(super) fn whole(documents: &[Document], room: u64) -> (Vec<&Document>, Vec<String>) {
    let (mut shown, mut left_out, mut total) = (Vec::new(), Vec::new(), 0);
    for document in documents {
        let size = estimate_tokens(&document.text);
        if total + size <= room {
            total += size;
            shown.push(document);
        } else {
            left_out.push(document.path.clone());
        }
    }
    (shown, left_out)
}

/// The blocks of the completed files, in order, within `room` tokens if that is possible: whole ones, or outlines of
/// the oldest. The second list names the files in outline.
pub(super) fn fit(
    completed: &[Completed],
    room: u64,
    whole: impl Fn(&Completed) -> String,
    outline: impl Fn(&Completed) -> String,
) -> (Vec<Block>, Vec<String>) {
    let mut blocks: Vec<Block> = completed.iter().map(|file| Block::new(whole(file))).collect();
    let mut total: u64 = blocks.iter().map(|block| estimate_tokens(&block.text)).sum();
    let mut outlined = Vec::new();
    for (file, block) in completed.iter().zip(&mut blocks) {
        if total <= room {
            break;
        }
        let short = outline(file);
        let (before, after) = (estimate_tokens(&block.text), estimate_tokens(&short));
        if after < before {
            *block = Block::new(short);
            total = total - before + after;
            outlined.push(file.path.clone());
        }
    }
    (blocks, outlined)
}
