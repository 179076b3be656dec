//! The ways in which the verifier of this test can be broken, one at a time: a name, the rule that it breaks, what it
//! does, and a vector that kills it.

macro_rules! mutants {
    ($($name:ident $slug:literal $rule:literal $what:literal $killer:literal;)+) => {
        /// One thing that a verifier does wrongly.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Mutant { $(#[doc = $what] $name,)+ }

        impl Mutant {
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)+];

            pub(crate) fn slug(self) -> &'static str {
                match self { $(Self::$name => $slug,)+ }
            }

            /// The rule that it breaks.
            pub(crate) fn rule(self) -> &'static str {
                match self { $(Self::$name => $rule,)+ }
            }

            /// A vector that it fails.
            pub(crate) fn killer(self) -> &'static str {
                match self { $(Self::$name => $killer,)+ }
            }
        }
    };
}

mutants! {
    // JSON
    Utf8Lossy "utf8-lossy" "json.utf8" "replaces bytes that are not UTF-8" "token-header-utf8-overlong";
    BomSkipped "bom-skipped" "json.syntax" "skips a byte order mark" "token-header-byte-order-mark";
    RestIgnored "rest-ignored" "json.syntax" "stops after the first value" "token-header-white-space-no-break";
    TrailingComma "trailing-comma" "json.syntax" "takes a comma before a closing bracket" "token-header-trailing-comma";
    NanAccepted "nan-accepted" "json.syntax" "takes NaN and Infinity as numbers" "token-header-nan";
    LeadingZero "leading-zero" "json.syntax" "takes numbers with leading zeros" "token-payload-number-leading-zero";
    RawControl "raw-control" "json.syntax" "takes control characters in strings" "token-header-control-in-string";
    SurrogateReplaced "surrogate-replaced" "json.surrogate" "replaces half of a surrogate pair" "token-header-surrogate-lone-high";
    RangeUnchecked "range-unchecked" "json.number-range" "takes 1e400 as a number" "token-header-number-1e400-nested";
    RangeInteger "range-integer" "json.number-range" "refuses integers of more than 64 bits" "token-payload-number-below-half-way";
    DuplicateAccepted "duplicate-accepted" "json.duplicate" "takes the last of members with one name" "token-header-duplicate-nested-in-unknown";
    DuplicateNested "duplicate-nested" "json.duplicate" "looks for duplicates in the outermost object only" "token-header-duplicate-nested-in-unknown";
    DuplicateEscaped "duplicate-escaped" "json.duplicate" "compares member names before escapes are resolved" "token-header-duplicate-escaped";
    Depth31 "depth-31" "json.depth" "allows a depth of 31" "token-header-depth-32";
    Depth33 "depth-33" "json.depth" "allows a depth of 33" "token-header-depth-33";
    DepthInStrings "depth-in-strings" "json.depth-measure" "counts brackets inside of strings" "token-header-depth-brackets-in-string";
    DepthBelowZero "depth-below-zero" "json.depth-measure" "lets closing brackets take the depth below zero" "token-payload-depth-33-after-closing";
    SyntaxFirst "syntax-first" "json.order" "checks the syntax before the depth" "token-payload-order-depth-before-syntax";
    DuplicateFirst "duplicate-first" "json.order" "looks for duplicates before the outermost type" "token-payload-order-type-before-duplicate";
    UnknownRefused "unknown-refused" "json.unknown-member" "refuses a discovery document with other members" "discovery-unknown-members";

    DocumentFaults "document-faults" "json.document-code" "has one code for all faults of JSON in a document" "discovery-json-utf8-lone-continuation";
    HeaderFaults "header-faults" "token.header.json" "has one code for all faults of JSON in a header" "token-header-utf8-overlong";
    PayloadFaults "payload-faults" "token.payload.json" "has one code for all faults of JSON in a payload" "token-payload-utf8-lone-continuation";
    CodeUnderscores "code-underscores" "code.form" "writes codes with underscores" "token-order-length-before-characters";

    // Names
    OriginSlash "origin-slash" "origin.serialization" "takes an origin with a final slash" "names-origin-final-slash";
    OriginHttp "origin-http" "origin.serialization" "takes http" "names-origin-http";
    OriginPort443 "origin-port-443" "origin.serialization" "takes the default port" "names-origin-port-443";
    OriginPortZero "origin-port-zero" "origin.serialization" "takes a port with leading zeros" "names-origin-port-leading-zero";
    OriginPort65536 "origin-port-65536" "origin.serialization" "takes a port over 65535" "names-origin-port-65536";
    OriginUserInfo "origin-user-info" "origin.serialization" "takes user information" "names-origin-user";
    HostUpperCase "host-upper-case" "origin.idna" "takes a host in upper case" "names-origin-upper-case-host";
    HostFinalDot "host-final-dot" "origin.host" "takes a host with a dot at its end" "names-origin-final-dot";
    HostEmptyLabel "host-empty-label" "origin.host" "takes empty labels" "names-origin-leading-dot";
    HostUnderscore "host-underscore" "origin.host" "refuses underscores" "names-origin-underscore";
    Label62 "label-62" "origin.host" "allows labels of 62 characters" "names-origin-label-63";
    Label64 "label-64" "origin.host" "allows labels of 64 characters" "names-origin-label-64";
    Host252 "host-252" "origin.host" "allows hosts of 252 characters" "names-origin-host-253";
    Host254 "host-254" "origin.host" "allows hosts of 254 characters" "names-origin-host-254";
    Ipv6Long "ipv6-long" "origin.host" "takes IPv6 addresses in any form" "names-origin-ipv6-leading-zero";
    Ipv6Dotted "ipv6-dotted" "origin.host" "wants mapped addresses in the dotted form" "names-origin-ipv6-mapped";
    NumericLabel "numeric-label" "origin.numeric-label" "takes a last label of digits" "names-origin-numeric-last-label";
    HexadecimalLabel "hexadecimal-label" "origin.numeric-label" "takes a last label of 0x and digits" "names-origin-hex-last-label";
    IdnaUnchecked "idna-unchecked" "origin.idna" "takes any label that starts with xn--" "names-origin-idna-empty";
    IssuerAddress "issuer-address" "origin.issuer" "takes an address as issuer" "names-issuer-ipv4";
    Url2047 "url-2047" "url.form" "allows URLs of 2,047 bytes" "discovery-endpoint-2048";
    Url2049 "url-2049" "url.form" "allows URLs of 2,049 bytes" "discovery-endpoint-2049";
    UrlNoPath "url-no-path" "url.form" "takes a URL without a path" "names-url-no-path";
    UrlFragment "url-fragment" "url.form" "takes a fragment" "names-url-fragment";
    UrlPercent "url-percent" "url.form" "does not look at what follows a percent sign" "names-url-percent-alone";
    UrlQuote "url-quote" "url.form" "takes an apostrophe in a query" "names-url-quote-in-query";
    UrlNonAscii "url-non-ascii" "url.form" "takes characters outside of ASCII in a path" "names-url-non-ascii";
    DotSegment "dot-segment" "url.dot-segment" "takes dot segments" "names-url-dot";
    DotSegmentEncoded "dot-segment-encoded" "url.dot-segment" "takes dot segments that are percent-encoded" "names-url-dot-escaped";
    DateUnchecked "date-unchecked" "time.document" "takes days that the month does not have" "names-time-leap-day-2026";
    Year0000 "year-0000" "time.document" "takes the year 0000" "names-time-year-0";
    Second60 "second-60" "time.document" "takes leap seconds" "names-time-second-60";
    TimeOffset "time-offset" "time.document" "takes +00:00 for Z" "names-time-offset-zero";
    TimeLowerCase "time-lower-case" "time.document" "takes t and z" "names-time-lower-case-t";

    // Signatures
    KeyCanonicalUnchecked "key-canonical-unchecked" "token.signature.point" "takes keys that are not canonical" "key-set-weak-order-1-minus-zero";
    KeySmallOrder "key-small-order" "token.signature.point" "takes keys of small order" "token-weak-key";
    SignatureLong "signature-long" "token.signature.length" "takes the first 64 bytes of a longer signature" "token-signature-65-bytes";
    SUnchecked "s-unchecked" "token.signature.s" "leaves the range of S to the equation" "token-signature-s-plus-l";
    RCanonicalUnchecked "r-canonical-unchecked" "token.signature.r" "leaves the form of R to the equation" "token-signature-r-noncanonical";
    RSmallOrder "r-small-order" "token.signature.r" "takes R of small order" "token-signature-r-small-order";
    EquationUnchecked "equation-unchecked" "token.signature.equation" "does not verify the signature" "token-signature-flip-first-of-r";

    // Discovery
    Size65535 "size-65535" "discovery.size" "allows 65,535 bytes" "discovery-size-65536";
    Size65537 "size-65537" "discovery.size" "allows 65,537 bytes" "discovery-size-65537";
    VersionUnchecked "version-unchecked" "version.unknown" "does not look at v" "discovery-v-0-3";
    VersionPrefix "version-prefix" "version.unknown" "takes every v that starts with 0.2" "discovery-v-0-2-0";
    VersionTrimmed "version-trimmed" "version.value" "trims v" "discovery-v-trailing-space";
    VersionLate "version-late" "discovery.order" "looks at v after the other members" "discovery-order-v-before-iss";
    NullAbsent "null-absent" "discovery.members" "takes null as absent" "discovery-v-null";
    PolicyOptional "policy-optional" "discovery.members" "does not need policy" "discovery-policy-missing";
    DiscoveryIss "discovery-iss" "discovery.iss" "does not compare iss with the issuer asked" "discovery-iss-other";
    DiscoveryIssSlash "discovery-iss-slash" "discovery.iss" "compares iss without its final slash" "discovery-iss-final-slash";
    DiscoveryIssRepaired "discovery-iss-repaired" "origin.refused" "takes an iss in upper case" "discovery-iss-upper-case-host";
    NameUnchecked "name-unchecked" "discovery.name" "takes any name" "discovery-name-empty";
    NameBytes "name-bytes" "discovery.name" "counts bytes of names" "discovery-name-100-wide-characters";
    Name101 "name-101" "discovery.name" "allows names of 101 characters" "discovery-name-101-characters";
    NameUnsafe "name-unsafe" "text.unsafe" "takes unsafe characters in names" "discovery-name-unsafe-00ad";
    NameJoiner "name-joiner" "text.unsafe" "refuses U+200D in names" "discovery-name-not-unsafe";
    NameC1 "name-c1" "text.control" "takes U+0080 to U+009F in names" "discovery-name-control-0080";
    EndpointUnchecked "endpoint-unchecked" "discovery.endpoints" "takes any text as an endpoint" "discovery-resolve-http";
    PagesUnchecked "pages-unchecked" "discovery.endpoints" "takes any text as policy and changelog" "discovery-policy-http";
    EndpointOrigin "endpoint-origin" "discovery.endpoints.origin" "takes endpoints on other origins" "discovery-resolve-other-host";
    EndpointHost "endpoint-host" "discovery.endpoints.origin" "compares the hosts of endpoints and not their ports" "discovery-resolve-other-port";
    EndpointQuery "endpoint-query" "discovery.endpoints.query" "takes endpoints with a query" "discovery-resolve-query";
    McpQuery "mcp-query" "discovery.endpoints.query" "refuses a query of the endpoint mcp" "discovery-mcp-query";
    Keys31 "keys-31" "discovery.keys.count" "allows 31 keys" "key-set-32-keys";
    Keys33 "keys-33" "discovery.keys.count" "allows 33 keys" "key-set-33-keys";
    KeyTypeSkipped "key-type-skipped" "discovery.key-type" "skips keys that are no objects" "key-set-entry-string";
    PrivateIgnored "private-ignored" "discovery.keys.private" "does not look for private members" "key-set-private-in-token";
    PrivateOnlyD "private-only-d" "discovery.keys.private" "looks for the private member d only" "key-set-private-k";
    PrivateNull "private-null" "discovery.keys.private" "takes private members that are null" "key-set-private-null";
    KidTwice "kid-twice" "discovery.keys.kid-unique" "takes the first of keys with one kid" "key-set-kid-twice";
    KidTwiceUsable "kid-twice-usable" "discovery.keys.kid-unique" "looks for one kid among usable keys only" "key-set-kid-twice-unusable";
    KeyTypeIgnored "key-type-ignored" "discovery.keys.usable" "does not look at kty and crv" "key-set-kty-ec";
    KeyUseIgnored "key-use-ignored" "discovery.keys.usable" "does not look at use" "key-set-use-enc";
    KeyOpsIgnored "key-ops-ignored" "discovery.keys.usable" "does not look at key_ops" "key-set-key-ops-sign";
    KeyAlgIgnored "key-alg-ignored" "discovery.keys.usable" "does not look at the alg of a key" "key-set-alg-ed25519";
    KeyNullAbsent "key-null-absent" "discovery.keys.usable" "takes a null use as absent" "key-set-use-null";
    KeyTrailingBits "key-trailing-bits" "discovery.keys.usable" "takes x with trailing bits" "key-set-x-trailing-bits";
    KeySpoils "key-spoils" "discovery.keys.usable" "refuses a document with a key that is not usable" "key-set-kty-ec";
    KeyWeakAccepted "key-weak-accepted" "discovery.keys.usable" "does not look for weak keys" "key-set-weak-order-1";

    DiscoveryLate "discovery-late" "discovery.refused" "looks at the form of a token before the discovery document" "token-discovery-refused-first";
    KeyUnusable "key-unusable" "token.kid.usable" "reports a key that is not usable as unknown" "token-weak-key";

    // Tokens: form and header
    Token8191 "token-8191" "token.length" "allows 8,191 bytes" "token-length-8192";
    Token8193 "token-8193" "token.length" "allows 8,193 bytes" "token-length-8193";
    TokenTrimmed "token-trimmed" "token.characters" "trims the token" "token-leading-space";
    FourthSegment "fourth-segment" "token.segments" "ignores a fourth segment" "token-four-segments";
    SegmentEmpty "segment-empty" "token.segment-empty" "does not look for empty segments" "token-two-dots";
    TrailingBits "trailing-bits" "token.base64" "takes trailing bits that are not zero" "token-spec-example-trailing-bits";
    SignatureFirst "signature-first" "token.order" "looks at the signature before the header" "token-order-kid-before-signature";
    AlgOptional "alg-optional" "token.alg.missing" "takes a header without alg" "token-alg-missing";
    AlgAny "alg-any" "token.alg" "takes any alg" "token-alg-none";
    AlgCase "alg-case" "token.alg" "compares alg without regard to case" "token-alg-lower-case";
    AlgEd25519 "alg-ed25519" "token.alg" "takes the alg Ed25519 too" "token-alg-ed25519";
    CritIgnored "crit-ignored" "token.crit" "ignores crit" "token-crit-unknown";
    CritEmpty "crit-empty" "token.crit" "takes an empty crit" "token-crit-empty";
    B64Ignored "b64-ignored" "token.b64" "ignores b64" "token-b64-false";
    B64True "b64-true" "token.b64" "takes a b64 that is true" "token-b64-true";
    KeyMaterialIgnored "key-material-ignored" "token.key-material" "ignores keys in the header" "token-jwk-of-attacker";
    CtyIgnored "cty-ignored" "token.cty" "ignores cty" "token-cty-jwt";
    TypIgnored "typ-ignored" "token.typ" "ignores typ" "token-typ-lower-case";
    TypCase "typ-case" "token.typ" "compares typ without regard to case" "token-typ-lower-case";
    KidOptional "kid-optional" "token.kid.missing" "takes the first key for a token without kid" "token-kid-missing";
    Kid127 "kid-127" "token.kid.form" "allows a kid of 127 characters" "key-set-kid-128-characters";
    Kid129 "kid-129" "token.kid.form" "allows a kid of 129 characters" "key-set-kid-129-characters";
    KidEmpty "kid-empty" "token.kid.form" "takes an empty kid" "token-kid-empty";
    KidIgnored "kid-ignored" "token.kid.known" "verifies by the first key, whatever the kid" "token-kid-unknown";
    KidCase "kid-case" "token.kid.known" "compares kids without regard to case" "token-kid-upper-case";
    HeaderStrict "header-strict" "token.header.unknown" "refuses other members of the header" "token-header-member-unknown";

    // Tokens: claims and times
    ClaimOptional "claim-optional" "token.claims" "does not need checked_at" "token-checked-at-missing";
    IssUnchecked "iss-unchecked" "token.iss" "does not look at iss" "token-iss-of-other-resolver";
    IssPrefix "iss-prefix" "token.iss" "compares the start of iss" "token-iss-final-slash";
    IssCase "iss-case" "origin.comparison" "compares iss without regard to case" "token-iss-upper-case-host";
    IntegerFraction "integer-fraction" "token.claims.integer" "takes 1.0 as an integer" "token-iat-fraction-zero";
    IntegerMinusZero "integer-minus-zero" "token.claims.integer" "takes -0 as an integer" "token-iat-minus-zero";
    IntegerRange "integer-range" "time.numeric" "takes integers of 2^53 and more" "token-iat-2-to-the-53";
    LifeAfterIat "life-after-iat" "token.exp.after-iat" "takes an exp that equals iat" "token-life-0-seconds";
    LifeUnchecked "life-unchecked" "token.exp.max-life" "does not look at the life" "token-life-172801";
    Life172799 "life-172799" "token.exp.max-life" "allows a life of 172,799 seconds" "token-life-172800";
    Life172801 "life-172801" "token.exp.max-life" "allows a life of 172,801 seconds" "token-life-172801";
    IatUnchecked "iat-unchecked" "token.iat.future" "takes an iat in the future" "token-spec-example-too-early";
    Iat299 "iat-299" "token.iat.future" "has 299 seconds of leeway for iat" "token-iat-future-300";
    Iat301 "iat-301" "token.iat.future" "has 301 seconds of leeway for iat" "token-spec-example-too-early";
    ExpUnchecked "exp-unchecked" "token.exp.expired" "takes expired tokens" "token-spec-example-expired";
    Exp299 "exp-299" "token.exp.expired" "has 299 seconds of leeway for exp" "token-after-exp-300";
    Exp301 "exp-301" "token.exp.expired" "has 301 seconds of leeway for exp" "token-spec-example-expired";
    NbfIgnored "nbf-ignored" "token.nbf" "ignores nbf" "token-nbf-future-301";
    LeewayNone "leeway-none" "time.leeway" "has no leeway" "token-spec-example-first-second";
    NowUp "now-up" "time.now" "rounds its clock up" "token-after-exp-300-and-a-half";
    AudIgnored "aud-ignored" "token.aud" "ignores aud" "token-aud-issuer";
    UrlUnchecked "url-unchecked" "token.url" "takes any text as url" "token-url-2049";
    StatusUnchecked "status-unchecked" "token.status" "takes any status" "token-status-upper-case";
    CheckedAtUnchecked "checked-at-unchecked" "token.checked-at" "takes any text as checked_at" "token-checked-at-offset";
    CheckedAt299 "checked-at-299" "token.checked-at.future" "has 299 seconds of leeway for checked_at" "token-checked-at-future-300";
    CheckedAt301 "checked-at-301" "token.checked-at.future" "has 301 seconds of leeway for checked_at" "token-checked-at-future-301";
    Age86399 "age-86399" "status.max-age" "allows an observation 86,399 seconds before iat" "token-checked-at-age-86400";
    Age86401 "age-86401" "status.max-age" "allows an observation 86,401 seconds before iat" "token-checked-at-age-86401";
    UrlBeforeTimes "url-before-times" "token.claims.order" "looks at url before the times" "token-claims-order-aud-before-url";
    ClaimsStrict "claims-strict" "token.claims.unknown" "refuses other claims" "token-claim-unknown-jti";

    // Answers and records
    AnswerSize "answer-size" "resolve.answer.size" "allows 262,145 bytes" "answer-size-262145";
    AnswerResolver "answer-resolver" "resolve.answer.members" "does not need the name in an answer" "answer-resolver-missing";
    AnswerIssLate "answer-iss-late" "resolve.answer.order" "counts candidates before it looks at iss" "answer-order-iss-before-count";
    AnswerIss "answer-iss" "resolve.answer.iss" "does not look at the iss of an answer" "answer-iss-other";
    Candidates9 "candidates-9" "resolve.answer.count" "allows 9 candidates" "answer-10-candidates";
    Candidates11 "candidates-11" "resolve.answer.count" "allows 11 candidates" "answer-11-candidates";
    AnswerEmpty "answer-empty" "resolve.answer.empty" "refuses an answer without candidates" "answer-empty";
    CandidateSpoils "candidate-spoils" "candidate.dropped" "refuses an answer with a candidate that does not verify" "answer-dropped-jws-empty";
    UnsignedSpoils "unsigned-spoils" "candidate.unsigned" "refuses an answer with an unsigned candidate" "answer-10-dropped";
    CopiesUsed "copies-used" "candidate.claims-only" "compares the copies of URLs to find duplicates" "answer-duplicate-by-claim";
    CopyMissing "copy-missing" "candidate.copy-differs" "does not report a copy that is missing" "answer-copy-url-missing";
    CopiesUncompared "copies-uncompared" "candidate.copy-differs" "does not compare the copies" "answer-copy-url-differs";
    DuplicateKept "duplicate-kept" "candidate.duplicate" "keeps every candidate of one server" "answer-duplicate";
    DuplicateCompared "duplicate-compared" "candidate.duplicate" "compares the copies of duplicates too" "answer-duplicate-copies-differ";
    AnswerName "answer-name" "resolve.answer.name-read" "does not compare the name of an answer" "answer-name-other";
    PlacesBackwards "places-backwards" "conformance.vectors.output-order" "lists the kept places from the last" "answer-copies-differ-reversed";
    UrlCase "url-case" "url.comparison" "compares URLs without regard to case" "answer-duplicate-not-by-escape";
    RecordSize "record-size" "record.size" "allows 65,537 bytes" "record-size-65537";
    RecordClaims "record-claims" "record.claims" "does not need name" "record-claim-name-missing";
    RecordNameUnchecked "record-name-unchecked" "record.name" "takes any name of a server" "record-name-empty";
    RecordName201 "record-name-201" "record.name" "allows names of 201 characters" "record-name-201-characters";
    FirstSeenLater "first-seen-later" "record.first-seen" "takes a first_seen after checked_at" "record-first-seen-after-checked-at";
    HistoryRefused "history-refused" "record.history" "refuses a history" "record-history";
    HistoryUnchecked "history-unchecked" "record.history-form" "does not look at history" "record-history-other-origin";
    HistoryOrigin "history-origin" "record.history-form" "takes a history on another origin" "record-history-other-origin";
    RequestedIgnored "requested-ignored" "record.requested" "takes the record of another server" "record-requested-other";
    RecordCopies "record-copies" "record.copy-differs" "does not compare name and first_seen" "record-copy-name-differs";
    RecordMissing "record-missing" "record.copy-differs" "reports copies of a record that are missing" "record-copy-url-missing";
    RecordNeedsUrl "record-needs-url" "record.members" "needs the member url of a record" "record-no-copies";
    RecordClaimsFirst "record-claims-first" "record.order" "looks at the URL that was asked for before name and first_seen" "record-order-history-before-requested";

    // Requests
    TrimAscii "trim-ascii" "text.white-space" "trims ASCII white space only" "request-need-trim-0085";
    TrimBom "trim-bom" "text.white-space" "trims U+FEFF too" "request-need-no-trim-feff";
    NoNormalization "no-normalization" "resolve.need.read" "does not normalize a need" "request-need-composes";
    CompatibilityForm "compatibility-form" "resolve.need.read" "normalizes a need to NFKC" "request-need-en-quad";
    CountBefore "count-before" "resolve.need.read" "counts characters before it normalizes" "request-need-400-code-points";
    UnsafeRefused "unsafe-refused" "resolve.need.read" "refuses unsafe characters in a need" "request-need-no-trim-180e";
    CountBytes "count-bytes" "text.character" "counts bytes of a need" "request-need-200-wide-characters";
    CountUtf16 "count-utf16" "text.character" "counts UTF-16 units of a need" "request-need-200-wide-characters";
    Need2 "need-2" "resolve.need.length" "allows 2 characters" "request-need-2-characters";
    Need199 "need-199" "resolve.need.length" "allows 199 characters" "request-need-200-characters";
    Need201 "need-201" "resolve.need.length" "allows 201 characters" "request-need-201-characters";
    ControlAccepted "control-accepted" "resolve.need.control" "takes control characters in a need" "request-need-control-0000";
    ControlC1 "control-c1" "resolve.need.control" "takes U+0080 to U+009F in a need" "request-need-control-0080";
    LengthFirst "length-first" "resolve.order" "counts characters before it looks for control characters" "request-need-order-control-before-length";
    PlusKept "plus-kept" "resolve.query.encoding" "does not read + as a space" "request-plus";
    PercentKept "percent-kept" "resolve.query.encoding" "keeps a % without two digits" "request-encoding-percent-alone";
    QueryLossy "query-lossy" "resolve.query.encoding" "replaces bytes of a query that are not UTF-8" "request-encoding-percent-in-name";
    ParameterIgnored "parameter-ignored" "resolve.parameter.unknown" "ignores other parameters" "request-unknown";
    ParameterFirst "parameter-first" "resolve.parameter.repeated" "takes the first of repeated parameters" "request-repeated-need";
    NeedEmpty "need-empty" "resolve.need.missing" "takes a missing need as an empty one" "request-missing";
    ConstraintIgnored "constraint-ignored" "constraint.names" "does not look at the values of constraints" "request-sign-in-empty";
    ConstraintCase "constraint-case" "constraint.names" "compares values without regard to case" "request-sign-in-upper-case";
    HandshakeZero "handshake-zero" "constraint.names" "takes leading zeros" "request-handshake-leading-zero";
    Handshake60001 "handshake-60001" "constraint.names" "allows 60,001 milliseconds" "request-handshake-60001";
    Handshake59999 "handshake-59999" "constraint.names" "allows 59,999 milliseconds" "request-handshake-60000";
}
