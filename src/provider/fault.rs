//! Why one try gave no answer, and whether another may: decisions only.

use std::time::Duration;

use serde_json::Value;

use super::ProviderError;
use super::retry::{self, Advice};

/// Why one try gave no answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fault {
    Status {
        status: u16,
        message: String,
        advice: Advice,
        request_id: Option<String>,
    },
    Connection(String),
    CutShort(String),
    Idle(Duration),
    /// The whole try took longer than this, however much came meanwhile.
    Late(Duration),
    /// Bytes of a reply that make no sense. The stream may be broken: worth another try.
    Malformed(String),
    /// Not the protocol at all: another try would give the same.
    Foreign(String),
    /// The prompt did not arrive whole.
    PromptCut(String),
}

impl Fault {
    /// May the next try do better?
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Fault::Status { status, advice, .. } => advice.should.unwrap_or(retry::is_passing(*status)),
            Fault::Connection(_) | Fault::CutShort(_) | Fault::Idle(_) | Fault::Malformed(_) => true,
            // So much patience once is enough.
            Fault::Foreign(_) | Fault::PromptCut(_) | Fault::Late(_) => false,
        }
    }

    /// The wait that the server asks for.
    pub(super) fn wait(&self) -> Option<Duration> {
        match self {
            Fault::Status { advice, .. } => advice.after,
            _ => None,
        }
    }

    /// What is told when there is no other try. `limit` is the longest wait that there would have been.
    pub(super) fn into_error(
        self,
        provider: &'static str,
        address: String,
        tries: u32,
        limit: Duration,
    ) -> ProviderError {
        match self {
            Fault::Status { status, message, advice: Advice { after: Some(wait), .. }, .. } if wait > limit => {
                let (seconds, limit) = (wait.as_secs(), limit.as_secs());
                ProviderError::RetryTooLate { provider, status, message, seconds, limit }
            }
            Fault::Status { status, message, request_id, .. } => {
                ProviderError::Status { provider, status, message, request_id, tries }
            }
            Fault::Connection(reason) => ProviderError::Connection { provider, address, reason, tries },
            Fault::CutShort(reason) => ProviderError::CutShort { provider, reason, tries },
            Fault::Idle(silence) => ProviderError::Idle { provider, seconds: silence.as_secs(), tries },
            Fault::Late(limit) => ProviderError::Late { provider, seconds: limit.as_secs(), tries },
            Fault::Malformed(reason) | Fault::Foreign(reason) => ProviderError::Malformed { provider, reason, tries },
            Fault::PromptCut(reason) => ProviderError::PromptCut { provider, reason },
        }
    }

    /// An error that the server tells in the middle of its reply, as if it had been the answer's status.
    pub(super) fn told(status: u16, message: String) -> Self {
        Fault::Status { status, message, advice: Advice::default(), request_id: None }
    }
}

impl From<super::sse::TooLong> for Fault {
    fn from(_: super::sse::TooLong) -> Self {
        Fault::Foreign("a line without end".to_owned())
    }
}

/// What an error document says, in the shapes that servers use.
pub(super) fn message_of(json: &Value) -> Option<String> {
    let text = |pointer| json.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    match (text("/error/type"), text("/error/message")) {
        (Some(kind), Some(message)) => Some(format!("{kind}: {message}")),
        (kind, message) => {
            message.or(kind).or(text("/error")).or(text("/message")).or(text("/detail")).map(str::to_owned)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_documents_are_read_in_every_usual_shape() {
        let message = |json: &str| message_of(&serde_json::from_str(json).unwrap());
        assert_eq!(message(r#"{"error":{"type":"t","message":"m"}}"#).unwrap(), "t: m");
        assert_eq!(message(r#"{"error":{"message":"m","code":400}}"#).unwrap(), "m");
        assert_eq!(message(r#"{"error":"model not found"}"#).unwrap(), "model not found");
        assert_eq!(message(r#"{"detail":"no"}"#).unwrap(), "no");
        assert_eq!(message(r#"{"error":{}}"#), None);
        assert_eq!(message("[]"), None);
    }
}
