//! §6.2: the members of the header.

use crate::generate::build::{Object, Token, ask, base64url, claims, header};
use crate::generate::cases::Cases;
use crate::generate::curve::Key;

/// The plain token with another header, signed as it stands.
fn with(header: &Object) -> String {
    Token::of(header, &claims()).compact()
}

fn plain() -> Object {
    header("key-1")
}

pub(super) fn add(cases: &mut Cases) {
    cases.invalid(
        "header-duplicate-alg",
        "header-duplicate-member",
        "json.duplicate token.header.json",
        "alg twice, first none",
        "A reader that keeps the first and one that keeps the last see different tokens.",
        ask(with(&plain().first("alg", "\"none\""))),
    );
    cases.invalid(
        "header-duplicate-kid-escaped",
        "header-duplicate-member",
        "json.duplicate token.header.json",
        "kid twice, once with an escape in its name",
        "The names are equal once the escape is resolved.",
        ask(with(&plain().and("k\\u0069d", "\"key-1\""))),
    );
    alg(cases);
    refused_members(cases);
    typ(cases);
    kid(cases);
    unknown(cases);
}

fn alg(cases: &mut Cases) {
    cases.valid(
        "alg-escaped",
        "token.alg",
        "alg written with escapes",
        "Escapes are another way to write the same string.",
        ask(with(
            &plain()
                .renamed("alg", "\\u0061lg")
                .set("\\u0061lg", "\"\\u0045dDSA\""),
        )),
    );
    cases.invalid(
        "alg-missing",
        "alg-missing",
        "token.alg.missing",
        "without alg",
        "A header without alg says nothing, and no default stands in.",
        ask(with(&plain().without("alg"))),
    );
    cases.invalid(
        "alg-name-upper-case",
        "alg-missing",
        "token.alg.missing",
        "ALG instead of alg",
        "Names of members have a case: there is no alg here.",
        ask(with(&plain().renamed("alg", "ALG"))),
    );
    for (slug, value, comment) in [
        (
            "none",
            "\"none\"",
            "The unsecured algorithm, with a genuine signature beside it.",
        ),
        (
            "none-title-case",
            "\"None\"",
            "A list of forbidden names forgets this one.",
        ),
        ("none-upper-case", "\"NONE\"", "And this one."),
        ("none-mixed-case", "\"nOnE\"", "And this one."),
        ("none-trailing-space", "\"none \"", "And this one."),
        ("empty", "\"\"", "An empty name is no algorithm."),
        (
            "lower-case",
            "\"eddsa\"",
            "Names of algorithms have a case.",
        ),
        ("trailing-space", "\"EdDSA \"", "Names are not trimmed."),
        (
            "trailing-nul",
            "\"EdDSA\\u0000\"",
            "The end for a reader of C strings.",
        ),
        (
            "homoglyph",
            "\"\u{415}dDSA\"",
            "The first letter is Cyrillic.",
        ),
        (
            "ed25519",
            "\"Ed25519\"",
            "The newer name of RFC 9864: this version has one name for one algorithm.",
        ),
        ("ed448", "\"Ed448\"", "Another curve."),
        (
            "ed25519ph",
            "\"Ed25519ph\"",
            "Another variant of the signature.",
        ),
        (
            "es256",
            "\"ES256\"",
            "Another algorithm, claimed for an Ed25519 signature.",
        ),
        (
            "rs256",
            "\"RS256\"",
            "Another algorithm, claimed for an Ed25519 signature.",
        ),
        (
            "null",
            "null",
            "Null is not the string EdDSA, and not a missing member either.",
        ),
        ("number", "1", "A number is not a string."),
        ("true", "true", "A truth value is not a string."),
        (
            "array",
            "[\"EdDSA\"]",
            "An array that holds the right name is not the right name.",
        ),
        ("object", "{\"EdDSA\":1}", "An object is not a string."),
    ] {
        cases.invalid(
            &format!("alg-{slug}"),
            "alg-not-allowed",
            "token.alg",
            &format!(
                "alg: {}",
                value.escape_debug().to_string().replace("\\\"", "\"")
            ),
            comment,
            ask(with(&plain().set("alg", value))),
        );
    }
    hmac(cases);
}

