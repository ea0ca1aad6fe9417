//! [`ImplementError`]: how a run can fail, with the exit status and the hints of each way.

use super::hooked::PRE_COMMIT;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::{GitError, TASK};
use crate::ledger::{Over, Reservation};
use crate::model::StopReason;
use crate::provider::{ErrorKind, ProviderError};

/// What a reply was to be that was cut off: what helps depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A file that is not there yet.
    New,
    /// The whole of one that is.
    Whole,
    /// Edits to it.
    Edits,
    /// Which files tasks mean.
    Proposal,
    /// What is thought of the change.
    Review,
}

/// Why a run made nothing.
#[derive(Debug)]
pub enum ImplementError {
    /// The design or the plan has errors; nothing was asked.
    Plan {
        lld: String,
        findings: Vec<Finding>,
    },
    /// What prompts would show holds secrets; nothing was sent.
    Secrets {
        findings: Vec<Finding>,
    },
    /// The settings do not do.
    Configuration {
        findings: Vec<Finding>,
    },
    /// A complete reply was refused, by extraction, matching or a gate.
    Refused {
        path: String,
        findings: Vec<Finding>,
        reply: String,
    },
    /// What is to judge the result cannot run; nothing was asked.
    CannotJudge {
        findings: Vec<Finding>,
        status: ExitCode,
    },
    /// What a hook or a command of the person's made of a file was refused by a gate.
    Reworked {
        path: String,
        /// The hook's name, or the command line.
        by: String,
        findings: Vec<Finding>,
        text: String,
    },
    /// What was made does not pass a command of the person's, or a server that may refuse it.
    Unverified {
        findings: Vec<Finding>,
        /// What helps against that, if anything does.
        hint: Option<&'static str>,
    },
    /// What `error` says was not given back: that could pass a limit that the person set.
    Unmended {
        path: String,
        over: Over,
        error: Box<ImplementError>,
    },
    /// The model says that what the design and a test want cannot both be had.
    Disagree {
        path: String,
        sentence: String,
    },
    /// Every try at the file was cut off by a limit.
    Truncated {
        path: String,
        tries: u32,
        stop: StopReason,
        wanted: Wanted,
        reply: String,
    },
    /// The model stopped for a reason that leaves no answer.
    Declined {
        path: String,
        stop: StopReason,
        reply: String,
    },
    Provider {
        path: String,
        error: ProviderError,
    },
    /// The prompt does not fit into the model's context window.
    TooLong {
        path: String,
        tokens: u64,
        room: u64,
    },
    /// The next request could pass a limit that the person set.
    Budget {
        path: String,
        over: Over,
    },
    Git(GitError),
    /// The run record could not be written.
    Record {
        message: String,
    },
    /// `error` ended a run whose record is kept in the folder `record`.
    Kept {
        error: Box<ImplementError>,
        record: String,
        /// There are replies in it.
        answered: bool,
        /// The run's name, if it can be gone on with.
        run: Option<String>,
    },
    /// The design on disk was not changed, as it was to be.
    Unwritten {
        path: String,
        reason: String,
        findings: Vec<Finding>,
    },
    /// The person was asked whether it may be sent, and said no.
    NotAgreed,
    /// Nobody has agreed to send anything to `place`, and there is nobody to ask.
    NobodyToAsk {
        place: String,
    },
    Interrupted,
}

impl ImplementError {
    /// What a request for `path` that has no answer ends with: another try might have brought one, had there been room for it.
    pub(super) fn unanswered(path: &str, error: ProviderError, reserved: &Reservation) -> ImplementError {
        let path = path.to_owned();
        match (error, reserved.stands()) {
            (ProviderError::Interrupted, _) => ImplementError::Interrupted,
            (error, Err(over)) if error.kind() == ErrorKind::Transport => ImplementError::Budget { path, over },
            (error, _) => ImplementError::Provider { path, error },
        }
    }

