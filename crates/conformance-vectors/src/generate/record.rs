//! Records (§7.2).

mod claims;

use serde_json::json;

use super::build::{
    CHECKED_AT, EXPIRES, ISSUER, NOW, Object, Token, URL, claims, discovery, header, quoted,
};
use super::cases::{Cases, input};
use super::json::{self, Extent};
use crate::model::{Input, Kind, Operation, Vector, VectorFile};

const NAME: &str = "Example Mail";
const FIRST_SEEN: &str = "2026-08-02T06:30:00Z";

/// The claims of a record's token.
fn record_claims() -> Object {
    claims()
        .and("name", quoted(NAME))
        .and("first_seen", quoted(FIRST_SEEN))
}

fn token(claims: &Object) -> String {
    Token::of(&header("key-1"), claims).compact()
}

/// A record around a token.
fn around(token: &str) -> Object {
    Object::default()
        .and("v", "\"0.2\"")
        .and("iss", quoted(ISSUER))
        .and("resolver", "\"Example Resolver\"")
        .and("url", quoted(URL))
        .and("status", "\"ok\"")
        .and("checked_at", quoted(CHECKED_AT))
        .and("expires", quoted(EXPIRES))
        .and("name", quoted(NAME))
        .and("first_seen", quoted(FIRST_SEEN))
        .and("jws", quoted(token))
}

fn plain() -> Object {
    around(&token(&record_claims()))
}

fn ask_by(document: impl AsRef<[u8]>, now: &str, requested: Option<&str>) -> Input {
    let mut asked = input([
        ("document", document.as_ref()),
        ("discovery", &discovery().text()),
        ("issuer", ISSUER.as_bytes()),
        ("now", now.as_bytes()),
    ]);
    asked.0.insert("requestedUrl".to_owned(), json!(requested));
    asked
}

fn ask_text(document: impl AsRef<[u8]>) -> Input {
    ask_by(document, NOW, None)
}

fn ask(document: &Object) -> Input {
    ask_text(document.text())
}

/// A record whose token has these claims; copies of claims that differ are left out, so that nothing else is to be said.
fn signed(claims: &Object) -> Input {
    let document = [
        "url",
        "status",
        "checked_at",
        "expires",
        "name",
        "first_seen",
    ]
    .into_iter()
    .fold(around(&token(claims)), Object::without);
    ask(&document)
}

fn differs(vector: &mut Vector, pointers: &[&str]) {
    vector.yields([("copyDiffers", json!(pointers))]);
}

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::Record, Operation::Record);
    cases.base(
        "plain",
        "record.members record.claims",
        "A record that was asked for by its id, with all copies. Most records here are made from this one.",
        ask(&plain()),
    );
    size(&mut cases);
    json::add(
        &mut cases,
        "json-",
        "document",
        "json.document-code",
        Extent::Core,
        &plain(),
        ask_text,
    );
    members(&mut cases);
    tokens(&mut cases);
    claims::add(&mut cases);
    requested(&mut cases);
    copies(&mut cases);
    order(&mut cases);
    let mut file = cases.into_file();
    for vector in &mut file.tests {
        if vector.reason.is_none() && vector.output.is_none() {
            differs(vector, &[]);
        }
    }
    file
}

fn size(cases: &mut Cases) {
    let of_size = |size: usize| {
        let shortest = plain().and("x", "\"\"").text().len();
        plain()
            .and("x", quoted(&"x".repeat(size - shortest)))
            .text()
    };
    cases.valid(
        "size-65536",
        "record.size",
        "an unknown member, 65,536 bytes in all",
        "As large as a record may be.",
        ask_text(of_size(65_536)),
    );
    cases.invalid(
        "size-65537",
        "document-too-large",
        "record.size",
        "an unknown member, 65,537 bytes in all",
        "One byte too many.",
        ask_text(of_size(65_537)),
    );
}

fn members(cases: &mut Cases) {
    for name in ["v", "iss", "resolver", "jws"] {
        cases.invalid(
            &format!("{name}-missing"),
            "member-missing",
            "record.members",
            &format!("without {name}"),
            &format!("A client needs the member {name}."),
            ask(&plain().without(name)),
        );
        cases.invalid(
            &format!("{name}-null"),
            "member-type",
            "record.members",
            &format!("{name}: null"),
            "Null is a value of another type, and not a missing member.",
            ask(&plain().set(name, "null")),
        );
        cases.invalid(
            &format!("{name}-array"),
            "member-type",
            "record.members",
            &format!("{name}: []"),
            "An array is no string.",
            ask(&plain().set(name, "[]")),
        );
    }
    cases.invalid(
        "v-other",
        "version-unsupported",
        "version.unknown record.members",
        "v: 0.3",
        "Another version may mean anything.",
        ask(&plain().set("v", "\"0.3\"")),
    );
    for (slug, value) in [
        ("other", "https://other.example"),
        ("final-slash", "https://resolver.example/"),
    ] {
        cases.invalid(
            &format!("iss-{slug}"),
            "iss-mismatch",
            "record.members resolve.answer.iss",
            &format!("iss: {value}"),
            "The issuer of a record is checked as that of an answer.",
            ask(&plain().set("iss", quoted(value))),
        );
    }
    cases.valid(
        "no-copies",
        "record.members",
        "without url, status, checked_at, expires, name and first_seen",
        "A client needs none of the copies.",
        signed(&record_claims()),
    );
    cases.valid(
        "unknown-member",
        "json.unknown-member",
        "an unknown member",
        "Members that the text does not define are ignored.",
        ask(&plain().and("tools", "[1]")),
    );
    cases.valid(
        "reversed",
        "record.members",
        "members in reverse order",
        "Members of an object have no order.",
        ask(&plain().reversed()),
    );
}

