//! Why there is no answer, as data; worded as git words it. Everything of a stranger in here is already
//! clean: one line, no control characters, no secrets.

use std::fmt;
use std::path::PathBuf;

/// What a failure means for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The network or the server failed, and tries ran out.
    Transport,
    /// The provider answered: no.
    Refused,
    /// `replay` has no recorded reply.
    NotRecorded,
    Interrupted,
    /// The provider's command failed.
    CommandFailed,
    /// Nothing was sent: the settings do not name a provider that can be asked.
    Configuration,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderError {
    Interrupted,
    /// The server answered with an error, before its reply or in the middle of it.
    Status {
        provider: &'static str,
        status: u16,
        /// What the server says, or the beginning of its body.
        message: String,
        request_id: Option<String>,
        tries: u32,
    },
    /// The server wants to be left alone for longer than a run waits.
    RetryTooLate {
        provider: &'static str,
        status: u16,
        message: String,
        seconds: u64,
        limit: u64,
    },
    /// No connection, or it broke.
    Connection {
        provider: &'static str,
        address: String,
        reason: String,
        tries: u32,
    },
    /// The reply ended before its end mark: there is no knowing what is missing.
    CutShort {
        provider: &'static str,
        reason: String,
        tries: u32,
    },
    /// Not a byte for `seconds`.
    Idle {
        provider: &'static str,
        seconds: u64,
        tries: u32,
    },
    /// No whole reply within `seconds`, though something may have come all the time.
    Late {
        provider: &'static str,
        seconds: u64,
        tries: u32,
    },
    /// What came is not the provider's protocol.
    Malformed {
        provider: &'static str,
        reason: String,
        tries: u32,
    },
    /// The server would read, or has read, less than the whole prompt.
    PromptCut {
        provider: &'static str,
        reason: String,
    },
    /// `replay`: no such reply.
    NotRecorded {
        key: String,
        dir: PathBuf,
        path: String,
        used: usize,
        /// There is one that secrets were taken out of.
        masked: bool,
    },
    /// A directory of recorded replies cannot be read or written.
    Recording {
        path: PathBuf,
        reason: String,
    },
    /// The provider's command did not start, failed, or was stopped.
    Command {
        program: String,
        reason: String,
        /// Its last lines on standard error.
        stderr: Vec<String>,
    },
    /// The settings do not do.
    Configuration {
        message: String,
        hints: Vec<String>,
    },
}

impl ProviderError {
    pub(super) fn configuration(message: impl Into<String>, hint: impl Into<String>) -> Self {
        ProviderError::Configuration { message: message.into(), hints: vec![hint.into()] }
    }

    pub fn kind(&self) -> ErrorKind {
        use ProviderError::*;
        match self {
            Interrupted => ErrorKind::Interrupted,
            // Busy is the server's state, no judgement of the request.
            Status { status: 408 | 409 | 429 | 500.., .. } => ErrorKind::Transport,
            Status { .. } | PromptCut { .. } => ErrorKind::Refused,
            RetryTooLate { .. }
            | Connection { .. }
            | CutShort { .. }
            | Idle { .. }
            | Late { .. }
            | Malformed { .. } => ErrorKind::Transport,
            NotRecorded { .. } => ErrorKind::NotRecorded,
            Command { .. } => ErrorKind::CommandFailed,
            Recording { .. } | Configuration { .. } => ErrorKind::Configuration,
        }
    }

