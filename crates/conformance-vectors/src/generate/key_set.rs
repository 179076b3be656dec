//! Keys of a discovery document (§4.2): an untouched token, and the entry that it names.

mod document;
mod entry;

use super::build::{
    NOW, Object, Token, ask_of, base64url, claims, discovery_with, header, jwk, quoted,
};
use super::cases::Cases;
use super::curve::Key;
use crate::model::{Input, Kind, Operation, VectorFile};

fn entry() -> Object {
    jwk("key-1", &Key::first().public())
}

/// The plain token with these entries.
fn among(entries: impl IntoIterator<Item = Object>) -> Input {
    ask_of(
        Token::plain().compact(),
        &discovery_with(entries).text(),
        NOW,
    )
}

/// The plain token with this entry.
fn with(entry: Object) -> Input {
    among([entry])
}

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::KeySet, Operation::Token);
    cases.base(
        "plain",
        "discovery.keys.usable",
        "An entry with no other members than it needs. All other vectors here keep the token and change the entries.",
        with(entry()),
    );
    entry::add(&mut cases);
    kids(&mut cases);
    neighbours(&mut cases);
    order(&mut cases);
    document::add(&mut cases);
    cases.into_file()
}

fn kids(cases: &mut Cases) {
    let signed = |kid: &str, entries: Vec<Object>| {
        ask_of(
            Token::of(&header(kid), &claims()).compact(),
            &discovery_with(entries).text(),
            NOW,
        )
    };
    let both = |kid: &str| signed(kid, vec![jwk(kid, &Key::first().public())]);
    let (long, longer) = ("k".repeat(128), "k".repeat(129));
    let (wide, wider) = ("\u{1f511}".repeat(128), "\u{1f511}".repeat(129));
    for (slug, kid, comment) in [
        ("kid-1-character", "k", "As short as a kid may be."),
        (
            "kid-128-characters",
            long.as_str(),
            "As long as a kid may be.",
        ),
        (
            "kid-128-characters-wide",
            wide.as_str(),
            "128 characters are 256 units of UTF-16 and 512 bytes: characters are counted.",
        ),
        (
            "kid-128-characters-combining",
            "e\u{301}".repeat(64).as_str(),
            "128 code points in 64 letters; nothing is normalized.",
        ),
        (
            "kid-space",
            " ",
            "A space is a character, and nothing is trimmed.",
        ),
    ] {
        cases.valid(
            slug,
            "token.kid.form discovery.keys.usable text.character",
            "another kid in entry and token",
            comment,
            both(kid),
        );
    }
    for (slug, kid, comment) in [
        (
            "kid-129-characters",
            longer.as_str(),
            "One character more than a kid may have, in entry and token.",
        ),
        (
            "kid-129-characters-wide",
            wider.as_str(),
            "129 characters outside of the Basic Multilingual Plane.",
        ),
        ("kid-empty", "", "An empty kid, in entry and token."),
    ] {
        cases.invalid(
            slug,
            "kid-invalid",
            "token.kid.form text.character",
            "another kid in entry and token",
            comment,
            both(kid),
        );
    }
    for (slug, value, comment) in [
        (
            "entry-kid-missing",
            None,
            "An entry without a kid is skipped, and no token can name it.",
        ),
        (
            "entry-kid-number",
            Some("1"),
            "An entry whose kid is no string is skipped.",
        ),
        (
            "entry-kid-null",
            Some("null"),
            "An entry whose kid is no string is skipped.",
        ),
        (
            "entry-kid-array",
            Some("[\"key-1\"]"),
            "An entry whose kid is no string is skipped, though a lax comparison finds the string.",
        ),
        (
            "entry-kid-empty",
            Some("\"\""),
            "An entry with an empty kid is skipped.",
        ),
    ] {
        let entry = match value {
            None => entry().without("kid"),
            Some(value) => entry().set("kid", value),
        };
        let change = value.map_or_else(
            || "without kid".to_owned(),
            |value| format!("kid of the entry: {value}"),
        );
        cases.invalid(
            slug,
            "kid-unknown",
            "token.kid.known discovery.keys.usable",
            &change,
            comment,
            with(entry),
        );
    }
    for (slug, kid, comment) in [
        (
            "entry-kid-upper-case",
            "KEY-1",
            "Kids are compared character for character.",
        ),
        ("entry-kid-trailing-space", "key-1 ", "Nothing is trimmed."),
        (
            "entry-kid-longer",
            "key-10",
            "The kid of the token is only its beginning.",
        ),
    ] {
        cases.invalid(
            slug,
            "kid-unknown",
            "token.kid.known",
            &format!("kid of the entry: {kid:?}"),
            comment,
            with(jwk(kid, &Key::first().public())),
        );
    }
    cases.invalid(
        "entry-kid-normalizes",
        "kid-unknown",
        "token.kid.known",
        "kid of the entry composed, of the token decomposed",
        "The same letter in two forms: nothing is normalized.",
        signed("cle\u{301}", vec![jwk("cl\u{e9}", &Key::first().public())]),
    );
    cases.valid(
        "entry-kid-escaped",
        "token.kid.known",
        "an escape in the kid of the entry",
        "Escapes are another way to write the same string.",
        with(entry().set("kid", "\"\\u006bey-1\"")),
    );
    cases.invalid(
        "withdrawn",
        "kid-unknown",
        "keys.withdrawn token.kid.known",
        "another key only",
        "The key is gone from the newest document, so what it signed is refused.",
        among([jwk("key-2", &Key::second().public())]),
    );
    cases.invalid(
        "none",
        "kid-unknown",
        "token.kid.known discovery.keys.count",
        "no keys at all",
        "A document may have no keys; then no token verifies.",
        among([]),
    );
}

