//! The JSON of `--format json`, and of the tool's structured content: docs/schema/client-*.schema.json.

use capability_resolution::{Refusal, Time};
use serde::Serialize;

use crate::{
    Advice, Answered, Difference, Failure, Outcome, Recorded, Report, Resolution, StatedRecord,
    Statement,
};

/// docs/schema/client-resolve.schema.json.
#[derive(Debug, Serialize)]
pub(super) struct JsonResolution<'r> {
    now: String,
    candidates: Vec<JsonCandidate<'r>>,
    resolvers: Vec<JsonReport<'r>>,
}

/// A server: the statement that counts, and those of others.
#[derive(Debug, Serialize)]
struct JsonCandidate<'r> {
    url: &'r str,
    #[serde(flatten)]
    statement: JsonStatement<'r>,
    others: Vec<JsonStatement<'r>>,
}

/// What one resolver signed of one server.
#[derive(Debug, Serialize)]
pub(super) struct JsonStatement<'r> {
    iss: &'r str,
    resolver: &'r str,
    status: &'static str,
    checked_at: String,
    expires: String,
    jws: &'r str,
}

/// docs/schema/client-record.schema.json.
#[derive(Debug, Serialize)]
pub(super) struct JsonRecorded<'r> {
    now: String,
    record: Option<JsonRecord<'r>>,
    resolvers: Vec<JsonReport<'r>>,
}

#[derive(Debug, Serialize)]
struct JsonRecord<'r> {
    iss: &'r str,
    resolver: &'r str,
    url: &'r str,
    status: &'static str,
    checked_at: String,
    expires: String,
    name: &'r str,
    first_seen: String,
    history: Option<&'r str>,
}

/// What became of one resolver.
#[derive(Debug, Serialize)]
struct JsonReport<'r> {
    iss: &'r str,
    outcome: &'static str,
    resolver: Option<&'r str>,
    cached: bool,
    candidates: usize,
    dropped: Vec<JsonDropped<'r>>,
    differences: Vec<JsonDifference<'r>>,
    failure: Option<JsonFailure<'r>>,
    refresh: Option<JsonFailure<'r>>,
}

#[derive(Debug, Serialize)]
struct JsonDropped<'r> {
    at: usize,
    #[serde(flatten)]
    refusal: JsonRefusal<'r>,
}

/// Why something was refused.
#[derive(Debug, Serialize)]
pub(super) struct JsonRefusal<'r> {
    code: &'static str,
    rule: &'static str,
    detail: &'r str,
}

/// Why nothing was taken from a resolver.
#[derive(Debug, Serialize)]
pub(super) struct JsonFailure<'r> {
    stage: &'static str,
    #[serde(flatten)]
    refusal: JsonRefusal<'r>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
enum JsonDifference<'r> {
    CopyDiffers { pointer: &'r str },
    DuplicateUrl { at: usize },
    ClockDoubt { theirs: String, ours: String },
}

impl<'r> JsonResolution<'r> {
    pub(super) fn new(resolution: &'r Resolution, now: Time) -> Self {
        Self {
            now: now.to_string(),
            candidates: resolution.advice().iter().map(candidate).collect(),
            resolvers: reports(resolution.resolvers()),
        }
    }
}

impl<'r> JsonRecorded<'r> {
    pub(super) fn new(recorded: &'r Recorded, now: Time) -> Self {
        Self {
            now: now.to_string(),
            record: recorded.record().map(record),
            resolvers: reports(recorded.resolvers()),
        }
    }
}

impl<'r> JsonStatement<'r> {
    pub(super) fn new(statement: &'r Statement) -> Self {
        Self {
            iss: statement.issuer().as_str(),
            resolver: statement.resolver(),
            status: statement.status().as_str(),
            checked_at: statement.checked_at().to_string(),
            expires: statement.expires().to_string(),
            jws: statement.jws(),
        }
    }
}

impl<'r> JsonFailure<'r> {
    pub(super) fn new(failure: &'r Failure) -> Self {
        Self {
            stage: failure.stage().as_str(),
            refusal: JsonRefusal {
                code: failure.code().as_str(),
                rule: failure.rule(),
                detail: failure.detail(),
            },
        }
    }
}

impl<'r> JsonRefusal<'r> {
    pub(super) fn new(refusal: &'r Refusal) -> Self {
        Self {
            code: refusal.code().as_str(),
            rule: refusal.rule(),
            detail: refusal.detail(),
        }
    }
}

fn candidate(advice: &Advice) -> JsonCandidate<'_> {
    let counts = advice.statement();
    let others = advice.statements().iter();
    JsonCandidate {
        url: advice.url().as_str(),
        statement: JsonStatement::new(counts),
        others: others
            .filter(|other| !std::ptr::eq(*other, counts))
            .map(JsonStatement::new)
            .collect(),
    }
}

fn record(record: &StatedRecord) -> JsonRecord<'_> {
    let (claims, own) = (record.token().claims(), record.claims());
    JsonRecord {
        iss: claims.issuer.as_str(),
        resolver: record.resolver(),
        url: claims.url.as_str(),
        status: claims.status.as_str(),
        checked_at: claims.checked_at.to_string(),
        expires: claims.expires.to_string(),
        name: &own.name,
        first_seen: own.first_seen.to_string(),
        history: own.history.as_ref().map(|history| history.as_str()),
    }
}

fn reports(reports: &[Report]) -> Vec<JsonReport<'_>> {
    reports.iter().map(report).collect()
}

fn report(report: &Report) -> JsonReport<'_> {
    let (outcome, answered) = match report.outcome() {
        Outcome::NotAsked => ("not-asked", None),
        Outcome::Skipped(_) => ("skipped", None),
        Outcome::Answered(answered) => ("answered", Some(answered)),
    };
    let dropped = answered.iter().flat_map(|answered| &answered.dropped);
    let differences = answered.iter().flat_map(|answered| &answered.differences);
    JsonReport {
        iss: report.issuer().as_str(),
        outcome,
        resolver: answered.map(|answered| &*answered.resolver),
        cached: answered.is_some_and(|answered| answered.cached),
        candidates: answered.map_or(0, |answered: &Answered| answered.candidates),
        dropped: dropped
            .map(|dropped| JsonDropped {
                at: dropped.at,
                refusal: JsonRefusal::new(&dropped.refusal),
            })
            .collect(),
        differences: differences.map(difference).collect(),
        failure: report.failure().map(JsonFailure::new),
        refresh: report.refresh().map(JsonFailure::new),
    }
}

fn difference(difference: &Difference) -> JsonDifference<'_> {
    match difference {
        Difference::CopyDiffers(pointer) => JsonDifference::CopyDiffers { pointer },
        Difference::DuplicateUrl(at) => JsonDifference::DuplicateUrl { at: *at },
        Difference::ClockDoubt { theirs, ours } => JsonDifference::ClockDoubt {
            theirs: theirs.to_string(),
            ours: ours.to_string(),
        },
    }
}
