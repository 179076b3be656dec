//! Single Ed25519 signatures (§6.3): what libraries disagree on for keys and signatures that no honest signer makes.

use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;

use super::cases::{Cases, input};
use super::curve::{
    Key, L, SMALL_ORDER, SMALL_ORDER_NONCANONICAL, add_l, challenge, challenge_mod_8, dom2, grind,
    is_on_curve, join, l_minus_1, nonce, torsion, y, y_high,
};
use crate::model::{Input, Kind, Operation, VectorFile};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn ask(public: &[u8], message: &[u8], signature: &[u8]) -> Input {
    let (public, message, signature) = (hex(public), hex(message), hex(signature));
    input([
        ("publicKey", public.as_bytes()),
        ("message", message.as_bytes()),
        ("signature", signature.as_bytes()),
    ])
}

const MESSAGE: &[u8] = b"a message";

/// A message whose text has a number in it, for what can only be found by trying.
fn numbered(number: u32) -> Vec<u8> {
    format!("a message, attempt {number}").into_bytes()
}

fn encode(point: &EdwardsPoint) -> [u8; 32] {
    point.compress().to_bytes()
}

fn base_times(scalar: &Scalar) -> EdwardsPoint {
    EdwardsPoint::mul_base(scalar)
}

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::Ed25519, Operation::Ed25519);
    honest(&mut cases);
    lengths(&mut cases);
    changed(&mut cases);
    variants(&mut cases);
    s_range(&mut cases);
    r_of_small_order(&mut cases);
    r_not_canonical(&mut cases);
    weak_keys(&mut cases);
    mixed_order(&mut cases);
    order(&mut cases);
    cases.into_file()
}

fn honest(cases: &mut Cases) {
    let key = Key::first();
    cases.base(
        "honest",
        "token.signature.equation",
        "What every signer makes.",
        ask(&key.public(), MESSAGE, &key.sign(MESSAGE)),
    );
    let long = vec![b'a'; 1023];
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    for (slug, change, message) in [
        ("empty-message", "the empty message", &b""[..]),
        ("one-byte", "a message of one zero byte", b"\0"),
        ("all-bytes", "a message of all 256 bytes", &bytes),
        ("long-message", "a message of 1,023 bytes", &long),
    ] {
        cases.valid(
            slug,
            "token.signature.equation",
            change,
            "An honest signature of another message.",
            ask(&key.public(), message, &key.sign(message)),
        );
    }
    for number in 1..=4 {
        let other = Key::named(&format!("honest key {number}"));
        cases.valid(
            &format!("honest-key-{number}"),
            "token.signature.equation",
            "another key",
            "An honest signature by another key.",
            ask(&other.public(), MESSAGE, &other.sign(MESSAGE)),
        );
    }
}

fn lengths(cases: &mut Cases) {
    let key = Key::first();
    let (public, signature) = (key.public(), key.sign(MESSAGE));
    let more = [&signature[..], &signature[..]].concat();
    for length in [0, 32, 63, 65, 128] {
        cases.invalid(
            &format!("signature-{length}-bytes"),
            "signature-length",
            "token.signature.length",
            &format!("a signature of {length} bytes"),
            "A signature is 64 bytes: fewer are not filled up, and of more the first 64 are not taken.",
            ask(&public, MESSAGE, &more[..length]),
        );
    }
    let more = [public, public].concat();
    for length in [0, 31, 33, 64] {
        cases.invalid(
            &format!("key-{length}-bytes"),
            "key-malformed",
            "discovery.keys.usable",
            &format!("a key of {length} bytes"),
            "A key is 32 bytes.",
            ask(&more[..length], MESSAGE, &signature),
        );
    }
}

