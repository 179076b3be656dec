//! The codes by which an input is refused, each tied to the rules of the text that give it.

use std::fmt;

macro_rules! codes {
    ($($variant:ident $text:literal $($rule:literal)+;)+) => {
        /// Why an input was refused: the codes of section 12 of the text, in the order of the checks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the text of each code is its documentation, and its rules explain it")]
        pub enum Code { $($variant,)+ }

        impl Code {
            /// Every code, in the order of the checks.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The code as the text writes it, in lower case and hyphens.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The ids of the rules that give this code, the usual one first.
            #[must_use]
            pub fn rules(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($rule),+],)+ }
            }
        }
    };
}

codes! {
    TokenTooLong "token-too-long" "token.length";
    TokenBadCharacter "token-bad-character" "token.characters";
    TokenSegmentCount "token-segment-count" "token.segments";
    TokenSegmentEmpty "token-segment-empty" "token.segment-empty";
    Base64Noncanonical "base64-noncanonical" "token.base64";
    HeaderNotUtf8 "header-not-utf8" "token.header.json";
    HeaderTooDeep "header-too-deep" "token.header.json";
    HeaderNotJson "header-not-json" "token.header.json";
    HeaderNotObject "header-not-object" "token.header.json";
    HeaderDuplicateMember "header-duplicate-member" "token.header.json";
    AlgMissing "alg-missing" "token.alg.missing";
    AlgNotAllowed "alg-not-allowed" "token.alg";
    CritUnsupported "crit-unsupported" "token.crit";
    B64Unsupported "b64-unsupported" "token.b64";
    HeaderKeyMaterial "header-key-material" "token.key-material";
    CtyUnsupported "cty-unsupported" "token.cty";
    TypNotAllowed "typ-not-allowed" "token.typ";
    KidMissing "kid-missing" "token.kid.missing";
    KidInvalid "kid-invalid" "token.kid.form";
    KidUnknown "kid-unknown" "token.kid.known" "keys.unknown-kid";
    KeyWrongType "key-wrong-type" "token.kid.usable" "discovery.keys.usable";
    KeyWrongUse "key-wrong-use" "token.kid.usable" "discovery.keys.usable";
    KeyWrongAlg "key-wrong-alg" "token.kid.usable" "discovery.keys.usable";
    KeyMalformed "key-malformed" "token.kid.usable" "discovery.keys.usable";
    KeyWeak "key-weak" "token.kid.usable" "discovery.keys.usable";
    SignatureLength "signature-length" "token.signature.length";
    SignatureNoncanonical "signature-noncanonical" "token.signature.s" "token.signature.r";
    SignatureSmallOrder "signature-small-order" "token.signature.r";
    SignatureInvalid "signature-invalid" "token.signature.equation";
    PayloadNotUtf8 "payload-not-utf8" "token.payload.json";
    PayloadTooDeep "payload-too-deep" "token.payload.json";
    PayloadNotJson "payload-not-json" "token.payload.json";
    PayloadNotObject "payload-not-object" "token.payload.json";
    PayloadDuplicateMember "payload-duplicate-member" "token.payload.json";
    ClaimMissing "claim-missing" "token.claims" "record.claims";
    ClaimType "claim-type" "token.claims" "token.claims.integer" "record.claims";
    ClaimRange "claim-range" "token.claims.integer";
    IssMismatch "iss-mismatch" "token.iss" "discovery.iss" "resolve.answer.iss" "record.members";
    LifetimeInvalid "lifetime-invalid" "token.exp.after-iat";
    LifetimeTooLong "lifetime-too-long" "token.exp.max-life";
    IssuedInFuture "issued-in-future" "token.iat.future";
    Expired "expired" "token.exp.expired";
    NotYetValid "not-yet-valid" "token.nbf";
    AudUnexpected "aud-unexpected" "token.aud";
    UrlInvalid "url-invalid" "token.url";
    StatusInvalid "status-invalid" "token.status";
    CheckedAtInvalid "checked-at-invalid" "token.checked-at";
    CheckedAtFuture "checked-at-future" "token.checked-at.future";
    ObservationTooOld "observation-too-old" "status.max-age";
    NameInvalid "name-invalid" "record.name" "discovery.name";
    FirstSeenInvalid "first-seen-invalid" "record.first-seen";
    HistoryInvalid "history-invalid" "record.history-form";
    UrlMismatch "url-mismatch" "record.requested";
    Redirect "redirect" "http.redirect-not-followed";
    MediaType "media-type" "http.media-type-read";
    DocumentTooLarge "document-too-large" "discovery.size" "resolve.answer.size" "record.size";
    DocumentNotUtf8 "document-not-utf8" "json.utf8";
    DocumentTooDeep "document-too-deep" "json.depth";
    DocumentNotJson "document-not-json" "json.syntax" "json.surrogate" "json.number-range";
    DocumentNotObject "document-not-object" "discovery.members" "resolve.answer.members" "record.members";
    DocumentDuplicateMember "document-duplicate-member" "json.duplicate";
    MemberMissing "member-missing" "discovery.members" "resolve.answer.members" "record.members";
    MemberType "member-type" "discovery.members" "resolve.answer.members" "record.members" "discovery.key-type";
    VersionUnsupported "version-unsupported" "version.unknown";
    EndpointInvalid "endpoint-invalid" "discovery.endpoints" "discovery.endpoints.query";
    EndpointOrigin "endpoint-origin" "discovery.endpoints.origin";
    KeysTooMany "keys-too-many" "discovery.keys.count";
    KeyPrivate "key-private" "discovery.keys.private";
    KidAmbiguous "kid-ambiguous" "discovery.keys.kid-unique";
    TooManyCandidates "too-many-candidates" "resolve.answer.count";
    JwsMissing "jws-missing" "candidate.unsigned";
    QueryEncoding "query-encoding" "resolve.query.encoding";
    ParameterUnknown "parameter-unknown" "resolve.parameter.unknown";
    ParameterRepeated "parameter-repeated" "resolve.parameter.repeated";
    NeedMissing "need-missing" "resolve.need.missing";
    NeedCharacter "need-character" "resolve.need.control";
    NeedLength "need-length" "resolve.need.length";
    ConstraintValue "constraint-value" "constraint.names";
    RecordQuery "record-query" "record.request";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A refused input: the code, the rule that was broken, and what was found where.
///
/// The detail never repeats a need or a private key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {detail} (rule {rule})")]
pub struct Refusal {
    code: Code,
    rule: &'static str,
    claim: Option<&'static str>,
    detail: String,
}

impl Refusal {
    /// The code of section 12.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The id of the broken rule.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// The claim that is missing, or of the wrong type or range: three codes are given for several claims.
    #[must_use]
    pub fn claim(&self) -> Option<&'static str> {
        self.claim
    }

    /// What was found, and where: a JSON pointer or a place in the token.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Refuses by the usual rule of the code.
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self::by(code, code.rules()[0], detail)
    }

    /// Refuses by one certain rule of the code.
    pub(crate) fn by(code: Code, rule: &'static str, detail: impl Into<String>) -> Self {
        debug_assert!(
            code.rules().contains(&rule),
            "{code} is not a code of {rule}"
        );
        Self {
            code,
            rule,
            claim: None,
            detail: detail.into(),
        }
    }

    /// The same, of a certain claim.
    pub(crate) fn of_claim(self, claim: &'static str) -> Self {
        Self {
            claim: Some(claim),
            ..self
        }
    }
}