    /// How the program ends because of it.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Plan { .. }
            | Self::Secrets { .. }
            | Self::Refused { .. }
            | Self::Reworked { .. }
            | Self::Unverified { .. }
            | Self::Disagree { .. }
            | Self::Unwritten { .. }
            | Self::NotAgreed => ExitCode::Refused,
            Self::Truncated { .. } | Self::Declined { .. } => ExitCode::NoAnswer,
            Self::Provider { error, .. } => match error.kind() {
                ErrorKind::Interrupted => ExitCode::Interrupted,
                ErrorKind::Configuration => ExitCode::Fatal,
                ErrorKind::Transport | ErrorKind::Refused | ErrorKind::NotRecorded | ErrorKind::CommandFailed => {
                    ExitCode::NoAnswer
                }
            },
            Self::TooLong { .. } | Self::Budget { .. } | Self::Unmended { .. } => ExitCode::OverBudget,
            Self::CannotJudge { status, .. } => *status,
            Self::Git(error) => error.exit_code(),
            Self::Kept { error, .. } => error.exit_code(),
            Self::Configuration { .. } | Self::Record { .. } | Self::NobodyToAsk { .. } => ExitCode::Fatal,
            Self::Interrupted => ExitCode::Interrupted,
        }
    }

    /// What to do next, a line each.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Plan { lld, .. } if lld == TASK => {
                vec!["name other files with --target, or permit what is meant with --allow <id>[:<path>]".into()]
            }
            Self::Plan { .. } => vec!["correct the design, or permit what is meant with --allow <id>[:<path>]".into()],
            Self::Configuration { .. }
            | Self::CannotJudge { .. }
            | Self::Secrets { .. }
            | Self::Refused { .. }
            | Self::Unwritten { .. } => vec![],
            Self::Unverified { hint, .. } => hint.iter().map(|hint| (*hint).to_owned()).collect(),
            Self::Disagree { .. } => {
                vec!["correct the design or the test; what is right stays accepted for --continue".into()]
            }
            Self::Truncated { wanted, .. } => {
                let smaller = match wanted {
                    Wanted::New => "let the design split the file in two",
                    Wanted::Whole => "have it modified by edits (--format find-replace)",
                    Wanted::Edits => "let the design change less of the file at once",
                    Wanted::Proposal => "ask about fewer tasks at once (--tasks, --phase, --story)",
                    Wanted::Review => "let the design change less at once",
                };
                vec![format!("{smaller}, or raise the model's limit (implement.maxOutputTokens)")]
            }
            Self::Reworked { by, .. } if by == PRE_COMMIT => {
                vec!["--no-verify skips the hook, and the record says so".into()]
            }
            Self::Reworked { .. } => vec!["mend the command, or leave all of them out: --no-exec".into()],
            Self::Declined { .. } => vec!["another model may answer: --model <name>".into()],
            Self::Provider { error, .. } => error.hints(),
            Self::TooLong { .. } => vec![
                "make fewer files in one run (-- <path>...), give less --context, or choose a model with a larger \
                 window (implement.contextWindow says how large it is)"
                    .into(),
            ],
            Self::Budget { over, .. } | Self::Unmended { over, .. } => vec![format!("raise it with {}", over.option)],
            Self::Git(error) => error.hints(),
            Self::Kept { error, record, answered, run } => {
                let kept = match answered {
                    true => format!("nothing was committed; what was answered is kept for --replay in '{record}'"),
                    false => format!("nothing was answered and nothing committed; the record is '{record}'"),
                };
                let go_on =
                    |run| format!("git implement --continue {run}: go on, without asking again for what was accepted");
                let go_on = run.as_ref().filter(|_| *answered).map(go_on);
                error.hints().into_iter().chain([kept]).chain(go_on).collect()
            }
            Self::NobodyToAsk { .. } => {
                vec!["give -y to agree to it, or run it once on a terminal, where you are asked".to_owned()]
            }
            Self::Record { .. } | Self::NotAgreed | Self::Interrupted => vec![],
        }
    }

    /// Findings that say more than the message.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Plan { findings, .. }
            | Self::Secrets { findings }
            | Self::Configuration { findings }
            | Self::Refused { findings, .. }
            | Self::Reworked { findings, .. }
            | Self::Unverified { findings, .. }
            | Self::CannotJudge { findings, .. }
            | Self::Unwritten { findings, .. } => findings,
            Self::Kept { error, .. } | Self::Unmended { error, .. } => error.findings(),
            _ => &[],
        }
    }

    /// What the model had said, if it had: the first 500 characters are shown.
    pub fn reply(&self) -> Option<&str> {
        match self {
            Self::Refused { reply, .. } | Self::Truncated { reply, .. } | Self::Declined { reply, .. } => Some(reply),
            Self::Kept { error, .. } | Self::Unmended { error, .. } => error.reply(),
            _ => None,
        }
    }
}

