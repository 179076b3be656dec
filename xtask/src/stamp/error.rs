//! Why there is no new proof.

use std::path::PathBuf;

use command_console::Explain;
use thiserror::Error;
use timestamp_proof::{ots, rfc3161};

use crate::proofs::authority::AuthorityError;
use crate::repo::RepoError;

/// Why nothing was kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StampError {
    /// A file of the repository could not be read or written.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// The authority's description or certificates cannot be used.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// Certificates from outside cannot be used.
    #[error(transparent)]
    Certificates(rfc3161::AuthorityError),
    /// The version has no list of digests.
    #[error("version {version} is not frozen: proof/{version}/SHA256SUMS is not there")]
    NotFrozen {
        /// The version.
        version: String,
    },
    /// Another proof of that name is there.
    #[error("{} is there already, and a proof is never replaced", path.display())]
    Exists {
        /// The proof.
        path: PathBuf,
    },
    /// The system gave no random bytes.
    #[error("the system gives no random bytes: {detail}")]
    Random {
        /// What it said.
        detail: String,
    },
    /// `openssl` could not be run, or failed.
    #[error("`openssl {step}` failed: {detail}")]
    OpenSsl {
        /// Its first arguments.
        step: String,
        /// What it or the system said.
        detail: String,
    },
    /// What an authority answered does not verify.
    #[error("the answer of {from} does not verify, and nothing was kept")]
    Token {
        /// The authority.
        from: String,
        /// The first check that failed.
        #[source]
        source: rfc3161::Error,
    },
    /// What a calendar answered does not verify.
    #[error("what {from} says does not verify")]
    Ots {
        /// The calendar, or the file.
        from: String,
        /// Why.
        #[source]
        source: ots::Error,
    },
    /// A calendar answered with nothing that it would ever have to keep.
    #[error(
        "the answer of {from} promises nothing: expected a pending or a Bitcoin attestation, found {found}"
    )]
    NoPromise {
        /// The calendar.
        from: String,
        /// The kinds of attestation found.
        found: String,
    },
    /// The proof is about another digest.
    #[error("{} is about another file: expected the digest {expected}, found {found}", path.display())]
    OtherDigest {
        /// The proof.
        path: PathBuf,
        /// SHA-256 of the list, in hexadecimal.
        expected: String,
        /// The proof's digest, in hexadecimal.
        found: String,
    },
    /// The proof that is to be upgraded is not there.
    #[error("{} is not there, so there is nothing to upgrade", path.display())]
    NoProof {
        /// The proof.
        path: PathBuf,
    },
    /// This build has no network.
    #[error("this needs the network, which the plain `cargo xtask` is built without")]
    NoNetwork {
        /// The command, without its program.
        command: String,
    },
    /// `authority.toml` gives no address.
    #[error("the authority {name} has no address: `url` is not in its authority.toml")]
    NoUrl {
        /// The authority.
        name: String,
    },
    /// Nothing came back, or nothing that was taken.
    #[cfg(feature = "network")]
    #[error(transparent)]
    Fetch(#[from] guarded_fetch::Error),
    /// The server answered with another status than 200.
    #[cfg(feature = "network")]
    #[error("{url}: expected status 200, found {status}{}", location.as_ref().map_or_else(String::new, |to| format!(", a redirect to {to}, which is not followed")))]
    Status {
        /// The address, without query.
        url: String,
        /// The status.
        status: u16,
        /// Where a redirect points, without query.
        location: Option<String>,
    },
    /// The body is of another media type.
    #[cfg(feature = "network")]
    #[error("{url}: expected the media type {expected}, found {found}")]
    MediaType {
        /// The address, without query.
        url: String,
        /// What is taken.
        expected: String,
        /// What was sent.
        found: String,
    },
    /// The asynchronous runtime could not be started.
    #[cfg(feature = "network")]
    #[error("the network cannot be used: {detail}")]
    Runtime {
        /// What the system said.
        detail: String,
    },
    /// Nobody to write to: servers are told whom to reach.
    #[cfg(feature = "network")]
    #[error("no address to be reached at: {reason}")]
    Contact {
        /// What was looked at.
        reason: String,
    },
    /// Fewer calendars answered than are needed.
    #[cfg(feature = "network")]
    #[error(
        "{answered} of {asked} calendars gave a sound answer: expected at least {needed}; nothing was kept"
    )]
    TooFewCalendars {
        /// How many were asked.
        asked: usize,
        /// How many gave a sound answer.
        answered: usize,
        /// How many are needed.
        needed: usize,
        /// Whether one of the others gave an answer that is false, not only none.
        any_false: bool,
    },
    /// No certificate with a pinned fingerprint came from there.
    #[cfg(feature = "network")]
    #[error("{url}: no certificate there is the pinned root, and nothing was kept")]
    RootNotThere {
        /// The address.
        url: String,
        /// The pinned SHA-256 fingerprint.
        expected: String,
        /// The fingerprints found.
        found: Vec<String>,
    },
    /// A root has no address.
    #[cfg(feature = "network")]
    #[error("authority.toml of {name} does not say where its root {subject} is fetched")]
    NoSource {
        /// The authority.
        name: String,
        /// The root's subject.
        subject: String,
    },
}

