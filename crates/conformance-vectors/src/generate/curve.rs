//! Keys from fixed seeds, and signatures that no honest signer makes.

use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::scalar::Scalar;
use ed25519_dalek::{Signer as _, SigningKey};
use sha2::{Digest as _, Sha256, Sha512};

/// L, the order of the base point, little-endian.
pub(super) const L: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// A key pair.
#[derive(Clone)]
pub(super) struct Key(SigningKey);

impl Key {
    /// The key whose seed is the SHA-256 digest of a text with this name in it.
    pub(super) fn named(name: &str) -> Self {
        let seed = Sha256::digest(format!("capability-resolution vectors: {name}"));
        Self(SigningKey::from_bytes(&seed.into()))
    }

    /// The key that signs unless a vector says otherwise; its `kid` is `key-1`.
    pub(super) fn first() -> Self {
        Self::named("first key")
    }

    /// The key of the text's worked examples (appendix A.1).
    pub(super) fn of_text() -> Self {
        Self(SigningKey::from_bytes(
            &Sha256::digest("capability-resolution example key").into(),
        ))
    }

    /// Another key of the same resolver; its `kid` is `key-2`.
    pub(super) fn second() -> Self {
        Self::named("second key")
    }

    pub(super) fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    pub(super) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }

    /// The secret scalar, for signatures that are made by hand.
    pub(super) fn scalar(&self) -> Scalar {
        self.0.to_scalar()
    }

    /// A variant of RFC 8032 that differs in the prefix of both hashes: Ed25519ph and Ed25519ctx.
    pub(super) fn sign_variant(&self, dom2: &[u8], message: &[u8]) -> [u8; 64] {
        let nonce = nonce(&[b"variant", &self.public()[..], dom2, message].concat());
        let r = (EdwardsPoint::mul_base(&nonce)).compress().to_bytes();
        let k = reduce(&[dom2, &r, &self.public(), message].concat());
        join(r, (nonce + k * self.scalar()).to_bytes())
    }
}

/// `dom2` of RFC 8032 §2.
pub(super) fn dom2(flag: u8, context: &[u8]) -> Vec<u8> {
    let length = u8::try_from(context.len()).unwrap_or(u8::MAX);
    [
        b"SigEd25519 no Ed25519 collisions",
        &[flag, length][..],
        context,
    ]
    .concat()
}

/// SHA-512, reduced modulo L.
fn reduce(bytes: &[u8]) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&Sha512::digest(bytes).into())
}

/// A scalar that nothing else uses.
pub(super) fn nonce(name: &[u8]) -> Scalar {
    reduce(&[b"capability-resolution vectors: nonce: ", name].concat())
}

/// k of RFC 8032 over the bytes as they are given, reduced modulo L.
pub(super) fn challenge(r: &[u8; 32], public: &[u8; 32], message: &[u8]) -> Scalar {
    reduce(&[r, &public[..], message].concat())
}

/// k modulo 8, before and after the reduction modulo L. RFC 8032 leaves it open whether a verifier reduces k, which for a
/// key with a part of small order makes a difference; vectors use messages for which it makes none.
pub(super) fn challenge_mod_8(r: &[u8; 32], public: &[u8; 32], message: &[u8]) -> (u8, u8) {
    let raw: [u8; 64] = Sha512::digest([r, &public[..], message].concat()).into();
    (
        raw[0] % 8,
        Scalar::from_bytes_mod_order_wide(&raw).to_bytes()[0] % 8,
    )
}

/// A signature of both its halves.
pub(super) fn join(r: [u8; 32], s: [u8; 32]) -> [u8; 64] {
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&r);
    signature[32..].copy_from_slice(&s);
    signature
}

/// S + n L, as 256 bits.
pub(super) fn add_l(s: &[u8], n: u8) -> [u8; 32] {
    let mut sum = [0; 32];
    let mut carry = 0_u16;
    for ((place, s), l) in sum.iter_mut().zip(s).zip(L) {
        let [low, high] = (u16::from(*s) + u16::from(l) * u16::from(n) + carry).to_le_bytes();
        *place = low;
        carry = u16::from(high);
    }
    sum
}

/// L - 1, the largest S that is in range.
pub(super) fn l_minus_1() -> [u8; 32] {
    let mut s = L;
    s[0] -= 1;
    s
}

/// The eight points of small order: multiples 0 to 7 of one of order 8.
pub(super) fn torsion(multiple: usize) -> EdwardsPoint {
    EIGHT_TORSION[multiple % 8]
}

/// Does any point have this encoding?
pub(super) fn is_on_curve(bytes: &[u8; 32]) -> bool {
    CompressedEdwardsY(*bytes).decompress().is_some()
}

/// The first result of an attempt with a number counted up from 0.
pub(super) fn grind<T>(mut attempt: impl FnMut(u32) -> Option<T>) -> T {
    let mut number = 0;
    loop {
        if let Some(found) = attempt(number) {
            return found;
        }
        number += 1;
    }
}

/// The canonical encodings of points of small order.
pub(super) const SMALL_ORDER: [(&str, [u8; 32]); 8] = [
    ("order-1", y([0x01], 0)),
    ("order-2", y_high(0xec, 0x7f)),
    ("order-4", y([0x00], 0)),
    ("order-4-odd", y([0x00], 0x80)),
    ("order-8-a", ORDER_8_A),
    ("order-8-a-odd", odd(ORDER_8_A)),
    ("order-8-b", ORDER_8_B),
    ("order-8-b-odd", odd(ORDER_8_B)),
];

/// Encodings of the same points that are not canonical.
pub(super) const SMALL_ORDER_NONCANONICAL: [(&str, [u8; 32]); 6] = [
    ("order-1-minus-zero", y([0x01], 0x80)),
    ("order-2-minus-zero", y_high(0xec, 0xff)),
    ("order-1-y-plus-p", y_high(0xee, 0x7f)),
    ("order-1-y-plus-p-odd", y_high(0xee, 0xff)),
    ("order-4-y-is-p", y_high(0xed, 0x7f)),
    ("order-4-y-is-p-odd", y_high(0xed, 0xff)),
];

/// y from p - 2^8 upwards: the first byte, 30 bytes 0xff, the last byte.
pub(super) const fn y_high(first: u8, last: u8) -> [u8; 32] {
    let mut bytes = [0xff; 32];
    bytes[0] = first;
    bytes[31] = last;
    bytes
}

/// A small y with a last byte.
pub(super) const fn y(first: [u8; 1], last: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = first[0];
    bytes[31] = last;
    bytes
}

const fn odd(mut bytes: [u8; 32]) -> [u8; 32] {
    bytes[31] |= 0x80;
    bytes
}

const ORDER_8_A: [u8; 32] = [
    0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
    0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
];

const ORDER_8_B: [u8; 32] = [
    0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
    0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
];
