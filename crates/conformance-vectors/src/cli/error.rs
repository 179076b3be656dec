//! Why a command has no answer.

use std::io;

use command_console::Explain;
use conformance_vectors::LoadError;

/// Why a command has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum CliError {
    /// The vectors could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A selection that selects nothing.
    #[error("no vector has the id {only}, or is about a rule {only} or below it")]
    NothingSelected { only: String, similar: Vec<String> },
    /// No such vector.
    #[error("there is no vector with the id {id}")]
    UnknownId { id: String, similar: Vec<String> },
    /// The list of expected failures could not be read.
    #[error("cannot read the expected failures in {path}")]
    ExpectedFile { path: String, source: io::Error },
    /// The list of expected failures names a vector that does not exist.
    #[error(
        "{path}:{line} names a vector that {}",
        withdrawn.as_ref().map_or_else(
            || format!("does not exist: {id}"),
            |why| format!("was withdrawn: {id}: {why}"),
        )
    )]
    ExpectedUnknown {
        path: String,
        line: usize,
        id: String,
        withdrawn: Option<String>,
    },
    /// The program could not be started.
    #[error("cannot start {program}")]
    Start { program: String, source: io::Error },
}

impl Explain for CliError {
    fn code(&self) -> &'static str {
        match self {
            Self::Load(error) => error.code(),
            Self::NothingSelected { .. } => "nothing-selected",
            Self::UnknownId { .. } => "unknown-id",
            Self::ExpectedFile { .. } => "expected-failures-unreadable",
            Self::ExpectedUnknown { .. } => "expected-failure-unknown",
            Self::Start { .. } => "program-not-started",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NothingSelected { similar, .. } | Self::UnknownId { similar, .. } => {
                Some(if similar.is_empty() {
                    "conformance-vectors list shows all of them".to_owned()
                } else {
                    format!("similar: {}", similar.join(", "))
                })
            }
            Self::ExpectedUnknown { .. } => {
                Some("remove the line, or mend the id: conformance-vectors list".to_owned())
            }
            Self::Start { program, .. } if program.contains(char::is_whitespace) => Some(
                "no shell is used: give the program and each of its arguments as words of their own".to_owned(),
            ),
            _ => None,
        }
    }
}
