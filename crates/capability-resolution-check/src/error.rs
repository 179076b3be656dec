//! Why a command has no answer.

use std::error::Error;
use std::fmt;
use std::io;

use capability_resolution::OriginError;
use command_console::Explain;

/// Why a command has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub(crate) enum CheckError {
    /// A file could not be read.
    File { path: String, source: io::Error },
    /// Standard input could not be read.
    Input(io::Error),
    /// `--issuer` is no origin.
    Issuer { value: String, source: OriginError },
    /// `--resolver` is no origin.
    Resolver { value: String, source: OriginError },
    /// `--host` is no host.
    Host { value: String, source: OriginError },
    /// `--now` is no time.
    Now { value: String },
    /// The answer could not be written.
    Output(io::Error),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, .. } => write!(f, "cannot read {path}"),
            Self::Input(_) => f.write_str("cannot read standard input"),
            Self::Issuer { value, .. } => {
                write!(f, "--issuer {value} is not the origin of a resolver")
            }
            Self::Resolver { value, .. } => {
                write!(f, "--resolver {value} is not the origin of a resolver")
            }
            Self::Host { value, .. } => write!(f, "{value} is not a host"),
            Self::Now { value } => write!(f, "--now {value} is not a time of RFC 3339"),
            Self::Output(_) => f.write_str("cannot write the answer"),
        }
    }
}

impl Error for CheckError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } | Self::Input(source) | Self::Output(source) => Some(source),
            Self::Issuer { source, .. }
            | Self::Resolver { source, .. }
            | Self::Host { source, .. } => Some(source),
            Self::Now { .. } => None,
        }
    }
}

impl Explain for CheckError {
    fn code(&self) -> &'static str {
        match self {
            Self::File { .. } => "file-unreadable",
            Self::Input(_) => "input-unreadable",
            Self::Issuer { .. } => "issuer-form",
            Self::Resolver { .. } => "resolver-form",
            Self::Host { .. } => "host-form",
            Self::Now { .. } => "now-form",
            Self::Output(_) => "io",
        }
    }

    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Issuer { .. } | Self::Resolver { .. } => {
                "an origin has no path and no final slash, such as https://resolver.example"
            }
            Self::Host { .. } => {
                "a host has no scheme, port or path, such as example.com; it is the one that the file is asked of"
            }
            Self::Now { .. } => "for example 2026-11-30T12:00:05Z",
            _ => return None,
        };
        Some(help.to_owned())
    }
}