fn changed(cases: &mut Cases) {
    let key = Key::first();
    let (public, signature) = (key.public(), key.sign(MESSAGE));
    let mut bad = |slug: &str,
                   change: &str,
                   comment: &str,
                   public: &[u8],
                   message: &[u8],
                   signature: &[u8]| {
        cases.invalid(
            slug,
            "signature-invalid",
            "token.signature.equation",
            change,
            comment,
            ask(public, message, signature),
        );
    };
    for (place, bit, name) in [
        (0, 0x01, "lowest bit of R"),
        (15, 0x10, "a bit in the middle of R"),
        (31, 0x40, "the highest bit of y in R"),
        (31, 0x80, "the sign bit of R"),
        (32, 0x01, "the lowest bit of S"),
        (47, 0x10, "a bit in the middle of S"),
        (63, 0x01, "a high bit of S"),
    ] {
        let mut flipped = signature;
        flipped[place] ^= bit;
        bad(
            &format!("flip-byte-{place}-bit-{bit:02x}"),
            &format!("{name} is changed"),
            "One bit of the signature is another.",
            &public,
            MESSAGE,
            &flipped,
        );
    }
    bad(
        "flip-message",
        "one bit of the message is changed",
        "Another message.",
        &public,
        b"a messagd",
        &signature,
    );
    bad(
        "message-longer",
        "a zero byte after the message",
        "Another message.",
        &public,
        b"a message\0",
        &signature,
    );
    bad(
        "message-empty",
        "the empty message",
        "Another message.",
        &public,
        b"",
        &signature,
    );
    bad(
        "other-key",
        "another key",
        "Another key than the one that signed.",
        &Key::second().public(),
        MESSAGE,
        &signature,
    );
    let mut flipped = public;
    flipped[31] ^= 0x80;
    bad(
        "key-other-sign",
        "the sign bit of the key is changed",
        "The key with the other sign of x is another key.",
        &flipped,
        MESSAGE,
        &signature,
    );
    let mut backwards = signature;
    backwards[32..].reverse();
    // Reversed, S is out of range unless its first byte is small; a message is found for which it is.
    let message = grind(|number| {
        let message = numbered(number);
        (key.sign(&message)[32] < 0x10).then_some(message)
    });
    let mut backwards = key.sign(&message);
    backwards[32..].reverse();
    bad(
        "s-big-endian",
        "S in big-endian order",
        "Integers are little-endian.",
        &public,
        &message,
        &backwards,
    );
    let r = nonce(b"zero S");
    bad(
        "s-zero",
        "S is zero",
        "In range, and the equation fails.",
        &public,
        MESSAGE,
        &join(encode(&base_times(&r)), [0; 32]),
    );
    // No point has this y.
    let no_point = grind(|number| {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&(number + 2).to_le_bytes());
        (!is_on_curve(&bytes)).then_some(bytes)
    });
    let mut s = [0; 32];
    s.copy_from_slice(&signature[32..]);
    bad(
        "r-no-point",
        "R is no point",
        "Canonical by its bytes, but no point has this y: nothing encodes to it, so the equation fails.",
        &public,
        MESSAGE,
        &join(no_point, s),
    );
    bad(
        "key-no-point",
        "the key is no point",
        "Canonical by its bytes, but no point has this y: there is no A, so no equation holds.",
        &no_point,
        MESSAGE,
        &signature,
    );
}

fn variants(cases: &mut Cases) {
    let key = Key::first();
    let public = key.public();
    let digest: [u8; 64] = {
        use sha2::{Digest as _, Sha512};
        Sha512::digest(MESSAGE).into()
    };
    for (slug, change, comment, signature) in [
        (
            "ph",
            "Ed25519ph",
            "Signed by its digest, with the prefix of RFC 8032 §2.",
            key.sign_variant(&dom2(1, b""), &digest),
        ),
        (
            "ph-context",
            "Ed25519ph with a context",
            "The same with a context.",
            key.sign_variant(&dom2(1, b"a"), &digest),
        ),
        (
            "ctx",
            "Ed25519ctx",
            "Signed with a context.",
            key.sign_variant(&dom2(0, b"a"), MESSAGE),
        ),
        (
            "ctx-empty",
            "Ed25519ctx with an empty context",
            "The prefix alone makes another signature.",
            key.sign_variant(&dom2(0, b""), MESSAGE),
        ),
        (
            "digest",
            "over the SHA-512 digest",
            "A digest signed as if it were the message.",
            key.sign(&digest),
        ),
    ] {
        cases.invalid(
            &format!("variant-{slug}"),
            "signature-invalid",
            "token.signature.equation",
            change,
            comment,
            ask(&public, MESSAGE, &signature),
        );
    }
    // k without the key, as in the oldest proposals of Schnorr signatures.
    let r = nonce(b"k without key");
    let r_bytes = encode(&base_times(&r));
    let k = challenge(&r_bytes, &[0; 32], MESSAGE);
    cases.invalid(
        "k-without-key",
        "signature-invalid",
        "token.signature.equation",
        "k over zeros in place of the key",
        "k has to bind the key.",
        ask(
            &public,
            MESSAGE,
            &join(r_bytes, (r + k * key.scalar()).to_bytes()),
        ),
    );
}

