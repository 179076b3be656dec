//! Why a version cannot be cut.

use command_console::Explain;
use thiserror::Error;
use timestamp_proof::rfc3161;

use crate::proofs::authority::AuthorityError;
use crate::repo::RepoError;

/// Why a version was not cut.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FreezeError {
    /// The version, or a part of it, is there already.
    #[error("{path} exists: a frozen version is never written again")]
    Exists {
        /// What exists.
        path: String,
    },
    /// The working tree differs from the last commit.
    #[error("the working tree is not clean ({} changed)", changed.len())]
    Dirty {
        /// The lines of `git status --porcelain`.
        changed: Vec<String>,
    },
    /// The text's head names another version.
    #[error("the head of the draft does not name this version: expected `Version: {version}`, found {}",
        found.as_ref().map_or("no such line".to_owned(), |found| format!("`Version: {found}`")))]
    HeadVersion {
        /// The version that was to be cut.
        version: String,
        /// What the head says.
        found: Option<String>,
    },
    /// A file of vectors says that it judges by another version.
    #[error(
        "{path} does not say that it is of this version: expected {version:?}, found {found:?}"
    )]
    VectorVersion {
        /// The file.
        path: String,
        /// The version that was to be cut.
        version: String,
        /// What the file says.
        found: String,
    },
    /// `lint-spec` has findings.
    #[error("lint-spec finds faults in the draft ({findings})")]
    Lint {
        /// How many.
        findings: usize,
    },
    /// `requirements --strict` has findings.
    #[error("requirements --strict finds faults ({findings})")]
    Requirements {
        /// How many.
        findings: usize,
    },
    /// A file of the draft is no regular file, or its name is not the same on every system.
    #[error(
        "{path} cannot be frozen: expected a regular file with a name of A-Z, a-z, 0-9, `.`, `_` and `-`"
    )]
    FileName {
        /// The file.
        path: String,
    },
    /// git could not be asked.
    #[error("git could not be asked: {reason}")]
    Git {
        /// What went wrong.
        reason: String,
    },
    /// The system has no random bytes for a nonce.
    #[error("no random nonce: {reason}")]
    Random {
        /// What the system said.
        reason: String,
    },
    /// A request could not be encoded.
    #[error("the timestamp request could not be made")]
    Request(#[source] rfc3161::AuthorityError),
    /// An authority's description is wrong.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// A file could not be read or written.
    #[error(transparent)]
    Repo(#[from] RepoError),
}

impl FreezeError {
    /// True if the draft was looked at and is not fit, false if something kept us from looking or writing.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Exists { .. }
                | Self::Dirty { .. }
                | Self::HeadVersion { .. }
                | Self::VectorVersion { .. }
                | Self::Lint { .. }
                | Self::Requirements { .. }
                | Self::FileName { .. }
        )
    }
}

impl Explain for FreezeError {
    fn code(&self) -> &'static str {
        match self {
            Self::Exists { .. } => "freeze-exists",
            Self::Dirty { .. } => "freeze-dirty-tree",
            Self::HeadVersion { .. } => "freeze-head-version",
            Self::VectorVersion { .. } => "freeze-vector-version",
            Self::Lint { .. } => "freeze-lint",
            Self::Requirements { .. } => "freeze-requirements",
            Self::FileName { .. } => "freeze-file-name",
            Self::Git { .. } => "freeze-git",
            Self::Random { .. } => "freeze-random",
            Self::Request(_) => "freeze-request",
            Self::Authority(error) => error.code(),
            Self::Repo(error) => error.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Exists { .. } => {
                Some("choose the next version, and name it in the head of the draft".into())
            }
            Self::Dirty { changed } => {
                let shown: Vec<_> = changed.iter().take(5).map(String::as_str).collect();
                let more = if changed.len() > shown.len() {
                    "\n..."
                } else {
                    ""
                };
                Some(format!(
                    "commit or remove what differs:\n{}{more}",
                    shown.join("\n")
                ))
            }
            Self::HeadVersion { .. } => {
                Some("change the line in the draft, or the version given here".into())
            }
            Self::VectorVersion { .. } => Some(
                "change VERSION in crates/conformance-vectors/src/generate/cases.rs, then: cargo xtask vectors".into(),
            ),
            Self::Lint { .. } => Some("cargo xtask lint-spec".into()),
            Self::Requirements { .. } => Some("cargo xtask requirements --strict".into()),
            Self::FileName { .. } => Some("rename or remove it".into()),
            Self::Git { .. } => Some("run this in a git checkout with git installed".into()),
            Self::Random { .. } | Self::Request(_) => None,
            Self::Authority(error) => error.help(),
            Self::Repo(error) => error.help(),
        }
    }
}
