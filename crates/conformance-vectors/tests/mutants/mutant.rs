//! The ways in which the verifier of this test can be broken, one at a time.

macro_rules! mutants {
    ($($name:ident $slug:literal $rule:literal $what:literal;)+) => {
        /// One thing that a verifier does wrongly.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Mutant { $($name,)+ }

        impl Mutant {
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)+];

            pub(crate) fn slug(self) -> &'static str {
                match self { $(Self::$name => $slug,)+ }
            }

            /// The rule that it breaks.
            pub(crate) fn rule(self) -> &'static str {
                match self { $(Self::$name => $rule,)+ }
            }

            /// What it does.
            pub(crate) fn what(self) -> &'static str {
                match self { $(Self::$name => $what,)+ }
            }
        }
    };
}

mutants! {
    // JSON
    Utf8Lossy "utf8-lossy" "json.utf8" "replaces bytes that are not UTF-8";
    BomSkipped "bom-skipped" "json.syntax" "skips a byte order mark";
    RestIgnored "rest-ignored" "json.syntax" "stops after the first value";
    TrailingComma "trailing-comma" "json.syntax" "takes a comma before a closing bracket";
    NanAccepted "nan-accepted" "json.syntax" "takes NaN and Infinity as numbers";
    LeadingZero "leading-zero" "json.syntax" "takes numbers with leading zeros";
    RawControl "raw-control" "json.syntax" "takes control characters in strings";
    SurrogateReplaced "surrogate-replaced" "json.surrogate" "replaces half of a surrogate pair";
    RangeUnchecked "range-unchecked" "json.number-range" "takes 1e400 as a number";
    RangeInteger "range-integer" "json.number-range" "refuses integers of more than 64 bits";
    DuplicateAccepted "duplicate-accepted" "json.duplicate" "takes the last of members with one name";
    DuplicateNested "duplicate-nested" "json.duplicate" "looks for duplicates in the outermost object only";
    DuplicateEscaped "duplicate-escaped" "json.duplicate" "compares member names before escapes are resolved";
    Depth31 "depth-31" "json.depth" "allows a depth of 31";
    Depth33 "depth-33" "json.depth" "allows a depth of 33";
    DepthInStrings "depth-in-strings" "json.depth-measure" "counts brackets inside of strings";
    DepthBelowZero "depth-below-zero" "json.depth-measure" "lets closing brackets take the depth below zero";
    SyntaxFirst "syntax-first" "json.order" "checks the syntax before the depth";
    DuplicateFirst "duplicate-first" "json.order" "looks for duplicates before the outermost type";
    UnknownRefused "unknown-refused" "json.unknown-member" "refuses a discovery document with other members";

    DocumentFaults "document-faults" "json.document-code" "has one code for all faults of JSON in a document";
    HeaderFaults "header-faults" "token.header.json" "has one code for all faults of JSON in a header";
    PayloadFaults "payload-faults" "token.payload.json" "has one code for all faults of JSON in a payload";
    CodeUnderscores "code-underscores" "code.form" "writes codes with underscores";

    // Names
    OriginSlash "origin-slash" "origin.serialization" "takes an origin with a final slash";
    OriginHttp "origin-http" "origin.serialization" "takes http";
    OriginPort443 "origin-port-443" "origin.serialization" "takes the default port";
    OriginPortZero "origin-port-zero" "origin.serialization" "takes a port with leading zeros";
    OriginPort65536 "origin-port-65536" "origin.serialization" "takes a port over 65535";
    OriginUserInfo "origin-user-info" "origin.serialization" "takes user information";
    HostUpperCase "host-upper-case" "origin.idna" "takes a host in upper case";
    HostFinalDot "host-final-dot" "origin.host" "takes a host with a dot at its end";
    HostEmptyLabel "host-empty-label" "origin.host" "takes empty labels";
    HostUnderscore "host-underscore" "origin.host" "refuses underscores";
    Label62 "label-62" "origin.host" "allows labels of 62 characters";
    Label64 "label-64" "origin.host" "allows labels of 64 characters";
    Host252 "host-252" "origin.host" "allows hosts of 252 characters";
    Host254 "host-254" "origin.host" "allows hosts of 254 characters";
    Ipv6Long "ipv6-long" "origin.host" "takes IPv6 addresses in any form";
    Ipv6Dotted "ipv6-dotted" "origin.host" "wants mapped addresses in the dotted form";
    NumericLabel "numeric-label" "origin.numeric-label" "takes a last label of digits";
    HexadecimalLabel "hexadecimal-label" "origin.numeric-label" "takes a last label of 0x and digits";
    IdnaUnchecked "idna-unchecked" "origin.idna" "takes any label that starts with xn--";
    IssuerAddress "issuer-address" "origin.issuer" "takes an address as issuer";
    Url2047 "url-2047" "url.form" "allows URLs of 2,047 bytes";
    Url2049 "url-2049" "url.form" "allows URLs of 2,049 bytes";
    UrlNoPath "url-no-path" "url.form" "takes a URL without a path";
    UrlFragment "url-fragment" "url.form" "takes a fragment";
    UrlPercent "url-percent" "url.form" "does not look at what follows a percent sign";
    UrlQuote "url-quote" "url.form" "takes an apostrophe in a query";
    UrlNonAscii "url-non-ascii" "url.form" "takes characters outside of ASCII in a path";
    DotSegment "dot-segment" "url.dot-segment" "takes dot segments";
    DotSegmentEncoded "dot-segment-encoded" "url.dot-segment" "takes dot segments that are percent-encoded";
    DateUnchecked "date-unchecked" "time.document" "takes days that the month does not have";
    Year0000 "year-0000" "time.document" "takes the year 0000";
    Second60 "second-60" "time.document" "takes leap seconds";
    TimeOffset "time-offset" "time.document" "takes +00:00 for Z";
    TimeLowerCase "time-lower-case" "time.document" "takes t and z";

    // Signatures
    KeyCanonicalUnchecked "key-canonical-unchecked" "token.signature.point" "takes keys that are not canonical";
    KeySmallOrder "key-small-order" "token.signature.point" "takes keys of small order";
    SignatureLong "signature-long" "token.signature.length" "takes the first 64 bytes of a longer signature";
    SUnchecked "s-unchecked" "token.signature.s" "leaves the range of S to the equation";
    RCanonicalUnchecked "r-canonical-unchecked" "token.signature.r" "leaves the form of R to the equation";
    RSmallOrder "r-small-order" "token.signature.r" "takes R of small order";
    EquationUnchecked "equation-unchecked" "token.signature.equation" "does not verify the signature";

    // Discovery
    Size65535 "size-65535" "discovery.size" "allows 65,535 bytes";
    Size65537 "size-65537" "discovery.size" "allows 65,537 bytes";
    VersionUnchecked "version-unchecked" "version.unknown" "does not look at v";
    VersionPrefix "version-prefix" "version.unknown" "takes every v that starts with 0.2";
    VersionTrimmed "version-trimmed" "version.value" "trims v";
    VersionLate "version-late" "discovery.order" "looks at v after the other members";
    NullAbsent "null-absent" "discovery.members" "takes null as absent";
    PolicyOptional "policy-optional" "discovery.members" "does not need policy";
    DiscoveryIss "discovery-iss" "discovery.iss" "does not compare iss with the issuer asked";
    DiscoveryIssSlash "discovery-iss-slash" "discovery.iss" "compares iss without its final slash";
    DiscoveryIssRepaired "discovery-iss-repaired" "origin.refused" "takes an iss in upper case";
    NameUnchecked "name-unchecked" "discovery.name" "takes any name";
    NameBytes "name-bytes" "discovery.name" "counts bytes of names";
    Name101 "name-101" "discovery.name" "allows names of 101 characters";
    NameUnsafe "name-unsafe" "text.unsafe" "takes unsafe characters in names";
    NameJoiner "name-joiner" "text.unsafe" "refuses U+200D in names";
    NameC1 "name-c1" "text.control" "takes U+0080 to U+009F in names";
    EndpointUnchecked "endpoint-unchecked" "discovery.endpoints" "takes any text as an endpoint";
    PagesUnchecked "pages-unchecked" "discovery.endpoints" "takes any text as policy and changelog";
    EndpointOrigin "endpoint-origin" "discovery.endpoints.origin" "takes endpoints on other origins";
    EndpointHost "endpoint-host" "discovery.endpoints.origin" "compares the hosts of endpoints and not their ports";
    EndpointQuery "endpoint-query" "discovery.endpoints.query" "takes endpoints with a query";
    McpQuery "mcp-query" "discovery.endpoints.query" "refuses a query of the endpoint mcp";
    Keys31 "keys-31" "discovery.keys.count" "allows 31 keys";
    Keys33 "keys-33" "discovery.keys.count" "allows 33 keys";
    KeyTypeSkipped "key-type-skipped" "discovery.key-type" "skips keys that are no objects";
    PrivateIgnored "private-ignored" "discovery.keys.private" "does not look for private members";
    PrivateOnlyD "private-only-d" "discovery.keys.private" "looks for the private member d only";
    PrivateNull "private-null" "discovery.keys.private" "takes private members that are null";
    KidTwice "kid-twice" "discovery.keys.kid-unique" "takes the first of keys with one kid";
    KidTwiceUsable "kid-twice-usable" "discovery.keys.kid-unique" "looks for one kid among usable keys only";
    KeyTypeIgnored "key-type-ignored" "discovery.keys.usable" "does not look at kty and crv";
    KeyUseIgnored "key-use-ignored" "discovery.keys.usable" "does not look at use";
    KeyOpsIgnored "key-ops-ignored" "discovery.keys.usable" "does not look at key_ops";
    KeyAlgIgnored "key-alg-ignored" "discovery.keys.usable" "does not look at the alg of a key";
    KeyNullAbsent "key-null-absent" "discovery.keys.usable" "takes a null use as absent";
    KeyTrailingBits "key-trailing-bits" "discovery.keys.usable" "takes x with trailing bits";
    KeySpoils "key-spoils" "discovery.keys.usable" "refuses a document with a key that is not usable";
    KeyWeakAccepted "key-weak-accepted" "discovery.keys.usable" "does not look for weak keys";

    DiscoveryLate "discovery-late" "discovery.refused" "looks at the form of a token before the discovery document";
    KeyUnusable "key-unusable" "token.kid.usable" "reports a key that is not usable as unknown";

    // Tokens: form and header
    Token8191 "token-8191" "token.length" "allows 8,191 bytes";
    Token8193 "token-8193" "token.length" "allows 8,193 bytes";
    TokenTrimmed "token-trimmed" "token.characters" "trims the token";
    FourthSegment "fourth-segment" "token.segments" "ignores a fourth segment";
    SegmentEmpty "segment-empty" "token.segment-empty" "does not look for empty segments";
    TrailingBits "trailing-bits" "token.base64" "takes trailing bits that are not zero";
    SignatureFirst "signature-first" "token.order" "looks at the signature before the header";
    AlgOptional "alg-optional" "token.alg.missing" "takes a header without alg";
    AlgAny "alg-any" "token.alg" "takes any alg";
    AlgCase "alg-case" "token.alg" "compares alg without regard to case";
    AlgEd25519 "alg-ed25519" "token.alg" "takes the alg Ed25519 too";
    CritIgnored "crit-ignored" "token.crit" "ignores crit";
    CritEmpty "crit-empty" "token.crit" "takes an empty crit";
    B64Ignored "b64-ignored" "token.b64" "ignores b64";
    B64True "b64-true" "token.b64" "takes a b64 that is true";
    KeyMaterialIgnored "key-material-ignored" "token.key-material" "ignores keys in the header";
    CtyIgnored "cty-ignored" "token.cty" "ignores cty";
    TypIgnored "typ-ignored" "token.typ" "ignores typ";
    TypCase "typ-case" "token.typ" "compares typ without regard to case";
    KidOptional "kid-optional" "token.kid.missing" "takes the first key for a token without kid";
    Kid127 "kid-127" "token.kid.form" "allows a kid of 127 characters";
    Kid129 "kid-129" "token.kid.form" "allows a kid of 129 characters";
    KidEmpty "kid-empty" "token.kid.form" "takes an empty kid";
    KidIgnored "kid-ignored" "token.kid.known" "verifies by the first key, whatever the kid";
    KidCase "kid-case" "token.kid.known" "compares kids without regard to case";
    HeaderStrict "header-strict" "token.header.unknown" "refuses other members of the header";

    // Tokens: claims and times
    ClaimOptional "claim-optional" "token.claims" "does not need checked_at";
    IssUnchecked "iss-unchecked" "token.iss" "does not look at iss";
    IssPrefix "iss-prefix" "token.iss" "compares the start of iss";
    IssCase "iss-case" "origin.comparison" "compares iss without regard to case";
    IntegerFraction "integer-fraction" "token.claims.integer" "takes 1.0 as an integer";
    IntegerMinusZero "integer-minus-zero" "token.claims.integer" "takes -0 as an integer";
    IntegerRange "integer-range" "time.numeric" "takes integers of 2^53 and more";
    LifeAfterIat "life-after-iat" "token.exp.after-iat" "takes an exp that equals iat";
    LifeUnchecked "life-unchecked" "token.exp.max-life" "does not look at the life";
    Life172799 "life-172799" "token.exp.max-life" "allows a life of 172,799 seconds";
    Life172801 "life-172801" "token.exp.max-life" "allows a life of 172,801 seconds";
    IatUnchecked "iat-unchecked" "token.iat.future" "takes an iat in the future";
    Iat299 "iat-299" "token.iat.future" "has 299 seconds of leeway for iat";
    Iat301 "iat-301" "token.iat.future" "has 301 seconds of leeway for iat";
    ExpUnchecked "exp-unchecked" "token.exp.expired" "takes expired tokens";
    Exp299 "exp-299" "token.exp.expired" "has 299 seconds of leeway for exp";
    Exp301 "exp-301" "token.exp.expired" "has 301 seconds of leeway for exp";
    NbfIgnored "nbf-ignored" "token.nbf" "ignores nbf";
    LeewayNone "leeway-none" "time.leeway" "has no leeway";
    NowUp "now-up" "time.now" "rounds its clock up";
    AudIgnored "aud-ignored" "token.aud" "ignores aud";
    UrlUnchecked "url-unchecked" "token.url" "takes any text as url";
    StatusUnchecked "status-unchecked" "token.status" "takes any status";
    CheckedAtUnchecked "checked-at-unchecked" "token.checked-at" "takes any text as checked_at";
    CheckedAt299 "checked-at-299" "token.checked-at.future" "has 299 seconds of leeway for checked_at";
    CheckedAt301 "checked-at-301" "token.checked-at.future" "has 301 seconds of leeway for checked_at";
    Age86399 "age-86399" "status.max-age" "allows an observation 86,399 seconds before iat";
    Age86401 "age-86401" "status.max-age" "allows an observation 86,401 seconds before iat";
    UrlBeforeTimes "url-before-times" "token.claims.order" "looks at url before the times";
    ClaimsStrict "claims-strict" "token.claims.unknown" "refuses other claims";

    // Answers and records
    AnswerSize "answer-size" "resolve.answer.size" "allows 262,145 bytes";
    AnswerResolver "answer-resolver" "resolve.answer.members" "does not need the name in an answer";
    AnswerIssLate "answer-iss-late" "resolve.answer.order" "counts candidates before it looks at iss";
    AnswerIss "answer-iss" "resolve.answer.iss" "does not look at the iss of an answer";
    Candidates9 "candidates-9" "resolve.answer.count" "allows 9 candidates";
    Candidates11 "candidates-11" "resolve.answer.count" "allows 11 candidates";
    AnswerEmpty "answer-empty" "resolve.answer.empty" "refuses an answer without candidates";
    CandidateSpoils "candidate-spoils" "candidate.dropped" "refuses an answer with a candidate that does not verify";
    UnsignedSpoils "unsigned-spoils" "candidate.unsigned" "refuses an answer with an unsigned candidate";
    CopiesUsed "copies-used" "candidate.claims-only" "compares the copies of URLs to find duplicates";
    CopyMissing "copy-missing" "candidate.copy-differs" "does not report a copy that is missing";
    CopiesUncompared "copies-uncompared" "candidate.copy-differs" "does not compare the copies";
    DuplicateKept "duplicate-kept" "candidate.duplicate" "keeps every candidate of one server";
    DuplicateCompared "duplicate-compared" "candidate.duplicate" "compares the copies of duplicates too";
    AnswerName "answer-name" "resolve.answer.name-read" "does not compare the name of an answer";
    TableOrder "table-order" "conformance.vectors.output-order" "reports copies in the order of the text";
    UrlCase "url-case" "url.comparison" "compares URLs without regard to case";
    RecordSize "record-size" "record.size" "allows 65,537 bytes";
    RecordClaims "record-claims" "record.claims" "does not need name";
    RecordNameUnchecked "record-name-unchecked" "record.name" "takes any name of a server";
    RecordName201 "record-name-201" "record.name" "allows names of 201 characters";
    FirstSeenLater "first-seen-later" "record.first-seen" "takes a first_seen after checked_at";
    HistoryRefused "history-refused" "record.history" "refuses a history";
    HistoryUnchecked "history-unchecked" "record.history-form" "does not look at history";
    HistoryOrigin "history-origin" "record.history-form" "takes a history on another origin";
    RequestedIgnored "requested-ignored" "record.requested" "takes the record of another server";
    RecordCopies "record-copies" "record.copy-differs" "does not compare name and first_seen";
    RecordMissing "record-missing" "record.copy-differs" "reports copies of a record that are missing";
    RecordNeedsUrl "record-needs-url" "record.members" "needs the member url of a record";
    RecordClaimsFirst "record-claims-first" "record.order" "looks at the URL that was asked for before name and first_seen";

    // Requests
    TrimAscii "trim-ascii" "text.white-space" "trims ASCII white space only";
    TrimBom "trim-bom" "text.white-space" "trims U+FEFF too";
    NoNormalization "no-normalization" "resolve.need.read" "does not normalize a need";
    CompatibilityForm "compatibility-form" "resolve.need.read" "normalizes a need to NFKC";
    CountBefore "count-before" "resolve.need.read" "counts characters before it normalizes";
    UnsafeRefused "unsafe-refused" "resolve.need.read" "refuses unsafe characters in a need";
    CountBytes "count-bytes" "text.character" "counts bytes of a need";
    CountUtf16 "count-utf16" "text.character" "counts UTF-16 units of a need";
    Need2 "need-2" "resolve.need.length" "allows 2 characters";
    Need199 "need-199" "resolve.need.length" "allows 199 characters";
    Need201 "need-201" "resolve.need.length" "allows 201 characters";
    ControlAccepted "control-accepted" "resolve.need.control" "takes control characters in a need";
    ControlC1 "control-c1" "resolve.need.control" "takes U+0080 to U+009F in a need";
    LengthFirst "length-first" "resolve.order" "counts characters before it looks for control characters";
    PlusKept "plus-kept" "resolve.query.encoding" "does not read + as a space";
    PercentKept "percent-kept" "resolve.query.encoding" "keeps a % without two digits";
    QueryLossy "query-lossy" "resolve.query.encoding" "replaces bytes of a query that are not UTF-8";
    ParameterIgnored "parameter-ignored" "resolve.parameter.unknown" "ignores other parameters";
    ParameterFirst "parameter-first" "resolve.parameter.repeated" "takes the first of repeated parameters";
    NeedEmpty "need-empty" "resolve.need.missing" "takes a missing need as an empty one";
    ConstraintIgnored "constraint-ignored" "constraint.names" "does not look at the values of constraints";
    ConstraintCase "constraint-case" "constraint.names" "compares values without regard to case";
    HandshakeZero "handshake-zero" "constraint.names" "takes leading zeros";
    Handshake60001 "handshake-60001" "constraint.names" "allows 60,001 milliseconds";
    Handshake59999 "handshake-59999" "constraint.names" "allows 59,999 milliseconds";
}
