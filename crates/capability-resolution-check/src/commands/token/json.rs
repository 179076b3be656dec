//! The answer for programs: docs/schema/check-token.schema.json.

use capability_resolution::{Claims, RecordClaims};
use serde::Serialize;

use super::{IssuerSource, Judgement};
use crate::checks::Subject;
use crate::input::NowSource;

#[derive(Serialize)]
pub(super) struct Answer<'j> {
    verdict: &'static str,
    code: Option<&'static str>,
    rule: Option<&'static str>,
    detail: Option<&'j str>,
    /// What was refused.
    refused: Option<Subject>,
    issuer: Option<&'j str>,
    issuer_source: IssuerSource,
    now: String,
    now_source: NowSource,
    claims: Option<JsonClaims<'j>>,
    checks: Vec<JsonCheck>,
    checks_not_made: usize,
}

/// Under the names that they have in the token.
#[derive(Serialize)]
struct JsonClaims<'j> {
    iss: &'j str,
    url: &'j str,
    status: &'static str,
    checked_at: String,
    iat: i64,
    exp: i64,
    #[serde(flatten)]
    record: Option<JsonRecordClaims<'j>>,
}

#[derive(Serialize)]
struct JsonRecordClaims<'j> {
    name: &'j str,
    first_seen: String,
    history: Option<&'j str>,
}

#[derive(Serialize)]
struct JsonCheck {
    of: Subject,
    rule: &'static str,
    passed: bool,
}

pub(super) fn json(judgement: &Judgement) -> Answer<'_> {
    let refused = judgement.result.as_ref().err();
    let (checks, checks_not_made) = judgement.checks();
    let checks = checks.into_iter().map(|(of, check, passed)| JsonCheck {
        of,
        rule: check.rule,
        passed,
    });
    Answer {
        verdict: if refused.is_none() {
            "valid"
        } else {
            "invalid"
        },
        code: refused.map(|refused| refused.refusal.code().as_str()),
        rule: refused.map(|refused| refused.refusal.rule()),
        detail: refused.map(|refused| refused.detail.as_str()),
        refused: refused.map(|refused| refused.subject),
        issuer: judgement.issuer.as_ref().map(|issuer| issuer.as_str()),
        issuer_source: judgement.issuer_source,
        now: judgement.now.to_string(),
        now_source: judgement.now_source,
        claims: judgement.result.as_ref().ok().map(claims),
        checks: checks.collect(),
        checks_not_made,
    }
}

fn claims((claims, record): &(Claims, Option<RecordClaims>)) -> JsonClaims<'_> {
    JsonClaims {
        iss: claims.issuer.as_str(),
        url: claims.url.as_str(),
        status: claims.status.as_str(),
        checked_at: claims.checked_at.to_string(),
        iat: claims.issued_at.unix_seconds(),
        exp: claims.expires.unix_seconds(),
        record: record.as_ref().map(|record| JsonRecordClaims {
            name: &record.name,
            first_seen: record.first_seen.to_string(),
            history: record.history.as_ref().map(|history| history.as_str()),
        }),
    }
}
