//! Discovery documents (§4.1); their keys are a file of their own.

mod members;
mod name;

use super::build::{ISSUER, Object, array, discovery, endpoints, jwk, quoted};
use super::cases::{Cases, input};
use super::curve::Key;
use super::json::{self, Extent};
use crate::model::{Input, Kind, Operation, VectorFile};

pub(super) use name::UNSAFE;

/// Asks with a document's text.
fn ask_text(document: impl AsRef<[u8]>) -> Input {
    input([
        ("document", document.as_ref()),
        ("issuer", ISSUER.as_bytes()),
    ])
}

fn ask(document: &Object) -> Input {
    ask_text(document.text())
}

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::Discovery, Operation::Discovery);
    cases.base(
        "plain",
        "discovery.members version.value version.unknown discovery.key-type",
        "A document with the members that it must have, and no others. Most documents here are made from this one.",
        ask(&discovery()),
    );
    size(&mut cases);
    json::add(
        &mut cases,
        "json-",
        "document",
        "json.document-code",
        Extent::All,
        &discovery(),
        ask_text,
    );
    for (slug, text, comment) in [
        ("empty", "", "No value at all."),
        ("white-space-only", " \n", "No value at all."),
        (
            "html",
            "<!doctype html><title>Not found</title>",
            "A page that a server sends in place of a document.",
        ),
    ] {
        cases.invalid(
            slug,
            "document-not-json",
            "json.syntax json.document-code",
            text,
            comment,
            ask_text(text),
        );
    }
    let twice = discovery().and("keys", "[]");
    cases.invalid(
        "keys-twice",
        "document-duplicate-member",
        "json.duplicate json.document-code",
        "keys twice",
        "A reader that keeps the first and one that keeps the last have different keys.",
        ask(&twice),
    );
    members::add(&mut cases);
    name::add(&mut cases);
    order(&mut cases);
    cases.into_file()
}

fn size(cases: &mut Cases) {
    let of_size = |size: usize| {
        let shortest = discovery().and("x", "\"\"").text().len();
        let filling = "x".repeat(size - shortest);
        discovery().and("x", quoted(&filling)).text()
    };
    cases.valid(
        "size-65536",
        "discovery.size",
        "an unknown member, 65,536 bytes in all",
        "As large as a document may be.",
        ask_text(of_size(65_536)),
    );
    cases.invalid(
        "size-65537",
        "document-too-large",
        "discovery.size",
        "an unknown member, 65,537 bytes in all",
        "One byte too many.",
        ask_text(of_size(65_537)),
    );
    let spaced = [
        &discovery().text()[..],
        " ".repeat(65_537 - discovery().text().len()).as_bytes(),
    ]
    .concat();
    cases.invalid(
        "size-65537-with-spaces",
        "document-too-large",
        "discovery.size",
        "spaces after it, 65,537 bytes in all",
        "White space counts: a client stops reading there.",
        ask_text(spaced),
    );
    let wide = discovery()
        .and("x", quoted(&"\u{e9}".repeat(32_700)))
        .text();
    cases.invalid(
        "size-in-bytes",
        "document-too-large",
        "discovery.size",
        "an unknown member of 32,700 characters of two bytes",
        "Fewer than 65,536 characters, but more bytes.",
        ask_text(wide),
    );
}