fn neighbours(cases: &mut Cases) {
    let second = Key::second().public();
    let unknown = Object::default()
        .and("kty", "\"urn:example:future\"")
        .and("kid", "\"key-2\"")
        .and("material", "[1]");
    for (slug, neighbour, change, comment) in [
        (
            "beside-unknown-type",
            unknown,
            "an entry of an unknown type before it",
            "An entry of an unknown kind does not spoil its neighbours.",
        ),
        (
            "beside-rsa",
            Object::default()
                .and("kty", "\"RSA\"")
                .and("kid", "\"key-2\"")
                .and("n", "\"AQ\"")
                .and("e", "\"AQAB\""),
            "an RSA key before it",
            "Another type of key does not spoil its neighbours.",
        ),
        (
            "beside-weak",
            jwk("key-2", &[0; 32]),
            "a weak key before it",
            "A weak key does not spoil its neighbours.",
        ),
        (
            "beside-malformed",
            jwk("key-2", &second[..31]),
            "a key of 31 bytes before it",
            "A broken key does not spoil its neighbours.",
        ),
        (
            "beside-no-kid",
            jwk("key-2", &second).without("kid"),
            "a key without kid before it",
            "An entry that is skipped does not spoil its neighbours.",
        ),
        (
            "beside-empty-object",
            Object::default(),
            "an empty object before it",
            "An entry that says nothing is skipped.",
        ),
        (
            "beside-long-kid",
            jwk(&"k".repeat(129), &second),
            "a kid of 129 characters before it",
            "An entry that is skipped does not spoil its neighbours.",
        ),
        (
            "beside-same-key",
            jwk("key-2", &Key::first().public()),
            "the same key under another kid before it",
            "One key may have two names.",
        ),
    ] {
        cases.valid(
            slug,
            "discovery.keys.usable",
            change,
            comment,
            among([neighbour, entry()]),
        );
    }
    for (slug, name, value, comment) in [
        (
            "unknown-member",
            "urn:example:member",
            "{\"a\":[1]}",
            "A member that the text does not name is ignored.",
        ),
        (
            "x5c",
            "x5c",
            "[\"AA==\"]",
            "So is a certificate in an entry.",
        ),
        (
            "y",
            "y",
            "\"AA\"",
            "So is a second coordinate, which this curve has not.",
        ),
        (
            "ext",
            "ext",
            "true",
            "So is a member of another specification.",
        ),
        (
            "private-upper-case",
            "D",
            "\"AA\"",
            "Names have a case: this is no private key.",
        ),
    ] {
        cases.valid(
            slug,
            "json.unknown-member discovery.keys.usable",
            &format!("{name}: {value}"),
            comment,
            with(entry().and(name, value)),
        );
    }
    cases.valid(
        "reversed",
        "discovery.keys.usable",
        "members in reverse order",
        "Members of an object have no order.",
        with(entry().reversed()),
    );
    let many = |count: usize| {
        let others = (1..count).map(|number| {
            jwk(
                &format!("other-{number}"),
                &Key::named(&format!("other {number}")).public(),
            )
        });
        among(others.chain([entry()]))
    };
    cases.valid(
        "32-keys",
        "discovery.keys.count",
        "31 entries before it",
        "As many as a document may have, and the last one is used.",
        many(32),
    );
    cases.invalid(
        "33-keys",
        "keys-too-many",
        "discovery.keys.count",
        "32 entries before it",
        "One too many: the document is refused, and with it the token.",
        many(33),
    );
}

fn order(cases: &mut Cases) {
    for (slug, code, change, comment, entry) in [
        (
            "order-type-before-use",
            "key-wrong-type",
            "crv X25519 and use enc",
            "The type is tested before the use.",
            entry().set("crv", "\"X25519\"").and("use", "\"enc\""),
        ),
        (
            "order-use-before-alg",
            "key-wrong-use",
            "use enc and alg ES256",
            "The use is tested before alg.",
            entry().and("use", "\"enc\"").and("alg", "\"ES256\""),
        ),
        (
            "order-alg-before-x",
            "key-wrong-alg",
            "alg ES256 and no x",
            "alg is tested before x.",
            entry().and("alg", "\"ES256\"").without("x"),
        ),
        (
            "order-x-before-weak",
            "key-malformed",
            "32 zero bytes, padded",
            "The form of x is tested before what it decodes to.",
            entry().set("x", quoted(&format!("{}=", base64url(&[0; 32])))),
        ),
    ] {
        cases.invalid(
            slug,
            code,
            "discovery.keys.usable",
            change,
            comment,
            with(entry),
        );
    }
}