fn tokens(cases: &mut Cases) {
    let plain_token = Token::of(&header("key-1"), &record_claims());
    let tampered = Token::of(&header("key-1"), &record_claims().set("name", "\"Other\""))
        .with_signature(&plain_token.signature());
    for (slug, code, rule, change, jws) in [
        (
            "token-empty",
            "token-segment-count",
            "token.segments",
            "an empty jws",
            String::new(),
        ),
        (
            "token-tampered",
            "signature-invalid",
            "token.signature.equation",
            "another name under the old signature",
            tampered,
        ),
        (
            "token-kid-unknown",
            "kid-unknown",
            "token.kid.known",
            "an unknown kid",
            Token::of(&header("key-9"), &record_claims()).compact(),
        ),
        (
            "token-iss-other",
            "iss-mismatch",
            "token.iss",
            "a token of another issuer",
            token(&record_claims().set("iss", "\"https://other.example\"")),
        ),
        (
            "token-status",
            "status-invalid",
            "token.status",
            "a fifth status",
            token(&record_claims().set("status", "\"up\"")),
        ),
    ] {
        cases.invalid(
            slug,
            code,
            &format!("{rule} record.order"),
            change,
            "The token of a record is verified as any other.",
            ask(&around(&jws)),
        );
    }
    cases.invalid(
        "token-expired",
        "expired",
        "token.exp.expired record.order",
        "the clock is two days later",
        "The token of a record is verified as any other.",
        ask_by(plain().text(), "2026-12-02T12:00:00Z", None),
    );
    for name in ["name", "first_seen"] {
        let slug = name.replace('_', "-");
        cases.invalid(
            &format!("claim-{slug}-missing"),
            "claim-missing",
            "record.claims",
            &format!("the claim {name} is missing"),
            "The token of a candidate is not enough for a record.",
            signed(&record_claims().without(name)),
        );
        for (kind, value) in [("null", "null"), ("number", "1"), ("array", "[]")] {
            cases.invalid(
                &format!("claim-{slug}-{kind}"),
                "claim-type",
                "record.claims",
                &format!("the claim {name}: {value}"),
                "A claim of another type.",
                signed(&record_claims().set(name, value)),
            );
        }
    }
}

fn requested(cases: &mut Cases) {
    cases.valid(
        "requested",
        "record.requested",
        "asked for by the server's URL",
        "The record is of the server that was asked for.",
        ask_by(plain().text(), NOW, Some(URL)),
    );
    for (slug, url, comment) in [
        (
            "other",
            "https://post.example.net/v1/mcp",
            "The record of another server.",
        ),
        (
            "final-slash",
            "https://mail.example.com/mcp/",
            "Server URLs are compared byte for byte.",
        ),
        (
            "query",
            "https://mail.example.com/mcp?a",
            "Server URLs are compared byte for byte.",
        ),
    ] {
        cases.invalid(
            &format!("requested-{slug}"),
            "url-mismatch",
            "record.requested url.comparison",
            &format!("asked for by {url}"),
            comment,
            ask_by(plain().text(), NOW, Some(url)),
        );
    }
    let copied = around(&token(
        &record_claims().set("url", "\"https://post.example.net/v1/mcp\""),
    ));
    cases.invalid(
        "requested-by-copy",
        "url-mismatch",
        "record.requested record.copy-differs",
        "the url asked for is only beside the token",
        "The claim decides, and not the copy.",
        ask_by(copied.text(), NOW, Some(URL)),
    );
}

