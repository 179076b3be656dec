//! Which Ed25519 keys and signatures count: section 6.3 of the text.
//!
//! The comparisons of bytes come first, so that every cofactorless verifier gives the verdict that this one gives;
//! `verify_strict` would refuse the same inputs, but says nothing about why.

use ed25519_dalek::{Signature, VerifyingKey};

use crate::code::{Code, Refusal};

/// Judges one Ed25519 signature by the rules of the text: the key by `discovery.keys.usable`, the signature by
/// section 6.3.
///
/// # Errors
///
/// `key-malformed`, `key-weak`, or a code of section 6.3, in this order.
pub fn verify_ed25519(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Refusal> {
    let key: &[u8; 32] = public_key.try_into().map_err(|_| {
        Refusal::new(
            Code::KeyMalformed,
            format!("{} bytes, a key has 32", public_key.len()),
        )
    })?;
    let key = PublicKey::from_bytes(key)
        .map_err(|_| Refusal::new(Code::KeyWeak, "the key is not canonical, or of small order"))?;
    key.verify(message, signature).map_err(Refusal::from)
}

/// Why an encoded point or a signature was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointFault {
    Noncanonical,
    SmallOrder,
}

/// A public key that `discovery.keys.usable` lets pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublicKey {
    /// Absent where the bytes are no point of the curve: then no signature verifies.
    point: Option<VerifyingKey>,
}

/// Why a signature was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignatureFault {
    /// `token.signature.length`, with the length found.
    Length(usize),
    /// `token.signature.s`.
    ScalarNoncanonical,
    /// `token.signature.r`.
    Point(PointFault),
    /// `token.signature.equation`.
    Invalid,
}

impl PublicKey {
    /// Takes 32 bytes that are canonical and not of small order.
    pub(crate) fn from_bytes(bytes: &[u8; 32]) -> Result<Self, PointFault> {
        check_point(bytes)?;
        Ok(Self {
            point: VerifyingKey::from_bytes(bytes).ok(),
        })
    }

    /// Checks a signature over a message in the order of section 6.3.
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), SignatureFault> {
        let bytes: &[u8; 64] = signature
            .try_into()
            .map_err(|_| SignatureFault::Length(signature.len()))?;
        let signature = Signature::from_bytes(bytes);
        if !is_less(signature.s_bytes(), &L) {
            return Err(SignatureFault::ScalarNoncanonical);
        }
        check_point(signature.r_bytes()).map_err(SignatureFault::Point)?;
        let point = self.point.as_ref().ok_or(SignatureFault::Invalid)?;
        point
            .verify_strict(message, &signature)
            .map_err(|_| SignatureFault::Invalid)
    }
}

impl From<SignatureFault> for Refusal {
    fn from(fault: SignatureFault) -> Self {
        match fault {
            SignatureFault::Length(found) => Self::new(
                Code::SignatureLength,
                format!("{found} bytes, a signature has 64"),
            ),
            SignatureFault::ScalarNoncanonical => Self::by(
                Code::SignatureNoncanonical,
                "token.signature.s",
                "S is not less than the order of the base point",
            ),
            SignatureFault::Point(PointFault::Noncanonical) => Self::by(
                Code::SignatureNoncanonical,
                "token.signature.r",
                "R is not a canonical encoding",
            ),
            SignatureFault::Point(PointFault::SmallOrder) => {
                Self::new(Code::SignatureSmallOrder, "R is a point of small order")
            }
            SignatureFault::Invalid => Self::new(
                Code::SignatureInvalid,
                "the signature does not fit the token and the key",
            ),
        }
    }
}

/// `token.signature.point`.
fn check_point(bytes: &[u8; 32]) -> Result<(), PointFault> {
    let mut y = *bytes;
    y[31] &= 0x7f;
    let sign = bytes[31] & 0x80 != 0;
    let x_is_zero = y == SMALL_ORDER[1] || y == SMALL_ORDER[4];
    if !is_less(&y, &P) || (sign && x_is_zero) {
        return Err(PointFault::Noncanonical);
    }
    if SMALL_ORDER.contains(&y) {
        Err(PointFault::SmallOrder)
    } else {
        Ok(())
    }
}

/// Compares little-endian integers. Nothing here is secret, so nothing needs constant time.
fn is_less(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// The order of the base point, 2^252 + 27742317777372353535851937790883648493, little-endian.
const L: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// The prime of the field, 2^255 - 19, little-endian.
const P: [u8; 32] = {
    let mut p = [0xff; 32];
    p[0] = 0xed;
    p[31] = 0x7f;
    p
};

/// The y coordinates of the points of small order, in the order of the text, little-endian.
const SMALL_ORDER: [[u8; 32]; 5] = [
    [0; 32],
    {
        let mut one = [0; 32];
        one[0] = 1;
        one
    },
    [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98,
        0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53,
        0xfc, 0x05,
    ],
    [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67,
        0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac,
        0x03, 0x7a,
    ],
    {
        let mut minus_one = [0xff; 32];
        minus_one[0] = 0xec;
        minus_one[31] = 0x7f;
        minus_one
    },
];
