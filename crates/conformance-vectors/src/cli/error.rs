//! Why a command has no answer.

use std::error::Error;
use std::fmt;
use std::io;

use command_console::Explain;
use conformance_vectors::LoadError;

/// Why a command has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub(super) enum CliError {
    /// The vectors could not be read.
    Load(LoadError),
    /// A selection that selects nothing.
    NothingSelected { only: String, similar: Vec<String> },
    /// No such vector.
    UnknownId { id: String, similar: Vec<String> },
    /// The list of expected failures could not be read.
    ExpectedFile { path: String, source: io::Error },
    /// The list of expected failures names a vector that does not exist.
    ExpectedUnknown {
        path: String,
        line: usize,
        id: String,
        withdrawn: Option<String>,
    },
    /// The program could not be started.
    Start { program: String, source: io::Error },
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => error.fmt(f),
            Self::NothingSelected { only, .. } => {
                write!(
                    f,
                    "no vector has the id {only}, or is about a rule {only} or below it"
                )
            }
            Self::UnknownId { id, .. } => write!(f, "there is no vector with the id {id}"),
            Self::ExpectedFile { path, .. } => {
                write!(f, "cannot read the expected failures in {path}")
            }
            Self::ExpectedUnknown {
                path,
                line,
                id,
                withdrawn: None,
            } => {
                write!(f, "{path}:{line} names a vector that does not exist: {id}")
            }
            Self::ExpectedUnknown {
                path,
                line,
                id,
                withdrawn: Some(why),
            } => {
                write!(
                    f,
                    "{path}:{line} names a vector that was withdrawn: {id}: {why}"
                )
            }
            Self::Start { program, .. } => write!(f, "cannot start {program}"),
        }
    }
}

impl Error for CliError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Load(error) => error.source(),
            Self::ExpectedFile { source, .. } | Self::Start { source, .. } => Some(source),
            Self::NothingSelected { .. }
            | Self::UnknownId { .. }
            | Self::ExpectedUnknown { .. } => None,
        }
    }
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

impl From<LoadError> for CliError {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}
