//! Asking a provider in a test: a request, a call, and what was told meanwhile.
#![allow(dead_code)]

use git_implement::event::Progress;
use git_implement::model::{Block, Completion, Message, Request, Role, Speaker, Usage};
use git_implement::process::Interrupt;
use git_implement::provider::{Call, Provider, ProviderError, Settings};

pub const TRACEPARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// What a provider told while it worked.
#[derive(Debug, Default)]
pub struct Told {
    /// The reply as far as it was heard at the last try.
    pub text: String,
    /// Why and after how many seconds each further try was made.
    pub retries: Vec<(f64, String)>,
    /// What all tries that gave no answer have used.
    pub used: Usage,
}

/// A request of one system block and one task.
pub fn request(task: &str, max_tokens: u32) -> Request {
    Request {
        system: vec![Block::cached("You write files.")],
        messages: vec![Message { role: Role::User, content: vec![Block::new(task)] }],
        format: "whole".to_owned(),
        max_tokens,
        asked_tokens: None,
    }
}

pub fn open(settings: Settings) -> Box<dyn Provider> {
    git_implement::provider::open(&settings).unwrap_or_else(|error| panic!("{error}"))
}

pub fn ask(provider: &dyn Provider, request: &Request) -> (Result<Completion, ProviderError>, Told) {
    ask_until(provider, request, &Interrupt::default())
}

pub fn ask_until(
    provider: &dyn Provider,
    request: &Request,
    interrupt: &Interrupt,
) -> (Result<Completion, ProviderError>, Told) {
    let mut told = Told::default();
    let mut progress = |progress: Progress| match progress {
        Progress::Text(text) => told.text.push_str(text),
        Progress::Retry { seconds, reason, .. } => {
            told.text.clear();
            told.retries.push((seconds, reason.to_owned()));
        }
    };
    let mut used = Usage::default();
    let mut failed = |usage: Usage| {
        used += usage;
        true
    };
    let mut call = Call {
        path: "src/a.py",
        attempt: 2,
        speaker: Speaker::Implementer,
        round: 1,
        traceparent: TRACEPARENT,
        interrupt,
        progress: &mut progress,
        failed: &mut failed,
    };
    let result = provider.complete(request, &mut call);
    told.used = used;
    (result, told)
}
