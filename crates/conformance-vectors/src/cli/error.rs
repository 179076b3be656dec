//! Why a command has no answer.

use std::error::Error as _;
use std::fmt;
use std::io;

use conformance_vectors::LoadError;

use super::console::{BAD, BOLD, visible};

/// Why a command has no answer; shown as `error[code]: ...` with its cause and what to do.
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
    /// The answer could not be written.
    Output(io::Error),
}

impl CliError {
    fn code(&self) -> &'static str {
        match self {
            Self::Load(error) => error.code(),
            Self::NothingSelected { .. } => "nothing-selected",
            Self::UnknownId { .. } => "unknown-id",
            Self::ExpectedFile { .. } => "expected-failures-unreadable",
            Self::ExpectedUnknown { .. } => "expected-failure-unknown",
            Self::Start { .. } => "program-not-started",
            Self::Output(_) => "io",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Load(error) => error.to_string(),
            Self::NothingSelected { only, .. } => {
                format!("no vector has the id {only}, or is about a rule {only} or below it")
            }
            Self::UnknownId { id, .. } => format!("there is no vector with the id {id}"),
            Self::ExpectedFile { path, .. } => {
                format!("cannot read the expected failures in {path}")
            }
            Self::ExpectedUnknown { path, line, id, .. } => {
                format!("{path}:{line} names a vector that does not exist: {id}")
            }
            Self::Start { program, .. } => format!("cannot start {program}"),
            Self::Output(_) => "cannot write the answer".to_owned(),
        }
    }

    fn note(&self) -> Option<String> {
        match self {
            Self::Load(error) => error.source().map(ToString::to_string),
            Self::ExpectedFile { source, .. }
            | Self::Start { source, .. }
            | Self::Output(source) => Some(source.to_string()),
            Self::ExpectedUnknown { withdrawn, .. } => withdrawn
                .as_ref()
                .map(|why| format!("it was withdrawn: {why}")),
            Self::NothingSelected { .. } | Self::UnknownId { .. } => None,
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

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = visible(&self.message());
        write!(
            f,
            "{BAD}error[{}]{BAD:#}{BOLD}: {message}{BOLD:#}",
            self.code()
        )?;
        if let Some(note) = self.note() {
            write!(f, "\n  {BOLD}note{BOLD:#}: {}", visible(&note))?;
        }
        if let Some(help) = self.help() {
            write!(f, "\n  {BOLD}help{BOLD:#}: {help}")?;
        }
        Ok(())
    }
}

impl From<LoadError> for CliError {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}
