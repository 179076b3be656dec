//! Why a resolver was skipped: `client.fails-open`, `client.failure-codes`.

use std::fmt;

use capability_resolution::{Code, Refusal};

/// Why nothing was taken from a resolver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{stage}: {code}: {detail}")]
pub struct Failure {
    stage: Stage,
    code: FailureCode,
    rule: &'static str,
    status: Option<u16>,
    detail: String,
}

/// What a client was about to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The discovery document.
    Discovery,
    /// The answer to a need.
    Resolve,
    /// The record of a server.
    Record,
}

/// The name of a failure: the code of the rule that the resolver broke, or one of `client.failure-codes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureCode {
    /// A rule of the text was broken.
    Rule(Code),
    /// No connection, TLS, an answer that is not HTTP, or a broken transfer.
    Network,
    /// The time was over.
    Timeout,
    /// An HTTP status other than 200 and 300 to 399, now or a while ago with the wish to be left alone.
    StatusCode,
    /// A coding that was not asked for.
    ContentCoding,
}

impl Failure {
    pub(crate) fn new(stage: Stage, code: FailureCode, detail: impl Into<String>) -> Self {
        let rule = match code {
            FailureCode::Rule(code) => code.rules()[0],
            FailureCode::Timeout => "client.budget",
            FailureCode::Network | FailureCode::StatusCode | FailureCode::ContentCoding => {
                "client.failure-codes"
            }
        };
        Self {
            stage,
            code,
            rule,
            status: None,
            detail: detail.into(),
        }
    }

    /// An HTTP status other than 200 and 300 to 399.
    pub(crate) fn of_status(stage: Stage, status: u16) -> Self {
        let detail = format!("HTTP status {status}");
        Self {
            status: Some(status),
            ..Self::new(stage, FailureCode::StatusCode, detail)
        }
    }

    /// A body of which no more was read than the text allows.
    pub(crate) fn too_large(stage: Stage, detail: impl Into<String>) -> Self {
        let rule = match stage {
            Stage::Discovery => "discovery.size",
            Stage::Resolve => "resolve.answer.size",
            Stage::Record => "record.size",
        };
        Self {
            rule,
            ..Self::new(stage, FailureCode::Rule(Code::DocumentTooLarge), detail)
        }
    }

    pub(crate) fn refused(stage: Stage, refusal: &Refusal) -> Self {
        Self {
            stage,
            code: FailureCode::Rule(refusal.code()),
            rule: refusal.rule(),
            status: None,
            detail: refusal.detail().to_owned(),
        }
    }

    /// What was being fetched.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The name of the failure.
    #[must_use]
    pub fn code(&self) -> FailureCode {
        self.code
    }

    /// The id of the rule that was broken, or that names the failure.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// The HTTP status, where that is what failed.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// Whether the resolver only said that it has no record of the server: `record.not-found`.
    #[must_use]
    pub fn is_no_record(&self) -> bool {
        self.stage == Stage::Record && self.status == Some(404)
    }

    /// What happened, for a person. It holds no need.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl FailureCode {
    /// The code as the text writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule(code) => code.as_str(),
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::StatusCode => "status-code",
            Self::ContentCoding => "content-coding",
        }
    }
}

impl Stage {
    /// One word: `discovery`, `resolve` or `record`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Resolve => "resolve",
            Self::Record => "record",
        }
    }
}

impl fmt::Display for FailureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
