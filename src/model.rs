//! What a language model's API says, in our words: a [`Request`] goes out, a [`Completion`] comes back.
//!
//! Knows no provider and no wire format; `provider/` translates.

use serde::{Deserialize, Serialize};

/// Who speaks in a run: the one who writes, or the one who looks at what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    Implementer,
    Reviewer,
}

impl Speaker {
    pub fn word(self) -> &'static str {
        match self {
            Speaker::Implementer => "implementer",
            Speaker::Reviewer => "reviewer",
        }
    }
}

/// What somebody has said before the files were written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub by: Speaker,
    /// From 1.
    pub round: u32,
    pub text: String,
}

/// A piece of prompt text. Pieces of one message are sent as they are, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    pub text: String,
    /// The prefix of the prompt that ends here is worth keeping in the provider's cache: a later request of
    /// the run begins with the same bytes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cache: bool,
}

impl Block {
    pub fn new(text: impl Into<String>) -> Self {
        Block { text: text.into(), cache: false }
    }
    pub fn cached(text: impl Into<String>) -> Self {
        Block { text: text.into(), cache: true }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Assistant,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub content: Vec<Block>,
}

/// One question to a model: everything that decides the answer, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub system: Vec<Block>,
    pub messages: Vec<Message>,
    /// The reply format that the task asks for (`whole`, `find-replace`, …; never `auto`).
    pub format: String,
    /// The most tokens that the model may answer with, as it is sent: what model and context window leave.
    pub max_tokens: u32,
    /// The most tokens that the person lets the model answer with, if they said. Part of the question, which what is
    /// left by a model's window is not: another model may well answer the same.
    pub asked_tokens: Option<u32>,
}

impl Request {
    /// The identity of the request, as recorded replies are filed under: SHA-256, in hex, of the canonical JSON
    /// of system text, messages, format and limits. How the text is cut into blocks and which of them are cached
    /// is not in it; nor are model, provider, dates, trace ids and versions, which a request does not hold.
    pub fn key(&self) -> String {
        use sha2::{Digest, Sha256};
        use std::fmt::Write;
        let text = |blocks: &[Block]| blocks.iter().map(|b| b.text.as_str()).collect::<String>();
        let messages: Vec<_> =
            self.messages.iter().map(|m| serde_json::json!({"content": text(&m.content), "role": m.role})).collect();
        // Keys are written in alphabetical order, which is what makes this JSON canonical.
        let canonical = serde_json::json!({
            "format": self.format, "max_tokens": self.asked_tokens, "messages": messages, "system": text(&self.system),
        });
        let digest = Sha256::digest(canonical.to_string().as_bytes());
        digest.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It had finished.
    EndTurn,
    /// The limit on output tokens cut it off: the text is not whole.
    MaxTokens,
    /// The context window was full: the text is not whole.
    ContextExceeded,
    /// The provider's safety system declined.
    Refusal,
    /// Anything else, in the provider's word; never a finished answer.
    Other(String),
}

impl StopReason {
    /// Was the reply cut off by a limit?
    pub fn is_truncation(&self) -> bool {
        matches!(self, StopReason::MaxTokens | StopReason::ContextExceeded)
    }
}

/// Tokens. `input` is the whole prompt, whatever part of it came from or went to a cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    /// Part of `input` that was read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Part of `input` that was written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
    }
}

/// A whole answer: there is no such thing as a partial one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    pub text: String,
    pub stop: StopReason,
    pub usage: Usage,
    /// The provider's id of the request, to quote in a support case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The model that the provider says has answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}
