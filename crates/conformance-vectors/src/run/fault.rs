//! What a program did instead of answering.

use std::time::Duration;

use thiserror::Error;

use super::program::MAX_LINE_BYTES;

/// What a program did instead of answering.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// It could not be started again.
    #[error("the program could not be started again: {0}")]
    Start(String),
    /// The servers of a client's scenario could not be played.
    #[error("the scenario could not be played: {0}")]
    Play(String),
    /// It ended.
    #[error("the program ended before it answered ({0})")]
    Crash(String),
    /// It goes on, but cannot answer any more.
    #[error("the program closed its standard output and went on without answering")]
    OutputClosed,
    /// It did not answer in time.
    #[error("no answer within {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// It wrote a line that is no answer.
    #[error("the line is no answer: {why}")]
    Garbage {
        /// The start of the line.
        line: String,
        /// What is wrong with it.
        why: String,
    },
    /// It wrote a line without an end.
    #[error("the program wrote a line of more than {MAX_LINE_BYTES} bytes")]
    LineTooLong,
    /// It answered another question: late, twice, or by mistake.
    #[error("the answer is for {found:?}: a late answer, a second one, or a wrong id")]
    OtherId {
        /// The id in the answer.
        found: String,
    },
    /// It wrote more lines than it was asked for, and this was the last question.
    #[error("the program wrote one more line after its last answer")]
    ExtraLine {
        /// The start of the line.
        line: String,
    },
    /// Its output could not be read.
    #[error("the program's output cannot be read: {0}")]
    Output(String),
}

impl Fault {
    /// The name of the fault, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::Play(_) => "play",
            Self::Crash(_) => "crash",
            Self::OutputClosed => "output-closed",
            Self::Timeout(_) => "timeout",
            Self::Garbage { .. } => "garbage",
            Self::LineTooLong => "line-too-long",
            Self::OtherId { .. } => "other-id",
            Self::ExtraLine { .. } => "extra-line",
            Self::Output(_) => "output",
        }
    }

    /// The start of the line that is to blame, if it was read.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        match self {
            Self::Garbage { line, .. } | Self::ExtraLine { line } => Some(line),
            _ => None,
        }
    }
}
