//! What can be wrong with each of the three documents.

use super::*;

pub(super) fn faults(kind: Kind) -> Vec<Fault> {
    let (word, size, members) = match kind {
        Answer => ("answer", "resolve.answer.size", "resolve.answer.members"),
        Record => ("record", "record.size", "record.members"),
        _ => ("discovery", "discovery.size", "discovery.members"),
    };
    let of = |name: &str, rule, does: &str, act| fault(format!("{word}-{name}"), rule, does, act);
    vec![
        of(
            "redirected",
            "http.no-redirect",
            "answers with a redirect",
            match kind {
                // There has to be a document somewhere, or nobody could tell that this is a resolver.
                Discovery => Act::Quirk(DiscoveryElsewhere),
                _ => Head(kind, |response| {
                    response.status = 307;
                    response.set("Location", "/elsewhere");
                }),
            },
        ),
        of(
            "of-another-type",
            "http.media-type",
            "sends Content-Type: text/json",
            Head(kind, |response| response.set("Content-Type", "text/json")),
        ),
        of(
            "type-twice",
            "http.media-type",
            "sends Content-Type twice",
            Head(kind, |response| {
                response
                    .headers
                    .push(("Content-Type", "application/json".to_owned()))
            }),
        ),
        of(
            "without-cors",
            "http.cors",
            "leaves Access-Control-Allow-Origin out",
            Head(kind, |response| {
                response.remove("Access-Control-Allow-Origin")
            }),
        ),
        of(
            "exposes-nothing",
            "http.cors-expose",
            "leaves Access-Control-Expose-Headers out",
            Head(kind, |response| {
                response.remove("Access-Control-Expose-Headers")
            }),
        ),
        of(
            "sets-a-cookie",
            "http.no-set-cookie",
            "sends Set-Cookie",
            Head(kind, |response| {
                response.set("Set-Cookie", "caller=1; Secure; HttpOnly")
            }),
        ),
        of(
            "weak-etag",
            "http.etag",
            "sends a weak ETag",
            Head(kind, |response| {
                let weak = format!("W/{}", response.etag());
                response.set("ETag", &weak);
            }),
        ),
        of(
            "always-modified",
            "http.etag",
            "ignores If-None-Match",
            Act::Quirk(NotModifiedIgnored(kind)),
        ),
        of(
            "one-etag",
            "http.etag",
            "has the same ETag for other bytes",
            Act::Quirk(OneTag(kind)),
        ),
        of(
            "never-modified",
            "http.etag.no-match",
            "answers 304 to any If-None-Match",
            Act::Quirk(AlwaysNotModified(kind)),
        ),
        of(
            "not-modified-bare",
            "http.etag.headers",
            "sends 304 without Cache-Control",
            Act::Quirk(NotModifiedBare(kind)),
        ),
        of(
            "not-modified-of-another-etag",
            "http.etag.headers",
            "sends 304 with another ETag",
            Act::Quirk(NotModifiedOfAnotherTag(kind)),
        ),
        of(
            "too-large",
            size,
            "is larger than allowed",
            Members(kind, |document| {
                document["more"] = json!("x".repeat(300_000))
            }),
        ),
        of(
            "not-utf8",
            "json.utf8",
            "has a byte in it that is no UTF-8",
            Bytes(kind, |bytes| {
                [&bytes[..1], b"\"more\":\"\xff\",", &bytes[1..]].concat()
            }),
        ),
        of(
            "too-deep",
            "json.depth",
            "nests 40 deep",
            Members(kind, |document| {
                document["more"] = (0..40).fold(json!(1), |inner, _| json!([inner]));
            }),
        ),
        of(
            "byte-order-mark",
            "json.syntax",
            "begins with a byte order mark",
            Bytes(kind, |bytes| [b"\xef\xbb\xbf".as_slice(), &bytes].concat()),
        ),
        of(
            "in-an-array",
            members,
            "is an array with the object in it",
            Members(kind, |document| *document = json!([document.take()])),
        ),
        of(
            "member-twice",
            "json.duplicate",
            "has a member twice",
            Bytes(kind, |bytes| {
                [&bytes[..1], b"\"more\":1,\"more\":1,", &bytes[1..]].concat()
            }),
        ),
        of(
            "of-another-version",
            "version.value",
            "has the version 0.3",
            Members(kind, |document| document["v"] = json!("0.3")),
        ),
        of(
            "of-another-issuer",
            match kind {
                Answer => "resolve.answer.iss",
                Record => "record.members",
                _ => "discovery.iss",
            },
            "has another iss",
            Members(kind, |document| {
                document["iss"] = json!("https://another.example")
            }),
        ),
        of(
            "member-missing",
            members,
            "lacks a member",
            Members(kind, |document| remove(document, "resolver")),
        ),
    ]
}
