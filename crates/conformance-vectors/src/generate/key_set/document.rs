//! Keys for which the whole document is refused.

use super::{among, entry};
use crate::generate::build::{ISSUER, Object, array, discovery, jwk};
use crate::generate::cases::{Cases, input};
use crate::generate::curve::Key;
use crate::model::Operation;

/// Faults that spoil the document, asked for as documents.
pub(super) fn add(cases: &mut Cases) {
    cases.invalid(
        "private-in-token",
        "key-private",
        "discovery.keys.private",
        "another entry with a member d",
        "The document is refused, so the token of its sound key is too.",
        among([
            entry(),
            jwk("key-2", &Key::second().public()).and("d", "\"AA\""),
        ]),
    );
    let document = |entries: Vec<Vec<u8>>| {
        let document = discovery().set("keys", array(entries)).text();
        input([("document", &document), ("issuer", ISSUER.as_bytes())])
    };
    let two = |first: Object, second: Object| document(vec![first.text(), second.text()]);
    let sibling = || jwk("key-2", &Key::second().public());
    cases.operation(Operation::Discovery);
    cases.base(
        "two-keys",
        "discovery.keys.kid-unique",
        "A document with two keys, for the vectors that change one of them.",
        two(entry(), sibling()),
    );
    for name in ["d", "k", "p", "q", "dp", "dq", "qi", "oth"] {
        cases.invalid(
            &format!("private-{name}"),
            "key-private",
            "discovery.keys.private",
            &format!("a member {name} in the second entry"),
            "A member of private or symmetric keys: the document is refused, so that somebody notices.",
            two(entry(), sibling().and(name, "\"AA\"")),
        );
    }
    for (slug, change, comment, other) in [
        (
            "private-null",
            "d: null",
            "The member is there, whatever its value.",
            sibling().and("d", "null"),
        ),
        (
            "private-empty",
            "d: an empty string",
            "The member is there, whatever its value.",
            sibling().and("d", "\"\""),
        ),
        (
            "private-of-unknown-type",
            "an oct key with its k",
            "Also in an entry that no token can use.",
            Object::default()
                .and("kty", "\"oct\"")
                .and("kid", "\"key-2\"")
                .and("k", "\"AA\""),
        ),
        (
            "private-without-kid",
            "d in an entry without kid",
            "Also in an entry that is skipped.",
            sibling().without("kid").and("d", "\"AA\""),
        ),
        (
            "private-escaped",
            "d with an escape in its name",
            "The name is d once the escape is resolved.",
            sibling().and("\\u0064", "\"AA\""),
        ),
    ] {
        cases.invalid(
            slug,
            "key-private",
            "discovery.keys.private",
            change,
            comment,
            two(entry(), other),
        );
    }
    cases.valid(
        "private-nested",
        "discovery.keys.private",
        "a member d inside an unknown member",
        "Only members of the entry itself count.",
        two(entry(), sibling().and("ext", "{\"d\":\"AA\"}")),
    );
    for (slug, change, comment, other) in [
        (
            "kid-twice",
            "the second entry has the kid of the first",
            "A token that names it could mean either.",
            jwk("key-1", &Key::second().public()),
        ),
        (
            "kid-twice-same-key",
            "the first entry twice",
            "Also when nothing hangs on it.",
            entry(),
        ),
        (
            "kid-twice-escaped",
            "the same kid, once with an escape",
            "Equal once the escape is resolved.",
            sibling().set("kid", "\"key\\u002d1\""),
        ),
        (
            "kid-twice-unusable",
            "an RSA key with the same kid",
            "Also when only one of them is usable.",
            Object::default()
                .and("kty", "\"RSA\"")
                .and("kid", "\"key-1\""),
        ),
    ] {
        cases.invalid(
            slug,
            "kid-ambiguous",
            "discovery.keys.kid-unique",
            change,
            comment,
            two(entry(), other),
        );
    }
    let both = |kid: &str| two(entry().set("kid", kid), sibling().set("kid", kid));
    cases.invalid(
        "kid-twice-empty",
        "kid-ambiguous",
        "discovery.keys.kid-unique",
        "both kids empty",
        "The same string twice, though both entries are skipped.",
        both("\"\""),
    );
    cases.valid(
        "kid-number-twice",
        "discovery.keys.kid-unique",
        "both kids the number 1",
        "No strings, so not the same string: both are skipped.",
        both("1"),
    );
    cases.valid(
        "kid-differs-in-case",
        "discovery.keys.kid-unique",
        "kids that differ in case",
        "Different strings.",
        two(entry(), jwk("KEY-1", &Key::second().public())),
    );
    cases.valid(
        "kid-missing-twice",
        "discovery.keys.kid-unique",
        "both without kid",
        "No strings at all: both are skipped.",
        two(entry().without("kid"), sibling().without("kid")),
    );
    for (slug, value) in [
        ("string", "\"key\""),
        ("null", "null"),
        ("array", "[]"),
        ("number", "1"),
        ("true", "true"),
    ] {
        cases.invalid(
            &format!("entry-{slug}"),
            "member-type",
            "discovery.key-type",
            &format!("the second entry: {value}"),
            "An entry is an object, or the document is refused.",
            document(vec![entry().text(), value.into()]),
        );
    }
}