fn s_range(cases: &mut Cases) {
    let key = Key::first();
    let public = key.public();
    let signature = key.sign(MESSAGE);
    let mut r = [0; 32];
    r.copy_from_slice(&signature[..32]);
    cases.invalid(
        "s-l-minus-1",
        "signature-invalid",
        "token.signature.s token.signature.equation",
        "S is L - 1",
        "The largest S that is in range; the equation fails.",
        ask(&public, MESSAGE, &join(r, l_minus_1())),
    );
    let mut bad =
        |slug: &str, change: &str, comment: &str, message: &[u8], signature: &[u8; 64]| {
            cases.invalid(
                slug,
                "signature-noncanonical",
                "token.signature.s",
                change,
                comment,
                ask(&public, message, signature),
            );
        };
    bad(
        "s-l",
        "S is L",
        "The smallest S out of range.",
        MESSAGE,
        &join(r, L),
    );
    for n in [1, 2, 7, 8, 15] {
        let comment = if n < 2 {
            "The equation holds, and the three highest bits are clear, which is all that old verifiers look at: without the check of the range there is a second signature of the same message."
        } else {
            "The equation holds as before, so only the check of the range refuses it."
        };
        // S + 15 L has to fit into 256 bits.
        let message = grind(|number| {
            let message = numbered(number);
            (key.sign(&message)[63] < 0x08).then_some(message)
        });
        let honest = key.sign(&message);
        let mut r = [0; 32];
        r.copy_from_slice(&honest[..32]);
        bad(
            &format!("s-plus-{n}-l"),
            &format!("S plus {n} L"),
            comment,
            &message,
            &join(r, add_l(&honest[32..], n)),
        );
    }
    bad(
        "s-all-ff",
        "S of bytes 0xff",
        "The largest S that 32 bytes hold.",
        MESSAGE,
        &join(r, [0xff; 32]),
    );
    let mut high = [0; 32];
    high[31] = 0x10;
    bad(
        "s-2-to-the-252",
        "S is 2^252 + 2^252",
        "Twice the power of two below L.",
        MESSAGE,
        &join(r, {
            high[31] = 0x20;
            high
        }),
    );
    cases.invalid(
        "s-2-to-the-252-in-range",
        "signature-invalid",
        "token.signature.s token.signature.equation",
        "S is 2^252",
        "Less than L, though its highest bit is that of L; the equation fails.",
        ask(
            &public,
            MESSAGE,
            &join(r, {
                high[31] = 0x10;
                high
            }),
        ),
    );
}

/// R of small order, with the S for which the equation holds: only the check of R refuses these.
fn r_of_small_order(cases: &mut Cases) {
    // Under a key with a part of order 8, -kA has every part of small order, depending on the message.
    let key = Key::named("mixed-order key");
    let public = encode(&(base_times(&key.scalar()) + torsion(1)));
    for (name, r) in SMALL_ORDER {
        let (message, s) = fitting(&key, &public, &r);
        cases.invalid(
            &format!("r-small-{name}"),
            "signature-small-order",
            "token.signature.r token.signature.point",
            &format!("R of small order ({name}), and the S that fits"),
            "The equation holds: R is what SB - kA gives, so only the check of R refuses it.",
            ask(&public, &message, &join(r, s)),
        );
    }
    let honest = Key::first();
    let k = challenge(&y([1], 0), &honest.public(), MESSAGE);
    cases.invalid(
        "r-neutral-of-honest-key",
        "signature-small-order",
        "token.signature.r token.signature.point",
        "R is the neutral element, under an honest key",
        "The equation holds: S is k times the secret scalar.",
        ask(
            &honest.public(),
            MESSAGE,
            &join(y([1], 0), (k * honest.scalar()).to_bytes()),
        ),
    );
    cases.invalid(
        "r-small-and-s-out-of-range",
        "signature-noncanonical",
        "token.signature.s token.signature.r token.order",
        "R is the neutral element, and S is L too large",
        "Two faults: the range of S is checked before R.",
        ask(
            &honest.public(),
            MESSAGE,
            &join(y([1], 0), add_l(&honest.sign(MESSAGE)[32..], 1)),
        ),
    );
    cases.invalid(
        "all-zero",
        "signature-small-order",
        "token.signature.r token.signature.point",
        "64 zero bytes",
        "What an unset buffer holds: R of order 4 and S zero.",
        ask(&honest.public(), MESSAGE, &[0; 64]),
    );
}

