//! Requests with one thing to see each: what a correct resolver answers, and which error it gives.

use super::check::Group;

/// Which endpoint a request goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Resolve,
    Record,
}

/// What a request has to be answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    /// Status 200 and one JSON object.
    Answer,
    /// The same, with the servers of the answer to the sample need: it is the same need.
    Sample,
    /// The error with this code.
    Error(&'static str),
    /// Either.
    AnswerOrError(&'static str),
}

/// One request.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) rule: &'static str,
    pub(crate) aspect: &'static str,
    pub(crate) endpoint: Endpoint,
    pub(crate) expect: Expect,
    /// What is asked, in words: "a request ...".
    pub(crate) what: &'static str,
    query: fn(&Given<'_>) -> String,
}

/// What a query is made of.
#[derive(Debug)]
pub(crate) struct Given<'a> {
    /// The sample need.
    pub(crate) need: &'a str,
    /// The path of the endpoint.
    pub(crate) path: &'a str,
}

/// A row of the table is itself and no other.
impl PartialEq for Probe {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Probe {}

impl Probe {
    /// The query, without its question mark.
    pub(crate) fn query(&self, given: &Given<'_>) -> String {
        (self.query)(given)
    }

    /// Whether the request is answered with candidates, if the resolver is right.
    pub(crate) fn expects_answer(&self) -> bool {
        matches!(self.expect, Answer | Sample)
    }

    pub(crate) fn group(&self) -> Group {
        match self.endpoint {
            Endpoint::Record => Group::Record,
            Endpoint::Resolve if self.rule.starts_with("constraint.") => Group::Constraints,
            Endpoint::Resolve => Group::Requests,
        }
    }
}

/// A need that nobody has, so that it is seen wherever it is repeated.
pub(crate) const CANARY: &str = "kestrelquartz";

/// One that is too short, and no word.
pub(crate) const SHORT_CANARY: &str = "qx";

/// The longest request target that every resolver takes: `error.too-long`.
const TARGET_MAX_BYTES: usize = 4_096;

/// One that every resolver takes, or refuses with an error of the text: the same rule goes up to 8,000, and what is left of
/// them is for a path of the endpoint that is longer than others.
const TARGET_MOST_BYTES: usize = 7_900;

/// All of it: `text.white-space`.
const WHITE_SPACE: &str = "\t\n\u{b}\u{c}\r \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\
                           \u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";

/// A text as a value of a query, spaces as `%20`.
pub(crate) fn encoded(text: &str) -> String {
    let bytes = text.bytes().map(|byte| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    });
    bytes.collect()
}

fn sample(given: &Given<'_>, before: &str, behind: &str) -> String {
    format!("{before}need={}{behind}", encoded(given.need))
}

/// A correct request, filled up with empty pieces to a target of so many bytes.
fn of_length(given: &Given<'_>, bytes: usize) -> String {
    let query = sample(given, "", "");
    let target = given.path.len() + 1 + query.len();
    query + &"&".repeat(bytes.saturating_sub(target))
}

macro_rules! probes {
    ($($endpoint:ident $rule:literal $aspect:literal, $expect:expr, $what:literal, $query:expr;)+) => {
        /// Every request of the table, in the order of the text.
        pub(crate) static PROBES: &[Probe] = &[$(Probe {
            rule: $rule,
            aspect: $aspect,
            endpoint: Endpoint::$endpoint,
            expect: $expect,
            what: $what,
            query: $query,
        },)+];
    };
}

use Expect::{Answer, AnswerOrError, Error, Sample};

