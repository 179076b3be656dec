//! Why a command has no answer.

use std::fmt;
use std::io;

use capability_resolution::OriginError;

use crate::console::{BAD, BOLD, visible};

/// Why a command has no answer; shown as `error[code]: ...` with its cause and what to do.
#[derive(Debug)]
#[non_exhaustive]
pub(crate) enum CheckError {
    /// A file could not be read.
    File { path: String, source: io::Error },
    /// Standard input could not be read.
    Input(io::Error),
    /// `--issuer` is no origin.
    Issuer { value: String, source: OriginError },
    /// `--now` is no time.
    Now { value: String },
    /// The answer could not be written.
    Output(io::Error),
}

impl CheckError {
    fn code(&self) -> &'static str {
        match self {
            Self::File { .. } => "file-unreadable",
            Self::Input(_) => "input-unreadable",
            Self::Issuer { .. } => "issuer-form",
            Self::Now { .. } => "now-form",
            Self::Output(_) => "io",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::File { path, .. } => format!("cannot read {path}"),
            Self::Input(_) => "cannot read standard input".to_owned(),
            Self::Issuer { value, .. } => {
                format!("--issuer {value} is not the origin of a resolver")
            }
            Self::Now { value } => format!("--now {value} is not a time of RFC 3339"),
            Self::Output(_) => "cannot write the answer".to_owned(),
        }
    }

    fn note(&self) -> Option<String> {
        match self {
            Self::File { source, .. } | Self::Input(source) | Self::Output(source) => {
                Some(source.to_string())
            }
            Self::Issuer { source, .. } => Some(source.to_string()),
            Self::Now { .. } => None,
        }
    }

    fn help(&self) -> Option<&'static str> {
        match self {
            Self::Issuer { .. } => {
                Some("an origin has no path and no final slash, such as https://resolver.example")
            }
            Self::Now { .. } => Some("for example 2026-11-30T12:00:05Z"),
            _ => None,
        }
    }
}

impl fmt::Display for CheckError {
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