/// Key and signature have a fault each.
fn order(cases: &mut Cases) {
    let (key, weak) = (Key::first(), y([1], 0));
    let signature = key.sign(MESSAGE);
    let out_of_range = join(weak, add_l(&signature[32..], 1));
    for (slug, code, change, public, signature) in [
        (
            "weak-key-and-signature-63-bytes",
            "key-weak",
            "a key of small order and a signature of 63 bytes",
            &weak[..],
            &signature[..63],
        ),
        (
            "weak-key-and-s-out-of-range",
            "key-weak",
            "a key of small order, R of small order, and S out of range",
            &weak,
            &out_of_range,
        ),
        (
            "key-31-bytes-and-signature-63-bytes",
            "key-malformed",
            "a key of 31 bytes and a signature of 63",
            &key.public()[..31],
            &signature[..63],
        ),
    ] {
        cases.invalid(
            slug,
            code,
            "discovery.keys.usable token.order",
            change,
            "The key is judged with the discovery document, before any signature.",
            ask(public, MESSAGE, signature),
        );
    }
}

/// A message for which SB - kA is the point that R stands for, and the S.
fn fitting(key: &Key, public: &[u8; 32], r: &[u8; 32]) -> (Vec<u8>, [u8; 32]) {
    grind(|number| {
        let message = numbered(number);
        let k = challenge(r, public, &message);
        let (raw, reduced) = challenge_mod_8(r, public, &message);
        let multiple = usize::from((8 - reduced) % 8);
        let fits = encode(&torsion(multiple)) == canonical(r);
        (raw == reduced && fits).then(|| (message, (k * key.scalar()).to_bytes()))
    })
}

/// The canonical encoding of the point that these bytes stand for.
fn canonical(bytes: &[u8; 32]) -> [u8; 32] {
    let listed = [
        "order-1",
        "order-2",
        "order-1",
        "order-1",
        "order-4",
        "order-4-odd",
    ];
    let name = SMALL_ORDER_NONCANONICAL
        .iter()
        .zip(listed)
        .find_map(|((_, own), name)| (own == bytes).then_some(name));
    let own = SMALL_ORDER.iter().find(|(own, _)| Some(*own) == name);
    own.map_or(*bytes, |(_, canonical)| *canonical)
}

fn r_not_canonical(cases: &mut Cases) {
    let key = Key::named("mixed-order key");
    let public = encode(&(base_times(&key.scalar()) + torsion(1)));
    for (name, r) in SMALL_ORDER_NONCANONICAL {
        let (message, s) = fitting(&key, &public, &r);
        cases.invalid(
            &format!("r-noncanonical-{name}"),
            "signature-noncanonical",
            "token.signature.r token.signature.point",
            &format!("R in an encoding that is not canonical ({name}), and the S that fits"),
            "The equation holds for the point that these bytes decode to, so a verifier that compares points accepts it.",
            ask(&public, &message, &join(r, s)),
        );
    }
    let honest = Key::first();
    let mut s = [0; 32];
    s.copy_from_slice(&honest.sign(MESSAGE)[32..]);
    for (first, last, what) in [
        (0xed, 0x7f, "p"),
        (0xf0, 0x7f, "p + 3"),
        (0xff, 0x7f, "2^255 - 1"),
        (0xff, 0xff, "2^255 - 1, odd"),
    ] {
        let slug = what
            .replace(", ", "-")
            .replace([' ', '^', '+'], "-")
            .replace("---", "-");
        cases.invalid(
            &format!("r-y-{slug}"),
            "signature-noncanonical",
            "token.signature.r token.signature.point",
            &format!("y of R is {what}"),
            "Not less than p.",
            ask(&honest.public(), MESSAGE, &join(y_high(first, last), s)),
        );
    }
    cases.invalid(
        "r-y-p-minus-2",
        "signature-invalid",
        "token.signature.point token.signature.equation",
        "y of R is p - 2",
        "The largest y that is canonical and not of small order; the equation fails.",
        ask(&honest.public(), MESSAGE, &join(y_high(0xeb, 0x7f), s)),
    );
}