impl StampError {
    /// Whether something was shown to be false (exit code 1), and not only missing (exit code 2).
    #[must_use]
    pub fn is_false(&self) -> bool {
        match self {
            // A refusal says nothing about anything.
            Self::Token { source, .. } => !matches!(source, rfc3161::Error::NotGranted { .. }),
            Self::Ots { .. } | Self::NoPromise { .. } | Self::OtherDigest { .. } => true,
            #[cfg(feature = "network")]
            Self::RootNotThere { .. } => true,
            #[cfg(feature = "network")]
            Self::TooFewCalendars { any_false, .. } => *any_false,
            _ => false,
        }
    }
}

impl Explain for StampError {
    fn code(&self) -> &'static str {
        match self {
            Self::Repo(error) => error.code(),
            Self::Authority(error) => error.code(),
            Self::Certificates(error) => error.code(),
            Self::NotFrozen { .. } => "not-frozen",
            Self::Exists { .. } => "proof-exists",
            Self::Random { .. } => "no-random",
            Self::OpenSsl { .. } => "openssl",
            Self::Token { source, .. } => source.code(),
            Self::Ots { source, .. } => source.code(),
            Self::NoPromise { .. } => "no-promise",
            Self::OtherDigest { .. } => "other-digest",
            Self::NoProof { .. } => "no-proof",
            Self::NoNetwork { .. } => "no-network",
            Self::NoUrl { .. } => "no-url",
            #[cfg(feature = "network")]
            Self::Fetch(error) => error.code(),
            #[cfg(feature = "network")]
            Self::Status { .. } => "answer-status",
            #[cfg(feature = "network")]
            Self::MediaType { .. } => "answer-media-type",
            #[cfg(feature = "network")]
            Self::Runtime { .. } => "runtime",
            #[cfg(feature = "network")]
            Self::Contact { .. } => "no-contact",
            #[cfg(feature = "network")]
            Self::TooFewCalendars { .. } => "too-few-calendars",
            #[cfg(feature = "network")]
            Self::RootNotThere { .. } => "root-not-there",
            #[cfg(feature = "network")]
            Self::NoSource { .. } => "no-source",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Authority(error) => error.help(),
            Self::NotFrozen { version } => Some(format!("first: cargo xtask freeze {version}")),
            Self::OpenSsl { .. } => {
                Some("a local authority needs the command `openssl`, version 3.0 or later".into())
            }
            Self::NoNetwork { command } => Some(format!("run: cargo xtask-network {command}")),
            Self::NoProof { .. } => Some("first submit: the same command without --upgrade".into()),
            #[cfg(feature = "network")]
            Self::Contact { .. } => Some("give one: --contact https://... or mailto:...".into()),
            #[cfg(feature = "network")]
            Self::RootNotThere {
                expected, found, ..
            } => Some(format!(
                "compare by other ways which root the authority has now\npinned  {expected}\nfound   {}",
                if found.is_empty() {
                    "no certificate".to_owned()
                } else {
                    found.join("\n        ")
                }
            )),
            _ => None,
        }
    }
}