/// The public key as secret of a MAC: whoever takes `alg` from the token verifies with what everybody knows.
fn hmac(cases: &mut Cases) {
    let public = Key::first().public();
    let text = base64url(&public);
    for (slug, secret, what) in [
        (
            "hs256-raw-key",
            &public[..],
            "the 32 bytes of the public key",
        ),
        ("hs256-key-text", text.as_bytes(), "the text of x"),
        ("hs256-no-secret", b"", "an empty secret"),
    ] {
        let token = Token::plain().header(plain().set("alg", "\"HS256\"").text());
        let mac = hmac_sha256(secret, token.signing_input().as_bytes());
        cases.invalid(
            &format!("alg-{slug}"),
            "alg-not-allowed",
            "token.alg",
            &format!("HMAC with {what}"),
            "The classic confusion: a verifier that takes the algorithm from the token uses the public key as the secret of a MAC.",
            ask(token.with_signature(&mac)),
        );
    }
}

/// RFC 2104, for secrets of at most one block.
fn hmac_sha256(secret: &[u8], message: &[u8]) -> [u8; 32] {
    use sha2::{Digest as _, Sha256};

    let block = |filler: u8| {
        let mut block = [filler; 64];
        for (place, byte) in block.iter_mut().zip(secret) {
            *place ^= byte;
        }
        block
    };
    let inner = Sha256::new()
        .chain_update(block(0x36))
        .chain_update(message)
        .finalize();
    Sha256::new()
        .chain_update(block(0x5c))
        .chain_update(inner)
        .finalize()
        .into()
}

fn refused_members(cases: &mut Cases) {
    for (slug, value, comment) in [
        (
            "crit-unknown",
            "[\"urn:example:extension\"]",
            "An extension that nobody knows has to be refused: RFC 7515 §4.1.11.",
        ),
        (
            "crit-empty",
            "[]",
            "RFC 7515 forbids an empty list, and the text any list.",
        ),
        ("crit-null", "null", "Whatever its value: null as well."),
        (
            "crit-string",
            "\"exp\"",
            "Whatever its value: a string as well.",
        ),
        (
            "crit-alg",
            "[\"alg\"]",
            "It names what everybody understands, which RFC 7515 forbids.",
        ),
        (
            "crit-false",
            "false",
            "A reader that asks whether the value is true sees nothing.",
        ),
    ] {
        cases.invalid(
            slug,
            "crit-unsupported",
            "token.crit",
            &format!("crit: {value}"),
            comment,
            ask(with(&plain().and("crit", value))),
        );
    }
    for (slug, value, comment) in [
        (
            "b64-false",
            "false",
            "RFC 7797 without the crit that it asks for.",
        ),
        (
            "b64-true",
            "true",
            "The default of RFC 7797 changes nothing, and is refused all the same.",
        ),
        ("b64-null", "null", "Whatever its value."),
        ("b64-string", "\"false\"", "Whatever its value."),
    ] {
        cases.invalid(
            slug,
            "b64-unsupported",
            "token.b64",
            &format!("b64: {value}"),
            comment,
            ask(with(&plain().and("b64", value))),
        );
    }
    let attacker = Key::named("attacker");
    let jwk = crate::generate::build::jwk("key-1", &attacker.public()).text();
    let jwk_header = plain().and("jwk", jwk);
    cases.invalid(
        "jwk-of-attacker",
        "header-key-material",
        "token.key-material",
        "an own key in the header, and its signature",
        "A key that comes with the token proves nothing.",
        ask(Token::of(&jwk_header, &claims()).key(attacker).compact()),
    );
    for (name, value, comment) in [
        (
            "jwk",
            "{}",
            "An empty key in the header, beside a genuine signature.",
        ),
        (
            "jku",
            "\"https://attacker.example/keys\"",
            "A place of keys that a client would have to fetch.",
        ),
        (
            "x5u",
            "\"https://attacker.example/cert\"",
            "A place of a certificate.",
        ),
        ("x5c", "[\"AA==\"]", "A certificate."),
        ("jku-null", "null", "Whatever its value."),
    ] {
        let member = name.trim_end_matches("-null");
        cases.invalid(
            name,
            "header-key-material",
            "token.key-material",
            &format!("{member}: {value}"),
            comment,
            ask(with(&plain().and(member, value))),
        );
    }
    for (slug, value) in [
        ("cty-jwt", "\"JWT\""),
        ("cty-json", "\"json\""),
        ("cty-null", "null"),
    ] {
        cases.invalid(
            slug,
            "cty-unsupported",
            "token.cty",
            &format!("cty: {value}"),
            "The payload of a token is claims and nothing else, so its type is not stated.",
            ask(with(&plain().and("cty", value))),
        );
    }
}