impl std::fmt::Display for ImplementError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Plan { lld, findings } => {
                let errors = findings.iter().filter(|finding| finding.is_error()).count();
                write!(f, "cannot implement '{lld}': {errors} error{}", if errors == 1 { "" } else { "s" })
            }
            Self::Secrets { .. } => write!(f, "nothing was sent: it holds what no model may see"),
            Self::Configuration { .. } => write!(f, "cannot ask a model with these settings"),
            Self::Refused { path, findings, .. } => {
                write!(f, "the reply for '{path}' is refused: {}", ids(findings).join(", "))
            }
            Self::CannotJudge { findings, .. } => {
                write!(f, "nothing was asked: what is to judge the result cannot: {}", ids(findings).join(", "))
            }
            Self::Reworked { path, by, findings, .. } => {
                let by = if by == PRE_COMMIT { format!("the {by} hook") } else { format!("'{by}'") };
                write!(f, "what {by} made of '{path}' is refused: {}", ids(findings).join(", "))
            }
            Self::Unmended { path, over, error } => {
                let ids = ids(error.findings()).join(", ");
                write!(f, "'{path}' is not mended ({ids}): asking for it once more would bring what is used to {over}")
            }
            Self::Unverified { findings, .. } => write!(f, "what was made does not pass: {}", ids(findings).join(", ")),
            Self::Disagree { path, sentence } => {
                write!(f, "the design and a test disagree, says the model of '{path}': {sentence}")
            }
            Self::Truncated { path, tries, .. } => {
                write!(f, "the reply for '{path}' was cut off by a limit in each of {tries} tries")
            }
            Self::Declined { path, stop: StopReason::Refusal, .. } => write!(f, "the model declined to write '{path}'"),
            Self::Declined { path, stop: StopReason::Other(word), .. } => {
                write!(f, "the model stopped for '{word}' at '{path}', which is no finished answer")
            }
            Self::Declined { path, stop, .. } => write!(f, "the model gave no finished answer for '{path}': {stop:?}"),
            Self::Provider { path, error } if path.is_empty() => write!(f, "{error}"),
            Self::Provider { path, error } => write!(f, "cannot get '{path}': {error}"),
            Self::TooLong { path, tokens, room } => write!(
                f,
                "the prompt for '{path}' has about {tokens} tokens, and the model's window has room for {room}"
            ),
            Self::Budget { path, over } => write!(f, "asking for '{path}' would bring what is used to {over}"),
            Self::Git(error) => write!(f, "{error}"),
            Self::Kept { error, .. } => write!(f, "{error}"),
            Self::Record { message } => write!(f, "cannot write the run record: {message}"),
            Self::Unwritten { path, reason, .. } => write!(f, "cannot write into '{path}': {reason}"),
            Self::NotAgreed => write!(f, "nothing was sent"),
            Self::NobodyToAsk { place } => write!(f, "nobody has agreed to send this repository's source to {place}"),
            Self::Interrupted => write!(f, "interrupted"),
        }
    }
}

impl std::error::Error for ImplementError {}

/// The ids of errors, each once: they name the gates, and are what `--allow` takes.
fn ids(findings: &[Finding]) -> Vec<&str> {
    let mut ids: Vec<&str> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.is_error()) {
        if !ids.contains(&finding.id.as_ref()) {
            ids.push(&finding.id);
        }
    }
    ids
}

impl From<GitError> for ImplementError {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Interrupted => Self::Interrupted,
            error => Self::Git(error),
        }
    }
}