probes! {
    Resolve "resolve.query.encoding" "plus", Sample, "a need with + for its spaces",
        |given| format!("need={}", encoded(given.need).replace("%20", "+"));
    Resolve "resolve.query.encoding" "plus-trimmed", Error("need-length"), "a need of one character with + behind it",
        |_| "need=a++".to_owned();
    Resolve "resolve.query.encoding" "escaped-plus", Answer, "a need of three plus signs, escaped",
        |_| "need=%2B%2B%2B".to_owned();
    Resolve "resolve.query.encoding" "escaped-percent", Answer, "a need with an escaped percent sign, decoded once",
        |_| "need=%2561%2562".to_owned();
    Resolve "resolve.query.encoding" "separators", Answer, "a need of three characters, two of them = and ;",
        |_| "need=a=;".to_owned();
    Resolve "resolve.query.encoding" "lower-case", Answer, "a need with escapes in small letters",
        |_| "need=caf%c3%a9".to_owned();
    Resolve "resolve.query.encoding" "escaped-name", Sample, "the parameter name need with an escape in it",
        |given| format!("%6Eeed={}", encoded(given.need));
    Resolve "resolve.query.encoding" "empty-piece", Sample, "empty pieces around the need",
        |given| sample(given, "&&", "&");
    Resolve "resolve.query.encoding" "no-value", Error("need-length"), "a piece need without =, whose value is empty",
        |_| "need".to_owned();
    Resolve "resolve.query.encoding" "percent", Error("query-encoding"), "a need with %zz in it",
        |_| format!("need={CANARY}%zz");
    Resolve "resolve.query.encoding" "cut", Error("query-encoding"), "a need that ends within an escape",
        |_| format!("need={CANARY}%4");
    Resolve "resolve.query.encoding" "signed", Error("query-encoding"), "a need with %+1 in it",
        |_| format!("need={CANARY}%+1");
    Resolve "resolve.query.encoding" "utf8", Error("query-encoding"), "a need with the byte FF in it",
        |_| format!("need={CANARY}%FF");
    Resolve "resolve.query.encoding" "surrogate", Error("query-encoding"), "a need with an encoded surrogate in it",
        |_| format!("need={CANARY}%ED%A0%80");
    Resolve "resolve.need.read" "trimmed", Sample, "a need with white space at both ends, also a line end",
        |given| format!("need=%20%0A{}%E3%80%80", encoded(given.need));
    Resolve "resolve.need.read" "white-space", Sample, "a need with every kind of white space at both ends",
        |given| format!("need={0}{1}{0}", encoded(WHITE_SPACE), encoded(given.need));
    Resolve "resolve.need.read" "not-white-space", Answer, "a need of three characters, with U+FEFF and U+180E at its ends",
        |_| "need=%EF%BB%BFa%E1%A0%8E".to_owned();
    Resolve "resolve.need.read" "counted-after-trimming", Error("need-length"), "a need of two characters in white space",
        |_| format!("need=%20%20{SHORT_CANARY}%20%20");
    Resolve "resolve.need.read" "normalized", Answer, "a need of 400 code points that are 200 characters in NFC",
        |_| format!("need={}", encoded(&"e\u{301}".repeat(200)));
    Resolve "resolve.need.read" "compatibility", Error("need-length"), "a need of two characters, one of them the ligature U+FB01",
        |_| "need=%EF%AC%81a".to_owned();
    Resolve "resolve.need.read" "unsafe", Answer, "a need with an invisible character in it",
        |given| sample(given, "", "%E2%80%8B");
    Resolve "resolve.need.length" "shortest", Answer, "a need of three characters",
        |_| "need=map".to_owned();
    Resolve "resolve.need.length" "longest", Answer, "a need of 200 characters of four bytes each",
        |_| format!("need={}", encoded(&"\u{1F5FA}".repeat(200)));
    Resolve "resolve.need.length" "empty", Error("need-length"), "an empty need",
        |_| "need=".to_owned();
    Resolve "resolve.need.length" "too-short", Error("need-length"), "a need of two characters",
        |_| format!("need={SHORT_CANARY}");
    Resolve "resolve.need.length" "too-long", Error("need-length"), "a need of 201 characters",
        |_| format!("need={CANARY}{}", "x".repeat(201 - CANARY.len()));
    Resolve "resolve.need.control" "", Error("need-character"), "a need with U+0000 in it",
        |_| format!("need={CANARY}%00{CANARY}");
    Resolve "resolve.need.control" "line-end", Error("need-character"), "a need with a line end in it",
        |_| format!("need={CANARY}%0A{CANARY}");
    Resolve "resolve.need.control" "tab", Error("need-character"), "a need with a tab in it",
        |_| format!("need={CANARY}%09{CANARY}");
    Resolve "resolve.need.control" "delete", Error("need-character"), "a need with U+007F in it",
        |_| format!("need={CANARY}%7F{CANARY}");
    Resolve "resolve.need.control" "separator", Error("need-character"), "a need that begins with U+001C, which is no white space",
        |_| format!("need=%1C{CANARY}");
    Resolve "resolve.need.control" "c1", Error("need-character"), "a need with U+009F in it",
        |_| format!("need={CANARY}%C2%9F{CANARY}");
    Resolve "resolve.need.missing" "", Error("need-missing"), "a request without a need",
        |_| String::new();
    Resolve "resolve.parameter.repeated" "need", Error("parameter-repeated"), "a request with two needs",
        |_| format!("need={CANARY}&need={CANARY}");
    Resolve "resolve.parameter.repeated" "escaped", Error("parameter-repeated"), "a request with two needs, the name of one escaped",
        |_| format!("need={CANARY}&%6Eeed={CANARY}");
    Resolve "resolve.parameter.repeated" "empty", Error("parameter-repeated"), "a request with two needs, one of them empty",
        |_| format!("need={CANARY}&need=");
    Resolve "resolve.parameter.repeated" "constraint", Error("parameter-repeated"), "a request with one constraint twice",
        |_| format!("need={CANARY}&sign_in=none&sign_in=none");
    Resolve "resolve.parameter.unknown" "", Error("parameter-unknown"), "a request with a parameter of no version yet",
        |_| format!("need={CANARY}&page=2");
    Resolve "resolve.parameter.unknown" "case", Error("parameter-unknown"), "a request with a constraint in capitals",
        |_| format!("need={CANARY}&PAYMENT=none");
    Resolve "resolve.parameter.unknown" "nameless", Error("parameter-unknown"), "a request with a parameter whose name is empty",
        |_| format!("need={CANARY}&=none");
    Resolve "resolve.order" "encoding-first", Error("query-encoding"), "an unknown parameter, and %zz",
        |_| format!("page=2&need={CANARY}%zz");
    Resolve "resolve.order" "unknown-before-repeated", Error("parameter-unknown"), "an unknown parameter twice",
        |_| format!("need={CANARY}&page=2&page=2");
    Resolve "resolve.order" "repeated-before-missing", Error("parameter-repeated"), "a constraint twice and no need",
        |_| "sign_in=none&sign_in=none".to_owned();
    Resolve "resolve.order" "missing-before-value", Error("need-missing"), "a constraint with a wrong value and no need",
        |_| "sign_in=maybe".to_owned();
    Resolve "resolve.order" "character-before-length", Error("need-character"), "a need of two characters, one of them U+0000",
        |_| "need=a%00".to_owned();
    Resolve "resolve.order" "length-before-value", Error("need-length"), "a need of two characters and a wrong constraint",
        |_| format!("need={SHORT_CANARY}&sign_in=maybe");
    Resolve "resolve.answer.status" "no-candidate", Answer, "a need that nothing is for, with every constraint",
        |_| format!("need={CANARY}&sign_in=none&read_only=true&max_handshake_ms=1&payment=none");
    Resolve "constraint.supported" "sign_in", Answer, "the constraint sign_in=none",
        |given| sample(given, "", "&sign_in=none");
    Resolve "constraint.supported" "read_only", Answer, "the constraint read_only=true",
        |given| sample(given, "", "&read_only=true");
    Resolve "constraint.supported" "max_handshake_ms", Answer, "the constraint max_handshake_ms=60000",
        |given| sample(given, "", "&max_handshake_ms=60000");
    Resolve "constraint.supported" "payment", Answer, "the constraint payment=none",
        |given| sample(given, "", "&payment=none");
    Resolve "constraint.names" "sign_in", Error("constraint-value"), "sign_in=any",
        |_| format!("need={CANARY}&sign_in=any");
    Resolve "constraint.names" "sign_in-empty", Error("constraint-value"), "an empty sign_in",
        |_| format!("need={CANARY}&sign_in=");
    Resolve "constraint.names" "sign_in-case", Error("constraint-value"), "sign_in=None",
        |_| format!("need={CANARY}&sign_in=None");
    Resolve "constraint.names" "read_only", Error("constraint-value"), "read_only=false",
        |_| format!("need={CANARY}&read_only=false");
    Resolve "constraint.names" "read_only-empty", Error("constraint-value"), "an empty read_only",
        |_| format!("need={CANARY}&read_only=");
    Resolve "constraint.names" "read_only-case", Error("constraint-value"), "read_only=TRUE",
        |_| format!("need={CANARY}&read_only=TRUE");
    Resolve "constraint.names" "payment", Error("constraint-value"), "payment=required",
        |_| format!("need={CANARY}&payment=required");
    Resolve "constraint.names" "payment-empty", Error("constraint-value"), "an empty payment",
        |_| format!("need={CANARY}&payment=");
    Resolve "constraint.names" "payment-padded", Error("constraint-value"), "payment=none with a space behind it",
        |_| format!("need={CANARY}&payment=none+");
    Resolve "constraint.names" "handshake-empty", Error("constraint-value"), "an empty max_handshake_ms",
        |_| format!("need={CANARY}&max_handshake_ms=");
    Resolve "constraint.names" "handshake-zero", Error("constraint-value"), "max_handshake_ms=0",
        |_| format!("need={CANARY}&max_handshake_ms=0");
    Resolve "constraint.names" "handshake-large", Error("constraint-value"), "max_handshake_ms=60001",
        |_| format!("need={CANARY}&max_handshake_ms=60001");
    Resolve "constraint.names" "handshake-huge", Error("constraint-value"), "max_handshake_ms of 500 more than 64 bits hold",
        |_| format!("need={CANARY}&max_handshake_ms=18446744073709552116");
    Resolve "constraint.names" "handshake-leading-zero", Error("constraint-value"), "max_handshake_ms=0500",
        |_| format!("need={CANARY}&max_handshake_ms=0500");
    Resolve "constraint.names" "handshake-sign", Error("constraint-value"), "max_handshake_ms with a plus sign",
        |_| format!("need={CANARY}&max_handshake_ms=%2B500");
    Resolve "constraint.names" "handshake-fraction", Error("constraint-value"), "max_handshake_ms=500.0",
        |_| format!("need={CANARY}&max_handshake_ms=500.0");
    Resolve "constraint.names" "handshake-line-end", Error("constraint-value"), "max_handshake_ms with a line end behind it",
        |_| format!("need={CANARY}&max_handshake_ms=500%0A");
    Resolve "constraint.names" "handshake-digit", Error("constraint-value"), "max_handshake_ms in the digit U+0665",
        |_| format!("need={CANARY}&max_handshake_ms=%D9%A5");
    Resolve "error.too-long" "within", Sample, "a request target of 4,096 bytes",
        |given| of_length(given, TARGET_MAX_BYTES);
    Resolve "error.too-long" "beyond", AnswerOrError("request-too-long"), "a request target of 7,900 bytes",
        |given| of_length(given, TARGET_MOST_BYTES);
    Record "record.request" "none", Error("record-query"), "neither id nor url",
        |_| String::new();
    Record "record.request" "both", Error("record-query"), "an id and a url",
        |_| "id=x&url=https%3A%2F%2Fserver.example%2Fmcp".to_owned();
    Record "record.request" "repeated", Error("record-query"), "two ids",
        |_| "id=x&id=x".to_owned();
    Record "record.request" "unknown", Error("record-query"), "an id and an unknown parameter",
        |_| "id=x&page=2".to_owned();
    Record "record.request" "encoding", Error("record-query"), "an id with %zz in it",
        |_| "id=%zz".to_owned();
    Record "record.request" "id-empty", Error("record-query"), "an empty id",
        |_| "id=".to_owned();
    Record "record.request" "id-long", Error("record-query"), "an id of 65 characters",
        |_| format!("id={}", "x".repeat(65));
    Record "record.request" "id-character", Error("record-query"), "an id with a space in it",
        |_| "id=a+b".to_owned();
    Record "record.request" "id-line-end", Error("record-query"), "an id with a line end behind it",
        |_| "id=x%0A".to_owned();
    Record "record.request" "url-scheme", Error("record-query"), "a url with the scheme ftp",
        |_| "url=ftp%3A%2F%2Fserver.example%2Fmcp".to_owned();
    Record "record.request" "url-http", Error("record-query"), "a url with the scheme http",
        |_| "url=http%3A%2F%2Fserver.example%2Fmcp".to_owned();
    Record "record.request" "url-no-path", Error("record-query"), "a url without a path",
        |_| "url=https%3A%2F%2Fserver.example".to_owned();
    Record "record.request" "url-long", Error("record-query"), "a url of 2,049 bytes",
        |_| format!("url=https%3A%2F%2Fserver.example%2F{}", "x".repeat(2_026));
    Record "record.request" "url-encoded-dot-segment", Error("record-query"), "a url with a segment .%2e",
        |_| "url=https%3A%2F%2Fserver.example%2Fa%2F.%252e%2Fmcp".to_owned();
    Record "record.request" "url-dot-segment", Error("record-query"), "a url with a segment ..",
        |_| "url=https%3A%2F%2Fserver.example%2Fa%2F..%2Fmcp".to_owned();
    Record "record.request" "url-case", Error("record-query"), "a url whose host is in capitals",
        |_| "url=https%3A%2F%2FSERVER.example%2Fmcp".to_owned();
    Record "record.request" "url-port", Error("record-query"), "a url with the port 443",
        |_| "url=https%3A%2F%2Fserver.example%3A443%2Fmcp".to_owned();
    Record "record.not-found" "id", Error("record-not-found"), "an id that no record has",
        |_| "id=no.such_record~0".to_owned();
    Record "record.not-found" "id-longest", Error("record-not-found"), "an id of 64 characters that no record has",
        |_| format!("id={}", "x".repeat(64));
    Record "record.not-found" "url", Error("record-not-found"), "the url of a server that does not exist",
        |_| "url=https%3A%2F%2Fno-such-server.invalid%2Fmcp".to_owned();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_as_long_as_it_says() {
        let given = Given {
            need: "a need",
            path: "/resolve",
        };
        let within = PROBES
            .iter()
            .find(|probe| probe.aspect == "within")
            .unwrap();
        assert_eq!(format!("/resolve?{}", within.query(&given)).len(), 4_096);
    }

    /// What a correct resolver answers, asked of the reader of requests that the vectors judge.
    #[test]
    fn the_reader_of_requests_agrees_with_the_table() {
        let given = Given {
            need: "a need",
            path: "/resolve",
        };
        for probe in PROBES
            .iter()
            .filter(|probe| probe.endpoint == Endpoint::Resolve)
        {
            let read = capability_resolution::ResolveRequest::from_query(&probe.query(&given));
            match (read, probe.expect) {
                (Ok(request), Sample) => assert_eq!(request.need.as_str(), "a need", "{probe:?}"),
                (Ok(_), Answer | AnswerOrError(_)) => {}
                (Err(refusal), Error(code)) => {
                    assert_eq!(refusal.code().as_str(), code, "{probe:?}")
                }
                (read, _) => panic!("{probe:?}: {read:?}"),
            }
        }
    }
}