    /// What to do next, a line each.
    pub fn hints(&self) -> Vec<String> {
        use ProviderError::*;
        match self {
            Configuration { hints, .. } => hints.clone(),
            Command { stderr, .. } => stderr.iter().map(|line| format!("it said: {line}")).collect(),
            NotRecorded { masked: true, .. } => {
                vec!["name a provider beside --replay, and it is asked again".to_owned()]
            }
            NotRecorded { .. } => {
                vec!["the prompt is not the one that was recorded; record again with --record <dir>".to_owned()]
            }
            Status { status: 401 | 403, provider, .. } => vec![format!("check the API key for '{provider}'")],
            Status { status: 404, .. } => vec!["check --model and --base-url".to_owned()],
            Status { status: 300..=399, .. } => {
                vec!["redirects are not followed with a key; set --base-url to the final address".to_owned()]
            }
            Status { status: 413, .. } => vec!["the prompt is too large; give fewer --context files".to_owned()],
            Connection { address, .. } => vec![format!("is a server listening at {address}?")],
            Idle { .. } => vec!["raise the idle time-out if the model needs longer".to_owned()],
            Late { .. } => vec!["raise reply-timeout if the model needs longer".to_owned()],
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ProviderError::*;
        match self {
            Interrupted => write!(f, "interrupted"),
            Status { provider, status, message, request_id, tries } => {
                write!(f, "{provider} answered {status}: {message}")?;
                Id(request_id).fmt(f)?;
                Tries(*tries).fmt(f)
            }
            RetryTooLate { provider, status, message, seconds, limit } => {
                write!(f, "{provider} answered {status} and asks to wait {seconds} s, more than {limit} s: {message}")
            }
            Connection { provider, address, reason, tries } => {
                write!(f, "cannot reach {provider} at '{address}': {reason}")?;
                Tries(*tries).fmt(f)
            }
            CutShort { provider, reason, tries } => {
                write!(f, "reply of {provider} was cut short: {reason}")?;
                Tries(*tries).fmt(f)
            }
            Idle { provider, seconds, tries } => {
                write!(f, "no word from {provider} for {seconds} s")?;
                Tries(*tries).fmt(f)
            }
            Late { provider, seconds, tries } => {
                write!(f, "no whole reply from {provider} within {seconds} s")?;
                Tries(*tries).fmt(f)
            }
            Malformed { provider, reason, tries } => {
                write!(f, "cannot understand the reply of {provider}: {reason}")?;
                Tries(*tries).fmt(f)
            }
            PromptCut { provider, reason } => write!(f, "{provider} cannot read the whole prompt: {reason}"),
            NotRecorded { path, dir, masked: true, .. } => {
                write!(
                    f,
                    "the recorded reply for '{path}' is no answer: secrets were taken out of it in '{}'",
                    dir.display()
                )
            }
            NotRecorded { key, dir, path, used: 0, .. } => {
                write!(f, "no recorded reply for '{path}': no request {key} in '{}'", dir.display())
            }
            NotRecorded { key, dir, path, used, .. } => {
                let dir = dir.display();
                write!(f, "no recorded reply left for '{path}': all {used} of request {key} in '{dir}' were used")
            }
            Recording { path, reason } => write!(f, "cannot use recorded reply '{}': {reason}", path.display()),
            Command { program, reason, .. } => write!(f, "provider command '{program}' {reason}"),
            Configuration { message, .. } => f.write_str(message),
        }
    }
}

struct Id<'a>(&'a Option<String>);

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |id| write!(f, " (request {id})"))
    }
}

struct Tries(u32);

impl fmt::Display for Tries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 1 { write!(f, " (tried {} times)", self.0) } else { Ok(()) }
    }
}

impl std::error::Error for ProviderError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_worded_with_provider_message_request_and_tries() {
        let error = ProviderError::Status {
            provider: "anthropic",
            status: 529,
            message: "Overloaded".into(),
            request_id: Some("req_7".into()),
            tries: 5,
        };
        assert_eq!(error.to_string(), "anthropic answered 529: Overloaded (request req_7) (tried 5 times)");
        assert_eq!(error.kind(), ErrorKind::Transport);
    }

    #[test]
    fn a_refused_request_is_told_from_a_busy_server() {
        let status = |status| ProviderError::Status {
            provider: "openai",
            status,
            message: String::new(),
            request_id: None,
            tries: 1,
        };
        for refused in [301, 400, 401, 402, 403, 404, 413, 422] {
            assert_eq!(status(refused).kind(), ErrorKind::Refused, "{refused}");
        }
        for busy in [408, 409, 429, 500, 503, 529] {
            assert_eq!(status(busy).kind(), ErrorKind::Transport, "{busy}");
        }
    }
}