/// Two faults each: the rule says which is reported.
fn order(cases: &mut Cases) {
    let plain = discovery;
    let no_object = array(["1"]);
    let private = jwk("key-1", &Key::first().public())
        .and("d", "\"AA\"")
        .text();
    let key = |kid: &str| jwk(kid, &Key::second().public()).text();
    let many = |last: Vec<u8>| {
        array(
            (0..32)
                .map(|number| key(&format!("other-{number}")))
                .chain([last]),
        )
    };
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
            "v-missing-before-iss",
            "member-missing",
            "without v, another iss",
            plain().without("v").set("iss", "\"https://other.example\""),
        ),
        (
            "types-before-values",
            "member-type",
            "another iss, policy a number",
            plain()
                .set("iss", "\"https://other.example\"")
                .set("policy", "1"),
        ),
        (
            "missing-before-values",
            "member-missing",
            "another iss, without policy",
            plain()
                .set("iss", "\"https://other.example\"")
                .without("policy"),
        ),
        (
            "iss-type-before-resolver",
            "member-type",
            "iss a number, without resolver",
            plain().set("iss", "1").without("resolver"),
        ),
        (
            "resolver-before-endpoints",
            "member-missing",
            "without resolver, endpoints a number",
            plain().without("resolver").set("endpoints", "1"),
        ),
        (
            "endpoints-before-keys",
            "member-type",
            "endpoints a number, without keys",
            plain().set("endpoints", "1").without("keys"),
        ),
        (
            "endpoint-members-in-order",
            "member-missing",
            "without endpoints.resolve, endpoints.record a number",
            plain().set("endpoints", Object::default().and("record", "1").text()),
        ),
        (
            "keys-before-policy",
            "member-missing",
            "without keys, policy a number",
            plain().without("keys").set("policy", "1"),
        ),
        (
            "policy-before-changelog",
            "member-missing",
            "without policy, changelog a number",
            plain().without("policy").and("changelog", "1"),
        ),
        (
            "iss-before-name",
            "iss-mismatch",
            "another iss, an empty name",
            plain()
                .set("iss", "\"https://other.example\"")
                .set("resolver", "\"\""),
        ),
        (
            "name-before-endpoint",
            "name-invalid",
            "an empty name, a resolve endpoint that is no URL",
            plain()
                .set("resolver", "\"\"")
                .set("endpoints", endpoints().set("resolve", "\"a\"").text()),
        ),
        (
            "endpoint-form-before-origin",
            "endpoint-invalid",
            "a resolve endpoint with query on another origin",
            plain().set(
                "endpoints",
                endpoints()
                    .set("resolve", "\"https://other.example/resolve?a\"")
                    .text(),
            ),
        ),
        (
            "resolve-origin-before-record-form",
            "endpoint-origin",
            "resolve on another origin, record no URL",
            plain().set(
                "endpoints",
                endpoints()
                    .set("resolve", "\"https://other.example/resolve\"")
                    .set("record", "\"a\"")
                    .text(),
            ),
        ),
        (
            "endpoint-before-keys",
            "endpoint-invalid",
            "a record endpoint that is no URL, and a private key",
            plain()
                .set("endpoints", endpoints().set("record", "\"a\"").text())
                .set("keys", array([&private])),
        ),
        (
            "mcp-before-keys",
            "endpoint-origin",
            "mcp on another origin, and a private key",
            plain()
                .set(
                    "endpoints",
                    endpoints()
                        .and("mcp", "\"https://other.example/mcp\"")
                        .text(),
                )
                .set("keys", array([&private])),
        ),
        (
            "keys-before-policy-value",
            "key-private",
            "a private key, and a policy that is no URL",
            plain()
                .set("keys", array([&private]))
                .set("policy", "\"a\""),
        ),
        (
            "policy-before-changelog-value",
            "endpoint-invalid",
            "policy and changelog no URLs",
            plain().set("policy", "\"a\"").and("changelog", "\"a\""),
        ),
        (
            "count-before-entry-type",
            "keys-too-many",
            "33 entries, the last a number",
            plain().set("keys", many(b"1".to_vec())),
        ),
        (
            "entry-type-before-private",
            "member-type",
            "a private key, then a number",
            plain().set("keys", array([&private[..], b"1"])),
        ),
        (
            "private-before-unique",
            "key-private",
            "two keys of one kid, the second private",
            plain().set("keys", array([key("key-1"), private.clone()])),
        ),
        (
            "outermost-before-v",
            "member-type",
            "v a number, keys with a number",
            plain().set("v", "1").set("keys", no_object),
        ),
    ] {
        cases.invalid(
            &format!("order-{slug}"),
            code,
            "discovery.order code.document-list code.form",
            change,
            "Two faults: the order of the checks decides which code is reported.",
            ask(&document),
        );
    }
    let large = [b"{\xff", &b" ".repeat(65_536)[..]].concat();
    cases.invalid(
        "order-size-before-json",
        "document-too-large",
        "discovery.order",
        "65,538 bytes that are neither UTF-8 nor JSON",
        "The size is checked before anything is read.",
        ask_text(large),
    );
}
