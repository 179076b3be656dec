//! Keys of a discovery document (§4.2): an untouched token, and the entry that it names.

use super::build::{
    ISSUER, NOW, Object, Token, array, ask_of, base64url, claims, discovery, discovery_with,
    header, jwk, quoted,
};
use super::cases::{Cases, input};
use super::curve::{Key, SMALL_ORDER, SMALL_ORDER_NONCANONICAL, grind, is_on_curve, y_high};
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
    types(&mut cases);
    uses(&mut cases);
    algs(&mut cases);
    x(&mut cases);
    weak(&mut cases);
    kids(&mut cases);
    neighbours(&mut cases);
    order(&mut cases);
    documents(&mut cases);
    cases.into_file()
}

fn types(cases: &mut Cases) {
    for (slug, name, value, comment) in [
        ("kty-ec", "kty", "\"EC\"", "Another type of key."),
        ("kty-rsa", "kty", "\"RSA\"", "Another type of key."),
        (
            "kty-oct",
            "kty",
            "\"oct\"",
            "A symmetric key is no public key.",
        ),
        ("kty-lower-case", "kty", "\"okp\"", "Names have a case."),
        ("kty-null", "kty", "null", "Null is not OKP."),
        ("kty-number", "kty", "1", "A number is not OKP."),
        (
            "crv-x25519",
            "crv",
            "\"X25519\"",
            "The curve of key agreement, also with 32 bytes.",
        ),
        ("crv-ed448", "crv", "\"Ed448\"", "Another curve."),
        ("crv-lower-case", "crv", "\"ed25519\"", "Names have a case."),
        (
            "crv-p-256",
            "crv",
            "\"P-256\"",
            "A curve of another type of key.",
        ),
        ("crv-null", "crv", "null", "Null is not Ed25519."),
        (
            "crv-array",
            "crv",
            "[\"Ed25519\"]",
            "An array is not Ed25519.",
        ),
    ] {
        cases.invalid(
            slug,
            "key-wrong-type",
            "discovery.keys.usable token.kid.usable",
            &format!("{name}: {value}"),
            comment,
            with(entry().set(name, value)),
        );
    }
    for name in ["kty", "crv"] {
        cases.invalid(
            &format!("{name}-missing"),
            "key-wrong-type",
            "discovery.keys.usable token.kid.usable",
            &format!("without {name}"),
            "No default stands in.",
            with(entry().without(name)),
        );
    }
}

fn uses(cases: &mut Cases) {
    for (slug, name, value) in [
        ("use-sig", "use", "\"sig\""),
        ("key-ops-verify", "key_ops", "[\"verify\"]"),
        (
            "key-ops-sign-and-verify",
            "key_ops",
            "[\"sign\",\"verify\"]",
        ),
        ("key-ops-number-and-verify", "key_ops", "[1,\"verify\"]"),
    ] {
        cases.valid(
            slug,
            "discovery.keys.usable",
            &format!("{name}: {value}"),
            "A use that allows to verify.",
            with(entry().and(name, value)),
        );
    }
    for (slug, name, value, comment) in [
        ("use-enc", "use", "\"enc\"", "A key for encryption."),
        ("use-upper-case", "use", "\"SIG\"", "Names have a case."),
        ("use-empty", "use", "\"\"", "An empty string is not sig."),
        ("use-null", "use", "null", "Null is not absent."),
        ("use-array", "use", "[\"sig\"]", "An array is not sig."),
        (
            "key-ops-sign",
            "key_ops",
            "[\"sign\"]",
            "A key to sign with, and not to verify.",
        ),
        (
            "key-ops-empty",
            "key_ops",
            "[]",
            "A key that nothing may be done with.",
        ),
        (
            "key-ops-string",
            "key_ops",
            "\"verify\"",
            "A string is not an array, though it holds the letters.",
        ),
        ("key-ops-null", "key_ops", "null", "Null is not absent."),
        (
            "key-ops-upper-case",
            "key_ops",
            "[\"Verify\"]",
            "Names have a case.",
        ),
        (
            "key-ops-nested",
            "key_ops",
            "[[\"verify\"]]",
            "An array in the array is not the string.",
        ),
        (
            "key-ops-object",
            "key_ops",
            "{\"verify\":true}",
            "An object is not an array.",
        ),
    ] {
        cases.invalid(
            slug,
            "key-wrong-use",
            "discovery.keys.usable token.kid.usable",
            &format!("{name}: {value}"),
            comment,
            with(entry().and(name, value)),
        );
    }
}

fn algs(cases: &mut Cases) {
    cases.valid(
        "alg-eddsa",
        "discovery.keys.usable",
        "alg: EdDSA",
        "The algorithm of tokens.",
        with(entry().and("alg", "\"EdDSA\"")),
    );
    for (slug, value, comment) in [
        (
            "ed25519",
            "\"Ed25519\"",
            "The newer name of RFC 9864: this version has one name for one algorithm.",
        ),
        (
            "es256",
            "\"ES256\"",
            "A key that may be used with one algorithm only is used with no other: RFC 8725 §3.1.",
        ),
        ("lower-case", "\"eddsa\"", "Names have a case."),
        ("null", "null", "Null is not absent."),
        ("array", "[\"EdDSA\"]", "An array is not EdDSA."),
    ] {
        cases.invalid(
            &format!("alg-{slug}"),
            "key-wrong-alg",
            "discovery.keys.usable token.kid.usable",
            &format!("alg: {value}"),
            comment,
            with(entry().and("alg", value)),
        );
    }
}

