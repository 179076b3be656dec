//! The codes for server files, each tied to the rules of the text that give it.

use std::fmt;

macro_rules! codes {
    ($($variant:ident $severity:ident $text:literal $($rule:literal)+;)+) => {
        /// What was found in a server file or in its fetching: the codes of section 11 of the text.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the text of each code is its documentation, and its rules explain it")]
        pub enum Code { $($variant,)+ }

        impl Code {
            /// Every code: errors, then warnings, then those of fetching.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The code as the text writes it, in lower case and hyphens.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The usual severity of the code. [`Code::UnsafeCharacter`] alone has another one, in a comment.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
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
    FileTooLarge Error "file-too-large" "captxt.size";
    NotUtf8 Error "not-utf8" "captxt.utf8";
    BareCr Error "bare-cr" "captxt.line-end";
    LineTooLong Error "line-too-long" "captxt.line-length";
    ControlCharacter Error "control-character" "captxt.control";
    UnsafeCharacter Error "unsafe-character" "captxt.unsafe";
    MalformedLine Error "malformed-line" "captxt.field";
    LeadingWhitespace Error "leading-whitespace" "captxt.leading-space";
    SpaceBeforeColon Error "space-before-colon" "captxt.space-before-colon";
    EmptyValue Error "empty-value" "captxt.empty-value";
    SignedEnvelope Error "signed-envelope" "captxt.signed";
    MissingConformance Error "missing-conformance" "captxt.header.required";
    MissingContact Error "missing-contact" "captxt.header.required";
    MissingExpires Error "missing-expires" "captxt.header.required";
    MissingResolvers Error "missing-resolvers" "captxt.header.required";
    DuplicateField Error "duplicate-field" "captxt.header.once" "captxt.block.once";
    HeaderFieldInBlock Error "header-field-in-block" "captxt.header.place";
    ConformanceUnsupported Error "conformance-unsupported" "captxt.conformance";
    ContactInvalid Error "contact-invalid" "captxt.contact";
    ExpiresInvalid Error "expires-invalid" "captxt.expires.form" "captxt.expires.leap";
    Expired Error "expired" "captxt.expires.past";
    ResolversEntryInvalid Error "resolvers-entry-invalid" "captxt.resolvers.form";
    ResolversNoneMixed Error "resolvers-none-mixed" "captxt.resolvers.none";
    TooManyResolvers Error "too-many-resolvers" "captxt.resolvers.count";
    FieldOutsideBlock Error "field-outside-block" "captxt.block.outside";
    MissingProtocol Error "missing-protocol" "captxt.block.required";
    MissingJobs Error "missing-jobs" "captxt.block.required";
    TooManyEndpoints Error "too-many-endpoints" "captxt.block.count";
    EndpointInvalid Error "endpoint-invalid" "captxt.endpoint.form";
    EndpointNotHttps Error "endpoint-not-https" "captxt.endpoint.form";
    EndpointUserinfo Error "endpoint-userinfo" "captxt.endpoint.form";
    EndpointFragment Error "endpoint-fragment" "captxt.endpoint.form";
    DuplicateEndpoint Error "duplicate-endpoint" "captxt.endpoint.duplicate";
    JobLength Error "job-length" "captxt.jobs";
    TooManyJobs Error "too-many-jobs" "captxt.jobs.count";
    InvalidToken Error "invalid-token" "captxt.token";
    Bom Warning "bom" "captxt.bom";
    NoFinalNewline Warning "no-final-newline" "captxt.final-newline";
    SpacingAfterColon Warning "spacing-after-colon" "captxt.space-after-colon";
    UnknownField Warning "unknown-field" "captxt.unknown-field";
    ExpiresFar Warning "expires-far" "captxt.expires.far";
    OriginNotCanonical Warning "origin-not-canonical" "captxt.resolvers.canonical";
    ResolversRedundant Warning "resolvers-redundant" "captxt.resolvers.redundant";
    ResolversImpliedStar Warning "resolvers-implied-star" "captxt.resolvers.implied-star";
    ResolversConflict Warning "resolvers-conflict" "captxt.resolvers.conflict";
    NoEndpoints Warning "no-endpoints" "captxt.block.none";
    EndpointQuery Warning "endpoint-query" "captxt.endpoint.query";
    EndpointOutOfScope Warning "endpoint-out-of-scope" "captxt.scope.out";
    DuplicateJob Warning "duplicate-job" "captxt.jobs.duplicate";
    UnknownValue Warning "unknown-value" "captxt.token.known";
    DenySalvaged Warning "deny-salvaged" "captxt.deny.salvaged";
    FetchContentType Warning "fetch-content-type" "captxt.fetch.outcome";
    FetchCrossSite Warning "fetch-cross-site" "captxt.fetch.redirect";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether a finding makes a file invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file is not valid, and no claim of it is used: `captxt.valid`.
    Error,
    /// The file may be valid all the same.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
