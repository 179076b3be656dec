//! §6.3, as far as a token shows it; single signatures are a file of their own.

use sha2::{Digest as _, Sha256};

use crate::generate::build::{
    ISSUER, NOW, Token, ask, ask_of, claims, discovery_with, header, jwk,
};
use crate::generate::cases::Cases;
use crate::generate::curve::{Key, add_l, dom2, join, nonce, y};
use curve25519_dalek::edwards::EdwardsPoint;

pub(super) fn add(cases: &mut Cases) {
    let token = Token::plain();
    let honest = token.signature();
    let message = token.signing_input();
    length(cases, &token, &honest);
    bytes(cases, &token, &honest);
    let mut bad = |slug: &str, change: &str, comment: &str, signature: &[u8]| {
        cases.invalid(
            slug,
            "signature-invalid",
            "token.signature.equation",
            change,
            comment,
            ask(token.with_signature(signature)),
        );
    };
    let flip = |place: usize, bit: u8| {
        let mut signature = honest;
        signature[place] ^= bit;
        signature
    };
    bad(
        "signature-flip-first-of-r",
        "the lowest bit of R",
        "One bit of R is changed.",
        &flip(0, 1),
    );
    bad(
        "signature-flip-sign-of-r",
        "the highest bit of R",
        "R with the other sign of x.",
        &flip(31, 0x80),
    );
    bad(
        "signature-flip-first-of-s",
        "the lowest bit of S",
        "One bit of S is changed.",
        &flip(32, 1),
    );
    let key = Key::first();
    bad(
        "signature-of-attacker",
        "signed by another key",
        "A genuine signature of somebody else.",
        &Key::named("attacker").sign(message.as_bytes()),
    );
    bad(
        "signature-ph",
        "Ed25519ph",
        "The variant that signs a digest of the message, with its prefix.",
        &key.sign_variant(&dom2(1, b""), &sha512(message.as_bytes())),
    );
    bad(
        "signature-ctx",
        "Ed25519ctx",
        "The variant with a context.",
        &key.sign_variant(&dom2(0, b"token"), message.as_bytes()),
    );
    bad(
        "signature-ctx-empty",
        "Ed25519ctx with an empty context",
        "The variant with its prefix and nothing in it.",
        &key.sign_variant(&dom2(0, b""), message.as_bytes()),
    );
    bad(
        "signature-of-payload",
        "over the payload only",
        "The header is signed too, or it could be exchanged.",
        &key.sign(message.split('.').nth(1).unwrap_or_default().as_bytes()),
    );
    bad(
        "signature-of-decoded",
        "over header and payload before encoding",
        "The signed bytes are those of the token, not what they decode to.",
        &key.sign(&[&token.header[..], b".", &token.payload].concat()),
    );
    bad(
        "signature-of-digest",
        "over the SHA-256 digest",
        "Ed25519 signs the bytes themselves.",
        &key.sign(&Sha256::digest(message.as_bytes())),
    );
    bad(
        "signature-of-whole",
        "over the bytes and a final dot",
        "A dot stands between two segments, and nowhere else.",
        &key.sign(format!("{message}.").as_bytes()),
    );
    splices(cases, &honest);
    keys(cases);
}

fn sha512(bytes: &[u8]) -> Vec<u8> {
    sha2::Sha512::digest(bytes).to_vec()
}

fn length(cases: &mut Cases, token: &Token, honest: &[u8; 64]) {
    let hex: String = honest.iter().map(|byte| format!("{byte:02x}")).collect();
    let long = [&honest[..], b"\0"].concat();
    for (slug, change, comment, signature) in [
        (
            "63-bytes",
            "without its last byte",
            "One byte too short.",
            &honest[..63],
        ),
        (
            "65-bytes",
            "one zero byte more",
            "One byte too long, though the first 64 would verify.",
            &long[..],
        ),
        (
            "32-bytes",
            "without S",
            "Half of a signature.",
            &honest[..32],
        ),
        (
            "96-bytes",
            "R once more at the end",
            "Another half behind it.",
            &[&honest[..], &honest[..32]].concat(),
        ),
        (
            "hexadecimal",
            "in hexadecimal",
            "128 characters of text, encoded.",
            hex.as_bytes(),
        ),
    ] {
        cases.invalid(
            &format!("signature-{slug}"),
            "signature-length",
            "token.signature.length",
            change,
            comment,
            ask(token.with_signature(signature)),
        );
    }
}

