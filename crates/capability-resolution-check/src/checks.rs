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
    /// The claim or member that it is about, where other checks before it have the same rule and code; else empty.
    place: &'static str,
}

/// The checks of a subject, in their order.
pub(crate) fn checks(subject: Subject, record: bool) -> Vec<Check> {
    match (subject, record) {
        (Subject::Discovery, _) => DISCOVERY.to_vec(),
        (Subject::Token, false) => TOKEN.to_vec(),
        (Subject::Token, true) => [TOKEN, RECORD].concat(),
    }
}

/// The place of the check that gave a refusal: of its rule and its code, and the first that is about its claim or
/// member.
pub(crate) fn failed(checks: &[Check], refusal: &Refusal) -> Option<usize> {
    let place = refusal.claim().unwrap_or(refusal.detail());
    checks.iter().position(|check| {
        check.rule == refusal.rule()
            && check.codes.contains(&refusal.code())
            && place.starts_with(check.place)
    })
}

const fn check(rule: &'static str, holds: &'static str, codes: &'static [Code]) -> Check {
    of("", rule, holds, codes)
}

const fn of(
    place: &'static str,
    rule: &'static str,
    holds: &'static str,
    codes: &'static [Code],
) -> Check {
    Check {
        rule,
        holds,
        codes,
        place,
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
    check(
        "json.surrogate",
        "no half of a surrogate pair",
        &[DocumentNotJson],
    ),
    check(
        "json.number-range",
        "every number fits a double",
        &[DocumentNotJson],
    ),
    check("discovery.members", "an object", &[DocumentNotObject]),
    check(
        "json.duplicate",
        "no member twice in an object",
        &[DocumentDuplicateMember],
    ),
    of(
        "/v ",
        "discovery.members",
        "v is a string",
        &[MemberMissing, MemberType],
    ),
    check("version.unknown", "v is 0.2", &[VersionUnsupported]),
    check(
        "discovery.members",
        "every other member that it needs",
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
        "/endpoints/resolve",
        "discovery.endpoints",
        "resolve is a URL",
        &[EndpointInvalid],
    ),
    of(
        "/endpoints/resolve",
        "discovery.endpoints.query",
        "resolve has no query",
        &[EndpointInvalid],
    ),
    of(
        "/endpoints/resolve",
        "discovery.endpoints.origin",
        "resolve lies on the issuer",
        &[EndpointOrigin],
    ),
    of(
        "/endpoints/record",
        "discovery.endpoints",
        "record is a URL",
        &[EndpointInvalid],
    ),
    of(
        "/endpoints/record",
        "discovery.endpoints.query",
        "record has no query",
        &[EndpointInvalid],
    ),
    of(
        "/endpoints/record",
        "discovery.endpoints.origin",
        "record lies on the issuer",
        &[EndpointOrigin],
    ),
    of(
        "/endpoints/mcp",
        "discovery.endpoints",
        "mcp is absent, or a URL",
        &[EndpointInvalid],
    ),
    of(
        "/endpoints/mcp",
        "discovery.endpoints.origin",
        "mcp is absent, or lies on the issuer",
        &[EndpointOrigin],
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
        "iss",
        "token.claims",
        "iss is a string",
        &[ClaimMissing, ClaimType],
    ),
    check("token.iss", "iss is the issuer", &[IssMismatch]),
    of("iat", "token.claims", "iat is present", &[ClaimMissing]),
    of(
        "iat",
        "token.claims.integer",
        "iat is an integer",
        &[ClaimType, ClaimRange],
    ),
    of("exp", "token.claims", "exp is present", &[ClaimMissing]),
    of(
        "exp",
        "token.claims.integer",
        "exp is an integer",
        &[ClaimType, ClaimRange],
    ),
    of(
        "nbf",
        "token.claims.integer",
        "nbf is absent, or an integer",
        &[ClaimType, ClaimRange],
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
        "url",
        "token.claims",
        "url is a string",
        &[ClaimMissing, ClaimType],
    ),
    check("token.url", "url is a server URL", &[UrlInvalid]),
    of(
        "status",
        "token.claims",
        "status is a string",
        &[ClaimMissing, ClaimType],
    ),
    check(
        "token.status",
        "status is one of the four",
        &[StatusInvalid],
    ),
    of(
        "checked_at",
        "token.claims",
        "checked_at is a string",
        &[ClaimMissing, ClaimType],
    ),
    check(
        "token.checked-at",
        "checked_at is a time",
        &[CheckedAtInvalid],
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
        "name",
        "record.claims",
        "name is a string",
        &[ClaimMissing, ClaimType],
    ),
    check("record.name", "name is a name for people", &[NameInvalid]),
    of(
        "first_seen",
        "record.claims",
        "first_seen is a string",
        &[ClaimMissing, ClaimType],
    ),
    check(
        "record.first-seen",
        "first_seen is a time, no later than checked_at",
        &[FirstSeenInvalid],
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

    /// Rules that no check of these two subjects has: of other documents, of requests, and of what follows.
    const OTHERS: &[&str] = &[
        "candidate.unsigned",
        "constraint.names",
        "discovery.keys.usable",
        "http.media-type-read",
        "http.redirect-not-followed",
        "keys.unknown-kid",
        "record.members",
        "record.request",
        "record.requested",
        "record.size",
        "resolve.answer.count",
        "resolve.answer.iss",
        "resolve.answer.members",
        "resolve.answer.size",
        "resolve.need.control",
        "resolve.need.length",
        "resolve.need.missing",
        "resolve.parameter.repeated",
        "resolve.parameter.unknown",
        "resolve.query.encoding",
    ];

    #[test]
    fn every_code_has_a_check_for_each_of_its_rules() {
        let checks = [DISCOVERY, TOKEN, RECORD].concat();
        for code in Code::ALL {
            for rule in code.rules() {
                let gives = |check: &Check| check.rule == *rule && check.codes.contains(code);
                let given = checks.iter().any(gives);
                assert_eq!(given, !OTHERS.contains(rule), "{code} by {rule}");
            }
        }
    }

    #[test]
    fn the_codes_of_the_crate_stand_in_the_order_of_the_checks() {
        /// Codes that several claims get.
        const SHARED: [Code; 3] = [ClaimMissing, ClaimType, ClaimRange];
        let checks = checks(Subject::Token, true);
        let firsts: Vec<_> = checks
            .iter()
            .filter_map(|check| check.codes.iter().find(|code| !SHARED.contains(code)))
            .collect();
        assert!(firsts.is_sorted(), "{firsts:?}");
    }
}
