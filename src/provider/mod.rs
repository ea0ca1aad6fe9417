//! Providers: who answers a [`Request`]. Each is one file; [`Provider`] is all that the run knows of them.

use crate::event::{Interrupt, Progress};
use crate::model::{Completion, Request};

/// What a provider may know of a request beside its text.
pub struct Call<'a> {
    /// The file that is asked for.
    pub path: &'a str,
    /// From 1.
    pub attempt: u32,
    /// W3C trace context of this request's span: `00-<trace>-<span>-01`.
    pub traceparent: &'a str,
    pub interrupt: &'a Interrupt,
    pub progress: &'a mut dyn FnMut(Progress),
}

pub trait Provider {
    /// As on the command line: `anthropic`.
    fn name(&self) -> &'static str;
    /// The model that is asked for.
    fn model(&self) -> &str;
    /// Asks, and waits for the whole answer.
    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderError {
    Interrupted,
}
