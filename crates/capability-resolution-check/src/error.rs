//! Why a command has no answer.

use std::error::Error;
use std::fmt;
use std::io;

use capability_resolution::{OriginError, Refusal};
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
    /// The URL is not the origin of a resolver.
    Asked { value: String, source: OriginError },
    /// `--sample-need` is no need.
    Need(Box<Refusal>),
    /// `--only` names no check.
    Only { value: String },
    /// `--compare` names no report of this command.
    Report { path: String, why: String },
    /// Nothing that was seen is a resolver's.
    NoResolver { why: String },
    /// The request, or the way out, is none that can be used.
    Fetch(Box<guarded_fetch::Error>),
    /// The runtime cannot be set up.
    Runtime(io::Error),
    /// `--every` is no time between runs.
    Every { value: String },
    /// `--server` with `--format junit`.
    NoTests,
    /// `--server` has no host.
    Server { value: String },
    /// A file for monitoring could not be written.
    Metrics { path: String, source: io::Error },
    /// There is no such fault.
    Fault { value: String },
    /// The address to serve at is taken, or not ours.
    Listen { address: String, source: io::Error },
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
            Self::Asked { value, .. } => write!(f, "{value} is not the origin of a resolver"),
            Self::Need(_) => f.write_str("--sample-need is no need"),
            Self::Only { value } => write!(f, "no check begins with {value}"),
            Self::Report { path, why } => write!(f, "{path} is no report to compare with: {why}"),
            Self::NoResolver { why } => f.write_str(why),
            Self::Fetch(_) => f.write_str("nothing can be asked"),
            Self::Runtime(_) => f.write_str("cannot set up the runtime"),
            Self::Every { value } => write!(f, "--every {value} is no time between runs"),
            Self::Server { value } => {
                write!(f, "--server {value} is not the URL of a server or a host")
            }
            Self::NoTests => f.write_str("--server makes no checks that JUnit could list"),
            Self::Metrics { path, .. } => write!(f, "cannot write {path}"),
            Self::Fault { value } => write!(f, "there is no fault {value}"),
            Self::Listen { address, .. } => write!(f, "cannot serve at {address}"),
        }
    }
}

impl Error for CheckError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. }
            | Self::Listen { source, .. }
            | Self::Metrics { source, .. }
            | Self::Input(source)
            | Self::Output(source)
            | Self::Runtime(source) => Some(source),
            Self::Need(source) => Some(source.as_ref()),
            Self::Fetch(source) => Some(source.as_ref()),
            Self::Asked { source, .. }
            | Self::Issuer { source, .. }
            | Self::Resolver { source, .. }
            | Self::Host { source, .. } => Some(source),
            Self::Now { .. }
            | Self::Only { .. }
            | Self::Report { .. }
            | Self::NoResolver { .. }
            | Self::Every { .. }
            | Self::NoTests
            | Self::Server { .. }
            | Self::Fault { .. } => None,
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
            Self::Listen { .. } => "listen",
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
