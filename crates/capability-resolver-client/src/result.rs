//! What a call came to: who could do the job, by whose word, and what became of each resolver.
//!
//! Nothing unsigned is in here. Of candidates there is what a resolver signed; of resolvers there is the name of the
//! discovery document that was fetched from them, and codes.

use std::sync::Arc;
use std::time::Duration;

use capability_resolution::{
    Candidate, Discovery, Origin, RecordClaims, Refusal, ServerUrl, Status, Time, VerifiedToken,
};

use crate::failure::Failure;

/// What came of a need. Never an error: with no resolver left it is empty, `client.fails-open`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    pub(crate) advice: Vec<Advice>,
    pub(crate) reports: Vec<Report>,
}

impl Resolution {
    /// The servers, best first: by the place of the resolver in the list, then by its own order (`client.merge`).
    #[must_use]
    pub fn advice(&self) -> &[Advice] {
        &self.advice
    }

    /// What became of each resolver, in the order of the list.
    #[must_use]
    pub fn resolvers(&self) -> &[Report] {
        &self.reports
    }
}

/// Advice that a server may do a job, and all that was stated of it. Not a leave to connect: that is for a
/// [`crate::Policy`] to give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// At least one, in the order of the list of resolvers.
    statements: Vec<Statement>,
}

impl Advice {
    pub(crate) fn new(statement: Statement) -> Self {
        Self {
            statements: vec![statement],
        }
    }

    pub(crate) fn add(&mut self, statement: Statement) {
        self.statements.push(statement);
    }

    /// The server.
    #[must_use]
    pub fn url(&self) -> &ServerUrl {
        self.statements[0].url()
    }

    /// The statement that counts: the one observed last, of several the one whose resolver stands first in the list
    /// (`client.contradiction`).
    #[must_use]
    pub fn statement(&self) -> &Statement {
        // The last of several equal ones would win.
        let newest = self.statements.iter().rev();
        newest
            .max_by_key(|statement| statement.checked_at())
            .unwrap_or(&self.statements[0])
    }

    /// Every statement about the server, in the order of the list of resolvers.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Whether resolvers do not agree on the status.
    #[must_use]
    pub fn is_contradicted(&self) -> bool {
        let first = self.statements[0].status();
        self.statements.iter().any(|other| other.status() != first)
    }
}

/// What one resolver signed of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    by: Arc<Discovery>,
    token: VerifiedToken,
    jws: Arc<str>,
}

impl Statement {
    pub(crate) fn new(by: &Arc<Discovery>, token: VerifiedToken, jws: &str) -> Self {
        Self {
            by: Arc::clone(by),
            token,
            jws: jws.into(),
        }
    }

    pub(crate) fn of_candidate(by: &Arc<Discovery>, candidate: Candidate) -> Self {
        Self::new(by, candidate.token, &candidate.jws)
    }

    /// Who says so.
    #[must_use]
    pub fn issuer(&self) -> &Origin {
        &self.token.claims().issuer
    }

    /// The resolver's name for people, from its discovery document: `resolve.answer.name-read`.
    #[must_use]
    pub fn resolver(&self) -> &str {
        self.by.resolver()
    }

    /// The server.
    #[must_use]
    pub fn url(&self) -> &ServerUrl {
        &self.token.claims().url
    }

    /// What was observed.
    #[must_use]
    pub fn status(&self) -> Status {
        self.token.claims().status
    }

    /// When it was observed.
    #[must_use]
    pub fn checked_at(&self) -> Time {
        self.token.claims().checked_at
    }

    /// When the statement ends.
    #[must_use]
    pub fn expires(&self) -> Time {
        self.token.claims().expires
    }

    /// All that was signed.
    #[must_use]
    pub fn token(&self) -> &VerifiedToken {
        &self.token
    }

    /// The token as it came: it names nobody, and can be passed on (`token.aud`, `token.no-need`).
    #[must_use]
    pub fn jws(&self) -> &str {
        &self.jws
    }
}

/// What came of asking for the record of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub(crate) record: Option<StatedRecord>,
    pub(crate) reports: Vec<Report>,
}

impl Recorded {
    /// The first record that verified.
    #[must_use]
    pub fn record(&self) -> Option<&StatedRecord> {
        self.record.as_ref()
    }

    /// What became of each resolver, in the order of the list.
    #[must_use]
    pub fn resolvers(&self) -> &[Report] {
        &self.reports
    }
}

/// What one resolver signed of one server in its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedRecord {
    pub(crate) by: Arc<Discovery>,
    pub(crate) token: VerifiedToken,
    pub(crate) claims: RecordClaims,
}

impl StatedRecord {
    /// The resolver's name for people.
    #[must_use]
    pub fn resolver(&self) -> &str {
        self.by.resolver()
    }

    /// The claims that every token has.
    #[must_use]
    pub fn token(&self) -> &VerifiedToken {
        &self.token
    }

    /// The claims that only a record has. A name is data: it is shown as such and never followed.
    #[must_use]
    pub fn claims(&self) -> &RecordClaims {
        &self.claims
    }
}

/// What became of one resolver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub(crate) issuer: Origin,
    pub(crate) outcome: Outcome,
    pub(crate) refresh: Option<Failure>,
    pub(crate) took: Duration,
}

impl Report {
    /// The resolver.
    #[must_use]
    pub fn issuer(&self) -> &Origin {
        &self.issuer
    }

    /// What became of it.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Why a newer discovery document, sought for a key that the copy does not have, was not to be had. The client went
    /// on with its copy: `keys.unknown-kid`.
    #[must_use]
    pub fn refresh(&self) -> Option<&Failure> {
        self.refresh.as_ref()
    }

    /// How long it took.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.took
    }

    /// Why it was skipped, if it was.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        match &self.outcome {
            Outcome::Skipped(failure) => Some(failure),
            _ => None,
        }
    }
}

/// What became of one resolver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was not needed: one before it gave a candidate. It learned nothing.
    NotAsked,
    /// Nothing was taken from it: `client.fails-open`.
    Skipped(Failure),
    /// It said something.
    Answered(Answered),
}

/// What an answer or a record came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The resolver's name for people, from its discovery document.
    pub resolver: String,
    /// Whether it was an earlier answer, used again: `client.cache`.
    pub cached: bool,
    /// How many candidates it gave whose tokens verified.
    pub candidates: usize,
    /// The other candidates.
    pub dropped: Vec<Dropped>,
    /// What did not agree with what was signed; it refuses nothing.
    pub differences: Vec<Difference>,
}

/// A candidate that is not shown: `candidate.dropped`, `candidate.unsigned`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// Its place in the answer, from 0.
    pub at: usize,
    /// Why.
    pub refusal: Refusal,
}

/// A difference: `code.difference-list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// An unsigned member is missing or does not equal what was signed. A JSON pointer into the answer or record.
    CopyDiffers(String),
    /// The candidate at this place names a server once more.
    DuplicateUrl(usize),
    /// Every token was refused for its times, and the clocks do not agree: `client.clock`.
    ClockDoubt {
        /// The resolver's clock, by the `Date` of its answer.
        theirs: Time,
        /// The client's.
        ours: Time,
    },
}

impl Difference {
    /// The name of the difference.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::CopyDiffers(_) => "copy-differs",
            Self::DuplicateUrl(_) => "duplicate-url",
            Self::ClockDoubt { .. } => "clock-doubt",
        }
    }
}
