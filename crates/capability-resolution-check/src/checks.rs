//! The checks of a discovery document and a token, in the order of the text.
//!
//! The first rule that is broken ends the judgement, so all checks before it have passed.

use capability_resolution::Code::{self, *};
use capability_resolution::Refusal;

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Subject {
    /// The discovery document: `discovery.order`.
    Discovery,
    /// The token: `token.order`, `token.claims.order`, `record.order`.
    Token,
}

/// One check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Check {
    pub(crate) rule: &'static str,
    /// What holds when it has passed.
    pub(crate) holds: &'static str,
    codes: &'static [Code],
    /// The claims or members that it is about, where other checks give the same codes.
    places: &'static [&'static str],
}

/// Codes that several checks give; which one it was, the claim or member says.
const SHARED: [Code; 6] = [
    ClaimMissing,
    ClaimType,
    ClaimRange,
    MemberMissing,
    MemberType,
    EndpointInvalid,
];

/// The checks of a subject, in their order.
pub(crate) fn checks(subject: Subject, record: bool) -> Vec<Check> {
    match (subject, record) {
        (Subject::Discovery, _) => DISCOVERY.to_vec(),
        (Subject::Token, false) => TOKEN.to_vec(),
        (Subject::Token, true) => [TOKEN, RECORD].concat(),
    }
}

/// The place of the check that gave a refusal.
pub(crate) fn failed(checks: &[Check], refusal: &Refusal) -> Option<usize> {
    let place = refusal.claim().unwrap_or(refusal.detail());
    let gives = |check: &Check| check.codes.contains(&refusal.code());
    let names = |check: &Check| check.places.iter().any(|named| place.starts_with(named));
    let unnamed = |check: &Check| check.places.is_empty() || !SHARED.contains(&refusal.code());
    let of_the_rule = |check: &Check| check.rule == refusal.rule() && unnamed(check);
    let find = |sought: &dyn Fn(&Check) -> bool| checks.iter().position(|c| gives(c) && sought(c));
    find(&names)
        .or_else(|| find(&of_the_rule))
        .or_else(|| find(&unnamed))
}

const fn check(rule: &'static str, holds: &'static str, codes: &'static [Code]) -> Check {
    Check {
        rule,
        holds,
        codes,
        places: &[],
    }
}

const fn of(
    places: &'static [&'static str],
    rule: &'static str,
    holds: &'static str,
    codes: &'static [Code],
) -> Check {
    Check {
        rule,
        holds,
        codes,
        places,
    }
}

const DISCOVERY: &[Check] = &[
    check(
        "discovery.size",
        "at most 65,536 bytes",
        &[DocumentTooLarge],
    ),
    check("json.utf8", "UTF-8", &[DocumentNotUtf8]),
    check("json.depth", "nested at most 32 deep", &[DocumentTooDeep]),
    check("json.syntax", "one JSON value", &[DocumentNotJson]),
    check("discovery.members", "an object", &[DocumentNotObject]),
    check(
        "json.duplicate",
        "no member twice in an object",
        &[DocumentDuplicateMember],
    ),
    of(
        &["/v "],
        "version.value",
        "v is 0.2",
        &[MemberMissing, MemberType, VersionUnsupported],
    ),
    check(
        "discovery.members",
        "every member that it needs",
        &[MemberMissing, MemberType],
    ),
    check(
        "discovery.iss",
        "iss is the issuer that was asked",
        &[IssMismatch],
    ),
    check(
        "discovery.name",
        "resolver is a name for people",
        &[NameInvalid],
    ),
    of(
        &["/endpoints"],
        "discovery.endpoints",
        "the endpoints are URLs on the issuer",
        &[EndpointInvalid, EndpointOrigin],
    ),
    check("discovery.keys.count", "at most 32 keys", &[KeysTooMany]),
    check("discovery.key-type", "each key an object", &[MemberType]),
    check(
        "discovery.keys.private",
        "no private key among them",
        &[KeyPrivate],
    ),
    check("discovery.keys.kid-unique", "no kid twice", &[KidAmbiguous]),
    check(
        "discovery.endpoints",
        "policy and changelog are URLs",
        &[EndpointInvalid],
    ),
];