fn copies(cases: &mut Cases) {
    for (name, value) in [
        ("url", "\"https://attacker.example/mcp\""),
        ("status", "\"down\""),
        ("checked_at", "\"2026-11-30T11:58:31Z\""),
        ("expires", "\"2026-12-01T12:00:01Z\""),
        ("name", "\"Other Mail\""),
        ("first_seen", "\"2026-08-02T06:30:01Z\""),
    ] {
        let slug = name.replace('_', "-");
        let pointer = format!("/{name}");
        differs(
            cases.valid(
                &format!("copy-{slug}-differs"),
                "record.copy-differs",
                &format!("{name}: {value}"),
                "The claim counts, and the difference is reported.",
                ask(&plain().set(name, value)),
            ),
            &[&pointer],
        );
        differs(
            cases.valid(
                &format!("copy-{slug}-number"),
                "record.copy-differs",
                &format!("{name}: 1"),
                "A copy of another type is not equal to the claim.",
                ask(&plain().set(name, "1")),
            ),
            &[&pointer],
        );
        cases.valid(
            &format!("copy-{slug}-missing"),
            "record.copy-differs",
            &format!("without {name}"),
            "Beside the token of a record, a copy that is missing is no difference.",
            ask(&plain().without(name)),
        );
    }
    differs(
        cases.valid(
            "copy-resolver-differs",
            "record.copy-differs",
            "resolver: Other Resolver",
            "The name of the discovery document counts, and the difference is reported.",
            ask(&plain().set("resolver", "\"Other Resolver\"")),
        ),
        &["/resolver"],
    );
    differs(
        cases.valid(
            "copies-differ",
            "conformance.vectors.output-order record.copy-differs",
            "other status and name",
            "Each difference is reported where it is.",
            ask(&plain().set("status", "\"unknown\"").set("name", "\"\"")),
        ),
        &["/status", "/name"],
    );
    differs(
        cases.valid(
            "copies-differ-reversed",
            "conformance.vectors.output-order record.copy-differs",
            "other resolver, status and name, members in reverse order",
            "Pointers are a set: it does not matter in which order an implementation finds them.",
            ask(&plain()
                .set("resolver", "\"Other Resolver\"")
                .set("status", "\"unknown\"")
                .set("name", "\"\"")
                .reversed()),
        ),
        &["/name", "/status", "/resolver"],
    );
}

/// Two faults each: the rule says which is reported.
fn order(cases: &mut Cases) {
    for (slug, code, change, document) in [
        (
            "duplicate-before-v",
            "document-duplicate-member",
            "v of another version, twice",
            plain().set("v", "\"9\"").and("v", "\"9\""),
        ),
        (
            "v-before-iss",
            "version-unsupported",
            "v of another version, without iss",
            plain().set("v", "\"9\"").without("iss"),
        ),
        (
            "types-before-iss-value",
            "member-type",
            "another iss, jws a number",
            plain()
                .set("iss", "\"https://other.example\"")
                .set("jws", "1"),
        ),
        (
            "resolver-before-jws",
            "member-missing",
            "without resolver, jws a number",
            plain().without("resolver").set("jws", "1"),
        ),
        (
            "iss-before-token",
            "iss-mismatch",
            "another iss, an empty jws",
            plain()
                .set("iss", "\"https://other.example\"")
                .set("jws", "\"\""),
        ),
        (
            "token-before-name",
            "status-invalid",
            "a fifth status, without the claim name",
            around(&token(
                &record_claims().set("status", "\"up\"").without("name"),
            )),
        ),
        (
            "name-before-first-seen",
            "name-invalid",
            "an empty name, without first_seen",
            around(&token(
                &record_claims().set("name", "\"\"").without("first_seen"),
            )),
        ),
        (
            "first-seen-before-history",
            "claim-missing",
            "without first_seen, history no URL",
            around(&token(
                &record_claims()
                    .without("first_seen")
                    .and("history", "\"a\""),
            )),
        ),
    ] {
        cases.invalid(
            &format!("order-{slug}"),
            code,
            "record.order",
            change,
            "Two faults: the order of the checks decides which code is reported.",
            ask(&document),
        );
    }
    let other = "https://post.example.net/v1/mcp";
    let no_history = around(&token(&record_claims().and("history", "\"a\"")));
    cases.invalid(
        "order-history-before-requested",
        "history-invalid",
        "record.order",
        "history no URL, asked for by another url",
        "Two faults: the order of the checks decides which code is reported.",
        ask_by(no_history.text(), NOW, Some(other)),
    );
    cases.invalid(
        "order-token-before-requested",
        "expired",
        "record.order",
        "expired, asked for by another url",
        "Two faults: the order of the checks decides which code is reported.",
        ask_by(plain().text(), "2026-12-02T12:00:00Z", Some(other)),
    );
    let refused = discovery().set("v", "\"0.3\"").text();
    let mut asked = ask(&plain());
    asked.0.insert(
        "discovery".to_owned(),
        json!(String::from_utf8_lossy(&refused)),
    );
    cases.invalid(
        "discovery-refused",
        "version-unsupported",
        "discovery.refused",
        "v: 0.3 in the discovery document",
        "The document that the record would be judged by is refused, and its code is the record's.",
        asked,
    );
}