fn x(cases: &mut Cases) {
    let public = Key::first().public();
    let text = base64url(&public);
    let (all_but_last, last) = text.split_at(text.len() - 1);
    let next = char::from(last.as_bytes().first().copied().unwrap_or_default() + 1);
    // 32 bytes leave two bits of the last character unused, so that it is one of every fourth of the alphabet, and the
    // character after it in the alphabet is the same with a bit set.
    let trailing = format!("{all_but_last}{next}");
    let padded = format!("{text}=");
    let spaced = format!("{text} ");
    let hex: String = public.iter().map(|byte| format!("{byte:02x}")).collect();
    let short = base64url(&public[..31]);
    let long = base64url(&[&public[..], b"\0"].concat());
    let standard = format!("+{}", &text[1..]);
    let broken = format!("{}\n{}", &text[..20], &text[20..]);
    for (slug, value, comment) in [
        ("x-31-bytes", short.as_str(), "A byte is missing."),
        (
            "x-33-bytes",
            long.as_str(),
            "A byte too many, though the first 32 are the key.",
        ),
        (
            "x-padded",
            padded.as_str(),
            "Base64url here has no padding.",
        ),
        (
            "x-trailing-bits",
            trailing.as_str(),
            "An unused bit of the last character is set: a lenient decoder finds the same key.",
        ),
        (
            "x-standard-alphabet",
            standard.as_str(),
            "A plus sign is of base64, and not of base64url.",
        ),
        ("x-trailing-space", spaced.as_str(), "Nothing is trimmed."),
        (
            "x-line-feed",
            broken.as_str(),
            "Lenient decoders skip line ends.",
        ),
        (
            "x-hexadecimal",
            hex.as_str(),
            "64 hexadecimal digits decode to 48 bytes.",
        ),
        ("x-empty", "", "No bytes at all."),
        (
            "x-44-characters",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "33 bytes, all zero.",
        ),
        (
            "x-41-characters",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "No number of bytes encodes to such a length.",
        ),
    ] {
        cases.invalid(
            slug,
            "key-malformed",
            "discovery.keys.usable token.kid.usable",
            &format!("x: {}", value.escape_debug()),
            comment,
            with(entry().set("x", quoted(value))),
        );
    }
    for (slug, value) in [("x-number", "1"), ("x-null", "null"), ("x-array", "[]")] {
        cases.invalid(
            slug,
            "key-malformed",
            "discovery.keys.usable token.kid.usable",
            &format!("x: {value}"),
            "Not a string, so not base64url.",
            with(entry().set("x", value)),
        );
    }
    cases.invalid(
        "x-missing",
        "key-malformed",
        "discovery.keys.usable token.kid.usable",
        "without x",
        "The key itself is missing.",
        with(entry().without("x")),
    );
}

fn weak(cases: &mut Cases) {
    for (name, public) in SMALL_ORDER.into_iter().chain(SMALL_ORDER_NONCANONICAL) {
        cases.invalid(
            &format!("weak-{name}"),
            "key-weak",
            "discovery.keys.usable token.signature.point",
            &format!("a key of small order ({name})"),
            "Nobody needs a secret to sign under such a key, so it is found before any signature is looked at.",
            with(jwk("key-1", &public)),
        );
    }
    for (slug, public, comment) in [
        (
            "weak-y-p-plus-2",
            y_high(0xef, 0x7f),
            "Not canonical: y is not less than p.",
        ),
        (
            "weak-y-2-to-the-255-minus-1",
            y_high(0xff, 0xff),
            "All bits set: the largest y, and the sign.",
        ),
    ] {
        cases.invalid(
            slug,
            "key-weak",
            "discovery.keys.usable token.signature.point",
            "a key that is not canonical",
            comment,
            with(jwk("key-1", &public)),
        );
    }
    let no_point = grind(|number| {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&(number + 2).to_le_bytes());
        (!is_on_curve(&bytes)).then_some(bytes)
    });
    for (slug, public, comment) in [
        (
            "no-point",
            no_point,
            "The bytes pass every test of the document, and no point has this y: the signature is what fails.",
        ),
        (
            "y-p-minus-2",
            y_high(0xeb, 0x7f),
            "The largest y that is canonical and not of small order: usable, and it did not sign this.",
        ),
        (
            "other-key",
            Key::second().public(),
            "A sound key that did not sign this.",
        ),
    ] {
        cases.invalid(
            slug,
            "signature-invalid",
            "token.signature.equation token.signature.point",
            "another key under the kid",
            comment,
            with(jwk("key-1", &public)),
        );
    }
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

/// Faults that spoil the document, asked for as documents.
fn documents(cases: &mut Cases) {
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