const TOKEN: &[Check] = &[
    check("token.length", "at most 8,192 bytes", &[TokenTooLong]),
    check(
        "token.characters",
        "only base64url characters and dots",
        &[TokenBadCharacter],
    ),
    check("token.segments", "three segments", &[TokenSegmentCount]),
    check(
        "token.segment-empty",
        "none of them empty",
        &[TokenSegmentEmpty],
    ),
    check(
        "token.base64",
        "each of them canonical base64url",
        &[Base64Noncanonical],
    ),
    check(
        "token.header.json",
        "the header is one JSON object, read strictly",
        &[
            HeaderNotUtf8,
            HeaderTooDeep,
            HeaderNotJson,
            HeaderNotObject,
            HeaderDuplicateMember,
        ],
    ),
    check("token.alg.missing", "the header has alg", &[AlgMissing]),
    check("token.alg", "alg is EdDSA", &[AlgNotAllowed]),
    check("token.crit", "no crit", &[CritUnsupported]),
    check("token.b64", "no b64", &[B64Unsupported]),
    check(
        "token.key-material",
        "no key in the header",
        &[HeaderKeyMaterial],
    ),
    check("token.cty", "no cty", &[CtyUnsupported]),
    check("token.typ", "typ is absent or JWT", &[TypNotAllowed]),
    check("token.kid.missing", "the header has kid", &[KidMissing]),
    check(
        "token.kid.form",
        "kid is 1 to 128 characters",
        &[KidInvalid],
    ),
    check(
        "token.kid.known",
        "the discovery document has a key with this kid",
        &[KidUnknown],
    ),
    check(
        "token.kid.usable",
        "that key is usable",
        &[
            KeyWrongType,
            KeyWrongUse,
            KeyWrongAlg,
            KeyMalformed,
            KeyWeak,
        ],
    ),
    check(
        "token.signature.length",
        "the signature has 64 bytes",
        &[SignatureLength],
    ),
    check(
        "token.signature.s",
        "its S is less than L",
        &[SignatureNoncanonical],
    ),
    check(
        "token.signature.r",
        "its R is canonical and not of small order",
        &[SignatureNoncanonical, SignatureSmallOrder],
    ),
    check(
        "token.signature.equation",
        "it fits the token and the key",
        &[SignatureInvalid],
    ),
    check(
        "token.payload.json",
        "the payload is one JSON object, read strictly",
        &[
            PayloadNotUtf8,
            PayloadTooDeep,
            PayloadNotJson,
            PayloadNotObject,
            PayloadDuplicateMember,
        ],
    ),
    of(
        &["iss"],
        "token.iss",
        "iss is the issuer",
        &[ClaimMissing, ClaimType, IssMismatch],
    ),
    of(
        &["iat", "exp", "nbf"],
        "token.claims.integer",
        "iat, exp and nbf are integers",
        &[ClaimMissing, ClaimType, ClaimRange],
    ),
    check(
        "token.exp.after-iat",
        "exp is after iat",
        &[LifetimeInvalid],
    ),
    check(
        "token.exp.max-life",
        "it lives at most 48 hours",
        &[LifetimeTooLong],
    ),
    check(
        "token.iat.future",
        "it was issued no later than 300 seconds from now",
        &[IssuedInFuture],
    ),
    check(
        "token.exp.expired",
        "it expired no longer than 300 seconds ago",
        &[Expired],
    ),
    check(
        "token.nbf",
        "nbf is no later than 300 seconds from now",
        &[NotYetValid],
    ),
    check("token.aud", "no aud", &[AudUnexpected]),
    of(
        &["url"],
        "token.url",
        "url is a server URL",
        &[ClaimMissing, ClaimType, UrlInvalid],
    ),
    of(
        &["status"],
        "token.status",
        "status is one of the four",
        &[ClaimMissing, ClaimType, StatusInvalid],
    ),
    of(
        &["checked_at"],
        "token.checked-at",
        "checked_at is a time",
        &[ClaimMissing, ClaimType, CheckedAtInvalid],
    ),
    check(
        "token.checked-at.future",
        "it was observed no later than 300 seconds from now",
        &[CheckedAtFuture],
    ),
    check(
        "status.max-age",
        "it was observed at most 24 hours before iat",
        &[ObservationTooOld],
    ),
];

const RECORD: &[Check] = &[
    of(
        &["name"],
        "record.name",
        "name is a name for people",
        &[ClaimMissing, ClaimType, NameInvalid],
    ),
    of(
        &["first_seen"],
        "record.first-seen",
        "first_seen is a time, no later than checked_at",
        &[ClaimMissing, ClaimType, FirstSeenInvalid],
    ),
    check(
        "record.history-form",
        "history is absent, or a URL on the issuer",
        &[HistoryInvalid],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes that no check of these two subjects gives.
    const OTHERS: &[Code] = &[
        UrlMismatch,
        Redirect,
        MediaType,
        TooManyCandidates,
        JwsMissing,
        QueryEncoding,
        ParameterUnknown,
        ParameterRepeated,
        NeedMissing,
        NeedCharacter,
        NeedLength,
        ConstraintValue,
        RecordQuery,
    ];

    #[test]
    fn every_code_has_its_check_and_the_order_is_that_of_the_text() {
        let token = checks(Subject::Token, true);
        let discovery = checks(Subject::Discovery, false);
        for code in Code::ALL {
            let given = token
                .iter()
                .chain(&discovery)
                .any(|check| check.codes.contains(code));
            assert_eq!(given, !OTHERS.contains(code), "{code}");
        }
        let firsts = token
            .iter()
            .filter_map(|check| check.codes.iter().find(|code| !SHARED.contains(code)));
        assert!(
            firsts.is_sorted(),
            "the codes of the crate stand in the order of the checks"
        );
    }
}