fn bytes(cases: &mut Cases, token: &Token, honest: &[u8; 64]) {
    let mut r = [0; 32];
    r.copy_from_slice(&honest[..32]);
    let s = &honest[32..];
    for (slug, code, rules, change, comment, signature) in [
        (
            "s-plus-l",
            "signature-noncanonical",
            "token.signature.s",
            "S plus L",
            "The equation holds as before: whoever does not check the range lets anybody make a second token.",
            join(r, add_l(s, 1)),
        ),
        (
            "s-all-ff",
            "signature-noncanonical",
            "token.signature.s",
            "S of bytes 0xff",
            "Far out of range.",
            join(r, [0xff; 32]),
        ),
        (
            "r-small-order",
            "signature-small-order",
            "token.signature.r",
            "R of order 1",
            "The neutral element as R.",
            join(y([1], 0), honest_s(s)),
        ),
        (
            "r-small-order-and-s-plus-l",
            "signature-noncanonical",
            "token.signature.s token.signature.r token.order",
            "R of order 1, S plus L",
            "Two faults: the range of S is checked before R.",
            join(y([1], 0), add_l(s, 1)),
        ),
        (
            "all-zero",
            "signature-small-order",
            "token.signature.r",
            "64 zero bytes",
            "R of order 4 and S zero: what an unset buffer holds.",
            [0; 64],
        ),
        (
            "r-noncanonical",
            "signature-noncanonical",
            "token.signature.r",
            "R of order 1 with the sign of x",
            "An encoding of minus zero.",
            join(y([1], 0x80), honest_s(s)),
        ),
    ] {
        cases.invalid(
            &format!("signature-{slug}"),
            code,
            rules,
            change,
            comment,
            ask(token.with_signature(&signature)),
        );
    }
    // SB - kA is the neutral element, so for a verifier without the check of R this token is genuine.
    let key = Key::first();
    let k = crate::generate::curve::challenge(
        &y([1], 0),
        &key.public(),
        token.signing_input().as_bytes(),
    );
    cases.invalid(
        "signature-r-small-order-equation-holds",
        "signature-small-order",
        "token.signature.r",
        "R of order 1, and the S that fits",
        "The equation holds, so only the check of R refuses it.",
        ask(token.with_signature(&join(y([1], 0), (k * key.scalar()).to_bytes()))),
    );
}

fn honest_s(s: &[u8]) -> [u8; 32] {
    add_l(s, 0)
}

fn splices(cases: &mut Cases, honest: &[u8; 64]) {
    let mut bad = |slug: &str, change: &str, comment: &str, token: &Token| {
        cases.invalid(
            slug,
            "signature-invalid",
            "token.signature.equation",
            change,
            comment,
            ask(token.with_signature(honest)),
        );
    };
    bad(
        "splice-payload",
        "status down, not signed again",
        "A changed claim under the old signature.",
        &Token::of(&header("key-1"), &claims().set("status", "\"down\"")),
    );
    bad(
        "splice-header",
        "typ added, not signed again",
        "A changed header under the old signature.",
        &Token::of(&header("key-1").and("typ", "\"JWT\""), &claims()),
    );
    bad(
        "splice-white-space",
        "a space in the payload, not signed again",
        "The bytes are signed and not their meaning.",
        &Token::plain().payload([&claims().text()[..], b" "].concat()),
    );
    bad(
        "splice-order",
        "claims in another order, not signed again",
        "The bytes are signed and not their meaning.",
        &Token::plain().payload(claims().reversed().text()),
    );
}

fn keys(cases: &mut Cases) {
    let second = Token::of(&header("key-2"), &claims());
    let document = discovery_with([
        jwk("key-1", &Key::first().public()),
        jwk("key-2", &Key::second().public()),
    ])
    .text();
    cases.valid(
        "second-key",
        "token.kid.known",
        "kid and signature of a second key",
        "The second of two keys.",
        ask_of(second.clone().key(Key::second()).compact(), &document, NOW),
    );
    cases.invalid(
        "wrong-key-of-same-issuer",
        "signature-invalid",
        "token.signature.equation token.kid.known",
        "kid of the second key, signature of the first",
        "Only the key that is named counts; whoever tries them all accepts this.",
        ask_of(second.compact(), &document, NOW),
    );
    // Every message verifies under the neutral element: R = rB, S = r.
    let neutral = y([1], 0);
    let r = nonce(b"token under the neutral element");
    let signature = join(
        EdwardsPoint::mul_base(&r).compress().to_bytes(),
        r.to_bytes(),
    );
    let document = discovery_with([jwk("key-1", &neutral)]).text();
    cases.invalid(
        "weak-key",
        "key-weak",
        "token.kid.usable token.signature.point",
        "the key is the neutral element",
        "Under this key the signature fits every token, so the key is refused.",
        ask_of(Token::plain().with_signature(&signature), &document, NOW),
    );
    let other = "https://other.example";
    let foreign = Token::of(
        &header("key-1"),
        &claims().set("iss", format!("\"{other}\"")),
    );
    cases.invalid(
        "iss-of-other-resolver",
        "iss-mismatch",
        "token.iss",
        &format!("iss: {other}"),
        &format!("Signed by the key of {ISSUER}, in the name of somebody else."),
        ask(foreign.compact()),
    );
}