/// Keys under which a signature can be made without a secret.
fn weak_keys(cases: &mut Cases) {
    for (name, public) in SMALL_ORDER.into_iter().chain(SMALL_ORDER_NONCANONICAL) {
        let r = nonce(name.as_bytes());
        let r_bytes = encode(&base_times(&r));
        let message = grind(|number| {
            let message = numbered(number);
            (challenge_mod_8(&r_bytes, &public, &message) == (0, 0)).then_some(message)
        });
        cases.invalid(
            &format!("key-{name}"),
            "key-weak",
            "discovery.keys.usable token.signature.point",
            &format!("a key of small order ({name})"),
            "The equation holds, and nobody needed a secret for it: k times the key is the neutral element.",
            ask(&public, &message, &join(r_bytes, r.to_bytes())),
        );
    }
    let key = Key::first();
    for (first, last, what) in [
        (0xef, 0x7f, "p + 2"),
        (0xf0, 0xff, "p + 3, odd"),
        (0xff, 0x7f, "2^255 - 1"),
        (0xff, 0xff, "2^255 - 1, odd"),
    ] {
        let slug = what
            .replace(", ", "-")
            .replace([' ', '^', '+'], "-")
            .replace("---", "-");
        cases.invalid(
            &format!("key-y-{slug}"),
            "key-weak",
            "discovery.keys.usable token.signature.point",
            &format!("y of the key is {what}"),
            "Not canonical: y is not less than p, whether or not a point has it.",
            ask(&y_high(first, last), MESSAGE, &key.sign(MESSAGE)),
        );
    }
    cases.invalid(
        "key-y-p-minus-2",
        "signature-invalid",
        "token.signature.point token.signature.equation",
        "y of the key is p - 2",
        "The largest y that is canonical and not of small order: such a key is usable, and did not sign this.",
        ask(&y_high(0xeb, 0x7f), MESSAGE, &key.sign(MESSAGE)),
    );
}

/// Keys and R with a part of small order: the cofactorless equation and the one with a cofactor part ways here.
fn mixed_order(cases: &mut Cases) {
    let key = Key::named("mixed-order key");
    let public = encode(&(base_times(&key.scalar()) + torsion(1)));
    let r = nonce(b"mixed order");
    let plain_r = encode(&base_times(&r));
    let sign = |r_bytes: &[u8; 32], public: &[u8; 32], key: &Key, message: &[u8]| {
        join(
            *r_bytes,
            (r + challenge(r_bytes, public, message) * key.scalar()).to_bytes(),
        )
    };
    let find = |r_bytes: &[u8; 32], wanted: fn(u8) -> bool| {
        grind(|number| {
            let message = numbered(number);
            let (raw, reduced) = challenge_mod_8(r_bytes, &public, &message);
            (raw == reduced && wanted(raw)).then_some(message)
        })
    };
    let message = find(&plain_r, |k| k == 0);
    cases.valid(
        "mixed-key",
        "token.signature.equation token.signature.point",
        "a key with a part of order 8, k a multiple of 8",
        "Such a key is not weak, and k makes its part of small order vanish: both equations hold.",
        ask(&public, &message, &sign(&plain_r, &public, &key, &message)),
    );
    let message = find(&plain_r, |k| k != 0);
    cases.invalid(
        "mixed-key-cofactored-only",
        "signature-invalid",
        "token.signature.equation",
        "a key with a part of order 8, k no multiple of 8",
        "Only the equation with a cofactor holds, and the text has the other.",
        ask(&public, &message, &sign(&plain_r, &public, &key, &message)),
    );
    let honest = Key::first();
    let mixed_r = encode(&(base_times(&r) + torsion(1)));
    cases.invalid(
        "mixed-r-cofactored-only",
        "signature-invalid",
        "token.signature.equation",
        "R with a part of order 8, under an honest key",
        "Only the equation with a cofactor holds.",
        ask(
            &honest.public(),
            MESSAGE,
            &sign(&mixed_r, &honest.public(), &honest, MESSAGE),
        ),
    );
    // R = rB - kT, and SB - kA = rB - kT.
    let message = find(&mixed_r, |k| k == 7);
    cases.valid(
        "mixed-key-and-r",
        "token.signature.equation token.signature.point",
        "a key and an R with parts of order 8 that fit",
        "Neither is of small order, and the cofactorless equation holds to the last bit.",
        ask(&public, &message, &sign(&mixed_r, &public, &key, &message)),
    );
    let message = find(&mixed_r, |k| k % 2 == 0);
    cases.invalid(
        "mixed-key-and-r-cofactored-only",
        "signature-invalid",
        "token.signature.equation",
        "a key and an R with parts of order 8 that do not fit",
        "Only the equation with a cofactor holds.",
        ask(&public, &message, &sign(&mixed_r, &public, &key, &message)),
    );
}
