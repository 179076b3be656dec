//! Ed25519 as §6.3 verifies it, and base64url.

use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};

use crate::mutant::Mutant as M;
use crate::verifier::Verifier;

/// 2^255 - 19, L, and the coordinates of points of small order: big-endian here, so that they compare as numbers.
const P: &str = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed";
const L: &str = "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed";
const SMALL_ORDER: [&str; 5] = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000001",
    "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
    "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec",
];

#[derive(Debug, PartialEq)]
enum Point {
    Sound,
    NotCanonical,
    SmallOrder,
}

/// A little-endian number in hexadecimal, most significant digit first.
fn number(bytes: &[u8]) -> String {
    bytes
        .iter()
        .rev()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn point(bytes: &[u8]) -> Point {
    let mut y = bytes.to_vec();
    y[31] &= 0x7f;
    let (sign, y) = (bytes[31] & 0x80 != 0, number(&y));
    if y.as_str() >= P || (sign && (y == SMALL_ORDER[1] || y == SMALL_ORDER[4])) {
        Point::NotCanonical
    } else if SMALL_ORDER.contains(&y.as_str()) {
        Point::SmallOrder
    } else {
        Point::Sound
    }
}

/// Whether 32 bytes may be a key.
pub(crate) fn key(v: Verifier, bytes: &[u8]) -> Result<(), String> {
    let weak = match point(bytes) {
        Point::Sound => false,
        Point::NotCanonical => !v.has(M::KeyCanonicalUnchecked),
        Point::SmallOrder => !v.has(M::KeySmallOrder),
    };
    if weak && !v.has(M::KeyWeakAccepted) {
        Err("key-weak".to_owned())
    } else {
        Ok(())
    }
}

pub(crate) fn verify(
    v: Verifier,
    key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), String> {
    let fault = |code: &str| Err(code.to_owned());
    let cut = signature
        .get(..64)
        .filter(|_| v.has(M::SignatureLong))
        .unwrap_or(signature);
    let Ok(signature) = <[u8; 64]>::try_from(cut) else {
        return fault("signature-length");
    };
    if number(&signature[32..]).as_str() >= L && !v.has(M::SUnchecked) {
        return fault("signature-noncanonical");
    }
    match point(&signature[..32]) {
        Point::NotCanonical if !v.has(M::RCanonicalUnchecked) => {
            return fault("signature-noncanonical");
        }
        Point::SmallOrder if !v.has(M::RSmallOrder) => return fault("signature-small-order"),
        _ => {}
    }
    // Not the strict method of this library, which repeats the checks above.
    let verified = <[u8; 32]>::try_from(key)
        .ok()
        .and_then(|key| VerifyingKey::from_bytes(&key).ok())
        .is_some_and(|key| {
            key.verify(message, &Signature::from_bytes(&signature))
                .is_ok()
        });
    if verified || v.has(M::EquationUnchecked) {
        Ok(())
    } else {
        fault("signature-invalid")
    }
}

pub(crate) fn base64url(text: &[u8], trailing_bits: bool) -> Option<Vec<u8>> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut bits, mut have, mut bytes) = (0_usize, 0, Vec::new());
    for byte in text {
        bits = bits << 6 | ALPHABET.iter().position(|b| b == byte)?;
        have += 6;
        if have >= 8 {
            have -= 8;
            bytes.push(u8::try_from(bits >> have).ok()?);
            bits &= (1 << have) - 1;
        }
    }
    (have < 6 && (bits == 0 || trailing_bits)).then_some(bytes)
}

pub(crate) fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    digits?
        .chunks(2)
        .map(|pair| u8::try_from(pair[0] * 16 + pair.get(1)?).ok())
        .collect()
}