fn typ(cases: &mut Cases) {
    cases.valid(
        "typ-jwt",
        "token.typ",
        "typ: JWT",
        "The one value that typ may have.",
        ask(with(&plain().and("typ", "\"JWT\""))),
    );
    for (slug, value, comment) in [
        (
            "lower-case",
            "\"jwt\"",
            "RFC 7519 recommends upper case, and the text has nothing else.",
        ),
        (
            "access-token",
            "\"at+jwt\"",
            "A token of another kind must not pass for this one.",
        ),
        (
            "media-type",
            "\"application/jwt\"",
            "The long form of a media type.",
        ),
        ("empty", "\"\"", "An empty string is not JWT."),
        ("null", "null", "Null is not absent."),
        ("number", "1", "A number is not a string."),
        ("array", "[\"JWT\"]", "An array is not a string."),
    ] {
        cases.invalid(
            &format!("typ-{slug}"),
            "typ-not-allowed",
            "token.typ",
            &format!("typ: {value}"),
            comment,
            ask(with(&plain().and("typ", value))),
        );
    }
}

fn kid(cases: &mut Cases) {
    cases.valid(
        "kid-escaped",
        "token.kid.known",
        "an escape in the kid",
        "Escapes are another way to write the same string.",
        ask(with(&plain().set("kid", "\"k\\u0065y-1\""))),
    );
    cases.invalid(
        "kid-missing",
        "kid-missing",
        "token.kid.missing",
        "without kid",
        "There is only one key, and still it has to be named.",
        ask(with(&plain().without("kid"))),
    );
    for (slug, value, comment) in [
        ("empty", "\"\"", "A kid has at least one character."),
        ("number", "1", "A kid is a string."),
        (
            "null",
            "null",
            "Null is a value, so the member is not missing.",
        ),
        ("true", "true", "A kid is a string."),
        (
            "array",
            "[\"key-1\"]",
            "An array that holds the right kid is not the right kid.",
        ),
        ("object", "{}", "A kid is a string."),
    ] {
        cases.invalid(
            &format!("kid-{slug}"),
            "kid-invalid",
            "token.kid.form",
            &format!("kid: {value}"),
            comment,
            ask(with(&plain().set("kid", value))),
        );
    }
    for (slug, value, comment) in [
        ("unknown", "\"key-9\"", "No entry has this kid."),
        (
            "upper-case",
            "\"KEY-1\"",
            "Kids are compared character for character.",
        ),
        ("trailing-space", "\"key-1 \"", "Kids are not trimmed."),
        (
            "trailing-nul",
            "\"key-1\\u0000\"",
            "The end for a reader of C strings.",
        ),
        ("prefix", "\"key\"", "The start of a kid is not the kid."),
        ("path", "\"../../key-1\"", "A kid is not a path."),
        (
            "sql",
            "\"key-1' OR '1'='1\"",
            "A kid is not part of a query.",
        ),
        (
            "url",
            "\"https://attacker.example/key\"",
            "A kid is not fetched.",
        ),
        (
            "full-width",
            "\"\u{ff4b}ey-1\"",
            "A character that normalizes to the right one is not the right one.",
        ),
        (
            "proto",
            "\"__proto__\"",
            "A name that every JavaScript object answers to.",
        ),
        ("constructor", "\"constructor\"", "So is this."),
    ] {
        cases.invalid(
            &format!("kid-{slug}"),
            "kid-unknown",
            "token.kid.known",
            &format!(
                "kid: {}",
                value
                    .escape_debug()
                    .to_string()
                    .replace("\\\"", "\"")
                    .replace("\\'", "'")
            ),
            comment,
            ask(with(&plain().set("kid", value))),
        );
    }
}

fn unknown(cases: &mut Cases) {
    for (slug, name, value, comment) in [
        (
            "unknown",
            "urn:example:member",
            "{\"a\":[1]}",
            "A member that the text does not name is ignored.",
        ),
        (
            "alg-beside-upper-case",
            "ALG",
            "\"none\"",
            "A member whose name differs in case is another, and ignored.",
        ),
        (
            "proto",
            "__proto__",
            "{\"crit\":[\"a\"]}",
            "A reader that builds JavaScript objects must not find a crit here.",
        ),
        (
            "zip",
            "zip",
            "\"DEF\"",
            "Compression is of encrypted tokens; here the member means nothing, and the payload is as it is.",
        ),
        (
            "x5t",
            "x5t",
            "\"AA\"",
            "A digest of a certificate is no key material that the text names.",
        ),
    ] {
        cases.valid(
            &format!("header-member-{slug}"),
            "token.header.unknown",
            &format!("{name}: {value}"),
            comment,
            ask(with(&plain().and(name, value))),
        );
    }
    cases.valid(
        "header-reversed",
        "token.header.unknown",
        "kid before alg",
        "Members of an object have no order.",
        ask(with(&plain().reversed())),
    );
}
