//! Why a command has no answer.

use std::io;

use capability_resolution::{OriginError, Refusal};
use command_console::Explain;

/// Why a command has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum CheckError {
    /// A file could not be read.
    #[error("cannot read {path}")]
    File { path: String, source: io::Error },
    /// Standard input could not be read.
    #[error("cannot read standard input")]
    Input(#[source] io::Error),
    /// `--issuer` is no origin.
    #[error("--issuer {value} is not the origin of a resolver")]
    Issuer { value: String, source: OriginError },
    /// `--resolver` is no origin.
    #[error("--resolver {value} is not the origin of a resolver")]
    Resolver { value: String, source: OriginError },
    /// `--host` is no host.
    #[error("{value} is not a host")]
    Host { value: String, source: OriginError },
    /// `--now` is no time.
    #[error("--now {value} is not a time of RFC 3339")]
    Now { value: String },
    /// The answer could not be written.
    #[error("cannot write the answer")]
    Output(#[source] io::Error),
    /// The URL is not the origin of a resolver.
    #[error("{value} is not the origin of a resolver")]
    Asked { value: String, source: OriginError },
    /// `--sample-need` is no need.
    #[error("--sample-need is no need")]
    Need(#[source] Box<Refusal>),
    /// `--only` names no check.
    #[error("no check begins with {value}")]
    Only { value: String },
    /// `--compare` names no report of this command.
    #[error("{path} is no report to compare with: {why}")]
    Report { path: String, why: String },
    /// Nothing that was seen is a resolver's.
    #[error("{why}")]
    NoResolver { why: String },
    /// The request, or the way out, is none that can be used.
    #[error("nothing can be asked")]
    Fetch(#[source] Box<guarded_fetch::Error>),
    /// The runtime cannot be set up.
    #[error("cannot set up the runtime")]
    Runtime(#[source] io::Error),
    /// `--every` is no time between runs.
    #[error("--every {value} is no time between runs")]
    Every { value: String },
    /// `--server` with `--format junit`.
    #[error("--server makes no checks that JUnit could list")]
    NoTests,
    /// `--server` has no host.
    #[error("--server {value} is not the URL of a server or a host")]
    Server { value: String },
    /// A file for monitoring could not be written.
    #[error("cannot write {path}")]
    Metrics { path: String, source: io::Error },
    /// There is no such fault.
    #[error("there is no fault {value}")]
    Fault { value: String },
    /// The address to serve at is taken, or not ours.
    #[error("cannot serve at {address}")]
    Listen { address: String, source: io::Error },
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
            Self::Asked { .. } => "origin-form",
            Self::Need(_) => "need-form",
            Self::Only { .. } => "no-check",
            Self::Report { .. } => "report-form",
            Self::NoResolver { .. } => "no-resolver",
            Self::Fetch(_) => "no-fetcher",
            Self::Runtime(_) => "no-runtime",
            Self::Every { .. } => "every-form",
            Self::Server { .. } => "server-form",
            Self::NoTests => "format-of-checks",
            Self::Metrics { .. } => "metrics-unwritable",
            Self::Fault { .. } => "no-fault",
            Self::Listen { .. } => "cannot-listen",
        }
    }

    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Asked { value, .. } if !value.contains("://") => {
                "an origin begins with https://, such as https://resolver.example; --help lists the commands"
            }
            Self::Asked { value, source }
                if value.starts_with("http://") && source.rule() == "captxt.resolvers.form" =>
            {
                "a resolver is asked by https; for one of this machine add --allow-loopback"
            }
            Self::Asked { .. } | Self::Issuer { .. } | Self::Resolver { .. } => {
                "an origin has no path and no final slash, such as https://resolver.example"
            }
            Self::Host { .. } => {
                "a host has no scheme, port or path, such as example.com; it is the one that the file is asked of"
            }
            Self::Now { .. } => "for example 2026-11-30T12:00:05Z",
            Self::Need(_) => {
                "a need has 3 to 200 characters and no control character (rule resolve.need.length)"
            }
            Self::Only { .. } => {
                "name a rule such as token.exp.max-life, or the beginning of one; --verbose lists all"
            }
            Self::Report { .. } => "keep one with --format json > report.json",
            Self::Every { .. } => {
                "for example 1h, 30m or 90s; at least a minute, and at most a week"
            }
            Self::NoTests => "--format json says what the file holds",
            Self::Server { .. } => "for example https://mail.example.com/mcp or mail.example.com",
            Self::NoResolver { .. } => {
                "is the origin right, and does the resolver run? It answers at /.well-known/capability-resolver"
            }
            Self::Listen { .. } => "--port 0 takes any that is free",
            Self::Fault { .. } => "`capability-resolution-check faulty --list` lists them",
            _ => return None,
        };
        Some(help.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_need_a_broken_machine() {
        let source = || io::Error::other("what the system says");
        let said = command_console::messages(&[
            &CheckError::Input(source()),
            &CheckError::Output(source()),
            &CheckError::Runtime(source()),
            &CheckError::Metrics {
                path: "watch.prom".to_owned(),
                source: source(),
            },
            &CheckError::Listen {
                address: "127.0.0.1:8420".to_owned(),
                source: source(),
            },
        ]);
        insta::assert_snapshot!(said);
    }
}
