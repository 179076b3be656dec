//! What makes an entry usable.

use super::{entry, with};
use crate::generate::build::{base64url, jwk, quoted};
use crate::generate::cases::Cases;
use crate::generate::curve::{
    Key, SMALL_ORDER, SMALL_ORDER_NONCANONICAL, grind, is_on_curve, y_high,
};

pub(super) fn add(cases: &mut Cases) {
    types(cases);
    uses(cases);
    algs(cases);
    x(cases);
    weak(cases);
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
